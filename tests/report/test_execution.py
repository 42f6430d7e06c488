"""The page of `judge execute`: the funnel, the reasons, and the clearest disagreements first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clonetruth.html import render
from clonetruth.judges import ExecutionReport
from clonetruth.report import execution_page
from tests.report.executed_sample import executed_report
from tests.report.sample import HOSTILE
from tests.report.wellformed import read


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ExecutionReport:
    return executed_report(tmp_path_factory.mktemp("report") / "b")


@pytest.fixture(scope="module")
def text(report: ExecutionReport) -> str:
    return render(execution_page(report))


def test_is_well_formed_and_escapes_everything(text: str) -> None:
    reader = read(text)
    assert reader.problems == []
    assert HOSTILE not in text
    assert "img" not in reader.tags


def test_says_what_the_runs_showed(text: str, report: ExecutionReport) -> None:
    assert "Running 6 pairs decided 4 of them. It contradicts 3 of 4 labels of decided pairs." in text
    assert (report.executed, report.decided, report.labelled, report.agreeing) == (4, 4, 4, 1)
    assert "unresolved symbol" in text
    assert "total([-1])" in text
    assert "Python 3.11.2" in text


def test_the_clearest_contradiction_comes_first(text: str) -> None:
    order = re.findall(r"<summary>Pair (\d+)", text)
    assert order == ["0", "1", "2"]


def test_a_label_of_another_meaning_is_named(tmp_path: Path) -> None:
    found = executed_report(tmp_path / "b", "shares-functionality")
    page = render(execution_page(found))
    assert "does not say that both behave the same" in page
