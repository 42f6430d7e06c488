"""Evaluates a detector that scores or decides pairs: from predictions and verdicts to a result."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import measure
from clonetruth.evaluate.pairs.decisions import (
    DecisionRule,
    Decisions,
    cautions,
    decide,
    held_out_rule,
    published_rule,
    stated_rule,
    undecided_rule,
    validated_rule,
)
from clonetruth.evaluate.pairs.detector_scores import (
    Baselines,
    Scorer,
    curves,
    detector_rule,
    score_pairs,
    seen_in_training,
    without_training_fragments,
)
from clonetruth.evaluate.pairs.disagreements import worst_disagreements
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects, draw_record
from clonetruth.evaluate.pairs.strata import groupings, macro, strata
from clonetruth.evaluate.score_metrics import measure_scores
from clonetruth.formats.predictions import Predictions
from clonetruth.progress import Progress
from clonetruth.splits import ensure_split, with_drawn_pairs
from clonetruth.stats.clusters import ENOUGH_CLUSTERS, effective_clusters, few_clusters
from clonetruth.stats.rates import RATES
from clonetruth.store import Benchmark, DrawnBenchmark, build_manifest
from clonetruth.store.results import BenchmarkIdentity, PolicyUse, Result, ResultKind
from clonetruth.training import ThresholdRule, TrainingSpec
from clonetruth.verdicts import judge_verdicts

_VALIDATION = "valid"


@dataclass(frozen=True)
class Candidate:
    """What is evaluated: predictions, or a detector that predicts now.

    Attributes:
        source: the predictions, or the detector.
        validation: further predictions, for the pairs that a threshold is chosen on.
        name: the name of the detector in the result (default: that of the detector, or of the predictions).
        rule: how scores become decisions (default: as the options of the evaluation say).
    """

    source: Predictions | Scorer
    validation: Predictions | None = None
    name: str | None = None
    rule: DecisionRule | None = None

    @property
    def title(self) -> str:
        """The name of the detector in the result."""
        if self.name is not None:
            return self.name
        return self.source.title if isinstance(self.source, Predictions) else detector_title(self.source)

    @property
    def predictions(self) -> list[Predictions]:
        """The predictions that were given; empty for a detector."""
        return [one for one in (self.source, self.validation) if isinstance(one, Predictions)]


def detector_title(detector: Scorer) -> str:
    """The name of a detector; of one that was trained in a way that flatters it, with what was done."""
    options = getattr(detector, "options", None)
    flattering = options.flattering if isinstance(options, TrainingSpec) else ()
    return f"{detector.name} (as published: {'; '.join(flattering)})" if flattering else detector.name


def _own_rule(detector: Scorer) -> DecisionRule | None:
    """The rule of a trained detector whose threshold the validation part must not replace; None for any other."""
    threshold, options = detector.default_threshold, getattr(detector, "options", None)
    if threshold is None:
        return None
    if isinstance(options, TrainingSpec) and options.threshold is ThresholdRule.PAPER:
        return published_rule(threshold, by_test=False)
    if getattr(detector, "decides_itself", False):
        return held_out_rule(threshold, getattr(detector, "threshold_origin", None))
    if isinstance(options, TrainingSpec) and options.select == "test":
        return published_rule(threshold, by_test=True)
    return None


@dataclass(frozen=True)
class EvaluationRun:
    """A candidate's decisions on the pairs of an evaluation, before anything is measured.

    Attributes:
        candidate: the candidate.
        pair_set: where the pairs come from.
        options: the options of the evaluation.
        rule: how scores and labels became decisions.
        decisions: the decisions.
        validation: the pairs that the threshold was chosen on; None where it was not chosen.
        cautions: what a reader of the scores should know.
    """

    candidate: Candidate
    pair_set: PairSet
    options: PairsOptions
    rule: DecisionRule
    decisions: Decisions
    validation: PairSubjects | None
    cautions: tuple[str, ...] = ()

    @classmethod
    def run(
        cls, benchmark: Benchmark, candidate: Candidate, options: PairsOptions, progress: Progress | None = None
    ) -> EvaluationRun:
        """Collect the decisions of a candidate.

        Raises:
            InputError: no pair has a verdict, or predictions are missing and must not be.
        """
        ensure_split(benchmark, options.view)
        benchmark = with_drawn_pairs(
            benchmark,
            options.policy,
            options.criterion,
            options.view,
            options.part,
            sampling=options.sampling,
            seed=options.seed,
            all_pairs=options.all_pairs,
        )
        verdicts = judge_verdicts(benchmark, options.policy, options.criterion)
        pair_set = PairSet(benchmark, verdicts, options.view)
        source = candidate.source
        found: list[str] = []

        def predicted(part: str | None, predictions: Predictions | None) -> PairSubjects:
            if isinstance(source, Predictions):
                return pair_set.subjects(part, predictions or source)
            subjects = without_training_fragments(benchmark, source, pair_set.subjects(part), found.append)
            return score_pairs(
                benchmark, source, subjects, processes=options.processes, progress=progress, warn=found.append
            )

        subjects = predicted(options.part, None)
        if not len(subjects):
            raise InputError(
                f"No pair has a verdict under the policy '{options.policy}' and the criterion '{verdicts.criterion}'"
                + (f" in the part '{options.part}'." if options.part else "."),
                where=benchmark.path,
                hint="Add judgements, or use the policy 'origin', which believes the dataset's own labels.",
            )
        if (
            options.missing is Missing.EXCLUDE
            and not isinstance(source, Predictions)
            and np.isnan(subjects.score).all()
        ):
            raise InputError(
                f"The detector '{candidate.title}' gave none of {len(subjects):,} pairs a score.",
                hint=" ".join(found) or "It cannot read their fragments: see their texts and languages.",
            )
        rule, validation = candidate.rule or stated_rule(subjects, options.threshold), None
        if rule is None and not isinstance(source, Predictions):
            rule = _own_rule(source)
        if rule is None and options.part not in (None, _VALIDATION):
            validation = predicted(_VALIDATION, candidate.validation)
            rule = validated_rule(validation, options.threshold_metric)
        if rule is None:
            rule = undecided_rule() if isinstance(source, Predictions) else detector_rule(source)
        decisions = decide(subjects, rule, options.missing)
        return cls(candidate, pair_set, options, rule, decisions, validation, tuple(dict.fromkeys(found)))


def evaluate_pairs(
    benchmark: Benchmark,
    candidate: Predictions | Scorer | Candidate,
    options: PairsOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Result:
    """Measure a detector on the pairs of a benchmark that have a verdict.

    A prediction is for an unordered pair, and counts for each row that the benchmark has of it. Pairs without a verdict
    are in no number.

    Args:
        benchmark: the benchmark.
        candidate: predictions, or a detector.
        options: the options of the evaluation.
        progress: called as the work proceeds.

    Raises:
        InputError: nothing can be counted, predictions are missing and must not be, or an option is invalid.
        UnknownNameError: there is no such policy or baseline.
    """
    named = candidate if isinstance(candidate, Candidate) else Candidate(candidate)
    return build_result(EvaluationRun.run(benchmark, named, options or PairsOptions(), progress), progress)


def build_result(run: EvaluationRun, progress: Progress | None = None) -> Result:
    """Measure the decisions of a run."""
    pair_set, options, outcomes = run.pair_set, run.options, run.decisions.outcomes
    benchmark, verdicts = pair_set.benchmark, pair_set.verdicts
    decides = run.rule.decides
    headline = [one for one in measure(outcomes, options.confidence, options.seed) if decides or one.name not in RATES]
    if not headline:
        raise InputError(
            "The predictions have neither decisions nor a score for every pair: nothing can be measured.",
            hint="Give every pair a score, or a threshold.",
        )
    metrics = [one.name for one in headline]
    baselines = Baselines(benchmark, run.decisions.subjects, run.validation, metrics, options, progress)
    card, unknown = benchmark.card, pair_set.unknown(options.part)
    identity = BenchmarkIdentity(card.name, card.version, benchmark.content_hash, benchmark.judgements_hash)
    return Result(
        kind=ResultKind.PAIRS,
        detector=run.candidate.title,
        benchmark=identity,
        policy=PolicyUse(verdicts.policy, verdicts.criterion, len(outcomes), unknown, verdicts.assumptions),
        setting={
            "threshold": run.rule.name,
            "missing": str(options.missing),
            "confidence": options.confidence,
            **({"drawn pairs": benchmark.draw.digest} if isinstance(benchmark, DrawnBenchmark) else {}),
        },
        headline=(
            *headline,
            *measure_scores(outcomes, options.confidence),
            *(macro(outcomes, options.confidence) if decides else ()),
        ),
        manifest=build_manifest(_inputs(run, identity), _configuration(run), options.seed),
        view=options.view,
        part=options.part,
        baselines=tuple(baselines.group(name) for name in options.baselines),
        strata=tuple(strata(outcomes, groupings(benchmark, run.decisions.subjects), metrics, options.confidence)),
        curves=curves(outcomes),
        disagreements=worst_disagreements(benchmark, verdicts, run.decisions, decides=decides),
        notes=tuple(_notes(run)),
        warnings=tuple(_warnings(run)),
    )


def _inputs(run: EvaluationRun, benchmark: BenchmarkIdentity) -> dict[str, str]:
    hashes = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    predictions = {one.origin.name: one.digest() for one in run.candidate.predictions}
    return {name: digest for name, digest in (hashes | predictions).items() if digest is not None}


def _configuration(run: EvaluationRun) -> dict[str, Any]:
    # The number of processes has no influence on the result; how pairs are drawn is recorded with the draw.
    left_out = ("processes", "sampling", "all_pairs")
    options = {name: value for name, value in dataclasses.asdict(run.options).items() if name not in left_out}
    return {
        **options,
        **draw_record(run.pair_set.benchmark),
        "baselines": list(run.options.baselines),
        "criterion": run.pair_set.verdicts.criterion,
        "detector": run.candidate.title,
        "threshold": run.rule.threshold,
        "threshold_rule": run.rule.name,
    }


def _notes(run: EvaluationRun) -> Iterator[str]:
    yield run.rule.sentence
    benchmark = run.pair_set.benchmark
    if isinstance(benchmark, DrawnBenchmark):
        yield benchmark.draw.in_words(run.options.part)
    keys = run.decisions.subjects.pair_key
    distinct = len(np.unique(keys))
    if distinct < len(keys):
        yield (
            f"The benchmark has {len(keys):,} rows of {distinct:,} pairs; a prediction counts for each row of its pair."
        )


def _warnings(run: EvaluationRun) -> Iterator[str]:
    yield from run.cautions
    benchmark, options = run.pair_set.benchmark, run.options
    if seen := seen_in_training(run.candidate.source, benchmark, options.view, options.part):
        yield seen
    yield from cautions(run.decisions, run.rule, run.options.missing)
    effective = effective_clusters(np.bincount(run.decisions.subjects.cluster + 1)[1:])
    if 0 < effective < ENOUGH_CLUSTERS:
        yield f"Only {effective:.1f} effective functionalities: most intervals hold for these functionalities only."
    elif effective and (few := few_clusters(effective, "functionalities")):
        yield f"{few[0].upper()}{few[1:]}."
    for predictions in run.candidate.predictions:
        yield from predictions.warnings()
        yield from run.pair_set.strays(predictions)
    if run.options.part is None and run.pair_set.has_parts():
        yield (
            "The source divides its pairs into parts, and all of them count: a detector that was trained on some of "
            "them has seen their answers. Choose a part."
        )
