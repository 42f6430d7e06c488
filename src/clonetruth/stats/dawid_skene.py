"""Dawid and Skene (1979): how often each judge errs, and what is then true, estimated together by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.model import PairValue, VerdictValue
from clonetruth.store import TABLES

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_ITERATIONS = 1000
_STILL = 1e-9
_PRIOR = np.array([[2.0, 1.0], [1.0, 2.0]])
"""Further answers that every judge is thought to have given on each class: twice the right one, once the wrong one.
Judges of few pairs are so neither taken as infallible, nor as always wrong."""

_CLASSES = (PairValue.CLONE, PairValue.NOT_CLONE)


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


def estimate(
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
        if moved < _STILL:
            break
    return DawidSkeneResult(posterior, prevalence, errors)


def conclude(voices: pa.Table) -> pa.Table:
    """Verdicts on pairs from `pair`, `judge` and `value`, with the posterior as confidence.

    Who is undecided says nothing; a pair on which nobody decides is unknown, and so is one on which both are equally
    probable.
    """
    pairs = np.unique(voices["pair"].to_numpy())
    value = voices["value"].to_numpy(zero_copy_only=False)
    decided = np.isin(value.astype(np.str_), [str(one) for one in _CLASSES])
    spoken, items = np.unique(voices["pair"].to_numpy()[decided], return_inverse=True)
    votes, share = np.zeros(len(pairs), np.int32), np.full(len(pairs), np.nan)
    if len(spoken):
        names = voices["judge"].to_numpy(zero_copy_only=False)[decided].astype(np.str_)
        judges = np.unique(names, return_inverse=True)[1]
        answers = (value[decided] != str(PairValue.CLONE)).astype(np.int64)
        found = estimate(items, judges, answers, len(_CLASSES), _PRIOR)
        places = np.searchsorted(pairs, spoken)
        votes[places] = np.bincount(items)
        share[places] = found.posterior[:, 0]
    # What EM leaves at one half is not decided by the last digit.
    clone, other = share > 0.5 + _STILL, share < 0.5 - _STILL
    known = clone | other
    told = np.array([f"posterior of {number} judgements" for number in range(votes.max(initial=0) + 1)])
    return pa.table(
        {
            "pair": pairs,
            "verdict": np.select([clone, other], [str(one) for one in _CLASSES], str(VerdictValue.UNKNOWN)),
            "confidence": pa.array(np.where(clone, share, 1 - share), mask=~known),
            "judgements": votes,
            "reason": np.select([known, votes > 0], [told[votes], "even odds"], "no judge decides on it"),
        },
        schema=TABLES["verdicts"].schema,
    )
