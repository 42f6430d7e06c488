"""Study folders of every schema version stay readable."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.study import STUDY_VERSION, read_study
from clonetruth.store.study_judgements import read_study_judgements

HERE = Path(__file__).parent


@pytest.mark.parametrize("version", range(1, STUDY_VERSION + 1))
def test_a_folder_of_every_version_is_read(version: int) -> None:
    study = read_study(HERE / f"study-v{version}")
    assert study.plan.title == "Are they clones?"
    assert study.plan.protocol.question == "Are these two fragments clones of each other?"
    assert [(one.name, one.population, one.drawn, one.extra) for one in study.plan.strata] == [
        ("large", 100, 2, 0),
        ("small", 10, 1, 1),
        ("empty", 0, 0, 0),
    ]
    assert study.subjects["weight"].to_pylist() == [50.0, 10.0, 50.0]
    assert study.subjects["left_text"].to_pylist() == ["int a;", None, None]


def test_version_1_had_one_table() -> None:
    study = read_study(HERE / "study-v1")
    assert study.subjects["label"].null_count == 3
    assert (study.methods.num_rows, study.checks.num_rows, study.plan.benchmark) == (0, 0, None)


def test_version_2_has_labels_methods_checks_and_judgements() -> None:
    study = read_study(HERE / "study-v2")
    assert study.subjects["label"].to_pylist() == ["clone", None, None]
    assert study.functionalities["exemplars"].to_pylist() == [["int x;", "int y;"]]
    assert (study.methods.num_rows, study.checks["expected"].to_pylist()) == (1, ["clone"])
    judges, judgements = read_study_judgements(study.path)
    assert judges["judge"].to_pylist() == ["ann"]
    assert judgements["value"].to_pylist() == ["clone", "major"]
