"""Highlighted code and the side-by-side difference: text stays text."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.html import Side, highlight, side_by_side
from tests.report.sample import HOSTILE, LOOP, NEAR_MISS
from tests.report.wellformed import read

LANGUAGES = [
    "java",
    "python",
    "c",
    "cpp",
    "csharp",
    "go",
    "javascript",
    "typescript",
    None,
    "no such language",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_stays_text(language: str | None) -> None:
    html = str(highlight(HOSTILE, language))
    assert "<script" not in html
    assert "</style" not in html
    assert "".join(read(html).text) == HOSTILE.rstrip("\n")


@given(st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cc", "Cf", "Cs"]), max_size=80))
def test_the_text_can_be_read_back(text: str) -> None:
    assert "".join(read(str(highlight(text, "java"))).text) == text


def test_tokens_have_classes() -> None:
    html = str(highlight('return f("x", 1); // done', "java"))
    assert '<span class="k">return</span>' in html
    assert '<span class="m">1</span>' in html
    assert '<span class="o">// done</span>' in html


def test_control_and_direction_characters_are_shown() -> None:
    shown = str(highlight("a\x00b\u202ec\x1b[31m\u200b\x85", "java"))
    assert "".join(read(shown).text) == "a\u2400b\ufffdc\u241b[31m\ufffd\ufffd"


def test_side_by_side_is_well_formed_and_counts_its_rows() -> None:
    html = str(side_by_side(Side(LOOP, "<left>", "java"), Side(NEAR_MISS, "right", "java", note="n & m")))
    reader = read(html)
    assert reader.problems == []
    text = " ".join(reader.text)
    assert "<left>" in text
    assert "n & m" in text
    assert "Lines: 8 the same, 4 changed (~), 0 only on the left (−), 0 only on the right (+)." in text
    assert '<mark><span class="f">reverseWords</span></mark>' in html


def test_side_by_side_of_nothing() -> None:
    assert "Both texts are empty." in side_by_side(Side("", "a"), Side("", "b"))


def test_marks_cut_through_tokens() -> None:
    html = str(side_by_side(Side('s = "one two";', "a", "java"), Side('s = "one 2";', "b", "java")))
    assert re.search(r'<span class="s">&#34;one </span><mark><span class="s">two</span></mark>', html)


def test_ten_thousand_lines_take_seconds() -> None:
    left = "".join(f"int value{k} = compute({k % 7});\n" for k in range(10_000))
    start = time.process_time()
    html = side_by_side(Side(left, "a", "java"), Side(left.replace("(3)", "(three)"), "b", "java"))
    assert time.process_time() - start < 30
    assert html.count('<tr role="row">') == 10_001
