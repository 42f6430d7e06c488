"""The metrics in groups of pairs: by clone type, functionality, language pair …"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from clonetruth.html.blocks import Content, Figure, figures, note
from clonetruth.html.numbers import is_known
from clonetruth.html.page import Section
from clonetruth.html.plots import Dot, Labels, dot_chart
from clonetruth.report.evaluation_measures import (
    Metric,
    estimate,
    find,
    group_table,
    known_names,
    leading_names,
    metric_figure,
)
from clonetruth.store.results import BaselineGroup, Measurement, Result, Stratum

_MOST_WIDE_ROWS = 8
"""Groups that are drawn with their numbers; more of them are drawn as dots."""

_PICTURES = 2
"""Metrics of a stratum that are drawn; the table holds all."""


def strata_sections(result: Result, strata: Sequence[Stratum]) -> list[Section]:
    """A section for each stratum that has groups."""
    order = leading_names(result.headline)
    return [_section(one, order, number) for number, one in enumerate(strata, start=1) if one.groups]


def _sized(group: BaselineGroup) -> BaselineGroup:
    """A group with its pairs: where only recalls were measured, those that the recall is over."""
    recall = find(group.measurements, "recall")
    if recall is None or group.pairs is not None or any("recall" not in one.name for one in group.measurements):
        return group
    return dataclasses.replace(group, pairs=recall.n)


def _section(stratum: Stratum, order: Sequence[str], number: int) -> Section:
    by = stratum.by.replace("-", " ")
    groups = [_sized(group) for group in stratum.groups]
    names = known_names(group.measurements for group in groups)
    names.sort(key=lambda name: order.index(name) if name in order else len(order))
    pictures = [_figure(groups, Metric(name), by) for name in names[:_PICTURES]]
    blocks: list[Content] = [figures(pictures)] if pictures else []
    if stratum.note:
        blocks.append(note(stratum.note))
    blocks.append(group_table(groups, names, by, f"The metrics by {by}"))
    return Section(f"By {by}", blocks, anchor=f"stratum-{number}")


def _figure(groups: Sequence[BaselineGroup], metric: Metric, by: str) -> Figure:
    found = [(group, find(group.measurements, metric.name) or Measurement(metric.name, None)) for group in groups]
    title = f"{metric.sentence} by {by}"
    if len(groups) <= _MOST_WIDE_ROWS:
        return metric_figure(metric, [estimate(group.name, one) for group, one in found], title, f"{title}.")
    # The best stand on top; a reader who looks for a name has the table.
    found.sort(key=lambda row: (not is_known(row[1].value), -(row[1].value or 0.0)))
    dots = [
        Dot(group.name, metric.on_axis(one.value), group.pairs, metric.on_axis(one.low), metric.on_axis(one.high))
        for group, one in found
    ]
    sized = any(group.pairs for group in groups)
    picture = dot_chart(dots, Labels(title, x=metric.axis), span=metric.span)
    return Figure(picture, f"{title}; the area of a dot stands for its pairs." if sized else f"{title}.")
