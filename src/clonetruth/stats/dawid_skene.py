"""Dawid and Skene (1979): the error rates of judges and the true classes, estimated together by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_ITERATIONS = 1000
STILL = 1e-9
"""EM stops when no posterior moves by more than this."""


@dataclass(frozen=True, eq=False)
class DawidSkeneResult:
    """What EM estimates.

    Attributes:
        posterior: for each item, the probability of each class.
        prevalence: the share of each class.
        errors: for each judge and true class, the probability of each answer.
    """

    posterior: Floats
    prevalence: Floats
    errors: Floats


def dawid_skene(
    items: Integers, judges: Integers, answers: Integers, classes: int, prior: Floats | None = None
) -> DawidSkeneResult:
    """Estimate true classes and error rates from answers, given as three parallel arrays.

    EM starts from the shares of the answers on each item. A judge may answer an item several times, or not at all.

    Args:
        items: the item of each answer, numbered from 0 without gaps.
        judges: the judge of each answer, numbered from 0 without gaps.
        answers: the answers, as class numbers.
        classes: number of classes.
        prior: pseudo-counts added to every judge's answers, by class and answer (default: none, maximum likelihood).
    """
    count, people = int(items.max()) + 1, int(judges.max()) + 1
    further = np.zeros((classes, classes)) if prior is None else prior
    given = judges * classes + answers
    posterior = np.bincount(items * classes + answers, minlength=count * classes).reshape(count, classes).astype(float)
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(_ITERATIONS):
        prevalence = posterior.mean(axis=0)
        # How often each answer was given, by class, judge and answer; items count with their posterior.
        tallies = [np.bincount(given, weights, people * classes) for weights in posterior[items].T]
        errors = np.stack(tallies).reshape(classes, people, classes).swapaxes(0, 1) + further
        total = errors.sum(axis=2, keepdims=True)
        errors = np.divide(errors, total, out=np.full_like(errors, 1 / classes), where=total > 0)
        with np.errstate(divide="ignore"):  # an impossible class has the logarithm -∞
            chances = np.log(errors)[judges, :, answers]
            likelihood = np.log(prevalence) + np.stack([np.bincount(items, one, count) for one in chances.T], axis=1)
        likelihood = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
        following = likelihood / likelihood.sum(axis=1, keepdims=True)
        moved = float(np.abs(following - posterior).max())
        posterior = following
        if moved < STILL:
            break
    return DawidSkeneResult(posterior, prevalence, errors)
