"""Mutated input: every reader succeeds or refuses, in another process that may crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.formats.reports import REPORT_FORMATS
from clonetruth.sources import SOURCES
from tests.fuzzing import findings, run, targets


def test_everything_registered_is_fuzzed() -> None:
    names = set(targets())
    assert {f"source:{name}" for name in SOURCES} - {"source:embedded"} <= names
    assert {name.split(":")[1] for name in names if name.startswith("report:")} == set(REPORT_FORMATS)


def test_a_few_mutated_inputs() -> None:
    assert list(findings(0, 1, sorted(targets())[::20])) == []


def test_another_exception_is_a_finding_and_numbers_repeat(tmp_path: Path) -> None:
    def write(folder: Path) -> list[Path]:
        (folder / "x.json").write_text('{"a": [1, 2, {"b": "c"}]}', encoding="utf-8")
        return [folder / "x.json"]

    seen: list[bytes] = []

    def read(paths: list[Path], out: Path) -> None:
        seen.append(paths[0].read_bytes())
        raise KeyError("b")

    outcomes = [outcome for _, outcome in run("x", (write, read), 0, 30)]
    assert outcomes.count("KeyError: 'b'") == 30
    list(run("x", (write, read), 0, 30))
    assert seen[:30] == seen[30:]
    assert len(set(seen)) > 20


@pytest.mark.slow
@pytest.mark.timeout(900)  # a busy machine is not a failure
def test_more_mutated_inputs() -> None:
    assert list(findings(1000, 3)) == []
