"""Files as sequences of statements, from tokens alone: what clones of blocks are made of.

A statement ends after a semicolon that is not inside parentheses, before and after a brace, and, in languages that end
statements by line breaks, at a break after which nothing goes on. A brace with nothing before it (a bare block, a
row of a table) is a statement, and a comma after a closing one belongs to it. Where blocks are shown by layout,
a statement is a logical line. Nothing is parsed, so broken source has statements, too.

Two forms of a statement are compared: all of its tokens, and its tokens without values and without those names that are
neither called nor members (`renamed`): a copy keeps what it calls, and code that only looks alike does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from clonetruth.code.brackets import Brackets, Flags
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.overlap import Integers
from clonetruth.code.text_hashes import Hashes
from clonetruth.code.vocabulary import Lexed, Marks

STATEMENT = np.dtype(
    [
        ("exact", "<u8"),
        ("renamed", "<u8"),
        ("tokens", "<u4"),
        ("depth", "<u4"),
        ("start", "<u4"),
        ("end", "<u4"),
        ("indent", "<u2"),
        ("first_line", "<u4"),
        ("last_line", "<u4"),
        ("role", "u1"),
        ("ignored", "?"),
    ]
)
"""A statement: the hashes of its two forms, its number of tokens, the brackets or indented blocks around it, its bytes
and lines (1-based, inclusive) in the file, the blanks before it if its line begins with them, its role, and whether a
comment says to ignore it."""

Rows = npt.NDArray[np.void]
"""Statements, an array of `STATEMENT`."""

PLAIN, CONTINUED, CLOSING, IMPORT = range(4)
"""Roles: a statement; one that goes on with the one before it (``else``, ``).then(``); closing brackets and semicolons
only; an import, which is repeated wherever the same things are used."""

_OPEN, _CLOSE = {b"{": 1, b"(": 2, b"[": 3}, {b"}": 4, b")": 5, b"]": 6}
_BRACE, _END_BRACE, _SEMICOLON, _COMMA, _DOT, _HASH, _CONTINUED, _PREFIX, _IMPORT = 1, 4, 7, 8, 9, 10, 11, 12, 13
_CODES: Mapping[bytes, int] = {
    **_OPEN,
    **_CLOSE,
    b";": _SEMICOLON,
    b",": _COMMA,
    **dict.fromkeys((b".", b"?.", b"->", b"::"), _DOT),
    b"#": _HASH,
    **dict.fromkeys(b"else elif elsif elseif except catch finally rescue ensure".split(), _CONTINUED),
    **dict.fromkeys(b"import package using from include use require pragma".split(), _IMPORT),
    # Operators that begin a statement, or end one.
    **dict.fromkeys((b"++", b"--", b"!", b"~", b"@", b"...", b"*", b"&", b"-"), _PREFIX),
}
_OWN_CODES: Mapping[str, Mapping[bytes, int]] = {
    # A point joins strings.
    "php": {**{token: code for token, code in _CODES.items() if token != b"."}, b"?->": _DOT},
    "ruby": {**_CODES, b"&.": _DOT},
    "dart": {**_CODES, b"..": _DOT, b"?..": _DOT},
}
"""The codes of languages in which other tokens stand before members."""
_FREE = frozenset(["java", "c", "cpp", "csharp", "php", "rust", "dart", "objc", "objectivec", "sql"])
"""Languages in which line breaks do not end statements."""
_LAYOUT = frozenset(["python", "ruby", "lua", "bash"])
"""Languages in which indentation shows the blocks, by rule or by habit."""
_BRACED = frozenset(["bash"])
"""Those of them in which braces enclose statements, not values."""
_DIRECTIVES = frozenset(["c", "cpp", "csharp", "objc", "objectivec"])
"""Languages in which a line that begins with ``#`` is a statement."""
_CONDITIONAL = re.compile(rb"#[ \t]*(if|el|endif)")
_FACTOR = 0x9E3779B97F4A7C17
_TEMPLATE = np.uint64(0x2545F4914F6CDD1D)
"""What a template string or regular expression adds to the hash of its statement without values."""


