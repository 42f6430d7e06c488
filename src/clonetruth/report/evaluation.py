"""The page of an evaluation: what was measured on what, how certain it is, and where the labels are weak."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from clonetruth.errors import InputError
from clonetruth.html.blocks import (
    Callout,
    Content,
    Figure,
    callouts,
    cautions,
    details,
    figures,
    heading,
    key_facts,
    lead,
    note,
)
from clonetruth.html.code_blocks import Side, excerpt, side_by_side
from clonetruth.html.numbers import decimal, is_known, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Dot, Labels, PlottedCurve, confusion_matrix, dot_chart, line_chart
from clonetruth.html.tables import Column, Table
from clonetruth.report.evaluation_citation import citation_section, label_sections, policy_sentence
from clonetruth.report.evaluation_comparison import (
    BOUNDS,
    baseline_sections,
    comparison_section,
    detector_names,
    group_names,
    precision_sections,
    ranking,
)
from clonetruth.report.evaluation_measures import (
    SYNTACTIC,
    Metric,
    Row,
    estimate,
    filled,
    find,
    group_table,
    in_words,
    known_names,
    leading,
    leading_names,
    measurement_callout,
    metric_figure,
    metric_table,
    reached,
)
from clonetruth.report.evaluation_recall import recall_sections, syntactic_callout, uncounted_strata
from clonetruth.store import results
from clonetruth.store.comparability import comparable_groups, stated_conditions
from clonetruth.store.results import (
    Disagreement,
    FragmentLocation,
    Measurement,
    MeasurementGroup,
    Result,
    ResultKind,
    Stratum,
)

_MOST_CALLOUTS = 6


def evaluation_page(results: Sequence[Result]) -> Page:
    """The page of one or more results. Several results are compared first, then each has its section.

    Raises:
        InputError: there is no result, or the counts of one cannot be read.
    """
    if not results:
        raise InputError("There is no result to show.", hint="Give one or more results of `clonetruth evaluate`.")
    if len(results) == 1:
        (result,) = results
        return Page(
            title=f"{result.detector} on {result.benchmark.name}",
            subtitle=_subject(result),
            opening=_opening(result),
            sections=_sections(result),
            manifest=_manifest(result),
        )
    return Page(
        title=f"{plural(len(results), 'result')} compared",
        subtitle=detector_names(results),
        opening=_comparison_opening(results),
        sections=[comparison_section(results), *_result_sections(results)],
    )


def _sections(result: Result) -> list[Section]:
    return [
        *baseline_sections(result),
        *recall_sections(result),
        *precision_sections(result),
        *metric_sections(result),
        *curve_sections(result),
        *strata_sections(result, uncounted_strata(result)),
        *label_sections(result),
        *example_sections(result),
        citation_section(result),
    ]


def _result_sections(results: Sequence[Result]) -> list[Section]:
    groups = comparable_groups(results)
    letters = {id(one): letter for letter, group in zip(group_names(len(groups)), groups, strict=True) for one in group}
    sections = []
    for number, result in enumerate(results, start=1):
        blocks: list[Content] = [note(_subject(result)), *_opening(result)]
        for part in _sections(result):
            blocks += [heading(part.title), *part.blocks]
        blocks += [heading("How this was computed"), key_facts(_manifest(result))]
        group = f" (group {letters[id(result)]})" if len(groups) > 1 else ""
        sections.append(Section(f"{number}. {result.detector}{group}", blocks, anchor=f"result-{number}"))
    return sections


_KINDS = {
    ResultKind.LOCATIONS: "Reported locations",
    ResultKind.PAIRS: "Decisions on pairs",
    ResultKind.RETRIEVAL: "Clone search",
}


def _subject(result: Result) -> str:
    """What was measured on what, in one line."""
    what = _KINDS[result.kind]
    version = f" {result.benchmark.version}" if result.benchmark.version not in (None, "", "unknown") else ""
    part = f", part {result.part}" if result.part else ""
    view = f", view {result.view}" if result.view else ""
    return f"{what}, measured on {result.benchmark.name}{version}{view}{part}"


def _opening(result: Result) -> list[Content]:
    blocks: list[Content] = [lead(_headline(result)), note(policy_sentence(result))]
    numbers = _callouts(result)
    if numbers:
        blocks.append(callouts(numbers[:_MOST_CALLOUTS]))
    if result.warnings:
        blocks.append(cautions("What weakens these numbers", result.warnings))
    blocks += [note(text) for text in result.notes]
    return blocks


def _callouts(result: Result) -> list[Callout]:
    """The headline numbers, without those that have their own plot: bounds, and each clone type."""
    shown = []
    for name in leading_names(result.headline):
        one = result.measurement(name)
        if name == SYNTACTIC:
            shown.append(syntactic_callout(result))
        elif one is not None and name not in BOUNDS and not Metric(name).is_of_one_type:
            shown.append(measurement_callout(one, result))
    return [one for one in shown if one is not None]


def _headline(result: Result) -> str:
    first = leading(result)
    if first is None:
        return f"No number of {result.detector} is defined on {result.benchmark.name}."
    return f"{result.detector} reaches {reached(first, result)} on {result.benchmark.name}."


def _comparison_opening(results: Sequence[Result]) -> list[Content]:
    groups = comparable_groups(results)
    numbers = []
    for result in results[:_MOST_CALLOUTS]:
        first = leading(result)
        if first is not None:
            shown = measurement_callout(first, result)
            numbers.append(Callout(shown.number, f"{shown.label}, {result.detector}", shown.note))
    blocks: list[Content] = [lead(ranking(groups[0]) if len(groups) == 1 else _groups_sentence(results, groups))]
    blocks += [callouts(numbers)] if numbers else []
    sentences: dict[str, list[str]] = {}
    for letter, group in zip(group_names(len(groups)), groups, strict=True):
        sentences.setdefault(policy_sentence(group[0]), []).append(letter)
    for text, letters in sentences.items():
        prefix = f"Group {', '.join(letters)}: " if len(sentences) > 1 else ""
        blocks.append(note(prefix + text))
    return blocks


def _groups_sentence(results: Sequence[Result], groups: Sequence[Sequence[Result]]) -> str:
    return f"{plural(len(results), 'result')} in {len(groups)} groups. Only results of the same group are comparable."


def _manifest(result: Result) -> dict[str, str]:
    manifest = result.manifest
    facts = {name.replace("_", " "): value for name, value in stated_conditions(result).items()}
    if result.benchmark.judgements_hash:
        facts["judgements"] = result.benchmark.judgements_hash
    facts |= {"configuration": manifest.configuration_digest}
    if manifest.seed is not None:
        facts["seed"] = str(manifest.seed)
    facts |= dict(manifest.versions)
    facts |= {f"input {name}": value for name, value in manifest.inputs.items()}
    return {**facts, "time": manifest.time}


# Sections on a detector that scores or decides pairs

_CURVES = {
    "roc": "ROC curve",
    "precision-recall": "Precision and recall",
    "reliability": "Reliability",
}


def metric_sections(result: Result) -> list[Section]:
    """All headline numbers with their intervals, and the confusion matrix if they determine it."""
    if not result.headline:
        return []
    plots = [*_confusion(result), *_macro(result)]
    blocks: list[Content] = [figures(plots)] if plots else []
    blocks.append(metric_table(result.headline, f"All numbers of {result.detector}"))
    return [Section("All numbers", blocks, anchor="numbers")]


def curve_sections(result: Result) -> list[Section]:
    """The curves of a detector that gives scores."""
    pictures = [_curve(one, result) for one in result.curves if one.points]
    notes = [note(one.note) for one in result.curves if one.points and one.note]
    return [Section("Curves", [figures(pictures), *notes], anchor="curves")] if pictures else []


def _confusion(result: Result) -> list[Figure]:
    """The four counts follow from the numerators and denominators of three shares."""
    if result.kind is not ResultKind.PAIRS:
        return []
    counts = [_counts(result.measurement(name)) for name in ("recall", "precision", "specificity")]
    recall, precision, specificity = counts
    if recall is None or precision is None or specificity is None:
        return []
    tp, fn = recall
    tn, fp = specificity
    if precision != (tp, fp):
        return []
    labels = Labels("Verdicts and predictions")
    caption = "Rows are verdicts, columns are predictions; shares are of the row."
    return [Figure(confusion_matrix((tp, fp, fn, tn), labels), caption)]


def _counts(one: Measurement | None) -> tuple[int, int] | None:
    """The numerator of a share and the rest of its denominator; None if they are unknown or not integers."""
    if one is None or one.successes is None or one.n is None or not float(one.successes).is_integer():
        return None
    part = int(one.successes)
    return (part, one.n - part) if 0 <= part <= one.n else None


def _macro(result: Result) -> list[Figure]:
    """Averages over pairs and over functionalities: one functionality can have half of all pairs."""
    pictures = []
    for macro in result.headline:
        micro = result.measurement(macro.name.removeprefix("macro-"))
        if macro.name.startswith("macro-") and micro is not None and is_known(macro.value):
            metric = Metric(micro.name)
            rows = [
                estimate("average over pairs (micro)", micro),
                estimate("average over groups (macro)", macro, series=1),
            ]
            title = f"{metric.sentence}, micro and macro"
            pictures.append(metric_figure(metric, rows, title, f"{title}."))
    return pictures


def _curve(curve: results.Curve, result: Result) -> Figure:
    title = _CURVES.get(curve.name, curve.name.replace("-", " "))
    curves = [PlottedCurve(result.detector, curve.points), *_reference(curve.name, result)]
    is_unit = all(0 <= x <= 1 and 0 <= y <= 1 for x, y in curve.points)
    span = (0.0, 1.0) if is_unit else None
    picture = line_chart(curves, Labels(title, x=curve.x, y=curve.y), x_span=span, y_span=span)
    return Figure(picture, f"{title}{_summary(curve.name, result)}.")


def _reference(name: str, result: Result) -> list[PlottedCurve]:
    """The curve to compare with."""
    if name == "roc":
        return [PlottedCurve("chance", [(0, 0), (1, 1)])]
    if name == "reliability":
        return [PlottedCurve("perfectly calibrated", [(0, 0), (1, 1)])]
    clones = _counts(result.measurement("recall"))
    if name == "precision-recall" and clones is not None and result.policy.counted:
        share = sum(clones) / result.policy.counted
        return [PlottedCurve("chance", [(0, share), (1, share)])]
    return []


def _summary(name: str, result: Result) -> str:
    """The number that summarises a curve."""
    metric = {"roc": "roc-auc", "precision-recall": "average-precision", "reliability": "ece"}.get(name, "")
    one = result.measurement(metric)
    return f": {Metric(metric).title} {in_words(one, result)}" if one is not None and is_known(one.value) else ""


_MOST_WIDE_ROWS = 8
"""Maximum number of groups that are drawn with their numbers; more are drawn as dots."""

_PICTURES = 2
"""Maximum number of metrics of a stratum that are plotted; the table has all."""


def strata_sections(result: Result, strata: Sequence[Stratum]) -> list[Section]:
    """A section for each stratum that has groups."""
    order = leading_names(result.headline)
    return [_section(one, order, number) for number, one in enumerate(strata, start=1) if one.groups]


def _sized(group: MeasurementGroup) -> MeasurementGroup:
    """A group with its number of pairs: if only recalls were measured, the pairs of the recall."""
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


def _figure(groups: Sequence[MeasurementGroup], metric: Metric, by: str) -> Figure:
    found = [(group, find(group.measurements, metric.name) or Measurement(metric.name, None)) for group in groups]
    title = f"{metric.sentence} by {by}"
    if len(groups) <= _MOST_WIDE_ROWS:
        return metric_figure(metric, [estimate(group.name, one) for group, one in found], title, f"{title}.")
    # The best come first; the table helps a reader who looks for a name.
    found.sort(key=lambda row: (not is_known(row[1].value), -(row[1].value or 0.0)))
    dots = [
        Dot(group.name, metric.on_axis(one.value), group.pairs, metric.on_axis(one.low), metric.on_axis(one.high))
        for group, one in found
    ]
    sized = any(group.pairs for group in groups)
    picture = dot_chart(dots, Labels(title, x=metric.axis), span=metric.span)
    return Figure(picture, f"{title}; the area of a dot is its number of pairs." if sized else f"{title}.")


def example_sections(result: Result) -> list[Section]:
    """A section with all disagreements of a result, if there are any."""
    if not result.disagreements:
        return []
    return [Section("Worst disagreements", list(_blocks(result.disagreements)), anchor="disagreements")]


def _blocks(disagreements: Sequence[Disagreement]) -> Iterator[Content]:
    yield (
        "Either the detector or the label is wrong here. Inspect these pairs first, and judge those that nobody has "
        "judged."
    )
    for number, one in enumerate(disagreements, start=1):
        summary = f"{number}. {_title(one)}"
        reason = [note(one.reason)] if one.reason else []
        if one.left.text is not None and one.right.text is not None:
            code = side_by_side(_side(one.left, one.left.text), _side(one.right, one.right.text))
            yield details(summary, *reason, code, is_open=number == 1)
    columns = (
        Column("pair"),
        Column("verdict"),
        Column("prediction"),
        Column("score", "decimal", 3),
        Column("clone type"),
        Column("functionality"),
        Column("why", "prose"),
    )
    rows: list[Row] = [
        [
            f"{one.left.id} – {one.right.id}",
            one.verdict,
            one.predicted,
            one.score,
            one.clone_type or "",
            one.functionality or "",
            one.reason or "",
        ]
        for one in disagreements
    ]
    yield Table(*filled(columns, rows), "All disagreements shown here", filterable=len(rows) > 10)


def _title(one: Disagreement) -> str:
    score = f" (score {decimal(one.score, 3)})" if is_known(one.score) else ""
    about = " · ".join(part for part in (one.functionality, one.clone_type) if part)
    return f"Called {one.predicted}{score}, verdict {one.verdict}" + (f" · {about}" if about else "")


def _side(location: FragmentLocation, text: str) -> Side:
    lines = f":{location.first_line}–{location.last_line}" if location.first_line and location.last_line else ""
    remark = f"{location.path}{lines}" if location.path else location.language or ""
    return Side(excerpt(text), location.id, location.language, remark)
