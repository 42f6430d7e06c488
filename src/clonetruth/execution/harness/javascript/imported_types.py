"""Types that a file of TypeScript imports from the files of its project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import tree_sitter

from clonetruth.code import language
from clonetruth.execution.harness.harness import Code
from clonetruth.execution.harness.javascript.project_modules import resolved
from clonetruth.execution.harness.javascript.typescript_types import declarations
from clonetruth.execution.harness.text_edits import text_of, walk

_MOST_FILES = 30
_STATEMENTS = ("import_statement", "export_statement")


def imported_types(root: tree_sitter.Node, code: Code) -> dict[str, tree_sitter.Node]:
    """The types that a file imports, directly or through others, by name; of two of one name the nearer one.

    Args:
        root: the tree of the file.
        code: the file and those around it.
    """
    if code.language != "typescript" or not code.files:
        return {}
    return _around(root, code.path, code.files, {code.path: {}})


def _around(
    root: tree_sitter.Node,
    path: str,
    files: Mapping[str, bytes],
    known: dict[str, dict[str, tree_sitter.Node]],
) -> dict[str, tree_sitter.Node]:
    """What a file imports; `known` has what other files declare and import, of those that were read."""
    indirect: dict[str, tree_sitter.Node] = {}
    direct: dict[str, tree_sitter.Node] = {}
    for source, names in _imports(root):
        place = resolved(path, source, files)
        if place is None or (place not in known and len(known) > _MOST_FILES):
            continue
        if place not in known:
            other, declared = _parsed(files[place])
            known[place] = {}
            known[place] = {**_around(other, place, files, known), **declared}
        # What its types are made of has to be known, too.
        indirect = {**known[place], **indirect}
        direct |= {alias: known[place][name] for name, alias in names.items() if name in known[place]}
    return {**indirect, **direct}


def _imports(root: tree_sitter.Node) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The files of the project that a file names, each with the names that it takes from there and their own names."""
    for node in root.children:
        source = text_of(node.child_by_field_name("source")).strip("'\"") if node.type in _STATEMENTS else ""
        if source.startswith("."):
            specifiers = (one for one in walk(node) if one.type in ("import_specifier", "export_specifier"))
            pairs = ((text_of(one.child_by_field_name("name")), one.child_by_field_name("alias")) for one in specifiers)
            yield source, {name: text_of(alias) or name for name, alias in pairs}


@lru_cache(256)
def _parsed(content: bytes) -> tuple[tree_sitter.Node, dict[str, tree_sitter.Node]]:
    tree = language("typescript").parser.parse(content).root_node
    return tree, declarations(tree)
