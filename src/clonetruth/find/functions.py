"""The functions of files, ready to be read: where they are, and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from clonetruth.code import Function, Language, extract
from clonetruth.code.outline import OUTLINES
from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import ranges
from clonetruth.code.vocabulary import Lexed, Numbers, Vocabulary
from clonetruth.detectors.finder import FindOptions


@dataclass(frozen=True, eq=False)
class Functions:
    """Functions in files of one language.

    Attributes:
        language: the language.
        texts: the files.
        lexed: their tokens, or those of the functions.
        first: the first token of each function.
        last: its last token.
        file: the place of its file among those that were asked for.
        name: its name with the classes around it.
        first_line, last_line: its lines in the file, 1-based and inclusive.
        start, end: its bytes in the file.
    """

    language: Language
    texts: Sequence[bytes]
    lexed: Lexed
    first: Integers
    last: Integers
    file: Integers
    name: Sequence[str]
    first_line: Integers
    last_line: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.first)

    @property
    def tokens(self) -> Integers:
        """How many tokens each function has."""
        return self.last - self.first + 1

    @cached_property
    def all_tokens(self) -> tuple[Numbers, Integers]:
        """The tokens of all functions, end to end, and the place of the function of each."""
        counts = self.tokens
        return self.lexed.tokens[ranges(self.first, counts)], np.repeat(np.arange(len(self)), counts)

    def text(self, number: int) -> str:
        """The text of a function."""
        text = self.texts[int(self.file[number])]
        return text[int(self.start[number]) : int(self.end[number])].decode("utf-8", errors="replace")


@dataclass(frozen=True, eq=False)
class FileFunctions:
    """What files hold.

    Attributes:
        parts: the functions that are large enough; those of a file are in one part, in order.
        functions: how many functions of any size each file has.
    """

    parts: tuple[Functions, ...]
    functions: Integers


def functions_of(texts: Sequence[bytes], language: Language, options: FindOptions) -> FileFunctions:
    """The functions of files: told by their tokens where that can be done, else by their trees.

    Args:
        texts: the files, as `source_bytes` gives them.
        language: their language.
        options: which functions are large enough.
    """
    if language.name not in OUTLINES:
        return _by_trees(texts, np.arange(len(texts)), language, options)
    outlined = _by_tokens(texts, language, options)
    doubtful = np.flatnonzero(outlined.functions < 0)
    if not len(doubtful):
        return outlined
    trees = _by_trees(texts, doubtful, language, options)
    outlined.functions[doubtful] = trees.functions
    return FileFunctions((*outlined.parts, *trees.parts), outlined.functions)


def _by_tokens(texts: Sequence[bytes], language: Language, options: FindOptions) -> FileFunctions:
    """The same with -1 functions for a file whose tokens do not tell."""
    vocabulary = _vocabulary(language)
    lexed = vocabulary.lex(texts)
    outline = OUTLINES[language.name](lexed, texts)
    file = lexed.text_of(outline.first)
    counts = np.bincount(file, minlength=len(texts))
    counts[outline.doubtful] = -1
    first_line, last_line = (
        lexed.breaks[places] - lexed.text_breaks[file] + 1 for places in (outline.first, outline.last)
    )
    large = (outline.last - outline.first + 1 >= options.min_tokens) & (last_line - first_line + 1 >= options.min_lines)
    chosen = np.flatnonzero(large)
    first, last, file = outline.first[chosen], outline.last[chosen], file[chosen]
    part = Functions(
        language=language,
        texts=texts,
        lexed=lexed,
        first=first,
        last=last,
        file=file,
        name=outline.qualified_names(chosen),
        first_line=first_line[chosen],
        last_line=last_line[chosen],
        start=lexed.starts[first] - lexed.text_starts[file],
        end=lexed.ends[last] - lexed.text_starts[file],
    )
    return FileFunctions((part,), counts)


def _by_trees(texts: Sequence[bytes], files: Integers, language: Language, options: FindOptions) -> FileFunctions:
    """The functions of some of the files."""
    found: list[tuple[int, Function]] = []
    counts = []
    for file in files.tolist():
        functions = extract(texts[file], language).functions
        counts.append(len(functions))
        found += [
            (file, function)
            for function in functions
            if len(function.text) >= options.min_tokens
            and function.last_line - function.first_line + 1 >= options.min_lines
        ]
    # Each function is lexed by itself: in a broken file a string or comment may begin before it and not end.
    cut = [function.text.encode("utf-8", errors="replace") for _, function in found]
    lexed = _vocabulary(language, by_trees=True).lex(cut)
    chosen = np.flatnonzero(np.diff(lexed.bounds) >= max(options.min_tokens, 1))
    large = [found[place] for place in chosen.tolist()]
    columns = np.array([(file, f.first_line, f.last_line, f.start, f.end) for file, f in large], dtype=np.int64)
    file_of, first_line, last_line, start, end = columns.reshape(-1, 5).T
    part = Functions(
        language=language,
        texts=texts,
        lexed=lexed,
        first=lexed.bounds[:-1][chosen],
        last=lexed.bounds[1:][chosen] - 1,
        file=file_of,
        name=[function.qualified_name for _, function in large],
        first_line=first_line,
        last_line=last_line,
        start=start,
        end=end,
    )
    return FileFunctions((part,), np.array(counts, dtype=np.int64))


def forget_tokens() -> None:
    """Give back the memory that reading files has taken for what tokens are."""
    _vocabulary.cache_clear()


@cache
def _vocabulary(language: Language, *, by_trees: bool = False) -> Vocabulary:
    """One for a process, so that a token is described once; and one of its own for what trees cut out.

    The numbers of a batch must keep their meaning while its doubtful files are lexed.
    """
    if language.name not in OUTLINES:
        return Vocabulary(language)
    outline = OUTLINES[language.name]
    return Vocabulary(language, outline.marks, outline.name_mark)
