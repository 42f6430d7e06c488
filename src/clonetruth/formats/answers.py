"""What a language model answers when it is asked for ``ANSWER: <word>`` and ``EXPLANATION: <text>``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from clonetruth.formats.streams import read_lines

# CodeXGLUE's lists of labelled pairs: answers, predictions and parts of a split, ``id1 TAB id2 TAB 0/1`` on a line.


class Labelled(NamedTuple):
    """A row: two ids, whether they are a clone, and the line it stands on."""

    left: str
    right: str
    clone: bool
    line: int


def read_labels(path: Path, tell: Callable[[int, str], None]) -> Iterator[Labelled]:
    """The rows of a list, plain or compressed; the last line may end without a line break.

    Args:
        path: the file.
        tell: told of the line of every row that cannot be used, and why.

    Raises:
        InputError: the file cannot be read.
    """
    for number, line in read_lines(path):
        words = line.decode("utf-8", errors="replace").split("\t")
        if len(words) == 1:
            # The evaluator splits at any white space, so that lists with blanks are about too.
            words = words[0].split()
        left, right, label = (word.strip() for word in words) if len(words) == 3 else ("", "", "")
        if left and right and label in ("0", "1"):
            yield Labelled(left, right, label == "1", number)
        elif line.strip():
            tell(number, "the row is not a pair with the label 0 or 1")


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
