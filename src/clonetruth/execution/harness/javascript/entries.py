"""The functions of a text of JavaScript or TypeScript, and which of them to call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from clonetruth.execution.harness.text_edits import text_of, walk

_DECLARATIONS = ("function_declaration", "generator_function_declaration")
FUNCTION_VALUES = ("arrow_function", "function_expression", "generator_function", "function")
CLASSES = ("class_declaration", "class", "abstract_class_declaration")


@dataclass(frozen=True)
class ScriptEntry:
    """A function that can be called.

    Attributes:
        name: of the function.
        owner: its class or object; empty if there is none.
        receiver: the expression that makes the object to call it on; None if there is none.
        target: the expression of the function; behind the receiver if there is one.
        function: its node.
        statement: the statement that defines it.
        class_node: the class whose object is made anew for each call; None if there is none.
    """

    name: str
    owner: str
    receiver: str | None
    target: str
    function: tree_sitter.Node
    statement: tree_sitter.Node
    class_node: tree_sitter.Node | None = None

    @property
    def title(self) -> str:
        """How people name it."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


def entries_of(root: tree_sitter.Node) -> list[ScriptEntry]:
    """The functions that the text defines at its top, and those of its classes and objects."""
    return [entry for statement in root.named_children for entry in _entries(statement, statement)]


def _entries(node: tree_sitter.Node, statement: tree_sitter.Node) -> Iterator[ScriptEntry]:
    if node.type == "export_statement":
        for child in node.named_children:
            if child.type in (*_DECLARATIONS, *CLASSES, "lexical_declaration", "variable_declaration"):
                yield from _entries(child, statement)
            elif child.type in FUNCTION_VALUES:
                yield from _value("exported", child, statement)
    elif node.type in _DECLARATIONS:
        name = text_of(node.child_by_field_name("name"))
        yield ScriptEntry(name, "", None, name, node, statement)
    elif node.type in CLASSES:
        yield from _methods(node, text_of(node.child_by_field_name("name")), statement)
    elif node.type in ("lexical_declaration", "variable_declaration"):
        for declarator in node.named_children:
            target, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if target is not None and value is not None:
                yield from _value(text_of(target), value, statement)
    elif node.type == "expression_statement" and node.named_children[0].type == "assignment_expression":
        assignment = node.named_children[0]
        left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        while right is not None and right.type == "assignment_expression":
            right = right.child_by_field_name("right")
        if left is not None and right is not None and left.type in ("identifier", "member_expression"):
            yield from _value(text_of(left), right, statement)


def _value(target: str, value: tree_sitter.Node, statement: tree_sitter.Node) -> Iterator[ScriptEntry]:
    """Functions in a value that has a name, such as `f`, `module.exports` or `Stack.prototype.push`."""
    if value.type in FUNCTION_VALUES:
        owner, _, name = target.rpartition(".")
        if owner.endswith(".prototype"):
            made = owner.removesuffix(".prototype")
            yield ScriptEntry(name, made, f"new {made}()", _property(name), value, statement)
        elif owner in ("", "module", "exports", "module.exports"):
            own = text_of(value.child_by_field_name("name"))
            yield ScriptEntry(own or name, "", None, target, value, statement)
        else:
            yield ScriptEntry(name, owner, owner, _property(name), value, statement)
    elif value.type in CLASSES:
        yield from _methods(value, target, statement)
    elif value.type == "object":
        owner = "" if target == "module.exports" else target
        for member in value.named_children:
            function = member if member.type == "method_definition" else member.child_by_field_name("value")
            name = text_of(member.child_by_field_name("name") or member.child_by_field_name("key"))
            if (
                function is not None
                and function.type in (*FUNCTION_VALUES, "method_definition")
                and name.isidentifier()
            ):
                yield ScriptEntry(name, owner, target, _property(name), function, statement)


def _methods(node: tree_sitter.Node, owner: str, statement: tree_sitter.Node) -> Iterator[ScriptEntry]:
    body = node.child_by_field_name("body")
    members = body.named_children if body is not None else []
    for member in members:
        value = member.child_by_field_name("value")
        function = member if member.type == "method_definition" else value
        name = text_of(member.child_by_field_name("name") or member.child_by_field_name("property"))
        words = {child.type for child in member.children}
        if function is None or function.type not in (*FUNCTION_VALUES, "method_definition") or not name.isidentifier():
            continue
        if name == "constructor" or words & {"get", "set"}:
            continue
        static = "static" in words
        yield ScriptEntry(name, owner, owner, _property(name), function, statement, None if static else node)


def _property(name: str) -> str:
    return f"[{json.dumps(name)}]"


def choose_entry(found: Sequence[ScriptEntry], wanted: str | None) -> ScriptEntry | None:
    """The function to call: the one that is wanted by name, else the last one that no other calls."""
    if wanted is not None:
        matching = [one for one in found if wanted in (one.name, one.title)]
        return matching[-1] if matching else None
    if not found:
        return None
    called: dict[str, set[tuple[str, str]]] = {}
    for one in found:
        for node in walk(one.function):
            if node.type in ("identifier", "property_identifier", "private_property_identifier"):
                called.setdefault(text_of(node), set()).add((one.owner, one.name))
    free = [one for one in found if not called.get(one.name, set()) - {(one.owner, one.name)}]
    public = [one for one in free if not one.name.startswith(("_", "#"))]
    return (public or free or list(found))[-1]
