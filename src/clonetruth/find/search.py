"""Searching source files for clones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from clonetruth.code import language, map_parallel
from clonetruth.code.overlap import Integers
from clonetruth.detectors.classical import ClassicalDetector, PairComparison
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.pair_batches import Matches, found_pairs
from clonetruth.detectors.token_overlap import OverlapComparison
from clonetruth.find.features import FeatureReader, Texts, tracer
from clonetruth.find.functions import forget_tokens
from clonetruth.find.index import Index, IndexFile
from clonetruth.find.reading import PLACES, ReadingPlan, batches, flat, in_order, processes_worth, read_batch
from clonetruth.find.search_result import FRAGMENTS_FOUND, SearchedFile, SearchResult, SkippedFile, joined_pairs
from clonetruth.find.snapshot import PreviousRun
from clonetruth.progress import Progress, no_progress

if TYPE_CHECKING:
    from clonetruth.store import Engine


# Comparing the functions of files: by their traces, and where a finder has no other way by their texts.

_FEW = 300
"""New readings up to which it is quicker to compare each with all than to compare all with all."""


class PairSearch:
    """Compares the functions of a search.

    Args:
        found: the files and functions.
        read: what was read of them, with the columns of `ReadingPlan.schema`.
        plan: what that is.
        earlier: what an earlier search found.
        engine: who joins what is larger than memory; None: it is done here.
        processes: how many processes may share the work.
        progress: told what is being done.
    """

    def __init__(
        self,
        found: SearchResult,
        read: pa.Table,
        plan: ReadingPlan,
        earlier: PreviousRun | None,
        engine: Engine | None,
        processes: int,
        progress: Progress,
    ) -> None:
        self._found = found
        self._read = read
        self._plan = plan
        self._earlier = earlier
        self._engine = engine
        self._processes = processes
        self._progress = progress

    def pairs(self, finder: Finder) -> pa.Table:
        """The pairs that a finder finds, with the columns of `finder.FOUND`."""
        if not isinstance(finder, ClassicalDetector):
            return pa.Table.from_batches(self._by_texts(finder), FOUND)
        if self._earlier and self._earlier.unchanged:
            known = self._earlier.found_by(finder.name)
            return pa.table([known.left, known.right, known.score], schema=FOUND)
        return pa.Table.from_batches(self._by_traces(finder), FOUND)

    def _by_texts(self, finder: Finder) -> Iterator[pa.RecordBatch]:
        found = self._found
        texts = pa.array([found.text(number) for number in range(found.fragments.num_rows)], pa.string())
        table = found.fragments.select(["fragment", "language"]).append_column("text", texts)
        return finder.find(table, self._plan.options, processes=self._processes, progress=self._progress)

    def _by_traces(self, detector: ClassicalDetector) -> Iterator[pa.RecordBatch]:
        options = self._plan.options
        threshold = detector.default_threshold if options.threshold is None else options.threshold
        traces = flat(self._read, f"trace_{self._plan.detectors.index(detector)}")
        for keys in self._groups(detector):
            which, comparison = self._tracer(detector, keys).compare(traces.take(pa.array(keys)), self._texts(keys))
            yield from found_pairs(keys, which, self._matches(detector, keys, which, comparison, threshold))

    def _tracer(self, detector: ClassicalDetector, keys: Integers) -> FeatureReader:
        (name,) = self._found.fragments["language"].slice(int(keys[0]), 1).to_pylist()
        return tracer(detector, language(name))

    def _texts(self, keys: Integers) -> Texts:
        return lambda number: self._found.text(int(keys[number]))

    def _groups(self, detector: ClassicalDetector) -> Iterator[Integers]:
        """The functions that are compared with each other: those in one language, or all."""
        codes = self._found.fragments["language"].combine_chunks().dictionary_encode().indices.to_numpy()
        if detector.across_languages:
            codes = np.zeros_like(codes)
        for code in range(int(codes.max(initial=-1)) + 1):
            yield np.flatnonzero(codes == code)

    def _matches(
        self, detector: ClassicalDetector, keys: Integers, which: Integers, comparison: PairComparison, threshold: float
    ) -> Iterator[Matches]:
        """The pairs of readings that match; those that an earlier search knew are not compared again."""
        if self._earlier and isinstance(comparison, OverlapComparison):
            place = np.full(self._found.fragments.num_rows, -1)
            place[keys] = which
            seen = np.zeros(int(which.max(initial=-1)) + 1, dtype=bool)
            seen[place[self._earlier.kept & (place >= 0)]] = True
            new = np.flatnonzero(~seen)
            if len(new) <= _FEW:
                known = self._earlier.found_by(detector.name)
                return chain([_between(known, place)], comparison.matches_with(new, threshold))
        if self._engine and isinstance(comparison, OverlapComparison):
            return comparison.matches_on(self._engine, threshold)
        return comparison.matches(threshold, self._progress)


def _between(pairs: Matches, which: Integers) -> Matches:
    """The pairs of different readings that some pairs of functions are of, each once."""
    left, right = which[pairs.left], which[pairs.right]
    least, most = np.minimum(left, right), np.maximum(left, right)
    count = int(most.max(initial=0)) + 1
    different = (least >= 0) & (least < most)
    keys, first = np.unique(least[different] * count + most[different], return_index=True)
    return Matches(keys // count, keys % count, pairs.score[different][first])


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
    report = progress or no_progress
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
