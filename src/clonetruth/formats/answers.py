"""What a language model answers when it is asked for ``ANSWER: <word>`` and ``EXPLANATION: <text>``."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The word ends its line, or the explanation follows: a model that repeats the whole choice has chosen nothing.
_ANSWER = re.compile(
    r"^[^\w\n]*ANSWER[^\w\n:]*:[^\w\n]*(?P<word>[A-Z][A-Z-]*(?=[^\w\n]*(?:$|EXPLANATION\b)))?", re.MULTILINE
)
_EXPLANATION = re.compile(r"^[^\w\n]*EXPLANATION[^\w\n:]*:[*_]*(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Z][A-Z-]*")


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer: its word, empty where none or more than one can be read, and the reason, or else the whole text."""

    word: str
    explanation: str


def is_answer_word(word: str) -> bool:
    """Whether a word can be recognised as an answer: capitals and hyphens."""
    return _WORD.fullmatch(word) is not None


def read_answer(text: str) -> LabelledAnswer:
    """The word and the reason in a model's answer."""
    words = {found["word"] or "" for found in _ANSWER.finditer(text)}
    explanation = _EXPLANATION.search(text)
    return LabelledAnswer(
        word=words.pop() if len(words) == 1 else "",
        explanation=(explanation["text"] if explanation else text).strip(),
    )
