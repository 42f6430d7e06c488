"""Influences are derivatives: giving one pair a little more weight moves the metric by that much."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.calibration import ece_influence, reliability
from clonetruth.stats.influence import average_precision_influence, roc_auc_influence
from clonetruth.stats.ranking import average_precision, ranked, roc_auc

SCORED = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=3, max_size=20).filter(
    lambda rows: len({clone for _, clone in rows}) == 2
)


@given(SCORED, st.data())
def test_of_ranking(rows: list[tuple[int, bool]], data: st.DataObject) -> None:
    scores, truth = np.array([score for score, _ in rows], float), np.array([clone for _, clone in rows])
    steps, step = ranked(scores, truth)
    pair = data.draw(st.integers(0, len(rows) - 1))
    weights = np.ones(len(rows))
    weights[pair] += 1e-6
    for metric, influence in ((roc_auc, roc_auc_influence), (average_precision, average_precision_influence)):
        value, moved = metric(scores, truth), metric(scores, truth, weights)
        assert value is not None
        assert moved is not None
        values = influence(steps, step, truth, value).values
        assert values[pair] == pytest.approx((moved - value) * 1e6, abs=1e-4)
        assert values.sum() == pytest.approx(0, abs=1e-9)


def test_of_calibration() -> None:
    random = np.random.default_rng(5)
    scores = random.random(200)
    truth = random.random(200) < scores**2
    curve = reliability(scores, truth)
    values = ece_influence(scores, truth, curve).values
    assert values.sum() == pytest.approx(0, abs=1e-12)
    for pair in (0, 17, 150):
        weights = np.ones(200)
        weights[pair] += 1e-6
        moved, value = reliability(scores, truth, weights).ece, curve.ece
        assert moved is not None
        assert value is not None
        assert values[pair] == pytest.approx((moved - value) * 1e6, abs=1e-5)
