"""The linear models: their scores and their fit."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.detectors.word_bags import WordVocabulary
from clonetruth.training import LEARNERS, TrainingSpec
from clonetruth.training.bag_detector import TrainingSet
from clonetruth.training.linear_model import LogisticRegression, logistic
from tests.training.training_data import training_data

WORDS = tuple("abcde")
SETS = st.lists(st.frozensets(st.sampled_from(WORDS), min_size=1), min_size=2, max_size=5)


def ignore(done: int) -> None:
    """A progress callback that does nothing."""


@settings(deadline=None, max_examples=50)
@given(SETS, st.integers(0, 9))
def test_the_score_adds_words_of_either_side_and_of_both(sets: list[frozenset[str]], seed: int) -> None:
    has, shares = np.random.default_rng(seed).normal(size=(2, len(WORDS)))
    left, right = (side.ravel() for side in np.indices((len(sets), len(sets))))
    weights = {"has": has, "shares": shares, "bias": np.array([0.5])}
    scores = logistic(weights, WordVocabulary(WORDS).bags(sets), left, right, ignore)
    for a, b, score in zip(left, right, scores, strict=True):
        odds = 0.5 + sum(has[WORDS.index(word)] for own in (sets[a], sets[b]) for word in own)
        odds += sum(shares[WORDS.index(word)] for word in sets[a] & sets[b])
        assert score == pytest.approx(1 / (1 + np.exp(-odds)))


def test_the_fit_is_the_minimum_of_the_loss() -> None:
    """At the end, no step in any direction reduces the mean loss."""
    random = np.random.default_rng(3)
    sets = [frozenset(word for word in WORDS if random.random() < 0.5) | {"a"} for _ in range(12)]
    bags = WordVocabulary(WORDS).bags(sets)
    left, right = np.triu_indices(12, 1)
    truth = random.random(len(left)) < 0.4
    model = LogisticRegression(TrainingSet(bags, left, right, truth), TrainingSpec(rate=0.003))

    def loss(weights: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]) -> float:
        probability = logistic(weights, bags, left, right, ignore)
        return float(-np.log(np.where(truth, probability, 1 - probability)).mean())

    for _ in range(3000):
        model.run_epoch(iter([np.arange(len(left))]))
    fitted = dict(model.weights())
    for name, array in fitted.items():
        for index in range(len(array)):
            for step in (-0.3, 0.3):
                moved = array.copy()
                moved[index] += step
                assert loss({**fitted, name: moved}) > loss(fitted) - 1e-5


def test_identifiers_reads_names_only() -> None:
    data = training_data()
    detector = LEARNERS["identifiers"].train(data.fragments, data.train, data.valid, TrainingSpec(epochs=2))
    texts = ["int f(int a) { return sortAll(a); }", "void f() { sortAll(a); a = 7; }", "int f(int a) { return a; }"]
    pairs = pa.table({"pair": [0, 1], "left": [0, 0], "right": [1, 2]})
    fragments = pa.table({"fragment": [0, 1, 2], "language": ["java"] * 3, "text": texts})
    same, unknown = detector.score(fragments, pairs).to_pylist()
    itself = detector.score(fragments, pa.table({"pair": [0], "left": [0], "right": [0]})).to_pylist()[0]
    assert same == itself
    assert unknown is None
