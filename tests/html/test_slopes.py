"""Slopes: values at stages, joined by lines that break where nothing is known."""

from __future__ import annotations

import math
from xml.etree import ElementTree

from clonetruth.html.plots import Labels, Slope, SlopeStage, Svg, slope_chart

LABELS = Labels("A <title> & more", y="F1")
STAGES = ("random", "cross-project", "cross-functionality")


def classes(picture: Svg) -> list[str]:
    return [element.get("class", "") for element in ElementTree.fromstring(str(picture)).iter()]


def drawn(*values: float | None) -> Svg:
    slope = Slope(
        "mlp", [SlopeStage(value, None if value is None else value - 0.1, value and value + 0.1) for value in values]
    )
    return slope_chart(STAGES, [slope], LABELS, span=(0, 1))


def test_a_line_joins_neighbours_that_are_known() -> None:
    # One line of the legend, and one between each two stages.
    assert classes(drawn(0.9, 0.8, 0.4)).count("curve s1") == 1 + 2
    assert classes(drawn(0.9, 0.8, None)).count("curve s1") == 1 + 1
    assert classes(drawn(0.9, None, 0.4)).count("curve s1") == 1
    assert classes(drawn(0.9, None, 0.4)).count("whisker s1") == 2
    assert classes(drawn(0.9, math.nan, 0.4)).count("dot s1") == 2


def test_higher_values_are_drawn_higher_and_described() -> None:
    picture = drawn(0.9, 0.5, 0.1)
    heights = [
        float(one.get("cy", "")) for one in ElementTree.fromstring(str(picture)).iter() if one.tag.endswith("circle")
    ]
    assert heights == sorted(heights)
    assert "random 0.90, cross-project 0.50, cross-functionality 0.10." in picture
    assert "1 value is unknown and left out." in drawn(0.9, None, 0.4)


def test_two_lines_differ_in_more_than_colour_and_do_not_hide_each_other() -> None:
    same = [SlopeStage(0.5, 0.4, 0.6)] * 3
    picture = slope_chart(STAGES, [Slope("a", same), Slope("b", same)], LABELS)
    assert {"dot s1", "diamond s2"} <= set(classes(picture))
    whiskers = [
        one.get("d") for one in ElementTree.fromstring(str(picture)).iter() if "whisker" in one.get("class", "")
    ]
    assert len(set(whiskers)) == len(whiskers) == 6


def test_long_names_of_stages_break_at_the_hyphen() -> None:
    four = slope_chart([*STAGES, "cross-all"], [Slope("mlp", [SlopeStage(0.5)] * 4)], LABELS)
    texts = [one.text for one in ElementTree.fromstring(str(four)).iter() if one.tag.endswith("text")]
    assert {"random", "cross-", "project", "functionality", "cross-all"} <= set(texts)


def test_no_known_value_is_no_data() -> None:
    assert "no data" in slope_chart(STAGES, [Slope("mlp", [SlopeStage(None)] * 3)], LABELS)
    assert "no data" in slope_chart((), (), LABELS)
