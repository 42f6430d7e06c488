"""What is put into a ballot box: votes of invited judges on the items of a study.

Votes are only ever added. Whoever changes their mind votes again (the later vote stands) or undoes: an undo is one
more row, which names the vote that it takes back.
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
"""Characters of a reason; more is no reason but a mistake or an attack."""

_KEY = re.compile(r"[A-Za-z0-9_-]{1,100}")


class JudgeRole(StrEnum):
    """What an invited person may do: judge, decide where judges differ, or run the study."""

    JUDGE = "judge"
    ADJUDICATOR = "adjudicator"
    OWNER = "owner"


class ItemKind(StrEnum):
    """What is judged: a pair, a method in a functionality, or an item with a known answer (training, attention)."""

    PAIR = "pair"
    METHOD = "method"
    CHECK = "check"


class VoteKind(StrEnum):
    """What a row says: an answer, "later", a decision between judges, or that an earlier row is taken back."""

    VOTE = "vote"
    SKIP = "skip"
    ADJUDICATION = "adjudication"
    UNDO = "undo"


class ItemKey(NamedTuple):
    """What is put before a judge: its kind, and its number in the table of that kind."""

    kind: ItemKind
    number: int


class ConflictError(InputError):
    """An idempotency key came again with another content."""


class NotAllowedError(InputError):
    """A judge who is unknown, revoked or expired wants to vote, or to undo what somebody else said."""


class UnavailableError(CloneTruthError):
    """The database cannot be reached or did not answer. A vote may be saved or not: send it again with its key."""


@dataclass(frozen=True)
class InvitedJudge:
    """A person who may enter a study.

    Attributes:
        id: the pseudonym that votes carry.
        name: the person's name, which only the owner of the study sees.
        role: what they may do.
        group: the group they judge with, where the study has groups.
        created: when they were invited first.
        expires: from when on their link and votes are refused.
        revoked: since when they are shut out.
        token_hash: SHA-256 of the secret in their link.
    """

    id: str
    name: str
    role: JudgeRole
    group: str | None
    created: datetime
    expires: datetime
    revoked: datetime | None
    token_hash: str

    def active(self, now: datetime) -> bool:
        """Whether they may enter and vote."""
        return self.revoked is None and now < self.expires


@dataclass(frozen=True)
class Vote:
    """What a judge says of an item.

    Attributes:
        key: the idempotency key: a repeated request carries the same one, and is counted once.
        judge: id of the judge.
        item: what is judged.
        value: the answer; None for a skip.
        kind: an answer, a skip, or a decision between judges (an undo is made by `BallotBox.undo`).
        confidence: the judge's own, 0 to 1.
        reason: why, in the judge's words.
        swapped: whether the right side was shown on the left.
        seconds: how long it took. Not compared when a key comes again: a browser may measure anew.
        undoes: for an undo, the key of what is taken back.
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


@dataclass(frozen=True)
class CastVote:
    """A vote in the box, with its place in the order of arrival (from 1, without gaps) and its time."""

    sequence: int
    time: datetime
    vote: Vote


@dataclass(frozen=True)
class Receipt:
    """The proof that a vote is on disk; `repeated` where it had been there before."""

    key: str
    sequence: int
    time: datetime
    repeated: bool


def check_vote(vote: Vote) -> None:
    """Refuse what no box takes, whichever database is below.

    Raises:
        InputError: saying what is wrong with the vote.
    """
    if not _KEY.fullmatch(vote.key):
        raise InputError("A vote's key is 1 to 100 letters, digits, '-' and '_'.", where=vote.key[:100])
    if vote.kind is VoteKind.UNDO or vote.undoes is not None:
        raise InputError("An undo is no vote of its own.", hint="Use BallotBox.undo.")
    if (vote.value is None) is not (vote.kind is VoteKind.SKIP):
        raise InputError("A vote needs a value, and a skip has none.", where=vote.key)
    if not 0 <= vote.item.number < 2**63:
        raise InputError("An item's number is not negative.", where=vote.key)
    if vote.confidence is not None and not 0 <= vote.confidence <= 1:
        raise InputError("A confidence is between 0 and 1.", where=vote.key)
    if vote.seconds is not None and not (vote.seconds >= 0 and math.isfinite(vote.seconds)):
        raise InputError("The time taken is a number of seconds, not negative.", where=vote.key)
    for text in (vote.judge, vote.value, vote.reason):
        check_text(text)


def check_text(text: str | None, where: str | None = None) -> None:
    """Refuse a text that a database could not give back as it was.

    Raises:
        InputError: it is too long, or has NUL characters or halves of surrogate pairs.
    """
    if text is None:
        return
    if len(text) > MAX_TEXT:
        raise InputError(f"The text is longer than {MAX_TEXT:,} characters.", where=where)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError("The text has characters that cannot be stored.", where=where)
