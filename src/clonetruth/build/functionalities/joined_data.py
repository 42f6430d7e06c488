"""A benchmark and what others know, joined: fragments with one id are one fragment, and texts are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clonetruth.audit.registry import thresholds
from clonetruth.audit.texts import digest, known_language
from clonetruth.build.functionalities.inference import Edges, Flags, FunctionalityGraph, Integers
from clonetruth.build.functionalities.known_labels import KnownLabels
from clonetruth.code import Bags, overlap_groups, words
from clonetruth.errors import InputError
from clonetruth.model import Functionality, Role
from clonetruth.progress import Progress
from clonetruth.splits.near_duplicates import NearDuplicates, connected


@dataclass(frozen=True)
class FunctionalityStatement:
    """Who says that a fragment stands in a functionality (the place in `JoinedData.speakers`), and as what."""

    speaker: int
    role: Role


@dataclass(frozen=True)
class LabelAgreement:
    """How many fragments of one id have a text in two places, and in how many the texts are twins."""

    compared: int = 0
    same: int = 0


@dataclass(frozen=True, eq=False)
class JoinedData:
    """All that is known before anything is inferred.

    Attributes:
        ids: the fragments: those of the benchmark in its order, then those of others that are tied to one of them.
        own: how many are the benchmark's.
        functionalities: the functionalities, a row of `known` each.
        known: for each functionality and fragment, whether it is said to stand in it.
        denied: whether it is said not to.
        speakers: the names of the benchmark itself, and of the others.
        agreement: for each of them, whether its ids mean the same texts as those before it.
        statements: who said so, by row and fragment: the first of the speakers that says anything.
        ties: pairs and twins.
        chains: for each fragment the first of its chain of twins.
    """

    ids: tuple[str, ...]
    own: int
    functionalities: tuple[Functionality, ...]
    known: Flags
    denied: Flags
    speakers: tuple[str, ...]
    agreement: tuple[LabelAgreement, ...]
    statements: Mapping[tuple[int, int], FunctionalityStatement]
    ties: FunctionalityGraph
    chains: Integers

    def without(self, *, pairs: bool = False, twins: bool = False) -> JoinedData:
        """The same without what pairs or twins tell."""
        nothing = Edges(np.empty(0, np.int64), np.empty(0, np.int64))
        ties = self.ties
        if pairs:
            ties = replace(ties, positive=nothing, negative=nothing)
        if twins:
            ties = replace(ties, twins=nothing)
        return replace(self, ties=ties)


def join(own: KnownLabels, others: Sequence[KnownLabels], progress: Progress) -> JoinedData:
    """Join a benchmark with what others know.

    Raises:
        InputError: the ids of another one mean other texts.
    """
    everyone = [own, *others]
    places: dict[str, int] = {}
    positions = [
        np.array([places.setdefault(identity, len(places)) for identity in one.ids], dtype=np.int64) for one in everyone
    ]
    texts = _Texts(len(places))
    twins = texts.compared(everyone, positions, progress)
    everything = FunctionalityGraph(
        len(places),
        _joined([one.positive for one in everyone], positions),
        _joined([one.negative for one in everyone], positions),
        _twin_edges(twins),
    )
    kept = _within_reach(everything, len(own.ids))
    numbers = np.cumsum(kept) - 1
    ties = FunctionalityGraph(
        int(kept.sum()),
        *(_kept(edges, kept, numbers) for edges in (everything.positive, everything.negative, everything.twins)),
    )
    ids = tuple(identity for identity, stays in zip(places, kept.tolist(), strict=True) if stays)
    moved = [np.where(kept[at], numbers[at], -1) for at in positions]
    rows, statements = _statements(everyone, moved)
    known = np.zeros((len(rows), ties.count), dtype=bool)
    denied = known.copy()
    for cell, statement in statements.items():
        (denied if statement.role is Role.TAGGED_FALSE else known)[cell] = True
    return JoinedData(
        ids=ids,
        own=len(own.ids),
        functionalities=rows,
        known=known,
        denied=denied,
        speakers=tuple(one.name for one in everyone),
        agreement=tuple(texts.agreement),
        statements=statements,
        ties=ties,
        chains=connected(ties.count, ties.twins.left, ties.twins.right),
    )


class _Texts:
    """The first text of every fragment, and what later ones of the same id say of it."""

    def __init__(self, count: int) -> None:
        self._digests = np.zeros(count, dtype=np.int64)
        self._words: list[list[bytes]] = [[] for _ in range(count)]
        self.agreement: list[LabelAgreement] = []

    def compared(
        self, everyone: Sequence[KnownLabels], positions: Sequence[Integers], progress: Progress
    ) -> NearDuplicates:
        total = sum(len(one.ids) for one in everyone if one.fragments is not None)
        for one, at in zip(everyone, positions, strict=True):
            compared = same = 0
            for row, name, text in one.texts():
                progress("Reading words", 1, total)
                place, found = at[row], words(text, known_language(name))
                if not self._digests[place]:
                    self._digests[place], self._words[place] = digest(text), found
                    continue
                compared += 1
                same += found == self._words[place]
            self.agreement.append(_accepted(one, LabelAgreement(compared, same)))
        bags, numbers = Bags.of(self._words), thresholds()
        near = overlap_groups(
            bags,
            numbers["near-duplicate-overlap"],
            minimum=int(numbers["near-duplicate-words"]),
            progress=lambda done, of: progress("Comparing fragments", done, of),
        )
        return NearDuplicates(self._digests, bags, near)


def _accepted(one: KnownLabels, found: LabelAgreement) -> LabelAgreement:
    if 2 * found.same < found.compared:
        raise InputError(
            f"The ids of '{one.name}' mean other fragments: of {found.compared:,} that have a text in both places, "
            f"{found.compared - found.same:,} have another one.",
            where=one.fragments,
            hint="Give a benchmark or table with ids of the same kind.",
        )
    return found


def _joined(edges: Sequence[Edges], positions: Sequence[Integers]) -> Edges:
    return Edges.of(
        np.concatenate([at[one.left] for one, at in zip(edges, positions, strict=True)]),
        np.concatenate([at[one.right] for one, at in zip(edges, positions, strict=True)]),
    )


def _twin_edges(twins: NearDuplicates) -> Edges:
    """Near duplicates, and a star around the first of equal bags of words; small texts only where they are equal."""
    everyone = np.arange(len(twins.digests), dtype=np.int64)
    bag = np.where(twins.near.bag < 0, everyone, twins.near.bag)
    pairs = twins.near.pairs
    return Edges.of(np.concatenate([everyone, everyone, pairs.left]), np.concatenate([twins.same, bag, pairs.right]))


def _within_reach(ties: FunctionalityGraph, own: int) -> Flags:
    """The benchmark's fragments, and those of others that positive pairs or twins connect with one of them."""
    component = connected(
        ties.count,
        np.concatenate([ties.positive.left, ties.twins.left]),
        np.concatenate([ties.positive.right, ties.twins.right]),
    )
    reached = np.zeros(ties.count, dtype=bool)
    reached[component[:own]] = True
    return reached[component]


