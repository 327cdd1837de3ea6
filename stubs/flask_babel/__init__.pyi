"""The part of Flask-Babel that judge uses; the package itself carries no types."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from flask import Flask
from flask_babel.speaklater import LazyString

class Babel:
    def __init__(
        self,
        app: Flask,
        *,
        locale_selector: Callable[[], str],
        default_locale: str,
        default_timezone: str,
    ) -> None: ...

def gettext(string: str, **variables: object) -> str: ...
def ngettext(singular: str, plural: str, num: int, **variables: object) -> str: ...
def lazy_gettext(string: str, **variables: object) -> LazyString: ...
def format_datetime(datetime: datetime, format: str, rebase: bool = True) -> str: ...
def force_locale(locale: str) -> AbstractContextManager[None]: ...
