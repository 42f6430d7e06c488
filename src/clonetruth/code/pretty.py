"""The pretty-printer: one statement per line, whatever the layout of the source.

One engine serves all languages; the `layout` query of a language defines where line breaks go. For Java the
result is, line for line, what BigCloneBench measured its similarities on:

* n line breaks in a row leave min(n - 1, 1) blank lines, and blank lines count as lines;
* empty statements are dropped;
* lines wrap at 1024 characters, measured on the original names.

Languages whose blocks or statements end by layout alone get the missing marks as tokens of class `LAYOUT`
(Python's newline, indent and dedent) or as the terminator that the author omitted (JavaScript, Go), so that
two different programs never have the same tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress
from operator import add, or_
from typing import NamedTuple

import tree_sitter

from clonetruth.code.language import TokenKind
from clonetruth.code.parsing import Captures, Parsed
from clonetruth.code.tokens import TokenStream, token_stream

WIDTH = 1024
"""The column at which lines wrap."""

DEPTH = 2_000
"""How deep the layout query searches: no real program is deeper, and a hostile text must not cost minutes."""

NEWLINE, INDENT, DEDENT = b"\xe2\x8f\x8e", b"\xe2\x87\xa5", b"\xe2\x87\xa4"
"""The layout tokens of languages that show blocks by indentation: ⏎, ⇥ and ⇤. A directive of the C preprocessor
ends in ⏎ too: nothing else distinguishes ``#define X 1`` and a next line from a longer definition."""

TIE = b"\xe2\x81\x80"
"""The layout token ⁀ between two tokens that mean something else with a blank between them: ``#define F(x)``."""

_LAYOUT_MARKS = frozenset({NEWLINE, INDENT, DEDENT, TIE})

_IS_STRING = bytes(kind == TokenKind.STRING for kind in range(256))
_OPENING_PIECE = re.compile(rb"[A-Za-z]{0,2}(\"\"\"|'''|[\"'`])")
_NO_SPACE_AFTER = frozenset(b"( [ { . ! ~ @".split())
_NO_SPACE_BEFORE = frozenset(b") , ; . ] }".split())


@dataclass(frozen=True)
class Printed:
    """A pretty-printed text: its tokens, and for every line the range of tokens on it.

    Args:
        texts: the tokens, with layout tokens and without empty statements.
        kinds: their classes.
        lines: (first token, token after the last, depth) for every line; an empty range is a blank line.
        blanks: see `Language.blanks`.
    """

    texts: list[bytes]
    kinds: bytearray
    lines: list[tuple[int, int, int]]
    blanks: bool = False

    def text(self, texts: Sequence[bytes] | None = None) -> str:
        """Return the pretty-printed text, with the original tokens or with `texts` instead."""
        tokens = self.texts if texts is None else texts
        rendered = (
            b"    " * depth + _join(tokens[first:last], self.kinds[first:last], self.blanks)
            for first, last, depth in self.lines
        )
        lines = (line.rstrip() for line in rendered)
        # A heredoc begins with the end of the line before it.
        whole = (line.lstrip(b" ")[1:] if line.lstrip(b" ").startswith(b"\n") else line for line in lines)
        return b"\n".join(whole).decode("utf-8", errors="replace")


def pretty(parsed: Parsed) -> Printed:
    """Pretty-print a parsed text."""
    stream = token_stream(parsed)
    captures = parsed.captures(parsed.language.layout, depth=DEPTH)
    return _TreeLayout(stream, parsed, captures).printed()