def _kept(edges: Edges, kept: Flags, numbers: Integers) -> Edges:
    stays = kept[edges.left] & kept[edges.right]
    return Edges(numbers[edges.left[stays]], numbers[edges.right[stays]])


def _statements(
    everyone: Sequence[KnownLabels], positions: Sequence[Integers]
) -> tuple[tuple[Functionality, ...], dict[tuple[int, int], FunctionalityStatement]]:
    """The functionalities that anybody of these fragments is in, or the benchmark has, and who says what of whom."""
    described: dict[str, Functionality] = {}
    rows: dict[str, int] = {one.id: row for row, one in enumerate(everyone[0].functionalities)}
    statements: dict[tuple[int, int], FunctionalityStatement] = {}
    for speaker, (one, at) in enumerate(zip(everyone, positions, strict=True)):
        for functionality in one.functionalities:
            described.setdefault(functionality.id, functionality)
        spoken: dict[tuple[int, int], FunctionalityStatement] = {}
        for member in one.members:
            if (place := int(at[member.fragment])) >= 0:
                cell = rows.setdefault(member.functionality, len(rows)), place
                # What one tags true and false counts as true.
                if cell not in spoken or spoken[cell].role is Role.TAGGED_FALSE:
                    spoken[cell] = FunctionalityStatement(speaker, member.role)
        statements = {**spoken, **statements}
    return tuple(described[identity] for identity in rows), statements
