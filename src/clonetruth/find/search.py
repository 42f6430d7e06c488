"""Searching source files for clones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from clonetruth.code import map_parallel
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.detector import Progress
from clonetruth.detectors.finder import Finder, FindOptions
from clonetruth.find.comparison import PairSearch
from clonetruth.find.functions import forget_tokens
from clonetruth.find.index import Index
from clonetruth.find.index_tables import IndexFile
from clonetruth.find.reading import PLACES, ReadingPlan, batches, flat, in_order, processes_worth, read_batch
from clonetruth.find.search_result import FRAGMENTS_FOUND, SearchedFile, SearchResult, SkippedFile, joined_pairs

if TYPE_CHECKING:
    from clonetruth.store import Engine


def search(
    files: Sequence[SearchedFile],
    finders: Sequence[Finder],
    options: FindOptions | None = None,
    *,
    index: IndexFile | None = None,
    engine: Engine | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> SearchResult:
    """Find the clones among the functions of files.

    The pairs are those that the finders find in the functions which `extract_files` cuts out with its default options;
    but most files are not parsed, and most functions are not read one by one. Only of a file with broken syntax whose
    brackets match nevertheless other functions may be seen than by its tree.

    Args:
        files: the files; what cannot be read is skipped, and said to be.
        finders: who looks for clones.
        options: which functions are compared, and which pairs are reported.
        index: what earlier searches learned; the result is the same with and without it.
        engine: who joins bags of tokens that are more than memory holds; it is done here unless told.
        processes: how many processes may share the work; fewer are started where that would take longer.
        progress: told what is being done.
    """
    options = options or FindOptions()
    plan = ReadingPlan(options, tuple(finder for finder in finders if isinstance(finder, ClassicalDetector)))
    report = progress or _silent
    library = Index(index, plan, files) if index else None
    numbers = library.unknown if library else range(len(files))
    chosen = [(number, files[number]) for number in numbers]
    fresh = _read(chosen, plan, min(processes, processes_worth(plan, chosen)), report)
    read = library.completed(fresh) if library else fresh
    found = SearchResult(
        files=tuple(files),
        fragments=_fragments(files, read),
        pairs=joined_pairs([]),
        skipped=tuple(
            SkippedFile(file.name, why) for file, why in zip(files, read["why"].to_pylist(), strict=True) if why
        ),
        lines=int(read["lines"].to_numpy().sum()),
        functions=int(read["functions"].to_numpy().sum()),
    )
    # Of two finders of one name, nobody could tell whose pairs an earlier search has found.
    unambiguous = len({finder.name for finder in finders}) == len(finders)
    earlier = library.earlier if library and unambiguous else None
    comparing = PairSearch(found, read, plan, earlier, engine, processes, report)
    found.pairs = joined_pairs([(finder.name, comparing.pairs(finder)) for finder in finders])
    if library:
        library.remember(found.pairs)
    return found


def _silent(what: str, done: int, total: int) -> None:
    """Progress that nobody wants to know."""


def _read(files: Sequence[tuple[int, SearchedFile]], plan: ReadingPlan, processes: int, report: Progress) -> pa.Table:
    """What is read of files, in their order."""
    tables = [plan.schema.empty_table()]
    for table in map_parallel(read_batch, plan, batches(files), processes):
        report("Reading files", table.num_rows, len(files))
        tables.append(table)
    forget_tokens()
    return in_order(pa.concat_tables(tables))


def _fragments(files: Sequence[SearchedFile], read: pa.Table) -> pa.Table:
    file = np.repeat(np.arange(len(files), dtype=np.int32), read["compared"].to_numpy())
    names = sorted({entry.language for entry in files})
    codes = np.array([names.index(entry.language) for entry in files], dtype=np.int32)[file]
    columns = {
        "fragment": np.arange(len(file)),
        "file": file,
        "language": pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.string())).cast(pa.string()),
        **{name: flat(read, name) for name in PLACES},
    }
    return pa.table([columns[name] for name in FRAGMENTS_FOUND.names], schema=FRAGMENTS_FOUND)
