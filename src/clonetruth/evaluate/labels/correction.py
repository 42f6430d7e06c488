"""Corrects numbers that were measured on a dataset's own labels, by a judged sample that shows how many are wrong.

`evaluate`, `claim` and `leaderboard` all come here: they differ only in what they know about the evaluated pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.evaluate.locations.recall import SEPARATE_TYPES
from clonetruth.evaluate.measurement import Basis, PairDependence, interval_basis
from clonetruth.evaluate.pairs.evaluation import EvaluationRun
from clonetruth.evaluate.pairs.strata import CLAIMED_TYPE
from clonetruth.stats.clusters import Spread, independent_variance
from clonetruth.stats.influence import KindInfluence
from clonetruth.stats.intervals import Interval, wilson
from clonetruth.stats.label_noise import (
    CORRECTED_METRICS,
    SENSITIVITY_SHARE,
    CorrectedNumber,
    CorrectionMethod,
    DesignEffect,
    NoisyLabels,
    correct_labels,
    refutes_rogan_gladen,
)
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import Floats, Integers
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Measurement, MeasurementGroup, Result, ResultKind
from clonetruth.verdicts.judged_labels import JudgedLabels, LabelCell, MatchedLabels, judged_labels, match_labels
from clonetruth.verdicts.policies import ORIGIN
from clonetruth.verdicts.published_samples import published_samples

METHODS = tuple(CorrectionMethod)

_ASSUMPTIONS = {
    CorrectionMethod.INDEPENDENT: (
        "Label errors are independent of detection: among pairs with the same label, clones are predicted as often as "
        "others."
    ),
    CorrectionMethod.ROGAN_GLADEN: (
        "Label errors depend on the truth alone: clones are predicted equally often whatever their label, and so are "
        "others."
    ),
    CorrectionMethod.DESIGN_BASED: "Nothing about which labels are wrong: the judged pairs have predictions.",
    CorrectionMethod.BOUNDS: "Nothing about which labels are wrong: the true numbers lie between the bounds.",
    CorrectionMethod.SENSITIVITY: (
        f"As 'independent', but up to {100 * SENSITIVITY_SHARE:.0f} % of the labels that nobody judged are wrong."
    ),
    CorrectionMethod.AS_PUBLISHED: (
        "As 'independent' for the precision; the 'recall' divides by all labelled pairs, wrong labels included."
    ),
}

_CONCLUSIVE = 20
"""From this number of judged pairs on, full agreement with the evidence is not an accident."""

_PUBLISHED_NOTE = (
    "Not reporting a pair that is not a clone counts as a miss in this 'recall'. Calculated with three decimals, as in "
    "the paper."
)


def correct_matched(
    matched: MatchedLabels,
    methods: Sequence[CorrectionMethod] = METHODS,
    *,
    sampled: bool = True,
    design_effect: DesignEffect | None = None,
    identified: Sequence[str] = CORRECTED_METRICS,
    confidence: float = 0.95,
) -> tuple[Correction, ...]:
    """Correct precision, recall, F1 and prevalence by each method that is possible.

    Args:
        matched: the evaluated pairs with the judged sample.
        methods: the methods.
        sampled: whether the counts are those of a sample of pairs; see `NoisyLabels`.
        design_effect: how dependent the evaluated pairs are; see `NoisyLabels`.
        identified: the metrics that the counts determine.
        confidence: confidence level of the intervals.
    """
    pairs = NoisyLabels(matched.groups, sampled, design_effect)
    corrections = []
    for method in methods:
        numbers = correct_labels(pairs, method, confidence)
        note = _PUBLISHED_NOTE if method is CorrectionMethod.AS_PUBLISHED else None
        measurements: tuple[Measurement, ...]
        if numbers is not None:
            shown = [name for name in numbers if name in identified]
            measurements = tuple(_measurement(name, numbers[name], matched.judged, sampled) for name in shown)
        else:
            recall = refutes_rogan_gladen(pairs, confidence) if method is CorrectionMethod.ROGAN_GLADEN else None
            if recall is None:
                continue
            note = f"The numbers refute the assumption: the recall would be {recall:.3g}."
            measurements = tuple(Measurement(name, None) for name in identified if name != "prevalence")
        assumption = " ".join((_ASSUMPTIONS[method], *matched.assumptions))
        corrections.append(Correction(str(method), assumption, measurements, matched.judged.errors, note))
    return tuple(corrections)


def _measurement(name: str, number: CorrectedNumber, judged: JudgedLabels, sampled: bool) -> Measurement:
    joined, interval = "the judged and of the evaluated pairs" if sampled else "the judged pairs alone", number.interval
    if interval is not None and not sampled and math.isclose(interval.low, interval.high):
        # It does not depend on the judged pairs, and nothing is known about the evaluated ones.
        interval = None
    return Measurement(
        name=name,
        value=number.value,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        n=len(judged.label),
        method=f"melded from the sampling errors of {joined}" if interval else None,
        note=None if number.value is not None or interval else "undefined",
    )


def split_assumptions(corrections: Sequence[Correction]) -> tuple[list[str], str]:
    """What each correction assumes beyond the others, and what they all assume, to print once."""
    sentences = [one.assumption.split(". ") for one in corrections]
    shared = 0
    while sentences and all(
        len(one) > shared + 1 and one[-1 - shared] == sentences[0][-1 - shared] for one in sentences
    ):
        shared += 1
    own = [". ".join(one[: len(one) - shared]).rstrip(".") + "." for one in sentences]
    return own, ". ".join(sentences[0][len(sentences[0]) - shared :]) if sentences else ""


def labels_of(
    benchmark: Benchmark, judged: Benchmark | None = None, criterion: str | None = None
) -> JudgedLabels | str:
    """The judged sample for the labels of a benchmark.

    It is that of `judged`; by default that in the benchmark itself, or else the first published one of its source.

    Returns:
        The sample; or, where there is none, the reason in a sentence.

    Raises:
        InputError: see `verdicts.judged_labels`.
    """
    own = judged_labels(judged or benchmark, criterion, of=benchmark if judged else None)
    if judged is not None or not isinstance(own, str):
        return own
    published = [one for name in _names(benchmark) for one in published_samples(name)]
    fitting = [one for one in published if criterion in (None, one.criterion)]
    return fitting[0] if fitting else own


def _names(benchmark: Benchmark) -> list[str]:
    return [one.name for one in benchmark.lineage() if one.name]


# Evaluated pairs.


def correct_run(
    run: EvaluationRun,
    result: Result,
    *,
    judged: Benchmark | None = None,
    criterion: str | None = None,
    methods: Sequence[CorrectionMethod] = METHODS,
) -> tuple[tuple[Correction, ...], tuple[str, ...]]:
    """Correct the numbers of a result for wrong labels.

    Args:
        run: the decisions that were measured.
        result: the result.
        judged: a benchmark with judgements on such labels (default: the benchmark of the run, or what is published
            about its source).
        criterion: what the judges were asked.
        methods: the methods of correction.

    Returns:
        A correction for each method that is possible, and warnings about what is not.

    Raises:
        InputError: `judged` is about other labels.
    """
    benchmark, outcomes = run.pair_set.benchmark, run.decisions.outcomes
    sample, warned = _sample(result, benchmark, judged, criterion, methods)
    if sample is None:
        return (), warned
    decisions = _decisions(run, sample) if judged is None else None
    if decisions is not None and _is_own_judge(sample, decisions):
        return (), ("Not corrected for wrong labels: the judgements are the detector's own answers.",)
    types = _clone_types(benchmark, run.decisions.subjects.pair)
    cells, codes = _cells(outcomes, types)
    matched = match_labels(sample, cells, decisions)
    dependence, confidence = _dependence(outcomes, matched, cells, codes), run.options.confidence
    everything = np.ones(dependence.kind_count)
    scope = _basis(dependence, KindInfluence(everything - everything), everything, confidence).scope
    if scope is not None:
        matched = replace(matched, assumptions=(*matched.assumptions, f"The intervals hold for {scope} only."))
    effect = _design_effect(dependence, confidence)
    corrected = correct_matched(matched, methods, design_effect=effect, confidence=confidence)
    missing = [one for one in methods if one not in {each.name for each in corrected}]
    if len(methods) < len(METHODS) and missing:
        return corrected, (f"Not corrected by {', '.join(missing)}: {_why_not(missing[0])}.",)
    return corrected, ()


def _sample(
    result: Result,
    benchmark: Benchmark,
    judged: Benchmark | None,
    criterion: str | None,
    methods: Sequence[CorrectionMethod],
) -> tuple[JudgedLabels | None, tuple[str, ...]]:
    """The judged sample to correct a result by; or None, and a warning if a correction was asked for."""
    if not methods:
        return None, ()
    asked = judged is not None or criterion is not None or len(methods) < len(METHODS)
    reason = _not_needed(result)
    try:
        # Judgements on other labels are refused even where there is nothing to correct.
        sample = labels_of(benchmark, judged, criterion) if reason is None or judged else reason
    except InputError as error:
        if asked:
            raise
        return None, (f"Not corrected for wrong labels: {error}",)
    reason = reason or (sample if isinstance(sample, str) else None)
    if reason is not None or isinstance(sample, str):
        return None, (f"Not corrected for wrong labels: {reason}.",) if asked else ()
    return sample, ()


def _not_needed(result: Result) -> str | None:
    if result.policy.name != ORIGIN.name:
        return (
            f"the policy '{result.policy.name}' does not believe the dataset's labels; use --policy origin to measure "
            "on them"
        )
    if result.kind is ResultKind.PAIRS and result.measurement("precision") is None:
        return "the predictions have no decisions: give a threshold"
    return None


def _why_not(method: CorrectionMethod) -> str:
    if method is CorrectionMethod.DESIGN_BASED:
        return "no judged pair of this benchmark has a prediction"
    if method is CorrectionMethod.SENSITIVITY:
        return "both kinds of labels were judged"
    return "no pair is labelled a non-clone"


def _decisions(run: EvaluationRun, sample: JudgedLabels) -> Integers | None:
    """For each judged pair, what the detector says: 1 or 0, or -1 if it says nothing; None if it never does."""
    pairs = run.decisions.subjects.pair
    order = np.argsort(pairs, kind="stable")
    place = np.searchsorted(pairs[order], sample.pair)
    rows = order[np.minimum(place, len(pairs) - 1)]
    found = np.where(pairs[rows] == sample.pair, run.decisions.outcomes.predicted[rows].astype(np.int64), -1)
    return found if (found >= 0).any() else None


def _is_own_judge(sample: JudgedLabels, decisions: Integers) -> bool:
    """Whether the evidence comes from the detector itself: an LLM's answers may be imported as judgements."""
    said = decisions >= 0
    return bool(np.count_nonzero(said) >= _CONCLUSIVE and np.array_equal(decisions[said] == 1, sample.clone[said]))


