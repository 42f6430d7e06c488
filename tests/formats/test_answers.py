"""Answers of language models: one clear word, or none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.formats.answers import is_answer_word, read_answer

WORDS = ("SIMILAR", "DIFFERENT", "NOT-CLONE", "UNCLEAR")
THINKING = ["<think>{}</think>", "<Thinking>{}</Thinking>", "{}</think>", "[THINK]{}[/THINK]", "◁think▷{}◁/think▷"]
HARMONY = "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>"


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
        ("ANSWER: yes-similar", "YES-SIMILAR", "ANSWER: yes-similar"),
        ("Answer: Yes-Similar!\nExplanation: so", "YES-SIMILAR", "so"),
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
        "ANSWER: YES-SIMILAR or NO-NOT-SIMILAR",
        "ANSWER: YES-SIMILAR / NO-NOT-SIMILAR / DONT-KNOW",
        "ANSWER: YES-SIMILAR\nANSWER: NO-NOT-SIMILAR",
        "ANSWER: YES-SIMILAR\nANSWER: perhaps not",
        "The ANSWER: YES-SIMILAR",
        "ANSWER: DON'T-KNOW",
        "ANSWER: YE\u017f-SIMILAR",
        "<think>ANSWER: YES-SIMILAR</think>",
    ],
)
def test_unclear_answers_are_not_guessed(text: str) -> None:
    assert read_answer(text).word == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SIMILAR", "SIMILAR"),
        ("**Similar**.", "SIMILAR"),
        ("`similar`\n\nEXPLANATION: Both add.", "SIMILAR"),
        ("not_clone", "NOT-CLONE"),
        ("ANSWER: not clone", "NOT-CLONE"),
        ("Answer:\n\n**Different**\n\nExplanation: no", "DIFFERENT"),
        ("### Final answer: DIFFERENT", "DIFFERENT"),
        ("1. ANSWER: DIFFERENT\n2. EXPLANATION: no", "DIFFERENT"),
        ("```\nANSWER: SIMILAR\nEXPLANATION: yes\n```", "SIMILAR"),
        ('```json\n{"answer": "similar", "explanation": "yes"}\n```', "SIMILAR"),
        ('{"explanation": "no", "Answer": "Different"}', "DIFFERENT"),
        ('{"answer": "SIMILAR", "confidence": 0.9}', "SIMILAR"),
        ('{\n  "answer": "SIMILAR", "confidence": 0.9\n}', "SIMILAR"),
        ('{"answer": "SIMILAR", "explanation": "The \\"answer\\": \\"DIFFERENT\\" is wrong"}', "SIMILAR"),
        ("They look similar.", ""),
        ("SIMILAR or DIFFERENT", ""),
        ("SIMILAR\nDIFFERENT", ""),
        ("NOT\nCLONE", ""),
        ("ANSWER: SIMILAR\nANSWER: DIFFERENT", ""),
        ("ANSWER:\nSIMILAR\nANSWER:\nDIFFERENT", ""),
        ("ANSWER:\nEXPLANATION: similar", ""),
        ('{"answer": "SIMILAR"} {"answer": "DIFFERENT"}', ""),
        ('{"answer": "SIMILAR"}\nANSWER: DIFFERENT', ""),
        ('{"answer": ["SIMILAR", "DIFFERENT"]}', ""),
        ('{"answer": null}', ""),
        ('{"answer": "SIMILAR or DIFFERENT"}', ""),
        ("ANSWER: NOT SIMILAR", ""),
        ("ANSWER: NOT / CLONE", ""),
    ],
)
def test_with_the_permitted_words_known(text: str, word: str) -> None:
    assert read_answer(text, WORDS).word == word


@pytest.mark.parametrize("block", [*THINKING, HARMONY])
@given(
    thought=st.text(alphabet=st.characters(exclude_characters="<>[]◁▷")),
    draft=st.sampled_from(["", *(f"\nANSWER: {word}\n" for word in WORDS)]),
    word=st.sampled_from(WORDS),
)
def test_the_answer_after_a_reasoning_block_counts(block: str, thought: str, draft: str, word: str) -> None:
    found = read_answer(f"{block.format(thought + draft)}\nAnswer: {word.lower()}\nExplanation: so", WORDS)
    assert (found.word, found.explanation) == (word, "so")


def test_an_unfinished_block_holds_drafts_only() -> None:
    text = "<think>Both add.\nANSWER: SIMILAR\nEXPLANATION: yes"
    assert read_answer(text, WORDS).word == "SIMILAR"
    assert read_answer(text, WORDS, complete=False).word == ""
    assert read_answer(f"ANSWER: SIMILAR\n{text}", WORDS, complete=False).word == "SIMILAR"
    assert read_answer(f"<think>\nANSWER: DIFFERENT\nNo.\n{text}", WORDS).word == ""


def test_a_word_that_may_be_cut_off_is_not_an_answer() -> None:
    words = ("NO", "NO-IDEA", "YES")
    assert read_answer("ANSWER: NO", words, complete=False).word == ""
    assert read_answer("ANSWER: NO", words).word == "NO"
    assert read_answer("ANSWER: NO\nEXPLANATION: they", words, complete=False).word == "NO"
    assert read_answer("ANSWER: YES", words, complete=False).word == "YES"


def spelled(word: str, upper: list[bool]) -> str:
    return "".join(one if up else one.lower() for one, up in zip(word, upper, strict=False))


@given(
    st.sampled_from(WORDS),
    st.lists(st.booleans(), min_size=9, max_size=9),
    st.sampled_from(["ANSWER: {}", "**Answer:** {}", "answer: **{}**.", '{{"answer": "{}"}}', "Answer:\n{}", "{}"]),
    st.text(),
)
def test_no_spelling_changes_the_word(word: str, upper: list[bool], form: str, reason: str) -> None:
    """Whatever the reason says, the word is read or nothing is."""
    text = form.format(spelled(word, upper))
    assert read_answer(text, WORDS).word == word
    assert read_answer(f"{text}\nEXPLANATION: {reason}", WORDS).word in (word, "")


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4), st.sampled_from(["ANSWER: {}", '{{"answer": "{}"}}']))
def test_different_answers_are_none(words: list[str], form: str) -> None:
    text = "\n".join(form.format(word) for word in words)
    assert read_answer(text, WORDS).word == (words[0] if len(set(words)) == 1 else "")


@given(st.sampled_from(WORDS), st.text())
def test_an_object_is_read(word: str, reason: str) -> None:
    found = read_answer(json.dumps({"answer": word, "explanation": reason}), WORDS)
    assert (found.word, found.explanation) == (word, reason.strip())


@given(st.from_regex(r"[A-Z]([A-Z-]{0,20}[A-Z])?", fullmatch=True).filter(lambda word: word != "ANSWER"), st.text())
def test_the_explanation_does_not_change_the_word(word: str, reason: str) -> None:
    found = read_answer(f"ANSWER: {word}\nEXPLANATION: {reason}")
    assert is_answer_word(word)
    assert found.word in ((word, "") if "answer" in reason.casefold() else (word,))
    assert found.explanation == reason.strip()


@pytest.mark.parametrize(
    "garbage",
    [
        "ANSWER" + ":" * 200_000 + "!",
        "*" * 200_000 + "ANSWER",
        "<think>" * 30_000,
        "ANSWER:" + "\n" * 200_000,
        " " * 200_000 + "x",
        "x" + " \n" * 100_000 + "x",
        '{"answer":' * 20_000,
        '{"explanation": "' + "\\" * 200_001,
        "```\n" * 50_000,
        "ANSWER:\n" * 25_000,
    ],
    ids=lambda text: text[:12],
)
def test_long_garbage_is_parsed_quickly(garbage: str) -> None:
    assert read_answer(garbage, WORDS).word == ""
    assert read_answer(garbage, complete=False).word == ""
