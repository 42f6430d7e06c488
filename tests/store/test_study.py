"""Study folders: written whole, read with checks."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import InputError
from clonetruth.store import build_manifest
from clonetruth.store.study import StudyPlan, StudyStratum, read_study, write_study
from clonetruth.store.study_protocol import JudgeGroup, Protocol
from clonetruth.store.study_tables import STUDY_TABLES, SUBJECTS

PLAN = StudyPlan(
    title="Are they clones?",
    criterion="textual",
    protocol=Protocol("plain", "Are these two fragments clones of each other?"),
    population="the pairs that a tool reports",
    population_size=110,
    confidence=0.95,
    margin=0.05,
    allocation="largest-remainder",
    seed=3,
    strata=(StudyStratum("large", 100, 2, 0), StudyStratum("small", 10, 1, 1), StudyStratum("empty", 0, 0, 0)),
    manifest=build_manifest({"reported": "abc"}, {"margin": 0.05}, 3),
)

SUBJECT_ROWS: list[dict[str, Any]] = [
    {"subject": 0, "stratum": "large", "weight": 50.0, "extra": False, "pair": 7, "score": 0.5, "left_text": "int a;"},
    {"subject": 1, "stratum": "small", "weight": 10.0, "extra": True, "left_path": "a.java", "left_first_line": 1},
    {"subject": 2, "stratum": "large", "weight": 50.0, "extra": False},
]


METHOD_ROWS: list[dict[str, Any]] = [
    {
        "method": 0,
        "fragment_id": "a",
        "functionality": "copy",
        "language": "java",
        "text": "int a;",
        "stratum": "large",
        "weight": 50.0,
        "extra": False,
    }
]
FUNCTIONALITY_ROWS: list[dict[str, Any]] = [
    {"id": "copy", "name": "Copy File", "specification": "Copy it.", "exemplars": ["int x;", "int y;"]}
]
CHECK_ROWS: list[dict[str, Any]] = [
    {
        "check": 0,
        "kind": "training",
        "left_language": "java",
        "left_text": "int a;",
        "right_language": "java",
        "right_text": "int b;",
        "expected": "clone",
        "feedback": "They are.",
        "functionality": "Declare",
        "specification": None,
        "left_label": None,
        "right_label": None,
        "pair": None,
        "functionality_id": None,
    }
]


def tables(**changes: list[dict[str, Any]]) -> dict[str, pa.Table]:
    """Methods, functionalities and checks, with some of them changed."""
    rows = {"methods": METHOD_ROWS, "functionalities": FUNCTIONALITY_ROWS, "checks": CHECK_ROWS, **changes}
    return {name: pa.Table.from_pylist(content, schema=STUDY_TABLES[name]) for name, content in rows.items()}


def subjects(*changes: tuple[int, str, Any]) -> pa.Table:
    rows = [dict(row) for row in SUBJECT_ROWS]
    for number, column, value in changes:
        rows[number][column] = value
    return pa.Table.from_pylist(rows, schema=SUBJECTS)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = write_study(tmp_path / "study", PLAN, subjects())
    found = read_study(tmp_path / "study")
    assert found.plan == written.plan == PLAN
    assert found.subjects.equals(subjects())
    assert sorted(path.name for path in (tmp_path / "study").iterdir()) == [
        "README.md",
        "study.json",
        "subjects.parquet",
    ]


def test_methods_functionalities_and_checks_are_optional_and_read_back(tmp_path: Path) -> None:
    plan = dataclasses.replace(PLAN, protocol=dataclasses.replace(PLAN.protocol, training=1))
    write_study(tmp_path / "study", plan, subjects(), **tables())
    found = read_study(tmp_path / "study")
    assert found.methods.to_pylist() == METHOD_ROWS
    assert found.functionalities.to_pylist() == FUNCTIONALITY_ROWS
    assert found.checks.to_pylist() == CHECK_ROWS
    assert write_study(tmp_path / "other", PLAN, subjects()).methods.num_rows == 0


@pytest.mark.parametrize(
    ("changes", "protocol", "message"),
    [
        ({"methods": [{**METHOD_ROWS[0], "method": 1}]}, {}, "methods are not numbered"),
        ({"functionalities": []}, {}, "A method has the unknown functionality 'copy'"),
        ({"checks": [{**CHECK_ROWS[0], "kind": "fun"}]}, {}, "fewer training or attention pairs"),
        ({"checks": []}, {"attention": 1}, "fewer training or attention pairs"),
        ({"checks": [{**CHECK_ROWS[0], "expected": "perhaps"}]}, {}, "known answer 'perhaps' of a check"),
        ({}, {"answers": ("clone",)}, "`answers`: invalid answers: clone"),
        ({}, {"answers": ("clone", "maybe")}, "`answers`: invalid answers: clone, maybe"),
        ({}, {"method_answers": ("major", "major")}, "`method_answers`: invalid answers"),
        ({}, {"overlap": 0}, "overlap"),
        ({}, {"groups": (JudgeGroup("a", 0.5), JudgeGroup("b", 0.4))}, "add up to 1"),
        ({}, {"groups": (JudgeGroup("a", 0.5), JudgeGroup("a", 0.5))}, "have the same name"),
        ({}, {"groups": (JudgeGroup("a", 1.0),), "panel": "a"}, "the panel is one of them"),
    ],
)
def test_tables_and_protocols_that_cannot_be_leave_nothing_behind(
    tmp_path: Path, changes: dict[str, Any], protocol: dict[str, Any], message: str
) -> None:
    plan = dataclasses.replace(PLAN, protocol=dataclasses.replace(PLAN.protocol, **protocol))
    with pytest.raises(InputError, match=message):
        write_study(tmp_path / "study", plan, subjects(), **tables(**changes))
    assert not list(tmp_path.iterdir())


def test_the_readme_tells_a_judge_what_to_do(tmp_path: Path) -> None:
    write_study(tmp_path / "study", PLAN, subjects())
    text = (tmp_path / "study" / "README.md").read_text(encoding="utf-8")
    for words in ("3 pairs", PLAN.protocol.question, "`textual`", "`clone`, `not-clone`, `undecided`"):
        assert words in text


def test_columns_that_may_be_missing(tmp_path: Path) -> None:
    table = subjects().select(["subject", "stratum", "weight", "extra"])
    assert write_study(tmp_path / "study", PLAN, table).subjects["left_text"].null_count == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([(1, "subject", 5)], "not numbered"),
        ([(0, "stratum", "small")], "'large' differ from the plan"),
        ([(1, "extra", False)], "'small' differ from the plan"),
        ([(2, "weight", 49.0)], "weights of the stratum 'large'"),
        ([(2, "weight", float("nan"))], "weights of the stratum 'large'"),
        ([(2, "weight", None)], "'weight' has a missing value"),
    ],
)
def test_subjects_that_are_not_the_planned_ones_leave_nothing_behind(
    tmp_path: Path, changes: list[tuple[int, str, Any]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        write_study(tmp_path / "study", PLAN, subjects(*changes))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"criterion": "implements-functionality"}, "`answers`: invalid answers: clone"),
        ({"criterion": "beauty"}, "`criterion`: there is no criterion 'beauty'"),
        ({"population_size": 111}, "do not add up"),
        ({"confidence": float("nan")}, "not between 0 and 1"),
        ({"margin": 5.0}, "not between 0 and 1"),
        ({"strata": PLAN.strata[:1], "population_size": 100}, "belongs to no stratum"),
        ({"strata": (*PLAN.strata[:2], StudyStratum("empty", 0, 1, 0))}, "'empty' differ from the plan"),
    ],
)
def test_plans_that_contradict_the_subjects_leave_nothing_behind(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        write_study(tmp_path / "study", dataclasses.replace(PLAN, **change), subjects())
    assert not list(tmp_path.iterdir())


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    write_study(tmp_path / "study", PLAN, subjects())
    before = (tmp_path / "study" / "study.json").read_bytes()
    with pytest.raises(InputError, match="never overwritten"):
        write_study(tmp_path / "study", dataclasses.replace(PLAN, title="Other"), subjects())
    assert (tmp_path / "study" / "study.json").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other"}, "Not a study"),
        ({"schema_version": 3}, "schema version 3"),
        ({"seed": "three"}, "study.seed"),
        ({"strata": {}}, "study.strata"),
        ({"colour": "red"}, "unknown entry 'colour'"),
    ],
)
def test_a_foreign_or_damaged_header_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_study(tmp_path / "study", PLAN, subjects())
    file = tmp_path / "study" / "study.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_study(tmp_path / "study")


def test_missing_and_broken_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Not a study folder"):
        read_study(tmp_path / "nothing")
    write_study(tmp_path / "study", PLAN, subjects())
    pq.write_table(pa.table({"subject": [0, 1, 2]}), tmp_path / "study" / "subjects.parquet")
    with pytest.raises(InputError, match="columns of the subjects differ"):
        read_study(tmp_path / "study")
    (tmp_path / "study" / "subjects.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="The file is damaged"):
        read_study(tmp_path / "study")
    (tmp_path / "study" / "study.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="Not valid JSON"):
        read_study(tmp_path / "study")
