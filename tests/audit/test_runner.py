"""Options, configuration, fitness, and the files of an audit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.audit import (
    Purpose,
    Severity,
    audit_benchmark,
    example_texts,
    finding_row,
    fitness,
    fix_plan,
    write_audit,
)
from clonetruth.errors import InputError
from tests.audit.cases import CASES
from tests.audit.drafts import Draft, clean, run


def test_the_most_severe_findings_come_first(tmp_path: Path) -> None:
    report = audit_benchmark(CASES["CT501"].draft().create(tmp_path / "benchmark"))
    ranks = [finding.rank for finding in report.findings]
    assert ranks == sorted(ranks)
    assert report.fails(Severity.ERROR)
    assert sum(report.counts().values()) == len(report.findings)


def test_an_audit_is_the_same_every_time(tmp_path: Path) -> None:
    benchmark = CASES["CT501"].draft().create(tmp_path / "benchmark")
    first, second = (audit_benchmark(benchmark) for _ in range(2))
    assert first.findings == second.findings
    assert first.manifest.configuration_digest == second.manifest.configuration_digest


def test_a_rule_that_cannot_run_is_listed(tmp_path: Path) -> None:
    report = run(Draft().fragment("a").create(tmp_path / "benchmark"), "CT101")
    assert not report.rules
    assert report.not_run[0].reason == "needs labels of pairs and memberships in functionalities"


def test_unknown_thresholds_are_refused(tmp_path: Path) -> None:
    benchmark = Draft().fragment("a").create(tmp_path / "benchmark")
    with pytest.raises(InputError, match="size-faktor"):
        audit_benchmark(benchmark, thresholds={"size-faktor": 2})


def test_a_threshold_changes_a_finding(tmp_path: Path) -> None:
    benchmark = CASES["CT113"].draft().create(tmp_path / "benchmark")
    assert run(benchmark, "CT113").findings
    assert not run(benchmark, "CT113", size_factor=100).findings


def test_fitness_follows_the_purpose(tmp_path: Path) -> None:
    benchmark = Draft().pair("a", "b", "clone", claimed_type="WT3/T4").create(tmp_path / "benchmark")
    report = audit_benchmark(benchmark, ignore=("CT2",))
    learning, recall = fitness(report, Purpose.SEMANTIC_LEARNING), fitness(report, Purpose.SYNTACTIC_RECALL)
    assert (learning.verdict, recall.verdict) == ("unsound", "sound")
    assert "CT105" in learning.paragraph
    assert "not supported" in learning.paragraph
    assert benchmark.content_hash[:12] in recall.paragraph


def test_a_clean_benchmark_is_sound_for_everything(tmp_path: Path) -> None:
    report = audit_benchmark(clean().create(tmp_path / "benchmark"))
    assert {fitness(report, purpose).verdict for purpose in Purpose} == {"sound"}


def test_a_finding_as_json(tmp_path: Path) -> None:
    report = run(CASES["CT110"].draft().create(tmp_path / "benchmark"), "CT110")
    row = json.loads(json.dumps(finding_row(report.findings[0])))
    assert {key: row[key] for key in ("code", "severity", "count", "of")} == {
        "code": "CT110",
        "severity": "warning",
        "count": 1,
        "of": 2,
    }
    assert row["examples"] == [{"ids": ["a", "a"], "note": "labelled clone"}]


def test_the_plan_selects_the_rows_to_drop(tmp_path: Path) -> None:
    draft = Draft().pair("a", "b", "clone").pair("b", "a", "clone").pair("c", "d", "clone").pair("d", "c", "not-clone")
    benchmark = draft.create(tmp_path / "benchmark")
    plan = fix_plan(run(benchmark, "CT108", "CT109"))
    steps = {step["code"]: step for step in plan["steps"]}
    assert plan["content_hash"] == benchmark.content_hash
    assert benchmark.sql(steps["CT108"]["sql"])["pair"].to_pylist() == [2, 3]
    assert sorted(benchmark.sql(steps["CT109"]["sql"])["pair"].to_pylist()) == [1, 3]


def test_the_report_is_written_whole(tmp_path: Path) -> None:
    benchmark = CASES["CT503"].draft().create(tmp_path / "benchmark")
    report = audit_benchmark(benchmark)
    path = write_audit(report, tmp_path / "audit.json", fitness(report, Purpose.PRECISION))
    content = json.loads(path.read_text(encoding="utf-8"))
    assert [one["code"] for one in content["findings"]] == [one.code for one in report.findings]
    assert content["fitness"]["verdict"] == "unsound"
    assert content["manifest"]["configuration"]["thresholds"]["size-factor"] == 10
    assert set(example_texts(report)) <= set(benchmark.table("fragments")["id"].to_pylist())
