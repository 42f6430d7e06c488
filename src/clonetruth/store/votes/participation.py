"""Taking part in a study: the text that a judge agreed to, how much they will judge, and leaving it again.

A judge who withdraws is erased, not marked: answers, reasons, name, link and consent. What stays is a row that says
that somebody withdrew, on which day, and how many votes are missing since. The functions with a connection run within
an exclusive transaction, as those of `vote_store` do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.store.votes import tables
from clonetruth.store.votes.databases import Connection
from clonetruth.store.votes.vote import InvitedJudge, ItemKey, ItemKind, JudgeRole, NotAllowedError, Vote


@dataclass(frozen=True)
class ConsentText:
    """What judges agree to before their first vote: a text in Markdown, and its SHA-256."""

    text: str
    digest: str


class ConsentFile:
    """The consent text in a study folder. An edited text is noticed, and asked about again.

    Args:
        path: the file; without it, nobody is asked.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int, int], ConsentText | None] | None = None

    def current(self) -> ConsentText | None:
        """The text as it is now; None if there is none.

        Raises:
            InputError: the file cannot be read.
        """
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return None
        seen = status.st_mtime_ns, status.st_size, status.st_ino
        if self._read is None or self._read[0] != seen:
            self._read = seen, read_consent(self._path)
        return self._read[1]


def read_consent(path: Path) -> ConsentText | None:
    """Read a consent text; None for an empty one.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        text = read_text(path).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The consent text cannot be read ({error}).", where=path) from error
    return ConsentText(text, hashlib.sha256(text.encode()).hexdigest()) if text else None


@dataclass(frozen=True)
class Withdrawal:
    """The withdrawal of a judge, without anything that identifies them.

    Attributes:
        day: the day, in UTC.
        role: what they were invited for.
        votes: the number of rows that were erased: answers, skips, undos, decisions.
        decisions: the number of decisions of others that were erased with them.
    """

    day: str
    role: JudgeRole
    votes: int
    decisions: int


def withdraw_judge(connection: Connection, who: str, now: datetime) -> Withdrawal:
    """Erase a judge, by name or pseudonym, and decisions that they took part in or that weighed their votes."""
    judge = _find(connection, who)
    values = {"judge": judge.id}
    own = connection.execute(tables.COUNT_OWN, values)[0][0]
    decisions = connection.execute(tables.DECISIONS_TO_ERASE, values)
    done = Withdrawal(f"{now:%Y-%m-%d}", judge.role, own, sum(decider != judge.id for _, decider in decisions))
    for key, _ in decisions:
        for statement in tables.ERASE_DECISION:
            connection.execute(statement, {"vote": key})
    for statement in tables.ERASE_JUDGE:
        connection.execute(statement, values)
    row = {"day": done.day, "role": str(done.role), "votes": done.votes, "decisions": done.decisions}
    connection.execute(tables.ADD_WITHDRAWAL, row)
    # Sequence numbers have gaps from now on, which earlier versions of clonetruth do not expect.
    for name, value in (("format", tables.FORMAT_WITH_GAPS), ("remains", "1")):
        connection.execute(tables.CHANGE_FACT, {"name": name, "value": value})
    return done


def _find(connection: Connection, who: str) -> InvitedJudge:
    rows = connection.execute(tables.JUDGE_BY_NAME, {"name": who}) or connection.execute(
        tables.JUDGE_BY_ID, {"judge": who}
    )
    if rows:
        return tables.judge_of(rows[0])
    gone = connection.execute(tables.COUNT_WITHDRAWALS)[0][0]
    known = ", ".join(tables.judge_of(row).name for row in connection.execute(tables.JUDGES))
    withdrew = f" {gone:,} withdrew before, and are not known by name any more." if gone else ""
    raise InputError(f"Nobody called '{who}' is invited.", hint=f"Invited: {known or 'nobody'}.{withdrew}")


def accept_consent(connection: Connection, judge: str, digest: str, now: datetime) -> None:
    """Record that a judge agreed to a text; the first time counts."""
    if not connection.execute(tables.JUDGE_BY_ID, {"judge": judge}):
        raise NotAllowedError("This judge is unknown, revoked or expired.", where=judge)
    connection.execute(tables.ADD_CONSENT, {"judge": judge, "text": digest, "time": tables.microseconds(now)})


def set_quota(connection: Connection, judge: str, quota: int | None) -> None:
    """Change how many subjects a judge may judge; None for any number."""
    if quota is None:
        connection.execute(tables.DROP_QUOTA, {"judge": judge})
    else:
        connection.execute(tables.SET_QUOTA, {"judge": judge, "subjects": quota})


def check_quota(quota: int | None) -> None:
    """Refuse a quota that is not a positive number.

    Raises:
        InputError: it is less than 1.
    """
    if quota is not None and quota < 1:
        raise InputError("A judge must be allowed at least one subject.", where=quota)


def beyond_quota(connection: Connection, judge: InvitedJudge, item: ItemKey, counted: Collection[ItemKind]) -> bool:
    """Whether a vote would be on one more subject than the judge's quota; only items of the counted kinds are."""
    if judge.quota is None or item.kind not in counted:
        return False
    rows = connection.execute(tables.VOTES_OF_JUDGE, {"judge": judge.id})
    undone = {undoes for _, _, _, _, undoes in rows if undoes is not None}
    judged = {
        (kind, number)
        for key, kind, number, what, _ in rows
        if what == "vote" and key not in undone and kind in counted
    }
    return len(judged - {(str(item.kind), item.number)}) >= judge.quota


def lacks_consent(connection: Connection, vote: Vote, digest: str | None) -> bool:
    """Whether the judge of a vote has not agreed to the text with this digest."""
    values = {"judge": vote.judge, "text": digest}
    return digest is not None and not connection.execute(tables.CONSENT, values)
