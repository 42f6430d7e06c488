"""Numbers in, numbers out: rates, intervals, agreement coefficients, sample sizes."""

from clonetruth.stats.agreement import COEFFICIENT_WORDS, Agreement, AgreementInterval, Ratings, measure_agreement
from clonetruth.stats.confusion import Confusion
from clonetruth.stats.intervals import Interval, clustered, wilson

__all__ = [
    "COEFFICIENT_WORDS",
    "Agreement",
    "AgreementInterval",
    "Confusion",
    "Interval",
    "Ratings",
    "clustered",
    "measure_agreement",
    "wilson",
]
