"""What one judge has done so far: judged, put off, and how fast."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

from clonetruth.store.votes import CastVote, ItemKey, ItemKind, VoteKind


class JudgeProgress:
    """What a judge has done; votes are counted in as they arrive.

    Args:
        own: what the judge did so far and did not take back (`BallotBox.votes_of`).

    Attributes:
        judged: the items that the judge has voted on.
        judged_subjects: how many of them are no checks.
        skipped: the items that were put off and not judged since, and when: the number of the last skip.
    """

    def __init__(self, own: Iterable[CastVote] = ()) -> None:
        self._count(own)

    def add(self, cast: CastVote) -> None:
        """Count in what the judge did next; an undo takes back what it names."""
        vote = cast.vote
        if vote.kind is VoteKind.UNDO:
            self._count([one for one in self._own if one.vote.key != vote.undoes])
            return
        self._own.append(cast)
        if vote.kind is VoteKind.SKIP and vote.item not in self.judged:
            self.skipped[vote.item] = cast.sequence
        elif vote.kind is VoteKind.VOTE:
            is_subject = vote.item.kind is not ItemKind.CHECK
            self.judged_subjects += is_subject and vote.item not in self.judged
            self.judged.add(vote.item)
            self.skipped.pop(vote.item, None)
            if is_subject and vote.seconds is not None:
                insort(self._seconds, vote.seconds)

    @property
    def last(self) -> str | None:
        """The key of what the judge did last, and did not take back."""
        return self._own[-1].vote.key if self._own else None

    @property
    def median_seconds(self) -> float | None:
        """The median time for a subject; None before the first whose time is known."""
        # Not by `statistics`, which would sort what is in order.
        middle = len(self._seconds) // 2
        return (self._seconds[middle] + self._seconds[~middle]) / 2 if self._seconds else None

    def put_off_last(self, items: Iterable[ItemKey]) -> list[ItemKey]:
        """The items in their order, but the skipped ones behind the others, the longest put off first."""
        return sorted(items, key=lambda item: self.skipped.get(item, 0))

    def _count(self, own: Iterable[CastVote]) -> None:
        """Count from the beginning."""
        self.judged: set[ItemKey] = set()
        self.judged_subjects = 0
        self.skipped: dict[ItemKey, int] = {}
        self._own: list[CastVote] = []
        self._seconds: list[float] = []
        for cast in own:
            self.add(cast)
