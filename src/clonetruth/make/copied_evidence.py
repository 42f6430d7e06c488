"""Judges and judgements of the candidates, copied into the benchmark that is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.parsing import parse_json
from clonetruth.store import Benchmark

_JUDGES = """
SELECT j.judge AS id, j.kind AS kind, j.name AS name, j.description AS description, j.settings AS settings
FROM judges j
ORDER BY j.judge
"""
_JUDGEMENTS = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, l.id AS left_id, r.id AS right_id,
    x.id AS fragment, u.id AS functionality, g.confidence AS confidence, g.reason AS reason, g.evidence AS evidence,
    g.time AS time
FROM judgements g
LEFT JOIN pairs p ON g.pair = p.pair
LEFT JOIN fragments l ON p.left = l.fragment
LEFT JOIN fragments r ON p.right = r.fragment
LEFT JOIN fragments x ON g.fragment = x.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
ORDER BY g.sequence
"""


def copied_judges(candidates: Benchmark) -> Iterator[Judge]:
    """The judges of the candidates."""
    for row in candidates.sql(_JUDGES).to_pylist():
        settings = parse_json(row["settings"])
        yield Judge(row["id"], JudgeKind(row["kind"]), row["name"], row["description"], settings)


def copied_judgements(candidates: Benchmark, pairs: Mapping[tuple[str, str], int]) -> Iterator[Judgement]:
    """The judgements on candidates; those on a pair only if the new benchmark has it.

    Args:
        candidates: the benchmark of the candidates.
        pairs: the row of each pair of the new benchmark, by the ids of its sides.
    """
    for row in candidates.sql(_JUDGEMENTS).to_pylist():
        sides = row.pop("left_id"), row.pop("right_id")
        row["time"] = row["time"].isoformat() if row["time"] else None
        if sides == (None, None):
            yield Judgement(**row)
        elif sides in pairs:
            yield Judgement(**{**row, "pair": pairs[sides], "fragment": None, "functionality": None})
