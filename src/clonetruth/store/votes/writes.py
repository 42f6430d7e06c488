"""What is written into a ballot box, each within a transaction in which nobody else writes.

Every function makes its checks before its first write: it is committed together with others' work (`committing`).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from clonetruth.errors import InputError
from clonetruth.store.votes import tables
from clonetruth.store.votes.databases import Connection, run_all
from clonetruth.store.votes.vote import (
    ConflictError,
    InvitedJudge,
    JudgeRole,
    NotAllowedError,
    Receipt,
    Vote,
    VoteKind,
)


def prepare(connection: Connection, study: str) -> Mapping[str, str]:
    """Make the tables where they are missing; what the box says of itself."""
    run_all(connection, tables.CREATE)
    for name, value in (("format", tables.FORMAT), ("study", study), ("secret", secrets.token_hex(32))):
        connection.execute(tables.SET_FACT, {"name": name, "value": value})
    return dict(connection.execute(tables.FACTS))


def add_judge(connection: Connection, judge: InvitedJudge) -> InvitedJudge:
    """Add a judge whose name is not taken."""
    if connection.execute(tables.JUDGE_BY_NAME, {"name": judge.name}):
        raise InputError(
            f"'{judge.name}' is invited already.",
            hint="Renew their link (`--renew`), or choose a name that tells both apart.",
        )
    connection.execute(tables.ADD_JUDGE, tables.judge_row(judge))
    return judge


def renew_judge(connection: Connection, name: str, expires: datetime, token_hash: str) -> InvitedJudge:
    """Give a judge another token."""
    judge = replace(_judge_by_name(connection, name), expires=expires, revoked=None, token_hash=token_hash)
    connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    return judge


def revoke_judge(connection: Connection, name: str, now: datetime) -> InvitedJudge:
    """Shut a judge out; the time of the first revocation stays."""
    judge = _judge_by_name(connection, name)
    if judge.revoked is None:
        judge = replace(judge, revoked=now)
        connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    return judge


def cast_vote(connection: Connection, vote: Vote, now: datetime) -> Receipt:
    """Add a vote, or find that it is there."""
    refused = _refusal(connection, vote, now)
    if refused is None:
        added = connection.execute(tables.ADD_VOTE, tables.vote_row(vote, now))
        if added:
            return Receipt(vote.key, added[0][0], now, repeated=False)
    rows = connection.execute(tables.VOTE_BY_KEY, {"vote": vote.key})
    if not rows:
        # A vote that was tried and not added is there.
        assert refused is not None
        raise refused
    found = tables.vote_of(rows[0])
    if replace(found.vote, seconds=vote.seconds) != vote:
        raise ConflictError("The key of this vote was used for another one.", where=vote.key)
    return Receipt(vote.key, found.sequence, found.time, repeated=True)


def undo_vote(connection: Connection, judge: str, key: str, now: datetime) -> Receipt:
    """Add the row that takes a vote back, or find that it is there."""
    rows = connection.execute(tables.VOTE_BY_KEY, {"vote": key})
    first = tables.vote_of(rows[0]).vote if rows else None
    if first is None or first.judge != judge or first.kind is VoteKind.UNDO:
        raise NotAllowedError("There is no vote of this judge with this key.", where=key)
    # No key of a vote has a colon, so this one is free, and the same for every undo of the vote.
    return cast_vote(connection, Vote(f"undo:{key}", judge, first.item, None, VoteKind.UNDO, undoes=key), now)


def _refusal(connection: Connection, vote: Vote, now: datetime) -> NotAllowedError | None:
    """Judges vote without seeing others' votes; whoever has seen them decides, and does not vote."""
    rows = connection.execute(tables.JUDGE_BY_ID, {"judge": vote.judge})
    judge = tables.judge_of(rows[0]) if rows else None
    if judge is None or not judge.active(now):
        return NotAllowedError("This judge is unknown, revoked or expired.", where=vote.judge)
    decides = judge.role is not JudgeRole.JUDGE
    if vote.kind is not VoteKind.UNDO and decides is not (vote.kind is VoteKind.ADJUDICATION):
        return NotAllowedError(f"A {vote.kind} is not for the role '{judge.role}'.", where=vote.judge)
    return None


def _judge_by_name(connection: Connection, name: str) -> InvitedJudge:
    rows = connection.execute(tables.JUDGE_BY_NAME, {"name": name})
    if not rows:
        known = ", ".join(tables.judge_of(row).name for row in connection.execute(tables.JUDGES))
        raise InputError(f"Nobody called '{name}' is invited.", hint=f"Invited: {known or 'nobody'}.")
    return tables.judge_of(rows[0])
