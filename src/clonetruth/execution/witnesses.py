"""Inputs that show a difference, made small, and replayed in fresh processes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clonetruth.execution.comparison import OF_INPUT, Difference, DifferencePolicy, compare_calls, same_elements
from clonetruth.execution.harness.harness import CallInput, EntryKind, Observation
from clonetruth.execution.input_stream import InputStream
from clonetruth.execution.inputs.shrinking import shrink, size
from clonetruth.execution.inputs.stdin import shrink_stdin
from clonetruth.execution.paired_runs import PairedRuns
from clonetruth.execution.results import Witness
from clonetruth.execution.values import with_telling_calls

_MOST_CALLS = 3
"""Inputs of a kind of difference that are replayed before it counts as unstable."""
_SEEDS, _SEEDS_OF_CHANCE = (1, 2), tuple(range(1, 11))
"""With which a difference must come again: what is drawn from few values is often the same twice."""
CHANCE = re.compile(
    r"\brandom\b|\brandint\b|\brandrange\b|\bshuffle\s*\(|\buuid\d?\b|\bsecrets\b|Math\.random|new Random|"
    r"\bs?rand\s*\(|\brand\s*\.\s*\w+\s*\(|\brandom_device\b|\bmt19937|\bdefault_random_engine\b|\bRandomNumberGenerator\b"
)
"""Draws numbers at random."""


@dataclass(frozen=True)
class WitnessSearch:
    """Turns inputs that showed a difference into witnesses.

    Attributes:
        runs: runs both sides.
        stream: knows what is assumed about inputs.
        policy: what counts as a difference.
    """

    runs: PairedRuns
    stream: InputStream
    policy: DifferencePolicy
    _compared: dict[tuple[int, int], tuple[frozenset[Difference] | None, Observation, Observation]] = field(
        default_factory=dict, repr=False
    )

    @property
    def _is_program(self) -> bool:
        return self.runs.left.shape.kind is EntryKind.PROGRAM

    def differences_of(self, one: Observation, other: Observation) -> frozenset[Difference]:
        """How two observations differ; empty also if that cannot be said."""
        return self.compared(one, other) or frozenset()

    def compared(self, one: Observation, other: Observation) -> frozenset[Difference] | None:
        """How two observations differ; None if that cannot be said. Those that were compared before are not again."""
        key = id(one), id(other)
        if key not in self._compared:
            # Both are kept, so that no other ones get their numbers.
            self._compared[key] = compare_calls(one, other, self.policy.tolerance), one, other
        return self._compared[key][0]

    def shows_difference(self) -> bool:
        """Whether an input that ran shows a difference that counts."""
        return any(self.policy.counted & self.differences_of(one, other) for _, one, other in self.runs.log)

    def find(
        self, kinds: Mapping[Difference, list[CallInput]], given: Collection[str] = ()
    ) -> tuple[list[Witness], bool]:
        """The smallest input for each kind of difference that the inputs before it do not show, and whether one that
        counts did not come again.

        Args:
            kinds: the inputs that showed each kind of difference.
            given: standard inputs that stay as they are: a part of one may be no input of the problem.
        """
        found: list[Witness] = []
        unstable = False
        for kind in sorted(kinds, key=lambda one: (one not in self.policy.counted, list(Difference).index(one))):
            if any(kind in one.differences for one in found):
                # An input that was replayed shows this one, too.
                continue
            witness = self.witness(kind, kinds[kind], is_first=not found, given=given)
            if witness is not None:
                found.append(witness)
            elif kind in self.policy.counted:
                unstable = True
        return found, unstable

    def ordered_by_chance(self, calls: Sequence[CallInput]) -> Witness | None:
        """A witness that both give the same elements in an order that a set decides."""
        wanted = {repr(call) for call in calls}
        for call, one, other in self.runs.log:
            if repr(call) in wanted and not same_elements(one.returned, other.returned):
                return None
        again = self.runs.run_both(sorted(calls, key=lambda one: size(one.arguments))[:1], 1)
        return Witness(again[0][0], again[0][1], again[0][2], (Difference.ORDER,)) if again else None

    def witness(
        self, kind: Difference, calls: Sequence[CallInput], is_first: bool, given: Collection[str] = ()
    ) -> Witness | None:
        """The smallest input that shows a kind of difference, if it comes again in fresh processes."""
        calls = sorted(calls, key=lambda one: (size(one.arguments), len(one.stdin), one.stdin))

        def differs(candidates: Sequence[CallInput]) -> list[bool]:
            if self.runs.is_over:
                return [False] * len(candidates)
            permitted = [at for at, one in enumerate(candidates) if self.stream.permits(one.arguments)]
            ran = self.runs.run_both([candidates[at] for at in permitted])
            shown = {
                at
                for at, (_, one, other) in zip(permitted, ran, strict=False)
                if kind in self.differences_of(one, other)
            }
            return [at in shown for at in range(len(candidates))]

        is_fixed = self._is_program and (self.stream.precondition or calls[0].stdin in given)
        if is_first and kind is not Difference.NULL and not is_fixed:
            # An input of a known form is small already, and a part of it may have another form; null is small, too.
            smallest = self._shrunk(calls[0], differs)
            if smallest != calls[0]:
                calls = [smallest, *calls]
        return next(filter(None, (self._replayed(call, kind) for call in calls[:_MOST_CALLS])), None)

    def _shrunk(self, call: CallInput, differs: Callable[[Sequence[CallInput]], list[bool]]) -> CallInput:
        if self._is_program:
            text = shrink_stdin(call.stdin, lambda texts: differs([CallInput(stdin=one) for one in texts]))
            return CallInput(stdin=text)
        prepared = self.stream.prepared
        arguments = shrink(
            call.arguments,
            lambda ones: differs([CallInput(prepared(one), call.stdin) for one in ones]),
            first=min(self.runs.left.candidates_at_once, self.runs.right.candidates_at_once),
        )
        return CallInput(prepared(arguments), call.stdin)

    def _replayed(self, call: CallInput, kind: Difference) -> Witness | None:
        """What the call does alone, in processes with other seeds; None if the difference does not come each time."""
        shown: list[tuple[Observation, Observation]] = []
        # Each replay of a call that does not end takes the full time: one is enough for what does not count.
        is_costly = kind is Difference.ENDLESS and kind not in self.policy.counted
        draws = any(CHANCE.search(text) for text in self.stream.texts)
        for seed in (1,) if is_costly else _SEEDS_OF_CHANCE if draws else _SEEDS:
            again = self.runs.run_both([call], seed)
            seen = self.differences_of(*again[0][1:]) if again else frozenset()
            if kind not in seen and not (kind in OF_INPUT and seen):
                return None
            shown.append((again[0][1], again[0][2]))
            # Each side does the same each time.
            if any(compare_calls(*pair, self.policy.tolerance) for pair in zip(shown[0], shown[-1], strict=True)):
                return None
        one, other = shown[0]
        differences = (kind,) if kind in OF_INPUT else tuple(sorted(self.differences_of(one, other)))
        values = with_telling_calls(one.returned, other.returned)
        kept = [replace(seen, returned=value, reached=()) for seen, value in zip((one, other), values, strict=True)]
        return Witness(call, kept[0], kept[1], differences)
