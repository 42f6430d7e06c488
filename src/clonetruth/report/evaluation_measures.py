"""Measurements as text, tables and plots: metric names, numbers with intervals, and BigCloneEval's counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.errors import InputError
from clonetruth.html.blocks import Callout, Figure
from clonetruth.html.numbers import decimal, is_known, percent, percent_interval
from clonetruth.html.plots import Labels, PlottedEstimate, interval_plot
from clonetruth.html.tables import Cell, Column, Table
from clonetruth.store.results import Measurement, MeasurementGroup, Result

# The counts of a location evaluation, in the layout of BigCloneEval

TYPES = {
    "T1": "Type-1",
    "T2": "Type-2",
    "VST3": "Very strongly Type-3",
    "ST3": "Strongly Type-3",
    "MT3": "Moderately Type-3",
    "WT3_T4": "Weakly Type-3/Type-4",
}
"""The clone types from the most to the least similar, without the two halves of Type-2."""

SCOPES = ("all", "inter", "intra")


@dataclass(frozen=True)
class CountedShare:
    """The number of known clones, and how many of them were detected."""

    detected: int
    total: int

    @property
    def recall(self) -> float | None:
        """The share of detected clones; None if there was nothing to detect."""
        return self.detected / self.total if self.total else None


Shares = Mapping[str, CountedShare]


@dataclass(frozen=True)
class Breakdown:
    """The shares over all functionalities, by scope (`all`, `inter`, `intra`) and row.

    Attributes:
        types: by clone type.
        regions: by similarity region of 5 %.
        min_similarity: by minimum similarity.
    """

    types: Mapping[str, Shares]
    regions: Mapping[str, Shares]
    min_similarity: Mapping[str, Shares]


@dataclass(frozen=True)
class Counts:
    """The counts of one behaviour of the evaluator."""

    behaviour: str
    overall: Breakdown


def recall_counts(result: Result) -> list[Counts]:
    """The counts by behaviour, first that of the headline.

    Raises:
        InputError: the counts are not in the layout.
    """
    found = [_counts(str(name).replace("_", "-"), content, result) for name, content in result.recall.items()]
    asked = str(result.setting.get("behaviour", "repaired")).replace("_", "-")
    return sorted(found, key=lambda one: one.behaviour != asked)


def _counts(behaviour: str, content: Any, result: Result) -> Counts:
    try:
        return Counts(behaviour, _breakdown(content["overall"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"The recall counts of '{behaviour}' are not in the layout of BigCloneEval.",
            where=f"result of {result.detector}",
            hint="Evaluate again: `clonetruth evaluate … -o FILE` writes them.",
        ) from error


def _breakdown(content: Mapping[str, Any]) -> Breakdown:
    types, regions, minimum = (_rows(content.get(part, {})) for part in ("types", "regions", "min_similarity"))
    for shares in (*regions.values(), *minimum.values()):
        for name in shares:
            similarity_span(name)
    return Breakdown(types, regions, minimum)


def similarity_span(name: str) -> tuple[float, float]:
    """The ends of a row such as `70-75`, in percent."""
    low, _, high = name.partition("-")
    return float(low), float(high)


def _rows(content: Mapping[str, Any]) -> dict[str, Shares]:
    return {
        scope: {str(name): _share(cell) for name, cell in content[scope].items()}
        for scope in SCOPES
        if scope in content
    }


def _share(cell: Any) -> CountedShare:
    detected, total, _ = cell
    if type(detected) is not int or type(total) is not int or min(detected, total) < 0:
        raise ValueError(f"{cell} is not a count")
    return CountedShare(detected, total)


SYNTACTIC = "recall-type-1-to-3"
"""The recall over the types with similar texts."""

_TITLES = {
    "f1": "F1",
    "mcc": "MCC",
    "roc-auc": "ROC AUC",
    "ece": "expected calibration error",
    "map-at-r": "MAP@R",
    "mrr": "MRR",
    SYNTACTIC: "recall when only Type-1 to Type-3 counts",
    "precision-lower-bound": "precision, at least",
    "precision-upper-bound": "precision, at most",
    "reported-judged": "reported pairs that were judged",
}
_NOT_SHARES = ("mcc", "roc-auc", "average-precision", "ece", "brier", "map-at-r", "mrr")

_ERRORS = ("ece", "brier")
_LEADING = ("f1", "recall", "average-precision", "roc-auc", "map-at-r")

Row = list[Cell]


@dataclass(frozen=True)
class Metric:
    """A metric, by its name in docs/metrics.md."""

    name: str

    @property
    def title(self) -> str:
        """Its name as text."""
        if self.name in _TITLES:
            return _TITLES[self.name]
        if self.is_of_one_type:
            return f"recall of {TYPES[self.name.removeprefix('recall-')]}"
        if self.name.startswith("macro-"):
            return f"macro {Metric(self.name.removeprefix('macro-')).title}"
        return self.name.replace("-", " ")

    @property
    def column(self) -> str:
        """Its name as the heading of a column, where a clone type needs no further words."""
        if self.name == SYNTACTIC:
            shown = "Type-1 to Type-3"
        else:
            shown = TYPES[self.name.removeprefix("recall-")] if self.is_of_one_type else self.title
        return shown.replace("Type-", "Type\u2011")  # a non-breaking hyphen

    @property
    def sentence(self) -> str:
        """Its title as the start of a caption."""
        return f"{self.title[:1].upper()}{self.title[1:]}"

    @property
    def is_of_one_type(self) -> bool:
        """Whether it is the recall of one clone type among others."""
        return self.name.startswith("recall-") and self.name.removeprefix("recall-") in TYPES

    @property
    def is_share(self) -> bool:
        """Whether it is read as a percentage."""
        return self.name.removeprefix("macro-") not in _NOT_SHARES

    @property
    def is_error(self) -> bool:
        """Whether lower is better."""
        return self.name in _ERRORS

    @property
    def axis(self) -> str:
        """The label of its axis."""
        return f"{self.title}, percent" if self.is_share else self.title

    @property
    def digits(self) -> int:
        """Number of decimals on its axis."""
        return 1 if self.is_share else 3

    @property
    def span(self) -> tuple[float, float]:
        """The ends of its axis: its whole range, so that small differences look small."""
        return (0.0, 100.0) if self.is_share else (-1.0, 1.0) if self.name.endswith("mcc") else (0.0, 1.0)

    def on_axis(self, value: float | None) -> float | None:
        """A value in the unit of its axis."""
        return 100 * value if is_known(value) and self.is_share else value

    def show(self, value: float | None) -> str:
        """A value as text. A value above zero never reads as zero."""
        if self.is_share and is_known(value) and 0 < value < 0.0005:
            return f"<{percent(0.001, 1)}"
        return percent(value, 1) if self.is_share else decimal(value, 3)

    def show_interval(self, one: Measurement) -> str:
        """The interval of a measurement as text; empty if there is none."""
        if not is_known(one.low) or not is_known(one.high):
            return ""
        if self.is_share:
            return percent_interval(one.low, one.high, 1)
        return f"{decimal(one.low, 3)} to {decimal(one.high, 3)}"


def leading_names(measurements: Iterable[Measurement]) -> list[str]:
    """The names of the metrics with a value, the most informative first.

    Precision or recall alone says little about a detector that decides pairs: always answering yes has a recall of 1.
    Errors come last.
    """
    places = {name: place for place, name in enumerate(_LEADING)}
    names = known_names([tuple(measurements)])
    return sorted(names, key=lambda name: (Metric(name).is_error, places.get(name, len(places))))


def leading(result: Result) -> Measurement | None:
    """The most informative headline number; None if none is defined."""
    names = leading_names(result.headline)
    return result.measurement(names[0]) if names else None


def find(measurements: Iterable[Measurement], name: str) -> Measurement | None:
    """The measurement with a name."""
    return next((one for one in measurements if one.name == name), None)


def interval_name(result: Result) -> str:
    """The name of a result's intervals, with their confidence if its configuration has it."""
    confidence = result.manifest.configuration.get("confidence")
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    return f"{percent(confidence)} interval" if is_number else "interval"


