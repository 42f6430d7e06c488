"""Early stopping, and the choice of the threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.training import Epoch, TrainingSpec, training_cautions
from clonetruth.training.trainer import Floats, Integers, Trainer, Weights, best_threshold, f1_has_fallen

TRUTH = np.array([True, True, False, False])
SCORES = {1.0: [4.0, 3, 2, 1], 0.8: [4.0, 1, 2, 0], 2 / 3: [1.0, 1, 1, 1]}
"""Validation scores by the best F1 that they allow."""


class EpochCounter:
    """A model that learns nothing; its only weight counts the epochs."""

    def __init__(self) -> None:
        self.epochs = 0

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        assert sorted(np.concatenate(list(batches))) == list(range(10))
        self.epochs += 1
        return 1 / self.epochs

    def weights(self) -> Weights:
        return {"epochs": np.array(self.epochs)}

    state = weights

    def restore(self, state: Weights) -> None:
        self.epochs = int(state["epochs"])


def trained(f1_by_epoch: Sequence[float], patience: int = 3, *, stops_early: bool = True) -> tuple[int, list[float]]:
    """The epoch that was kept, and the F1 of all epochs, for the given course of F1."""

    def validation_scores(weights: Weights) -> Floats:
        return np.array(SCORES[f1_by_epoch[int(weights["epochs"]) - 1]])

    options = TrainingSpec(epochs=len(f1_by_epoch), batch=4, patience=patience)
    run = Trainer(10, validation_scores, TRUTH, "digest", options, stops_early).fit(EpochCounter())
    return int(run.weights["epochs"]), [epoch.f1 for epoch in run.history]


def test_the_first_best_epoch_is_kept() -> None:
    assert trained([2 / 3, 1.0, 0.8, 1.0])[0] == 2


def test_only_consecutive_drops_stop_the_training() -> None:
    assert len(trained([1.0, 0.8, 2 / 3, 0.8, 0.8, 1.0], patience=2)[1]) == 3
    assert len(trained([1.0, 0.8, 0.8, 2 / 3, 0.8, 2 / 3], patience=2)[1]) == 6
    assert trained([0.8, 2 / 3, 0.8, 2 / 3, 1.0], patience=1, stops_early=False)[0] == 5


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), max_size=8), st.integers(1, 3))
def test_f1_has_fallen_if_each_epoch_is_lower(values: list[float], times: int) -> None:
    history = [Epoch(0.0, f1, 0.0) for f1 in values]
    falls = [after < before for before, after in pairwise(values)]
    assert f1_has_fallen(history, times) == (len(falls) >= times and all(falls[-times:]))


PAIRS = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan]), st.booleans()), min_size=1, max_size=8)


@settings(deadline=None)
@given(PAIRS.filter(lambda pairs: any(clone for _, clone in pairs) and any(score == score for score, _ in pairs)))
def test_no_threshold_is_better(pairs: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in pairs]), np.array([clone for _, clone in pairs])

    def f1(threshold: float) -> float:
        predicted = scores >= threshold
        return float(2 * (predicted & truth).sum() / (predicted.sum() + truth.sum()))

    threshold, best = best_threshold(scores, truth)
    assert best == pytest.approx(f1(threshold))
    assert best == pytest.approx(max(f1(cut) for cut in (-2, -0.5, 0.25, 1, 3)))


@pytest.mark.parametrize(
    ("f1", "epochs", "improving"),
    [
        ([0.5, 0.6, 0.7], 3, True),
        ([0.5, 0.7, 0.7], 3, False),
        ([0.5, 0.6, 0.7], 4, False),
        ([0.7, 0.6, 0.5], 3, False),
        ([0.5], 1, True),
    ],
    ids=["last is best", "as good before", "stopped before the limit", "falls", "one epoch"],
)
def test_a_training_that_was_still_improving_says_so(f1: list[float], epochs: int, improving: bool) -> None:
    history = [Epoch(0.0, value, 0.0) for value in f1]
    detector: Any = SimpleNamespace(name="mine", history=history, options=TrainingSpec(epochs=epochs))
    said = training_cautions(detector)
    assert bool(said) == improving
    assert all(f"'mine' was still improving when it ended: the last of {epochs} epochs" in one for one in said)


def test_a_model_that_tells_nothing_apart_says_so() -> None:
    history = [Epoch(0.7, 0.4, 0.5, 1), Epoch(1e9, 0.4, 0.5, 1)]
    detector: Any = SimpleNamespace(name="mine", history=history, options=TrainingSpec(epochs=2))
    (said,) = training_cautions(detector)
    assert "all validation pairs the same score" in said
    assert "from 0.7 to 1e+09" in said


@pytest.mark.parametrize(
    ("option", "value"), [("level", 4), ("epochs", 0), ("batch", 0), ("rate", -0.1), ("patience", 0), ("seed", -1)]
)
def test_invalid_options_are_refused(option: str, value: float) -> None:
    given: dict[str, Any] = {option: value}
    with pytest.raises(InputError) as refused:
        TrainingSpec(**given)
    assert refused.value.where == option
