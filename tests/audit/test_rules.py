"""Every rule reports what it should, and nothing on a clean benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.audit import RULES, AuditReport, Family, Severity, audit_benchmark, explain, rules_page
from clonetruth.audit.registry import selected
from clonetruth.errors import UnknownNameError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.store import Benchmark
from tests.audit.cases import CASES
from tests.audit.drafts import CRITERION, Draft, clean, findings

ELSEWHERE = {"CT401", "CT402", "CT403", "CT605", "CT606", "CT801", "CT212"}
"""Rules that need more than one small benchmark; their own modules test them."""


@pytest.fixture(scope="module")
def clean_report(tmp_path_factory: pytest.TempPathFactory) -> AuditReport:
    return audit_benchmark(clean().create(tmp_path_factory.mktemp("clean") / "benchmark"))


def test_every_rule_has_an_example() -> None:
    assert set(CASES) | ELSEWHERE == set(RULES)


@pytest.mark.parametrize("code", sorted(CASES))
def test_a_rule_reports(code: str, tmp_path: Path) -> None:
    case = CASES[code]
    benchmark = case.draft().create(tmp_path / "benchmark")
    found = findings(benchmark, code, **case.thresholds)
    assert found, "nothing was found"
    # A rule may have several findings; the case describes the most severe.
    assert (found[0].count, found[0].of) == (case.count, case.of), found[0].message
    assert all(one.code == code and one.severity is not None for one in found)
    for one in found:
        if one.fix is not None and one.fix.sql is not None:
            table = benchmark.sql(one.fix.sql)
            assert table.column_names in (["pair"], ["fragment"])
            assert table.num_rows


@pytest.mark.parametrize("code", sorted(CASES))
def test_a_rule_is_silent(code: str, clean_report: AuditReport) -> None:
    assert code in clean_report.rules, [one for one in clean_report.not_run if one.code == code]
    assert not [one.message for one in clean_report.findings if one.code == code]


def test_the_clean_benchmark_is_clean(clean_report: AuditReport) -> None:
    assert not [finding for finding in clean_report.findings if finding.severity is not Severity.INFO]


def test_rules_are_explained() -> None:
    for code in RULES:
        rule = RULES[code]
        assert re.fullmatch(r"CT[1-8]\d\d", code)
        assert rule.code == code
        assert rule.family is list(Family)[int(code[2]) - 1]
        for text in (rule.what, rule.why, rule.fix):
            assert not text[0].islower()
            assert text.endswith((".", "”"))
        assert rule.reference


def test_names_and_thresholds_are_unique() -> None:
    rules = [RULES[code] for code in RULES]
    assert len({rule.name for rule in rules}) == len(rules)
    names = [name for rule in rules for name in rule.thresholds]
    assert len(set(names)) == len(names)


def test_the_page_of_rules_is_complete() -> None:
    page = rules_page()
    for code in RULES:
        assert f"### {code}\n" in page
        assert RULES[code].why in page


def test_explain_takes_any_case() -> None:
    assert explain("ct104") is RULES["CT104"]
    with pytest.raises(UnknownNameError, match="CT104"):
        explain("CT14")


def test_selection_is_by_beginning() -> None:
    assert [rule.code for rule in selected(("CT70",), ())] == ["CT701", "CT702", "CT703"]
    assert [rule.code for rule in selected(("ct7",), ("CT702",))] == ["CT701", "CT703"]
    assert len(selected((), ("CT1", "CT2"))) == sum(code[2] not in "12" for code in RULES)
    with pytest.raises(UnknownNameError):
        selected(("CT9",), ())


def test_a_consensus_is_not_one_more_judge(tmp_path: Path) -> None:
    """Ada and Bob agree on one pair and differ on another; what they settle on together adds no judge."""
    joint = Judge("both", JudgeKind.PERSON, "Both", settings={"speaks_for": ["ada", "bob"]})
    final = Judge("eve", JudgeKind.PERSON, "Eve", settings={"role": "adjudicator"})
    draft = Draft(judges={"both": joint, "eve": final})
    draft.pair("a", "b", None, "ada clone", "bob clone", "both not-clone", "eve not-clone")
    draft.pair("a", "c", None, "ada clone", "bob not-clone", "both clone")
    draft.pair("a", "d", None, "ada clone", "both not-clone")
    draft.pair("b", "d", None, "both clone").pair("c", "d", None, "ada clone")
    draft.member("a", "copy").judgement("ada", "major", "a", "copy").judgement("both", "wrong", "a", "copy")
    benchmark = draft.create(tmp_path / "benchmark")
    assert [(one.count, one.of) for one in findings(benchmark, "CT116")] == [(1, 2)]
    # The consensus speaks for two people, also where only its answer is known.
    assert [(one.count, one.of) for one in findings(benchmark, "CT106")] == [(1, 5)]
    # It replaces the answers of its members: nothing is tied that they have settled.
    assert not findings(benchmark, "CT107")


def test_a_judge_who_changes_their_mind_does_not_disagree_with_themselves(tmp_path: Path) -> None:
    benchmark = Draft().pair("a", "b", None, "ada clone", "bob not-clone").create(tmp_path / "benchmark")
    benchmark.append_judgements([], [Judgement("ada", CRITERION, "not-clone", pair=0)])
    assert not findings(benchmark, "CT116")
    assert not findings(benchmark, "CT119")


def test_a_rule_that_labels_a_row_twice_is_reported_with_the_labels(tmp_path: Path) -> None:
    benchmark = Draft().pair("a", "b", "clone", "rule not-clone").pair("a", "c", "clone").create(tmp_path / "benchmark")
    (found,) = findings(benchmark, "CT108")
    assert (found.count, found.message) == (1, "1 rows are labelled both clone and non-clone by the dataset's rules")


def test_an_empty_benchmark_can_be_audited(tmp_path: Path) -> None:
    benchmark = Draft().create(tmp_path / "benchmark")
    report = audit_benchmark(benchmark)
    assert not [one for one in report.findings if one.severity is Severity.ERROR]


def test_nothing_in_the_folder_changes(tmp_path: Path) -> None:
    benchmark = CASES["CT502"].draft().create(tmp_path / "benchmark")
    before = {path: path.read_bytes() for path in benchmark.path.rglob("*") if path.is_file()}
    audit_benchmark(benchmark)
    assert {path: path.read_bytes() for path in benchmark.path.rglob("*") if path.is_file()} == before


def test_views_are_audited_like_claimed_parts(tmp_path: Path) -> None:
    draft = CASES["CT204"].draft()
    draft.pair("three", "three", "clone")
    benchmark = draft.create(tmp_path / "benchmark")
    keys = {row["id"]: row["fragment"] for row in benchmark.table("fragments").to_pylist()}
    table = pa.table({"fragment": [keys["one"], keys["two"], keys["three"]], "part": ["train", "train", "test"]})
    benchmark.write_table("splits", "random-1", table)
    assert not findings(Benchmark.open(benchmark.path), "CT502")


def test_a_counter_example_shows_its_input(tmp_path: Path) -> None:
    (found,) = findings(CASES["CT602"].draft().create(tmp_path / "b"), "CT602")
    assert found.severity is Severity.ERROR
    assert found.examples[0].ids == ("a", "b0")
    assert "f(7) returns 1" in found.examples[0].note
    assert found.details[0].rows == (("value", 1),)


def test_a_run_in_words_is_a_counter_example_too(tmp_path: Path) -> None:
    draft = Draft(card={"criterion": "equivalent-behaviour"}).pair("a", "b", "clone", "run not-clone")
    (found,) = findings(draft.create(tmp_path / "b"), "CT602")
    assert (found.count, found.of) == (1, 1)


def test_other_behaviour_does_not_refute_other_claims(tmp_path: Path) -> None:
    """Two methods that copy files are clones in BigCloneBench, however differently they behave."""
    draft = Draft().pair("a", "b", "clone").pair("a", "c", "clone", "ada clone")
    draft.judgements.append(Judgement("run", "equivalent-behaviour", "not-clone", pair=0))
    draft.judges["run"] = Judge("run", JudgeKind.EXECUTION, "run")
    benchmark = draft.create(tmp_path / "b")
    (found,) = findings(benchmark, "CT602")
    assert found.severity is Severity.INFO
    assert "does not exclude" in found.message
    assert not findings(benchmark, "CT603")
