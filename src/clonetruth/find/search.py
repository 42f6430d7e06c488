"""The search for clones in source files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from clonetruth.budgets import budget
from clonetruth.code import language, map_parallel
from clonetruth.code.overlap import Integers
from clonetruth.code.parallel import in_background, workers_fork
from clonetruth.code.remote_workers import RemoteWorkers
from clonetruth.detectors.classical import ClassicalDetector, PairComparison
from clonetruth.detectors.clone_classes import components
from clonetruth.detectors.finder import FOUND_PAIRS, Finder, FinderOptions
from clonetruth.detectors.pair_batches import Matches, found_pairs
from clonetruth.detectors.token_overlap import OverlapComparison, TokenOverlap
from clonetruth.find.features import FeatureReader, Texts, feature_reader
from clonetruth.find.functions import clear_token_cache
from clonetruth.find.index import Index, IndexFile
from clonetruth.find.reading import (
    FUNCTION_COLUMNS,
    ReadingPlan,
    batches,
    dealt,
    flat,
    in_file_order,
    processes_worth,
    read_batch,
)
from clonetruth.find.remote_reading import read_remotely
from clonetruth.find.search_result import (
    FRAGMENTS_FOUND,
    FUNCTION,
    BrokenFile,
    SearchedFile,
    SearchResult,
    SkippedFile,
    joined_pairs,
)
from clonetruth.find.snapshot import PreviousRun
from clonetruth.progress import Progress, no_progress

if TYPE_CHECKING:
    from clonetruth.store import Engine


_MOST = 0.5
"""Share of lines that do not parse above which a file is reported."""
_MAX_NEW = 300
"""New features up to which comparing each with all is faster than comparing all with all."""
_SIDE_BY_SIDE = 5_000
"""Functions from which the join of `tokens`, which needs no texts, runs in a forked process beside other finders."""


_AT_ONCE = 4096
"""How many pairs beyond the budget are looked at together; those that join the same classes are all kept."""


class PairSearch:
    """Compares the functions of a search: by their features, or by their texts for finders without features.

    Args:
        result: the files and functions.
        read: what was read from them, with the columns of `ReadingPlan.schema`.
        plan: what was read.
        previous_run: an earlier search.
        engine: the engine for joins larger than memory; None joins in memory.
        processes: number of worker processes.
        progress: called as the work goes on.
    """

    def __init__(
        self,
        result: SearchResult,
        read: pa.Table,
        plan: ReadingPlan,
        previous_run: PreviousRun | None,
        engine: Engine | None,
        processes: int,
        progress: Progress,
    ) -> None:
        self._result = result
        self._read = read
        self._plan = plan
        self._previous_run = previous_run
        self._engine = engine
        self._processes = processes
        self._progress = progress

    def all_pairs(self, finders: Sequence[Finder]) -> pa.Table:
        """Return the pairs that all finders find; see `joined_pairs`."""
        joins = [at for at, finder in enumerate(finders) if isinstance(finder, TokenOverlap)]
        many = self._result.fragments.num_rows >= _SIDE_BY_SIDE
        # An engine has its own processes, and a forked process could not use it.
        alone = self._engine is not None or self._processes == 1 or not workers_fork()
        if alone or not (joins and len(finders) > 1 and many):
            return joined_pairs([(finder.name, self.pairs(finder)) for finder in finders])
        apart = joins[0]
        with in_background(PairSearch._counted_pairs, self, finders[apart]) as found:
            tables = [self.pairs(finder) for at, finder in enumerate(finders) if at != apart]
            table, left_out = found()
        tables.insert(apart, table)
        left_out.update(self._result.left_out)
        names = [finder.name for finder in finders]
        self._result.left_out = {name: left_out[name] for name in names if name in left_out}
        return joined_pairs(list(zip(names, tables, strict=True)))

    def _counted_pairs(self, finder: Finder) -> tuple[pa.Table, dict[str, int]]:
        """The pairs of a finder, and how many are left out, for the process that waits for them."""
        return self.pairs(finder), self._result.left_out

    def pairs(self, finder: Finder) -> pa.Table:
        """Return the pairs that a finder finds, with the columns of `FOUND_PAIRS`."""
        if not isinstance(finder, ClassicalDetector):
            return self._listed(finder, self._by_texts(finder))
        if self._previous_run and self._previous_run.unchanged:
            known = self._previous_run.pairs_of(finder.name)
            return pa.table([known.left, known.right, known.score], schema=FOUND_PAIRS)
        return self._listed(finder, self._by_features(finder))

    def _listed(self, finder: Finder, batches: Iterable[pa.RecordBatch]) -> pa.Table:
        """The pairs within the budget. Beyond it, only those that join two components: no clone is lost."""
        kept: list[pa.RecordBatch] = []
        free, left_out = budget().found_pairs, 0
        joined: Integers | None = None
        for batch in batches:
            beyond = batch.slice(free)
            if free:  # an empty slice would keep the whole batch in memory
                kept.append(batch.slice(0, free))
                free -= kept[-1].num_rows
            if beyond.num_rows and joined is None:
                known = pa.Table.from_batches(kept, FOUND_PAIRS)
                functions = self._result.fragments.num_rows
                joined = components(known["left"].to_numpy(), known["right"].to_numpy(), functions)
            for start in range(0, beyond.num_rows, _AT_ONCE):
                assert joined is not None
                some = beyond.slice(start, _AT_ONCE)
                left, right = (joined[some[side].to_numpy()] for side in ("left", "right"))
                joining = left != right
                if joining.any():
                    joined = components(left[joining], right[joining], len(joined))[joined]
                    kept.append(some.filter(pa.array(joining)))
                left_out += some.num_rows - int(np.count_nonzero(joining))
        if left_out:
            self._result.left_out[finder.name] = left_out
        return pa.Table.from_batches(kept, FOUND_PAIRS)

    def _by_texts(self, finder: Finder) -> Iterator[pa.RecordBatch]:
        result = self._result
        texts = pa.array([result.text(number) for number in range(result.fragments.num_rows)], pa.string())
        table = result.fragments.select(["fragment", "language"]).append_column("text", texts)
        return finder.find(table, self._plan.options, processes=self._processes, progress=self._progress)

    def _by_features(self, detector: ClassicalDetector) -> Iterator[pa.RecordBatch]:
        options = self._plan.options
        threshold = detector.find_threshold if options.threshold is None else options.threshold
        features = flat(self._read, f"trace_{self._plan.detectors.index(detector)}")
        for keys in self._groups(detector):
            which, comparison = self._feature_reader(detector, keys).compare(
                features.take(pa.array(keys)), self._texts(keys)
            )
            yield from found_pairs(keys, which, self._matches(detector, keys, which, comparison, threshold))

    def _feature_reader(self, detector: ClassicalDetector, keys: Integers) -> FeatureReader:
        (name,) = self._result.fragments["language"].slice(int(keys[0]), 1).to_pylist()
        return feature_reader(detector, language(name))

    def _texts(self, keys: Integers) -> Texts:
        return lambda number: self._result.text(int(keys[number]))

    def _groups(self, detector: ClassicalDetector) -> Iterator[Integers]:
        """The groups of functions to compare with each other: those in one language, or all."""
        codes = self._result.fragments["language"].combine_chunks().dictionary_encode().indices.to_numpy()
        if detector.across_languages:
            codes = np.zeros_like(codes)
        for code in range(int(codes.max(initial=-1)) + 1):
            yield np.flatnonzero(codes == code)

    def _matches(
        self, detector: ClassicalDetector, keys: Integers, which: Integers, comparison: PairComparison, threshold: float
    ) -> Iterator[Matches]:
        """The pairs of distinct features that match; those that an earlier search knew are not compared again."""
        if self._previous_run and isinstance(comparison, OverlapComparison):
            number_of = np.full(self._result.fragments.num_rows, -1)
            number_of[keys] = which
            seen = np.zeros(int(which.max(initial=-1)) + 1, dtype=bool)
            seen[number_of[self._previous_run.kept & (number_of >= 0)]] = True
            new = np.flatnonzero(~seen)
            if len(new) <= _MAX_NEW:
                known = self._previous_run.pairs_of(detector.name)
                return chain([_between(known, number_of)], comparison.matches_with(new, threshold))
        if self._engine and isinstance(comparison, OverlapComparison):
            return comparison.matches_on(self._engine, threshold, self._progress)
        return comparison.matches(threshold, self._progress)


def _between(pairs: Matches, which: Integers) -> Matches:
    """Return the pairs of distinct features of some pairs of functions, each once."""
    left, right = which[pairs.left], which[pairs.right]
    least, most = np.minimum(left, right), np.maximum(left, right)
    count = int(most.max(initial=0)) + 1
    different = (least >= 0) & (least < most)
    keys, first = np.unique(least[different] * count + most[different], return_index=True)
    return Matches(keys // count, keys % count, pairs.score[different][first])


def search_files(
    files: Sequence[SearchedFile],
    finders: Sequence[Finder],
    options: FinderOptions | None = None,
    *,
    index: IndexFile | None = None,
    engine: Engine | None = None,
    statements: bool = False,
    processes: int = 1,
    progress: Progress | None = None,
) -> SearchResult:
    """Find the clones among the functions of files.

    The pairs are those that the finders find among the functions that `extract_files` extracts by default; but most
    files are not parsed, and most functions are not read one by one. Only in a file with broken syntax but matching
    brackets may the functions differ from those of its tree.

    Args:
        files: the files; those that cannot be read are listed in `SearchResult.skipped`.
        finders: the finders.
        options: which functions are compared, and which pairs are reported.
        index: what earlier searches learned; the result is the same with and without it.
        engine: the engine for joins of token bags larger than memory (default: joins in memory). If it has workers,
            as Spark has, they also read the files.
        statements: whether to read the statements of files, for clones of blocks and files.
        processes: maximum number of worker processes; fewer are started if that is faster.
        progress: called as the work goes on.
    """
    options = options or FinderOptions()
    detectors = tuple(finder for finder in finders if isinstance(finder, ClassicalDetector))
    plan = ReadingPlan(options, detectors, statements)
    report = progress or no_progress
    file_index = Index(index, plan, files) if index else None
    # If two finders have the same name, the pairs of an earlier search could belong to either.
    unambiguous = len({finder.name for finder in finders}) == len(finders)
    # What is recalled has neither features nor statements.
    if file_index and file_index.unchanged and unambiguous and not statements:
        read = file_index.recalled()
    else:
        numbers = file_index.unknown if file_index else range(len(files))
        unread = [(number, files[number]) for number in numbers]
        if isinstance(engine, RemoteWorkers):
            fresh = _in_order(read_remotely(unread, plan, engine, report), plan)
        else:
            fresh = _read(unread, plan, min(processes, processes_worth(plan, unread)), report)
        read = file_index.completed(fresh) if file_index else fresh
    result = SearchResult(
        files=tuple(files),
        fragments=_fragments(files, read),
        pairs=joined_pairs([]),
        skipped=tuple(
            SkippedFile(file.name, why) for file, why in zip(files, read["why"].to_pylist(), strict=True) if why
        ),
        broken=tuple(
            BrokenFile(file.name, file.language, share)
            for file, share in zip(files, read["broken"].to_pylist(), strict=True)
            if share > _MOST
        ),
        file_lines=read["lines"].to_numpy(),
        functions=int(read["functions"].to_numpy().sum()),
        contents=read["content"].to_pylist(),
        ignored=flat(read, "ignored").to_numpy(zero_copy_only=False).astype(bool),
        explanations=file_index.explanations if file_index else None,
        statements=read["statements"].to_pylist() if statements else (),
    )
    previous_run = file_index.previous_run if file_index and unambiguous else None
    pair_search = PairSearch(result, read, plan, previous_run, engine, processes, report)
    result.pairs = pair_search.all_pairs(finders)
    # A later search would believe that pairs which are left out do not match.
    if file_index and not result.left_out:
        file_index.save(result.pairs)
    return result


def _read(files: Sequence[tuple[int, SearchedFile]], plan: ReadingPlan, processes: int, report: Progress) -> pa.Table:
    """Read files, and return what was read in their order."""
    tables = []
    for table in map_parallel(read_batch, plan, dealt(batches(files, plan, processes), processes), processes):
        report("Reading files", table.num_rows, len(files))
        tables.append(table)
    clear_token_cache()
    return _in_order(tables, plan)


def _in_order(tables: Sequence[pa.Table], plan: ReadingPlan) -> pa.Table:
    return in_file_order(pa.concat_tables([plan.schema.empty_table(), *tables]))


def _fragments(files: Sequence[SearchedFile], read: pa.Table) -> pa.Table:
    file = np.repeat(np.arange(len(files), dtype=np.int32), read["compared"].to_numpy())
    names = sorted({entry.language for entry in files})
    codes = np.array([names.index(entry.language) for entry in files], dtype=np.int32)[file]
    columns = {
        "fragment": np.arange(len(file)),
        "file": file,
        "language": pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.string())).cast(pa.string()),
        **{name: flat(read, name) for name in FUNCTION_COLUMNS},
        "kind": pa.repeat(pa.scalar(FUNCTION), len(file)),
    }
    return pa.table([columns[name] for name in FRAGMENTS_FOUND.names], schema=FRAGMENTS_FOUND)
