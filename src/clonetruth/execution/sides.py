"""The two sides of a comparison: each runs the same inputs with its own parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clonetruth.code import extract, language
from clonetruth.execution.harness import program_clock, program_files
from clonetruth.execution.harness.harness import (
    CallInput,
    Code,
    EntryParameter,
    FragmentRun,
    Harness,
    Observation,
    Reason,
)
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.inputs.profiles import Slot
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.results import ExecutedSide
from clonetruth.execution.values import LEFT_OUT, Value

_CHEAPLY_ASKED = ("python",)
"""Languages whose harness keeps a process, so that a further run costs about as much as ten calls."""
_FEW, _MANY = 20, 1_000
_QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_TYPE_ARGUMENTS = re.compile(r"(?<=\w)<[\w\s,.?]*>(?=\s*\()")


@dataclass
class ComparedSide:
    """One of the two, with what runs it.

    Attributes:
        code: what is run.
        harness: what runs it; None if there is none for its language.
        shape: how it can be called.
        order: for each of its parameters, which argument it gets; None if it gets none.
        names: of the arguments that are not parameters, by place.
        spelled: how this side writes names of fields that inputs write with letters of another size.
    """

    code: Code
    harness: Harness | None
    shape: FragmentRun
    order: tuple[int | None, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    spelled: Mapping[str, str] = field(default_factory=dict)

    @property
    def candidates_at_once(self) -> int:
        """How many smaller inputs to ask for at once."""
        return _FEW if self.code.language in _CHEAPLY_ASKED else _MANY

    def take(self, slots: Sequence[Slot], *, is_left: bool) -> None:
        """Remember which parameters get which arguments."""
        places = [slot.left if is_left else slot.right for slot in slots]
        count = len(self.shape.parameters)
        order = [places.index(at) if at in places else None for at in range(count)]
        while order and order[-1] is None:
            order.pop()
        self.order = tuple(order)
        implicit = [(at, self.shape.parameters[place]) for at, place in enumerate(places) if place is not None]
        self.names = tuple((at, one.name) for at, one in implicit if one.implicit)

    def spell_like(self, other: ComparedSide) -> None:
        """Inputs write names of fields as the other side does, in letters of another size than this side."""
        own, common = (
            {each for one in side.shape.parameters for kind in one.types for each in _field_names(kind)}
            for side in (self, other)
        )
        by_fold = {one.casefold(): one for one in own}
        self.spelled = {one: by_fold[one.casefold()] for one in common - own if one.casefold() in by_fold}

    def report(self) -> ExecutedSide:
        """How it was run, for the result."""
        shape = self.shape
        order = tuple(at for at in self.order if at is not None)
        roles = tuple(
            (at, one.role) for at, one in zip(self.order, shape.parameters, strict=False) if at is not None and one.role
        )
        return ExecutedSide(
            self.code.language,
            shape.entry,
            shape.repairs,
            shape.undecided,
            shape.detail,
            order,
            self.names,
            shape.owner,
            shape.is_property,
            roles,
            tuple(
                (at, one.name, one.passed)
                for at, one in zip(self.order, shape.parameters, strict=False)
                if at is not None and one.passed
            ),
        )

    def run(
        self, calls: Sequence[CallInput], seed: int, coverage: bool = False, code: Code | None = None
    ) -> FragmentRun:
        """Run calls whose arguments are in the common order; observations are in that order, too.

        Args:
            calls: the inputs.
            seed: random seed.
            coverage: whether to say which points were reached.
            code: other code to run instead.
        """
        assert self.harness is not None
        given, count = calls, len(self.order)
        is_same = self.order == tuple(range(count)) and all(len(one.arguments) == count for one in calls)
        if self.order and (self.spelled or not is_same):
            given = [CallInput(self.arguments(one), one.stdin) for one in calls]
        run = self.harness.run(code or self.code, given, seed=seed, coverage=coverage)
        if self.spelled:
            back = {own: common for common, own in self.spelled.items()}
            run = replace(run, observations=tuple(_respelled_observation(one, back) for one in run.observations))
        if not any(one.changed for one in run.observations):
            return run
        turned = tuple(
            _in_common_order(one, call, self.order) for one, call in zip(run.observations, calls, strict=False)
        )
        return replace(run, observations=turned)

    def arguments(self, call: CallInput) -> tuple[Value, ...]:
        """The arguments of an input in the order of its parameters."""
        given = tuple(LEFT_OUT if at is None else call.arguments[at] for at in self.order)
        return tuple(_respelled(one, self.spelled) for one in given) if self.spelled else given


def _field_names(kind: InputType) -> Iterator[str]:
    for name, inner in kind.fields:
        if kind.kind == "object":
            yield name
        yield from _field_names(inner)
    for inner in kind.inner:
        yield from _field_names(inner)


def _respelled(value: Any, names: Mapping[str, str]) -> Any:
    """A value whose objects have other names for their fields."""
    if isinstance(value, list):
        return [_respelled(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    if "object" in value:
        kind, fields = value["object"]
        return {"object": [kind, [[names.get(name, name), _respelled(one, names)] for name, one in fields]]}
    return {tag: _respelled(content, names) for tag, content in value.items()}


def _respelled_observation(one: Observation, names: Mapping[str, str]) -> Observation:
    changed = None if one.changed is None else tuple(_respelled(each, names) for each in one.changed)
    return replace(one, returned=_respelled(one.returned, names), changed=changed)


def _in_common_order(one: Observation, call: CallInput, order: Sequence[int | None]) -> Observation:
    """Changed arguments by the places of the input; what a side does not get stays as it was."""
    if one.changed is None:
        return one
    found = list(call.arguments)
    for at, value in zip(order, one.changed, strict=False):
        if at is not None:
            found[at] = value
    return replace(one, changed=tuple(found))


def inspect(code: Code, harnesses: Harnesses) -> ComparedSide:
    """Ask how a piece of code can be called."""
    harness = harnesses.get(code.language)
    if harness is None:
        return ComparedSide(code, None, FragmentRun(Reason.LANGUAGE, code.language))
    streams = program_files.with_standard_streams(code)
    made = program_clock.with_stopped_clock(streams)
    repairs = [program_files.REPAIR] * (streams is not code) + [program_clock.REPAIR] * (made is not streams)
    # With coverage, as in the runs that follow: what is prepared for one is not prepared again.
    shape = harness.run(made, coverage=True)
    return ComparedSide(made, harness, shape if made is code else replace(shape, repairs=(*shape.repairs, *repairs)))


def called_otherwise(shape: FragmentRun, left: str, right: str) -> str | None:
    """A function that stands for one which neither text has, and that they call with other numbers of arguments: no
    function is both, so that nothing is known of what it would do. None if there is none.

    Args:
        shape: how one side can be called, with what is read without being a parameter.
        left: the text of one side.
        right: the text of the other.
    """
    names = [*_stand_ins(shape.parameters), *_made_classes(shape)]
    return next((name for name in names if _calls_differ(name, left, right)), None)


def _made_classes(shape: FragmentRun) -> Iterator[str]:
    """Classes that neither side has, where what an object was made of decides what missing methods do."""
    if any(one.implicit and one.name.startswith("any ") for one in shape.parameters):
        for repair in shape.repairs:
            name = repair.removeprefix("class ")
            if name != repair and not name.endswith(("Exception", "Error")):
                yield f"new {name}"


def _stand_ins(parameters: Sequence[EntryParameter]) -> Iterator[str]:
    """Functions that neither side has; methods with a point before their names."""
    for one in parameters:
        if one.implicit and one.name.startswith("any "):
            for said in one.name.removeprefix("any ").split(", "):
                called, _, returns = said.partition(": ")
                # What is only called is an effect, which its arguments belong to.
                if returns != "void":
                    yield called[called.find(".") :] if "." in called else called
        elif one.implicit:
            yield one.name
        for kind in one.types:
            yield from (f".{name}" for name, inner in kind.fields if inner.kind == "function")


def _calls_differ(name: str, left: str, right: str) -> bool:
    """Whether two texts call a function with no number of arguments that both use."""
    counts = [set(_argument_counts(name, text)) for text in (left, right)]
    return bool(counts[0] and counts[1]) and not counts[0] & counts[1]


def _argument_counts(name: str, text: str) -> list[int]:
    found = []
    before = r"\.\s*" if name.startswith(".") else r"(?:(?<![\w.])|(?<=\bthis\.))"
    plain = _TYPE_ARGUMENTS.sub("", _QUOTED.sub("0", text))
    for match in re.finditer(rf"{before}{re.escape(name.removeprefix('.'))}\s*\(", plain):
        depth, commas, filled = 1, 0, False
        for letter in plain[match.end() :]:
            depth += (letter in "([{") - (letter in ")]}")
            if depth == 0:
                break
            commas += letter == "," and depth == 1
            filled = filled or not letter.isspace()
        found.append(commas + filled)
    return found


def entry_range(code: Code) -> tuple[int, int]:
    """Where the function that is run is in the text: its first character and the one behind its last."""
    if code.entry is None:
        return 0, len(code.text)
    for one in extract(code.text, language(code.language)).functions:
        if one.qualified_name in (code.entry, code.entry.rpartition(".")[2]):
            before = code.text.encode("utf-8", "replace")[: one.start].decode("utf-8", "replace")
            return len(before), len(before) + len(one.text)
    return 0, len(code.text)


def entry_text(code: Code) -> str:
    """The text of the function that is run, without the file around it."""
    start, end = entry_range(code)
    return code.text[start:end]
