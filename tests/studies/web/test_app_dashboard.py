"""The owner's page, and the votes as files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from clonetruth.store.study import read_study
from clonetruth.store.study_judgements import STUDY_JUDGEMENTS
from clonetruth.store.votes import JudgeRole
from clonetruth.studies.live_overview import study_overview
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visitors import Page, ServedStudy, serve_study


def dashboard(served: ServedStudy) -> Page:
    return served.invite("Olga", JudgeRole.OWNER).enter()


def test_before_the_first_vote_nothing_is_known(served: ServedStudy) -> None:
    page = dashboard(served)
    assert "0 of 4 pairs have all their votes" in page.words
    assert "No two judges have answered the same subject yet." in page.words
    assert "– of the labels are wrong" in page.words
    assert "0.0" not in page.words, "unknown is not zero"


def test_two_judges_and_an_adjudicator(served: ServedStudy) -> None:
    served.invite("Ada").judge_all("clone")
    bob = served.invite("Bob")
    page = bob.enter()
    for value in ("clone", "clone", "not-clone", "not-clone", "major"):
        page = bob.answer(page, value, seconds="20")
    cleo = served.invite("Cleo", JudgeRole.ADJUDICATOR)
    cleo.answer(cleo.enter(), "not-clone", "/adjudicate", reason="So it is.")
    page = dashboard(served)
    assert "4 of 4 pairs have all their votes 1 awaiting a decision" in page.words
    assert "50.0\u202f% agreement so far" in page.words
    # Three pairs have a verdict, all are labelled clones, and the adjudicator called one of them none.
    assert "33.3\u202f% of the labels are wrong (estimate)" in page.words
    # Pseudonyms are drawn, and with them the order of the judges.
    assert "Ada Bob 4 2 2 0 0 50.00" in page.words or "Bob Ada 4 2 0 2 0 50.00" in page.words
    assert "Bob judge active 5 0 0 – 20" in page.words
    assert "Cleo adjudicator active 1 1 0" in page.words
    assert "Add numbers 4 4 2 2 1" in page.words


def test_the_overview_is_what_the_page_shows(served: ServedStudy) -> None:
    served.invite("Ada").judge_all("clone")
    served.invite("Bob").judge_all("not-clone")
    found = study_overview(read_study(served.folder), served.vote_store)
    pairs, methods = found.kinds
    assert (pairs.subjects, pairs.judged, pairs.agreed, pairs.differ, pairs.decided) == (4, 4, 0, 4, 0)
    assert (methods.subjects, methods.agreed) == (1, 1)
    assert found.agreement is not None
    assert found.agreement.pairs is not None
    assert found.agreement.pairs.agreement == 0
    assert found.estimate is not None
    assert found.estimate.unknown == 4
    assert found.estimate.labels.weighted.value is None


def test_names_of_judges_are_escaped(served: ServedStudy) -> None:
    served.invite("<b>Ada</b>").judge_all()
    served.invite("<b>Bob</b>").judge_all()
    page = dashboard(served)
    assert "<b>" not in page.text
    assert page.text.count("&lt;b&gt;Ada&lt;/b&gt;") == 3


def test_a_study_that_asks_for_ratings_has_no_verdicts(tmp_path: Path) -> None:
    protocol = replace(without_checks(), answers=("agree", "conditionally", "disagree"))
    write_sample(tmp_path / "study", protocol, criterion="same-goals", methods=False)
    with serve_study(tmp_path / "study") as served:
        for name, value in (("Ada", "agree"), ("Bob", "disagree")):
            judge = served.invite(name)
            page = judge.enter()
            assert page.form("/judge").answers == ["agree", "conditionally", "disagree", "skip"]
            for _ in range(4):
                page = judge.answer(page, value)
        assert served.invite("Cleo", JudgeRole.ADJUDICATOR).enter().words.count("Judge 1: Agree") == 1
        page = dashboard(served)
    assert "0.0\u202f% agreement so far" in page.words
    assert "of the labels are wrong" not in page.words


def test_votes_can_be_taken_home(served: ServedStudy) -> None:
    served.invite("Ada").judge_all("clone", reason='Said "yes", twice.\nReally.')
    olga = served.invite("Olga", JudgeRole.OWNER)
    olga.enter()
    parquet = olga.open("/votes.parquet")
    table = pq.read_table(io.BytesIO(parquet.content))
    assert table.schema.equals(STUDY_JUDGEMENTS)
    rows = list(csv.DictReader(io.StringIO(olga.open("/votes.csv").text)))
    assert [row["value"] for row in rows] == table["value"].to_pylist() == ["clone"] * 4 + ["major"]
    assert rows[0]["reason"] == 'Said "yes", twice.\nReally.'
    assert "attachment" in parquet.headers["content-disposition"]
    assert "Ada" not in olga.open("/votes.csv").text, "judges go by their pseudonyms"


def test_a_reason_cannot_become_a_formula(served: ServedStudy) -> None:
    served.invite("Ada").judge_all("clone", reason="=HYPERLINK(A1)")
    olga = served.invite("Olga", JudgeRole.OWNER)
    olga.enter()
    exact, safe = (
        [row["reason"] for row in csv.DictReader(io.StringIO(olga.open(f"/votes.csv{query}").text))]
        for query in ("", "?spreadsheet-safe")
    )
    assert set(exact) == {"=HYPERLINK(A1)"}
    assert set(safe) == {"'=HYPERLINK(A1)"}
