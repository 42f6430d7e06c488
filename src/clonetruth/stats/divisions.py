"""The mean of a metric over several divisions of the same data into train and test, with an honest interval.

Divisions of one benchmark test the same functionalities again, so their values are not independent, and a division that
occurs twice says nothing new. The mean is over the distinct divisions. Its uncertainty is that between the tested
functionalities: with m the mean, and m_d, u_d and s_d the value, influences and shares of the stake of division d, a
pair's influence on the mean is

    (u_d + (m_d − m) s_d) / D

so that what a division lies above the mean is due to the functionalities that it tests. Influences are summed by
functionality over all divisions, a pair across functionalities counting for both, as in `dyadic`. What all pairs of a
division have in common, such as the model that was trained, adds the variance between divisions; what one functionality
does in one division was then counted twice, and is subtracted (two-way clusters: Cameron, Gelbach and Miller 2011). The
degrees of freedom are Satterthwaite's for the two variances. The interval is at least that between divisions alone.

What the overlap of the training parts does cannot be estimated from one benchmark (Bengio and Grandvalet 2004): if much
depends on which functionalities are in train, the interval is too short. docs/matrix.md reports the simulated coverage.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from clonetruth.stats.clusters import LEAST_CLUSTERS, Spread, effective_clusters
from clonetruth.stats.rates import Floats, Integers


@dataclass(frozen=True, eq=False)
class DivisionValue:
    """A metric on the test part of a division.

    Attributes:
        division: what identifies the division; equal for equal divisions.
        value: the value of the metric.
        first: for each row of the table of influences, a functionality, as a number; -1 for none.
        second: the other functionality of the row's pairs; the same where pairs stay within one.
        influence: the sum of the influences of the row's pairs on the metric.
        stake: the row's share of the metric's stake; shares add up to 1.
        independent: the variance that the metric would have if its pairs were independent.
    """

    division: Hashable
    value: float
    first: Integers
    second: Integers
    influence: Floats
    stake: Floats
    independent: float = 0.0


@dataclass(frozen=True, eq=False)
class DivisionMean:
    """The mean of a metric over distinct divisions, and what each functionality contributes to it.

    Attributes:
        value: the mean.
        divisions: number of distinct divisions.
        functionalities: number of tested functionalities.
        division: the division of each row, numbered from 0.
        first: a functionality of each row; -1 for none.
        second: the other functionality of the row.
        influence: the influence of each row on the mean.
        stake: the share of each row in the stake of all divisions.
        independent: the variance if pairs were independent, apart from being tested in several divisions.
    """

    value: float
    divisions: int
    functionalities: int
    division: Integers
    first: Integers
    second: Integers
    influence: Floats
    stake: Floats
    independent: float

    @classmethod
    def of(cls, values: Sequence[DivisionValue]) -> DivisionMean:
        """The mean of at least one value; values of the same division are averaged first."""
        number = {division: at for at, division in enumerate(dict.fromkeys(one.division for one in values))}
        codes = np.array([number[one.division] for one in values])
        weight = 1 / np.bincount(codes)[codes] / len(number)
        mean = float(weight @ np.array([one.value for one in values]))
        rows = np.repeat(np.arange(len(values)), [len(one.first) for one in values])
        above = np.array([one.value for one in values]) - mean
        first, second = (np.concatenate([getattr(one, name) for one in values]) for name in ("first", "second"))
        influence, stake = (np.concatenate([getattr(one, name) for one in values]) for name in ("influence", "stake"))
        tested = np.unique(np.concatenate([first[stake > 0], second[stake > 0]]))
        # Divisions that test the same functionalities are taken to test the same pairs.
        noise = weight[rows] * np.sqrt(np.array([one.independent for one in values])[rows] * stake)
        same = np.unique(np.stack([first, second]), axis=1, return_inverse=True)[1].reshape(-1)
        return cls(
            mean,
            len(number),
            int(np.count_nonzero(tested >= 0)),
            codes[rows],
            first,
            second,
            weight[rows] * (influence + above[rows] * stake),
            weight[rows] * stake,
            float((np.bincount(same, noise) ** 2).sum()),
        )

    @property
    def effective(self) -> float:
        """Number of equally large functionalities that would carry as much information."""
        return effective_clusters(_Ends.of(self.first, self.second).sums(self.stake))

    def minus(self, other: DivisionMean, *, same_pairs: bool = False) -> DivisionMean:
        """The difference of two means on the same functionalities, such as the drop between two views.

        Args:
            other: the mean to subtract.
            same_pairs: both are means over the same test pairs of the same divisions, in the same order, such as two
                levels of abstraction; what is difficult about a division or a functionality then cancels out. The
                variance of independent pairs is left out, since both depend on the same ones.
        """
        return DivisionMean(
            self.value - other.value,
            min(self.divisions, other.divisions),
            min(self.functionalities, other.functionalities),
            np.concatenate([self.division, other.division + (0 if same_pairs else self.divisions)]),
            np.concatenate([self.first, other.first]),
            np.concatenate([self.second, other.second]),
            np.concatenate([self.influence, -other.influence]),
            np.concatenate([self.stake, other.stake]) / 2,
            0.0 if same_pairs else self.independent + other.independent,
        )

    def spread(self) -> Spread | None:
        """The uncertainty of the mean.

        Returns:
            Variance and effective functionalities; None for fewer than `LEAST_CLUSTERS` effective
            functionalities, or for two divisions whose difference outweighs that of the functionalities.
        """
        ends, effective = _Ends.of(self.first, self.second), self.effective
        without = 1 - ends.sums(self.stake) / self.stake.sum()
        if min(self.functionalities, effective) < LEAST_CLUSTERS - 1e-9 or without.min() < 1e-9:
            return None
        sums = ends.sums(self.influence) / without
        variance = max(float(sums @ sums) - ends.counted_twice(self.influence), 0.0)
        common = max(self._common_variance(ends), 0.0)
        # Satterthwaite: the degrees of freedom of a sum of two variances.
        total, parts = variance + common, variance**2 / (effective - 1)
        parts += common**2 / (self.divisions - 1) if common else 0.0
        degrees = min(total**2 / parts, effective - 1) if parts else effective - 1
        # At least the variance of independent pairs: that functionalities happen to agree is not information.
        both = Spread(max(total, self.independent), degrees + 1)
        # Few divisions may by luck seem to have nothing in common.
        between = [Spread(self._between, self.divisions)] if self.divisions > 1 else []
        widest = max([both, *between], key=Spread.margin)
        return widest if widest.effective >= LEAST_CLUSTERS - 1e-9 else None

    @property
    def _between(self) -> float:
        """The variance between divisions; 0 for one division."""
        sums = np.bincount(self.division, self.influence)
        return self.divisions / (self.divisions - 1) * float(sums @ sums) if self.divisions > 1 else 0.0

    def _common_variance(self, ends: _Ends) -> float:
        """What pairs of one division have in common beyond their functionalities; 0 for one division."""
        if self.divisions < 2:
            return 0.0
        apart = ends.within(self.division)
        sums = apart.sums(self.influence)
        both = float(sums @ sums) - apart.counted_twice(self.influence)
        return self._between - self.divisions / (self.divisions - 1) * both


@dataclass(frozen=True, eq=False)
class _Ends:
    """The two clusters of each row, numbered from 0."""

    first: Integers
    second: Integers

    @classmethod
    def of(cls, first: Integers, second: Integers) -> _Ends:
        codes = np.unique(np.concatenate([first, second]), return_inverse=True)[1].astype(np.int64)
        return cls(codes[: len(first)], codes[len(first) :])

    def within(self, division: Integers) -> _Ends:
        """Clusters of different divisions as different clusters."""
        count = self._count
        return _Ends.of(division * count + self.first, division * count + self.second)

    @property
    def _count(self) -> int:
        return int(max(self.first.max(), self.second.max())) + 1

    def sums(self, values: Floats) -> Floats:
        """The sum of the values of each cluster's rows; a row within one cluster counts once."""
        second = np.where(self.first == self.second, 0.0, values)
        sums = np.bincount(self.first, values, self._count) + np.bincount(self.second, second, self._count)
        return sums.astype(np.float64, copy=False)

    def counted_twice(self, values: Floats) -> float:
        """Σ over two different clusters of (Σ of their rows' values)², which the sums of both contain."""
        apart = self.first != self.second
        low, high = np.minimum(self.first, self.second)[apart], np.maximum(self.first, self.second)[apart]
        together = np.bincount(np.unique(low * self._count + high, return_inverse=True)[1], values[apart])
        return float(together @ together)
