"""Java's number formatting, compared with recorded output of Java."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.formats.java_text import java_double, java_hash_order


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e-4, "1.0E-4"),
        (0.001, "0.001"),
        (9.99e-4, "9.99E-4"),
        (1e7, "1.0E7"),
        (9999999.0, "9999999.0"),
        (0.20396600566572237, "0.20396600566572237"),
        (7.995840234709936e-4, "7.995840234709936E-4"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (-12.5, "-12.5"),
        (100.0, "100.0"),
        (1.2345e10, "1.2345E10"),
        (1e21, "1.0E21"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_a_double_is_printed_as_java_prints_it(number: float, text: str) -> None:
    assert java_double(number) == text


@given(st.floats(allow_nan=False))
def test_a_printed_double_reads_back_as_itself_and_has_the_form_of_its_size(number: float) -> None:
    text = java_double(number)
    assert float(text) == number
    if math.isfinite(number) and number != 0:
        assert ("E" in text) is not (1e-3 <= abs(number) < 1e7)
        assert "." in text


@pytest.mark.parametrize(
    ("numbers", "order"),
    [
        ([2, 5, 11, 44, 130, 77], [2, 130, 5, 11, 44, 77]),
        ([100, 1, 17, 33, 16, 0, 48], [16, 0, 48, 1, 17, 33, 100]),
        (
            [-1, -5, 3, 1 << 40, (1 << 40) + 3, 99999999999, 70000],
            [-1, 1 << 40, 70000, 3, (1 << 40) + 3, -5, 99999999999],
        ),
        ([*range(1, 13), 130], [1, 2, 130, *range(3, 13)]),
    ],
    ids=["from the golden sets", "one slot keeps its order", "long numbers", "a table that has grown"],
)
def test_the_order_of_a_hash_set(numbers: list[int], order: list[int]) -> None:
    assert java_hash_order(numbers) == order


@given(st.sets(st.integers(0, 63), min_size=25, max_size=48))
def test_between_25_and_48_small_numbers_come_out_ascending(numbers: set[int]) -> None:
    assert java_hash_order(list(numbers)) == sorted(numbers)
