"""Judging: what a judge sees and does not see, and how votes are stored."""

from __future__ import annotations

import re
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.store.votes import ItemKind, VoteKind
from tests.studies.web.sample import SECRETS, without_checks, write_sample
from tests.studies.web.visitors import Page, ServedStudy, Visitor, serve_study

VIEWS = ("fragments", "differences", "forms", "specification", "protocol")


def test_a_vote_is_stored_as_it_was_given(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    after = ada.answer(page, "not-clone", reason="  One sums.\r\nThe other not. ", confidence="0.75", seconds="12.5")
    assert (after.status, after.path) == (200, "/judge")
    (vote,) = served.votes("Ada")
    assert (vote.value, vote.kind, vote.confidence, vote.seconds) == ("not-clone", VoteKind.VOTE, 0.75, 12.5)
    assert vote.reason == "One sums.\r\nThe other not."
    assert vote.key == page.form("/judge").fields["key"]
    assert vote.item.kind is ItemKind.PAIR


def test_reason_confidence_and_time_may_be_left_out(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    ada.answer(ada.enter(), "clone")
    (vote,) = served.votes("Ada")
    assert (vote.reason, vote.confidence, vote.seconds) == (None, None, None)


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "1e9", "soon"])
def test_a_time_that_cannot_be_is_unknown(served: ServedStudy, seconds: str) -> None:
    ada = served.invite("Ada")
    ada.answer(ada.enter(), "clone", seconds=seconds)
    assert served.votes("Ada")[0].seconds is None


@pytest.mark.parametrize(
    "fields",
    [
        {"value": "perhaps"},
        {"value": ""},
        {"confidence": "2"},
        {"confidence": "very"},
        {"item": "0"},
        {"item": ""},
        {"key": ""},
        {"key": "no key"},
        {"reason": "\x00"},
        {"reason": "x" * 10_001},
    ],
    ids=str,
)
def test_an_invalid_vote_is_refused(served: ServedStudy, fields: dict[str, str]) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    sent = {**page.form("/judge").fields, "value": "clone", **fields}
    assert ada.send("/judge", sent).status == 400
    assert served.votes("Ada") == []


