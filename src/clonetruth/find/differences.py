"""How two pieces of code differ, in words: what a developer must know before making one of them.

Statements are lines of the pretty-printed texts. Those that are equal but for names and values are compared token by
token; the others were inserted, deleted, changed or moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from clonetruth.code import Language, TokenKind, language, map_parallel, similarity
from clonetruth.code.language import LITERALS
from clonetruth.find.clone_text import (
    PARALLEL_FROM,
    CloneStatement,
    Identity,
    Snippet,
    batched,
    class_key,
    identity,
    read_text,
)
from clonetruth.find.grouping import CloneGroup, CloneGrouping
from clonetruth.find.report import CloneClass, CloneMember
from clonetruth.progress import Progress

# From the texts of a clone class to what is said of it: similarities, keys, and what differs.

_OTHER_LANGUAGE = "in another language"


@dataclass(frozen=True)
class _Description:
    """What is said of a text: its identity, and `CloneMember.similarity` and `CloneMember.differences`."""

    identity: Identity
    similarity: float | None
    differences: str


def described(
    gathering: CloneGrouping, top: int | None = None, *, processes: int = 1, progress: Progress | None = None
) -> Iterator[CloneClass]:
    """The reported classes of a gathering, described.

    Args:
        gathering: the classes.
        top: how many of them; all where it is None.
        processes: how many processes may share the work.
        progress: told what is being done.
    """
    groups = gathering.groups[:top]
    fragments = [piece.fragment for group in groups for piece in group.pieces]
    snippets = gathering.snippets(fragments)
    texts = [[snippets[piece.fragment] for piece in group.pieces] for group in groups]
    workers = processes if len(fragments) >= PARALLEL_FROM else 1
    told = (one for batch in map_parallel(_describe_all, None, batched(texts), workers) for one in batch)
    for group, own, descriptions in zip(groups, texts, told, strict=True):
        yield _class(group, own, descriptions)
        if progress is not None:
            progress("Describing clones", 1, len(groups))


def _class(group: CloneGroup, texts: Sequence[Snippet], descriptions: Sequence[_Description]) -> CloneClass:
    values = [one.similarity for one in descriptions if one.similarity is not None]
    return CloneClass(
        key=class_key(one.identity for one in descriptions),
        clone_type=group.clone_type,
        similarity=min(values) if len(values) == len(descriptions) else None,
        finders=group.finders,
        members=tuple(
            CloneMember(
                path=piece.path,
                first_line=piece.first_line,
                last_line=piece.last_line,
                name=piece.name or None,
                language=piece.language,
                tokens=piece.tokens,
                key=told.identity.exact,
                text=text,
                similarity=told.similarity,
                differences=told.differences,
                new=new,
            )
            for piece, (_, text), told, new in zip(group.pieces, texts, descriptions, group.new, strict=True)
        ),
    )


def _describe_all(_: None, classes: Sequence[Sequence[Snippet]]) -> list[list[_Description]]:
    return [
        [
            _Description(identity(representative), 1.0, ""),
            *(_describe(representative, member) for member in others),
        ]
        for representative, *others in classes
    ]


def _describe(representative: Snippet, member: Snippet) -> _Description:
    known = identity(member)
    if representative[0] != member[0]:
        return _Description(known, None, _OTHER_LANGUAGE)
    measured = similarity(read_text(representative).forms, read_text(member).forms)
    told = differences(representative[1], member[1], language(member[0]))
    return _Description(known, measured.token, str(told))


@dataclass(frozen=True)
class Differences:
    """What was done to one text to make it the other.

    Attributes:
        same_text: the texts are equal, character by character.
        names: names that have another one in their place; each once, however often it is used.
        types: the same of names of types.
        literals: values that have another one in their place, each place counted.
        inserted: statements that only the other text has.
        deleted: statements that only the first text has.
        changed: statements that have another one in their place.
        moved: statements that are elsewhere.
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
        said = [f"renamed {_counted(self.names, 'name')}"] if self.names else []
        for count, what, done in (
            (self.types, "type", "changed"),
            (self.literals, "literal", "changed"),
            (self.inserted, "statement", "inserted"),
            (self.deleted, "statement", "deleted"),
            (self.changed, "statement", "changed"),
            (self.moved, "statement", "moved"),
        ):
            if count:
                said.append(f"{_counted(count, what)} {done}")
        return ", ".join(said) or "only layout and comments"


def differences(left: str, right: str, language: Language) -> Differences:
    """How the right text differs from the left one.

    >>> from clonetruth.code import language
    >>> str(differences("int f(int a) { return a; }", "int f(int b) { log(); return b; }", language("java")))
    'renamed 1 name, 1 statement inserted'
    """
    if left == right:
        return Differences(same_text=True)
    first, second = (read_text((language.name, text)).statements for text in (left, right))
    renamed: set[tuple[bytes, bytes]] = set()
    retyped: set[tuple[bytes, bytes]] = set()
    literals = changed = 0
    gone: Counter[bytes] = Counter()
    come: Counter[bytes] = Counter()
    for a, b in _aligned(first, second):
        if a is None or b is None:
            gone.update([a.text] if a else [])
            come.update([b.text] if b else [])
        elif a.blind != b.blind:
            changed += 1
        else:
            for old, new, kind in zip(a.tokens, b.tokens, a.kinds, strict=True):
                if old == new:
                    continue
                if kind in LITERALS:
                    literals += 1
                else:
                    (retyped if kind == TokenKind.TYPE else renamed).add((old, new))
    moved = gone & come
    return Differences(
        names=len(renamed),
        types=len(retyped),
        literals=literals,
        inserted=(come - moved).total(),
        deleted=(gone - moved).total(),
        changed=changed,
        moved=moved.total(),
    )


_Pair = tuple[CloneStatement | None, CloneStatement | None]


def _aligned(left: Sequence[CloneStatement], right: Sequence[CloneStatement]) -> Iterator[_Pair]:
    """Statements side by side: those that are equal, then between them those that are equal but for names and values,
    then whatever stands in the same place."""
    if [one.blind for one in left] == [one.blind for one in right]:
        yield from zip(left, right, strict=True)
        return
    for same, a, b in _runs(left, right, [one.text for one in left], [one.text for one in right]):
        if same:
            yield from zip(a, b, strict=True)
            continue
        for alike, c, d in _runs(a, b, [one.blind for one in a], [one.blind for one in b]):
            if alike:
                yield from zip(c, d, strict=True)
            else:
                yield from _unlike(c, d)


def _unlike(left: Sequence[CloneStatement], right: Sequence[CloneStatement]) -> Iterator[_Pair]:
    """Statements of a gap without anything in common: as many as both sides have are changed."""
    both = min(len(left), len(right))
    yield from zip(left[:both], right[:both], strict=True)
    yield from ((one, None) for one in left[both:])
    yield from ((None, one) for one in right[both:])


def _runs(
    left: Sequence[CloneStatement], right: Sequence[CloneStatement], keys: list[bytes], others: list[bytes]
) -> Iterator[tuple[bool, Sequence[CloneStatement], Sequence[CloneStatement]]]:
    """The texts in runs of equal keys and the gaps between them, by a longest common subsequence."""
    numbers: dict[bytes, int] = {}
    a, b = ([numbers.setdefault(key, len(numbers)) for key in side] for side in (keys, others))
    i = j = 0
    for block in LCSseq.opcodes(a, b).as_matching_blocks():  # the last one is empty, behind both ends
        yield False, left[i : block.a], right[j : block.b]
        i, j = block.a + block.size, block.b + block.size
        yield True, left[block.a : i], right[block.b : j]


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else f'{what}s'}"
