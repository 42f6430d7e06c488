"""The object whose method is called: calls of methods that come before, and one that follows, because what an object
does depends on what was done with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.execution.harness.harness import AFTER, BEFORE, CallInput, EntryParameter
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import LEFT_OUT, Value

_NAMED = re.compile(r"\b([A-Za-z_$][\w$]*)\s*:?=(?![=>])\s*([^;\n]*)")
_MUTATED = (
    r"\b{name}\s*(?:(?:\.|->)\s*\w+|\[[^\]]*\])\s*(?:[-+*/%|&^]?=(?![=>])|\+\+|--)|\b{name}\s*\.\s*(?:add|put|push|pop|remove|"
    r"poll|offer|clear|set|insert|append|merge|compute|sort|delete|reverse|shift|unshift|splice|fill|enqueue|dequeue)\w*\s*\("
)
_MOST_CALLS = 6
_LETTERS = "abcdefgh"


def changes_what_it_named(text: str, fields: str) -> bool:
    """Whether a method gives a part of its object a local name, and changes it by that name.

    Example:
        >>> changes_what_it_named("off (x) { const l = this.all[x]; l.pop() }", r"\\bthis\\.")
        True
    """
    names = {one[1] for one in _NAMED.finditer(text) if re.search(fields, one[2])}
    return any(re.search(_MUTATED.replace("{name}", re.escape(one)), text, re.IGNORECASE) for one in names)


@dataclass(frozen=True)
class ObjectMethod:
    """A method that can be called before or behind another one.

    Attributes:
        name: as written.
        types: what it takes; None if that cannot be made.
        changes: whether it changes its object.
        is_open: whether it can be called from outside.
        says: whether it returns something.
    """

    name: str
    types: tuple[InputType, ...] | None
    changes: bool
    is_open: bool
    says: bool

    @property
    def call(self) -> InputType | None:
        """A call as a type: an object with its arguments, by place; None if they cannot be made."""
        if self.types is None or len(self.types) > len(_LETTERS):
            return None
        return InputType("object", name=self.name, fields=tuple(zip(_LETTERS, self.types, strict=False)))


def calls_around(methods: Sequence[ObjectMethod], entry: str, shown: Sequence[str] = ()) -> list[EntryParameter]:
    """Calls that come before and behind a method of the same object, all of which may be left out.

    Args:
        methods: those of its class.
        entry: the name of the method.
        shown: what can be read of the object like a field.
    """
    found: list[EntryParameter] = []
    before = [one.call for one in methods if one.changes and (one.is_open or one.name == entry)]
    calls = tuple(one for one in before if one is not None)[:_MOST_CALLS]
    if calls:
        found.append(EntryParameter(BEFORE, (InputType("list", (InputType("union", calls),)),), True, role="before"))
    own = next((one for one in methods if one.name == entry), None)
    if own is not None and own.changes:
        calling = [one.call for one in methods if one.name != entry and one.is_open and one.says]
        kinds = [one for one in calling if one is not None][:_MOST_CALLS]
        kinds += [InputType("choice", members=tuple(f'"{one}"' for one in shown))] if shown else []
        if kinds:
            union = InputType("union", (*([InputType("default")] if own.says else []), *kinds))
            found.append(EntryParameter(AFTER, (union,), True, role="after"))
    return found


def with_receiver(call: CallInput, parameters: Sequence[EntryParameter]) -> CallInput:
    """An input as the server takes it: what makes the object and is done with it in one value before the others."""
    if not any(one.role for one in parameters):
        return call
    pairs = list(zip(call.arguments, parameters, strict=False))
    made = [value for value, one in pairs if one.role == "constructor" and value != LEFT_OUT]
    if len(made) < sum(one.role == "constructor" for one in parameters):
        made = []
    before = [value for value, one in pairs if one.role == "before" and isinstance(value, dict)]
    after = [value for value, one in pairs if one.role == "after" and value != LEFT_OUT]
    receiver: Value = {
        "receiver": {
            "made": made,
            "before": [_further(one) for value in before for one in value.get("list", ())],
            "after": _further(after[0]) if after else None,
        }
    }
    return CallInput((receiver, *(value for value, one in pairs if not one.role)), call.stdin)


def _further(call: Value) -> list[Any]:
    """The name of a method with its arguments; of a field, without."""
    return [call["object"][0], [one for _, one in call["object"][1]]] if isinstance(call, dict) else [call]


def with_all(
    changed: tuple[Value, ...] | None, call: CallInput, parameters: Sequence[EntryParameter]
) -> tuple[Value, ...] | None:
    """What a call changed, by the places of all parameters; the server only tells those of the method."""
    if changed is None or not any(one.role for one in parameters):
        return changed
    own = iter(changed)
    pairs = zip(call.arguments, parameters, strict=False)
    return tuple(value if one.role else next(own, value) for value, one in pairs)
