"""Two questions in one sitting: both methods of a pair, then the pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.store.study_protocol import Protocol
from clonetruth.store.votes import ItemKind, read_votes
from clonetruth.studies import choose_protocol, measure_agreement, resolve_study
from tests.studies.web.sample import write_sample
from tests.studies.web.visitors import Page, ServedStudy, Visitor, serve_study

KRINKE: Protocol = choose_protocol("krinke").protocol


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[ServedStudy]:
    """Three pairs, whose methods are judged in the same sitting."""
    write_sample(tmp_path / "study", KRINKE, pairs=3)
    with serve_study(tmp_path / "study") as served:
        yield served


def judge(visitor: Visitor, page: Page, *answers: str) -> Page:
    for answer in answers:
        page = visitor.answer(page, answer)
    return page


def kinds(served: ServedStudy, name: str = "Ada") -> list[ItemKind]:
    return [vote.item.kind for vote in served.votes(name)]


def test_question_1_comes_before_question_2_for_both_methods(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    page = ada.enter()
    assert page.form("/judge").answers == ["major", "incomplete", "minor", "wrong", "test", "skip"]
    assert "Adds them all up." in page.words  # the specification, next to the question
    asked = page.text.index("asked now")
    page = ada.answer(page, "major")
    assert "Left method: Major" in page.words
    assert page.text.index("asked now") > asked
    page = ada.answer(page, "major")
    assert page.form("/judge").answers == ["clone", "not-clone", "skip"]
    assert "asked now" not in page.text
    page = ada.answer(page, "clone")
    assert kinds(sitting) == [ItemKind.METHOD, ItemKind.METHOD, ItemKind.PAIR]
    assert "1 done, 2 left" in page.words
    methods = [vote.item.number for vote in sitting.votes("Ada")[:2]]
    pair = sitting.votes("Ada")[2].item.number
    assert sorted(methods) == [2 * pair, 2 * pair + 1]
    assert methods == sorted(methods, reverse=sitting.votes("Ada")[2].swapped)


def test_a_judge_who_comes_back_continues_at_the_first_question_without_an_answer(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    page = ada.answer(ada.enter(), "minor")
    code = page.code
    again = ada.open("/judge")
    assert (again.code, "Left method: Minor" in again.words) == (code, True)


def test_undo_goes_back_step_by_step(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    first = ada.enter()
    pair = judge(ada, first, "major", "major")
    done = ada.answer(pair, "not-clone")
    back = ada.undo(done)
    assert back.form("/judge").fields["item"] == pair.form("/judge").fields["item"]
    back = ada.undo(ada.undo(back))
    assert back.form("/judge").fields["item"] == first.form("/judge").fields["item"]
    assert sitting.votes("Ada") == []


def test_a_skipped_sitting_comes_last_and_keeps_its_answers(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    page = ada.enter()
    skipped = page.code
    page = judge(ada, page, "wrong", "skip")
    assert page.code != skipped
    for _ in range(2):
        page = judge(ada, page, "major", "major", "not-clone")
    assert page.code == skipped
    assert "Left method: Wrong" in page.words
    page = judge(ada, page, "wrong", "not-clone")
    assert "Nothing left to judge" in page.text


def test_an_unfinished_sitting_is_kept_but_not_exported(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    page = judge(ada, ada.enter(), "major", "major", "clone", "minor", "wrong")
    _, judgements = read_votes(sitting.folder)
    assert sorted(judgements["subject_kind"].to_pylist()) == ["method", "method", "pair"]
    assert len(sitting.votes("Ada")) == 5
    ada.answer(page, "not-clone")
    assert read_votes(sitting.folder)[1].num_rows == 6


def test_a_clone_that_is_not_major_and_major_is_pointed_out_but_saved(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    warned = judge(ada, ada.enter(), "major", "minor", "clone")
    assert warned.path.startswith("/judge/unusual")
    assert "Major (left method) and Minor (right method)" in warned.words
    assert sitting.votes("Ada")[-1].value == "clone"
    back = ada.undo(warned)
    assert "clone" in back.form("/judge").answers
    assert kinds(sitting) == [ItemKind.METHOD, ItemKind.METHOD]
    after = ada.answer(back, "not-clone")
    assert after.path == "/judge"


def test_usual_clones_and_non_clones_are_not_pointed_out(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    page = judge(ada, ada.enter(), "major", "major", "clone")
    assert page.path == "/judge"
    assert judge(ada, page, "minor", "wrong", "not-clone").path == "/judge"


def test_resolve_and_agree_list_unusual_clones(sitting: ServedStudy) -> None:
    for name, labels in (("Ada", ("major", "minor")), ("Bob", ("major", "major"))):
        visitor = sitting.invite(name)
        page = visitor.enter()
        while "Nothing left" not in page.text:
            judge(visitor, page, *labels, "clone")
            page = visitor.open("/judge")
    ada = next(one.id for one in sitting.vote_store.judges() if one.name == "Ada")
    found = resolve_study(sitting.folder).unusual
    assert [(one.judge, one.subject) for one in found] == [(ada, 0), (ada, 1), (ada, 2)]
    assert all(sorted(one.labels) == ["major", "minor"] for one in found)
    assert measure_agreement(sitting.folder).unusual == found


def test_the_form_of_another_pair_is_refused(sitting: ServedStudy) -> None:
    ada = sitting.invite("Ada")
    first = ada.enter()
    second = judge(ada, first, "major", "major", "clone")
    mixed = {**first.form("/judge").fields, "sitting": second.form("/judge").fields["sitting"], "value": "major"}
    assert ada.send("/judge", mixed).status == 400


def test_checks_ask_the_same_questions_as_subjects(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", replace(KRINKE, attention=1), pairs=3)
    with serve_study(tmp_path / "study") as served:
        ada = served.invite("Ada")
        page = ada.enter()
        seen = []
        while "Nothing left" not in page.text:
            seen.append(page.form("/judge").answers[0])
            page = ada.answer(page, "minor" if "minor" in page.form("/judge").answers else "not-clone")
        assert seen == ["major", "major", "clone"] * 4
        assert kinds(served).count(ItemKind.CHECK) == 1
        assert "4 done" not in page.words
        assert set(read_votes(served.folder)[1]["subject_kind"].to_pylist()) == {"pair", "method"}
