"""JSON and TOML of strangers: a value, or a ValueError."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.parsing import MOST_LEVELS, finite_number, parse_json, parse_toml, require_finite

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_json_is_what_the_standard_library_reads(value: object) -> None:
    text = json.dumps(value)
    assert parse_json(text) == parse_json(text.encode()) == value


@pytest.mark.parametrize("levels", [1, 50, MOST_LEVELS, MOST_LEVELS + 1, 900, 5000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_deep_json_is_refused(levels: int, opening: str, closing: str) -> None:
    text = opening * levels + "1" + closing * levels
    if levels <= MOST_LEVELS:
        assert parse_json(text)
    else:
        with pytest.raises(ValueError, match="nested more than 100 levels deep"):
            parse_json(text)


@pytest.mark.parametrize("levels", [50, 500, 5000])
def test_deep_toml_is_refused(levels: int) -> None:
    text = "a = " + "[" * levels + "]" * levels
    if levels < MOST_LEVELS:
        assert parse_toml(text)
    else:
        with pytest.raises(ValueError, match="nested more than 100 levels deep"):
            parse_toml(text)


@pytest.mark.parametrize("text", ["true", "null", '"1"', "[1]", "NaN", "-Infinity", "1e400", "1" + "0" * 400])
def test_only_finite_numbers_are_numbers(text: str) -> None:
    assert require_finite(parse_json("2")) == 2.0
    with pytest.raises(ValueError, match="is not a finite number"):
        require_finite(parse_json(text))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, 1.0), (0.5, 0.5), (np.float32(0.5), 0.5), (10**400, None), (float("nan"), None), (True, None), ("1", None)],
)
def test_a_finite_number_is_one_that_a_float_holds(value: object, expected: float | None) -> None:
    assert finite_number(value) == expected
