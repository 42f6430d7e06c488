"""When a training stops, and which threshold it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.training import Epoch, TrainingOptions
from clonetruth.training.trainer import Floats, Integers, Trainer, Weights, best_threshold, has_fallen

TRUTH = np.array([True, True, False, False])
SCORES = {1.0: [4.0, 3, 2, 1], 0.8: [4.0, 1, 2, 0], 2 / 3: [1.0, 1, 1, 1]}
"""Scores by the best F1 that they allow."""


class Student:
    """Learns nothing, and has a weight that counts its epochs."""

    def __init__(self) -> None:
        self.epochs = 0

    def study(self, batches: Iterator[Integers]) -> float:
        assert sorted(np.concatenate(list(batches))) == list(range(10))
        self.epochs += 1
        return 1 / self.epochs

    def weights(self) -> Weights:
        return {"epochs": np.array(self.epochs)}

    state = weights

    def restore(self, state: Weights) -> None:
        self.epochs = int(state["epochs"])


def schooled(marks: Sequence[float], patience: int = 3) -> tuple[int, list[float]]:
    """The epoch that was kept, and the F1 of all epochs, for exams that come out like this."""

    def exam(weights: Weights) -> Floats:
        return np.array(SCORES[marks[int(weights["epochs"]) - 1]])

    chosen = TrainingOptions(epochs=len(marks), batch=4, patience=patience)
    found = Trainer(10, exam, TRUTH, "lesson", chosen).teach(Student())
    return int(found.weights["epochs"]), [epoch.f1 for epoch in found.history]


def test_the_first_best_epoch_is_kept() -> None:
    assert schooled([2 / 3, 1.0, 0.8, 1.0])[0] == 2


def test_stops_after_falls_in_a_row_only() -> None:
    assert len(schooled([1.0, 0.8, 2 / 3, 0.8, 0.8, 1.0], patience=2)[1]) == 3
    assert len(schooled([1.0, 0.8, 0.8, 2 / 3, 0.8, 2 / 3], patience=2)[1]) == 6


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), max_size=8), st.integers(1, 3))
def test_fallen_means_lower_each_time(marks: list[float], times: int) -> None:
    history = [Epoch(0.0, mark, 0.0) for mark in marks]
    falls = [after < before for before, after in pairwise(marks)]
    assert has_fallen(history, times) == (len(falls) >= times and all(falls[-times:]))


PAIRS = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan]), st.booleans()), min_size=1, max_size=8)


@settings(deadline=None)
@given(PAIRS.filter(lambda pairs: any(clone for _, clone in pairs) and any(score == score for score, _ in pairs)))
def test_no_threshold_is_better(pairs: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in pairs]), np.array([clone for _, clone in pairs])

    def f1(threshold: float) -> float:
        said = scores >= threshold
        return float(2 * (said & truth).sum() / (said.sum() + truth.sum()))

    threshold, best = best_threshold(scores, truth)
    assert best == pytest.approx(f1(threshold))
    assert best == pytest.approx(max(f1(cut) for cut in (-2, -0.5, 0.25, 1, 3)))


@pytest.mark.parametrize(
    ("option", "value"), [("level", 4), ("epochs", 0), ("batch", 0), ("rate", -0.1), ("patience", 0), ("seed", -1)]
)
def test_options_that_make_no_sense_are_refused(option: str, value: float) -> None:
    given: dict[str, Any] = {option: value}
    with pytest.raises(InputError) as refused:
        TrainingOptions(**given)
    assert refused.value.where == option
