"""The functions of files: their locations and their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code import ExtractOptions, Function, Language, extract
from clonetruth.code.fragments import LAMBDA_NAME
from clonetruth.code.outline import OUTLINES
from clonetruth.code.overlap import Integers
from clonetruth.code.parse_guard import CostlyTextError
from clonetruth.code.prefix_join import ranges
from clonetruth.code.vocabulary import Lexed, Numbers, Vocabulary
from clonetruth.detectors.finder import FinderOptions

MODULE_BYTES = 20_000
"""A longer function without a name, most of which is other functions, wraps a module: what is inside of it is compared,
and not the whole."""


@dataclass(frozen=True, eq=False)
class Functions:
    """Functions in files of one language.

    Attributes:
        language: the language.
        texts: the files.
        lexed: their tokens, or those of the functions.
        first: the first token of each function.
        last: its last token.
        file: the position of its file in `texts`.
        name: its name with its enclosing classes.
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
        """The number of tokens of each function."""
        return self.last - self.first + 1

    @cached_property
    def positions(self) -> Integers:
        """The positions of the tokens of all functions, concatenated."""
        return ranges(self.first, self.tokens)

    @cached_property
    def all_tokens(self) -> tuple[Numbers, Integers]:
        """The tokens of all functions, concatenated, and the function of each token."""
        return self.lexed.tokens[self.positions], np.repeat(np.arange(len(self)), self.tokens)

    def sources(self) -> Iterator[bytes]:
        """Iterate over the texts of the functions, as bytes."""
        spans = zip(self.file.tolist(), self.start.tolist(), self.end.tolist(), strict=True)
        return (self.texts[file][start:end] for file, start, end in spans)

    def text(self, number: int) -> str:
        """The text of a function."""
        text = self.texts[int(self.file[number])]
        return text[int(self.start[number]) : int(self.end[number])].decode("utf-8", errors="replace")


@dataclass(frozen=True, eq=False)
class FileFunctions:
    """The functions of several files.

    Attributes:
        parts: the functions that are large enough; those of a file are in one part, in order.
        functions: the number of functions of each file, of any size.
        broken: the share of lines of each file that do not parse; 0 for a file that need not be parsed.
        refused: why files, by their position, were not parsed.
        lexed: the texts as they were lexed, and their tokens, if whole files were; see `lex_files`.
    """

    parts: tuple[Functions, ...]
    functions: Integers
    broken: npt.NDArray[np.float64]
    refused: Mapping[int, str] = field(default_factory=dict)
    lexed: tuple[Sequence[bytes], Lexed] | None = None


def functions_of(texts: Sequence[bytes], language: Language, options: FinderOptions) -> FileFunctions:
    """Return the functions of files, by their tokens where possible, else by parsing.

    Args:
        texts: the files, as `source_bytes` returns them.
        language: their language.
        options: which functions are large enough.
    """
    if language.name not in OUTLINES:
        return functions_by_trees(texts, np.arange(len(texts)), language, options)
    outlined = functions_by_tokens(texts, language, options)
    doubtful = np.flatnonzero(outlined.functions < 0)
    if not len(doubtful):
        return outlined
    trees = functions_by_trees(texts, doubtful, language, options)
    outlined.functions[doubtful] = trees.functions
    outlined.broken[doubtful] = trees.broken
    return FileFunctions(
        (*outlined.parts, *trees.parts), outlined.functions, outlined.broken, trees.refused, outlined.lexed
    )


def functions_by_tokens(texts: Sequence[bytes], language: Language, options: FinderOptions) -> FileFunctions:
    """Return the functions by tokens, with -1 as the number of functions of a file that must be parsed."""
    outline_of = OUTLINES[language.name]
    # The tokens of a function are those of the text that the parser reads.
    parsed = texts if language.script is None else [*map(language.script, texts)]
    files = _lex_masked(parsed, language, language.name)
    lexed_texts, lexed = files
    outline = outline_of(lexed, parsed)
    file = lexed.text_of(outline.first)
    base = lexed.text_starts[file]
    counts = np.bincount(file, minlength=len(texts))
    doubtful = outline.doubtful | outline.unlikely()
    counts[doubtful] = -1
    first_line, last_line = (
        lexed.breaks[tokens] - lexed.text_breaks[file] + 1 for tokens in (outline.first, outline.last)
    )
    # The last token may have several lines, and a comment may follow it.
    spans = zip(
        file.tolist(), (lexed.starts[outline.last] - base).tolist(), (outline.ends - base).tolist(), strict=True
    )
    inside = [texts[number].count(b"\n", start, end) for number, start, end in spans]
    last_line += np.array(inside, dtype=np.int64)
    start, end = lexed.starts[outline.first] - base, outline.ends - base
    large = (last_line - first_line + 1 >= options.min_lines) & ~doubtful[file]

    def part(tokens: Lexed, first: Integers, last: Integers, among: npt.NDArray[np.bool_]) -> Functions:
        selected = np.flatnonzero(among & (last - first + 1 >= options.min_tokens))
        return Functions(
            language=language,
            texts=texts,
            lexed=tokens,
            first=first[selected],
            last=last[selected],
            file=file[selected],
            name=outline.qualified_names(selected),
            first_line=first_line[selected],
            last_line=last_line[selected],
            start=start[selected],
            end=end[selected],
        )

    if language.callbacks:
        long = np.flatnonzero(large & (end - start > MODULE_BYTES))
        for one, name in zip(long.tolist(), outline.qualified_names(long), strict=True):
            inside = (file == file[one]) & (start > start[one]) & (end <= end[one])
            if _wraps_module(name, int(end[one] - start[one]), zip(start[inside], end[inside], strict=True)):
                large[one] = False
    masked = np.array([one is not other for one, other in zip(lexed_texts, parsed, strict=True)], dtype=bool)
    parts = [part(lexed, outline.first, outline.last, large & ~masked[file])]
    inside_masked = large & masked[file] & (end - start >= options.min_tokens)
    if inside_masked.any():
        kept = np.flatnonzero(inside_masked).tolist()
        own = _vocabulary(language, "masked").lex([parsed[file[one]][start[one] : end[one]] for one in kept])
        first, last = np.zeros(len(large), np.int64), np.full(len(large), -1)
        first[kept], last[kept] = own.bounds[:-1], own.bounds[1:] - 1
        parts.append(part(own, first, last, inside_masked))
    rewritten = any(one is not other for one, other in zip(parsed, texts, strict=True))
    lexed_alike = not rewritten and language.name not in _MASKED_LIKE
    return FileFunctions(tuple(parts), counts, np.zeros(len(texts)), lexed=files if lexed_alike else None)


