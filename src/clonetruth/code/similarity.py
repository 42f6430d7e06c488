"""Textual similarity as BigCloneBench defines it.

Two fragments are compared in their blind form (all names one symbol, all literals another), by tokens and by
pretty-printed lines:

    similarity = min(1 - u1/n1, 1 - u2/n2) = LCS / max(n1, n2)

where n is the number of lines (tokens) of a side, u the number of them without a match, and LCS the length of the
longest common subsequence. Sequences become strings of code points, which native code can compare.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from clonetruth.code.forms import FragmentForms
from clonetruth.code.parallel import map_parallel
from clonetruth.errors import InputError

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CHUNK = 5_000_000
"""Pairs measured at a time: bounds memory, and is large enough to find repeated pairs of forms."""

_PARALLEL_FROM = 100_000
"""Distinct pairs from which starting worker processes pays off."""


@dataclass(frozen=True)
class Similarity:
    """Both similarities of a pair, each in [0, 1]; 1 exactly for equal blind forms."""

    line: float
    token: float


def similarity(left: FragmentForms, right: FragmentForms) -> Similarity:
    """Return the similarities of one pair."""
    return Similarity(common_share(left.lines, right.lines), common_share(left.tokens, right.tokens))


def common_share(left: Sequence[bytes] | str, right: Sequence[bytes] | str) -> float:
    """Return the similarity of two sequences: the share of the longer one that both have in common."""
    if left == right:
        return 1.0
    if isinstance(left, str) and isinstance(right, str):
        return float(LCSseq.similarity(left, right)) / max(len(left), len(right))
    codes: dict[bytes | str, int] = {}
    first, second = ([codes.setdefault(item, len(codes)) for item in side] for side in (left, right))
    return float(LCSseq.similarity(first, second)) / max(len(left), len(right))


@dataclass(frozen=True)
class PairMeasures:
    """The measures of many pairs, one entry per pair.

    Attributes:
        line: line similarities.
        token: token similarities.
        syntactic: 1 if the Type-1 forms are equal, 2 if the consistent forms are, else 3.
    """

    line: Floats
    token: Floats
    syntactic: npt.NDArray[np.uint8]


class FormTable:
    """The forms of many fragments, encoded for comparison in bulk.

    Args:
        forms: the fragments' forms, read once; pairs refer to them by position.
    """

    def __init__(self, forms: Iterable[FragmentForms]) -> None:
        type1, consistent, same = _Numbering(), _Numbering(), _Numbering()
        tokens, lines = _Encoder(), _Encoder()
        for form in forms:
            type1.add(form.type1)
            consistent.add(form.consistent)
            sequences = tokens.encode(form.tokens), lines.encode(form.lines)
            if same.add(tuple(sequence.tobytes() for sequence in sequences)):
                tokens.keep(sequences[0])
                lines.keep(sequences[1])
        self._type1, self._consistent, self._same = type1.array(), consistent.array(), same.array()
        self._tokens, self._lines = tokens.sequences(), lines.sequences()

    def __len__(self) -> int:
        return len(self._same)

    def measure(
        self,
        left: Integers,
        right: Integers,
        *,
        processes: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> PairMeasures:
        """Measure pairs.

        Args:
            left, right: positions of the sides, one entry per pair.
            processes: number of worker processes.
            progress: called with the number of pairs done since the last call.
        """
        line, token = np.empty(len(left)), np.empty(len(left))
        for start in range(0, len(left), _CHUNK):
            part = slice(start, start + _CHUNK)
            a, b = self._same[left[part]], self._same[right[part]]
            # Benchmarks have many equal texts: each distinct pair of forms is compared once.
            keys, which = np.unique(np.minimum(a, b) << 32 | np.maximum(a, b), return_inverse=True)
            workers = processes if len(keys) >= _PARALLEL_FROM else 1
            shares = len(a) / len(keys)
            lines, tokens = [], []
            for ratios in map_parallel(_ratios, (self._lines, self._tokens), _batches(keys), workers):
                lines.append(ratios[0])
                tokens.append(ratios[1])
                if progress is not None:
                    progress(round(len(ratios[0]) * shares))
            line[part] = np.concatenate(lines)[which]
            token[part] = np.concatenate(tokens)[which]
        return PairMeasures(line, token, self.syntactic(left, right))

    def syntactic(self, left: Integers, right: Integers) -> npt.NDArray[np.uint8]:
        """Return BigCloneBench's syntactic type of each pair: 1, 2 or 3."""
        kinds = np.full(len(left), 3, dtype=np.uint8)
        kinds[self._consistent[left] == self._consistent[right]] = 2
        kinds[self._type1[left] == self._type1[right]] = 1
        return kinds


