"""What the numbers are to be held against: trivial detectors, and what is known of precision."""

from __future__ import annotations

from dataclasses import replace

from clonetruth.html.blocks import Content, Figure, bullets, figures, note
from clonetruth.html.numbers import is_known, percent
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, Series, bar_chart
from clonetruth.report.evaluation_measures import (
    Metric,
    estimate,
    find,
    group_table,
    in_words,
    known_names,
    leading_names,
    metric_figure,
)
from clonetruth.store.results import BaselineGroup, Measurement, Result

LOWER, UPPER, JUDGED = "precision-lower-bound", "precision-upper-bound", "reported-judged"
BOUNDS = (LOWER, UPPER, JUDGED)
"""The measurements that say what can be known of precision from a partial truth."""

_PICTURES = 4


def baseline_sections(result: Result) -> list[Section]:
    """The detector beside trivial ones on the same pairs."""
    known = set(known_names(one.measurements for one in result.baselines))
    names = [name for name in leading_names(result.headline) if name in known]
    if not names:
        return []
    # Their notes are sentences, for which a wide table has no room.
    rows = [
        BaselineGroup(result.detector, result.headline),
        *(replace(one, pairs=None, clones=None, note=None) for one in result.baselines),
    ]
    blocks: list[Content] = [] if Metric(names[0]).is_error else [_verdict(result, names[0])]
    blocks += [
        figures([_figure(result, Metric(name)) for name in names[:_PICTURES]]),
        group_table(rows, names, "detector", "The detector and trivial ones, on the same pairs"),
    ]
    notes = [f"{one.name}: {one.note}" for one in result.baselines if one.note]
    if notes:
        blocks.append(bullets(notes))
    return [Section("Beside trivial detectors", blocks, anchor="baselines")]


def _figure(result: Result, metric: Metric) -> Figure:
    own = find(result.headline, metric.name) or Measurement(metric.name, None)
    rows = [estimate(result.detector, own)]
    for group in result.baselines:
        other = find(group.measurements, metric.name)
        if other is not None:
            rows.append(estimate(group.name, other, series=1))
    legend = ("this detector", "trivial detectors")
    title = f"{metric.sentence} beside trivial detectors"
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
        return f"{sentence} Nothing was gained over it."
    if is_known(own.low) and is_known(other.high) and own.low <= other.high:
        return f"{sentence} Their intervals overlap."
    return sentence


def precision_sections(result: Result) -> list[Section]:
    """What a partial truth says about precision: two bounds, and how much anybody judged."""
    lower, upper, judged = (result.measurement(name) for name in BOUNDS)
    if lower is None or upper is None or not is_known(lower.value) or not is_known(upper.value):
        return []
    shares = {
        "known clones": lower.value,
        "not known": max(0.0, upper.value - lower.value),
        "known not to be clones": 1 - upper.value,
    }
    series = [Series(name, [round(100 * share, 2)]) for name, share in shares.items()]
    picture = bar_chart(["reported"], series, Labels("What is known of the reported pairs", x="percent"), stacked=True)
    text = (
        f"Precision lies between {percent(lower.value, 1)} and {percent(upper.value, 1)}: the truth is partial, and "
        "what nobody judged is neither right nor wrong."
    )
    if judged is not None and is_known(judged.value):
        text += f" {percent(judged.value, 1)} of the reported pairs have any judgement."
    notes = [note(one.note) for one in (lower, upper, judged) if one is not None and one.note]
    return [
        Section(
            "What is known of precision",
            [text, Figure(picture, "The reported pairs by what is known of them."), *notes],
            anchor="precision",
        )
    ]
