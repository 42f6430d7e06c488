"""Runs of both sides with the same inputs, and what is remembered of them."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from clonetruth.execution.budget import SearchBudget
from clonetruth.execution.harness.harness import CallInput, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.patience import TIMED_OUT, TOO_SLOW
from clonetruth.execution.sides import ComparedSide
from clonetruth.execution.values import Value, value_key
from clonetruth.progress import Progress, no_progress

_MOST_LATE = 6
_PROGRAMS = 25
"""Runs of programs between two looks at the clock."""
_LATE_AGAIN = 3
"""Late calls that count already where slow code gets smaller inputs."""
_MOST_LOST = 4
"""Parts of a batch without a call that came to an end on either side, one after the other."""
_RARE = 10
"""A result is rare if at most one run in ten gave it."""
_RARE_EACH = 2

_WITHOUT_TRUTH = "c"
"""A language in which truth is a number."""
_OF_NUMBERS = ("c", "cpp")
"""Languages in which a member of an enumeration is a number."""
_OLD_PYTHON = re.compile(r"Python 2|\b(?:basestring|raw_input|unichr|unicode|xrange)\b")
"""Repairs that say that code was written for Python 2."""
_RAN_OUT = "RuntimeError: StopIteration"
"""How a generator ends in Python 3.7 and later that asks for an element where none is left; before, it just ended."""

_TOO_DEEP = frozenset({"RecursionError", "StackOverflowError", "StackOverflowException", "RangeError: stack"})
"""Exceptions of a stack that is full."""
_LARGE = 200
"""A function that calls itself for each step of such a number, or for each of that many elements, may need more than a
stack has; one that fills it with less does not come to an end."""

Observed = tuple[CallInput, Observation, Observation]
"""An input with what both sides did."""


def _as_truth(one: Observation, other: Observation) -> Observation:
    """What a call did, with 0 and 1 as truth values where another language returns these: 2 stays a number."""
    if not isinstance(other.returned, bool) or one.returned not in ({"int": "0"}, {"int": "1"}):
        return one
    return replace(one, returned=one.returned == {"int": "1"})


def _as_number(one: Observation, other: Observation) -> Observation:
    """What a call did; a number that may be a member of an enumeration, where the other side returned one, is compared
    with none: only its language knows which it is."""
    if not (isinstance(other.returned, dict) and "enum" in other.returned):
        return one
    is_number = isinstance(one.returned, dict) and "int" in one.returned
    return replace(one, returned={"opaque": "a member of an enumeration"}) if is_number else one


def _without_version(one: Observation, is_old: bool) -> Observation:
    """What a call did; where a generator ran out of elements, and the code may be of Python 2, that may be its end."""
    if one.raised != _RAN_OUT:
        return one
    unknown = replace(one, raised=None, returned={"opaque": "what another version of Python gives"})
    return unknown if is_old else replace(one, raised="RuntimeError")


def _within_stack(call: CallInput, one: Observation, other: Observation) -> Observation:
    """What a call did; where it filled its stack with a large input, and the other side did not, that says nothing: how
    deep a stack is belongs to the machine."""
    if one.raised not in _TOO_DEEP or other.raised in _TOO_DEEP or not any(map(_is_large, call.arguments)):
        return one
    return replace(one, raised=None, ended="too deep")


def _is_large(value: Value) -> bool:
    if isinstance(value, str):
        return len(value) >= _LARGE
    if not isinstance(value, dict):
        return False
    ((kind, content),) = value.items()
    if kind == "int":
        return abs(int(content)) >= _LARGE
    if kind == "float":
        return not abs(float.fromhex(content)) < _LARGE
    return isinstance(content, list) and (len(content) >= _LARGE or any(map(_is_large, content)))


@dataclass
class PairedRuns:
    """Two sides that run the same inputs.

    Attributes:
        left: one of them.
        right: the other.
        budget: how long to run.
        progress: called as the work goes on.
        log: inputs that count for the result.
        failed: the last run of a side that could not run.
        late: calls that took too long.
        deadline: when to stop, by the monotonic clock.
    """

    left: ComparedSide
    right: ComparedSide
    budget: SearchBudget
    progress: Progress = no_progress
    log: list[Observed] = field(default_factory=list)
    failed: FragmentRun | None = None
    late: int = 0
    deadline: float = 0.0
    _reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    _points: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        self.extend()

    def extend(self) -> None:
        """Give the whole time again."""
        self.deadline = time.monotonic() + self.budget.seconds

    def retry(self) -> None:
        """Run again after late calls, though not as long."""
        self.late = _LATE_AGAIN

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.deadline

    def run_both(self, calls: Sequence[CallInput], seed: int = 0) -> list[Observed]:
        """Run calls on both sides. What one side did not come to is left out."""
        if not calls:
            return []
        runs: list[FragmentRun] = []
        for at, side in enumerate((self.left, self.right)):
            # What the first side did not come to is not compared.
            count = len(runs[0].observations) if runs else len(calls)
            run = side.run(calls[:count], self.budget.seed + seed, self.budget.coverage)
            if run.undecided is not None:
                self.failed = run
            self._points[at] = max(self._points[at], run.points)
            self._reached[at].update(point for one in run.observations for point in one.reached)
            self.late += sum(one.ended == TIMED_OUT for one in run.observations)
            runs.append(run)
        both = [
            (call, _within_stack(call, one, other), _within_stack(call, other, one))
            for call, one, other in zip(calls, runs[0].observations, runs[1].observations, strict=False)
        ]
        if any(_RAN_OUT in (one.raised, other.raised) for _, one, other in both):
            is_old = any(_OLD_PYTHON.search(said) for side in (self.left, self.right) for said in side.shape.repairs)
            both = [(call, _without_version(one, is_old), _without_version(other, is_old)) for call, one, other in both]
        if len({side.code.language in _OF_NUMBERS for side in (self.left, self.right)}) == 2:
            both = [(call, _as_number(one, other), _as_number(other, one)) for call, one, other in both]
        if (self.left.code.language == _WITHOUT_TRUTH) != (self.right.code.language == _WITHOUT_TRUTH):
            return [(call, _as_truth(one, other), _as_truth(other, one)) for call, one, other in both]
        return both

    def run_batch(self, calls: Sequence[CallInput]) -> None:
        """Run calls on both sides and remember what happened; after a call that ends the process, with the next."""
        rest = list(calls)
        lost = 0
        while rest and not self.is_over and self.late < _MOST_LATE and lost < _MOST_LOST:
            # Each run of a program is a process, so that many at once would go on behind the end of the time.
            done = self.run_both(rest[:_PROGRAMS] if self.left.shape.kind is EntryKind.PROGRAM else rest)
            if not done:
                break
            self.log += done
            # Code that ends its process on every input needs a new one for each, and there is nothing to compare.
            lost = lost + 1 if all(one.ended and other.ended for _, one, other in done) else 0
            if len(done) < len(rest):
                # A side gave up on the rest.
                self.late += sum(one.ended == TOO_SLOW for _, *pair in done for one in pair)
            self.progress("inputs", len(done), self.budget.runs)
            rest = rest[len(done) :]

    def rare_inputs(self) -> list[tuple[Value, ...]]:
        """Arguments that gave a result which few others gave, where there are few different results."""
        normal = [(call.arguments, value_key(one.returned)) for call, one, other in self.log if one.is_normal]
        counts = Counter(result for _, result in normal)
        if len(counts) * _RARE > len(normal):
            return []
        seen: Counter[bytes] = Counter()
        found: list[tuple[Value, ...]] = []
        for arguments, result in normal:
            if counts[result] * _RARE <= len(normal) and seen[result] < _RARE_EACH:
                seen[result] += 1
                found.append(arguments)
        return found

    def coverage(self, at: int) -> float | None:
        """Share of the points of one side (0: left, 1: right) that were reached; None if that is not measured."""
        return min(1.0, len(self._reached[at]) / self._points[at]) if self._points[at] else None

    def why_nothing_runs(self, observed: Sequence[Observed]) -> Reason:
        """What most calls failed for."""
        if self.failed is not None and self.failed.undecided is not None:
            return self.failed.undecided
        both = [one for _, *pair in observed for one in pair]
        if any(one.missing for one in both):
            return Reason.SYMBOL
        late = sum(one.ended in (TIMED_OUT, TOO_SLOW) for one in both)
        if late and sum(one.ended is not None for one in both) * 2 >= len(both):
            return Reason.TIMED_OUT
        if any(one.raised == "FileNotFoundError" for one in both):
            return Reason.FILE
        return Reason.NO_RUN

    def detail(self) -> str:
        """More about what calls failed for: symbols that are missing, or what a side says."""
        missing = sorted({one.missing for _, *pair in self.log for one in pair if one.missing})
        if missing or self.failed:
            return ", ".join(missing) or (self.failed.detail if self.failed else "")
        if any(one.is_normal and other.is_normal for _, one, other in self.log):
            return ""
        seen = Counter(one.ended or one.raised or "" for _, *pair in self.log for one in pair if not one.is_normal)
        most, _ = max(seen.items(), key=lambda one: one[1], default=("", 0))
        return "" if most in (TIMED_OUT, TOO_SLOW) else most
