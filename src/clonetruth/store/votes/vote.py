"""Votes of invited judges on the items of a study.

Votes are append-only. A judge who changes their mind votes again (the later vote counts) or undoes the vote: an undo is
one more row, which names the vote that it cancels.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from clonetruth.errors import CloneTruthError, InputError

MAX_TEXT = 10_000
"""Maximum characters of a text; more is a mistake or an attack."""

_KEY = re.compile(r"[A-Za-z0-9_-]{1,100}")


class JudgeRole(StrEnum):
    """What an invited person may do: judge, decide between judges, or run the study."""

    JUDGE = "judge"
    ADJUDICATOR = "adjudicator"
    OWNER = "owner"


class ItemKind(StrEnum):
    """What is judged: a pair, a method in a functionality, an item with a known answer (training, attention), or a pair
    that the judge has judged before.

    Where the methods of a pair are judged in the same sitting, those of a check are items too: its left and right side.
    """

    PAIR = "pair"
    METHOD = "method"
    CHECK = "check"
    CHECK_LEFT = "check-left"
    CHECK_RIGHT = "check-right"
    REPEAT = "repeat"


class VoteKind(StrEnum):
    """What a row holds: an answer, "later", a decision between judges or in a review, or the undo of an earlier row."""

    VOTE = "vote"
    SKIP = "skip"
    ADJUDICATION = "adjudication"
    REVIEW = "review"
    UNDO = "undo"


class ItemKey(NamedTuple):
    """An item to judge: its kind, and its number in the table of that kind."""

    kind: ItemKind
    number: int


class ConflictError(InputError):
    """An idempotency key was reused with different content."""


class NotAllowedError(InputError):
    """The judge is unknown, revoked or expired, or tries to undo somebody else's vote."""


class UnavailableError(CloneTruthError):
    """The database cannot be reached or did not answer. A vote may or may not be saved: send it again with its key."""


@dataclass(frozen=True)
class InvitedJudge:
    """A person who may enter a study.

    Attributes:
        id: the pseudonym recorded with votes.
        name: the person's name, visible only to the owner of the study.
        role: what they may do.
        group: the group they judge with, if the study has groups.
        created: when they were first invited.
        expires: when their link and their right to vote expire.
        revoked: when their access was revoked; None if it was not.
        token_hash: SHA-256 of the secret in their link.
        quota: the number of subjects that they may judge; None for any number.
    """

    id: str
    name: str
    role: JudgeRole
    group: str | None
    created: datetime
    expires: datetime
    revoked: datetime | None
    token_hash: str
    quota: int | None = None

    def active(self, now: datetime) -> bool:
        """Whether they may enter and vote now."""
        return self.revoked is None and now < self.expires


@dataclass(frozen=True)
class Vote:
    """A judge's answer on an item.

    Attributes:
        key: the idempotency key: a repeated request carries the same key, and counts once.
        judge: id of the judge.
        item: the item.
        value: the answer; None for a skip.
        kind: an answer, a skip, or a decision between judges (use `VoteStore.undo` for an undo).
        confidence: the judge's own confidence, 0 to 1.
        reason: why, in the judge's words.
        swapped: whether the right side was shown on the left.
        seconds: how long it took. Ignored when a key is repeated: a browser may measure again.
        undoes: for an undo, the key of the cancelled row.
        participants: ids of the people who took a decision together, in order; empty for everything else.
    """

    key: str
    judge: str
    item: ItemKey
    value: str | None
    kind: VoteKind = VoteKind.VOTE
    confidence: float | None = None
    reason: str | None = None
    swapped: bool = False
    seconds: float | None = None
    undoes: str | None = None
    participants: tuple[str, ...] = ()


@dataclass(frozen=True)
class CastVote:
    """A stored vote, with its position in the order of arrival (from 1, without gaps) and its time."""

    sequence: int
    time: datetime
    vote: Vote


@dataclass(frozen=True)
class Receipt:
    """Confirms that a vote is on disk; `repeated` if it was stored before."""

    key: str
    sequence: int
    time: datetime
    repeated: bool


def check_vote(vote: Vote) -> None:
    """Refuse a malformed vote.

    Raises:
        InputError: the message says what is wrong with the vote.
    """
    if not _KEY.fullmatch(vote.key):
        raise InputError("A vote's key must be 1 to 100 letters, digits, '-' and '_'.", where=vote.key[:100])
    if vote.kind is VoteKind.UNDO or vote.undoes is not None:
        raise InputError("An undo cannot be cast as a vote.", hint="Use VoteStore.undo.")
    if (vote.value is None) is not (vote.kind is VoteKind.SKIP):
        raise InputError("A vote needs a value, and a skip must not have one.", where=vote.key)
    if not 0 <= vote.item.number < 2**63:
        raise InputError("An item's number must not be negative.", where=vote.key)
    if vote.confidence is not None and not 0 <= vote.confidence <= 1:
        raise InputError("A confidence must be between 0 and 1.", where=vote.key)
    if vote.seconds is not None and not (vote.seconds >= 0 and math.isfinite(vote.seconds)):
        raise InputError("The time taken must be a non-negative number of seconds.", where=vote.key)
    if vote.participants and vote.kind is not VoteKind.ADJUDICATION:
        raise InputError("Only a decision can have participants.", where=vote.key)
    if list(vote.participants) != sorted(set(vote.participants)):
        raise InputError("The participants of a decision must be in order, each once.", where=vote.key)
    for text in (vote.judge, vote.value, vote.reason, *vote.participants):
        check_text(text)


def check_text(text: str | None, where: str | None = None) -> None:
    """Refuse a text that a database cannot store faithfully.

    Raises:
        InputError: it is too long, or contains NUL characters or lone surrogates.
    """
    if text is None:
        return
    if len(text) > MAX_TEXT:
        raise InputError(f"The text is longer than {MAX_TEXT:,} characters.", where=where)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError("The text contains characters that cannot be stored.", where=where)
