"""A study's estimate of label quality, as JSON among the benchmark's results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.stats.survey import estimate_stratified
from clonetruth.store.display import measurement_table, share_text
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.results import Measurement
from clonetruth.store.study import Study
from clonetruth.store.votes.check_results import JudgeChecks

ESTIMATE_SCHEMA = "clonetruth-study-estimate"
ESTIMATE_VERSION = 2


@dataclass(frozen=True)
class LabelShare:
    """The share of wrong labels in a group.

    Attributes:
        group: which labels: all, those of one kind, or those of one functionality.
        judged: number of labelled subjects with a verdict.
        wrong: number of them whose verdict contradicts the label.
        simple: the share in the sample, unweighted, with Clopper and Pearson's interval.
        weighted: the share in the population, each subject weighted by the pairs that it represents, with the interval
            of the stratified sample.
    """

    group: str
    judged: int
    wrong: int
    simple: Measurement
    weighted: Measurement


@dataclass(frozen=True)
class DrawnLabels:
    """The judged labels behind an estimate, and how they were drawn; one entry for each in the first four columns.

    Attributes:
        pair: key in the benchmark's `pairs`.
        stratum: the stratum that it was drawn from.
        label: what the dataset claims: `clone` or `not-clone`.
        verdict: what the study concludes: `clone` or `not-clone`.
        populations: number of pairs in each stratum, so that the probability of being drawn is known.
    """

    pair: tuple[int, ...]
    stratum: tuple[str, ...]
    label: tuple[str, ...]
    verdict: tuple[str, ...]
    populations: Mapping[str, Any]


@dataclass(frozen=True)
class AttentiveEstimate:
    """What changes if judges below the protocol's threshold of attention are left out.

    Attributes:
        threshold: the share of checks that a judge must pass, declared before the study.
        excluded: the judges below it, by pseudonym.
        labels: the share of wrong labels without them.
        clones: the share of clones without them.
    """

    threshold: float
    excluded: tuple[str, ...]
    labels: LabelShare
    clones: Measurement


@dataclass(frozen=True)
class StudyEstimate:
    """The quality of labels, estimated by a study.

    Attributes:
        title: the study's title.
        study: the hash of its `study.json`.
        criterion: what was asked.
        policy: how verdicts were concluded from the judgements.
        population: what the sample was drawn from, in words.
        population_size: number of pairs in the population.
        subjects: number of drawn pairs.
        labelled: number of them with a label.
        unknown: number of labelled pairs without a verdict; they are left out of every share.
        labels: all labels, including the pairs that were added to cover their stratum.
        without_extra: all labels without those; None if none were added.
        by_label: the labels of each kind.
        by_functionality: the labels of each functionality, or of each stratum if pairs name no functionality.
        clones: the share of clones in the population, whatever the labels.
        methods: the share of the judged methods whose main purpose is the functionality; None if no methods were drawn.
        confidence: confidence level of the intervals.
        margin: margin of error of all labels; None if there is no interval.
        wanted_margin: the planned margin of error.
        more: number of further pairs to judge to reach it, if the share stays the same.
        time: when it was estimated.
        drawn: the judged labels and how they were drawn; None in files of earlier versions.
        protocol: the name of the protocol, and a digest of its wording; None in earlier files.
        unusual: number of clones whose methods the same judge labelled otherwise than clones usually are.
        checks: how each judge did on attention checks and repeats.
        attentive: the estimate without inattentive judges; None if nobody is below the threshold, or none is declared.
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
    drawn: DrawnLabels | None = None
    protocol: str | None = None
    unusual: int = 0
    checks: tuple[JudgeChecks, ...] = ()
    attentive: AttentiveEstimate | None = None

    def __repr__(self) -> str:
        return (
            f"<StudyEstimate of '{self.title}': {share_text(self.labels.weighted)} of the labels are wrong, "
            f"by {self.labels.judged:,} judged pairs (criterion {self.criterion}, policy {self.policy})>"
        )

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        columns = [Column("labels"), Column("judged", "count"), Column("wrong", "count"), Column("share in the sample")]
        columns.append(Column("share in the population"))
        groups = [self.labels, *([self.without_extra] if self.without_extra else []), *self.by_label]
        groups += self.by_functionality
        rows = [(one.group, one.judged, one.wrong, share_text(one.simple), share_text(one.weighted)) for one in groups]
        facts = {
            "criterion": self.criterion,
            "policy": self.policy,
            "population": f"{self.population_size:,} pairs",
            "judged": f"{self.labels.judged:,} of {self.subjects:,}",
            "confidence": f"{self.confidence:.0%}",
        }
        shares = [self.clones, *([self.methods] if self.methods else [])]
        return notebook.view(
            "Estimate of label quality",
            notebook.facts(facts),
            notebook.table(columns, rows, "Wrong labels"),
            measurement_table(shares, "Shares in the population", percent=True),
            subtitle=self.title,
        )


