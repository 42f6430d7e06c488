"""Estimating label errors: the share of a benchmark's labels that the verdicts on a sample contradict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from clonetruth.model import PairValue, VerdictValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import EstimateStudyOptions
from clonetruth.stats.intervals import clopper_pearson
from clonetruth.stats.sample_size import sample_size
from clonetruth.store.results import Measurement
from clonetruth.store.study import Study, study_identity
from clonetruth.store.study_estimate import (
    AttentiveEstimate,
    DrawnLabels,
    LabelShare,
    StratifiedAnswers,
    StudyEstimate,
    stratified_share,
)
from clonetruth.store.votes import JudgeChecks, judges_below, read_checks
from clonetruth.studies.resolution import Resolution, ResolvedSubjects, resolve_subjects
from clonetruth.studies.study_folder import Votes, open_study, open_votes

_SMALLEST_SHARE = 0.05
"""Planning further pairs assumes a share no closer to 0 or 1 than this."""


@verb(EstimateStudyOptions)
def estimate_study(options: EstimateStudyOptions) -> StudyEstimate:
    """Estimate the share of a benchmark's labels that are wrong, from the verdicts of a study.

    Returns:
        The share of wrong labels: overall, without extra pairs, by label and by functionality, each with an interval.

    Raises:
        UnknownNameError: there is no such policy.
        InputError: the folder is not a study, or the policy needs more than judgements on the subjects.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="estimated-study", n=5)
        >>> clonetruth.estimate_study(study).clones.value is None  # nobody has judged yet
        True
    """
    study = open_study(options.study)
    votes = open_votes(study, options.votes)
    return estimate_with_checks(study, options.policy, votes, read_checks(study, options.votes), options.confidence)


def estimate_with_checks(
    study: Study,
    policy: str,
    votes: Votes | None,
    checks: tuple[JudgeChecks, ...],
    confidence: float | None = None,
) -> StudyEstimate:
    """Estimate the share of wrong labels, with and without judges below the protocol's threshold of attention.

    Args:
        study: the study.
        policy: a name in `POLICIES`.
        votes: the votes of the vote store (`read_votes`).
        checks: how the judges did on attention checks and repeats (`read_checks`).
        confidence: confidence level of the intervals (default: the level that the study was planned for).
    """
    estimate = replace(estimate_labels(study, resolve_subjects(study, policy, votes), confidence), checks=checks)
    threshold = study.plan.protocol.attentive
    excluded = judges_below(checks, threshold)
    if threshold is None or not excluded:
        return estimate
    others = estimate_labels(study, resolve_subjects(study, policy, votes, without=excluded), confidence)
    return replace(estimate, attentive=AttentiveEstimate(threshold, excluded, others.labels, others.clones))


def estimate_labels(study: Study, resolution: Resolution, confidence: float | None = None) -> StudyEstimate:
    """Estimate the share of wrong labels: overall, without extra pairs, by label and by functionality.

    Subjects without a verdict are left out; the other subjects of their stratum represent them.

    Args:
        study: the study.
        resolution: the verdicts on its subjects.
        confidence: confidence level of the intervals (default: the level that the study was planned for).
    """
    level = confidence or study.plan.confidence
    pairs, labels_of, extra, strata, functionalities = (
        study.subjects[name].to_pylist() for name in ("pair", "label", "extra", "stratum", "functionality")
    )
    verdicts = resolution.pairs.verdicts["verdict"].to_pylist()
    known = {number: verdict for number, verdict in enumerate(verdicts) if verdict != VerdictValue.UNKNOWN}
    wrong = {number: verdict != labels_of[number] for number, verdict in known.items() if labels_of[number]}
    regular = {number: value for number, value in wrong.items() if not extra[number]}
    sampled = StratifiedAnswers(study, wrong)
    labels = _share(sampled, "all labels", wrong.keys(), level)
    names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
    by = functionalities if any(one is not None for one in functionalities) else strata
    groups = sorted({group for group, label in zip(by, labels_of, strict=True) if label and group is not None})
    of_label, of_group = _members(wrong, labels_of), _members(wrong, by)
    clones = {number: verdict == VerdictValue.CLONE for number, verdict in known.items()}
    drawn = [number for number in wrong if pairs[number] is not None]
    labelled = sum(label is not None for label in labels_of)
    return StudyEstimate(
        title=study.plan.title,
        study=study_identity(study.path),
        criterion=study.plan.criterion,
        policy=resolution.policy,
        population=study.plan.population,
        population_size=study.plan.population_size,
        subjects=len(labels_of),
        labelled=labelled,
        unknown=labelled - len(wrong),
        labels=labels,
        without_extra=_share(StratifiedAnswers(study, regular), "without extra pairs", regular.keys(), level)
        if any(extra)
        else None,
        by_label=tuple(
            _share(sampled, str(label), of_label[label], level)
            for label in (PairValue.CLONE, PairValue.NOT_CLONE)
            if label in labels_of
        ),
        by_functionality=tuple(_share(sampled, names.get(group, group), of_group[group], level) for group in groups),
        clones=stratified_share(study, clones, name="clones", confidence=level),
        methods=None if resolution.methods is None else _main_purposes(resolution.methods, level),
        confidence=level,
        margin=_margin(labels.weighted),
        wanted_margin=study.plan.margin,
        more=_more(study, labels, level),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        drawn=DrawnLabels(
            pair=tuple(pairs[number] for number in drawn),
            stratum=tuple(strata[number] for number in drawn),
            label=tuple(labels_of[number] for number in drawn),
            verdict=tuple(known[number] for number in drawn),
            populations={stratum.name: stratum.population for stratum in study.plan.strata},
        ),
        protocol=study.plan.protocol.label,
        unusual=len(resolution.unusual),
    )


def _members(wrong: Mapping[int, bool], groups: Sequence[str | None]) -> Mapping[str | None, list[int]]:
    """The subjects of each group among those with a verdict and a label."""
    members: defaultdict[str | None, list[int]] = defaultdict(list)
    for number in wrong:
        members[groups[number]].append(number)
    return members


def _share(wrong: StratifiedAnswers, group: str, members: Collection[int], confidence: float) -> LabelShare:
    hits = wrong.hits(members)
    simple = _simple_share("wrong-labels", hits, len(members), confidence)
    weighted = wrong.share(members, name="wrong-labels", confidence=confidence)
    return LabelShare(group, len(members), hits, simple, weighted)


def _main_purposes(methods: ResolvedSubjects, confidence: float) -> Measurement:
    hits, others = (methods.counts[value] for value in (VerdictValue.CLONE, VerdictValue.NOT_CLONE))
    return _simple_share("main-purpose", hits, hits + others, confidence)


def _simple_share(name: str, hits: int, n: int, confidence: float) -> Measurement:
    interval = clopper_pearson(hits, n, confidence)
    return Measurement(
        name=name,
        value=hits / n if n else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        successes=float(hits),
        n=n,
        method="Clopper–Pearson",
    )


def _margin(share: Measurement) -> float | None:
    return None if share.low is None or share.high is None else (share.high - share.low) / 2


def _more(study: Study, labels: LabelShare, confidence: float) -> int | None:
    """The number of further pairs that the planned margin needs, given the estimated share."""
    if study.plan.margin is None or labels.weighted.value is None:
        return None
    share = min(max(labels.weighted.value, _SMALLEST_SHARE), 1 - _SMALLEST_SHARE)
    needed = sample_size(study.plan.population_size, confidence, study.plan.margin, share)
    return max(0, needed - labels.judged)
