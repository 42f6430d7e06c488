"""Judgements of a study: appended in parts, checked, and read with the votes of others."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.store.study import Study, write_study
from clonetruth.store.study_judgements import (
    STUDY_JUDGEMENTS,
    STUDY_JUDGES,
    append_study_judgements,
    read_study_judgements,
)
from clonetruth.store.study_tables import FUNCTIONALITIES, METHODS
from tests.store.test_study import FUNCTIONALITY_ROWS, METHOD_ROWS, PLAN, subjects

ANN: dict[str, Any] = {"judge": "ann", "kind": "person", "name": "Ann", "description": None, "settings": "{}"}
VOTE: dict[str, Any] = {
    "judge": "ann",
    "subject_kind": "pair",
    "subject": 0,
    "criterion": "textual",
    "value": "clone",
}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    methods = pa.Table.from_pylist(METHOD_ROWS, schema=METHODS)
    described = pa.Table.from_pylist(FUNCTIONALITY_ROWS, schema=FUNCTIONALITIES)
    return write_study(tmp_path / "study", PLAN, subjects(), methods=methods, functionalities=described)


def judges(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist([{**ANN, **row} for row in rows or ({},)], schema=STUDY_JUDGES)


def votes(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist([{**VOTE, **row} for row in rows])


def test_parts_are_added_and_read_in_order(study: Study) -> None:
    assert [table.num_rows for table in read_study_judgements(study.path)] == [0, 0]
    on_method = {"subject_kind": "method", "criterion": "implements-functionality", "value": "major"}
    assert append_study_judgements(study.path, judges(), votes({}, on_method)) == 2
    assert (
        append_study_judgements(study.path, judges({}, {"judge": "bob"}), votes({"judge": "bob", "reason": "Why"})) == 1
    )
    found, said = read_study_judgements(study.path)
    assert found["judge"].to_pylist() == ["ann", "bob"]
    assert said.schema.equals(STUDY_JUDGEMENTS)
    assert said["judge"].to_pylist() == ["ann", "ann", "bob"]
    first, second, third = said["sequence"].to_pylist()
    assert first == second < third, "those of a part arrive together"
    assert len(list((study.path / "judgements").iterdir())) == 2


def test_votes_that_stand_elsewhere_are_read_along(study: Study) -> None:
    append_study_judgements(study.path, judges(), votes({}))
    other = votes({"judge": "bob", "confidence": 0.5}).append_column("sequence", pa.array([7]))
    filled = pa.Table.from_pylist(other.to_pylist(), schema=STUDY_JUDGEMENTS)
    found, said = read_study_judgements(study.path, (judges({"judge": "bob"}), filled))
    assert (found.num_rows, said["judge"].to_pylist()) == (2, ["ann", "bob"])


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        ({"judge": "zoe"}, "'zoe' is not defined"),
        ({"subject": 3}, "on the pair 3, but there are only 3"),
        ({"subject": -1}, "on the pair -1"),
        ({"subject_kind": "file"}, "on a 'file'"),
        ({"criterion": "equivalent-behaviour"}, "asks 'textual'"),
        ({"value": "perhaps"}, "'textual' does not permit the answer"),
        ({"subject_kind": "method", "criterion": "implements-functionality"}, "does not permit the answer"),
        ({"colour": "red"}, "no column 'colour'"),
        ({"value": None}, "'value' has a missing value"),
    ],
)
def test_what_does_not_fit_leaves_nothing_behind(study: Study, vote: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        append_study_judgements(study.path, judges(), votes(vote, {}))
    assert not (study.path / "judgements").exists()
    assert not (study.path / "judges").exists()


def test_a_judge_has_one_definition(study: Study) -> None:
    append_study_judgements(study.path, judges(), votes({}))
    with pytest.raises(InputError, match="differently"):
        append_study_judgements(study.path, judges({"name": "Anna"}), votes({}))
    append_study_judgements(study.path, STUDY_JUDGES.empty_table(), votes({"subject": 1}))
    assert read_study_judgements(study.path)[1].num_rows == 2


def test_a_damaged_part_is_named(study: Study) -> None:
    append_study_judgements(study.path, judges(), votes({}))
    (part,) = (study.path / "judgements").iterdir()
    part.write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"judgements.*The file is damaged"):
        read_study_judgements(study.path)


def test_a_clock_that_went_back_does_not_reorder(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    append_study_judgements(study.path, judges(), votes({}))
    monkeypatch.setattr("clonetruth.store.study_judgements.time.time_ns", lambda: 0)
    append_study_judgements(study.path, judges(), votes({"value": "not-clone"}))
    _, said = read_study_judgements(study.path)
    assert said.sort_by("sequence")["value"].to_pylist() == ["clone", "not-clone"]


def test_a_study_of_other_subjects_is_another(study: Study, tmp_path: Path) -> None:
    other = write_study(tmp_path / "other", dataclasses.replace(PLAN, title="Other"), subjects())
    with pytest.raises(InputError, match="there are only 0"):
        append_study_judgements(
            other.path,
            judges(),
            votes({"subject_kind": "method", "criterion": "implements-functionality", "value": "major"}),
        )
