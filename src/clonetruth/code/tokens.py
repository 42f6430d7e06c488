"""Tokens with classes.

The lexer is one regular expression per language, run by native code; the class of a token follows from its
text, through a cache. The tree supplies what only the grammar knows: which identifiers name types, and where
tokens end that a regular expression cannot delimit (template strings, regular expressions). Both are marked in
the text before it is lexed, by bytes that source never contains.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, compress
from operator import attrgetter

from clonetruth.code.language import OPAQUE_MARK, SPLIT_MARK, TYPE_MARK, TokenKind
from clonetruth.code.parsing import Captures, Parsed, Span

_TRIVIA, _TYPE, _OPAQUE, _SPLIT = map(int, (TokenKind.TRIVIA, TokenKind.TYPE, TokenKind.OPAQUE, TokenKind.SPLIT))
_WORDS = frozenset(
    map(int, (TokenKind.IDENTIFIER, TokenKind.KEYWORD, TokenKind.OPERATOR, TokenKind.BOOLEAN, TokenKind.NULL))
)
_OPAQUE_JOINT = b" " + OPAQUE_MARK + b" "
_SPLIT_JOINT = b" " + SPLIT_MARK + b" "


@dataclass(frozen=True)
class Token:
    """One token: its text, its class, and the byte at which it starts in the parsed source."""

    text: str
    kind: TokenKind
    start: int


Opaque = tuple[int, int, TokenKind]
"""Start, end and class of a token that the grammar delimits."""


class TokenStream:
    """The tokens of a text as parallel sequences, for bulk work.

    Attributes:
        texts: the tokens.
        kinds: their classes, as integers of `TokenKind`; a byte each.
    """

    def __init__(self, texts: list[bytes], kinds: bytearray, starts: Callable[[], list[int]]) -> None:
        self.texts = texts
        self.kinds = kinds
        self._starts = starts

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def starts(self) -> list[int]:
        """The byte at which each token starts in the parsed source."""
        return self._starts()

    def tokens(self) -> list[Token]:
        """The tokens as objects."""
        return [
            Token(text.decode("utf-8", errors="replace"), TokenKind(kind), start)
            for text, kind, start in zip(self.texts, self.kinds, self.starts, strict=True)
        ]


@dataclass(frozen=True)
class Lexemes:
    """The lexer of a parsed text, with what the tree knows about its tokens.

    Args:
        parsed: the text.
        opaque: the tokens that the grammar delimits, sorted.
        types: the starts of the identifiers that name types, sorted.
    """

    parsed: Parsed
    opaque: Sequence[Opaque]
    types: Sequence[int]

    @classmethod
    def of(cls, parsed: Parsed, captures: Captures | None = None) -> Lexemes:
        """Return the lexemes of a parsed text, from given captures of its structure query if there are any."""
        captures = parsed.captures(parsed.language.token_query) if captures is None else captures
        opaque = sorted(
            (node.start_byte, node.end_byte, TokenKind[name.removeprefix("opaque.").upper()])
            for name, nodes in captures.items()
            if name.startswith("opaque.")
            for node in nodes
        )
        return cls(parsed, opaque, sorted(map(attrgetter("start_byte"), captures.get("type", ()))))

    def stream(self, span: Span) -> TokenStream:
        """The tokens of a span, without comments and white space, and where they start."""
        language, source = self.parsed.language, self.parsed.source
        texts: list[bytes] = []
        kinds = bytearray()
        starts: list[int] = []
        for left, right, opaque in self._segments(span):
            matches = language.match_pattern.findall(source[left:right])
            found = [*map(language.match_token.__getitem__, matches)]
            kept = bytes([kind for _, kind in found])
            texts += [text for text, kind in found if kind]
            starts += compress(accumulate(map(len, matches), initial=left), kept)
            kinds += kept.translate(None, bytes([_TRIVIA]))
            if opaque:
                texts.append(self._opaque_text(opaque))
                kinds.append(opaque[2])
                starts.append(opaque[0])
        position_of = dict(zip(starts, range(len(starts)), strict=True))
        for start in self._cuts(*span):
            at = position_of.get(start)
            if at is None or kinds[at] not in _WORDS:
                # The grammar sees a type inside a token (`1ll`), which a mark splits.
                return self.streams([span])[0]
            kinds[at] = _TYPE
        return TokenStream(texts, kinds, lambda: starts)

    def streams(self, spans: Sequence[Span]) -> list[TokenStream]:
        """The tokens of several spans, lexed in one go."""
        language = self.parsed.language
        opaque: list[Opaque] = []
        marked = _SPLIT_JOINT.join([self._marked(span, opaque) for span in spans])
        texts = language.token_pattern.findall(marked)
        kinds = language.kind_of.kinds(texts)
        if kinds.count(_OPAQUE) != len(opaque) or kinds.count(_SPLIT) != len(spans) - 1:
            texts, kinds = self._piecewise(spans)
        if _TRIVIA in kinds:
            texts = list(compress(texts, kinds))
            kinds = kinds.translate(None, bytes([_TRIVIA]))
        for at in _positions(kinds, _TYPE):
            texts[at] = texts[at][1:]
        for at, (left, right, kind) in zip(_positions(kinds, _OPAQUE), opaque, strict=True):
            texts[at] = self._opaque_text((left, right, kind))
            kinds[at] = int(kind)
        ends = [*_positions(kinds, _SPLIT), len(kinds)]
        firsts = [0, *(end + 1 for end in ends)]
        return [
            TokenStream(texts[first:end], kinds[first:end], partial(self.starts, span))
            for first, end, span in zip(firsts, ends, spans, strict=False)
        ]

    def _opaque_text(self, token: Opaque) -> bytes:
        left, right, kind = token
        text = self.parsed.source[left:right]
        # A keyword in two parts (`# include`) has one spelling.
        return b"".join(text.split()) if kind is TokenKind.KEYWORD else text

    def _piecewise(self, spans: Sequence[Span]) -> tuple[list[bytes], bytearray]:
        """Lex the pieces between the marks one by one: in broken source, a comment or a string that begins in one
        of them can swallow the mark after it."""
        language = self.parsed.language
        texts: list[bytes] = []
        for at, span in enumerate(spans):
            if at:
                texts.append(SPLIT_MARK)
            for left, right, opaque in self._segments(span):
                texts += language.token_pattern.findall(self._plain(left, right))
                if opaque:
                    texts.append(OPAQUE_MARK)
        return texts, language.kind_of.kinds(texts)

    def starts(self, span: Span) -> list[int]:
        """The starts of the tokens of a span."""
        matches_of, token_of = self.parsed.language.match_pattern.findall, self.parsed.language.match_token
        starts: list[int] = []
        for position, right, opaque in self._segments(span):
            # Lexed with the marks, which split a token if the grammar sees a type inside it (`1ll`).
            marked = bool(self._cuts(position, right))
            for match in matches_of(self._plain(position, right)):
                if token_of[match][1]:
                    starts.append(position)
                position += len(match) - match.count(TYPE_MARK) if marked else len(match)
            if opaque:
                starts.append(opaque[0])
        return starts

    def comments(self, span: Span) -> list[Span]:
        """The spans of the comments in a span, and of whatever else its language lexes as a comment."""
        language = self.parsed.language
        kind_of = language.kind_of
        return [
            match.span(1)
            for left, right, _ in self._segments(span)
            for match in language.token_pattern.finditer(self.parsed.source, left, right)
            if kind_of[match[1]] == _TRIVIA and not match[1].isspace()
        ]

    def _marked(self, span: Span, opaque: list[Opaque]) -> bytes:
        """The text of a span with marks for the lexer; its opaque tokens are appended to `opaque`."""
        if not self.opaque:
            return self._plain(*span)
        pieces: list[bytes] = []
        for left, right, token in self._segments(span):
            pieces.append(self._plain(left, right))
            if token:
                opaque.append(token)
        return _OPAQUE_JOINT.join(pieces)

    def _segments(self, span: Span) -> Iterator[tuple[int, int, Opaque | None]]:
        """The plain texts between opaque tokens, each with the opaque token after it."""
        position, end = span
        for token in self.opaque[bisect_left(self.opaque, (position,)) :] if self.opaque else ():
            if token[0] >= end:
                break
            if token[0] >= position:  # else it is inside an opaque token
                yield position, token[0], token
                position = token[1]
        yield position, max(position, end), None

    def _plain(self, start: int, end: int) -> bytes:
        source, cuts = self.parsed.source, self._cuts(start, end)
        if not cuts:
            return source[start:end]
        return TYPE_MARK.join([source[left:right] for left, right in zip((start, *cuts), (*cuts, end), strict=True)])

    def _cuts(self, start: int, end: int) -> Sequence[int]:
        """The starts of the types in a span."""
        return self.types[bisect_left(self.types, start) : bisect_left(self.types, end)]


def token_stream(parsed: Parsed) -> TokenStream:
    """Return the tokens of a parsed text, without comments and white space."""
    return Lexemes.of(parsed).stream((parsed.start, parsed.end))


def _positions(kinds: bytearray, kind: int) -> list[int]:
    """The positions of a token class."""
    positions: list[int] = []
    at = kinds.find(kind)
    while at >= 0:
        positions.append(at)
        at = kinds.find(kind, at + 1)
    return positions
