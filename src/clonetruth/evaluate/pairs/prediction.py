"""Predicts the pairs of a benchmark with a detector, and writes files that `clonetruth evaluate` reads."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from clonetruth.detectors import Detector, score_sealed
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.evaluate.pairs.detector_scores import read_fragments, seen_in_training
from clonetruth.evaluate.pairs.pair_set import part_pairs
from clonetruth.options.declaration import verb
from clonetruth.options.training import PredictOptions
from clonetruth.progress import Progress
from clonetruth.safe_text import spreadsheet_cell
from clonetruth.splits import with_drawn_pairs
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.atomic import new_file
from clonetruth.training import TrainingSpec, at_level, load_detector

PAIRS_SQL = """
SELECT min(p.pair) AS pair, min(least(p.left, p.right)) AS left_fragment,
    min(greatest(p.left, p.right)) AS right_fragment
FROM {pairs} p GROUP BY p.pair_key ORDER BY pair
"""
"""Each unordered pair once: a prediction holds for all its rows."""

IDS_SQL = """
SELECT a.id AS left_id, b.id AS right_id
FROM scored s
JOIN fragments a ON s.left_fragment = a.fragment
JOIN fragments b ON s.right_fragment = b.fragment
ORDER BY s.pair
"""

_MEMBERS = "members"
"""The policy under which pairs are drawn from a benchmark that stores none; scores need no verdict."""

WRITERS: Mapping[str, Callable[[pa.Table, Path], object]] = {
    ".parquet": pq.write_table,
    ".csv": pyarrow.csv.write_csv,
}
"""The formats by the ending of the file's name."""


def predict_benchmark(
    benchmark: Benchmark,
    detector: Detector,
    *,
    view: str | None = None,
    part: str | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> pa.Table:
    """Score pairs with a detector, whether they have a verdict or not.

    Args:
        benchmark: the benchmark.
        detector: the detector.
        view: the split that the part belongs to (default: the parts that the source claims).
        part: the part (default: all pairs).
        processes: number of worker processes.
        progress: called as the work proceeds.

    Returns:
        `left` and `right` (ids of fragments), `score`, and `label` (whether the score reaches the detector's threshold;
        null without one), a row for each unordered pair; pairs that the detector cannot score are left out, with a
        warning.

    Raises:
        InputError: there is no such view or part, or no pair in it.
    """
    if not benchmark.counts["pairs"]:
        benchmark = with_drawn_pairs(benchmark, _MEMBERS, view=view, part=part)
    sql, tables = part_pairs(benchmark, view, part)
    rows = benchmark.sql(PAIRS_SQL.format(pairs=sql), **tables)
    if not rows.num_rows:
        raise InputError(
            f"The part '{part}' has no pairs." if part else "The benchmark has no pairs.", where=benchmark.path
        )
    left, right = (rows[side].to_numpy() for side in ("left_fragment", "right_fragment"))
    fragments = read_fragments(benchmark, np.concatenate([left, right]))
    sealed = score_sealed(detector, fragments, left, right, processes=processes, progress=progress)
    if sealed.warning is not None:
        warnings.warn(sealed.warning, CloneTruthWarning, stacklevel=2)
    score = sealed.values
    if score.null_count:
        # A detector may have read nothing in an empty text, or in one that does not parse.
        warnings.warn(
            f"{detector.name}: {score.null_count:,} of {len(score):,} pairs have no score, and are left out.",
            CloneTruthWarning,
            stacklevel=2,
        )
    ids = benchmark.sql(IDS_SQL, scored=rows)
    threshold = detector.default_threshold
    label = pa.nulls(len(score), pa.bool_()) if threshold is None else pc.greater_equal(score, threshold)
    columns = {"left": ids["left_id"], "right": ids["right_id"], "score": score, "label": label}
    return pa.table(columns).filter(score.is_valid())


def write_predictions(table: pa.Table, path: Path, *, spreadsheet_safe: bool = False) -> None:
    """Write predictions as Parquet or CSV, by the ending of the file's name; the file appears whole or not at all.

    Args:
        table: the predictions.
        path: the file.
        spreadsheet_safe: put an apostrophe before ids that a spreadsheet could take for a formula.

    Raises:
        InputError: the ending is neither.
    """
    check_ending(path)
    if spreadsheet_safe:
        for at, name in enumerate(("left", "right")):
            table = table.set_column(at, name, pa.array(map(spreadsheet_cell, table[name].to_pylist()), pa.string()))
    with new_file(path) as temporary:
        WRITERS[path.suffix.lower()](table, temporary)


def check_ending(path: Path) -> None:
    """Refuse a file that predictions cannot be written to, before any work.

    Raises:
        InputError: the ending stands for no format.
    """
    if path.suffix.lower() not in WRITERS:
        raise InputError(
            f"Predictions cannot be written as '{path.suffix or path.name}'.",
            where=path,
            hint=f"Known: {', '.join(WRITERS)}.",
        )


@verb(PredictOptions)
def predict_pairs(options: PredictOptions, *, progress: Progress | None = None) -> pa.Table:
    """Score the pairs of a benchmark with a trained detector, or with any other detector.

    Pairs that the detector may have been trained on cause a warning.

    Args:
        progress: receives progress reports.

    Returns:
        One row per unordered pair: `left` and `right` (fragment ids), `score`, and `label` (whether the score reaches
        the detector's threshold; null without one). Pairs that the detector cannot score are left out, with a warning.

    Raises:
        InputError: the folder does not hold a trained detector, there are no such pairs, or the output has an unknown
            extension.

    Example:
        >>> from clonetruth.detectors import as_detector
        >>> same_length = as_detector(lambda left, right: float(len(left) == len(right)), threshold=1)
        >>> predictions = clonetruth.predict_pairs(same_length, on="my-benchmark")
        >>> predictions.column_names
        ['left', 'right', 'score', 'label']
    """
    if options.output is not None:
        check_ending(options.output)
    if options.spreadsheet_safe and (options.output is None or options.output.suffix.lower() != ".csv"):
        raise InputError("Only CSV can be made safe for spreadsheets.", hint="Write the predictions to a .csv file.")
    detector: Detector = load_detector(options.model) if isinstance(options.model, Path) else options.model
    benchmark = open_benchmark(options.on, engine=options.engine, memory_limit=options.memory_limit)
    if (seen := seen_in_training(detector, benchmark, options.view, options.part)) is not None:
        warnings.warn(seen, CloneTruthWarning, stacklevel=3)
    trained = getattr(detector, "options", None)
    if isinstance(trained, TrainingSpec) and trained.flattering:
        warnings.warn(
            f"'{detector.name}' is flattered, as published: {'; '.join(trained.flattering)}. Say so with its numbers.",
            CloneTruthWarning,
            stacklevel=3,
        )
    if options.level is not None:
        detector = at_level(detector, options.level)
    table = predict_benchmark(
        benchmark, detector, view=options.view, part=options.part, processes=options.processes, progress=progress
    )
    if options.output is not None:
        write_predictions(table, options.output, spreadsheet_safe=options.spreadsheet_safe)
    return table
