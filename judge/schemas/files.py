"""Reading a table or tournament file: YAML or JSON, UTF-8, bounded in size, depth and number of values.

YAML is read by libyaml's event stream into plain values, with the YAML 1.2 idea of words (`No`, `on` and
`2026-11-16` stay words). Aliases may repeat a small thing; what they unfold to is bounded too.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from judge.core.errors import InputError, fail

MAX_BYTES = 8 * 1024 * 1024
MAX_VALUES = 500_000
MAX_DEPTH = 60

_INT = re.compile(r"[-+]?\d{1,18}")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+(\.\d*)?[eE][-+]?\d+)")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "false": False}


class TooLarge(InputError):
    """The input is over the size limit: 413 rather than 422."""


def read_file(path: Path | str) -> Any:
    """The values of a file; `-` is standard input."""
    if str(path) == "-":
        import sys

        return parse(sys.stdin.buffer.read(MAX_BYTES + 1))
    try:
        with open(path, "rb") as handle:
            return parse(handle.read(MAX_BYTES + 1))
    except OSError as error:
        raise fail("", "file_unreadable", why=error.strerror or str(error)) from None


def parse(data: bytes) -> Any:
    if len(data) > MAX_BYTES:
        raise TooLarge(fail("", "file_too_large", limit_mib=MAX_BYTES // 1024 // 1024).problems[0])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fail("", "not_utf8", byte=error.start + 1) from None
    if not text.strip():
        raise fail("", "file_empty")
    if text.lstrip()[0] in "{[":
        try:
            return parse_json(text)
        except json.JSONDecodeError:
            pass  # flow-style YAML begins the same way
    return _Yaml().parse(text)


def parse_json(text: str) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items):
            names = [name for name, _ in items]
            raise fail("", "key_twice", key=next(n for n in names if names.count(n) > 1))
        return result

    def constant(word: str) -> Any:
        raise fail("", "not_a_number", word=word)

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except RecursionError:
        raise fail("", "too_deep", limit=MAX_DEPTH) from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise fail("", "not_a_number", word=str(error)) from None


class _Yaml:
    def __init__(self) -> None:
        self.count = 0
        self.anchors: dict[str, tuple[Any, int]] = {}

    def parse(self, text: str) -> Any:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.events = yaml.parse(text, Loader=loader)
            self.yaml = yaml
            for event in self.events:
                if isinstance(event, yaml.DocumentStartEvent):
                    value = self._value(next(self.events), 0)
                    next(self.events)
                    if not isinstance(next(self.events), yaml.StreamEndEvent):
                        raise fail("", "several_documents")
                    return value
            raise fail("", "file_empty")
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
            why = getattr(error, "problem", None) or str(error).splitlines()[0]
            raise fail("", "not_yaml", line=line, column=column, why=str(why)) from None

    def _value(self, event: Any, depth: int) -> Any:
        yaml = self.yaml
        self.count += 1
        if self.count > MAX_VALUES:
            raise fail("", "too_many_values", limit=MAX_VALUES)
        if depth > MAX_DEPTH:
            raise fail("", "too_deep", limit=MAX_DEPTH)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise fail("", "unknown_alias", name=event.anchor, line=event.start_mark.line + 1)
            value, size = self.anchors[event.anchor]
            self.count += size
            return value
        before = self.count
        if isinstance(event, yaml.ScalarEvent):
            value = event.value if event.style else _plain(event.value)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._sequence(depth)
        else:
            value = self._mapping(depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, self.count - before + 1)
        return value

    def _sequence(self, depth: int) -> list[Any]:
        items: list[Any] = []
        for event in self.events:
            if isinstance(event, self.yaml.SequenceEndEvent):
                break
            items.append(self._value(event, depth + 1))
        return items

    def _mapping(self, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for event in self.events:
            if isinstance(event, self.yaml.MappingEndEvent):
                break
            line = event.start_mark.line + 1
            key = self._value(event, depth + 1)
            if isinstance(key, (dict, list)):
                raise fail("", "key_not_a_word", line=line)
            key = event.value if isinstance(event, self.yaml.ScalarEvent) else str(key)
            if key in result:
                raise fail("", "key_twice_at", key=key, line=line)
            result[key] = self._value(next(self.events), depth + 1)
        return result


def _plain(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-.0123456789":
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text
