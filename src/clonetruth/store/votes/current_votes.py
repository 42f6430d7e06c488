"""What stands after all votes so far: the latest of each judge on each item, without what was taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clonetruth.store.votes.vote import CastVote, ItemKey, Vote, VoteKind

Standing = Mapping[ItemKey, Mapping[str, CastVote]]
"""For each item that somebody has judged, the vote that stands of each judge, by the judge's id."""


@dataclass(frozen=True)
class VoteUpdates:
    """What came into a box after some row.

    Attributes:
        rows: the rows, in order, undos included.
        standing: for each item that they are about, what stands of the votes on it now; perhaps nothing.
    """

    rows: Sequence[CastVote]
    standing: Standing


class CurrentVotes:
    """Counts rows in as they arrive. What it gives out never changes afterwards."""

    def __init__(self) -> None:
        # Sequence numbers begin at 1 and have no gaps.
        self._rows: list[CastVote] = []
        self._undone: set[str] = set()
        self._by_judge: dict[str, list[CastVote]] = defaultdict(list)
        # All that one judge said of one item with one kind of row, for the case that the last is taken back.
        self._said: dict[tuple[VoteKind, ItemKey, str], list[CastVote]] = defaultdict(list)
        # The inner mappings are replaced, never changed: a shallow copy is a snapshot.
        self._standing: dict[VoteKind, dict[ItemKey, Mapping[str, CastVote]]] = {kind: {} for kind in VoteKind}

    @property
    def last(self) -> int:
        """The number of the last row."""
        return len(self._rows)

    def add(self, cast: CastVote) -> None:
        """Count in the row that follows on the last one."""
        self._rows.append(cast)
        vote = cast.vote
        if vote.kind is VoteKind.UNDO:
            assert vote.undoes is not None
            self._undone.add(vote.undoes)
            self._by_judge[vote.judge] = [one for one in self._by_judge[vote.judge] if one.vote.key != vote.undoes]
            for kind in (VoteKind.VOTE, VoteKind.SKIP, VoteKind.ADJUDICATION):
                self._settle(kind, vote)
            return
        self._by_judge[vote.judge].append(cast)
        self._said[vote.kind, vote.item, vote.judge].append(cast)
        self._settle(vote.kind, vote)

    def _settle(self, kind: VoteKind, vote: Vote) -> None:
        """Find anew what stands of one judge on one item."""
        said = self._said.get((kind, vote.item, vote.judge), [])
        latest = next((one for one in reversed(said) if one.vote.key not in self._undone), None)
        others = self._standing[kind].get(vote.item, {})
        now = {judge: one for judge, one in others.items() if judge != vote.judge}
        if latest is not None:
            now[vote.judge] = latest
        if now:
            self._standing[kind][vote.item] = now
        else:
            self._standing[kind].pop(vote.item, None)

    def news(self, after: int) -> VoteUpdates:
        """What came after a row, by its number."""
        rows = self._rows[after:]
        standing = self._standing[VoteKind.VOTE]
        return VoteUpdates(rows, {cast.vote.item: standing.get(cast.vote.item, {}) for cast in rows})

    def standing(self, kind: VoteKind) -> Standing:
        """What stands of one kind of row."""
        return dict(self._standing[kind])

    def of_judge(self, judge: str) -> tuple[CastVote, ...]:
        """What a judge did and did not take back, in order: votes, skips, adjudications."""
        return tuple(self._by_judge.get(judge, ()))
