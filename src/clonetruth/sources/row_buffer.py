"""What is noted of pairs and judgements while a source's fragments stream by.

The tables of a dataset are read in order, fragments first. A source whose files hold texts and pairs together
reads them once: fragments are yielded, and the rows of the later tables, which are small, are noted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, Judgement, Membership, Pair, Role


class RowBuffer:
    """Rows of the tables that come after the fragments."""

    def __init__(self) -> None:
        self.functionalities: dict[str, Functionality] = {}
        self.memberships: list[Membership] = []
        self.pairs: list[Pair] = []
        self.judges: dict[str, Judge] = {}
        self.judgements: list[Judgement] = []

    def member(self, fragment: str, functionality: Functionality, role: Role) -> None:
        """Note a fragment's part in a functionality, which is noted too unless it is known."""
        self.functionalities.setdefault(functionality.id, functionality)
        self.memberships.append(Membership(fragment, functionality.id, role))

    def pair(self, pair: Pair) -> int:
        """Note a pair; its row."""
        self.pairs.append(pair)
        return len(self.pairs) - 1

    def judge(self, judge: Judge, judgement: Judgement) -> None:
        """Note a judgement and who gave it."""
        self.judges.setdefault(judge.id, judge)
        self.judgements.append(judgement)

    def dataset(self, card: Card, fragments: Iterable[Fragment], paths: Sequence[Path], accepts: str) -> Dataset:
        """The dataset whose fragments are being read from the paths.

        Args:
            card: its card.
            fragments: yields fragments, and notes the rest here on the way.
            paths: what is read, for the message if no pair comes of it.
            accepts: what could have been read.
        """
        return Dataset(
            card=card,
            fragments=self._checked(fragments, paths, accepts),
            functionalities=self.functionalities.values(),
            memberships=self.memberships,
            pairs=self.pairs,
            judges=self.judges.values(),
            judgements=self.judgements,
        )

    def _checked(self, fragments: Iterable[Fragment], paths: Sequence[Path], accepts: str) -> Iterator[Fragment]:
        yield from fragments
        if not self.pairs:
            raise InputError(
                "No pair could be read.", where=", ".join(map(str, paths)) or None, hint=f"Accepted: {accepts}."
            )
