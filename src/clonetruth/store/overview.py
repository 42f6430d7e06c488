"""What a benchmark contains: an overview, and SQL over its tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.model import Card
from clonetruth.options import verb
from clonetruth.options.benchmark import InfoOptions, SqlOptions
from clonetruth.store.benchmark import Benchmark, open_benchmark
from clonetruth.store.engine import open_engine
from clonetruth.store.verification import unsealed_parts, verify_folder

_LATER = ("descriptions", "measures", "verdicts", "splits", "detections")


@dataclass(frozen=True)
class JudgementCount:
    """How often a judge gave an answer under a criterion."""

    judge: str
    kind: str
    criterion: str
    value: str
    count: int


@dataclass(frozen=True)
class BenchmarkOverview:
    """A benchmark at a glance.

    Attributes:
        path: the folder.
        card: the dataset's card.
        content_hash: the recorded content hash.
        schema_version: the version of its tables.
        counts: number of rows of each core table.
        judgements: how often each judge gave each answer.
        later: the names of descriptions, measures, verdicts, splits and detections.
        lineage: name and content hash of this benchmark and its ancestors, nearest first.
        unsealed: the parts of judges and judgements without a recorded hash, such as those of clonetruth 0.1.
    """

    path: Path
    card: Card
    content_hash: str
    schema_version: int
    counts: Mapping[str, int]
    judgements: tuple[JudgementCount, ...]
    later: Mapping[str, tuple[str, ...]]
    lineage: tuple[tuple[str, str], ...]
    unsealed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {table}" for table, count in self.counts.items())
        return f"<BenchmarkOverview of {self.card.name} {self.card.version}: {counts}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        facts = {
            "languages": ", ".join(self.card.languages),
            "criterion": self.card.criterion,
            "licence": self.card.licence,
            "content hash": self.content_hash[:12],
        }
        answers = [(one.judge, one.kind, one.criterion, one.value, one.count) for one in self.judgements]
        columns = [Column("judge"), Column("kind"), Column("criterion"), Column("answer"), Column("count", "count")]
        return notebook.view(
            "Benchmark",
            notebook.facts(facts),
            self.card.description,
            notebook.table([Column("table", "code"), Column("rows", "count")], list(self.counts.items())),
            notebook.table(columns, answers, "Judgements"),
            notebook.facts({kind: ", ".join(names) for kind, names in self.later.items() if names}),
            *(f"Known flaw: {flaw}" for flaw in self.card.known_flaws),
            subtitle=f"{self.card.name} {self.card.version}",
        )


@verb(InfoOptions)
def describe_benchmark(options: InfoOptions) -> BenchmarkOverview:
    """Describe a benchmark: its card, counts, judges, measures and lineage.

    Returns:
        The card, the number of rows of each table, the judgements by judge and answer, and what was added later.

    Raises:
        BenchmarkError: the folder is not a benchmark, or damaged; with `verify`, it lists all that is wrong.

    Example:
        >>> import clonetruth
        >>> clonetruth.describe_benchmark("my-benchmark").counts["pairs"]
        1172
    """
    if options.verify:
        path = options.benchmark.path if isinstance(options.benchmark, Benchmark) else options.benchmark
        # Opening would stop at the first thing that is wrong.
        verify_folder(path, open_engine())
    benchmark = open_benchmark(options.benchmark)
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
        content_hash=benchmark.recorded_hash,
        schema_version=benchmark.schema_version,
        counts=benchmark.counts,
        judgements=tuple(JudgementCount(**row) for row in rows),
        later={kind: tuple(benchmark.names(kind)) for kind in _LATER},
        lineage=tuple((f"{one.name} {one.version}", one.content_hash) for one in benchmark.lineage()),
        unsealed=unsealed_parts(benchmark.path),
    )


@verb(SqlOptions)
def query_benchmark(options: SqlOptions) -> pa.Table:
    """Query the tables of a benchmark in SQL.

    Core tables keep their names; later ones are `<kind>_<name>`, with every character that is not a letter or digit
    replaced by `_` (`measures_min`). Use `Benchmark.export_query` to stream a large result to a file.

    Returns:
        The rows as an Arrow table.

    Raises:
        InputError: the text is not a single SELECT, or fails.

    Example:
        >>> import clonetruth
        >>> query = "SELECT language, count(*) AS fragments FROM fragments GROUP BY language ORDER BY language"
        >>> clonetruth.query_benchmark("my-benchmark", query).to_pylist()
        [{'language': 'java', 'fragments': 95}, {'language': 'python', 'fragments': 93}]
    """
    benchmark = open_benchmark(
        options.benchmark, engine=options.engine, memory_limit=options.memory_limit, threads=options.threads
    )
    return benchmark.sql(options.query)
