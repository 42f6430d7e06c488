"""A small model notices what can be predicted, and does not see what is not there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.predictability import assign_folds, connected_groups, holm, measure_predictability


def folds(cases: int) -> np.ndarray:
    return assign_folds(np.arange(cases))


@pytest.mark.parametrize("cases", [24, 60])
def test_p_values_of_nothing_are_rarely_small(cases: int) -> None:
    """A 5 % test alarms in 5 % of simulations; 12 of 100 has a probability of 0.4 %."""
    generator = np.random.default_rng(3)
    small = 0
    for number in range(100):
        features = (generator.random((cases, 8)) < 0.3).astype(float)
        truth = generator.permutation(np.arange(cases) < cases // 3)
        small += measure_predictability(features, truth, folds(cases), number, permutations=199).p_value <= 0.05
    assert small < 12


@pytest.mark.parametrize(("cases", "noise", "share"), [(24, 0, 1.0), (40, 100, 1.0), (60, 20, 0.85)])
def test_a_fact_that_tells_is_found_among_others(cases: int, noise: int, share: float) -> None:
    generator = np.random.default_rng(1)
    truth = np.arange(cases) % 2 == 0
    told = np.where(generator.random(cases) < share, truth, ~truth)
    features = np.column_stack([told, (generator.random((cases, noise)) < 0.3)]).astype(float)
    found = measure_predictability(features, truth, folds(cases))
    assert found.p_value <= 0.01
    assert found.auc > 0.75


def test_many_weak_facts_tell_together() -> None:
    generator = np.random.default_rng(2)
    truth = np.arange(80) % 2 == 0
    features = generator.normal(size=(80, 40)) + 0.5 * truth[:, None]
    assert measure_predictability(features, truth, folds(80)).p_value <= 0.01


@given(links=st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=30))
def test_cases_with_a_common_link_stay_together(links: list[list[int]]) -> None:
    groups = connected_groups(links)
    for one, own in enumerate(links):
        for other, others in enumerate(links):
            if set(own) & set(others):
                assert groups[one] == groups[other]
    found = assign_folds(groups)
    _, sizes = np.unique(groups, return_counts=True)
    if sizes.max() <= max(1, len(links) // 5):
        assert len({(group, fold) for group, fold in zip(groups.tolist(), found.tolist(), strict=True)}) == len(sizes)


@given(p_values=st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_no_less_than_the_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=lambda one: p_values[one])
    assert [corrected[one] for one in order] == sorted(corrected)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
