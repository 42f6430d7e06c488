"""The pairs of an evaluation: those of a part that have a verdict, joined with predictions."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.formats.predictions import PREDICTIONS, Predictions
from clonetruth.model import VerdictValue
from clonetruth.stats.rates import Bools, Floats, Integers
from clonetruth.store import Benchmark, DrawnBenchmark, TableLike
from clonetruth.store.schemas import PARTS
from clonetruth.verdicts import VerdictTable


def draw_record(benchmark: Benchmark) -> dict[str, Any]:
    """How the pairs of a benchmark that stores none were drawn, for manifests; empty for stored pairs."""
    return {"drawn_pairs": benchmark.draw.record()} if isinstance(benchmark, DrawnBenchmark) else {}


# The pairs of a part, where parts come from the split of a view or are claimed by the source.

_ALL = "pairs"
_CLAIMED = "(SELECT c.* FROM pairs c JOIN wanted w ON c.claimed_part = w.part)"
# The two sides are not compared with each other: an engine would join the split with itself, into millions of rows.
_SPLIT = """(
    SELECT c.* FROM pairs c
    JOIN (SELECT s.fragment AS fragment FROM split s JOIN wanted w ON s.part = w.part) a ON c.left = a.fragment
    JOIN (SELECT s.fragment AS fragment FROM split s JOIN wanted w ON s.part = w.part) b ON c.right = b.fragment
)"""
_DRAWN = """(
    SELECT c.* FROM pairs c
    JOIN drawn d ON c.pair = d.pair
    JOIN wanted w ON d.part = w.part
)"""


def part_pairs(benchmark: Benchmark, view: str | None, part: str | None) -> tuple[str, dict[str, TableLike]]:
    """The SQL of a part's pairs, for a FROM clause, and the tables that it reads in addition to the benchmark's.

    Args:
        benchmark: the benchmark.
        view: the name of a split: a pair is in a part if both fragments are, and, where pairs were drawn for the split,
            if it was drawn. None stands for the parts that the source claims.
        part: the part; None for all pairs.

    Raises:
        InputError: there is no such part or view, or a view is given without a part.
    """
    if part is None:
        if view is not None:
            raise InputError(f"The view '{view}' is given without a part.", hint=f"Parts: {', '.join(PARTS)}.")
        return _ALL, {}
    if part not in PARTS:
        raise InputError(f"There is no part '{part}'.", hint=f"Known: {', '.join(PARTS)}.")
    wanted = pa.table({"part": pa.array([part], pa.string())})
    if view is None:
        return _CLAIMED, {"wanted": wanted}
    split = benchmark.parquet(f"splits/{view}")
    if view in benchmark.names("samples"):
        return _DRAWN, {"wanted": wanted, "drawn": benchmark.parquet(f"samples/{view}")}
    return _SPLIT, {"wanted": wanted, "split": split}


_PREDICTED = """
predicted AS (
    SELECT q.line AS line, q.score AS score, q.label AS label,
        CASE WHEN a.fragment < b.fragment THEN a.fragment * 4294967296 + b.fragment
            ELSE b.fragment * 4294967296 + a.fragment END AS pair_key
    FROM predictions q
    LEFT JOIN fragments a ON q.left = a.id
    LEFT JOIN fragments b ON q.right = b.id
)
"""

SUBJECTS_SQL = """
WITH {predicted},
single AS (
    SELECT fragment, min(functionality) AS functionality
    FROM memberships GROUP BY fragment HAVING count(DISTINCT functionality) = 1
)
SELECT p.pair AS pair, p.left AS left_fragment, p.right AS right_fragment, p.pair_key AS pair_key,
    v.verdict AS verdict, coalesce(p.functionality, m.functionality, -1) AS cluster, q.score AS score, q.label AS label
FROM {pairs} p
JOIN verdicts v ON p.pair = v.pair
LEFT JOIN single m ON p.left = m.fragment
LEFT JOIN predicted q ON p.pair_key = q.pair_key
WHERE v.verdict <> 'unknown'
ORDER BY p.pair
"""
"""The pairs with a verdict; a prediction is joined to every row of its unordered pair."""

UNKNOWN_SQL = """
SELECT count(*) AS pairs FROM {pairs} p JOIN verdicts v ON p.pair = v.pair WHERE v.verdict = 'unknown'
"""

STRAY_SQL = """
WITH {predicted}
SELECT CASE WHEN q.pair_key IS NULL THEN 'fragment' ELSE 'pair' END AS unknown,
    count(*) AS predictions, min(q.line) AS line
