"""The data flow of a fragment: where the value of each occurrence of a variable comes from.

Read from tokens in the order of the text, so that it works in every language and on code that does not parse: a use
comes from the latest assignment of the same name before it, and an assignment is computed from the names up to the end
of its statement. Branches and loops are not followed.
"""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.code import Language
from clonetruth.code.language import TokenKind

_ASSIGNS = frozenset(b"= := += -= *= /= %= //= **= &= |= ^= <<= >>= >>>= ++ -- in of".split())
_ENDS = frozenset((b";", b"{", b"}"))


@dataclass(frozen=True)
class DataFlow:
    """The variables of a fragment.

    Attributes:
        spans: first and last character (exclusive) of each occurrence.
        sources: for each occurrence, the numbers of the occurrences that its value comes from.
    """

    spans: tuple[tuple[int, int], ...]
    sources: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class _Token:
    text: bytes
    start: int
    is_name: bool
    line_ends: bool


def data_flow(text: str, language: Language) -> DataFlow:
    """The data flow of a text."""
    tokens = _tokens(text, language)
    spans: list[tuple[int, int]] = []
    sources: list[set[int]] = []
    assigned: dict[bytes, int] = {}
    target: int | None = None
    variables = {token.text for at, token in enumerate(tokens) if _is_variable(tokens, at) and _is_assigned(tokens, at)}
    for at, token in enumerate(tokens):
        if token.text in variables and _is_variable(tokens, at):
            number = len(spans)
            spans.append((token.start, token.start + len(token.text.decode(errors="replace"))))
            before = assigned.get(token.text)
            sources.append(set() if before is None else {before})
            if target is not None:
                sources[target].add(number)
            if _is_assigned(tokens, at):
                assigned[token.text] = number
                target = number if target is None else target
        if token.text in _ENDS or (token.line_ends and language.name == "python"):
            target = None
    return DataFlow(tuple(spans), tuple(tuple(sorted(one - {at})) for at, one in enumerate(sources)))


def _tokens(text: str, language: Language) -> list[_Token]:
    data = text.encode("utf-8", errors="replace")
    # Group 1 is the token; the white space and comments around it are outside.
    spans = [match.span(1) for match in language.token_pattern.finditer(data)]
    kinds = language.kind_of.kinds([data[start:end] for start, end in spans])
    kept = [(*span, kind) for span, kind in zip(spans, kinds, strict=True) if kind != TokenKind.TRIVIA]
    nexts = [*(start for start, _, _ in kept[1:]), len(data)][: len(kept)]
    ascii_only = data.isascii()
    found = []
    for (start, end, kind), following in zip(kept, nexts, strict=True):
        place = start if ascii_only else len(data[:start].decode(errors="replace"))
        ends_line = b"\n" in data[end:following]
        found.append(_Token(data[start:end], place, kind == TokenKind.IDENTIFIER, ends_line))
    return found


def _is_variable(tokens: list[_Token], at: int) -> bool:
    """Whether a token is a name that is neither called nor a member of something."""
    if not tokens[at].is_name:
        return False
    after = tokens[at + 1].text if at + 1 < len(tokens) else b""
    before = tokens[at - 1].text if at else b""
    return after != b"(" and before not in (b".", b"->", b"::")


def _is_assigned(tokens: list[_Token], at: int) -> bool:
    """Whether a name gets a value here: by an assignment, or as a parameter or declaration after a type."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else b""
    before = tokens[at - 1] if at else None
    if after in _ASSIGNS or (before is not None and before.text in (b"++", b"--")):
        return True
    return (
        before is not None
        and after in (b",", b")", b";", b":", b"[")
        and (
            before.is_name or before.text in (b"int", b"long", b"double", b"float", b"char", b"boolean", b"bool", b"]")
        )
    )
