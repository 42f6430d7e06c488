"""The ballot box of a study: invited judges, and their votes, durable before they are acknowledged."""

from clonetruth.store.ballots.ballot import (
    BallotKind,
    CastVote,
    ConflictError,
    InvitedJudge,
    ItemKey,
    ItemKind,
    JudgeRole,
    NotAllowedError,
    Receipt,
    UnavailableError,
    Vote,
)
from clonetruth.store.ballots.box import BallotBox
from clonetruth.store.ballots.reading import VOTES_FILE, open_ballots, read_votes, votes_as_tables
from clonetruth.store.ballots.tally import News, Standing

__all__ = [
    "VOTES_FILE",
    "BallotBox",
    "BallotKind",
    "CastVote",
    "ConflictError",
    "InvitedJudge",
    "ItemKey",
    "ItemKind",
    "JudgeRole",
    "News",
    "NotAllowedError",
    "Receipt",
    "Standing",
    "UnavailableError",
    "Vote",
    "open_ballots",
    "read_votes",
    "votes_as_tables",
]
