"""Search heuristics: boolean expressions over what a function contains, as text and as SQL.

    [getChannel] OR call:transferFrom AND NOT (type:Socket OR keyword:synchronized)

A term is a word, or a qualified name (`FileUtils.copyFile`), that the function contains. A prefix narrows it: `call:`
(it is called), `type:` (it names a type), `keyword:`, `name:` (the name of the function itself). `copy*` stands for
every word that begins so. AND binds stronger than OR; parentheses and BigCloneBench's square brackets group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag

from clonetruth.errors import InputError


class TermKind(IntFlag):
    """The ways in which a function contains a term; a row of the index has all that apply."""

    TOKEN = 1
    CALL = 2
    TYPE = 4
    KEYWORD = 8
    NAME = 16


_PREFIXES = {kind.name.lower(): kind for kind in TermKind if kind.name}
_TOKEN = re.compile(
    r"""\s*(?:(?P<open>[(\[])|(?P<close>[)\]])|"(?P<quoted>[^"'\\]+)"|(?P<word>[^\s()\[\]"]+)|(?P<wrong>.))""",
    re.DOTALL,
)
_TERM = re.compile(r"(?:(?P<prefix>[a-z]+):)?(?P<text>[\w$@#.]+?)(?P<star>\*)?")
_OPERATORS = ("AND", "OR", "NOT")
_CLOSING = {"(": ")", "[": "]"}
MOST_TERMS = 200
"""Terms of one expression."""
_DEEPEST = 50


@dataclass(frozen=True, order=True)
class Term:
    """A term of a heuristic.

    Attributes:
        text: the word, or the qualified name.
        kind: how a function must contain it.
        prefix: whether `text` is only the beginning.
    """

    text: str
    kind: TermKind = TermKind.TOKEN
    prefix: bool = False

    def __str__(self) -> str:
        kind = "" if self.kind is TermKind.TOKEN else f"{(self.kind.name or '').lower()}:"
        return f"{kind}{self.text}{'*' if self.prefix else ''}"


@dataclass(frozen=True)
class _Node:
    """An operator with its operands, or a term."""

    operator: str
    operands: tuple[_Node, ...] = ()
    term: Term | None = None

    def terms(self) -> Iterator[Term]:
        if self.term is not None:
            yield self.term
        for one in self.operands:
            yield from one.terms()

    def holds(self, present: Mapping[Term, bool]) -> bool:
        if self.term is not None:
            return present[self.term]
        values = [one.holds(present) for one in self.operands]
        return not values[0] if self.operator == "NOT" else (all if self.operator == "AND" else any)(values)

    def sql(self, columns: Mapping[Term, str]) -> str:
        if self.term is not None:
            return f"{columns[self.term]} = 1"
        if self.operator == "NOT":
            return f"NOT ({self.operands[0].sql(columns)})"
        return "(" + f" {self.operator} ".join(one.sql(columns) for one in self.operands) + ")"

    def __str__(self) -> str:
        if self.term is not None:
            return str(self.term)
        if self.operator == "NOT":
            return f"NOT {self.operands[0]}"
        return "(" + f" {self.operator} ".join(map(str, self.operands)) + ")"


@dataclass(frozen=True)
class Heuristic:
    """A search heuristic that was read.

    Attributes:
        text: the expression as it was written.
    """

    text: str
    _root: _Node

    @property
    def terms(self) -> tuple[Term, ...]:
        """Its terms, each once."""
        return tuple(dict.fromkeys(self._root.terms()))

    def matches(self, present: Mapping[Term, bool]) -> bool:
        """Whether a function matches, given which of the terms it contains."""
        return self._root.holds(present)

    def condition(self, columns: Mapping[Term, str]) -> str:
        """The expression as an SQL condition over columns that are 1 where the function contains the term."""
        return self._root.sql(columns)

    def __str__(self) -> str:
        return str(self._root)


