"""Metrics of one fragment: size, complexity, and the 24 method metrics of Oreo.

Oreo (Saini et al., ESEC/FSE 2018) compares methods by 24 counts. They are defined here for every language, on
tokens and tree nodes, so that comments and layout change nothing except the number of lines;
`docs/metrics-of-a-fragment.md` lists where Oreo's own program differs for Java.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from math import log2
from typing import Any

import tree_sitter

from clonetruth.code.language import LITERALS, Language, TokenKind
from clonetruth.code.names import Name, NamePart, names_in
from clonetruth.code.parsing import Captures, Parsed, Span, parse
from clonetruth.code.pretty import DEPTH, pretty
from clonetruth.code.tokens import TokenStream, token_stream


class Spans:
    """A set of positions in a text, given as spans."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, position: object) -> bool:
        assert isinstance(position, int)
        at = bisect_right(self._starts, position) - 1
        return at >= 0 and position < self._ends[at]


_MEMBER_ACCESS = frozenset({b".", b"->", b"::", b"?."})
_DEFAULT_BRANCH = re.compile(rb"default\b|case\s+_\s*:")
_NAMES = frozenset({TokenKind.IDENTIFIER, TokenKind.TYPE})
_OPERANDS = LITERALS | _NAMES


def _measure(meaning: str) -> Any:
    return field(metadata={"meaning": meaning})


@dataclass(frozen=True)
class FragmentMetrics:
    """The metrics of a fragment. The 24 of Oreo have Oreo's names."""

    lines: int = _measure("lines of the text as written")
    pretty_lines: int = _measure("lines after pretty-printing, as BigCloneBench counts them")
    tokens: int = _measure("tokens, comments and layout not counted")
    comp: int = _measure("McCabe's cyclomatic complexity: 1 + branching statements, labels and operators")
    nos: int = _measure("statements; blocks, empty statements and definitions do not count")
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


OREO = tuple(measure.name for measure in fields(FragmentMetrics))[3:]
"""The names of Oreo's 24 metrics, in the order of its feature files."""


def metrics_table() -> str:
    """The definitions as a Markdown table, for the documentation."""
    rows = [
        f"| `{measure.name}` | {'Oreo' if measure.name in OREO else 'size'} | {measure.metadata['meaning']} |"
        for measure in fields(FragmentMetrics)
    ]
    return "\n".join(["| name | from | definition |", "| --- | --- | --- |", *rows])


@dataclass(frozen=True)
class FragmentProfile:
    """What Oreo compares: the metrics and the actions of a fragment.

    Attributes:
        metrics: its metrics.
        actions: Oreo's action tokens: the names of called functions, of used members, and `[]` for each access to an
            element, with repetitions.
    """

    metrics: FragmentMetrics
    actions: tuple[bytes, ...]


def fragment_metrics(fragment: str | Parsed, language: Language | None = None) -> FragmentMetrics:
    """Measure a fragment.

    Args:
        fragment: its text (a function without the class around it, or more), or the parsed text.
        language: its language; required for a text that is not parsed.

    Raises:
        TypeError: a text without a language.
    """
    return fragment_profile(fragment, language).metrics


def fragment_profile(fragment: str | Parsed, language: Language | None = None) -> FragmentProfile:
    """Measure a fragment, and collect its actions; see `fragment_metrics`."""
    if isinstance(fragment, str):
        if language is None:
            raise TypeError("a text needs its language")
        fragment = parse(fragment, language, lone=True)
    return _profile(fragment)


def _profile(parsed: Parsed) -> FragmentProfile:
    captures = parsed.captures(_query(parsed.language))
    # What the pretty-printer drops (a docstring, an empty statement) is not counted either.
    dropped = Spans(map(_span, parsed.captures(parsed.language.layout, depth=DEPTH).get("drop", ())))
    names = [name for name in names_in(parsed, captures) if name.start not in dropped]
    counts = _token_counts(parsed, names, dropped)
    printed = pretty(parsed)

    def nodes(capture: str) -> int:
        return len({_span(node) for node in captures.get(capture, ()) if node.start_byte not in dropped})

    # An arrow function that is the fragment does not nest in itself.
    first_list = min(captures.get("parameters", ()), key=_span, default=None)
    lists = Spans(map(_span, [*captures.get("parameters", ()), *captures.get("lambda.parameters", ())]))
    declared = [name for name in names if name.declared and name.part is NamePart.VARIABLE]
    parameters = {name.text for name in declared if name.start in lists}
    vocabulary = len(counts.operators) + len(counts.operands)
    nopr, nand = counts.operators.total(), counts.operands.total()
    difficulty = len(counts.operators) / 2 * nand / len(counts.operands) if counts.operands else 0.0
    metrics = FragmentMetrics(
        lines=len(parsed.source[parsed.start : parsed.end].splitlines()),
        pretty_lines=len(printed.lines),
        tokens=sum(kind != TokenKind.LAYOUT for kind in printed.kinds),
        comp=1 + _branches(parsed, captures) + counts.branches,
        nos=nodes("statement"),
        hvoc=vocabulary,
        heff=difficulty * (nopr + nand) * log2(vocabulary) if vocabulary else 0.0,
        cref=sum(name.part in (NamePart.TYPE, NamePart.OWN_TYPE) for name in names),
        xmet=counts.external_calls,
        lmet=counts.local_calls,
        noa=_parameter_count(captures),
        hdif=difficulty,
        vdec=len({name.text for name in declared} - parameters),
        exct=nodes("throw"),
        excr=nodes("exception"),
        cast=nodes("cast"),
        nand=nand,
        vref=sum(
            name.part in (NamePart.VARIABLE, NamePart.FREE) and not name.declared and not name.called for name in names
        ),
        nopr=nopr,
        mdn=_deepest(captures.get("nest", ()), first_list.parent if first_list else None),
        nexp=nodes("expression"),
        loop=nodes("loop"),
        nbltrl=counts.kinds[TokenKind.BOOLEAN],
        ncltrl=counts.kinds[TokenKind.CHARACTER],
        nnltrl=counts.kinds[TokenKind.NUMBER],
        nnulltrl=counts.kinds[TokenKind.NULL],
        nsltrl=counts.kinds[TokenKind.STRING] + counts.kinds[TokenKind.TEXT],
    )
    return FragmentProfile(metrics, tuple(counts.actions))


