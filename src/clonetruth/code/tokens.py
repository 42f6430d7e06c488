"""Tokens with classes.

The lexer is one regular expression per language whose matches cover the text, so that native code does the
work and the concatenation of all pieces is the text again. What only the grammar can delimit (template
strings, regular expressions) comes from the tree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, compress

from clonetruth.code.language import Language, TokenKind
from clonetruth.code.parsing import Parsed


@dataclass(frozen=True)
class Token:
    """One token: its text, its class, and the byte at which it starts in the parsed source."""

    text: str
    kind: TokenKind
    start: int


@dataclass(frozen=True)
class TokenStream:
    """The tokens of a text as parallel lists: the form in which bulk work uses them."""

    texts: list[bytes]
    kinds: list[int]
    starts: list[int]

    def __len__(self) -> int:
        return len(self.texts)

    def tokens(self) -> list[Token]:
        """The same as objects."""
        return [
            Token(text.decode("utf-8", errors="replace"), TokenKind(kind), start)
            for text, kind, start in zip(self.texts, self.kinds, self.starts, strict=True)
        ]


def lex(source: bytes, language: Language) -> tuple[list[bytes], list[int]]:
    """Cut a text into pieces that cover it, trivia included, with the class of each."""
    texts = language.token_pattern.findall(source)
    return texts, list(map(language.kind_of.__getitem__, texts))


def token_stream(parsed: Parsed, start: int | None = None, end: int | None = None) -> TokenStream:
    """The tokens of a parsed text, comments and white space dropped, or of a part of it."""
    captures = parsed.captures(parsed.language.structure)
    opaque = sorted(
        (node.start_byte, node.end_byte, TokenKind[name.removeprefix("opaque.").upper()])
        for name, nodes in captures.items()
        if name.startswith("opaque.")
        for node in nodes
    )
    types = sorted(node.start_byte for node in captures.get("type", ()))
    return cut(
        parsed.source,
        parsed.language,
        parsed.start if start is None else start,
        parsed.end if end is None else end,
        opaque,
        types,
    )


Opaque = tuple[int, int, TokenKind]


def cut(
    source: bytes,
    language: Language,
    start: int,
    end: int,
    opaque: Sequence[Opaque] = (),
    types: Sequence[int] = (),
) -> TokenStream:
    """The tokens of ``source[start:end]``.

    Args:
        source: the parsed bytes.
        language: their language.
        start, end: the part wanted.
        opaque: sorted (start, end, class) of tokens that the grammar delimits.
        types: sorted starts of the identifiers that name types.
    """
    texts: list[bytes] = []
    kinds: list[int] = []
    starts: list[int] = []
    position = start
    for left, right, kind in opaque[bisect_left(opaque, (start,)) :] if opaque else ():
        if left >= end:
            break
        if left < position:
            continue  # inside a token that was already taken whole (a template in a template)
        _cut_plain(source, language, position, left, texts, kinds, starts)
        texts.append(source[left:right])
        kinds.append(kind)
        starts.append(left)
        position = right
    _cut_plain(source, language, position, end, texts, kinds, starts)
    if types:
        _mark_types(starts, kinds, types[bisect_left(types, start) : bisect_left(types, end)])
    return TokenStream(texts, kinds, starts)


def _cut_plain(
    source: bytes,
    language: Language,
    start: int,
    end: int,
    texts: list[bytes],
    kinds: list[int],
    starts: list[int],
) -> None:
    if start >= end:
        return
    pieces, classes = lex(source[start:end], language)
    # TRIVIA is 0, so that the classes themselves select what stays.
    texts.extend(compress(pieces, classes))
    kinds.extend(filter(None, classes))
    starts.extend(compress(accumulate(map(len, pieces), initial=start), classes))


def _mark_types(starts: list[int], kinds: list[int], types: Sequence[int]) -> None:
    index = dict(zip(starts, range(len(starts)), strict=True)) if len(types) > 8 else None
    for place in types:
        i = index.get(place, -1) if index is not None else bisect_left(starts, place)
        if 0 <= i < len(kinds) and starts[i] == place and kinds[i] == TokenKind.IDENTIFIER:
            kinds[i] = TokenKind.TYPE
