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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from clonetruth.execution.changed_entry import changed_entry
from clonetruth.execution.comparison import (
    DEFAULT_POLICY,
    Difference,
    DifferencePolicy,
    compare_calls,
    same_elements,
)
from clonetruth.execution.harness.harness import CallInput, Code, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.inputs.generation import Constants, generate, sort_key
from clonetruth.execution.inputs.neighbours import neighbours
from clonetruth.execution.inputs.profiles import GUESSES, candidates_of, profiles, shared_slots
from clonetruth.execution.inputs.shrinking import shrink, size
from clonetruth.execution.inputs.stdin import shrink_stdin, stdin_texts
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.mutants import mutation_score
from clonetruth.execution.proofs.proof import Prover
from clonetruth.execution.proofs.registry import provers_of
from clonetruth.execution.results import BehaviourComparison, Strength, Witness
from clonetruth.execution.sides import ComparedSide, calls_differ, entry_text, inspect
from clonetruth.execution.type_fit import fit, is_numeric_variant, is_similar, is_surrounding, runs_on_one
from clonetruth.execution.values import Value
from clonetruth.progress import Progress, no_progress

_PROBES = 4
_PROFILES_AT_ONCE = 8
_GOOD = 1.4
_SIMILAR = 12
_EXAMPLES = 8
_MOST_LATE = 6
_SORTED = re.compile(r"binary.?search|bisect|\bmid\b|\bmiddle\b|sorted_(list|arr)", re.IGNORECASE)
_READS = re.compile(r"\b(raw_)?input\s*\(|\bstdin\b|\bScanner\b|\breadline\s*\(|\bscanf\s*\(|\bcin\s*>>|ReadLine\(")
_OUTSIDE = re.compile(
    r"\b(raw_)?input\b|\b(std|c)?in\b|\bscan\w*|\bScanner\b|\bread\w*|\bf?getc?s?(har)?\s*\(|ReadLine|\bargs?\b(?!\s*\))|"
    r"\bargv\b|\bprocess\b|\benv\w*|\btime\b|\bclock\b|\bDate\b|\bThread\b|\bhashCode\b|\bid\s*\(",
    re.IGNORECASE,
)
"""What may come from outside of the code: input, arguments of a program, time, threads."""
_CHANCE = re.compile(
    r"\brandom\b|\brandint\b|\brandrange\b|\bshuffle\s*\(|\buuid\d?\b|\bsecrets\b|Math\.random|new Random|\brand\s*\("
)


@dataclass(frozen=True, kw_only=True)
class SearchBudget:
    """How long to search.

    Attributes:
        runs: inputs at most.
        seconds: at most, apart from the last run.
        seed: the same seed gives the same inputs.
        coverage: whether to prefer neighbours of inputs that reach new points of the code.
        mutants: seeded changes to try on each side, to say how many of them the inputs notice; 0: none.
        proof_seconds: for provers, if no difference was found; 0: none are asked.
    """

    runs: int = 200
    seconds: float = 20.0
    seed: int = 0
    coverage: bool = True
    mutants: int = 0
    proof_seconds: float = 0.0


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
    entry = changed_entry(left, right)
    if entry is not None:
        left, right = replace(left, entry=entry), replace(right, entry=entry)
    sides = [inspect(code, harnesses) for code in (left, right)]
    found = BehaviourComparison(sides[0].report(), sides[1].report(), policy=policy, seed=budget.seed)
    for side in sides:
        if side.shape.undecided is not None:
            return _undecided(found, side.shape.undecided, side.shape.detail)
    if sides[0].shape.kind is not sides[1].shape.kind:
        return _undecided(found, Reason.PARAMETERS, "one is a function, the other a program")
    search = _Search(sides[0], sides[1], budget, policy, found, progress)
    compared = search.search(inputs)
    if budget.proof_seconds and left.language == right.language and compared.witness is None:
        return search.proved(compared, list(provers_of(left.language, harnesses.sandbox)))
    return compared


def _undecided(found: BehaviourComparison, reason: Reason, detail: str = "") -> BehaviourComparison:
    return replace(found, reason=reason, detail=detail)


Observed = tuple[CallInput, Observation, Observation]


