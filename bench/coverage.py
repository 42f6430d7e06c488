"""How often 95 % intervals cover the true value: ``python -m bench.coverage [RUNS]``.

Each run draws functionalities and fragments with random effects on how well a detector separates their pairs, and
compares the intervals with the value over very many functionalities. docs/metrics.md contains the table.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bench.measurement import machine
from clonetruth.evaluate.measurement import MetricEstimate, PairDependence, estimates
from clonetruth.stats.bootstrap import cluster_bootstrap, cluster_bootstrap_ranking
from clonetruth.stats.clusters import Clusters, Spread, independent_variance
from clonetruth.stats.intervals import Interval
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import Floats, Integers

METRICS = ("precision", "recall", "f1", "mcc", "roc-auc", "average-precision")
METHODS = ("independent", "bootstrap", "by functionality", "by fragment", "wider")


@dataclass(frozen=True)
class Design:
    """The design of a simulation.

    Attributes:
        sizes: the number of fragments in each functionality; all pairs within a functionality are judged.
        functionality: the standard deviation of the effects of functionalities.
        fragment: the standard deviation of the effects of fragments.
        across: draw clones within functionalities and three times as many non-clones across them, as contest sets do.
        clones: share of clones, where pairs are not drawn across functionalities.
    """

    sizes: tuple[int, ...]
    functionality: float = 0.7
    fragment: float = 0.7
    across: bool = False
    clones: float = 1 / 3

    def draw(self, random: np.random.Generator, functionalities: Floats | None = None) -> Outcomes:
        """Draw scored pairs; a quarter are clones if pairs are drawn across functionalities.

        Args:
            random: the random numbers.
            functionalities: the effects of the functionalities (default: drawn as well).
        """
        cluster, left, right = self._pairs
        own = np.repeat(np.arange(len(self.sizes)), self.sizes)
        truth = random.random(len(cluster)) < self.clones
        if self.across:
            others = random.integers(0, len(own), (2, 4 * len(left)))
            others = others[:, own[others[0]] != own[others[1]]][:, : 3 * len(left)]
            truth = np.repeat([True, False], [len(left), others.shape[1]])
            left, right = np.concatenate([left, others[0]]), np.concatenate([right, others[1]])
            cluster = np.where(truth, own[left], -1)
        effects = self.fragment * random.standard_normal(len(own))
        given = random.standard_normal(len(self.sizes)) if functionalities is None else functionalities
        group = self.functionality * given[own]
        skill = 1 + (effects[left] + effects[right]) / np.sqrt(2) + (group[left] + group[right]) / 2
        latent = np.where(truth, skill, -skill) + random.standard_normal(len(left))
        return Outcomes(latent >= 0, truth, 1 / (1 + np.exp(-latent)), cluster, left, right)

    @cached_property
    def _pairs(self) -> tuple[Integers, Integers, Integers]:
        """The functionality and the two sides of every pair."""
        sizes = np.array(self.sizes)
        left, right = np.triu_indices(int(sizes.max()), 1)
        cluster, pair = np.nonzero(right < sizes[:, None])
        first = (np.cumsum(sizes) - sizes)[cluster]
        return cluster, first + left[pair], first + right[pair]

    def true_values(self, random: np.random.Generator) -> dict[str, float]:
        """The metrics over very many functionalities of the same kind."""
        return _values(replace(self, sizes=(5,) * 30_000).draw(random))

    def values_of(self, functionalities: Floats, random: np.random.Generator) -> dict[str, float]:
        """The metrics over very many fragments of functionalities with these effects."""
        drawn = [self.draw(random, functionalities) for _ in range(20_000 // sum(self.sizes))]
        predicted, truth, score = (
            np.concatenate(columns)
            for columns in zip(*((one.predicted, one.truth, one.score) for one in drawn), strict=True)
        )
        return _values(Outcomes(predicted, truth, score))


def _values(outcomes: Outcomes) -> dict[str, float]:
    found = estimates(outcomes, PairDependence.of(outcomes).kinds)
    values = {one.name: one.value for one in found if one.value is not None}
    if outcomes.score is not None:
        values["brier"] = float(np.mean((outcomes.score - outcomes.truth) ** 2))
    return values


def intervals(outcomes: Outcomes, seed: int, replicates: int) -> dict[str, dict[str, Interval]]:
    """The intervals of each metric by each applicable method; no bootstrap if `replicates` is 0."""
    sharing = PairDependence.of(outcomes)
    drawn: dict[str, Interval | None] = {}
    clusters = sharing.functionalities
    if replicates and isinstance(clusters, Clusters) and outcomes.score is not None:
        drawn.update(cluster_bootstrap(clusters.counts, replicates=replicates, seed=seed).intervals)
        scored = cluster_bootstrap_ranking(
            outcomes.score, outcomes.truth, clusters.codes, replicates=replicates, seed=seed
        )
        drawn.update(scored.intervals)
    counts = np.bincount(sharing.kinds, minlength=4).astype(np.float64)
    found = {}
    for estimate in estimates(outcomes, sharing.kinds):
        if estimate.name in METRICS and estimate.value is not None:
            methods = _methods(estimate, sharing, counts)
            bootstrapped = drawn.get(estimate.name)
            if bootstrapped:
                methods["bootstrap"] = bootstrapped
            found[estimate.name] = methods
    return found


def _methods(estimate: MetricEstimate, sharing: PairDependence, counts: Floats) -> dict[str, Interval]:
    assert estimate.value is not None
    assert estimate.influence is not None
    assert estimate.stake is not None
    spreads = {"independent": Spread(independent_variance(estimate.influence, counts), 1e9)}
    for method, structure in (("by functionality", sharing.functionalities), ("by fragment", sharing.fragments)):
        spread = structure.spread(estimate.influence, estimate.stake) if structure else None
        if spread:
            spreads[method] = spread
    found = {method: spread.interval(estimate.value, lowest=estimate.lowest) for method, spread in spreads.items()}
    honest = [interval for method, interval in found.items() if method != "independent"]
    found["wider"] = max(honest, key=lambda interval: interval.high - interval.low)
    return found


def coverage(design: Design, runs: int, seed: int = 0, replicates: int = 0) -> dict[str, dict[str, float]]:
    """The share of runs in which the interval of each metric covers the true value, by method."""
    random = np.random.default_rng(seed)
    truth = design.true_values(random)
    held: dict[str, dict[str, list[bool]]] = {}
    for run in range(runs):
        for metric, methods in intervals(design.draw(random), run, replicates).items():
            for method, interval in methods.items():
                inside = interval.low <= truth[metric] <= interval.high
                held.setdefault(metric, {}).setdefault(method, []).append(inside)
    return {
        metric: {method: float(np.mean(hits)) for method, hits in methods.items()} for metric, methods in held.items()
    }


DESIGNS: Mapping[str, Design] = {
    "5 functionalities": Design((10,) * 5),
    "10 functionalities": Design((10,) * 10),
    "30 functionalities": Design((8,) * 30),
    "100 functionalities": Design((6,) * 100),
    "43 functionalities, sizes 3 to 20": Design(tuple(3 + round(17 * (n / 42) ** 3) for n in range(43))),
    "43 functionalities, one with 54 % of the pairs": Design((38, *(6,) * 42)),
    "one functionality, 30 fragments": Design((30,), functionality=0),
    "one functionality, 60 fragments": Design((60,), functionality=0),
    "20 functionalities, non-clones across them": Design((6,) * 20, across=True),
    "40 functionalities, non-clones across them": Design((6,) * 40, across=True),
    "30 functionalities that differ in nothing": Design((8,) * 30, functionality=0),
}


def main() -> None:
    """Simulate every design, print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{machine()}; {runs} runs of each design")
    print(f"| design | metric | {' | '.join(METHODS)} |")
    print(f"| --- | --- |{' --- |' * len(METHODS)}")
    for name, design in DESIGNS.items():
        for metric, methods in coverage(design, runs, replicates=400).items():
            cells = (f"{methods[method]:.3f}" if method in methods else "–" for method in METHODS)
            print(f"| {name} | {metric} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
