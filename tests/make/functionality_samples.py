"""A small functionality in the layout of TrueClones, and a harness that runs nothing: texts stand for functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from clonetruth.execution import CallInput, Code, Observation
from clonetruth.execution.harness.harness import EntryParameter, FragmentRun, Harness
from clonetruth.execution.inputs.given import plain_of, value_of

DESCRIPTION = """
name = "Clamped sum"
topic = "numbers"
specification = "The sum of a and b, at most 100: larger sums give 100, and nothing else is changed by that."
returns = "int"

[[parameters]]
name = "a"
type = "int"
domain = { kind = "integer", min = -60, max = 60 }

[[parameters]]
name = "b"
type = "int"
domain = { kind = "integer", min = -60, max = 60 }
"""
NEAR_MISS = """
[near-miss.python.guard_late]
from = "guard"
differs = "Sums are cut above 110 only."
"""
GUARD = "def clamped(a, b):\n    total = a + b\n    if total > 100:\n        return 100\n    return total\n"
SHORT = "def at_most(x, y):\n    return min(x + y, 100)\n"
SORTED = "def lowest(first, second):\n    found = [first + second, 100]\n    found.sort()\n    return found[0]\n"
LATE = "def clamped(a, b):\n    total = a + b\n    if total > 110:\n        return 100\n    return total\n"
INPUTS = [[60, at] for at in range(30, 61)]


def write_sample(
    root: Path,
    files: Mapping[str, str] | None = None,
    *,
    description: str = DESCRIPTION + NEAR_MISS,
    inputs: Sequence[Any] = INPUTS,
) -> Path:
    """Write the functionality `clamped-sum` below a folder; texts by path replace or extend those that are usual."""
    texts = {
        "python/guard.py": GUARD,
        "python/short.py": SHORT,
        "python/near-miss/guard_late.py": LATE,
        **(files or {}),
    }
    folder = root / "clamped-sum"
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "functionality.toml").write_text(description, encoding="utf-8")
    (folder / "inputs.json").write_text(json.dumps(inputs), encoding="utf-8")
    return folder


Behaviour = Callable[..., Any]


class StatedHarness:
    """Says what texts do, as stated: nothing is run."""

    language: ClassVar[str] = "python"

    def __init__(self, stated: Mapping[str, Behaviour]) -> None:
        self._stated = stated

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """See `Harness.run`."""
        does = self._stated[code.text]
        seen = []
        for call in calls:
            try:
                arguments = [plain_of(one) for one in call.arguments]
                seen.append(Observation(value_of(does(*arguments))))
            except ArithmeticError as error:
                seen.append(Observation(raised=type(error).__name__))
        return FragmentRun(
            entry=code.entry or "", parameters=(EntryParameter("a"), EntryParameter("b")), observations=tuple(seen)
        )

    def close(self) -> None:
        """Nothing runs."""


class StatedHarnesses:
    """One harness for all languages."""

    def __init__(self, stated: Mapping[str, Behaviour] | None = None) -> None:
        usual: dict[str, Behaviour] = {
            GUARD: lambda a, b: min(a + b, 100),
            SHORT: lambda a, b: min(a + b, 100),
            SORTED: lambda a, b: min(a + b, 100),
            LATE: lambda a, b: a + b if a + b <= 110 else 100,
        }
        self._harness = StatedHarness(usual | dict(stated or {}))

    def get(self, language: str) -> Harness:
        """The harness of a language."""
        return self._harness
