"""Values of any language in one form: JSON in which every type is named.

Texts, `null`, `true` and `false` stand for themselves; everything else is an object with one key:

| JSON | value |
| --- | --- |
| `{"int": "12"}` | a whole number of any size |
| `{"float": "0x1.8p+1"}`, `{"float": "nan"}` | a floating-point number, exactly |
| `{"decimal": "1.50"}` | a decimal number |
| `{"char": "x"}` | a character, where a language tells it from a text |
| `{"bytes": "00ff"}` | bytes |
| `{"date": "2024-02-29"}`, `{"time": "12:30:00"}`, `{"datetime": "2024-02-29T12:30:00"}` | as ISO 8601 writes it |
| `{"duration": "90.5"}` | a span of time, in seconds |
| `{"path": "a/b.txt"}` | a path in a file system, where a language tells it from a text |
| `{"enum": ["Colour", "RED"]}` | a member of an enumeration; its name alone where a language writes no more |
| `{"key": "12"}` | a key of a JavaScript object that is written like a number: the number or the text |
| `{"list": […]}`, `{"tuple": […]}`, `{"iterator": […]}` | values in order; an iterator is what came out of it |
| `{"set": […]}` | values without order |
| `{"map": [[key, value], …]}` | keys with values |
| `{"object": ["Point", [["x", …], …]]}` | an object with its class and fields |
| `{"object": ["?Point", …]}` | the same of a class that is only constructed: the names of its fields are a guess |
| `{"function": ["function", […]]}` | stands for an unknown function: equal arguments give the same of these results |
| `{"function": ["procedure", […]]}` | the same, and what it is called with is observed, too |
| `{"function": ["order", [true]]}` | says whether its first argument is less than its second; with `false`, greater |
| `{"function": ["equality", []]}` | says whether its two arguments are equal |
| `{"function": ["comparison", [true]]}` | compares: below zero for less; with `false`, the other way round |
| `{"called": [[[{"int": "1"}], {"int": "2"}], …]}` | a returned function: its calls, and what came of them |
| `{"opaque": "function"}` | what cannot be compared: a function, a file, a module |
| `{"named": ["a", {"object": …}]}` | an object of an input that occurs again |
| `{"same": "a"}` | the object of this name, which was written before |
| `{"cycle": 2}` | the value that contains this one, that number of levels above |
| `{"cut": "list"}` | more than the limits permit |
"""

from __future__ import annotations

import itertools
import json
import marshal
import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, TypeAlias

Value: TypeAlias = "bool | str | dict[str, Any] | None"

WITHOUT_CYCLES = json.JSONEncoder(check_circular=False)
"""Writes values, which are trees, as `json.dumps` does."""

_WITHOUT_REFERENCES = 2
"""A version of `marshal` that writes equal values alike, whatever else refers to them."""

LEFT_OUT: Value = {"opaque": "default"}
"""Stands for an argument or a field that is not given."""
RAISES: Value = {"enum": ["outcome", "raises an exception"]}
"""What comes of a call of a returned function that does; which exception it is, is not compared."""
STATE = "static fields"
"""The class of the object that stands for what a function without a result leaves in variables of its class or file."""
_ANY_FUNCTION: Value = {"opaque": "function"}
RELATIVE_TOLERANCE = 1e-9
"""Floating-point numbers that differ by less are equal: another order of additions does not change behaviour."""

MOST_TELLING = 2
"""Number of calls that show how two functions differ."""
COMPARING = ("order", "equality", "comparison")
"""What functions of two values do that are passed."""

MAX_DEPTH = 64
"""Deeper values are refused: a stranger's program sends them."""

MAX_DIGITS = 10_000
"""Numbers with more are refused: they take minutes to compare."""

_SEQUENCES = ("list", "tuple", "iterator")
_COLLECTIONS = (*_SEQUENCES, "set")
_NUMBERS = ("int", "float", "decimal")
_SCALARS = (*_NUMBERS, "char", "bytes", "key", "date", "datetime", "time", "duration", "path", "enum")


def value_key(value: Any) -> bytes:
    """The same for values, or tuples of them, that would be written alike, and for no others: in a third of the time
    that `repr` takes.

    Example:
        >>> value_key(({"int": "1"}, "a")) == value_key(({"int": "1"}, "a")), value_key(True) == value_key({"int": "1"})
        (True, False)
    """
    try:
        return marshal.dumps(value, _WITHOUT_REFERENCES)
    except ValueError:
        # Of another class than those of JSON, such as a text that is a member of an enumeration.
        return b"=" + repr(value).encode("utf-8", "surrogatepass")