class SequenceTable:
    """Sequences of lines or tokens, encoded for comparison in bulk.

    Args:
        sequences: the sequences, read once; pairs refer to them by position.
    """

    def __init__(self, sequences: Iterable[Sequence[bytes]]) -> None:
        encoder = _Encoder()
        for sequence in sequences:
            encoder.keep(encoder.encode(sequence))
        self._sequences = encoder.sequences()

    def ratios(self, left: Integers, right: Integers) -> Floats:
        """Return LCS ÷ the larger length, one entry per pair."""
        if not len(left):
            return np.empty(0)
        order = np.argsort(left, kind="stable")
        ratios = np.empty(len(left))
        ratios[order] = self._sequences.ratios(left[order], right[order])
        return ratios


class _Numbering:
    """Equal items get equal numbers, counted from 0 in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._list: list[int] = []

    def add(self, item: object) -> bool:
        """Number the next item; return whether it is new."""
        known = len(self._numbers)
        self._list.append(self._numbers.setdefault(item, known))
        return len(self._numbers) > known

    def array(self) -> Integers:
        return np.array(self._list, dtype=np.int64)


class _Encoder:
    """Encodes sequences of items as sequences of numbers, and collects the kept ones as `_Sequences`."""

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._kept: list[npt.NDArray[np.int32]] = []

    def encode(self, items: Sequence[bytes]) -> npt.NDArray[np.int32]:
        codes = self._codes
        return np.array([codes.setdefault(item, len(codes)) for item in items], dtype=np.int32)

    def keep(self, sequence: npt.NDArray[np.int32]) -> None:
        self._kept.append(sequence)

    def sequences(self) -> _Sequences:
        # An item that only one sequence has never matches: leaving it out saves time, and keeps the alphabet small
        # enough for code points.
        holders = np.zeros(len(self._codes), dtype=np.int64)
        for sequence in self._kept:
            holders[np.unique(sequence)] += 1
        shared = holders > 1
        if np.count_nonzero(shared) > sys.maxunicode:
            raise InputError(
                f"More than {sys.maxunicode:,} different lines occur in several fragments.",
                hint="Measure the benchmark in parts.",
            )
        points = np.where(shared, np.cumsum(shared) - 1, -1)
        strings = []
        for sequence in self._kept:
            known = points[sequence]
            strings.append(known[known >= 0].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"))
        return _Sequences(strings, np.array([len(sequence) for sequence in self._kept], dtype=np.int64))


@dataclass(frozen=True)
class _Sequences:
    """Sequences as strings over a common alphabet, with their original lengths."""

    strings: list[str]
    lengths: Integers

    def ratios(self, left: Integers, right: Integers) -> Floats:
        """Return LCS ÷ the larger length of pairs that are sorted by their left side."""
        # Pairs with the same left side are compared together: its bit table is built once for all of them.
        bounds = np.flatnonzero(np.diff(left, prepend=left[0] - 1, append=left[-1] + 1))
        strings = self.strings
        common = np.concatenate(
            [
                process.cdist(
                    [strings[left[start]]],
                    [strings[i] for i in right[start:end].tolist()],
                    scorer=LCSseq.similarity,
                    dtype=np.uint32,
                )[0]
                for start, end in pairwise(bounds)
            ]
        )
        larger = np.maximum(self.lengths[left], self.lengths[right])
        ratios: Floats = np.divide(common, larger, out=np.ones(len(left)), where=larger > 0)
        ratios[left == right] = 1.0  # equal forms, even if their strings lack items
        return ratios


def _batches(keys: Integers, size: int = 100_000) -> Iterator[Integers]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def _ratios(sequences: tuple[_Sequences, _Sequences], keys: Integers) -> tuple[Floats, Floats]:
    left, right = keys >> 32, keys & 0xFFFFFFFF
    lines, tokens = sequences
    return lines.ratios(left, right), tokens.ratios(left, right)
