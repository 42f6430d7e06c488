"""Features: what a search keeps of each function for each finder, and compares.

Features are bytes, so that an index can store them and processes can exchange them. The feature of a function does not
depend on other functions. The results equal those of `ClassicalDetector.find`, which reads texts one by one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import compress, pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import Bags, Form, Language, TokenKind, form_digest
from clonetruth.code.forms import printed_text, rewritten, token_digest
from clonetruth.code.language import LITERALS
from clonetruth.code.overlap import Integers
from clonetruth.code.parsing import parse
from clonetruth.code.pretty import Printed
from clonetruth.code.script_masks import without_literals
from clonetruth.code.text_hashes import Hashes, text_hashes
from clonetruth.code.tokens import token_stream
from clonetruth.code.vocabulary import Lexed, Numbers, Vocabulary
from clonetruth.detectors.classical import ClassicalDetector, PairComparison
from clonetruth.detectors.equal_forms import (
    OPTIONAL_SEPARATORS,
    EqualityComparison,
    ExactForm,
    RenamedForm,
    lexer_suffices,
)
from clonetruth.detectors.token_overlap import OverlapComparison, TokenOverlap
from clonetruth.detectors.tokenized import Items
from clonetruth.find.functions import Functions

Texts = Callable[[int], str]
"""Returns the text of a function by its position."""


@dataclass(frozen=True)
class FeatureReader(ABC):
    """Computes the features of a detector, and compares them. It is sent to worker processes, so it must be small."""

    detector: ClassicalDetector

    @abstractmethod
    def features(self, functions: Functions) -> pa.Array:
        """Return the feature of each function, of type ``large_binary``; empty if there is nothing to compare."""

    @abstractmethod
    def compare(self, features: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """Prepare functions for comparison, as `ClassicalDetector.compare` does for texts.

        Args:
            features: the result of `features`.
            texts: the texts of the functions, for the few that features do not decide.

        Returns:
            The number of each function's distinct feature, -1 if it has none; and the comparison of distinct features.
        """


def feature_reader(detector: ClassicalDetector, language: Language) -> FeatureReader:
    """Return the fastest feature reader of a detector for a language."""
    if isinstance(detector, TokenOverlap):
        return WordFeatures(detector)
    if isinstance(detector, ExactForm | RenamedForm) and (lexer_suffices(language) or language.lexicon.code_inside):
        return FormFeatures(detector, language)
    return ItemFeatures(detector)


def features_of(detectors: Sequence[ClassicalDetector], functions: Functions) -> list[pa.Array]:
    """Return the features of functions for each of several detectors; see `FeatureReader.features`."""
    readers = [feature_reader(detector, functions.language) for detector in detectors]
    read: dict[ItemFeatures, list[bytes]] = {reader: [] for reader in readers if isinstance(reader, ItemFeatures)}
    # Function by function, so that readers that need its normal forms parse it once.
    for number in range(len(functions)) if read else ():
        text = functions.text(number)
        for reader, features in read.items():
            features.append(reader.feature(text, functions.language))
    return [
        pa.array(read[reader], pa.large_binary()) if isinstance(reader, ItemFeatures) else reader.features(functions)
        for reader in readers
    ]


class ItemFeatures(FeatureReader):
    """For any detector: the items that it reads from the text."""

    def feature(self, text: str, language: Language) -> bytes:
        """Return the feature of one function."""
        items = self.detector.read(text, language)
        return b"" if items is None else _packed(items)

    def features(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.features`."""
        return features_of([self.detector], functions)[0]

    def compare(self, features: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        which, first = _numbered(features)
        return which, self.detector.compare(_unpacked(features[row].as_py()) for row in first.tolist())


class WordFeatures(FeatureReader):
    """For `tokens`: hashes of the elements of the bag. The k-th occurrence of a word is a separate element."""

    detector: TokenOverlap

    def features(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.features`."""
        tokens, owner = functions.all_tokens
        vocabulary = functions.lexed.vocabulary
        if self.detector.units == "words":
            words, counts = vocabulary.words(tokens)
            owner = np.repeat(owner, counts)
        else:
            words = vocabulary.whole(tokens)
        sizes = np.bincount(owner, minlength=len(functions))
        return _split(_elements(words, owner).tobytes(), sizes * _HASH)

    def compare(self, features: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        which, first = _numbered(features)
        distinct = features.take(pa.array(first))
        offsets = np.frombuffer(distinct.buffers()[1], np.int64, len(distinct) + 1) // _HASH
        elements = pa.Array.from_buffers(pa.uint64(), int(offsets[-1]), [None, distinct.buffers()[2]])
        return which, OverlapComparison(Bags(elements.dictionary_encode().indices.to_numpy(), offsets))


@dataclass(frozen=True)
class FormFeatures(FeatureReader):
    """For `exact` and `renamed`, if the lexer suffices: a loose and a strict digest of the tokens.

    Functions with equal forms have equal loose digests, and functions with equal strict digests have equal forms;
    only functions between the two are parsed, and those whose tokens only the grammar knows. There is no strict digest
    if the tree depends on line breaks, or on which words are names.
    """

    detector: ExactForm | RenamedForm
    language: Language

    def features(self, functions: Functions) -> pa.Array:
        """See `FeatureReader.features`."""
        tokens, owner = functions.all_tokens
        vocabulary, form = functions.lexed.vocabulary, self.detector.form
        loose = self._loose(vocabulary, tokens, owner, len(functions))
        undecided = sorted(self._undecided(functions))
        without_directives = self._loose_without_directives(functions, undecided)
        decided = without_directives or self._loose_by_masks(functions, undecided)
        for number in undecided:
            loose[number] = decided.get(number) or self._loose_by_grammar(functions.text(number))
        language = self.language
        if language.terminator is not None or language.indent_blocks or language.lexicon.words_vary:
            return pa.array(loose, pa.large_binary())
        hashes = vocabulary.strict(tokens) if form is Form.BLIND else vocabulary.whole(tokens)
        strict = _digests(hashes, np.bincount(owner, minlength=len(functions)))
        for number in without_directives:
            strict[number] = b""
        return pa.array([a + b for a, b in zip(loose, strict, strict=True)], pa.large_binary())

    def _loose(self, vocabulary: Vocabulary, tokens: Numbers, owner: Integers, count: int) -> list[bytes]:
        """The loose digests of functions whose tokens the lexer knows."""
        kept = self._kept(vocabulary)[tokens]
        hashes = vocabulary.whole(tokens) if self.detector.form is Form.TYPE1 else vocabulary.blind(tokens)
        return _digests(hashes[kept], np.bincount(owner[kept], minlength=count))

    def _kept(self, vocabulary: Vocabulary) -> npt.NDArray[np.bool_]:
        """For each token of a vocabulary, whether the form of a function always keeps it."""
        every = vocabulary.numbers
        kept = ~vocabulary.among(every, OPTIONAL_SEPARATORS)
        if self.language.lexicon.words_vary and self.detector.form is not Form.TYPE1:
            kept &= np.isin(vocabulary.kinds(every), _SYMBOLS)
        if self.language.indent_blocks:  # a string may be documentation, and any literal may replace a string
            dropped = [TokenKind.STRING] if self.detector.form is Form.TYPE1 else list(LITERALS)
            kept &= ~np.isin(vocabulary.kinds(every), dropped)
        return kept

    def _undecided(self, functions: Functions) -> set[int]:
        """The functions whose tokens only the grammar knows."""
        tokens, owner = functions.all_tokens
        vocabulary = functions.lexed.vocabulary
        inside = vocabulary.hold_code(tokens)
        if self.language.indent_blocks:  # Strings are left out, so that it is enough to know where they end.
            split = [number for number in np.unique(tokens[inside]).tolist() if _ends_in_code(vocabulary.text(number))]
            return set(owner[np.isin(tokens, split)].tolist())
        numbers = set(owner[inside & ~_divisions(functions.lexed, functions.positions)].tolist())
        markup = self.language.lexicon.markup
        numbers.update(_with_macros(functions, self.language))
        if markup is not None:
            found = re.compile(markup).search
            numbers.update(at for at, text in enumerate(functions.sources()) if found(text))
        return numbers

    def _loose_without_directives(self, functions: Functions, numbers: Sequence[int]) -> dict[int, bytes]:
        """The loose digests of those of some functions that only the grammar knows because of directives in them.

        Functions with equal forms have equal directives at equal places, so that both can do without them. Where lines
        end inside of a directive, their tokens do not say, so these functions have no strict digest.
        """
        if self.language.name not in _DIRECTIVES or not numbers:
            return {}
        vocabulary = functions.lexed.vocabulary
        tokens, owner = functions.all_tokens
        rows = functions.lexed.rows[functions.positions]
        macros = set(_with_macros(functions, self.language))
        plain = [number for number in numbers if number not in macros]
        decided = self._loose_outside(vocabulary, tokens, rows, owner, plain)
        directives = set(owner[vocabulary.among(tokens, (b"#",))].tolist())
        # Where there are macros or raw strings, too, the parser says what is left to be lexed.
        others = [number for number in numbers if number in directives and number not in decided]
        lexed = Vocabulary(self.language).lex([_without_strings(functions.text(at), self.language) for at in others])
        owner = lexed.text_of(np.arange(len(lexed.tokens)))
        parsed = self._loose_outside(lexed.vocabulary, lexed.tokens, lexed.rows, owner, range(len(others)))
        return decided | {others[at]: digest for at, digest in parsed.items()}

    def _loose_outside(
        self, vocabulary: Vocabulary, tokens: Numbers, rows: Integers, owner: Integers, numbers: Sequence[int]
    ) -> dict[int, bytes]:
        """The loose digests of those of some functions whose tokens outside of directives are known."""
        first_of_row = np.append(True, (rows[1:] != rows[:-1]) | (owner[1:] != owner[:-1]))[: len(rows)]
        begins = np.flatnonzero(first_of_row)
        directive = vocabulary.among(tokens[begins], (b"#",))
        inside = np.repeat(directive, np.diff(np.append(begins, len(rows))))
        known = inside & vocabulary.among(tokens, (b"#", b"##"))
        doubtful = np.unique(owner[vocabulary.hold_code(tokens) & ~known])
        sure = np.setdiff1d(np.array(numbers, dtype=np.int64), doubtful)
        if not len(sure):
            return {}
        place = np.full(int(max(owner.max(), sure.max())) + 1, -1)
        place[sure] = np.arange(len(sure))
        kept = ~inside & (place[owner] >= 0)
        digests = self._loose(vocabulary, tokens[kept], place[owner[kept]], len(sure))
        return dict(zip(sure.tolist(), digests, strict=True))

    def _loose_by_masks(self, functions: Functions, numbers: Sequence[int]) -> dict[int, bytes]:
        """The loose digests of those of some functions whose tokens are known without their opaque literals.

        Functions with equal forms have equal literals at equal places, so that both can do without them.
        """
        if self.language.lexicon.markup is None or self.language.script is not None or not numbers:
            return {}
        lexed = _without_literals(functions, tuple(numbers), self.language)
        tokens, vocabulary = lexed.tokens, lexed.vocabulary
        positions = np.arange(len(tokens))
        owner = lexed.text_of(positions)
        doubtful = vocabulary.hold_code(tokens) & ~_divisions(lexed, positions)
        codes = vocabulary.coded(tokens, {b"<": 1, b"/": 2, b">": 3})
        before, after = codes[:-1], codes[1:]
        doubtful[1:] |= (before == 1) & (after == 2) | (before == 2) & (after == 3)  # markup
        unsure = set(owner[doubtful].tolist())
        digests = self._loose(vocabulary, tokens, owner, len(numbers))
        return {number: digests[at] for at, number in enumerate(numbers) if at not in unsure}

    def _loose_by_grammar(self, text: str) -> bytes:
        """The loose digest from the form itself, equal to that of a function with this form whose tokens decide."""
        form = Form.TYPE1 if self.detector.form is Form.TYPE1 else Form.BLIND
        if self.language.indent_blocks:
            vocabulary = Vocabulary(self.language)
            tokens = vocabulary.lex([_without_strings(text, self.language)]).tokens
            hashes = vocabulary.whole(tokens) if form is Form.TYPE1 else vocabulary.blind(tokens)
            return _digest(memoryview(hashes[self._kept(vocabulary)[tokens]].tobytes()))
        written = rewritten(_tokens_by_grammar(text, self.language), self.language, form)
        if not self.language.lexicon.words_vary:  # then there is no such function
            return token_digest([token for token in written if token not in OPTIONAL_SEPARATORS])
        kind_of = self.language.kind_of
        # The lexer sees several tokens in some that are one for the grammar (`new.target`).
        pieces = [piece for token in written for piece in self.language.token_pattern.findall(token)]
        kept = [
            piece
            for piece in pieces
            if piece not in OPTIONAL_SEPARATORS and (form is Form.TYPE1 or kind_of[piece] in _SYMBOLS)
        ]
        return _digest(memoryview(text_hashes(kept).tobytes()))

    def compare(self, features: pa.Array, texts: Texts) -> tuple[Integers, PairComparison]:
        """See `FeatureReader.compare`."""
        members: dict[bytes, list[int]] = {}
        digests = features.to_pylist()
        for number, feature in enumerate(digests):
            members.setdefault(feature[:_DIGEST], []).append(number)
        which = [0] * len(digests)
        numbers: dict[bytes, int] = {}
        for group in members.values():
            if len(group) == 1:  # as most are
                which[group[0]] = numbers.setdefault(digests[group[0]], len(numbers))
                continue
            distinct = {digests[number] for number in group}
            decided = len(distinct) == 1 and len(digests[group[0]]) > _DIGEST
            forms: dict[bytes, bytes] = {}
            for number in group:
                feature = digests[number]
                if not decided and (len(feature) == _DIGEST or feature not in forms):
                    forms[feature] = form_digest(texts(number), self.language, self.detector.form) or feature
                which[number] = numbers.setdefault(feature if decided else forms[feature], len(numbers))
        return np.array(which, dtype=np.int64), EqualityComparison(())


_SYMBOLS = [TokenKind.OPERATOR, TokenKind.PUNCTUATION, TokenKind.OTHER]
_VALUES = [TokenKind.IDENTIFIER, TokenKind.NUMBER]
_DIGEST, _HASH = 16, 8
"""Bytes of a digest and of a hash."""


@lru_cache(maxsize=1)
def _without_literals(functions: Functions, numbers: tuple[int, ...], language: Language) -> Lexed:
    """Return the tokens of some functions without template strings and regular expressions.

    Cached for two detectors in a row.
    """
    sources = [*functions.sources()]
    return Vocabulary(language).lex([without_literals(sources[number]) for number in numbers])


@lru_cache(maxsize=1)
def _with_macros(functions: Functions, language: Language) -> list[int]:
    """Return the functions with text that is not in the language by itself. Cached for two detectors in a row."""
    script = language.script
    return [] if script is None else [at for at, text in enumerate(functions.sources()) if script(text) != text]


def _divisions(lexed: Lexed, positions: Integers) -> npt.NDArray[np.bool_]:
    """Which tokens divide the value before them; elsewhere, a slash begins a regular expression."""
    tokens, vocabulary = lexed.tokens[positions], lexed.vocabulary
    slashes = np.flatnonzero(vocabulary.among(tokens, (b"/", b"/=")))
    slashes = slashes[(slashes > 0) & (slashes < len(tokens) - 1)]
    before = tokens[slashes - 1]
    apart = lexed.starts[positions[slashes + 1]] > lexed.ends[positions[slashes]]
    value = np.isin(vocabulary.kinds(before), _VALUES) | vocabulary.among(before, (b"]",))
    divisions = np.zeros(len(tokens), dtype=bool)
    # After a condition in parentheses there can be a regular expression, which hardly ever begins with a blank.
    divisions[slashes] = value | (vocabulary.among(before, (b")",)) & apart)
    return divisions


def _ends_in_code(string: bytes) -> bool:
    """Whether a string seems to end inside the code in it, which has the same quotes."""
    return string.count(b"{") != string.count(b"}")


def _without_strings(text: str, language: Language) -> bytes:
    """Return a text with an empty string in place of each that tokens cannot delimit: with code in it, or raw."""
    parsed = parse(text, language, lone=True)
    source, pieces, position = parsed.source, [], parsed.start
    query = _LONG_STRINGS.get(language.name)
    strings = parsed.captures(query).get("string", []) if query else []
    for start, end in sorted((node.start_byte, node.end_byte) for node in strings):
        if start >= position:  # else it is inside another
            pieces += [source[position:start], b'""']
            position = end
    return b"".join([*pieces, source[position : parsed.end]])


@lru_cache(maxsize=1024)
def _tokens_by_grammar(text: str, language: Language) -> Printed:
    """Return the tokens of a function, up to optional separators and layout those of its pretty-printed text.

    Cached for two detectors in a row. Printing takes longer, and hardly any of these functions is ever printed.
    """
    markup = language.lexicon.markup
    if markup is not None and re.search(markup, _symbols(text, language)):
        return printed_text(text, language)  # the printer drops empty braces, and changes the white space in texts
    parsed = parse(text, language, lone=True)
    stream = token_stream(parsed)
    if markup is None:
        return Printed(stream.texts, stream.kinds, [])
    # Without opaque literals, like functions that are read without a tree.
    nodes = parsed.captures(_OPAQUE_LITERALS).get("literal", [])
    kept = [text[:1] != b"`" for text in stream.texts]
    for node in nodes:
        first, last = bisect_left(stream.starts, node.start_byte), bisect_left(stream.starts, node.end_byte)
        kept[first:last] = [False] * (last - first)
    return Printed([*compress(stream.texts, kept)], bytearray(compress(stream.kinds, kept)), [])


def _symbols(text: str, language: Language) -> bytes:
    """Return a text without comments, white space and literals, in which there may be something like markup, too."""
    found = language.match_pattern.findall(without_literals(text.encode("utf-8", errors="replace")))
    tokens = map(language.match_token.__getitem__, found)
    return b"".join([token for token, kind in tokens if kind not in (TokenKind.TRIVIA, TokenKind.STRING)])


_DIRECTIVES = frozenset(["c", "cpp"])
"""Languages in which a line that begins with ``#`` is a directive."""
_LONG_STRINGS = {"python": "(string (interpolation)) @string", "cpp": "(raw_string_literal) @string"}
_OPAQUE_LITERALS = "[(template_string) (regex)] @literal"


def _digests(hashes: Hashes, counts: Integers) -> list[bytes]:
    """Return digests of consecutive runs of hashes."""
    data = memoryview(hashes.tobytes())
    ends = np.cumsum(counts) * _HASH
    starts = ends - counts * _HASH
    return [_digest(data[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _elements(words: Hashes, owner: Integers) -> Hashes:
    """Return hashes of words together with their occurrence in the bag, bag by bag."""
    order = _order(words, owner)
    words, owner = words[order], owner[order]
    again = np.zeros(len(words), dtype=bool)
    again[1:] = (words[1:] == words[:-1]) & (owner[1:] == owner[:-1])
    position = np.arange(len(words))
    occurrence = position - np.maximum.accumulate(np.where(again, 0, position))
    return words + occurrence.astype(np.uint64) * _OCCURRENCE


def _order(words: Hashes, owner: Integers) -> Integers:
    """The order of words by owner, then by hash; owners ascend already."""
    bits = int(owner[-1] if len(owner) else 0).bit_length()
    # A stable sort of one number each is several times as fast as `lexsort`.
    keys = (owner.astype(np.uint64) << np.uint64(64 - bits) if bits else np.uint64(0)) | words >> np.uint64(bits)
    order: Integers = np.argsort(keys, kind="stable")
    alike = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    if (words[order[alike]] != words[order[alike + 1]]).any():  # they differ only in the bits that had no room
        order = np.lexsort((words, owner))
    return order


_OCCURRENCE = np.uint64(0x9E3779B97F4A7C15)
"""Distinguishes the occurrences of a word; any large odd number will do."""


def _split(data: bytes, sizes: Integers) -> pa.Array:
    """Split bytes into consecutive parts."""
    offsets = np.append(0, np.cumsum(sizes))
    return pa.Array.from_buffers(pa.large_binary(), len(sizes), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _packed(items: Items) -> bytes:
    lengths = np.array([len(items), *map(len, items)], dtype=np.int32)
    return lengths.tobytes() + b"".join(items)


def _unpacked(feature: bytes) -> Items:
    count = int(np.frombuffer(feature, np.int32, 1)[0])
    ends = (4 * (count + 1) + np.cumsum(np.frombuffer(feature, np.int32, count, 4))).tolist()
    return tuple(feature[start:end] for start, end in pairwise((4 * (count + 1), *ends)))


def _numbered(features: pa.Array) -> tuple[Integers, Integers]:
    """Number distinct features, -1 for an empty one; also return the first position of each distinct feature."""
    offsets = np.frombuffer(features.buffers()[1], np.int64, len(features) + 1, features.offset * 8).tolist()
    data = memoryview(features.buffers()[2] or b"")
    numbers: dict[bytes, int] = {}
    first: list[int] = []
    which = np.full(len(features), -1)
    for row, (start, end) in enumerate(pairwise(offsets)):
        if start < end:
            which[row] = number = numbers.setdefault(_digest(data[start:end]), len(numbers))
            if number == len(first):
                first.append(row)
    return which, np.array(first, dtype=np.int64)


def _digest(data: memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
