"""The vote store of a study: invited judges and their votes, durable before they are acknowledged."""

from clonetruth.store.votes.check_results import JudgeChecks, count_checks, judges_below, read_checks
from clonetruth.store.votes.current_votes import VotesByItem, VoteUpdates
from clonetruth.store.votes.participation import ConsentText, Withdrawal, read_consent
from clonetruth.store.votes.study_votes import (
    VOTES_FILE,
    VoteTables,
    has_votes,
    open_vote_store,
    read_votes,
    votes_as_tables,
)
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
    "ConsentText",
    "InvitedJudge",
    "ItemKey",
    "ItemKind",
    "JudgeChecks",
    "JudgeRole",
    "NotAllowedError",
    "Receipt",
    "UnavailableError",
    "Vote",
    "VoteKind",
    "VoteStore",
    "VoteTables",
    "VoteUpdates",
    "VotesByItem",
    "Withdrawal",
    "count_checks",
    "has_votes",
    "judges_below",
    "open_vote_store",
    "read_checks",
    "read_consent",
    "read_votes",
    "votes_as_tables",
]
