"""Indented JSON: the same text as Python's own encoder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.json_text import JsonText, json_items, json_text

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@dataclass(frozen=True)
class _Pair:
    left: Any
    right: Any


@given(_VALUES)
def test_is_the_text_of_the_standard_encoder(value: Any) -> None:
    assert json_text(value) == json.dumps(value, indent=2, ensure_ascii=False)


@given(_VALUES, _VALUES)
def test_an_object_stands_for_its_attributes(left: Any, right: Any) -> None:
    value = [_Pair(left, _Pair(right, ()))]
    assert json_text(value) == json.dumps(value, indent=2, ensure_ascii=False, default=vars)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_without_a_json_form_is_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="no JSON form"):
        json_text({"similarity": value})


def test_a_value_without_attributes_is_an_error() -> None:
    with pytest.raises(TypeError):
        json_text([object()])


def test_items_of_a_list_are_encoded_apart() -> None:
    items: list[object] = [{"a": [1, "b\n"]}, [], None]
    whole = json_text({"items": (JsonText(json_items(items, 2)),), "more": JsonText("[]")})
    assert whole == json.dumps({"items": items, "more": []}, indent=2)