_FORMAT = RecordFormat(
    StudyEstimate, ESTIMATE_SCHEMA, ESTIMATE_VERSION, "study estimate", "`clonetruth study export … --to FOLDER`"
)


def write_estimate(estimate: StudyEstimate, benchmark: Path) -> Path:
    """Write an estimate into a benchmark folder, replacing an earlier one of the same study and policy."""
    return write_text(_FORMAT.text(estimate), benchmark / "results" / _name(estimate))


def read_estimates(benchmark: Path) -> tuple[StudyEstimate, ...]:
    """The estimates in a benchmark folder, latest first.

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
    """A share of the population, estimated from answers on subjects of a study.

    Within a stratum, the answered subjects represent the others; a stratum without any is left out.

    Args:
        study: the study.
        answers: for each answered subject, whether it counts.
        members: the answered subjects in the denominator (default: all).
        name: name of the measurement.
        confidence: confidence level of the interval.

    Raises:
        InputError: the study does not have one of the subjects.
    """
    return StratifiedAnswers(study, answers).share(members, name=name, confidence=confidence)


class StratifiedAnswers:
    """Answers on subjects of a study, from which shares of the population are estimated; see `stratified_share`.

    Args:
        study: the study.
        answers: for each answered subject, whether it counts.

    Raises:
        InputError: the study does not have one of the subjects.
    """

    def __init__(self, study: Study, answers: Mapping[int, bool]) -> None:
        count = study.subjects.num_rows
        self._subjects = np.fromiter(answers, np.int64, len(answers))
        outside = (self._subjects < 0) | (self._subjects >= count)
        if outside.any():
            raise InputError(f"The study has no subject {self._subjects[outside][0]}.", where=study.path)
        strata = study.subjects["stratum"].combine_chunks().dictionary_encode()
        self._names = strata.dictionary.to_pylist()
        self._strata = strata.indices.to_numpy()[self._subjects]
        self._populations = {stratum.name: stratum.population for stratum in study.plan.strata}
        self._hits = np.fromiter(answers.values(), np.bool_, len(answers))
        self._count = count

    def hits(self, members: Collection[int]) -> int:
        """The number of members that count."""
        return int(np.count_nonzero(self._hits & self._are(members)))

    def share(self, members: Collection[int] | None = None, *, name: str, confidence: float = 0.95) -> Measurement:
        """Estimate a share of the population; the arguments are those of `stratified_share`."""
        inside = np.ones(len(self._hits), np.bool_) if members is None else self._are(members)
        judged = {self._names[one] for one in np.unique(self._strata).tolist()}
        uncovered = sum(self._populations[one] for one in self._populations.keys() - judged)
        # Strata without a member add nothing; leave them out before the names are compared.
        used = (np.bincount(self._strata[inside], minlength=len(self._names)) > 0)[self._strata]
        strata = [self._names[one] for one in self._strata[used].tolist()]
        share = estimate_stratified(strata, self._populations, self._hits[used], inside[used])
        interval = share.interval(confidence)
        return Measurement(
            name=name,
            value=share.value,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            successes=float(np.count_nonzero(self._hits & inside)),
            n=int(np.count_nonzero(inside)),
            method="Clopper–Pearson, with the effective number of trials of the stratified sample",
            note=f"Does not cover {uncovered:,} pairs in strata that nobody has judged." if uncovered else None,
        )

    def _are(self, members: Collection[int]) -> npt.NDArray[np.bool_]:
        """Which of the answers are on members."""
        chosen = np.zeros(self._count, np.bool_)
        chosen[np.fromiter(members, np.int64, len(members))] = True
        return chosen[self._subjects]