@dataclass
class _Search:
    left: ComparedSide
    right: ComparedSide
    budget: SearchBudget
    policy: DifferencePolicy
    found: BehaviourComparison
    progress: Progress = no_progress
    log: list[Observed] = field(default_factory=list)
    types: tuple[InputType, ...] = ()
    others: list[tuple[InputType, ...]] = field(default_factory=list)
    precondition: str | None = None
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    points: list[int] = field(default_factory=lambda: [0, 0])
    failed: FragmentRun | None = None
    late: int = 0
    slow: bool = False
    one_sided: tuple[InputType, ...] | None = None

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.budget.seconds
        self.texts = entry_text(self.left.code), entry_text(self.right.code)
        self.constants = Constants(self.texts)
        self.reads = any(_READS.search(text) for text in self.texts)
        self.seen: set[str] = set()

    def search(self, given: Sequence[CallInput]) -> BehaviourComparison:
        if self.left.shape.kind is EntryKind.PROGRAM:
            self.run_batch(given)
            self.run_batch([CallInput(stdin=one) for one in self.new_texts()])
            return self.result()
        slots = shared_slots(self.left.shape.parameters, self.right.shape.parameters)
        if isinstance(slots, str):
            why = Reason.PARAMETERS if slots[:1].isdigit() else Reason.SYMBOL
            return _undecided(self.found, why, slots)
        self.left.take(slots, is_left=True)
        self.right.take(slots, is_left=False)
        for _, name in self.left.names:
            if calls_differ(name, *self.texts):
                return _undecided(self.found, Reason.SYMBOL, f"{name}, called with other numbers of arguments")
        self.found = replace(self.found, left=self.left.report(), right=self.right.report())
        self.run_batch([one for one in given if len(one.arguments) == len(slots)])
        left, right = self.left.shape.parameters, self.right.shape.parameters
        candidates = [
            candidates_of(None if one.left is None else left[one.left], None if one.right is None else right[one.right])
            for one in slots
        ]
        reason = self.choose_types(candidates)
        if reason is not None and not self.log:
            return _undecided(self.found, reason, self.detail())
        if reason is None:
            self.run_functions()
        return self.result()

    # -- inputs ---------------------------------------------------------------------------------------------------

    def new_texts(self) -> list[str]:
        """Standard inputs for programs that read numbers and words."""
        return list(itertools.islice(stdin_texts(self.constants, self.budget.seed), self.budget.runs))

    def choose_types(self, candidates: Sequence[Sequence[InputType]]) -> Reason | None:
        """Find types that both sides take. The reason if there are none."""
        if not candidates:
            self.types = ()
            return None
        known = [one or GUESSES for one in candidates]
        if all(candidates) and self.likeliest(tuple(one[0] for one in candidates)):
            similar = profiles(known)[1:_SIMILAR]
            self.others = [one for one in similar if all(map(is_numeric_variant, one, self.types))]
            return None
        wider = [list(dict.fromkeys([*one, *GUESSES])) if not is_surrounding(one) else one for one in known]
        observed: list[Observed] = []
        for attempt in (known, wider):
            waiting = [one for one in profiles(attempt) if one not in self.others]
            while waiting and time.monotonic() < self.deadline:
                now, waiting = waiting[:_PROFILES_AT_ONCE], waiting[_PROFILES_AT_ONCE:]
                observed = self.probe(now)
                if self.failed is not None or self.types:
                    break
            if self.types or self.failed is not None or known == wider:
                break
        if not self.types and self.failed is None and self.one_sided is not None:
            self.types = self.one_sided
        self.others = [one for one in self.others if one != self.types and all(map(is_similar, one, self.types))]
        return None if self.types else self.why_nothing_runs(observed)

    def likeliest(self, types: tuple[InputType, ...]) -> bool:
        """Run the likeliest types at once; whether both sides take them."""
        given = len(self.log)
        self.types = types
        self.assume()
        self.run_batch(self.fresh(map(self.prepared, self.generated(types)), self.budget.runs // 2))
        mine = [(one, other) for _, one, other in self.log[given:]]
        if self.failed is None and (fit(mine) or 0) >= _GOOD:
            return True
        if self.failed is None and self.late:
            # Slow code gets smaller inputs.
            self.slow, self.late = True, 0
            self.run_batch(self.fresh(map(self.prepared, self.generated(types)), self.budget.runs // 2))
            mine = [(one, other) for _, one, other in self.log[given:]]
            both = any(one.is_normal and other.is_normal for one, other in mine)
            if self.failed is None and (both or runs_on_one(mine)):
                return True
        self.types, self.seen = (), set()
        del self.log[given:]
        self.precondition, self.late = None, 0
        return False

    def probe(self, now: Sequence[tuple[InputType, ...]]) -> list[Observed]:
        """Try combinations of types with a few inputs each, and keep the best."""
        calls: list[CallInput] = []
        owner: list[int] = []
        for number, types in enumerate(now):
            for arguments in itertools.islice(self.generated(types), 1, 1 + _PROBES * (1 if number else 2)):
                calls.append(self.call(arguments))
                owner.append(number)
        observed = self.run_both(calls)
        best: float | None = None
        one_sided: tuple[InputType, ...] | None = None
        for number, types in enumerate(now):
            mine = [(one, other) for (_, one, other), of in zip(observed, owner, strict=False) if of == number]
            score = fit(mine)
            if score is not None and score >= _GOOD:
                self.others.append(types)
            if score is not None and (best is None or score > best + 0.26):
                best, self.types = score, types
            if score is None and one_sided is None and runs_on_one(mine):
                one_sided = types
        self.one_sided = self.one_sided or one_sided
        return observed

    def generated(self, types: Sequence[InputType]) -> Iterator[tuple[Value, ...]]:
        return generate(types, self.constants, self.budget.seed, only_small=self.slow)

    def call(self, arguments: tuple[Value, ...]) -> CallInput:
        """An input with something to read, if the code reads."""
        if not self.reads:
            return CallInput(arguments)
        texts = itertools.islice(stdin_texts(self.constants, self.budget.seed), len(self.seen) % 97, None)
        return CallInput(arguments, next(texts))

    def why_nothing_runs(self, observed: Sequence[Observed]) -> Reason:
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
        self.assume()
        runs = self.budget.runs
        share = runs * 3 // 4 if self.budget.coverage else runs
        if len(self.log) < runs // 2:
            self.run_batch(self.fresh(self.mixed(runs * 2), share - len(self.log)))
        if self.late and not self.slow:
            self.slow, self.late = True, 0
            self.run_batch(self.fresh(map(self.prepared, self.generated(self.types)), share))
        if self.budget.coverage and time.monotonic() < self.deadline and not self.shows_difference():
            telling = [call.arguments for call, one, other in self.log if one.reached or other.reached]
            near = (
                self.prepared(tuple(less)) for one in telling for less in neighbours(one, self.constants, self.types)
            )
            rest = itertools.chain(itertools.islice(near, runs // 4), self.mixed(runs * 3))
            self.run_batch(self.fresh(rest, runs - len(self.log)))

    def assume(self) -> None:
        """Guess a precondition."""
        lists = [at for at, one in enumerate(self.types) if one.kind == "list" and not one.inner[0].inner]
        if lists and any(_SORTED.search(text) for text in self.texts):
            self.precondition = "lists are sorted"

    def mixed(self, count: int) -> Iterator[tuple[Value, ...]]:
        """Inputs of the best types, and a third of others that both sides take, too."""
        best = map(self.prepared, self.generated(self.types))
        further = [self.generated(types) for types in self.others[:6]]
        for number in range(count):
            stream = further[number // 3 % len(further)] if further and number % 3 == 2 else best
            one = next(stream, None)
            if one is not None:
                yield one

    def fresh(self, arguments: Iterator[tuple[Value, ...]], count: int) -> list[CallInput]:
        """Inputs that have not been run yet."""
        found: list[CallInput] = []
        for one in arguments:
            key = repr(one)
            if key not in self.seen:
                self.seen.add(key)
                found.append(self.call(one))
            if len(found) >= count:
                break
        return found

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
            self.points[at] = max(self.points[at], run.points)
            self.reached[at].update(point for one in run.observations for point in one.reached)
            self.late += sum(one.ended == "timed out" for one in run.observations)
            runs.append(run)
        return list(zip(calls, runs[0].observations, runs[1].observations, strict=False))

    def run_batch(self, calls: Sequence[CallInput]) -> None:
        """Run calls on both sides and remember what happened; after a call that ends the process, with the next."""
        rest = list(calls)
        while rest and time.monotonic() < self.deadline and self.late < _MOST_LATE:
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
            comparable += one.ended is None and other.ended is None
            if one.is_normal and other.is_normal:
                normal += 1
                outputs[repr((one.returned, one.changed, one.output))] += 1
                only_truth = only_truth and isinstance(one.returned, bool) and not one.output
            for kind in differences:
                kinds.setdefault(kind, []).append(call)
        witnesses, unstable = self.witnesses(kinds)
        seen = [one for _, one, other in self.log if one.is_normal and other.is_normal]
        says = any(one.output.strip() or one.returned is not None for one in seen)
        strength = Strength(
            runs=comparable,
            normal=normal,
            outputs=len(outputs),
            truth_values=only_truth and normal > 0,
            left_coverage=self.share(0),
            right_coverage=self.share(1),
            exhausted=says and normal == comparable and len(outputs) == 1 and self.takes_nothing(),
            mutation_score=mutation_score((self.left, self.right), self.log, self.budget.mutants, self.budget.seed),
        )
        reason: Reason | None = None
        if not comparable:
            incomparable = any(one.is_normal and other.is_normal for _, one, other in self.log)
            reason = Reason.INCOMPARABLE if incomparable else self.why_nothing_runs(self.log)
        elif unstable:
            reason = Reason.RANDOM if any(_CHANCE.search(text) for text in self.texts) else Reason.UNSTABLE
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

    def takes_nothing(self) -> bool:
        """Whether nothing from outside, neither an argument nor chance, can change what the code does."""
        return not self.types and not any(_OUTSIDE.search(text) or _CHANCE.search(text) for text in self.texts)

    def share(self, at: int) -> float | None:
        return min(1.0, len(self.reached[at]) / self.points[at]) if self.points[at] else None

    def witnesses(self, kinds: dict[Difference, list[CallInput]]) -> tuple[list[Witness], bool]:
        """The smallest input for each kind of difference, and whether one that counts did not come again."""
        found: list[Witness] = []
        unstable = False
        for kind in sorted(kinds, key=lambda one: (one not in self.policy.counted, list(Difference).index(one))):
            witness = self.witness(kind, kinds[kind], is_first=not found)
            if witness is not None:
                found.append(witness)
            elif kind in self.policy.counted:
                unstable = True
        if unstable and Difference.VALUE in kinds and not found:
            by_order = self.ordered_by_chance(kinds[Difference.VALUE])
            if by_order is not None:
                kinds[Difference.ORDER] = kinds.pop(Difference.VALUE)
                return [by_order], False
        return found, unstable

    def proved(self, compared: BehaviourComparison, provers: Sequence[Prover]) -> BehaviourComparison:
        """Ask provers. Their witnesses count when they come again here; a proof counts if no run contradicts it."""
        if self.left.order != self.right.order or self.left.names or self.right.names or not self.types:
            return compared
        codes = [replace(side.code, entry=side.code.entry or side.shape.entry) for side in (self.left, self.right)]
        for prover in provers:
            proof = prover.prove(codes[0], codes[1], self.types, self.budget.proof_seconds)
            self.deadline = time.monotonic() + self.budget.seconds
            for call, one, other in self.run_both(proof.witness_inputs):
                for kind in sorted(self.policy.counted & self.differences_of(one, other)):
                    witness = self.witness(kind, [call], is_first=True)
                    if witness is not None:
                        witness = replace(witness, by=prover.name)
                        counts = {**compared.counts, kind: compared.counts.get(kind, 0) + 1}
                        return replace(compared, witnesses=(witness, *compared.witnesses), counts=counts, reason=None)
            if proof.proved is not None and compared.strength.normal and compared.reason is None:
                said = f"{proof.proved} ({prover.name})"
                return replace(compared, strength=replace(compared.strength, proof=said))
        return compared

    def ordered_by_chance(self, calls: Sequence[CallInput]) -> Witness | None:
        """A witness that both give the same elements in an order that a set decides."""
        wanted = {repr(call) for call in calls}
        for call, one, other in self.log:
            if repr(call) in wanted and not same_elements(one.returned, other.returned):
                return None
        again = self.run_both(sorted(calls, key=lambda one: size(one.arguments))[:1], 1)
        return Witness(again[0][0], again[0][1], again[0][2], (Difference.ORDER,)) if again else None

    def witness(self, kind: Difference, calls: Sequence[CallInput], is_first: bool) -> Witness | None:
        """The smallest input that shows a kind of difference, if it comes again in fresh processes."""
        calls = sorted(calls, key=lambda one: (size(one.arguments), len(one.stdin), one.stdin))

        def differs(candidates: Sequence[CallInput]) -> list[bool]:
            if time.monotonic() > self.deadline:
                return [False] * len(candidates)
            shown = [kind in self.differences_of(one, other) for _, one, other in self.run_both(candidates)]
            return shown + [False] * (len(candidates) - len(shown))

        if is_first:
            smallest = self.shrunk(calls[0], differs)
            if smallest != calls[0]:
                calls = [smallest, *calls]
        return next(filter(None, (self.replayed(call, kind) for call in calls[:3])), None)

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
        return Witness(call, replace(one, reached=()), replace(other, reached=()), differences)


def inputs_digest(calls: Sequence[CallInput]) -> str:
    """Identifies inputs in their order; empty for none."""
    if not calls:
        return ""
    text = json.dumps([(one.arguments, one.stdin) for one in calls])
    return hashlib.sha256(text.encode()).hexdigest()
