"""Fix plans of the audit, applied."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clonetruth.audit import audit_benchmark, fix_plan
from clonetruth.build.fixes import FixParameters, apply_plan, read_plan
from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Judgement, Pair, Role
from clonetruth.store import Benchmark
from clonetruth.store.hashing import hash_content
from clonetruth.verdicts import judge_verdicts
from tests.build.drafts import RULE, TEXTS, Draft, flawed


def plan_of(benchmark: Benchmark, *codes: str) -> dict[str, Any]:
    return fix_plan(audit_benchmark(benchmark, select=codes))


def pairs_of(benchmark: Benchmark) -> list[tuple[str, str, str]]:
    rows = benchmark.sql(
        "SELECT l.id AS one, r.id AS other, g.value AS value FROM pairs p JOIN fragments l ON p.left = l.fragment "
        "JOIN fragments r ON p.right = r.fragment LEFT JOIN judgements g ON p.pair = g.pair ORDER BY p.pair"
    ).to_pylist()
    return [(row["one"], row["other"], row["value"]) for row in rows]


def test_the_findings_are_gone(tmp_path: Path) -> None:
    parent = flawed(tmp_path / "parent")
    codes = ("CT108", "CT109", "CT110", "CT211")
    plan = plan_of(parent, *codes)
    assert {step["code"] for step in plan["steps"]} == set(codes)
    report = apply_plan(parent, tmp_path / "made", FixParameters(plan))
    made = Benchmark.open(report.path)
    made.verify()
    assert pairs_of(made) == [("b", "twin", "clone"), ("a", "twin", "clone")]
    assert report.step("in all").counts == {"fragments dropped": 1, "pairs dropped": 5}
    assert plan_of(made, *codes)["steps"] == []
    pairs = made.table("pairs")
    assert pairs["claimed_type"].to_pylist() == ["T1", "T1"], "what the source claims stays"
    assert made.table("claims/draft+mended")["min_judges"].to_pylist() == [2, 5]
    assert made.recipe is not None
    assert [step["code"] for step in made.recipe.parameters["steps"]] == [step["code"] for step in plan["steps"]]
    tags = made.sql("SELECT count(*) AS n FROM judgements WHERE fragment IS NOT NULL")["n"][0].as_py()
    assert tags == 3, "people's tags go along, but for the dropped fragment's"


@pytest.mark.parametrize("parameters", [{"equal": "up to white space"}, {"within": "functionality"}, {"overlap": 0.8}])
def test_texts_are_deduplicated(tmp_path: Path, parameters: dict[str, Any]) -> None:
    parent = flawed(tmp_path / "parent")
    step = {"code": "CT204", "operation": "deduplicate-texts", "says": "", "sql": None, "parameters": parameters}
    plan = {"benchmark": "draft", "content_hash": parent.content_hash, "steps": [step]}
    report = apply_plan(parent, tmp_path / "made", FixParameters(plan))
    assert Benchmark.open(report.path).table("fragments")["id"].to_pylist() == ["a", "b", "empty"]


def test_a_copy_stays_if_it_is_the_only_one_of_a_functionality(tmp_path: Path) -> None:
    draft = Draft().member("a", "f", Role.TAGGED_TRUE, text=TEXTS["a"])
    draft.member("b", "f", Role.TAGGED_TRUE, text=TEXTS["a"]).member("b", "g", Role.TAGGED_TRUE)
    parent = draft.create(tmp_path / "parent")
    step = {
        "code": "CT209",
        "operation": "deduplicate-texts",
        "says": "",
        "sql": None,
        "parameters": {"within": "functionality"},
    }
    plan = {"benchmark": "draft", "content_hash": parent.content_hash, "steps": [step]}
    report = apply_plan(parent, tmp_path / "made", FixParameters(plan))
    assert report.counts["fragments"] == 2


def test_labels_are_taken_away_and_evidence_stays(tmp_path: Path) -> None:
    draft = Draft(judges=[RULE]).functionality("f", 1, 1, 0)
    draft.pairs = [Pair("f-x0", "f-p0", "f"), Pair("f-p0", "f-x0", "f")]
    for pair in (0, 1):
        draft.judgements.append(Judgement(RULE.id, "shares-functionality", "clone", pair=pair))
    draft.judgements.append(Judgement("ann", "same-main-purpose", "not-clone", pair=0))
    parent = draft.create(tmp_path / "parent")
    step = {
        "code": "CT101",
        "operation": "unlabel-pairs",
        "says": "",
        "sql": "SELECT pair FROM pairs WHERE pair = 0",
        "parameters": {},
    }
    plan = {"benchmark": "draft", "content_hash": parent.content_hash, "steps": [step]}
    made = Benchmark.open(apply_plan(parent, tmp_path / "made", FixParameters(plan)).path)
    judgements = made.sql("SELECT pair, judge FROM judgements WHERE pair IS NOT NULL ORDER BY pair").to_pylist()
    assert judgements == [{"pair": 0, "judge": "ann"}, {"pair": 1, "judge": RULE.id}]


def test_a_changed_mind_stays_a_changed_mind(tmp_path: Path) -> None:
    """Answers that arrived one after the other do not contradict each other in a derived benchmark."""
    parent = flawed(tmp_path / "parent")
    ada = Judge("ada", JudgeKind.PERSON, "Ada")
    for value in ("clone", "not-clone"):
        parent.append_judgements([ada], [Judgement("ada", "shares-functionality", value, pair=2)])
    assert judge_verdicts(parent).table["verdict"][2].as_py() == "not-clone"
    plan = {"benchmark": "draft", "content_hash": parent.content_hash, "steps": []}
    step = {"code": "CT110", "operation": "drop-pairs", "says": "", "sql": "SELECT 3 AS pair", "parameters": {}}
    report = apply_plan(parent, tmp_path / "made", FixParameters({**plan, "steps": [step]}))
    made = Benchmark.open(report.path)
    assert judge_verdicts(made).table["verdict"][2].as_py() == "not-clone"
    assert judge_verdicts(made).table["judgements"][2].as_py() == 1


def test_steps_that_need_a_choice_are_reported(tmp_path: Path) -> None:
    parent = flawed(tmp_path / "parent")
    plan = plan_of(parent, "CT110")
    plan["steps"].append({"code": "CT502", "operation": "split", "says": "Divide.", "sql": None, "parameters": {}})
    report = apply_plan(parent, tmp_path / "made", FixParameters(plan))
    assert not report.step("CT502 split").done
    with pytest.raises(InputError, match="no step that can be applied"):
        apply_plan(parent, tmp_path / "other", FixParameters(plan, codes=("CT502",)))


def test_bad_plans_leave_nothing(tmp_path: Path) -> None:
    parent = flawed(tmp_path / "parent")
    file = tmp_path / "plan.json"
    for text in ("{", "[]", '{"steps": []}', '{"content_hash": "x", "steps": [{"code": "CT1"}]}'):
        file.write_text(text)
        with pytest.raises(InputError, match=r"Not a valid JSON file|Not a fix plan"):
            read_plan(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "missing.json")
    plan = plan_of(parent, "CT110")
    file.write_text(json.dumps(plan))
    assert read_plan(file) == plan
    cases: list[tuple[dict[str, Any], str]] = [
        ({**plan, "content_hash": "0" * 64}, "The plan belongs to the benchmark"),
        (_with_sql(plan, "SELECT 1 AS one"), "does not select the key"),
        (_with_sql(plan, "DROP TABLE pairs"), "not a single SELECT"),
        (_with_sql(plan, "SELECT fragment FROM fragments", "drop-fragments"), "would drop every fragment"),
    ]
    for changed, message in cases:
        with pytest.raises(InputError, match=message):
            apply_plan(parent, tmp_path / "made", FixParameters(changed))
    assert not (tmp_path / "made").exists()


def _with_sql(plan: dict[str, Any], sql: str, operation: str = "drop-pairs") -> dict[str, Any]:
    return {**plan, "steps": [{**plan["steps"][0], "sql": sql, "operation": operation}]}


@pytest.mark.parametrize(
    "source",
    [
        "read_text('{file}')",
        "read_csv('{file}')",
        "'{file}'",
        '"{file}"',
        "read_text('https://evil.example/x')",
        "query('SELECT 1')",
        "query_table(['pairs'])",
        "glob('/*')",
        "(WITH \"{file}\" AS (SELECT 1 AS one) SELECT * FROM pairs) a, '{file}'",
        "duckdb_settings()",
        "information_schema.tables",
        "(SELECT * FROM read_blob('{file}'))",
        "pairs, (WITH inner_one AS (SELECT * FROM read_text('{file}')) SELECT * FROM inner_one)",
    ],
)
def test_the_sql_of_a_plan_reads_the_benchmark_and_nothing_else(source: str, tmp_path: Path) -> None:
    """A plan may come from a stranger."""
    parent = flawed(tmp_path / "parent")
    file = tmp_path / "secret.csv"
    file.write_text("pair\n0\n", encoding="utf-8")
    plan = _with_sql(plan_of(parent, "CT110"), f"SELECT 0 AS pair FROM {source.format(file=file)}")
    with pytest.raises(InputError, match="which is not a table of the benchmark"):
        apply_plan(parent, tmp_path / "made", FixParameters(plan))
    assert not (tmp_path / "made").exists()


def test_the_name_of_a_strangers_benchmark_leads_nowhere(tmp_path: Path) -> None:
    """A derived benchmark is named after its parent, and so was a file in it."""
    parent = flawed(tmp_path / "parent")
    header = tmp_path / "parent" / "benchmark.json"
    text = header.read_text(encoding="utf-8").replace('"draft"', '"../../../planted"')
    card = replace(parent.card, name="../../../planted")
    header.write_text(
        text.replace(parent.content_hash, hash_content(card, parent._header.table_hashes)), encoding="utf-8"
    )
    stranger = Benchmark.open(tmp_path / "parent")
    assert stranger.card.name == "../../../planted"
    plan = plan_of(stranger, "CT110")
    made = apply_plan(stranger, tmp_path / "made", FixParameters(plan))
    names = [path.name for path in (made.path / "claims").iterdir()]
    assert names == ["-..-..-planted+mended.parquet"]
    assert not list(tmp_path.glob("planted*"))
    assert not list(tmp_path.parent.glob("planted*"))
