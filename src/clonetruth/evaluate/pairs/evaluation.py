"""Evaluation of a detector that scores or decides pairs: from predictions and verdicts to a result."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from clonetruth.detectors import Detector
from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import measure
from clonetruth.evaluate.pairs.decisions import (
    DecisionRule,
    Decisions,
    cautions,
    decide,
    stated_rule,
    undecided_rule,
    validated_rule,
)
from clonetruth.evaluate.pairs.detector_scores import Baselines, curves, detect, own_rule
from clonetruth.evaluate.pairs.disagreements import worst
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects
from clonetruth.evaluate.pairs.strata import groupings, macro, strata
from clonetruth.evaluate.score_metrics import measure_scores
from clonetruth.formats.predictions import Predictions
from clonetruth.progress import Progress
from clonetruth.stats.clusters import effective_clusters, few_clusters
from clonetruth.stats.rates import RATES
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import BenchmarkIdentity, PolicyUse, Result, ResultKind
from clonetruth.verdicts import judge_verdicts

_VALIDATION = "valid"


@dataclass(frozen=True)
class Candidate:
    """What is evaluated: a file of predictions, or a detector that predicts now.

    Attributes:
        source: the predictions, or the detector.
        validation: further predictions, for the pairs that a threshold is chosen on.
        name: what the detector is called; unless told, the detector's or the file's name.
    """

    source: Predictions | Detector
    validation: Predictions | None = None
    name: str | None = None

    @property
    def title(self) -> str:
        """What the detector is called."""
        if self.name is not None:
            return self.name
        return self.source.title if isinstance(self.source, Predictions) else self.source.name

    @property
    def files(self) -> list[Predictions]:
        """The files that were read."""
        return [one for one in (self.source, self.validation) if isinstance(one, Predictions)]


@dataclass(frozen=True)
class EvaluationRun:
    """A contestant's decisions on the pairs of an evaluation, before anything is measured.

    Attributes:
        contestant: who decided.
        field: where the pairs come from.
        options: how it was asked for.
        rule: how it decided.
        decided: the decisions.
        validation: the pairs that the threshold was chosen on; None where none was.
    """

    contestant: Candidate
    field: PairSet
    options: PairsOptions
    rule: DecisionRule
    decided: Decisions
    validation: PairSubjects | None

    @classmethod
    def run(
        cls, benchmark: Benchmark, contestant: Candidate, options: PairsOptions, progress: Progress | None = None
    ) -> EvaluationRun:
        """Let a contestant decide."""
        verdicts = judge_verdicts(benchmark, options.policy, options.criterion)
        field = PairSet(benchmark, verdicts, options.view)
        source = contestant.source

        def said(part: str | None, predictions: Predictions | None) -> PairSubjects:
            if isinstance(source, Predictions):
                return field.subjects(part, predictions or source)
            return detect(benchmark, source, field.subjects(part), processes=options.processes, progress=progress)

        subjects = said(options.part, None)
        if not len(subjects):
            raise InputError(
                f"No pair has a verdict under the policy '{options.policy}' and the criterion '{verdicts.criterion}'"
                + (f" in the part '{options.part}'." if options.part else "."),
                where=benchmark.path,
                hint="Add judgements, or ask for the policy 'origin', which believes the dataset's own labels.",
            )
        rule, validation = stated_rule(subjects, options.threshold), None
        if rule is None and options.part not in (None, _VALIDATION):
            validation = said(_VALIDATION, contestant.validation)
            rule = validated_rule(validation, options.threshold_metric)
        if rule is None:
            rule = undecided_rule() if isinstance(source, Predictions) else own_rule(source)
        return cls(contestant, field, options, rule, decide(subjects, rule, options.missing), validation)


def evaluate_pairs(
    benchmark: Benchmark,
    contestant: Predictions | Detector | Candidate,
    options: PairsOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Result:
    """Measure a detector on the pairs of a benchmark that have a verdict.

    A prediction is for an unordered pair, and counts for each row that the benchmark has of it. Pairs without a verdict
    are in no number.

    Args:
        benchmark: the benchmark.
        contestant: a file of predictions, or a detector.
        options: what can be chosen.
        progress: told what is being done.

    Raises:
        InputError: nothing can be counted, predictions are missing and must not be, or an option makes no sense.
        UnknownNameError: there is no such policy or baseline.
    """
    who = contestant if isinstance(contestant, Candidate) else Candidate(contestant)
    return result_of(EvaluationRun.run(benchmark, who, options or PairsOptions(), progress), progress)


def result_of(trial: EvaluationRun, progress: Progress | None = None) -> Result:
    """Measure the decisions of a trial."""
    field, options, outcomes = trial.field, trial.options, trial.decided.outcomes
    benchmark, verdicts = field.benchmark, field.verdicts
    decides = trial.rule.decides
    headline = [one for one in measure(outcomes, options.confidence, options.seed) if decides or one.name not in RATES]
    if not headline:
        raise InputError("The predictions have neither decisions nor a score for every pair: nothing can be measured.")
    metrics = [one.name for one in headline]
    baselines = Baselines(benchmark, trial.decided.subjects, trial.validation, metrics, options, progress)
    card, unknown = benchmark.card, field.unknown(options.part)
    identity = BenchmarkIdentity(card.name, card.version, benchmark.content_hash, benchmark.judgements_hash)
    return Result(
        kind=ResultKind.PAIRS,
        detector=trial.contestant.title,
        benchmark=identity,
        policy=PolicyUse(verdicts.policy, verdicts.criterion, len(outcomes), unknown, verdicts.assumptions),
        setting={"threshold": trial.rule.name, "missing": str(options.missing), "confidence": options.confidence},
        headline=(
            *headline,
            *measure_scores(outcomes, options.confidence),
            *(macro(outcomes, options.confidence) if decides else ()),
        ),
        manifest=build_manifest(_inputs(trial, identity), _configuration(trial), options.seed),
        view=options.view,
        part=options.part,
        baselines=tuple(baselines.group(name) for name in options.baselines),
        strata=tuple(strata(outcomes, groupings(benchmark, trial.decided.subjects), metrics, options.confidence)),
        curves=curves(outcomes),
        disagreements=worst(benchmark, verdicts, trial.decided, decides=decides),
        notes=tuple(_notes(trial)),
        warnings=tuple(_warnings(trial)),
    )


def _inputs(trial: EvaluationRun, benchmark: BenchmarkIdentity) -> dict[str, str]:
    hashes = {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash}
    files = {file.path.name: hash_file(file.path) for file in trial.contestant.files}
    return {name: digest for name, digest in (hashes | files).items() if digest is not None}


def _configuration(trial: EvaluationRun) -> dict[str, Any]:
    # How many processes worked has no influence.
    options = {name: value for name, value in dataclasses.asdict(trial.options).items() if name != "processes"}
    return {
        **options,
        "baselines": list(trial.options.baselines),
        "criterion": trial.field.verdicts.criterion,
        "detector": trial.contestant.title,
        "threshold": trial.rule.threshold,
        "threshold_rule": trial.rule.name,
    }


def _notes(trial: EvaluationRun) -> Iterator[str]:
    yield trial.rule.sentence
    keys = trial.decided.subjects.pair_key
    distinct = len(np.unique(keys))
    if distinct < len(keys):
        yield (
            f"The benchmark has {len(keys):,} rows of {distinct:,} pairs; a prediction counts for each row of its pair."
        )


def _warnings(trial: EvaluationRun) -> Iterator[str]:
    yield from cautions(trial.decided, trial.rule, trial.options.missing)
    sizes = np.bincount(trial.decided.subjects.cluster + 1)[1:]
    if sizes.any() and (few := few_clusters(effective_clusters(sizes), "functionalities")):
        yield f"{few[0].upper()}{few[1:]}."
    for file in trial.contestant.files:
        yield from file.warnings()
        yield from trial.field.strays(file)
    if trial.options.part is None and trial.field.has_parts():
        yield (
            "The source divides its pairs into parts, and all of them count: a detector that was trained on some of "
            "them has seen their answers. Name a part."
        )
