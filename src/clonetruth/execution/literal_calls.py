"""Calls with their results that are written as literals: in tests of Python, or as plain JSON.

They are inputs for code of any language, in the form of `execution.values`. Nothing is executed.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from clonetruth.execution.harness.harness import CallInput
from clonetruth.execution.harness.inside.python_values import to_form
from clonetruth.execution.values import Value, check_value
from clonetruth.parsing import parse_json

_MOST_EXAMPLES = 12
_LONGEST_EXAMPLE = 2_000

LiteralCall = tuple[list[Value], Value]
"""The arguments of a call, and its expected result."""


def calls_of_asserts(text: str) -> list[LiteralCall]:
    """The calls in a test of Python of the form `assert function(1, [2]) == 3`; others are left out."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [call for node in ast.walk(tree) if isinstance(node, ast.Assert) for call in _call(node.test)]


def _call(test: ast.expr) -> Iterator[LiteralCall]:
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name(), args=arguments, keywords=[]), ops=[ast.Eq()], comparators=[one]
        ):
            try:
                yield [to_form(ast.literal_eval(each)) for each in arguments], to_form(ast.literal_eval(one))
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                return


def example_inputs(text: str) -> list[CallInput]:
    """The calls in examples of docstrings of Python, such as `>>> f([1], "a")`, whose arguments are literals; of the
    function that most of them call.

    Example:
        >>> example_inputs("Doubles: '>>> f(3)' is 6")
        [CallInput(arguments=({'int': '3'},), stdin='')]
    """
    found: dict[str, list[CallInput]] = {}
    for name, call in re.findall(r"(?:>>>|\bassert)\s*((?!\d)\w+)\s*(\([^\n]*)", text)[: 4 * _MOST_EXAMPLES]:
        for end in [at + 1 for at, letter in enumerate(call[:_LONGEST_EXAMPLE]) if letter == ")"]:
            try:
                arguments = ast.literal_eval(call[: end - 1] + ",)" if call[1 : end - 1].strip() else "()")
                inputs = CallInput(tuple(to_form(one) for one in arguments))
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue
            found.setdefault(name, []).append(inputs)
            break
    most = max(found.values(), key=len, default=[])
    return list({repr(one): one for one in most}.values())[:_MOST_EXAMPLES]


def calls_of_json(cases: Sequence[Any]) -> list[LiteralCall]:
    """The calls in a list of `[arguments, result]` in plain JSON; one argument may stand without a list."""
    calls: list[LiteralCall] = []
    for case in cases:
        if isinstance(case, list) and len(case) == 2:
            arguments, result = case
            listed = arguments if isinstance(arguments, list) else [arguments]
            calls.append(([to_form(one) for one in listed], to_form(result)))
    return calls


def read_calls(text: str) -> list[tuple[CallInput, Value]]:
    """The calls that a benchmark's table `tests` holds, each with its result.

    A call of a function is `[arguments, result]`, a run of a program `{"stdin": text, "stdout": text}`, whose result is
    what it prints; without `stdout` it is only an input, and its result is None. `"agreed": 5` says that nobody gave
    this input: five solutions agree on it.

    Example:
        >>> read_calls('[{"stdin": "2 3", "stdout": "5"}]')
        [(CallInput(arguments=(), stdin='2 3'), '5')]

    Raises:
        ValueError: the text does not have the form.
    """
    found = parse_json(text)
    if not isinstance(found, list):
        raise ValueError("not a list of calls")
    return [_read_call(one) for one in found]


def _read_call(said: Any) -> tuple[CallInput, Value]:
    if isinstance(said, dict):
        stdin, stdout = said.get("stdin"), said.get("stdout")
        agreed = said.get("agreed", 0)
        is_run = isinstance(stdin, str) and isinstance(stdout, str | None) and type(agreed) is int and agreed >= 0
        if not is_run or said.keys() - {"stdin", "stdout", "agreed"}:
            raise ValueError("not a run of a program with 'stdin' and 'stdout'")
        return CallInput(stdin=str(stdin), agreed=agreed), stdout
    if not isinstance(said, list) or len(said) != 2 or not isinstance(said[0], list):
        raise ValueError("not a list of calls")
    arguments, result = said
    return CallInput(tuple(check_value(one) for one in arguments)), check_value(result)


def write_calls(calls: Sequence[LiteralCall]) -> str | None:
    """The text that `read_calls` reads; None if there are no calls."""
    return json.dumps(calls) if calls else None
