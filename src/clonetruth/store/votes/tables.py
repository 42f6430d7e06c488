"""The database tables of a vote store, and the conversion of rows to judges and votes."""

from __future__ import annotations

from collections.abc import Iterable
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

FORMAT_WITH_GAPS = "2"
"""The same tables after a judge withdrew: sequence numbers have gaps."""

CREATE = (
    "CREATE TABLE IF NOT EXISTS box (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS judges (judge TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, "
    "team TEXT, created BIGINT NOT NULL, expires BIGINT NOT NULL, revoked BIGINT, token_hash TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS votes (sequence BIGINT PRIMARY KEY, time BIGINT NOT NULL, vote TEXT NOT NULL UNIQUE, "
    "judge TEXT NOT NULL REFERENCES judges (judge), item_kind TEXT NOT NULL, item BIGINT NOT NULL, value TEXT, "
    "kind TEXT NOT NULL, confidence DOUBLE PRECISION, reason TEXT, swapped SMALLINT NOT NULL, "
    "seconds DOUBLE PRECISION, undoes TEXT REFERENCES votes (vote))",
    "CREATE INDEX IF NOT EXISTS votes_by_judge ON votes (judge)",
    "CREATE TABLE IF NOT EXISTS quotas (judge TEXT PRIMARY KEY REFERENCES judges (judge), subjects BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS consents (judge TEXT NOT NULL REFERENCES judges (judge), text TEXT NOT NULL, "
    "time BIGINT NOT NULL, PRIMARY KEY (judge, text))",
    "CREATE TABLE IF NOT EXISTS withdrawals (withdrawal BIGINT PRIMARY KEY, day TEXT NOT NULL, role TEXT NOT NULL, "
    "votes BIGINT NOT NULL, decisions BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS participants (vote TEXT NOT NULL REFERENCES votes (vote), judge TEXT NOT NULL, "
    "PRIMARY KEY (vote, judge))",
)

SET_FACT = "INSERT INTO box (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
CHANGE_FACT = "INSERT INTO box (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = :value"
FACTS = "SELECT name, value FROM box"

_JUDGE = "judge, name, role, team, created, expires, revoked, token_hash"
_INVITED = (
    "SELECT j.judge, j.name, j.role, j.team, j.created, j.expires, j.revoked, j.token_hash, q.subjects "
    "FROM judges j LEFT JOIN quotas q ON j.judge = q.judge"
)
JUDGES = f"{_INVITED} ORDER BY j.created, j.judge"
JUDGE_BY_ID = f"{_INVITED} WHERE j.judge = :judge"
JUDGE_BY_NAME = f"{_INVITED} WHERE j.name = :name"
JUDGE_BY_TOKEN = f"{_INVITED} WHERE j.token_hash = :token_hash"
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
ADD_PARTICIPANT = "INSERT INTO participants (vote, judge) VALUES (:vote, :judge)"
PARTICIPANTS_AFTER = (
    "SELECT p.vote, p.judge FROM participants p JOIN votes v ON p.vote = v.vote "
    "WHERE v.sequence > :sequence ORDER BY v.sequence, p.judge"
)
PARTICIPANTS_OF_VOTE = "SELECT judge FROM participants WHERE vote = :vote ORDER BY judge"

VOTES_OF_JUDGE = "SELECT vote, item_kind, item, kind, undoes FROM votes WHERE judge = :judge"

SET_QUOTA = (
    "INSERT INTO quotas (judge, subjects) VALUES (:judge, :subjects) "
    "ON CONFLICT (judge) DO UPDATE SET subjects = :subjects"
)
DROP_QUOTA = "DELETE FROM quotas WHERE judge = :judge"

ADD_CONSENT = (
    "INSERT INTO consents (judge, text, time) VALUES (:judge, :text, :time) ON CONFLICT (judge, text) DO NOTHING"
)
CONSENT = "SELECT time FROM consents WHERE judge = :judge AND text = :text"
CONSENTS = "SELECT judge, text, time FROM consents ORDER BY time, judge"

# A withdrawal erases the rows of the judge, and the decisions in which they took part or between answers of which
# theirs is one. A decision is every kind of row that is neither an answer nor a skip nor an undo.
DECISIONS_TO_ERASE = (
    "SELECT d.vote, d.judge FROM votes d WHERE d.kind NOT IN ('vote', 'skip', 'undo') AND (d.judge = :judge "
    "OR EXISTS (SELECT 1 FROM participants p WHERE p.vote = d.vote AND p.judge = :judge) "
    "OR EXISTS (SELECT 1 FROM votes v WHERE v.judge = :judge AND v.kind = 'vote' AND v.item_kind = d.item_kind "
    "AND v.item = d.item))"
)
ERASE_DECISION = (
    "DELETE FROM participants WHERE vote = :vote",
    "DELETE FROM votes WHERE undoes = :vote",
    "DELETE FROM votes WHERE vote = :vote",
)
COUNT_OWN = "SELECT count(*) FROM votes WHERE judge = :judge"
ERASE_JUDGE = tuple(f"DELETE FROM {table} WHERE judge = :judge" for table in ("votes", "consents", "quotas", "judges"))
ADD_WITHDRAWAL = (
    "INSERT INTO withdrawals (withdrawal, day, role, votes, decisions) "
    "VALUES ((SELECT coalesce(max(withdrawal), 0) + 1 FROM withdrawals), :day, :role, :votes, :decisions)"
)
COUNT_WITHDRAWALS = "SELECT count(*) FROM withdrawals"
WITHDRAWALS = "SELECT day, role, votes, decisions FROM withdrawals ORDER BY withdrawal"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(time: datetime) -> int:
    """A time as stored in the tables."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def time_of(value: int) -> datetime:
    """A time that is stored in the tables."""
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
    judge, name, role, team, created, expires, revoked, token_hash, quota = row
    ended = None if revoked is None else time_of(revoked)
    return InvitedJudge(
        judge, name, JudgeRole(role), team, time_of(created), time_of(expires), ended, token_hash, quota
    )


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


def vote_of(row: tuple[Any, ...], participants: Iterable[str] = ()) -> CastVote:
    """The vote in a row of the vote queries, and the people who took it together."""
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
        participants=tuple(participants),
    )
    return CastVote(sequence, time_of(time), vote)