class TokenLayout:
    """Where the lines of some tokens begin and end, which tokens are left out, and which are added.

    Attributes:
        breaks: the line breaks before each token, and after the last one.
        depth_change: the change of depth before each token, and after the last one.
        dropped: whether each token is left out, a byte each.
        inserted: the tokens added before a position.
        line_starts: the tokens that begin a line without a break in `breaks`.
    """

    def __init__(self, texts: list[bytes], kinds: bytearray, *, blanks: bool = False) -> None:
        count = len(texts)
        self.texts = texts
        self.kinds = kinds
        self.breaks = [0] * (count + 1)
        self.depth_change = [0] * (count + 1)
        self.dropped = bytearray(count)
        self.inserted: dict[int, list[bytes]] = {}
        self.line_starts: set[int] = set()
        self._blanks = blanks

    def printed(self) -> Printed:
        """Insert the marks, remove the dropped tokens, and split the rest into lines."""
        if not self.inserted and not self.line_starts and not any(self.dropped) and TokenKind.TEXT not in self.kinds:
            return Printed(self.texts, self.kinds, wrapped(self.texts, self._lines()), self._blanks)
        old_texts, old_kinds = self.texts, self.kinds
        texts: list[bytes] = []
        kinds = bytearray()
        lines: list[tuple[int, int, int]] = []
        begin = depth = line_depth = pending = done = 0
        # Tokens between two positions with changes are copied in one go.
        for position in self._changes():
            if done < position:
                if pending and len(texts) > begin:
                    lines.append((begin, len(texts), line_depth))
                    if pending > 1:
                        lines.append((len(texts), len(texts), 0))
                    begin = len(texts)
                if begin == len(texts):
                    line_depth = depth
                pending = 0
                texts += old_texts[done:position]
                kinds += old_kinds[done:position]
                done = position
            pending += self.breaks[position]
            for mark in self.inserted.get(position, ()):
                # A mark ends what is before it, so it stays on that line.
                texts.append(mark)
                kinds.append(TokenKind.LAYOUT if mark in _LAYOUT_MARKS else TokenKind.PUNCTUATION)
            if position in self.line_starts:
                pending = max(pending, 1)
            depth += self.depth_change[position]
            if position < len(old_texts) and self.dropped[position]:
                done = position + 1
        if len(texts) > begin:
            lines.append((begin, len(texts), line_depth))
        lines = wrapped(texts, lines)
        if TokenKind.TEXT in kinds:
            for at in compress(range(len(kinds)), (kind == TokenKind.TEXT for kind in kinds)):
                texts[at] = b" ".join(texts[at].split())
        return Printed(texts, kinds, lines, self._blanks)

    def _lines(self) -> list[tuple[int, int, int]]:
        """The lines of a text that keeps all its tokens."""
        breaks, depth_change, end = self.breaks, self.depth_change, len(self.texts)
        lines: list[tuple[int, int, int]] = []
        begin = depth = line_depth = 0
        for position in compress(range(end), map(or_, breaks, map(bool, depth_change))):
            if breaks[position] and position:
                lines.append((begin, position, line_depth))
                if breaks[position] > 1:
                    lines.append((position, position, 0))
                begin = position
            depth += depth_change[position]
            if position == begin:
                line_depth = depth
        if begin < end:
            lines.append((begin, end, line_depth))
        return lines

    def _changes(self) -> list[int]:
        """The positions of breaks, marks, dropped tokens and changes of depth, and the end."""
        positions = {*self.inserted, *self.line_starts, len(self.texts)}
        for marks in (self.breaks, self.depth_change, self.dropped):
            positions.update(compress(range(len(marks)), marks))
        return sorted(positions)


class _TreeLayout(TokenLayout):
    """The layout that the captures of the layout query define."""

    def __init__(self, stream: TokenStream, parsed: Parsed, captures: Captures) -> None:
        super().__init__(stream.texts, stream.kinds, blanks=parsed.language.blanks)
        self.language = parsed.language
        self.starts = stream.starts
        self.ends = [*map(add, stream.starts, map(len, stream.texts))]
        captures = self._outside_strings(captures)
        for name, lines in (("after", 1), ("after2", 2)):
            for node in captures.get(name, ()):
                self.breaks[self._after(node)] += lines
        for node in captures.get("before", ()):
            self.breaks[bisect_left(self.starts, node.start_byte)] += 1
        for node in captures.get("drop", ()):
            first, last = bisect_left(self.starts, node.start_byte), self._after(node)
            self.dropped[first:last] = b"\1" * (last - first)
        for node in captures.get("open", ()):
            self.depth_change[self._after(node)] += 1
        for node in captures.get("close", ()):
            self.depth_change[bisect_left(self.starts, node.start_byte)] -= 1
        # If a statement and blocks end at one position, the end of the statement comes first.
        for node in captures.get("terminate", ()):
            self._terminate(node)
        for node in captures.get("block", ()):
            self._block(node)
        for node in captures.get("tie", ()):
            self.inserted.setdefault(self._after(node), []).append(TIE)
        for node in captures.get("line.begin", ()):
            self.line_starts.add(bisect_left(self.starts, node.start_byte))
        for node in captures.get("line.end", ()):
            position = self._after(node)
            self.inserted.setdefault(position, []).append(NEWLINE)
            self.line_starts.add(position)

    def _outside_strings(self, captures: Captures) -> Captures:
        """The captures without those of code inside a string that is one token."""
        strings = compress(range(len(self.texts)), self.kinds.translate(_IS_STRING))
        texts = self.texts
        holding = [at for at in strings if b"{" in texts[at] or b"(" in texts[at]]
        if not holding:
            return captures
        starts, ends = [self.starts[at] for at in holding], [self.ends[at] for at in holding]

        def outside(node: tree_sitter.Node) -> bool:
            at = bisect_left(starts, node.start_byte) - 1
            return at < 0 or node.start_byte >= ends[at]

        return {name: [node for node in nodes if outside(node)] for name, nodes in captures.items()}

    def _after(self, node: tree_sitter.Node) -> int:
        """The position of the first token after a node."""
        return bisect_right(self.ends, node.end_byte)

    def _terminate(self, node: tree_sitter.Node) -> None:
        position = self._after(node)
        if position and self.dropped[position - 1] and self.language.indent_blocks:
            return  # a dropped statement (a docstring, a semicolon's line) has no end
        if self.language.indent_blocks:
            self.inserted.setdefault(position, []).insert(0, NEWLINE)
            self.breaks[position] += 1
            return
        terminator = self.language.terminator
        assert terminator is not None, "a language with @terminate names its terminator"
        # A dropped one does not count: it was an empty statement, or the language drops them all to insert its own.
        texts = self.texts
        written = any(
            0 <= i < len(texts) and texts[i] == terminator and not self.dropped[i] for i in (position - 1, position)
        )
        if position < len(texts) and texts[position] == terminator and not self.dropped[position]:
            # Written after the node: the line ends after it.
            self.breaks[position + 1] += self.breaks[position]
            self.breaks[position] = 0
        if not written and terminator not in self.inserted.get(position, ()):
            self.inserted.setdefault(position, []).append(terminator)

    def _block(self, node: tree_sitter.Node) -> None:
        first, after = bisect_left(self.starts, node.start_byte), self._after(node)
        if first >= after:
            return
        self.inserted.setdefault(first, []).append(INDENT)
        self.breaks[first] += 1
        self.depth_change[first] += 1
        self.inserted.setdefault(after, []).append(DEDENT)
        self.depth_change[after] -= 1


