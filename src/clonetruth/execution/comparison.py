"""Compares what two pieces of code did with the same input. Return value, output, changed arguments and exceptions are
kept apart, so that a policy can say later what counts, without running anything again."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from enum import StrEnum

from clonetruth.execution.harness.harness import Observation
from clonetruth.execution.values import (
    RELATIVE_TOLERANCE,
    STATE,
    Value,
    equal_values,
    is_comparable,
    is_guessed,
    surely_differ,
    with_common_calls,
)

_TYPE_ERRORS = frozenset(
    {
        "TypeError",
        "AttributeError",
        "NameError",
        "UnboundLocalError",
        "ClassCastException",
        "InvalidCastException",
        "ReferenceError",
    }
)
"""Exceptions that rather say that the input has a wrong type than that the two behave differently."""


class Difference(StrEnum):
    """A way in which two calls with the same input differ."""

    VALUE = "value"
    OUTPUT = "output"
    CHANGED = "changed"
    EXCEPTION = "exception"
    ORDER = "order"
    PRINTED = "printed"
    TYPE_ERROR = "type-error"
    ERROR_KIND = "error-kind"
    ENDLESS = "endless"
    UNDEFINED = "undefined"
    DOMAIN = "domain"
    FORMAT = "format"
    INFERRED = "inferred"
    NULL = "null"


DESCRIPTIONS = {
    Difference.VALUE: "they return different values",
    Difference.OUTPUT: "they print different texts",
    Difference.CHANGED: "they change their arguments differently",
    Difference.EXCEPTION: "one raises an exception, the other does not",
    Difference.ORDER: "they return the same elements in another order, which a set or a map decides",
    Difference.PRINTED: "one prints what the other returns",
    Difference.TYPE_ERROR: "one does not take this type of input",
    Difference.ERROR_KIND: "they raise different exceptions",
    Difference.ENDLESS: "one comes to an end at once, the other not within the time for a call",
    Difference.UNDEFINED: "one does what its language leaves undefined, such as an overflow, the other does not",
    Difference.DOMAIN: "they differ on inputs that programs of this kind are probably not given",
    Difference.FORMAT: "they print the same numbers in another form",
    Difference.INFERRED: "they differ on an input whose form was inferred from the programs, and not confirmed",
    Difference.NULL: "they differ if an argument is nothing (null, None), which only one of them checks",
}

UNDEFINED_BEHAVIOUR = "undefined behaviour"
"""How `Observation.ended` begins where a call did what its language leaves undefined."""

OF_INPUT = frozenset({Difference.DOMAIN, Difference.INFERRED, Difference.NULL})
"""Differences that say more about an input than about what was done with it."""

DEFAULT_COUNTED = frozenset({Difference.VALUE, Difference.OUTPUT, Difference.CHANGED, Difference.EXCEPTION})
"""Differences that make two pieces of code different, unless another policy is chosen."""


@dataclass(frozen=True)
class DifferencePolicy:
    """What counts as a difference, and how hard the search must have been to say that there is none.

    Attributes:
        counted: the kinds of differences that count.
        tolerance: relative difference below which floating-point numbers are equal.
        runs: inputs on which both must have come to an end without an exception.
        outputs: different results that must have been seen; two are enough where all results are truth values.
        coverage: share of the points of each side that must have been reached, where that was measured.
    """

    counted: frozenset[Difference] = DEFAULT_COUNTED
    tolerance: float = RELATIVE_TOLERANCE
    runs: int = 10
    outputs: int = 3
    coverage: float = 0.5


DEFAULT_POLICY = DifferencePolicy()
_PRINTED_TOLERANCE = 1e-5
"""How exactly programs print decimal numbers: C++ prints six digits by default, so the last one is rounded."""
_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")
_UNTOUCHED: tuple[Value, ...] = (None, False, "", {"int": "0"}, {"float": (0.0).hex()}, {"list": []})
_GOES_ON: Value = {"cut": "values"}
_LONGEST_OUTPUT = 100_000
"""How many bytes of its output a call keeps in most languages."""
_BYTES = 4
"""Of a character, at most: one that is cut in its middle is lost."""


def compare_calls(
    left: Observation, right: Observation, tolerance: float = RELATIVE_TOLERANCE
) -> frozenset[Difference] | None:
    """How two calls with the same input differ; None if that cannot be said, because one did not come to an end or
    what it returned cannot be compared.

    Example:
        >>> compare_calls(Observation({"int": "1"}), Observation({"int": "2"}))
        frozenset({<Difference.VALUE: 'value'>})
    """
    if left is right:
        # Read once, because both wrote the same.
        if left.ended is None and not isinstance(left.returned, dict):
            return None if _is_cut(left.output) and left.raised is None else frozenset()
        left, right = _with_common_length(left, right)
        if _is_cut(left.output) and left.raised is None:
            return None
        ran = left.ended is None and (left.raised is not None or is_comparable(left.returned))
        return frozenset() if ran else None
    left, right = with_common_state(left, right)
    left, right = _with_common_output(*_with_common_length(left, right))
    if left.ended is not None or right.ended is not None:
        ended = [one.ended is not None for one in (left, right)]
        if sum(ended) != 1:
            return None
        if [is_undefined(one) for one in (left, right)] == ended:
            return frozenset({Difference.UNDEFINED})
        late = [one.ended == "timed out" for one in (left, right)] == ended
        came = left if right.ended is not None else right
        return frozenset({Difference.ENDLESS}) if late and came.raised is None else None
    if left.raised is not None and right.raised is not None:
        return frozenset({Difference.ERROR_KIND} if left.raised != right.raised else ())
    if left.raised is not None or right.raised is not None:
        wrong_type = is_type_error(left) or is_type_error(right)
        return frozenset({Difference.TYPE_ERROR if wrong_type else Difference.EXCEPTION})
    if left.returned != right.returned:
        returned, other = with_common_calls(left.returned, right.returned)
        left, right = replace(left, returned=returned), replace(right, returned=other)
    if not (is_comparable(left.returned) and is_comparable(right.returned)):
        return frozenset({Difference.VALUE}) if surely_differ(left.returned, right.returned) else None
    found = set()
    outputs = same_output(left.output, right.output)
    values = left.returned == right.returned or equal_values(*_aligned(left.returned, right.returned), tolerance)
    if not values and (_is_printed(left, right) or _is_printed(right, left)):
        found.add(Difference.PRINTED)
    else:
        if not values:
            found.add(Difference.VALUE)
        if not outputs:
            is_form = same_numbers(left.output, right.output)
            found.add(Difference.FORMAT if is_form else Difference.OUTPUT)
    if not _same_changes(left.changed, right.changed, tolerance):
        found.add(Difference.CHANGED)
    if found and any(is_guessed(one.returned) or any(map(is_guessed, one.changed or ())) for one in (left, right)):
        # Fields whose names were guessed on each side do not show a difference.
        return None
    strange = _strange(left, right) if found else frozenset()
    if found & strange:
        # What each side names otherwise may be the same.
        return frozenset(found - strange) or None
    if not found and _is_cut(left.output):
        return None
    return frozenset(found)


def _strange(left: Observation, right: Observation) -> frozenset[Difference]:
    """Differences that rest on objects of which each side has a field that the other has not."""
    found = {Difference.VALUE} if _have_strange_fields(left.returned, right.returned) else set()
    if left.changed and right.changed and any(map(_have_strange_fields, left.changed, right.changed)):
        found.add(Difference.CHANGED)
    return frozenset(found)


def _have_strange_fields(left: Value, right: Value) -> bool:
    """Whether two objects of a class, at the same place of both values, each have a field that the other has not."""
    if not (isinstance(left, dict) and isinstance(right, dict)) or left.keys() != right.keys():
        return False
    ((kind, one),) = left.items()
    other = right[kind]
    if kind in ("list", "tuple"):
        return any(map(_have_strange_fields, one, other))
    if kind != "object" or one[0] != other[0]:
        return False
    fields = [dict(map(tuple, content[1])) for content in (one, other)]
    if fields[0].keys() - fields[1].keys() and fields[1].keys() - fields[0].keys():
        return True
    return any(_have_strange_fields(value, fields[1].get(name)) for name, value in fields[0].items())


def _is_cut(output: str) -> bool:
    """Whether an output may have been longer: then nobody knows whether the rest is the same, too."""
    if len(output) * _BYTES < _LONGEST_OUTPUT:
        return False
    return len(output.encode("utf-8", "replace")) >= _LONGEST_OUTPUT - _BYTES


def with_common_state(left: Observation, right: Observation) -> tuple[Observation, Observation]:
    """Both with the variables that both leave behind: what only one has is its own affair."""
    states = [_state(one.returned) for one in (left, right)]
    if states[0] is None and states[1] is None:
        return left, right
    names = (states[0] or {}).keys() & (states[1] or {}).keys()
    made: list[Observation] = []
    for one, state in zip((left, right), states, strict=True):
        kept: Value = {"object": [STATE, [[name, (state or {})[name]] for name in sorted(names)]]} if names else None
        made.append(one if state is None else replace(one, returned=kept))
    return made[0], made[1]


def _with_common_output(left: Observation, right: Observation) -> tuple[Observation, Observation]:
    """Both with outputs as long as the shorter one, if one may have been cut: languages keep other lengths of them."""
    if not (_is_cut(left.output) or _is_cut(right.output)):
        return left, right
    length = min(len(left.output), len(right.output))
    if length * _BYTES < _LONGEST_OUTPUT:
        # The shorter one is whole.
        return left, right
    return replace(left, output=left.output[:length]), replace(right, output=right.output[:length])


def _with_common_length(left: Observation, right: Observation) -> tuple[Observation, Observation]:
    """Both without the mark at the end of iterators that go on, and as long as the shorter one: what came out of both
    can be compared."""
    drawn = [
        one.returned["iterator"] if isinstance(one.returned, dict) and "iterator" in one.returned else []
        for one in (left, right)
    ]
    if not all(one and one[-1] == _GOES_ON for one in drawn):
        return left, right
    length = min(map(len, drawn)) - 1
    shorter = [{"iterator": values[:length]} for values in drawn]
    return replace(left, returned=shorter[0]), replace(right, returned=shorter[1])


def _state(value: Value) -> dict[str, Value] | None:
    if isinstance(value, dict) and "object" in value and value["object"][0] == STATE:
        return {str(name): one for name, one in value["object"][1]}
    return None


def is_type_error(observed: Observation) -> bool:
    """Whether a call was refused rather for the type of its input than for its value."""
    return observed.raised in _TYPE_ERRORS


def is_undefined(observed: Observation) -> bool:
    """Whether a call did what its language leaves undefined."""
    return observed.ended is not None and observed.ended.startswith(UNDEFINED_BEHAVIOUR)


def same_output(left: str, right: str) -> bool:
    """Whether two outputs are the same, apart from white space at the ends of lines and of the whole."""
    return left == right or _lines(left) == _lines(right)


def same_numbers(left: str, right: str) -> bool:
    """Whether two outputs have the same words in the same order, apart from the form of decimal numbers.

    Example:
        >>> same_numbers("Case #1: 0.5", "Case #1: 0.50000001"), same_numbers("1", "2")
        (True, False)
    """
    words = left.split(), right.split()
    return len(words[0]) == len(words[1]) and all(a == b or _same_number(a, b) for a, b in zip(*words, strict=True))


def _same_number(left: str, right: str) -> bool:
    if not any(_DECIMAL.fullmatch(one) for one in (left, right)):
        return False
    try:
        return math.isclose(float(left), float(right), rel_tol=_PRINTED_TOLERANCE, abs_tol=_PRINTED_TOLERANCE)
    except ValueError:
        return False


def same_elements(left: Value, right: Value) -> bool:
    """Whether two sequences have the same elements, in whatever order, or two texts the same letters."""
    if isinstance(left, str) and isinstance(right, str):
        return sorted(left) == sorted(right)
    elements = []
    for one in (left, right):
        kind = next((name for name in ("list", "tuple", "iterator") if isinstance(one, dict) and name in one), None)
        if kind is None or not isinstance(one, dict):
            return False
        elements.append(one[kind])
    return equal_values({"set": elements[0]}, {"set": elements[1]})


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _is_printed(prints: Observation, returns: Observation) -> bool:
    """Whether one prints the value that the other returns, and returns nothing."""
    if prints.returned is not None or returns.returned is None or returns.output or not prints.output:
        return False
    return prints.output.strip() in (_plain_text(returns.returned), str(_plain_text(returns.returned)).lower())


def _plain_text(value: Value) -> str | None:
    """A value as `print` would write it; None for what is written differently by each language."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, dict):
        return None
    ((kind, content),) = value.items()
    if kind in ("int", "decimal", "char"):
        return str(content)
    if kind == "float":
        return repr(float.fromhex(content))
    if kind == "list":
        inner = [repr(one) if isinstance(one, str) else _plain_text(one) for one in content]
        return None if None in inner else f"[{', '.join(map(str, inner))}]"
    return None


