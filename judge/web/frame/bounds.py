"""Refuses numbers and texts in addresses, queries and forms that the databases cannot store.

The limits are in judge/schemas/shape.py. The refusal comes before any page reads the value: 404 for an
address, the name of the field for a query or a form.
"""

from __future__ import annotations

from flask import Flask, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import IntegerConverter, ValidationError

from judge.core.errors import problem
from judge.schemas.shape import MAX_STORED, raise_all

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class RowNumber(IntegerConverter):
    """`<int:...>` in an address, limited to what an INTEGER column can store."""

    regex = "[0-9]{1,10}"

    def to_python(self, value: str) -> int:
        number: int = super().to_python(value)
        if number > MAX_STORED:
            raise ValidationError
        return number


def init_bounds(app: Flask) -> None:
    app.url_map.converters["int"] = RowNumber
    app.before_request(_refuse_nul)


def _refuse_nul() -> None:
    """Refuse U+0000 in texts: PostgreSQL cannot store it, and SQLite should behave the same."""
    if "\0" in request.path:
        raise NotFound
    fields = list(request.args.items(multi=True)) if b"%00" in request.query_string else []
    if request.mimetype in FORM_TYPES:
        fields += request.form.items(multi=True)
    names = [name.replace("\0", "") for name, value in fields if "\0" in name or "\0" in value]
    raise_all([problem(name, "text_unusable") for name in names])
