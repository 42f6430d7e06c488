"""From found pairs to clone classes: their types, which of them are new, largest waste first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code.overlap import Integers
from clonetruth.code.prefix_join import distinct_numbers
from clonetruth.detectors.clone_classes import clone_classes, star_classes
from clonetruth.detectors.finder import FOUND_PAIRS
from clonetruth.find.clone_class import CLONE_TYPES
from clonetruth.find.clone_text import Identity, Snippet
from clonetruth.find.explanations import Explanations
from clonetruth.find.search_result import FoundBlocks, SearchResult


@dataclass(frozen=True)
class Equivalence:
    """Numbers that are equal for equal fragments.

    Attributes:
        exact: a number for each fragment, by its Type-1 form.
        blind: a number for each fragment, by its form without names and values.
    """

    exact: Integers
    blind: Integers

    @classmethod
    def by_finders(cls, fragments: int, pairs: pa.Table, exact: str, blind: str) -> Equivalence:
        """Return the equivalence by two finders that found all equal pairs.

        Args:
            fragments: the number of fragments.
            pairs: the found pairs, with the columns of `PAIRS_FOUND`.
            exact: the name of the Type-1 finder.
            blind: the name of the blind Type-2 finder.
        """
        return cls(*(_numbers(fragments, pairs.filter(pc.equal(pairs["finder"], name))) for name in (exact, blind)))

    @classmethod
    def by_identity(cls, fragments: int, identities: Mapping[int, Identity]) -> Equivalence:
        """Return the equivalence by identities; a fragment without one is not equal to any other."""
        exact, blind = np.arange(fragments), np.arange(fragments)
        for numbers, values in (
            (exact, {key: identity.exact for key, identity in identities.items()}),
            (blind, {key: identity.blind for key, identity in identities.items()}),
        ):
            first: dict[str, int] = {}
            for fragment, value in values.items():
                numbers[fragment] = first.setdefault(value, fragment)
        return cls(exact, blind)

    def with_blocks(self, first: int, blocks: FoundBlocks) -> Equivalence:
        """Return the equivalence in which blocks and files are equal if their own forms are.

        Args:
            first: the number of the first of them.
            blocks: what is known about them.
        """
        exact, blind = self.exact.copy(), self.blind.copy()
        for numbers, forms in ((exact, blocks.exact), (blind, blocks.renamed)):
            numbers[first:] = int(numbers.max(initial=0)) + 1 + forms
        return Equivalence(exact, blind)

    def types(self, left: Integers, right: Integers) -> npt.NDArray[np.str_]:
        """The type of each pair."""
        equal = [self.exact[left] == self.exact[right], self.blind[left] == self.blind[right]]
        return np.select(equal, CLONE_TYPES[:2], default=CLONE_TYPES[2])

    def strongest(self, fragments: Integers, classes: Integers) -> list[str]:
        """For each fragment of some classes, the type of its strongest pair with another member of its class.

        Args:
            fragments: the fragments.
            classes: the class of each.
        """
        partners = [_equals(numbers[fragments], classes) > 1 for numbers in (self.exact, self.blind)]
        types: list[str] = np.select(partners, CLONE_TYPES[:2], default=CLONE_TYPES[2]).tolist()
        return types

    def weakest(self, fragments: Integers, starts: Integers) -> list[str]:
        """The type of the weakest pair of each class.

        Args:
            fragments: the members of all classes, class by class.
            starts: the position of the first member of each class.
        """
        if not len(starts):
            return []
        equal = [
            np.minimum.reduceat(numbers[fragments], starts) == np.maximum.reduceat(numbers[fragments], starts)
            for numbers in (self.exact, self.blind)
        ]
        types: list[str] = np.select(equal, CLONE_TYPES[:2], default=CLONE_TYPES[2]).tolist()
        return types


def _equals(numbers: Integers, classes: Integers) -> Integers:
    """For each member, how many members of its class have its number, itself included."""
    span = int(numbers.max(initial=0)) + 1
    _, positions, counts = np.unique(classes * span + numbers, return_inverse=True, return_counts=True)
    equal: Integers = counts[positions]
    return equal


def _numbers(fragments: int, pairs: pa.Table) -> Integers:
    numbers = np.arange(fragments)
    classes = clone_classes(pairs.select(FOUND_PAIRS.names).to_batches())
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
    kind: str


class NoveltyFilter(Protocol):
    """Distinguishes new clones from old ones."""

    @property
    def description(self) -> str:
        """What counts as new, for people."""
        ...

    def new(self, occurrences: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> Sequence[bool]:
        """Return which members of classes are new.

        Args:
            occurrences: the members of all classes.
            keys: returns their keys (`CloneMember.key`), for which their texts must be read.
        """
        ...


@dataclass(frozen=True)
class CloneGroup:
    """A clone class before its texts are read.

    Attributes:
        occurrences: the representative first, then the others by path and line.
        strongest: for each occurrence, the type of its strongest pair with another one.
        weakest: the type of the weakest pair.
        finders: the finders that found a pair of it.
        new: which of the occurrences are new.
        related: clones of a member that are not clones of the representative, by path and line.
    """

    occurrences: tuple[Occurrence, ...]
    strongest: tuple[str, ...]
    weakest: str
    finders: tuple[str, ...]
    new: tuple[bool, ...]
    related: tuple[Occurrence, ...] = ()

    @property
    def strongest_new(self) -> str:
        """See `CloneClass.strongest_new`."""
        return min(kind for kind, new in zip(self.strongest, self.new, strict=True) if new)

    @property
    def waste(self) -> int:
        """See `CloneClass.waste`."""
        return self.occurrences[0].tokens * (len(self.occurrences) - 1)


class CloneGrouping:
    """The pairs that a search found, grouped into classes.

    Args:
        result: the result of the search.
        equal: the names of the finders that found all Type-1 pairs and all blind Type-2 pairs, if both took part:
            the types can then be derived without reading the texts.
        ignored: fragments that are not reported.
        novelty: decides which classes are new (default: all classes are reported).
        processes: number of worker processes.

    Attributes:
        explanations: the explanations of the clones.
    """

    def __init__(
        self,
        result: SearchResult,
        *,
        equal: tuple[str, str] | None = None,
        ignored: Collection[int] = (),
        novelty: NoveltyFilter | None = None,
        processes: int = 1,
    ) -> None:
        self._result = result
        self._equal = equal
        self._novelty = novelty
        self._processes = processes
        self.explanations = Explanations(result)
        self._pairs = _without(result.pairs, ignored)

    def unlimited(self) -> CloneGrouping:
        """The grouping with all classes, new or not."""
        every = copy(self)
        every._novelty = None
        for derived in ("groups", "pairs"):
            every.__dict__.pop(derived, None)
        return every

    @cached_property
    def equivalence(self) -> Equivalence:
        """Which fragments are equal."""
        count, first_block = self._result.fragments.num_rows, self._result.first_block
        if self._equal is not None:
            found = Equivalence.by_finders(count, self._pairs, *self._equal)
        else:
            members = [fragment for fragment in paired_fragments(self._pairs) if fragment < first_block]
            found = Equivalence.by_identity(count, dict(zip(members, self.identities(members), strict=True)))
        return found.with_blocks(first_block, self._result.blocks)

    @cached_property
    def groups(self) -> list[CloneGroup]:
        """The reported classes, largest waste first."""
        groups = [group for group in self._groups() if any(group.new)]
        return sorted(
            groups, key=lambda group: (-group.waste, group.occurrences[0].path, group.occurrences[0].first_line)
        )

    @cached_property
    def pairs(self) -> pa.Table:
        """The found pairs with a new member, with the columns of `PAIRS_FOUND`."""
        if self._novelty is None:
            return self._pairs
        return self._pairs.filter(_either(self._pairs, (fragment for group in self.groups for fragment in _new(group))))

    def snippets(self, fragments: Iterable[int]) -> dict[int, Snippet]:
        """See `Explanations.snippets`."""
        return self.explanations.snippets(fragments)

    def identities(self, fragments: Sequence[int]) -> list[Identity]:
        """The identities of fragments; each text is read once."""
        return self.explanations.identities(fragments, self._processes)

    def _groups(self) -> Iterator[CloneGroup]:
        stars = star_classes(_edges(self._pairs).to_batches(), self.equivalence.blind)
        fragments, numbers = (stars.members[name].to_numpy() for name in ("fragment", "class"))
        occurrences = self._occurrences(fragments.tolist())
        finders = self._finders(fragments, numbers)
        strongest = self.equivalence.strongest(fragments, numbers)
        new = self._new(occurrences)
        related = self._related(stars.related)
        leading = stars.members["representative"].to_pylist()
        bounds = np.flatnonzero(np.diff(numbers, prepend=-1, append=-1))
        weakest = self.equivalence.weakest(fragments, bounds[:-1])
        for number, (start, end) in enumerate(pairwise(bounds.tolist())):
            first = leading.index(True, start, end)
            others = sorted(
                (*range(start, first), *range(first + 1, end)),
                key=lambda at: (occurrences[at].path, occurrences[at].first_line),
            )
            members = (first, *others)
            yield CloneGroup(
                occurrences=tuple(occurrences[at] for at in members),
                strongest=tuple(strongest[at] for at in members),
                weakest=weakest[number],
                finders=finders[number],
                new=tuple(new[at] for at in members),
                related=related.get(number, ()),
            )

    def _related(self, table: pa.Table) -> dict[int, tuple[Occurrence, ...]]:
        by_class: dict[int, list[Occurrence]] = {}
        for number, one in zip(
            table["class"].to_pylist(), self._occurrences(table["fragment"].to_pylist()), strict=True
        ):
            by_class.setdefault(number, []).append(one)
        return {
            number: tuple(sorted(ones, key=lambda one: (one.path, one.first_line))) for number, ones in by_class.items()
        }

    def _new(self, occurrences: Sequence[Occurrence]) -> Sequence[bool]:
        if self._novelty is None:
            return [True] * len(occurrences)
        # A representative of several classes is one piece of code.
        distinct = list({occurrence.fragment: occurrence for occurrence in occurrences}.values())
        fragments = [occurrence.fragment for occurrence in distinct]
        new = self._novelty.new(distinct, lambda: [identity.exact for identity in self.identities(fragments)])
        by_fragment = dict(zip(fragments, new, strict=True))
        return [by_fragment[occurrence.fragment] for occurrence in occurrences]

    def _occurrences(self, fragments: list[int]) -> list[Occurrence]:
        rows = self._result.fragments.take(pa.array(fragments, pa.int64()))
        files = [self._result.files[number].name for number in rows["file"].to_pylist()]
        names = ("first_line", "last_line", "tokens", "name", "language", "kind")
        columns = (rows[name].to_pylist() for name in names)
        return list(map(Occurrence, fragments, files, *columns))

    def _finders(self, fragments: Integers, numbers: Integers) -> list[tuple[str, ...]]:
        """The finders of each class, in the order of the search: those that found a pair of two of its members."""
        classes = int(numbers.max(initial=-1)) + 1
        by_class: list[list[str]] = [[] for _ in range(classes)]
        # A join in numpy: importing that of Arrow takes longer than the join. A fragment may be in several classes.
        order = np.argsort(fragments, kind="stable")
        members, classes_of = fragments[order], numbers[order]
        memberships = members * classes + classes_of
        for name in self._pairs["finder"].unique().to_pylist():
            pairs = self._pairs.filter(pc.equal(self._pairs["finder"], name))
            left, right = (pairs[side].to_numpy() for side in ("left", "right"))
            first = np.searchsorted(members, left)
            counts = np.searchsorted(members, left, side="right") - first
            offsets = np.repeat(first - (np.cumsum(counts) - counts), counts)
            class_left = classes_of[offsets + np.arange(len(offsets))]
            both = np.isin(np.repeat(right, counts) * classes + class_left, memberships)
            for number in np.unique(class_left[both]).tolist():
                by_class[number].append(name)
        return [tuple(names) for names in by_class]


def paired_fragments(pairs: pa.Table) -> list[int]:
    """Return the fragments that are in a pair, in ascending order."""
    fragments: list[int] = distinct_numbers(
        np.concatenate([pairs["left"].to_numpy(), pairs["right"].to_numpy()])
    ).tolist()
    return fragments


def _edges(pairs: pa.Table) -> pa.Table:
    """Pairs with the columns of `FOUND_PAIRS`; pairs without a score get 0."""
    columns = [pairs["left"], pairs["right"], pc.fill_null(pairs["score"], 0.0)]
    return pa.table(columns, schema=FOUND_PAIRS)


def _without(pairs: pa.Table, ignored: Collection[int]) -> pa.Table:
    return pairs.filter(pc.invert(_either(pairs, ignored))) if ignored else pairs


def _either(pairs: pa.Table, fragments: Iterable[int]) -> pa.ChunkedArray:
    """Which pairs have one of some fragments on either side."""
    wanted = pa.array(fragments, pa.int64())
    return pc.or_(*(pc.is_in(pairs[side], wanted) for side in ("left", "right")))


def _new(group: CloneGroup) -> Iterator[int]:
    return (occurrence.fragment for occurrence, new in zip(group.occurrences, group.new, strict=True) if new)
