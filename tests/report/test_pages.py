"""`write_report`: a page of whatever a verb returned."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import InputError
from clonetruth.evaluate import Evaluation
from clonetruth.store.results import write_result
from tests.audit.cases import CASES
from tests.report.clone_sample import REPORT
from tests.report.sample_results import locations_result, pairs_result
from tests.report.test_matrix import SUMMARY
from tests.report.wellformed import read


def title(page: Path) -> str:
    html = page.read_text(encoding="utf-8")
    assert read(html).problems == []
    return html.partition("<title>")[2].partition("</title>")[0]


def test_results_files_and_evaluations_are_compared_on_one_page(tmp_path: Path) -> None:
    file = write_result(pairs_result(), tmp_path / "one.json")
    page = clonetruth.write_report([file, locations_result(), Evaluation((pairs_result(),))], tmp_path / "page.html")
    assert title(page) == "3 results compared"
    assert title(clonetruth.write_report(str(file), output=page)) == "TwinNet on street-code"


def test_an_audit_has_a_page(tmp_path: Path) -> None:
    benchmark = CASES["CT503"].draft().create(tmp_path / "benchmark")
    report = clonetruth.audit_benchmark(benchmark, select="CT5")
    assert title(clonetruth.write_report(report, tmp_path / "audit.html")) == "Audit of draft"


def test_clones_comparisons_and_matrices_have_pages(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert title(clonetruth.write_report(REPORT, page)) == "Clones"
    assert title(clonetruth.write_report(SUMMARY, page)).startswith("Does it generalise?")
    (tmp_path / "a.py").write_text("def one(x):\n    return x + 1\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("def two(y):\n    return y + 1\n", encoding="utf-8")
    comparison = clonetruth.compare_fragments(tmp_path / "a.py", tmp_path / "b.py")
    assert "a.py" in title(clonetruth.write_report(comparison, page))


def test_a_split_has_a_page(tmp_path: Path) -> None:
    clonetruth.import_dataset("embedded", output=tmp_path / "embedded")
    split = clonetruth.split_benchmark(tmp_path / "embedded", "random", seed=1)
    assert title(clonetruth.write_report(split, tmp_path / "split.html")) == f"The split {split.name}"


def test_what_has_its_own_page_is_not_mixed_with_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot show CloneReport"):
        clonetruth.write_report([pairs_result(), REPORT], tmp_path / "page.html")
    with pytest.raises(InputError, match="There is no result to show"):
        clonetruth.write_report([], tmp_path / "page.html")
