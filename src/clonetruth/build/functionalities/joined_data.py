"""A benchmark joined with the knowledge of others: fragments with one id are one fragment, and texts are compared."""

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
    """Who states that a fragment has a functionality (an index of `JoinedData.sources`), and in which role."""

    source: int
    role: Role


@dataclass(frozen=True)
class LabelAgreement:
    """The number of ids with a text in two sources, and of those whose texts are the same."""

    compared: int = 0
    same: int = 0


@dataclass(frozen=True, eq=False)
class JoinedData:
    """Everything that is known before the inference.

    Attributes:
        ids: the fragments: those of the benchmark in its order, then those of others that are connected with one.
        own: the number of the benchmark's own fragments.
        functionalities: the functionalities, one for each row of `known`.
        known: for each functionality and fragment, whether a source states that the fragment has it.
        denied: whether a source states that it does not.
        sources: the names of the benchmark itself and of the others.
        agreement: for each source, whether its ids have the same texts as in the sources before it.
        statements: the statement on each functionality and fragment: that of the first source with any.
        graph: pairs and twins.
        chains: for each fragment, the first of its chain of twins.
    """

    ids: tuple[str, ...]
    own: int
    functionalities: tuple[Functionality, ...]
    known: Flags
    denied: Flags
    sources: tuple[str, ...]
    agreement: tuple[LabelAgreement, ...]
    statements: Mapping[tuple[int, int], FunctionalityStatement]
    graph: FunctionalityGraph
    chains: Integers

    def without(self, *, pairs: bool = False, twins: bool = False) -> JoinedData:
        """The same data without pairs or without twins."""
        nothing = Edges(np.empty(0, np.int64), np.empty(0, np.int64))
        graph = self.graph
        if pairs:
            graph = replace(graph, positive=nothing, negative=nothing)
        if twins:
            graph = replace(graph, twins=nothing)
        return replace(self, graph=graph)


def join(own: KnownLabels, others: Sequence[KnownLabels], progress: Progress) -> JoinedData:
    """Join a benchmark with the knowledge of others.

    Raises:
        InputError: the ids of another source refer to other texts.
    """
    sources = [own, *others]
    places: dict[str, int] = {}
    positions = [
        np.array([places.setdefault(identity, len(places)) for identity in one.ids], dtype=np.int64) for one in sources
    ]
    texts = _Texts(len(places))
    twins = texts.compared(sources, positions, progress)
    whole_graph = FunctionalityGraph(
        len(places),
        _joined([one.positive for one in sources], positions),
        _joined([one.negative for one in sources], positions),
        _twin_edges(twins),
    )
    kept = _reachable(whole_graph, len(own.ids))
    numbers = np.cumsum(kept) - 1
    graph = FunctionalityGraph(
        int(kept.sum()),
        *(_kept(edges, kept, numbers) for edges in (whole_graph.positive, whole_graph.negative, whole_graph.twins)),
    )
    ids = tuple(identity for identity, is_kept in zip(places, kept.tolist(), strict=True) if is_kept)
    moved = [np.where(kept[at], numbers[at], -1) for at in positions]
    rows, statements = _statements(sources, moved)
    known = np.zeros((len(rows), graph.count), dtype=bool)
    denied = known.copy()
    for cell, statement in statements.items():
        (denied if statement.role is Role.TAGGED_FALSE else known)[cell] = True
    return JoinedData(
        ids=ids,
        own=len(own.ids),
        functionalities=rows,
        known=known,
        denied=denied,
        sources=tuple(one.name for one in sources),
        agreement=tuple(texts.agreement),
        statements=statements,
        graph=graph,
        chains=connected(graph.count, graph.twins.left, graph.twins.right),
    )


