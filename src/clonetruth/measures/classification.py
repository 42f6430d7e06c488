"""Classification: our own similarities and clone types of a benchmark's pairs, compared with the source's claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.arrow_files import parquet_batches
from clonetruth.code import (
    CUT_RULES,
    LANGUAGES,
    CutRule,
    FormTable,
    FragmentForms,
    available_cores,
    fragment_forms,
    map_parallel,
)
from clonetruth.code import language as language_named
from clonetruth.options import verb
from clonetruth.options.benchmark import ClassifyOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, open_benchmark

_FRAGMENTS, _PAIRS = 256, 2_000_000
"""Rows per batch: bounds memory, and hides the cost of starting processes."""

_DIFFERENT_LANGUAGES = "different languages"

TOLERANCE = 1e-6
"""Published similarities are rounded; smaller differences do not count."""


@dataclass(frozen=True)
class PublishedDifference:
    """How often a source's claims differ from the measures."""

    column: str
    compared: int
    differ: int


@dataclass(frozen=True)
class Classification:
    """The clone types of a benchmark's pairs.

    Attributes:
        path: the measures file.
        cut_rule: the rule that separates the clone types.
        types: number of pairs by clone type.
        unmeasured: number of pairs without a measure, by reason.
        broken_fragments: number of fragments with syntax errors; they are measured by the parts that parse.
        disagreements: how often the source's claims differ from the measures.
        claimed_types: (claimed type, measured type, number of pairs) where the source claims a type.
    """

    path: Path
    cut_rule: str
    types: Mapping[str, int]
    unmeasured: Mapping[str, int]
    broken_fragments: int
    disagreements: tuple[PublishedDifference, ...]
    claimed_types: tuple[tuple[str, str, int], ...]

    def __repr__(self) -> str:
        types = ", ".join(f"{count:,} {name}" for name, count in self.types.items())
        missing = sum(self.unmeasured.values())
        unmeasured = f", {missing:,} not measured" if missing else ""
        return f"<Classification by the rule '{self.cut_rule}': {types}{unmeasured}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        total = sum(self.types.values())
        rows = [(name, count, count / total if total else None) for name, count in self.types.items()]
        blocks = [notebook.table([Column("clone type"), Column("pairs", "count"), Column("share", "percent", 1)], rows)]
        if self.unmeasured:
            reasons = [Column("not measured, because"), Column("pairs", "count")]
            blocks.append(notebook.table(reasons, list(self.unmeasured.items())))
        if self.disagreements:
            columns = [Column("claim", "code"), Column("compared", "count"), Column("differ", "count")]
            claims = [(one.column, one.compared, one.differ) for one in self.disagreements]
            blocks.append(notebook.table(columns, claims, "The source's claims against the measures"))
        facts = {"rule": self.cut_rule, "fragments with syntax errors": f"{self.broken_fragments:,}"}
        return notebook.view("Clone types", notebook.facts(facts), *blocks)


@verb(ClassifyOptions)
def classify_pairs(options: ClassifyOptions, *, progress: Progress | None = None) -> Classification:
    """Measure similarities and clone types of all pairs, and write them as `measures/<rule>.parquet`.

    Published values are kept; differences are counted. Pairs across languages, in an unsupported language or without
    text get a reason instead of a measure; the rule `gptclonebench` calls pairs across languages T4.

    Args:
        progress: called as the work goes on.

    Returns:
        The number of pairs of each type, and how far the source's claims differ.

    Raises:
        UnknownNameError: there is no such rule.
        InputError: there are measures by this rule already.

    Example:
        >>> import clonetruth
        >>> clonetruth.classify_pairs("my-benchmark", "mean").types["T2"]
        27
    """
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    cut = CUT_RULES[options.rule]
    processes = options.processes or available_cores()
    report = progress or no_progress
    fragments = _Fragments(benchmark, processes, report)
    path = benchmark.write_measures(
        cut.name,
        _measured(benchmark, fragments, cut, processes, report),
        {"cut_rule": cut.name, "definition": "bigclonebench"},
        replace=options.replace,
    )
    return summary(benchmark, cut.name, path, fragments.broken)


