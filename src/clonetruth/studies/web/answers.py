"""Answers as a judge meets them: their words, their keys, and what a sent ballot says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from clonetruth.model import MemberValue, PairValue, RatingValue

SKIP = "skip"
"""What the button "later" sends."""

_DAY_SECONDS = 86_400

# The words of an answer and its letter; the letters of views and commands (d f h k n p r s z) are taken.
_WORDS: Mapping[str, tuple[str, str]] = {
    PairValue.CLONE: ("Clone", "c"),
    PairValue.NOT_CLONE: ("Not a clone", "x"),
    PairValue.UNDECIDED: ("Undecided", "u"),
    MemberValue.MAJOR: ("Major", "m"),
    MemberValue.INCOMPLETE: ("Incomplete", "i"),
    MemberValue.MINOR: ("Minor", "o"),
    MemberValue.WRONG: ("Wrong", "w"),
    MemberValue.TEST: ("Test", "t"),
    RatingValue.AGREE: ("Agree", "a"),
    RatingValue.CONDITIONALLY: ("Conditionally", "c"),
    RatingValue.DISAGREE: ("Disagree", "x"),
}


def in_words(value: str) -> str:
    """An answer in the words of its button."""
    return _WORDS[value][0]


def choices(answers: Sequence[str]) -> list[tuple[str, str, tuple[str, str]]]:
    """The buttons of a ballot: value, words, keys (the number in the row, and a letter)."""
    return [(value, in_words(value), (str(number), _WORDS[value][1])) for number, value in enumerate(answers, start=1)]


@dataclass(frozen=True)
class SentBallot:
    """What a sent form says.

    Attributes:
        key: the idempotency key.
        item: what the page called the item.
        value: the answer; None for a skip.
        confidence: how sure the judge is.
        reason: why.
        seconds: how long it took, as far as the page knows.
    """

    key: str
    item: str
    value: str | None
    confidence: float | None
    reason: str | None
    seconds: float | None


def read_ballot(form: Mapping[str, str], answers: Sequence[str]) -> SentBallot:
    """What a form says.

    Raises:
        HTTPException: the answer is none of those that were asked for, or the confidence is no share (400).
    """
    value = form.get("value")
    if value != SKIP and value not in answers:
        raise HTTPException(400, f"Answer with one of: {', '.join(answers)}, {SKIP}.")
    confidence = _number(form.get("confidence"), 1.0)
    if form.get("confidence") and confidence is None:
        raise HTTPException(400, "How sure you are is a number between 0 and 1.")
    return SentBallot(
        key=form.get("key", ""),
        item=form.get("item", ""),
        value=None if value == SKIP else value,
        confidence=None if value == SKIP else confidence,
        reason=form.get("reason", "").strip() or None,
        # A time that cannot be is not known; it is no ground to lose a vote.
        seconds=_number(form.get("seconds"), _DAY_SECONDS),
    )


def _number(text: str | None, most: float) -> float | None:
    """A number from 0 to `most`; None for everything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number <= most else None
