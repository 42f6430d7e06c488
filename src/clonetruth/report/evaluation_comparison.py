"""Comparisons: a result with trivial detectors and with partial truth, and several results with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

from clonetruth.html.blocks import Content, Figure, bullets, figures, heading, note, paragraph
from clonetruth.html.numbers import is_known, percent, plural
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, PlottedCurve, Series, bar_chart, line_chart
from clonetruth.html.tables import Column, Table
from clonetruth.report.evaluation_citation import short_hash
from clonetruth.report.evaluation_measures import (
    Metric,
    estimate,
    find,
    group_table,
    in_words,
    known_names,
    leading_names,
    metric_figure,
    reached,
    recall_counts,
)
from clonetruth.report.evaluation_recall import region_steps
from clonetruth.store.comparability import comparable_groups, conditions, differing_conditions
from clonetruth.store.results import Measurement, MeasurementGroup, Result

LOWER, UPPER, JUDGED = "precision-lower-bound", "precision-upper-bound", "reported-judged"
BOUNDS = (LOWER, UPPER, JUDGED)
"""The measurements that bound precision under partial truth."""

_BASELINE_PICTURES = 4


def baseline_sections(result: Result) -> list[Section]:
    """The detector compared with trivial detectors on the same pairs."""
    known = set(known_names(one.measurements for one in result.baselines))
    names = [name for name in leading_names(result.headline) if name in known]
    if not names:
        return []
    # Their notes are sentences, too long for a wide table.
    rows = [
        MeasurementGroup(result.detector, result.headline),
        *(replace(one, pairs=None, clones=None, note=None) for one in result.baselines),
    ]
    blocks: list[Content] = [] if Metric(names[0]).is_error else [_verdict(result, names[0])]
    blocks += [
        figures([_baseline_figure(result, Metric(name)) for name in names[:_BASELINE_PICTURES]]),
        group_table(rows, names, "detector", "The detector and trivial detectors on the same pairs"),
    ]
    notes = [f"{one.name}: {one.note}" for one in result.baselines if one.note]
    if notes:
        blocks.append(bullets(notes))
    return [Section("Compared with trivial detectors", blocks, anchor="baselines")]


def _baseline_figure(result: Result, metric: Metric) -> Figure:
    own = find(result.headline, metric.name) or Measurement(metric.name, None)
    rows = [estimate(result.detector, own)]
    for group in result.baselines:
        other = find(group.measurements, metric.name)
        if other is not None:
            rows.append(estimate(group.name, other, series=1))
    legend = ("this detector", "trivial detectors")
    title = f"{metric.sentence}, compared with trivial detectors"
    return metric_figure(metric, rows, title, f"{metric.sentence}, on the same pairs.", legend=legend)


def _verdict(result: Result, name: str) -> str:
    own = find(result.headline, name) or Measurement(name, None)
    found = [(find(group.measurements, name), group.name) for group in result.baselines]
    rated = [(one.value, one, group) for one, group in found if one is not None and is_known(one.value)]
    value, other, best = max(rated, key=lambda row: row[0])
    sentence = (
        f"The best trivial detector by {Metric(name).title} is {best}: {in_words(other, result)}; "
        f"{result.detector} reaches {in_words(own, result)}."
    )
    if is_known(own.value) and own.value <= value:
        return f"{sentence} It does not beat the trivial detector."
    if is_known(own.low) and is_known(other.high) and own.low <= other.high:
        return f"{sentence} Their intervals overlap."
    return sentence


def precision_sections(result: Result) -> list[Section]:
    """What partial truth says about precision: two bounds, and the share of judged pairs."""
    lower, upper, judged = (result.measurement(name) for name in BOUNDS)
    if lower is None or upper is None or not is_known(lower.value) or not is_known(upper.value):
        return []
    shares = {
        "known clones": lower.value,
        "unknown": max(0.0, upper.value - lower.value),
        "known non-clones": 1 - upper.value,
    }
    series = [Series(name, [round(100 * share, 2)]) for name, share in shares.items()]
    picture = bar_chart(
        ["reported"], series, Labels("What is known about the reported pairs", x="percent"), stacked=True
    )
    text = (
        f"Precision lies between {percent(lower.value, 1)} and {percent(upper.value, 1)}: the truth is partial, and a "
        "pair that nobody judged counts neither as right nor as wrong."
    )
    if judged is not None and is_known(judged.value):
        text += f" {percent(judged.value, 1)} of the reported pairs were judged."
    notes = [note(one.note) for one in (lower, upper, judged) if one is not None and one.note]
    return [
        Section(
            "What is known about precision",
            [text, Figure(picture, "The reported pairs by what is known about them."), *notes],
            anchor="precision",
        )
    ]


_PICTURES = 6


def comparison_section(results: Sequence[Result]) -> Section:
    """Plots and a table for each group of comparable results, and why there are several groups."""
    groups = comparable_groups(results)
    blocks: list[Content] = [] if len(groups) == 1 else _reasons(groups)
    for letter, group in zip(group_names(len(groups)), groups, strict=True):
        if len(groups) > 1:
            blocks.append(heading(f"Group {letter}: {detector_names(group)}"))
        blocks += _group(group)
    return Section("Comparison", blocks, anchor="comparison")


def ranking(group: Sequence[Result]) -> str:
    """Which of several comparable detectors leads by the first headline number, and how certain that is."""
    names = leading_names(one for result in group for one in result.headline)
    leader = [name for name in names if not Metric(name).is_error][:1]
    found = [(find(result.headline, name), result) for name in leader for result in group]
    known = [(one.value, one, result) for one, result in found if one is not None and is_known(one.value)]
    ranked = sorted(known, key=lambda row: row[0], reverse=True)
    if len(ranked) < 2:
        return f"{plural(len(group), 'result')}, all measured under the same conditions."
    (_, one, best), (_, other, next_best) = ranked[:2]
    sentence = f"{best.detector} reaches {reached(one, best)}, {next_best.detector} {in_words(other, next_best)}."
    if is_known(one.low) and is_known(other.high) and one.low <= other.high:
        return f"{sentence} Their intervals overlap."
    return sentence


def group_names(number: int) -> list[str]:
    """A, B, … Z, then A2, B2 …"""
    return [ascii_uppercase[at % 26] + (str(at // 26 + 1) if at >= 26 else "") for at in range(number)]


def detector_names(group: Sequence[Result]) -> str:
    """The detectors of some results, each once."""
    return ", ".join(dict.fromkeys(result.detector for result in group))


def _reasons(groups: Sequence[Sequence[Result]]) -> list[Content]:
    differing = differing_conditions([conditions(group[0]) for group in groups])
    names = group_names(len(groups))
    columns = [Column("condition"), *(Column(f"group {name}", "prose") for name in names)]
    rows = [
        (what.replace("_", " "), *(map(short_hash, texts) if what == "content hash" else texts))
        for what, texts in differing.items()
    ]
    return [
        paragraph(
            "These results were measured under different conditions, which the table lists. A difference between their "
            f"numbers says nothing about the detectors, so they are in {plural(len(groups), 'separate group')}."
        ),
        Table(columns, rows, "What differs", sortable=False),
    ]


def _group(group: Sequence[Result]) -> list[Content]:
    rows = [MeasurementGroup(result.detector, result.headline) for result in group]
    names = leading_names(one for result in group for one in result.headline)
    blocks: list[Content] = []
    if len(group) > 1:
        drawn = [Metric(name) for name in names if name not in BOUNDS]
        pictures = [_figure(group, metric) for metric in drawn if not metric.is_of_one_type][:_PICTURES]
        pictures += [*_bounds(group), *_types(group, [metric for metric in drawn if metric.is_of_one_type])]
        blocks.append(
            figures([*pictures, *_regions(group), *_curves(group, "roc"), *_curves(group, "precision-recall")])
        )
    blocks.append(group_table(rows, names, "detector", "The numbers of each detector"))
    return blocks


def _figure(group: Sequence[Result], metric: Metric) -> Figure:
    rows = [estimate(one.detector, find(one.headline, metric.name) or Measurement(metric.name, None)) for one in group]
    return metric_figure(metric, rows, f"{metric.sentence} of each detector", f"{metric.sentence}.")


def _types(group: Sequence[Result], metrics: Sequence[Metric]) -> list[Figure]:
    if not metrics:
        return []
    series = [
        Series(result.detector, [_percent(find(result.headline, metric.name)) for metric in metrics])
        for result in group
    ]
    picture = bar_chart([one.column for one in metrics], series, Labels("Recall by clone type", x="recall, percent"))
    return [Figure(picture, "Recall by clone type, from the most similar (top) to the least similar.")]


def _percent(one: Measurement | None) -> float | None:
    return None if one is None or one.value is None else round(100 * one.value, 1)


def _bounds(group: Sequence[Result]) -> list[Figure]:
    rows = []
    for result in group:
        lower, upper = result.measurement(LOWER), result.measurement(UPPER)
        if lower is not None and upper is not None:
            rows.append(estimate(result.detector, Measurement("precision", None, lower.value, upper.value)))
    if len(rows) < 2:
        return []
    caption = "Precision under partial truth: anywhere in the band."
    return [metric_figure(Metric("precision"), rows, "Bounds of precision", caption)]


def _regions(group: Sequence[Result]) -> list[Figure]:
    curves = []
    for result in group:
        counts = recall_counts(result)
        shares = counts[0].overall.regions.get("all", {}) if counts else {}
        if shares:
            curves.append(PlottedCurve(result.detector, region_steps(shares)))
    labels = Labels("Recall by similarity region", x="similarity, percent", y="recall, percent")
    if len(curves) < 2:
        return []
    top = max([100.0, *(y for curve in curves for _, y in curve.points if y is not None)])
    return [Figure(line_chart(curves, labels, x_span=(0, 100), y_span=(0, top)), "Recall by similarity region of 5 %.")]


def _curves(group: Sequence[Result], name: str) -> list[Figure]:
    found = [(result, curve) for result in group for curve in result.curves if curve.name == name and curve.points]
    if len(found) < 2:
        return []
    curves = [PlottedCurve(result.detector, curve.points) for result, curve in found]
    title = {"roc": "ROC curves", "precision-recall": "Precision and recall"}[name]
    labels = Labels(title, x=found[0][1].x, y=found[0][1].y)
    return [Figure(line_chart(curves, labels, x_span=(0, 1), y_span=(0, 1)), f"{title}.")]
