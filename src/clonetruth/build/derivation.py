"""Derived benchmarks: rows selected from the parent, by the parent's keys, become a new folder with a lineage.

Everything is streamed: the new tables are SELECTs over the parent's, written to Parquet in a temporary folder and read
from there in batches, so that millions of pairs fit in little memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.arrow_files import parquet_batches
from clonetruth.build.balance import balances
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison, write_report
from clonetruth.errors import InputError
from clonetruth.model import Card, FunctionalityDomain, FunctionalityTest, Judge, JudgeKind, Recipe
from clonetruth.store import Benchmark, BenchmarkWriter, TableLike, build_manifest
from clonetruth.store.schemas import TABLES

BATCH_ROWS = 100_000


@dataclass(frozen=True)
class DerivationPlan:
    """The content of a derived benchmark, in the keys of its parent.

    Attributes:
        fragments: the fragments to keep (`fragment`), with new values where they change (`text`, `kind`, `project`,
            `path`, `first_line`, `last_line`; NULL keeps the old value).
        memberships: `fragment`, `functionality`, `role`.
        functionalities: the functionalities to keep (`functionality`), and for those that are merged into another one
            which (`becomes`; NULL or missing for the others).
        pairs: a SELECT for `left`, `right`, `functionality`, `value` (the label, or NULL) and `reason`, over `tables`.
        tables: the tables of that SELECT.
        rule: the judge of `value`; None if the pairs have no label.
        order: the order of the pairs (`made`).
        copies_pairs: `pairs` also gives the pair's row in the parent (`parent`), and the source's claims are copied.
        parts: `pairs` also gives the part of a pair (`part`): train, valid or test.
        judge_kinds: the kinds of judge whose judgements on pairs are copied.
        unlabelled: pairs of the parent (`pair`) whose judgements by a rule are not copied.
        unpaired: the benchmark may have no pairs.
        add_rows: writes rows that the parent does not have, by id.
    """

    fragments: pa.Table
    memberships: pa.Table
    functionalities: pa.Table
    pairs: str
    tables: dict[str, TableLike]
    rule: Judge | None = None
    order: str = "made.functionality, made.value, made.left, made.right"
    copies_pairs: bool = False
    parts: bool = False
    judge_kinds: tuple[JudgeKind, ...] = (JudgeKind.PERSON, JudgeKind.LLM, JudgeKind.EXECUTION, JudgeKind.TOOL)
    unlabelled: pa.Table | None = None
    unpaired: bool = False
    add_rows: Callable[[BenchmarkWriter], None] | None = None


@dataclass(frozen=True)
class DerivationRecord:
    """What a recipe records about its work, for the report."""

    recipe: Recipe
    steps: tuple[BuildStep, ...]
    comparisons: tuple[PublishedComparison, ...] = ()
    warnings: tuple[str, ...] = ()
    seed: int | None = None


_NUMBERED = """
SELECT CAST(row_number() OVER (ORDER BY {order}) AS BIGINT) - 1 AS pair, made.* FROM ({pairs}) made
"""

_FRAGMENTS = """
SELECT f.id AS id, f.language AS language, coalesce(k.text, f.text) AS text, coalesce(k.kind, f.kind) AS kind,
    f.name AS name, coalesce(k.project, f.project) AS project, coalesce(k.path, f.path) AS path,
    coalesce(k.first_line, f.first_line) AS first_line, coalesce(k.last_line, f.last_line) AS last_line
FROM fragments f JOIN kept k ON f.fragment = k.fragment
ORDER BY f.fragment
"""

_FUNCTIONALITIES = """
SELECT f.id AS id, f.name AS name, f.specification AS specification, f.heuristic AS heuristic
FROM functionalities f JOIN kept_functionalities k ON f.functionality = k.functionality
WHERE k.becomes IS NULL
ORDER BY f.functionality
"""

_MEMBERSHIPS = """
SELECT f.id AS fragment, g.id AS functionality, m.role AS role
FROM members m
JOIN fragments f ON m.fragment = f.fragment
JOIN functionalities g ON m.functionality = g.functionality
ORDER BY m.functionality, m.fragment, m.role
"""

_PAIRS = """
SELECT l.id AS left, r.id AS right, g.id AS functionality, {claimed}
    n.value AS value, n.reason AS reason
