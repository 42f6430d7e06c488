"""Tables: formatting, alignment, escaping, and unknown values."""

import math

import pytest
from markupsafe import Markup

from clonetruth.html import Column, Table
from clonetruth.html.numbers import count, decimal, percent, percent_interval, plural
from tests.report.wellformed import read


def test_a_table_shows_numbers_and_keeps_their_sort_keys() -> None:
    columns = (
        Column("name"),
        Column("pairs", "count"),
        Column("share", "percent", 1),
        Column("s", "decimal", 3),
    )
    html = str(Table(columns, [("a", 12_345, 0.1234, 0.5)], "Caption").__html__())
    assert read(html).problems == []
    assert '<th scope="row">a</th>' in html
    assert '<td class="number" data-sort="12345">12,345</td>' in html
    assert '<td class="number" data-sort="0.1234">12.3\u202f%</td>' in html
    assert '<td class="number" data-sort="0.5">0.500</td>' in html


@pytest.mark.parametrize("unknown", [None, math.nan])
def test_unknown_is_a_dash_and_sorts_last(unknown: float | None) -> None:
    html = str(Table((Column("a"), Column("b", "decimal")), [("x", unknown)], "c").__html__())
    assert '<td class="number" data-sort="">–</td>' in html


def test_text_is_escaped_and_markup_is_not() -> None:
    rows = [("<b>", Markup("<em>{}</em>").format("&"))]
    html = str(Table((Column("<i>"), Column("b")), rows, "<caption>").__html__())
    assert "&lt;b&gt;" in html
    assert "<em>&amp;</em>" in html
    assert "&lt;i&gt;" in html
    assert "&lt;caption&gt;" in html


def test_an_empty_table_says_so() -> None:
    html = str(Table((Column("a"), Column("b")), [], "c").__html__())
    assert '<td colspan="2">No rows.</td>' in html


def test_rows_must_fit_the_columns() -> None:
    with pytest.raises(ValueError, match="row 1 has 1 cells for 2 columns"):
        Table((Column("a"), Column("b")), [("x", "y"), ("z",)], "c")


def test_numbers_as_text() -> None:
    assert count(1_234_567) == "1,234,567"
    assert count(None) == percent(None) == decimal(math.inf) == percent_interval(None, 0.5) == "–"
    assert decimal(-0.001) == "0.00"
    assert decimal(-1.5, 1) == "−1.5"
    assert percent(0.256) == "26\u202f%"
    assert percent_interval(0.1, 0.167) == "10–17\u202f%"
    assert [plural(1, "pair"), plural(2, "pair"), plural(0, "entry", "entries")] == [
        "1 pair",
        "2 pairs",
        "0 entries",
    ]
