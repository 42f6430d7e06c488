"""An open benchmark folder. Opening only reads; everything learned later becomes a new file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Recipe
from clonetruth.store import derived, incoming
from clonetruth.store import judges as judge_parts
from clonetruth.store.croissant import read_header
from clonetruth.store.datasheet import datasheet
from clonetruth.store.engine import DuckDBEngine, Engine, TableLike, check_reads, open_engine
from clonetruth.store.folder import check_folder, core_paths, read_files, read_judges
from clonetruth.store.hash_cache import HashCache
from clonetruth.store.hashing import hash_content, hash_json
from clonetruth.store.header import Ancestor
from clonetruth.store.owned_parts import PartChange, StudyPart
from clonetruth.store.parquet import parquet_file, read_metadata, table_metadata
from clonetruth.store.schemas import CORE, DERIVED, IMMUTABLE, TABLES
from clonetruth.store.seals import GROWING, broken_seals, read_seals
from clonetruth.store.verification import (
    changed_header,
    changed_table,
    check_content,
    check_derived,
    remember_content,
    remember_derived,
    verify_folder,
)
from clonetruth.store.writer import BenchmarkWriter


class Benchmark:
    """A benchmark folder.

    Use `Benchmark.open`, `Benchmark.create` or `BenchmarkWriter` instead of the constructor.
    """

    def __init__(self, path: Path, engine: Engine) -> None:
        self.path = path
        self.engine = engine
        self._header = read_header(path)
        self._hashes = HashCache(path)
        check_folder(path, self._header)
        check_content(path, self._header, engine)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, engine: Engine | None = None) -> Benchmark:
        """Open a folder and check that it is complete. Nothing is changed.

        A folder that this machine neither wrote nor opened before is read completely: files, keys, references and
        vocabularies.

        Raises:
            BenchmarkError: names the file that is missing, damaged, foreign or too new, or lists what is wrong with
                the rows.
        """
        return cls(Path(path), engine or DuckDBEngine())

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        dataset: Dataset,
        *,
        parents: Sequence[Benchmark] = (),
        engine: Engine | None = None,
        batch_rows: int = incoming.BATCH_ROWS,
    ) -> Benchmark:
        """Create a folder from a dataset's rows, streamed in batches.

        Args:
            path: the folder to create; it must not exist.
            dataset: the content, with the source's string ids.
            parents: the benchmarks it is derived from.
            engine: the engine for joins.
            batch_rows: maximum number of rows held as Python objects.

        Raises:
            InputError: names table and row: duplicate or unknown ids, answers that a criterion does not permit,
                unknown judges or criteria.
        """
        engine = engine or DuckDBEngine()
        with BenchmarkWriter(
            path, dataset.card, recipe=dataset.recipe, parents=parents, engine=engine, batch_rows=batch_rows
        ) as writer:
            for table in CORE:
                writer.add(table, getattr(dataset, table))
            writer.add_claims(dataset.claims)
            writer.add_tests(dataset.tests)
            writer.add_domains(dataset.domains)
        return cls.open(path, engine=engine)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self._header.counts[name]:,} {name}" for name in IMMUTABLE if name != "memberships")
        return f"<Benchmark {self.card.name} {self.card.version}: {counts}, at {self.path}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        later = {kind: ", ".join(self.names(kind)) for kind in DERIVED}
        return notebook.view(
            "Benchmark",
            notebook.facts(
                {
                    "languages": ", ".join(self.card.languages),
                    "criterion": self.card.criterion,
                    "licence": self.card.licence,
                    "content hash": self.recorded_hash[:12],
                }
            ),
            self.card.description,
            notebook.table([Column("table", "code"), Column("rows", "count")], list(self.counts.items())),
            notebook.facts({kind: names for kind, names in later.items() if names}),
            subtitle=f"{self.card.name} {self.card.version}",
        )

    @property
    def card(self) -> Card:
        """What a reader must know about the dataset."""
        return self._header.card

    @property
    def recipe(self) -> Recipe | None:
        """How it was derived; None for an imported source."""
        return self._header.recipe

    @property
    def schema_version(self) -> int:
        """The version of its tables."""
        return self._header.schema_version

    @property
    def recorded_hash(self) -> str:
        """The content hash that was recorded at creation, unchecked: to show, not to stamp a result with."""
        return self._header.content_hash

    @property
    def content_hash(self) -> str:
        """The hash of the immutable tables and the card's identity.

        The tables are hashed again unless they are known to be unchanged (`HashCache`), so that nothing is stamped with
        the hash of a benchmark that it was not measured on.

        Raises:
            BenchmarkError: a table or the card is not what was recorded at creation.
        """
        for name, recorded in self._header.table_hashes.items():
            path = self.path / TABLES[name].files
            if self._hashes.hash([path], TABLES[name].schema.names) != recorded:
                raise changed_table(name, path)
        if hash_content(self.card, self._header.table_hashes) != self._header.content_hash:
            raise changed_header(self.path)
        self._check_seals(lambda name: name not in GROWING, self._header.part_hashes)
        return self._header.content_hash

    @property
    def counts(self) -> Mapping[str, int]:
        """The current number of rows of each core table."""
        judgements = sum(parquet_file(path).metadata.num_rows for path in self.parquet("judgements"))
        return {**self._header.counts, "judges": self.table("judges").num_rows, "judgements": judgements}

    @property
    def judgements_hash(self) -> str:
        """The hash of the current judges and judgements, separate from the content hash.

        It covers content and order, not the division into parts: the same votes in one part or two give the same hash.

        Raises:
            BenchmarkError: a sealed part is missing, or not what was sealed.
        """
        self._check_seals(lambda name: name in GROWING, read_seals(self.path, self._header))
        stored = TABLES["judgements"].schema.names
        columns = [name for name in stored if name != "sequence"]
        return hash_json([self._judge_rows(), self._hashes.hash(self.parquet("judgements"), columns, among=stored)])

    def _check_seals(self, chosen: Callable[[str], bool], sealed: Mapping[str, str]) -> None:
        wanted = {name: recorded for name, recorded in sealed.items() if chosen(name.partition("/")[0])}
        for error in broken_seals(self.path, wanted, self._hashes):
            raise error

    def lineage(self) -> tuple[Ancestor, ...]:
        """This benchmark, then the benchmarks it descends from, nearest first."""
        this = Ancestor(self.recorded_hash, self.card.name, self.card.version, self.recipe)
        return (this, *self._header.ancestors)

    def parquet(self, name: str) -> list[Path]:
        """The Parquet files of a table: a core table's name, or `<kind>/<name>` ("measures/bcb")."""
        if name in CORE:
            return core_paths(self.path, name)
        kind, slash, rest = name.partition("/")
        if not slash:
            raise InputError(
                f"There is no table '{name}'.",
                hint=f"Known: {', '.join(CORE)}, and <kind>/<name> for {', '.join(DERIVED)}.",
            )
        path = derived.DerivedFile(self._derived_folder(kind), kind, rest).path
        if not path.exists():
            available = ", ".join(derived.names(self._derived_folder(kind), kind)) or "none"
            raise InputError(f"There are no {kind} '{rest}'.", where=path, hint=f"Available: {available}.")
        check_derived(path, kind, self._header, self.engine)
        return [path]

    def table(self, name: str) -> pa.Table:
        """A table as Arrow, with the schema of `docs/schema.md`. See `parquet` for the names."""
        paths = self.parquet(name)
        return read_judges(paths) if name == "judges" else read_files(paths, name.partition("/")[0])

    def names(self, kind: str) -> list[str]:
        """The names of the stored tables of a kind, such as claims, measures or splits, sorted."""
        return derived.names(self._derived_folder(kind), kind)

    def metadata(self, name: str) -> dict[str, str]:
        """The key-value metadata that the writer of a table recorded."""
        return read_metadata(self.parquet(name)[0])

    def write_table(
        self,
        kind: str,
        name: str,
        content: derived.ArrowContent,
        metadata: Mapping[str, str] | None = None,
        *,
        replace: bool = False,
    ) -> Path:
        """Write claims, measures, verdicts, a split or detections atomically as a new file.

        Args:
            kind: `claims`, `measures`, `verdicts`, `splits`, `samples` or `detections`.
            name: the source, rule, policy and hash, view and seed, or detector.
            content: Arrow rows with the columns of `docs/schema.md`; nullable ones may be missing.
            metadata: what the reader should know; the content hash and versions are added.
            replace: replace an existing table of that name.

        Raises:
            InputError: the name is taken, or a row is invalid.
        """
        file = derived.DerivedFile(self._derived_folder(kind), kind, name)
        file.refuse_existing(replace)
        counts = self._header.counts
        limits = {
            "pair": counts["pairs"],
            "fragment": counts["fragments"],
            "functionality": counts["functionalities"],
        }
        derived.write(file, content, self._metadata(metadata), limits=limits, engine=self.engine)
        remember_derived(file.path, self._header)
        return file.path

    def write_query(
        self,
        kind: str,
        name: str,
        text: str,
        metadata: Mapping[str, str] | None = None,
        *,
        replace: bool = False,
        **extra: TableLike,
    ) -> Path:
        """Stream the result of one SELECT over the benchmark's tables to a file, as `write_table` does."""
        file = derived.DerivedFile(self._derived_folder(kind), kind, name)
        file.refuse_existing(replace)
        stored = table_metadata(kind, self._metadata(metadata))
        tables = self._views(text, extra)
        self.engine.write(text, tables, file.path, schema=TABLES[kind].schema, metadata=stored)
        remember_derived(file.path, self._header)
        return file.path

    def functionalities(self) -> pa.Table:
        """The functionalities, with the names and specifications that were attached later."""
        core = self.table("functionalities")
        rows = {row["functionality"]: row for row in core.to_pylist()}
        later = [row for name in self.names("descriptions") for row in self.table(f"descriptions/{name}").to_pylist()]
        for row in sorted(later, key=lambda row: row["sequence"]):
            known = rows[row["functionality"]]
            known.update({column: row[column] for column in ("name", "specification") if row[column] is not None})
        return pa.Table.from_pylist(list(rows.values()), schema=core.schema)

    def measure_names(self) -> list[str]:
        """The cut rules that the pairs were measured under."""
        return self.names("measures")

    def measures(self, rule: str) -> pa.Table:
        """The measures under a cut rule."""
        return self.table(f"measures/{rule}")

    def write_measures(
        self,
        rule: str,
        content: derived.ArrowContent,
        metadata: Mapping[str, str] | None = None,
        *,
        replace: bool = False,
    ) -> Path:
        """Write the measures under a cut rule; `metadata` should name its `cut_rule`. See `write_table`."""
        return self.write_table("measures", rule, content, {"rule": rule, **(metadata or {})}, replace=replace)

    def verdicts(self, policy: str, digest: str) -> pa.Table:
        """The materialised verdicts of a policy."""
        return self.table(f"verdicts/{policy}-{digest}")

    def append_judgements(self, judges: incoming.Content, judgements: incoming.Content) -> int:
        """Add judgements, and any new judges, as a new part. Nothing else changes.

        Args:
            judges: judges as dataclasses or Arrow; known ones may be repeated or left out.
            judgements: judgements as dataclasses or Arrow, with string ids and `pair` as the pair's key.

        Returns:
            The number of judgements added.

        Raises:
            InputError: as in `create`, or a known judge comes with another definition.
        """
        tables: dict[str, TableLike] = {name: self.parquet(name) for name in CORE}
        tables["judges"] = self.table("judges")
        added = judge_parts.append(self.path, self.engine, tables, judges, judgements)
        remember_content(self.path)
        return added

    def replace_study_judgements(
        self, study: str, judges: pa.Table, judgements: pa.Table, notes: Mapping[str, Any]
    ) -> PartChange:
        """Make the part that a study owns hold these judgements and no others; see `StudyPart.replace`.

        Args:
            study: the identity of the study (`study_identity`).
            judges: the judges of the judgements.
            judgements: with string ids, and `pair` as the pair's key.
            notes: what explains the numbers; recorded in the seal of the part.

        Raises:
            InputError: as in `append_judgements`.
        """
        return StudyPart(self.path, self.engine, study).replace(judges, judgements, notes)

    def sql(self, text: str, **extra: TableLike) -> pa.Table:
        """Run one SELECT over the benchmark's tables.

        Args:
            text: the SELECT. Core tables keep their names; the others are `<kind>_<name>`, with every character that
                is not a letter or digit replaced by `_` (`measures_bcb`).
            extra: additional tables.
        """
        return self.engine.sql(text, self._views(text, extra))

    def untrusted_sql(self, text: str) -> pa.Table:
        """Run one SELECT that somebody else wrote, as in `sql`: it can read the benchmark's tables and nothing else.

        Raises:
            InputError: it reads a file, an address, or anything else.
        """
        views = self._views(text, {})
        check_reads(text, views)
        return self.engine.sql(text, views)

    def export_query(self, text: str, path: str | os.PathLike[str], **extra: TableLike) -> int:
        """Stream the result of one SELECT, as in `sql`, to a Parquet file; returns the number of rows."""
        return self.engine.write(text, self._views(text, extra), Path(path))

    def datasheet(self) -> str:
        """The text of `README.md`, with the current judgement counts."""
        return datasheet(self._header, self.engine, self._views("fragments judges judgements", {}))

    def verify(self) -> None:
        """Compute every hash again, and compare every value with its vocabulary and every reference with its table.

        Raises:
            BenchmarkError: lists all that is wrong.
        """
        verify_folder(self.path, self.engine)

    def _derived_folder(self, kind: str) -> Path:
        """The folder that holds the derived tables of a kind."""
        return self.path

    def _judge_rows(self) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = self.table("judges").to_pylist()
        return sorted(rows, key=lambda row: str(row["judge"]))

    def _metadata(self, more: Mapping[str, str] | None) -> dict[str, str]:
        return {"content_hash": self.content_hash, **(more or {})}

    def _views(self, text: str, extra: Mapping[str, TableLike]) -> dict[str, TableLike]:
        """The tables whose names occur in a text; registering a table costs reading its footer."""
        words = set(re.findall(r"\w+", text))
        views: dict[str, TableLike] = {
            name: self.table(name) if name == "judges" else self.parquet(name) for name in CORE if name in words
        }
        if "functionalities" in words and self.names("descriptions"):
            views["functionalities"] = self.functionalities()
        for kind in DERIVED:
            for name in self.names(kind):
                view = re.sub(r"\W", "_", f"{kind}_{name}")
                if view in words:
                    views[view] = self.parquet(f"{kind}/{name}")
        return {**views, **extra}


def open_benchmark(
    benchmark: str | os.PathLike[str] | Benchmark,
    *,
    engine: str | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
) -> Benchmark:
    """Open a benchmark folder with an engine by name (see `open_engine`); an open benchmark is returned unchanged.

    Raises:
        BenchmarkError: the folder is not a benchmark, or damaged.
        UnknownNameError: there is no such engine.
    """
    if isinstance(benchmark, Benchmark):
        return benchmark
    return Benchmark.open(Path(benchmark), engine=open_engine(engine, memory_limit, threads))