def statements_of(
    lexed: Lexed, texts: Sequence[bytes], language: Language, originals: Sequence[bytes] | None = None
) -> list[Rows]:
    """Return the statements of each text.

    Args:
        lexed: the tokens of the texts.
        texts: the texts that were lexed.
        language: their language.
        originals: the texts before parts of them were replaced for the lexer (`Outline.masked`), if they were.
    """
    count = len(lexed.tokens)
    if not count:
        return [np.empty(0, STATEMENT) for _ in texts]
    code = lexed.vocabulary.coded(lexed.tokens, _OWN_CODES.get(language.name, _CODES))
    first_of_row = np.ones(count, dtype=bool)
    first_of_row[1:] = lexed.rows[1:] > lexed.rows[:-1]
    first_of_row[lexed.bounds[:-1][np.diff(lexed.bounds) > 0]] = True
    directive = _directives(code, first_of_row) if language.name in _DIRECTIVES else np.zeros(count, dtype=bool)
    bracket = np.where(directive, 0, code)
    opening = np.where(bracket <= 3, bracket, 0).astype(np.uint8)
    closing = np.where((bracket >= 4) & (bracket <= 6), bracket - 3, 0).astype(np.uint8)
    brackets = Brackets(opening, closing, lexed.bounds)
    if brackets.broken.any() and directive.any():
        directives = np.flatnonzero(directive & first_of_row)
        directives = directives[brackets.broken[lexed.text_of(directives)]]
        for first, end in _other_branches(lexed, texts, (opening > 0) * 1 - (closing > 0), directives):
            opening[first:end] = closing[first:end] = 0
        brackets = Brackets(opening, closing, lexed.bounds)
    starts = np.flatnonzero(_begins(lexed, language, code, directive, first_of_row, brackets))
    rows = np.zeros(len(starts), STATEMENT)
    last = np.append(starts[1:], count) - 1
    file = lexed.text_of(starts)
    text_starts = lexed.text_starts[file]
    rows["start"] = lexed.starts[starts] - text_starts
    # A comma after a closing brace separates what it ends from what follows.
    separated = (code[last] == _COMMA) & (code[last - 1] == _END_BRACE) & (last > starts)
    rows["end"] = lexed.ends[last - separated] - text_starts
    rows["tokens"] = last - starts + 1
    data = np.frombuffer(b"".join(texts), np.uint8)
    breaks = np.flatnonzero(data == ord("\n"))
    lines_before = np.searchsorted(breaks, text_starts)
    rows["first_line"] = np.searchsorted(breaks, lexed.starts[starts]) - lines_before + 1
    line_starts = np.maximum(np.append(-1, breaks)[np.searchsorted(breaks, lexed.starts[starts])] + 1, text_starts)
    visible = np.append(0, np.cumsum((data != ord(" ")) & (data != ord("\t"))))
    blank = visible[lexed.starts[starts]] == visible[line_starts]
    columns = lexed.starts[starts] - line_starts
    rows["indent"] = np.where(blank & (columns < 2**16), columns, 0)
    rows["last_line"] = np.searchsorted(breaks, lexed.ends[last]) - lines_before + 1
    # A baseline keeps digests of these.
    exact = lexed.vocabulary.lasting(lexed.tokens)
    rows["exact"] = _hashes(exact, starts, last)
    rows["renamed"] = _hashes(_renamed(lexed, code, exact), starts, last)
    rows["role"] = np.where(code[starts] == _CONTINUED, CONTINUED, PLAIN)
    meaningful = np.add.reduceat((code == 0) | (code >= _DOT) | (code == _BRACE), starts) > 0
    if language.name in _LAYOUT:
        rows["depth"] = _levels(columns, file, first_of_row[starts])
    else:
        depth = brackets.depth.astype(np.int64)
        rows["depth"] = np.where(starts == lexed.bounds[file], 0, depth[starts - 1])
        # What closes a bracket from before it.
        rows["role"][np.minimum.reduceat(depth, starts) < rows["depth"]] = CONTINUED
    rows["role"][~meaningful] = CLOSING
    _mark_imports(rows, code, starts)
    if originals is not None:
        _add_replaced(rows, lexed.starts[starts], data, np.frombuffer(b"".join(originals), np.uint8))
    bounds = np.searchsorted(file, np.arange(len(texts) + 1)).tolist()
    return [rows[begin:end] for begin, end in pairwise(bounds)]


def _directives(code: Marks, first_of_row: Flags) -> Flags:
    """Which tokens are in lines that begin with ``#``."""
    begins = np.flatnonzero(first_of_row)
    return np.repeat(code[begins] == _HASH, np.diff(np.append(begins, len(code))))


def _other_branches(
    lexed: Lexed, texts: Sequence[bytes], step: Integers, directive_starts: Integers
) -> Iterator[tuple[int, int]]:
    """Iterate over the first token and the end of each branch of a conditional directive that another one replaces.

    Brackets of these must not count with those of the branch before it, unless they match among themselves.
    """
    total = np.append(0, np.cumsum(step))
    branches: list[int] = []
    previous = -1
    for at, text in zip(directive_starts.tolist(), lexed.text_of(directive_starts).tolist(), strict=True):
        if text != previous:
            branches, previous = [], text
        word = _CONDITIONAL.match(texts[text], int(lexed.starts[at] - lexed.text_starts[text]))
        if word is None:
            continue
        if word[1] == b"if":
            branches.append(-1)
        elif branches:
            first = branches.pop()
            if first >= 0 and total[at] != total[first]:
                yield first, at
            if word[1] == b"el":
                branches.append(at)


