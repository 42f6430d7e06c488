"""Intervals, undefined numbers and warnings."""

from __future__ import annotations

import numpy as np
import pytest

from clonetruth.stats.agreement import MISSING, Ratings, measure_agreement


def test_intervals_hold_the_value_and_say_how_they_were_made() -> None:
    found = measure_agreement(Ratings.of_table([[15, 1], [29, 226]]))
    assert found.intervals["agreement"].method == "Wilson"
    for name, interval in found.intervals.items():
        assert interval.low < getattr(found, name) < interval.high
    assert found.intervals["cohen_kappa"].method == "bootstrap over subjects, 2000 draws"


def test_the_bootstrap_is_repeatable_and_narrows_with_subjects() -> None:
    few, many = (Ratings.of_table(np.array([[8, 2], [3, 7]]) * factor) for factor in (2, 50))
    widths = []
    for ratings in (few, many):
        interval = measure_agreement(ratings).intervals["cohen_kappa"]
        assert measure_agreement(ratings).intervals["cohen_kappa"] == interval
        widths.append(interval.high - interval.low)
    assert widths[1] == pytest.approx(widths[0] / 5, rel=0.15)


def test_the_bootstrap_covers_the_true_kappa() -> None:
    """Two judges who each err on a tenth of the subjects, half of which are clones: kappa is 0.64."""
    random = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        truth = random.random(150) < 0.5
        answers = (truth[:, None] ^ (random.random((150, 2)) < 0.1)).astype(np.int64)
        interval = measure_agreement(Ratings(("a", "b"), ("x", "y"), answers), replicates=400).intervals["cohen_kappa"]
        hits += interval.low <= 0.64 <= interval.high
    # 190 are expected, with a standard deviation of 3.
    assert hits >= 178


def test_what_is_undefined_says_why() -> None:
    nobody = measure_agreement(Ratings.of([(0, "a", "x")], ("x", "y"), ("a", "b")))
    assert nobody.agreement is None
    assert nobody.undefined["agreement"] == "No subject was answered by two judges."
    same = measure_agreement(Ratings.of_table([[40, 0], [0, 0]]))
    assert (same.agreement, same.cohen_kappa, same.krippendorff_alpha) == (1.0, None, None)
    assert "0 / 0" in same.undefined["cohen_kappa"]
    assert same.gwet_ac1 == 1.0
    three = measure_agreement(Ratings(("a", "b", "c"), ("x", "y"), np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])))
    assert "two judges" in three.undefined["cohen_kappa"]
    labels = measure_agreement(Ratings.of_table(np.eye(3) * 20, ("x", "y", "z")))
    assert "two answers" in labels.undefined["prevalence_index"]


def test_more_than_two_judges_are_compared_in_twos() -> None:
    answers = np.array([[0, 0, MISSING], [0, 1, MISSING], [MISSING, 1, 1], [MISSING, 0, 0]])
    found = measure_agreement(Ratings(("a", "b", "c"), ("x", "y"), answers), replicates=20)
    assert [two.judges for two in found.between] == [("a", "b"), ("b", "c")]
    assert [two.table for two in found.between] == [((1, 1), (0, 0)), ((1, 0), (0, 1))]
    assert (found.subjects, found.votes, found.differ) == (4, 8, 1)


@pytest.mark.parametrize(("table", "size"), [([[30, 0], [0, 10]], 2), ([[20, 0, 0], [0, 20, 0], [0, 0, 5]], 3)])
def test_judges_who_always_agree_may_still_disagree_elsewhere(table: list[list[int]], size: int) -> None:
    """No bootstrap draw shows a disagreement; there was no interval."""
    found = measure_agreement(Ratings.of_table(table, ("x", "y", "z")[:size]))
    share = found.intervals["agreement"]
    for name in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "pabak"):
        interval = found.intervals[name]
        assert (getattr(found, name), interval.high, interval.method) == (pytest.approx(1), 1, "Wilson's bound")
        assert 0.4 < interval.low < share.low
    assert found.intervals["pabak"].low == pytest.approx((size * share.low - 1) / (size - 1))


def test_few_subjects_have_no_interval_between_draws() -> None:
    found = measure_agreement(Ratings.of_table([[4, 1], [1, 3]]))
    assert found.cohen_kappa is not None
    assert "cohen_kappa" not in found.intervals
    assert found.undefined["cohen_kappa"] == "No interval: fewer than 10 subjects with two answers."
    assert "agreement" in found.intervals


def test_few_subjects_are_mentioned() -> None:
    assert any("rough" in line for line in measure_agreement(Ratings.of_table([[5, 1], [1, 5]])).warnings)


@pytest.mark.parametrize("table", [[[1, 2, 3], [4, 5, 6]], [[-1, 0], [0, 1]], [[0.5, 0], [0, 1]]])
def test_anything_but_a_table_of_counts_is_refused(table: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="is not a 2 × 2 table of counts"):
        Ratings.of_table(table)


def test_the_later_of_two_answers_counts_and_foreign_ones_are_gaps() -> None:
    votes = [(0, "a", "x"), (0, "b", "x"), (0, "a", "y"), (1, "a", "x"), (1, "b", "undecided")]
    assert Ratings.of(votes, ("x", "y")).answers.tolist() == [[1, 0], [0, MISSING]]