_TYPES_SQL = """
SELECT coalesce(p.claimed_type, '') AS clone_type FROM pairs p JOIN evaluated e ON p.pair = e.pair ORDER BY e.place
"""


def _clone_types(benchmark: Benchmark, pairs: Integers) -> list[str]:
    evaluated = pa.table({"pair": pairs, "place": np.arange(len(pairs))})
    found: list[str] = benchmark.sql(_TYPES_SQL, evaluated=evaluated)["clone_type"].to_pylist()
    return found


def _cells(outcomes: Outcomes, types: Sequence[str]) -> tuple[list[LabelCell], Integers]:
    """The evaluated pairs by label and clone type, and the cell of each pair."""
    names, codes = np.unique(np.asarray(types, np.str_), return_inverse=True)
    codes = 2 * codes + outcomes.truth
    predicted = np.bincount(codes, outcomes.predicted, 2 * len(names))
    total = np.bincount(codes, minlength=2 * len(names))
    cells = [
        LabelCell(bool(number % 2), str(names[number // 2]), float(predicted[number]), float(count - predicted[number]))
        for number, count in enumerate(total)
    ]
    return cells, codes.astype(np.int64)


def _design_effect(dependence: PairDependence, confidence: float) -> DesignEffect:
    """How dependent the pairs of an evaluation are, by functionality and by fragment; infinite if that is unknown."""
    totals = np.bincount(dependence.kinds, minlength=dependence.kind_count).astype(np.float64)
    normal = NormalDist().inv_cdf((1 + confidence) / 2)

    def effect(influence: Floats, stake: Floats) -> float:
        one, weight = KindInfluence(influence.ravel()), stake.ravel()
        spread = _basis(dependence, one, weight, confidence).spread
        if spread is None:
            return math.inf
        alone = independent_variance(one, totals)
        if alone > 0:
            return spread.margin(confidence) ** 2 / (normal**2 * alone)
        # Pairs that all agree show no spread: their clusters count.
        return float(totals @ (weight > 0)) / spread.effective

    return effect


def _basis(dependence: PairDependence, influence: KindInfluence, stake: Floats, confidence: float) -> Basis:
    def symmetric(spread: Spread, structure: object) -> Interval:
        return Interval(-spread.margin(confidence), spread.margin(confidence))

    return interval_basis(dependence, influence, stake, symmetric)


def _dependence(
    outcomes: Outcomes, matched: MatchedLabels, cells: Sequence[LabelCell], codes: Integers
) -> PairDependence:
    """The evaluated pairs by group and prediction, and which of them share functionalities and fragments."""
    group_of = np.array([_group(matched, cell) for cell in cells])
    groups = [number for number, one in enumerate(matched.groups) if one.predicted + one.others > 0]
    kinds = (2 * np.searchsorted(groups, group_of[codes]) + ~outcomes.predicted).astype(np.int8)
    return PairDependence(outcomes, kinds, 2 * len(groups))


def _group(matched: MatchedLabels, cell: LabelCell) -> int:
    return next(
        number
        for number, (label, clone_type) in enumerate(matched.kinds)
        if label == cell.label and clone_type in (None, cell.clone_type)
    )


# Results without their pairs: reports of locations, and what a leaderboard has.


def correct_locations(
    result: Result,
    benchmark: Benchmark,
    *,
    judged: Benchmark | None = None,
    criterion: str | None = None,
    methods: Sequence[CorrectionMethod] = METHODS,
) -> tuple[tuple[Correction, ...], tuple[str, ...]]:
    """Correct the recall of a report of locations for wrong labels; see `correct_run`."""
    sample, warned = _sample(result, benchmark, judged, criterion, methods)
    return (correct_result(result, sample, methods), ()) if sample is not None else ((), warned)


def correct_result(
    result: Result, judged: JudgedLabels, methods: Sequence[CorrectionMethod] = (CorrectionMethod.INDEPENDENT,)
) -> tuple[Correction, ...]:
    """Correct the headline of a result, from the counts in it; empty where it does not have them."""
    recall = result.measurement("recall")
    if result.kind is ResultKind.LOCATIONS:
        found = [(name.replace("_", "/"), result.measurement(f"recall-{name}")) for name in SEPARATE_TYPES]
        cells = [cell for name, one in found if one is not None and (cell := _found_cell(name, one)) is not None]
        identified = CORRECTED_METRICS[1:2]
    else:
        precision, specificity = result.measurement("precision"), result.measurement("specificity")
        if precision is None or precision.n is None or precision.successes is None or specificity is None:
            return ()
        found = [(group.name, _recall(group)) for group in _typed_groups(result)] or [("", recall)]
        cells = [cell for name, one in found if one is not None and (cell := _found_cell(name, one)) is not None]
        alarms, others = precision.n - precision.successes, float(specificity.n or 0)
        cells.append(LabelCell(False, "", alarms, max(others - alarms, 0.0), _implied_effect(specificity)))
        identified = CORRECTED_METRICS
    if recall is None or not any(cell.predicted + cell.others for cell in cells):
        return ()
    matched = match_labels(judged, cells)
    given = ["The numbers of pairs with each label and clone type are taken as given."]
    used = [*(one for _, one in found), result.measurement("specificity")]
    if any(one is not None and one.n and one.scope is not None for one in used):
        given.append("The intervals hold for the tested functionalities only.")
    matched = replace(matched, assumptions=(*matched.assumptions, *given))
    return correct_matched(matched, methods, identified=identified)


def _found_cell(clone_type: str, recall: Measurement) -> LabelCell | None:
    if not recall.n or recall.successes is None:
        return None
    return LabelCell(True, clone_type, recall.successes, recall.n - recall.successes, _implied_effect(recall))


def _typed_groups(result: Result) -> list[MeasurementGroup]:
    """The pairs labelled clones by claimed type."""
    groups = next((one.groups for one in result.strata if one.by == CLAIMED_TYPE), ())
    return [group for group in groups if group.clones]


def _recall(group: MeasurementGroup) -> Measurement | None:
    return next((one for one in group.measurements if one.name == "recall"), None)


def _implied_effect(one: Measurement) -> float:
    """How many times larger the variance of a share is than for independent pairs; infinite without an interval."""
    plain = wilson(min(one.successes, one.n), one.n) if one.n and one.successes is not None else None
    if one.low is None or one.high is None or plain is None:
        return math.inf
    return max(1.0, ((one.high - one.low) / (plain.high - plain.low)) ** 2)


# Numbers in papers.


def reported_cells(
    precision: float,
    recall: float,
    pairs: int | None = None,
    clones: int | None = None,
    types: Mapping[str, int] | None = None,
) -> list[LabelCell]:
    """The evaluated pairs behind a reported precision and recall, as shares of the clone labels or as counts.

    Args:
        precision: the precision, not 0.
        recall: the recall, not 0; that of every clone type.
        pairs: number of pairs.
        clones: number of pairs labelled clones.
        types: how many clone labels the set has of each clone type.

    Raises:
        InputError: the numbers contradict each other.
    """
    labelled = float(clones or 1)
    hits = recall * labelled
    alarms = hits * (1 - precision) / precision
    others = 0.0
    if pairs is not None and clones is not None:
        others = pairs - clones - alarms
        if others < -0.5:
            raise InputError(
                f"{pairs:,} pairs of which {clones:,} are labelled clones cannot have a precision of {precision:g} and "
                f"a recall of {recall:g}.",
                hint="Check --pairs and --clones.",
            )
    shares = {name: count / sum(types.values()) for name, count in types.items()} if types else {"": 1.0}
    found = [LabelCell(True, name, share * hits, share * (labelled - hits)) for name, share in shares.items()]
    return [*found, LabelCell(False, "", alarms, max(others, 0.0))]


def correct_reported(
    judged: JudgedLabels,
    precision: float,
    recall: float,
    pairs: int | None = None,
    clones: int | None = None,
    types: Mapping[str, int] | None = None,
) -> tuple[Correction, ...]:
    """Correct numbers in a paper, by each method that their counts allow.

    Args:
        judged: the judged sample.
        precision: the reported precision, not 0.
        recall: the reported recall, not 0.
        pairs: number of pairs that they were measured on; None if unknown.
        clones: number of them that are labelled clones; None if unknown.
        types: how many clone labels the set has of each clone type, where that is known.
    """
    matched = match_labels(judged, reported_cells(precision, recall, pairs, clones, types))
    if sum(one.label for one in matched.groups) > 1:
        matched = replace(matched, assumptions=(*matched.assumptions, "Every clone type is found equally often."))
    counted = pairs is not None and clones is not None
    methods = [one for one in METHODS if counted or one not in _COUNTS_NEEDED]
    both = any(not one.label and one.judged for one in matched.groups)
    if not counted and both:
        # How many clones are hidden among the pairs labelled non-clones is unknown without their number.
        matched = replace(matched, groups=tuple(one for one in matched.groups if one.label or one.predicted))
    identified = CORRECTED_METRICS if counted else CORRECTED_METRICS[: 1 if both else 3]
    return correct_matched(matched, methods, sampled=counted, identified=identified)


_COUNTS_NEEDED = (CorrectionMethod.ROGAN_GLADEN, CorrectionMethod.SENSITIVITY)
