"""Measures of one fragment: size, complexity, and the 24 method metrics of Oreo.

Oreo (Saini et al., ESEC/FSE 2018) compares methods by 24 counts. They are defined here for every language, on
tokens and tree nodes, so that comments and layout change nothing but the number of lines; where Oreo's own
program does something else for Java, `docs/metrics-of-a-fragment.md` says so.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from math import log2
from typing import Any

import tree_sitter

from clonetruth.code.language import LITERALS, Language, TokenKind
from clonetruth.code.names import Name, Part, names_in
from clonetruth.code.parsing import Captures, Parsed, parse
from clonetruth.code.pretty import pretty
from clonetruth.code.tokens import Span, token_stream

_MEMBER_ACCESS = frozenset({b".", b"->", b"::", b"?."})
_DEFAULT_BRANCH = re.compile(rb"default\b|case\s+_\s*:")
_OPERANDS = LITERALS | {TokenKind.IDENTIFIER, TokenKind.TYPE}


def _measure(meaning: str) -> Any:
    return field(metadata={"meaning": meaning})


@dataclass(frozen=True)
class FragmentMetrics:
    """The measures of a fragment. The 24 of Oreo have Oreo's names."""

    lines: int = _measure("lines of the text as it stands")
    pretty_lines: int = _measure("lines after pretty-printing, as BigCloneBench counts them")
    tokens: int = _measure("tokens, comments and layout not counted")
    comp: int = _measure("McCabe's cyclomatic complexity: 1 + branching statements, labels and operators")
    nos: int = _measure("statements; blocks, empty statements and definitions are none")
    hvoc: int = _measure("Halstead's vocabulary: n₁ + n₂, distinct operators and distinct operands")
    heff: float = _measure("Halstead's effort: HDIF × (NOPR + NAND) × log₂ HVOC")
    cref: int = _measure("places where a class or another type is named")
    xmet: int = _measure("calls of other objects' or modules' functions: `a.f()`")
    lmet: int = _measure("local calls: `f()`, or `f` of the object itself (`this.f()`, `self.f()`)")
    noa: int = _measure("parameters of the (first) function, as written")
    hdif: float = _measure("Halstead's difficulty: n₁ ÷ 2 × NAND ÷ n₂")
    vdec: int = _measure("variables declared, by name, parameters not counted")
    exct: int = _measure("exceptions thrown: `throw` and `raise` statements")
    excr: int = _measure("exception types that handlers name; a handler without a type counts one")
    cast: int = _measure("casts")
    nand: int = _measure("operands: names that are not called, and literals")
    vref: int = _measure("places where a variable is used: neither declared, nor called, nor a member of something")
    nopr: int = _measure("operators: operator tokens, and calls")
    mdn: int = _measure("deepest nesting of control structures and lambdas; 0 where there are none")
    nexp: int = _measure("expressions, with all that they contain")
    loop: int = _measure("loops")
    nbltrl: int = _measure("Boolean literals")
    ncltrl: int = _measure("character literals")
    nnltrl: int = _measure("numeric literals")
    nnulltrl: int = _measure("null literals")
    nsltrl: int = _measure("string literals; one with code in it counts each of its literal pieces")

    @property
    def complexity(self) -> int:
        """McCabe's cyclomatic complexity."""
        return self.comp

    @property
    def nesting(self) -> int:
        """The deepest nesting."""
        return self.mdn

    def oreo(self) -> tuple[float, ...]:
        """Oreo's 24 metrics in the order of its feature files."""
        return tuple(getattr(self, name) for name in OREO)


OREO = tuple(field.name for field in fields(FragmentMetrics))[3:]
"""The names of Oreo's 24 metrics, in the order of its feature files."""


def metrics_table() -> str:
    """The definitions as a Markdown table, for the documentation."""
    rows = [
        f"| `{measure.name}` | {'Oreo' if measure.name in OREO else 'size'} | {measure.metadata['meaning']} |"
        for measure in fields(FragmentMetrics)
    ]
    return "\n".join(["| name | from | definition |", "| --- | --- | --- |", *rows])


def fragment_metrics(fragment: str | Parsed, language: Language | None = None) -> FragmentMetrics:
    """Measure a fragment.

    Args:
        fragment: its text (a function without the class around it, or more), or the text parsed.
        language: its language; a parsed text knows its own.

    Raises:
        TypeError: a text without a language.
    """
    if isinstance(fragment, str):
        if language is None:
            raise TypeError("a text needs its language")
        fragment = parse(fragment, language, lone=True)
    return _metrics(fragment)


def _metrics(parsed: Parsed) -> FragmentMetrics:
    captures = parsed.captures(_query(parsed.language))
    # What the pretty-printer drops (a docstring, an empty statement) is not counted either.
    dropped = _Spans(_span(node) for node in parsed.captures(parsed.language.layout).get("drop", ()))
    names = [name for name in names_in(parsed, captures) if name.start not in dropped]
    counts = {
        capture: len({_span(node) for node in captures.get(capture, ()) if node.start_byte not in dropped})
        for capture in ("statement", "expression", "loop", "cast", "throw", "exception")
    }
    words = _Words(parsed, names, dropped)
    branches = [
        node for node in captures.get("branch", ()) if not _DEFAULT_BRANCH.match(parsed.source, node.start_byte)
    ]
    parameters = _Spans(_span(node) for node in captures.get("parameters", ()))
    own_parameters, noa = _first_function(captures)
    del parameters
    printed = pretty(parsed)
    text = parsed.source[parsed.start : parsed.end]
    vocabulary = len(words.operators) + len(words.operands)
    difficulty = len(words.operators) / 2 * words.nand / len(words.operands) if words.operands else 0.0
    volume = (words.nopr + words.nand) * log2(vocabulary) if vocabulary else 0.0
    return FragmentMetrics(
        lines=len(text.splitlines()),
        pretty_lines=len(printed.lines),
        tokens=sum(kind != TokenKind.LAYOUT for kind in printed.kinds),
        comp=1 + len(branches) + words.branch_operators,
        nos=counts["statement"],
        hvoc=vocabulary,
        heff=difficulty * volume,
        cref=sum(name.part in (Part.TYPE, Part.OWN_TYPE) for name in names),
        xmet=words.external_calls,
        lmet=words.local_calls,
        noa=noa,
        hdif=difficulty,
        vdec=0,
        exct=counts["throw"],
        excr=counts["exception"],
        cast=counts["cast"],
        nand=words.nand,
        vref=0,
        nopr=words.nopr,
        mdn=0,
        nexp=counts["expression"],
        loop=counts["loop"],
        nbltrl=words.kinds[TokenKind.BOOLEAN],
        ncltrl=words.kinds[TokenKind.CHARACTER],
        nnltrl=words.kinds[TokenKind.NUMBER],
        nnulltrl=words.kinds[TokenKind.NULL],
        nsltrl=words.kinds[TokenKind.STRING],
    )
