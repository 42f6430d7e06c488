"""Searches an input on which two pieces of code differ.

First it asks both how they can be called, then it tries types on both (what raises a type error is not an input), then
it runs inputs of the types that work, and afterwards neighbours of those that reached new points of the code. A
difference counts when it comes again in fresh processes with another seed; it is then made small. All comparing
happens here, outside of the sandbox.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from clonetruth.execution.budget import SearchBudget
from clonetruth.execution.calls_around import calling_alike, without_methods
from clonetruth.execution.changed_entry import changed_entries, namesake, same_name
from clonetruth.execution.comparison import DEFAULT_POLICY, Difference, DifferencePolicy, with_common_state
from clonetruth.execution.harness.harness import CallInput, Code, EntryKind, Reason, can_follow
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.input_stream import InputStream
from clonetruth.execution.inputs.domains import InputDomain
from clonetruth.execution.inputs.lengths import NO_LENGTH
from clonetruth.execution.inputs.library_values import all_values
from clonetruth.execution.inputs.profiles import Slot, candidates_of, shared_slots
from clonetruth.execution.inputs.single_precision import apart
from clonetruth.execution.inputs.types import InputType, parse_type
from clonetruth.execution.literal_calls import example_inputs
from clonetruth.execution.machine_state import machine_state
from clonetruth.execution.mutants import mutation_score
from clonetruth.execution.null_inputs import null_inputs
from clonetruth.execution.paired_runs import Observed, PairedRuns
from clonetruth.execution.program_search import ProgramSearch
from clonetruth.execution.proofs.proof import Prover
from clonetruth.execution.proofs.registry import provers_of
from clonetruth.execution.results import BehaviourComparison, BehaviourVerdict, Strength
from clonetruth.execution.sides import ComparedSide, called_otherwise, entry_text, inspect
from clonetruth.execution.type_choice import TypeChoice
from clonetruth.execution.values import LEFT_OUT, WITHOUT_CYCLES, Value, value_key
from clonetruth.execution.witnesses import CHANCE, WitnessSearch
from clonetruth.progress import Progress, no_progress

__all__ = ["SearchBudget", "compare_behaviour", "inputs_digest"]

_EXAMPLES = 8
_GARBAGE = 50_000
"""Objects between two collections of garbage while a pair runs."""
_LEFT_OUT = 6
"""Inputs that leave out an argument with a default, before others."""
_FEW_TAKEN = 4
_TRUTH, _NOT_TRUTH, _AS_NUMBERS = "truth", "", ({"int": "0"}, {"int": "1"})
_FREQUENT = 0.2
"""Share of the runs in which each of two numbers must be returned to be taken for a truth value."""
_DRAWS = 30
"""How often code that takes nothing and draws numbers at random is run."""
_OUTSIDE = re.compile(
    r"\b(raw_)?input\b|\b(std|c)?in\b|\bscan\w*|\bScanner\b|\bread\w*|\bf?getc?s?(har)?\s*\(|ReadLine|\bargs?\b(?!\s*\))|"
    r"\bargv\b|\bprocess\b|\benv\w*|\btime\b|\bclock\b|\bDate\b|\bThread\b|\bhashCode\b|\bid\s*\(",
    re.IGNORECASE,
)
"""What may come from outside of the code: input, arguments of a program, time, threads."""
_CONSTRUCTORS = ("__init__", "constructor")
_MAIN = re.compile(r"\bmain\s*\(")
_BYTES = parse_type("list[int8]"), parse_type("bytes")
"""Bytes of Java, which are negative from 128 on, and those of other languages."""
_OF_BYTES = ("c", "cpp")
"""Languages whose texts are bytes."""
_APART = re.compile(r"[A-Z][A-Z0-9_]+$|any ")
"""Names of constants of the file around the code, and of numbers that decide what missing functions do."""


def compare_behaviour(
    left: Code,
    right: Code,
    harnesses: Harnesses,
    *,
    budget: SearchBudget | None = None,
    policy: DifferencePolicy = DEFAULT_POLICY,
    inputs: Sequence[CallInput] = (),
    domain: InputDomain | None = None,
    others: Collection[str] = (),
    progress: Progress = no_progress,
) -> BehaviourComparison:
    """Run two pieces of code with the same inputs and compare what they do. Of two versions of a file, each changed
    function that no other calls is compared; they are only equal if all of these are.

    Args:
        left: one of them.
        right: the other.
        harnesses: what runs them.
        budget: how long to search.
        policy: what counts as a difference.
        inputs: inputs to try first, such as those of tests; those with another number of arguments are left out.
        domain: the inputs that a specification permits, in the order of the left side's parameters; others are not
            tried. Arguments beyond its parameters are left out if both sides permit that; otherwise code with another
            number of parameters is undecided. It is not applied to programs.
        others: methods of the same class that are known to differ, too: they are not called before or behind, where
            there are others, so that a difference is not one of theirs.
        progress: called as the work goes on.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    budget = budget or SearchBudget()
    compared: list[BehaviourComparison] = []
    for entry in changed_entries(left, right):
        sides = [replace(code, entry=entry or code.entry) for code in (left, right)]
        with _few_collections():
            compared.append(
                _compare_entry(sides[0], sides[1], harnesses, budget, policy, inputs, domain, others, progress)
            )
        if compared[-1].witness is not None:
            return compared[-1]
    undecided = (one for one in compared if one.verdict is BehaviourVerdict.UNDECIDED)
    return next(undecided, compared[0])


