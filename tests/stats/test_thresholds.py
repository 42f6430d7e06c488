"""The chosen threshold is the best there is, and always the same one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.stats.rates import RATES, cells
from clonetruth.stats.thresholds import choose_threshold

SCORED = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=20).filter(
    lambda rows: len({clone for _, clone in rows}) == 2
)


def metric_at(threshold: float, rows: list[tuple[int, bool]], metric: str) -> float:
    scores, truth = np.array([s for s, _ in rows], float), np.array([clone for _, clone in rows])
    counts = np.bincount(cells(scores >= threshold, truth), minlength=4).astype(float)
    return float(RATES[metric].value(counts))


@given(SCORED, st.sampled_from([*RATES]))
def test_no_threshold_is_better_and_no_lower_one_as_good(rows: list[tuple[int, bool]], metric: str) -> None:
    scores, labels = zip(*rows, strict=True)
    if metric == "mcc" and len(set(scores)) == 1:
        with pytest.raises(InputError, match="undefined at every threshold"):
            choose_threshold(scores, labels, metric)
        return
    chosen = choose_threshold(scores, labels, metric)
    assert metric_at(chosen.value, rows, metric) == chosen.score_on_validation
    for threshold in np.arange(-1, 10, 0.5):
        other = metric_at(float(threshold), rows, metric)
        reported = {score for score in scores if score >= threshold}
        lower = len(reported) > len({score for score in scores if score >= chosen.value})
        assert (
            np.isnan(other) or other < chosen.score_on_validation or (not lower and other <= chosen.score_on_validation)
        )


def test_the_middle_between_neighbours() -> None:
    chosen = choose_threshold([0.9, 0.6, 0.4, 0.1], [True, True, False, False])
    assert chosen.value == pytest.approx(0.5)
    assert chosen.score_on_validation == 1
    assert chosen.n == 4
    assert chosen.rule == "score ≥ 0.5, the best f1 (1.000) on 4 validation pairs"


def test_neighbouring_doubles_have_no_middle() -> None:
    low = 0.5
    high = float(np.nextafter(low, 1))
    assert choose_threshold([high, low], [True, False]).value == high
    assert choose_threshold([np.inf, -np.inf], [True, False]).value == np.inf


def test_reporting_nothing_may_be_best() -> None:
    chosen = choose_threshold([0.9, 0.1], [False, True], "specificity")
    assert chosen.value > 0.9
    assert chosen.score_on_validation == 1


@pytest.mark.parametrize(
    ("labels", "said"), [([True, True], "only clones"), ([False, False], "only non-clones"), ([], "no pairs")]
)
def test_one_class_is_no_ground_for_a_choice(labels: list[bool], said: str) -> None:
    with pytest.raises(InputError, match=said):
        choose_threshold([0.5] * len(labels), labels)


def test_a_metric_of_scores_has_no_threshold() -> None:
    with pytest.raises(InputError, match="roc-auc"):
        choose_threshold([0.1, 0.2], [True, False], "roc-auc")
