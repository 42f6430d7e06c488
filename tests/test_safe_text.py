"""Text from data, made safe: definitions by property, checked against Unicode and a Markdown renderer."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from clonetruth.formats.writers import csv_pieces
from clonetruth.safe_text import (
    markdown_code,
    markdown_line,
    markdown_paragraphs,
    markdown_row,
    markdown_rule,
    spreadsheet_cell,
    visible,
    visible_code,
    visible_json,
    visible_lines,
)

SHOWN_FORMATS = {chr(code) for code in (*range(0x600, 0x606), 0x6DD, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)}
"""Format characters of Arabic and Kaithi that have a shape."""
ANY = st.text(st.characters())
NASTY = st.text(
    st.sampled_from("\x00\t\n\r\x1b\x7f\x9b\u200b\u202e\u2028\ud800\ufeff\U000e0041[]<>|`\\*_#-=+@'\"&;1a ")
)


def unseen(text: str) -> set[str]:
    return {
        one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") and one not in SHOWN_FORMATS
    }


def test_every_character_that_cannot_be_seen_is_escaped() -> None:
    # The planes between are empty, or hold nothing but ideographs.
    every = "".join(map(chr, (*range(0x20000), *range(0xE0000, 0xE1000))))
    assert unseen(visible(every, limit=len(every))) == set()
    assert unseen(visible_lines(every, limit=len(every))) == {"\n"}
    assert unseen(visible_code(every)) == {"\n", "\t"}


@given(ANY | NASTY)
@example("\u2800\u3164\u115f\ufe0f\U000e0100")
def test_letters_digits_and_signs_stay(text: str) -> None:
    if not unseen(text) and text.isprintable() and text.isascii():
        assert visible(text) == text
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    shown.encode("utf-8")  # no halves of surrogate pairs


def test_long_texts_are_cut() -> None:
    assert visible("a" * 20, limit=10) == f"{'a' * 10}… (20 characters)"
    assert len(visible("\x1b" * 10**6)) < 50_000


@given(st.dictionaries(NASTY, st.lists(ANY | NASTY, max_size=2), max_size=3))
def test_json_means_the_same(value: object) -> None:
    text = visible_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert unseen(text) <= {"\n"}


# --- Markdown


def rendered(text: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(text))


@given(ANY | NASTY)
@example("<img src=x onerror=y>")
@example("![a](b) [c](javascript:d) <http://e>")
@example("&lt;b&gt; &#x202e;")
@example("1. a")
@example("```\nb")
@example("    a")
@example("`<b>`")
def test_markdown_shows_a_text_literally(text: str) -> None:
    html = rendered(f"before\n\n{markdown_paragraphs(text)}\n\nafter")
    assert html.startswith("<p>before</p>")
    assert html.rstrip().endswith("<p>after</p>")
    inner = html.removeprefix("<p>before</p>").rpartition("<p>after</p>")[0]
    for tag in ("<p>", "</p>", "<code>", "</code>"):
        inner = inner.replace(tag, "")
    assert "<" not in inner
    assert unseen(inner) <= {"\n"}


@given(st.lists(ANY | NASTY, min_size=2, max_size=4))
def test_a_markdown_table_keeps_its_cells(cells: list[str]) -> None:
    html = rendered("\n".join([markdown_row(["h"] * len(cells)), markdown_rule(len(cells)), markdown_row(cells)]))
    assert html.count("<td>") == len(cells)
    assert html.count("<tr>") == 2


@given(ANY | NASTY)
def test_a_code_span_holds_any_text(text: str) -> None:
    html = rendered(f"a {markdown_code(text or 'x')} b")
    assert html.startswith("<p>a <code>")
    assert html.rstrip().endswith("</code> b</p>")


def test_plain_words_stay_plain() -> None:
    for text in ("BigCloneBench (ERA), 2014", "my_benchmark 1.0", "A & B, 93 %", "`label` of C++", "a–b: c/d ~5"):
        assert markdown_line(text) == text


# --- spreadsheets

FORMULAS = (
    "=1+1",
    "+1+cmd",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    '"=1',
    "'=1",
    "＝1",
    "＋1",
    "－1",
    "＠A",
    "\ufeff=1",
)


@pytest.mark.parametrize("text", FORMULAS)
def test_no_formula_survives(text: str) -> None:
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-1", "+0.5", "1e-9", "-.5", "a=b", "", "x-1", -1, 0.5, None, True])
def test_numbers_and_plain_texts_stay(value: object) -> None:
    assert spreadsheet_cell(value) == value


@given(st.lists(st.tuples(ANY | NASTY, NASTY, st.floats(allow_nan=False)), max_size=4))
def test_csv_is_exact_or_safe(rows: list[tuple[str, str, float]]) -> None:
    exact = "".join(csv_pieces(("a", "b", "c"), rows))
    assert list(csv.reader(io.StringIO(exact, newline="")))[1:] == [[a, b, str(c)] for a, b, c in rows]
    safe = "".join(csv_pieces(("a", "b", "c"), rows, spreadsheet_safe=True))
    for read, row in zip(list(csv.reader(io.StringIO(safe, newline="")))[1:], rows, strict=True):
        assert float(read[2]) == row[2]
        for cell, text in zip(read, row[:2], strict=False):
            assert cell == (f"'{text}" if could_compute(text) else text)


def could_compute(text: str) -> bool:
    """Whether a spreadsheet that ignores blanks, quotes and what cannot be seen could take a text for a formula."""
    if re.fullmatch(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?", text):
        return False
    bare = "".join(one for one in unicodedata.normalize("NFKC", text) if not unseen(one) and one not in "'\"`´")
    return text[:1] in ("\t", "\r", "\n") or bare.lstrip()[:1] in ("=", "+", "-", "@")
