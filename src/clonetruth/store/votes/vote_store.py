"""The vote store of a study: who may vote, and every vote, durable before it is acknowledged.

All methods are thread-safe. Several processes may share a store: each sees the others' votes. The functions at the top
are the writes, each within an exclusive transaction; they check before their first write, because they are committed
together with the work of other threads (`GroupCommit`).
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TypeVar

from clonetruth.errors import InputError
from clonetruth.store.votes import tables
from clonetruth.store.votes.current_votes import CurrentVotes, VotesByItem, VoteUpdates
from clonetruth.store.votes.databases import Connection, Database, run_all
from clonetruth.store.votes.group_commit import GroupCommit
from clonetruth.store.votes.vote import (
    CastVote,
    ConflictError,
    InvitedJudge,
    ItemKey,
    JudgeRole,
    NotAllowedError,
    Receipt,
    UnavailableError,
    Vote,
    VoteKind,
    check_text,
    check_vote,
)


def prepare(connection: Connection, study: str) -> Mapping[str, str]:
    """Create missing tables; returns the facts that the store records about itself."""
    run_all(connection, tables.CREATE)
    for name, value in (("format", tables.FORMAT), ("study", study), ("secret", secrets.token_hex(32))):
        connection.execute(tables.SET_FACT, {"name": name, "value": value})
    return dict(connection.execute(tables.FACTS))


def add_judge(connection: Connection, judge: InvitedJudge) -> InvitedJudge:
    """Add a judge whose name is not taken."""
    if connection.execute(tables.JUDGE_BY_NAME, {"name": judge.name}):
        raise InputError(
            f"'{judge.name}' is already invited.",
            hint="Renew their link (`--renew`), or choose a name that distinguishes the two.",
        )
    connection.execute(tables.ADD_JUDGE, tables.judge_row(judge))
    return judge


def renew_judge(connection: Connection, name: str, expires: datetime, token_hash: str) -> InvitedJudge:
    """Give a judge a new token."""
    judge = replace(_judge_by_name(connection, name), expires=expires, revoked=None, token_hash=token_hash)
    connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    return judge


def revoke_judge(connection: Connection, name: str, now: datetime) -> InvitedJudge:
    """Revoke a judge's access; the time of the first revocation is kept."""
    judge = _judge_by_name(connection, name)
    if judge.revoked is None:
        judge = replace(judge, revoked=now)
        connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    return judge


def cast_vote(connection: Connection, vote: Vote, now: datetime) -> Receipt:
    """Add a vote, unless it is already stored."""
    refused = _refusal(connection, vote, now)
    if refused is None:
        added = connection.execute(tables.ADD_VOTE, tables.vote_row(vote, now))
        if added:
            return Receipt(vote.key, added[0][0], now, repeated=False)
    rows = connection.execute(tables.VOTE_BY_KEY, {"vote": vote.key})
    if not rows:
        # A vote that was not refused and not added is already stored.
        assert refused is not None
        raise refused
    stored = tables.vote_of(rows[0])
    if replace(stored.vote, seconds=vote.seconds) != vote:
        raise ConflictError("The key of this vote was used for another vote.", where=vote.key)
    return Receipt(vote.key, stored.sequence, stored.time, repeated=True)


def undo_vote(connection: Connection, judge: str, key: str, now: datetime) -> Receipt:
    """Add the row that undoes a vote, unless it is already stored."""
    rows = connection.execute(tables.VOTE_BY_KEY, {"vote": key})
    first = tables.vote_of(rows[0]).vote if rows else None
    if first is None or first.judge != judge or first.kind is VoteKind.UNDO:
        raise NotAllowedError("There is no vote of this judge with this key.", where=key)
    # Keys of votes have no colon, so this key is free, and the same for every undo of the vote.
    return cast_vote(connection, Vote(f"undo:{key}", judge, first.item, None, VoteKind.UNDO, undoes=key), now)