def lex_files(texts: Sequence[bytes], language: Language) -> tuple[Sequence[bytes], Lexed]:
    """Lex whole files, after replacing what a regular expression cannot delimit (`Outline.masked`).

    Returns:
        The texts as they were lexed, and their tokens.
    """
    return _lex_masked(texts, language, _MASKED_LIKE.get(language.name, language.name))


def _lex_masked(texts: Sequence[bytes], language: Language, outline: str) -> tuple[Sequence[bytes], Lexed]:
    if outline in OUTLINES and OUTLINES[outline].masks:
        texts = [*map(OUTLINES[outline].masked, texts)]
    return texts, _vocabulary(language).lex(texts)


_MASKED_LIKE = {"tsx": "typescript"}
"""Languages in which a search for blocks sees more than one for functions: JSX elements are text to compare."""


def functions_by_trees(
    texts: Sequence[bytes], files: Integers, language: Language, options: FinderOptions
) -> FileFunctions:
    """Return the functions of some of the files by parsing."""
    candidates: list[tuple[int, Function]] = []
    counts, broken = [], []
    refused: dict[int, str] = {}
    for file in files.tolist():
        try:
            extraction = extract(texts[file], language, ExtractOptions(callbacks=language.callbacks))
        except CostlyTextError as error:
            refused[file] = error.what
            counts.append(0)
            broken.append(0.0)
            continue
        functions = extraction.functions
        counts.append(len(functions))
        broken.append(extraction.parsed.broken_share)
        candidates += [
            (file, function)
            for function in functions
            if len(function.text) >= options.min_tokens
            and function.last_line - function.first_line + 1 >= options.min_lines
            and not (language.callbacks and _is_module(function, functions))
        ]
    # Each function is lexed separately: in a broken file, a string or comment before it may not end.
    lexed = _vocabulary(language, "parsed").lex(
        [function.text.encode("utf-8", errors="replace") for _, function in candidates]
    )
    selected = np.flatnonzero(np.diff(lexed.bounds) >= max(options.min_tokens, 1))
    large = [candidates[position] for position in selected.tolist()]
    columns = np.array([(file, f.first_line, f.last_line, f.start, f.end) for file, f in large], dtype=np.int64)
    file_of, first_line, last_line, start, end = columns.reshape(-1, 5).T
    part = Functions(
        language=language,
        texts=texts,
        lexed=lexed,
        first=lexed.bounds[:-1][selected],
        last=lexed.bounds[1:][selected] - 1,
        file=file_of,
        name=[function.qualified_name for _, function in large],
        first_line=first_line,
        last_line=last_line,
        start=start,
        end=end,
    )
    return FileFunctions((part,), np.array(counts, dtype=np.int64), np.array(broken, dtype=np.float64), refused)


def _is_module(function: Function, functions: Sequence[Function]) -> bool:
    size = function.end - function.start
    if size <= MODULE_BYTES:
        return False
    inside = [(one.start, one.end) for one in functions if one.start > function.start and one.end <= function.end]
    return _wraps_module(function.qualified_name, size, inside)


def _wraps_module(name: str, size: int, inside: Iterable[tuple[int, int]]) -> bool:
    """Whether a long function has no name, and most of it are functions that are compared themselves."""
    if name.rpartition(".")[2] != LAMBDA_NAME:
        return False
    covered = reached = 0
    for start, end in sorted(inside):
        covered += max(0, end - max(start, reached))
        reached = max(reached, end)
    return 2 * covered > size


def clear_token_cache() -> None:
    """Free the memory of the vocabularies that reading files has filled."""
    _vocabulary.cache_clear()


@cache
def _vocabulary(language: Language, use: str = "files") -> Vocabulary:
    """Return the vocabulary of a language, one per process and use: files, functions of masked files, parsed functions.

    Lexing some functions of a batch must not invalidate the numbers of others.
    """
    if language.name not in OUTLINES:
        return Vocabulary(language)
    outline = OUTLINES[language.name]
    return Vocabulary(language, outline.marks, outline.name_mark)
