"""Recorded logs are replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.judges import replay_logs
from clonetruth.store.study_judgements import read_study_judgements
from tests.judges.logs import DIFFERENT, SIMILAR, UNSURE, block, write_log
from tests.judges.studies import fragment, judgements, make_study


def left(number: int, name: str | None = None) -> tuple[str, str]:
    return name or f"l{number}", fragment(number, "left")


def right(number: int, name: str | None = None) -> tuple[str, str]:
    return name or f"r{number}", fragment(number, "right")


def test_each_log_is_a_run_of_one_judge(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    answers = [(SIMILAR, DIFFERENT, UNSURE), (SIMILAR, DIFFERENT, SIMILAR), (SIMILAR, SIMILAR, "?")]
    logs = [
        write_log(tmp_path / f"{run}.log", *(block(left(n), right(n), said) for n, said in enumerate(says)))
        for run, says in enumerate(answers)
    ]
    found = replay_logs(study, logs)
    (outcome,) = found.outcomes
    assert (found.comparisons, found.foreign, found.repeated, found.broken) == (9, 0, 0, 0)
    rows = judgements(study)
    assert [(row["value"], row["confidence"]) for row in rows] == [
        ("clone", 1.0),
        ("not-clone", 2 / 3),
        ("undecided", 1 / 3),
    ]
    assert outcome.malformed == 1
    judge = read_study_judgements(study)[0].to_pylist()[0]
    settings = json.loads(judge["settings"])
    assert (judge["kind"], settings["model"], settings["runs"]) == ("llm", "gpt-4o", 3)
    assert fragment(0, "left") not in settings["prompt"]
    assert replay_logs(study, logs).outcomes[0].added == 0


def test_pairs_are_found_by_text_and_in_either_order(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    log = write_log(
        tmp_path / "log",
        block(left(0, "a.java"), right(0, "b.java"), SIMILAR),
        block(right(1), left(1), DIFFERENT),
        block(right(2, "c.java"), left(2, "d.java"), SIMILAR),
    )
    replay_logs(study, [log])
    rows = judgements(study)
    assert [row["value"] for row in rows] == ["clone", "not-clone", "clone"]
    assert [json.loads(row["evidence"])["runs"][0]["order"] for row in rows] == ["given", "swapped", "swapped"]


def test_what_is_not_of_the_study_is_counted(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    good = block(left(0), right(0), SIMILAR)
    log = write_log(tmp_path / "log", good, block(left(7), right(7), SIMILAR), good, good.partition("### RESULT")[0])
    found = replay_logs(study, [log])
    assert (found.comparisons, found.foreign, found.repeated, found.broken) == (3, 1, 1, 1)
    assert len(judgements(study)) == 1


def test_two_models_are_two_judges(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    logs = [
        write_log(tmp_path / model, block(left(0), right(0), says, model))
        for model, says in (("gpt-4o", SIMILAR), ("gpt-5", DIFFERENT))
    ]
    assert len(replay_logs(study, logs).outcomes) == 2
    assert [row["value"] for row in judgements(study)] == ["clone", "not-clone"]


def test_logs_of_something_else_are_refused(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    with pytest.raises(InputError, match="No log contains a pair of the study"):
        replay_logs(study, [write_log(tmp_path / "log", block(left(7), right(7), SIMILAR))])
    with pytest.raises(InputError):
        replay_logs(study, [tmp_path / "none"])


def test_the_criterion_of_the_log_is_reported(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1, criterion="same-main-purpose")
    log = write_log(tmp_path / "log", block(left(0), right(0), SIMILAR))
    (outcome,) = replay_logs(study, [log]).outcomes
    assert (outcome.criterion, outcome.asked) == ("same-main-purpose", "functionally-similar")
