"""Counters in a script of JavaScript: which blocks and branches a call reached.

They steer the search only. A fragment can change no more than its own numbers.
"""

from __future__ import annotations

import tree_sitter

from clonetruth.execution.harness.called_functions import uncalled_functions
from clonetruth.execution.harness.text_edits import TextEdits, text_of, walk

_BODIES = {
    "if_statement": ("consequence",),
    "else_clause": (),
    "for_statement": ("body",),
    "for_in_statement": ("body",),
    "while_statement": ("body",),
    "do_statement": ("body",),
}
_MAX_POINTS = 2000


def instrument(root: tree_sitter.Node, script: str, entry: str = "") -> tuple[str, int]:
    """A script with counters, and how many there are. Counter `n` is set by `__covered[n] = 1`.

    Args:
        root: its tree.
        script: its text.
        entry: the function that is called; those that it does not call get no counters.

    Example:
        >>> from clonetruth.code import language
        >>> text = "f = a => a ? 1 : 2"
        >>> instrument(language("javascript").parser.parse(text.encode()).root_node, text)
        ('f = a => (__covered[0]=1,a ? (__covered[1]=1,1) : (__covered[2]=1,2))', 3)
    """
    edits = TextEdits(script.encode("utf-8", "replace"))
    count = 0

    def mark() -> bytes:
        nonlocal count
        count += 1
        return f"__covered[{count - 1}]=1".encode()

    def in_block(block: tree_sitter.Node) -> None:
        position = block.start_byte + 1
        for statement in block.named_children:
            if statement.type == "expression_statement" and statement.named_children[0].type == "string":
                position = statement.end_byte
            elif statement.type != "comment":
                break
        edits.replace(position, position, b";" + mark() + b";")

    def around_expression(node: tree_sitter.Node) -> None:
        edits.surround(node, b"(" + mark() + b",", b")")

    def around_statement(node: tree_sitter.Node) -> None:
        edits.surround(node, b"{" + mark() + b";", b"}")

    left_out = {one.id for one in uncalled_functions(root, entry)}
    for node in walk(root, lambda one: one.id not in left_out):
        if count >= _MAX_POINTS:
            break
        if node.type == "ternary_expression":
            for name in ("consequence", "alternative"):
                branch = node.child_by_field_name(name)
                if branch is not None:
                    around_expression(branch)
        elif node.type == "switch_case" or node.type == "switch_default":
            colon = next((child for child in node.children if child.type == ":"), None)
            if colon is not None:
                edits.replace(colon.end_byte, colon.end_byte, mark() + b";")
        elif node.type == "statement_block" and _is_counted(node):
            in_block(node)
        elif node.type in _BODIES:
            fields = [node.child_by_field_name(name) for name in _BODIES[node.type]]
            bodies = [one for one in fields if one is not None] or node.named_children[-1:]
            for body in bodies:
                if body.type not in ("statement_block", "comment", "empty_statement", "if_statement"):
                    around_statement(body)
        elif node.type == "arrow_function":
            value = node.child_by_field_name("body")
            if value is not None and value.type != "statement_block":
                around_expression(value)
    return edits.result().decode("utf-8", "replace"), count


def _is_counted(block: tree_sitter.Node) -> bool:
    """Whether a block may be left out by the program: not one that stands alone."""
    parent = block.parent
    return parent is not None and parent.type not in ("statement_block", "program") and text_of(block) != "{}"
