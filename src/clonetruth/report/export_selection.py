"""The pairs of an export, with their verdicts and parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clonetruth.arrow_files import parquet_batches
from clonetruth.store import Benchmark, TableLike
from clonetruth.verdicts import VerdictTable

UNSPLIT = "unsplit"
"""The name of the part for pairs that are in none."""

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


class ExportSelection:
    """The pairs of a benchmark with their verdicts and parts, on disk.

    Args:
        benchmark: the benchmark.
        verdicts: the verdicts that become labels.
        scratch: a folder for the table of pairs.
        split: a split of the benchmark that provides the parts (default: the parts that the source claims).
        part: the part of pairs that have none.
        spreadsheet_safe: whether CSV files are for spreadsheets.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        verdicts: VerdictTable,
        scratch: Path,
        *,
        split: str | None = None,
        part: str | None = None,
        spreadsheet_safe: bool = False,
    ) -> None:
        self.benchmark = benchmark
        self.verdicts = verdicts
        self.part = part
        self.spreadsheet_safe = spreadsheet_safe
        self.path = scratch / "chosen.parquet"
        tables: dict[str, TableLike] = {name: benchmark.parquet(name) for name in _TABLES}
        tables["verdicts"] = verdicts.path
        pieces = _CLAIMED
        if split is not None:
            pieces, tables["split"] = _SPLIT, benchmark.parquet(f"splits/{split}")
            if split in benchmark.names("samples"):
                pieces, tables["drawn"] = _DRAWN, benchmark.parquet(f"samples/{split}")
        benchmark.engine.write(_CHOSEN.format(**pieces), tables, self.path)
        self.left_out: Counter[str] = Counter()
        self.written: Counter[str] = Counter()
        self.parts: Counter[str] = Counter()
        for row in benchmark.engine.sql(_COUNTS, {"chosen": self.path}).to_pylist():
            if row["left_out"]:
                self.left_out[row["left_out"]] += row["pairs"]
            else:
                self.written[row["verdict"]] += row["pairs"]
                self.parts[row["part"] or part or UNSPLIT] += row["pairs"]

    def leave_out(self, pair: Mapping[str, Any], reason: str) -> None:
        """Move a pair from the written ones to those that are left out."""
        self.left_out[reason] += 1
        self.written[pair["verdict"]] -= 1
        self.parts[pair["part"] or UNSPLIT] -= 1

    def pairs(self) -> Iterator[dict[str, Any]]:
        """The pairs to write, in order."""
        for batch in parquet_batches(self.path, _ROWS):
            for row in batch.to_pylist():
                if row["left_out"] is None:
                    yield {**row, "part": row["part"] or self.part}

    def fragments(self) -> Iterator[dict[str, Any]]:
        """All fragments of the benchmark."""
        for path in self.benchmark.parquet("fragments"):
            for batch in parquet_batches(path, 1000):
                yield from batch.to_pylist()
