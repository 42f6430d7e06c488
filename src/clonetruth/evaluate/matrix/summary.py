"""The summary of a matrix: means over distinct divisions, and the drop compared with the random view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from clonetruth.evaluate.matrix.cell import FinishedCell
from clonetruth.evaluate.matrix.plan import RANDOM, MatrixPlan, is_learner, view_of
from clonetruth.formats.writers import csv_pieces
from clonetruth.stats.clusters import LEAST_CLUSTERS, few_clusters
from clonetruth.stats.divisions import DivisionMean, DivisionValue
from clonetruth.store import build_manifest
from clonetruth.store.display import plural
from clonetruth.store.matrix import METRICS, CellFailure, MatrixCell, MatrixRow, MatrixSummary, ViewTest
from clonetruth.store.results import Measurement
from clonetruth.training import TrainingSpec
from clonetruth.training.request import LearnerRequest

_COLUMNS = (
    "detector",
    "view",
    "level",
    "metric",
    "divisions",
    "functionalities",
    "mean",
    "low",
    "high",
    "drop",
    "drop_low",
    "drop_high",
    "gain",
    "gain_low",
    "gain_high",
    "trained_on",
    "transfer_loss",
    "transfer_loss_low",
    "transfer_loss_high",
    "cpu_seconds",
    "parameters",
)


def summarise(
    plan: MatrixPlan, results: Mapping[MatrixCell, FinishedCell], failures: Sequence[CellFailure]
) -> MatrixSummary | None:
    """Summarise the cells of a matrix; None where no cell has a result."""
    if not results:
        return None
    one = next(iter(results.values())).result
    hashes = {"benchmark": one.benchmark.content_hash, "judgements": one.benchmark.judgements_hash}
    configuration = {
        **plan.conditions(),
        "detectors": list(plan.detectors),
        "views": list(plan.views),
        "levels": list(plan.levels),
        "seeds": plan.seeds,
    }
    return MatrixSummary(
        benchmark=one.benchmark,
        policy=one.policy.name,
        criterion=one.policy.criterion,
        assumptions=(*one.policy.assumptions, *_flattery(plan)),
        setting=plan.setting(),
        detectors=plan.detectors,
        views=plan.views,
        levels=plan.levels,
        seeds=tuple(range(plan.seeds)),
        rows=tuple(_rows(plan, results)),
        tests=tuple(_tests(plan, results)),
        failures=tuple(failures),
        manifest=build_manifest({name: digest for name, digest in hashes.items() if digest}, configuration),
    )


def _flattery(plan: MatrixPlan) -> Iterator[str]:
    """For each detector that is trained in a way that flatters it, what must be said with its numbers."""
    for detector in filter(is_learner, plan.detectors):
        if flattering := LearnerRequest.parse(detector).applied(TrainingSpec()).flattering:
            yield f"'{detector}' is flattered, as published: {'; '.join(flattering)}."


def _rows(plan: MatrixPlan, results: Mapping[MatrixCell, FinishedCell]) -> Iterator[MatrixRow]:
    lines = [(detector, source) for detector in plan.detectors for source in plan.sources(detector)]
    for detector, source in lines:
        for level in plan.levels:
            base = _finished(plan, results, (detector, source), RANDOM, level)
            for view in plan.views:
                own = _finished(plan, results, (detector, source), view, level)
                plain = _finished(plan, results, (detector, source), view, 0) if level else {}
                home = _finished(plan, results, (detector, ""), view, level) if source else {}
                yield MatrixRow(
                    detector,
                    view,
                    level,
                    tuple(cell.seed for cell in own),
                    {metric: [_value(one, metric) for one in own.values()] for metric in METRICS},
                    tuple(mean_over_divisions(metric, list(own.values()), plan.confidence) for metric in METRICS),
                    tuple(drop(metric, list(base.values()), list(own.values()), plan.confidence) for metric in METRICS)
                    if base and view != RANDOM
                    else (),
                    tuple(cell.fold for cell in own if cell.fold is not None),
                    tuple(one.influence.division for one in own.values()),
                    source,
                    _differences(own, plain, plan.confidence),
                    _differences(home, own, plan.confidence),
                    _cost(own.values()),
                )


def _finished(
    plan: MatrixPlan, results: Mapping[MatrixCell, FinishedCell], line: tuple[str, str], view: str, level: int
) -> dict[MatrixCell, FinishedCell]:
    cells = [MatrixCell(line[0], view, level, seed, fold, line[1]) for seed, fold in plan.runs]
    return {cell: results[cell] for cell in cells if cell in results}


def _differences(
    one: Mapping[MatrixCell, FinishedCell], other: Mapping[MatrixCell, FinishedCell], confidence: float
) -> tuple[Measurement, ...]:
    """For each metric, how much one line has more than another of the same view, over the runs that both have."""
    left, right = ({cell.run: found for cell, found in line.items()} for line in (one, other))
    runs = [run for run in left if run in right]
    if not runs:
        return ()
    pairs = [left[run] for run in runs], [right[run] for run in runs]
    return tuple(paired_difference(metric, *pairs, confidence) for metric in METRICS)


def _cost(cells: Iterable[FinishedCell]) -> dict[str, Any]:
    """The mean CPU seconds of a training, and the number of parameters; empty for detectors that are not trained."""
    costs = [cost for one in cells if (cost := one.result.setting.get("cost"))]
    if not costs:
        return {}
    seconds = fmean(one["cpu_seconds"] for one in costs)
    return {"cpu_seconds": round(seconds, 1), "parameters": costs[0]["parameters"], "trainings": len(costs)}


def _value(finished: FinishedCell, metric: str) -> float | None:
    one = finished.result.measurement(metric)
    return one.value if one else None


def mean_over_divisions(metric: str, cells: Sequence[FinishedCell], confidence: float) -> Measurement:
    """The mean of a metric over distinct divisions, with the interval by tested functionality.

    Cells in which the metric is undefined are left out, and the note says so.
    """
    mean, notes = _mean(metric, cells)
    if mean is None:
        return Measurement(metric, None, n=0, note="; ".join(notes))
    spread = mean.spread()
    if spread is None:
        return Measurement(metric, mean.value, n=mean.divisions, note="; ".join([*notes, _no_interval(mean)]))
    if not spread.shows(mean.value):
        agree = "no interval: all functionalities and divisions agree"
        return Measurement(metric, mean.value, n=mean.divisions, note="; ".join([*notes, agree]))
    interval = spread.interval(mean.value, confidence)
    return Measurement(
        metric,
        mean.value,
        interval.low,
        interval.high,
        n=mean.divisions,
        method=f"{confidence:.0%}, {spread.in_words(_by(mean))}",
        note="; ".join([*notes, *([few] if (few := few_clusters(spread.effective, "observations")) else [])]) or None,
    )


def drop(metric: str, base: Sequence[FinishedCell], cells: Sequence[FinishedCell], confidence: float) -> Measurement:
    """How much of a metric is lost compared with the random view; functionalities are compared with themselves."""
    (before, notes), (after, more) = _mean(metric, base), _mean(metric, cells)
    notes = list(dict.fromkeys([*notes, *more]))
    if before is None or after is None:
        return Measurement(metric, None, n=0, note="; ".join(notes))
    lost = before.minus(after)
    spread = lost.spread()
    if spread is None:
        return Measurement(metric, lost.value, n=lost.divisions, note="; ".join([*notes, _no_interval(lost)]))
    interval = spread.difference_interval(lost.value, 1.0, confidence)
    return Measurement(
        metric,
        lost.value,
        interval.low,
        interval.high,
        n=lost.divisions,
        method=f"{confidence:.0%}, paired, {spread.in_words(_by(lost))}",
        note="; ".join(notes) or None,
    )


def paired_difference(
    metric: str, one: Sequence[FinishedCell], other: Sequence[FinishedCell], confidence: float
) -> Measurement:
    """How much more `one` has of a metric than `other`, on the same test pairs of the same divisions, in this order."""
    kept = [
        both
        for both in zip(one, other, strict=True)
        if all(_value(cell, metric) is not None and metric in cell.influence.influence for cell in both)
    ]
    if not kept:
        return Measurement(metric, None, n=0, note="undefined in every cell")
    (more, _), (less, _) = (_mean(metric, list(side)) for side in zip(*kept, strict=True))
    if more is None or less is None:
        return Measurement(metric, None, n=0, note="undefined in every cell")
    difference = more.minus(less, same_pairs=True)
    spread = difference.spread()
    if spread is None:
        return Measurement(metric, difference.value, n=difference.divisions, note=_no_interval(difference))
    interval = spread.difference_interval(difference.value, 1.0, confidence)
    method = f"{confidence:.0%}, paired, {spread.in_words(_by(difference))}"
    return Measurement(metric, difference.value, interval.low, interval.high, n=difference.divisions, method=method)


def _mean(metric: str, cells: Sequence[FinishedCell]) -> tuple[DivisionMean | None, list[str]]:
    """The mean of a metric, and what must be said about it; None where no cell has a value."""
    values = []
    for one in cells:
        value, table = _value(one, metric), one.influence
        if value is not None and metric in table.influence:
            first, second = np.array(table.first, np.int64), np.array(table.second, np.int64)
            influence, stake = np.array(table.influence[metric]), np.array(table.stake[metric])
            independent = float(table.independent[metric])
            values.append(DivisionValue(table.division, value, first, second, influence, stake, independent))
    if not cells:
        return None, ["no cell has a result"]
    undefined = len(cells) - len(values)
    notes = [f"undefined in {undefined} of {plural(len(cells), 'cell')}"] if undefined else []
    return (DivisionMean.of(values) if values else None), notes


def _by(mean: DivisionMean) -> str:
    return f"by tested functionality ({mean.functionalities}) over {plural(mean.divisions, 'distinct division')}"


def _no_interval(mean: DivisionMean) -> str:
    if not mean.functionalities:
        return "no interval: the tested functionalities are unknown"
    if mean.functionalities < LEAST_CLUSTERS:
        return f"no interval: {mean.functionalities} tested functionalit{'y' if mean.functionalities == 1 else 'ies'}"
    if mean.effective < LEAST_CLUSTERS:
        return "no interval: few of the tested functionalities have nearly all pairs"
    return (
        f"no interval: {plural(mean.divisions, 'distinct division')}, too few to say how much depends on the division"
    )


def _tests(plan: MatrixPlan, results: Mapping[MatrixCell, FinishedCell]) -> Iterator[ViewTest]:
    for view in plan.views:
        # All cells of a view and a run have the same test part, so any of them will do; equal divisions count once.
        by_run = {cell.run: one for cell, one in results.items() if cell.view == view}
        divisions = {one.influence.division: one for one in by_run.values()}
        if not divisions:
            continue
        groups = [one.result.baselines[0] for one in divisions.values()]
        f1 = [next((one.value for one in group.measurements if one.name == "f1"), None) for group in groups]
        tested = {at for one in by_run.values() for at in (*one.influence.first, *one.influence.second)}
        yield ViewTest(
            view,
            view_of(view).question,
            _plain_mean("pairs", [float(group.pairs or 0) for group in groups]),
            _plain_mean(
                "clone share", [(group.clones or 0) / group.pairs if group.pairs else None for group in groups]
            ),
            _plain_mean("f1", f1),
            len(by_run),
            len(divisions),
            len(tested - {-1}),
        )


def _plain_mean(name: str, values: Sequence[float | None]) -> Measurement:
    """A description of the test parts, which is known exactly and has no interval."""
    known = [value for value in values if value is not None]
    return Measurement(name, fmean(known) if known else None, n=len(known))


def summary_csv(summary: MatrixSummary, *, spreadsheet_safe: bool = False) -> str:
    """Write a summary as CSV: a line for each detector, view, level and metric; unknown values are empty."""
    return "".join(csv_pieces(_COLUMNS, _csv_rows(summary), spreadsheet_safe=spreadsheet_safe))


def _csv_rows(summary: MatrixSummary) -> Iterator[Sequence[object]]:
    for row in summary.rows:
        tested = next((test.functionalities for test in summary.tests if test.view == row.view), None)
        for mean in row.means:
            values = (mean.n, tested, mean.value, mean.low, mean.high, *_ends(row.drop(mean.name)))
            further = (*_ends(row.gain(mean.name)), row.trained_on or None, *_ends(row.transfer_loss(mean.name)))
            cost = row.cost.get("cpu_seconds"), row.cost.get("parameters")
            yield row.detector, row.view, row.level, mean.name, *values, *further, *cost


def _ends(one: Measurement | None) -> tuple[float | None, float | None, float | None]:
    return (one.value, one.low, one.high) if one else (None, None, None)
