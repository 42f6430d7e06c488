"""The items that a classical detector reads from fragments, deduplicated."""

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
from clonetruth.detectors.finder import FinderOptions
from clonetruth.progress import Progress

Items = tuple[bytes, ...]
"""What a detector reads from a fragment: lines, words, fingerprints …"""

_DigestedItems = tuple[bytes, Items]
"""A digest of the items, and the items."""

_Shared = tuple["FragmentReader", FinderOptions]
_Rows = list[tuple[str, str]]

T = TypeVar("T")

_FRAGMENTS = 512
"""Fragments per batch: large enough to hide the cost of sending them to another process."""
_PREFILTER_PARALLEL_FROM, _READ_PARALLEL_FROM = 50_000, 2_000
"""With fewer fragments, starting worker processes costs more than it saves."""

ALL_SIZES = FinderOptions(min_tokens=0, min_lines=0)
"""Skips no fragment, however small."""


class FragmentReader(ABC):
    """Reads fragments. It is pickled for worker processes, so it must be small."""

    @abstractmethod
    def read(self, text: str, language: Language | None) -> Items | None:
        """The items of a text; None if there is nothing to compare.

        Args:
            text: the text.
            language: None for an unsupported language.
        """

    def prefilter_key(self, text: str, language: Language | None) -> bytes | None:
        """A cheap key that is equal for any two texts with equal items; None if the text must be read.

        A text with a unique key need not be read. So only detectors whose distinct items never match may return a key.
        """
        return None


class Tokenized:
    """Reads the fragments of a table; equal items share an id.

    Attributes:
        ids: the id of each fragment's items, -1 where it has none; complete once `distinct` is exhausted.
    """

    def __init__(self, fragments: pa.Table, reader: FragmentReader, options: FinderOptions, processes: int) -> None:
        self.ids: Integers = np.full(fragments.num_rows, -1, dtype=np.int64)
        self._fragments = fragments.select(["language", "text"])
        self._shared = reader, options
        self._processes = processes

    def distinct(self, report: Progress) -> Iterator[Items]:
        """Yield the distinct items in order of id. Texts with a unique prefilter key come first, as empty tuples.

        Consume the iterator once, and to the end.
        """
        everything = np.ones(len(self.ids), dtype=bool)
        prefiltering = partial(report, "Prefiltering fragments")
        keys = list(self._map_batches(_prefilter_batch, everything, _PREFILTER_PARALLEL_FROM, prefiltering))
        holders = Counter(keys)
        large = np.array([key is not None for key in keys], dtype=bool)
        unique = np.array([bool(key) and holders[key] == 1 for key in keys], dtype=bool)
        unread = int(np.count_nonzero(unique))
        self.ids[unique] = np.arange(unread)
        yield from repeat((), unread)
        numbers: dict[bytes, int] = {}
        remaining = large & ~unique
        reading = partial(report, "Reading fragments")
        digested = self._map_batches(_read_batch, remaining, _READ_PARALLEL_FROM, reading)
        for row, one in zip(np.flatnonzero(remaining).tolist(), digested, strict=True):
            if one is None:
                continue
            digest, items = one
            known = len(numbers)
            self.ids[row] = unread + numbers.setdefault(digest, known)
            if len(numbers) > known:
                yield items

    def _map_batches(
        self,
        function: Callable[[_Shared, _Rows], list[T]],
        selected: npt.NDArray[np.bool_],
        parallel_from: int,
        report: Callable[[int, int], None],
    ) -> Iterator[T]:
        """Apply a function to the selected fragments, batch by batch."""
        count = int(np.count_nonzero(selected))
        batches = self._fragments.filter(pa.array(selected)).to_batches(_FRAGMENTS)
        rows = (list(zip(*batch.to_pydict().values(), strict=True)) for batch in batches)
        processes = self._processes if count >= parallel_from else 1
        for results in map_parallel(function, self._shared, rows, processes):
            report(len(results), count)
            yield from results


_MUST_BE_READ = b""
"""Stands for the prefilter key of a text that has none."""


def _prefilter_batch(shared: _Shared, rows: _Rows) -> list[bytes | None]:
    """The prefilter key of each text; None for a text that is too small."""
    reader, options = shared
    keys: list[bytes | None] = []
    for name, text in rows:
        language = _language(name)
        if _large_enough(text, language, options):
            key = reader.prefilter_key(text, language)
            keys.append(_MUST_BE_READ if key is None else blake2b(key, digest_size=16).digest())
        else:
            keys.append(None)
    return keys


def _read_batch(shared: _Shared, rows: _Rows) -> list[_DigestedItems | None]:
    reader, _ = shared
    digested: list[_DigestedItems | None] = []
    for name, text in rows:
        items = reader.read(text, _language(name))
        digested.append(None if items is None else (_digest(items), items))
    return digested


def _language(name: str) -> Language | None:
    return language_named(name) if name in LANGUAGES else None


def _large_enough(text: str, language: Language | None, options: FinderOptions) -> bool:
    if text.strip().count("\n") + 1 < options.min_lines:
        return False
    # A token has at least one character, so that the smallest texts need no lexing.
    return len(text) >= options.min_tokens and (
        not options.min_tokens or len(lexed_tokens(text, language)) >= options.min_tokens
    )


def _digest(items: Items) -> bytes:
    lengths = np.array([len(item) for item in items], dtype=np.int64).tobytes()
    return blake2b(lengths + b"".join(items), digest_size=16).digest()
