"""The object whose method is called in Java: what its class is constructed with, and calls that come before and behind,
because what an object does depends on what was done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clonetruth.execution.harness.harness import AFTER, BEFORE, EntryParameter
from clonetruth.execution.harness.receivers import changes_what_it_named
from clonetruth.execution.inputs.types import InputType

TypesOf = Callable[[str], tuple[InputType, ...]]

_CHANGES = (
    r"(?<![\w.])(?:this\s*\.\s*)?{name}\s*(?:\[[^\]]*\]\s*)*(?:(?:[-+*/%|&^]|<<|>>)?=(?!=)|\+\+|--)"
    r"|(?:\+\+|--)\s*(?:this\s*\.\s*)?{name}\b"
    r"|(?<![\w.])(?:this\s*\.\s*)?{name}\s*\.\s*(?:add|put|push|pop|remove|poll|offer|clear|set|insert|append|merge|compute"
    r"|sort|delete|reverse|increment|enqueue|dequeue)\w*\s*\("
)
_MOST_TAKEN = 6
_MOST_CALLS = 6
_LETTERS = "abcdefgh"


def receiver_parameters(
    kind: Mapping[str, Any], entry: str, texts: Mapping[str, str], types_of: TypesOf
) -> list[EntryParameter]:
    """What makes the object of a method and is done with it, all of which may be left out.

    Args:
        kind: what the compiler says of its class.
        entry: the name of the method.
        texts: the methods of the class, by name.
        types_of: what can be passed for a type.
    """
    found = _constructed(kind, types_of)
    methods = {
        str(one["name"]): one
        for one in kind["methods"]
        if not str(one["name"]).startswith("<") and not {"static", "abstract", "native"} & set(one["modifiers"])
    }
    fields = [str(one["name"]) for one in kind["fields"] if "static" not in one["modifiers"]]
    changing = {name for name in methods if _changes(texts.get(name, ""), fields)}
    changing |= {name for name, one in methods.items() if changing & set(map(str, one["calls"]))}
    is_open = {name for name, one in methods.items() if "private" not in one["modifiers"]}
    before = [_call(methods[name], types_of) for name in methods if name in changing and name in is_open | {entry}]
    calls = tuple(one for one in before if one is not None)[:_MOST_CALLS]
    if calls:
        found.append(EntryParameter(BEFORE, (InputType("list", (InputType("union", calls),)),), True, role="before"))
    if entry in changing:
        shown = [
            _call(one, types_of)
            for name, one in methods.items()
            if name != entry and name in is_open and one["returns"] != "void"
        ]
        kinds = [one for one in shown if one is not None][:_MOST_CALLS]
        public = [
            one for one in kind["fields"] if "static" not in one["modifiers"] and "private" not in one["modifiers"]
        ]
        # How an object keeps what it has is its own affair: its fields only matter where nothing else shows that.
        is_silent = not kinds and methods[entry]["returns"] == "void"
        members = tuple(f'"{one["name"]}"' for one in public) if is_silent else ()
        kinds += [InputType("choice", members=members)] if members else []
        if kinds:
            own = [] if methods[entry]["returns"] == "void" else [InputType("default")]
            found.append(EntryParameter(AFTER, (InputType("union", (*own, *kinds)),), True, role="after"))
    return found


def _constructed(kind: Mapping[str, Any], types_of: TypesOf) -> list[EntryParameter]:
    """What the constructor with the most parameters takes of which all can be made."""
    is_inner = "$" in str(kind["binary"]) and "static" not in kind["modifiers"] and kind["kind"] == "CLASS"
    constructors = [one for one in kind["methods"] if one["name"] == "<init>" and len(one["parameters"]) <= _MOST_TAKEN]
    for one in sorted(constructors, key=lambda it: -len(it["parameters"])) if not is_inner else ():
        taken = [(str(name), types_of(str(written))) for name, written in one["parameters"]]
        if all(types and types[0].kind not in ("none", "object") for _, types in taken):
            # Without them, the server makes an object with plain values.
            return [EntryParameter(name, types, optional=True, role="constructor") for name, types in taken]
    return []


def _changes(text: str, fields: Sequence[str]) -> bool:
    if any(re.search(_CHANGES.replace("{name}", re.escape(name)), text) for name in fields):
        return True
    return bool(fields) and changes_what_it_named(text, rf"\b(?:{'|'.join(map(re.escape, fields))})\b")


def _call(method: Mapping[str, Any], types_of: TypesOf) -> InputType | None:
    """A call of a method as a type: an object with its arguments, by place; None if they cannot be made."""
    types = [types_of(str(written)) for _, written in method["parameters"]]
    if len(types) > len(_LETTERS) or any(not one or one[0].kind in ("none", "function", "procedure") for one in types):
        return None
    fields = tuple((name, one[0]) for name, one in zip(_LETTERS, types, strict=False))
    return InputType("object", name=str(method["name"]), fields=fields)
