"""Macro averages: every functionality counts the same, however many pairs it has."""

from __future__ import annotations

import math

import numpy as np

from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import RATES, Floats, cells
from clonetruth.stats.student import student_quantile
from clonetruth.store.results import Measurement

_AVERAGED = ("precision", "recall", "f1")
_METHOD = "Student's t over functionalities"


def macro(outcomes: Outcomes, confidence: float = 0.95) -> tuple[Measurement, ...]:
    """The mean over functionalities of precision, recall and F1, each over those where it is defined.

    One functionality can be half of all pairs, and then decides every number that counts pairs. Pairs of no known
    functionality are in none of the means.

    Returns:
        `macro-precision`, `macro-recall` and `macro-f1`, whose n is the number of functionalities; nothing where no
        functionality is known. No interval is given where the functionalities show no spread: for fewer than two, or
        where all agree.
    """
    if outcomes.cluster is None or not (outcomes.cluster >= 0).any():
        return ()
    inside = outcomes.cluster >= 0
    kinds = cells(outcomes.predicted, outcomes.truth)[inside]
    found = np.bincount(outcomes.cluster[inside] * 4 + kinds)
    counts: Floats = np.pad(found, (0, -len(found) % 4)).reshape(-1, 4).astype(np.float64)
    outside = int(np.count_nonzero(~inside))
    return tuple(_mean(name, RATES[name].value(counts), outside, confidence) for name in _AVERAGED)


def _mean(name: str, values: Floats, outside: int, confidence: float) -> Measurement:
    defined = values[~np.isnan(values)]
    count = len(defined)
    mean = float(defined.mean()) if count else None
    notes = [f"{outside:,} pairs of no known functionality are left out"] if outside else []
    spread = float(defined.std(ddof=1)) if count > 1 else 0.0
    if mean is None or spread == 0.0:
        notes.append(
            "no interval: all functionalities agree" if count > 1 else "no interval: fewer than two functionalities"
        )
        return Measurement(f"macro-{name}", mean, n=count, note="; ".join(notes))
    half = student_quantile(confidence, count - 1) * spread / math.sqrt(count)
    return Measurement(
        f"macro-{name}",
        mean,
        max(0.0, mean - half),
        min(1.0, mean + half),
        n=count,
        method=f"{confidence:.0%}, {_METHOD}",
        note="; ".join(notes) or None,
    )
