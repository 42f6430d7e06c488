"""The summary of a matrix: means over the seeds, and the drop compared with the random view."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev

from clonetruth.evaluate.matrix.plan import RANDOM, MatrixPlan, view_of
from clonetruth.stats.intervals import student_quantile
from clonetruth.store import build_manifest
from clonetruth.store.matrix import METRICS, CellFailure, MatrixCell, MatrixRow, MatrixSummary, ViewTest
from clonetruth.store.results import Measurement, Result

_COLUMNS = ("detector", "view", "level", "metric", "seeds", "mean", "low", "high", "drop", "drop_low", "drop_high")


def mean_of(
    name: str, values: Sequence[float | None], confidence: float, span: tuple[float, float] | None = (0.0, 1.0)
) -> Measurement:
    """The mean over seeds with Student's t interval; unknown values are left out, and the note says so.

    With s the standard deviation of n values, the interval is mean ± t(n - 1) · s / √n, limited to `span`.

    Args:
        name: what is measured.
        values: one for each seed.
        confidence: confidence level of the interval.
        span: the possible range of the number; None for no limits.
    """
    known = [value for value in values if value is not None]
    notes = [f"undefined with {len(values) - len(known)} of {len(values)} seeds"] if len(known) < len(values) else []
    if not known:
        return Measurement(name, None, n=0, note="; ".join(notes) or "no seed has a result")
    mean = fmean(known)
    if len(known) == 1:
        notes.append("no interval: at least two seeds are needed")
        return Measurement(name, mean, n=1, note="; ".join(notes))
    margin = student_quantile(confidence, len(known) - 1) * stdev(known) / math.sqrt(len(known))
    lowest, highest = span or (-math.inf, math.inf)
    return Measurement(
        name,
        mean,
        max(mean - margin, lowest),
        min(mean + margin, highest),
        n=len(known),
        method=f"{confidence:.0%}, Student's t over {len(known)} seeds",
        note="; ".join(notes) or None,
    )


def summarise(
    plan: MatrixPlan, results: Mapping[MatrixCell, Result], failures: Sequence[CellFailure]
) -> MatrixSummary | None:
    """Summarise the cells of a matrix; None where no cell has a result."""
    if not results:
        return None
    one = next(iter(results.values()))
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
        assumptions=one.policy.assumptions,
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


def _rows(plan: MatrixPlan, results: Mapping[MatrixCell, Result]) -> Iterator[MatrixRow]:
    for detector in plan.detectors:
        for level in plan.levels:
            base = _values(results, [MatrixCell(detector, RANDOM, level, seed) for seed in range(plan.seeds)])
            for view in plan.views:
                own = _values(results, [MatrixCell(detector, view, level, seed) for seed in range(plan.seeds)])
                yield MatrixRow(
                    detector,
                    view,
                    level,
                    tuple(own),
                    {metric: [values[metric] for values in own.values()] for metric in METRICS},
                    tuple(
                        mean_of(metric, [values[metric] for values in own.values()], plan.confidence)
                        for metric in METRICS
                    ),
                    tuple(_drops(own, base, plan.confidence)) if base and view != RANDOM else (),
                )


_Values = Mapping[str, float | None]


def _values(results: Mapping[MatrixCell, Result], cells: Sequence[MatrixCell]) -> dict[int, _Values]:
    """The values of the metrics with each seed that has a result."""
    return {
        cell.seed: {metric: one.value if (one := result.measurement(metric)) else None for metric in METRICS}
        for cell in cells
        if (result := results.get(cell)) is not None
    }


def _drops(own: Mapping[int, _Values], base: Mapping[int, _Values], confidence: float) -> Iterator[Measurement]:
    """The drop compared with the random view, seed by seed."""
    for metric in METRICS:
        lost = [_minus(base[seed][metric], values[metric]) for seed, values in own.items() if seed in base]
        yield mean_of(metric, lost, confidence, (-1.0, 1.0))


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _tests(plan: MatrixPlan, results: Mapping[MatrixCell, Result]) -> Iterator[ViewTest]:
    for view in plan.views:
        # All cells of a view and a seed have the same test part, so any of them will do.
        by_seed = {cell.seed: result for cell, result in results.items() if cell.view == view}
        if not by_seed:
            continue
        groups = [by_seed[seed].baselines[0] for seed in sorted(by_seed)]
        pairs = [float(group.pairs or 0) for group in groups]
        shares = [(group.clones or 0) / group.pairs if group.pairs else None for group in groups]
        f1 = [next((one.value for one in group.measurements if one.name == "f1"), None) for group in groups]
        yield ViewTest(
            view,
            view_of(view).question,
            mean_of("pairs", pairs, plan.confidence, None),
            mean_of("clone share", shares, plan.confidence),
            mean_of("f1", f1, plan.confidence),
        )


def summary_csv(summary: MatrixSummary) -> str:
    """Write a summary as CSV: a line for each detector, view, level and metric; unknown values are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in summary.rows:
        for mean in row.means:
            drop = row.drop(mean.name)
            lost = (drop.value, drop.low, drop.high) if drop else (None, None, None)
            writer.writerow(
                (row.detector, row.view, row.level, mean.name, mean.n, mean.value, mean.low, mean.high, *lost)
            )
    return text.getvalue()
