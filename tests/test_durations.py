"""The list of slow tests names tests that exist, and a report is read as it says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT
from tests.durations import measured, slow_tests


def test_every_slow_test_exists() -> None:
    for listed in slow_tests():
        holder, _, function = listed.partition("::")
        words = holder.split(".")
        module = next(at for at, word in enumerate(words) if word.startswith("test_"))
        text = (ROOT.joinpath(*words[: module + 1]).with_suffix(".py")).read_text(encoding="utf-8")
        for kind, name in [*(("class", one) for one in words[module + 1 :]), ("def", function)]:
            assert re.search(rf"\b{kind} {name}\b", text), f"{listed}: remove it from tests/slow.txt"


def test_what_takes_long_is_slow_each_or_together(tmp_path: Path) -> None:
    cases = [("a", "quick", 0.9), ("a", "long", 1.1), *(("b", f"many[{case}]", 0.5) for case in range(25))]
    rows = (f'<testcase classname="tests.{module}" name="{name}" time="{time}"/>' for module, name, time in cases)
    (tmp_path / "report.xml").write_text(f"<testsuites><testsuite>{''.join(rows)}</testsuite></testsuites>")
    assert measured(tmp_path / "report.xml") == {"tests.a::long", "tests.b::many"}
