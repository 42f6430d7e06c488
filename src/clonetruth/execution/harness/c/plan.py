"""How each parameter of a C function gets its value: from an argument, or from the harness.

A pointer alone does not say whether it is one number, an array or a place for a result. Names and the body decide; what
was decided is listed among the repairs, so that people can see it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from clonetruth.execution.harness.c.functions import CFunction, CParameter
from clonetruth.execution.harness.c.loops import bounding_numbers, table_sizes
from clonetruth.execution.harness.c.receivers import ReceiverPlan
from clonetruth.execution.harness.c.types import CType, TypeTable
from clonetruth.execution.harness.harness import EntryParameter, Placement, can_follow
from clonetruth.execution.inputs.lengths import NO_LENGTH, ListLength, fixed_length
from clonetruth.execution.inputs.types import InputType

_LENGTH = re.compile(
    r"n|m|len\w*|length\w*|size\w*|count|cnt|num|n[_A-Z]\w*|num_?(?:s|elements|items|\w*size)|\w*(?:len|length|size|count)"
    r"|\w*(?:Len|Length|Size|Count|_n)|n\d|[NM]|sz|total|elements|rows?|cols?|columns?",
    re.ASCII,
)
_ROWS = re.compile(rf"r|R|row\w*|height|h|{_LENGTH.pattern}", re.ASCII)
_TEXT_LENGTH = re.compile(r"n|len\w*|length|size|l|\w*(?:_len|_length|_size|Len|Length|Size)|str(?:len|size)", re.ASCII)
_COLUMNS = re.compile(r"cols?|columns?|\w*(?:[Cc]ols?|[Cc]ol(?:umn)?s?(?:ize|_size|Size)?)|c|m|width|w", re.ASCII)
_FIRST = re.compile(r"l|left|low|lo|start|begin|first|beg|lb|from|s", re.ASCII)
_LAST = re.compile(r"r|right|high|hi|end|last|h|e|ub|to", re.ASCII)
_RESULT = re.compile(
    r"res|result\w*|out\w*|ans\w*|ret\w*|dest|dst|destination|buf|buffer|target_?str\w*|\w*(?:_out|Out|_result|Result)",
    re.ASCII,
)
_WORD = r"(?:len|length|size|count|cnt|num|n)"
_RETURNED_LENGTH = re.compile(r"return_?[sS]ize|ret_?[sS]ize|result_?[sS]ize|out_?(?:len|size)|returnLen\w*", re.ASCII)

_BYTES = re.compile(
    r"(?:\w+_)?(?:bytes|octets)|byte_?(?:s|arr|array|buf|buffer|data|list|string)|(?:raw|bin|binary)_?data", re.I
)
"""Names of texts that hold bytes."""


class ParameterRole(StrEnum):
    """Where the value of a parameter comes from."""

    VALUE = "an argument"
    POINTED = "a pointer to an argument"
    LIST = "a list"
    TABLE = "a list of lists"
    LENGTH = "the length of a list"
    COLUMNS = "the length of the rows"
    FIRST = "the first index"
    LAST = "the last index"
    RESULT = "a place for a result"
    NOTHING = "null"
    DEFAULT = "its default"


_LENGTHS = frozenset(
    {ParameterRole.VALUE, ParameterRole.LIST, ParameterRole.TABLE, ParameterRole.LENGTH, ParameterRole.COLUMNS}
)
"""What follows from loops and names, in which two versions of a function may differ."""


@dataclass
class Filling:
    """How one parameter is filled.

    Attributes:
        parameter: what is filled.
        role: where its value comes from.
        of: positions of the lists that a length or an index belongs to.
        is_flat: whether it is a table that is written as one array.
    """

    parameter: CParameter
    role: ParameterRole
    of: list[int] = field(default_factory=list)
    is_flat: bool = False


@dataclass
class CallPlan:
    """How a function is called.

    Attributes:
        function: what is called.
        fillings: one for each parameter.
        unknown: the parameter that cannot be filled; None if all can.
        variables: those outside of functions that hold the result.
        receiver: what makes the object of a method of C++, and is done with it.
    """

    function: CFunction
    fillings: list[Filling] = field(default_factory=list)
    unknown: CParameter | None = None
    variables: dict[str, CType] = field(default_factory=dict)
    receiver: ReceiverPlan | None = None

    @property
    def exposed(self) -> list[int]:
        """Positions of the parameters that are arguments."""
        roles = (ParameterRole.VALUE, ParameterRole.POINTED, ParameterRole.LIST, ParameterRole.TABLE)
        return [at for at, one in enumerate(self.fillings) if one.role in roles]

    @property
    def results(self) -> list[int]:
        """Positions of the parameters that take results."""
        return [at for at, one in enumerate(self.fillings) if one.role is ParameterRole.RESULT]

    def length(self, at: int) -> ListLength:
        """What says how long the list at a position is, and its rows."""
        one = self.fillings[at]
        if one.role not in (ParameterRole.LIST, ParameterRole.TABLE):
            return NO_LENGTH
        told = {
            each.role: f"#{number}"
            for number, each in enumerate(self.fillings)
            if at in each.of and each.role in (ParameterRole.LENGTH, ParameterRole.COLUMNS)
        }
        ends = any(at in each.of and each.role is ParameterRole.LAST for each in self.fillings)
        sizes = _sizes(one.parameter.type)
        numbers = {each.parameter.name: f"#{number}" for number, each in enumerate(self.fillings)}
        own = told.get(ParameterRole.LENGTH) or ("" if ends or not sizes else fixed_length(sizes[0]))
        if one.role is ParameterRole.LIST:
            return ListLength(own)
        written = sizes[1] if len(sizes) > 1 else ""
        rows = told.get(ParameterRole.COLUMNS) or (written and numbers.get(written)) or fixed_length(written)
        return ListLength(own, rows)

    @property
    def layout(self) -> tuple[Placement, ...]:
        """Where each parameter gets its value from."""
        places = {each.name: number for number, each in enumerate(self.function.parameters)}
        return tuple(
            Placement(
                _plain_kind(parameter.type),
                one.role,
                one.role in _LENGTHS,
                tuple(one.of),
                tuple(places[size] for size in _sizes(one.parameter.type)) if one.is_flat else (),
            )
            for one, parameter in zip(self.fillings, self.function.parameters, strict=True)
        )

    @property
    def repairs(self) -> list[str]:
        """What was decided."""
        plain = (ParameterRole.VALUE, ParameterRole.LIST, ParameterRole.TABLE)
        found = [f"the result is in {', '.join(self.variables)}"] if self.variables else []
        found += [
            f"{one.parameter.name} has {rows} rows of {columns}"
            for one in self.fillings
            if one.is_flat
            for rows, columns in [_sizes(one.parameter.type)]
        ]
        return found + [
            f"{one.parameter.name or f'parameter {at + 1}'} is {one.role.value}"
            + (f" ({', '.join(self.fillings[list_at].parameter.name for list_at in one.of)})" if one.of else "")
            for at, one in enumerate(self.fillings)
            if one.role not in plain
        ]

    def parameters(self, table: TypeTable) -> tuple[EntryParameter, ...]:
        """The arguments with their types."""
        found = []
        for at in self.exposed:
            one = self.fillings[at]
            kind = one.parameter.type
            wanted = table.input_type(kind.target if one.role is ParameterRole.POINTED else passed_type(one))
            if kind.kind == "function":
                wanted = table.passed(kind, one.parameter.name)
            types = (wanted,) if wanted is not None else ()
            if wanted == InputType("str") and _BYTES.fullmatch(one.parameter.name):
                types = (InputType("bytes"), *types)
            if kind.kind == "int" and table.enums.get(kind.name):
                # By name: in another language members have other values, or are no numbers.
                types = (InputType("enum", name=kind.name, members=tuple(table.enums[kind.name])), *types)
            found.append(EntryParameter(one.parameter.name, types, length=self.length(at)))
        return (*found, *(self.receiver.parameters(table) if self.receiver is not None else ()))


def passed_type(one: Filling) -> CType:
    """The type that says how an argument is written: a pointer to a structure that is a list is an array of them."""
    kind = one.parameter.type
    if one.role is ParameterRole.LIST and kind.kind == "pointer" and kind.target.kind == "struct":
        return kind.target.array("")
    return kind


def plan_call(function: CFunction, table: TypeTable, layout: Sequence[Placement] = ()) -> CallPlan:
    """Decide how to call a function.

    Args:
        function: what is called.
        table: its types.
        layout: how another function is called, which is followed if this one has the same parameters.
    """
    plan = CallPlan(function)
    numbers = [one.name for one in function.parameters if one.type.kind == "int" and one.name]
    for declared in function.parameters:
        parameter = _as_table(declared, function, numbers)
        role = ParameterRole.DEFAULT if parameter.optional else _role(parameter, function, table)
        if function.name == "main" and parameter.type.kind in ("pointer", "array"):
            role = ParameterRole.NOTHING
        if role is None:
            plan.unknown = plan.unknown or parameter
            role = ParameterRole.VALUE
        plan.fillings.append(Filling(parameter, role, is_flat=parameter is not declared))
    _find_lengths(plan)
    for one in plan.fillings:
        # Without a length, a pointer whose body does not index it is a pointer to one number.
        if one.role is ParameterRole.LIST and not _is_indexed(one.parameter, function) and not _has_length(plan, one):
            one.role = ParameterRole.POINTED if one.parameter.type.kind == "pointer" else ParameterRole.LIST
    if plan.unknown is None and can_follow(plan.layout, layout):
        plan.fillings = [_placed(one, function.parameters[at], function) for at, one in enumerate(layout)]
    return plan


def _placed(one: Placement, parameter: CParameter, function: CFunction) -> Filling:
    """A parameter as a layout has it."""
    if one.sizes:
        rows, columns = (function.parameters[at].name for at in one.sizes)
        parameter = replace(parameter, type=parameter.type.target.array(columns).array(rows))
    return Filling(parameter, ParameterRole(one.role), list(one.of), bool(one.sizes))


def _plain_kind(kind: CType) -> str:
    if kind.kind in ("pointer", "array"):
        return f"pointer {_plain_kind(kind.target)}"
    return f"{kind.kind} {kind.bits or ''}".strip()


def _as_table(parameter: CParameter, function: CFunction, numbers: Sequence[str]) -> CParameter:
    """A parameter that is an array of rows, if the body shows that it is a table; else itself."""
    kind = parameter.type
    if kind.kind not in ("pointer", "array") or kind.target.kind not in ("int", "float", "bool") or len(numbers) < 2:
        return parameter
    sizes = table_sizes(parameter.name, function.body, numbers) if parameter.name else None
    return parameter if sizes is None else replace(parameter, type=kind.target.array(sizes[1]).array(sizes[0]))


def _role(parameter: CParameter, function: CFunction, table: TypeTable) -> ParameterRole | None:
    kind = parameter.type
    if kind.kind == "pointer":
        return _pointer_role(parameter, kind.target, function, table)
    if kind.kind == "array":
        if kind.target.kind == "array":
            return ParameterRole.TABLE if _can_make(kind.target.target, table) else None
        if kind.target.kind == "char":
            return ParameterRole.VALUE
        return ParameterRole.LIST if _can_make(kind.target, table) else None
    return ParameterRole.VALUE if _can_make(kind, table) else None


def _pointer_role(parameter: CParameter, target: CType, function: CFunction, table: TypeTable) -> ParameterRole | None:
    kind = parameter.type
    if target.kind == "char":
        writes = not kind.constant and _RESULT.fullmatch(parameter.name) is not None
        return ParameterRole.RESULT if writes else ParameterRole.VALUE
    if target.kind == "pointer" and target.target.kind != "char":
        if target.target.kind == "struct" and table.is_linked(target.target.name):
            return ParameterRole.POINTED
        return ParameterRole.TABLE if _can_make(target.target, table) else None
    if not _can_make(target, table):
        return None
    if target.kind == "struct" and (table.is_linked(target.name) or not _is_indexed(parameter, function)):
        return ParameterRole.VALUE
    if target.kind in ("template", "text"):
        return ParameterRole.POINTED
    if target.is_scalar and not kind.constant and _is_only_written(parameter, function):
        return ParameterRole.RESULT
    return ParameterRole.LIST


def _can_make(kind: CType, table: TypeTable) -> bool:
    return table.input_type(kind) is not None


def _is_indexed(parameter: CParameter, function: CFunction) -> bool:
    name = re.escape(parameter.name or "?")
    return (
        re.search(
            rf"\b{name}\s*\[|\b{name}\s*\+\+|\+\+\s*{name}\b|\b{name}\s*\+(?!\+)|\b{name}\s*\+=|[=(,]\s*{name}\s*[,;]",
            function.body,
        )
        is not None
    )


def _is_only_written(parameter: CParameter, function: CFunction) -> bool:
    """Whether the body does nothing but assign to what it points to, as through `*result = 1`."""
    name = re.escape(parameter.name or "?")
    uses = len(re.findall(rf"\b{name}\b", function.body))
    writes = len(re.findall(rf"(?<![\w)\]])\s*\*\s*{name}\s*=(?!=)", function.body))
    checks = len(re.findall(rf"\b{name}\s*[!=]=\s*(?:NULL|0|nullptr)\b|!\s*{name}\b", function.body))
    starts = re.search(rf"[;{{}})]\s*\*\s*{name}\s*=(?!=)", function.body) is not None
    named = _RESULT.fullmatch(parameter.name) or _RETURNED_LENGTH.fullmatch(parameter.name)
    indexed = re.search(rf"\b{name}\s*\[", function.body) is not None
    first = re.search(rf"\*\s*{name}\b\s*(=(?!=))?", function.body)
    is_read_first = first is not None and first[1] is None
    if (uses > 0 and uses == writes + checks) or bool(named and starts and not indexed and not is_read_first):
        return True
    return not _is_indexed(parameter, function) and _is_written_first(name, function.body)


def _is_written_first(name: str, body: str) -> bool:
    """Whether what a pointer points to is always assigned before it is read: what it was then does not matter."""
    first = re.search(rf"\b{name}\b(?!\s*[!=]=\s*(?:NULL|0|nullptr))", body)
    write = re.search(rf"(?:[;{{}}]|=)\s*\*\s*({name})\s*=(?!=)", body)
    if first is None or write is None or write.start(1) != first.start():
        return False
    before = body[: write.start() + 1]
    # Only outside of branches and loops.
    return before.count("{") - before.count("}") <= 1


def _find_lengths(plan: CallPlan) -> None:
    """Which numbers say how long lists are."""
    fillings = plan.fillings
    lists = [at for at, one in enumerate(fillings) if one.role in (ParameterRole.LIST, ParameterRole.TABLE)]
    texts = [at for at, one in enumerate(fillings) if one.role is ParameterRole.VALUE and _is_text(one.parameter.type)]
    numbers = [
        at for at, one in enumerate(fillings) if one.role is ParameterRole.VALUE and one.parameter.type.kind == "int"
    ]
    free = list(numbers)
    for at in list(free):
        name = fillings[at].parameter.name
        sized = [(one, _sizes(fillings[one].parameter.type)) for one in lists]
        whole = [one for one, sizes in sized if name in sizes[:1]]
        rows = [one for one, sizes in sized if name in sizes[1:]]
        if name and (whole or rows):
            fillings[at].role = ParameterRole.LENGTH if whole else ParameterRole.COLUMNS
            fillings[at].of = whole or rows
            free.remove(at)
    for named_at in (one for one in (*lists, *texts) if fillings[one].role is not ParameterRole.TABLE):
        own = fillings[named_at].parameter
        number = next((at for at in free if _is_named_after(fillings[at].parameter.name, own.name)), None)
        known = any(named_at in one.of for one in fillings) or (
            named_at in texts and _knows_its_length(own, plan.function)
        )
        if number is not None and not known:
            free.remove(number)
            fillings[number].role, fillings[number].of = ParameterRole.LENGTH, [named_at]
    if len(free) > 1:
        _find_bounds(plan, [one for one in lists if fillings[one].role is ParameterRole.LIST], free)
    for list_at in lists:
        if any(list_at in one.of for one in fillings):
            continue
        names = _ROWS if fillings[list_at].role is ParameterRole.TABLE else _LENGTH
        number = _nearest(list_at, free, names, fillings)
        if number is None and list_at + 1 in free and _bounds_a_loop(fillings[list_at + 1].parameter, plan.function):
            number = list_at + 1
        if number is not None:
            free.remove(number)
            fillings[number].role, fillings[number].of = ParameterRole.LENGTH, [list_at]
            if fillings[list_at].role is ParameterRole.TABLE:
                _find_columns(list_at, free, fillings)
            continue
        pair = [_named(free, pattern, fillings) for pattern in (_FIRST, _LAST)]
        if None not in pair and fillings[list_at].role is ParameterRole.LIST:
            for found, role in zip(pair, (ParameterRole.FIRST, ParameterRole.LAST), strict=True):
                assert found is not None
                free.remove(found)
                fillings[found].role, fillings[found].of = role, [list_at]
    shared = [at for at, one in enumerate(fillings) if one.role is ParameterRole.LENGTH]
    for list_at in lists:
        # One length for several lists.
        if len(shared) == 1 and not any(list_at in one.of for one in fillings) and fillings[shared[0]].of:
            fillings[shared[0]].of.append(list_at)
    for text_at in texts:
        number = text_at + 1
        if _knows_its_length(fillings[text_at].parameter, plan.function):
            continue
        if number in free and _TEXT_LENGTH.fullmatch(fillings[number].parameter.name) and not lists:
            free.remove(number)
            fillings[number].role, fillings[number].of = ParameterRole.LENGTH, [text_at]


def _find_bounds(plan: CallPlan, lists: Sequence[int], free: list[int]) -> None:
    """Of several numbers, the one that a loop through a list ends with is its length, whatever its name and place."""
    fillings = plan.fillings
    places = {fillings[at].parameter.name: at for at in free}
    for list_at in lists:
        if any(list_at in one.of for one in fillings):
            continue
        found = bounding_numbers(fillings[list_at].parameter.name, plan.function.body, list(places))
        if len(found) == 1:
            number = fillings[places[found[0]]]
            number.role = ParameterRole.LENGTH
            number.of.append(list_at)
    free[:] = [at for at in free if fillings[at].role is ParameterRole.VALUE]


def _is_named_after(number: str, name: str) -> bool:
    """Whether a number is named as the length of a list or text: `l_size` and `lenL` of `l`, `n2` of `list2`."""
    digits = name[len(name.rstrip("0123456789")) :]
    whose = [re.escape(one) for one in (name, digits) if one]
    return any(re.fullmatch(rf"{_WORD}_?(?:of_?)?{one}|{one}_?{_WORD}", number, re.I) for one in whose)


def _knows_its_length(parameter: CParameter, function: CFunction) -> bool:
    """Whether a text is asked for its own length, so that a number behind it is something else."""
    name = re.escape(parameter.name or "?")
    return (
        re.search(rf"\b{name}\s*(?:\.|->)\s*(?:size|length)\s*\(|\bstrlen\s*\(\s*{name}\s*\)", function.body)
        is not None
    )


def _find_columns(list_at: int, free: list[int], fillings: Sequence[Filling]) -> None:
    after = [at for at in free if abs(at - list_at) <= 3]
    named = [at for at in after if _COLUMNS.fullmatch(fillings[at].parameter.name)]
    found = named or [at for at in after if _LENGTH.fullmatch(fillings[at].parameter.name)]
    if found:
        columns = found[0]
        free.remove(columns)
        fillings[columns].role, fillings[columns].of = ParameterRole.COLUMNS, [list_at]


def _nearest(list_at: int, free: list[int], names: re.Pattern[str], fillings: Sequence[Filling]) -> int | None:
    named = [at for at in free if names.fullmatch(fillings[at].parameter.name)]
    # The first behind the list, or the last before it.
    behind, before = [at for at in named if at > list_at], [at for at in named if at < list_at]
    return behind[0] if behind else before[-1] if before else None


def _named(free: list[int], pattern: re.Pattern[str], fillings: Sequence[Filling]) -> int | None:
    return next((at for at in free if pattern.fullmatch(fillings[at].parameter.name)), None)


def _bounds_a_loop(parameter: CParameter, function: CFunction) -> bool:
    name = re.escape(parameter.name or "?")
    return re.search(rf"for\s*\([^;]*;[^;]*<=?\s*{name}\b|while\s*\(\w+\s*<=?\s*{name}\b", function.body) is not None


def _sizes(kind: CType) -> list[str]:
    return [kind.size, *_sizes(kind.target)] if kind.kind == "array" else []


def _is_text(kind: CType) -> bool:
    return kind.kind == "text" or (kind.kind in ("pointer", "array") and kind.target.kind == "char")


def _has_length(plan: CallPlan, one: Filling) -> bool:
    at = next(number for number, each in enumerate(plan.fillings) if each is one)
    return any(at in each.of for each in plan.fillings) or one.parameter.type.kind == "array"


def returned_length(plan: CallPlan) -> int | None:
    """The parameter that says how long a returned array is."""
    named = [at for at in plan.results if _RETURNED_LENGTH.fullmatch(plan.fillings[at].parameter.name)]
    return named[0] if named else None
