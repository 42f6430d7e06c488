"""Types of TypeScript, which JSDoc comments use too, as types of inputs."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.text_edits import text_of, walk
from clonetruth.execution.inputs.types import InputType

_INT, _STR = InputType("int"), InputType("str")
_NAMED = {
    "number": (_INT, InputType("float")),
    "Number": (_INT, InputType("float")),
    "int": (_INT,),
    "integer": (_INT,),
    "float": (InputType("float"),),
    "string": (_STR,),
    "String": (_STR,),
    "boolean": (InputType("bool"),),
    "Boolean": (InputType("bool"),),
    "bool": (InputType("bool"),),
    "bigint": (_INT,),
    "Date": (InputType("datetime"),),
    "object": (InputType("map", (_STR, _INT)), InputType("map", (_STR, _STR))),
    "null": (InputType("none"),),
    "undefined": (InputType("none"),),
    "void": (InputType("none"),),
}
_LISTS = frozenset({"Array", "ReadonlyArray", "ArrayLike", "Iterable", "IterableIterator"})
_TYPED_ARRAYS = {
    "Float64Array": InputType("float"),
    "Float32Array": InputType("float"),
    "Int32Array": InputType("int", bits=32),
    "Int16Array": InputType("int", bits=16),
    "Int8Array": InputType("int", bits=8),
    "Uint32Array": InputType("int", bits=32, signed=False),
    "Uint16Array": InputType("int", bits=16, signed=False),
    "Uint8Array": InputType("int", bits=8, signed=False),
    "Uint8ClampedArray": InputType("int", bits=8, signed=False),
}
_MOST = 3
_LEVELS, _MANY = 3, 7
"""How deep a type that has itself in it is written out, and how often it may be in it for that."""


def declarations(root: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """The interfaces, aliases, classes and enumerations of a tree by name, and what parameters of types extend."""
    kinds = (
        "interface_declaration",
        "type_alias_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
    )
    nodes = list(walk(root))
    # A declared type of the same name as a parameter is another one.
    bound = {
        text_of(one.child_by_field_name("name")): one
        for one in nodes
        if one.type == "type_parameter" and one.child_by_field_name("constraint") is not None
    }
    return {**bound, **{text_of(one.child_by_field_name("name")): one for one in nodes if one.type in kinds}}


@dataclass
class DeclaredTypes:
    """The types that a text of TypeScript declares, and those that it imports.

    Attributes:
        declared: interfaces, aliases, classes and enumerations by name.
    """

    declared: dict[str, tree_sitter.Node] = field(default_factory=dict)

    def read(self, text: str) -> tuple[InputType, ...]:
        """The candidates for a type that is written as text, as in comments; empty if it says nothing."""
        text = text.replace("*", "any").replace("?", "").strip()
        tree = language("typescript").parser.parse(f"let x: {text}".encode())
        if tree.root_node.has_error:
            return ()
        found = next((one for one in walk(tree.root_node) if one.type == "type_annotation"), None)
        return self.types(found)

    def types(self, node: tree_sitter.Node | None, above: tuple[str, ...] = ()) -> tuple[InputType, ...]:
        """The candidates for a type, the likeliest first; empty if anything fits or nothing can be made."""
        if node is None:
            return ()
        kind = node.type
        parts = [one for one in node.named_children if one.type != "comment"]
        if kind in ("type_annotation", "parenthesized_type", "readonly_type", "optional_type"):
            return self.types(parts[0], above) if parts else ()
        if kind == "literal_type" and _literal(node) is not None:
            return _choice([_literal(node)])
        if kind in ("predefined_type", "type_identifier", "literal_type"):
            return self._named(node, above)
        if kind == "index_type_query":
            return (_STR,)
        if kind == "array_type":
            return _containers("list", [self.types(parts[0], above) or (_INT, _STR)])
        if kind == "tuple_type":
            inner = [self.types(one, above) or (_INT,) for one in parts]
            return tuple(InputType("tuple", one) for one in itertools.islice(itertools.product(*inner), _MOST))
        if kind == "generic_type":
            return self._generic(node, above)
        if kind == "union_type":
            literals = [_literal(one) for one in _alternatives(node)]
            if all(one is not None for one in literals):
                return _choice(literals)
            each = [self.types(part, above) for part in _alternatives(node)]
            found = [one for types in each for one in types]
            kept = list(dict.fromkeys(one for one in found if one.kind != "none"))
            firsts = tuple(dict.fromkeys(types[0] for types in each if types and types[0].kind != "none"))
            if len(firsts) > 1 and all(one.kind != "ref" for one in firsts):
                kept.insert(0, InputType("union", firsts))
            optional = len(kept) > 0 and any(one.kind == "none" for one in found)
            return tuple(replace(one, optional=True) if optional else one for one in kept)
        if kind == "lookup_type" and len(parts) == 2:
            name = text_of(parts[1]).strip("\"'")
            fields = [dict(one.fields) for one in self.types(parts[0], above)]
            return tuple(one[name] for one in fields if name in one)
        if kind == "object_type":
            return self._members(node, "Object", above)
        if kind == "function_type":
            results = self.types(node.child_by_field_name("return_type"), above) or (_INT,)
            return tuple(InputType("function", (one,)) for one in results if one.kind not in ("none", "function"))
        return ()

    def _named(self, node: tree_sitter.Node, above: tuple[str, ...]) -> tuple[InputType, ...]:
        name = text_of(node)
        if name in _NAMED:
            return _NAMED[name]
        if node.type == "literal_type":
            first = node.named_children[0] if node.named_children else None
            kinds = {"string": (_STR,), "number": (_INT,), "true": _NAMED["boolean"], "false": _NAMED["boolean"]}
            return kinds.get(first.type, _NAMED["null"]) if first is not None else ()
        if name in _TYPED_ARRAYS:
            return (InputType("list", (_TYPED_ARRAYS[name],)),)
        declaration = self.declared.get(name)
        if name in above:
            unions = [one for one in above if self._is_union(one)]
            if not unions:
                return (InputType("ref", name=name),)
            # Trees of several kinds of nodes end where only the kinds without branches are left.
            text = text_of(self.declared[unions[0]])
            levels = _LEVELS if len(re.findall(rf"\b{re.escape(name)}\b", text)) <= _MANY else _LEVELS - 1
            if above.count(name) >= levels:
                return ()
        if declaration is None:
            return _well_known(name)
        if declaration.type == "type_parameter":
            constraint = declaration.child_by_field_name("constraint")
            extended = constraint.named_children if constraint is not None else []
            return self.types(extended[0], (*above, name)) if extended else ()
        if declaration.type == "enum_declaration":
            return _choice(_enum_values(declaration)) or (_INT,)
        if declaration.type == "type_alias_declaration":
            value = declaration.child_by_field_name("value")
            if value is not None and value.type == "object_type":
                return self._members(value, name, above)
            return self.types(value, (*above, name))
        body = declaration.child_by_field_name("body")
        return self._members(body, name, above) if body is not None else ()

    def _is_union(self, name: str) -> bool:
        """Whether a name stands for one of several types, apart from null."""
        declaration = self.declared.get(name)
        value = declaration.child_by_field_name("value") if declaration is not None else None
        if value is None or value.type != "union_type":
            return False
        return sum(text_of(one) not in ("null", "undefined") for one in _alternatives(value)) > 1

    def _generic(self, node: tree_sitter.Node, above: tuple[str, ...]) -> tuple[InputType, ...]:
        name = text_of(node.child_by_field_name("name"))
        arguments = node.child_by_field_name("type_arguments")
        inner = [self.types(one, above) or (_INT, _STR) for one in (arguments.named_children if arguments else ())]
        if name in _LISTS and inner:
            return _containers("list", inner[:1])
        if name in ("Set", "ReadonlySet") and inner:
            return _containers("set", inner[:1])
        if name in ("Map", "ReadonlyMap", "Record") and len(inner) == 2:
            return _containers("map", inner)
        if name in ("Readonly", "Partial", "Required", "NonNullable", "Promise") and inner:
            return inner[0]
        return self._named(node.named_children[0], above) if node.named_children else ()

    def _members(self, body: tree_sitter.Node, name: str, above: tuple[str, ...]) -> tuple[InputType, ...]:
        """An object with fields; a map if it has an index signature."""
        inside = (*above, name) if name != "Object" else above
        fields: list[tuple[str, InputType]] = []
        for member in body.named_children:
            kind = member.child_by_field_name("type")
            if member.type == "index_signature":
                return _containers("map", [(_STR,), self.types(kind, inside) or (_INT,)])
            if member.type in ("property_signature", "public_field_definition"):
                found = self.types(kind, inside)
                if not found:
                    return ()
                optional = any(child.type == "?" for child in member.children)
                # A field with a question mark is absent rather than null.
                is_link = found[0].kind == "ref"
                first = replace(found[0], optional=True) if optional and is_link else found[0]
                if optional and not is_link:
                    first = InputType("union", (found[0], InputType("default")))
                fields.append((text_of(member.child_by_field_name("name")), first))
            elif text_of(member.child_by_field_name("name")) == "constructor":
                fields += self._properties(member, inside)
        return (InputType("object", name=name, fields=tuple(fields)),)

    def _properties(self, constructor: tree_sitter.Node, above: tuple[str, ...]) -> list[tuple[str, InputType]]:
        parameters = constructor.child_by_field_name("parameters")
        found = []
        for one in parameters.named_children if parameters is not None else ():
            if any(child.type == "accessibility_modifier" for child in one.children):
                types = self.types(one.child_by_field_name("type"), above)
                if types:
                    found.append((text_of(one.child_by_field_name("pattern")), types[0]))
        return found


def _alternatives(union: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The parts of a union, which the grammar nests."""
    for part in union.named_children:
        if part.type == "union_type":
            yield from _alternatives(part)
        elif part.type != "comment":
            yield part


