"""JavaScript modules as scripts: imports become calls of `require`, exports lose their keyword."""

from __future__ import annotations

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.javascript.text_edits import TextEdits, text_of, walk
from clonetruth.execution.harness.javascript.typescript import erase_types


def as_script(text: str, language_name: str = "javascript") -> str:
    """A text of JavaScript or TypeScript as a script that node runs.

    Example:
        >>> as_script("import { a as b } from 'x'\\nexport default function f(n: number) { return b(n) }", "typescript")
        "var { a: b } = require('x');\\n function f(n) { return b(n) }"
    """
    if language_name == "typescript":
        text = erase_types(text)
    source = text.encode("utf-8", "replace")
    root = language("javascript").parser.parse(source).root_node
    edits = TextEdits(source)
    # Names that only types used are not imported: TypeScript leaves them out, too.
    used = _used_names(root) if language_name == "typescript" else None
    for node in root.children:
        if node.type == "import_statement":
            edits.replace(node.start_byte, node.end_byte, _required(node, used).encode())
        elif node.type == "export_statement":
            _edit_export(node, edits)
    return edits.result().decode("utf-8", "replace")


def _used_names(root: tree_sitter.Node) -> set[str]:
    found = walk(root, lambda node: node.type != "import_statement")
    return {text_of(node) for node in found if node.type in ("identifier", "shorthand_property_identifier")}


def _required(node: tree_sitter.Node, used: set[str] | None) -> str:
    module = text_of(node.child_by_field_name("source"))
    clause = next((child for child in node.children if child.type == "import_clause"), None)
    found = f"require({module})"
    if clause is None:
        return f"{found};"
    targets: list[str] = []
    for one in clause.named_children:
        if one.type in ("identifier", "namespace_import"):
            name = text_of(one if one.type == "identifier" else one.named_children[-1])
            if used is None or name in used:
                targets.append(f"{name} = {found}")
            continue
        specifiers = [each for each in one.named_children if each.type == "import_specifier"]
        names = [_renamed(each) for each in specifiers if used is None or text_of(each.named_children[-1]) in used]
        if names:
            targets.append(f"{{ {', '.join(names)} }} = {found}")
    return f"var {', '.join(targets)};" if targets else ";"


def _renamed(node: tree_sitter.Node) -> str:
    name, alias = text_of(node.child_by_field_name("name")), text_of(node.child_by_field_name("alias"))
    return f"{name}: {alias}" if alias else name


def _edit_export(node: tree_sitter.Node, edits: TextEdits) -> None:
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    if declaration is not None:
        edits.replace(node.start_byte, declaration.start_byte, b" ")
    elif value is not None and value.type in ("identifier",):
        edits.replace(node.start_byte, node.end_byte, b";")
    elif value is not None and value.child_by_field_name("name") is not None:
        edits.replace(node.start_byte, value.start_byte, b" ")
    elif value is not None:
        edits.replace(node.start_byte, value.start_byte, b"var exported = ")
    else:
        edits.replace(node.start_byte, node.end_byte, b";")
