"""A study on the terminal: the plan, the agreement, the verdicts, the estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show, show_table, show_warning
from clonetruth.model import VerdictValue

if TYPE_CHECKING:
    from clonetruth.stats.agreement import Agreement
    from clonetruth.store.results import Measurement
    from clonetruth.store.study import Study
    from clonetruth.store.study_estimate import LabelShare, StudyEstimate
    from clonetruth.studies import Resolution, ResolvedSubjects
    from clonetruth.studies.agreement import AgreementReport

_MAX_OPEN = 20
"""Number of open subjects to list; `--json` has all."""


def show_study(study: Study) -> None:
    """Print what a study asks, and how its sample was drawn."""
    from rich.markup import escape

    plan, protocol = study.plan, study.plan.protocol
    extra = sum(stratum.extra for stratum in plan.strata)
    drawn = f"{study.subjects.num_rows:,} of {plan.population_size:,} pairs"
    planned = "fixed size" if plan.margin is None else f"for {plan.confidence:.0%} confidence, margin {plan.margin:.1%}"
    facts = [
        ("population", plan.population),
        (
            "drawn",
            f"{drawn}, {planned}, by {plan.allocation}" + (f"; {extra:,} extra to cover strata" if extra else ""),
        ),
        ("strata", f"{len(plan.strata):,}"),
        ("criterion", plan.criterion),
        ("question", protocol.question),
        ("judges per subject", str(protocol.overlap)),
    ]
    if study.methods.num_rows:
        facts.append(("methods", f"{study.methods.num_rows:,}"))
    if study.checks.num_rows:
        facts.append(("known pairs", f"{protocol.training} for training, {protocol.attention} for attention"))
    show_table(plan.title, ("", ""), facts)
    largest = sorted(plan.strata, key=lambda stratum: -stratum.population)
    rows = [(one.name, one.population, one.drawn, one.extra) for one in largest]
    show_table("Strata", ("stratum", "pairs", "drawn", "extra"), rows)
    show(f"Folder: {escape(str(study.path))}")


def show_agreement(found: AgreementReport) -> None:
    """Print the tables and the coefficients."""
    for title, one in (
        (f"Pairs, criterion '{found.criterion}'", found.pairs),
        ("Methods: main purpose or not", found.methods),
        ("Methods, by label", found.method_labels),
    ):
        if one is not None:
            _show_one(title, one)
    if found.undecided:
        show(f"{found.undecided:,} undecided answers were left out; --undecided counts them.")


def _show_one(title: str, one: Agreement) -> None:
    from clonetruth.stats.agreement import COEFFICIENT_NAMES

    show_table(
        f"{title}: {one.subjects:,} subjects with at least two answers, judges differ on {one.differ:,}",
        ("", "value", "interval", ""),
        [
            (
                words,
                _number(getattr(one, name)),
                f"{one.intervals[name].low:.3f} to {one.intervals[name].high:.3f}" if name in one.intervals else None,
                one.intervals[name].method if name in one.intervals else one.undefined.get(name, ""),
            )
            for name, words in COEFFICIENT_NAMES.items()
        ],
    )
    if one.table is not None:
        first, second = one.judges
        rows = [(name, *row) for name, row in zip(one.categories, one.table, strict=True)]
        show_table(f"{first} (rows) and {second} (columns)", ("", *one.categories), rows)
    if one.between:
        pairs = [
            (" and ".join(two.judges), two.subjects, two.differ, _number(two.agreement), _number(two.cohen_kappa))
            for two in one.between
        ]
        show_table("Each two judges", ("judges", "subjects", "differ", "agreement", "Cohen's kappa"), pairs)
    for warning in one.warnings:
        show_warning(warning)


def show_resolution(found: Resolution) -> None:
    """Print the number of subjects with each verdict, and the open subjects."""
    show(f"Policy: {found.policy}", *(f"Assumption: {line}" for line in found.assumptions))
    _show_resolved("Pairs", found.pairs)
    if found.methods is not None:
        _show_resolved("Methods (clone: main purpose)", found.methods)


def _show_resolved(title: str, found: ResolvedSubjects) -> None:
    decided = [(verdict, number) for verdict, number in found.counts.items() if verdict != VerdictValue.UNKNOWN]
    rows = [*decided, ("open", len(found.open)), ("not judged yet", found.verdicts.num_rows - found.judged)]
    show_table(title, ("verdict", "subjects"), rows)
    if found.open:
        answers = [
            (one.subject, one.reason, ", ".join(f"{judge}: {value}" for judge, value in one.answers.items()))
            for one in found.open[:_MAX_OPEN]
        ]
        more = len(found.open) - len(answers)
        show_table(f"Open: {len(found.open):,}", ("subject", "reason", "answers"), answers)
        if more:
            show(f"… and {more:,} more.")


def show_estimate(found: StudyEstimate) -> None:
    """Print the share of wrong labels, overall and by group, and that of clones."""
    show(f"Criterion '{found.criterion}', policy '{found.policy}', {found.confidence:.0%} intervals.")
    if found.labelled:
        rows = [_row(found.labels), *([] if found.without_extra is None else [_row(found.without_extra)])]
        rows += [_row(one, f"labelled {one.group}") for one in found.by_label]
        columns = ("labels", "judged", "wrong", "in the sample", "in the population")
        show_table("Wrong labels", columns, rows)
        judged = sorted((one for one in found.by_functionality if one.judged), key=lambda one: -one.judged)
        if judged:
            show_table("By functionality", columns, [_row(one) for one in judged])
    show(f"Clones in the population, regardless of labels: {_share(found.clones) or 'unknown'}")
    if found.methods is not None and found.methods.n:
        show(f"Methods with the functionality as their main purpose: {_share(found.methods)} of {found.methods.n:,}")
    show(f"Population: {found.population} ({found.population_size:,} pairs)")
    if found.clones.note:
        show(found.clones.note)
    if found.unknown:
        show(f"{found.unknown:,} of {found.labelled:,} labelled pairs have no verdict and are left out.")
    if found.margin is not None and found.more:
        show(f"The margin is {found.margin:.1%}; {found.more:,} more pairs reduce it to {found.wanted_margin:.1%}.")


def _row(one: LabelShare, name: str | None = None) -> tuple[object, ...]:
    return name or one.group, one.judged, one.wrong, _share(one.simple), _share(one.weighted)


def _share(one: Measurement) -> str | None:
    if one.value is None:
        return None
    return f"{one.value:.1%}" if one.low is None else f"{one.value:.1%} [{one.low:.1%} to {one.high:.1%}]"


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"
