"""The faster lexers yield Pygments' own tokens, and try few rules."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name

from clonetruth.html.lexing import can_begin, lexer_class
from clonetruth.sources.embedded import folders
from tests.report.sample import HOSTILE, LOOP, NEAR_MISS

LANGUAGES = ("java", "python", "c", "cpp", "csharp", "go", "javascript", "kotlin", "php", "ruby", "rust", "sql")
SOURCES = [source.text for folder in folders() for source in folder.sources]
PIECES = ("\n", " ", "\t", "'", '"', '"""', "\\", "/*", "*/", "//", "#", "@", "`", "${", "}", "(", ";", "0x1f", "1.5e3")
WORDS = (
    "class",
    "def",
    "f",
    "int",
    "return",
    "record",
    "import",
    "default:",
    "é",
    "\u4e2d",
    "\u0663",
    "r'",
    "<?php",
    "=begin",
)


def made(language: str) -> tuple[Lexer, Lexer]:
    """Pygments' lexer of a language, and ours."""
    ours = lexer_class(language)
    assert ours is not None
    return (
        find_lexer_class_by_name(language)(stripnl=False, ensurenl=False),
        ours(stripnl=False, ensurenl=False),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tokens_of_code_are_those_of_pygments(language: str) -> None:
    theirs, ours = made(language)
    for text in (LOOP, NEAR_MISS, HOSTILE, *SOURCES[::20]):
        assert list(ours.get_tokens_unprocessed(text)) == list(theirs.get_tokens_unprocessed(text))


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(LANGUAGES), st.lists(st.sampled_from(PIECES + WORDS) | st.text(max_size=3), max_size=30))
def test_the_tokens_of_any_text_are_those_of_pygments(language: str, parts: list[str]) -> None:
    theirs, ours = made(language)
    text = "".join(parts)
    assert list(ours.get_tokens_unprocessed(text)) == list(theirs.get_tokens_unprocessed(text))


@given(st.from_regex(r"[ab.^$|()?*+\[\]\\wds-]{0,8}", fullmatch=True), st.text("ab wds.-1\n", max_size=4))
def test_a_rule_that_matches_is_never_left_out(expression: str, text: str) -> None:
    try:
        pattern = re.compile(expression, re.MULTILINE)
    except re.error:
        return
    if pattern.match(text, 0):
        assert can_begin(pattern.match, text[:1])


def test_rules_that_cannot_begin_with_a_character_are_left_out() -> None:
    keyword = re.compile(r"(?:if|else)\b").match
    assert [can_begin(keyword, one) for one in ("i", "e", "x", "(", "")] == [True, True, False, False, False]


def test_few_rules_are_tried_for_a_token() -> None:
    """Pygments tries some fifteen."""
    text = "\n".join(SOURCES[:40])
    theirs, ours = (_tries_per_token(lexer, text) for lexer in made("java"))
    assert ours < 3 < 10 < theirs


def test_rare_characters_do_not_make_later_texts_slow() -> None:
    """Lexers of a language share what they remember: a text full of rare characters must not fill it."""
    unused = lexer_class.__wrapped__("java")
    assert unused is not None
    ours = unused(stripnl=False, ensurenl=False)
    list(ours.get_tokens_unprocessed(" ".join(map(chr, range(0x4E00, 0x4E00 + 400)))))
    assert _tries_per_token(ours, "\n".join(SOURCES[:40])) < 3


def _tries_per_token(lexer: Lexer, text: str) -> float:
    list(lexer.get_tokens_unprocessed(text))
    tries = 0

    def count(frame: object, event: str, called: Callable[..., object]) -> None:
        nonlocal tries
        tries += event == "c_call" and called.__name__ == "match"

    sys.setprofile(count)
    try:
        tokens = len(list(lexer.get_tokens_unprocessed(text)))
    finally:
        sys.setprofile(None)
    return tries / tokens
