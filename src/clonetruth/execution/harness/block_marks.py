"""Marks in functions of C++ and Go: a statement at the start of every block, branch and case says that it was reached.
In C, gcc counts blocks itself.

Compilers could count more, but also everything that templates and the runtime bring along. Marks are in the function
that is called and in those of the text that it calls, by name. Where the text cannot be read there are none, and
coverage is unknown.
"""

from __future__ import annotations

from clonetruth.code import language
from clonetruth.execution.harness.called_functions import called_functions, uncalled_functions
from clonetruth.execution.harness.text_edits import TextEdits, text_of, walk

MARK = {"cpp": "ct_point", "go": "ctPoint"}
"""The function that a mark calls, with its number."""

_BLOCKS = ("compound_statement", "block")
_NOT_ENTERED = (*_BLOCKS, "switch_statement")
"""A block in these is entered whenever they are, or not at its start."""
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

    for function in called_functions(root, entry):
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


def uncounted(text: str, entry: str) -> str:
    """A text of C in which gcc counts no blocks of functions that the entry does not call.

    Example:
        >>> uncounted("int f(void) { return 1; }  int g(void) { return 2; }", "f")
        'int f(void) { return 1; }  __attribute__((no_sanitize_coverage)) int g(void) { return 2; }'
    """
    source = text.encode("utf-8", "surrogateescape")
    edits = TextEdits(source)
    for function in uncalled_functions(language("c").parser.parse(source).root_node, entry):
        if not function.has_error:
            edits.replace(function.start_byte, function.start_byte, b"__attribute__((no_sanitize_coverage)) ")
    return edits.result().decode("utf-8", "surrogateescape")