def summary(benchmark: Benchmark, rule: str, path: Path, broken_fragments: int) -> Classification:
    """Count the clone types in a measures file, and the source's claims that differ from it."""
    measures = {"measured": [path]}
    counts = benchmark.sql(
        "SELECT clone_type, problem, count(*) AS pairs FROM measured GROUP BY clone_type, problem", **measures
    ).to_pylist()
    disagreements = []
    for name in ("similarity_line", "similarity_token"):
        row = benchmark.sql(
            f"""
            SELECT count(*) AS compared,
                   coalesce(sum(
                       CASE WHEN abs(p.claimed_{name} - m.{name}) > {TOLERANCE} THEN 1 ELSE 0 END
                   ), 0) AS differ
            FROM pairs p JOIN measured m ON p.pair = m.pair
            WHERE p.claimed_{name} IS NOT NULL AND m.{name} IS NOT NULL
            """,
            **measures,
        ).to_pylist()[0]
        if row["compared"]:
            disagreements.append(PublishedDifference(f"claimed_{name}", int(row["compared"]), int(row["differ"])))
    claimed = benchmark.sql(
        """
        SELECT p.claimed_type AS claimed, m.clone_type AS measured, count(*) AS pairs
        FROM pairs p JOIN measured m ON p.pair = m.pair
        WHERE p.claimed_type IS NOT NULL AND m.clone_type IS NOT NULL
        GROUP BY p.claimed_type, m.clone_type ORDER BY claimed, measured
        """,
        **measures,
    ).to_pylist()
    order = ["T1", "T2", *(name for _, name in CUT_RULES[rule].bands)]
    types = {row["clone_type"]: row["pairs"] for row in counts if row["clone_type"] is not None}
    return Classification(
        path=path,
        cut_rule=rule,
        types={name: types.get(name, 0) for name in order},
        unmeasured={row["problem"]: row["pairs"] for row in counts if row["clone_type"] is None},
        broken_fragments=broken_fragments,
        disagreements=tuple(disagreements),
        claimed_types=tuple((row["claimed"], row["measured"], row["pairs"]) for row in claimed),
    )


class _Fragments:
    """The normal forms of all fragments, and the language of each as a number."""

    def __init__(self, benchmark: Benchmark, processes: int, report: Progress) -> None:
        self.broken = 0
        self.languages: list[str] = []
        self.codes = np.empty(benchmark.counts["fragments"], dtype=np.int16)
        self.empty = np.zeros(len(self.codes), dtype=bool)
        self.table = FormTable(self._forms(benchmark, processes, report))

    def _forms(self, benchmark: Benchmark, processes: int, report: Progress) -> Iterator[FragmentForms]:
        key = 0
        for batch in map_parallel(_forms_of_batch, None, self._batches(benchmark), processes):
            for forms in batch:
                if forms is not None:
                    self.broken += not forms.sound
                    self.empty[key] = not forms.tokens
                # A fragment in an unsupported language keeps its place; its pairs are never measured.
                yield forms or FragmentForms(b"", b"", (), (), sound=False)
                key += 1
            report("Reading fragments", len(batch), len(self.codes))

    def _batches(self, benchmark: Benchmark) -> Iterator[list[tuple[str | None, str]]]:
        key = 0
        (path,) = benchmark.parquet("fragments")
        for batch in parquet_batches(path, _FRAGMENTS, ["language", "text"]):
            rows: list[tuple[str | None, str]] = []
            for name, text in zip(batch["language"].to_pylist(), batch["text"].to_pylist(), strict=True):
                if name not in self.languages:
                    self.languages.append(name)
                self.codes[key] = self.languages.index(name)
                rows.append((name if name in LANGUAGES else None, text))
                key += 1
            yield rows


def _forms_of_batch(_: None, rows: list[tuple[str | None, str]]) -> list[FragmentForms | None]:
    return [None if name is None else fragment_forms(text, language_named(name)) for name, text in rows]


def _measured(
    benchmark: Benchmark, fragments: _Fragments, cut: CutRule, processes: int, report: Progress
) -> Iterator[pa.RecordBatch]:
    (path,) = benchmark.parquet("pairs")
    total = benchmark.counts["pairs"]
    for batch in parquet_batches(path, _PAIRS, ["pair", "left", "right"]):
        left, right = batch["left"].to_numpy(), batch["right"].to_numpy()
        problems = _problems(fragments, left, right)
        fit = np.flatnonzero(problems == "")
        measures = fragments.table.measure(
            left[fit], right[fit], processes=processes, progress=lambda done: report("Measuring pairs", done, total)
        )
        types = np.full(len(left), None, dtype=object)
        types[fit] = cut.types(measures)
        if cut.across_languages is not None:
            across = problems == _DIFFERENT_LANGUAGES
            types[across], problems[across] = cut.across_languages, ""
        yield pa.RecordBatch.from_pydict(
            {
                "pair": batch["pair"],
                "similarity_line": _spread(measures.line, fit, len(left)),
                "similarity_token": _spread(measures.token, fit, len(left)),
                "clone_type": pa.array(types, pa.string()),
                "problem": pa.array(problems, pa.string(), mask=problems == ""),
            }
        )


def _problems(
    fragments: _Fragments, left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]
) -> npt.NDArray[np.object_]:
    a, b = fragments.codes[left], fragments.codes[right]
    problems = np.full(len(left), "", dtype=object)
    # Whether two fragments without text are alike is unknown.
    problems[fragments.empty[left] | fragments.empty[right]] = "no text"
    problems[a != b] = _DIFFERENT_LANGUAGES
    for code, name in enumerate(fragments.languages):
        if name not in LANGUAGES:
            problems[(a == code) | (b == code)] = f"cannot read '{name}'"
    return problems


def _spread(values: npt.NDArray[np.float64], fit: npt.NDArray[np.int64], count: int) -> pa.Array:
    spread = np.full(count, np.nan)
    spread[fit] = values
    return pa.array(spread, pa.float64(), mask=np.isnan(spread))
