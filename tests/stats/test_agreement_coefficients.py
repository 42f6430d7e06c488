"""The coefficients against published worked examples, and by their definitions."""

from __future__ import annotations

import csv
import gzip
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.agreement import MISSING, Agreement, Ratings, measure_agreement


def measured(ratings: Ratings) -> Agreement:
    return measure_agreement(ratings, replicates=20)


def from_counts(rows: list[list[int]]) -> Ratings:
    """Ratings in which each row says how many judges gave each answer; which judge it was does not matter."""
    judges = max(map(sum, rows))
    answers = np.full((len(rows), judges), MISSING)
    for number, row in enumerate(rows):
        answers[number, : sum(row)] = np.repeat(np.arange(len(row)), row)
    return Ratings(tuple(map(str, range(judges))), tuple(map(str, range(len(rows[0])))), answers)


def from_lines(*lines: str) -> Ratings:
    """Ratings of one judge a line, `.` for no answer."""
    votes = [
        (subject, str(judge), value)
        for judge, line in enumerate(lines)
        for subject, value in enumerate(line.split())
        if value != "."
    ]
    return Ratings.of(votes, sorted({value for _, _, value in votes}))


def test_cohen_on_a_table_of_a_textbook() -> None:
    found = measured(Ratings.of_table([[20, 5], [10, 15]]))
    assert (found.agreement, found.expected) == (0.7, 0.5)
    assert found.cohen_kappa == pytest.approx(0.4)
    assert found.table == ((20, 5), (10, 15))
    assert (found.prevalence_index, found.bias_index) == (0.1, 0.1)
    assert found.pabak == pytest.approx(0.4)


def test_fleiss_on_fourteen_judges_of_ten_subjects() -> None:
    """The worked example in most textbooks: κ = 0.210, P̄ = 0.378, P̄ₑ = 0.213."""
    rows = [
        *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
        *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
    ]
    found = measured(from_counts(rows))
    assert found.agreement == pytest.approx(0.378, abs=5e-4)
    assert found.expected == pytest.approx(0.213, abs=5e-4)
    assert found.fleiss_kappa == pytest.approx(0.210, abs=5e-4)
    assert found.table is None


KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Four observers, twelve units, with gaps (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability)."""


def test_krippendorff_with_gaps() -> None:
    found = measured(from_lines(*KRIPPENDORFF))
    assert found.krippendorff_alpha == pytest.approx(0.743, abs=5e-4)
    assert found.krippendorff_alpha_ordinal == pytest.approx(0.815, abs=5e-4)
    assert found.subjects == 11


def test_gwet_with_gaps() -> None:
    """The same data in Gwet's Handbook of Inter-Rater Reliability: agreement, AC1 and Fleiss' kappa as extended."""
    found = measured(from_lines(*KRIPPENDORFF))
    assert found.agreement == pytest.approx(0.81818, abs=5e-6)
    assert found.gwet_ac1 == pytest.approx(0.77544, abs=5e-6)
    assert found.fleiss_kappa == pytest.approx(0.76117, abs=5e-6)


def test_krippendorff_of_two_observers() -> None:
    """His first example: ten units, two observers, binary, α = 0.095."""
    found = measured(from_lines("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"))
    assert found.krippendorff_alpha == pytest.approx(0.095, abs=5e-4)


def test_the_totals_of_krinke_and_ragkhitwetsagul() -> None:
    """23 / 341 / 42 of 406, kappa 0.4766. The expected agreement is 80 %; the paper prints 30.3 %."""
    found = measured(Ratings.of_table([[23, 2], [40, 341]]))
    assert (found.subjects, found.differ, dict(found.agreed)) == (406, 42, {"clone": 23, "not-clone": 341})
    assert found.cohen_kappa == pytest.approx(0.4766, abs=5e-5)
    assert found.expected == pytest.approx(0.802, abs=5e-4)


def test_the_kappa_paradox_of_feinstein_and_cicchetti() -> None:
    """Feinstein and Cicchetti (1990): 85 % agreement, kappa 0.70 in balance and 0.32 out of balance."""
    balanced, skewed = (measured(Ratings.of_table(table)) for table in ([[40, 9], [6, 45]], [[80, 10], [5, 5]]))
    assert balanced.cohen_kappa == pytest.approx(0.70, abs=5e-3)
    assert skewed.cohen_kappa == pytest.approx(0.32, abs=5e-3)
    assert balanced.agreement == skewed.agreement == 0.85
    assert not balanced.warnings
    assert "kappa paradox" in skewed.warnings[0]


answers = st.lists(st.lists(st.sampled_from([MISSING, 0, 1, 2]), min_size=3, max_size=3), min_size=2, max_size=12).map(
    lambda rows: Ratings(("a", "b", "c"), ("x", "y", "z"), np.array(rows))
)


@given(answers)
def test_agreement_is_the_share_of_agreeing_pairs_of_judges(ratings: Ratings) -> None:
    shares = []
    for row in ratings.answers.tolist():
        pairs = list(combinations([value for value in row if value != MISSING], 2))
        if pairs:
            shares.append(sum(one == two for one, two in pairs) / len(pairs))
    found = measured(ratings)
    assert found.subjects == len(shares)
    assert found.agreement == (pytest.approx(np.mean(shares)) if shares else None)


@given(answers, st.permutations(range(3)), st.permutations(range(3)))
def test_names_and_order_of_judges_do_not_matter(ratings: Ratings, judges: list[int], categories: list[int]) -> None:
    renamed = np.where(ratings.answers == MISSING, MISSING, np.array(categories)[ratings.answers])
    first = measured(ratings)
    second = measured(Ratings(ratings.judges, ratings.categories, renamed[:, judges]))
    for name in ("agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "pabak"):
        assert getattr(first, name) == (None if getattr(second, name) is None else pytest.approx(getattr(second, name)))


@given(answers)
def test_full_agreement_is_one_and_nothing_exceeds_it(ratings: Ratings) -> None:
    found = measured(ratings)
    for name in ("fleiss_kappa", "krippendorff_alpha", "krippendorff_alpha_ordinal", "gwet_ac1", "pabak"):
        value = getattr(found, name)
        assert value is None or value <= 1 + 1e-9
        if found.subjects and found.differ == 0 and value is not None:
            assert value == pytest.approx(1)
        assert (value is None) == (name in found.undefined and not found.undefined[name].startswith("No interval"))


@given(st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=2, max_size=2))
def test_kappa_of_a_table_by_its_formula(table: list[list[int]]) -> None:
    found = measured(Ratings.of_table(table))
    (a, b), (c, d) = table
    n = a + b + c + d
    if n == 0:
        assert found.cohen_kappa is None
        return
    expected = ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
    if expected == 1:
        assert found.cohen_kappa is None
        assert "0 / 0" in found.undefined["cohen_kappa"]
    else:
        assert found.cohen_kappa == pytest.approx(((a + d) / n - expected) / (1 - expected))


def test_judges_who_guess_agree_no_more_than_by_chance() -> None:
    random = np.random.default_rng(1)
    guesses = Ratings(("a", "b", "c"), ("x", "y"), (random.random((20_000, 3)) < 0.8).astype(np.int64))
    found = measured(guesses)
    for name in ("fleiss_kappa", "krippendorff_alpha"):
        assert abs(getattr(found, name)) < 0.02
    assert found.agreement == pytest.approx(0.68, abs=0.01)


def test_the_judges_of_oreos_precision(shared_data: Path) -> None:
    """Two judges of 400 pairs of each tool, as published."""
    kappas = {}
    for tool in ("oreo", "scc", "nicad", "cloneworks"):
        with gzip.open(shared_data / "oreo_precision" / f"{tool}.jsonl.gz", "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        votes = [(number, judge, row[judge]) for number, row in enumerate(rows) for judge in ("judge1", "judge2")]
        kappas[tool] = measured(Ratings.of(votes, ("tp", "fp")))
    assert kappas["oreo"].cohen_kappa == pytest.approx(0.464, abs=5e-4)
    assert kappas["cloneworks"].cohen_kappa == pytest.approx(0.454, abs=5e-4)
    assert kappas["nicad"].cohen_kappa == pytest.approx(0.129, abs=5e-4)
    paradox = kappas["scc"]
    assert paradox.agreement == 0.9775
    assert paradox.cohen_kappa == pytest.approx(0)
    assert "kappa paradox" in paradox.warnings[0]
    assert paradox.gwet_ac1 == pytest.approx(0.977, abs=5e-4)


def test_the_authors_who_judged_semanticclonebench(shared_data: Path) -> None:
    """Three answers of two authors; the whole has a kappa of 0.749, here is a part of it."""
    with (shared_data / "semanticclonebench" / "java_labels_and_predictions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = ("author1_status", "author2_status")
    votes = [(number, name, row[name]) for number, row in enumerate(rows) for name in columns if row[name]]
    found = measured(Ratings.of(votes, ("clone", "clone-ext", "notclone")))
    assert found.cohen_kappa == pytest.approx(0.749, abs=0.05)
