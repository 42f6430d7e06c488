"""The report of a build: counts for each step, and the balance before and after."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.build.balance import Balance
from clonetruth.model import Manifest
from clonetruth.store.atomic import new_file

REPORT_SCHEMA = "clonetruth-build"
REPORT_VERSION = 1
REPORT_FILE = "build.json"


@dataclass(frozen=True)
class BuildStep:
    """One step of a recipe.

    Attributes:
        name: the step.
        done: whether it was requested and carried out.
        counts: what it did, in numbers.
        note: what a reader should know about it.
    """

    name: str
    done: bool
    counts: Mapping[str, int] = field(default_factory=dict)
    note: str | None = None


@dataclass(frozen=True)
class PublishedComparison:
    """A published number next to ours. Either is None if it is not known.

    Attributes:
        name: what is counted.
        published: the paper's number.
        ours: the number of this build.
        note: why they differ, or cannot be compared.
    """

    name: str
    published: float | None
    ours: float | None
    note: str | None = None


@dataclass(frozen=True)
class BuildReport:
    """The report of a build.

    Attributes:
        operation: the recipe.
        path: the new benchmark.
        parameters: every choice.
        counts: rows of the new benchmark's core tables.
        steps: the steps in order.
        before: balance of the parent.
        after: balance of the new benchmark.
        functionalities: names of the functionalities that remain.
        lost: names of those that do not.
        comparisons: published numbers next to ours.
        warnings: what weakens the result.
        manifest: what produced it.
    """

    operation: str
    path: Path
    parameters: Mapping[str, Any]
    counts: Mapping[str, int]
    steps: tuple[BuildStep, ...]
    before: tuple[Balance, ...]
    after: tuple[Balance, ...]
    functionalities: tuple[str, ...]
    lost: tuple[str, ...]
    comparisons: tuple[PublishedComparison, ...]
    warnings: tuple[str, ...]
    manifest: Manifest

    def step(self, name: str) -> BuildStep:
        """A step by its name."""
        return next(step for step in self.steps if step.name == name)


def report_text(report: BuildReport) -> str:
    """A report as JSON text, without the path, which contains the file itself."""
    content = dataclasses.asdict(report)
    del content["path"]
    whole = {"schema": REPORT_SCHEMA, "schema_version": REPORT_VERSION, **content}
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_report(report: BuildReport) -> Path:
    """Write a report to `results/build.json` of the new benchmark; the file appears whole or not at all."""
    path = report.path / "results" / REPORT_FILE
    with new_file(path) as temporary:
        temporary.write_text(report_text(report), encoding="utf-8")
    return path
