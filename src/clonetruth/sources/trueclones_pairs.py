"""The pairs of TrueClones: clones and non-clones with texts of the same similarity.

A near miss B' is a copy of an implementation B with a small edit that changes what it does. In the core set a clone
(A, B) stands next to the non-clone (A, B'), where A is another implementation: both pairs are equally similar, long and
readable, and only the behaviour differs. Easier and harder pairs are in separate strata.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clonetruth.code import language, parse, token_stream
from clonetruth.sources.functionality_folders import FolderFile, FunctionalityFolder, canonical, digest
from clonetruth.sources.trueclones_evidence import FolderEvidence

SIMILARITY_MARGIN = 0.05
"""How far the token similarities of a clone and of its matched non-clone may be apart."""
LENGTH_MARGIN = 0.1
"""How much a near miss of the core set may be longer or shorter than its origin, in tokens."""
SIZE_FACTOR = 8
"""How many times as many lines one side of a matched pair may have."""
_PER_SIGNATURE = 2
"""Pairs of each language for two functionalities with the same signature."""


class PairStratum(StrEnum):
    """What a pair is for. Numbers of different strata are never pooled."""

    CORE = "core"
    CROSS_LANGUAGE = "cross-language"
    NEAR_COPY = "near-copy"
    CROSS_FUNCTIONALITY = "cross-functionality"


@dataclass(frozen=True)
class MatchedPair:
    """A pair with what execution showed of it.

    Attributes:
        left: the first fragment.
        right: the second fragment.
        functionality: the functionality of both; None for a pair across functionalities.
        is_clone: whether both gave the same results.
        stratum: what the pair is for.
        match: a clone and the non-clone that is matched with it have the same number; None without a match.
        difficulty: of the near miss in the pair, or in the pair that is matched with it.
        shown: the evidence: number of inputs, or an input with both results.
    """

    left: FolderFile
    right: FolderFile
    functionality: str | None
    is_clone: bool
    stratum: PairStratum
    match: int | None
    difficulty: str | None
    shown: Mapping[str, Any]


ExecutedFolders = Sequence[tuple[FunctionalityFolder, FolderEvidence]]


def executed_pairs(folders: ExecutedFolders) -> Iterator[MatchedPair]:
    """All pairs, in a fixed order."""
    bags = {source.id: _bag(source) for folder, _ in folders for source in folder.sources}
    matches = itertools.count()
    for folder, evidence in folders:
        for group in (_core(folder, bags), _cross_language(folder, bags)):
            for first, second, near_miss in group:
                yield from _matched(folder, evidence, first, second, near_miss, next(matches))
        yield from _near_copies(folder, evidence)
    yield from _cross_functionality(folders)


# Matched pairs: (A, B) and (A, B').

Bag = Counter[str]
Match = tuple[FolderFile, FolderFile, FolderFile]
"""A, B, and the near miss B' that was made from B."""


def _core(folder: FunctionalityFolder, bags: Mapping[str, Bag]) -> Iterator[Match]:
    """For each two implementations of a language at most one match; near misses are used equally often."""
    for name in folder.languages:
        used: Counter[str] = Counter()
        for one, other in itertools.combinations(folder.implementations(name), 2):
            candidates = [
                (first, second, near_miss)
                for first, second in ((one, other), (other, one))
                for near_miss in _near_misses_of(folder, second)
                if _alike(first, second, near_miss, bags)
            ]
            if candidates:
                chosen = min(
                    candidates,
                    key=lambda match: (used[match[2].id], _gap(match[0], match[1], match[2], bags), match[2].id),
                )
                used[chosen[2].id] += 1
                yield chosen


def _cross_language(folder: FunctionalityFolder, bags: Mapping[str, Bag]) -> Iterator[Match]:
    """For each near miss and other language one implementation, another one each time as far as there are enough."""
    taken: set[frozenset[str]] = set()
    turn = 0
    for name, other_name in itertools.permutations(folder.languages, 2):
        others = folder.implementations(other_name)
        for near_miss in folder.near_misses(name):
            assert near_miss.near_miss is not None
            origin = next(one for one in folder.implementations(name) if one.id == near_miss.near_miss.origin)
            turn += 1
            for step in range(len(others)):
                first = others[(turn + step) % len(others)]
                if frozenset((first.id, origin.id)) not in taken and _alike(first, origin, near_miss, bags):
                    taken.add(frozenset((first.id, origin.id)))
                    yield first, origin, near_miss
                    break


def _near_misses_of(folder: FunctionalityFolder, source: FolderFile) -> list[FolderFile]:
    return [one for one in folder.near_misses() if one.near_miss and one.near_miss.origin == source.id]


def _bag(source: FolderFile) -> Bag:
    parsed = parse(source.text, language(source.language), lone=True)
    return Counter(token.text for token in token_stream(parsed).tokens())


