"""Answers of language models in the form ``ANSWER: <word>`` and ``EXPLANATION: <text>``."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The word must end its line or precede the explanation: a model that repeats the list of choices has chosen nothing.
_ANSWER = re.compile(
    r"^[^\w\n]*ANSWER[^\w\n:]*:[^\w\n]*(?P<word>[A-Z][A-Z-]*(?=[^\w\n]*(?:$|EXPLANATION\b)))?", re.MULTILINE
)
_EXPLANATION = re.compile(r"^[^\w\n]*EXPLANATION[^\w\n:]*:[*_]*(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Z][A-Z-]*")


@dataclass(frozen=True)
class LabelledAnswer:
    """A parsed answer.

    Attributes:
        word: the answer's word; empty if there is none, or if several differ.
        explanation: the model's reason; the whole text if it gives none.
    """

    word: str
    explanation: str


def is_answer_word(word: str) -> bool:
    """Whether a word has the form of an answer: capitals and hyphens."""
    return _WORD.fullmatch(word) is not None


def read_answer(text: str) -> LabelledAnswer:
    """Parse the word and the reason from a model's answer."""
    words = {match["word"] or "" for match in _ANSWER.finditer(text)}
    explanation = _EXPLANATION.search(text)
    return LabelledAnswer(
        word=words.pop() if len(words) == 1 else "",
        explanation=(explanation["text"] if explanation else text).strip(),
    )
