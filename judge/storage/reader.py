"""Fast read-only queries for public pages.

A `Reader` borrows one raw connection of the database driver. A `Prepared` statement is written in SQLAlchemy,
compiled to text once per kind of database, and passed to the driver unchanged. It returns plain tuples;
dates, JSON and errors are the same as with SQLAlchemy. A reader begins no transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select
from sqlmodel.sql.expression import Select

Row = tuple[Any, ...]
Convert = Callable[[Any], Any]


def select_columns(*columns: Any) -> Select[Any]:
    """A select of any number of columns; SQLModel's own has types for at most four."""
    statement: Select[Any] = select(*columns)
    return statement


class Text(NamedTuple):
    """A statement compiled for one kind of database."""

    sql: str
    order: list[str] | None  # of the parameters; None: they go by name
    constants: dict[str, Any]
    converts: list[tuple[int, Convert]]  # column number -> its converter


class Prepared:
    """A select whose parameters are passed by position, in the order of `names`."""

    def __init__(self, statement: Any, *names: str) -> None:
        self.statement, self.names = statement, names
        self._texts: dict[str, Text] = {}

    def text(self, engine: Engine) -> Text:
        compiled = self._texts.get(engine.dialect.name)
        return compiled or self._texts.setdefault(engine.dialect.name, self._compile(engine))

    def _compile(self, engine: Engine) -> Text:
        compiled = self.statement.compile(dialect=engine.dialect)
        types = [column.type.dialect_impl(engine.dialect) for column in self.statement.selected_columns]
        converts = [(n, t.result_processor(engine.dialect, None)) for n, t in enumerate(types)]
        order = list(compiled.positiontup) if compiled.positiontup is not None else None
        wanted = [(n, _with_empty(c)) for n, c in converts if c is not None]
        return Text(str(compiled), order, compiled.params, wanted)


class Reader:
    def __init__(self, engine: Engine, connection: Any) -> None:
        self.engine, self._connection = engine, connection

    def rows(self, prepared: Prepared, *values: object) -> Sequence[Row]:
        text = prepared.text(self.engine)
        parameters: Any = text.constants | dict(zip(prepared.names, values, strict=True))
        if text.order is not None:
            parameters = tuple(parameters[name] for name in text.order)
        fetched = self._fetch(text.sql, parameters)
        return [_converted(row, text.converts) for row in fetched] if text.converts else fetched

    def _fetch(self, sql: str, parameters: Any) -> Sequence[Row]:
        errors = self.engine.dialect.loaded_dbapi.Error
        try:
            cursor = self._connection.cursor()
            try:
                cursor.execute(sql, parameters)
                rows: Sequence[Row] = cursor.fetchall()
                return rows
            finally:
                cursor.close()
        except errors as error:
            raise DBAPIError.instance(
                sql, parameters, error, errors, hide_parameters=True, dialect=self.engine.dialect
            ) from error


def _with_empty(convert: Convert) -> Convert:
    """Skip the conversion of empty lists and objects: most are, and an event has hundreds of them."""

    def read(value: Any) -> Any:
        if value == "[]":
            return []
        return {} if value == "{}" else convert(value)

    return read


def _converted(row: Row, converts: list[tuple[int, Convert]]) -> Row:
    for n, convert in converts:
        if row[n] is not None:
            row = (*row[:n], convert(row[n]), *row[n + 1 :])
    return row


@contextmanager
def reading(engine: Engine) -> Iterator[Reader]:
    connection = engine.raw_connection()
    driver: Any = connection.driver_connection
    begins_transactions = engine.dialect.name == "postgresql"
    try:
        if begins_transactions:  # two more messages for each page
            driver.autocommit = True
        yield Reader(engine, connection)
    finally:
        if begins_transactions:
            try:
                driver.autocommit = False
            except engine.dialect.loaded_dbapi.Error:  # lost, or stopped in the middle of a statement
                connection.invalidate()
        connection.close()


def reader_of(session: Session) -> Reader:
    """A reader inside the session's transaction, so it sees the session's own changes."""
    session.flush()
    connection = session.connection()
    return Reader(connection.engine, connection.connection)
