"""The vote store of a study: who may vote, and every vote, durable before it is acknowledged.

All methods are thread-safe. Several processes may share a store: each sees the others' votes. The functions at the top
are the writes, each within an exclusive transaction; they check before their first write, because they are committed
together with the work of other threads (`GroupCommit`).
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TypeVar

from clonetruth.errors import InputError
from clonetruth.store.votes import tables
from clonetruth.store.votes.current_votes import CurrentVotes, VotesByItem, VoteUpdates
from clonetruth.store.votes.databases import Connection, Database, erase_remains, run_all
from clonetruth.store.votes.group_commit import GroupCommit
from clonetruth.store.votes.participation import (
    ConsentFile,
    ConsentText,
    Withdrawal,
    accept_consent,
    beyond_quota,
    check_quota,
    lacks_consent,
    set_quota,
    withdraw_judge,
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
    check_text,
    check_vote,
)

SUBJECTS = (ItemKind.PAIR, ItemKind.METHOD)
"""What is judged for the sake of the study, and counts against a quota; checks do not."""


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
    set_quota(connection, judge.id, judge.quota)
    return judge


def renew_judge(
    connection: Connection, name: str, expires: datetime, token_hash: str, quota: int | None
) -> InvitedJudge:
    """Give a judge a new token, and a new quota if one is given."""
    judge = replace(_judge_by_name(connection, name), expires=expires, revoked=None, token_hash=token_hash)
    connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    if quota is not None:
        judge = replace(judge, quota=quota)
        set_quota(connection, judge.id, quota)
    return judge


def revoke_judge(connection: Connection, name: str, now: datetime) -> InvitedJudge:
    """Revoke a judge's access; the time of the first revocation is kept."""
    judge = _judge_by_name(connection, name)
    if judge.revoked is None:
        judge = replace(judge, revoked=now)
        connection.execute(tables.CHANGE_JUDGE, tables.judge_row(judge))
    return judge


def cast_vote(
    connection: Connection,
    vote: Vote,
    now: datetime,
    consent: str | None = None,
    counted: Collection[ItemKind] = SUBJECTS,
) -> Receipt:
    """Add a vote, unless it is already stored; the judge must have agreed to the consent text with this digest."""
    refused = _refusal(connection, vote, now, consent, counted)
    if refused is None:
        added = connection.execute(tables.ADD_VOTE, tables.vote_row(vote, now))
        if added:
            for judge in vote.participants:
                connection.execute(tables.ADD_PARTICIPANT, {"vote": vote.key, "judge": judge})
            return Receipt(vote.key, added[0][0], now, repeated=False)
    rows = connection.execute(tables.VOTE_BY_KEY, {"vote": vote.key})
    if not rows:
        # A vote that was not refused and not added is already stored.
        assert refused is not None
        raise refused
    together = connection.execute(tables.PARTICIPANTS_OF_VOTE, {"vote": vote.key})
    stored = tables.vote_of(rows[0], (judge for (judge,) in together))
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


