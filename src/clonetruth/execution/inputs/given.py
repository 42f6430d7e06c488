"""Inputs of the user: a file with one input a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.execution.harness.harness import CallInput
from clonetruth.execution.values import Value, check_value
from clonetruth.parsing import parse_json

_HINT = 'A line is a JSON list of arguments, such as [[1, 2], "x"], or {"arguments": […], "stdin": "…"}.'


def read_inputs(path: Path) -> tuple[CallInput, ...]:
    """The inputs of a file.

    Each line is a JSON list of arguments, or an object with `arguments`, `stdin`, or both. Arguments are plain JSON, or
    values with named types as in `clonetruth.execution.values`.

    Raises:
        InputError: the file cannot be read, or a line is not an input.
    """
    found: list[CallInput] = []
    for where, said in read_lines(path, _HINT):
        try:
            found.append(input_of(said))
        except ValueError as error:
            raise InputError(f"Not an input: {error}.", where=where, hint=_HINT) from error
    return tuple(found)


def read_lines(path: Path, hint: str) -> Iterator[tuple[str, Any]]:
    """The lines of a file of JSON that are not empty, each with its place.

    Raises:
        InputError: the file cannot be read, has no lines, or a line is not JSON.
    """
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"Cannot read the inputs: {said}.", where=path) from error
    if not any(line.strip() for line in lines):
        raise InputError("The file has no inputs.", where=path, hint=hint)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found = parse_json(line)
            except ValueError as error:
                raise InputError(f"Not an input: {error}.", where=f"{path}:{number}", hint=hint) from error
            yield f"{path}:{number}", found


def input_of(said: Any) -> CallInput:
    """An input of a list of arguments, or of an object with `arguments` and `stdin`.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(said, list):
        said = {"arguments": said}
    if not isinstance(said, dict) or not said or said.keys() - {"arguments", "stdin"}:
        raise ValueError("neither a list nor an object with 'arguments' and 'stdin'")
    arguments, stdin = said.get("arguments", []), said.get("stdin", "")
    if not isinstance(arguments, list) or not isinstance(stdin, str):
        raise ValueError("'arguments' is a list, 'stdin' a text")
    return CallInput(tuple(value_of(one) for one in arguments), stdin)


def value_of(plain: Any) -> Value:
    """A value in the common form, of plain JSON or of a value that has that form already.

    Example:
        >>> value_of([1, 2.5, {"a": None}])
        {'list': [{'int': '1'}, {'float': '0x1.4000000000000p+1'}, {'map': [['a', None]]}]}

    Raises:
        ValueError: it is neither.
    """
    if plain is None or isinstance(plain, bool | str):
        return plain
    if isinstance(plain, int):
        return check_value({"int": str(plain)})
    if isinstance(plain, float):
        return {"float": plain.hex()}
    if isinstance(plain, list):
        return {"list": [value_of(one) for one in plain]}
    try:
        return check_value(plain)
    except ValueError:
        return {"map": [[name, value_of(one)] for name, one in plain.items()]}


def plain_of(value: Value) -> Any:
    """A value as plain JSON: the inverse of `value_of`, for values that plain JSON can say.

    Raises:
        ValueError: plain JSON cannot say it.
    """
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "int":
        return int(content)
    if kind == "float":
        return float.fromhex(content)
    if kind == "char":
        return content
    if kind in ("list", "tuple"):
        return [plain_of(one) for one in content]
    if kind == "map" and all(isinstance(key, str) for key, _ in content):
        return {key: plain_of(one) for key, one in content}
    raise ValueError(f"not plain: {kind}")
