"""Functions as arguments: what is passed for a parameter that a declaration gives the type of a function.

Nothing is known of such a function, but that equal arguments give the same of a few results. One that compares two
values of a type must be consistent, or sorting with it would be undefined: it goes by the order of the values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clonetruth.execution.inputs.types import InputType

_EQUALITY = re.compile(r"eq|equals?\w*|is_?[eE]qual|same\w*|match\w*|equivalent\w*", re.IGNORECASE)
_COMPARISON = re.compile(r"\w*(?:cmp|comp|compare|comparer|comparison|comparator|ordering)\w*", re.IGNORECASE)
_ORDER = re.compile(r"\w*less\w*|lt|\w*before|before\w*|precedes", re.IGNORECASE)
_SCALARS = ("int", "float", "decimal", "bool", "str")


def passed_function(name: str, taken: Sequence[InputType | None], result: InputType | None) -> InputType | None:
    """The type of the function that is passed for a parameter; None if there is none.

    Args:
        name: of the parameter, and of its type if that says what it compares.
        taken: what the function takes.
        result: what it returns; None for nothing.

    Example:
        >>> whole, truth = InputType("int"), InputType("bool")
        >>> str(passed_function("keep", [whole], truth)), str(passed_function("less", [whole, whole], truth))
        ('function[bool]', 'function[bool, order]')
    """
    if any(one is None for one in taken):
        return None
    if result is None:
        return InputType("procedure", (InputType("none"),))
    if result.kind not in (*_SCALARS, "char"):
        return None
    role = _role(name, taken, result)
    return InputType("function", (result, InputType("ref", name=role)) if role else (result,))


def _role(name: str, taken: Sequence[InputType | None], result: InputType) -> str:
    if len(taken) != 2 or taken[0] != taken[1]:
        return ""
    if _EQUALITY.fullmatch(name) and result.kind in ("bool", "int"):
        return "equality"
    if result.kind == "bool" or (result.kind == "int" and _ORDER.fullmatch(name)):
        return "order"
    return "comparison" if result.kind == "int" and _COMPARISON.fullmatch(name) else ""
