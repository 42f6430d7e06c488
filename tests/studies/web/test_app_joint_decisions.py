"""Discussions and panels: joint decisions, with everybody who took part."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.store.study_protocol import Protocol, Settlement
from clonetruth.store.votes import JudgeRole, read_votes
from clonetruth.studies import resolve_study
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visitors import Page, ServedStudy, Visitor, serve_study

DISCUSSED: Protocol = replace(without_checks(), different=(Settlement.DISCUSSION,), quorum=2)
PANELLED: Protocol = replace(without_checks(), different=(Settlement.PANEL,), panel="seniors", quorum=3)


@pytest.fixture
def discussed(tmp_path: Path) -> Iterator[ServedStudy]:
    write_sample(tmp_path / "study", DISCUSSED, methods=False, pairs=1)
    with serve_study(tmp_path / "study") as served:
        differ(served)
        yield served


@pytest.fixture
def panelled(tmp_path: Path) -> Iterator[ServedStudy]:
    write_sample(tmp_path / "study", PANELLED, methods=False, pairs=1)
    with serve_study(tmp_path / "study") as served:
        differ(served)
        yield served


def differ(served: ServedStudy) -> None:
    for name, answer in (("Ada", "clone"), ("Bob", "not-clone")):
        visitor = served.invite(name)
        visitor.answer(visitor.enter(), answer, reason=f"{name} thinks so.")


def ids(served: ServedStudy) -> dict[str, str]:
    return {judge.name: judge.id for judge in served.vote_store.judges()}


def decide(served: ServedStudy, visitor: Visitor, page: Page, *names: str, value: str = "clone") -> Page:
    known = ids(served)
    took_part = {f"participant-{known.get(name, name)}": "1" for name in names}
    return visitor.answer(page, value, "/adjudicate", reason="We agreed.", **took_part)


def test_a_discussion_records_its_participants(discussed: ServedStudy) -> None:
    chair = discussed.invite("Chair", JudgeRole.ADJUDICATOR)
    page = chair.enter()
    known = ids(discussed)
    assert page.form("/adjudicate").participants == [f"participant-{known[name]}" for name in ("Ada", "Bob", "Chair")]
    done = decide(discussed, chair, page, "Ada", "Bob", value="not-clone")
    assert "No open disagreements" in done.text

    judges, judgements = read_votes(discussed.folder)
    joint = judgements.to_pylist()[-1]
    took_part = sorted([known["Ada"], known["Bob"]])
    assert json.loads(joint["evidence"])["participants"] == took_part
    assert json.loads(joint["evidence"])["recorded_by"] == known["Chair"]
    settings = {row["judge"]: json.loads(row["settings"]) for row in judges.to_pylist()}
    assert settings[joint["judge"]] == {"role": "adjudicator", "speaks_for": took_part}
    assert known["Chair"] not in settings  # who records a decision has not taken it
    assert resolve_study(discussed.folder).pairs.counts["not-clone"] == 1
    named = read_votes(discussed.folder, names=True)[0].to_pylist()
    assert {"Ada and Bob", "Bob and Ada"} & {row["name"] for row in named}


@pytest.mark.parametrize("names", [(), ("Ada",), ("Ada", "somebody")])
def test_a_discussion_of_too_few_is_refused(discussed: ServedStudy, names: tuple[str, ...]) -> None:
    chair = discussed.invite("Chair", JudgeRole.ADJUDICATOR)
    refused = decide(discussed, chair, chair.enter(), *names)
    assert refused.status == 400
    assert discussed.votes("Chair") == []
    assert resolve_study(discussed.folder).pairs.counts["unknown"] == 1


def test_a_form_that_arrives_twice_counts_once_and_other_participants_are_a_conflict(discussed: ServedStudy) -> None:
    chair = discussed.invite("Chair", JudgeRole.ADJUDICATOR)
    page = chair.enter()
    for _ in range(2):
        assert decide(discussed, chair, page, "Ada", "Bob").status == 200
    assert len(discussed.votes("Chair")) == 1
    assert decide(discussed, chair, page, "Ada", "Bob", "Chair").status == 409


def test_the_participants_survive_a_restart(discussed: ServedStudy) -> None:
    chair = discussed.invite("Chair", JudgeRole.ADJUDICATOR)
    decide(discussed, chair, chair.enter(), "Ada", "Bob")
    with serve_study(discussed.folder) as again:
        (vote,) = again.votes("Chair")
        assert vote.participants == tuple(sorted(ids(again)[name] for name in ("Ada", "Bob")))


def test_a_panel_needs_its_quorum(panelled: ServedStudy) -> None:
    seniors = [panelled.invite(f"Senior {number}", JudgeRole.ADJUDICATOR, "seniors") for number in (1, 2, 3)]
    chair = panelled.invite("Chair", JudgeRole.ADJUDICATOR)
    assert "No open disagreements" in chair.enter().text
    page = seniors[0].enter()
    assert len(page.form("/adjudicate").participants) == 3
    names = ("Senior 1", "Senior 2", "Senior 3")
    assert decide(panelled, seniors[0], page, *names[:2]).status == 400
    assert decide(panelled, seniors[0], page, *names[:2], "Ada").status == 400
    assert panelled.votes("Senior 1") == []
    assert "No open disagreements" in decide(panelled, seniors[0], page, *names).text
    assert resolve_study(panelled.folder).pairs.counts["clone"] == 1


def test_a_single_adjudicator_decides_alone_where_the_protocol_says_so(served: ServedStudy) -> None:
    for name, answer in (("Ada", "clone"), ("Bob", "not-clone")):
        served.invite(name).judge_all(answer)
    chair = served.invite("Chair", JudgeRole.ADJUDICATOR)
    page = chair.enter()
    assert page.form("/adjudicate").participants == []
    assert decide(served, chair, page).status == 200
    assert read_votes(served.folder)[1].to_pylist()[-1]["judge"] == ids(served)["Chair"]
