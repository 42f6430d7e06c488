"""From found pairs to clone classes: their types, what of them is news, largest waste first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code.overlap import Integers
from clonetruth.detectors.clone_classes import clone_classes
from clonetruth.detectors.finder import FOUND
from clonetruth.find.clone_text import Identity, Snippet, identities
from clonetruth.find.report import CLONE_TYPES
from clonetruth.find.search_result import SearchResult

# Which found fragments are equal: in their Type-1 form, and in their blind form.


@dataclass(frozen=True)
class Equivalence:
    """Equal fragments have equal numbers.

    Attributes:
        exact: a number for each fragment, by its Type-1 form.
        blind: the same by its form without names and values.
    """

    exact: Integers
    blind: Integers

    @classmethod
    def by_finders(cls, fragments: int, pairs: pa.Table, exact: str, blind: str) -> Equivalence:
        """As two finders say, which found all pairs that are equal so.

        Args:
            fragments: how many there are.
            pairs: the found pairs, with the columns of `PAIRS_FOUND`.
            exact: the finder of Type-1.
            blind: the finder of Type-2, blind.
        """
        return cls(*(_numbers(fragments, pairs.filter(pc.equal(pairs["finder"], name))) for name in (exact, blind)))

    @classmethod
    def by_identity(cls, fragments: int, identities: Mapping[int, Identity]) -> Equivalence:
        """As the texts say; a fragment without an identity is equal to no other."""
        exact, blind = np.arange(fragments), np.arange(fragments)
        for numbers, values in (
            (exact, {key: one.exact for key, one in identities.items()}),
            (blind, {key: one.blind for key, one in identities.items()}),
        ):
            first: dict[str, int] = {}
            for fragment, value in values.items():
                numbers[fragment] = first.setdefault(value, fragment)
        return cls(exact, blind)

    def types(self, left: Integers, right: Integers) -> npt.NDArray[np.str_]:
        """The type of each pair."""
        equal = [self.exact[left] == self.exact[right], self.blind[left] == self.blind[right]]
        return np.select(equal, CLONE_TYPES[:2], default=CLONE_TYPES[2])

    def weakest(self, representative: int, members: Sequence[int]) -> str:
        """The weakest relation of a member to the representative."""
        for name, numbers in zip(CLONE_TYPES, (self.exact, self.blind), strict=False):
            if (numbers[members] == numbers[representative]).all():
                return name
        return CLONE_TYPES[-1]


def _numbers(fragments: int, pairs: pa.Table) -> Integers:
    numbers = np.arange(fragments)
    classes = clone_classes(pairs.select(FOUND.names).to_batches())
    numbers[classes["fragment"].to_numpy()] = fragments + classes["class"].to_numpy()
    return numbers


class Occurrence(NamedTuple):
    """A fragment that is in a pair."""

    fragment: int
    path: str
    first_line: int
    last_line: int
    tokens: int
    name: str
    language: str


class NoveltyFilter(Protocol):
    """Tells new clones from old ones."""

    @property
    def words(self) -> str:
        """What is new, in words."""
        ...

    def new(self, pieces: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> tuple[bool, ...]:
        """Which members of a class are new.

        Args:
            pieces: the members.
            keys: gives their keys (`Member.key`), which costs a look at the texts.
        """
        ...


@dataclass(frozen=True)
class CloneGroup:
    """A clone class before its texts are looked at.

    Attributes:
        pieces: the representative first, then the others by path and line.
        clone_type: the weakest relation of a member to the representative.
        finders: who found a pair of it.
        new: which of the pieces are news.
    """

    pieces: tuple[Occurrence, ...]
    clone_type: str
    finders: tuple[str, ...]
    new: tuple[bool, ...]

    @property
    def waste(self) -> int:
        """See `CloneClass.waste`."""
        return self.pieces[0].tokens * (len(self.pieces) - 1)


class CloneGrouping:
    """The pairs that a search found, put into classes.

    Args:
        found: what the search gave.
        equal: the names of the finders that found all Type-1 pairs and all blind Type-2 pairs, where both took part:
            types then need no look at the texts.
        ignored: fragments that are not to be reported.
        news: tells which classes are new; all are reported where it is None.
        processes: how many processes may share the work.
    """

    def __init__(
        self,
        found: SearchResult,
        *,
        equal: tuple[str, str] | None = None,
        ignored: Collection[int] = (),
        news: NoveltyFilter | None = None,
        processes: int = 1,
    ) -> None:
        self._found = found
        self._equal = equal
        self._news = news
        self._processes = processes
        self._known: dict[int, Identity] = {}
        self._pairs = _without(found.pairs, ignored)

    @cached_property
    def kinship(self) -> Equivalence:
        """Which fragments are equal."""
        count = self._found.fragments.num_rows
        if self._equal is not None:
            return Equivalence.by_finders(count, self._pairs, *self._equal)
        members = paired_fragments(self._pairs)
        return Equivalence.by_identity(count, dict(zip(members, self.identities(members), strict=True)))

    @cached_property
    def groups(self) -> list[CloneGroup]:
        """The reported classes, largest waste first."""
        groups = [group for group in self._groups() if any(group.new)]
        return sorted(groups, key=lambda group: (-group.waste, group.pieces[0].path, group.pieces[0].first_line))

    @cached_property
    def pairs(self) -> pa.Table:
        """The found pairs in reported classes, with the columns of `PAIRS_FOUND`."""
        if self._news is None:
            return self._pairs
        told = pa.array([piece.fragment for group in self.groups for piece in group.pieces], pa.int64())
        return self._pairs.filter(pc.is_in(self._pairs["left"], told))

    def snippets(self, fragments: Iterable[int]) -> dict[int, Snippet]:
        """The texts of fragments, each with its language."""
        languages = self._found.fragments["language"]
        # In their order a file is read once.
        return {one: (languages[one].as_py(), self._found.text(one)) for one in sorted(set(fragments))}

    def identities(self, fragments: Sequence[int]) -> list[Identity]:
        """The identities of fragments; each text is looked at once."""
        missing = self.snippets(one for one in fragments if one not in self._known)
        self._known.update(zip(missing, identities(list(missing.values()), self._processes), strict=True))
        return [self._known[one] for one in fragments]

    def _groups(self) -> Iterator[CloneGroup]:
        classes = clone_classes(_edges(self._pairs).to_batches())
        fragments, numbers = classes["fragment"].to_numpy(), classes["class"].to_numpy()
        pieces = self._pieces(fragments.tolist())
        finders = self._finders(fragments, numbers)
        leading = classes["representative"].to_numpy()
        bounds = np.flatnonzero(np.diff(numbers, prepend=-1, append=-1)).tolist()
        for number, (start, end) in enumerate(pairwise(bounds)):
            first = start + int(np.flatnonzero(leading[start:end])[0])
            others = sorted(
                (*pieces[start:first], *pieces[first + 1 : end]), key=lambda piece: (piece.path, piece.first_line)
            )
            members = (pieces[first], *others)
            kind = self.kinship.weakest(pieces[first].fragment, [piece.fragment for piece in others])
            yield CloneGroup(members, kind, finders[number], self._new(members))

    def _new(self, pieces: Sequence[Occurrence]) -> tuple[bool, ...]:
        if self._news is None:
            return (True,) * len(pieces)
        return self._news.new(pieces, lambda: self._keys(pieces))

    def _keys(self, pieces: Sequence[Occurrence]) -> list[str]:
        if not self._known:  # whoever asks for one class asks for all, and together they are read in parallel
            self.identities(paired_fragments(self._pairs))
        return [one.exact for one in self.identities([piece.fragment for piece in pieces])]

    def _pieces(self, fragments: list[int]) -> list[Occurrence]:
        rows = self._found.fragments.take(pa.array(fragments, pa.int64()))
        files = [self._found.files[number].name for number in rows["file"].to_pylist()]
        names = ("first_line", "last_line", "tokens", "name", "language")
        columns = (rows[name].to_pylist() for name in names)
        return list(map(Occurrence, fragments, files, *columns))

    def _finders(self, fragments: Integers, numbers: Integers) -> list[tuple[str, ...]]:
        """Who found a pair of each class, in the order in which they were asked."""
        owners = np.empty(self._found.fragments.num_rows, dtype=np.int64)
        owners[fragments] = numbers
        by_class: list[list[str]] = [[] for _ in range(int(numbers.max(initial=-1)) + 1)]
        for name in self._pairs["finder"].unique().to_pylist():
            left = self._pairs.filter(pc.equal(self._pairs["finder"], name))["left"].to_numpy()
            for number in np.unique(owners[left]).tolist():
                by_class[number].append(name)
        return [tuple(names) for names in by_class]


def paired_fragments(pairs: pa.Table) -> list[int]:
    """The fragments that are in a pair, rising."""
    found: list[int] = np.unique(np.concatenate([pairs["left"].to_numpy(), pairs["right"].to_numpy()])).tolist()
    return found


def _edges(pairs: pa.Table) -> pa.Table:
    """Pairs with the columns of `FOUND`; one that a tool gives no score makes a class, and no representative."""
    columns = [pairs["left"], pairs["right"], pc.fill_null(pairs["score"], 0.0)]
    return pa.table(columns, schema=FOUND)


def _without(pairs: pa.Table, ignored: Collection[int]) -> pa.Table:
    if not ignored:
        return pairs
    marked = pa.array(sorted(ignored), pa.int64())
    sides = [pc.is_in(pairs[side], marked) for side in ("left", "right")]
    return pairs.filter(pc.invert(pc.or_(*sides)))
