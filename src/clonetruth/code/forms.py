"""Normal forms: fragments without the differences in layout, names or values that do not count.

==================  =====================================================================================
Type-1              without comments and layout, one statement per line
Type-2 consistent   every name its own symbol in order of appearance, literals by kind
Type-2 blind        all names one symbol, all literals one symbol
==================  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b

from clonetruth.code.indent_printer import printed_by_tokens
from clonetruth.code.java_printer import printed_java
from clonetruth.code.javascript_printer import printed_javascript
from clonetruth.code.language import LITERALS, Language, TokenKind
from clonetruth.code.parsing import Parsed, parse
from clonetruth.code.pretty import Printed, pretty

NAME, LITERAL = b"ID", b"LIT"
"""The blind symbols."""


_NAMES = frozenset({int(TokenKind.IDENTIFIER), int(TokenKind.TYPE)})
_BLIND = [NAME if kind in _NAMES else LITERAL if kind in LITERALS else None for kind in TokenKind]
_LITERAL_BY_KIND = {int(kind): b"%s:%s" % (LITERAL, kind.name.lower().encode()) for kind in LITERALS}


class Form(StrEnum):
    """The normal forms by name."""

    TYPE1 = "type-1"
    CONSISTENT = "type-2-consistent"
    BLIND = "type-2-blind"


@dataclass(frozen=True)
class FragmentForms:
    """What similarity and clone types need from a fragment; computed once, compared often.

    Args:
        type1: digest of the Type-1 tokens.
        consistent: digest of the consistently renamed tokens.
        tokens: the blind token sequence.
        lines: the blind pretty-printed lines, blank ones included.
        sound: whether the whole fragment parsed.
    """

    type1: bytes
    consistent: bytes
    tokens: tuple[bytes, ...]
    lines: tuple[bytes, ...]
    sound: bool


def normal_form(text: str, language: Language, form: Form) -> str:
    """Return a fragment in a normal form, as text.

    >>> from clonetruth.code import language
    >>> print(normal_form("int f(int a) { return a+1; } // next", language("java"), Form.TYPE1))
    int f (int a) {
        return a + 1;
    }
    """
    printed = printed_text(text, language)
    return printed.text(rewritten(printed, language, form))


def form_lines(text: str, language: Language, form: Form) -> list[bytes]:
    """Return the lines of a fragment in a normal form, without indentation and blank lines.

    >>> from clonetruth.code import language
    >>> form_lines("int f(int a) { return a+1; } // next", language("java"), Form.BLIND)
    [b'int ID ( int ID ) {', b'return ID + LIT ;', b'}']
    """
    printed = printed_text(text, language)
    tokens = rewritten(printed, language, form)
    return [b" ".join(tokens[first:last]) for first, last, _ in printed.lines if first < last]


def form_digest(text: str, language: Language, form: Form) -> bytes | None:
    """Return a digest that is equal for fragments with equal tokens in this form; None if there are no tokens."""
    printed = printed_text(text, language)
    return token_digest(rewritten(printed, language, form)) if printed.texts else None


def fragment_forms(text: str, language: Language) -> FragmentForms:
    """Return what similarity and clone types need from a fragment."""
    return forms_of(parse(text, language, lone=True))


def forms_of(parsed: Parsed) -> FragmentForms:
    """Return the same for a text that is already parsed."""
    language = parsed.language
    printed = pretty(parsed)
    blind = rewritten(printed, language, Form.BLIND)
    return FragmentForms(
        type1=token_digest(printed.texts),
        consistent=token_digest(rewritten(printed, language, Form.CONSISTENT)),
        tokens=tuple(joined_literals(blind)),
        lines=tuple(b" ".join(blind[first:last]) for first, last, _ in printed.lines),
        sound=not parsed.tree.root_node.has_error,
    )


TOKEN_PRINTERS: dict[str, Callable[[str, Language], Printed | None]] = {
    "java": printed_java,
    "javascript": printed_javascript,
    "python": printed_by_tokens,
}
"""The printers that need no tree, by language; they return None if they do."""


@lru_cache(maxsize=8192)
def printed_text(text: str, language: Language) -> Printed:
    """Pretty-print a lone fragment.

    Cached, since callers ask for several forms of a fragment: in a row, or one form of some thousand fragments first.
    """
    by_tokens = TOKEN_PRINTERS.get(language.name)
    printed = by_tokens(text, language) if by_tokens is not None else None
    return pretty(parse(text, language, lone=True)) if printed is None else printed


def rewritten(printed: Printed, language: Language, form: Form) -> list[bytes]:
    """Return the tokens of a pretty-printed text in a form, one for each."""
    if form is Form.TYPE1:
        return printed.texts
    if form is Form.BLIND:
        own = dict.fromkeys(language.own_names, NAME).get
        symbols = zip(map(_BLIND.__getitem__, printed.kinds), printed.texts, strict=True)
        return [symbol or own(text, text) for symbol, text in symbols]
    tokens = zip(printed.texts, printed.kinds, strict=True)
    names: dict[bytes, bytes] = {}
    renamed: list[bytes] = []
    for text, kind in tokens:
        if kind in _NAMES:
            symbol = names.get(text)
            if symbol is None:
                symbol = names[text] = b"%s%d" % (NAME, len(names) + 1)
            renamed.append(symbol)
        else:
            renamed.append(_LITERAL_BY_KIND.get(kind, text))
    return renamed


def joined_literals(tokens: Sequence[bytes]) -> list[bytes]:
    """Join each literal with a ``.`` directly after it, as the compared sequences have it."""
    joined: list[bytes] = []
    previous = b""
    for token in tokens:
        if token == b"." and previous == LITERAL:
            joined[-1] = LITERAL + b"."
        else:
            joined.append(token)
        previous = token
    return joined


def token_digest(tokens: Sequence[bytes]) -> bytes:
    """Return a digest of a sequence of tokens."""
    return blake2b(b"\0".join(tokens), digest_size=16).digest()
