"""JavaScript modules as scripts: imports become calls of `require`, exports lose their keyword."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.javascript.typescript import erase_types
from clonetruth.execution.harness.text_edits import TextEdits, text_of, walk

_DEFAULT = "(module => module && module.__esModule ? module.default : module)({})"
"""What a module of the project exports by default: everything, where it has no such export."""


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


_LIVE = "Object.defineProperty(exports, {name}, {{ enumerable: true, configurable: true, get: () => {value} }});"
_STAR = (
    "Object.keys({module}).forEach(name => {{ if (name !== 'default' && !(name in exports)) "
    "Object.defineProperty(exports, name, {{ enumerable: true, get: () => {module}[name] }}) }});"
)


@lru_cache(maxsize=4096)
def as_module(text: str, language_name: str = "javascript") -> str:
    """A file of JavaScript or TypeScript as the body of a CommonJS module: what it exports is in `exports`.

    Example:
        >>> as_module("exports.a = 1")
        'exports.a = 1'
    """
    if language_name == "typescript":
        text = erase_types(text)
    source = text.encode("utf-8", "replace")
    root = language("javascript").parser.parse(source).root_node
    if not any(node.type in ("import_statement", "export_statement") for node in root.children):
        return text
    edits = TextEdits(source)
    used = _used_names(root) if language_name == "typescript" else None
    exported: list[tuple[str, str]] = []
    copied: list[str] = []
    for number, node in enumerate(root.children):
        if node.type == "import_statement":
            edits.replace(node.start_byte, node.end_byte, _imported(node, used).encode())
        elif node.type == "export_statement" and node.child_by_field_name("source") is not None:
            module = f"__from{number}"
            edits.replace(node.start_byte, node.end_byte, _passed_on(node, module, exported, copied).encode())
        elif node.type == "export_statement":
            _edit_export(node, edits)
            exported += _exported(node)
    # Before the code, for modules that import each other: functions are there already, values when they are read.
    lines = ["Object.defineProperty(exports, '__esModule', { value: true });"]
    lines += [_LIVE.format(name=json.dumps(name), value=value) for name, value in exported]
    after = "".join(_STAR.format(module=module) for module in copied)
    return f"{''.join(lines)}{edits.result().decode('utf-8', 'replace')}\n{after}"


def _passed_on(node: tree_sitter.Node, module: str, exported: list[tuple[str, str]], copied: list[str]) -> str:
    """`export … from 'x'`: what it exports, and what takes its place."""
    clause = next((one for one in node.named_children if one.type in ("export_clause", "namespace_export")), None)
    if clause is None:
        copied.append(module)
    elif clause.type == "namespace_export":
        exported.append((text_of(clause.named_children[-1]).strip("'\""), module))
    else:
        for name, alias in _specified(clause):
            exported.append((alias, f"{module}[{json.dumps(name)}]"))
    return f"var {module} = require({text_of(node.child_by_field_name('source'))});"


def _specified(clause: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    """The names of `{ a as b }`: what they are here, and what they are for others."""
    for one in clause.named_children:
        if one.type == "export_specifier":
            name, alias = text_of(one.child_by_field_name("name")), text_of(one.child_by_field_name("alias"))
            yield name.strip("'\""), (alias or name).strip("'\"")


def _exported(node: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    """What a statement exports: the name for others, and the expression."""
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    is_default = any(one.type == "default" for one in node.children)
    if declaration is not None:
        own = declaration.child_by_field_name("name")
        if own is not None:
            yield ("default" if is_default else text_of(own)), text_of(own)
        for one in declaration.named_children:
            target = one.child_by_field_name("name") if one.type == "variable_declarator" else None
            for bound in walk(target) if target is not None else ():
                if bound.type in ("identifier", "shorthand_property_identifier_pattern"):
                    yield text_of(bound), text_of(bound)
    elif value is not None and (value.type == "identifier" or value.child_by_field_name("name") is not None):
        yield "default", text_of(value if value.type == "identifier" else value.child_by_field_name("name"))
    elif value is not None:
        yield "default", "exported"
    else:
        clause = next((one for one in node.named_children if one.type == "export_clause"), None)
        for name, alias in _specified(clause) if clause is not None else ():
            yield alias, name


def _used_names(root: tree_sitter.Node) -> set[str]:
    found = walk(root, lambda node: node.type != "import_statement")
    return {text_of(node) for node in found if node.type in ("identifier", "shorthand_property_identifier")}


def _required(node: tree_sitter.Node, used: set[str] | None) -> str:
    if not any(child.type == "import_clause" for child in node.children):
        return f"require({text_of(node.child_by_field_name('source'))});"
    targets = [f"{target} = {value}" for target, value, _ in _targets(node, used)]
    return f"var {', '.join(targets)};" if targets else ";"


def _imported(node: tree_sitter.Node, used: set[str] | None) -> str:
    """An import of a module of the project: of two that import each other, one is not ready, and is asked again."""
    targets = list(_targets(node, used))
    if text_of(node.child_by_field_name("source"))[1:2] != "." or not targets:
        return _required(node, used)
    names = ", ".join(name for _, _, names in targets for name in names)
    return f"var {names}; __import(() => {{ {' '.join(f'({target} = {value});' for target, value, _ in targets)} }});"


def _targets(node: tree_sitter.Node, used: set[str] | None) -> Iterator[tuple[str, str, list[str]]]:
    """What an import assigns to, the value, and the names that it binds."""
    module = text_of(node.child_by_field_name("source"))
    clause = next((child for child in node.children if child.type == "import_clause"), None)
    found = f"require({module})"
    if clause is None:
        return
    for one in clause.named_children:
        if one.type in ("identifier", "namespace_import"):
            name = text_of(one if one.type == "identifier" else one.named_children[-1])
            if used is None or name in used:
                is_own = one.type == "identifier" and module[1:2] == "."
                yield name, _DEFAULT.format(found) if is_own else found, [name]
            continue
        specifiers = [each for each in one.named_children if each.type == "import_specifier"]
        taken = [each for each in specifiers if used is None or text_of(each.named_children[-1]) in used]
        if taken:
            names = [text_of(each.named_children[-1]) for each in taken]
            yield f"{{ {', '.join(map(_renamed, taken))} }}", found, names


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