def measurement_callout(one: Measurement, result: Result) -> Callout:
    """A headline number with its interval."""
    metric = Metric(one.name)
    if not is_known(one.value):
        shown = metric.show_interval(one) or metric.show(None)
        return Callout(shown, metric.title, one.note or "not defined on these pairs")
    interval = metric.show_interval(one)
    scope = f", for {one.scope} only" if one.scope else ""
    small = f"{interval_name(result)} {interval}{scope}" if interval else one.note or ""
    return Callout(metric.show(one.value), metric.title, small)


def in_words(one: Measurement, result: Result) -> str:
    """A number with its interval, for a sentence."""
    metric = Metric(one.name)
    if is_known(one.value):
        return metric.show(one.value) + _in_brackets(one, result)
    interval = metric.show_interval(one)
    return f"somewhere in {interval}" if interval else "not defined"


def reached(one: Measurement, result: Result) -> str:
    """A number with its name and interval, for a sentence with "reaches"."""
    metric = Metric(one.name)
    return f"{metric.show(one.value)} {metric.title}{_in_brackets(one, result)}"


def _in_brackets(one: Measurement, result: Result) -> str:
    interval = Metric(one.name).show_interval(one)
    scope = f", for {one.scope} only" if one.scope else ""
    return f" ({interval_name(result)} {interval}{scope})" if interval else ""


