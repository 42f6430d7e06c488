"""The mean over divisions: a repeated division adds nothing, and functionalities are the observations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.divisions import DivisionMean, DivisionValue
from clonetruth.stats.rates import Floats


def value(
    tested: Sequence[int], scores: Sequence[float] | Floats, sizes: Sequence[float] | None = None
) -> DivisionValue:
    """The mean of the scores of functionalities, weighted by their sizes; pairs stay within functionalities."""
    stake = np.array(sizes if sizes is not None else [1.0] * len(tested))
    stake = stake / stake.sum()
    mean = float(stake @ np.array(scores))
    ends = np.array(tested, np.int64)
    return DivisionValue(frozenset(tested), mean, ends, ends, stake * (np.array(scores) - mean), stake)


def width(values: Sequence[DivisionValue]) -> float:
    spread = DivisionMean.of(values).spread()
    assert spread is not None
    return spread.margin()


SCORES = st.lists(st.floats(0, 1), min_size=4, max_size=9)


@given(SCORES, st.integers(2, 20))
def test_a_repeated_division_changes_nothing(scores: list[float], repeated: int) -> None:
    once = value(range(len(scores)), scores)
    first, again = DivisionMean.of([once]), DivisionMean.of([once] * repeated)
    assert (again.divisions, again.functionalities) == (1, len(scores))
    assert again.value == pytest.approx(first.value)
    assert width([once] * repeated) == pytest.approx(width([once]), rel=1e-9)


@given(SCORES)
def test_functionalities_tested_one_by_one_give_nearly_students_interval(scores: list[float]) -> None:
    """A division for each functionality: the classical interval of their mean, but for the jackknife's n - 1."""
    found = DivisionMean.of([value([at], [score]) for at, score in enumerate(scores)])
    spread = found.spread()
    assert spread is not None
    assert found.value == pytest.approx(float(np.mean(scores)))
    assert spread.effective == pytest.approx(len(scores))
    assert spread.variance == pytest.approx(np.var(scores, ddof=1) / (len(scores) - 1), abs=1e-12)


def test_new_functionalities_narrow_the_interval_and_new_seeds_on_the_same_do_not() -> None:
    random = np.random.default_rng(2)
    scores = random.normal(0.5, 0.1, 30)
    few = [value(range(at, at + 2), scores[at : at + 2]) for at in range(0, 8, 2)]
    noise = random.normal(0, 0.001, (10, 8))
    repeated = [
        value(range(at, at + 2), scores[at : at + 2] + extra[at : at + 2]) for extra in noise for at in range(0, 8, 2)
    ]
    many = [value(range(at, at + 2), scores[at : at + 2]) for at in range(0, 30, 2)]
    assert width(repeated) > 0.9 * width(few)
    assert width(many) < 0.7 * width(few)


@pytest.mark.parametrize("tested", [1, 2])
def test_too_few_functionalities_have_no_interval(tested: int) -> None:
    found = DivisionMean.of([value(range(tested), [0.4, 0.5][:tested])] * 20)
    assert (found.functionalities, found.divisions, found.spread()) == (tested, 1, None)


def test_one_functionality_with_nearly_all_pairs_has_no_interval() -> None:
    assert DivisionMean.of([value(range(4), [0.4, 0.5, 0.6, 0.7], [1000, 1, 1, 1])]).spread() is None


def test_unknown_functionalities_are_not_counted() -> None:
    ends = np.array([-1, -1])
    found = DivisionMean.of([DivisionValue("d", 0.5, ends, ends, np.array([0.1, -0.1]), np.array([0.5, 0.5]))])
    assert found.functionalities == 0
    assert found.spread() is None


def test_agreement_by_luck_is_not_certainty() -> None:
    """Functionalities with equal scores: the variance is still that of independent pairs."""
    ends = np.arange(6)
    equal = DivisionValue("d", 0.5, ends, ends, np.zeros(6), np.full(6, 1 / 6), independent=0.01)
    for values in ([equal], [equal] * 5):
        spread = DivisionMean.of(values).spread()
        assert spread is not None
        assert spread.variance == pytest.approx(0.01)


@given(SCORES, st.floats(-0.3, 0.3))
def test_a_constant_drop_is_certain(scores: list[float], lost: float) -> None:
    """The same functionalities before and after: what they have in common cancels."""
    before = DivisionMean.of([value(range(len(scores)), scores)])
    after = DivisionMean.of([value(range(len(scores)), [score - lost for score in scores])])
    drop = before.minus(after)
    spread = drop.spread()
    assert spread is not None
    assert drop.value == pytest.approx(lost)
    assert spread.margin() == pytest.approx(0, abs=1e-6)


def test_a_drop_to_too_few_functionalities_has_no_interval() -> None:
    before = DivisionMean.of([value(range(8), [0.9] * 8)])
    assert before.minus(DivisionMean.of([value([0, 1], [0.4, 0.5])])).spread() is None


# Coverage: functionalities with effects of their own, and a model for each division.


def evaluation(
    tested: Sequence[int], effect: Floats, size: Floats, model: float, random: np.random.Generator
) -> DivisionValue:
    """One division, with clones within functionalities and non-clones across them."""
    first, second = np.triu_indices(len(tested))
    ends = np.array(tested)
    score = (effect[ends[first]] + effect[ends[second]]) / 2 + model + random.normal(0, 0.03, len(first))
    stake = size[ends[first]] * size[ends[second]]
    stake = stake / stake.sum()
    mean = float(stake @ score)
    return DivisionValue(frozenset(tested), mean, ends[first], ends[second], stake * (score - mean), stake)


DESIGNS: dict[str, Callable[[list[list[int]]], list[list[int]]]] = {
    "4 folds": lambda orders: [orders[0][at::4] for at in range(4)],
    "4 folds, 3 seeds": lambda orders: [order[at::4] for order in orders[:3] for at in range(4)],
    "5 draws of 2": lambda orders: [order[:2] for order in orders[:5]],
    "20 draws of 2": lambda orders: [order[:2] for order in orders],
    "one division, 5 seeds": lambda orders: [orders[0][:4]] * 5,
}
"""From 20 random orders of the functionalities, those that are tested in each evaluation."""


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("functionalities", [8, 20])
def test_the_interval_covers_what_other_functionalities_would_give(design: str, functionalities: int) -> None:
    random = np.random.default_rng(functionalities)
    covered, naive = [], []
    for _ in range(600):
        effect, size = random.normal(0, 0.1, functionalities), np.exp(random.normal(0, 0.6, functionalities))
        tests = DESIGNS[design]([random.permutation(functionalities).tolist() for _ in range(20)])
        values = [evaluation(tested, effect, size, random.normal(0, 0.05), random) for tested in tests]
        mean = DivisionMean.of(values)
        spread = mean.spread()
        covered.append(spread is None or abs(mean.value) <= spread.margin())
        each = [one.value for one in values]
        naive.append(abs(mean.value) <= 2.0 * np.std(each, ddof=1) / len(each) ** 0.5)
    # Three standard errors of a share of 0.95 in 600 draws are 0.027.
    assert np.mean(covered) >= 0.92
    if len(tests) > 4:
        assert np.mean(naive) < np.mean(covered) - 0.05, "what seeds seem to say"