def parse_heuristic(text: str, where: object = None) -> Heuristic:
    """Read a heuristic.

    Args:
        text: the expression.
        where: where it was read from, for messages.

    Raises:
        InputError: it does not parse (the message shows where), or it matches functions without any of its terms.
    """
    parser = _Parser(text, where)
    heuristic = Heuristic(text, parser.parse())
    if len(heuristic.terms) > MOST_TERMS:
        raise InputError(f"The heuristic has more than {MOST_TERMS} terms.", where=where, hint="Use a prefix: copy*")
    if heuristic.matches(dict.fromkeys(heuristic.terms, False)):
        raise InputError(
            "The heuristic matches every function that contains none of its terms.",
            where=where,
            hint="Join a term that must be there: … AND NOT …",
        )
    return heuristic


class _Parser:
    """Reads an expression from left to right."""

    def __init__(self, text: str, where: object) -> None:
        self._text = text
        self._where = where
        self._tokens = [match for match in _TOKEN.finditer(text.rstrip()) if match[0].strip()]
        self._at = 0
        self._depth = 0

    def parse(self) -> _Node:
        if not self._tokens:
            raise self._error("The heuristic is empty.", 0)
        root = self._either()
        if (token := self._token()) is not None:
            if token["close"]:
                raise self._error(f"'{token['close']}' closes nothing.", self._start(token))
            raise self._error("AND or OR is missing.", self._start(token))
        return root

    def _either(self) -> _Node:
        return self._joined("OR", self._both)

    def _both(self) -> _Node:
        return self._joined("AND", self._negated)

    def _joined(self, operator: str, inner: Callable[[], _Node]) -> _Node:
        operands = [inner()]
        while (token := self._token()) is not None and token["word"] == operator:
            self._at += 1
            operands.append(inner())
        return operands[0] if len(operands) == 1 else _Node(operator, tuple(operands))

    def _negated(self) -> _Node:
        token = self._token()
        if token is not None and token["word"] == "NOT":
            self._at += 1
            return _Node("NOT", (self._nested(self._negated),))
        return self._operand()

    def _nested(self, inner: Callable[[], _Node]) -> _Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(f"More than {_DEEPEST} levels of brackets.", len(self._text))
        node = inner()
        self._depth -= 1
        return node

    def _operand(self) -> _Node:
        token = self._token()
        if token is None:
            raise self._error("A term is missing at the end.", len(self._text))
        self._at += 1
        start = self._start(token)
        if token["open"]:
            node = self._nested(self._either)
            closing = self._token()
            wanted = _CLOSING[token["open"]]
            if closing is None:
                raise self._error(f"The '{token['open']}' is never closed: a '{wanted}' is missing.", start)
            if closing["close"] != wanted:
                found = "AND or OR is missing." if not closing["close"] else f"'{wanted}' was expected."
                raise self._error(found, self._start(closing))
            self._at += 1
            return node
        if token["close"] or token["wrong"] or token["word"] in _OPERATORS:
            raise self._error("A term is missing.", start)
        return _Node("", term=self._term(token, start))

    def _term(self, token: re.Match[str], start: int) -> Term:
        if token["quoted"]:
            return Term(token["quoted"])
        match = _TERM.fullmatch(token["word"])
        if match is None:
            raise self._error(f"'{token['word']}' is not a term.", start)
        prefix = match["prefix"]
        if prefix is not None and prefix not in _PREFIXES:
            raise self._error(f"'{prefix}:' is not one of {', '.join(f'{one}:' for one in _PREFIXES)}.", start)
        kind = _PREFIXES[prefix] if prefix else TermKind.TOKEN
        return Term(match["text"], kind, bool(match["star"]))

    def _token(self) -> re.Match[str] | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _start(self, token: re.Match[str]) -> int:
        return token.end() - len(token[0].lstrip())

    def _error(self, what: str, position: int) -> InputError:
        near = self._text[position : position + 30].strip() or "the end"
        return InputError(
            f"The heuristic cannot be read: {what}",
            where=f"{self._where + ', ' if isinstance(self._where, str) else ''}character {position + 1}, at “{near}”",
            hint="Example: [getChannel] OR call:transferFrom AND NOT type:Socket",
        )
