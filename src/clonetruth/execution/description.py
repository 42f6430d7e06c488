"""What running two pieces of code showed, in words: for the terminal, pages and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clonetruth.execution.comparison import DESCRIPTIONS, compare_calls
from clonetruth.execution.harness import CallInput, Observation
from clonetruth.execution.harness.harness import Reason
from clonetruth.execution.notation import write_call, write_value
from clonetruth.execution.results import BehaviourComparison, BehaviourVerdict, ExecutedSide
from clonetruth.execution.values import Value
from clonetruth.html.numbers import percent, plural

_NO_VERB = (Reason.SYMBOL, Reason.LANGUAGE, Reason.TOOLCHAIN, Reason.TIMED_OUT, Reason.NO_RUN, Reason.SANDBOX)
"""Reasons that cannot follow "the left code"."""


@dataclass(frozen=True)
class ObservedRow:
    """An input with what both did.

    Attributes:
        call: the input, as the left code is called.
        right_call: the input, as the right code is called.
        left: what the left code did.
        right: what the right code did.
        comment: whether that is the same, or how it differs.
        counts: whether the difference counts.
    """

    call: str
    right_call: str
    left: str
    right: str
    comment: str
    counts: bool


def describe_verdict(found: BehaviourComparison) -> str:
    """The verdict in one sentence."""
    strength = found.strength
    match found.verdict:
        case BehaviourVerdict.DIFFERENT:
            assert found.witness is not None
            kinds = [one for one in found.witness.differences if one in found.policy.counted]
            return f"Different: {' and '.join(DESCRIPTIONS[one] for one in kinds)}."
        case BehaviourVerdict.PROVED_EQUAL:
            return f"Proved equal: {strength.proof}."
        case BehaviourVerdict.NO_DIFFERENCE_FOUND:
            inputs, results = plural(strength.runs, "input"), plural(strength.outputs, "different result")
            return f"No difference found with {inputs}, which gave {results}."
    if found.why_undecided is Reason.WEAK:
        return f"Undecided: no difference found, but the search was too weak ({'; '.join(_lacking(found))})."
    detail = f" ({found.detail})" if found.detail else ""
    why = found.why_undecided
    side = next((f"the {name} code" for name, one in _sides(found) if one.undecided is not None), "")
    side += (": " if why in _NO_VERB else " ") if side else ""
    return f"Undecided: {side}{why}{detail}."


def _lacking(found: BehaviourComparison) -> Iterator[str]:
    """What the search would need under the policy."""
    strength, policy = found.strength, found.policy
    if not strength.exhausted:
        if strength.normal < policy.runs:
            yield f"{plural(strength.normal, 'input')} without an exception, {policy.runs} needed"
        needed = strength.needed_outputs(policy)
        if strength.outputs < needed:
            yield f"{plural(strength.outputs, 'different result')}, {needed} needed"
    for name, reached in (("left", strength.left_coverage), ("right", strength.right_coverage)):
        if reached is not None and reached < policy.coverage:
            yield f"{percent(reached)} of the {name} code reached, {percent(policy.coverage)} needed"


def _sides(found: BehaviourComparison) -> tuple[tuple[str, ExecutedSide], tuple[str, ExecutedSide]]:
    return ("left", found.left), ("right", found.right)


def describe_call(side: ExecutedSide, call: CallInput) -> str:
    """An input as a call in the notation of a side's language; of a program, what it reads."""
    if call.stdin and not call.arguments:
        return f"{side.entry or 'the program'} reading {call.stdin!r}"
    around = side.surroundings(call)
    where = ", ".join(f"{name} = {write_value(value, side.language)}" for name, value in around.items())
    reading = f" reading {call.stdin!r}" if call.stdin else ""
    return _written(side, call) + (f" where {where}" if where else "") + reading


