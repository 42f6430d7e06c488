"""What a classical detector reads of fragments; equal readings are kept once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import repeat
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import LANGUAGES, Language, lexed_tokens, map_parallel
from clonetruth.code import language as language_named
from clonetruth.code.overlap import Integers
from clonetruth.detectors.finder import FindOptions
from clonetruth.progress import Progress

Items = tuple[bytes, ...]
"""What is read of a fragment: lines, words, fingerprints …"""

_Reading = tuple[bytes, Items]
"""A digest of the items, and the items."""

_Shared = tuple["FragmentReader", FindOptions]
_Rows = list[tuple[str, str]]

T = TypeVar("T")

_FRAGMENTS = 512
"""Fragments read at a time: hides the cost of sending them to another process."""
_SIEVE_PARALLEL_FROM, _READ_PARALLEL_FROM = 50_000, 2_000
"""Fragments below which starting processes costs more than it brings."""

EVERYTHING = FindOptions(min_tokens=0, min_lines=0)
"""No fragment is too small."""


class FragmentReader(ABC):
    """Reads fragments. Travels to other processes, so it must be small."""

    @abstractmethod
    def read(self, text: str, language: Language | None) -> Items | None:
        """The items of a text; None where there is nothing to compare.

        Args:
            text: the text.
            language: None for a language that we cannot read.
        """

    def sieve(self, text: str, language: Language | None) -> bytes | None:
        """Something that is equal wherever the items of two texts are, and costs far less; None if there is no such.

        A text that is alone with it need not be read. So it is of use only where different items never match.
        """
        return None


class Tokenized:
    """Reads the fragments of a table; equal readings are one.

    Attributes:
        which: for every fragment the number of its reading, -1 where there is none; complete when `distinct` ended.
    """

    def __init__(self, fragments: pa.Table, reader: FragmentReader, options: FindOptions, processes: int) -> None:
        self.which: Integers = np.full(fragments.num_rows, -1, dtype=np.int64)
        self._fragments = fragments.select(["language", "text"])
        self._shared = reader, options
        self._processes = processes

    def distinct(self, report: Progress) -> Iterator[Items]:
        """The different readings, in order of appearance, those that need not be read first and as no items.

        To be read once, and to the end.
        """
        told = partial(report, "Sieving fragments")
        sieved = list(self._over(_sieve_batch, np.ones(len(self.which), dtype=bool), _SIEVE_PARALLEL_FROM, told))
        holders = Counter(sieved)
        large = np.array([key is not None for key in sieved], dtype=bool)
        alone = np.array([bool(key) and holders[key] == 1 for key in sieved], dtype=bool)
        lonely = int(np.count_nonzero(alone))
        self.which[alone] = np.arange(lonely)
        yield from repeat((), lonely)
        numbers: dict[bytes, int] = {}
        left = large & ~alone
        told = partial(report, "Reading fragments")
        readings = self._over(_read_batch, left, _READ_PARALLEL_FROM, told)
        for row, reading in zip(np.flatnonzero(left).tolist(), readings, strict=True):
            if reading is None:
                continue
            known = len(numbers)
            self.which[row] = lonely + numbers.setdefault(reading[0], known)
            if len(numbers) > known:
                yield reading[1]

    def _over(
        self,
        function: Callable[[_Shared, _Rows], list[T]],
        chosen: npt.NDArray[np.bool_],
        parallel_from: int,
        report: Callable[[int, int], None],
    ) -> Iterator[T]:
        """What a function gives for each of the chosen fragments."""
        count = int(np.count_nonzero(chosen))
        batches = self._fragments.filter(pa.array(chosen)).to_batches(_FRAGMENTS)
        rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
        processes = self._processes if count >= parallel_from else 1
        for found in map_parallel(function, self._shared, rows, processes):
            report(len(found), count)
            yield from found


_TOLD_BY_READING = b""
"""What the sieve says of a text that must be read."""


def _sieve_batch(shared: _Shared, rows: _Rows) -> list[bytes | None]:
    """What the sieve says of each text; None for one that is too small."""
    reader, options = shared
    found: list[bytes | None] = []
    for name, text in rows:
        language = _language(name)
        if _large_enough(text, language, options):
            key = reader.sieve(text, language)
            found.append(_TOLD_BY_READING if key is None else blake2b(key, digest_size=16).digest())
        else:
            found.append(None)
    return found


def _read_batch(shared: _Shared, rows: _Rows) -> list[_Reading | None]:
    reader, _ = shared
    found: list[_Reading | None] = []
    for name, text in rows:
        items = reader.read(text, _language(name))
        found.append(None if items is None else (_digest(items), items))
    return found


def _language(name: str) -> Language | None:
    return language_named(name) if name in LANGUAGES else None


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
