"""What is in a benchmark, at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.model import Card
from clonetruth.store import Benchmark

_LATER = ("measures", "verdicts", "splits", "detections")


@dataclass(frozen=True)
class JudgementCount:
    """How often a judge gave an answer."""

    judge: str
    kind: str
    criterion: str
    value: str
    count: int


@dataclass(frozen=True)
class BenchmarkOverview:
    """A benchmark at a glance."""

    path: Path
    card: Card
    content_hash: str
    schema_version: int
    counts: Mapping[str, int]
    judgements: tuple[JudgementCount, ...]
    later: Mapping[str, tuple[str, ...]]
    lineage: tuple[tuple[str, str], ...]


def overview(path: Path, *, verify: bool = False) -> BenchmarkOverview:
    """Open a benchmark and count what is in it.

    Args:
        path: the folder.
        verify: compute its content hashes again.
    """
    benchmark = Benchmark.open(path)
    if verify:
        benchmark.verify()
    rows = benchmark.sql(
        """
        SELECT j.judge, g.kind, j.criterion, j.value, count(*) AS count
        FROM judgements j JOIN judges g ON j.judge = g.judge
        GROUP BY j.judge, g.kind, j.criterion, j.value ORDER BY j.judge, j.criterion, j.value
        """
    ).to_pylist()
    return BenchmarkOverview(
        path=benchmark.path,
        card=benchmark.card,
        content_hash=benchmark.content_hash,
        schema_version=benchmark.schema_version,
        counts=benchmark.counts,
        judgements=tuple(JudgementCount(**row) for row in rows),
        later={kind: tuple(benchmark.names(kind)) for kind in _LATER},
        lineage=tuple((f"{one.name} {one.version}", one.content_hash) for one in benchmark.lineage()),
    )
