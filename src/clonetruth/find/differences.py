"""How clones differ: what a developer must know before merging them.

Statements are lines of the pretty-printed texts. Those that differ only in names and values are compared token by
token; the others were inserted, deleted, changed or moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import ne
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from clonetruth.code import Language, TokenKind, language
from clonetruth.code.language import LITERALS
from clonetruth.code.similarity import common_share
from clonetruth.find.clone_text import CloneStatement, Identity, Snippet, identity, read_text

_OTHER_LANGUAGE = "in another language"


class DescribedDifference(NamedTuple):
    """How a text differs from a representative: `CloneMember.similarity` and `CloneMember.differences`."""

    similarity: float | None
    words: str


def describe_pairs(_: None, classes: Sequence[Sequence[Snippet]]) -> list[list[tuple[Identity, DescribedDifference]]]:
    """Return the identity of each text of some classes, and how it differs from the first of its class."""
    return [
        [
            (identity(representative), DescribedDifference(1.0, "")),
            *((identity(member), _difference(representative, member)) for member in others),
        ]
        for representative, *others in classes
    ]


def _difference(representative: Snippet, member: Snippet) -> DescribedDifference:
    if representative[0] != member[0]:
        return DescribedDifference(None, _OTHER_LANGUAGE)
    similarity = common_share(read_text(representative).letters, read_text(member).letters)
    return DescribedDifference(similarity, str(differences(representative[1], member[1], language(member[0]))))


@dataclass(frozen=True)
class Differences:
    """The edits that turn one text into another.

    Attributes:
        same_text: whether the texts are equal, character by character.
        names: the number of renamed names, each counted once.
        types: the number of changed type names, each counted once.
        literals: the number of changed values, every occurrence counted.
        inserted: the number of statements that only the other text has.
        deleted: the number of statements that only the first text has.
        changed: the number of replaced statements.
        moved: the number of statements that are elsewhere.
    """

    same_text: bool = False
    names: int = 0
    types: int = 0
    literals: int = 0
    inserted: int = 0
    deleted: int = 0
    changed: int = 0
    moved: int = 0

    def __str__(self) -> str:
        if self.same_text:
            return "identical"
        edits = [f"renamed {_counted(self.names, 'name')}"] if self.names else []
        for count, what, done in (
            (self.types, "type", "changed"),
            (self.literals, "literal", "changed"),
            (self.inserted, "statement", "inserted"),
            (self.deleted, "statement", "deleted"),
            (self.changed, "statement", "changed"),
            (self.moved, "statement", "moved"),
        ):
            if count:
                edits.append(f"{_counted(count, what)} {done}")
        return ", ".join(edits) or "only layout and comments"


def differences(left: str, right: str, language: Language) -> Differences:
    """Return how the right text differs from the left one.

    >>> from clonetruth.code import language
    >>> str(differences("int f(int a) { return a; }", "int f(int b) { log(); return b; }", language("java")))
    'renamed 1 name, 1 statement inserted'
    """
    if left == right:
        return Differences(same_text=True)
    first, second = (read_text((language.name, text)) for text in (left, right))
    if first.blind == second.blind and first.printed.lines == second.printed.lines:
        return _renamings(first.printed.texts, second.printed.texts, first.printed.kinds)
    renamed: set[tuple[bytes, bytes]] = set()
    retyped: set[tuple[bytes, bytes]] = set()
    literals = changed = 0
    removed: list[bytes] = []
    added: list[bytes] = []
    for a, b in aligned(first.statements, second.statements):
        if a is None or b is None:
            removed += [a.text] if a else []
            added += [b.text] if b else []
        elif a.blind != b.blind:
            changed += 1
        elif a.tokens != b.tokens:
            literals += _compare(a.tokens, b.tokens, a.kinds, renamed, retyped)
    moved = (Counter(removed) & Counter(added)).total() if removed and added else 0
    return Differences(
        names=len(renamed),
        types=len(retyped),
        literals=literals,
        inserted=len(added) - moved,
        deleted=len(removed) - moved,
        changed=changed,
        moved=moved,
    )


def _renamings(left: Sequence[bytes], right: Sequence[bytes], kinds: Sequence[int]) -> Differences:
    """Return how texts differ that are equal but for names and values."""
    renamed: set[tuple[bytes, bytes]] = set()
    retyped: set[tuple[bytes, bytes]] = set()
    literals = _compare(left, right, kinds, renamed, retyped)
    return Differences(names=len(renamed), types=len(retyped), literals=literals)


def _compare(
    left: Sequence[bytes],
    right: Sequence[bytes],
    kinds: Sequence[int],
    renamed: set[tuple[bytes, bytes]],
    retyped: set[tuple[bytes, bytes]],
) -> int:
    """Add the names and types that differ between equal forms to two sets, and return the number of other values."""
    literals = 0
    for old, new, kind in compress(zip(left, right, kinds, strict=True), map(ne, left, right)):
        if kind in LITERALS:
            literals += 1
        else:
            (retyped if kind == TokenKind.TYPE else renamed).add((old, new))
    return literals


_Pair = tuple[CloneStatement | None, CloneStatement | None]


def aligned(left: Sequence[CloneStatement], right: Sequence[CloneStatement]) -> Iterator[_Pair]:
    """Align statements: first those that are equal, then between them those that differ only in names and values,
    then the rest by position."""
    if [statement.blind for statement in left] == [statement.blind for statement in right]:
        yield from zip(left, right, strict=True)
        return
    for same, a, b in _runs(left, right, [one.text for one in left], [one.text for one in right]):
        if same:
            yield from zip(a, b, strict=True)
            continue
        if not a or not b:
            yield from _by_position(a, b)
            continue
        for same_form, c, d in _runs(a, b, [one.blind for one in a], [one.blind for one in b]):
            if same_form:
                yield from zip(c, d, strict=True)
            else:
                yield from _by_position(c, d)


def _by_position(left: Sequence[CloneStatement], right: Sequence[CloneStatement]) -> Iterator[_Pair]:
    """Pair the statements of a gap without anything in common; the rest of the longer side has no partner."""
    both = min(len(left), len(right))
    yield from zip(left[:both], right[:both], strict=True)
    yield from ((statement, None) for statement in left[both:])
    yield from ((None, statement) for statement in right[both:])


def _runs(
    left: Sequence[CloneStatement], right: Sequence[CloneStatement], keys: list[bytes], others: list[bytes]
) -> Iterator[tuple[bool, Sequence[CloneStatement], Sequence[CloneStatement]]]:
    """Split the statements into runs of equal keys and the gaps between them, by a longest common subsequence."""
    numbers: dict[bytes, int] = {}
    a, b = ([numbers.setdefault(key, len(numbers)) for key in side] for side in (keys, others))
    i = j = 0
    for block in LCSseq.opcodes(a, b).as_matching_blocks():  # the last one is empty, after both ends
        yield False, left[i : block.a], right[j : block.b]
        i, j = block.a + block.size, block.b + block.size
        yield True, left[block.a : i], right[block.b : j]


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else f'{what}s'}"
