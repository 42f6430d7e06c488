"""The result of a search: the files, their functions, and the pairs that finders found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from clonetruth.code.overlap import Integers
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import read_source

FRAGMENTS_FOUND = pa.schema(
    [
        pa.field("fragment", pa.int64(), nullable=False),
        pa.field("file", pa.int32(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("first_line", pa.int32(), nullable=False),
        pa.field("last_line", pa.int32(), nullable=False),
        pa.field("tokens", pa.int32(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
    ]
)
"""The columns of the functions of a search, in the order of the files and of the text.

`fragment` is the row's number, `file` the position of its file in `SearchResult.files`, `name` the name with its
enclosing classes. Lines are 1-based and inclusive. `tokens` does not count comments. `start` and `end` count bytes of
the file's text as UTF-8, decoded and with line breaks of one character, as `clonetruth.code.decode` returns it.
"""

PAIRS_FOUND = pa.schema(
    [
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
        pa.field("finder", pa.dictionary(pa.int32(), pa.string()), nullable=False),
    ]
)
"""The columns of found pairs: `left` < `right` are fragments. A pair has a row for each finder that found it."""


@dataclass(frozen=True)
class SearchedFile:
    """A file to search.

    Attributes:
        path: where to read it.
        name: its name in results.
        language: the name of its language.
    """

    path: Path
    name: str
    language: str


@dataclass(frozen=True)
class SkippedFile:
    """A file that could not be searched, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class BrokenFile:
    """A file in which most lines do not parse: its name, its language, and the share of such lines."""

    name: str
    language: str
    share: float


@dataclass(eq=False)
class SearchResult:
    """The result of a search.

    Attributes:
        files: the given files, including skipped ones.
        fragments: the functions that are in a pair, and perhaps others, with the columns of `FRAGMENTS_FOUND`.
        pairs: the found pairs, with the columns of `PAIRS_FOUND`, sorted by finder (in the given order), left, right.
        skipped: the files that could not be searched.
        broken: the files in which most lines do not parse.
        file_lines: the number of lines of each file; 0 for skipped ones.
        functions: the number of their functions, of any size.
        left_out: the number of pairs that each finder found beyond the budget, and that are not among the pairs.
    """

    files: tuple[SearchedFile, ...]
    fragments: pa.Table
    pairs: pa.Table
    skipped: tuple[SkippedFile, ...]
    broken: tuple[BrokenFile, ...]
    file_lines: Integers
    functions: int
    left_out: dict[str, int] = field(default_factory=dict)
    _last: tuple[int, bytes] = field(default=(-1, b""), init=False, repr=False)

    @property
    def lines(self) -> int:
        """The number of lines of all files."""
        return int(self.file_lines.sum())

    def text(self, fragment: int) -> str:
        """Return the text of a function, read from its file; fastest in the order of fragments.

        Raises:
            InputError: the file can no longer be read.
        """
        row: dict[str, int] = self.fragments.slice(fragment, 1).select(["file", "start", "end"]).to_pylist()[0]
        if self._last[0] != row["file"]:
            self._last = row["file"], source_bytes(read_source(self.files[row["file"]].path).text)
        return self._last[1][row["start"] : row["end"]].decode("utf-8", errors="replace")


def joined_pairs(parts: Sequence[tuple[str, pa.Table]]) -> pa.Table:
    """Return the pairs of several finders as one table.

    Args:
        parts: the name of each finder, and its pairs with the columns of `FOUND_PAIRS`.
    """
    names = pa.array([name for name, _ in parts], pa.string())
    tables = [
        table.sort_by([("left", "ascending"), ("right", "ascending")]).append_column(
            PAIRS_FOUND.field("finder"),
            pa.DictionaryArray.from_arrays(pa.array([number] * table.num_rows, pa.int32()), names),
        )
        for number, (_, table) in enumerate(parts)
    ]
    return pa.concat_tables(tables).cast(PAIRS_FOUND) if tables else PAIRS_FOUND.empty_table()
