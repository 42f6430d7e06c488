"""`clonetruth report` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.results import write_result
from tests.cli.running import run
from tests.report.sample_results import locations_result, pairs_result
from tests.report.wellformed import read


@pytest.fixture
def results(tmp_path: Path) -> list[Path]:
    return [
        write_result(pairs_result(), tmp_path / "one.json"),
        write_result(locations_result(), tmp_path / "two.json"),
    ]


def test_writes_a_page(results: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ran = run("report", f"Renamed={results[0]}", results[1], "-o", page)
    assert ran.code == 0
    assert str(page) in ran.out
    html = page.read_text(encoding="utf-8")
    assert read(html).problems == []
    assert "1. Renamed (group A)" in html


@pytest.mark.parametrize("content", ["{}", "no JSON", '{"schema": "clonetruth-result", "schema_version": 99}'])
def test_what_is_no_result_leaves_no_page(results: list[Path], tmp_path: Path, content: str) -> None:
    bad, page = tmp_path / "bad.json", tmp_path / "page.html"
    bad.write_text(content, encoding="utf-8")
    ran = run("report", results[0], bad, "-o", page)
    assert ran.code == 3
    assert "bad.json" in ran.err
    assert not page.exists()


def test_says_where_the_page_cannot_go(results: list[Path], tmp_path: Path) -> None:
    ran = run("report", results[0], "-o", tmp_path / "missing" / "page.html")
    assert ran.code == 3
    assert "folder for the page does not exist" in ran.err


def test_shows_published_reports(shared_data: Path, tmp_path: Path) -> None:
    reports = sorted((shared_data / "bigcloneeval_reports").glob("*.txt.gz"))
    page = tmp_path / "page.html"
    assert run("report", *reports, "-o", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert read(html).problems == []
    assert "35,802" in html
