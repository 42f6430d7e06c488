"""Runs inside the sandbox: the text of a fragment of Python, repaired until it parses. Every repair is recorded."""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

PARSE = "does not parse"
SYMBOL = "unresolved symbol"
PACKAGE = "needs a package"
FILE = "needs a file"
NETWORK = "needs the network"
SCREEN = "needs a screen"
PROCESS = "starts a program"
CLOCK = "depends on the time"
INPUT = "reads input"
FUNCTION = "has no function"
RECEIVER = "needs an object"
LOADING = "fails while loading"
TIME = "takes too long to load"

REASONS = (PARSE, SYMBOL, PACKAGE, FILE, NETWORK, SCREEN, PROCESS, CLOCK, INPUT, FUNCTION, RECEIVER, LOADING, TIME)

_SPLIT_OPERATORS = re.compile(
    r"(?<![<>=!+\-*/%&|^])([<>=!+\-*/%&|^]) (=)(?!=)|(\*) (\*)|(/) (/)|(<) (<)|(>) (>)|(-) (>)"
)
_PRINT = re.compile(r"^(\s*)print(?:\s+(?![=(])|(?=[\"']))(.*?),?\s*$", re.MULTILINE)
_EXCEPT = re.compile(r"except\s+([\w.]+|\([^)]*\))\s*,\s*(\w+)\s*:")
_RAISE = re.compile(r"raise\s+([\w.]+)\s*,\s*(.+)$", re.MULTILINE)
_OLD_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "long": "int", "unichr": "chr"}


class UndecidedError(Exception):
    """A fragment that cannot run."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason


def parsed(source: str, repairs: list[str]) -> tuple[str, ast.Module]:
    """The tree of a text, repaired if necessary."""
    spaced = re.sub(r"^[ \t]+", lambda found: found[0].replace("\t", "    "), source.replace("\r", ""), flags=re.M)
    text = textwrap.dedent(spaced).strip("\n") + "\n"
    attempts: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("", str),
        ("joined operators", joined),
        ("Python 2", converted),
        ("joined operators, Python 2", lambda one: converted(joined(one))),
        ("Python 2 by lib2to3", lambda one: refactored(joined(one))),
        ("without prompts and fences", lambda one: joined(unfenced(one))),
        ("tabs of eight", lambda one: converted(joined(textwrap.dedent(source.replace("\r", "").expandtabs(8))))),
        ("indented the line after a colon", lambda one: converted(joined(indented(one)))),
    )
    error: BaseException | None = None
    for repair, change in attempts:
        try:
            candidate = change(text)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(candidate)
        except (SyntaxError, ValueError, RecursionError, MemoryError, ImportError) as found:
            error = error or found
        else:
            if repair:
                repairs.append(repair)
            return candidate, tree
    raise UndecidedError(PARSE, str(error)[:200])


def joined(text: str) -> str:
    """Operators that a tokenizer has split, such as `> =`."""
    return _SPLIT_OPERATORS.sub(lambda found: "".join(one for one in found.groups() if one), text)


def converted(text: str) -> str:
    """Python 2 as Python 3, as far as patterns go."""
    text = _PRINT.sub(lambda found: found.group(1) + "print(" + found.group(2).strip() + ")", text)
    text = _EXCEPT.sub(r"except \1 as \2:", text)
    text = _RAISE.sub(r"raise \1(\2)", text)
    text = re.sub(r"<>", "!=", text)
    text = re.sub(r"\b0([0-7]+)\b(?!\.)", r"0o\1", text)
    text = re.sub(r"\b(\d+)[lL]\b", r"\1", text)
    text = re.sub(r"\.(iter)(items|keys|values)\(", r".\2(", text)
    text = re.sub(r"(\w+)\.has_key\(([^()]*)\)", r"(\2 in \1)", text)
    for old, new in _OLD_NAMES.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def indented(text: str) -> str:
    """With a step more for a line that must be deeper than the one before it, and is not."""
    lines = text.split("\n")
    for at, (line, following) in enumerate(itertools.pairwise(lines)):
        depth = len(line) - len(line.lstrip())
        if line.rstrip().endswith(":") and following.strip() and len(following) - len(following.lstrip()) == depth:
            lines[at + 1] = "    " + following
    return "\n".join(lines)


def refactored(text: str) -> str:
    """Python 2 as Python 3 by the standard library's own converter, where it is installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from lib2to3.pgen2.parse import ParseError
        from lib2to3.pgen2.tokenize import TokenError

        try:
            return str(_converter().refactor_string(text, "fragment"))
        except (ParseError, TokenError) as error:
            raise SyntaxError(str(error)) from error


@cache
def _converter() -> Any:
    """What converts, which takes a third of a second to make."""
    from lib2to3 import refactor

    return refactor.RefactoringTool(refactor.get_fixers_from_package("lib2to3.fixes"))


def unfenced(text: str) -> str:
    """Without marks of an interactive session or of a fenced block."""
    lines = [line for line in text.split("\n") if not line.startswith("```")]
    return "\n".join(re.sub(r"^(>>>|\.\.\.) ?", "", line) for line in lines)
