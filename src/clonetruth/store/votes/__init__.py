"""The vote store of a study: invited judges and their votes, durable before they are acknowledged."""

from clonetruth.store.votes.current_votes import VotesByItem, VoteUpdates
from clonetruth.store.votes.study_votes import VOTES_FILE, open_vote_store, read_votes, votes_as_tables
from clonetruth.store.votes.vote import (
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
    VoteKind,
)
from clonetruth.store.votes.vote_store import VoteStore

__all__ = [
    "VOTES_FILE",
    "CastVote",
    "ConflictError",
    "InvitedJudge",
    "ItemKey",
    "ItemKind",
    "JudgeRole",
    "NotAllowedError",
    "Receipt",
    "UnavailableError",
    "Vote",
    "VoteKind",
    "VoteStore",
    "VoteUpdates",
    "VotesByItem",
    "open_vote_store",
    "read_votes",
    "votes_as_tables",
]
