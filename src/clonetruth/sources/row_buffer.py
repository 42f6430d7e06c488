"""A buffer for pairs and judgements while a source's fragments are streamed.

The tables of a dataset are read in order, fragments first. A source whose files hold texts and pairs together reads
them once: it yields the fragments, and buffers the rows of the later tables, which are small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, Judgement, Membership, Pair, Role


class RowBuffer:
    """Buffered rows of the tables after the fragments."""

    def __init__(self) -> None:
        self.functionalities: dict[str, Functionality] = {}
        self.memberships: list[Membership] = []
        self.pairs: list[Pair] = []
        self.judges: dict[str, Judge] = {}
        self.judgements: list[Judgement] = []

    def add_member(self, fragment: str, functionality: Functionality, role: Role) -> None:
        """Add a fragment to a functionality, which is added too on its first use."""
        self.functionalities.setdefault(functionality.id, functionality)
        self.memberships.append(Membership(fragment, functionality.id, role))

    def add_pair(self, pair: Pair) -> int:
        """Add a pair, and return its row."""
        self.pairs.append(pair)
        return len(self.pairs) - 1

    def add_judgement(self, judge: Judge, judgement: Judgement) -> None:
        """Add a judgement and its judge."""
        self.judges.setdefault(judge.id, judge)
        self.judgements.append(judgement)

    def dataset(self, card: Card, fragments: Iterable[Fragment], paths: Sequence[Path], accepts: str) -> Dataset:
        """The dataset whose fragments are streamed from the paths.

        Args:
            card: the dataset's card.
            fragments: yields the fragments, and adds all other rows to this buffer meanwhile.
            paths: the files, for the error if they contain no pair.
            accepts: a description of the accepted files.
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
