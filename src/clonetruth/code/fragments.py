"""Functions in files: extraction with exact line ranges, names, class paths and parameter types.

Broken source yields what parses: all functions found are returned, those with an error are marked as not sound, and
text that does not parse is reported as problems.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import tree_sitter

from clonetruth.code.language import Language
from clonetruth.code.parsing import Captures, Parsed, Problem, Span, parse
from clonetruth.code.tokens import Lexemes, TokenStream

_FUNCTION, _LAMBDA, _SCOPE, _PARAMETER, _NAME, _NAME_LAST, _OWNER, _SCOPE_NAME = range(8)
_ROLES = {
    "function": _FUNCTION,
    "lambda": _LAMBDA,
    "scope": _SCOPE,
    "parameter": _PARAMETER,
    "name": _NAME,
    "name.last": _NAME_LAST,
    "owner": _OWNER,
    "scope.name": _SCOPE_NAME,
}


_SPACED_AFTER = frozenset(b", : | & = => ->".split())
_SPACED_BEFORE = frozenset(b"| & = => ->".split())


LAMBDA_NAME = "<lambda>"
"""What stands for the name of a function that has none."""


MAX_WRAPPERS = 12
"""How many anonymous functions may be around a function that counts because of `ExtractOptions.callbacks`.

Each level is compared with everything in it; tests of JavaScript have about four.
"""


def wrappers_around(role: int, wrappers: int) -> int:
    """How many anonymous functions are around what is directly inside of an item; `MAX_WRAPPERS` in a named function.

    Args:
        role: the role of the item: 0 a function with a name, 1 a lambda, else a class or the like.
        wrappers: how many are around the item.
    """
    return (MAX_WRAPPERS, min(wrappers + 1, MAX_WRAPPERS), 0)[role]


@dataclass(frozen=True)
class ExtractOptions:
    """What counts as a fragment.

    Args:
        nested: also functions inside functions. Methods of a class inside a function always count.
        lambdas: also anonymous functions.
        callbacks: also anonymous functions that are in no named function, and named functions inside of these, up to
            `MAX_WRAPPERS` deep.
    """

    nested: bool = False
    lambdas: bool = False
    callbacks: bool = False


class Function(NamedTuple):
    """A function, method or constructor in a file. Lines are 1-based and inclusive.

    Attributes:
        name: its name; empty for a lambda.
        class_path: the enclosing classes (and the like), outermost first.
        parameter_types: the types of its parameters as written, if the language writes them.
        first_line: its first line in the file, annotations included.
        last_line: its last line.
        start: its first byte in the parsed source.
        end: the byte after its last.
        text: its text.
        sound: whether all of it parsed.
    """

    name: str
    class_path: tuple[str, ...]
    parameter_types: tuple[str, ...]
    first_line: int
    last_line: int
    start: int
    end: int
    text: str
    sound: bool

    @property
    def qualified_name(self) -> str:
        """The name with its class path, ``Outer.Inner.name``."""
        return ".".join((*self.class_path, self.name or LAMBDA_NAME))


@dataclass(frozen=True, eq=False)
class Extraction:
    """The functions of one text, with what is needed to split them into tokens."""

    parsed: Parsed
    functions: tuple[Function, ...]
    lexemes: Lexemes

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What did not parse."""
        return self.parsed.problems

    def tokens(self, function: Function) -> TokenStream:
        """The tokens of one of the functions, without comments."""
        return self.lexemes.stream((function.start, function.end))

    def token_streams(self) -> list[TokenStream]:
        """The tokens of every function, lexed in one go."""
        return self.lexemes.streams([(function.start, function.end) for function in self.functions])


class _Item:
    """A function, lambda or scope."""

    __slots__ = ("end", "name", "name_start", "node", "owners", "parameters", "parent", "role", "start", "wrappers")

    def __init__(self, role: int, node: tree_sitter.Node, start: int, end: int, parent: _Item | None) -> None:
        self.role = role
        self.node = node
        self.start = start
        self.end = end
        self.parent = parent
        self.wrappers: int = wrappers_around(parent.role, parent.wrappers) if parent is not None else 0
        self.name = ""
        self.name_start = start
        self.owners: list[str] = []
        self.parameters: list[str] = []

    @property
    def inside_function(self) -> bool:
        return self.parent is not None and self.parent.role != _SCOPE

    @property
    def class_path(self) -> tuple[str, ...]:
        path = self.owners[::-1]
        parent = self.parent
        while parent is not None:
            path += [parent.name] if parent.role == _SCOPE else parent.owners[::-1]
            parent = parent.parent
        return tuple(reversed(path))