def _begins(
    lexed: Lexed, language: Language, code: Marks, directive: Flags, first_of_row: Flags, brackets: Brackets
) -> Flags:
    """Which tokens begin a statement."""
    begins = np.zeros(len(code), dtype=bool)
    begins[lexed.bounds[:-1][np.diff(lexed.bounds) > 0]] = True
    # What directly encloses a token decides whether a semicolon or a line break ends a statement.
    positions = np.flatnonzero((code == _SEMICOLON) | first_of_row)
    before = np.maximum(positions - 1, 0)
    around = brackets.openers.last_before(before + 1, brackets.depth[before].astype(np.int64))
    free = np.ones(len(code), dtype=bool)
    free[positions] = (around < 0) | (code[around] == _BRACE)
    layout = language.name in _LAYOUT
    if layout and language.name not in _BRACED:
        free[positions] = around < 0
    after = (code == _SEMICOLON) & free
    if not layout:
        braces = ((code == _BRACE) | (code == _END_BRACE)) & ~directive
        after |= braces
        begins |= (code == _END_BRACE) & ~directive
        comma = np.zeros(len(code), dtype=bool)
        comma[1:] = after[:-1] & (code[:-1] == _END_BRACE) & (code[1:] == _COMMA)
        after = np.where(np.append(comma[1:], False), False, after | comma)
    begins[1:] |= after[:-1]
    if layout:
        begins |= first_of_row & free
    elif language.name not in _FREE:
        kinds = lexed.vocabulary.kinds(lexed.tokens)
        operator = (kinds == TokenKind.OPERATOR) & (code != _PREFIX)
        goes_on = operator | (code == _DOT)
        needs_more = operator | (code == _DOT)
        breaks = first_of_row & free & ~goes_on & (code != _BRACE)
        breaks[1:] &= ~needs_more[:-1]
        begins |= breaks
    if directive.any():
        begins |= first_of_row & directive
        begins[1:] |= directive[:-1] & first_of_row[1:]
    return begins


def _mark_imports(rows: Rows, code: Marks, starts: Integers) -> None:
    following = code[np.minimum(starts + 1, len(code) - 1)]
    word = np.where(code[starts] == _HASH, following, code[starts])
    imports = (word == _IMPORT) & (following != _OPEN[b"("])
    # The list of names of `import {`
    imports[1:] |= imports[:-1] & (code[starts[1:] - 1] == _BRACE)
    rows["role"][imports] = IMPORT


def _renamed(lexed: Lexed, code: Marks, exact: Hashes) -> Hashes:
    """The hashes of tokens without values, and without names that are neither called nor members."""
    kept = np.zeros(len(code), dtype=bool)
    kept[:-1] |= code[1:] == _OPEN[b"("]
    kept[1:] |= code[:-1] == _DOT
    kinds = lexed.vocabulary.kinds(lexed.tokens)
    kept &= (kinds == TokenKind.IDENTIFIER) | (kinds == TokenKind.TYPE)
    return np.where(kept, exact, lexed.vocabulary.blind(lexed.tokens, exact))


def powers(count: int) -> tuple[Hashes, Hashes]:
    """The powers of an odd number modulo 2^64, from 0 on, and their inverses."""
    factor = np.full(count, _FACTOR, dtype=np.uint64)
    inverse = np.full(count, pow(_FACTOR, -1, 2**64), dtype=np.uint64)
    factor[:1] = inverse[:1] = 1
    return np.cumprod(factor, dtype=np.uint64), np.cumprod(inverse, dtype=np.uint64)


def mixed(values: Hashes) -> Hashes:
    """Scatter hashes over all bits."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _hashes(tokens: Hashes, starts: Integers, last: Integers) -> Hashes:
    """The hashes of sequences of tokens, from a first to a last one each."""
    power, inverse = powers(len(tokens))
    sums = np.append(np.uint64(0), np.cumsum(mixed(tokens) * power, dtype=np.uint64))
    return mixed((sums[last + 1] - sums[starts]) * inverse[starts] + (last - starts).astype(np.uint64))


def _levels(columns: Integers, file: Integers, first_of_row: Flags) -> Integers:
    """The number of indented blocks around each statement."""
    levels = np.zeros(len(columns), dtype=np.int64)
    stack, level, previous, known = [0], 0, -1, 0
    for at, (column, number, first) in enumerate(
        zip(columns.tolist(), file.tolist(), first_of_row.tolist(), strict=True)
    ):
        if number != previous:
            stack, known, level, previous = [column], column, 0, number
        elif first and column != known:
            while column < stack[-1] and len(stack) > 1:
                stack.pop()
            if column > stack[-1]:
                stack.append(column)
            level, known = len(stack) - 1, column
        levels[at] = level
    return levels


def _add_replaced(
    rows: Rows, starts: Integers, lexed_bytes: npt.NDArray[np.uint8], original: npt.NDArray[np.uint8]
) -> None:
    """Let what was replaced for the lexer count in the hashes of its statements."""
    different = np.flatnonzero(lexed_bytes != original)
    owner = np.searchsorted(starts, different, side="right") - 1
    bounds = np.append(np.flatnonzero(np.diff(owner, prepend=-2)), len(owner)).tolist()
    for begin, end in pairwise(bounds):
        row = owner[begin]
        if row >= 0:
            digest = blake2b(original[different[begin:end]].tobytes(), digest_size=8).digest()
            rows["exact"][row] ^= np.uint64(int.from_bytes(digest, "little"))
            rows["renamed"][row] ^= _TEMPLATE
