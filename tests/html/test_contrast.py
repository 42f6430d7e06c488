"""The colours of the style sheet: readable in the light and in the dark."""

from __future__ import annotations

import re
from functools import cache

import pytest

from clonetruth.html.templating import asset

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


@cache
def colours(scheme: str) -> dict[str, str]:
    light, dark = asset("page.css").split("@media screen and (prefers-color-scheme: dark)", 1)
    part = light if scheme == "light" else dark.split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_keeps_4_5_to_1(scheme: str) -> None:
    palette = colours(scheme)
    pairs = [(text, ground) for text in TEXT for ground in GROUNDS]
    pairs += [(token, ground) for token in TOKENS for ground in (*GROUNDS, *MARKS)]
    weak = {pair: contrast(palette[pair[0]], palette[pair[1]]) for pair in pairs}
    assert {pair: round(value, 2) for pair, value in weak.items() if value < 4.5} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_of_plots_keep_3_to_1(scheme: str) -> None:
    palette = colours(scheme)
    series = [name for name in palette if name.startswith("series-")] + ["strong-rule"]
    assert len(series) == 7
    assert {name for name in series if contrast(palette[name], palette["paper"]) < 3} == set()


def test_both_schemes_name_the_same_colours() -> None:
    assert colours("light").keys() == colours("dark").keys()
