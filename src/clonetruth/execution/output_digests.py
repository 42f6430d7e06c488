"""What one piece of code gives for generic inputs that know nothing of it, as digests.

All functions with the same number of parameters get the same inputs, and all programs the same texts on standard input.
A function whose declared types take none of these inputs gets those of its types. Two pieces of code that agree on
outputs that are rare probably do the same; that they agree on nothing says little, since the inputs may not be theirs.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random

from clonetruth.execution.harness import CallInput, Code, Harnesses, Observation, Reason
from clonetruth.execution.harness.harness import EntryKind, EntryParameter, Harness, SandboxedHarness
from clonetruth.execution.harness.program_clock import with_stopped_clock
from clonetruth.execution.harness.program_files import with_standard_streams
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.generic import generic_texts
from clonetruth.execution.inputs.grammar_texts import GrammarWriter, ValueRange, signature
from clonetruth.execution.inputs.profiles import GUESSES, common_type, profiles
from clonetruth.execution.inputs.stdin_grammar import infer_grammar
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value, is_comparable, number

_PROFILES, _CALLS, _MOST_PARAMETERS = 12, 30, 4
_DIGITS = 9
_UNTYPED = ("python", "javascript")
"""Languages in which the types of parameters are guesses: every value is tried."""
_SIGNS = 16
FORMED = 12
"""Inputs of the form that a program reads: the last places of its fingerprint."""
EXCHANGED = 4
"""Of these, the inputs on which a program runs that is compared with it and reads another form."""
_MOST_LATE = 4
"""Runs of one piece of code that may take too long."""
_SECONDS_PER_CALL = {"javascript": 0.1, "typescript": 0.1}
"""CPU seconds of a call, where the harness gives more than those of C and Python do: generic inputs are often such that
code does not come to its end, and what the late calls use up is missing for the others."""


@dataclass(frozen=True)
class OutputFingerprint:
    """What one piece of code gives for generic inputs.

    Attributes:
        inputs: which inputs it got: "program", "function of 2", or "function of 2: list[str], list[str]"; only equal
            ones can be compared.
        outputs: a digest of what it did with each input; None where it raised, did not end, or was not run.
        reason: why it could not run; None if it ran.
    """

    inputs: str = ""
    outputs: tuple[str | None, ...] = ()
    reason: Reason | None = None

    @property
    def normal(self) -> int:
        """Number of inputs that gave an output."""
        return sum(one is not None for one in self.outputs)


@dataclass(frozen=True)
class FormedInputs:
    """Standard inputs of the form that a program reads, by its text; they depend on nothing else.

    Attributes:
        form: identifies the form; empty if the text shows none.
        texts: the inputs.
    """

    form: str = ""
    texts: tuple[str, ...] = ()


def output_fingerprint(code: Code, harnesses: Harnesses) -> OutputFingerprint:
    """Run a piece of code with the generic inputs for its kind.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    harness = harnesses.get(code.language)
    if harness is None:
        return OutputFingerprint(reason=Reason.LANGUAGE)
    code = with_stopped_clock(with_standard_streams(code))
    shape = harness.run(code)
    if shape.undecided is not None:
        return OutputFingerprint(reason=shape.undecided)
    if shape.kind is EntryKind.PROGRAM:
        formed = formed_inputs(code)
        form = formed.form
        name, chosen = "program", [CallInput(stdin=text) for text in (*generic_texts(), *formed.texts)]
        places = list(range(len(chosen)))
    else:
        needed = [one for one in shape.parameters if not one.optional] or list(shape.parameters[:1])
        # What is read without being a parameter, such as an object, has no generic values.
        if not 0 < len(needed) <= _MOST_PARAMETERS or any(one.implicit for one in needed):
            return OutputFingerprint(reason=Reason.PARAMETERS)
        name, calls = f"function of {len(needed)}", _calls(len(needed))
        takes_all = code.language in _UNTYPED
        places = [at for at, (types, _) in enumerate(calls) if takes_all or _takes(needed, types)]
        if not places and all(one.types for one in needed):
            declared = tuple(map(_generic, needed))
            name, calls = f"{name}: {', '.join(map(str, declared))}", _calls_of(declared)
            places = list(range(len(calls)))
        chosen = [calls[at][1] for at in places]
    generic = len(generic_texts()) if name == "program" else len(calls)
    outputs: list[str | None] = [None] * (generic + (FORMED if name == "program" else 0))
    digests, why = _digests(harness, code, chosen)
    for place, digest in zip(places, digests, strict=False):
        # Inputs that follow a form are the same for programs that read the same form only.
        outputs[place] = f"{form} {digest}" if digest and place >= generic else digest
    return OutputFingerprint(name, tuple(outputs), None if any(outputs) else why)