FROM predicted q
LEFT JOIN (SELECT DISTINCT pair_key FROM pairs) k ON q.pair_key = k.pair_key
WHERE k.pair_key IS NULL
GROUP BY CASE WHEN q.pair_key IS NULL THEN 'fragment' ELSE 'pair' END
ORDER BY unknown
"""
"""Predictions for fragments or pairs that the benchmark does not have."""


@dataclass(frozen=True)
class PairSubjects:
    """Pairs with a verdict, one entry for each row of the benchmark, in its order.

    Attributes:
        pair: the row key.
        left: the first fragment.
        right: the second fragment.
        pair_key: the unordered identity; rows that repeat a pair share it.
        truth: whether the verdict is clone.
        cluster: the functionality of the pair; where the source names none (as for pairs across functionalities), that
            of the left fragment if it has only one; else -1.
        score: the score; NaN where there is none.
        label: the detector's decision: 1 for clone, 0 for not clone, -1 for none.
    """

    pair: Integers
    left: Integers
    right: Integers
    pair_key: Integers
    truth: Bools
    cluster: Integers
    score: Floats
    label: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.pair)

    def select(self, rows: Bools | Integers) -> PairSubjects:
        """Select some of the pairs."""
        return PairSubjects(*(getattr(self, column.name)[rows] for column in fields(self)))

    def scored(self, scores: pa.DoubleArray) -> PairSubjects:
        """The same pairs with a detector's scores, and no decisions."""
        values = pc.fill_null(scores, np.nan).to_numpy(zero_copy_only=False)
        return replace(self, score=values, label=np.full(len(self), -1, dtype=np.int8))


@dataclass(frozen=True)
class PairSet:
    """Where the pairs of an evaluation come from: a benchmark, the verdicts on it, and perhaps a view.

    Attributes:
        benchmark: the benchmark.
        verdicts: the verdicts of a policy on its pairs.
        view: the name of a split (see `part_pairs`); None for the source's own parts.
    """

    benchmark: Benchmark
    verdicts: VerdictTable
    view: str | None = None

    def subjects(self, part: str | None, predictions: Predictions | None = None) -> PairSubjects:
        """The pairs of a part (None: of the benchmark) that have a verdict, joined with predictions."""
        table = PREDICTIONS.empty_table() if predictions is None else predictions.table
        pairs, tables = self._pairs(part)
        text = SUBJECTS_SQL.format(predicted=_PREDICTED, pairs=pairs)
        rows = self.benchmark.sql(text, predictions=table, verdicts=self.verdicts.path, **tables)
        return PairSubjects(
            pair=rows["pair"].to_numpy(),
            left=rows["left_fragment"].to_numpy(),
            right=rows["right_fragment"].to_numpy(),
            pair_key=rows["pair_key"].to_numpy(),
            truth=pc.equal(rows["verdict"], str(VerdictValue.CLONE)).to_numpy(),
            cluster=rows["cluster"].to_numpy(),
            score=pc.fill_null(rows["score"], np.nan).to_numpy(),
            label=pc.fill_null(rows["label"].cast(pa.int8()), -1).to_numpy(),
        )

    def unknown(self, part: str | None) -> int:
        """The number of pairs of a part without a verdict."""
        pairs, tables = self._pairs(part)
        rows = self.benchmark.sql(UNKNOWN_SQL.format(pairs=pairs), verdicts=self.verdicts.path, **tables)
        return int(rows["pairs"][0].as_py())

    def has_parts(self) -> bool:
        """Whether the source divides its pairs into parts."""
        return bool(self.benchmark.sql("SELECT pair FROM pairs WHERE claimed_part IS NOT NULL LIMIT 1").num_rows)

    def strays(self, predictions: Predictions) -> tuple[str, ...]:
        """Predictions for fragments or pairs that the benchmark does not have, a sentence for each kind."""
        rows = self.benchmark.sql(STRAY_SQL.format(predicted=_PREDICTED), predictions=predictions.table).to_pylist()
        return tuple(
            f"{predictions.origin.name}: {row['predictions']:,} predictions, the first "
            f"{predictions.origin.place(row['line'])}, are for "
            f"{row['unknown']}s that the benchmark does not have; they are not counted."
            for row in rows
        )

    def _pairs(self, part: str | None) -> tuple[str, dict[str, TableLike]]:
        """The SQL of a part's pairs, and the tables that it reads."""
        return part_pairs(self.benchmark, self.view, part)
