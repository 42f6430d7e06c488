"""How often intervals contain the true value, by simulation: a case for every way in which an interval is computed.

A case draws data whose true values are known, and returns the intervals that the package computes from them.
`test_coverage.py` runs all cases, and checks that they reach every function that computes an end of an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias

import numpy as np
from bench.coverage import Design
from bench.coverage_corrections import Scenario

from clonetruth.evaluate.measurement import PairDependence, measure
from clonetruth.evaluate.paired import compare, paired_bootstrap
from clonetruth.evaluate.pairs.strata import macro
from clonetruth.evaluate.score_metrics import measure_scores
from clonetruth.stats.agreement import Ratings, measure_agreement
from clonetruth.stats.bootstrap import MANY_CLUSTERS, cluster_bootstrap, cluster_bootstrap_ranking
from clonetruth.stats.clusters import clustered, clustered_within, mean_spread
from clonetruth.stats.divisions import DivisionMean, DivisionValue
from clonetruth.stats.intervals import wilson
from clonetruth.stats.label_noise import CorrectionMethod, correct_labels
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import F1, RATES, RECALL, Floats, Integers, Rate
from clonetruth.stats.survey import estimate_stratified

Random: TypeAlias = np.random.Generator


class HasEnds(Protocol):
    """Anything with the ends of an interval."""

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True)
class Held:
    """An interval and the value that it should contain; None where no interval is given."""

    interval: HasEnds | None
    truth: float

    @property
    def given(self) -> bool:
        return self.interval is not None and self.interval.low is not None

    @property
    def width(self) -> float:
        assert self.interval is not None
        assert self.interval.low is not None
        assert self.interval.high is not None
        return self.interval.high - self.interval.low

    @property
    def covers(self) -> bool:
        assert self.interval is not None
        assert self.interval.low is not None
        assert self.interval.high is not None
        return self.interval.low - 1e-9 <= self.truth <= self.interval.high + 1e-9


Draw: TypeAlias = Callable[[Random], Mapping[str, Held]]


@dataclass(frozen=True)
class Case:
    """A simulation.

    Attributes:
        name: what is simulated.
        draw: draws data, and returns the intervals by the name of the number.
        given: the smallest share of the runs that must have an interval.
        widest: the largest mean width: an interval of everything that is possible covers, and says nothing.
        slow: one of the grid of designs that only the slow tests run.
    """

    name: str
    draw: Draw
    given: float = 0.95
    widest: float = 0.7
    slow: bool = False


@dataclass(frozen=True)
class Coverage:
    """The result of a simulation for one number."""

    covered: float
    given: float
    width: float
    runs: int


def simulate(case: Case, runs: int, seed: int = 1) -> dict[str, Coverage]:
    """Run a case, and count."""
    random = np.random.default_rng(seed)
    found: dict[str, list[Held]] = {}
    for _ in range(runs):
        for name, held in case.draw(random).items():
            found.setdefault(name, []).append(held)
    return {name: _count(held) for name, held in found.items()}


def _count(held: Sequence[Held]) -> Coverage:
    given = [one for one in held if one.given]
    covered = float(np.mean([one.covers for one in given])) if given else float("nan")
    width = float(np.mean([one.width for one in given])) if given else float("nan")
    return Coverage(covered, len(given) / len(held), width, len(given))


# Shares of independent trials.


def shares(n: int, low: float, high: float) -> Draw:
    """Wilson's interval; shares are drawn as well, since its coverage oscillates from share to share."""

    def draw(random: Random) -> dict[str, Held]:
        share = random.uniform(low, high)
        return {"share": Held(wilson(int(random.binomial(n, share)), n), share)}

    return draw


# Functionalities as clusters: counts with rates that differ between functionalities.


