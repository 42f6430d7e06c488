"""The recall of a search heuristic, estimated from a random sample of the functions that it does not match."""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.stats.intervals import clopper_pearson


@dataclass(frozen=True)
class SearchedStratum:
    """Functions of which a sample was judged.

    Attributes:
        population: number of functions.
        judged: number of those that were judged and decided.
        true: how many of them contain the functionality.
    """

    population: int
    judged: int
    true: int

    def bounds(self, confidence: float) -> tuple[float, float]:
        """Lower and upper bound of the number of functions that contain the functionality."""
        interval = clopper_pearson(self.true, self.judged, confidence)
        if interval is None:
            return 0.0, float(self.population)
        return interval.low * self.population, interval.high * self.population

    @property
    def expected(self) -> float | None:
        """The estimated number of functions that contain it; None if none was judged."""
        return self.population * self.true / self.judged if self.judged else None


@dataclass(frozen=True)
class SearchRecall:
    """Which share of the functions that contain a functionality the heuristic matches.

    Attributes:
        estimate: the estimate; None if the samples do not say.
        low, high: a conservative 95 % interval: both strata at their worst, each at 97.5 %.
    """

    estimate: float | None
    low: float
    high: float


def search_recall(matched: SearchedStratum, others: SearchedStratum) -> SearchRecall:
    """Estimate the recall of a heuristic.

    Args:
        matched: the functions that it matches.
        others: the functions that it does not match.
    """
    inside, outside = matched.bounds(0.975), others.bounds(0.975)
    found, missed = matched.expected, others.expected
    estimate = None
    if found is not None and missed is not None and found + missed > 0:
        estimate = found / (found + missed)
    return SearchRecall(estimate, _share(inside[0], outside[1], 0.0), _share(inside[1], outside[0], 1.0))


def _share(found: float, missed: float, otherwise: float) -> float:
    return found / (found + missed) if found + missed > 0 else otherwise