class _Texts:
    """The first text of every fragment, and its comparison with later texts of the same id."""

    def __init__(self, count: int) -> None:
        self._digests = np.zeros(count, dtype=np.int64)
        self._words: list[list[bytes]] = [[] for _ in range(count)]
        self.agreement: list[LabelAgreement] = []

    def compared(
        self, sources: Sequence[KnownLabels], positions: Sequence[Integers], progress: Progress
    ) -> NearDuplicates:
        total = sum(len(one.ids) for one in sources if one.fragments is not None)
        for one, at in zip(sources, positions, strict=True):
            compared = same = 0
            for row, name, text in one.texts():
                progress("Reading words", 1, total)
                place, found = at[row], words(text, known_language(name))
                if not self._digests[place]:
                    self._digests[place], self._words[place] = digest(text), found
                    continue
                compared += 1
                same += found == self._words[place]
            self.agreement.append(_check_agreement(one, LabelAgreement(compared, same)))
        bags, numbers = Bags.of(self._words), thresholds()
        near = overlap_groups(
            bags,
            numbers["near-duplicate-overlap"],
            minimum=int(numbers["near-duplicate-words"]),
            progress=lambda done, of: progress("Comparing fragments", done, of),
        )
        return NearDuplicates(self._digests, bags, near)


def _check_agreement(one: KnownLabels, agreement: LabelAgreement) -> LabelAgreement:
    if 2 * agreement.same < agreement.compared:
        raise InputError(
            f"The ids of '{one.name}' refer to other fragments: of {agreement.compared:,} with a text in both places, "
            f"{agreement.compared - agreement.same:,} have a different text.",
            where=one.fragments,
            hint="Give a benchmark or table with ids of the same kind.",
        )
    return agreement


def _joined(edges: Sequence[Edges], positions: Sequence[Integers]) -> Edges:
    return Edges.of(
        np.concatenate([at[one.left] for one, at in zip(edges, positions, strict=True)]),
        np.concatenate([at[one.right] for one, at in zip(edges, positions, strict=True)]),
    )


def _twin_edges(twins: NearDuplicates) -> Edges:
    """Near duplicates, and a star around the first of equal bags of words; small texts only if they are equal."""
    indices = np.arange(len(twins.digests), dtype=np.int64)
    bag = np.where(twins.near.bag < 0, indices, twins.near.bag)
    pairs = twins.near.pairs
    return Edges.of(np.concatenate([indices, indices, pairs.left]), np.concatenate([twins.same, bag, pairs.right]))


def _reachable(graph: FunctionalityGraph, own: int) -> Flags:
    """The benchmark's fragments, and those of others that positive pairs or twins connect with one of them."""
    component = connected(
        graph.count,
        np.concatenate([graph.positive.left, graph.twins.left]),
        np.concatenate([graph.positive.right, graph.twins.right]),
    )
    reached = np.zeros(graph.count, dtype=bool)
    reached[component[:own]] = True
    return reached[component]


def _kept(edges: Edges, kept: Flags, numbers: Integers) -> Edges:
    both_kept = kept[edges.left] & kept[edges.right]
    return Edges(numbers[edges.left[both_kept]], numbers[edges.right[both_kept]])


def _statements(
    sources: Sequence[KnownLabels], positions: Sequence[Integers]
) -> tuple[tuple[Functionality, ...], dict[tuple[int, int], FunctionalityStatement]]:
    """The functionalities of the benchmark and of these fragments, and the statement on each."""
    described: dict[str, Functionality] = {}
    rows: dict[str, int] = {one.id: row for row, one in enumerate(sources[0].functionalities)}
    statements: dict[tuple[int, int], FunctionalityStatement] = {}
    for source, (one, at) in enumerate(zip(sources, positions, strict=True)):
        for functionality in one.functionalities:
            described.setdefault(functionality.id, functionality)
        stated: dict[tuple[int, int], FunctionalityStatement] = {}
        for member in one.members:
            if (place := int(at[member.fragment])) >= 0:
                cell = rows.setdefault(member.functionality, len(rows)), place
                # A fragment that one source tags both true and false counts as true.
                if cell not in stated or stated[cell].role is Role.TAGGED_FALSE:
                    stated[cell] = FunctionalityStatement(source, member.role)
        statements = {**stated, **statements}
    return tuple(described[identity] for identity in rows), statements
