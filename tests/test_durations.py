"""The lists of slow tests and long modules name what exists, and a report is read as they say."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT
from tests.durations import long_modules, measured, measured_modules, slow_tests


def test_every_slow_test_exists() -> None:
    for listed in slow_tests():
        holder, _, function = listed.partition("::")
        words = holder.split(".")
        module = next(at for at, word in enumerate(words) if word.startswith("test_"))
        text = (ROOT.joinpath(*words[: module + 1]).with_suffix(".py")).read_text(encoding="utf-8")
        for kind, name in [*(("class", one) for one in words[module + 1 :]), ("def", function)]:
            assert re.search(rf"\b{kind} {name}\b", text), f"{listed}: remove it from tests/slow.txt"


def test_every_long_module_exists() -> None:
    long = long_modules()
    assert list(long.values()) == sorted(long.values(), reverse=True)
    for module in long:
        file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
        assert file.is_file(), f"{module}: remove it from tests/long.txt"


def test_what_takes_long_is_slow_each_or_together(tmp_path: Path) -> None:
    cases = [("a", "quick", 0.9), ("a", "long", 1.1), *(("b", f"many[{case}]", 0.5) for case in range(25))]
    assert measured(report_of(cases, tmp_path / "report.xml")) == {"tests.a::long", "tests.b::many"}


def test_the_longest_modules_come_first(tmp_path: Path) -> None:
    one = report_of([("a", "t", 15), ("b", "t", 19), ("c.Group", "t", 30)], tmp_path / "one.xml")
    other = report_of([("a", "u", 16), ("c.Other", "t", 30)], tmp_path / "other.xml")
    assert list(measured_modules([one, other]).items()) == [("tests.c", 60), ("tests.a", 31)]


def report_of(cases: list[tuple[str, str, float]], path: Path) -> Path:
    """A report in which tests took these seconds."""
    rows = (f'<testcase classname="tests.{module}" name="{name}" time="{time}"/>' for module, name, time in cases)
    path.write_text(f"<testsuites><testsuite>{''.join(rows)}</testsuite></testsuites>")
    return path