FROM numbered n
JOIN fragments l ON n.left = l.fragment
JOIN fragments r ON n.right = r.fragment
LEFT JOIN functionalities g ON n.functionality = g.functionality
{join}
ORDER BY n.pair
"""

_CLAIMED = ("type", "similarity_line", "similarity_token", "cut_rule", "part")

_CARRIED_COPIES = "SELECT parent, pair FROM numbered WHERE parent IS NOT NULL"

_CARRIED = """
SELECT p.pair AS parent, min(n.pair) AS pair
FROM pairs p
JOIN (SELECT DISTINCT pair FROM judgements WHERE pair IS NOT NULL) g ON p.pair = g.pair
JOIN numbered n ON p.pair_key = least(n.left, n.right) * 4294967296 + greatest(n.left, n.right)
JOIN kept l ON n.left = l.fragment
JOIN kept r ON n.right = r.fragment
WHERE l.text IS NULL AND r.text IS NULL
    AND (p.functionality IS NULL OR n.functionality IS NULL OR p.functionality = n.functionality)
GROUP BY p.pair
"""
"""Judgements on a pair are copied to the first new row with the same two fragments, if neither text has changed."""

_JUDGEMENTS = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, c.pair AS pair, f.id AS fragment,
    h.id AS functionality, g.confidence AS confidence, g.reason AS reason, g.evidence AS evidence, g.time AS time,
    g.source_row AS source_row, g.sequence AS sequence
FROM judgements g
JOIN judges j ON g.judge = j.judge
LEFT JOIN carried c ON g.pair = c.parent
LEFT JOIN counted k ON j.kind = k.kind
LEFT JOIN kept s ON g.fragment = s.fragment
LEFT JOIN kept_functionalities t ON g.functionality = t.functionality
LEFT JOIN fragments f ON s.fragment = f.fragment
LEFT JOIN functionalities h ON coalesce(t.becomes, t.functionality) = h.functionality
LEFT JOIN unlabelled u ON g.pair = u.pair AND j.kind = 'rule'
WHERE u.pair IS NULL AND (
    (c.pair IS NOT NULL AND k.kind IS NOT NULL) OR (f.id IS NOT NULL AND h.id IS NOT NULL)
)
ORDER BY g.sequence
"""

_TESTS = """
SELECT f.id AS functionality, t.language AS language, t.before AS before, t.after AS after, t.calls AS calls
FROM brought t
JOIN kept_functionalities k ON t.functionality = k.functionality
JOIN functionalities f ON t.functionality = f.functionality
WHERE k.becomes IS NULL
ORDER BY t.functionality, t.language
"""

_DOMAINS = """
SELECT f.id AS functionality, t.parameters AS parameters
FROM brought t
JOIN kept_functionalities k ON t.functionality = k.functionality
JOIN functionalities f ON t.functionality = f.functionality
WHERE k.becomes IS NULL
ORDER BY t.functionality
"""

_CLAIMS = "SELECT c.* FROM published c JOIN numbered n ON c.pair = n.parent ORDER BY n.pair"


def derive(parent: Benchmark, output: Path, card: Card, plan: DerivationPlan, record: DerivationRecord) -> BuildReport:
    """Make the derived benchmark and write its report.

    Raises:
        InputError: the output folder exists, or the content is not valid; nothing is left behind.
    """
    with (
        BenchmarkWriter(output, card, recipe=record.recipe, parents=[parent], engine=parent.engine) as writer,
        tempfile.TemporaryDirectory(prefix="clonetruth-build-") as folder,
    ):
        _Derivation(parent, plan, card.criterion, Path(folder)).write_to(writer)
        if plan.add_rows is not None:
            plan.add_rows(writer)
    made = Benchmark.open(output, engine=parent.engine)
    names = {row["functionality"]: row["name"] for row in parent.table("functionalities").to_pylist()}
    merged = _with_merges(plan.functionalities)
    kept = set(merged.filter(merged["becomes"].is_null())["functionality"].to_pylist())
    report = BuildReport(
        operation=record.recipe.operation,
        path=made.path,
        parameters=record.recipe.parameters,
        counts=made.counts,
        steps=record.steps,
        before=balances(parent),
        after=balances(made),
        functionalities=tuple(name for key, name in names.items() if key in kept),
        lost=tuple(name for key, name in names.items() if key not in kept),
        comparisons=record.comparisons,
        warnings=record.warnings,
        manifest=build_manifest(
            {f"{parent.card.name} {parent.card.version}": parent.content_hash}, record.recipe.parameters, record.seed
        ),
    )
    write_report(report)
    return report


