"""Indented JSON of large results: the same text as `json.dumps`, whose fast encoder cannot indent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from json.encoder import encode_basestring
from typing import Any


class JsonText(str):
    """A text that is already JSON, and is copied as it is."""


_WORDS = {None: "null", True: "true", False: "false"}
_SCALARS: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    JsonText: str.__str__,
    int: int.__repr__,
    bool: _WORDS.__getitem__,
    type(None): _WORDS.__getitem__,
}


def json_text(value: object) -> str:
    """Return a value as JSON, indented by two blanks, as `json.dumps(…, indent=2, ensure_ascii=False)` does.

    Args:
        value: texts, numbers, truth values, None, sequences and mappings of them with texts as keys, and objects that
            stand for the mapping of their attributes.

    Raises:
        ValueError: a number is infinite, or not a number.
        TypeError: a value is none of these.
    """
    return _text(value, "\n")


def json_items(items: Iterable[object], depth: int) -> str:
    """Return items of a list at a depth of containers as `json_text` would, without the brackets around all items."""
    line = "\n" + "  " * depth
    return f",{line}".join([_text(one, line) for one in items])


def _text(value: Any, line: str) -> str:
    """The text of a value in a container whose lines begin with `line`."""
    scalar = _SCALARS.get(type(value))
    if scalar is not None:
        return scalar(value)
    inner = f"{line}  "
    if isinstance(value, list | tuple):
        items = [_text(one, inner) for one in value]
        return f"[{inner}{f',{inner}'.join(items)}{line}]" if items else "[]"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError(f"{value} has no JSON form")
        return float.__repr__(value)
    if isinstance(value, int):
        return int.__repr__(value)
    entries: Mapping[str, Any] = value if isinstance(value, Mapping) else vars(value)
    # Most values are scalars: these need no call of this function.
    scalars = [_SCALARS.get(type(one)) for one in entries.values()]
    items = [
        f"{encode_basestring(name)}: {scalar(one) if scalar else _text(one, inner)}"
        for (name, one), scalar in zip(entries.items(), scalars, strict=True)
    ]
    return f"{{{inner}{f',{inner}'.join(items)}{line}}}" if items else "{}"