def _similarity(left: Bag, right: Bag) -> float:
    return (left & right).total() / max(left.total(), right.total(), 1)


def _gap(first: FolderFile, second: FolderFile, near_miss: FolderFile, bags: Mapping[str, Bag]) -> float:
    left, right, edited = (bags[one.id] for one in (first, second, near_miss))
    return abs(_similarity(left, right) - _similarity(left, edited))


def _alike(first: FolderFile, second: FolderFile, near_miss: FolderFile, bags: Mapping[str, Bag]) -> bool:
    long, edited = bags[second.id].total(), bags[near_miss.id].total()
    lines = [max(1, sum(bool(line.strip()) for line in one.text.splitlines())) for one in (first, second, near_miss)]
    if max(lines) > SIZE_FACTOR * min(lines):
        return False
    return abs(edited - long) <= max(LENGTH_MARGIN * long, 2) and (
        _gap(first, second, near_miss, bags) <= SIMILARITY_MARGIN
    )


def _matched(
    folder: FunctionalityFolder,
    evidence: FolderEvidence,
    first: FolderFile,
    second: FolderFile,
    near_miss: FolderFile,
    match: int,
) -> Iterator[MatchedPair]:
    stratum = PairStratum.CORE if first.language == second.language else PairStratum.CROSS_LANGUAGE
    difficulty = evidence.difficulty(near_miss.id)
    # Which side has the other implementation says nothing.
    turned = int(digest(f"{first.id} {second.id}"), 16) % 2 == 1
    for other in (second, near_miss):
        left, right = (other, first) if turned else (first, other)
        is_clone = other is second
        shown = _agreement(folder, evidence, first) if is_clone else _witness(evidence, near_miss, turned)
        yield MatchedPair(left, right, folder.id, is_clone, stratum, match, difficulty, shown)


def _agreement(folder: FunctionalityFolder, evidence: FolderEvidence, one: FolderFile) -> dict[str, Any]:
    own = evidence.fragments[one.id]
    return {
        "inputs": len(folder.inputs) + evidence.generated,
        "digest": own.digest,
        "generated_digest": own.generated_digest,
    }


def _witness(evidence: FolderEvidence, near_miss: FolderFile, turned: bool) -> dict[str, Any]:
    """What an implementation and a near miss give; the implementations all give the same."""
    witness = evidence.fragments[near_miss.id].witness
    assert witness is not None
    results = (witness.expected, witness.actual)
    left, right = results[::-1] if turned else results
    return {
        "inputs": len(evidence.expected) + evidence.generated,
        "arguments": witness.arguments,
        "left": left,
        "right": right,
        "rate": round(evidence.rate(near_miss.id), 4),
    }


# The other strata: non-clones only.


def _near_copies(folder: FunctionalityFolder, evidence: FolderEvidence) -> Iterator[MatchedPair]:
    by_id = {one.id: one for one in folder.implementations()}
    for near_miss in folder.near_misses():
        assert near_miss.near_miss is not None
        origin, difficulty = by_id[near_miss.near_miss.origin], evidence.difficulty(near_miss.id)
        shown = _witness(evidence, near_miss, turned=False)
        yield MatchedPair(origin, near_miss, folder.id, False, PairStratum.NEAR_COPY, None, difficulty, shown)


def _cross_functionality(folders: ExecutedFolders) -> Iterator[MatchedPair]:
    """Implementations of two functionalities with the same signature that differ on an input that both permit."""
    for (one, of_one), (other, of_other) in itertools.combinations(folders, 2):
        difference = _difference(one, of_one, other, of_other)
        if difference is None:
            continue
        arguments, left, right = difference
        shown = {"arguments": arguments, "left": left, "right": right}
        for name in one.languages:
            combined = itertools.product(one.implementations(name), other.implementations(name))
            drawn = sorted(combined, key=lambda pair: digest(f"{pair[0].id} {pair[1].id}"))[:_PER_SIGNATURE]
            for first, second in drawn:
                yield MatchedPair(first, second, None, False, PairStratum.CROSS_FUNCTIONALITY, None, None, shown)


def _difference(
    one: FunctionalityFolder, of_one: FolderEvidence, other: FunctionalityFolder, of_other: FolderEvidence
) -> tuple[Sequence[Any], Any, Any] | None:
    if one.signature != other.signature:
        return None
    own = {canonical(arguments): result for arguments, result in zip(one.inputs, of_one.expected, strict=True)}
    others = {canonical(arguments): result for arguments, result in zip(other.inputs, of_other.expected, strict=True)}
    for foreign, known, turned in ((of_one.foreign, others, False), (of_other.foreign, own, True)):
        for entry in foreign:
            if entry.functionality != (one.id if turned else other.id):
                continue
            key = canonical(entry.arguments)
            if key in known and canonical(known[key]) != canonical(entry.result):
                results = (entry.result, known[key])
                left, right = results[::-1] if turned else results
                return entry.arguments, left, right
    return None
