"""The pairs that leave a benchmark: with a verdict, and with the part that they go to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from clonetruth.store import Benchmark, TableLike
from clonetruth.verdicts import VerdictTable

UNSPLIT = "unsplit"
"""What stands for the part of pairs that are in none."""

_ROWS = 50_000
_TABLES = ("pairs", "fragments", "functionalities")

_CHOSEN = """
WITH placed AS (
    SELECT p.pair AS pair, p.left AS left_key, p.right AS right_key, l.id AS left, r.id AS right,
        v.verdict AS verdict, {part} AS part, {problem} AS problem, g.id AS functionality,
        p.claimed_type AS claimed_type, p.claimed_similarity_line AS claimed_similarity_line,
        p.claimed_similarity_token AS claimed_similarity_token
    FROM pairs p
    JOIN verdicts v ON p.pair = v.pair
    JOIN fragments l ON p.left = l.fragment
    JOIN fragments r ON p.right = r.fragment
    LEFT JOIN functionalities g ON p.functionality = g.functionality
    {joins}
)
SELECT *,
    CASE WHEN verdict = 'unknown' THEN 'the policy gives no verdict' ELSE problem END AS left_out,
    CASE WHEN verdict = 'clone' THEN 1 ELSE 0 END AS label
FROM placed
ORDER BY pair
"""
_CLAIMED = {"part": "p.claimed_part", "problem": "CAST(NULL AS STRING)", "joins": ""}
_SPLIT = {
    "part": "a.part",
    "problem": (
        "CASE WHEN coalesce(a.part, 'left-out') = 'left-out' OR coalesce(b.part, 'left-out') = 'left-out' "
        "THEN 'a fragment is in no part of the split' "
        "WHEN a.part <> b.part THEN 'the fragments are in different parts of the split' END"
    ),
    "joins": "LEFT JOIN split a ON p.left = a.fragment LEFT JOIN split b ON p.right = b.fragment",
}
_DRAWN = {
    "part": _SPLIT["part"],
    "problem": _SPLIT["problem"].removesuffix(" END") + " WHEN d.pair IS NULL THEN 'not drawn for the split' END",
    "joins": f"{_SPLIT['joins']} LEFT JOIN drawn d ON p.pair = d.pair",
}
_COUNTS = "SELECT left_out, verdict, part, count(*) AS pairs FROM chosen GROUP BY left_out, verdict, part"


@dataclass(frozen=True)
class ExportOptions:
    """What is exported.

    Args:
        policy: whose verdicts are the labels.
        criterion: what was asked; the benchmark's own unless told.
        split: a split of the benchmark whose parts are taken, instead of those that the source claims.
        part: where pairs without a part go.
    """

    policy: str = "default"
    criterion: str | None = None
    split: str | None = None
    part: str | None = None


class ExportSelection:
    """The pairs of a benchmark with their verdicts and parts, on disk."""

    def __init__(self, benchmark: Benchmark, verdicts: VerdictTable, options: ExportOptions, scratch: Path) -> None:
        self.benchmark = benchmark
        self.verdicts = verdicts
        self.options = options
        self.path = scratch / "chosen.parquet"
        tables: dict[str, TableLike] = {name: benchmark.parquet(name) for name in _TABLES}
        tables["verdicts"] = verdicts.path
        pieces = _CLAIMED
        if options.split is not None:
            pieces, tables["split"] = _SPLIT, benchmark.parquet(f"splits/{options.split}")
            if options.split in benchmark.names("samples"):
                pieces, tables["drawn"] = _DRAWN, benchmark.parquet(f"samples/{options.split}")
        benchmark.engine.write(_CHOSEN.format(**pieces), tables, self.path)
        self.left_out: Counter[str] = Counter()
        self.written: Counter[str] = Counter()
        self.parts: Counter[str] = Counter()
        for row in benchmark.engine.sql(_COUNTS, {"chosen": self.path}).to_pylist():
            if row["left_out"]:
                self.left_out[row["left_out"]] += row["pairs"]
            else:
                self.written[row["verdict"]] += row["pairs"]
                self.parts[row["part"] or options.part or UNSPLIT] += row["pairs"]

    def leave_out(self, pair: Mapping[str, Any], reason: str) -> None:
        """Count a pair that was to be written as one that the format could not hold."""
        self.left_out[reason] += 1
        self.written[pair["verdict"]] -= 1
        self.parts[pair["part"] or UNSPLIT] -= 1

    def pairs(self) -> Iterator[dict[str, Any]]:
        """The pairs to be written, in order."""
        for batch in pq.ParquetFile(self.path).iter_batches(_ROWS):
            for row in batch.to_pylist():
                if row["left_out"] is None:
                    yield {**row, "part": row["part"] or self.options.part}

    def fragments(self) -> Iterator[dict[str, Any]]:
        """All fragments of the benchmark."""
        for path in self.benchmark.parquet("fragments"):
            for batch in pq.ParquetFile(path).iter_batches(1000):
                yield from batch.to_pylist()
