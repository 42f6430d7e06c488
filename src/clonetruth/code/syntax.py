"""Whether two texts have the same syntax tree: whether only layout, comments and documentation differ."""

from __future__ import annotations

import tree_sitter

from clonetruth.code.language import Language
from clonetruth.code.parsing import parse

_PYTHON_LISTS = frozenset(
    {"argument_list", "parameters", "list", "dictionary", "set", "tuple", "import_from_statement", "lambda_parameters"}
)
"""Where a last comma in Python means nothing."""


def same_syntax(left: str, right: str, language: Language) -> bool:
    """Whether two texts differ only in layout and comments; in Python also in docstrings, as long as nothing reads
    them, in parentheses that group, in last commas, and in the kind of quotes.

    Example:
        >>> from clonetruth.code import language
        >>> same_syntax("x = f( 1, 2 )  # why", "x = f(1, 2)", language("python"))
        True
    """
    if left == right:
        return True
    trees = [parse(text, language, lone=True) for text in (left, right)]
    if any(one.tree.root_node.has_error for one in trees):
        return False
    documented = "__doc__" in left or "__doc__" in right
    return _symbols(trees[0].tree, language, documented) == _symbols(trees[1].tree, language, documented)


def _symbols(tree: tree_sitter.Tree, language: Language, documented: bool) -> list[bytes]:
    """A tree as a sequence that determines it."""
    is_python = language.name == "python"
    symbols: list[bytes] = []
    pending: list[tree_sitter.Node | None] = [tree.root_node]
    while pending:
        node = pending.pop()
        if node is None:
            symbols.append(b")")
            continue
        kind = node.type
        if "comment" in kind and node.is_extra:
            continue
        if is_python and not documented and _is_docstring(node):
            continue
        children = node.children
        if is_python and kind == "parenthesized_expression":
            pending += [child for child in reversed(children) if child.type not in ("(", ")")]
        elif is_python and kind in ("string_start", "string_end"):
            symbols.append((node.text or b"").rstrip(b"'\"").lower())
        elif children:
            if is_python and kind in _PYTHON_LISTS:
                children = _without_last_comma(children)
            symbols.append(b"(" + kind.encode())
            pending.append(None)
            pending += reversed(children)
        else:
            symbols.append(kind.encode() + b" " + (node.text or b""))
    return symbols


def _without_last_comma(children: list[tree_sitter.Node]) -> list[tree_sitter.Node]:
    inner = [one for one in children if "comment" not in one.type and one.type not in (")", "]", "}")]
    last = inner[-1] if inner and inner[-1].type == "," else None
    return [one for one in children if one != last]


def _is_docstring(node: tree_sitter.Node) -> bool:
    """Whether a statement is the docstring of a Python function, class or module."""
    if node.type != "expression_statement" or node.child_count != 1:
        return False
    (value,) = node.children
    parent = node.parent
    if value.type != "string" or parent is None or parent.type not in ("block", "module"):
        return False
    around = parent.parent
    if around is not None and around.type not in ("function_definition", "class_definition"):
        return False
    if (value.text or b"")[:1] not in (b"'", b'"', b"r", b"R", b"u", b"U"):
        return False
    first = next((one for one in parent.children if "comment" not in one.type), None)
    return first is not None and first.id == node.id
