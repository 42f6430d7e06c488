"""What calls did, as programs in the sandbox write it: a JSON object for each call, read with distrust."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.harness.harness import Observation
from clonetruth.execution.values import Value, check_value
from clonetruth.parsing import parse_json

_MAX_KEPT = 10 << 20
"""Characters of texts that are remembered."""
_MAX_NAME = 200


@dataclass
class ObservationReader:
    """Reads observations. Both sides of a pair mostly do the same, so a text that came before is not read again.

    Attributes:
        has_bytes: whether texts are bytes that were written as Latin letters.
    """

    has_bytes: bool = False
    _known: dict[str, Observation] = field(default_factory=dict, repr=False)
    _length: int = 0

    def read(self, text: str) -> Observation:
        """What one call did.

        Raises:
            ValueError: that is not what a server writes.
        """
        known = self._known.get(text)
        if known is not None:
            return known
        # Values are checked for their depth below, and nothing else may be nested.
        said = parse_json(text, deep=True)
        if not isinstance(said, dict):
            raise ValueError("not an answer")
        found = self._observation(said)
        self._length += len(text)
        if self._length > _MAX_KEPT:
            self._known.clear()
            self._length = len(text)
        self._known[text] = found
        return found

    def _observation(self, said: Mapping[str, Any]) -> Observation:
        if "failed" in said:
            return Observation(ended=f"failed: {_name(said, 'failed')}"[:_MAX_NAME])
        changed, reached, output = said.get("changed"), said.get("reached", ()), said.get("output", "")
        if not isinstance(output, str):
            raise ValueError("not a text")
        if changed is not None and not isinstance(changed, list):
            raise ValueError("not a list")
        if not all(type(one) is int for one in reached):
            raise ValueError("not points")
        return Observation(
            returned=self._value(said.get("returned")),
            raised=_name(said, "raised"),
            changed=None if changed is None else tuple(map(self._value, changed)),
            output=_decoded(output) if self.has_bytes else output,
            ended=_name(said, "ended"),
            missing=_name(said, "missing"),
            reached=tuple(reached),
        )

    def _value(self, said: object) -> Value:
        value = check_value(said)
        return check_value(_texts(value)) if self.has_bytes and "\\u" in json.dumps(value) else value


def _name(said: Mapping[str, Any], key: str) -> str | None:
    value = said.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not a text")
    return None if value is None else value[:_MAX_NAME]


def _texts(value: Any) -> Any:
    """A value whose texts came as bytes."""
    if isinstance(value, str):
        return _decoded(value)
    if isinstance(value, list):
        return [_texts(one) for one in value]
    if isinstance(value, dict):
        return {key: _texts(one) for key, one in value.items()}
    return value


def _decoded(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "backslashreplace")
