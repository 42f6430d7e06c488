"""Reviews: what the reviewer sees, who may review, and how decisions are stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clonetruth.store.votes import JudgeRole, VoteKind
from clonetruth.studies import review_study
from tests.studies.web.sample import HOSTILE, SECRETS, contradict, without_checks, write_sample
from tests.studies.web.visitors import ServedStudy, Visitor, serve_study


@pytest.fixture
def settled(tmp_path: Path) -> Iterator[ServedStudy]:
    """Two judges who agree that all four pairs are clones; a model contradicts them on two."""
    folder = tmp_path / "study"
    write_sample(folder, without_checks())
    with serve_study(folder) as served:
        served.invite("Ada").judge_all("clone", reason="Both add.")
        served.invite("Bob").judge_all("clone")
        contradict(folder, "Model M", f"One of them is a {HOSTILE}", (0, 2))
        review_study(folder)
        yield served


@pytest.fixture
def rea(settled: ServedStudy) -> Visitor:
    visitor = settled.invite("Rea", JudgeRole.ADJUDICATOR)
    visitor.enter()
    return visitor


def test_a_reopened_pair_comes_with_both_sides(rea: Visitor) -> None:
    page = rea.open("/review")
    assert page.status == 200
    assert "0 reviewed, 2 open" in page.words
    assert "Settled by people: Clone" in page.words
    assert "Judge 1: Clone" in page.words
    assert "Both add." in page.words
    assert "Contradicted by Model M: Not a clone One of them is a" in page.words
    assert "<script>document" not in page.text
    assert page.form("/review").answers == ["not-clone", "clone"]
    for secret in (*SECRETS, "Ada", "Bob", "person-"):
        assert secret not in page.text


def test_decisions_are_stored_with_their_reasons(rea: Visitor, settled: ServedStudy) -> None:
    page = rea.answer(rea.open("/review"), "not-clone", "/review", reason="The model is right.")
    assert "1 reviewed, 1 open" in page.words
    page = rea.answer(page, "clone", "/review", reason="The people are right.")
    assert "No pairs to review" in page.words
    votes = settled.votes("Rea")
    assert [(vote.kind, vote.value, vote.reason) for vote in votes] == [
        (VoteKind.REVIEW, "not-clone", "The model is right."),
        (VoteKind.REVIEW, "clone", "The people are right."),
    ]
    found = review_study(settled.folder, status=True)
    assert (found.accepted, found.rejected, found.open) == (1, 1, 0)
    assert "1 reviewed, 1 open" in rea.send("/review/undo", page.form("/review/undo").fields).words


@pytest.mark.parametrize(("value", "reason"), [("not-clone", ""), ("undecided", "hm"), ("skip", "later"), ("", "hm")])
def test_incomplete_decisions_are_refused(value: str, reason: str, rea: Visitor, settled: ServedStudy) -> None:
    page = rea.answer(rea.open("/review"), value, "/review", reason=reason)
    assert page.status == 400
    assert settled.votes("Rea") == []


def test_a_pair_that_was_not_reopened_cannot_be_reviewed(rea: Visitor, settled: ServedStudy) -> None:
    page = rea.open("/review")
    form = page.form("/review").fields
    later = rea.answer(page, "clone", "/review", reason="no")
    assert later.status == 200
    assert rea.send("/review", {**form, "item": "unknown", "value": "clone", "reason": "x"}).status == 400
    assert len(settled.votes("Rea")) == 1


def test_judges_and_owners_do_not_see_reviews(settled: ServedStudy) -> None:
    for name, role in (("Zoe", JudgeRole.JUDGE), ("Ona", JudgeRole.OWNER)):
        visitor = settled.invite(name, role)
        visitor.enter()
        assert visitor.open("/review").status == 403
