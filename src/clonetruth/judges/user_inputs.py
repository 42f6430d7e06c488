"""Inputs that the user brings for the pairs of a benchmark: standard inputs of its problems, or arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.execution import CallInput
from clonetruth.execution.inputs.given import input_of, read_lines
from clonetruth.store import Benchmark

_HINT = 'A line is [[1, 2], "x"], or {"functionality": "sum", "stdin": "1 2"}.'


@dataclass(frozen=True)
class UserInputs:
    """Inputs by functionality.

    Attributes:
        by_functionality: the inputs of each functionality, by its id; those of None are for all pairs.
    """

    by_functionality: Mapping[str | None, tuple[CallInput, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, benchmark: Benchmark) -> UserInputs:
        """The inputs of a file of JSON lines.

        Raises:
            InputError: the file cannot be read, a line is not an input, or names an unknown functionality.
        """
        known = set(benchmark.sql("SELECT id FROM functionalities")["id"].to_pylist())
        found: dict[str | None, list[CallInput]] = {}
        for where, said in read_lines(path, _HINT):
            name = said.get("functionality") if isinstance(said, dict) else None
            if name is not None and name not in known:
                raise InputError(f"The benchmark has no functionality '{name}'.", where=where, hint=_HINT)
            try:
                found.setdefault(name, []).append(input_of(_without_name(said)))
            except ValueError as error:
                raise InputError(f"Not an input: {error}.", where=where, hint=_HINT) from error
        return cls({name: tuple(ones) for name, ones in found.items()})

    def of(self, functionality: str | None) -> tuple[CallInput, ...]:
        """The inputs for the pairs of a functionality: its own, then those of all."""
        own = () if functionality is None else self.by_functionality.get(functionality, ())
        return (*own, *self.by_functionality.get(None, ()))


def _without_name(said: Any) -> Any:
    return {key: one for key, one in said.items() if key != "functionality"} if isinstance(said, dict) else said
