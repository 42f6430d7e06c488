"""The page of `clonetruth make`: the funnel from what came in to the benchmark, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clonetruth import __version__
from clonetruth.html.blocks import Callout, Content, Figure, callouts, lead, note
from clonetruth.html.numbers import count, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, Series, bar_chart
from clonetruth.html.tables import Column, Table
from clonetruth.make import MakeReport, StageProgress, StageState

_NOTE = (
    "Every stage counts what it took in, what it gave out and what it left out. Costs include answers that were paid "
    "for in earlier attempts; times are those of the last attempt."
)


def make_page(report: MakeReport) -> Page:
    """The page of a making."""
    sections = [Section("The funnel", _funnel(report), anchor="funnel")]
    for one in report.stages:
        if one.report is not None and (one.report.details or one.report.notes or one.report.left_out):
            sections.append(Section(one.name, _details(one), anchor=f"stage-{one.name}"))
    return Page(
        title=f"How {report.name} is made",
        subtitle="From what came in to the benchmark, stage by stage",
        opening=_opening(report),
        sections=sections,
        manifest={
            "clonetruth": __version__,
            **{f"stage {one.name}": one.report.key for one in report.stages if one.report},
        },
    )


def _opening(report: MakeReport) -> list[Content]:
    done = [one for one in report.stages if one.state is StageState.DONE]
    seconds = sum(one.report.cpu_seconds for one in done if one.report)
    blocks: list[Content] = [
        lead(f"{len(done)} of {plural(len(report.stages), 'stage')} are done."),
        callouts(
            [
                Callout(count(len(done)), "stages done"),
                Callout("–" if report.cost is None else f"{report.cost:,.2f}", "cost of requests"),
                Callout(f"{seconds:,.0f} s", "processor time"),
            ]
        ),
        note(_NOTE),
    ]
    if report.waits_for is not None:
        blocks.append(note(f"It waits: {report.waits_for}"))
    return blocks


def _funnel(report: MakeReport) -> list[Content]:
    first = {one.name: next(iter(one.report.given.values()), 0) for one in report.stages if one.report}
    columns = [
        Column("stage"),
        Column("state"),
        Column("in", "prose"),
        Column("out", "prose"),
        Column("left out", "prose"),
        Column("cost", "decimal", 4),
        Column("CPU seconds", "decimal", 1),
    ]
    rows = [
        (
            one.name,
            str(one.state),
            _counts(one.report.taken) if one.report else "",
            _counts(one.report.given) if one.report else one.waits_for or "",
            _counts(one.report.left_out) if one.report else "",
            one.report.cost if one.report else None,
            one.report.cpu_seconds if one.report else None,
        )
        for one in report.stages
    ]
    blocks: list[Content] = []
    if first:
        chart = bar_chart(
            list(first), [Series("out", list(first.values()))], Labels("What each stage gave out", "", "number")
        )
        blocks.append(Figure(chart, "What each stage gave out, its first number"))
    return [*blocks, Table(columns, rows, "All numbers of the funnel", sortable=False)]


def _details(one: StageProgress) -> list[Content]:
    assert one.report is not None
    blocks: list[Content] = [note(text) for text in (one.description, *one.report.notes)]
    if one.report.left_out:
        blocks.append(_table("left out", one.report.left_out))
    blocks += [_table(name, values) for name, values in one.report.details.items() if isinstance(values, Mapping)]
    return blocks


def _table(name: str, values: Mapping[str, Any]) -> Table:
    """A table of a mapping, or of a mapping of mappings."""
    nested = [one for one in values.values() if isinstance(one, Mapping)]
    if not nested:
        rows = [(key, _text(value)) for key, value in values.items()]
        return Table([Column(name), Column("")], rows, name, sortable=False)
    heads = list(dict.fromkeys(key for one in nested for key in one))
    columns = [Column(""), *(Column(head) for head in heads)]
    rows_ = [
        (key, *(_text(value.get(head)) if isinstance(value, Mapping) else "" for head in heads))
        for key, value in values.items()
    ]
    return Table(columns, rows_, name, sortable=False)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())
