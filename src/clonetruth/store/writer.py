"""Writing a benchmark folder: rows are streamed in, checked, keyed and hashed, and the folder appears in one step."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from clonetruth import __version__
from clonetruth.arrow_files import remember_files
from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Card, FunctionalityDomain, FunctionalityTest, Recipe
from clonetruth.store import incoming
from clonetruth.store.atomic import new_folder
from clonetruth.store.croissant import FILE_NAME, croissant_text
from clonetruth.store.datasheet import datasheet
from clonetruth.store.engine import DuckDBEngine, Engine, TableLike
from clonetruth.store.hashing import hash_content, hash_parquet
from clonetruth.store.header import Ancestor, Header
from clonetruth.store.judges import unique_judges
from clonetruth.store.parquet import ParquetSink, parquet_file, table_metadata
from clonetruth.store.resolve import MAX_FRAGMENTS, check_lines, check_references, check_unique_ids, write_resolved
from clonetruth.store.schemas import CORE, IMMUTABLE, TABLES, incoming_schema
from clonetruth.store.seals import part_hashes
from clonetruth.store.verification import remember_content

if TYPE_CHECKING:
    from clonetruth.store.benchmark import Benchmark

FIRST_PART = "part-0.parquet"

_KEYED = ("fragments", "functionalities")
_STAGED = ("memberships", "pairs", "judgements")
_NAME_LENGTH = 100
"""Characters of a benchmark's name in the names of files."""
_STAGING = ".staging"


