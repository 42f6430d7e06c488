"""Attention checks and repeats: counted per judge, in `agree` and `estimate`, with and without inattentive judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind, JudgeChecks, Vote, open_vote_store, read_checks
from clonetruth.studies import choose_protocol, estimate_study, list_judges, measure_agreement
from tests.cli.running import run
from tests.studies.test_checks import draw, judged, protocol

ANSWERS = ("clone", "not-clone")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two attentive judges who agree, and Cleo, who answers at random; labels say clone."""
    settled = {pair: ANSWERS[pair % 2] for pair in range(60)}
    benchmark = judged(tmp_path / "benchmark", {"ann": settled, "bob": settled})
    chosen = protocol(tmp_path, 0, 4, more="repeats = 2\nattentive = 0.75\noverlap = 3\n")
    drawn = draw(benchmark, tmp_path / "study", chosen, where="label = 'clone'", size=10)
    expected = drawn.checks["expected"].to_pylist()
    with open_vote_store(drawn.path) as store:
        for name in ("Ada", "Bob", "Cleo"):
            judge = store.add_judge(name)[0].id
            attentive = name != "Cleo"
            answers = {ItemKey(ItemKind.PAIR, number): "clone" if attentive else "not-clone" for number in range(10)}
            answers |= {
                ItemKey(ItemKind.CHECK, number): value if attentive or number == 0 else "undecided"
                for number, value in enumerate(expected)
            }
            answers |= {ItemKey(ItemKind.REPEAT, number): "clone" for number in (3, 7)}
            for item, value in answers.items():
                store.cast(Vote(f"{name}-{item.kind}-{item.number}", judge, item, value))
    return drawn


def test_failed_checks_and_changed_answers_are_counted(study: Study) -> None:
    names = {one.judge: one for one in list_judges(study)}
    results = {names[one.judge].name: one for one in read_checks(study)}
    assert {name: (one.checks, one.failed, one.repeats, one.changed) for name, one in results.items()} == {
        "Ada": (4, 0, 2, 0),
        "Bob": (4, 0, 2, 0),
        "Cleo": (4, 3, 2, 2),
    }
    assert {one.name: (one.attention, one.attentive) for one in names.values()} == {
        "Ada": (6, 6),
        "Bob": (6, 6),
        "Cleo": (6, 1),
    }


def test_a_repeat_of_an_answer_that_was_taken_back_is_not_compared(study: Study) -> None:
    with open_vote_store(study.path) as store:
        cleo = next(judge for judge in store.judges() if judge.name == "Cleo")
        store.undo(cleo.id, "Cleo-pair-3")
    assert next(one for one in read_checks(study) if one.judge == cleo.id).repeats == 1


def test_agreement_and_estimate_are_shown_with_and_without_inattentive_judges(study: Study) -> None:
    cleo = next(one.judge for one in list_judges(study) if one.name == "Cleo")
    agreement = measure_agreement(study)
    assert len(agreement.checks) == 3
    assert agreement.excluded == (cleo,)
    assert agreement.pairs is not None
    assert (agreement.pairs.agreement or 0.0) < 0.5
    assert agreement.attentive is not None
    assert agreement.attentive.pairs is not None
    assert agreement.attentive.pairs.agreement == 1.0
    estimate = estimate_study(study, "unanimous")
    assert estimate.labels.judged == 0, "Cleo differs everywhere"
    assert estimate.attentive is not None
    assert (estimate.attentive.threshold, estimate.attentive.excluded) == (0.75, (cleo,))
    assert (estimate.attentive.labels.judged, estimate.attentive.labels.wrong) == (10, 0)
    assert estimate.attentive.clones.value == 1.0
    assert len(estimate.checks) == 3


def test_without_a_threshold_nobody_is_left_out(tmp_path: Path) -> None:
    assert not JudgeChecks("a", 4, 4, 0, 0).is_below(None)
    assert not JudgeChecks("a", 0, 0, 0, 0).is_below(0.9)
    assert JudgeChecks("a", 4, 1, 0, 0).is_below(0.8)
    assert not JudgeChecks("a", 4, 1, 0, 0).is_below(0.75)


@pytest.mark.parametrize("share", [0.0, 1.5, -1.0])
def test_a_threshold_must_be_a_share(tmp_path: Path, share: float) -> None:
    file = protocol(tmp_path, 0, 0, more=f"attentive = {share}\n")
    with pytest.raises(InputError, match="attentive"):
        choose_protocol(file)


@pytest.mark.parametrize("command", ["agree", "estimate"])
def test_the_command_line_shows_failed_checks(study: Study, command: str) -> None:
    cleo = next(one.judge for one in list_judges(study) if one.name == "Cleo")
    shown = run("study", command, study.path)
    assert shown.code == 0, shown.err
    row = next(line for line in shown.out.splitlines() if cleo in line and "below the threshold" in line)
    assert row.split()[1:5] == ["4", "3", "2", "2"]
    assert "Without" in shown.out
    given = run("study", command, study.path, "--json").json
    assert {"judge": cleo, "checks": 4, "failed": 3, "repeats": 2, "changed": 2} in given["checks"]
    assert given["attentive"] is not None
