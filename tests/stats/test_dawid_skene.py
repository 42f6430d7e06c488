"""Dawid and Skene's estimate: their own example, and judges whose errors are known."""

from __future__ import annotations

import numpy as np
import pytest

from clonetruth.stats.dawid_skene import Floats, Integers, dawid_skene

ANAESTHETISTS = """
    111 1 1 1 1 | 333 4 3 3 4 | 112 2 1 2 2 | 222 3 1 2 1 | 222 3 2 2 2 | 222 3 3 2 2 | 122 2 1 1 1 | 333 3 4 3 3 |
    222 2 2 2 3 | 232 2 2 2 3 | 444 4 4 4 4 | 222 3 3 4 3 | 111 1 1 1 1 | 222 3 2 1 2 | 121 1 1 1 1 | 111 2 1 1 1 |
    111 1 1 1 1 | 111 1 1 1 1 | 222 2 2 2 1 | 222 1 3 2 2 | 222 2 2 2 2 | 222 2 2 2 1 | 222 3 2 2 2 | 221 2 2 2 2 |
    111 1 1 1 1 | 111 1 1 1 1 | 232 2 2 2 2 | 111 1 1 1 1 | 111 1 1 1 1 | 112 1 1 2 1 | 111 1 1 1 1 | 333 3 2 3 3 |
    111 1 1 1 1 | 222 2 2 2 2 | 222 3 2 3 2 | 433 4 3 4 3 | 221 2 2 3 2 | 232 3 2 3 3 | 333 3 4 3 2 | 111 1 1 1 1 |
    111 1 1 1 1 | 121 2 1 1 1 | 232 2 2 2 2 | 121 1 1 1 1 | 222 2 2 2 2
"""
"""Table 1 of Dawid and Skene (1979): 45 patients, five anaesthetists, of whom the first looked three times."""


def votes() -> tuple[Integers, Integers, Integers]:
    rows = [
        (patient, observer, int(answer) - 1)
        for patient, cell in enumerate(ANAESTHETISTS.split("|"))
        for observer, answers in enumerate(cell.split())
        for answer in answers
    ]
    patients, observers, answers = np.array(rows).T
    return patients, observers, answers


def test_the_anaesthetists() -> None:
    """Tables 2 to 4 of the paper: shares of the classes, and how the first observer errs."""
    found = dawid_skene(*votes(), 4)
    assert found.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert found.errors[0].round(2).tolist() == [
        [0.89, 0.11, 0.00, 0.00],
        [0.07, 0.88, 0.05, 0.00],
        [0.00, 0.34, 0.66, 0.00],
        [0.00, 0.00, 0.56, 0.44],
    ]
    assert np.allclose(found.posterior.sum(axis=1), 1)
    # On patient 3 the observers are divided, and the estimate leaves no doubt.
    assert found.posterior[2].round(2).tolist() == [0.0, 1.0, 0.0, 0.0]


def simulated(errors: Floats, count: int, prevalence: float, seed: int) -> tuple[Integers, Integers]:
    """The truth of items, and the answers of judges who err with a probability for each of both classes."""
    random = np.random.default_rng(seed)
    truth = (random.random(count) < prevalence).astype(np.int64)
    wrong = random.random((count, len(errors))) < errors[:, truth].T
    return truth, truth[:, None] ^ wrong


def test_errors_and_prevalence_of_simulated_judges_are_found() -> None:
    errors = np.array([[0.05, 0.1], [0.1, 0.3], [0.2, 0.05], [0.4, 0.4], [0.15, 0.15]])
    truth, answers = simulated(errors, 3000, 0.3, 1)
    items, judges = np.divmod(np.arange(answers.size), len(errors))
    found = dawid_skene(items, judges, answers.ravel(), 2)
    assert found.prevalence[1] == pytest.approx(0.3, abs=0.03)
    estimated = np.stack([found.errors[:, 0, 1], found.errors[:, 1, 0]], axis=1)
    assert np.abs(estimated - errors).max() < 0.05
    majority = answers.mean(axis=1) > 0.5
    right, by_majority = ((guess == truth).mean() for guess in (found.posterior[:, 1] > 0.5, majority))
    assert right > by_majority


def test_posteriors_mean_what_they_say() -> None:
    """Of the items with a posterior of about 90 %, about 90 % are so."""
    errors = np.full((6, 2), 0.3)
    truth, answers = simulated(errors, 4_000, 0.5, 2)
    items, judges = np.divmod(np.arange(answers.size), 6)
    posterior = dawid_skene(items, judges, answers.ravel(), 2).posterior[:, 1]
    for low, high in ((0, 0.3), (0.3, 0.7), (0.7, 1)):
        chosen = (posterior >= low) & (posterior < high)
        assert chosen.sum() > 300
        assert truth[chosen].mean() == pytest.approx(posterior[chosen].mean(), abs=0.06)


def test_a_judge_may_leave_gaps_and_a_prior_tempers_few_votes() -> None:
    items, judges, answers = (np.array(column) for column in ([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [0, 0, 1, 1, 1]))
    bold, careful = (dawid_skene(items, judges, answers, 2, prior) for prior in (None, np.eye(2) + 1))
    assert bold.posterior[:, 1].round(6).tolist() == [0, 1, 1]
    assert 0.5 < careful.posterior[0, 0] < 1
    assert 0.5 < careful.posterior[2, 1] < careful.posterior[1, 1] < 1
    assert careful.errors.min() > 0