@dataclass(frozen=True)
class Rates:
    """A detector whose recall and false positive rate differ between functionalities.

    Attributes:
        sizes: number of pairs in each functionality.
        recall: its mean.
        alarms: mean of the false positive rate.
        clones: share of clones.
        alike: how alike functionalities are: the sum of the parameters of the beta distribution.
    """

    sizes: tuple[int, ...]
    recall: float = 0.7
    alarms: float = 0.1
    clones: float = 0.4
    alike: float = 4.0

    @property
    def truth(self) -> Floats:
        """The expected (tp, fp, fn, tn) of a pair."""
        others = 1 - self.clones
        return np.array(
            [
                self.clones * self.recall,
                others * self.alarms,
                self.clones * (1 - self.recall),
                others * (1 - self.alarms),
            ]
        )

    def counts(self, random: Random) -> Floats:
        sizes = np.array(self.sizes)
        clones = np.maximum(np.round(sizes * self.clones), 1).astype(np.int64)
        recall = random.beta(self.alike * self.recall, self.alike * (1 - self.recall), len(sizes))
        alarms = random.beta(self.alike * self.alarms, self.alike * (1 - self.alarms), len(sizes))
        tp, fp = random.binomial(clones, recall), random.binomial(sizes - clones, alarms)
        return np.stack([tp, fp, clones - tp, sizes - clones - fp], axis=1).astype(np.float64)

    def outcomes(self, counts: Floats) -> Outcomes:
        flat = counts.astype(np.int64).ravel()
        kinds, cluster = np.repeat(np.tile(np.arange(4), len(counts)), flat), np.repeat(np.arange(len(flat)) // 4, flat)
        return Outcomes(kinds < 2, kinds % 2 == 0, cluster=cluster)


def functionalities(rates: Rates) -> Draw:
    """The metrics of decisions, by functionality."""
    truth = {name: float(rate.value(rates.truth)) for name, rate in RATES.items()}

    def draw(random: Random) -> dict[str, Held]:
        found = measure(rates.outcomes(rates.counts(random)))
        return {one.name: Held(one, truth[one.name]) for one in found if one.value is not None}

    return draw


def location_recall(rates: Rates) -> Draw:
    def draw(random: Random) -> dict[str, Held]:
        counts = rates.counts(random).astype(np.int64)
        return {"recall": Held(clustered(counts[:, 0].tolist(), (counts[:, 0] + counts[:, 2]).tolist()), rates.recall)}

    return draw


def macro_averages(rates: Rates) -> Draw:
    def draw(random: Random) -> dict[str, Held]:
        found = {one.name: one for one in macro(rates.outcomes(rates.counts(random)))}
        return {"macro-recall": Held(found["macro-recall"], rates.recall)}

    return draw


def divisions(rates: Rates, count: int, tested: int) -> Draw:
    """The mean over divisions, each of which tests some of the functionalities."""

    def draw(random: Random) -> dict[str, Held]:
        whole, held = rates.counts(random), {}
        drawn = [np.sort(random.permutation(len(rates.sizes))[:tested]) for _ in range(count)]
        for rate in (RECALL, F1):
            mean = DivisionMean.of([_division_value(rate, whole, rows) for rows in drawn])
            spread = mean.spread()
            held[rate.name] = Held(spread.interval(mean.value) if spread else None, float(rate.value(rates.truth)))
        return held

    return draw


def _division_value(rate: Rate, counts: Floats, rows: Integers) -> DivisionValue:
    table, total = counts[rows], counts[rows].sum(axis=0)
    slope, stakes = rate.gradient(total), table @ rate.stake(total)
    shares, alone = stakes / stakes.sum(), float(total @ slope**2)
    return DivisionValue(tuple(rows), float(rate.value(total)), rows, rows, table @ slope, shares, alone)


def queries(count: int, size: int, mean: float) -> Draw:
    """A value for each query, such as its average precision, that differs between functionalities."""

    def draw(random: Random) -> dict[str, Held]:
        own = random.beta(4 * mean, 4 * (1 - mean), count)[:, None]
        values = random.beta(5 * own + 0.01, 5 * (1 - own) + 0.01, (count, size)).ravel()
        spread = mean_spread(values, np.repeat(np.arange(count), size))
        truth = _query_mean(mean)
        return {"map-at-r": Held(spread.interval(float(values.mean())) if spread else None, truth)}

    return draw


@cache
def _query_mean(mean: float) -> float:
    own = np.random.default_rng(0).beta(4 * mean, 4 * (1 - mean), 1_000_000)
    return float(np.mean((5 * own + 0.01) / 5.02))


# Fragments, scores and calibration: `bench.coverage` draws effects of functionalities and fragments.

SCORED = ("precision", "recall", "f1", "mcc", "balanced-accuracy", "roc-auc", "average-precision", "ece", "brier")


@cache
def _true_values(design: Design) -> dict[str, float]:
    return design.true_values(np.random.default_rng(0))


def reported(design: Design, *, known: bool = True, names: Sequence[str] = SCORED) -> Draw:
    """What `measure` reports, with scores; without the functionalities if these are not `known`."""

    def draw(random: Random) -> dict[str, Held]:
        drawn, truth = design.draw(random), _true_values(design)
        if not known:
            drawn = Outcomes(drawn.predicted, drawn.truth, drawn.score, None, drawn.left, drawn.right)
        found = [*measure(drawn), *measure_scores(drawn)]
        return {one.name: Held(one, truth[one.name]) for one in found if one.name in names}

    return draw


def these_functionalities(design: Design, names: Sequence[str] = SCORED) -> Draw:
    """Few functionalities, whose effects stay the same from run to run: what holds for these and other fragments."""
    effects = np.random.default_rng(5).standard_normal(len(design.sizes))
    truth = cache(lambda: design.values_of(effects, np.random.default_rng(0)))

    def draw(random: Random) -> dict[str, Held]:
        drawn = design.draw(random, effects)
        found = [*measure(drawn), *measure_scores(drawn)]
        assert all(one.scope or one.low is None for one in found)
        return {one.name: Held(one, truth()[one.name]) for one in found if one.name in names}

    return draw


def calibrated(count: int, size: int, slope: float) -> Draw:
    """Probabilities that are right (slope 1), or too high by a factor: the share of clones is the slope times these."""

    def draw(random: Random) -> dict[str, Held]:
        score, cluster = random.random(count * size), np.repeat(np.arange(count), size)
        outcomes = Outcomes(score >= 0.5, random.random(count * size) < slope * score, score, cluster)
        found = next(one for one in measure(outcomes) if one.name == "ece")
        return {"ece": Held(found, (1 - slope) / 2)}

    return draw


def these_counts(design: Design) -> Draw:
    """Recall for these functionalities from counts alone, without knowing the fragments."""
    effects = np.random.default_rng(5).standard_normal(len(design.sizes))
    truth = cache(lambda: design.values_of(effects, np.random.default_rng(0)))

    def draw(random: Random) -> dict[str, Held]:
        drawn = design.draw(random, effects)
        assert drawn.cluster is not None
        clones, hits = drawn.cluster[drawn.truth], drawn.cluster[drawn.truth & drawn.predicted]
        sizes = (np.bincount(each, minlength=len(design.sizes)).tolist() for each in (hits, clones))
        return {"recall": Held(clustered_within(*sizes), truth()["recall"])}

    return draw


# Two detectors on the same pairs.


def differences(sizes: tuple[int, ...], recalls: tuple[float, float], spread: float = 6.0) -> Draw:
    """Two detectors with common effects of functionalities."""
    truth = float(F1.value(Rates(sizes, recalls[0]).truth) - F1.value(Rates(sizes, recalls[1]).truth))

    def draw(random: Random) -> dict[str, Held]:
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        clones = np.arange(len(cluster)) % 5 < 2
        difficulty = random.random(len(sizes))
        outcomes = []
        for recall in recalls:
            found = _beta_quantile(difficulty, recall, spread)[cluster]
            predicted = random.random(len(cluster)) < np.where(clones, found, 0.1)
            outcomes.append(Outcomes(predicted, clones, cluster=cluster))
        first, second = outcomes
        counts = [PairDependence.of(one).functionalities for one in outcomes]
        assert counts[0] is not None
        assert counts[1] is not None
        held = {"f1": Held(compare(first, second), truth)}
        if len(sizes) >= MANY_CLUSTERS:
            drawn = paired_bootstrap(counts[0].counts, counts[1].counts, replicates=400)
            held["f1, bootstrap"] = Held(drawn.interval, truth)
        return held

    return draw


def _beta_quantile(level: Floats, mean: float, alike: float) -> Floats:
    """Approximate quantiles of a beta distribution: a large sample, sorted."""
    return np.quantile(_beta_sample(mean, alike), level)


@cache
def _beta_sample(mean: float, alike: float) -> Floats:
    return np.random.default_rng(0).beta(alike * mean, alike * (1 - mean), 200_000)


# The bootstrap over functionalities.


def bootstrapped(rates: Rates) -> Draw:
    truth = {name: float(rate.value(rates.truth)) for name, rate in RATES.items()}

    def draw(random: Random) -> dict[str, Held]:
        found = cluster_bootstrap(rates.counts(random), replicates=400).intervals
        return {name: Held(interval, truth[name]) for name, interval in found.items()}

    return draw


def bootstrapped_scores(design: Design) -> Draw:
    def draw(random: Random) -> dict[str, Held]:
        drawn, truth = design.draw(random), _true_values(design)
        assert drawn.score is not None
        assert drawn.cluster is not None
        found = cluster_bootstrap_ranking(drawn.score, drawn.truth, drawn.cluster, replicates=400).intervals
        return {name: Held(interval, truth[name]) for name, interval in found.items()}

    return draw


# Agreement of judges.


@dataclass(frozen=True)
class Panel:
    """Judges of subjects.

    Attributes:
        subjects: number of subjects.
        judges: number of judges.
        clones: share of clones.
        right: the probability that a judge is right.
    """

    subjects: int
    judges: int = 2
    clones: float = 0.5
    right: float = 0.9

    def ratings(self, random: Random, subjects: int | None = None) -> Ratings:
        count = subjects or self.subjects
        truth = random.random((count, 1)) < self.clones
        answers = truth ^ (random.random((count, self.judges)) >= self.right)
        return Ratings(tuple("abcdef"[: self.judges]), ("clone", "not-clone"), (~answers).astype(np.int64))


COEFFICIENTS = ("agreement", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "pabak")


@cache
def _true_agreement(panel: Panel) -> dict[str, float | None]:
    many = measure_agreement(panel.ratings(np.random.default_rng(0), 60_000), replicates=2)
    return {name: getattr(many, name) for name in COEFFICIENTS}


def agreement(panel: Panel) -> Draw:
    def draw(random: Random) -> dict[str, Held]:
        found, truth = measure_agreement(panel.ratings(random), replicates=400), _true_agreement(panel)
        held = {}
        for name in COEFFICIENTS:
            value = truth[name]
            if getattr(found, name) is not None and value is not None:
                held[name] = Held(found.intervals.get(name), value)
        return held

    return draw


# Samples of a population.


def survey(n: int, share: float, strata: Mapping[str, tuple[int, float]] | None = None) -> Draw:
    """A share of a population of pairs, drawn at random or stratified."""

    def draw(random: Random) -> dict[str, Held]:
        if strata is not None:
            names = np.repeat(list(strata), n)
            hits = np.concatenate([random.random(n) < each for _, each in strata.values()])
            sizes = {name: size for name, (size, _) in strata.items()}
            truth = sum(size * each for size, each in strata.values()) / sum(sizes.values())
            return {"share": Held(estimate_stratified(names.tolist(), sizes, hits, hits | True).interval(), truth)}
        answers = random.random(20 * n) < share
        hits = answers[random.permutation(len(answers))[:n]]
        found = estimate_stratified([""] * n, {"": len(answers)}, hits, hits | True)
        return {"share": Held(found.interval(), float(answers.mean()))}

    return draw


def corrected(scenario: Scenario) -> Draw:
    """Numbers that are corrected for wrong labels by a judged sample; tests/stats/test_label_noise.py has more."""

    def draw(random: Random) -> dict[str, Held]:
        found, truth = correct_labels(scenario.draw(random), scenario.method), scenario.truth()
        assert found is not None
        return {name: Held(number.interval, truth[name]) for name, number in found.items()}

    return draw


EQUAL, UNEQUAL, GIANT = (30,) * 12, tuple(8 + 4 * n for n in range(14)), (300, *(20,) * 42)


def cases() -> Iterator[Case]:
    """All simulations."""
    yield Case("independent, small shares", shares(20, 0, 0.2))
    yield Case("independent, any share", shares(60, 0, 1))
    yield from (Case(f"independent, {n}", shares(n, 0, 1), slow=True, widest=1) for n in (5, 10, 100, 400))
    yield Case("functionalities of equal size", functionalities(Rates(EQUAL)))
    yield Case("five functionalities", functionalities(Rates((40,) * 5)), widest=0.95)
    yield Case("functionalities of unequal size", functionalities(Rates(UNEQUAL)))
    yield Case("nearly perfect", functionalities(Rates((20,) * 15, 0.985, 0.005, alike=8)), given=0.9)
    yield Case("nearly silent", functionalities(Rates((20,) * 15, 0.02, 0.004, alike=8)), given=0.3, widest=0.9)
    yield Case("nearly everything predicted", functionalities(Rates((20,) * 15, 0.98, 0.97, alike=8)), given=0.9)
    yield from (
        Case(
            f"{count} functionalities, recall {recall}", functionalities(Rates((size,) * count, recall)), 0.85, 1, True
        )
        for count, size in ((5, 100), (7, 20), (20, 40), (60, 30))
        for recall in (0.3, 0.7, 0.95)
    )
    yield Case("one functionality with many pairs", functionalities(Rates(GIANT)), slow=True, given=0, widest=1)
    yield Case("recall by location", location_recall(Rates(EQUAL)))
    yield Case("recall by location, three functionalities", location_recall(Rates((40,) * 3)), widest=1)
    yield Case("recall by location, unequal", location_recall(Rates(UNEQUAL, 0.9)))
    yield Case(
        "recall by location, one with most pairs", location_recall(Rates((120, *(20,) * 20))), slow=True, widest=1
    )
    yield Case("macro averages", macro_averages(Rates(EQUAL)))
    yield Case("macro averages, high", macro_averages(Rates(UNEQUAL, 0.95)))
    yield Case("macro averages, three functionalities", macro_averages(Rates((30,) * 3)), widest=1)
    yield Case("folds", divisions(Rates((30,) * 12), 3, 12))
    yield Case("divisions that overlap", divisions(Rates((30,) * 12), 20, 4))
    yield Case("queries", queries(12, 10, 0.7))
    yield Case("queries, high", queries(12, 10, 0.9))
    yield Case("fragments and functionalities", reported(Design((6,) * 12)))
    yield Case("pairs across functionalities", reported(Design((5,) * 15, across=True)))
    yield Case("one functionality", these_functionalities(Design((16,))))
    yield Case("two functionalities", these_functionalities(Design((12, 9))))
    yield Case("two small functionalities", these_functionalities(Design((6, 6))), widest=0.95)
    yield Case("four unequal functionalities", these_functionalities(Design((16, 6, 5, 5))))
    yield Case("two functionalities, pairs across", these_functionalities(Design((12, 12), across=True)))
    yield Case("counts of one functionality", these_counts(Design((16,), clones=1)))
    yield Case("counts of two functionalities", these_counts(Design((16, 12), fragment=1.5, clones=1)))
    yield Case("functionalities are unknown", reported(Design((24,), functionality=0), known=False))
    yield from (
        Case(
            f"these functionalities, {sizes}, {fragment}",
            these_functionalities(Design(sizes, 1.0, fragment)),
            slow=True,
            widest=1,
        )
        for sizes in ((30,), (20, 20), (10, 10, 10), (40, 8, 8, 8), (30, *(4,) * 12))
        for fragment in (0.3, 1.0)
    )
    yield Case("calibrated scores", calibrated(15, 30, 1.0))
    yield Case("scores that are too high", calibrated(15, 30, 0.6))
    yield Case("differences", differences((20,) * 45, (0.7, 0.7)))
    yield Case("differences, 15 functionalities", differences((30,) * 15, (0.7, 0.7)))
    yield Case("differences, few functionalities", differences((60,) * 6, (0.75, 0.6)), widest=1)
    yield Case("bootstrap", bootstrapped(Rates((20,) * 45)))
    yield Case("bootstrap of scores", bootstrapped_scores(Design((4,) * 45)))
    yield Case("two judges", agreement(Panel(60)))
    yield Case("two judges, few subjects", agreement(Panel(25)), widest=0.95)
    yield Case("two judges who nearly always agree", agreement(Panel(100, right=0.99)), given=0.9)
    yield Case("two judges, rare clones", agreement(Panel(120, clones=0.1, right=0.95)))
    yield Case("three judges", agreement(Panel(60, 3, right=0.85)))
    yield Case("simple sample", survey(60, 0.2))
    yield Case("simple sample, rare", survey(100, 0.02))
    yield Case("stratified sample", survey(30, 0, {"a": (5000, 0.05), "b": (500, 0.4), "c": (100, 0.8)}))
    yield Case("corrected for wrong labels", corrected(Scenario((0.07,), (400,), 0.02, 100, evaluated=300)))
    yield Case("bounds for wrong labels", corrected(Scenario((0.07,), (400,), method=CorrectionMethod.BOUNDS)))
