"""The result of a search: the files, their functions, and the pairs that finders found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code.discovery_memo import FileState
from clonetruth.code.overlap import Integers
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import decode, read_data

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
        pa.field("kind", pa.string(), nullable=False),
    ]
)
"""The columns of the fragments of a search: functions in the order of the files and of the text, then others.

`fragment` is the row's number, `file` the position of its file in `SearchResult.files`, `name` the name with its
enclosing classes. Lines are 1-based and inclusive. `tokens` does not count comments. `start` and `end` count bytes of
the file's text as UTF-8, decoded and with line breaks of one character, as `clonetruth.code.decode` returns it. `kind`
is one of `KINDS`.
"""

FUNCTION, BLOCK, FILE, LOCATION = KINDS = ("function", "block", "file", "location")
"""What a fragment is; a location is what an external tool reports, and is not a function."""

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
        state: its state before it was read, if that is known and identifies its contents.
    """

    path: Path
    name: str
    language: str
    state: FileState | None = field(default=None, compare=False)


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


def content_digest(data: bytes, language_name: str) -> bytes:
    """Return a digest of the bytes of a file and its language."""
    return blake2b(data, digest_size=16, salt=_salt(language_name)).digest()


@cache
def _salt(language_name: str) -> bytes:
    return blake2b(language_name.encode(), digest_size=16).digest()


class IndexNote(Protocol):
    """A place in the index for a table about a search, which the next search over the same files finds again."""

    def load(self) -> pa.Table | None:
        """Return the stored table; None if there is none."""
        ...

    def save(self, table: pa.Table) -> None:
        """Store a table, replacing the last one."""
        ...


def _no_numbers() -> Integers:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class FoundBlocks:
    """What is known about the fragments that are blocks or files, which are the last ones.

    Attributes:
        exact: a number for each, the same for equal code.
        renamed: a number for each, the same for code that is equal but for names and values.
        ignored: which of them have a comment to ignore them.
    """

    exact: Integers = field(default_factory=_no_numbers)
    renamed: Integers = field(default_factory=_no_numbers)
    ignored: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))


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
        contents: the digest of the contents of each file, empty for skipped ones.
        ignored: which functions have a comment to ignore them; fragments that a tool added come after these.
        explanations: where the index keeps the explanations of clones.
        statements: the statements of each file, as bytes of an array of `STATEMENT`, if they were asked for.
        blocks: what is known about blocks and files.
    """

    files: tuple[SearchedFile, ...]
    fragments: pa.Table
    pairs: pa.Table
    skipped: tuple[SkippedFile, ...]
    broken: tuple[BrokenFile, ...]
    file_lines: Integers
    functions: int
    left_out: dict[str, int] = field(default_factory=dict)
    contents: Sequence[bytes] = ()
    ignored: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    explanations: IndexNote | None = None
    statements: Sequence[bytes] = ()
    blocks: FoundBlocks = field(default_factory=FoundBlocks)
    _last: tuple[int, bytes] = field(default=(-1, b""), init=False, repr=False)

    @property
    def first_block(self) -> int:
        """The number of the first fragment that is a block or a file; those after it are, too."""
        return int(self.fragments.num_rows) - len(self.blocks.exact)

    @property
    def lines(self) -> int:
        """The number of lines of all files."""
        return int(self.file_lines.sum())

    def text(self, fragment: int) -> str:
        """Return the text of a function, read from its file; fastest in the order of fragments.

        Raises:
            InputError: the file can no longer be read.
        """
        file, start, end = self.location(fragment)
        if self._last[0] != file:
            self._last = file, source_bytes(decode(read_data(self.files[file].path)).text)
        return self._last[1][start:end].decode("utf-8", errors="replace")

    def texts(self, fragments: Iterable[int]) -> tuple[dict[int, str], set[int]]:
        """Return the texts of functions, and those of the functions whose file has changed since it was searched.

        Raises:
            InputError: a file can no longer be read.
        """
        texts, outdated = {}, set()
        current, text, changed = -1, b"", False
        # In ascending order, each file is read once.
        for fragment in sorted(set(fragments)):
            number, start, end = self.location(fragment)
            if number != current:
                data = read_data(self.files[number].path)
                changed = bool(self.contents) and (
                    content_digest(data, self.files[number].language) != self.contents[number]
                )
                current, text = number, source_bytes(decode(data).text)
            texts[fragment] = text[start:end].decode("utf-8", errors="replace")
            if changed:
                outdated.add(fragment)
        return texts, outdated

    def location(self, fragment: int) -> tuple[int, int, int]:
        """The position of a function's file in `files`, and its first byte and the one after its last."""
        file, start, end = self._locations
        return int(file[fragment]), int(start[fragment]), int(end[fragment])

    @cached_property
    def _locations(self) -> tuple[Integers, Integers, Integers]:
        file, start, end = (self.fragments[name].to_numpy() for name in ("file", "start", "end"))
        return file, start, end


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
