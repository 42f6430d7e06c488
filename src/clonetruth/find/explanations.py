"""The explanations of clones: the identities of their texts, and how these differ, each computed once.

They are kept in the index by the contents of files, so that a later run reads neither an unchanged file nor a text that
it has explained before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import pyarrow as pa

from clonetruth.code import map_parallel
from clonetruth.find.clone_text import Identity, Snippet, batched, identities, processes_worth
from clonetruth.find.differences import DescribedDifference, describe_pairs
from clonetruth.find.search_result import SearchResult
from clonetruth.find.snapshot import bundled, unbundled

_TEXTS = pa.schema(
    [
        pa.field("content", pa.binary(), nullable=False),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("text", pa.binary(), nullable=False),
        pa.field("exact", pa.string(), nullable=False),
        pa.field("blind", pa.string(), nullable=False),
    ]
)
_PAIRS = pa.schema(
    [
        pa.field("representative", pa.binary(), nullable=False),
        pa.field("member", pa.binary(), nullable=False),
        pa.field("similarity", pa.float64()),
        pa.field("differences", pa.string(), nullable=False),
    ]
)

_Location = tuple[bytes, int, int]
"""The contents of a file, and the first and the last byte of a fragment in it."""
_Pair = tuple[bytes, bytes]
"""The digests of two texts."""


class ExplainedMember(NamedTuple):
    """The identity of a member of a class, and how it differs from the representative."""

    identity: Identity
    difference: DescribedDifference


class Explanations:
    """Explains the clones of a search.

    Args:
        result: the result of the search.
    """

    def __init__(self, result: SearchResult) -> None:
        self._result = result
        self._digests: dict[int, bytes] = {}
        self._read: dict[int, Snippet] = {}
        self._outdated: set[int] = set()
        self._located: dict[_Location, bytes] = {}
        self._identities: dict[bytes, Identity] = {}
        self._differences: dict[_Pair, DescribedDifference] = {}
        self._new = False
        self._loaded = False

    def snippets(self, fragments: Iterable[int]) -> dict[int, Snippet]:
        """The texts of fragments, each with its language."""
        wanted = list(fragments)
        texts, outdated = self._result.texts(one for one in wanted if one not in self._read)
        languages = self._result.fragments["language"].take(pa.array(list(texts), pa.int64())).to_pylist()
        for (fragment, text), language in zip(texts.items(), languages, strict=True):
            self._read[fragment] = language, text
            self._digests[fragment] = blake2b("\0".join((language, text)).encode(errors="replace")).digest()[:16]
        self._outdated |= outdated
        return {fragment: self._read[fragment] for fragment in wanted}

    def identities(self, fragments: Sequence[int], processes: int = 1) -> list[Identity]:
        """The identities of fragments."""
        digests = self._digests_of(fragments)
        missing = {
            digest: fragment
            for digest, fragment in zip(digests, fragments, strict=True)
            if digest not in self._identities
        }
        texts = self.snippets(missing.values())
        found = identities([texts[fragment] for fragment in missing.values()], processes)
        self._identities.update(zip(missing, found, strict=True))
        self._new |= bool(missing)
        return [self._identities[digest] for digest in digests]

    def members(self, classes: Sequence[Sequence[int]], processes: int = 1) -> Iterator[list[ExplainedMember]]:
        """Explain the members of classes, class by class.

        Args:
            classes: the fragments of each class, the representative first.
            processes: number of worker processes.
        """
        fragments = [fragment for members in classes for fragment in members]
        digest_of = dict(zip(fragments, self._digests_of(fragments), strict=True))
        missing = [self._missing(members, digest_of) for members in classes]
        texts = self.snippets({fragment for members in missing for fragment in members})
        tasks = [[texts[fragment] for fragment in members] for members in missing if members]
        workers = processes_worth(sum(map(len, tasks)), processes)
        batches = map_parallel(describe_pairs, None, batched(tasks), workers)
        explained = (one for batch in batches for one in batch)
        self._new |= bool(tasks)
        for members, unexplained in zip(classes, missing, strict=True):
            first, *others = [digest_of[fragment] for fragment in members]
            if unexplained:
                (own, _), *compared = next(explained)
                self._identities[first] = own
                for fragment, (identity, difference) in zip(unexplained[1:], compared, strict=True):
                    self._identities[digest_of[fragment]] = identity
                    self._differences[first, digest_of[fragment]] = difference
            yield [
                ExplainedMember(self._identities[first], DescribedDifference(1.0, "")),
                *(ExplainedMember(self._identities[one], self._differences[first, one]) for one in others),
            ]

    def _missing(self, members: Sequence[int], digest_of: dict[int, bytes]) -> list[int]:
        """The representative and the members that must be compared with it, equal texts once; empty if all is known."""
        first = digest_of[members[0]]
        texts = {digest_of[member]: member for member in reversed(members[1:])}
        missing = [
            member
            for digest, member in reversed(texts.items())
            if digest not in self._identities or (first, digest) not in self._differences
        ]
        return [members[0], *missing] if missing or first not in self._identities else []

    def _digests_of(self, fragments: Sequence[int]) -> list[bytes]:
        """The digests of texts, which are read only if their files are unknown."""
        self._load()
        for fragment in fragments:
            if fragment not in self._digests:
                known = self._located.get(self._location(fragment))
                if known is not None:
                    self._digests[fragment] = known
        self.snippets(fragment for fragment in fragments if fragment not in self._digests)
        return [self._digests[fragment] for fragment in fragments]

    def _location(self, fragment: int) -> _Location:
        file, start, end = self._result.location(fragment)
        return self._result.contents[file], start, end

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        stored = self._result.explanations.load() if self._result.explanations else None
        if stored is None:
            return
        texts, pairs = unbundled(stored)
        content, start, end, text, exact, blind = (texts[name].to_pylist() for name in _TEXTS.names)
        self._located = dict(zip(zip(content, start, end, strict=True), text, strict=True))
        self._identities = dict(zip(text, map(Identity, exact, blind), strict=True))
        left, right, similarity, words = (pairs[name].to_pylist() for name in _PAIRS.names)
        self._differences = dict(
            zip(zip(left, right, strict=True), map(DescribedDifference, similarity, words), strict=True)
        )

    def save(self) -> None:
        """Store what is known about the files of this search, for the next one over them."""
        note = self._result.explanations
        if note is None or not self._new:
            return
        self._new = False
        current = {content for content in self._result.contents if content}
        for fragment, digest in self._digests.items():
            location = self._location(fragment)
            # A file that changed meanwhile does not have the text that its contents say.
            if fragment not in self._outdated and digest in self._identities:
                self._located[location] = digest
        located = {place: text for place, text in self._located.items() if place[0] in current}
        known = set(located.values())
        texts = [(*place, text, *_fields(self._identities[text])) for place, text in located.items()]
        pairs = [(*pair, *difference) for pair, difference in self._differences.items() if known.issuperset(pair)]
        note.save(bundled(texts=_table(texts, _TEXTS), pairs=_table(pairs, _PAIRS)))


def _fields(identity: Identity) -> tuple[str, str]:
    return identity.exact, identity.blind


def _table(rows: Sequence[Sequence[object]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )
