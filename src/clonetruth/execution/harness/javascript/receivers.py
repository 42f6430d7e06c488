"""The object whose method is called: what its class is constructed with, and calls that come before and behind, because
what an object does depends on what was done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import tree_sitter

from clonetruth.execution.harness.harness import AFTER, BEFORE, EntryParameter
from clonetruth.execution.harness.javascript.entries import CLASSES, FUNCTION_VALUES, ScriptEntry
from clonetruth.execution.harness.receivers import changes_what_it_named
from clonetruth.execution.harness.text_edits import text_of, walk
from clonetruth.execution.inputs.types import InputType

ReadParameters = Callable[[tree_sitter.Node], Sequence[tuple[EntryParameter, str]]]

_CHANGES = re.compile(
    r"\bthis\.[\w$#.\[\]'\"]*(\[[^\]]*\])?\s*([-+*/%|&^?]{0,3}=(?!=)|\+\+|--)|(\+\+|--)\s*this\.|\bdelete\s+this\."
    r"|\bthis\.[\w$#.]+(\[[^\]]*\])?\.(push|pop|shift|unshift|splice|sort|reverse|set|delete|clear|add|fill)\("
)
_OWN = r"\bthis\."
_CALLED = re.compile(r"\bthis\.(#?[\w$]+)\s*\(")
_FIELD = re.compile(r"\bthis\.([A-Za-z$][\w$]*)\s*=(?!=)")
_INT = InputType("int")
_NOTHING = InputType("default")
_MOST_CALLS = 6
_LETTERS = "abcdefgh"


@dataclass(frozen=True)
class _Method:
    name: str
    function: tree_sitter.Node
    text: str
    words: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether it can be called like an ordinary method."""
        return not self.words & {"static", "get", "set", "async", "*"} and self.name not in ("constructor", "")

    @property
    def is_public(self) -> bool:
        return not self.name.startswith(("_", "#")) and not self.words & {"private", "protected"}


def receiver_parameters(
    root: tree_sitter.Node, entry: ScriptEntry, read: ReadParameters
) -> list[tuple[EntryParameter, str]]:
    """What makes the object of a method, and what is done with it, each with how it is passed.

    Args:
        root: the tree of the text.
        entry: the method.
        read: reads the parameters of a function.
    """
    classes = _classes(root, entry)
    methods = {one.name: one for kind in classes[::-1] for one in _members(kind)}
    found: list[tuple[EntryParameter, str]] = []
    constructor = methods.get("constructor")
    for parameter, how in read(constructor.function) if constructor is not None else ():
        found.append((replace(parameter, role="constructor"), how))
    plain = {name: one for name, one in methods.items() if one.is_plain}
    changing = {
        name for name, one in plain.items() if _CHANGES.search(one.text) or changes_what_it_named(one.text, _OWN)
    }
    changing |= {name for name, one in plain.items() if changing & set(_CALLED.findall(one.text))}
    known = _known_types(plain.values(), read)
    called = [
        _call(one, read, known)
        for name, one in plain.items()
        if name in changing and (one.is_public or name == entry.name)
    ]
    calls = tuple(one for one in called if one is not None)[:_MOST_CALLS]
    if calls:
        kind = InputType("list", (InputType("union", calls),))
        found.append((EntryParameter(BEFORE, (kind,), True, role="before"), ""))
    if entry.name in changing and entry.name in plain:
        others = [one for name, one in plain.items() if name != entry.name and one.is_public and _says(one)]
        shown = [_call(one, read, known) for one in others]
        kinds = [one for one in shown if one is not None][:_MOST_CALLS]
        # How an object keeps what it has is its own affair: its fields only matter where nothing else shows that.
        is_silent = not kinds and not _says(plain[entry.name])
        fields = tuple(f'"{name}"' for name in _public_fields(classes, methods)) if is_silent else ()
        kinds += [InputType("choice", members=fields)] if fields else []
        if kinds:
            kinds = [*([_NOTHING] if _says(plain[entry.name]) else []), *kinds]
            found.append((EntryParameter(AFTER, (InputType("union", tuple(kinds)),), True, role="after"), ""))
    return found


def _classes(root: tree_sitter.Node, entry: ScriptEntry) -> list[tree_sitter.Node]:
    """The class of a method and those of the text that it is derived from."""
    by_name = {text_of(one.child_by_field_name("name")): one for one in walk(root) if one.type in CLASSES}
    found = [entry.class_node] if entry.class_node is not None else []
    for one in found:
        heritage = next((child for child in one.children if child.type == "class_heritage"), None)
        names = re.findall(r"[\w$]+", text_of(heritage).removeprefix("extends")) if heritage is not None else []
        base = by_name.get(names[0]) if names else None
        if base is not None and base not in found:
            found.append(base)
    return found


def _members(node: tree_sitter.Node) -> Iterator[_Method]:
    body = node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        value = member.child_by_field_name("value")
        function = member if member.type == "method_definition" else value
        if function is not None and function.type in (*FUNCTION_VALUES, "method_definition"):
            name = text_of(member.child_by_field_name("name") or member.child_by_field_name("property"))
            words = {child.type for child in (*member.children, *function.children)}
            words |= {text_of(child) for child in member.children if child.type == "accessibility_modifier"}
            yield _Method(name, function, text_of(member), frozenset(words))


def _known_types(methods: Iterable[_Method], read: ReadParameters) -> dict[str, InputType]:
    """The types of parameters by name: what one takes for a `key`, another one takes, too."""
    found: dict[str, InputType] = {}
    for one in methods:
        for parameter, _ in read(one.function):
            if parameter.types:
                found.setdefault(parameter.name, parameter.types[0])
    return found


def _call(method: _Method, read: ReadParameters, known: Mapping[str, InputType]) -> InputType | None:
    """A call of a method as a type: an object with its arguments, by place; None if they cannot be made."""
    types: list[InputType] = []
    for parameter, how in read(method.function):
        kind = parameter.types[0] if parameter.types else known.get(parameter.name, _INT)
        if how or kind.kind == "default":
            if parameter.optional:
                break
            return None
        types.append(kind)
    if len(types) > len(_LETTERS):
        return None
    return InputType("object", name=method.name, fields=tuple(zip(_LETTERS, types, strict=False)))


def _says(method: _Method) -> bool:
    """Whether a method returns something."""
    body = method.function.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        return True
    return any(
        one.type in ("return_statement", "yield_expression") and one.named_children for one in walk(method.function)
    )


def _public_fields(classes: Sequence[tree_sitter.Node], methods: dict[str, _Method]) -> list[str]:
    """Fields and getters whose names do not say that they are private."""
    constructor = methods.get("constructor")
    found = _FIELD.findall(constructor.text) if constructor is not None else []
    hidden = set()
    parameters = constructor.function.child_by_field_name("parameters") if constructor is not None else None
    for one in parameters.named_children if parameters is not None else ():
        written = text_of(one)
        if re.match(r"(public|readonly)\b", written):
            found.append(text_of(one.child_by_field_name("pattern")))
    for node in classes:
        body = node.child_by_field_name("body")
        for member in body.named_children if body is not None else ():
            name = text_of(member.child_by_field_name("name") or member.child_by_field_name("property"))
            words = {child.type for child in member.children}
            if re.match(r"(private|protected)\b", text_of(member)):
                hidden.add(name)
            elif "get" in words or member.type in ("field_definition", "public_field_definition"):
                value = member.child_by_field_name("value")
                if "static" not in words and (value is None or value.type not in FUNCTION_VALUES):
                    found.append(name)
    return [one for one in dict.fromkeys(found) if one.isidentifier() and not one.startswith("_") and one not in hidden]
