"""The database tables of a vote store, and the conversion of rows to judges and votes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from clonetruth.store.votes.vote import (
    CastVote,
    InvitedJudge,
    ItemKey,
    ItemKind,
    JudgeRole,
    Vote,
    VoteKind,
)

FORMAT = "1"
"""Version of these tables."""

CREATE = (
    "CREATE TABLE IF NOT EXISTS box (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS judges (judge TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, "
    "team TEXT, created BIGINT NOT NULL, expires BIGINT NOT NULL, revoked BIGINT, token_hash TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS votes (sequence BIGINT PRIMARY KEY, time BIGINT NOT NULL, vote TEXT NOT NULL UNIQUE, "
    "judge TEXT NOT NULL REFERENCES judges (judge), item_kind TEXT NOT NULL, item BIGINT NOT NULL, value TEXT, "
    "kind TEXT NOT NULL, confidence DOUBLE PRECISION, reason TEXT, swapped SMALLINT NOT NULL, "
    "seconds DOUBLE PRECISION, undoes TEXT REFERENCES votes (vote))",
)

SET_FACT = "INSERT INTO box (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
FACTS = "SELECT name, value FROM box"

_JUDGE = "judge, name, role, team, created, expires, revoked, token_hash"
JUDGES = f"SELECT {_JUDGE} FROM judges ORDER BY created, judge"
JUDGE_BY_ID = f"SELECT {_JUDGE} FROM judges WHERE judge = :judge"
JUDGE_BY_NAME = f"SELECT {_JUDGE} FROM judges WHERE name = :name"
JUDGE_BY_TOKEN = f"SELECT {_JUDGE} FROM judges WHERE token_hash = :token_hash"
ADD_JUDGE = (
    f"INSERT INTO judges ({_JUDGE}) VALUES (:judge, :name, :role, :team, :created, :expires, :revoked, :token_hash)"
)
CHANGE_JUDGE = "UPDATE judges SET expires = :expires, revoked = :revoked, token_hash = :token_hash WHERE judge = :judge"

_VOTE = "sequence, time, vote, judge, item_kind, item, value, kind, confidence, reason, swapped, seconds, undoes"
VOTES_AFTER = f"SELECT {_VOTE} FROM votes WHERE sequence > :sequence ORDER BY sequence"
VOTE_BY_KEY = f"SELECT {_VOTE} FROM votes WHERE vote = :vote"
ADD_VOTE = (
    f"INSERT INTO votes ({_VOTE}) VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM votes), :time, :vote, :judge, "
    ":item_kind, :item, :value, :kind, :confidence, :reason, :swapped, :seconds, :undoes) "
    "ON CONFLICT (vote) DO NOTHING RETURNING sequence"
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(time: datetime) -> int:
    """A time as stored in the tables."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def _time(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=value)


def judge_row(judge: InvitedJudge) -> dict[str, object]:
    """The parameters of `ADD_JUDGE` and `CHANGE_JUDGE`."""
    return {
        "judge": judge.id,
        "name": judge.name,
        "role": str(judge.role),
        "team": judge.group,
        "created": microseconds(judge.created),
        "expires": microseconds(judge.expires),
        "revoked": None if judge.revoked is None else microseconds(judge.revoked),
        "token_hash": judge.token_hash,
    }


def judge_of(row: tuple[Any, ...]) -> InvitedJudge:
    """The judge in a row of the judge queries."""
    judge, name, role, team, created, expires, revoked, token_hash = row
    ended = None if revoked is None else _time(revoked)
    return InvitedJudge(judge, name, JudgeRole(role), team, _time(created), _time(expires), ended, token_hash)


def vote_row(vote: Vote, time: datetime) -> dict[str, object]:
    """The parameters of `ADD_VOTE`."""
    return {
        "time": microseconds(time),
        "vote": vote.key,
        "judge": vote.judge,
        "item_kind": str(vote.item.kind),
        "item": vote.item.number,
        "value": vote.value,
        "kind": str(vote.kind),
        "confidence": vote.confidence,
        "reason": vote.reason,
        "swapped": int(vote.swapped),
        "seconds": vote.seconds,
        "undoes": vote.undoes,
    }


def vote_of(row: tuple[Any, ...]) -> CastVote:
    """The vote in a row of the vote queries."""
    sequence, time, key, judge, item_kind, item, value, kind, confidence, reason, swapped, seconds, undoes = row
    vote = Vote(
        key=key,
        judge=judge,
        item=ItemKey(ItemKind(item_kind), item),
        value=value,
        kind=VoteKind(kind),
        confidence=confidence,
        reason=reason,
        swapped=bool(swapped),
        seconds=seconds,
        undoes=undoes,
    )
    return CastVote(sequence, _time(time), vote)
