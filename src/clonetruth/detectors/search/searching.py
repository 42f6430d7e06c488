"""Searching source files for clones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from clonetruth.code import language, map_parallel
from clonetruth.code.overlap import Integers
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.detector import Progress
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.found import found_pairs
from clonetruth.detectors.search.index import Index
from clonetruth.detectors.search.reading import PLACES, Plan, batches, read_batch
from clonetruth.detectors.search.result import FRAGMENTS_FOUND, Found, SkippedFile, SourceFile, joined_pairs
from clonetruth.detectors.search.traces import Texts, tracer


def search(
    files: Sequence[SourceFile],
    finders: Sequence[Finder],
    options: FindOptions | None = None,
    *,
    index: Index | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> Found:
    """Find the clones among the functions of files.

    The pairs are those that the finders find in the functions which `extract_files` cuts out with its default options;
    but most files are neither parsed nor are their functions read one by one.

    Args:
        files: the files; what cannot be read is skipped, and said to be.
        finders: who looks for clones.
        options: which functions are compared, and which pairs are reported.
        index: what earlier searches learned; the result is the same with and without it.
        processes: how many processes may share the work.
        progress: told what is being done.
    """
    options = options or FindOptions()
    report = progress or _silent
    plan = Plan(options, tuple(finder for finder in finders if isinstance(finder, ClassicalDetector)))
    read = _read(files, plan, processes, report)
    fragments = _fragments(files, read)
    found = Found(
        files=tuple(files),
        fragments=fragments,
        pairs=joined_pairs([]),
        skipped=tuple(
            SkippedFile(file.name, why) for file, why in zip(files, read["why"].to_pylist(), strict=True) if why
        ),
        lines=int(read["lines"].to_numpy().sum()),
        functions=int(read["functions"].to_numpy().sum()),
    )
    comparing = _Comparing(found, read, plan, processes, progress)
    found.pairs = joined_pairs([(finder.name, comparing.pairs(finder)) for finder in finders])
    return found


def _silent(what: str, done: int, total: int) -> None:
    """Progress that nobody wants to know."""


def _read(files: Sequence[SourceFile], plan: Plan, processes: int, report: Progress) -> pa.Table:
    """What is read of all files, in their order."""
    tables = [plan.schema.empty_table()]
    for table in map_parallel(read_batch, plan, batches(list(enumerate(files))), processes):
        report("Reading files", table.num_rows, len(files))
        tables.append(table)
    read = pa.concat_tables(tables)
    return read.take(pa.array(np.argsort(read["file"].to_numpy()))).combine_chunks()


def _fragments(files: Sequence[SourceFile], read: pa.Table) -> pa.Table:
    lists = {name: _flat(read, name) for name in PLACES}
    file = np.repeat(np.arange(len(files)), read["compared"].to_numpy())
    names = sorted({entry.language for entry in files})
    codes = np.array([names.index(entry.language) for entry in files], dtype=np.int32)[file]
    languages = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.string())).cast(pa.string())
    columns = {"fragment": np.arange(len(file)), "file": file.astype(np.int32), **lists, "language": languages}
    return pa.table([columns[name] for name in FRAGMENTS_FOUND.names], schema=FRAGMENTS_FOUND)


def _flat(read: pa.Table, name: str) -> pa.Array:
    chunks = read[name].chunks
    return chunks[0].flatten() if chunks else pa.array([], read.schema.field(name).type.value_type)


class _Comparing:
    """Compares the functions of files by their traces, or by their texts where a finder has no other way."""

    def __init__(self, found: Found, read: pa.Table, plan: Plan, processes: int, progress: Progress | None) -> None:
        self._found = found
        self._read = read
        self._plan = plan
        self._processes = processes
        self._progress = progress

    def pairs(self, finder: Finder) -> pa.Table:
        """The pairs that a finder finds, with the columns of `finder.FOUND`."""
        if isinstance(finder, ClassicalDetector):
            return pa.Table.from_batches(self._by_traces(finder), FOUND)
        found = self._found
        texts = pa.array([found.text(number) for number in range(found.fragments.num_rows)], pa.string())
        table = found.fragments.select(["fragment", "language"]).append_column("text", texts)
        options = self._plan.options
        pairs = finder.find(table, options, processes=self._processes, progress=self._progress)
        return pa.Table.from_batches(pairs, FOUND)

    def _by_traces(self, detector: ClassicalDetector) -> Iterator[pa.RecordBatch]:
        options = self._plan.options
        threshold = detector.default_threshold if options.threshold is None else options.threshold
        traces = _flat(self._read, f"trace_{self._plan.detectors.index(detector)}")
        codes = self._found.fragments["language"].combine_chunks().dictionary_encode()
        for number, name in enumerate(codes.dictionary.to_pylist()):
            keys = np.flatnonzero(codes.indices.to_numpy() == number)
            way = tracer(detector, language(name))
            which, comparison = way.compare(traces.take(pa.array(keys)), self._texts(keys), language(name))
            yield from found_pairs(keys, which, comparison.matches(threshold, self._progress or _silent))

    def _texts(self, keys: Integers) -> Texts:
        return lambda number: self._found.text(int(keys[number]))
