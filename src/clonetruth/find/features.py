"""What a search keeps of a function for each finder: a trace, which tells all that the comparison needs.

Traces are bytes, so that an index can keep them and processes can send them. That of a function does not depend on
other functions. The results are those of `ClassicalDetector.find`, which reads texts one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import Bags, Form, Language, TokenKind, form_digest
from clonetruth.code.language import LITERALS
from clonetruth.code.overlap import Integers
from clonetruth.code.vocabulary import Hashes, Numbers, Vocabulary
from clonetruth.detectors.classical import ClassicalDetector, PairComparison
from clonetruth.detectors.equal_forms import DROPPED_OR_PUT, EqualFormsDetector, ExactForm, RenamedForm, lexer_suffices
from clonetruth.detectors.token_overlap import OverlapComparison, TokenOverlap
from clonetruth.detectors.tokenized import Items
from clonetruth.find.functions import Functions

Texts = Callable[[int], str]
"""The text of a function by its place."""


@dataclass(frozen=True)
class FeatureReader(ABC):
    """Makes the traces of a detector, and compares by them. Travels to other processes, so it must be small."""

    detector: ClassicalDetector

    @abstractmethod
    def traces(self, functions: Functions) -> pa.Array:
        """The trace of each function, of type ``large_binary``; empty where there is nothing to compare."""

    @abstractmethod
    def compare(self, traces: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """Make functions ready to be compared: what `Readings` and `ClassicalDetector.compare` do for texts.

        Args:
            traces: what `traces` gave.
            texts: their texts, for the few that a trace does not decide.

        Returns:
            The number of each function's reading, -1 where it has none; and the comparison of different readings.
        """


def tracer(detector: ClassicalDetector, language: Language) -> FeatureReader:
    """The quickest way of a detector to look at functions in a language."""
    if isinstance(detector, TokenOverlap):
        return WordFeatures(detector)
    if isinstance(detector, ExactForm | RenamedForm) and (lexer_suffices(language) or language.lexicon.code_inside):
        return FormFeatures(detector, language)
    return ItemFeatures(detector)


def traces_of(detectors: Sequence[ClassicalDetector], functions: Functions) -> list[pa.Array]:
    """The traces of functions for each of several detectors; see `FeatureReader.traces`."""
    ways = [tracer(detector, functions.language) for detector in detectors]
    readers = [way for way in ways if isinstance(way, ItemFeatures)]
    read: dict[ItemFeatures, list[bytes]] = {reader: [] for reader in readers}
    # One function after the other, so that all who want its normal forms parse it once.
    for number in range(len(functions)) if readers else ():
        text = functions.text(number)
        for reader, traces in read.items():
            traces.append(reader.trace(text, functions.language))
    return [
        pa.array(read[way], pa.large_binary()) if isinstance(way, ItemFeatures) else way.traces(functions)
        for way in ways
    ]


class ItemFeatures(FeatureReader):
    """For any detector: the items that it reads of the text."""

    def trace(self, text: str, language: Language) -> bytes:
        """The trace of one function."""
        items = self.detector.read(text, language)
        return b"" if items is None else _packed(items)

    def traces(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.traces`."""
        return traces_of([self.detector], functions)[0]

    def compare(self, traces: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        which, first = _numbered(traces)
        return which, self.detector.compare(_unpacked(traces[row].as_py()) for row in first.tolist())


class WordFeatures(FeatureReader):
    """For `tokens`: hashes of the elements of the bag. The k-th occurrence of a word is an element of its own."""

    detector: TokenOverlap

    def traces(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.traces`."""
        tokens, owner = functions.all_tokens
        vocabulary = functions.lexed.vocabulary
        if self.detector.units == "words":
            words, counts = vocabulary.words(tokens)
            owner = np.repeat(owner, counts)
        else:
            words = vocabulary.whole(tokens)
        sizes = np.bincount(owner, minlength=len(functions))
        return _cut(_elements(words, owner).tobytes(), sizes * _HASH)

    def compare(self, traces: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        which, first = _numbered(traces)
        distinct = traces.take(pa.array(first))
        offsets = np.frombuffer(distinct.buffers()[1], np.int64, len(distinct) + 1) // _HASH
        elements = pa.Array.from_buffers(pa.uint64(), int(offsets[-1]), [None, distinct.buffers()[2]])
        return which, OverlapComparison(Bags(elements.dictionary_encode().indices.to_numpy(), offsets))


@dataclass(frozen=True)
class FormFeatures(FeatureReader):
    """For `exact` and `renamed`, where the lexer sees enough of what counts: a loose and a strict digest of the tokens.

    Functions with equal forms have equal loose digests, and functions with equal strict digests have equal forms;
    only functions that are between are read. There is no strict digest where a tree depends on line breaks.
    """

    detector: ExactForm | RenamedForm
    language: Language

    def traces(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.traces`."""
        tokens, owner = functions.all_tokens
        vocabulary, form = functions.lexed.vocabulary, self.detector.form
        kept = self._kept(vocabulary, tokens)
        hashes = vocabulary.whole(tokens) if form is Form.TYPE1 else vocabulary.blind(tokens)
        loose = _digests(hashes[kept], np.bincount(owner[kept], minlength=len(functions)))
        for number in np.unique(owner[vocabulary.hold_code(tokens)]).tolist():
            loose[number] = _UNTOLD
        if self.language.terminator is not None or self.language.indent_blocks:
            return pa.array(loose, pa.large_binary())
        hashes = vocabulary.strict(tokens) if form is Form.BLIND else vocabulary.whole(tokens)
        strict = _digests(hashes, np.bincount(owner, minlength=len(functions)))
        return pa.array([a + b for a, b in zip(loose, strict, strict=True)], pa.large_binary())

    def _kept(self, vocabulary: Vocabulary, tokens: Numbers) -> npt.NDArray[np.bool_]:
        """The tokens that are in the form of any function that has them."""
        kept = ~vocabulary.among(tokens, DROPPED_OR_PUT)
        if self.language.indent_blocks:  # a string may be documentation, and any literal may stand for a string
            dropped = [TokenKind.STRING] if self.detector.form is Form.TYPE1 else list(LITERALS)
            kept &= ~np.isin(vocabulary.kinds(tokens), dropped)
        return kept

    def compare(self, traces: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        members: dict[bytes, list[int]] = {}
        digests = traces.to_pylist()
        for number, trace in enumerate(digests):
            members.setdefault(trace[:_DIGEST], []).append(number)
        which = np.empty(len(digests), dtype=np.int64)
        readings: dict[bytes, int] = {}
        for group in members.values():
            forms = {digests[number] for number in group}
            decided = len(group) == 1 or (len(forms) == 1 and len(digests[group[0]]) > _DIGEST)
            read: dict[bytes, bytes] = {}
            for number in group:
                trace = digests[number]
                if not decided and (len(trace) == _DIGEST or trace not in read):
                    read[trace] = form_digest(texts(number), self.language, self.detector.form) or trace
                which[number] = readings.setdefault(trace if decided else read[trace], len(readings))
        return which, EqualFormsDetector(())


_UNTOLD = bytes(16)
"""The loose digest of a function whose tokens say too little: those with code in strings."""
_DIGEST, _HASH = 16, 8
"""Bytes of a digest and of a hash."""


def _digests(hashes: Hashes, counts: Integers) -> list[bytes]:
    """Digests of runs of hashes."""
    data = memoryview(hashes.tobytes())
    ends = np.cumsum(counts) * _HASH
    starts = ends - counts * _HASH
    return [_digest(data[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _elements(words: Hashes, owner: Integers) -> Hashes:
    """Hashes of words and how often they came before in the same bag, bag by bag."""
    order = np.lexsort((words, owner))
    words, owner = words[order], owner[order]
    again = np.zeros(len(words), dtype=bool)
    again[1:] = (words[1:] == words[:-1]) & (owner[1:] == owner[:-1])
    place = np.arange(len(words))
    occurrence = place - np.maximum.accumulate(np.where(again, 0, place))
    return words + occurrence.astype(np.uint64) * _OCCURRENCE


_OCCURRENCE = np.uint64(0x9E3779B97F4A7C15)
"""What tells the occurrences of a word apart: any large odd number does."""


def _cut(data: bytes, sizes: Integers) -> pa.Array:
    """Consecutive pieces of bytes."""
    offsets = np.append(0, np.cumsum(sizes))
    return pa.Array.from_buffers(pa.large_binary(), len(sizes), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _packed(items: Items) -> bytes:
    lengths = np.array([len(items), *map(len, items)], dtype=np.int32)
    return lengths.tobytes() + b"".join(items)


def _unpacked(trace: bytes) -> Items:
    count = int(np.frombuffer(trace, np.int32, 1)[0])
    ends = (4 * (count + 1) + np.cumsum(np.frombuffer(trace, np.int32, count, 4))).tolist()
    return tuple(trace[start:end] for start, end in pairwise((4 * (count + 1), *ends)))


def _numbered(traces: pa.Array) -> tuple[Integers, Integers]:
    """The number of each trace among the different ones, -1 for an empty one; and the first place of each of those."""
    offsets = np.frombuffer(traces.buffers()[1], np.int64, len(traces) + 1, traces.offset * 8).tolist()
    data = memoryview(traces.buffers()[2] or b"")
    numbers: dict[bytes, int] = {}
    first: list[int] = []
    which = np.full(len(traces), -1)
    for row, (start, end) in enumerate(pairwise(offsets)):
        if start < end:
            which[row] = number = numbers.setdefault(_digest(data[start:end]), len(numbers))
            if number == len(first):
                first.append(row)
    return which, np.array(first, dtype=np.int64)


def _digest(data: memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
