"""Source text on a page: highlighted, and two texts side by side with their differences.

Every character of a fragment is escaped: a fragment that contains `<script>` or `</style>` stays text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, _TokenType

from clonetruth.html.alignment import AlignedRow, Span, align, columns, split_lines
from clonetruth.html.lexing import lexer_class
from clonetruth.html.templating import fill

# Longer texts are not highlighted, which would make the page slow.
_HIGHLIGHT_CHARACTERS = 500_000

# Maximum number of characters of an excerpt.
_EXCERPT_CHARACTERS = 6_000

# CSS classes (code.css) of token types; the first type that contains a token's type wins.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "o"),
    (Keyword.Type, "t"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (String, "s"),
    (Number, "m"),
    (Literal, "s"),
    (Name.Function, "f"),
    (Name.Class, "t"),
    (Name.Builtin, "f"),
    (Name.Decorator, "f"),
)

# Characters that a browser drops, or that could hide text (control codes, bidirectional marks and overrides, zero-width
# spaces), are replaced by visible ones. Each stays one character, so that positions keep their meaning.
_VISIBLE = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {0x7F: 0x2421}
_HIDING = "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
_VISIBLE |= dict.fromkeys((*range(0x80, 0xA0), *map(ord, _HIDING)), 0xFFFD)

Piece = tuple[str, str]
"""A CSS class (possibly empty) and a piece of text."""


@dataclass(frozen=True)
class Side:
    """One of two texts to compare.

    Attributes:
        text: the text.
        title: the heading above it.
        language: the name of its language; None or an unknown name is not highlighted.
        note: shown after the title, for example the language or the location of the fragment.
        first_line: the number of its first line.
    """

    text: str
    title: str
    language: str | None = None
    note: str = ""
    first_line: int = 1


def excerpt(text: str) -> str:
    """A text short enough for a page: a long one is cut, and its length added."""
    return (
        text
        if len(text) <= _EXCERPT_CHARACTERS
        else f"{text[:_EXCERPT_CHARACTERS]}\n… ({len(text):,} characters in all)"
    )


def highlight(text: str, language: str | None) -> Markup:
    """A text with CSS classes for its tokens, for a `pre` element. A text in an unknown language stays plain."""
    runs = _runs(text, language)
    # Escaped in one call: no text contains a zero, which is made visible.
    escaped = str(escape("\0".join([part for _, part in runs]))).split("\0")
    html = [_line_spans(css, part) if css else part for (css, _), part in zip(runs, escaped, strict=True)]
    return Markup("".join(html).removesuffix("\n"))


def side_by_side(left: Side, right: Side, caption: str = "") -> Markup:
    """Two texts in aligned columns, with the differences marked; stacked on a narrow screen."""
    rows = align(split_lines(left.text), split_lines(right.text))
    left_lines = _highlighted_lines(left.text, left.language)
    right_lines = _highlighted_lines(right.text, right.language)
    # A narrow screen shows the left lines of a run above its right lines, so every changed row is its own run.
    runs: list[list[tuple[_Cell, _Cell]]] = []
    last = "changed"
    for left_row, right_row in columns(rows):
        kind = left_row.kind if left_row is not None and left_row is right_row else "alone"
        if kind != last or kind == "changed":
            runs.append([])
        runs[-1].append(
            (_left_cell(left_row, left_lines, left.first_line), _right_cell(right_row, right_lines, right.first_line))
        )
        last = kind
    return fill("diff.html.j2", left=left, right=right, runs=runs, caption=caption or _count_rows(rows))


@dataclass(frozen=True)
class _Cell:
    """One side of a row: line number with sign, code, and CSS class of its background."""

    number: str
    code: Markup
    css: str


_EMPTY = _Cell("", Markup(""), "e")


def _left_cell(row: AlignedRow | None, lines: Sequence[Sequence[Piece]], first: int) -> _Cell:
    if row is None or row.left_number is None:
        return _EMPTY
    sign = {"same": " ", "changed": "~"}.get(row.kind, "−")
    css = "" if row.kind == "same" else "l"
    return _Cell(f"{row.left_number + first - 1} {sign}", _mark(lines[row.left_number - 1], row.left_marks), css)


def _right_cell(row: AlignedRow | None, lines: Sequence[Sequence[Piece]], first: int) -> _Cell:
    if row is None or row.right_number is None:
        return _EMPTY
    sign = {"same": " ", "changed": "~"}.get(row.kind, "+")
    css = "twin" if row.kind == "same" else "r"
    return _Cell(f"{row.right_number + first - 1} {sign}", _mark(lines[row.right_number - 1], row.right_marks), css)


def _count_rows(rows: Sequence[AlignedRow]) -> str:
    kinds = [row.kind for row in rows]
    return (
        f"Lines: {kinds.count('same'):,} the same, {kinds.count('changed'):,} changed (~), "
        f"{kinds.count('only-left'):,} only on the left (−), "
        f"{kinds.count('only-right'):,} only on the right (+)."
    )


def _lexer(language: str | None) -> Lexer | None:
    lexer = lexer_class(language.lower()) if language is not None else None
    return lexer(stripnl=False, ensurenl=False) if lexer is not None else None


@cache
def _class_of(kind: _TokenType) -> str:
    return next((css for parent, css in _CLASSES if kind[: len(parent)] == parent), "")


def _highlighted_lines(text: str, language: str | None) -> list[list[Piece]]:
    """The pieces of each line. Joined, they are the lines of `split_lines` with hidden characters made visible."""
    lines: list[list[Piece]] = [[]]
    for css, value in _runs(text, language):
        head, *tail = value.split("\n")
        lines[-1].append((css, head))
        lines.extend([[(css, part)] for part in tail])
    lines.pop()
    return lines


def _runs(text: str, language: str | None) -> list[Piece]:
    """A text with hidden characters made visible and a line end after each line, in runs of one CSS class."""
    source = "".join([f"{line}\n" for line in split_lines(text)]).translate(_VISIBLE)
    lexer = _lexer(language) if len(text) <= _HIGHLIGHT_CHARACTERS else None
    runs: list[Piece] = []
    last, parts = "", list[str]()
    for _, kind, value in lexer.get_tokens_unprocessed(source) if lexer is not None else ():
        css = _class_of(kind)
        if css != last:
            runs.append((last, "".join(parts)))
            last, parts = css, []
        parts.append(value)
    runs.append((last, "".join(parts)))
    # A lexer that drops or adds characters would shift every later mark.
    return runs if "".join([part for _, part in runs]) == source else [("", source)]


def _line_spans(css: str, escaped: str) -> str:
    """Each line of an escaped run in a `span`, so that lines can be taken apart."""
    return "\n".join([f'<span class="{css}">{line}</span>' if line else "" for line in escaped.split("\n")])


def _mark(pieces: Iterable[Piece], marks: Sequence[Span]) -> Markup:
    """One line as HTML: pieces in `span`, marked stretches in `mark`, everything escaped."""
    if not marks:
        return Markup("".join([_span(css, text) for css, text in pieces]))
    html: list[str] = []
    edges = sorted({edge for span in marks for edge in span})
    at = 0
    for css, text in pieces:
        start, at = at, at + len(text)
        cuts = [start, *(edge for edge in edges if start < edge < at), at]
        for a, b in pairwise(cuts):
            if a == b:
                continue
            shown = _span(css, text[a - start : b - start])
            if any(low <= a and b <= high for low, high in marks):
                shown = f"<mark>{shown}</mark>"
            html.append(shown)
    return Markup("".join(html).replace("</mark><mark>", ""))


def _span(css: str, text: str) -> str:
    shown = str(escape(text))
    return f'<span class="{css}">{shown}</span>' if css and text else shown
