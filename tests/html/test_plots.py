"""Plots: same input, same bytes; nothing, one value, and unknown values are drawn honestly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from clonetruth.html.plots import (
    Cloud,
    Dot,
    Labels,
    PlottedCurve,
    PlottedEstimate,
    Point,
    Region,
    Series,
    Svg,
    bar_chart,
    confusion_matrix,
    dot_chart,
    histogram,
    interval_plot,
    line_chart,
    scatter_plane,
)

LABELS = Labels("A <title> & more", x="x", y="y", description="What it shows.")
NAN = math.nan

FULL: dict[str, Callable[[], Svg]] = {
    "bars": lambda: bar_chart(["a", "b"], [Series("p", [1, 2]), Series("q", [3, 0])], LABELS),
    "stacked bars": lambda: bar_chart(["a"], [Series("p", [1]), Series("q", [3])], LABELS, stacked=True),
    "histogram": lambda: histogram([Series("p", [0.1, 0.2, 1]), Series("q", [0.5])], LABELS, span=(0, 1)),
    "plane": lambda: scatter_plane([Cloud("p", [Point(0.1, 0.2)])], LABELS, threshold=0.7, regions=[Region(0.5, "R")]),
    "confusion": lambda: confusion_matrix((1, 2, 3, 4), LABELS),
    "intervals": lambda: interval_plot([PlottedEstimate("a", 0.5, 0.4, 0.7), PlottedEstimate("b", None)], LABELS),
    "changes": lambda: interval_plot(
        [PlottedEstimate("a", 0.2, 0.1, 0.3, before=0.9), PlottedEstimate("b", None, 0.1, 0.6, series=1)],
        LABELS,
        legend=("p", "q"),
    ),
    "dots": lambda: dot_chart([Dot("a", 0.5, 100, 0.4, 0.6), Dot("b", 0.1, 1), Dot("c", None)], LABELS),
    "lines": lambda: line_chart([PlottedCurve("p", [(0, 0), (1, 1)]), PlottedCurve("q", [(0, 1), (1, 0)])], LABELS),
}
EMPTY: dict[str, Callable[[], Svg]] = {
    "bars": lambda: bar_chart([], [], LABELS),
    "bars of unknowns": lambda: bar_chart(["a"], [Series("p", [NAN])], LABELS),
    "histogram": lambda: histogram([Series("p", [NAN, None])], LABELS),
    "plane": lambda: scatter_plane([Cloud("p", [Point(NAN, 0.5)])], LABELS),
    "confusion": lambda: confusion_matrix((0, 0, 0, 0), LABELS),
    "intervals": lambda: interval_plot([PlottedEstimate("a", None)], LABELS),
    "dots": lambda: dot_chart([Dot("a", None, 5)], LABELS),
    "lines": lambda: line_chart([PlottedCurve("p", [])], LABELS),
}
SINGLE: dict[str, Callable[[], Svg]] = {
    "bar": lambda: bar_chart(["a"], [Series("p", [5])], LABELS),
    "bar of zero": lambda: bar_chart(["a"], [Series("p", [0])], LABELS),
    "histogram": lambda: histogram([Series("p", [0.3])], LABELS),
    "plane": lambda: scatter_plane([Cloud("p", [Point(1, 1)])], LABELS),
    "interval": lambda: interval_plot([PlottedEstimate("a", 0.5)], LABELS),
    "dot": lambda: dot_chart([Dot("a", 0.5)], LABELS),
    "line": lambda: line_chart([PlottedCurve("p", [(0.5, 2)])], LABELS),
}


def parsed(svg: Svg) -> ElementTree.Element:
    root = ElementTree.fromstring(str(svg))
    assert root.get("role") == "img"
    assert root.find("title") is not None
    assert root.find("desc") is not None
    assert (root.get("viewBox") or "").startswith("0 0 480 ")
    assert "nan" not in str(svg).lower().replace("unknown", "")
    assert "style=" not in svg
    return root


@pytest.mark.parametrize("name", FULL)
def test_is_xml_with_title_and_description_and_always_the_same(name: str) -> None:
    svg = FULL[name]()
    root = parsed(svg)
    assert root.findtext("title") == "A <title> & more"
    assert (root.findtext("desc") or "").startswith("What it shows. ")
    assert svg == FULL[name]()


@pytest.mark.parametrize("name", EMPTY)
def test_no_data_is_stated(name: str) -> None:
    root = parsed(EMPTY[name]())
    assert [text.text for text in root.iter("text")] == ["no data"]
    assert "no data" in (root.findtext("desc") or "")


@pytest.mark.parametrize("name", SINGLE)
def test_a_single_value_is_drawn_inside_the_picture(name: str) -> None:
    svg = SINGLE[name]()
    parsed(svg)
    assert "no data" not in svg
    for value in re.findall(r' (?:x|y|cx|cy|width|height)="([^"]+)"', svg):
        assert -1 <= float(value) <= 520


def test_unknown_values_are_left_out_and_counted() -> None:
    bars = bar_chart(["a", "b"], [Series("p", [1, None])], LABELS)
    assert "1 value is unknown and left out." in (parsed(bars).findtext("desc") or "")
    assert "unknown" in [text.text for text in parsed(bars).iter("text")]
    plane = scatter_plane([Cloud("p", [Point(0.5, 0.5), Point(NAN, 1), Point(None, None)])], LABELS)
    assert "2 values are unknown and left out." in (parsed(plane).findtext("desc") or "")
    lines = line_chart([PlottedCurve("p", [(0, 0), (1, NAN), (2, 2), (3, 3)])], LABELS)
    assert "1 value is unknown" in (parsed(lines).findtext("desc") or "")
    assert "unknown" in [text.text for text in parsed(FULL["intervals"]()).iter("text")]


def test_classes_differ_in_mark_and_colour() -> None:
    plane = scatter_plane([Cloud("p", [Point(0.1, 0.2)]), Cloud("q", [Point(0.3, 0.4)])], LABELS)
    assert 'class="dot s1"' in plane
    assert 'class="diamond s2"' in plane


def test_many_points_are_counted_on_a_grid() -> None:
    points = [Point(k % 100 / 100, k % 97 / 97) for k in range(3_000)]
    few, many = (scatter_plane([Cloud("p", points[:count])], LABELS) for count in (2_000, 3_000))
    assert few.count("<circle") == 2_001
    assert many.count("<circle") <= 1_601
    assert "area stands for count" in many
    counted = re.findall(r"<circle[^>]*><title>([\d,]+)</title>", many)
    assert sum(int(number.replace(",", "")) for number in counted) == 3_000


def test_values_outside_the_span_are_counted() -> None:
    drawn = histogram([Series("p", [0.5, 7])], LABELS, span=(0, 1))
    assert "1 outside the span are left out." in (parsed(drawn).findtext("desc") or "")


def test_long_names_are_cut_and_hostile_ones_escaped() -> None:
    svg = bar_chart(["</svg><script>" + "x" * 90], [Series("p", [1])], LABELS)
    names = [text.text or "" for text in parsed(svg).iter("text")]
    assert any(name.startswith("</svg><script>") and name.endswith("…") for name in names)


def test_confusion_shows_counts_and_shares_of_rows() -> None:
    texts = [text.text for text in parsed(confusion_matrix((1, 2, 3, 6), LABELS)).iter("text")]
    for expected in ("1", "2", "3", "6", "25\u202f%", "75\u202f%"):
        assert expected in texts


def test_a_change_is_an_arrow_between_two_marks() -> None:
    svg = interval_plot([PlottedEstimate("a", 0.2, before=0.9)], LABELS, span=(0, 1))
    assert "0.90 → 0.20" in [text.text for text in parsed(svg).iter("text")]
    assert 'class="arrow"' in svg
    assert 'class="arrow"' not in interval_plot([PlottedEstimate("a", 0.9, before=0.9)], LABELS, span=(0, 1))


def test_bounds_without_a_value_are_a_band() -> None:
    root = parsed(interval_plot([PlottedEstimate("a", None, 0.1, 0.6)], LABELS, span=(0, 1)))
    assert "between 0.10 and 0.60" in [text.text for text in root.iter("text")]
    assert "unknown" not in (root.findtext("desc") or "")
    (band,) = [rect for rect in root.iter("rect") if rect.get("class") == "area s1"]
    assert float(band.get("width") or 0) == pytest.approx((480 - 2 * 16) * 0.5)


def test_the_area_of_a_dot_stands_for_its_size() -> None:
    root = parsed(dot_chart([Dot("a", 0.5, 400), Dot("b", 0.5, 100), Dot("c", 0.5, 0)], LABELS))
    radii = [float(circle.get("r") or 0) for circle in root.iter("circle")]
    assert radii[0] == 2 * radii[1]
    assert radii[2] > 0
    assert "a: 0.5, 400 pairs" in [title.text for title in root.iter("title")]


def test_series_must_fit_the_categories() -> None:
    with pytest.raises(ValueError, match="2 values for 1 categories"):
        bar_chart(["a"], [Series("p", [1, 2])], LABELS)


@pytest.mark.parametrize("largest", [1, 123_456_789])
def test_the_longest_value_fits(largest: int) -> None:
    root = parsed(bar_chart(["a"], [Series("p", [largest])], LABELS))
    label = next(text for text in root.iter("text") if text.text == f"{largest:,}" and text.get("class") == "tick")
    assert float(label.get("x") or 0) + 8 * len(label.text or "") <= 480
