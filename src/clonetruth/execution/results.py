"""What a comparison by execution found: the verdict, the witness, and how hard it looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from clonetruth.execution.comparison import DEFAULT_POLICY, Difference, DifferencePolicy
from clonetruth.execution.harness.harness import CallInput, Observation, Reason
from clonetruth.execution.values import Value


class BehaviourVerdict(StrEnum):
    """What is known about two pieces of code after running them."""

    DIFFERENT = "different"
    NO_DIFFERENCE_FOUND = "no-difference-found"
    PROVED_EQUAL = "proved-equal"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Witness:
    """An input on which two pieces of code differ.

    Attributes:
        call: the input.
        left: what the left one did.
        right: what the right one did.
        differences: in which ways that differs.
        by: what found it.
    """

    call: CallInput
    left: Observation
    right: Observation
    differences: tuple[Difference, ...]
    by: str = "generated inputs"


@dataclass(frozen=True)
class Strength:
    """How hard somebody looked for a difference.

    Attributes:
        runs: inputs that ran on both sides and could be compared.
        normal: those on which both came to an end without an exception.
        outputs: different results among them, counted by the host.
        truth_values: whether all results are true or false, or 0 and 1, both frequent.
        left_coverage: share of the points of the left code that were reached; None if that was not measured. The code
            itself can forge it.
        right_coverage: the same for the right code.
        mutation_score: share of seeded changes that the same inputs notice; None if that was not asked for.
        exhausted: whether every input ran: the code takes and reads nothing, or only members of enumerations and
            choices.
        proof: what was proved, such as "all paths" or "loops up to 8 iterations"; None if nothing was.
    """

    runs: int = 0
    normal: int = 0
    outputs: int = 0
    truth_values: bool = False
    left_coverage: float | None = None
    right_coverage: float | None = None
    mutation_score: float | None = None
    exhausted: bool = False
    proof: str | None = None

    def is_enough(self, policy: DifferencePolicy) -> bool:
        """Whether the search was hard enough to say that no difference was found."""
        shares = [one for one in (self.left_coverage, self.right_coverage) if one is not None]
        has_run = self.exhausted or (self.normal >= policy.runs and self.outputs >= self.needed_outputs(policy))
        return has_run and all(one >= policy.coverage for one in shares)

    def needed_outputs(self, policy: DifferencePolicy) -> int:
        """How many different results a policy asks for."""
        return min(policy.outputs, 2) if self.truth_values else policy.outputs


@dataclass(frozen=True)
class ExecutedSide:
    """How one piece of code was run.

    Attributes:
        language: its language.
        entry: what was called.
        repairs: what was changed to make it run.
        undecided: why it did not run; None if it did.
        detail: more about that.
        order: which argument of an input each of its parameters gets; empty if they are in order.
        names: of arguments that are not parameters but read by the code, such as `self`, by place.
        owner: the class of a method whose object was made for the call; empty if there is none.
        is_property: whether what was called is read like a field.
        roles: of arguments that are not the function's own, by place: `constructor`, `before`, `after`.
        passed: of arguments that are not written by their place alone: the place, the name, and how, as parameters say.
    """

    language: str
    entry: str = ""
    repairs: tuple[str, ...] = ()
    undecided: Reason | None = None
    detail: str = ""
    order: tuple[int, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    owner: str = ""
    is_property: bool = False
    roles: tuple[tuple[int, str], ...] = ()
    passed: tuple[tuple[int, str, str], ...] = ()

    def ways(self, role: str = "") -> tuple[tuple[str, str], ...]:
        """The name of each argument that the function is given, or that has a role, and how it is passed, in order."""
        known = {at: (name, how) for at, name, how in self.passed}
        apart = {at for at, _ in (*self.names, *self.roles)}
        places = [at for at, one in self.roles if one == role] if role else [at for at in self.order if at not in apart]
        return tuple(known.get(at, ("", "")) for at in places)

    def given_to(self, role: str, call: CallInput) -> tuple[Value, ...]:
        """The arguments of an input that are not given to the function, but have a role."""
        return tuple(call.arguments[at] for at, one in self.roles if one == role)

    def arguments(self, call: CallInput) -> tuple[Value, ...]:
        """The arguments of an input in the order of its parameters."""
        named = {at for at, _ in (*self.names, *self.roles)}
        places = self.order or range(len(call.arguments))
        return tuple(call.arguments[at] for at in places if at not in named)

    def surroundings(self, call: CallInput) -> dict[str, Value]:
        """What the code reads without being given it as an argument, by name."""
        return {name: call.arguments[at] for at, name in self.names}


@dataclass(frozen=True)
class BehaviourComparison:
    """What running two pieces of code showed.

    Attributes:
        witnesses: the smallest input found for each way in which they differ.
        counts: how many inputs showed each difference.
        strength: how hard the search was.
        left: how the left one was run.
        right: how the right one was run.
        reason: why nothing can be said; None if something can.
        detail: more about that.
        types: the types of the inputs.
        precondition: what was assumed about the inputs, such as "argument 1 is sorted"; None if nothing was.
        policy: what counts as a difference.
        seed: of the inputs.
        examples: some inputs with what both did, for people to look at.
        inputs_digest: of all inputs that ran, in their order; empty if none did.
    """

    left: ExecutedSide
    right: ExecutedSide
    witnesses: tuple[Witness, ...] = ()
    counts: Mapping[Difference, int] = field(default_factory=dict)
    strength: Strength = field(default_factory=Strength)
    reason: Reason | None = None
    detail: str = ""
    types: tuple[str, ...] = ()
    precondition: str | None = None
    policy: DifferencePolicy = DEFAULT_POLICY
    seed: int = 0
    examples: tuple[tuple[CallInput, Observation, Observation], ...] = ()
    inputs_digest: str = ""

    @property
    def witness(self) -> Witness | None:
        """The witness of the first difference that counts."""
        counted = [one for one in self.witnesses if self.policy.counted.intersection(one.differences)]
        return counted[0] if counted else None

    @property
    def verdict(self) -> BehaviourVerdict:
        """What is known, under the policy."""
        if self.witness is not None:
            return BehaviourVerdict.DIFFERENT
        if self.strength.proof is not None:
            return BehaviourVerdict.PROVED_EQUAL
        return BehaviourVerdict.NO_DIFFERENCE_FOUND if self.why_undecided is None else BehaviourVerdict.UNDECIDED

    @property
    def why_undecided(self) -> Reason | None:
        """The reason if nothing can be said under the policy; None if something can."""
        if self.witness is not None or self.strength.proof is not None:
            return None
        if self.reason is not None and self.reason is not Reason.UNSTABLE:
            return self.reason
        shown = {kind for one in self.witnesses for kind in one.differences}
        if self.policy.counted & self.counts.keys() - shown:
            return Reason.UNSTABLE
        if Difference.INFERRED in self.counts:
            return Reason.CONFIRMATION
        return None if self.strength.is_enough(self.policy) else Reason.WEAK

    def under(self, policy: DifferencePolicy) -> BehaviourComparison:
        """The same runs under another policy."""
        return replace(self, policy=policy)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        said = asdict(self)
        said["policy"] = {**asdict(self.policy), "counted": sorted(self.policy.counted)}
        witness = self.witness
        return {"verdict": self.verdict, "why": self.why_undecided, "witness": witness and asdict(witness), **said}


def comparison_from_dict(said: Mapping[str, Any]) -> BehaviourComparison:
    """A comparison as `BehaviourComparison.to_dict` wrote it.

    Raises:
        ValueError: it is not one.
    """
    try:
        return BehaviourComparison(
            left=_side(said["left"]),
            right=_side(said["right"]),
            witnesses=tuple(_witness(one) for one in said["witnesses"]),
            counts={Difference(name): int(count) for name, count in said["counts"].items()},
            strength=Strength(**said["strength"]),
            reason=said["reason"] and Reason(said["reason"]),
            detail=str(said["detail"]),
            types=tuple(said["types"]),
            precondition=said["precondition"],
            policy=DifferencePolicy(
                **{**said["policy"], "counted": frozenset(map(Difference, said["policy"]["counted"]))}
            ),
            seed=int(said["seed"]),
            examples=tuple((_call(a), _observation(b), _observation(c)) for a, b, c in said["examples"]),
            inputs_digest=str(said.get("inputs_digest", "")),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a comparison: {error}") from error


def _side(said: Mapping[str, Any]) -> ExecutedSide:
    undecided = said["undecided"]
    return ExecutedSide(
        said["language"],
        said["entry"],
        tuple(said["repairs"]),
        undecided and Reason(undecided),
        said["detail"],
        tuple(said.get("order", ())),
        tuple((int(at), str(name)) for at, name in said.get("names", ())),
        str(said.get("owner", "")),
        said.get("is_property", False) is True,
        tuple((int(at), str(role)) for at, role in said.get("roles", ())),
        tuple((int(at), str(name), str(how)) for at, name, how in said.get("passed", ())),
    )


def _witness(said: Mapping[str, Any]) -> Witness:
    kinds = tuple(map(Difference, said["differences"]))
    return Witness(_call(said["call"]), _observation(said["left"]), _observation(said["right"]), kinds, said["by"])


def _call(said: Mapping[str, Any]) -> CallInput:
    return CallInput(tuple(said["arguments"]), said["stdin"], int(said.get("agreed", 0)))


def _observation(said: Mapping[str, Any]) -> Observation:
    changed = said["changed"]
    return Observation(**{**said, "changed": None if changed is None else tuple(changed), "reached": ()})
