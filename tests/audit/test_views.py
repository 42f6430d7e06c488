"""What audits look like in a notebook and as tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.audit import AuditReport, Purpose, audit_benchmark, fitness
from tests.audit.cases import CASES
from tests.audit.drafts import clean
from tests.report.wellformed import read


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> AuditReport:
    return audit_benchmark(CASES["CT503"].draft().create(tmp_path_factory.mktemp("views") / "benchmark"))


def test_an_audit_has_a_short_repr_and_a_view(report: AuditReport) -> None:
    counts = report.counts()
    errors, warnings, notes = counts.values()
    assert repr(report) == f"<AuditReport of draft 1: {errors} errors, {warnings} warnings, {notes} notes>"
    html = report._repr_html_()
    assert read(html).problems == []
    assert html.count('<span class="nb-badge bad">error</span>') == errors
    assert "<code>CT503</code>" in html
    assert "<b>Audit</b><span>draft 1</span>" in html


def test_a_clean_audit_has_a_view_without_a_table(tmp_path: Path) -> None:
    html = audit_benchmark(clean().create(tmp_path / "benchmark"))._repr_html_()
    assert read(html).problems == []
    assert "0 errors, 0 warnings" in html


def test_a_finding_explains_itself(report: AuditReport) -> None:
    finding = next(one for one in report.findings if one.code == "CT503")
    assert repr(finding) == f"<Finding CT503 error: {finding.message}>"
    html = finding._repr_html_()
    assert read(html).problems == []
    explained = ("CT503 same-text", "Why it matters: Disjoint ids", "How to fix it:")
    for text in (*explained, "25.0\u202f%", "<code>twin, c</code>"):
        assert text in html
    assert finding.to_dict()["code"] == "CT503"


def test_fitness_has_a_view(report: AuditReport) -> None:
    result = fitness(report, Purpose.SEMANTIC_LEARNING)
    assert repr(result) == f"<Fitness for semantic-learning: unsound, {len(result.findings)} relevant findings>"
    html = result._repr_html_()
    assert read(html).problems == []
    assert '<span class="nb-badge bad">unsound</span>' in html


def test_an_audit_becomes_a_table_and_json(report: AuditReport) -> None:
    table = report.to_arrow()
    assert table.column_names == ["code", "name", "severity", "count", "of", "message"]
    assert table["code"].to_pylist() == [one.code for one in report.findings]
    assert table["of"].to_pylist() == [one.of for one in report.findings]
    content = json.loads(json.dumps(report.to_dict()))
    assert [one["code"] for one in content["findings"]] == table["code"].to_pylist()
    assert content["benchmark"]["content_hash"] == report.benchmark.content_hash
