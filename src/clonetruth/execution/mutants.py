"""Seeded changes of code: one operator, constant or condition at a time, to see whether inputs notice them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from clonetruth.execution.comparison import compare_calls
from clonetruth.execution.harness.harness import CallInput, Code, Observation
from clonetruth.execution.sides import ComparedSide, entry_range

_SWAPS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "===": ("!==",), "!==": ("===",), "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "//": ("/", "*"),
    "%": ("*",), "+=": ("-=",), "-=": ("+=",), "*=": ("+=",), "&&": ("||",), "||": ("&&",), "and": ("or",),
    "or": ("and",), "True": ("False",), "False": ("True",), "true": ("false",), "false": ("true",), "not": ("",),
    "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",), "^": ("&",), "break": ("continue",), "max": ("min",),
    "min": ("max",), "++": ("--",), "--": ("++",),
}  # fmt: skip
_OPERAND = re.compile(r"(?:[)\]]|\b(?!(?:return|and|or|not|in|is|if|else|yield|case)\b)\w+)\s*$")
_TOKEN = re.compile(
    r"(?P<skip>\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>(?<![\w.])\d+(?![\w.]))"
    r"|(?P<operator><<=|>>=|\*\*=?|===|!==|//=?|&&|\|\||<=|>=|==|!=|->|=>|\+\+|--|[-+*/%&|^]=|<<|>>|[-+*/%<>&|^])",
    re.DOTALL,
)


@dataclass(frozen=True)
class SeededChange:
    """A change of a text.

    Attributes:
        line: where, from 1.
        before: what stood there.
        after: what stands there now.
        text: the whole text with the change.
    """

    line: int
    before: str
    after: str
    text: str


def seeded_changes(code: Code) -> Iterator[SeededChange]:
    """All changes of one token in the function that is run, or in the whole text if it has no name."""
    start, end = entry_range(code)
    text = code.text
    slashes = code.language != "python"
    for found in _TOKEN.finditer(text):
        if found.start() < start or found.end() > end or found["skip"]:
            continue
        token = found[0]
        if token == "//" and slashes:
            continue
        line = text.count("\n", 0, found.start()) + 1
        for other in _others(token, text, found.start()):
            yield SeededChange(line, token, other, text[: found.start()] + other + text[found.end() :])


def drawn_changes(code: Code, count: int, seed: int) -> list[tuple[SeededChange, Code]]:
    """Some of the changes, drawn by a seed, with the code to run."""
    every = list(seeded_changes(code))
    chosen = Random(f"mutants {seed}").sample(every, min(count, len(every)))
    return [(one, replace(code, text=one.text)) for one in sorted(chosen, key=lambda one: (one.line, one.after))]


def mutation_score(
    sides: tuple[ComparedSide, ComparedSide],
    log: Sequence[tuple[CallInput, Observation, Observation]],
    count: int,
    seed: int,
) -> float | None:
    """The share of seeded changes of both sides that the same inputs notice; None if there are none.

    Args:
        sides: both sides.
        log: the inputs with what both did.
        count: changes of each side at most.
        seed: which changes.
    """
    if not count:
        return None
    ended = [(call, (one, other)) for call, one, other in log if one.ended is None and other.ended is None]
    calls = [call for call, _ in ended]
    noticed = total = 0
    for at, side in enumerate(sides):
        for _, code in drawn_changes(side.code, count, seed):
            run = side.run(calls, seed, code=code)
            if run.undecided is not None or len(run.parameters) != len(side.shape.parameters):
                continue
            total += 1
            pairs = zip((both[at] for _, both in ended), run.observations, strict=False)
            noticed += len(run.observations) < len(calls) or any(
                compare_calls(one, other) != frozenset() for one, other in pairs
            )
    return noticed / total if total else None


def _others(token: str, text: str, at: int) -> tuple[str, ...]:
    if token.isdigit():
        return (str(int(token) + 1), str(int(token) - 1)) if int(token) else ("1",)
    if token in ("+", "-", "*", "&") and not _OPERAND.search(text[max(0, at - 20) : at]):
        # The sign of a number, or the mark of several arguments.
        return ()
    before = text[text.rfind("\n", 0, at) + 1 : at]
    if token == "*" and re.match(r"\s*(async\s+)?def\b", before):
        return ()
    return _SWAPS.get(token, ())
