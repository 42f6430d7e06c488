"""Consent before the first question, a quota that ends, and a withdrawal by one's own hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.study import CONSENT_FILE
from clonetruth.store.votes import JudgeRole
from tests.store.votes.test_participation import traces
from tests.studies.web.visitors import ServedStudy, Visitor

TEXT = "# What we record\n\nYour *answers* and <script>alert(1)</script> times."


def write_consent(served: ServedStudy, text: str = TEXT) -> None:
    (served.folder / CONSENT_FILE).write_text(text, encoding="utf-8")


def test_no_question_before_consent(served: ServedStudy) -> None:
    write_consent(served)
    ada = served.invite("Ada")
    page = ada.enter()
    assert (page.status, page.path) == (200, "/consent")
    assert "What we record" in page.words
    assert "<em>answers</em>" in page.text
    assert "<script>alert" not in page.text
    assert ada.open("/judge").path == "/consent"
    assert served.votes("Ada") == []
    judging = ada.send("/consent", page.form("/consent").fields)
    assert judging.path == "/judge"
    ada.answer(judging, "clone")
    assert len(served.votes("Ada")) == 1
    assert ada.open("/consent").path == "/judge"
    assert list(served.vote_store.consents()) == [served.vote_store.judges()[0].id]


def test_a_changed_text_is_asked_about_again(served: ServedStudy) -> None:
    write_consent(served)
    ada = served.invite("Ada")
    first = ada.enter()
    page = ada.send("/consent", first.form("/consent").fields)
    write_consent(served, "We publish everything.")
    asked = ada.answer(page, "clone")
    assert asked.path == "/consent"
    assert "We publish everything." in asked.words
    assert served.votes("Ada") == []
    # The form of the earlier text is not consent to this one.
    refused = ada.send("/consent", first.form("/consent").fields)
    assert refused.status == 403
    assert "changed" in refused.words
    assert ada.send("/consent", asked.form("/consent").fields).path == "/judge"


def test_adjudicators_are_asked_too_and_owners_are_not(served: ServedStudy) -> None:
    write_consent(served)
    assert served.invite("Eve", JudgeRole.ADJUDICATOR).enter().path == "/consent"
    assert served.invite("Olga", JudgeRole.OWNER).enter().path == "/dashboard"


def test_without_a_text_nobody_is_asked(served: ServedStudy) -> None:
    assert served.invite("Ada").enter().path == "/judge"
    write_consent(served, "  \n")
    assert served.invite("Bob").enter().path == "/judge"


def test_the_page_says_when_the_quota_is_reached(served: ServedStudy) -> None:
    _, token = served.vote_store.add_judge("Ada", quota=2)
    ada = Visitor(served.app, token)
    page = ada.enter()
    for _ in range(2):
        assert page.path == "/judge"
        page = ada.answer(page, "clone")
    assert "judged the 2 subjects that were planned for you" in page.words
    assert len(served.votes("Ada")) == 2
    back = ada.undo(page)
    assert "planned for you" not in back.words
    # A form that was open in another tab is one too many after the last vote.
    ada.answer(back, "clone")
    late = ada.send("/judge", {**back.form("/judge").fields, "key": "another", "value": "not-clone"})
    assert late.status == 200, "a change of mind on the same subject"
    others = served.invite("Bob").judge_all()
    assert len(others) == 5


def test_withdrawing_by_ones_own_hand(served: ServedStudy, tmp_path: Path) -> None:
    ada = served.invite("Augusta Ada King")
    page = ada.answer(ada.enter(), "clone", reason="they both sum up numbers")
    asked = ada.open("/withdraw")
    assert "Your answers (1)" in asked.words
    fields = asked.form("/withdraw").fields
    assert ada.send("/withdraw", fields).status == 400
    assert len(served.votes("Augusta Ada King")) == 1
    done = ada.send("/withdraw", {**fields, "sure": "yes"})
    assert "You have withdrawn" in done.words
    assert served.vote_store.judges() == ()
    assert traces(served.folder, "Augusta Ada King", "sum up numbers", ada.token) == []
    assert ada.open("/judge").status == 401
    assert ada.answer(page, "clone").status in (401, 403)
    assert ada.enter().status == 401


def test_a_withdrawal_cannot_be_forged_and_is_not_for_owners(served: ServedStudy) -> None:
    ada, olga = served.invite("Ada"), served.invite("Olga", JudgeRole.OWNER)
    ada.enter()
    olga.enter()
    assert ada.send("/withdraw", {"sure": "yes"}).status == 403
    assert ada.send("/withdraw", {"sure": "yes", "form": "guessed"}).status == 403
    assert olga.open("/withdraw").status == 403
    assert [judge.name for judge in served.vote_store.judges()] == ["Ada", "Olga"]


@pytest.mark.parametrize("path", ["/consent", "/withdraw"])
def test_strangers_see_neither_page(served: ServedStudy, path: str) -> None:
    assert Visitor(served.app).open(path).status == 401