@contextlib.contextmanager
def _few_collections() -> Iterator[None]:
    """Inputs and observations are many objects without cycles: looking for garbage among them finds none."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _GARBAGE) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _compare_entry(
    left: Code,
    right: Code,
    harnesses: Harnesses,
    budget: SearchBudget,
    policy: DifferencePolicy,
    inputs: Sequence[CallInput],
    domain: InputDomain | None,
    others: Collection[str],
    progress: Progress,
) -> BehaviourComparison:
    sides = [inspect(code, harnesses) for code in (left, right)]
    found = BehaviourComparison(sides[0].report(), sides[1].report(), policy=policy, seed=budget.seed)
    for side in sides:
        if side.shape.undecided is not None:
            return _undecided(found, side.shape.undecided, side.shape.detail)
    entries = [side.shape.entry for side in sides]
    is_function = all(side.shape.kind is EntryKind.FUNCTION for side in sides)
    if is_function and any(
        entries[at] == "main" != entries[1 - at] and _MAIN.search(code.text) for at, code in ((0, right), (1, left))
    ):
        return _undecided(found, Reason.PARAMETERS, "one is a function, the other a program")
    if not same_name(*entries):
        for at, code in enumerate((left, right)):
            counterpart = namesake(code, entries[1 - at])
            if counterpart is not None:
                both = [left, right]
                both[at] = replace(code, entry=counterpart)
                return _compare_entry(both[0], both[1], harnesses, budget, policy, inputs, domain, others, progress)
        if any(one in _CONSTRUCTORS for one in entries):
            return _undecided(found, Reason.PARAMETERS, "one makes an object, the other does not")
    if sides[0].shape.kind is not sides[1].shape.kind:
        return _undecided(found, Reason.PARAMETERS, "one is a function, the other a program")
    layouts = [side.shape.layout for side in sides]
    if layouts[0] != layouts[1] and can_follow(*layouts) and not (left.layout or right.layout):
        # The loops of the two say different things of the same parameters: one of them may be the defect.
        both = [left, right]
        follows = int(any(one.sizes for one in layouts[0]) or not any(one.sizes for one in layouts[1]))
        both[follows] = replace(both[follows], layout=layouts[1 - follows])
        return _compare_entry(both[0], both[1], harnesses, budget, policy, inputs, domain, others, progress)
    search = _Search(sides[0], sides[1], budget, policy, found, progress, domain=domain, others=others)
    compared = search.search(inputs)
    if budget.proof_seconds and left.language == right.language and compared.witness is None:
        return search.proved(compared, list(provers_of(left.language, harnesses.sandbox)))
    return compared


def _without_defaults(
    candidates: Sequence[Sequence[InputType]], types: Sequence[InputType]
) -> tuple[InputType, ...] | None:
    """Types of which all arguments that have a default are left out; None if none has one."""
    left_out = [next((kind for kind in each if kind.kind == "default"), None) for each in candidates]
    return tuple(one or kind for one, kind in zip(left_out, types, strict=True)) if any(left_out) else None


def _undecided(found: BehaviourComparison, reason: Reason, detail: str = "") -> BehaviourComparison:
    return replace(found, reason=reason, detail=detail)


@dataclass
class _Search:
    left: ComparedSide
    right: ComparedSide
    budget: SearchBudget
    policy: DifferencePolicy
    found: BehaviourComparison
    progress: Progress = no_progress
    programs: ProgramSearch | None = None
    domain: InputDomain | None = None
    others: Collection[str] = ()

    def __post_init__(self) -> None:
        self.runs = PairedRuns(self.left, self.right, self.budget, self.progress)
        self.stream = InputStream((entry_text(self.left.code), entry_text(self.right.code)), self.budget.seed)
        self.witnesses = WitnessSearch(self.runs, self.stream, self.policy)
        self.nulls: list[CallInput] = []

    def search(self, given: Sequence[CallInput]) -> BehaviourComparison:
        if self.left.shape.kind is EntryKind.PROGRAM:
            shows = Difference.INFERRED in self.policy.counted
            self.programs = ProgramSearch(
                self.runs, self.stream.texts, self.budget.seed, not self.takes_nothing(), shows_inferred=shows
            )
            self.programs.run(given, self.budget.runs)
            # A program that reads nothing needs no form of input.
            self.programs.is_guess = self.programs.is_guess and not self.takes_nothing()
            self.programs.judge_domain()
            self.stream.precondition = self.programs.precondition
            return self.result()
        slots = shared_slots(self.left.shape.parameters, self.right.shape.parameters)
        if isinstance(slots, str):
            why = Reason.PARAMETERS if slots[:1].isdigit() else Reason.SYMBOL
            return _undecided(self.found, why, slots)
        if self.domain is not None:
            slots = self.stated(slots, len(self.domain.parameters))
            if len(slots) != len(self.domain.parameters):
                said = f"{len(self.domain.parameters)} stated, {len(slots)} taken"
                return _undecided(self.found, Reason.DOMAIN, said)
        self.left.take(slots, is_left=True)
        self.right.take(slots, is_left=False)
        self.right.spell_like(self.left)
        name = called_otherwise(self.left.shape, *self.stream.texts)
        if name is not None:
            return _undecided(self.found, Reason.SYMBOL, f"{name}, called with other numbers of arguments")
        self.found = replace(self.found, left=self.left.report(), right=self.right.report())
        self.stream.domain = self.domain
        self.stream.names = {at: name for at, name in self.left.names if _APART.match(name)}
        self.express(slots)
        given = [one for call in given if (one := self.completed(call, slots)) is not None]
        given = [one for one in given if self.stream.is_expressible(one.arguments)]
        self.runs.run_batch([*given, *self.stream.fresh(self.examples(), len(self.stream.texts) * _EXAMPLES)])
        left, right = self.left.shape.parameters, self.right.shape.parameters
        candidates = [
            candidates_of(None if one.left is None else left[one.left], None if one.right is None else right[one.right])
            for one in slots
        ]
        if {self.left.code.language, self.right.code.language} == {"java", "python"}:
            candidates = [[_BYTES[1] if kind == _BYTES[0] else kind for kind in one] for one in candidates]
        roles = [left[one.left].role if one.left is not None else "" for one in slots]
        if self.others:
            candidates = without_methods(candidates, roles, self.others, self.left.shape.entry)
        reason = TypeChoice(self.runs, self.stream).choose(candidates, list(self.examples()))
        if reason is not None and not self.runs.log:
            return _undecided(self.found, reason, self.runs.detail())
        if reason is None:
            self.stream.types = calling_alike(self.stream.types, roles, self.left.shape.entry)
            self.stream.fewest = _without_defaults(candidates, self.stream.types)
            self.run_functions()
        return self.result()

    def express(self, slots: Sequence[Slot]) -> None:
        """Tell the stream what both sides can be given."""
        sides = (self.left, [one.left for one in slots]), (self.right, [one.right for one in slots])
        taken = [[None if at is None else side.shape.parameters[at] for at in places] for side, places in sides]
        lengths = [[one.length if one else NO_LENGTH for one in each] for each in taken]
        self.stream.lengths = [each for each in lengths if any(one != NO_LENGTH for one in each)]
        kinds = [[one.types[0] if one and one.types else None for one in each] for each in taken]
        # What both hold in single precision needs no care.
        self.stream.single = [each for each in (apart(*kinds), apart(*kinds[::-1])) if any(each)]
        self.stream.only_ascii = (self.left.code.language in _OF_BYTES) != (self.right.code.language in _OF_BYTES)

    def completed(self, call: CallInput, slots: Sequence[Slot]) -> CallInput | None:
        """An input with all arguments: those that make an object, or are calls of other methods, may be left out."""
        missing = slots[len(call.arguments) :]
        own = (None if one.left is None else self.left.shape.parameters[one.left] for one in missing)
        if len(call.arguments) > len(slots) or not all(one and one.role and one.optional for one in own):
            return None
        return replace(call, arguments=(*call.arguments, *([LEFT_OUT] * len(missing)))) if missing else call

    def stated(self, slots: Sequence[Slot], count: int) -> list[Slot]:
        """Arguments as a stated domain has them: without the last ones that both sides can do without."""
        kept = list(slots)
        sides = self.left.shape.parameters, self.right.shape.parameters
        while len(kept) > count:
            places = zip(sides, (kept[-1].left, kept[-1].right), strict=True)
            if not all(at is None or side[at].optional for side, at in places):
                break
            kept.pop()
        return kept

    def examples(self) -> Iterator[tuple[Value, ...]]:
        """The arguments of examples in docstrings, if both sides take them in the order in which they are written."""
        for side in (self.left, self.right):
            if side.code.language == "python" and side.order == tuple(range(len(side.order))) and not side.names:
                for one in example_inputs(side.code.text):
                    if len(one.arguments) == len(side.order):
                        yield one.arguments

    def run_functions(self) -> None:
        runs, stream = self.runs, self.stream
        stream.assume()
        count = self.budget.runs
        if not stream.types and any(CHANCE.search(text) for text in stream.texts):
            # Each call of a run draws other numbers.
            runs.run_batch([stream.call(())] * min(count, _DRAWS))
            return
        for types in stream.left_out():
            # Late calls with the argument say nothing about those without.
            runs.late = min(runs.late, 1)
            runs.run_batch(stream.fresh(map(stream.prepared, stream.generated(types)), _LEFT_OUT))
        share = count * 3 // 4 if self.budget.coverage else count
        if len(runs.log) < count // 2:
            runs.run_batch(stream.fresh(stream.mixed(count * 2), share - len(runs.log)))
        if runs.late and not stream.only_small:
            # Slow code gets smaller inputs.
            stream.only_small = True
            runs.retry()
            runs.run_batch(stream.best(share))
        if self.budget.coverage and not runs.is_over and not self.witnesses.shows_difference():
            taken = [call.arguments for call, one, other in runs.log if one.is_normal and other.is_normal]
            # Code that refuses most inputs takes what is like those that it takes.
            telling = taken if len(taken) * _FEW_TAKEN < len(runs.log) else []
            telling += [call.arguments for call, one, other in runs.log if one.reached or other.reached]
            telling += runs.rare_inputs()
            rest = itertools.chain(itertools.islice(stream.near(telling), count // 4), stream.mixed(count * 3))
            runs.run_batch(stream.fresh(rest, count - len(runs.log)))
        if self.domain is None and not runs.is_over and not self.witnesses.shows_difference():
            self.nulls = null_inputs(self.left, self.right, stream.types, runs.log)
            runs.run_batch(self.nulls)

    def result(self) -> BehaviourComparison:
        log = self.runs.log
        kinds: dict[Difference, list[CallInput]] = {}
        comparable = normal = 0
        outputs: Counter[bytes] = Counter()
        returned: Counter[str] = Counter()
        for call, one, other in log:
            differences = self.witnesses.compared(one, other)
            if differences is None:
                continue
            comparable += one.ended is None and other.ended is None
            if one.is_normal and other.is_normal:
                normal += 1
                kept, _ = with_common_state(one, other)
                outputs[value_key((kept.returned, kept.changed, kept.output))] += 1
                returned[_NOT_TRUTH if kept.output else _truth_of(kept.returned)] += 1
            if self.programs:
                differences = self.programs.kinds((call, one, other), differences)
            elif differences and call in self.nulls:
                differences = frozenset({Difference.NULL})
            for kind in differences:
                kinds.setdefault(kind, []).append(call)
        witnesses, unstable = self.witnesses.find(kinds, self.programs.given if self.programs else ())
        if unstable and Difference.VALUE in kinds and not witnesses:
            by_order = self.witnesses.ordered_by_chance(kinds[Difference.VALUE])
            if by_order is not None:
                kinds[Difference.ORDER] = kinds.pop(Difference.VALUE)
                witnesses, unstable = [by_order], False
        is_asked = bool(witnesses) and self.programs is None
        outside = machine_state(self.left.code, self.right.code, self.stream.texts) if is_asked else None
        if outside is not None:
            witnesses = []
        seen = [with_common_state(one, other)[0] for _, one, other in log if one.is_normal and other.is_normal]
        says = any(one.output.strip() or one.returned is not None for one in seen)
        strength = Strength(
            runs=comparable,
            normal=normal,
            outputs=len(outputs),
            truth_values=len(outputs) > 1 and _are_truth_values(returned),
            left_coverage=self.runs.coverage(0),
            right_coverage=self.runs.coverage(1),
            exhausted=says
            and normal == comparable
            and ((len(outputs) == 1 and self.takes_nothing()) or self.tried_all()),
            mutation_score=mutation_score((self.left, self.right), log, self.budget.mutants, self.budget.seed),
        )
        reason: Reason | None = None
        if outside is not None:
            reason = outside[0]
        elif not comparable:
            incomparable = any(one.is_normal and other.is_normal for _, one, other in log)
            reason = Reason.INCOMPARABLE if incomparable else self.runs.why_nothing_runs(log)
        elif unstable:
            reason = Reason.RANDOM if any(CHANCE.search(text) for text in self.stream.texts) else Reason.UNSTABLE
        elif not normal:
            reason = self.runs.why_nothing_runs(log)
        elif self.programs and self.programs.is_guess and Difference.DOMAIN in kinds:
            reason = Reason.FORM
        return replace(
            self.found,
            witnesses=tuple(witnesses),
            counts={kind: len(calls) for kind, calls in kinds.items()},
            strength=strength,
            reason=reason,
            detail=outside[1] if outside else self.runs.detail() if reason else "",
            types=tuple(map(str, self.stream.types)),
            precondition=self.stream.precondition,
            examples=tuple(_telling(log, _EXAMPLES)),
            inputs_digest=inputs_digest([call for call, *_ in log]),
        )

    def takes_nothing(self) -> bool:
        """Whether nothing from outside, neither an argument nor chance, can change what the code does."""
        texts = self.stream.texts
        return not self.stream.types and not any(_OUTSIDE.search(text) or CHANCE.search(text) for text in texts)

    def tried_all(self) -> bool:
        """Whether every input ran: all arguments are members of enumerations, declared choices or truth values."""
        values = [all_values(kind) for kind in self.stream.types]
        number = prod(map(len, values))
        # That an argument is a truth value may be a guess.
        if not number or number > self.budget.runs or not any(kind.members for kind in self.stream.types):
            return False
        ran = {value_key(call.arguments) for call, one, other in self.runs.log if one.is_normal and other.is_normal}
        return all(value_key(arguments) in ran for arguments in itertools.product(*values))

    def proved(self, compared: BehaviourComparison, provers: Sequence[Prover]) -> BehaviourComparison:
        """Ask provers. Their witnesses count when they come again here; a proof counts if no run contradicts it."""
        if self.left.order != self.right.order or self.left.names or self.right.names or not self.stream.types:
            return compared
        codes = [replace(side.code, entry=side.code.entry or side.shape.entry) for side in (self.left, self.right)]
        for prover in provers:
            proof = prover.prove(codes[0], codes[1], self.stream.types, self.budget.proof_seconds)
            self.runs.extend()
            for call, one, other in self.runs.run_both(proof.witness_inputs):
                for kind in sorted(self.policy.counted & self.witnesses.differences_of(one, other)):
                    witness = self.witnesses.witness(kind, [call], is_first=True)
                    if witness is not None:
                        witness = replace(witness, by=prover.name)
                        counts = {**compared.counts, kind: compared.counts.get(kind, 0) + 1}
                        return replace(compared, witnesses=(witness, *compared.witnesses), counts=counts, reason=None)
            # Where one side does not end, a proof about the first iterations says nothing.
            is_endless = Difference.ENDLESS in compared.counts
            if proof.proved is not None and compared.strength.normal and compared.reason is None and not is_endless:
                said = f"{proof.proved} ({prover.name})"
                return replace(compared, strength=replace(compared.strength, proof=said))
        return compared


def _truth_of(returned: Value) -> str:
    """Which truth value a result is, or may be: languages without them return 0 and 1."""
    if isinstance(returned, bool | None):
        return _TRUTH
    return str(returned["int"]) if isinstance(returned, dict) and returned in _AS_NUMBERS else _NOT_TRUTH


def _are_truth_values(returned: Mapping[str, int]) -> bool:
    """Whether results are true or false. Those that are 0 and 1 are if both are frequent: a number that is mostly 0 may
    be a count that inputs hardly reach.

    Example:
        >>> _are_truth_values({_TRUTH: 10}), _are_truth_values({"0": 90, "1": 60}), _are_truth_values({"0": 90, "1": 3})
        (True, True, False)
    """
    if set(returned) == {_TRUTH}:
        return True
    least = min(returned.get("0", 0), returned.get("1", 0))
    return set(returned) == {"0", "1"} and least >= _FREQUENT * sum(returned.values())


def inputs_digest(calls: Sequence[CallInput]) -> str:
    """Identifies inputs in their order; empty for none."""
    if not calls:
        return ""
    text = WITHOUT_CYCLES.encode([(one.arguments, one.stdin, *([one.agreed] if one.agreed else [])) for one in calls])
    return hashlib.sha256(text.encode()).hexdigest()


def _telling(log: Sequence[Observed], count: int) -> list[Observed]:
    """The first that ran, in the same order, but inputs whose results were seen before come last."""
    seen: set[bytes] = set()
    new: list[Observed] = []
    again: list[Observed] = []
    for one in log:
        result = value_key([(side.returned, side.output, side.raised) for side in one[1:]])
        (again if result in seen else new).append(one)
        seen.add(result)
        if len(new) == count:
            return new
    return [*new, *again][:count]