def exchanged_outputs(code: Code, wanted: Sequence[FormedInputs], harnesses: Harnesses) -> list[tuple[str | None, ...]]:
    """Run a program with the first inputs of the forms that others read: for each form the digests of its outputs, as
    fingerprints have them.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    harness = harnesses.get(code.language)
    code = with_stopped_clock(with_standard_streams(code))
    found = []
    for one in wanted:
        calls = [CallInput(stdin=text) for text in one.texts[:EXCHANGED]]
        # Each form by itself: late runs of one leave out nothing of the next.
        digests: list[str | None] = [] if harness is None else _digests(harness, code, calls)[0]
        digests += [None] * (len(calls) - len(digests))
        found.append(tuple(digest and f"{one.form} {digest}" for digest in digests))
    return found


def _digests(harness: Harness, code: Code, calls: Sequence[CallInput]) -> tuple[list[str | None], Reason | None]:
    """Digests of what calls did, as far as they came, and why no more of them ran."""
    found: list[str | None] = []
    late = 0
    while len(found) < len(calls) and late < _MOST_LATE:
        with _brief(harness):
            run = harness.run(code, calls[len(found) :])
        if run.undecided is not None or not run.observations:
            return found, run.undecided
        late += sum(one.ended == "timed out" for one in run.observations)
        found += map(output_digest, run.observations)
    return found, None


@contextmanager
def _brief(harness: Harness) -> Iterator[None]:
    """Let a harness give calls less time than usual."""
    if not isinstance(harness, SandboxedHarness):
        yield
        return
    usual = harness.seconds_per_call
    harness.seconds_per_call = min(usual, _SECONDS_PER_CALL.get(harness.language, usual))
    try:
        yield
    finally:
        harness.seconds_per_call = usual


def formed_inputs(code: Code) -> FormedInputs:
    """Inputs of the form that a program reads.

    Example:
        >>> formed_inputs(Code("print(int(input()) + 1)", "python")).texts[:3]
        ('10\\n', '2\\n', '90\\n')
    """
    grammar = infer_grammar(code.text, code.language)
    form = signature(grammar)
    if not grammar.tokens:
        return FormedInputs()
    writer = GrammarWriter(grammar, Random(f"formed {form}"))
    ranges = (ValueRange.SMALL, ValueRange.TINY, ValueRange.MEDIUM)
    texts = (writer.write(ranges[at % len(ranges)], 2 + at // len(ranges)).text for at in range(FORMED))
    return FormedInputs(hashlib.sha256(form.encode()).hexdigest()[:_SIGNS], tuple(texts))


@cache
def _calls(count: int) -> tuple[tuple[tuple[InputType, ...], CallInput], ...]:
    """The inputs of all functions with a number of parameters, with their types."""
    return tuple(call for types in profiles([GUESSES] * count)[:_PROFILES] for call in _calls_of(types))


@cache
def _calls_of(types: tuple[InputType, ...]) -> tuple[tuple[tuple[InputType, ...], CallInput], ...]:
    """The inputs of some types."""
    made = itertools.islice(generate(types, Constants(()), 0), 2, 2 + _CALLS)
    return tuple((types, CallInput(arguments)) for arguments in made)


def _generic(parameter: EntryParameter) -> InputType:
    """The declared type of a parameter, the same for all languages and widths of numbers where that is possible."""
    fitting = (guess for guess in GUESSES for one in parameter.types if common_type(guess, one) is not None)
    return next(fitting, parameter.types[0])


def generic_inputs_digest() -> str:
    """Identifies the generic inputs: fingerprints of other inputs cannot be compared."""
    calls = [repr(_calls(count)) for count in range(1, _MOST_PARAMETERS + 1)]
    return hashlib.sha256(json.dumps([generic_texts(), calls]).encode()).hexdigest()


def _takes(parameters: Sequence[EntryParameter], types: Sequence[InputType]) -> bool:
    return all(
        not one.types or any(common_type(kind, known) is not None for known in one.types)
        for one, kind in zip(parameters, types, strict=True)
    )


def output_digest(seen: Observation) -> str | None:
    """Identifies what a call returned, printed and changed, with numbers to nine digits; None if it did not end
    normally or gave nothing that can be compared."""
    if not seen.is_normal or not is_comparable(seen.returned):
        return None
    if seen.returned is None and not seen.output.strip() and seen.changed is None:
        return None
    lines = [line.rstrip() for line in seen.output.rstrip().split("\n")]
    changed = None if seen.changed is None else [_plain(one) for one in seen.changed]
    text = json.dumps([_plain(seen.returned), lines, changed], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_SIGNS]


def _plain(value: Value) -> object:
    """A value without what languages write differently: kinds of numbers and of sequences."""
    if value is None or isinstance(value, bool | str):
        return value
    ((kind, content),) = value.items()
    if kind in ("list", "tuple", "iterator"):
        return [_plain(one) for one in content]
    if kind == "set":
        return {"set": sorted(json.dumps(_plain(one), sort_keys=True) for one in content)}
    if kind == "map":
        return {"map": sorted(json.dumps([_plain(a), _plain(b)], sort_keys=True) for a, b in content)}
    if kind == "object":
        return {"object": sorted(json.dumps([_plain(a), _plain(b)], sort_keys=True) for a, b in content[1])}
    if kind == "char":
        return content
    if kind in ("int", "decimal"):
        return {"number": _rounded(content if kind == "int" else str(float(number(content))))}
    return {"number": _rounded(repr(float.fromhex(content)))} if kind == "float" else {kind: content}


def _rounded(text: str) -> str:
    if len(text) > 300:
        return text
    found = float(text)
    return f"{found:.{_DIGITS}g}" if abs(found) < 10**_DIGITS or "." in text or "e" in text else text