def _literal(node: tree_sitter.Node | None) -> str | None:
    """A text or whole number that a type or an expression consists of, as JSON; None if it is something else."""
    if node is not None and node.type == "literal_type" and node.named_children:
        node = node.named_children[0]
    written = text_of(node)
    if node is not None and node.type == "string" and "\\" not in written:
        return json.dumps(written[1:-1])
    return written if re.fullmatch(r"-?\d+", written) else None


def _choice(values: Sequence[str | None]) -> tuple[InputType, ...]:
    members = tuple(one for one in values if one is not None)
    return (InputType("choice", members=members),) if members and len(members) == len(values) else ()


def _enum_values(declaration: tree_sitter.Node) -> list[str | None]:
    """What the members of an enumeration stand for: what is assigned, or one more than the member before."""
    found: list[str | None] = []
    body = declaration.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        if member.type == "enum_assignment":
            found.append(_literal(member.child_by_field_name("value")))
        elif member.type != "comment":
            before = found[-1] if found else "-1"
            found.append(str(int(before) + 1) if before is not None and before.lstrip("-").isdigit() else None)
    return found


def _containers(kind: str, inner: Sequence[Sequence[InputType]]) -> tuple[InputType, ...]:
    return tuple(InputType(kind, tuple(one)) for one in itertools.islice(itertools.product(*inner), _MOST))


def _well_known(name: str) -> tuple[InputType, ...]:
    """Nodes of lists and trees, as teaching sites define them."""
    if name in ("ListNode", "SinglyLinkedListNode"):
        link = InputType("ref", name=name, optional=True)
        return (InputType("object", name=name, fields=(("val", _INT), ("next", link))),)
    if name in ("TreeNode", "BinaryTreeNode"):
        link = InputType("ref", name=name, optional=True)
        return (InputType("object", name=name, fields=(("val", _INT), ("left", link), ("right", link))),)
    return ()
