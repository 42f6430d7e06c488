"""`clonetruth make …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.evidence import EvidenceOptions
from clonetruth.options.make import MakePlanOptions, MakeRunOptions, MakeStatusOptions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clonetruth.make import MakeReport


@verb_command(MakeRunOptions)
def run(options: MakeRunOptions) -> int | None:
    """Run the stages that are not done, and print the funnel."""
    from clonetruth.make import make_benchmark

    with progress_bar() as progress:
        report = make_benchmark(options, progress=progress)
    _show(report, options.json, options.html)
    return 1 if report.waits_for else None


@verb_command(MakePlanOptions)
def plan(options: MakePlanOptions) -> None:
    """Print what would happen and cost."""
    from clonetruth.make import plan_make

    report = plan_make(options)
    if options.json:
        show_json(report)
        return
    show_table(
        f"{report.name}, planned",
        ("stage", "state", "what it does", "estimate", "cost"),
        [
            (
                one.name,
                one.state,
                one.description,
                "; ".join(filter(None, (_counts(one.estimate.counts), one.estimate.note))) if one.estimate else "",
                _cost(one.estimate.cost) if one.estimate else "",
            )
            for one in report.stages
        ],
    )


@verb_command(MakeStatusOptions)
def status(options: MakeStatusOptions) -> None:
    """Print how far a making is."""
    from clonetruth.make import show_make

    _show(show_make(options), options.json, options.html)


@verb_command(EvidenceOptions)
def evidence(options: EvidenceOptions) -> int | None:
    """Print what execution showed of each functionality."""
    from clonetruth.make import make_evidence

    with progress_bar() as progress:
        report = make_evidence(options, progress=progress)
    if options.json:
        show_json(report)
        return None if report.is_current else 1
    show_table(
        "Evidence",
        ("functionality", "state", "implementations", "near misses", "coverage", "s"),
        [
            (
                one.id,
                one.state,
                _counts(one.implementations),
                _counts(one.near_misses),
                "" if one.coverage is None else f"{one.coverage:.0%}",
                f"{one.seconds:.1f}",
            )
            for one in report.functionalities
        ],
    )
    for one in report.functionalities:
        for place, problem in one.problems.items():
            show_note(f"{place}: {problem}")
    return None if report.is_current else 1


def _show(report: MakeReport, as_json: bool, html: Path | None) -> None:
    if html is not None:
        from clonetruth.html import write
        from clonetruth.report import make_page

        path = write(make_page(report), html)
        if not as_json:
            show_written(path)
    if as_json:
        show_json(report)
        return
    show_table(
        report.name,
        ("stage", "state", "in", "out", "left out", "cost", "CPU s"),
        [
            (
                one.name,
                one.state,
                _counts(one.report.taken) if one.report else "",
                _counts(one.report.given) if one.report else "",
                _counts(one.report.left_out) if one.report else "",
                _cost(one.report.cost) if one.report else "",
                f"{one.report.cpu_seconds:,.1f}" if one.report else "",
            )
            for one in report.stages
        ],
    )
    if report.waits_for is not None:
        show_note(f"It waits: {report.waits_for}")
        show("Give the same command again afterwards.")
    if report.finished and report.benchmark is not None:
        show_written(report.benchmark)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _cost(cost: float | None) -> str:
    return "" if cost is None else f"{cost:,.4f}"
