"""A study on the terminal: the plan, the agreement, the verdicts, the estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show, show_table, show_warning
from clonetruth.model import VerdictValue

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clonetruth.stats.agreement import Agreement
    from clonetruth.store.results import Measurement
    from clonetruth.store.study import PilotStudy, Study
    from clonetruth.store.study_estimate import LabelShare, StudyEstimate
    from clonetruth.store.votes import JudgeChecks
    from clonetruth.studies import Resolution, ResolvedSubjects
    from clonetruth.studies.agreement import AgreementReport
    from clonetruth.studies.blindness import BlindnessReport
    from clonetruth.studies.consistency import UnusualClone

_MAX_OPEN = 20
"""Number of open subjects to list; `--json` has all."""


def show_study(study: Study) -> None:
    """Print what a study asks, and how its sample was drawn."""
    plan, protocol = study.plan, study.plan.protocol
    extra = sum(stratum.extra for stratum in plan.strata)
    what = "functions" if plan.is_of_functions else "pairs"
    drawn = f"{study.drawn.num_rows:,} of {plan.population_size:,} {what}"
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
        ("protocol", protocol.label),
        ("judges per subject", str(protocol.overlap)),
    ]
    if study.methods.num_rows and not plan.is_of_functions:
        facts.append(("methods", f"{study.methods.num_rows:,}"))
    if study.checks.num_rows:
        facts.append(("known pairs", f"{protocol.training} for training, {protocol.attention} for attention"))
    if protocol.repeats:
        facts.append(("shown twice", f"{protocol.repeats} pairs to each judge"))
    if protocol.attentive is not None:
        facts.append(("attentive", f"judges who pass at least {protocol.attentive:.0%} of their checks"))
    if plan.max_per_judge is not None:
        facts.append(("at most per judge", f"{plan.max_per_judge:,} subjects"))
    if plan.extensions:
        more = sum(one.more for one in plan.extensions)
        times = "once" if len(plan.extensions) == 1 else f"{len(plan.extensions):,} times"
        facts.append(("extended", f"{times}, by {more:,} pairs"))
    if plan.pilot is not None:
        facts.append(("pilot", _pilot(plan.pilot)))
    show_table(plan.title, ("", ""), facts)
    largest = sorted(plan.strata, key=lambda stratum: -stratum.population)
    rows = [(one.name, one.population, one.drawn, one.extra) for one in largest]
    show_table("Strata", ("stratum", what, "drawn", "extra"), rows)
    show(f"Folder: {study.path}")


def _pilot(pilot: PilotStudy) -> str:
    """What a main study records of its pilot, in words."""
    agreed = "no two judges" if pilot.agreement is None else f"agreement {pilot.agreement:.1%} on {pilot.judged:,}"
    pairs = "left out" if pilot.excluded else "can be drawn again"
    changed = f"changed since: {', '.join(pilot.changed)}" if pilot.changed else "same protocol"
    return f"{pilot.title}, {pilot.pairs:,} pairs ({pairs}), {agreed}; {changed}"


def show_blindness(report: BlindnessReport) -> None:
    """Print whether judges are blind, what leaks, and what can be done."""
    for target in report.targets:
        words = "the claimed label" if target.name == "label" else "which items are checks"
        if target.unknown:
            show(f"Whether judges can tell {words} is unknown. {target.unknown}")
        elif not any(leak.target == target.name for leak in report.leaks):
            reason = "" if 0 < target.positives < target.items else ": there is nothing to tell"
            show(f"Blind: nothing but the code tells {words}{reason}.")
    for leak in report.neutralised:
        show(f"Hidden from the pages: {leak.sentence}")
    for leak in report.leaks:
        show_warning(f"not blind: {leak.sentence} {leak.advice}")
    for note in report.notes:
        show(f"Note: {note.sentence} {note.advice}")


def show_agreement(found: AgreementReport) -> None:
    """Print the tables and the coefficients."""
    for title, one in (
        (f"Pairs, criterion '{found.criterion}'", found.pairs),
        ("Methods: main purpose or not", found.methods),
        ("Methods, by label", found.method_labels),
    ):
        if one is not None:
            _show_one(title, one)
    _show_conflicts(found)
    if found.undecided:
        show(f"{found.undecided:,} undecided answers were left out; --undecided counts them.")
    _show_unusual(found.unusual)
    _show_checks(found.checks, found.excluded)
    if found.excluded:
        show("Without judges below the threshold of attention:" if found.attentive else "Too few other judges remain.")
    if found.attentive is not None:
        show_agreement(found.attentive)


def _show_checks(checks: Sequence[JudgeChecks], excluded: Collection[str] = ()) -> None:
    if checks:
        show_table(
            "Checks",
            ("judge", "attention checks", "failed", "repeats", "changed", ""),
            [
                (
                    *(one.judge, one.checks, one.failed, one.repeats, one.changed),
                    "below the threshold" if one.judge in excluded else None,
                )
                for one in checks
            ],
        )


def _show_conflicts(found: AgreementReport) -> None:
    """Print pairs, clones and conflicts of each functionality, and the pairs in conflict."""
    groups = found.by_functionality
    if not groups:
        return
    rows: list[tuple[object, ...]] = [
        (one.functionality, one.name, one.pairs, one.clones, f"{one.clones / one.pairs:.1%}", len(one.conflicts))
        for one in groups
    ]
    pairs, clones = sum(one.pairs for one in groups), sum(one.clones for one in groups)
    conflicts = [(one, group) for group in groups for one in group.conflicts]
    rows.append(("total", None, pairs, clones, f"{clones / pairs:.1%}", len(conflicts)))
    columns = ("functionality", "name", "pairs", "clones", "share", "conflicts")
    show_table(f"By functionality, verdicts of '{found.against}'", columns, rows)
    if conflicts:
        listed = [
            (
                one.pair,
                group.functionality,
                one.verdict,
                ", ".join(f"{judge}: {value}" for judge, value in one.answers.items()),
            )
            for one, group in conflicts[:_MAX_OPEN]
        ]
        show_table(f"Conflicts: {len(conflicts):,}", ("pair", "functionality", "verdict", "judges"), listed)
        if len(conflicts) > len(listed):
            show(f"… and {len(conflicts) - len(listed):,} more.")


def _show_unusual(found: Sequence[UnusualClone]) -> None:
    """Print the clones whose methods are not labelled as those of clones usually are."""
    if found:
        rows = [(one.subject, one.judge, " and ".join(one.labels)) for one in found[:_MAX_OPEN]]
        show_table(f"Clones with unusual labels of their methods: {len(found):,}", ("pair", "judge", "methods"), rows)
        if len(found) > len(rows):
            show(f"… and {len(found) - len(rows):,} more.")


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
    if found.pairs.verdicts.num_rows:
        _show_resolved("Pairs", found.pairs)
    if found.methods is not None:
        _show_resolved(f"Methods (clone: {' or '.join(found.positive_labels)})", found.methods)
    if found.rounds:
        rows = [
            (
                f"{one.round}, group {one.group}" if one.round else "decided together",
                *(one.pairs, one.true, one.false, one.disputed, one.undecided, one.open),
            )
            for one in found.rounds
        ]
        columns = ("round", "pairs", "true", "false", "disputed", "undecided", "open")
        show_table("Round by round", columns, rows)
    _show_unusual(found.unusual)


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
    if found.unusual:
        show(f"{found.unusual:,} clones have unusual labels of their methods; `clonetruth study resolve` lists them.")
    _show_checks(found.checks, found.attentive.excluded if found.attentive else ())
    if found.attentive is not None:
        other = found.attentive
        show(
            f"Without the {len(other.excluded):,} judges who passed less than {other.threshold:.0%} of their checks: "
            f"{_share(other.labels.weighted) or 'unknown'} of the labels are wrong, "
            f"{_share(other.clones) or 'unknown'} of the pairs are clones."
        )
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
