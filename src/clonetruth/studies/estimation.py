"""Estimating label errors: the share of a benchmark's labels that the verdicts on a sample contradict."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from clonetruth.model import PairValue, VerdictValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import EstimateStudyOptions
from clonetruth.stats.intervals import clopper_pearson
from clonetruth.stats.sample_size import sample_size
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import Measurement
from clonetruth.store.study import HEADER, Study
from clonetruth.store.study_estimate import DrawnLabels, LabelShare, StudyEstimate, stratified_share
from clonetruth.studies.resolution import Resolution, ResolvedSubjects, resolve_subjects
from clonetruth.studies.study_folder import open_study, open_votes

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
    resolution = resolve_subjects(study, options.policy, open_votes(study, options.votes))
    return estimate_labels(study, resolution, options.confidence)


def estimate_labels(study: Study, resolution: Resolution, confidence: float | None = None) -> StudyEstimate:
    """Estimate the share of wrong labels: overall, without extra pairs, by label and by functionality.

    Subjects without a verdict are left out; the other subjects of their stratum represent them.

    Args:
        study: the study.
        resolution: the verdicts on its subjects.
        confidence: confidence level of the intervals (default: the level that the study was planned for).
    """
    level = confidence or study.plan.confidence
    rows = study.subjects.select(["pair", "label", "extra", "stratum", "functionality"]).to_pylist()
    verdicts = resolution.pairs.verdicts["verdict"].to_pylist()
    known = {number: verdict for number, verdict in enumerate(verdicts) if verdict != VerdictValue.UNKNOWN}
    wrong = {number: verdict != rows[number]["label"] for number, verdict in known.items() if rows[number]["label"]}
    regular = {number: value for number, value in wrong.items() if not rows[number]["extra"]}

    def share(group: str, column: str, value: object) -> LabelShare:
        return _share(study, group, wrong, [number for number in wrong if rows[number][column] == value], level)

    labels = _share(study, "all labels", wrong, wrong.keys(), level)
    names = dict(zip(*(study.functionalities[name].to_pylist() for name in ("id", "name")), strict=True))
    by = "functionality" if any(row["functionality"] is not None for row in rows) else "stratum"
    groups = sorted({row[by] for row in rows if row["label"] and row[by] is not None})
    clones = {number: verdict == VerdictValue.CLONE for number, verdict in known.items()}
    drawn = [number for number in wrong if rows[number]["pair"] is not None]
    labelled = sum(row["label"] is not None for row in rows)
    return StudyEstimate(
        title=study.plan.title,
        study=hash_file(study.path / HEADER),
        criterion=study.plan.criterion,
        policy=resolution.policy,
        population=study.plan.population,
        population_size=study.plan.population_size,
        subjects=len(rows),
        labelled=labelled,
        unknown=labelled - len(wrong),
        labels=labels,
        without_extra=_share(study, "without extra pairs", regular, regular.keys(), level)
        if any(row["extra"] for row in rows)
        else None,
        by_label=tuple(
            share(str(label), "label", label)
            for label in (PairValue.CLONE, PairValue.NOT_CLONE)
            if any(row["label"] == label for row in rows)
        ),
        by_functionality=tuple(share(names.get(group, group), by, group) for group in groups),
        clones=stratified_share(study, clones, name="clones", confidence=level),
        methods=None if resolution.methods is None else _main_purposes(resolution.methods, level),
        confidence=level,
        margin=_margin(labels.weighted),
        wanted_margin=study.plan.margin,
        more=_more(study, labels, level),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        drawn=DrawnLabels(
            pair=tuple(rows[number]["pair"] for number in drawn),
            stratum=tuple(rows[number]["stratum"] for number in drawn),
            label=tuple(rows[number]["label"] for number in drawn),
            verdict=tuple(known[number] for number in drawn),
            populations={stratum.name: stratum.population for stratum in study.plan.strata},
        ),
    )


def _share(
    study: Study, group: str, wrong: Mapping[int, bool], members: Collection[int], confidence: float
) -> LabelShare:
    hits = sum(wrong[number] for number in members)
    simple = _simple_share("wrong-labels", hits, len(members), confidence)
    weighted = stratified_share(study, wrong, members, name="wrong-labels", confidence=confidence)
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