def _same_changes(left: tuple[Value, ...] | None, right: tuple[Value, ...] | None, tolerance: float) -> bool:
    if left is None or right is None:
        return left is right
    return len(left) == len(right) and all(
        a == b or equal_values(*_aligned(a, b), tolerance) for a, b in zip(left, right, strict=True)
    )


def _aligned(left: Value, right: Value) -> tuple[Value, Value]:
    """Both values without fields of objects that only one of them has and that nothing was written to.

    A class that a fragment misses has the fields that the fragment uses, so two fragments may know other fields of it.
    """
    if not (isinstance(left, dict) and isinstance(right, dict)) or left.keys() != right.keys():
        return left, right
    ((kind, one),) = left.items()
    other = right[kind]
    if kind in ("list", "tuple") and len(one) == len(other):
        pairs = [_aligned(a, b) for a, b in zip(one, other, strict=True)]
        return {kind: [a for a, _ in pairs]}, {kind: [b for _, b in pairs]}
    if kind != "object" or one[0] != other[0]:
        return left, right
    fields = [dict(map(tuple, content[1])) for content in (one, other)]
    made: list[Value] = []
    for mine, others in (fields, fields[::-1]):
        kept = {name: value for name, value in mine.items() if name in others or value not in _UNTOUCHED}
        inner = {name: _aligned(value, others[name])[0] if name in others else value for name, value in kept.items()}
        made.append({"object": [one[0], [[name, value] for name, value in sorted(inner.items())]]})
    return made[0], made[1]
