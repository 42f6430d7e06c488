"""The object whose method is called in C++: what its class is made with, and calls that come before and behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clonetruth.execution.harness.c.functions import CFragment, CFunction
from clonetruth.execution.harness.c.types import CType, TypeTable
from clonetruth.execution.harness.harness import EntryParameter
from clonetruth.execution.harness.receivers import ObjectMethod, calls_around

_CONSTANT = re.compile(r"\)\s*const\b")
_REFUSED = re.compile(r"~|operator\b")


@dataclass(frozen=True)
class ReceiverPlan:
    """How the object of a method is made, and what can be called before and behind.

    Attributes:
        function: the method.
        owner: the class, with the types that it takes.
        taken: the parameters of the constructor that gets arguments of the input.
        has_default: whether an object can be made without any.
        has_constructor: whether there is one; otherwise the fields of plain data are given in braces.
        methods: the other methods and itself, by the number with which a call names them.
        hidden: names of methods that only others of the class call.
    """

    function: CFunction
    owner: str
    taken: tuple[tuple[str, CType], ...]
    has_default: bool
    has_constructor: bool
    methods: tuple[CFunction, ...]
    hidden: frozenset[str] = frozenset()

    def parameters(self, table: TypeTable) -> Iterator[EntryParameter]:
        """What an input has for it, all of which may be left out."""
        for name, kind in self.taken:
            made = table.input_type(kind)
            assert made is not None
            yield EntryParameter(name, (made,), True, role="constructor")
        described = []
        for one in self.methods:
            kinds = [table.input_type(each.type) for each in one.parameters]
            types = tuple(kind for kind in kinds if kind is not None)
            described.append(
                ObjectMethod(
                    one.name,
                    types if len(types) == len(kinds) else None,
                    _CONSTANT.search(one.head) is None,
                    one.name not in self.hidden,
                    one.returned.kind not in ("void", "opaque"),
                )
            )
        yield from calls_around(described, self.function.name)


def receiver_of(fragment: CFragment, function: CFunction) -> ReceiverPlan | None:
    """How the object of a method is made; None for a function that needs none."""
    owner = function.owner
    if not fragment.cpp or owner is None or function.static or "::" in owner:
        return None
    own = [one for one in fragment.functions if one.owner == owner]
    makers = [one for one in own if one.name == owner]
    table = fragment.table
    usable = [one for one in makers if one.parameters and _can_be_passed(one, table)]
    best = max(usable, key=lambda one: len(one.parameters), default=None)
    has_default = not makers or any(all(each.optional for each in one.parameters) for one in makers)
    if best is None and not has_default:
        return None
    taken = tuple((one.name, one.type) for one in best.parameters) if best is not None else ()
    fields = table.structs.get(owner, ())
    if not makers and all(_is_plain(kind, table) for _, kind in fields):
        taken = fields
    methods = {
        one.name: one
        for one in own
        if one not in makers and not one.static and not _REFUSED.match(one.name) and _can_be_passed(one, table)
    }
    types = re.search(rf"template\s*<([^<>]*)>\s*(?:class|struct)\s+{re.escape(owner)}\b", fragment.text)
    count = types[1].count(",") + 1 if types is not None else 0
    written = f"{owner}<{', '.join(['int'] * count)}>" if count else owner
    hidden = _hidden(fragment.text, owner, own)
    return ReceiverPlan(function, written, taken, has_default, bool(makers), tuple(methods.values()), hidden)


def _hidden(text: str, owner: str, own: Sequence[CFunction]) -> frozenset[str]:
    """The methods whose declarations are behind `private:`, or before `public:` of a class."""
    start = re.search(rf"\b(class|struct)\s+{re.escape(owner)}\b[^;{{]*{{", text)
    if start is None:
        return frozenset()
    hidden, found = start[1] == "class", set()
    names = {one.name for one in own}
    pieces = re.split(r"\b(public|private|protected)\s*:(?!:)", _body(text, start.end()))
    for at, piece in enumerate(pieces):
        if at % 2:
            hidden = piece != "public"
        elif hidden:
            found |= {name for name in names if re.search(rf"\b{re.escape(name)}\s*\([^;{{}}]*\)[^;{{}}]*[;{{]", piece)}
    return frozenset(found)


def _body(text: str, start: int) -> str:
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[start:at]
    return text[start:]


def _is_plain(kind: CType, table: TypeTable) -> bool:
    """Whether a value of its own can be passed: a pointer would need a length."""
    return kind.kind not in ("pointer", "array", "auto") and table.input_type(kind) is not None


def _can_be_passed(one: CFunction, table: TypeTable) -> bool:
    return "&&" not in one.head and all(_is_plain(each.type, table) for each in one.parameters)
