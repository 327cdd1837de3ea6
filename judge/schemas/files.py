"""Reads a table or tournament file: YAML or JSON, UTF-8, limited in size, depth and number of values.

libyaml's event stream is turned into plain values by the rules of YAML 1.2 (`No`, `on` and `2026-11-16` stay
words). Aliases may repeat a small thing; their expansion is limited too.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

from judge.core.errors import InputError, fail
from judge.schemas.shape import MAX_BYTES, MAX_DEPTH, MAX_DIGITS, MAX_VALUES, check_size, is_usable

__all__ = ["MARK", "MAX_BYTES", "TooLarge", "is_proof", "parse", "parse_json", "read_file"]

MARK = "answer"  # the key that tells an answer from a table
_INT = re.compile(rf"[-+]?[0-9]{{1,{MAX_DIGITS}}}")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+)")
_LONGEST_FLOAT = 40  # characters; anything longer is a word
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
    try:
        values = json.loads(
            text, object_pairs_hook=_pairs, parse_int=_whole, parse_float=_decimal, parse_constant=_constant
        )
    except RecursionError:
        raise fail("", "too_deep", limit=MAX_DEPTH) from None
    if not _is_small(text):
        check_size(values)
    return values


def _is_small(text: str) -> bool:
    """Whether length, brackets and lack of escapes prove that JSON is within the limits, without a walk."""
    is_flat = text.count("[") + text.count("{") <= MAX_DEPTH
    return is_flat and len(text) <= MAX_VALUES and "\\u" not in text


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(items)
    if len(result) < len(items):
        names = Counter(key for key, _ in items)
        raise fail("", "key_twice", key=next(key for key, count in names.items() if count > 1))
    return result


def _whole(word: str) -> int:
    if len(word) > MAX_DIGITS + 1:  # and its sign
        raise fail("", "not_a_number", word=f"{word[:MAX_DIGITS]}…")
    return int(word)


def _decimal(word: str) -> float:
    value = float(word) if len(word) <= _LONGEST_FLOAT else math.inf
    if math.isinf(value):
        raise fail("", "not_a_number", word=word[:_LONGEST_FLOAT])
    return value


def _constant(word: str) -> Any:
    raise fail("", "not_a_number", word=word)


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
                    if self.anchors:  # an alias may put its content deeper than where it is written
                        check_size(value)
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
            if isinstance(value, str) and not is_usable(value):
                raise fail("", "text_unusable")
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
        if len(text) <= _LONGEST_FLOAT and _FLOAT.fullmatch(text):
            return _decimal(text)
    return text


def is_proof(data: Any) -> bool:
    """Whether a file holds an answer or notes rather than tables."""
    if isinstance(data, dict):
        return MARK in data or "answers" in data
    return isinstance(data, list) and bool(data)
