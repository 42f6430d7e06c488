"""Adjudication: what the adjudicator sees, and how decisions are stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.model import JudgeKind
from clonetruth.store.study_judgements import append_study_judgements
from clonetruth.store.votes import ItemKind, JudgeRole, VoteKind
from tests.studies.web.sample import SECRETS, without_checks, write_sample
from tests.studies.web.visitors import ServedStudy, Visitor, serve_study


@pytest.fixture
def split(tmp_path: Path) -> Iterator[ServedStudy]:
    """Two judges who differ on all four pairs, and agree on the method."""
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study") as served:
        served.invite("Ada").judge_all("clone", reason="Both add.")
        served.invite("Bob").judge_all("not-clone", reason="Only one adds.")
        yield served


@pytest.fixture
def cleo(split: ServedStudy) -> Visitor:
    """The adjudicator, who has entered."""
    visitor = split.invite("Cleo", JudgeRole.ADJUDICATOR)
    visitor.enter()
    return visitor


def add_llm_judgements(folder: Path) -> None:
    judges = pa.table({"judge": ["m"], "kind": [JudgeKind.LLM], "name": ["model-1"], "settings": ["{}"]})
    rows = [
        {
            "judge": "m",
            "subject_kind": "pair",
            "subject": number,
            "criterion": "same-main-purpose",
            "value": "clone",
            "reason": "As a model I would say so.",
        }
        for number in range(4)
    ]
    append_study_judgements(folder, judges, pa.Table.from_pylist(rows))


def test_disagreements_come_with_both_reasons_and_no_names(cleo: Visitor) -> None:
    page = cleo.open("/adjudicate")
    assert "0 decided, 4 open" in page.text
    assert "Judge 1: <strong>Clone</strong>" in page.text
    assert "Judge 2: <strong>Not a clone</strong>" in page.text
    assert "Both add." in page.text
    assert "Only one adds." in page.text
    for secret in (*SECRETS, "Ada", "Bob", "person-"):
        assert secret not in page.text


def test_answers_on_swapped_sides_are_marked(cleo: Visitor, split: ServedStudy) -> None:
    swapped = {vote.item for name in ("Ada", "Bob") for vote in split.votes(name) if vote.swapped}
    assert swapped
    page = cleo.open("/adjudicate")
    texts = [page.text]
    for _ in range(3):
        page = cleo.open(later(page.text))
        texts.append(page.text)
    marked = sum("saw the sides swapped" in text for text in texts)
    assert marked == len(swapped)


def later(text: str) -> str:
    """The link to the next disagreement."""
    return text.split('" data-swap="main" data-key="k"')[0].rpartition('href="')[2].replace("&amp;", "&")


@pytest.mark.parametrize("show_llm", [True, False])
def test_llm_answers_are_shown_only_if_the_protocol_says_so(tmp_path: Path, show_llm: bool) -> None:
    write_sample(tmp_path / "study", replace(without_checks(), show_llm=show_llm))
    add_llm_judgements(tmp_path / "study")
    with serve_study(tmp_path / "study") as served:
        served.invite("Ada").judge_all("clone")
        served.invite("Bob").judge_all("not-clone")
        text = served.invite("Cleo", JudgeRole.ADJUDICATOR).enter().text
    assert ("Language model model-1: <strong>Clone</strong>" in text) is show_llm
    assert ("As a model I would say so." in text) is show_llm


def test_judges_never_see_llm_answers(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", without_checks())
    add_llm_judgements(tmp_path / "study")
    with serve_study(tmp_path / "study") as served:
        for page in served.invite("Ada").judge_all():
            assert "model" not in page.text.lower()


def test_a_decision_is_stored_with_its_reason(cleo: Visitor, split: ServedStudy) -> None:
    page = cleo.open("/adjudicate")
    after = cleo.answer(page, "not-clone", "/adjudicate", reason="The second one does not add.")
    assert "1 decided, 3 open" in after.text
    (vote,) = split.votes("Cleo")
    assert (vote.kind, vote.value) == (VoteKind.ADJUDICATION, "not-clone")
    assert vote.reason == "The second one does not add."
    assert vote.item.kind is ItemKind.PAIR
    assert list(split.vote_store.adjudications()) == [vote.item]


def test_a_repeated_decision_counts_once(cleo: Visitor, split: ServedStudy) -> None:
    page = cleo.open("/adjudicate")
    for _ in range(2):
        assert cleo.answer(page, "clone", "/adjudicate", reason="Because.").status == 200
    assert len(split.votes("Cleo")) == 1


@pytest.mark.parametrize("fields", [{"reason": " "}, {"value": "skip"}, {"value": "major"}, {"item": "x"}], ids=str)
def test_a_decision_needs_an_answer_and_a_reason(cleo: Visitor, split: ServedStudy, fields: dict[str, str]) -> None:
    form = cleo.open("/adjudicate").form("/adjudicate").fields
    assert cleo.send("/adjudicate", {**form, "value": "clone", "reason": "Because.", **fields}).status == 400
    assert split.votes("Cleo") == []


def test_a_decision_can_be_taken_back(cleo: Visitor, split: ServedStudy) -> None:
    page = cleo.open("/adjudicate")
    after = cleo.answer(page, "clone", "/adjudicate", reason="Because.")
    back = cleo.undo(after, "/adjudicate/undo")
    assert "0 decided, 4 open" in back.text
    assert split.vote_store.adjudications() == {}


def test_what_is_decided_elsewhere_leads_on(cleo: Visitor, split: ServedStudy) -> None:
    page = cleo.open("/adjudicate")
    dora = split.invite("Dora", JudgeRole.ADJUDICATOR)
    dora.answer(dora.enter(), "clone", "/adjudicate", reason="Because.")
    item = page.form("/adjudicate").fields["item"]
    assert "0 decided, 3 open" in cleo.open(f"/adjudicate?item={item}&show=differences").text


def test_when_all_is_decided_the_page_says_so(cleo: Visitor) -> None:
    page = cleo.open("/adjudicate")
    for _ in range(4):
        page = cleo.answer(page, "clone", "/adjudicate", reason="Because.")
    assert "No open disagreements" in page.text
    assert "Decisions so far: 4." in page.text
