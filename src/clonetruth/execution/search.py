"""Searches an input on which two pieces of code differ.

First it asks both how they can be called, then it tries types on both (what raises a type error is not an input), then
it runs inputs of the types that work, and afterwards neighbours of those that reached new points of the code. A
difference counts when it comes again in fresh processes with another seed; it is then made small. All comparing
happens here, outside of the sandbox.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from clonetruth.execution.comparison import (
    DEFAULT_POLICY,
    Difference,
    DifferencePolicy,
    compare_calls,
    is_type_error,
)
from clonetruth.execution.harness.harness import CallInput, Code, EntryKind, FragmentRun, Harness, Observation, Reason
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.inputs.generation import Constants, generate, sort_key
from clonetruth.execution.inputs.profiles import align_parameters, profiles
from clonetruth.execution.inputs.shrinking import shrink, size, smaller
from clonetruth.execution.inputs.stdin import shrink_stdin, stdin_texts
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.results import BehaviourComparison, ExecutedSide, Strength, Witness
from clonetruth.execution.values import Value
from clonetruth.progress import Progress, no_progress

_PROBES = 4
_EXAMPLES = 8
_SORTED = re.compile(r"binary|bisect|\bmid\b|\bmiddle\b|sorted_", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class SearchBudget:
    """How long to search.

    Attributes:
        runs: inputs at most.
        seconds: at most, apart from the last run.
        seed: the same seed gives the same inputs.
        coverage: whether to prefer neighbours of inputs that reach new points of the code.
    """

    runs: int = 200
    seconds: float = 20.0
    seed: int = 0
    coverage: bool = True


def compare_behaviour(
    left: Code,
    right: Code,
    harnesses: Harnesses,
    *,
    budget: SearchBudget | None = None,
    policy: DifferencePolicy = DEFAULT_POLICY,
    inputs: Sequence[CallInput] = (),
    progress: Progress = no_progress,
) -> BehaviourComparison:
    """Run two pieces of code with the same inputs and compare what they do.

    Args:
        left: one of them.
        right: the other.
        harnesses: what runs them.
        budget: how long to search.
        policy: what counts as a difference.
        inputs: inputs to try first, such as those of tests; those with another number of arguments are left out.
        progress: called as the work goes on.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    budget = budget or SearchBudget()
    sides = [_inspect(code, harnesses) for code in (left, right)]
    found = BehaviourComparison(sides[0].report(), sides[1].report(), policy=policy, seed=budget.seed)
    for side in sides:
        if side.shape.undecided is not None:
            return _undecided(found, side.shape.undecided, side.shape.detail)
    if sides[0].shape.kind is not sides[1].shape.kind:
        return _undecided(found, Reason.PARAMETERS, "one is a function, the other a program")
    return _Search(sides[0], sides[1], budget, policy, found, progress).search(inputs)


@dataclass
class _Side:
    """One of the two, with what runs it.

    Attributes:
        order: which argument each of its parameters gets.
    """

    code: Code
    harness: Harness | None
    shape: FragmentRun
    order: tuple[int, ...] = ()

    def report(self) -> ExecutedSide:
        shape = self.shape
        return ExecutedSide(self.code.language, shape.entry, shape.repairs, shape.undecided, shape.detail, self.order)

    def run(self, calls: Sequence[CallInput], seed: int, coverage: bool = False) -> FragmentRun:
        """Run calls whose arguments are in the common order; observations are in that order, too."""
        assert self.harness is not None
        places = [self.order.index(at) for at in range(len(self.order))]
        given = [CallInput(tuple(one.arguments[at] for at in self.order), one.stdin) for one in calls]
        run = self.harness.run(self.code, given if self.order else calls, seed=seed, coverage=coverage)
        if self.order == tuple(range(len(self.order))):
            return run
        turned = tuple(
            replace(one, changed=one.changed and tuple(one.changed[at] for at in places)) for one in run.observations
        )
        return replace(run, observations=turned)


def _inspect(code: Code, harnesses: Harnesses) -> _Side:
    harness = harnesses.get(code.language)
    if harness is None:
        return _Side(code, None, FragmentRun(Reason.LANGUAGE, code.language))
    return _Side(code, harness, harness.run(code))


