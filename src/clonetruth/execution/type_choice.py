"""Which types both sides take: the likeliest at once, else combinations with a few inputs each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clonetruth.execution.harness.harness import CallInput, Reason
from clonetruth.execution.input_stream import InputStream
from clonetruth.execution.inputs.profiles import GUESSES, profiles
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.paired_runs import Observed, PairedRuns
from clonetruth.execution.type_fit import fit, is_numeric_variant, is_similar, is_surrounding, runs_on_one
from clonetruth.execution.values import Value, value_key

_PROBES = 4
_PROFILES_AT_ONCE = 8
_GROUPS_AT_ONCE = 3
_GOOD = 1.4
_SIMILAR = 12
_SHAPES = {
    **dict.fromkeys(("list", "tuple", "set", "iterator"), "many"),
    **dict.fromkeys(("str", "char", "bytes"), "text"),
    **dict.fromkeys(("int", "float", "decimal"), "number"),
    "map": "map",
}
"""Kinds of values of which code takes several in the same way, though not those of another shape."""


@dataclass
class TypeChoice:
    """Chooses the types of a stream of inputs.

    Attributes:
        runs: runs both sides.
        stream: gets the types.
    """

    runs: PairedRuns
    stream: InputStream
    _one_sided: tuple[InputType, ...] | None = field(default=None, init=False)
    _rare: tuple[InputType, ...] | None = field(default=None, init=False)
    _known: dict[bytes, Observed] = field(default_factory=dict, init=False)

    def choose(self, candidates: Sequence[list[InputType]], examples: Sequence[Sequence[Value]] = ()) -> Reason | None:
        """Find types that both sides take. The reason if there are none.

        Args:
            candidates: the types of each argument, the likeliest first; empty if nothing is known.
            examples: arguments that documentation shows.
        """
        runs, stream = self.runs, self.stream
        if not candidates:
            stream.types = ()
            return None
        told = with_types_of_examples(candidates, examples)
        known = with_types_of_examples([one or [*GUESSES] for one in told], examples)
        if all(told) and self._takes_likeliest(tuple(one[0] for one in told)):
            similar = profiles(known)[1:_SIMILAR]
            stream.others = [one for one in similar if all(map(is_numeric_variant, one, stream.types))]
            return None
        wider = [list(dict.fromkeys([*one, *GUESSES])) if not is_surrounding(one) else one for one in known]
        wider = with_types_of_examples(wider, examples)
        observed: list[Observed] = []
        for attempt in (known, wider):
            waiting = [one for one in profiles(attempt) if one not in stream.others]
            at_once = 1
            while waiting and not runs.is_over:
                groups = [
                    waiting[at : at + _PROFILES_AT_ONCE]
                    for at in range(0, min(len(waiting), at_once * _PROFILES_AT_ONCE), _PROFILES_AT_ONCE)
                ]
                for tried, seen in self._probe(groups):
                    waiting, observed = waiting[tried:], seen
                    if runs.failed is not None or stream.types:
                        break
                if runs.failed is not None or stream.types:
                    break
                # What the likeliest types do not fit needs many: one run for several groups costs less.
                at_once = _GROUPS_AT_ONCE
            if stream.types or runs.failed is not None or known == wider:
                break
        if not stream.types and runs.failed is None and self._one_sided is not None:
            stream.types = self._one_sided
        if not stream.types and runs.failed is None and self._rare is not None:
            # Code that refuses most texts takes some.
            stream.types = self._rare
        stream.others = [
            one for one in stream.others if one != stream.types and all(map(is_similar, one, stream.types))
        ]
        return None if stream.types else runs.why_nothing_runs(observed)

    def _takes_likeliest(self, types: tuple[InputType, ...]) -> bool:
        """Run the likeliest types at once; whether both sides take them."""
        runs, stream = self.runs, self.stream
        given, half = len(runs.log), runs.budget.runs // 2
        stream.types = types
        stream.assume()
        runs.run_batch(stream.best(half))
        mine = [(one, other) for _, one, other in runs.log[given:]]
        if runs.failed is None and (fit(mine) or 0) >= _GOOD:
            return True
        if runs.failed is None and runs.late:
            # Slow code gets smaller inputs.
            stream.only_small = True
            runs.retry()
            runs.run_batch(stream.best(half))
            mine = [(one, other) for _, one, other in runs.log[given:]]
            both = any(one.is_normal and other.is_normal for one, other in mine)
            if runs.failed is None and (both or runs_on_one(mine)):
                return True
        if runs.failed is None and runs_on_one(mine):
            self._one_sided = types
        if runs.failed is None and fit(mine) is not None:
            self._rare = types
        stream.forget()
        self._remember(runs.log[given:])
        del runs.log[given:]
        runs.late = 0
        return False

    def _probe(self, groups: Sequence[Sequence[tuple[InputType, ...]]]) -> Iterator[tuple[int, list[Observed]]]:
        """Try groups of combinations of types with a few inputs each, and keep the best of the first group in which one
        fits. Yields how many combinations were tried, and what was seen, for each group that ran."""
        calls: list[list[CallInput]] = []
        owners: list[list[int]] = []
        for group in groups:
            calls.append([])
            owners.append([])
            for number, types in enumerate(group):
                for arguments in itertools.islice(self.stream.generated(types), 1, 1 + _PROBES * (1 if number else 2)):
                    calls[-1].append(self.stream.call(self.stream.evened(arguments, types)))
                    owners[-1].append(number)
        observed = self._observed([call for group in calls for call in group])
        for group, mine, owner in zip(groups, calls, owners, strict=True):
            seen, observed = observed[: len(mine)], observed[len(mine) :]
            self._keep_best(group, owner, seen)
            yield len(group), seen
            if len(seen) < len(mine):
                # A side gave up: groups behind this one did not run.
                return

    def _observed(self, calls: Sequence[CallInput]) -> list[Observed]:
        """What calls do, up to the first that a side did not come to. Combinations of types often share inputs, each of
        which runs once."""
        keys = list(map(_key, calls))
        new = {key: call for key, call in zip(keys, calls, strict=True) if key not in self._known}
        self._known.update(zip(new, self.runs.run_both(list(new.values())), strict=False))
        found = itertools.takewhile(lambda one: one is not None, map(self._known.get, keys))
        return [one for one in found if one is not None]

    def _remember(self, observed: Sequence[Observed]) -> None:
        self._known.update((_key(one[0]), one) for one in observed)

    def _keep_best(
        self, now: Sequence[tuple[InputType, ...]], owner: Sequence[int], observed: Sequence[Observed]
    ) -> None:
        best: float | None = None
        one_sided: tuple[InputType, ...] | None = None
        for number, types in enumerate(now):
            mine = [(one, other) for (_, one, other), of in zip(observed, owner, strict=False) if of == number]
            score = fit(mine)
            if score is not None and score >= _GOOD:
                self.stream.others.append(types)
            if score is not None and (best is None or score > best + 0.26):
                best, self.stream.types = score, types
            if score is None and one_sided is None and runs_on_one(mine):
                one_sided = types
        self._one_sided = self._one_sided or one_sided


def with_types_of_examples(
    candidates: Sequence[list[InputType]], examples: Sequence[Sequence[Value]]
) -> list[list[InputType]]:
    """Candidates without those that examples contradict: an argument that is a list in all of them is not a text, and
    a list of lists is nothing else. (Code that loops over a list runs with a text, too, but was not made for it.)

    Args:
        candidates: the types of each argument.
        examples: arguments of calls, one for each of the candidates.
    """
    found: list[list[InputType]] = []
    for at, every in enumerate(candidates):
        shapes = {_shape(example[at]) for example in examples if at < len(example)}
        known = [one for one in every if not shapes or None in shapes or _SHAPES.get(one.kind, "") in (*shapes, "")]
        nested = {one for example in examples if at < len(example) and (one := _nested(example[at])) is not None}
        is_nested = len(nested) == 1 and all(at < len(one) and _is_list(one[at]) for one in examples)
        fitting = [one for one in known if one.kind == "list" and one.inner and one.inner[0].kind in ("list", "tuple")]
        found.append(fitting or [*nested] if is_nested else known)
    return found


def _shape(value: Value) -> str | None:
    """What kind of value an example has, roughly; None where that says little."""
    kind = "str" if isinstance(value, str) else next(iter(value)) if isinstance(value, dict) else ""
    return _SHAPES.get(kind)


def _is_list(value: Value) -> bool:
    return isinstance(value, dict) and "list" in value


def _nested(value: Value) -> InputType | None:
    """The type of a list of lists of plain values of one kind; None for other values."""
    if not isinstance(value, dict) or "list" not in value or not value["list"]:
        return None
    rows = value["list"]
    if not all(map(_is_list, rows)):
        return None
    kinds = {"str" if isinstance(one, str) else _kind_of(one) for row in rows for one in row["list"]}
    if kinds == {"int", "float"}:
        kinds = {"float"}
    if len(kinds) != 1 or not kinds <= {"int", "float", "str", "bool"}:
        return None
    return InputType("list", (InputType("list", (InputType(kinds.pop()),)),))


def _kind_of(value: Value) -> str:
    return "bool" if isinstance(value, bool) else next(iter(value)) if isinstance(value, dict) else "none"


def _key(call: CallInput) -> bytes:
    return value_key((call.arguments, call.stdin))
