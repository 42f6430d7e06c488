"""The current votes: the latest vote of each judge on each item, without undone votes."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clonetruth.store.votes.vote import CastVote, ItemKey, Vote, VoteKind

VotesByItem = Mapping[ItemKey, Mapping[str, CastVote]]
"""For each judged item, the current vote of each judge, by judge id."""


@dataclass(frozen=True)
class VoteUpdates:
    """The votes that arrived after some row.

    Attributes:
        rows: the rows in order, including undos.
        current: the current votes on each item that the rows concern; possibly none.
        withdrawals: how many judges have withdrawn so far. After one more, earlier rows are gone: read all again.
    """

    rows: Sequence[CastVote]
    current: VotesByItem
    withdrawals: int = 0


class CurrentVotes:
    """Tracks the current votes as rows arrive. Mappings that it returns never change afterwards.

    Args:
        withdrawals: how many judges withdrew before the first row was read.
    """

    def __init__(self, withdrawals: int = 0) -> None:
        self.withdrawals = withdrawals
        # In the order of their sequence numbers, which start at 1; those of judges who withdrew are missing.
        self._rows: list[CastVote] = []
        self._undone: set[str] = set()
        self._by_judge: dict[str, list[CastVote]] = defaultdict(list)
        # Every row of one judge on one item with one kind, in case the last one is undone.
        self._history: dict[tuple[VoteKind, ItemKey, str], list[CastVote]] = defaultdict(list)
        # The inner mappings are replaced, never modified: a shallow copy is a snapshot.
        self._current: dict[VoteKind, dict[ItemKey, Mapping[str, CastVote]]] = {kind: {} for kind in VoteKind}

    @property
    def last(self) -> int:
        """The sequence number of the last row."""
        return self._rows[-1].sequence if self._rows else 0

    def add(self, cast: CastVote) -> None:
        """Add the row that follows the last one."""
        self._rows.append(cast)
        vote = cast.vote
        if vote.kind is VoteKind.UNDO:
            assert vote.undoes is not None
            self._undone.add(vote.undoes)
            self._by_judge[vote.judge] = [one for one in self._by_judge[vote.judge] if one.vote.key != vote.undoes]
            for kind in (VoteKind.VOTE, VoteKind.SKIP, VoteKind.ADJUDICATION, VoteKind.REVIEW):
                self._update(kind, vote)
            return
        self._by_judge[vote.judge].append(cast)
        self._history[vote.kind, vote.item, vote.judge].append(cast)
        self._update(vote.kind, vote)

    def _update(self, kind: VoteKind, vote: Vote) -> None:
        """Recompute the current vote of one judge on one item."""
        history = self._history.get((kind, vote.item, vote.judge), [])
        latest = next((one for one in reversed(history) if one.vote.key not in self._undone), None)
        others = self._current[kind].get(vote.item, {})
        now = {judge: one for judge, one in others.items() if judge != vote.judge}
        if latest is not None:
            now[vote.judge] = latest
        if now:
            self._current[kind][vote.item] = now
        else:
            self._current[kind].pop(vote.item, None)

    def updates(self, after: int) -> VoteUpdates:
        """The rows after a sequence number."""
        rows = self._rows[bisect_right(self._rows, after, key=lambda cast: cast.sequence) :]
        current = self._current[VoteKind.VOTE]
        return VoteUpdates(rows, {cast.vote.item: current.get(cast.vote.item, {}) for cast in rows}, self.withdrawals)

    def current(self, kind: VoteKind) -> VotesByItem:
        """The current votes of one kind."""
        return dict(self._current[kind])

    def of_judge(self, judge: str) -> tuple[CastVote, ...]:
        """The votes, skips and adjudications of a judge in order, without undone ones."""
        return tuple(self._by_judge.get(judge, ()))
