"""TypeScript as JavaScript: types are erased on the host, without a compiler, so types that are wrong do not matter.

Enumerations and parameter properties become the code that they stand for. Fields without a value disappear.
"""

from __future__ import annotations

from collections.abc import Collection

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.text_edits import TextEdits, text_of, walk

_STATEMENTS = frozenset(
    {
        "interface_declaration",
        "type_alias_declaration",
        "ambient_declaration",
        "function_signature",
        "import_alias",
    }
)
"""Statements that only say something about types."""

_ERASED = frozenset(
    {
        "type_annotation",
        "type_arguments",
        "type_parameters",
        "type_predicate_annotation",
        "asserts_annotation",
        "opting_type_annotation",
        "omitting_type_annotation",
        "adding_type_annotation",
        "implements_clause",
        "accessibility_modifier",
        "override_modifier",
        "abstract_method_signature",
        "method_signature",
        "index_signature",
        "decorator",
    }
)
_MODIFIERS = frozenset({"readonly", "abstract", "declare", "?", "!"})
_WITH_MODIFIERS = frozenset(
    {
        "public_field_definition",
        "method_definition",
        "optional_parameter",
        "required_parameter",
        "abstract_class_declaration",
        "variable_declarator",
    }
)


def erase_types(text: str) -> str:
    """A text of TypeScript as JavaScript. What does not parse stays as it is.

    Example:
        >>> erase_types("const f = (a: number, b?: string): number => (a as any)!")
        'const f = (a, b) => (a )'
    """
    source = text.encode("utf-8", "replace")
    tree = language("typescript").parser.parse(source)
    return _erase(tree.root_node, source).decode("utf-8", "replace")


def _erase(root: tree_sitter.Node, source: bytes) -> bytes:
    edits = TextEdits(source)
    pending = [root]
    while pending:
        node = pending.pop()
        kind = node.type
        if kind in _STATEMENTS or _is_type_import(node):
            edits.replace(node.start_byte, node.end_byte, b";")
        elif kind in _ERASED or _is_this_parameter(node) or _is_empty_field(node):
            edits.remove(node)
            following = node.next_sibling
            if kind == "required_parameter" and following is not None and following.type == ",":
                edits.remove(following)
        elif kind == "import_specifier" and any(child.type == "type" for child in node.children):
            edits.remove(node)
            if (comma := node.next_sibling) is not None and comma.type == ",":
                edits.remove(comma)
        elif kind == "import_statement" and node.named_children[0].type == "import_require_clause":
            clause = node.named_children[0]
            edits.replace(node.start_byte, clause.start_byte, b"var ")
        elif kind == "enum_declaration":
            edits.replace(node.start_byte, node.end_byte, _enumeration(node))
        else:
            _edit_node(node, edits)
            pending += reversed(node.children)
    return edits.result()


def _edit_node(node: tree_sitter.Node, edits: TextEdits) -> None:
    """Edit what a node has beside its children."""
    kind = node.type
    if kind in ("as_expression", "satisfies_expression"):
        kept = node.children[0]
        edits.replace(kept.end_byte, node.end_byte, b" ")
    elif kind == "non_null_expression":
        edits.remove(node.children[-1])
    elif kind in _WITH_MODIFIERS:
        for child in node.children:
            if child.type in _MODIFIERS:
                edits.remove(child)
    if kind == "method_definition" and text_of(node.child_by_field_name("name")) == "constructor":
        _assign_parameters(node, edits)


def _is_type_import(node: tree_sitter.Node) -> bool:
    if node.type in ("import_statement", "export_statement"):
        return any(child.type == "type" for child in node.children) or any(
            child.type in _STATEMENTS for child in node.children
        )
    return False


def _is_this_parameter(node: tree_sitter.Node) -> bool:
    if node.type != "required_parameter":
        return False
    pattern = node.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


def _is_empty_field(node: tree_sitter.Node) -> bool:
    """Whether a node only says the type of a field; a private one must be declared."""
    name = node.child_by_field_name("name")
    is_private = name is not None and name.type == "private_property_identifier"
    return node.type == "public_field_definition" and node.child_by_field_name("value") is None and not is_private


def _assign_parameters(constructor: tree_sitter.Node, edits: TextEdits) -> None:
    """The assignments that parameter properties stand for, behind the call of the super constructor if there is one."""
    parameters, body = constructor.child_by_field_name("parameters"), constructor.child_by_field_name("body")
    if parameters is None or body is None:
        return
    names = [
        text_of(one.child_by_field_name("pattern"))
        for one in parameters.named_children
        if any(child.type in ("accessibility_modifier", "readonly", "override_modifier") for child in one.children)
    ]
    if not names:
        return
    position = body.start_byte + 1
    for statement in body.named_children:
        if text_of(statement).startswith("super("):
            position = statement.end_byte
    edits.replace(position, position, " ".join(f" this.{name} = {name};" for name in names).encode())


def _enumeration(node: tree_sitter.Node) -> bytes:
    """An object with the values by name, and the names by number."""
    name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
    members: list[str] = []
    known: set[str] = set()
    following, counted = "0", True
    for member in body.named_children if body is not None else ():
        if member.type == "comment":
            continue
        value = member.child_by_field_name("value")
        key = text_of(member.child_by_field_name("name") or member)
        quoted = key if key[:1] in "'\"" else f'"{key}"'
        counted = counted if value is None else value.type != "string"
        said = following if value is None else _with_members(value, name, known)
        known.add(key)
        target = f"{name}[{quoted}]"
        members.append(f"{target} = {said};" + (f" {name}[{target}] = {quoted};" if counted else ""))
        following = f"{target} + 1"
    inner = " ".join(members)
    return f"var {name} = {name} || {{}}; {inner}".encode()


def _with_members(value: tree_sitter.Node, name: str, known: Collection[str]) -> str:
    """The value of a member, in which members before it may go by their names alone: `All = Read | Write`."""
    written = text_of(value)
    for node in reversed([one for one in walk(value) if one.type == "identifier" and text_of(one) in known]):
        start, end = node.start_byte - value.start_byte, node.end_byte - value.start_byte
        encoded = written.encode()
        written = (encoded[:start] + f"{name}.".encode() + encoded[start:end] + encoded[end:]).decode()
    return written