def _undecided(found: BehaviourComparison, reason: Reason, detail: str = "") -> BehaviourComparison:
    return replace(found, reason=reason, detail=detail)


@dataclass
class _Search:
    left: _Side
    right: _Side
    budget: SearchBudget
    policy: DifferencePolicy
    found: BehaviourComparison
    progress: Progress = no_progress
    log: list[tuple[CallInput, Observation, Observation]] = field(default_factory=list)
    types: tuple[InputType, ...] = ()
    precondition: str | None = None
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    points: list[int] = field(default_factory=lambda: [0, 0])
    failed: FragmentRun | None = None

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.budget.seconds
        self.constants = Constants((self.left.code.text, self.right.code.text))

    def search(self, given: Sequence[CallInput]) -> BehaviourComparison:
        if self.left.shape.kind is EntryKind.PROGRAM:
            self.run_batch(given)
            self.run_batch([CallInput(stdin=one) for one in self.new_texts()])
        else:
            aligned = align_parameters(self.left.shape.parameters, self.right.shape.parameters)
            if aligned is None:
                counts = [len(one.shape.parameters) for one in (self.left, self.right)]
                return _undecided(self.found, Reason.PARAMETERS, f"{counts[0]} and {counts[1]}")
            self.left.order, self.right.order = (_positions(one) for one in aligned)
            self.found = replace(self.found, left=self.left.report(), right=self.right.report())
            self.run_batch([one for one in given if len(one.arguments) == len(self.left.order)])
            reason = self.choose_types(aligned)
            if reason is not None and not self.log:
                return _undecided(self.found, reason, self.detail())
            if reason is None:
                self.run_functions()
        return self.result()

    # -- inputs ---------------------------------------------------------------------------------------------------

    def new_texts(self) -> list[str]:
        """Standard inputs for programs that read numbers and words."""
        return list(itertools.islice(stdin_texts(self.constants, self.budget.seed), self.budget.runs))

    def choose_types(self, aligned: tuple[tuple[int, ...], tuple[int, ...]]) -> Reason | None:
        """Find types that both sides take. The reason if there are none."""
        left = [self.left.shape.parameters[at] for at in aligned[0]]
        right = [self.right.shape.parameters[at] for at in aligned[1]]
        candidates = profiles(left, right)
        if not candidates:
            self.types = ()
            return None
        if len(candidates) == 1:
            self.types = candidates[0]
            return None
        calls, owner = [], []
        for number, types in enumerate(candidates):
            for arguments in itertools.islice(generate(types, self.constants, self.budget.seed), 2, 2 + _PROBES):
                calls.append(CallInput(arguments))
                owner.append(number)
        observed = self.run_both(calls)
        best: tuple[float, tuple[InputType, ...]] | None = None
        for number, types in enumerate(candidates):
            mine = [(one, other) for (_, one, other), of in zip(observed, owner, strict=False) if of == number]
            score = _score(mine)
            if score is not None and (best is None or score > best[0] + 0.26):
                best = (score, types)
        if best is None:
            return self.why_nothing_runs(observed)
        self.types = best[1]
        return None

    def why_nothing_runs(self, observed: Sequence[tuple[CallInput, Observation, Observation]]) -> Reason:
        """What most calls failed for."""
        if self.failed is not None and self.failed.undecided is not None:
            return self.failed.undecided
        both = [one for _, *pair in observed for one in pair]
        if any(one.missing for one in both):
            return Reason.SYMBOL
        if both and sum(one.ended is not None for one in both) * 2 >= len(both):
            return Reason.TIMED_OUT
        return Reason.NO_RUN

    def detail(self) -> str:
        missing = sorted({one.missing for _, *pair in self.log for one in pair if one.missing})
        return ", ".join(missing) or (self.failed.detail if self.failed else "")

    def run_functions(self) -> None:
        lists = [at for at, one in enumerate(self.types) if one.kind == "list" and not one.inner[0].inner]
        looks_sorted = any(_SORTED.search(side.code.text) for side in (self.left, self.right))
        if lists and looks_sorted:
            self.precondition = "lists are sorted"
        generated = (self.prepared(one) for one in generate(self.types, self.constants, self.budget.seed))
        runs = self.budget.runs
        first = itertools.islice(generated, max(1, runs * 2 // 3 if self.budget.coverage else runs))
        self.run_batch([CallInput(one) for one in first])
        if self.budget.coverage and time.monotonic() < self.deadline and not self.shows_difference():
            telling = [call.arguments for call, one, other in self.log if one.reached or other.reached]
            near = (self.prepared(tuple(less)) for one in telling for less in _neighbours(one))
            seen = {repr(call.arguments) for call, *_ in self.log}
            rest = itertools.chain(itertools.islice(near, runs // 6), generated)
            fresh = [one for one in itertools.islice(rest, runs // 3) if repr(one) not in seen]
            self.run_batch([CallInput(one) for one in fresh])

    def prepared(self, arguments: tuple[Value, ...]) -> tuple[Value, ...]:
        """Arguments that fulfil the precondition."""
        if self.precondition is None or len(arguments) != len(self.types):
            return arguments
        return tuple(
            {"list": sorted(one["list"], key=sort_key)}
            if isinstance(one, dict) and "list" in one and not kind.inner[0].inner
            else one
            for one, kind in zip(arguments, self.types, strict=True)
        )

    # -- runs -----------------------------------------------------------------------------------------------------

    def run_both(self, calls: Sequence[CallInput], seed: int = 0) -> list[tuple[CallInput, Observation, Observation]]:
        """Run calls on both sides. What one side did not come to is left out."""
        if not calls:
            return []
        coverage = self.budget.coverage
        runs = [side.run(calls, self.budget.seed + seed, coverage) for side in (self.left, self.right)]
        for at, run in enumerate(runs):
            if run.undecided is not None:
                self.failed = run
            self.points[at] = max(self.points[at], run.points)
            self.reached[at].update(point for one in run.observations for point in one.reached)
        return list(zip(calls, runs[0].observations, runs[1].observations, strict=False))

    def run_batch(self, calls: Sequence[CallInput]) -> None:
        """Run calls on both sides and remember what happened; after a call that ends the process, with the next."""
        rest = list(calls)
        while rest and time.monotonic() < self.deadline:
            done = self.run_both(rest)
            if not done:
                break
            self.log += done
            self.progress("inputs", len(done), self.budget.runs)
            rest = rest[len(done) :]

    def differences_of(self, one: Observation, other: Observation) -> frozenset[Difference]:
        return compare_calls(one, other, self.policy.tolerance) or frozenset()

    def shows_difference(self) -> bool:
        return any(self.policy.counted & self.differences_of(one, other) for _, one, other in self.log)

    # -- results --------------------------------------------------------------------------------------------------

    def result(self) -> BehaviourComparison:
        kinds: dict[Difference, list[CallInput]] = {}
        comparable = normal = 0
        outputs: Counter[str] = Counter()
        only_truth = True
        for call, one, other in self.log:
            differences = compare_calls(one, other, self.policy.tolerance)
            if differences is None:
                continue
            comparable += 1
            if one.is_normal and other.is_normal:
                normal += 1
                outputs[repr((one.returned, one.changed, one.output))] += 1
                only_truth = only_truth and isinstance(one.returned, bool) and not one.output
            for kind in differences:
                kinds.setdefault(kind, []).append(call)
        witnesses: list[Witness] = []
        unstable = False
        for kind in sorted(kinds, key=lambda one: (one not in self.policy.counted, list(Difference).index(one))):
            witness = self.witness(kind, kinds[kind], is_first=not witnesses)
            if witness is not None:
                witnesses.append(witness)
            elif kind in self.policy.counted:
                unstable = True
        strength = Strength(
            runs=comparable,
            normal=normal,
            outputs=len(outputs),
            truth_values=only_truth and normal > 0,
            left_coverage=self.share(0),
            right_coverage=self.share(1),
        )
        reason: Reason | None = None
        if not comparable:
            incomparable = any(one.is_normal and other.is_normal for _, one, other in self.log)
            reason = Reason.INCOMPARABLE if incomparable else self.why_nothing_runs(self.log)
        elif unstable:
            reason = Reason.UNSTABLE
        elif not normal:
            reason = self.why_nothing_runs(self.log)
        return replace(
            self.found,
            witnesses=tuple(witnesses),
            counts={kind: len(calls) for kind, calls in kinds.items()},
            strength=strength,
            reason=reason,
            detail=self.detail() if reason else "",
            types=tuple(map(str, self.types)),
            precondition=self.precondition,
            examples=tuple(self.log[:_EXAMPLES]),
            inputs_digest=inputs_digest([call for call, *_ in self.log]),
        )

    def share(self, at: int) -> float | None:
        return min(1.0, len(self.reached[at]) / self.points[at]) if self.points[at] else None

    def witness(self, kind: Difference, calls: Sequence[CallInput], is_first: bool) -> Witness | None:
        """The smallest input that shows a kind of difference, if it comes again in fresh processes."""
        calls = sorted(calls, key=lambda one: (size(one.arguments), len(one.stdin), one.stdin))
        confirmed = next(filter(None, (self.replayed(call, kind) for call in calls[:3])), None)
        if confirmed is None or not is_first:
            return confirmed

        def differs(candidates: Sequence[CallInput]) -> list[bool]:
            if time.monotonic() > self.deadline:
                return [False] * len(candidates)
            shown = [kind in self.differences_of(one, other) for _, one, other in self.run_both(candidates)]
            return shown + [False] * (len(candidates) - len(shown))

        smallest = self.shrunk(confirmed.call, differs)
        return (self.replayed(smallest, kind) if smallest != confirmed.call else None) or confirmed

    def shrunk(self, call: CallInput, differs: Callable[[Sequence[CallInput]], list[bool]]) -> CallInput:
        if self.left.shape.kind is EntryKind.PROGRAM:
            text = shrink_stdin(call.stdin, lambda texts: differs([CallInput(stdin=one) for one in texts]))
            return CallInput(stdin=text)
        arguments = shrink(
            call.arguments, lambda ones: differs([CallInput(self.prepared(one), call.stdin) for one in ones])
        )
        return CallInput(self.prepared(arguments), call.stdin)

    def replayed(self, call: CallInput, kind: Difference) -> Witness | None:
        """What the call does alone, in processes with other seeds; None if the difference does not come each time."""
        shown: list[tuple[Observation, Observation]] = []
        for seed in (1, 2):
            again = self.run_both([call], seed)
            if not again or kind not in self.differences_of(*again[0][1:]):
                return None
            shown.append((again[0][1], again[0][2]))
        (one, other), (same_one, same_other) = shown
        if compare_calls(one, same_one, self.policy.tolerance) or compare_calls(
            other, same_other, self.policy.tolerance
        ):
            return None
        differences = tuple(sorted(self.differences_of(one, other)))
        return Witness(call, one, other, differences)


def inputs_digest(calls: Sequence[CallInput]) -> str:
    """Identifies inputs in their order; empty for none."""
    if not calls:
        return ""
    text = json.dumps([(one.arguments, one.stdin) for one in calls])
    return hashlib.sha256(text.encode()).hexdigest()


def _positions(order: tuple[int, ...]) -> tuple[int, ...]:
    """Which argument each parameter gets, from which parameter each argument goes to."""
    return tuple(order.index(at) for at in range(len(order)))


def _score(mine: Sequence[tuple[Observation, Observation]]) -> float | None:
    """How well a combination of types works on both sides, from 0 to 2; None if it does not."""
    if not mine:
        return None
    both = [one for pair in mine for one in pair]
    if sum(is_type_error(one) for one in both) * 4 > len(both):
        return None
    normal = [pair for pair in mine if pair[0].is_normal and pair[1].is_normal]
    if not normal:
        return None
    results = {repr((one.returned, one.output, one.changed)) for one, _ in normal}
    return len(normal) / len(mine) + len(results) / len(mine)


def _neighbours(arguments: tuple[Value, ...]) -> list[list[Value]]:
    """Arguments that differ from others in one place."""
    found = []
    for at, value in enumerate(arguments):
        for less in itertools.islice(smaller(value), 6):
            changed = list(arguments)
            changed[at] = less
            found.append(changed)
        if isinstance(value, dict) and "int" in value:
            for step in (1, -1):
                changed = list(arguments)
                changed[at] = {"int": str(int(value["int"]) + step)}
                found.append(changed)
    return found
