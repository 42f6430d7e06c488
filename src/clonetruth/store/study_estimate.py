"""What a study found of a benchmark's labels, as JSON beside the benchmark's other results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clonetruth.errors import InputError
from clonetruth.stats.survey import Design, estimate_ratio
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.results import Measurement
from clonetruth.store.study import Study

ESTIMATE_SCHEMA = "clonetruth-study-estimate"
ESTIMATE_VERSION = 1


@dataclass(frozen=True)
class LabelShare:
    """How many of some labels are wrong.

    Attributes:
        group: which labels: all, those of one kind, or those of one functionality.
        judged: the subjects among them with a verdict.
        wrong: those of them whose verdict contradicts the label.
        simple: the share in the sample, each subject counting once, with Wilson's interval.
        weighted: the share in the population, each subject counting for the pairs that it stands for, with the
            interval of the stratified sample.
    """

    group: str
    judged: int
    wrong: int
    simple: Measurement
    weighted: Measurement


@dataclass(frozen=True)
class StudyEstimate:
    """How good labels are, by a study.

    Attributes:
        title: the study's name for people.
        study: the hash of its `study.json`.
        criterion: what was asked.
        policy: how verdicts were concluded from the judgements.
        population: what the sample was drawn from, in words.
        population_size: how many pairs that are.
        subjects: the drawn pairs.
        labelled: those of them with a label.
        unknown: labelled pairs without a verdict; they are left out of every share.
        labels: all labels, with the pairs that were added to cover their stratum.
        without_extra: all labels, without these; None where none were added.
        by_label: the labels of each kind.
        by_functionality: the labels of each functionality, or stratum where pairs name none.
        clones: the share of clones in the population, whatever the labels.
        methods: the share of the judged methods that have the functionality as their main purpose; None where no
            methods were drawn.
        confidence: of the intervals.
        margin: half the width of the interval of all labels; None where there is none.
        wanted_margin: what was planned for.
        more: how many further pairs would have to be judged to reach it, if the share stays as it is.
        time: when it was estimated.
    """

    title: str
    study: str
    criterion: str
    policy: str
    population: str
    population_size: int
    subjects: int
    labelled: int
    unknown: int
    labels: LabelShare
    without_extra: LabelShare | None
    by_label: tuple[LabelShare, ...]
    by_functionality: tuple[LabelShare, ...]
    clones: Measurement
    methods: Measurement | None
    confidence: float
    margin: float | None
    wanted_margin: float | None
    more: int | None
    time: str


_FORMAT = RecordFormat(
    StudyEstimate, ESTIMATE_SCHEMA, ESTIMATE_VERSION, "estimate of a study", "`clonetruth study export … --to FOLDER`"
)


def write_estimate(estimate: StudyEstimate, benchmark: Path) -> Path:
    """Write an estimate into a benchmark folder; a later one of the same study and policy takes its place."""
    return write_text(_FORMAT.text(estimate), benchmark / "results" / _name(estimate))


def read_estimates(benchmark: Path) -> tuple[StudyEstimate, ...]:
    """The estimates in a benchmark folder, the latest first.

    Raises:
        InputError: one is damaged.
    """
    return tuple(sorted(_estimates(benchmark), key=lambda one: one.time, reverse=True))


def _estimates(benchmark: Path) -> Iterator[StudyEstimate]:
    for path in sorted((benchmark / "results").glob("study-*.json")):
        yield _FORMAT.read(path)


def _name(estimate: StudyEstimate) -> str:
    return f"study-{estimate.study[:16]}-{estimate.policy}.json"


def stratified_share(
    study: Study,
    answers: Mapping[int, bool],
    members: Collection[int] | None = None,
    *,
    name: str,
    confidence: float = 0.95,
) -> Measurement:
    """A share of the population, from answers on subjects of a study.

    Within a stratum, the answered subjects stand for the others; a stratum without any is left out.

    Args:
        study: the study.
        answers: for each answered subject, whether it counts.
        members: the answered subjects of which the share is; all unless told.
        name: of the measurement.
        confidence: of the interval.

    Raises:
        InputError: an answer is on a subject that the study does not have.
    """
    strata = study.subjects["stratum"].to_pylist()
    unknown = [subject for subject in answers if not 0 <= subject < len(strata)]
    if unknown:
        raise InputError(f"The study has no subject {unknown[0]}.", where=study.path)
    inside = answers.keys() if members is None else set(members)
    populations = {stratum.name: stratum.population for stratum in study.plan.strata}
    silent = sum(populations[one] for one in populations.keys() - {strata[subject] for subject in answers})
    # A stratum without a member adds nothing to either sum, and so no uncertainty.
    spoken = {strata[subject] for subject in inside}
    used = [subject for subject in answers if strata[subject] in spoken]
    design = Design.stratified([strata[subject] for subject in used], populations)
    counted = np.array([subject in inside for subject in used], np.float64)
    hits = np.array([answers[subject] for subject in used], np.float64) * counted
    found = estimate_ratio(design, hits, counted, confidence=confidence)
    return Measurement(
        name=name,
        value=found.value,
        low=found.low,
        high=found.high,
        successes=float(hits.sum()),
        n=int(counted.sum()),
        method="Wilson, with the effective number of trials of the stratified sample",
        note=f"Says nothing of {silent:,} pairs in strata that nobody has judged." if silent else None,
    )
