"""Arithmetic on the figures that papers print: do they fit together?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import mean

from clonetruth.evaluate import check_claim
from clonetruth.literature.checks.context import CheckContext
from clonetruth.stats.agreement import Ratings, judge_pairs
from clonetruth.stats.sample_size import sample_size


def share(context: CheckContext, *, part: float, whole: float) -> float:
    """A part of a whole."""
    return part / whole


def total(context: CheckContext, *, parts: Sequence[float], less: Sequence[float] = ()) -> float:
    """The sum of parts, less what is taken away."""
    return math.fsum((*parts, *(-one for one in less)))


def product(context: CheckContext, *, factors: Sequence[float]) -> float:
    """The product of factors."""
    return math.prod(factors)


def average(context: CheckContext, *, values: Sequence[float]) -> float:
    """The arithmetic mean."""
    return mean(values)


def largest(context: CheckContext, *, values: Sequence[float]) -> float:
    """The largest of some figures."""
    return max(values)


def smallest(context: CheckContext, *, values: Sequence[float]) -> float:
    """The smallest of some figures."""
    return min(values)


def pairs_among(context: CheckContext, *, members: int) -> float:
    """The number of unordered pairs of different members: what pairing everything with everything gives."""
    return math.comb(members, 2)


def harmonic_mean(context: CheckContext, *, precision: float, recall: float) -> float:
    """F1 of a precision and a recall."""
    return 2 * precision * recall / (precision + recall)


def kappa_of_rates(context: CheckContext, *, observed: float, expected: float) -> float:
    """Cohen's kappa of an observed and an expected agreement."""
    return (observed - expected) / (1 - expected)


def _judges(yes: int, no: int, first_only: int, second_only: int) -> Ratings:
    return Ratings.of_table([[yes, first_only], [second_only, no]])


def kappa_of_counts(context: CheckContext, *, yes: int, no: int, first_only: int, second_only: int) -> float:
    """Cohen's kappa of two judges' table of counts."""
    (pair,) = judge_pairs(_judges(yes, no, first_only, second_only))
    return math.nan if pair.cohen_kappa is None else pair.cohen_kappa


def nearest_kappa(context: CheckContext, *, yes: int, no: int, differ: int, reported: float) -> float:
    """The kappa nearest to a printed one, over all ways to divide the pairs on which two judges differ."""
    kappas = (
        kappa_of_counts(context, yes=yes, no=no, first_only=one, second_only=differ - one) for one in range(differ + 1)
    )
    return min(kappas, key=lambda kappa: abs(kappa - reported))


def expected_agreement(context: CheckContext, *, yes: int, no: int, first_only: int, second_only: int) -> float:
    """The agreement of two judges that chance would give, by the rates of their answers."""
    n = yes + no + first_only + second_only
    first, second = (yes + first_only) / n, (yes + second_only) / n
    return first * second + (1 - first) * (1 - second)


def largest_spread(context: CheckContext, *, mean_size: float, cap: float) -> float:
    """The largest standard deviation that sizes between 0 and a cap can have, given their mean."""
    return math.sqrt(mean_size * (cap - mean_size))


def sample(context: CheckContext, *, population: int, confidence: float = 0.95, margin: float = 0.05) -> float:
    """The number of pairs to judge for a confidence level and a margin of error."""
    return sample_size(population, confidence, margin)


def corrected(context: CheckContext, *, on: str, precision: float, recall: float, method: str, metric: str) -> float:
    """A published precision, recall or F1, corrected for the wrong labels of its benchmark by a named method."""
    claim = check_claim(on, precision=precision, recall=recall)
    values = {(one.name, measured.name): measured.value for one in claim.corrections for measured in one.measurements}
    value = values[method, metric]
    return math.nan if value is None else value
