"""The colours of the style sheet: readable in light and dark."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from clonetruth.html.templating import asset, palette

TEXT = ("ink", "muted", "accent")
TOKENS = (
    "ink",
    "token-keyword",
    "token-string",
    "token-number",
    "token-comment",
    "token-function",
    "token-type",
)
GROUNDS = ("paper", "panel", "code-ground", "left-ground", "right-ground")
MARKS = ("left-mark", "right-mark")
Scheme = Literal["light", "dark"]


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_keeps_4_5_to_1(scheme: Scheme) -> None:
    colours = palette(scheme)
    pairs = [(text, ground) for text in TEXT for ground in GROUNDS]
    pairs += [(token, ground) for token in TOKENS for ground in (*GROUNDS, *MARKS)]
    weak = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: round(value, 2) for pair, value in weak.items() if value < 4.5} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_of_plots_keep_3_to_1(scheme: Scheme) -> None:
    colours = palette(scheme)
    series = [name for name in colours if name.startswith("series-")] + ["strong-rule"]
    assert len(series) == 7
    assert {name for name in series if contrast(colours[name], colours["paper"]) < 3} == set()


def test_both_schemes_name_the_same_colours() -> None:
    assert palette("light").keys() == palette("dark").keys()


def test_badges_keep_4_5_to_1() -> None:
    grounds = re.findall(r"nb-badge[^}]*background: (#[0-9a-f]{6})", asset("notebook.css"))
    assert len(grounds) == 5
    assert {ground for ground in grounds if contrast("#ffffff", ground) < 4.5} == set()
