"""The harnesses, one line for each language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clonetruth.execution.harness.c import CHarness, CppHarness
from clonetruth.execution.harness.csharp import CSharpHarness
from clonetruth.execution.harness.go import GoHarness
from clonetruth.execution.harness.harness import Harness
from clonetruth.execution.harness.java import JavaHarness
from clonetruth.execution.harness.javascript import JavaScriptHarness, TypeScriptHarness
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.sandbox import Sandbox

HARNESSES: Mapping[str, Callable[[Sandbox], Harness]] = {
    "c": CHarness,
    "cpp": CppHarness,
    "go": GoHarness,
    "python": PythonHarness,
    "java": JavaHarness,
    "csharp": CSharpHarness,
    "javascript": JavaScriptHarness,
    "typescript": TypeScriptHarness,
}
"""How to make the harness of a language."""


@dataclass
class Harnesses:
    """The harnesses of one sandbox, each made when it is first needed. Use it as a context manager.

    Attributes:
        sandbox: what encloses everything that runs.
    """

    sandbox: Sandbox
    _made: dict[str, Harness] = field(default_factory=dict, repr=False)

    def __enter__(self) -> Harnesses:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def get(self, language: str) -> Harness | None:
        """The harness of a language; None if there is none."""
        if language not in self._made and language in HARNESSES:
            self._made[language] = HARNESSES[language](self.sandbox)
        return self._made.get(language)

    def close(self) -> None:
        """End everything that runs."""
        for harness in self._made.values():
            harness.close()
