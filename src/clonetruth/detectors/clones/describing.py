"""From the texts of a clone class to what is said of it: similarities, keys, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clonetruth.code import language, map_parallel, similarity
from clonetruth.detectors.clones.differences import differences
from clonetruth.detectors.clones.gathering import Gathering, Group
from clonetruth.detectors.clones.identity import PARALLEL_FROM, Identity, Snippet, batched, class_key, forms
from clonetruth.detectors.clones.report import CloneClass, Member
from clonetruth.detectors.detector import Progress

_OTHER_LANGUAGE = "in another language"


@dataclass(frozen=True)
class _Relation:
    """How a text relates to the representative: `Member.similarity` and `Member.differences`."""

    similarity: float | None
    differences: str


def described(
    gathering: Gathering, top: int | None = None, *, processes: int = 1, progress: Progress | None = None
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
    known = dict(zip(fragments, gathering.identities(fragments), strict=True))
    texts = [[snippets[piece.fragment] for piece in group.pieces] for group in groups]
    workers = processes if len(fragments) >= PARALLEL_FROM else 1
    told = (one for batch in map_parallel(_relate, None, batched(texts), workers) for one in batch)
    for group, own, relations in zip(groups, texts, told, strict=True):
        yield _class(group, own, [known[piece.fragment] for piece in group.pieces], relations)
        if progress is not None:
            progress("Describing clones", 1, len(groups))


def _class(
    group: Group, texts: Sequence[Snippet], identities: Sequence[Identity], relations: Sequence[_Relation]
) -> CloneClass:
    values = [relation.similarity for relation in relations if relation.similarity is not None]
    return CloneClass(
        key=class_key(identities),
        clone_type=group.clone_type,
        similarity=min(values) if len(values) == len(relations) else None,
        finders=group.finders,
        members=tuple(
            Member(
                path=piece.path,
                first_line=piece.first_line,
                last_line=piece.last_line,
                name=piece.name or None,
                language=piece.language,
                tokens=piece.tokens,
                key=identity.exact,
                text=text,
                similarity=relation.similarity,
                differences=relation.differences,
                new=new,
            )
            for piece, (_, text), identity, relation, new in zip(
                group.pieces, texts, identities, relations, group.new, strict=True
            )
        ),
    )


def _relate(_: None, classes: Sequence[Sequence[Snippet]]) -> list[list[_Relation]]:
    return [
        [_Relation(1.0, ""), *(_relation(representative, member) for member in others)]
        for representative, *others in classes
    ]


def _relation(representative: Snippet, member: Snippet) -> _Relation:
    if representative[0] != member[0]:
        return _Relation(None, _OTHER_LANGUAGE)
    measured = similarity(forms(representative), forms(member))
    told = differences(representative[1], member[1], language(member[0]))
    return _Relation(measured.token, str(told))