def wrapped(texts: Sequence[bytes], lines: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return lines of tokens, of which those that are too long are wrapped."""
    # Most texts would fit into a single line, indentation included.
    if len(texts) + sum(map(len, texts)) + 4 * max([depth for _, _, depth in lines], default=0) <= WIDTH:
        return lines
    ends = [*accumulate(map(len, texts), initial=0)]
    # Most lines are short: only a line that could be too long is measured.
    widest = max([ends[last] - ends[first] + (last - first) + 4 * depth for first, last, depth in lines], default=0)
    if widest <= WIDTH:
        return lines
    return [part for line in lines for part in _wrapped(texts, *line)]


class ContinuedLine(NamedTuple):
    """A line that goes on with the statement of the line before it."""

    first: int
    last: int
    depth: int


def _wrapped(texts: Sequence[bytes], first: int, last: int, depth: int) -> Iterator[tuple[int, int, int]]:
    if first == last:
        yield first, last, depth
        return
    column = 4 * depth
    begin = first
    for i in range(first, last):
        width = len(texts[i].decode("utf-8", errors="replace"))
        gap = int(i > begin and _spaced(texts[i - 1], texts[i]))
        if i > begin and column + gap + width > WIDTH:
            yield ContinuedLine(begin, i, depth) if begin > first else (begin, i, depth)
            begin, column, gap = i, 4 * depth + 2, 0
        column += gap + width
    yield ContinuedLine(begin, last, depth) if begin > first else (begin, last, depth)


def _spaced(left: bytes, right: bytes) -> bool:
    return left not in _NO_SPACE_AFTER and right not in _NO_SPACE_BEFORE


def _join(texts: Sequence[bytes], kinds: Sequence[int], blanks: bool) -> bytes:
    pieces: list[bytes] = []
    previous: bytes | None = None
    literal = _LiteralPieces()
    for text, kind in zip(texts, kinds, strict=True):
        if kind == TokenKind.LAYOUT:
            previous = None if text == TIE else previous
            continue
        # `>` `>` is a shift or ends two type argument lists: without a blank, both are correct.
        together = literal.touches(text, kind, previous) or (previous == b">" and text[:1] == b">")
        if previous is not None and (blanks or (not together and _spaced(previous, text))):
            pieces.append(b" ")
        pieces.append(text)
        previous = text
    return b"".join(pieces)


class _LiteralPieces:
    """Tracks strings with embedded code, whose literal pieces are tokens: a blank between two would be text."""

    def __init__(self) -> None:
        self.quotes: list[bytes] = []  # of the open strings, outermost first
        self.piece = False  # whether the previous token was a piece

    def touches(self, text: bytes, kind: int, previous: bytes | None) -> bool:
        """Whether a token must touch the one before it."""
        inside = bool(self.quotes) and (self.piece or previous == b"}")
        opening = _OPENING_PIECE.fullmatch(text) if kind == TokenKind.STRING else None
        self.piece = kind == TokenKind.STRING and inside
        if self.piece and text == self.quotes[-1]:
            self.quotes.pop()
            self.piece = False
        elif opening and not self.piece:
            self.quotes.append(opening[1])
            self.piece = True
            return False
        return inside and (kind == TokenKind.STRING or text in (b"{", b"${"))