class _Derivation:
    """The SELECTs of one derivation, and their temporary files."""

    def __init__(self, parent: Benchmark, plan: DerivationPlan, criterion: str, folder: Path) -> None:
        self._parent = parent
        self._criterion = criterion
        self._plan = plan
        self._folder = folder
        self._numbered = folder / "numbered.parquet"
        self._tables: dict[str, TableLike] = {
            "kept": _with_changes(plan.fragments),
            "members": plan.memberships,
            "kept_functionalities": _with_merges(plan.functionalities),
            "numbered": self._numbered,
        }

    def write_to(self, writer: BenchmarkWriter) -> None:
        plan = self._plan
        numbered = _NUMBERED.format(order=plan.order, pairs=plan.pairs)
        if not self._parent.export_query(numbered, self._numbered, **plan.tables) and not (
            plan.copies_pairs or plan.unpaired
        ):
            raise InputError(
                "The recipe makes no pair.",
                where=self._parent.path,
                hint="See the recipe's requirements (docs/build.md), and skip steps that drop too much.",
            )
        writer.add("fragments", self._stream("fragments", _FRAGMENTS))
        writer.add("functionalities", self._stream("functionalities", _FUNCTIONALITIES))
        writer.add("memberships", self._stream("memberships", _MEMBERSHIPS))
        columns = "".join(f"p.claimed_{name} AS claimed_{name}, " for name in _CLAIMED) if plan.copies_pairs else ""
        columns += "n.part AS claimed_part, " if plan.parts else ""
        join = "LEFT JOIN pairs p ON n.parent = p.pair" if plan.copies_pairs else ""
        text = _PAIRS.format(claimed=columns, join=join)
        made = self._export("pairs", text)
        writer.add("pairs", (batch.drop_columns(["value", "reason"]) for batch in _batches(made)))
        if plan.rule is not None:
            writer.add("judges", [plan.rule])
            writer.add("judgements", _labels(made, plan.rule, self._criterion))
        self._add_judgements(writer)
        for name in self._parent.names("tests"):
            for batch in self._stream("tests", _TESTS, brought=self._parent.parquet(f"tests/{name}")):
                writer.add_tests(FunctionalityTest(**row) for row in batch.to_pylist())
        for name in self._parent.names("domains"):
            for batch in self._stream("domains", _DOMAINS, brought=self._parent.parquet(f"domains/{name}")):
                writer.add_domains(FunctionalityDomain(**row) for row in batch.to_pylist())
        if plan.copies_pairs:
            for name in self._parent.names("claims"):
                claims = self._stream("claims", _CLAIMS, published=self._parent.parquet(f"claims/{name}"))
                writer.add_claims(batch.drop_columns(["pair"]) for batch in claims)

    def _add_judgements(self, writer: BenchmarkWriter) -> None:
        plan = self._plan
        carried = self._folder / "carried.parquet"
        text = _CARRIED_COPIES if plan.copies_pairs else _CARRIED
        self._parent.export_query(text, carried, numbered=self._numbered, kept=self._tables["kept"])
        counted = pa.table({"kind": pa.array([str(kind) for kind in plan.judge_kinds], pa.string())})
        unlabelled = pa.table({"pair": pa.array([], pa.int64())}) if plan.unlabelled is None else plan.unlabelled
        copied = self._export("judgements", _JUDGEMENTS, carried=carried, counted=counted, unlabelled=unlabelled)
        present = set(self._parent.engine.sql("SELECT DISTINCT judge FROM s", {"s": copied})["judge"].to_pylist())
        judges = self._parent.table("judges")
        writer.add(
            "judges", judges.filter(pa.array([name in present for name in judges["judge"].to_pylist()], pa.bool_()))
        )
        writer.add("judgements", _batches(copied))

    def _export(self, name: str, text: str, **more: TableLike) -> Path:
        path = self._folder / f"{name}.parquet"
        self._parent.export_query(text, path, **{**self._tables, **more})
        return path

    def _stream(self, name: str, text: str, **more: TableLike) -> Iterator[pa.RecordBatch]:
        return _batches(self._export(name, text, **more))


def _with_changes(fragments: pa.Table) -> pa.Table:
    for name in ("text", "kind", "project", "path", "first_line", "last_line"):
        if name not in fragments.column_names:
            kind = TABLES["fragments"].schema.field(name).type
            fragments = fragments.append_column(name, pa.nulls(fragments.num_rows, kind))
    return fragments


def _with_merges(functionalities: pa.Table) -> pa.Table:
    if "becomes" in functionalities.column_names:
        return functionalities
    return functionalities.append_column("becomes", pa.nulls(functionalities.num_rows, pa.int64()))


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    yield from parquet_batches(path, BATCH_ROWS)


def _labels(made: Path, rule: Judge, criterion: str) -> Iterator[pa.RecordBatch]:
    """The judgements of the recipe's rule on the pairs that it labels."""
    row = 0
    for batch in _batches(made):
        pairs = pa.array(range(row, row + batch.num_rows), pa.int64())
        row += batch.num_rows
        labelled = pa.RecordBatch.from_arrays(
            [pairs, batch.column("value"), batch.column("reason")], ["pair", "value", "reason"]
        ).filter(batch.column("value").is_valid())
        for name, value in (("judge", rule.id), ("criterion", criterion)):
            labelled = labelled.append_column(name, pa.repeat(value, labelled.num_rows))
        yield labelled
