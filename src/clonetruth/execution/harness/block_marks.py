"""Marks in functions of C++ and Go: a statement at the start of every block, branch and case says that it was reached.

Compilers could count more, but also everything that templates and the runtime bring along. Marks are in the function
that is called and in those of the text that it calls, by name. Where the text cannot be read there are none, and
coverage is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.javascript.text_edits import TextEdits, text_of, walk

MARK = {"cpp": "ct_point", "go": "ctPoint"}
"""The function that a mark calls, with its number."""

_FUNCTIONS = ("function_definition", "function_declaration", "method_declaration")
_BLOCKS = ("compound_statement", "block")
_NOT_ENTERED = (*_BLOCKS, "switch_statement")
"""A block in these is entered whenever they are, or not at its start."""
_NAMES = ("identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name")
_BODIES = {
    "if_statement": ("consequence",),
    "else_clause": (),
    "for_statement": ("body",),
    "for_range_loop": ("body",),
    "while_statement": ("body",),
    "do_statement": ("body",),
}
_CASES = ("case_statement", "expression_case", "default_case", "type_case", "communication_case")
_UNTOUCHED = ("constexpr", "consteval")
_MAX_POINTS = 2000


def with_marks(text: str, name: str, entry: str) -> tuple[str, int]:
    """A text with marks, and how many there are; the text itself and 0 if it cannot be read.

    Args:
        text: the fragment.
        name: its language, one of `MARK`.
        entry: the name of the function that is called.

    Example:
        >>> with_marks("int f(int a) { if (a) return 1; return 2; }", "cpp", "f")
        ('int f(int a) {ct_point(0); if (a) {ct_point(1);return 1;} return 2; }', 2)
    """
    source = text.encode("utf-8", "surrogateescape")
    root = language(name).parser.parse(source).root_node
    edits = TextEdits(source)
    count = 0

    def mark() -> bytes:
        nonlocal count
        count += 1
        return f"{MARK[name]}({count - 1});".encode()

    for function in _called(root, entry):
        if function.has_error or any(text_of(one) in _UNTOUCHED for one in function.children):
            return text, 0
        for node in walk(function):
            if count >= _MAX_POINTS:
                break
            if node.type in _BLOCKS and node.parent is not None and node.parent.type not in _NOT_ENTERED:
                edits.replace(node.start_byte + 1, node.start_byte + 1, mark())
            elif node.type in _CASES:
                colon = next((one for one in node.children if one.type == ":"), None)
                if colon is not None:
                    edits.replace(colon.end_byte, colon.end_byte, mark())
            elif name == "cpp" and node.type in _BODIES:
                fields = [node.child_by_field_name(one) for one in _BODIES[node.type]]
                for body in [one for one in fields if one is not None] or node.named_children[-1:]:
                    if body.type not in (*_BLOCKS, "comment", "if_statement", "else_clause"):
                        edits.surround(body, b"{" + mark(), b"}")
    return edits.result().decode("utf-8", "surrogateescape"), count


def _called(root: tree_sitter.Node, entry: str) -> Iterator[tree_sitter.Node]:
    """The function of a name, and the functions of the text that it calls, as far as names say."""
    known: dict[str, list[tree_sitter.Node]] = {}
    for node in walk(root, lambda one: one.type not in _FUNCTIONS):
        if node.type in _FUNCTIONS:
            known.setdefault(_name(node), []).append(node)
    waiting, seen = [entry.rpartition(".")[2].rpartition("::")[2]], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for function in known.get(name, ()):
            yield function
            waiting += [text_of(one) for one in walk(function) if one.type in _NAMES]


def _name(function: tree_sitter.Node) -> str:
    """The name of a function, without that of its class."""
    node = function.child_by_field_name("name") or function.child_by_field_name("declarator")
    while node is not None and node.type not in _NAMES:
        node = (
            node.child_by_field_name("declarator")
            or node.child_by_field_name("name")
            or next((one for one in node.named_children if "declarator" in one.type or one.type in _NAMES), None)
        )
    return text_of(node)
