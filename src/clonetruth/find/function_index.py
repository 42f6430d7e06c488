"""The functions of a project, kept in memory, to ask which of them are most similar to a piece of code.

A function is looked up by the words of its names and strings, and by short sequences of its tokens without names and
values: the first finds what does the same in other words of syntax, the second what was copied and renamed. The best
candidates of both are then compared with the code itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from clonetruth.code import Language, TokenKind, clone_type, decode, extract, language
from clonetruth.code.discovery import DiscoveredFile, Discovery, DiscoveryOptions, discover, shown_name
from clonetruth.code.overlap import Integers
from clonetruth.code.parsing import source_bytes
from clonetruth.code.text_hashes import Hashes
from clonetruth.code.vocabulary import Numbers, Vocabulary
from clonetruth.detectors.finder import FinderOptions
from clonetruth.errors import InputError
from clonetruth.find.clone_text import read_text
from clonetruth.find.differences import differences
from clonetruth.find.functions import clear_token_cache, functions_of
from clonetruth.find.reading import raw_bytes
from clonetruth.find.search_result import SearchedFile
from clonetruth.user_cache import Stamp, file_stamp

MIN_TOKENS = 15
"""Functions with fewer tokens are not indexed: it takes longer to find them than to write them again."""

_FAMILIES = (frozenset(("javascript", "typescript", "tsx")), frozenset(("c", "cpp")))
"""Languages whose functions are compared with each other."""
_CANDIDATES = 24
"""Functions that each lookup proposes."""
_LEAST_SCORE = 0.35
"""Mean of both similarities below which a function is not worth reading."""
_LEAST_WORDS, _COPIED = 0.15, 0.85
"""Shared words below which code of the same shape is unrelated; token similarity from which it is a copy anyway."""
_BATCH = 4 * 1024**2
_WORD = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^\x00-\x7f]+")
_WORD_KINDS = {int(kind) for kind in (TokenKind.IDENTIFIER, TokenKind.TYPE, TokenKind.STRING)}
_GRAM = 4
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SimilarFunction:
    """A function of a project that is similar to a piece of code. Lines are 1-based and inclusive.

    Attributes:
        path: the name of its file, relative to the folder of the index.
        first_line: its first line.
        last_line: its last line.
        name: its qualified name.
        language: its language's name.
        clone_type: the textual clone type of both, under the rule `min`.
        similarity: their token similarity, as BigCloneBench defines it: without names and values.
        shared_words: the share of the words in names and strings that they have in common, rare words counting more.
        differences: how it differs from the code, for people.
    """

    path: str
    first_line: int
    last_line: int
    name: str
    language: str
    clone_type: str
    similarity: float
    shared_words: float
    differences: str

    @property
    def score(self) -> float:
        """The mean of both similarities."""
        return (self.similarity + self.shared_words) / 2

    @property
    def location(self) -> str:
        """Its path and lines: `src/a.py:3-12`."""
        return f"{self.path}:{self.first_line}-{self.last_line}"


@dataclass(frozen=True)
class SimilarFunctions:
    """The answer to a question.

    Attributes:
        language: the language in which the code was read.
        name: the name of the function that was compared; None if the code is not a function.
        functions: the similar functions, best first.
        searched: the number of functions that the code was compared with: those in its language, or one like it.
    """

    language: str
    name: str | None
    functions: tuple[SimilarFunction, ...]
    searched: int


class _Features:
    """Sets of hashes of several functions: the hashes, concatenated, and the function of each."""

    def __init__(self, hashes: Hashes, owner: Integers) -> None:
        order = np.lexsort((hashes, owner))
        hashes, owner = hashes[order], owner[order]
        new = np.ones(len(hashes), dtype=bool)
        new[1:] = (hashes[1:] != hashes[:-1]) | (owner[1:] != owner[:-1])
        self.hashes, self.owner = hashes[new], owner[new]


class _Lookup:
    """Which functions share the most features with another one, rare features counting more.

    Args:
        parts: the features of the functions of each file.
        starts: the number of the first function of each file.
        count: the number of functions.
    """

    def __init__(self, parts: Sequence[_Features], starts: Sequence[int], count: int) -> None:
        hashes = np.concatenate([np.empty(0, np.uint64), *(part.hashes for part in parts)])
        owners = [part.owner + start for part, start in zip(parts, starts, strict=True)]
        self._owner = np.concatenate([np.empty(0, np.int64), *owners])
        self._known, self._number = np.unique(hashes, return_inverse=True)
        frequency = np.bincount(self._number, minlength=len(self._known))
        self._weight = np.log1p(count / np.maximum(frequency, 1))
        self._unknown_weight = float(np.log1p(count))
        self._total = np.bincount(self._owner, self._weight[self._number], minlength=count)

    def scores(self, asked: Hashes) -> Floats:
        """The share of features that each function has in common with some features, by weight."""
        at = np.searchsorted(self._known, asked)
        found = at[(at < len(self._known)) & (self._known[np.minimum(at, len(self._known) - 1)] == asked)]
        wanted = np.zeros(len(self._known), dtype=bool)
        wanted[found] = True
        shared = wanted[self._number]
        common = np.bincount(self._owner[shared], self._weight[self._number[shared]], minlength=len(self._total))
        own = float(self._weight[found].sum()) + self._unknown_weight * (len(asked) - len(found))
        both = self._total + own
        scores: Floats = np.divide(2 * common, both, out=np.zeros_like(both), where=both > 0)
        return scores


@dataclass(frozen=True)
class _FileEntry:
    """The functions of a file."""

    file: DiscoveredFile
    stamp: Stamp | None
    names: Sequence[str]
    places: Integers
    words: _Features
    grams: _Features


@dataclass(frozen=True)
class _LanguageIndex:
    """The functions of a family of languages: the file of each, its position there, and both lookups."""

    entries: Sequence[_FileEntry]

    @cached_property
    def starts(self) -> list[int]:
        return list(accumulate((len(entry.names) for entry in self.entries), initial=0))

    @cached_property
    def words(self) -> _Lookup:
        return _Lookup([entry.words for entry in self.entries], self.starts[:-1], self.starts[-1])

    @cached_property
    def grams(self) -> _Lookup:
        return _Lookup([entry.grams for entry in self.entries], self.starts[:-1], self.starts[-1])

    def place(self, function: int) -> tuple[_FileEntry, int]:
        """The file of a function, and its position among the functions of the file."""
        file = int(np.searchsorted(self.starts, function, side="right")) - 1
        return self.entries[file], function - self.starts[file]


class FunctionIndex:
    """The functions below a folder. Each question first reads the files that changed. It never runs code.

    Args:
        folder: the folder; links that lead out of it are not read.
        options: which files to read.
        min_tokens: skip functions with fewer tokens.

    Raises:
        InputError: the folder does not exist.
    """

    def __init__(self, folder: Path, options: DiscoveryOptions | None = None, min_tokens: int = MIN_TOKENS) -> None:
        if not folder.is_dir():
            raise InputError("There is no such folder.", where=folder)
        self.folder = folder.resolve()
        self._options = replace(options or DiscoveryOptions(), within=self.folder)
        self._limits = FinderOptions(min_tokens=min_tokens)
        self._entries: dict[Path, _FileEntry] = {}
        self._families: dict[frozenset[str], _LanguageIndex] = {}
        self._lock = Lock()
        self.discovery = Discovery()

    def __len__(self) -> int:
        return sum(len(entry.names) for entry in self._entries.values())

    def refresh(self) -> None:
        """Read the files that are new or have changed, and forget those that are gone."""
        with self._lock:
            self.discovery = discover([self.folder], self._options)
            stamps = {file.path: _stamp(file.path) for file in self.discovery.files}
            kept = {
                path: entry
                for path, entry in self._entries.items()
                if entry.stamp is not None and stamps.get(path) == entry.stamp
            }
            known = {entry.file.path: entry.file.language for entry in kept.values()}
            unread = [file for file in self.discovery.files if known.get(file.path) != file.language]
            if unread or len(kept) < len(self._entries):
                entries = kept | {entry.file.path: entry for entry in self._read(unread, stamps)}
                self._entries = {file.path: entries[file.path] for file in self.discovery.files}
                self._families = {}

    def similar(self, code: str, language_name: str | None = None, top: int = 5) -> SimilarFunctions:
        """Return the functions that are most similar to a piece of code, best first.

        Args:
            code: a function, or statements. If there are several functions, the largest is looked up.
            language_name: its language (default: the language of the project in which it parses best).
            top: the maximum number of functions.

        Raises:
            InputError: there is no code, or its language is not given and there is no source file in the folder.
            UnknownNameError: the language is unknown.
        """
        if not code.strip():
            raise InputError("There is no code to look up.")
        own = language(language_name) if language_name else None
        self.refresh()
        own = own or self._guessed(code)
        functions = extract(code, own, lone=True).functions
        largest = max(functions, key=lambda one: len(one.text), default=None)
        text = largest.text if largest else code
        family = _family(own.name)
        index = self._family_index(family)
        found: list[SimilarFunction] = []
        if index.starts[-1]:
            vocabulary = Vocabulary(own)
            lexed = vocabulary.lex([source_bytes(text)])
            owner = np.zeros(len(lexed.tokens), dtype=np.int64)
            words = index.words.scores(_words(vocabulary, lexed.tokens, owner).hashes)
            grams = index.grams.scores(_grams(vocabulary, lexed.tokens, owner).hashes)
            for number in sorted({at for scores in (words, grams, words + grams) for at in _best(scores)}):
                one = self._compared(text, index, number, float(words[number]))
                if one is not None and _is_worth_reading(one):
                    found.append(one)
        found.sort(key=lambda one: (one.clone_type not in ("T1", "T2"), -one.score, one.path, one.first_line))
        name = largest.qualified_name if largest else None
        return SimilarFunctions(own.name, name, tuple(found[:top]), index.starts[-1])

    def guess_language(self, code: str) -> str:
        """Return the language of the project in which some code parses best; the most frequent one if several do.

        Raises:
            InputError: there is no source file in the folder.
        """
        self.refresh()
        return self._guessed(code).name

    def _guessed(self, code: str) -> Language:
        counts: dict[str, int] = {}
        for entry in self._entries.values():
            counts[entry.file.language] = counts.get(entry.file.language, 0) + len(entry.names)
        if not counts:
            raise InputError("There is no source file that tells the language of the code.", hint="Give its language.")
        names = sorted(counts, key=lambda name: -counts[name])
        parsed = {name: extract(code, language(name), lone=True) for name in names}
        best = min(names, key=lambda name: (parsed[name].parsed.broken_share, not parsed[name].functions))
        return language(best)

    def _family_index(self, family: frozenset[str]) -> _LanguageIndex:
        with self._lock:
            if family not in self._families:
                entries = [one for one in self._entries.values() if one.file.language in family and one.names]
                self._families[family] = _LanguageIndex(entries)
            return self._families[family]

    def _compared(self, code: str, index: _LanguageIndex, number: int, shared: float) -> SimilarFunction | None:
        entry, at = index.place(number)
        first, last, start, end = entry.places[at].tolist()
        content = raw_bytes(SearchedFile(entry.file.path, entry.file.name, entry.file.language))
        if isinstance(content, str):  # deleted since it was indexed
            return None
        text = source_bytes(decode(content).text)[start:end].decode("utf-8", errors="replace")
        name = entry.file.language
        measured = clone_type(read_text((name, code)).forms, read_text((name, text)).forms, "min")
        return SimilarFunction(
            path=entry.file.name,
            first_line=first,
            last_line=last,
            name=entry.names[at],
            language=name,
            clone_type=measured.name,
            similarity=measured.similarity.token,
            shared_words=shared,
            differences=str(differences(code, text, language(name))),
        )

    def _read(self, files: Sequence[DiscoveredFile], stamps: dict[Path, Stamp | None]) -> Iterator[_FileEntry]:
        for batch in _batches(files):
            contents = [raw_bytes(SearchedFile(file.path, file.name, file.language)) for file in batch]
            texts = [b"" if isinstance(one, str) else source_bytes(decode(one).text) for one in contents]
            parts = functions_of(texts, language(batch[0].language), self._limits).parts
            entries: dict[int, _FileEntry] = {}
            for part in parts:
                tokens, owner = part.all_tokens
                words, grams = (read(part.lexed.vocabulary, tokens, owner) for read in (_words, _grams))
                places = np.column_stack([part.first_line, part.last_line, part.start, part.end])
                for number in np.unique(part.file).tolist():
                    own = np.flatnonzero(part.file == number)
                    entries[number] = _FileEntry(
                        file=self._named(batch[number]),
                        stamp=stamps[batch[number].path],
                        names=[part.name[at] for at in own.tolist()],
                        places=places[own],
                        words=_of_functions(words, own),
                        grams=_of_functions(grams, own),
                    )
            nothing = _Features(np.empty(0, np.uint64), np.empty(0, np.int64))
            for number, file in enumerate(batch):
                empty = _FileEntry(
                    self._named(file), stamps[file.path], (), np.empty((0, 4), np.int64), nothing, nothing
                )
                yield entries.get(number, empty)
        clear_token_cache()

    def _named(self, file: DiscoveredFile) -> DiscoveredFile:
        """The file with its name from the folder on, wherever the process works."""
        return file._replace(name=file.name.removeprefix(f"{shown_name(self.folder)}/"))


def _is_worth_reading(one: SimilarFunction) -> bool:
    if one.clone_type in ("T1", "T2") or one.similarity >= _COPIED:
        return True
    return one.score >= _LEAST_SCORE and one.shared_words >= _LEAST_WORDS


def _family(name: str) -> frozenset[str]:
    return next((family for family in _FAMILIES if name in family), frozenset((name,)))


def _stamp(path: Path) -> Stamp | None:
    try:
        return file_stamp(path)
    except OSError:
        return None


def _batches(files: Sequence[DiscoveredFile]) -> Iterator[list[DiscoveredFile]]:
    """Split files into batches of one language and a suitable size."""
    by_language: dict[str, list[DiscoveredFile]] = {}
    for file in files:
        by_language.setdefault(file.language, []).append(file)
    for same in by_language.values():
        batch: list[DiscoveredFile] = []
        size = 0
        for file in same:
            batch.append(file)
            stamp = _stamp(file.path)
            size += stamp[0] if stamp else 0
            if size >= _BATCH:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch


def _best(scores: Floats) -> list[int]:
    count = min(_CANDIDATES, len(scores))
    best = np.argpartition(-scores, count - 1)[:count]
    return [int(at) for at in best if scores[at] > 0]


def _of_functions(features: _Features, functions: Integers) -> _Features:
    """The features of some functions, numbered from 0."""
    first = np.searchsorted(features.owner, functions, side="left")
    last = np.searchsorted(features.owner, functions, side="right")
    hashes = [features.hashes[start:end] for start, end in zip(first.tolist(), last.tolist(), strict=True)]
    owner = np.repeat(np.arange(len(functions)), last - first)
    return _Features(np.concatenate([np.empty(0, np.uint64), *hashes]), owner)


def _words(vocabulary: Vocabulary, tokens: Numbers, owner: Integers) -> _Features:
    """The words of the names and strings of functions: `readFile` and `read_file` have the same."""
    distinct, which = np.unique(tokens, return_inverse=True)
    kinds = vocabulary.kinds(distinct).tolist()
    hashes: list[int] = []
    counts: list[int] = []
    for number, kind in zip(distinct.tolist(), kinds, strict=True):
        found = {word.lower() for word in _WORD.findall(vocabulary.text(number))} if kind in _WORD_KINDS else set()
        hashes += [_hash(word) for word in sorted(found) if len(word) > 1]
        counts.append(sum(len(word) > 1 for word in found))
    sizes = np.array(counts, dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    taken = sizes[which]
    offsets = np.arange(int(taken.sum())) - np.repeat(np.cumsum(taken) - taken, taken)
    at = np.repeat(starts[which], taken) + offsets
    return _Features(np.array(hashes, dtype=np.uint64)[at], np.repeat(owner, taken))


def _grams(vocabulary: Vocabulary, tokens: Numbers, owner: Integers) -> _Features:
    """Sequences of tokens of functions without names and values."""
    blind = vocabulary.blind(tokens)
    count = max(len(blind) - _GRAM + 1, 0)
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(_GRAM):
        hashes = hashes * _FACTOR + blind[offset : offset + count]
    inside = owner[:count] == owner[_GRAM - 1 :][:count]
    return _Features(hashes[inside], owner[:count][inside])


def _hash(word: bytes) -> int:
    return int.from_bytes(blake2b(word, digest_size=8).digest(), "little")