@cache
def _query(language: Language) -> str:
    """Everything that the metrics need from the tree, in one query."""
    branches, nesting = (
        " ".join(f"({kind})" for kind in sorted(kinds)) for kinds in (language.branches, language.nesting)
    )
    return f"""
        {language.names}
        {language.metrics}
        {language.identifiers}
        [{branches}] @branch
        [{nesting}] @nest
    """


def _span(node: tree_sitter.Node) -> Span:
    return node.start_byte, node.end_byte


@dataclass(frozen=True)
class _TokenCounts:
    """What one pass over the tokens counts."""

    operators: Counter[bytes] = field(default_factory=Counter)
    operands: Counter[bytes] = field(default_factory=Counter)
    kinds: Counter[int] = field(default_factory=Counter)
    actions: list[bytes] = field(default_factory=list)
    local_calls: int = 0
    external_calls: int = 0
    branches: int = 0


def _token_counts(parsed: Parsed, names: Sequence[Name], dropped: Spans) -> _TokenCounts:
    stream = token_stream(parsed)
    texts = stream.texts
    called = {name.start for name in names if name.called}
    own = parsed.language.own_names
    counts = _TokenCounts()
    local = external = 0
    for i, (text, kind, start) in enumerate(zip(texts, stream.kinds, stream.starts, strict=True)):
        if start in dropped:
            continue
        counts.kinds[kind] += 1
        member = i > 0 and texts[i - 1] in _MEMBER_ACCESS
        is_called = start + text.startswith(b"#") in called
        if is_called or (member and kind in _NAMES):
            counts.actions.append(text)
        elif text == b"[" and _takes_element(stream, i):
            counts.actions.append(b"[]")
        if is_called:
            counts.operators[text] += 1
            if member and not (i > 1 and texts[i - 2] in own):
                external += 1
            else:
                local += 1
        elif kind == TokenKind.OPERATOR:
            counts.operators[text] += 1
        elif kind in _OPERANDS or text in own:
            counts.operands[text] += 1
    branches = sum(counts.operators[operator] for operator in parsed.language.branch_operators)
    return replace(counts, local_calls=local, external_calls=external, branches=branches)


def _takes_element(stream: TokenStream, bracket: int) -> bool:
    """Whether a bracket accesses an element: it follows a value, and is not part of an array type."""
    before = bracket > 0 and (stream.kinds[bracket - 1] in _NAMES or stream.texts[bracket - 1] in (b"]", b")"))
    return before and stream.texts[bracket + 1 : bracket + 2] != [b"]"]


def _branches(parsed: Parsed, captures: Captures) -> int:
    return sum(not _DEFAULT_BRANCH.match(parsed.source, node.start_byte) for node in captures.get("branch", ()))


def _parameter_count(captures: Captures) -> int:
    lists = sorted(map(_span, captures.get("parameters", ())))
    if not lists:
        return 0
    start, end = lists[0]
    # A default value can be a function with its own parameters.
    inner = Spans(span for span in lists[1:] if span[1] <= end)
    parameters = {_span(node) for node in captures.get("parameter", ())}
    return sum(start <= first and last <= end and first not in inner for first, last in parameters)


def _deepest(nodes: Iterable[tree_sitter.Node], own: tree_sitter.Node | None) -> int:
    open_ends: list[int] = []
    deepest = 0
    for node in sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)):
        while open_ends and open_ends[-1] <= node.start_byte:
            open_ends.pop()
        if node != own and not _follows_else(node):
            open_ends.append(node.end_byte)
        deepest = max(deepest, len(open_ends))
    return deepest


def _follows_else(node: tree_sitter.Node) -> bool:
    """Whether a node is the `if` of an `else if`, which adds no nesting level."""
    before = node.prev_sibling
    while before is not None and before.is_extra:
        before = before.prev_sibling
    return before is not None and before.type == "else"
