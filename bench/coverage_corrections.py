"""Coverage of the intervals in docs/corrections.md: ``python -m bench.coverage_corrections [REPLICATES]``.

Each scenario is a population of pairs with labels, predictions and truth. The simulation draws evaluated pairs and a
judged sample many times, corrects precision, recall, F1 and prevalence, and compares the intervals with the population.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from bench.measurement import machine
from clonetruth.stats.label_noise import (
    CORRECTED_METRICS,
    CorrectionMethod,
    LabelGroup,
    NoisyLabels,
    correct_labels,
)
from clonetruth.stats.survey import SampledShare, estimate_stratified


@dataclass(frozen=True)
class Scenario:
    """A population and two samples of it: evaluated pairs, and judged labels.

    Attributes:
        wrong: the share of wrong clone labels, in each stratum.
        judged: number of judged clone labels, in each stratum.
        missed: the share of wrong labels among those that say not a clone; None if nobody judged them and all are
            right.
        judged_others: number of judged labels that say not a clone.
        evaluated: number of evaluated pairs.
        labelled: the share of pairs labelled clones.
        predicted: the share of predicted pairs among those labelled clones, and among the others.
        strata: the share of each stratum among the pairs labelled clones.
        method: the correction whose assumption the population fulfils.
    """

    wrong: tuple[float, ...]
    judged: tuple[int, ...]
    missed: float | None = None
    judged_others: int = 0
    evaluated: int = 2000
    labelled: float = 0.5
    predicted: tuple[float, float] = (0.8, 0.1)
    strata: tuple[float, ...] = (1.0,)
    method: CorrectionMethod = CorrectionMethod.INDEPENDENT

    @property
    def name(self) -> str:
        """The scenario in words."""
        wrong = " and ".join(f"{share:g}" for share in self.wrong)
        judged = " + ".join(map(str, self.judged))
        other = "" if self.missed is None else f", {self.missed:g} ({self.judged_others}) of the others"
        return (
            f"{self.method}: {wrong} of the clone labels wrong ({judged} judged){other}; {self.evaluated:,} evaluated"
        )

    def truth(self) -> dict[str, float]:
        """The metrics of the population."""
        right = 1 - float(np.dot(self.strata, self.wrong))
        missed, (found, alarms) = self.missed or 0.0, self.predicted
        clones = self.labelled * right + (1 - self.labelled) * missed
        predicted = self.labelled * found + (1 - self.labelled) * alarms
        hits = self.labelled * found * right + (1 - self.labelled) * alarms * missed
        return {
            "precision": hits / predicted,
            "recall": hits / clones,
            "f1": 2 * hits / (predicted + clones),
            "prevalence": clones,
        }

    def draw(self, random: np.random.Generator) -> NoisyLabels:
        """Draw evaluated pairs and a judged sample."""
        found, alarms = self.predicted
        shares = [self.labelled * found, self.labelled * (1 - found)]
        shares += [(1 - self.labelled) * alarms, (1 - self.labelled) * (1 - alarms)]
        counts = random.multinomial(self.evaluated, shares).astype(np.float64).tolist()
        right = [
            np.arange(count) < random.binomial(count, 1 - share)
            for share, count in zip(self.wrong, self.judged, strict=True)
        ]
        strata = [str(number) for number, count in enumerate(self.judged) for _ in range(count)]
        populations = {str(number): round(10_000_000 * share) for number, share in enumerate(self.strata)}
        labels = estimate_stratified(
            strata, populations, np.concatenate(right), np.ones(len(strata), np.bool_), finite=False
        )
        if self.missed is None:
            others = LabelGroup.believed(False, counts[2], counts[3])
        else:
            share = random.binomial(self.judged_others, self.missed) / self.judged_others
            others = LabelGroup(False, counts[2], counts[3], SampledShare(share, self.judged_others))
        return NoisyLabels((LabelGroup(True, counts[0], counts[1], labels), others))


@dataclass(frozen=True)
class DependentScenario(Scenario):
    """Wrong labels are predicted less often, and the judged pairs are some of the evaluated ones.

    Attributes:
        seen: the share of predicted pairs among wrong clone labels; `predicted` is that among right ones.
    """

    seen: float = 0.3
    method: CorrectionMethod = CorrectionMethod.DESIGN_BASED

    def _halves(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The shares of right and wrong clone labels, predicted and not."""
        wrong, found = self.wrong[0], self.predicted[0]
        return np.array([(1 - wrong) * found, wrong * self.seen, (1 - wrong) * (1 - found), wrong * (1 - self.seen)])

    def truth(self) -> dict[str, float]:
        """The metrics of the population."""
        hits, alarms, misses, _ = self.labelled * self._halves()
        predicted = hits + alarms + (1 - self.labelled) * self.predicted[1]
        clones = hits + misses
        return {
            "precision": hits / predicted,
            "recall": hits / clones,
            "f1": 2 * hits / (predicted + clones),
            "prevalence": clones,
        }

    def draw(self, random: np.random.Generator) -> NoisyLabels:
        """Draw evaluated pairs, and judge some of those labelled clones."""
        labelled = random.binomial(self.evaluated, self.labelled)
        cells = random.multinomial(labelled, self._halves())
        alarms = random.binomial(self.evaluated - labelled, self.predicted[1])
        right, wrong, missed, rest = random.multivariate_hypergeometric(cells, min(self.judged[0], labelled))
        both = [
            SampledShare(hits / n, float(n)) if (n := hits + others) else SampledShare(None, 0.0)
            for hits, others in ((right, wrong), (missed, rest), (right + missed, wrong + rest))
        ]
        return NoisyLabels(
            (
                LabelGroup(True, float(cells[:2].sum()), float(cells[2:].sum()), both[2], both[0], both[1]),
                LabelGroup.believed(False, float(alarms), float(self.evaluated - labelled - alarms)),
            )
        )


