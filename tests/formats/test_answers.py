"""Answers of language models: one clear word, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.formats.answers import is_answer_word, read_answer


@pytest.mark.parametrize(
    ("text", "word", "explanation"),
    [
        ("ANSWER: YES-SIMILAR\nEXPLANATION: Both add.", "YES-SIMILAR", "Both add."),
        ("ANSWER: NO-NOT-SIMILAR  \nEXPLANATION: One\n\n- adds", "NO-NOT-SIMILAR", "One\n\n- adds"),
        ("**ANSWER:** YES-SIMILAR.\n\n**EXPLANATION:** Both", "YES-SIMILAR", "Both"),
        ("- ANSWER: DONT-KNOW\n- EXPLANATION: hm", "DONT-KNOW", "hm"),
        (
            'ANSWER: "YES-SIMILAR" EXPLANATION: on one line',
            "YES-SIMILAR",
            'ANSWER: "YES-SIMILAR" EXPLANATION: on one line',
        ),
        ("ANSWER: YES-SIMILAR\nEXPLANATION: a\nANSWER: YES-SIMILAR", "YES-SIMILAR", "a\nANSWER: YES-SIMILAR"),
    ],
)
def test_a_clear_word_is_read(text: str, word: str, explanation: str) -> None:
    found = read_answer(text)
    assert (found.word, found.explanation) == (word, explanation)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "They are similar.",
        "ANSWER:",
        "ANSWER: <answer>\nEXPLANATION: <explanation>",
        "ANSWER: yes-similar",
        "ANSWER: YES-SIMILAR or NO-NOT-SIMILAR",
        "ANSWER: YES-SIMILAR / NO-NOT-SIMILAR / DONT-KNOW",
        "ANSWER: YES-SIMILAR\nANSWER: NO-NOT-SIMILAR",
        "ANSWER: YES-SIMILAR\nANSWER: perhaps not",
        "The ANSWER: YES-SIMILAR",
        "ANSWER: DON'T-KNOW",
    ],
)
def test_unclear_answers_are_not_guessed(text: str) -> None:
    assert read_answer(text).word == ""


@given(st.from_regex(r"[A-Z][A-Z-]{0,20}", fullmatch=True), st.text())
def test_the_explanation_does_not_change_the_word(word: str, reason: str) -> None:
    found = read_answer(f"ANSWER: {word}\nEXPLANATION: {reason}")
    assert is_answer_word(word)
    assert found.word in ((word, "") if "ANSWER" in reason else (word,))
    assert found.explanation == reason.strip()


def test_long_garbage_is_parsed_quickly() -> None:
    assert read_answer("ANSWER" + ":" * 200_000 + "!").word == ""
    assert read_answer("*" * 200_000 + "ANSWER").word == ""
