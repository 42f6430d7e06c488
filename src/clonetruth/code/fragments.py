"""Functions in files: extraction with exact line ranges, names, class paths and parameter types.

Broken source gives what parses: the functions found are returned, those that contain an error say so, and
the places that made no sense are reported as problems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import tree_sitter

from clonetruth.code.language import Language
from clonetruth.code.parsing import Captures, Parsed, Problem, parse
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


@dataclass(frozen=True)
class ExtractOptions:
    """What counts as a fragment.

    Args:
        nested: also functions inside functions. Methods of a class inside a function always count.
        lambdas: also anonymous functions.
    """

    nested: bool = False
    lambdas: bool = False


class Function(NamedTuple):
    """A function, method or constructor in a file. Lines are 1-based and inclusive.

    Attributes:
        name: its name; empty for a lambda.
        class_path: the classes (and the like) around it, outermost first.
        parameter_types: the types of its parameters as written, where the language writes them.
        first_line: its first line in the file, annotations included.
        last_line: its last line.
        start: its first byte in the parsed source.
        end: the byte behind its last.
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
        return ".".join((*self.class_path, self.name or "<lambda>"))


@dataclass(frozen=True, eq=False)
class Extraction:
    """The functions of one text, with what is needed to cut them into tokens."""

    parsed: Parsed
    functions: tuple[Function, ...]
    lexemes: Lexemes

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What did not parse."""
        return self.parsed.problems

    def tokens(self, function: Function) -> TokenStream:
        """The tokens of one of the functions, comments dropped."""
        return self.lexemes.stream((function.start, function.end))

    def token_streams(self) -> list[TokenStream]:
        """The tokens of every function, in one go."""
        return self.lexemes.streams([(function.start, function.end) for function in self.functions])


class _Open:
    """A function, lambda or scope on the way from its start to its end."""

    __slots__ = ("around", "end", "name", "name_start", "node", "owners", "parameters", "role", "start")

    def __init__(self, role: int, node: tree_sitter.Node, start: int, end: int, around: _Open | None) -> None:
        self.role = role
        self.node = node
        self.start = start
        self.end = end
        self.around = around
        self.name = ""
        self.name_start = start
        self.owners: list[str] = []
        self.parameters: list[str] = []

    @property
    def inside_function(self) -> bool:
        return self.around is not None and self.around.role != _SCOPE

    @property
    def class_path(self) -> tuple[str, ...]:
        path = self.owners[::-1]
        around = self.around
        while around is not None:
            path += [around.name] if around.role == _SCOPE else around.owners[::-1]
            around = around.around
        return tuple(reversed(path))


def extract(
    text: str | bytes, language: Language, options: ExtractOptions | None = None, *, lone: bool = False
) -> Extraction:
    """The functions of a text in order of appearance.

    Args:
        text: a file, or with `lone` also a function without the class around it.
        language: its language.
        options: what counts.
        lone: see `parse`.
    """
    return extract_parsed(parse(text, language, lone=lone), options)


def extract_parsed(parsed: Parsed, options: ExtractOptions | None = None) -> Extraction:
    """The functions of a parsed text."""
    options = options or ExtractOptions()
    captures = parsed.captures(parsed.language.structure)
    found = [item for item in _sweep(parsed, captures) if _wanted(item, options)]
    found.sort(key=attrgetter("start", "end"))
    return Extraction(parsed, tuple(_functions(parsed, found)), Lexemes.of(parsed, captures))


def _wanted(found: _Open, options: ExtractOptions) -> bool:
    if found.role == _LAMBDA:
        return options.lambdas
    return found.role == _FUNCTION and (options.nested or not found.inside_function)


def _sweep(parsed: Parsed, captures: Captures) -> list[_Open]:
    """Go over all captures from left to right with a stack of what is open."""
    # A lambda that is given to a name is the body of that function, not one more.
    values = {(node.start_byte, node.end_byte) for node in captures.get("value", ())}
    places = [
        (node.start_byte, -node.end_byte, role, index, node)
        for name, role in _ROLES.items()
        for index, node in enumerate(captures.get(name, ()))
        if role > _LAMBDA or not values or (node.start_byte, node.end_byte) not in values
    ]
    places.sort()  # the index keeps the comparison away from nodes
    stack: list[_Open] = []
    found: list[_Open] = []
    for start, minus_end, role, _, node in places:
        while stack and stack[-1].end <= start:
            stack.pop()
        around = stack[-1] if stack else None
        if role <= _SCOPE:
            found.append(_Open(role, node, start, -minus_end, around))
            stack.append(found[-1])
        elif around is not None:
            _describe(stack, role, parsed, start, -minus_end)
    return found


def _describe(stack: list[_Open], role: int, parsed: Parsed, start: int, end: int) -> None:
    source, language = parsed.source, parsed.language
    if role == _PARAMETER:
        if stack[-1].role != _SCOPE:
            stack[-1].parameters.append(written(source[start:end], language))
        return
    wanted = _SCOPE if role == _SCOPE_NAME else _FUNCTION
    for around in reversed(stack):
        if around.role == wanted:
            if role == _NAME_LAST:
                around.name = written(source[around.name_start : end], language)
            elif around.name:
                pass  # the first name is the function's own; later ones stand in its body
            elif role == _OWNER:
                around.owners.append(written(source[start:end], language))
            else:
                around.name = written(source[start:end], language)
                around.name_start = start
            return


def written(text: bytes, language: Language) -> str:
    """A name or type as a person would write it, whatever the layout and the comments in it."""
    if text.isalnum():
        return text.decode()
    kind_of = language.kind_of
    tokens = [token for token in language.token_pattern.findall(text) if kind_of[token]]
    pieces: list[bytes] = []
    for left, right in pairwise([b"", *tokens]):
        words = (left[-1:].isalnum() or left == b")") and right[:1].isalnum()
        pieces += (b" " if words or left in _SPACED_AFTER or right in _SPACED_BEFORE else b""), right
    return b"".join(pieces).decode("utf-8", errors="replace")


def _functions(parsed: Parsed, found: list[_Open]) -> Iterator[Function]:
    source = parsed.source
    # Line breaks are counted from one function to the next; those of a wrapper are not the text's.
    line, position = 1, parsed.start
    for item in found:
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
