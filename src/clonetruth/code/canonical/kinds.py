"""The kinds of nodes of all grammars, as one table of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.labels import ARGUMENTS, CSHARP_TYPE_CONTEXTS, KINDS, TYPE_CONTEXTS, Label
from clonetruth.code.language import Language
from clonetruth.code.languages import LANGUAGES

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KindTable:
    """The kinds of all grammars, one after the other.

    Attributes:
        offset: the first row of each language; row 0 is for what a grammar does not know.
        label: the label of each kind.
        arguments: whether it is the argument list of a call.
        type_context: whether an identifier under it names a type.
        first_type: whether an identifier that is its first child names a type.
        named: whether the grammar names it, so that it is not a sign or a keyword.
        statement: whether it is an expression statement, of which a lone string is documentation.
        declarator: whether a name under it is that of a function.
    """

    offset: dict[str, int]
    label: Integers
    arguments: Booleans
    type_context: Booleans
    first_type: Booleans
    named: Booleans
    statement: Booleans
    declarator: Booleans


def known_language(name: str) -> Language | None:
    """Return the language with a name; None if the table does not have its kinds."""
    return LANGUAGES[name] if name in LANGUAGES and not LANGUAGES[name].extra else None


@cache
def kind_table() -> KindTable:
    """The kinds of the languages that are always installed: what a trained model knows must not depend on extras."""
    offset: dict[str, int] = {}
    rows: list[tuple[int, bool, bool, bool, bool, bool, bool]] = [(0, False, False, False, True, False, False)]
    for name, language in LANGUAGES.items():
        if language.extra:
            continue
        offset[name] = len(rows)
        grammar = language.tree_sitter
        for kind in range(grammar.node_kind_count):
            text, named = grammar.node_kind_for_id(kind) or "", grammar.node_kind_is_named(kind)
            rows.append(
                (
                    int(KINDS.get(text, Label.CLEAR)) if named else 0,
                    named and text in ARGUMENTS,
                    named and text in TYPE_CONTEXTS,
                    named and name == "csharp" and text in CSHARP_TYPE_CONTEXTS,
                    named,
                    named and text == "expression_statement",
                    named and (text == "function_declarator" or KINDS.get(text) is Label.FUNCTION),
                )
            )
    label, *flags = (np.array(column) for column in zip(*rows, strict=True))
    return KindTable(offset, label.astype(np.int64), *flags)