def _refusal(connection: Connection, vote: Vote, now: datetime) -> NotAllowedError | None:
    """Judges vote without seeing other votes; adjudicators have seen them, so they decide and do not vote."""
    rows = connection.execute(tables.JUDGE_BY_ID, {"judge": vote.judge})
    judge = tables.judge_of(rows[0]) if rows else None
    if judge is None or not judge.active(now):
        return NotAllowedError("This judge is unknown, revoked or expired.", where=vote.judge)
    decides = judge.role is not JudgeRole.JUDGE
    if vote.kind is not VoteKind.UNDO and decides is not (vote.kind is VoteKind.ADJUDICATION):
        return NotAllowedError(f"The role '{judge.role}' does not permit a {vote.kind}.", where=vote.judge)
    return None


def _judge_by_name(connection: Connection, name: str) -> InvitedJudge:
    rows = connection.execute(tables.JUDGE_BY_NAME, {"name": name})
    if not rows:
        known = ", ".join(tables.judge_of(row).name for row in connection.execute(tables.JUDGES))
        raise InputError(f"Nobody called '{name}' is invited.", hint=f"Invited: {known or 'nobody'}.")
    return tables.judge_of(rows[0])


T = TypeVar("T")

_MAX_DAYS = 36_500


def _now() -> datetime:
    return datetime.now(UTC)


