"""Functions that all forms share. CSRF is checked for every request, so forms need no token field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.fields import SelectChoice
from wtforms.i18n import get_translations
from wtforms.meta import DefaultMeta
from wtforms.validators import DataRequired, InputRequired, Length

from judge.core.errors import Refused, fail
from judge.core.messages import Message
from judge.schemas.shape import MAX_COUNT, number, whole
from judge.web.frame.errors import phrasebook, refuse
from judge.web.frame.preferences import language
from judge.web.frame.texts import lazy_gettext

MISSING = lazy_gettext("Please fill this in.")


class PageForm(Form):  # type: ignore[misc]  # WTForms carries no types
    """A form with its own messages ("not a valid date") in the reader's language."""

    class Meta(DefaultMeta):  # type: ignore[misc]  # WTForms carries no types
        def get_translations(self, form: Form) -> Any:
            return get_translations([language()])


def required() -> InputRequired:
    return InputRequired(MISSING)


def required_text() -> DataRequired:
    """The field must contain more than spaces."""
    return DataRequired(MISSING)


def at_most(most: int) -> Length:
    return Length(max=most, message=lazy_gettext("Please use at most %(most)s characters.", most=most))


def choices_of(words: Mapping[Any, Any]) -> list[SelectChoice]:
    return [SelectChoice(value, label) for value, label in words.items()]


def stripped(value: Any) -> Any:
    """The text without spaces around it or double spaces inside."""
    return " ".join(value.split()) if isinstance(value, str) else value


def whole_number(form: Mapping[str, str], name: str, low: int = 0, high: int = MAX_COUNT) -> int:
    """The whole number in a field; other values are refused as in a file."""
    try:
        value = whole(form.get(name, ""))
    except ValueError:
        raise fail(name, "expected_integer") from None
    return number(value, name, low, high)


def say(message: Message) -> str:
    """A service's message in the reader's language."""
    return phrasebook().say(message)


def sent() -> MultiDict[str, str] | None:
    """The sent values of a form; None if it is only shown, so that it shows its defaults."""
    return request.form if request.method == "POST" else None


def uploaded_text(refusal: str) -> str:
    """The text of an uploaded file, or of the field `text`; `refusal` is said of a file that is no text."""
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        return request.form.get("text", "")
    try:
        return str(upload.read(), "utf-8-sig")
    except UnicodeDecodeError:
        refuse(422, refusal)


def is_sent(form: Form) -> bool:
    """Whether this request sends a valid form."""
    return request.method == "POST" and form.validate()


def add_fault(form: Form, name: str, error: Refused) -> None:
    """Show a service's refusal at a field."""
    field = form[name]
    field.errors = [*field.errors, *(say(reason) for reason in error.reasons)]
