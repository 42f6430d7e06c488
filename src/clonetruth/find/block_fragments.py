"""Clones of blocks and of whole files, added to the result of a search for functions."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.statements import STATEMENT
from clonetruth.find.block_cover import BlockClass, BlockLimits, FunctionCover, selected
from clonetruth.find.block_search import block_classes
from clonetruth.find.block_spans import LocatedStatements, Span
from clonetruth.find.search_result import BLOCK, FILE, FRAGMENTS_FOUND, FUNCTION, PAIRS_FOUND, FoundBlocks, SearchResult
from clonetruth.find.whole_files import FileClasses, alike_files

_FOUND_BY = {BLOCK: "blocks", FILE: "files"}
"""By what blocks and files are found, in reports."""
_ALL_PAIRS = 50
"""Number of equal members up to which all pairs of a class are listed; else, those with the first."""


def with_blocks(
    result: SearchResult,
    granularity: Collection[str],
    limits: BlockLimits,
    classes: Mapping[int, Collection[int]],
    types: npt.NDArray[np.str_],
) -> SearchResult:
    """Add the clones of blocks and of files to the result of a search for functions.

    Blocks inside of functions or files that are clones are left out; so are pairs of functions inside of files that are
    clones of the same or a stronger type.

    Args:
        result: the result of a search with statements.
        granularity: what to add: `block`, `file`.
        limits: which blocks and files are large enough, and similar enough.
        classes: the clone classes of each function that is in one.
        types: the type of each pair of functions.
    """
    found = _FoundFragments(result)
    kept = np.ones(result.pairs.num_rows, dtype=bool)
    for located in _located(result):
        whole: list[BlockClass] = []
        if FILE in granularity:
            whole = FileClasses(located, limits).classes
            found.add(located, FILE, whole)
            kept &= ~_inside_files(result, located, whole, types)
        if BLOCK in granularity:
            cover = FunctionCover(located, found.functions, classes)
            candidates = block_classes(located, limits, cover)
            found.add(located, BLOCK, selected(candidates, located, [one.spans for one in whole]))
    return found.added_to(result, kept)


def _located(result: SearchResult) -> Iterator[LocatedStatements]:
    """The statements of the files of each language."""
    for language in sorted({file.language for file in result.files}):
        numbers = [number for number, file in enumerate(result.files) if file.language == language]
        parts = [np.frombuffer(result.statements[number] or b"", STATEMENT) for number in numbers]
        yield LocatedStatements(language, np.concatenate(parts), np.repeat(numbers, [*map(len, parts)]))


def _inside_files(
    result: SearchResult, located: LocatedStatements, whole: list[BlockClass], types: npt.NDArray[np.str_]
) -> npt.NDArray[np.bool_]:
    """Which pairs of functions are in two files of a class whose type is not weaker."""
    known = {(left, right): kind for left, right, kind in alike_files(located, whole)}
    if not known:
        return np.zeros(result.pairs.num_rows, dtype=bool)
    file = result.fragments["file"].to_numpy()
    left, right = (file[result.pairs[side].to_numpy()].tolist() for side in ("left", "right"))
    return np.array(
        [known.get(pair, "T4") <= own for pair, own in zip(zip(left, right, strict=True), types.tolist(), strict=True)],
        dtype=bool,
    )


class _FoundFragments:
    """Collects blocks and files as fragments, each once, and their pairs."""

    def __init__(self, result: SearchResult) -> None:
        table = result.fragments
        functions = np.array([kind == FUNCTION for kind in table["kind"].to_pylist()], dtype=bool)
        file, start, end = (table[name].to_numpy()[functions].astype(np.int64) for name in ("file", "start", "end"))
        self.functions: tuple[Integers, Integers, Integers] = file, start, end
        self._names = table["name"].to_pylist()
        self._function_ignored = result.ignored
        self._lines = result.file_lines
        self._first = table.num_rows
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self._rows: list[tuple[object, ...]] = []
        self._forms: list[tuple[bytes, bytes]] = []
        self._ignored: list[bool] = []
        self._pairs: list[tuple[int, int, float, str]] = []

    def add(self, located: LocatedStatements, kind: str, classes: list[BlockClass]) -> None:
        """Add the members and pairs of classes."""
        if not classes:
            return
        of = FunctionCover(located, self.functions, {}).function_of
        for one in classes:
            numbers = [self._number(located, kind, span, of) for span in one.spans]
            # Pairs of a member that is ignored are dropped later: the others must have pairs of their own.
            numbers.sort(key=lambda number: self._ignored[number - self._first])
            every = one.similarity == 1 and len(numbers) <= _ALL_PAIRS
            pairs = combinations(numbers, 2) if every else ((numbers[0], other) for other in numbers[1:])
            self._pairs += ((min(pair), max(pair), one.similarity, _FOUND_BY[kind]) for pair in pairs)

    def _number(self, located: LocatedStatements, kind: str, span: Span, function_of: Integers) -> int:
        """The number of the fragment that is a span."""
        rows, begin = located.rows, int(located.row_of[span.first])
        last = located.last_row(span) - 1
        file = int(located.file[span.first])
        # With the indentation of the first line, all lines have it.
        start, end = int(rows["start"][begin]) - int(rows["indent"][begin]), int(rows["end"][last])
        tokens, lines = located.size(span), (int(rows["first_line"][begin]), int(rows["last_line"][last]))
        forms = located.digest(span, "exact"), located.digest(span, "renamed")
        if kind == FILE:
            low, high = np.searchsorted(located.row_file, (file, file + 1)).tolist()
            start, end = 0, int(rows["end"][high - 1])
            tokens, lines = int(located.token_total[high] - located.token_total[low]), (1, int(self._lines[file]))
            forms = located.file_digest(file, "exact"), located.file_digest(file, "renamed")
        key = kind, file, start, end
        if key not in self._numbers:
            functions = set(function_of[span.first : span.end].tolist())
            inside = functions.pop() if kind == BLOCK and len(functions) == 1 else -1
            number = self._numbers[key] = self._first + len(self._rows)
            name = self._names[inside] if inside >= 0 else ""
            values = (number, file, name, *lines, tokens, start, end, located.language, kind)
            self._rows.append(values)
            self._forms.append(forms)
            own = located.row_of[span.first : span.end]
            outermost = rows["depth"][own] == rows["depth"][begin]
            marked = bool(rows["ignored"][own][outermost].any()) if kind == BLOCK else False
            self._ignored.append(marked or (inside >= 0 and bool(self._function_ignored[inside])))
        return self._numbers[key]

    def added_to(self, result: SearchResult, kept: npt.NDArray[np.bool_]) -> SearchResult:
        """The result with these fragments and pairs.

        Args:
            result: the result.
            kept: which of its pairs stay.
        """
        columns = list(zip(*self._rows, strict=True)) or [()] * len(FRAGMENTS_FOUND)
        rows = pa.table(
            [pa.array(column, field.type) for column, field in zip(columns, FRAGMENTS_FOUND, strict=True)],
            schema=FRAGMENTS_FOUND,
        )
        left, right, score, finder = zip(*sorted(set(self._pairs)), strict=True) if self._pairs else ((),) * 4
        pairs = pa.table(
            [
                pa.array(left, pa.int64()),
                pa.array(right, pa.int64()),
                pa.array(score, pa.float64()),
                pa.array(finder, pa.string()).cast(PAIRS_FOUND.field("finder").type),
            ],
            schema=result.pairs.schema,
        )
        before = result.pairs.filter(pa.array(kept))
        exact, renamed = (
            np.unique(np.array([forms[at].hex() for forms in self._forms], dtype=str), return_inverse=True)[1]
            for at in (0, 1)
        )
        return dataclasses.replace(
            result,
            fragments=pa.concat_tables([result.fragments, rows]),
            pairs=pa.concat_tables([before, pairs]).unify_dictionaries(),
            blocks=FoundBlocks(exact, renamed, np.array(self._ignored, dtype=bool)),
        )
