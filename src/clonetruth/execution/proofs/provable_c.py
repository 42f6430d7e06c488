"""Which C texts a model checker's proof can be believed for.

Both functions and the assertion are one program. A text must not speak to the checker (its assumptions would hold for
the assertion), be another one for the checker than for the compiler, change names that the program uses, or call what
the checker has no body for and what does more than compute a value.
"""

from __future__ import annotations

import re
from collections.abc import Set

_TEXTS = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+')|/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:|\?\?=)")
_PLAIN_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:include[ \t]*<[\w/.]+>[ \t]*$|define[ \t]+[A-Za-z_]\w*)")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_SPOKEN = re.compile(
    r"\b__\w+|\bct_\w*|esbmc|cprover|verifi|\bnondet\w*|##|%:|\?\?|\[\[|\b_?static_assert\b", re.IGNORECASE
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)[ \t\n]*\(")
_THROUGH_POINTER = re.compile(r"\([ \t\n]*\*+[ \t\n]*\w*[ \t\n]*(?:\[[^\]]*\])?[ \t\n]*\)[ \t\n]*\(")
_WORDS = frozenset(
    [
        "if",
        "while",
        "for",
        "switch",
        "return",
        "sizeof",
        "do",
        "else",
        "case",
        "int",
        "char",
        "long",
        "short",
        "unsigned",
        "void",
        "defined",
    ]
)
_PURE = frozenset(
    [
        "abs",
        "labs",
        "llabs",
        "fabs",
        "fabsf",
        "fmin",
        "fmax",
        "fmod",
        "floor",
        "ceil",
        "trunc",
        "round",
        "sqrt",
        "isdigit",
        "isalpha",
        "isalnum",
        "isspace",
        "isupper",
        "islower",
        "toupper",
        "tolower",
    ]
)
"""Functions of the library that checkers have bodies for and that have no effect."""


def why_not_provable(text: str, own: Set[str]) -> str | None:
    """Why a proof about a text would not be believed; None if it would.

    Args:
        text: the fragment.
        own: functions that it defines.

    Example:
        >>> why_not_provable("int f(int x) { __ESBMC_assume(0); return x; }", {"f"})
        'speaks to the checker (__ESBMC_assume)'
    """
    joined = re.sub(r"\\[ \t]*\n", "", text)
    plain = _TEXTS.sub(lambda found: '""' if found[1] else " ", joined)
    spoken = _SPOKEN.search(_TEXTS.sub(lambda found: found[1] or " ", joined))
    if spoken is not None:
        return f"speaks to the checker ({spoken[0]})"
    for line in plain.splitlines():
        if _DIRECTIVE.match(line) and not _PLAIN_DIRECTIVE.match(line):
            return f"is not the same for every compiler ({line.strip()})"
    macros = set(_DEFINED.findall(plain))
    changed = macros & (_WORDS | {"main", "double", "float", "signed", "const", "static"})
    if changed:
        return f"changes what words mean ({min(changed)})"
    if _THROUGH_POINTER.search(plain):
        return "calls functions through pointers"
    unknown = sorted(set(_CALL.findall(plain)) - own - macros - _WORDS - _PURE)
    return f"calls {unknown[0]}, which may do more than compute a value" if unknown else None