def _refusal(
    connection: Connection, vote: Vote, now: datetime, consent: str | None, counted: Collection[ItemKind]
) -> NotAllowedError | None:
    """Judges vote without seeing other votes; adjudicators have seen them, so they decide and do not vote."""
    rows = connection.execute(tables.JUDGE_BY_ID, {"judge": vote.judge})
    judge = tables.judge_of(rows[0]) if rows else None
    if judge is None or not judge.active(now):
        return NotAllowedError("This judge is unknown, revoked or expired.", where=vote.judge)
    decides = judge.role is not JudgeRole.JUDGE
    if vote.kind is not VoteKind.UNDO and decides is not (vote.kind in (VoteKind.ADJUDICATION, VoteKind.REVIEW)):
        return NotAllowedError(f"The role '{judge.role}' does not permit a {vote.kind}.", where=vote.judge)
    if vote.kind is not VoteKind.UNDO and lacks_consent(connection, vote, consent):
        return NotAllowedError("This judge has not agreed to the consent text as it is now.", where=vote.judge)
    if vote.kind is VoteKind.VOTE and beyond_quota(connection, judge, vote.item, counted):
        return NotAllowedError(f"This judge has judged all of their {judge.quota:,} subjects.", where=vote.judge)
    for participant in vote.participants:
        if not connection.execute(tables.JUDGE_BY_ID, {"judge": participant}):
            return NotAllowedError("A participant of the decision was never invited.", where=participant)
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
        consent: the text that judges must agree to before they vote; None if they are not asked.
        counted: the kinds of items that count against a quota.

    Attributes:
        secret: a signing key, the same for all processes of the study and after a restart.

    Raises:
        InputError: the store belongs to another study, or is of a newer version.
        UnavailableError: the database cannot be opened.
    """

    def __init__(
        self,
        database: Database,
        study: str,
        clock: Callable[[], datetime] = _now,
        consent: ConsentFile | None = None,
        counted: Collection[ItemKind] = SUBJECTS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._consent = consent
        self._counted = counted
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
        if facts.get("remains") == "1":
            # The process that erased a judge was killed, or another one was in the way.
            with contextlib.suppress(UnavailableError):
                self._erase_remains()

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
        self,
        name: str,
        role: JudgeRole = JudgeRole.JUDGE,
        group: str | None = None,
        days: float = 30,
        quota: int | None = None,
    ) -> tuple[InvitedJudge, str]:
        """Invite a person.

        Args:
            name: their name, unique within the study.
            role: what they may do.
            group: the group they judge with.
            days: how long their link works.
            quota: the number of subjects that they may judge (default: any number).

        Returns:
            The judge, and the secret token. Only its hash is stored, so it cannot be read again.

        Raises:
            InputError: the name is taken or empty, or the days or the quota are not positive.
        """
        check_quota(quota)
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
            quota=quota,
        )
        return self._writer.run(lambda connection: add_judge(connection, judge)), token

    def renew_judge(self, name: str, days: float = 30, quota: int | None = None) -> tuple[InvitedJudge, str]:
        """Give an invited person a new token, also after a revocation. The old one expires; votes and role are kept.

        Args:
            name: their name.
            days: how long the new link works.
            quota: the number of subjects that they may judge from now on (default: as before).

        Raises:
            InputError: nobody has this name, or the days or the quota are not positive.
        """
        check_quota(quota)
        token = secrets.token_urlsafe(32)
        expires = self._expiry(days)
        return self._writer.run(lambda one: renew_judge(one, name, expires, _hash(token), quota)), token

    def revoke(self, name: str) -> InvitedJudge:
        """Revoke a person's access, by name. Their votes are kept. Doing it twice changes nothing.

        Raises:
            InputError: nobody has this name.
        """
        now = self._clock()
        return self._writer.run(lambda connection: revoke_judge(connection, name, now))

    def withdraw(self, who: str) -> Withdrawal:
        """Erase a person, by name or pseudonym: votes, reasons, name, link and consent, and what they leave in files.

        Decisions that the person took part in, or on subjects that they voted on, are erased too: they weigh, and may
        quote, what is gone. Their subjects are open again.

        Raises:
            InputError: nobody has this name.
            UnavailableError: the database failed. If the person is no longer listed, they are erased, and only traces
                in the files of the database are left: the next command that opens the votes overwrites them.
        """
        now = self._clock()
        done = self._writer.run(lambda connection: withdraw_judge(connection, who, now))
        self._erase_remains()
        return done

    def withdrawals(self) -> tuple[Withdrawal, ...]:
        """The judges who withdrew, without anything that identifies them, in order."""
        rows = self._read(lambda reader: reader.execute(tables.WITHDRAWALS))
        return tuple(Withdrawal(day, JudgeRole(role), votes, decisions) for day, role, votes, decisions in rows)

    def consent_to_ask(self, judge: str) -> ConsentText | None:
        """The text that a judge has yet to agree to; None if there is none."""
        asked = None if self._consent is None else self._consent.current()
        return None if asked is None or judge in self.consents(asked.digest) else asked

    def consents(self, digest: str | None = None) -> Mapping[str, datetime]:
        """When each judge agreed to the text with a digest (default: to any text, the last time)."""
        rows = self._read(lambda reader: reader.execute(tables.CONSENTS))
        return {judge: tables.time_of(time) for judge, text, time in rows if digest in (None, text)}

    def accept_consent(self, judge: str, digest: str) -> None:
        """Record that a judge agrees to the consent text.

        Raises:
            NotAllowedError: the judge is unknown, or the digest is not that of the text as it is now.
            UnavailableError: the database failed. Try again.
        """
        asked = None if self._consent is None else self._consent.current()
        if asked is None or asked.digest != digest:
            raise NotAllowedError("The consent text has changed.", hint="Read it again, please.")
        now = self._clock()
        self._writer.run(lambda connection: accept_consent(connection, judge, digest, now))

    def judges(self) -> tuple[InvitedJudge, ...]:
        """Everybody who was ever invited and did not withdraw, in order of invitation."""
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
            NotAllowedError: the judge is unknown, revoked or expired, has judged as many subjects as their quota
                permits, or has not agreed to the consent text; or the role does not permit the vote.
            UnavailableError: the database failed. Send the same vote again, with its key.
        """
        check_vote(vote)
        now = self._clock()
        asked = None if self._consent is None else self._consent.current()
        digest = None if asked is None else asked.digest
        return self._writer.run(lambda connection: cast_vote(connection, vote, now, digest, self._counted))

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
        return self._latest(VoteKind.ADJUDICATION)

    def reviews(self) -> Mapping[ItemKey, CastVote]:
        """The latest decision on each reviewed item."""
        return self._latest(VoteKind.REVIEW)

    def _latest(self, kind: VoteKind) -> Mapping[ItemKey, CastVote]:
        decided = self._read(lambda reader: self._current(reader).current(kind))
        return {item: max(votes.values(), key=lambda cast: cast.sequence) for item, votes in decided.items()}

    def _expiry(self, days: float) -> datetime:
        if not 0 < days <= _MAX_DAYS:
            raise InputError(f"A link must be valid for more than 0 and at most {_MAX_DAYS:,} days.", where=days)
        return self._clock() + timedelta(days=days)

    def _current(self, reader: Connection) -> CurrentVotes:
        """The current votes, including those that have just arrived, without those of judges who withdrew."""
        withdrawals = reader.execute(tables.COUNT_WITHDRAWALS)[0][0]
        if withdrawals != self._votes.withdrawals:
            self._votes = CurrentVotes(withdrawals)
        after = {"sequence": self._votes.last}
        rows = reader.execute(tables.VOTES_AFTER, after)
        together: dict[str, list[str]] = {}
        if rows:
            for vote, judge in reader.execute(tables.PARTICIPANTS_AFTER, after):
                together.setdefault(vote, []).append(judge)
        for row in rows:
            self._votes.add(tables.vote_of(row, together.get(row[2], ())))
        return self._votes

    def _erase_remains(self) -> None:
        erase_remains(self._database)
        fact = {"name": "remains", "value": "0"}
        self._writer.run(lambda connection: connection.execute(tables.CHANGE_FACT, fact))

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
    if facts["format"] not in (tables.FORMAT, tables.FORMAT_WITH_GAPS):
        raise InputError(
            f"The votes have format {facts['format']}; this clonetruth reads {tables.FORMAT_WITH_GAPS}.",
            where=place,
            hint="Use the version of clonetruth that wrote them, or a newer one.",
        )
    if facts["study"] != study:
        raise InputError(
            "These votes belong to another study.", where=place, hint="Move them back to the folder they came from."
        )
