"""The ballot box of a study: invited judges, and their votes, durable before they are acknowledged."""

from clonetruth.store.votes.current_votes import News, Standing
from clonetruth.store.votes.reading import VOTES_FILE, open_ballots, read_votes, votes_as_tables
from clonetruth.store.votes.vote import (
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
from clonetruth.store.votes.vote_store import BallotBox

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
