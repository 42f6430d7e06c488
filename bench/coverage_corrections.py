"""Coverage of the intervals in docs/corrections.md: ``python -m bench.coverage_corrections [REPLICATES]``.

Each scenario is a population of pairs whose truth is known. The simulation draws many samples by the scenario's design,
and compares the intervals of precision, recall and F1 with the values of the population.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from bench.measurement import machine
from clonetruth.evaluate.labels.prediction_powered import Totals, design_based, judged_sample, prediction_powered
from clonetruth.stats.survey import Design, Numbers
from clonetruth.store.results import Measurement

METRICS = ("precision", "recall", "f1")

# predicted, label, true: the eight kinds of pairs
_CELLS = np.array([(f, g, y) for f in (0, 1) for g in (0, 1) for y in (0, 1)], np.float64)


@dataclass(frozen=True)
class Scenario:
    """A population and its sampling design.

    Attributes:
        name: the name in the table.
        sizes: the number of pairs in each stratum.
        prevalence: the share of clones in each stratum.
        detection: the share of clones, and of other pairs, that the detector calls clones.
        labels: the share of clones, and of other pairs, that the dataset calls clones.
        drawn: the number of judged pairs in each stratum.
    """

    name: str
    sizes: tuple[int, ...]
    prevalence: tuple[float, ...]
    detection: tuple[float, float]
    labels: tuple[float, float]
    drawn: tuple[int, ...]

    def cells(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """The number of pairs of each kind, by stratum."""
        predicted, label, true = _CELLS.T
        counts = []
        for size, prevalence in zip(self.sizes, self.prevalence, strict=True):
            share = np.where(true == 1, prevalence, 1 - prevalence)
            for value, (of_clones, of_others) in ((predicted, self.detection), (label, self.labels)):
                rate = np.where(true == 1, of_clones, of_others)
                share = share * np.where(value == 1, rate, 1 - rate)
            counts.append(np.round(size * share).astype(np.int64))
        return np.array(counts)


SCENARIOS = (
    Scenario("simple, 400 of 20,000", (20_000,), (0.3,), (0.8, 0.1), (0.9, 0.1), (400,)),
    Scenario(
        "three strata, unequal weights", (14_000, 4_000, 2_000), (0.1, 0.5, 0.8), (0.8, 0.05), (0.9, 0.1), (150,) * 3
    ),
    Scenario("two fifths judged", (600, 400), (0.3, 0.6), (0.8, 0.1), (0.9, 0.1), (240, 160)),
    Scenario("precision 0.99, 400 predicted", (20_000,), (0.5,), (0.99, 0.01), (0.9, 0.1), (800,)),
    Scenario("precision 0.99, 200 predicted", (20_000,), (0.5,), (0.99, 0.01), (0.9, 0.1), (400,)),
    Scenario("labels 93 % wrong", (20_000,), (0.067,), (0.88, 0.3), (1.0, 0.9), (1_000,)),
    Scenario("uninformative labels", (10_000, 10_000), (0.3, 0.6), (0.5, 0.5), (0.5, 0.5), (200, 200)),
    Scenario(
        "too few: 5 predicted in 90 % of the pairs", (18_000, 2_000), (0.02, 0.6), (0.8, 0.01), (0.95, 0.02), (200, 200)
    ),
)


@dataclass(frozen=True)
class Coverage:
    """The result of a scenario: by metric, the share of intervals that cover the truth, and their mean width."""

    design_based: dict[str, float]
    powered: dict[str, float]
    design_based_width: dict[str, float]
    powered_width: dict[str, float]


def simulate(scenario: Scenario, replicates: int, seed: int = 1) -> Coverage:
    """Draw samples, and count how often each interval covers the truth."""
    random = np.random.default_rng(seed)
    cells = scenario.cells()
    everything = np.repeat(_CELLS, cells.sum(axis=0), axis=0)
    totals = Totals.of(everything[:, 0], everything[:, 1])
    truth = true_values(everything)
    strata = [str(number) for number, drawn in enumerate(scenario.drawn) for _ in range(drawn)]
    design = Design.stratified(strata, {str(number): int(row.sum()) for number, row in enumerate(cells)})
    draws = np.concatenate(
        [
            random.multivariate_hypergeometric(row, drawn, size=replicates)
            for row, drawn in zip(cells, scenario.drawn, strict=True)
        ],
        axis=1,
    )
    kinds = np.tile(_CELLS, (len(cells), 1))
    held, width = np.zeros((2, len(METRICS))), np.zeros((2, len(METRICS)))
    for counts in draws:
        predicted, label, true = np.repeat(kinds, counts, axis=0).T
        sample = judged_sample(design, predicted, true, label)
        for method, found in enumerate((design_based(sample), prediction_powered(sample, totals))):
            for number, measurement in enumerate(found):
                low, high = _interval(measurement)
                held[method, number] += low <= truth[measurement.name] <= high
                width[method, number] += high - low
    rows = [dict(zip(METRICS, (row / replicates).tolist(), strict=True)) for row in (*held, *width)]
    return Coverage(rows[0], rows[1], rows[2], rows[3])


def true_values(everything: Numbers) -> dict[str, float]:
    """Precision, recall and F1 of the whole population."""
    predicted, _, true = everything.T
    hits = float(predicted @ true)
    return {
        "precision": hits / float(predicted.sum()),
        "recall": hits / float(true.sum()),
        "f1": 2 * hits / float(predicted.sum() + true.sum()),
    }


def _interval(measurement: Measurement) -> tuple[float, float]:
    """The interval; [0, 1] if the sample gives none."""
    if measurement.low is None or measurement.high is None:
        return 0.0, 1.0
    return measurement.low, measurement.high


def main() -> None:
    """Simulate, print."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{machine()}; {replicates:,} replicates; coverage of the 95 % interval (mean width)\n")
    print("| scenario | method | precision | recall | F1 |")
    print("| --- | --- | --- | --- | --- |")
    for scenario in SCENARIOS:
        found = simulate(scenario, replicates)
        for method, held, width in (
            ("judged pairs alone", found.design_based, found.design_based_width),
            ("prediction-powered", found.powered, found.powered_width),
        ):
            row = " | ".join(f"{held[name]:.1%} ({width[name]:.3f})" for name in METRICS)
            print(f"| {scenario.name} | {method} | {row} |")


if __name__ == "__main__":
    main()