class VoteStore:
    """The judges and votes of one study.

    Args:
        database: where they are stored.
        study: identity of the study, checked against that of the store.
        clock: returns the current time.

    Attributes:
        secret: a signing key, the same for all processes of the study and after a restart.

    Raises:
        InputError: the store belongs to another study, or is of a newer version.
        UnavailableError: the database cannot be opened.
    """

    def __init__(self, database: Database, study: str, clock: Callable[[], datetime] = _now) -> None:
        self._database = database
        self._clock = clock
        self._writer = GroupCommit(database)
        self._reading = threading.Lock()
        self._reader: Connection | None = None
        self._votes = CurrentVotes()
        # Judges change rarely, but every page needs them.
        self._judges: tuple[Sequence[object], tuple[InvitedJudge, ...]] = ((), ())
        try:
            facts = self._writer.run(lambda connection: prepare(connection, study))
            _check_facts(facts, study, database.place)
        except BaseException:
            self._writer.close()
            raise
        self.secret = bytes.fromhex(facts["secret"])

    def __enter__(self) -> VoteStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the sessions with the database."""
        self._writer.close()
        with self._reading:
            self._drop_reader()

    def add_judge(
        self, name: str, role: JudgeRole = JudgeRole.JUDGE, group: str | None = None, days: float = 30
    ) -> tuple[InvitedJudge, str]:
        """Invite a person.

        Args:
            name: their name, unique within the study.
            role: what they may do.
            group: the group they judge with.
            days: how long their link works.

        Returns:
            The judge, and the secret token. Only its hash is stored, so it cannot be read again.

        Raises:
            InputError: the name is taken or empty, or the days are not positive.
        """
        check_text(name, "name")
        check_text(group, "group")
        if not name.strip():
            raise InputError("An invitation needs a name.")
        token = secrets.token_urlsafe(32)
        judge = InvitedJudge(
            id=f"person-{secrets.token_hex(4)}",
            name=name,
            role=role,
            group=group,
            created=self._clock(),
            expires=self._expiry(days),
            revoked=None,
            token_hash=_hash(token),
        )
        return self._writer.run(lambda connection: add_judge(connection, judge)), token

    def renew_judge(self, name: str, days: float = 30) -> tuple[InvitedJudge, str]:
        """Give an invited person a new token, also after a revocation. The old one expires; votes and role are kept.

        Raises:
            InputError: nobody has this name, or the days are not positive.
        """
        token = secrets.token_urlsafe(32)
        expires = self._expiry(days)
        return self._writer.run(lambda one: renew_judge(one, name, expires, _hash(token))), token

    def revoke(self, name: str) -> InvitedJudge:
        """Revoke a person's access, by name. Their votes are kept. Doing it twice changes nothing.

        Raises:
            InputError: nobody has this name.
        """
        now = self._clock()
        return self._writer.run(lambda connection: revoke_judge(connection, name, now))

    def judges(self) -> tuple[InvitedJudge, ...]:
        """Everybody who was ever invited, in order of invitation."""
        rows = self._read(lambda reader: reader.execute(tables.JUDGES))
        known, judges = self._judges
        if rows != known:
            judges = tuple(map(tables.judge_of, rows))
            self._judges = rows, judges
        return judges

    def find_judge_by_token(self, token: str) -> InvitedJudge | None:
        """The holder of a token, even if revoked or expired (see `InvitedJudge.active`); None for an unknown token."""
        values = {"token_hash": _hash(token)}
        rows = self._read(lambda reader: reader.execute(tables.JUDGE_BY_TOKEN, values))
        return tables.judge_of(rows[0]) if rows else None

    def cast(self, vote: Vote) -> Receipt:
        """Store a vote. It is on disk when this returns.

        Repeating a vote with the same key returns the original receipt.

        Raises:
            InputError: the vote is malformed.
            ConflictError: the key was used for another vote.
            NotAllowedError: the judge is unknown, revoked or expired, or the role does not permit the vote.
            UnavailableError: the database failed. Send the same vote again, with its key.
        """
        check_vote(vote)
        now = self._clock()
        return self._writer.run(lambda connection: cast_vote(connection, vote, now))

    def undo(self, judge: str, key: str) -> Receipt:
        """Undo a vote with one more row that names it. Doing it twice changes nothing.

        Raises:
            NotAllowedError: there is no such vote of this judge, or the judge may no longer vote.
            UnavailableError: the database failed. Try again.
        """
        now = self._clock()
        return self._writer.run(lambda connection: undo_vote(connection, judge, key, now))

    def votes_of(self, judge: str) -> tuple[CastVote, ...]:
        """The votes, skips and adjudications of a judge in order, without undone ones."""
        return self._read(lambda reader: self._current(reader).of_judge(judge))

    def updates(self, after: int) -> VoteUpdates:
        """The votes after a sequence number; all votes for 0."""
        return self._read(lambda reader: self._current(reader).updates(after))

    def current_votes(self) -> VotesByItem:
        """The current vote of each judge on each item."""
        return self._read(lambda reader: self._current(reader).current(VoteKind.VOTE))

    def adjudications(self) -> Mapping[ItemKey, CastVote]:
        """The latest decision on each decided item."""
        decided = self._read(lambda reader: self._current(reader).current(VoteKind.ADJUDICATION))
        return {item: max(votes.values(), key=lambda cast: cast.sequence) for item, votes in decided.items()}

    def _expiry(self, days: float) -> datetime:
        if not 0 < days <= _MAX_DAYS:
            raise InputError(f"A link must be valid for more than 0 and at most {_MAX_DAYS:,} days.", where=days)
        return self._clock() + timedelta(days=days)

    def _current(self, reader: Connection) -> CurrentVotes:
        """The current votes, including those that have just arrived."""
        for row in reader.execute(tables.VOTES_AFTER, {"sequence": self._votes.last}):
            self._votes.add(tables.vote_of(row))
        return self._votes

    def _read(self, work: Callable[[Connection], T]) -> T:
        """Read; a session that broke since the last read is replaced once."""
        with self._reading:
            if self._reader is not None:
                try:
                    return work(self._reader)
                except UnavailableError:
                    self._drop_reader()
            self._reader = self._database.connect()
            return work(self._reader)

    def _drop_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _hash(token: str) -> str:
    # A token has 256 random bits, so a plain hash is safe against dictionary attacks.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _check_facts(facts: Mapping[str, str], study: str, place: str) -> None:
    if facts["format"] != tables.FORMAT:
        raise InputError(
            f"The votes have format {facts['format']}; this clonetruth reads {tables.FORMAT}.",
            where=place,
            hint="Use the version of clonetruth that wrote them, or a newer one.",
        )
    if facts["study"] != study:
        raise InputError(
            "These votes belong to another study.", where=place, hint="Move them back to the folder they came from."
        )
