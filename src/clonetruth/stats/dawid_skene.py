"""Dawid and Skene (1979): how often each judge errs, and what is then true, estimated together by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_ITERATIONS = 1000
STILL = 1e-9


@dataclass(frozen=True, eq=False)
class DawidSkeneResult:
    """What EM found.

    Attributes:
        posterior: of each item, the probability of each class.
        prevalence: the share of each class.
        errors: of each judge, for each true class, the probability of each answer.
    """

    posterior: Floats
    prevalence: Floats
    errors: Floats


def dawid_skene(
    items: Integers, judges: Integers, answers: Integers, classes: int, prior: Floats | None = None
) -> DawidSkeneResult:
    """Estimate truth and errors from answers, one in each place of three arrays of equal length.

    EM begins with the shares of the answers on each item. A judge may answer an item several times, or not at all.

    Args:
        items: the item that is answered, numbered from 0 without gaps.
        judges: the judge who answers, numbered from 0 without gaps.
        answers: the answer, one of the classes.
        classes: how many classes there are.
        prior: further answers that each judge is thought to have given, by class and answer; none for maximum
            likelihood.
    """
    count, people = int(items.max()) + 1, int(judges.max()) + 1
    further = np.zeros((classes, classes)) if prior is None else prior
    given = judges * classes + answers
    posterior = np.bincount(items * classes + answers, minlength=count * classes).reshape(count, classes).astype(float)
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(_ITERATIONS):
        prevalence = posterior.mean(axis=0)
        # By class, judge and answer: how often it was given, each item counting as far as it is of the class.
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
