"""What a classical detector reads of fragments; equal readings are kept once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from clonetruth.code import LANGUAGES, Language, lexed_tokens, map_parallel
from clonetruth.code import language as language_named
from clonetruth.code.overlap import Integers
from clonetruth.detectors.detector import Progress
from clonetruth.detectors.finder import FindOptions

Items = tuple[bytes, ...]
"""What is read of a fragment: lines, words, fingerprints …"""

_Reading = tuple[bytes, Items]
"""A digest of the items, and the items."""

_FRAGMENTS = 512
"""Fragments read at a time: hides the cost of sending them to another process."""
_PARALLEL_FROM = 4 * _FRAGMENTS
"""Fragments below which starting processes costs more than it brings."""

EVERYTHING = FindOptions(min_tokens=0, min_lines=0)
"""No fragment is too small."""


class Reader(ABC):
    """Reads fragments. Travels to other processes, so it must be small."""

    @abstractmethod
    def read(self, text: str, language: Language | None) -> Items | None:
        """The items of a text; None where there is nothing to compare.

        Args:
            text: the text.
            language: None for a language that we cannot read.
        """


class Readings:
    """Reads the fragments of a table; equal readings are one.

    Attributes:
        which: for every fragment the number of its reading, -1 where there is none; complete when `distinct` ended.
    """

    def __init__(self, fragments: pa.Table, reader: Reader, options: FindOptions, processes: int) -> None:
        self.which: Integers = np.full(fragments.num_rows, -1, dtype=np.int64)
        self._fragments = fragments
        self._shared = reader, options
        self._processes = processes if fragments.num_rows >= _PARALLEL_FROM else 1

    def distinct(self, report: Progress) -> Iterator[Items]:
        """The different readings, in order of appearance; to be read once, and to the end."""
        numbers: dict[bytes, int] = {}
        for row, reading in enumerate(self._read(report)):
            if reading is None:
                continue
            known = len(numbers)
            self.which[row] = numbers.setdefault(reading[0], known)
            if len(numbers) > known:
                yield reading[1]

    def _read(self, report: Progress) -> Iterable[_Reading | None]:
        batches = self._fragments.select(["language", "text"]).to_batches(_FRAGMENTS)
        rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
        for found in map_parallel(_read_batch, self._shared, rows, self._processes):
            report("Reading fragments", len(found), self._fragments.num_rows)
            yield from found


def _read_batch(shared: tuple[Reader, FindOptions], rows: list[tuple[str, str]]) -> list[_Reading | None]:
    reader, options = shared
    found: list[_Reading | None] = []
    for name, text in rows:
        language = language_named(name) if name in LANGUAGES else None
        items = reader.read(text, language) if _large_enough(text, language, options) else None
        found.append(None if items is None else (_digest(items), items))
    return found


def _large_enough(text: str, language: Language | None, options: FindOptions) -> bool:
    if text.strip().count("\n") + 1 < options.min_lines:
        return False
    # A token has a character at least, which spares the lexer the smallest texts.
    return len(text) >= options.min_tokens and (
        not options.min_tokens or len(lexed_tokens(text, language)) >= options.min_tokens
    )


def _digest(items: Items) -> bytes:
    lengths = np.array([len(item) for item in items], dtype=np.int64).tobytes()
    return blake2b(lengths + b"".join(items), digest_size=16).digest()
