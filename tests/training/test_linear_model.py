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
from clonetruth.training.linear_model import LogisticRegression, logistic, minimise
from clonetruth.training.trainer import Floats, best_threshold
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


def test_every_epoch_is_the_minimum_of_the_loss_under_half_the_penalty() -> None:
    """After each epoch, no step in any direction reduces the mean loss with its penalty."""
    random = np.random.default_rng(3)
    sets = [frozenset(word for word in WORDS if random.random() < 0.5) | {"a"} for _ in range(12)]
    bags = WordVocabulary(WORDS).bags(sets)
    left, right = np.triu_indices(12, 1)
    truth = random.random(len(left)) < 0.4
    model = LogisticRegression(TrainingSet(bags, left, right, truth), TrainingSpec())

    def objective(weights: dict[str, Floats], penalty: float) -> float:
        probability = logistic(weights, bags, left, right, ignore)
        squares = (weights["has"] ** 2).sum() + (weights["shares"] ** 2).sum()
        return float(-np.log(np.where(truth, probability, 1 - probability)).mean() + penalty / 2 * squares)

    losses = []
    for epoch in range(12):
        losses.append(model.run_epoch(iter([np.arange(len(left))])))
        fitted, penalty = dict(model.weights()), 0.5**epoch
        for name, array in fitted.items():
            for index in range(len(array)):
                for step in (-0.03, 0.03):
                    moved = array.copy()
                    moved[index] += step
                    assert objective({**fitted, name: moved}, penalty) > objective(fitted, penalty)
    assert losses == sorted(losses, reverse=True)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 6), st.integers(0, 99))
def test_minimise_finds_the_minimum_of_a_convex_function(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    root, target = random.normal(size=(size, size)), random.normal(size=size)
    curvature = root @ root.T + 0.1 * np.eye(size)

    def function(point: Floats) -> tuple[float, Floats]:
        away = point - target
        return float(away @ curvature @ away / 2 + np.logaddexp(0, away).sum()), curvature @ away + 1 / (
            1 + np.exp(-away)
        )

    found = minimise(function, np.zeros(size), tolerance=1e-6, steps=500)
    assert np.abs(function(found)[1]).max() <= 1e-6


def test_words_beyond_the_memory_limit_are_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    data = training_data()
    learner, options = LEARNERS["linear"], TrainingSpec(epochs=4)
    whole = learner.train(data.fragments, data.train, data.valid, options).score(data.fragments, data.test)
    monkeypatch.setattr("clonetruth.training.linear_model._PAIRS", 20)
    monkeypatch.setattr("clonetruth.training.linear_model._REMEMBERED_WORDS", 100)
    again = learner.train(data.fragments, data.train, data.valid, options).score(data.fragments, data.test)
    assert np.allclose(whole.to_numpy(), again.to_numpy(), atol=1e-3)


def test_a_penalty_keeps_what_holds_for_other_fragments() -> None:
    """Where a quarter of the training labels are wrong, the weakest penalty memorises them."""
    random = np.random.default_rng(1)
    noise = [f"w{number}" for number in range(300)]
    topics = random.integers(0, 2, 60)
    sets = [frozenset({f"t{topic}", *random.choice(noise, 12, replace=False).tolist()}) for topic in topics.tolist()]
    bags = WordVocabulary(tuple(sorted({word for one in sets for word in one}))).bags(sets)
    parts = [np.triu_indices(30, 1), np.add(np.triu_indices(30, 1), 30)]
    (left, right), (other_left, other_right) = parts
    truth, unseen = topics[left] == topics[right], topics[other_left] == topics[other_right]
    truth ^= random.random(len(truth)) < 0.25
    model = LogisticRegression(TrainingSet(bags, left, right, truth), TrainingSpec())
    found = []
    for _ in range(20):
        model.run_epoch(iter([]))
        scores = logistic(model.weights(), bags, other_left, other_right, ignore)
        found.append(best_threshold(scores, unseen)[1])
    assert max(found[:-1]) > found[-1] + 0.02, "the weakest penalty is not the best"


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
