"""Predictions of a detector for the pairs of a benchmark, as a file that `clonetruth evaluate` reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from clonetruth.detectors import Detector
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.detector_scores import FRAGMENTS_SQL
from clonetruth.evaluate.pairs.pair_set import part_pairs
from clonetruth.progress import Progress
from clonetruth.store import Benchmark
from clonetruth.store.atomic import new_file

PAIRS_SQL = """
SELECT min(p.pair) AS pair, min(least(p.left, p.right)) AS left_fragment,
    min(greatest(p.left, p.right)) AS right_fragment, min(p.functionality) AS functionality
FROM {pairs} p GROUP BY p.pair_key ORDER BY pair
"""
"""Each unordered pair once: a prediction is for all rows of it."""

IDS_SQL = """
SELECT a.id AS left_id, b.id AS right_id
FROM scored s
JOIN fragments a ON s.left_fragment = a.fragment
JOIN fragments b ON s.right_fragment = b.fragment
ORDER BY s.pair
"""

WRITERS: Mapping[str, Callable[[pa.Table, Path], object]] = {
    ".parquet": pq.write_table,
    ".csv": pyarrow.csv.write_csv,
}
"""The formats by the ending of the file's name."""


def predict(
    benchmark: Benchmark,
    detector: Detector,
    *,
    view: str | None = None,
    part: str | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> pa.Table:
    """What a detector says of pairs, whether they have a verdict or not.

    Args:
        benchmark: the benchmark.
        detector: the detector.
        view: the split that the part is of; unless told, the parts that the source claims.
        part: the part; unless told, all pairs.
        processes: how many processes may share the work.
        progress: told what is being done.

    Returns:
        `left` and `right` (ids of fragments), `score`, and `label` (whether the score reaches the detector's threshold;
        null without one), a row for each unordered pair; pairs that the detector can say nothing of are left out.

    Raises:
        InputError: there is no such view or part, or no pair in it.
    """
    sql, tables = part_pairs(benchmark, view, part)
    rows = benchmark.sql(PAIRS_SQL.format(pairs=sql), **tables)
    if not rows.num_rows:
        raise InputError(
            f"There is no pair in the part '{part}'." if part else "The benchmark has no pairs.", where=benchmark.path
        )
    needed = np.union1d(rows["left_fragment"].to_numpy(), rows["right_fragment"].to_numpy())
    fragments = benchmark.sql(FRAGMENTS_SQL, needed=pa.table({"fragment": needed}))
    pairs = rows.rename_columns(["pair", "left", "right", "functionality"])
    score = detector.score(fragments, pairs, processes=processes, progress=progress)
    ids = benchmark.sql(IDS_SQL, scored=rows)
    threshold = detector.default_threshold
    label = pa.nulls(len(score), pa.bool_()) if threshold is None else pc.greater_equal(score, threshold)
    columns = {"left": ids["left_id"], "right": ids["right_id"], "score": score, "label": label}
    return pa.table(columns).filter(score.is_valid())


def write_predictions(table: pa.Table, path: Path) -> None:
    """Write predictions as Parquet or CSV, by the ending of the file's name; the file appears whole or not at all.

    Raises:
        InputError: the ending is another.
    """
    check_ending(path)
    with new_file(path) as temporary:
        WRITERS[path.suffix.lower()](table, temporary)


def check_ending(path: Path) -> None:
    """Refuse a file that predictions cannot be written into, before any work.

    Raises:
        InputError: the ending is none of ours.
    """
    if path.suffix.lower() not in WRITERS:
        raise InputError(
            f"Predictions cannot be written as '{path.suffix or path.name}'.",
            where=path,
            hint=f"Known: {', '.join(WRITERS)}.",
        )
