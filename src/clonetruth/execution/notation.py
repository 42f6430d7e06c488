"""Values and calls as people write them in each language: `f([0, 0], 1)` in Python, `f({0, 0}, 1)` in Java."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from clonetruth.execution.values import LEFT_OUT, RAISES, Value

_MOST_CALLS = 3
"""Calls of a returned function that are written."""


@dataclass(frozen=True)
class _Notation:
    """How a language writes values.

    Attributes:
        none, true, false: the constants.
        undefined, infinite: floating-point numbers that are not finite.
        brackets: around the elements of a list.
    """

    none: str
    true: str = "true"
    false: str = "false"
    undefined: str = "NaN"
    infinite: str = "Infinity"
    brackets: str = "{}"


_COMPARING = {
    "order": ("says whether the first is less", "says whether the first is greater"),
    "equality": ("says whether both are equal",),
    "comparison": ("compares", "compares in reverse order"),
}
_JAVASCRIPT = _Notation("null", brackets="[]")
_NOTATIONS = {
    "python": _Notation("None", "True", "False", "float('nan')", "float('inf')", "[]"),
    "java": _Notation("null", undefined="Double.NaN", infinite="Double.POSITIVE_INFINITY"),
    "c": _Notation("NULL", undefined="NAN", infinite="INFINITY"),
    "cpp": _Notation("nullptr", undefined="NAN", infinite="INFINITY"),
    "csharp": _Notation("null", undefined="double.NaN", infinite="double.PositiveInfinity"),
    "go": _Notation("nil", undefined="math.NaN()", infinite="math.Inf(1)"),
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
}


def write_value(value: Value, language: str) -> str:
    """A value in the notation of a language.

    Example:
        >>> numbers = {"list": [{"int": "0"}, {"float": "0x1.8p+0"}]}
        >>> write_value(numbers, "python"), write_value(numbers, "java")
        ('[0, 1.5]', '{0, 1.5}')
    """
    known = _NOTATIONS.get(language, _JAVASCRIPT)
    if value is None:
        return known.none
    if isinstance(value, bool):
        return known.true if value else known.false
    if isinstance(value, str):
        return repr(value) if language == "python" else json.dumps(value, ensure_ascii=False)
    ((kind, content),) = value.items()
    if kind in ("int", "decimal", "key"):
        return str(content)
    if kind == "float":
        return _float(float.fromhex(content), known)
    if kind == "char":
        return repr(str(content)) if language == "python" else f"'{json.dumps(content, ensure_ascii=False)[1:-1]}'"
    if kind == "enum":
        return f"{content[0]}.{content[1]}"
    if kind in ("date", "datetime", "time", "duration", "path"):
        if known is _JAVASCRIPT and kind in ("date", "datetime"):
            return f'new Date("{content}{"Z" if kind == "datetime" else ""}")'
        return _python_object(kind, content) if language == "python" else str(content)
    if kind == "bytes":
        return f"bytes {content}" if language != "python" else repr(bytes.fromhex(content))
    if kind in ("opaque", "cut"):
        return f"<{content}>" if kind == "opaque" else f"<more than fits: {content}>"
    if kind == "function" and content[0] in _COMPARING:
        return f"<a function that {_COMPARING[content[0]][content[1] == [False]]}>"
    if kind == "function":
        return f"<a function that returns {' or '.join(write_value(one, language) for one in content[1]) or 'nothing'}>"
    if kind == "called":
        calls = [_call(given, outcome, language) for given, outcome in content[:_MOST_CALLS]]
        return f"<a function: {'; '.join(calls)}{'; …' if len(content) > _MOST_CALLS else ''}>"
    if kind == "cycle":
        return "<the value around it>" if content == 1 else f"<the value {content} levels around it>"
    if kind == "same":
        return str(content)
    if kind == "named":
        return f"{content[0]} = {write_value(content[1], language)}"
    if kind == "object":
        return _object(content[0], [(_bare(name), write_value(one, language)) for name, one in content[1]], known)
    if kind == "map":
        return f"{{{', '.join(f'{write_value(a, language)}: {write_value(b, language)}' for a, b in content)}}}"
    return _sequence(kind, [write_value(one, language) for one in content], known, language)


def _call(given: Sequence[Value], outcome: Value, language: str) -> str:
    """A call of a returned function, and what came of it."""
    arguments = ", ".join(write_value(one, language) for one in given)
    return f"({arguments}) {'raises' if outcome == RAISES else f'→ {write_value(outcome, language)}'}"


def _object(name: str, fields: Sequence[tuple[str, str]], known: _Notation) -> str:
    """An object with its fields; in JavaScript as its console writes it."""
    if known is _JAVASCRIPT:
        plain = f"{{{', '.join(f'{field}: {value}' for field, value in fields)}}}"
        return plain if name == "Object" else f"{name} {plain}"
    return f"{name}({', '.join(f'{field}={value}' for field, value in fields)})"


def _sequence(kind: str, inner: Sequence[str], known: _Notation, language: str) -> str:
    written = ", ".join(inner)
    if kind == "tuple" and language == "python":
        return f"({written},)" if len(inner) == 1 else f"({written})"
    if kind == "set":
        return f"{{{written}}}" if inner or language != "python" else "set()"
    return f"{'iter(' if kind == 'iterator' else ''}{known.brackets[0]}{written}{known.brackets[1]}" + (
        ")" if kind == "iterator" else ""
    )


def _python_object(kind: str, content: str) -> str:
    """A date, time or path as the call that makes it."""
    if kind == "path":
        return f"Path({content!r})"
    if kind == "duration":
        return f"timedelta(seconds={content})"
    parsed = {"date": date.fromisoformat, "datetime": datetime.fromisoformat, "time": time.fromisoformat}[kind](content)
    return repr(parsed).removeprefix("datetime.")


def _float(number: float, known: _Notation) -> str:
    if math.isnan(number):
        return known.undefined
    if math.isinf(number):
        return known.infinite if number > 0 else f"-{known.infinite}"
    return repr(number)


def _bare(name: Value) -> str:
    return name if isinstance(name, str) else write_value(name, "python")


def write_call(entry: str, arguments: Sequence[Value], language: str, ways: Sequence[tuple[str, str]] = ()) -> str:
    """A call in the notation of a language.

    Args:
        entry: what is called.
        arguments: what it is given.
        language: the language.
        ways: for the first arguments, their names and how they are passed, as `EntryParameter.passed` says.

    Example:
        >>> write_call("f", ({"list": []}, {"int": "1"}), "java")
        'f({}, 1)'
        >>> write_call("f", (LEFT_OUT, {"int": "1"}), "python", [("a", "named"), ("b", "named")])
        'f(b=1)'
    """
    given = list(arguments)
    while given and given[-1] == LEFT_OUT:
        given.pop()
    written: list[str] = []
    for at, one in enumerate(given):
        name, how = ways[at] if at < len(ways) else ("", "")
        if one == LEFT_OUT:
            # What follows is passed by name, or in its place.
            written += ["undefined"] if _NOTATIONS.get(language) is _JAVASCRIPT else []
        elif how == "keyword" or (how == "named" and LEFT_OUT in given[:at]):
            written.append(f"{name}={write_value(one, language)}")
        elif how == "rest" and isinstance(one, dict) and "list" in one:
            written += [write_value(element, language) for element in one["list"]]
        elif how == "keywords" and isinstance(one, dict) and "map" in one:
            written += [f"{key}={write_value(value, language)}" for key, value in one["map"]]
        else:
            written.append(write_value(one, language))
    return f"{entry or 'main'}({', '.join(written)})"