def estimate(label: str, one: Measurement, *, series: int = 0, before: float | None = None) -> PlottedEstimate:
    """A measurement as a row of an interval plot."""
    metric = Metric(one.name)
    value, low, high, was = map(metric.on_axis, (one.value, one.low, one.high, before))
    return PlottedEstimate(label, value, low, high, series, was)


def metric_figure(
    metric: Metric, estimates: Sequence[PlottedEstimate], title: str, caption: str, *, legend: Sequence[str] = ()
) -> Figure:
    """A plot of values of one metric with their intervals, on its whole axis."""
    ends = [end for one in estimates for end in (one.value, one.high, one.before) if is_known(end)]
    low, high = metric.span
    # BigCloneEval as shipped can report a recall above 1 (defect D5); it is shown, not cut off.
    picture = interval_plot(
        estimates,
        Labels(title, x=metric.axis),
        span=(low, max([high, *ends])),
        digits=metric.digits,
        legend=legend,
    )
    return Figure(picture, caption)


def metric_table(measurements: Sequence[Measurement], caption: str) -> Table:
    """A table of measurements. All rows have the same unit, so that the columns can be sorted."""
    methods = {one.method for one in measurements if one.method}
    shared = methods.pop() if len(methods) == 1 else None
    columns = [
        Column("metric"),
        Column("value", "decimal", 3),
        Column("low", "decimal", 3),
        Column("high", "decimal", 3),
        Column("of", "count"),
        Column("interval by", "prose"),
        Column("note", "prose"),
    ]
    rows: list[Row] = [
        [
            Metric(one.name).title,
            one.value,
            one.low,
            one.high,
            one.n,
            "" if shared else one.method or "",
            one.note or "",
        ]
        for one in measurements
    ]
    return Table(*filled(columns, rows, 2), f"{caption}; intervals by {shared}" if shared else caption)


def group_table(groups: Sequence[MeasurementGroup], names: Sequence[str], first: str, caption: str) -> Table:
    """One row per group: its pairs, and each metric with its interval."""
    columns = [Column(first), Column("pairs", "count"), Column("clones", "count")]
    rows: list[Row] = [[group.name, group.pairs, group.clones] for group in groups]
    for name in names:
        metric = Metric(name)
        columns += [Column(metric.column, "decimal", 3), Column("interval")]
        for row, group in zip(rows, groups, strict=True):
            one = find(group.measurements, name)
            row += [one.value, _ends(one)] if one else [None, ""]
    columns.append(Column("note", "prose"))
    for row, group in zip(rows, groups, strict=True):
        row.append(group.note or "")
    return Table(*filled(columns, rows), caption, filterable=len(rows) > 10)


def _ends(one: Measurement) -> str:
    # Non-breaking spaces: an interval on two lines is hard to read.
    known = is_known(one.low) and is_known(one.high)
    return f"{decimal(one.low, 3)}\u00a0to\u00a0{decimal(one.high, 3)}" if known else ""


def filled(columns: Sequence[Column], rows: Sequence[Row], always: int = 1) -> tuple[list[Column], list[Row]]:
    """Columns and rows without the empty columns; the first `always` columns stay."""
    kept = [at for at in range(len(columns)) if at < always or any(row[at] not in (None, "") for row in rows)]
    return [columns[at] for at in kept], [[row[at] for at in kept] for row in rows]


def known_names(groups: Iterable[Sequence[Measurement]]) -> list[str]:
    """The names of the metrics with a value in any group, in the order of their first appearance."""
    return list(dict.fromkeys(one.name for group in groups for one in group if is_known(one.value)))