class BenchmarkWriter:
    """Builds a benchmark folder under a temporary name; leaving the block renames it.

    An exception within the block, or content that is refused at its end, removes the temporary folder.
    Tables may be filled in any order and in several steps.

    Args:
        path: the folder to create; it must not exist.
        card: the dataset's card.
        recipe: how a derived benchmark is built.
        parents: the benchmarks it is derived from; their lineage is recorded.
        engine: the engine for joins.
        batch_rows: maximum number of rows held as Python objects.

    Example:
        >>> with BenchmarkWriter(path, card) as writer:          # doctest: +SKIP
        ...     writer.add("fragments", fragments)
        ...     writer.add("pairs", arrow_table_with_string_ids)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        card: Card,
        *,
        recipe: Recipe | None = None,
        parents: Sequence[Benchmark] = (),
        engine: Engine | None = None,
        batch_rows: int = incoming.BATCH_ROWS,
    ) -> None:
        if card.criterion not in CRITERIA:
            raise InputError(
                f"The card's criterion '{card.criterion}' is unknown.", hint=f"Known: {', '.join(CRITERIA)}."
            )
        self.path = Path(path)
        self._card = card
        self._recipe, self._ancestors = _lineage(recipe, parents)
        self._engine = engine or DuckDBEngine()
        self._batch_rows = batch_rows
        self._stack = ExitStack()
        self._sinks: dict[str, ParquetSink] = {}
        self._judges: list[pa.RecordBatch] = []
        self._brought: dict[str, list[FunctionalityTest | FunctionalityDomain]] = {"tests": [], "domains": []}
        self._folder = self.path

    def __enter__(self) -> BenchmarkWriter:
        with ExitStack() as entered:
            self._folder = entered.enter_context(new_folder(self.path))
            (self._folder / _STAGING).mkdir()
            for table in (*_KEYED, *_STAGED):
                schema, path = TABLES[table].schema, self._file(table)
                if table in _STAGED:
                    schema = incoming_schema(table).append(pa.field("row_number", pa.int64()))
                    path = self._staged(table)
                self._sinks[table] = ParquetSink(path, schema, table_metadata(table), staged=table in _STAGED)
            self._stack = entered.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            for sink in self._sinks.values():
                sink.__exit__(kind, error, trace)
            if error is not None:
                raise error
            self._finish()

    def add(self, table: str, content: incoming.Content) -> None:
        """Append rows to a core table.

        Args:
            table: `fragments`, `functionalities`, `memberships`, `pairs`, `judges` or `judgements`.
            content: dataclasses of `clonetruth.model`, or Arrow (a table, a reader, batches) with the same
                columns: the source's string ids where the stored table has keys.

        Raises:
            InputError: names table and row.
        """
        if table == "judges":
            self._judges += incoming.batches(table, content, first_row=sum(b.num_rows for b in self._judges))
            return
        if table not in CORE:
            raise InputError(f"There is no core table '{table}'.", hint=f"Known: {', '.join(CORE)}.")
        sink = self._sinks[table]
        for batch in incoming.batches(table, content, first_row=sink.rows, rows=self._batch_rows):
            numbers = pa.array(np.arange(sink.rows, sink.rows + batch.num_rows))
            name = "row_number" if table in _STAGED else TABLES[table].schema.names[0]
            sink.write(batch.append_column(name, numbers))

    def add_claims(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Append what the source publishes about its pairs, one row per pair in order, as Arrow without `pair`."""
        for batch in batches:
            if "claims" not in self._sinks:
                self._sinks["claims"] = self._source_sink("claims")
            sink = self._sinks["claims"]
            sink.write(batch.append_column("pair", pa.array(np.arange(sink.rows, sink.rows + batch.num_rows))))

    def add_tests(self, tests: Iterable[FunctionalityTest]) -> None:
        """Append what the source brings to test its fragments. Their functionalities must exist in the end."""
        self._brought["tests"] += tests

    def add_domains(self, domains: Iterable[FunctionalityDomain]) -> None:
        """Append which inputs the source permits. Their functionalities must exist in the end."""
        self._brought["domains"] += domains

    def _source_sink(self, kind: str) -> ParquetSink:
        # The name may be a stranger's, whose benchmark this one derives from.
        name = re.sub(r"[/\\\0]", "-", self._card.name).lstrip(".")[:_NAME_LENGTH] or "source"
        path = self._folder / kind / f"{name}.parquet"
        path.parent.mkdir()
        return ParquetSink(path, TABLES[kind].schema, table_metadata(kind))

    def _write_brought(self, kind: str) -> None:
        if not self._brought[kind]:
            return
        with parquet_file(self._file("functionalities")) as file:
            keys = {name: key for key, name in enumerate(file.read(columns=["id"])["id"].to_pylist())}
        rows = []
        for number, one in enumerate(self._brought[kind]):
            if one.functionality not in keys:
                raise InputError(f"There is no functionality '{one.functionality}'.", where=f"{kind}, row {number}")
            rows.append({**vars(one), "functionality": keys[one.functionality]})
        with self._source_sink(kind) as sink:
            for batch in pa.Table.from_pylist(rows, TABLES[kind].schema).to_batches():
                sink.write(batch)

    def attach(self, name: str) -> Path:
        """Create a folder in the benchmark for files that are not tables; the content hash does not cover them."""
        folder = self._folder / name
        folder.mkdir()
        return folder

    def _file(self, table: str) -> Path:
        return self._folder / TABLES[table].files.replace("*.parquet", FIRST_PART)

    def _staged(self, table: str) -> Path:
        return self._folder / _STAGING / f"{table}.parquet"

    def _finish(self) -> None:
        if self._sinks["fragments"].rows > MAX_FRAGMENTS:
            raise InputError(f"A benchmark holds at most {MAX_FRAGMENTS} fragments.", where="fragments")
        if "claims" in self._sinks and self._sinks["claims"].rows != self._sinks["pairs"].rows:
            raise InputError(
                f"There are {self._sinks['claims'].rows} rows of claims for {self._sinks['pairs'].rows} pairs.",
                where="claims",
            )
        for table in _KEYED:
            check_unique_ids(self._engine, table, self._file(table))
        check_lines(self._engine, self._file("fragments"))
        judges = unique_judges(self._judges)
        self._file("judges").parent.mkdir()
        with ParquetSink(self._file("judges"), TABLES["judges"].schema, table_metadata("judges")) as sink:
            for batch in judges.to_batches():
                sink.write(batch)
        tables: dict[str, TableLike] = {name: self._file(name) for name in CORE}
        for table in _STAGED:
            check_references(self._engine, table, self._staged(table), tables)
            write_resolved(self._engine, table, self._staged(table), tables, self._file(table))
        shutil.rmtree(self._folder / _STAGING)
        for kind in self._brought:
            self._write_brought(kind)
        header = self._header()
        (self._folder / "README.md").write_text(datasheet(header, self._engine, tables), encoding="utf-8")
        remember_files(sorted(self._folder.rglob("*.parquet")))
        (self._folder / FILE_NAME).write_text(croissant_text(header, self._folder), encoding="utf-8")
        remember_content(self._folder)

    def _header(self) -> Header:
        hashes = {name: hash_parquet([self._file(name)], TABLES[name].schema.names) for name in IMMUTABLE}
        return Header(
            card=self._card,
            recipe=self._recipe,
            ancestors=self._ancestors,
            counts={name: parquet_file(self._file(name)).metadata.num_rows for name in CORE},
            table_hashes=hashes,
            content_hash=hash_content(self._card, hashes),
            version=__version__,
            part_hashes=part_hashes(
                self._folder,
                [
                    self._file("judges"),
                    self._file("judgements"),
                    *(
                        path
                        for kind in ("claims", *self._brought)
                        for path in sorted((self._folder / kind).glob("*.parquet"))
                    ),
                ],
            ),
        )


def _lineage(recipe: Recipe | None, parents: Sequence[Benchmark]) -> tuple[Recipe | None, tuple[Ancestor, ...]]:
    """The recipe with the parents' hashes, and all ancestors without duplicates, nearest first."""
    if recipe is None:
        if parents:
            raise InputError("A benchmark with parents needs a recipe.", hint="State the operation that built it.")
        return None, ()
    hashes = tuple(dict.fromkeys([*recipe.parents, *(parent.content_hash for parent in parents)]))
    known = {parent.content_hash: parent.lineage() for parent in parents}
    near = [known[digest][0] if digest in known else Ancestor(digest) for digest in hashes]
    far = [ancestor for parent in parents for ancestor in parent.lineage()[1:]]
    ancestors: dict[str, Ancestor] = {}
    for ancestor in [*near, *far]:
        ancestors.setdefault(ancestor.content_hash, ancestor)
    try:
        parameters = json.loads(json.dumps(dict(recipe.parameters)))
    except (TypeError, ValueError) as error:
        raise InputError(f"The recipe's parameters cannot be written as JSON: {error}") from error
    return Recipe(recipe.operation, parameters, hashes), tuple(ancestors.values())
