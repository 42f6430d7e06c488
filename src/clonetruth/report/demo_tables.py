"""The tables of the demonstration's page."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from clonetruth.html.numbers import UNKNOWN, is_known, percent, percent_interval
from clonetruth.html.tables import Column, Table
from clonetruth.report.demo_view import NO_TYPE, TYPE_ORDER, DemoRate, DemoView, ThresholdOutcome
from clonetruth.store.results import Measurement, Result


def type_table(view: DemoView) -> Table:
    """Pairs by clone type, from the most to the least alike; types that the page does not know come after."""
    clones, others = (
        Counter(pair.clone_type or NO_TYPE for pair in pairs) for pairs in (view.clones, view.near_misses)
    )
    present = set(clones | others)
    order = [*TYPE_ORDER, *sorted(present - {*TYPE_ORDER, NO_TYPE}), *({NO_TYPE} & present)]
    return Table(
        (Column("clone type"), Column("clones", "count"), Column("near misses", "count")),
        [(name, clones[name], others[name]) for name in order],
        "Pairs by clone type",
        sortable=False,
    )


def median_table(view: DemoView) -> Table:
    """The median similarities of clones and of near misses."""
    classes = (("clones", view.clones), ("near misses", view.near_misses))
    return Table(
        (
            Column("class"),
            Column("pairs drawn", "count"),
            Column("median by tokens", "decimal"),
            Column("median by lines", "decimal"),
        ),
        [
            (
                name,
                sum(is_known(pair.similarity_token) and is_known(pair.similarity_line) for pair in pairs),
                _median([pair.similarity_token for pair in pairs]),
                _median([pair.similarity_line for pair in pairs]),
            )
            for name, pairs in classes
        ],
        "Median similarities",
        sortable=False,
    )


def evaluation_table(results: Sequence[Result]) -> Table:
    """The headline of detectors, and of trivial ones on the same pairs."""
    metrics = ("precision", "recall", "f1", "roc-auc")
    baselines = {group.name: group.measurements for result in results for group in result.baselines}
    rows = {**{result.detector: result.headline for result in results}, **baselines}
    return Table(
        (Column("detector"), *(column for name in metrics for column in (Column(name, "percent"), Column("interval")))),
        [(name, *_shares(measurements, metrics)) for name, measurements in rows.items()],
        "Detectors and trivial detectors",
    )


def _shares(measurements: Sequence[Measurement], metrics: Sequence[str]) -> list[float | str | None]:
    found = {one.name: one for one in measurements}
    cells: list[float | str | None] = []
    for name in metrics:
        one = found.get(name)
        cells += [None, UNKNOWN] if one is None else [one.value, percent_interval(one.low, one.high)]
    return cells


def threshold_table(outcomes: Sequence[tuple[str, ThresholdOutcome]]) -> Table:
    """What thresholds reach, with intervals."""
    return Table(
        (
            Column("threshold"),
            Column("at", "decimal"),
            Column("precision", "percent"),
            Column("recall", "percent"),
            Column("specificity", "percent"),
            Column("balanced accuracy", "percent", 0),
        ),
        [
            (
                name,
                one.threshold,
                _with_interval(one.precision),
                _with_interval(one.recall),
                _with_interval(one.specificity),
                one.balanced_accuracy,
            )
            for name, one in outcomes
        ],
        "What the thresholds reach, with 95 % intervals in brackets",
        sortable=False,
    )


def functionality_table(view: DemoView) -> Table:
    """One row per functionality: what it is, how many pairs, and how alike their texts are."""
    rows = []
    all_clones, all_others = view.clones, view.near_misses
    for one in view.functionalities:
        clones = [pair for pair in all_clones if pair.functionality == one.name]
        others = [pair for pair in all_others if pair.functionality == one.name]
        rows.append(
            (
                one.name,
                one.specification,
                ", ".join(one.languages),
                one.fragments,
                len(clones),
                len(others),
                _median([pair.similarity_token for pair in clones]),
                _median([pair.similarity_token for pair in others]),
            )
        )
    return Table(
        (
            Column("functionality"),
            Column("specification", "prose"),
            Column("languages"),
            Column("fragments", "count"),
            Column("clone pairs", "count"),
            Column("near misses", "count"),
            Column("similarity of clones", "decimal"),
            Column("similarity of near misses", "decimal"),
        ),
        rows,
        "What the fragments are to do; the similarities are medians by tokens",
    )


def pair_table(view: DemoView) -> Table:
    """Every pair, to sort and to filter."""
    return Table(
        (
            Column("functionality"),
            Column("left", "code"),
            Column("right", "code"),
            Column("verdict"),
            Column("type by text"),
            Column("by tokens", "decimal"),
            Column("by lines", "decimal"),
        ),
        [
            (
                pair.functionality,
                pair.left,
                pair.right,
                pair.verdict,
                pair.clone_type,
                pair.similarity_token,
                pair.similarity_line,
            )
            for pair in view.pairs
        ],
        "Every pair with its verdict, and the similarity of its texts",
        filterable=True,
    )


def _with_interval(rate: DemoRate) -> str:
    return f"{percent(rate.value)} ({rate.interval})" if is_known(rate.value) else UNKNOWN


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if is_known(value)]
    return statistics.median(known) if known else None