def check_value(value: object, depth: int = 0) -> Value:
    """A value as a program sent it, if it has the form above.

    Raises:
        ValueError: it has not; the message says where.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if not isinstance(value, dict) or len(value) != 1 or depth > MAX_DEPTH:
        raise ValueError("not a value" if depth <= MAX_DEPTH else "too deep")
    ((kind, content),) = value.items()
    check = _CHECKS.get(kind)
    if check is None:
        raise ValueError(f"unknown kind of value {kind!r}")
    check(content, depth + 1)
    return value


def _check_text(content: object, depth: int) -> None:
    if not isinstance(content, str):
        raise ValueError("not a text")


def _check_number(content: object, depth: int) -> None:
    _check_text(content, depth)
    number(content)


def _check_temporal(parse: Callable[[str], object]) -> Callable[[object, int], None]:
    def check(content: object, depth: int) -> None:
        _check_text(content, depth)
        parse(str(content))

    return check


def _check_member(content: object, depth: int) -> None:
    if not (isinstance(content, list) and len(content) == 2 and all(isinstance(one, str) for one in content)):
        raise ValueError("not a class with a member")


def _check_float(content: object, depth: int) -> None:
    _check_text(content, depth)
    float.fromhex(str(content))


def _check_int(content: object, depth: int) -> None:
    if not isinstance(content, str):
        raise ValueError("not a text")
    text = content[1:] if content[:1] == "-" else content
    if not (text.isdigit() and text.isascii()):
        raise ValueError("not a whole number")
    if len(content) > MAX_DIGITS:
        raise ValueError("too many digits")


def _check_values(content: object, depth: int) -> None:
    if not isinstance(content, list):
        raise ValueError("not a list")
    for one in content:
        # Most are plain, and there may be many.
        if one.__class__ is str:
            continue
        digits = one.get("int") if one.__class__ is dict and len(one) == 1 else None
        if digits.__class__ is str and digits.isdigit() and digits.isascii() and len(digits) <= MAX_DIGITS:
            continue
        check_value(one, depth)


def _check_map(content: object, depth: int) -> None:
    for one in content if isinstance(content, list) else [None]:
        if not isinstance(one, list) or len(one) != 2:
            raise ValueError("not a list of keys with values")
        _check_values(one, depth)


def _check_object(content: object, depth: int) -> None:
    if not (isinstance(content, list) and len(content) == 2 and isinstance(content[0], str)):
        raise ValueError("not a class with fields")
    _check_map(content[1], depth)


def _check_function(content: object, depth: int) -> None:
    if not (isinstance(content, list) and len(content) == 2 and content[0] in ("function", "procedure", *COMPARING)):
        raise ValueError("not a function with results")
    _check_values(content[1], depth)


def _check_named(content: object, depth: int) -> None:
    if not (isinstance(content, list) and len(content) == 2 and isinstance(content[0], str)):
        raise ValueError("not a value with a name")
    check_value(content[1], depth)


def _check_level(content: object, depth: int) -> None:
    if isinstance(content, bool) or not isinstance(content, int) or content < 1:
        raise ValueError("not a number of levels")


def number(content: object) -> Fraction | Decimal:
    """The number that a text says, exactly; as Decimal if it is infinite or undefined.

    Raises:
        ValueError: it says none.
    """
    try:
        found = Decimal(str(content))
    except InvalidOperation as error:
        raise ValueError("not a number") from error
    if found.is_finite() and (abs(found.adjusted()) > MAX_DIGITS or len(str(content)) > MAX_DIGITS):
        raise ValueError("too many digits")
    return Fraction(found) if found.is_finite() else found


def _check_calls(content: object, depth: int) -> None:
    if not isinstance(content, list):
        raise ValueError("not a list of calls")
    for one in content:
        if not (isinstance(one, list) and len(one) == 2):
            raise ValueError("not a call with its outcome")
        _check_values(one[0], depth)
        check_value(one[1], depth)


_CHECKS: dict[str, Callable[[object, int], None]] = {
    "int": _check_int,
    "float": _check_float,
    "decimal": _check_number,
    "char": _check_text,
    "bytes": _check_text,
    "key": _check_number,
    "date": _check_temporal(date.fromisoformat),
    "datetime": _check_temporal(datetime.fromisoformat),
    "time": _check_temporal(time.fromisoformat),
    "duration": _check_number,
    "path": _check_text,
    "enum": _check_member,
    "list": _check_values,
    "tuple": _check_values,
    "iterator": _check_values,
    "set": _check_values,
    "map": _check_map,
    "object": _check_object,
    "function": _check_function,
    "called": _check_calls,
    "opaque": _check_text,
    "named": _check_named,
    "same": _check_text,
    "cycle": _check_level,
    "cut": _check_text,
}


def is_comparable(value: Value) -> bool:
    """Whether nothing in a value is opaque or was cut."""
    if not isinstance(value, dict):
        return True
    ((kind, content),) = value.items()
    if kind in _SCALARS:
        return True
    if kind in ("opaque", "cut", "function"):
        return False
    if kind == "object":
        return all(is_comparable(field) for _, field in content[1])
    if kind == "map":
        return all(is_comparable(one) for entry in content for one in entry)
    if kind == "called":
        # A call with arguments of a wrong type says nothing, but others do.
        return any(is_comparable(outcome) for _, outcome in content)
    if kind not in _COLLECTIONS:
        return True
    parts = (one for one in content if one.__class__ is dict and next(iter(one)) not in _SCALARS)
    return all(map(is_comparable, parts))


def is_guessed(value: Value) -> bool:
    """Whether an object in a value is of a class whose fields were guessed."""
    return "{'object': ['?" in repr(value)


def equal_values(left: Value, right: Value, tolerance: float = RELATIVE_TOLERANCE) -> bool:
    """Whether two values are the same for somebody who calls the functions.

    Numbers are equal by value, whatever their type, floating-point ones within the relative tolerance; lists, tuples
    and what comes out of iterators are equal by content; sets and maps have no order; a character is a text of length
    one. Members of enumerations are equal by name. Nothing else is converted: None is not -1, and -1 is not False.
    """
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return left is right
    one, other = _plain(left), _plain(right)
    if isinstance(one, str) or isinstance(other, str):
        return _as_text(one) == _as_text(other)
    ((kind, a),), ((other_kind, b),) = one.items(), other.items()
    kind, other_kind = ("decimal" if each == "key" else each for each in (kind, other_kind))
    if kind in _NUMBERS and other_kind in _NUMBERS:
        return _equal_numbers(kind, a, other_kind, b, tolerance)
    if kind in _SEQUENCES and other_kind in _SEQUENCES:
        return len(a) == len(b) and all(equal_values(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if kind != other_kind:
        return False
    if kind in ("set", "map"):
        entries = [{"tuple": one} for one in a] if kind == "map" else a
        others = [{"tuple": one} for one in b] if kind == "map" else b
        return _equal_unordered(entries, others, tolerance)
    if kind == "object":
        # Names of classes are not behaviour.
        return _equal_unordered([{"tuple": one} for one in a[1]], [{"tuple": one} for one in b[1]], tolerance)
    if kind == "called":
        return len(a) == len(b) and all(_same_call(one, other, tolerance) for one, other in zip(a, b, strict=True))
    if kind == "datetime":
        # With another offset from UTC, or digits that say nothing, it is the same moment.
        return datetime.fromisoformat(a) == datetime.fromisoformat(b)
    if kind == "time":
        return time.fromisoformat(a) == time.fromisoformat(b)
    if kind == "duration":
        return number(a) == number(b)
    return bool(a == b)


def with_common_calls(left: Value, right: Value) -> tuple[Value, Value]:
    """Both values with functions as far as both were called alike. Those that take other numbers of arguments, and a
    function beside an object that may be called, cannot be compared.

    Example:
        >>> one, two = [[{"int": "1"}], "a"], [[{"int": "2"}], "b"]
        >>> with_common_calls({"called": [one, two]}, {"called": [one]})
        ({'called': [[[{'int': '1'}], 'a']]}, {'called': [[[{'int': '1'}], 'a']]})
    """
    return _with_calls(left, right, _common_calls)


def with_telling_calls(left: Value, right: Value) -> tuple[Value, Value]:
    """Both values with functions that have only some of the calls by which they differ."""
    return _with_calls(*with_common_calls(left, right), _telling_calls)


def _common_calls(left: list[Any], right: list[Any]) -> list[int]:
    alike = itertools.takewhile(lambda at: left[at][0] == right[at][0], range(min(len(left), len(right))))
    return list(alike)


def _telling_calls(left: list[Any], right: list[Any]) -> list[int]:
    differ = (at for at, (one, other) in enumerate(zip(left, right, strict=True)) if not _same_call(one, other))
    return list(itertools.islice(differ, MOST_TELLING)) or list(range(len(left)))


def _with_calls(left: Value, right: Value, choose: Callable[[list[Any], list[Any]], list[int]]) -> tuple[Value, Value]:
    """Both values with the chosen calls of functions at the same places; functions without any cannot be compared."""
    if not (isinstance(left, dict) and isinstance(right, dict)):
        return left, right
    ((kind, a),), ((other_kind, b),) = left.items(), right.items()
    if kind == other_kind == "called":
        chosen = choose(a, b)
        if not chosen:
            return _ANY_FUNCTION, _ANY_FUNCTION
        outcomes = [_with_calls(a[at][1], b[at][1], choose) for at in chosen]
        calls, others = (
            [[side[at][0], pair[place]] for at, pair in zip(chosen, outcomes, strict=True)]
            for place, side in enumerate((a, b))
        )
        return {kind: calls}, {kind: others}
    if "called" in (kind, other_kind) and {kind, other_kind} & {"object", "map"}:
        return _ANY_FUNCTION, _ANY_FUNCTION
    if kind in _SEQUENCES and other_kind in _SEQUENCES and len(a) == len(b):
        pairs = [_with_calls(one, other, choose) for one, other in zip(a, b, strict=True)]
        return {kind: [one for one, _ in pairs]}, {other_kind: [other for _, other in pairs]}
    if kind == other_kind == "object":
        fields = _entries_with_calls(a[1], b[1], choose)
        return {kind: [a[0], fields[0]]}, {kind: [b[0], fields[1]]}
    if kind == other_kind == "map":
        entries = _entries_with_calls(a, b, choose)
        return {kind: entries[0]}, {kind: entries[1]}
    return left, right


def _entries_with_calls(
    left: Sequence[Any], right: Sequence[Any], choose: Callable[[list[Any], list[Any]], list[int]]
) -> tuple[list[Any], list[Any]]:
    """The same for fields, or keys with values, of the same name."""
    others = {value_key(name): value for name, value in right}
    made = {
        value_key(name): _with_calls(value, others[value_key(name)], choose)
        for name, value in left
        if value_key(name) in others
    }
    first, second = (
        [[name, made[value_key(name)][side] if value_key(name) in made else value] for name, value in entries]
        for side, entries in enumerate((left, right))
    )
    return first, second


def _same_call(one: Sequence[Any], other: Sequence[Any], tolerance: float = RELATIVE_TOLERANCE) -> bool:
    """Whether the same came of a call of two functions, as far as that can be said."""
    known = is_comparable(one[1]) and is_comparable(other[1])
    return one[0] == other[0] and (not known or equal_values(one[1], other[1], tolerance))


def surely_differ(left: Value, right: Value) -> bool:
    """Whether two values differ, whatever is behind what was cut or cannot be compared."""
    if is_comparable(left) and is_comparable(right):
        return not equal_values(left, right)
    if not isinstance(left, dict) or not isinstance(right, dict):
        whole = left if isinstance(left, dict) else right
        return isinstance(whole, dict) and next(iter(whole)) not in ("opaque", "cut", "function")
    ((kind, a),), ((other_kind, b),) = left.items(), right.items()
    if {kind, other_kind} & {"opaque", "cut", "function"}:
        return False
    if kind != other_kind and (_is_unknown_result(left) or _is_unknown_result(right)):
        return False
    if kind in _SEQUENCES and other_kind in _SEQUENCES:
        return any(surely_differ(one, other) for one, other in zip(a, b, strict=False))
    return kind != other_kind and not (kind in _NUMBERS and other_kind in _NUMBERS)


def _is_unknown_result(value: dict[str, Any]) -> bool:
    """Whether a value is what a function of C gives back, together with what it wrote into its arguments, and the first
    is a pointer to something of unknown length: another language returns that in another form."""
    return "tuple" in value and bool(value["tuple"]) and value["tuple"][0] == {"opaque": "pointer"}


def _plain(value: str | dict[str, Any]) -> str | dict[str, Any]:
    """A character as the text that it is, a member of an enumeration as its name."""
    if isinstance(value, dict):
        if "char" in value:
            return str(value["char"])
        if "enum" in value:
            return str(value["enum"][1])
    return value


def _as_text(value: str | dict[str, Any]) -> str | dict[str, Any]:
    """A key that may be a text as that text."""
    return str(value["key"]) if isinstance(value, dict) and "key" in value else value


def _equal_numbers(kind: str, left: str, other_kind: str, right: str, tolerance: float) -> bool:
    if "float" in (kind, other_kind):
        one, other = _as_float(kind, left), _as_float(other_kind, right)
        if one is not None and other is not None:
            both_undefined = math.isnan(one) and math.isnan(other)
            return both_undefined or math.isclose(one, other, rel_tol=tolerance, abs_tol=0.0)
        return one is other
    one_exact, other_exact = number(left), number(right)
    if isinstance(one_exact, Decimal) or isinstance(other_exact, Decimal):
        return str(one_exact) == str(other_exact)
    return one_exact == other_exact


def _as_float(kind: str, text: str) -> float | None:
    """A number as a floating-point one; None if it is too large."""
    try:
        return float.fromhex(text) if kind == "float" else float(number(text))
    except OverflowError:
        return None


def _equal_unordered(left: Sequence[Any], right: Sequence[Any], tolerance: float) -> bool:
    """Whether each value has a partner on the other side, each another one."""
    if len(left) != len(right):
        return False
    remaining = list(right)
    for one in left:
        place = next((at for at, other in enumerate(remaining) if equal_values(one, other, tolerance)), None)
        if place is None:
            return False
        del remaining[place]
    return True
