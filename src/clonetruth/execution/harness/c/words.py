"""The words of an input, which the generated part of a compiled fragment reads.

What they mean is known on both sides from the types, so a word says only its value: `12`, `0x1.8p+1`, `x616263` for a
text, `N` for none, `S` before some object, a count before elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from clonetruth.execution.harness.c.receivers import ReceiverPlan
from clonetruth.execution.harness.c.types import MAPS, CType, TypeTable
from clonetruth.execution.values import COMPARING, Value

ROLES = ("function", "procedure", *COMPARING)
"""What functions that are passed do, by the numbers that the driver has for it."""


class WrongTypeError(ValueError):
    """A value that a parameter cannot take."""


def encode(value: Value, kind: CType, table: TypeTable) -> Iterator[str]:
    """The words of a value.

    Raises:
        WrongTypeError: the value does not fit the type.
    """
    if kind.kind == "int" and isinstance(value, dict) and "enum" in value:
        member = table.enums.get(kind.name, {}).get(str(value["enum"][1]))
        if member is None:
            raise WrongTypeError("not a member")
        yield str(member)
    elif kind.kind == "int":
        number = int(_content(value, "int"))
        lowest, highest = (
            (-(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1) if kind.signed else (0, 2**kind.bits - 1)
        )
        if not lowest <= number <= highest:
            raise WrongTypeError("out of range")
        yield str(number)
    elif kind.kind == "float":
        is_whole = isinstance(value, dict) and "int" in value
        yield str(float(_content(value, "int"))) if is_whole else str(_content(value, "float"))
    elif kind.kind == "bool":
        if not isinstance(value, bool):
            raise WrongTypeError("not a truth value")
        yield str(int(value))
    elif kind.kind == "char":
        letter = value if isinstance(value, str) and len(value) == 1 else str(_content(value, "char"))
        if not letter.isascii():
            raise WrongTypeError("not a character of one byte")
        yield str(ord(letter))
    elif kind.kind in ("str", "text") or (kind.kind in ("pointer", "array") and kind.target.kind == "char"):
        yield from _encode_text(value, kind)
    elif kind.kind == "struct":
        yield from _encode_fields(value, kind, table)
    elif kind.kind == "pointer" and kind.target.kind == "struct":
        yield "N" if value is None else "S"
        if value is not None:
            yield from _encode_fields(value, kind.target, table)
    elif kind.kind in ("pointer", "array"):
        yield from _encode_list(_content(value, "list", "tuple"), kind.target, table)
    elif kind.kind == "template":
        yield from _encode_template(value, kind, table)
    elif kind.kind == "function":
        yield from _encode_function(value, kind, table)
    else:
        raise WrongTypeError(f"no values of the type {kind.written}")


def _encode_text(value: Value, kind: CType) -> Iterator[str]:
    if value is None and kind.kind != "text":
        yield "N"
    elif isinstance(value, dict) and "bytes" in value:
        if any(not byte for byte in bytes.fromhex(value["bytes"])):
            raise WrongTypeError("bytes of zero end a text")
        yield "x" + value["bytes"]
    elif not isinstance(value, str) or ("\0" in value and kind.kind != "text"):
        raise WrongTypeError("not a text")
    else:
        yield "x" + value.encode("utf-8", "surrogateescape").hex()


def _encode_fields(value: Value, kind: CType, table: TypeTable) -> Iterator[str]:
    given = {str(name): one for name, one in _content(value, "object")[1]}
    for name, inner in table.structs[kind.name]:
        if name not in given:
            raise WrongTypeError(f"no field {name}")
        yield from encode(given[name], inner, table)


def _encode_list(values: list[Value], inner: CType, table: TypeTable) -> Iterator[str]:
    yield str(len(values))
    for one in values:
        yield from encode(one, inner, table)


def _encode_function(value: Value, kind: CType, table: TypeTable) -> Iterator[str]:
    """What it does, 1 or -1 for the order by which it compares, and its results."""
    role, results = _content(value, "function")
    result, *taken = kind.inner
    if role in COMPARING and (len(taken) != 2 or taken[0] != taken[1] or not result.is_scalar):
        raise WrongTypeError("nothing to compare")
    yield str(ROLES.index(role))
    yield "-1" if role in COMPARING and results == [False] else "1"
    yield from _encode_list([] if role in COMPARING or result.kind == "void" else results, result, table)


def _encode_template(value: Value, kind: CType, table: TypeTable) -> Iterator[str]:
    if kind.name == "optional":
        yield "N" if value is None else "S"
        if value is not None:
            yield from encode(value, kind.inner[0], table)
    elif kind.name in ("pair", "tuple"):
        values = _content(value, "tuple", "list")
        if len(values) != len(kind.inner):
            raise WrongTypeError("another number of parts")
        for one, inner in zip(values, kind.inner, strict=True):
            yield from encode(one, inner, table)
    elif kind.name in MAPS:
        entries = _content(value, "map")
        yield str(len(entries))
        for key, one in entries:
            yield from encode(key, kind.inner[0], table)
            yield from encode(one, kind.inner[1], table)
    else:
        yield from _encode_list(_content(value, "list", "set", "tuple"), kind.inner[0], table)


def encode_receiver(history: Mapping[str, Any], receiver: ReceiverPlan, table: TypeTable) -> Iterator[str]:
    """The words for an object and what is done with it: the number of calls, then each by the number of its method.

    Raises:
        WrongTypeError: a value does not fit, or there is no such method.
    """
    made = history.get("made", ())
    if made and len(made) == len(receiver.taken):
        yield "S"
        for value, (_, kind) in zip(made, receiver.taken, strict=True):
            yield from encode(value, kind, table)
    else:
        yield "N"
    numbers = {one.name: at for at, one in enumerate(receiver.methods)}
    before, after = list(history.get("before", ())), history.get("after")
    yield str(len(before))
    for name, *given in [*before, *([after] if after is not None else [])]:
        values = given[0] if given else []
        if name not in numbers or len(values) != len(receiver.methods[numbers[name]].parameters):
            raise WrongTypeError(f"no method {name}")
        yield str(numbers[name])
        for value, one in zip(values, receiver.methods[numbers[name]].parameters, strict=True):
            yield from encode(value, one.type, table)
    if after is None:
        yield "-1"


def _content(value: Value, *kinds: str) -> Any:
    for kind in kinds:
        if isinstance(value, dict) and kind in value:
            return value[kind]
    raise WrongTypeError(f"not {kinds[0]}")