def _written(side: ExecutedSide, call: CallInput) -> str:
    """The call itself; of a method, with how its object is made and what is done with it: `Stack(2).pop()`."""
    name = side.entry.replace("::", ".").rpartition(".")[2] if side.owner else side.entry
    own = write_call(name, side.arguments(call), side.language, side.ways())
    own = side.entry if side.is_property else own
    before = [one for given in side.given_to("before", call) for one in _calls(given)]
    after = [one for given in side.given_to("after", call) for one in _calls(given)]
    if not side.owner:
        return "; ".join([*(write_call(side.entry, given or (), side.language) for _, given in before), own])
    made = write_call(side.owner, side.given_to("constructor", call), side.language, side.ways("constructor"))
    made = made if side.language in ("python", "go", "cpp") else f"new {made}"
    if not before and not after:
        return f"{made}.{own}" if side.language == "python" or not made.startswith("new") else f"({made}).{own}"
    name = side.owner.rpartition(".")[2].lower()
    written = [
        [method if given is None else write_call(method, given, side.language) for method, given in ones]
        for ones in (before, after)
    ]
    return "; ".join([f"{name} = {made}", *(f"{name}.{one}" for one in (*written[0], own, *written[1]))])


def _calls(given: Value) -> list[tuple[str, list[Value] | None]]:
    """Calls of methods, each as an object with arguments, and fields that are read."""
    if isinstance(given, str):
        return [(given, None)]
    if not isinstance(given, dict) or "opaque" in given:
        return []
    calls = given.get("list", [given])
    return [(one["object"][0], [value for _, value in one["object"][1]]) for one in calls]


def describe_observation(side: ExecutedSide, seen: Observation) -> str:
    """What a call did, in the notation of a side's language."""
    said = []
    if seen.ended is not None:
        said.append(f"did not end: {seen.ended}")
    elif seen.raised is not None:
        said.append(f"raises {seen.raised}" if not seen.raised.startswith("exit") else f"ends with {seen.raised}")
    elif seen.returned is not None or not seen.output:
        said.append(f"returns {write_value(seen.returned, side.language)}")
    if seen.output:
        said.append(f"prints {seen.output!r}")
    if seen.changed is not None:
        made = side.given_to("constructor", CallInput(seen.changed))
        changed = (*made, *side.arguments(CallInput(seen.changed)))
        if changed or not side.names:
            said.append(f"leaves the arguments {', '.join(write_value(one, side.language) for one in changed)}")
        for name, one in side.surroundings(CallInput(seen.changed)).items():
            said.append(f"leaves {name} = {write_value(one, side.language)}")
    return "; ".join(said)


def observed_rows(found: BehaviourComparison) -> Iterator[ObservedRow]:
    """The inputs to look at: those on which both differ, then some others."""
    shown: set[CallInput | str] = set()
    witnesses = ((one.call, one.left, one.right) for one in found.witnesses)
    for call, left, right in (*witnesses, *found.examples):
        if repr(call) in shown:
            continue
        shown.add(repr(call))
        differences = compare_calls(left, right, found.policy.tolerance)
        if differences is None:
            comment = "cannot be compared"
        else:
            comment = "; ".join(DESCRIPTIONS[one] for one in sorted(differences)) or "the same"
        yield ObservedRow(
            describe_call(found.left, call),
            describe_call(found.right, call),
            describe_observation(found.left, left),
            describe_observation(found.right, right),
            comment,
            bool(differences and differences & found.policy.counted),
        )


def effort_facts(found: BehaviourComparison) -> dict[str, str]:
    """How hard the search was, what was repaired and what was assumed, as names and values."""
    strength = found.strength
    facts: dict[str, str] = {}
    if strength.runs:
        facts["inputs that ran on both sides"] = f"{strength.runs:,}, {strength.normal:,} of them without an exception"
        facts["different results"] = f"{strength.outputs:,}"
    reached = [one for one in (strength.left_coverage, strength.right_coverage) if one is not None]
    if reached:
        facts["code reached"] = " / ".join(map(percent, reached))
    if strength.mutation_score is not None:
        facts["seeded changes noticed"] = percent(strength.mutation_score)
    if found.types:
        facts["types of the inputs"] = ", ".join(found.types)
    if found.precondition is not None:
        facts["assumed"] = found.precondition
    for name, side in _sides(found):
        if side.repairs:
            facts[f"repaired on the {name}"] = ", ".join(side.repairs)
    ignored = [one for one in found.counts if one not in found.policy.counted]
    if ignored:
        facts["differences that do not count"] = ", ".join(f"{one} ({found.counts[one]:,}×)" for one in ignored)
    return facts