ERRORS, SIZES = (0.01, 0.07, 0.3, 0.93), (20, 100, 400)

SCENARIOS: tuple[Scenario, ...] = (
    *(Scenario((error,), (n,)) for error in ERRORS for n in SIZES),
    *(Scenario((error,), (n,), missed, n) for error, missed in ((0.07, 0.02), (0.3, 0.1)) for n in SIZES),
    *(Scenario((0.05, 0.4), (n, n), strata=(0.8, 0.2)) for n in (10, 50, 200)),
    Scenario((0.01, 0.93), (200, 200), strata=(0.05, 0.95)),
    Scenario((0.07,), (400,), evaluated=40, predicted=(0.9, 0.02)),
    Scenario((0.07,), (400,), evaluated=200, predicted=(0.98, 0.0)),
    Scenario((0.07,), (400,), evaluated=20_000),
    *(DependentScenario((error,), (n,)) for error in (0.07, 0.3, 0.93) for n in SIZES),
)


def coverage(scenario: Scenario, replicates: int, seed: int = 1) -> tuple[dict[str, float], dict[str, float]]:
    """By metric, the share of intervals that cover the truth, and their mean width."""
    random, truth = np.random.default_rng(seed), scenario.truth()
    held, width = dict.fromkeys(CORRECTED_METRICS, 0.0), dict.fromkeys(CORRECTED_METRICS, 0.0)
    for _ in range(replicates):
        found = correct_labels(scenario.draw(random), scenario.method)
        for name in CORRECTED_METRICS:
            interval = None if found is None else found[name].interval
            low, high = (0.0, 1.0) if interval is None else (interval.low, interval.high)
            held[name] += (low - 1e-12 <= truth[name] <= high + 1e-12) / replicates
            width[name] += (high - low) / replicates
    return held, width


def main() -> None:
    """Simulate, print."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    print(f"{machine()}; {replicates:,} replicates; coverage of the 95 % interval (mean width)\n")
    print(f"| scenario | {' | '.join(CORRECTED_METRICS)} |")
    print(f"| --- |{' --- |' * len(CORRECTED_METRICS)}")
    for scenario in SCENARIOS:
        held, width = coverage(scenario, replicates)
        cells = " | ".join(f"{held[name]:.1%} ({width[name]:.3f})" for name in CORRECTED_METRICS)
        print(f"| {scenario.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
