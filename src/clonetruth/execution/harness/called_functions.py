"""Which functions of a text a call can reach, as far as names say: only these count for coverage.

A file has other functions beside the one that is called. That their code is not reached says nothing about the inputs.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from clonetruth.execution.harness.text_edits import text_of, walk

_FUNCTIONS = (
    "function_definition",
    "function_declaration",
    "generator_function_declaration",
    "method_declaration",
    "method_definition",
)
_ASSIGNED = {"variable_declarator": "value", "pair": "value", "field_definition": "value"}
"""Nodes that name a function, and where it is: `const f = x => x`."""
_VALUES = ("arrow_function", "function_expression", "generator_function")
_NAMES = (
    *("identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name"),
    *("property_identifier", "private_property_identifier", "shorthand_property_identifier"),
)


def functions_of(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The functions and methods of a tree, without those inside others."""
    return (node for node in walk(root, lambda one: not _is_function(one)) if _is_function(node))


def called_functions(root: tree_sitter.Node, entry: str) -> Iterator[tree_sitter.Node]:
    """The function of a name, and the functions of the text that it calls."""
    known: dict[str, list[tree_sitter.Node]] = {}
    for node in functions_of(root):
        known.setdefault(function_name(node), []).append(node)
    waiting, seen = [entry.rpartition(".")[2].rpartition("::")[2]], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for function in known.get(name, ()):
            yield function
            waiting += [text_of(one) for one in walk(function) if one.type in _NAMES]


def uncalled_functions(root: tree_sitter.Node, entry: str) -> list[tree_sitter.Node]:
    """The functions of a text that a call does not reach; none if the one that is called is not there."""
    called = {one.id for one in called_functions(root, entry)}
    return [one for one in functions_of(root) if one.id not in called] if called else []


def function_name(function: tree_sitter.Node) -> str:
    """The name of a function, without that of its class."""
    node = function.child_by_field_name("name") or function.child_by_field_name("declarator")
    node = node or function.child_by_field_name("key") or function.child_by_field_name("property")
    while node is not None and node.type not in _NAMES:
        node = (
            node.child_by_field_name("declarator")
            or node.child_by_field_name("name")
            or next((one for one in node.named_children if "declarator" in one.type or one.type in _NAMES), None)
        )
    return text_of(node)


def _is_function(node: tree_sitter.Node) -> bool:
    if node.type in _ASSIGNED:
        value = node.child_by_field_name(_ASSIGNED[node.type])
        return value is not None and value.type in _VALUES
    return node.type in _FUNCTIONS
