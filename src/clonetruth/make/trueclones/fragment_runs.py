"""Runs the fragments of functionalities in the sandbox: one result for each input, as plain JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from clonetruth.code import ExtractOptions, extract, language
from clonetruth.errors import MissingExtraError
from clonetruth.execution import CallInput, Code, Harnesses, Observation
from clonetruth.execution.harness.harness import FragmentRun, Harness, Reason, SandboxedHarness
from clonetruth.execution.inputs.given import value_of
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.toolchains import TOOLCHAINS, toolchain_versions
from clonetruth.execution.values import Value
from clonetruth.sources.functionality_folders import FolderFile, canonical, digest

RAISED = {"raises": True}
"""The result of a call that ended in an exception."""

_ONE_NUMBER = ("javascript", "typescript")
"""Languages that have one kind of number, of which the sign of zero is not looked at."""

_ENTRY = {"cpp": -1}
"""Where the entry point is among the functions of a file (default: it is the first). In C++ what is called comes before
its caller."""

_BY_CPU_TIME = ("cpp", "java", "javascript", "python")
"""Languages whose harness limits the CPU time of a call: what is late on a busy machine is late on an idle one, too."""

_ENDED = (Reason.LOADING, Reason.SANDBOX, Reason.TIME)
"""What is tried again."""

_FEW, _MORE = 1, 9
"""Calls that code gets first if it may not come to its end, and how many times as many it gets each time after."""

_ALL_AT_ONCE = ("csharp",)
"""Languages that start a process for each run and stop at the first late call: a few calls first would save nothing."""

_WARY_SECONDS = {"javascript": 0.25, "typescript": 0.25}
"""CPU seconds of a call of such code, where the harness gives many times what a call needs."""


class NotRunError(Exception):
    """A fragment could not be run; the message says why."""


@dataclass(frozen=True)
class FragmentResults:
    """The run of one fragment.

    Attributes:
        entry: its entry point.
        functions: number of its functions.
        results: one for each input.
        reached: points of the code that the inputs reached.
        points: points that can be reached; 0 if that was not measured.
    """

    entry: str
    functions: int
    results: list[Any]
    reached: int = 0
    points: int = 0

    @cached_property
    def texts(self) -> list[str]:
        """The results as texts, which are equal where the results are."""
        return list(map(canonical, self.results))

    @property
    def digest(self) -> str:
        """The digest of the results."""
        return digest("\n".join(self.texts))


def calls_of(inputs: Sequence[Sequence[Any]]) -> list[CallInput]:
    """Argument lists as calls."""
    return [CallInput(tuple(map(value_of, one))) for one in inputs]


def run_fragment(
    source: FolderFile,
    inputs: Sequence[Sequence[Any]],
    harnesses: Harnesses,
    *,
    returns: str = "",
    seed: int = 0,
    coverage: bool = False,
    tries: int = 3,
    calls: Sequence[CallInput] = (),
    wary: bool = False,
) -> FragmentResults:
    """Run a fragment on inputs.

    Args:
        source: the fragment; its entry point is the first function of the file, in C++ the last one.
        inputs: argument lists.
        harnesses: run the languages.
        returns: the type of its results; doubles of all languages, and all numbers of JavaScript, are written alike.
        seed: another seed gives a fresh process, with another order of sets.
        coverage: whether to count the points of the code that are reached.
        tries: how often a run is tried that ends by itself or has a late call; on a busy machine, both happen.
        calls: the inputs as calls, if they were made before: many fragments get the same.
        wary: whether the code may not come to its end. It gets a few calls first, and nothing runs after one that is
            late: with all at once, each of hundreds may use up its time.

    Raises:
        NotRunError: it has no function, does not compile, or misses something.
    """
    harness = harnesses.get(source.language)
    if harness is None:
        raise NotRunError(f"no harness runs {source.language}")
    extraction = extract(source.text, language(source.language), ExtractOptions(nested=False), lone=True)
    functions = extraction.functions
    name = functions[_ENTRY.get(source.language, 0)].name if functions else None
    if name is None:
        raise NotRunError("it does not parse" if extraction.problems else "there is no function with a name")
    code = Code(source.text, source.language, name)
    calls = calls or calls_of(inputs)
    if wary:
        # The first inputs are often trivial, and code that does not come to its end with others does with them.
        inputs, calls = inputs[::-1], calls[::-1]
    by_steps = wary and source.language not in _ALL_AT_ONCE
    first = _FEW if by_steps else len(calls)
    again = not wary or source.language not in _BY_CPU_TIME
    with _stopping_when_late(harness) if wary else nullcontext():
        done = _run(harness, code, calls[:first], seed, coverage, tries, again)
        if len(done.parameters) == 1 < len(inputs[0]):
            # A harness passes what `*numbers` takes as one list.
            calls = [CallInput((value_of(list(one)),)) for one in inputs]
            done = _run(harness, code, calls[:first], seed, coverage, tries, again)
        alike = "double" in returns or source.language in _ONE_NUMBER
        results = _results(done, alike)
        reached = {point for seen in done.observations for point in seen.reached}
        points = done.points
        while len(results) < len(calls):
            # A call that ended badly ends its process: the others run in a fresh one.
            following = calls[len(results) :][: len(results) * _MORE if by_steps else None]
            done = _run(harness, code, following, seed, coverage, tries, again)
            results += _results(done, alike)
            reached |= {point for seen in done.observations for point in seen.reached}
    return FragmentResults(name, len(functions), results[::-1] if wary else results, len(reached), points)


@contextmanager
def _stopping_when_late(harness: Harness) -> Iterator[None]:
    """Let a harness stop at the first call that is late, and give calls less time."""
    if not isinstance(harness, SandboxedHarness):
        yield
        return
    full = harness.seconds_per_call
    harness.stops_when_late = True
    harness.seconds_per_call = _WARY_SECONDS.get(harness.language, full)
    try:
        yield
    finally:
        harness.stops_when_late, harness.seconds_per_call = False, full


def _run(
    harness: Harness, code: Code, calls: Sequence[CallInput], seed: int, coverage: bool, tries: int, again: bool
) -> FragmentRun:
    """Run calls, again if the sandbox ended by itself or a call was late: on a busy machine, both happen once.

    A call that was late runs alone again, if `again`, and only if it is not late then, all of them do.
    """
    done = harness.run(code, calls, seed=seed, coverage=coverage)
    for _ in range(tries - 1):
        late = next((at for at, seen in enumerate(done.observations) if again and seen.ended is not None), None)
        if done.undecided not in _ENDED and late is None:
            break
        if late is not None and len(calls) > 1 and _is_late(harness.run(code, calls[late : late + 1], seed=seed)):
            continue
        done = harness.run(code, calls, seed=seed, coverage=coverage)
    return done


def _is_late(done: FragmentRun) -> bool:
    return done.undecided in _ENDED or any(seen.ended is not None for seen in done.observations)


def lacking_languages(names: Sequence[str]) -> dict[str, str]:
    """The languages that cannot run in the sandbox of this machine, each with what to install."""
    sandbox = Bubblewrap()
    lacking = [f"{one.name}: {one.missing}" for one in sandbox.layers() if one.needed and one.missing]
    if lacking:
        return {name: f"the sandbox is not complete ({'; '.join(lacking)})" for name in names}
    there = toolchain_versions(names, sandbox)
    return {
        name: "; ".join(one.install for one in TOOLCHAINS.get(name, ())) or "no harness"
        for name in names
        if name not in there
    }


def require_languages(names: Sequence[str]) -> None:
    """Refuse to go on where a language cannot run.

    Raises:
        MissingExtraError: it says which, and what to install.
    """
    for name, hint in lacking_languages(names).items():
        raise MissingExtraError(f"{name} does not run in the sandbox of this machine.", hint=f"{hint}.")


def _results(done: FragmentRun, alike: bool) -> list[Any]:
    if done.undecided is not None or not done.observations:
        raise NotRunError(f"{done.undecided or 'nothing was observed'} {done.detail}".rstrip())
    return [_result(seen, alike) for seen in done.observations]


def _result(seen: Observation, alike: bool) -> Any:
    if seen.missing is not None:
        raise NotRunError(f"{seen.missing} is missing")
    if seen.ended is not None:
        raise NotRunError(f"a call did not come to its end ({seen.ended})")
    return RAISED if seen.raised is not None else _plain(seen.returned, alike)


def _plain(value: Value, alike: bool) -> Any:
    """A value as the evidence writes it: numbers, truth values, texts, and lists of them."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "int":
        return int(content)
    if kind == "float":
        number = float.fromhex(content)
        if not math.isfinite(number):
            return {"number": str(number)}
        return int(number) if alike and number.is_integer() else number
    if kind == "char":
        return content
    if kind in ("list", "tuple", "iterator"):
        return [_plain(one, alike) for one in content]
    raise NotRunError(f"it gives a value of the kind {kind}")


def conforms(value: Any, type_name: str) -> bool:
    """Whether a result has a language-neutral type: `int` (32 bits), `long` (64 bits), `double`, `bool`, `string`, or
    a list of one.
    """
    if type_name.startswith("list<"):
        element = type_name.removeprefix("list<").removesuffix(">")
        return isinstance(value, list) and all(conforms(item, element) for item in value)
    if type_name in ("int", "long"):
        bits = 31 if type_name == "int" else 63
        return type(value) is int and -(2**bits) <= value < 2**bits
    if type_name == "double":
        return type(value) in (int, float)
    return type(value) is {"bool": bool, "string": str}[type_name]
