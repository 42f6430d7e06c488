"""Frozen dataclasses as versioned JSON files; every value read is checked against the type of its field."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.parsing import finite_number, parse_json
from clonetruth.store.atomic import new_file

T = TypeVar("T")


class WrongShapeError(Exception):
    """A value does not fit its field; the message says where."""


@dataclass(frozen=True)
class RecordFormat(Generic[T]):
    """A kind of JSON file that holds one dataclass.

    Attributes:
        kind: the dataclass.
        schema: the value of the file's `schema` entry.
        version: the version that is written, and the newest that is read.
        noun: its name in messages ("result").
        origin: the command that writes one, for the hint.
        upgrade: converts content of an earlier version; takes the content and its version, and raises
            `WrongShapeError` if it is damaged.
    """

    kind: type[T]
    schema: str
    version: int
    noun: str
    origin: str
    upgrade: Callable[[Any, int], Any] | None = None

    def text(self, record: object) -> str:
        """The record as JSON. Infinite numbers and NaN are refused."""
        assert dataclasses.is_dataclass(record)
        assert not isinstance(record, type)
        content = {"schema": self.schema, "schema_version": self.version, **dataclasses.asdict(record)}
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def read(self, path: Path) -> T:
        """Read a file with the output of `text`.

        Raises:
            InputError: the file is of another kind, damaged, or of a newer version.
        """
        try:
            content = parse_json(read_text(path))
        except OSError as error:
            raise InputError(f"The {self.noun} cannot be read ({error.strerror or error}).", where=path) from error
        except ValueError as error:
            raise InputError(f"Not valid JSON: {error}", where=path) from error
        if not isinstance(content, dict) or content.pop("schema", None) != self.schema:
            raise InputError(f"Not a {self.noun}.", where=path, hint=f"{self.origin} writes one.")
        version = content.pop("schema_version", None)
        if not isinstance(version, int) or version > self.version:
            raise InputError(
                f"The {self.noun} has schema version {version}; this clonetruth reads up to {self.version}.",
                where=path,
                hint="Install a newer clonetruth: pip install --upgrade clonetruth",
            )
        try:
            if self.upgrade is not None and version < self.version:
                content = self.upgrade(content, version)
            return build_record(self.kind, content, self.noun.partition(" ")[0])
        except WrongShapeError as error:
            raise InputError(f"The {self.noun} is damaged: {error}", where=path) from error


def write_text(text: str | Iterable[str], path: Path) -> Path:
    """Write a file atomically.

    Args:
        text: the content, or its pieces, which may exceed memory in total.
        path: the file.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        with new_file(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            file.writelines([text] if isinstance(text, str) else text)
    except OSError as error:
        raise InputError(
            f"The file cannot be written ({error.strerror or error}).",
            where=path,
            hint="Choose an existing folder that you may write to.",
        ) from error
    return path


def build_record(kind: type[T], content: Any, place: str) -> T:
    """A dataclass from parsed JSON; the inverse of `dataclasses.asdict`.

    Args:
        kind: the dataclass. Its fields may be scalars, enumerations, tuples, mappings of JSON, and other dataclasses.
        content: the JSON object.
        place: its name in messages.

    Raises:
        WrongShapeError: an entry is missing, unknown or of another type.
    """
    built = _build(kind, content, place)
    assert isinstance(built, kind)
    return built


def _build(kind: Any, value: Any, place: str) -> Any:
    """A JSON value converted to the type of its field."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _build_dataclass(kind, value, place)
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        (given,) = (one for one in inner if one is not types.NoneType)
        return _build(given, value, place)
    if origin is tuple:
        if not isinstance(value, list):
            raise WrongShapeError(f"{place} is not a list")
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        if len(kinds) != len(value):
            raise WrongShapeError(f"{place} has {len(value)} values instead of {len(kinds)}")
        return tuple(
            _build(one, item, f"{place}[{at}]") for at, (one, item) in enumerate(zip(kinds, value, strict=True))
        )
    if origin is not None:  # mappings of settings and counts stay JSON
        if not isinstance(value, dict):
            raise WrongShapeError(f"{place} is not an object")
        return value
    if kind is float and isinstance(value, int | float):
        number = finite_number(value)
        if number is None:
            raise WrongShapeError(f"{place} is {str(value)[:80]}")
        return number
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if value not in list(kind):
            raise WrongShapeError(f"{place} is '{value}'")
        return kind(value)
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise WrongShapeError(f"{place} is {json.dumps(value)[:80]}")
    return value


def _build_dataclass(kind: type, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise WrongShapeError(f"{place} is not an object")
    hints = typing.get_type_hints(kind)
    unknown = value.keys() - hints.keys()
    if unknown:
        raise WrongShapeError(f"{place} has an unknown entry '{min(unknown)}'")
    built = {name: _build(hints[name], item, f"{place}.{name}") for name, item in value.items()}
    try:
        return kind(**built)
    except TypeError as error:
        raise WrongShapeError(f"{place}: {error}") from error