def test_a_repeated_form_counts_once(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    first = ada.answer(page, "clone", seconds="3")
    again = ada.answer(page, "clone", seconds="4")
    assert (again.status, again.path) == (200, "/judge")
    assert again.form("/judge").fields["item"] == first.form("/judge").fields["item"]
    assert len(served.votes("Ada")) == 1


def test_a_form_that_says_something_else_the_second_time_is_a_conflict(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    ada.answer(page, "clone")
    assert ada.answer(page, "not-clone").status == 409
    assert [vote.value for vote in served.votes("Ada")] == ["clone"]


def test_everything_comes_once_and_then_nothing(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    pages = ada.judge_all()
    assert len(pages) == 5
    assert len({page.form("/judge").fields["item"] for page in pages}) == 5
    assert "5 done, 0 left" not in pages[0].text
    assert "0 done, 5 left" in pages[0].text


def test_a_method_has_its_own_question_and_labels(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    method = ada.judge_all()[-1]
    assert "Is this functionality what the method is for?" in method.text
    assert method.form("/judge").answers == ["major", "incomplete", "minor", "wrong", "test", "undecided", "skip"]
    assert "show=differences" not in method.text
    item = ada.undo(ada.open("/judge")).form("/judge").fields["item"]
    assert "Adds them all up." in ada.open(f"/judge?item={item}&show=specification").text


def test_a_skipped_subject_comes_again_later(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    first = ada.enter()
    second = ada.answer(first, "skip", reason="Later.")
    assert second.form("/judge").fields["item"] != first.form("/judge").fields["item"]
    assert [vote.kind for vote in served.votes("Ada")] == [VoteKind.SKIP]
    later = ada.judge_all()
    assert later[-1].form("/judge").fields["item"] == first.form("/judge").fields["item"]


def test_undo_brings_the_subject_back(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    first = ada.enter()
    second = ada.answer(first, "clone")
    back = ada.undo(second)
    assert back.form("/judge").fields["item"] == first.form("/judge").fields["item"]
    assert served.votes("Ada") == []
    assert ada.undo(second).status == 200, "a repeated undo is harmless"
    ada.answer(back, "not-clone")
    assert [vote.value for vote in served.votes("Ada")] == ["not-clone"]


def test_a_vote_of_another_judge_cannot_be_undone(served: ServedStudy) -> None:
    ada, bob = served.invite("Ada"), served.invite("Bob")
    page = ada.enter()
    ada.answer(page, "clone")
    stolen = {**bob.enter().form("/judge").fields, "key": page.form("/judge").fields["key"]}
    assert bob.send("/judge/undo", stolen).status == 403
    assert len(served.votes("Ada")) == 1


def test_a_token_of_another_judge_is_refused(served: ServedStudy) -> None:
    ada, bob = served.invite("Ada"), served.invite("Bob")
    stolen = ada.enter().form("/judge").fields["item"]
    assert bob.answer(bob.enter(), "clone", item=stolen).status == 400


@pytest.mark.parametrize("view", VIEWS)
def test_a_judge_is_blind(served: ServedStudy, view: str) -> None:
    served.invite("Ada Lovelace").judge_all("not-clone", "wrong", reason="Whispered to nobody.")
    bob = served.invite("Bob")
    page = bob.enter()
    while "Nothing left to judge" not in page.text:
        item = page.form("/judge").fields["item"]
        seen = bob.open(f"/judge?item={item}&show={view}").text
        for secret in (*SECRETS, "Lovelace", "Whispered", "person-"):
            assert secret not in seen
        page = bob.answer(page, "clone" if "not-clone" in page.form("/judge").answers else "major")


def test_sides_are_swapped_for_some_and_the_vote_says_so(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", without_checks(), methods=False, pairs=16)
    with serve_study(tmp_path / "study") as served:
        pages = served.invite("Ada").judge_all()
        swapped = [vote.swapped for vote in served.votes("Ada")]
        numbers = [vote.item.number for vote in served.votes("Ada")]
    assert set(swapped) == {True, False}
    for page, turned, number in zip(pages, swapped, numbers, strict=True):
        if number % 4 == 2:
            assert (page.code.index("one()") < page.code.index("largest(")) is turned


def test_training_comes_first_with_its_answer(study_with_checks: ServedStudy) -> None:
    ada = study_with_checks.invite("Ada")
    page = ada.enter()
    assert "Training 1 of 1" in page.text
    feedback = ada.answer(page, "not-clone")
    assert feedback.path.startswith("/judge/feedback")
    assert "Not as expected" in feedback.text
    assert "They differ in a comment only." in feedback.text
    assert "Training 1 of 1" not in ada.open("/judge").text


def test_the_answer_of_a_training_item_is_for_those_who_answered(study_with_checks: ServedStudy) -> None:
    ada = study_with_checks.invite("Ada")
    item = ada.enter().form("/judge").fields["item"]
    early = ada.open(f"/judge/feedback?item={item}")
    assert early.path == "/judge"
    assert "They differ" not in early.text


def test_an_attention_check_looks_like_a_subject(study_with_checks: ServedStudy) -> None:
    ada = study_with_checks.invite("Ada")
    pages = ada.judge_all()[1:]
    items = [vote.item.kind for vote in study_with_checks.votes("Ada")][1:]
    check, subject = (pages[items.index(kind)] for kind in (ItemKind.CHECK, ItemKind.PAIR))
    assert "attention" not in check.text.lower()
    assert skeleton(check) == skeleton(subject)
    own = check.form("/judge").fields["item"]
    assert ada.open(f"/judge/feedback?item={own}").path == "/judge", "the answer is not shown"


def skeleton(page: Page) -> list[str]:
    """The tags of a page with their classes, without the code and the button that only the first page lacks."""
    body = re.sub(r"<pre.*?</pre>|<form class=\"undo\".*?</form>", "", page.text, flags=re.DOTALL)
    return re.findall(r"<\w+(?: class=\"[^\"]*\")?", body)


def test_a_server_that_is_started_again_goes_on(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study") as served:
        ada = served.invite("Ada")
        token, second = ada.token, ada.answer(ada.enter(), "clone")
    with serve_study(tmp_path / "study") as served:
        again = Visitor(served.app, token)
        again.client.cookies.update(ada.client.cookies)
        page = again.open("/judge")
        assert page.form("/judge").fields["item"] == second.form("/judge").fields["item"]
        assert "1 done" in page.text
        assert again.answer(second, "clone").status == 200, "the form of the page before the restart is taken"
        assert len(served.votes("Ada")) == 2


def test_a_view_of_a_subject_that_was_judged_elsewhere_leads_on(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    first = ada.enter()
    second = ada.answer(first, "clone")
    item = first.form("/judge").fields["item"]
    shown = ada.open(f"/judge?item={item}&show=differences")
    assert shown.form("/judge").fields["item"] == second.form("/judge").fields["item"]


def test_the_definition_is_markdown_without_html(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    item = ada.enter().form("/judge").fields["item"]
    text = ada.open(f"/judge?item={item}&show=protocol").text
    assert "<strong>must</strong>" in text
    assert "&lt;b&gt;Not&lt;/b&gt; bold." in text


def test_the_pace_is_the_median_after_training(study_with_checks: ServedStudy) -> None:
    ada = study_with_checks.invite("Ada")
    page = ada.enter()
    assert "s each" not in page.text
    for seconds in ("1000", "10", "20", "30"):
        ada.answer(page, "clone", seconds=seconds)
        page = ada.open("/judge")
    # The first vote is on the training item.
    votes = study_with_checks.votes("Ada")[1:]
    assert {vote.item.kind for vote in votes} >= {ItemKind.PAIR}
    expected = statistics.median(vote.seconds or 0.0 for vote in votes)
    assert f"{expected:.0f} s each" in page.text


def test_a_pair_that_comes_again_looks_like_any_other(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", replace(without_checks(), repeats=2, overlap=1), methods=False, pairs=8)
    with serve_study(tmp_path / "study") as served:
        ada = served.invite("Ada")
        pages = ada.judge_all()
        kinds = [vote.item.kind for vote in served.votes("Ada")]
    assert sorted(kinds) == ["pair"] * 8 + ["repeat"] * 2
    first, last = pages[0].text, pages[-1].text

    def shape(text: str) -> list[str]:
        # Tags without the tokens that are new on every page, and without the code, its size and the counters.
        bare = re.sub(r"(?s)<code>.*?</code>|value=\"[^\"]*\"|item=[0-9a-f]+|data-item=\"[^\"]*\"", "", text)
        return re.findall(r"<[^>]+>", bare)

    undo = '<form class="undo"'
    assert undo not in first
    assert undo in last
    for page, kind in zip(pages, kinds, strict=True):
        assert "repeat" not in page.text.lower(), kind
    assert len({tuple(shape(page.text)) for page in pages[1:]}) == 1
