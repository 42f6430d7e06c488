"""Standard inputs of a contest problem, where its source brings none: those on which its solutions agree.

What the solutions read is inferred from their texts. A form is believed if most solutions take inputs of that form and
one of them notices that the end of an input is missing. An input of a believed form is agreed if all of these solutions
print the same for it. So the problem says what a solution does with it, and a program of another problem that does
something else is different. Of two solutions of the same problem it says nothing: where they differ, solutions do not
agree on the input, and the problem probably excludes it. For the same reason it confirms no other input of its form.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness.harness import CallInput, Code, EntryKind, Observation
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.inputs.grammar_texts import GrammarWriter, ValueRange, signature
from clonetruth.execution.inputs.stdin_grammar import InputGrammar, infer_grammar
from clonetruth.execution.program_search import ends_well, letters_of, print_differently, probes_of, takes_and_notices
from clonetruth.execution.sides import ComparedSide, inspect

_FORMS = 4
_PROBES = 3
_LEAST_INPUTS = 3
_LEAST_OUTPUTS = 2
_LEAST_SHARE = 0.5
"""Of the inputs of a form: where solutions disagree on most of them, those on which they agree may be chance."""
_LEAST_TAKERS = 2 / 3
"""Of the solutions: where several fail on inputs of a form, the problem probably excludes such inputs."""
_RANGES = (ValueRange.SMALL, ValueRange.MEDIUM, ValueRange.TINY)


@dataclass(frozen=True)
class AgreedInputs:
    """The inputs of a problem on which its solutions agree.

    Attributes:
        inputs: the inputs, each with the number of solutions that agree on it.
        solutions: how many solutions were run.
        form: what they read; empty if no form is believed.
        why_none: why there are no inputs; empty if there are some.
    """

    inputs: tuple[CallInput, ...] = ()
    solutions: int = 0
    form: str = ""
    why_none: str = ""


def find_agreed_inputs(
    solutions: Sequence[Code],
    harnesses: Harnesses,
    *,
    count: int = 10,
    voters: int = 6,
    least: int = 3,
    seconds: float = 60.0,
    seed: int = 0,
) -> AgreedInputs:
    """Look for inputs on which solutions of one problem agree.

    Args:
        solutions: the solutions; the first ones that run are asked, those without a toolchain left out.
        harnesses: what runs them.
        count: how many inputs are wanted.
        voters: how many solutions are asked.
        least: how many solutions must agree.
        seconds: maximum time.
        seed: random seed of the inputs.
    """
    deadline = time.monotonic() + seconds
    sides: list[ComparedSide] = []
    for code in solutions:
        if len(sides) == voters or time.monotonic() > deadline:
            break
        try:
            side = inspect(code, harnesses)
        except MissingExtraError:
            # This language has no toolchain here; solutions in others can still agree.
            continue
        if side.shape.undecided is None and side.shape.kind is EntryKind.PROGRAM:
            sides.append(side)
    if len(sides) < least:
        return AgreedInputs(solutions=len(sides), why_none="too few solutions run")
    tried = AgreedInputs(solutions=len(sides), why_none="no form that the solutions take")
    for grammar, guess in _forms(sides):
        if time.monotonic() > deadline:
            return tried if tried.form else AgreedInputs(solutions=len(sides), why_none="the time is over")
        found = _ask(grammar, guess, sides, count, least, seed)
        if found.inputs:
            return found
        tried = found if found.form else tried
    return tried


def _forms(sides: Sequence[ComparedSide]) -> Iterator[tuple[InputGrammar, int]]:
    """Forms with a guess for counts that they do not say, that of most solutions first."""
    found: dict[str, list[InputGrammar]] = {}
    for side in sides:
        for lengths in ("first", "last"):
            grammar = infer_grammar(side.code.text, side.code.language, lengths=lengths)
            if grammar.tokens:
                found.setdefault(str(signature(grammar)), []).append(grammar)
    by_support = sorted(found.values(), key=lambda ones: (-len(ones), str(ones[0])))
    # One that cares where lines end says more than one that does not.
    chosen = [min(ones, key=lambda one: (not one.by_line, str(one))) for ones in by_support]
    forms = [(one, guess) for one in chosen for guess in range(2 if "?" in str(one) else 1)]
    yield from forms[:_FORMS]


def _ask(
    grammar: InputGrammar, guess: int, sides: Sequence[ComparedSide], count: int, least: int, seed: int
) -> AgreedInputs:
    texts = _texts(grammar, guess, sides, count * 2, seed)
    probes = [probes_of(text, is_open=grammar.is_open) for text in texts[:_PROBES]]
    calls = [CallInput(stdin=text) for trio in probes for text in trio]
    calls += [CallInput(stdin=text) for text in texts[_PROBES:]]
    seen = [side.run(calls, seed).observations for side in sides]
    believing: list[Sequence[Observation]] = []
    is_noticed = False
    for observations in seen:
        trios = [observations[at * 3 : at * 3 + 3] for at in range(len(probes))]
        fits = [takes_and_notices(*trio, is_open=grammar.is_open) for trio in trios if len(trio) == 3]
        if len(fits) == len(probes) and all(takes for takes, _ in fits):
            believing.append((*(trio[0] for trio in trios), *observations[len(probes) * 3 :]))
            is_noticed = is_noticed or any(notices for _, notices in fits)
    if len(believing) < max(least, len(sides) * _LEAST_TAKERS) or not is_noticed:
        return AgreedInputs(solutions=len(sides), why_none="no form that the solutions take")
    ran = min(len(texts), *map(len, believing))
    agreed = [at for at in range(ran) if _agree([one[at] for one in believing])]
    outputs = Counter(" ".join(believing[0][at].output.split()) for at in agreed)
    form = str(grammar)
    if len(agreed) < max(_LEAST_INPUTS, ran * _LEAST_SHARE):
        return AgreedInputs(solutions=len(sides), form=form, why_none="the solutions disagree on most inputs")
    if len(outputs) < _LEAST_OUTPUTS:
        return AgreedInputs(solutions=len(sides), form=form, why_none="all inputs give the same output")
    inputs = tuple(CallInput(stdin=texts[at], agreed=len(believing)) for at in agreed[:count])
    return AgreedInputs(inputs, len(sides), form)


def _texts(grammar: InputGrammar, guess: int, sides: Sequence[ComparedSide], count: int, seed: int) -> list[str]:
    letters = letters_of([side.code.text for side in sides])
    writer = GrammarWriter(grammar, Random(f"agreed {seed}"), letters, guess)
    found: dict[str, None] = {}
    for number in range(count * 3):
        found[writer.write(_RANGES[number % len(_RANGES)], 2 + number % 5).text] = None
        if len(found) == count:
            break
    return list(found)


def _agree(observed: Sequence[Observation]) -> bool:
    first, *rest = observed
    return ends_well(first) and all(ends_well(one) and not print_differently(first, one) for one in rest)