def extract(
    text: str | bytes, language: Language, options: ExtractOptions | None = None, *, lone: bool = False
) -> Extraction:
    """Extract the functions of a text in order of appearance.

    Args:
        text: a file, or with `lone` also a function without the class around it.
        language: its language.
        options: what counts as a fragment.
        lone: see `parse`.
    """
    return extract_parsed(parse(text, language, lone=lone), options)


def extract_parsed(parsed: Parsed, options: ExtractOptions | None = None) -> Extraction:
    """Extract the functions of a parsed text."""
    options = options or ExtractOptions()
    captures = parsed.captures(parsed.language.structure)
    items = [item for item in _sweep(parsed, captures) if _wanted(item, options)]
    items.sort(key=attrgetter("start", "end"))
    return Extraction(parsed, tuple(_functions(parsed, items)), Lexemes.of(parsed, captures))


def _wanted(item: _Item, options: ExtractOptions) -> bool:
    if options.callbacks and item.role != _SCOPE and item.wrappers < MAX_WRAPPERS:
        return True
    if item.role == _LAMBDA:
        return options.lambdas
    return item.role == _FUNCTION and (options.nested or not item.inside_function)


def _sweep(parsed: Parsed, captures: Captures) -> list[_Item]:
    """Go over all captures from left to right, with a stack of the items that are open."""
    # A lambda assigned to a name is the body of that function, not a separate one.
    values = {(node.start_byte, node.end_byte) for node in captures.get("value", ())}
    nodes = [
        (node.start_byte, -node.end_byte, role, index, node)
        for name, role in _ROLES.items()
        for index, node in enumerate(captures.get(name, ()))
        if role > _LAMBDA or not values or (node.start_byte, node.end_byte) not in values
    ]
    if lasts := sorted((node.start_byte, node.end_byte) for node in captures.get("function.last", ())):
        # The query matches only a function with such a node directly after it.
        nodes = [
            (start, -_last_end(lasts, -minus_end) if role == _FUNCTION else minus_end, role, index, node)
            for start, minus_end, role, index, node in nodes
        ]
    nodes.sort()  # the index breaks ties, since nodes cannot be compared
    stack: list[_Item] = []
    items: list[_Item] = []
    for start, minus_end, role, _, node in nodes:
        while stack and stack[-1].end <= start:
            stack.pop()
        parent = stack[-1] if stack else None
        if role <= _SCOPE:
            items.append(_Item(role, node, start, -minus_end, parent))
            stack.append(items[-1])
        elif parent is not None:
            _describe(stack, role, parsed, start, -minus_end)
    return items


def _last_end(lasts: list[Span], end: int) -> int:
    """The end of the first of some nodes after a position; the position if there is none."""
    after = bisect_left(lasts, (end,))
    return lasts[after][1] if after < len(lasts) else end


def _describe(stack: list[_Item], role: int, parsed: Parsed, start: int, end: int) -> None:
    """Add a name, owner or parameter type to the innermost open item that it belongs to."""
    source, language = parsed.source, parsed.language
    if role == _PARAMETER:
        if stack[-1].role != _SCOPE:
            stack[-1].parameters.append(written(source[start:end], language))
        return
    wanted = _SCOPE if role == _SCOPE_NAME else _FUNCTION
    for item in reversed(stack):
        if item.role == wanted:
            if role == _NAME_LAST:
                item.name = written(source[item.name_start : end], language)
            elif item.name:
                pass  # the first name is the function's own; later ones are in its body
            elif role == _OWNER:
                item.owners.append(written(source[start:end], language))
            else:
                item.name = written(source[start:end], language)
                item.name_start = start
            return


def written(text: bytes, language: Language) -> str:
    """Return a name or type as a person would write it, without comments and odd layout."""
    if text.isalnum():
        return text.decode()
    kind_of = language.kind_of
    tokens = [token for token in language.token_pattern.findall(text) if kind_of[token]]
    pieces: list[bytes] = []
    for left, right in pairwise([b"", *tokens]):
        words = (left[-1:].isalnum() or left == b")") and right[:1].isalnum()
        pieces += (b" " if words or left in _SPACED_AFTER or right in _SPACED_BEFORE else b""), right
    if tokens and tokens[-1] == b"=":  # a setter's name, or an operator's: `size=`, `operator=`
        pieces[-2] = b""
    return b"".join(pieces).decode("utf-8", errors="replace")


def _functions(parsed: Parsed, items: list[_Item]) -> Iterator[Function]:
    source = parsed.source
    # Line breaks are counted from one function to the next, without those of a wrapper.
    line, position = 1, parsed.start
    for item in items:
        line += source.count(b"\n", position, item.start)
        position = item.start
        text = source[item.start : item.end]
        yield Function(
            item.name,
            item.class_path,
            tuple(item.parameters),
            line,
            line + text.count(b"\n"),
            item.start,
            item.end,
            text.decode("utf-8", errors="replace"),
            not item.node.has_error,
        )
