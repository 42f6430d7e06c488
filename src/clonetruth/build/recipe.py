"""Recipes: ways to derive a benchmark from another one."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from clonetruth.build.report import BuildReport
from clonetruth.store import Benchmark


@dataclass(frozen=True)
class BuildRecipe:
    """A way to derive a benchmark. All choices are in one options object and are recorded.

    Attributes:
        operation: the name under which the new benchmark's recipe records it.
        description: what it makes, in a sentence.
        reference: the publication that describes it.
        options: the frozen dataclass of its choices, each with a default.
        build: makes the benchmark at a path and returns a report.
    """

    operation: str
    description: str
    reference: str
    options: type[Any]
    build: Callable[[Benchmark, Path, Any], BuildReport]


def read_options(kind: type[Any], values: Mapping[str, Any]) -> Any:
    """Make a recipe's options from plain values: strings become the enumerations of the fields."""
    hints = typing.get_type_hints(kind)
    return kind(**{name: _typed(hints[name], value) for name, value in values.items()})


def _typed(hint: Any, value: Any) -> Any:
    for one in typing.get_args(hint) or (hint,):
        if isinstance(one, type) and issubclass(one, StrEnum) and isinstance(value, str):
            return one(value)
    return value


def recipe_parameters(options: Any) -> dict[str, Any]:
    """The choices as JSON values. Of a path only the name is recorded, because locations differ between machines."""
    return {
        field.name: value.name if isinstance(value, Path) else value
        for field in dataclasses.fields(options)
        for value in (getattr(options, field.name),)
    }
