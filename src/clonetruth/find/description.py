"""From the texts of a clone class to what is said of it: similarities, keys, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clonetruth.code import language, map_parallel, similarity
from clonetruth.detectors.detector import Progress
from clonetruth.find.clone_text import Snippet, read_text
from clonetruth.find.differences import differences
from clonetruth.find.grouping import CloneGroup, CloneGrouping
from clonetruth.find.identity import PARALLEL_FROM, Identity, batched, class_key, identity
from clonetruth.find.report import CloneClass, CloneMember

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
