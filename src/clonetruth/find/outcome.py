"""The clones of a source tree, before and after they are described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import PurePath
from typing import Any, NamedTuple

import pyarrow.compute as pc

from clonetruth.code import available_cores
from clonetruth.code.discovery import Discovery
from clonetruth.find.clone_class import CLONE_TYPES, CloneClass, CloneMember, RelatedClone
from clonetruth.find.clone_text import class_key
from clonetruth.find.explanations import ExplainedMember
from clonetruth.find.grouping import CloneGroup, CloneGrouping, NoveltyFilter
from clonetruth.find.report import CloneReport, FolderCopies, OmittedClones, UnparsedFile, UnreadFile
from clonetruth.find.search_result import FUNCTION, LOCATION, SearchResult
from clonetruth.progress import Progress

SUPPRESSED = "functions marked 'clonetruth: ignore'"

_EXAMPLES = 5


class ClonePair(NamedTuple):
    """A found pair, as a file lists it. Lines are 1-based and inclusive.

    Attributes:
        score: the finder's score; None if a tool reports none.
        type: T1, T2 or T3.
        finder: the finder that found it.
    """

    left_path: str
    left_first: int
    left_last: int
    right_path: str
    right_first: int
    right_last: int
    score: float | None
    type: str
    finder: str


@dataclass(frozen=True)
class Clones:
    """The clones of a source tree.

    Attributes:
        result: the result of the search, before anything is left out.
        grouping: the reported classes and pairs.
        discovery: the files that were searched, and those left out.
        ignored: the functions with a comment to ignore them.
        novelty: limits the report to new clones, if given.
        notes: what a reader of the numbers should know.
        options: every option that influences the report, as JSON values.
        index_warnings: problems with the index.
    """

    result: SearchResult
    grouping: CloneGrouping
    discovery: Discovery
    ignored: tuple[str, ...]
    novelty: NoveltyFilter | None
    notes: tuple[str, ...]
    options: Mapping[str, Any]
    index_warnings: Sequence[str] = ()

    @property
    def skipped(self) -> list[UnreadFile]:
        """The files that could not be read."""
        return [
            *(UnreadFile(name, why) for name, why in self.discovery.skipped),
            *(UnreadFile(file.name, file.why) for file in self.result.skipped),
        ]

    @property
    def unparsed(self) -> list[UnparsedFile]:
        """The files in which most lines do not parse."""
        return [UnparsedFile(file.name, file.language, file.share) for file in self.result.broken]

    def report(
        self,
        top: int | None = None,
        *,
        texts: bool = True,
        processes: int | None = None,
        progress: Progress | None = None,
    ) -> CloneReport:
        """Describe the clones in a report.

        Args:
            top: the number of classes to describe, largest waste first (default: all).
            texts: include the source texts of the members; without them, unchanged files need not be opened.
            processes: number of worker processes (default: all cores).
            progress: called as the work goes on.
        """
        groups = self.grouping.groups
        types = Counter(group.strongest_new for group in groups)
        counts = pc.value_counts(self.grouping.pairs["finder"]).to_pylist()
        left_out = {**self.discovery.left_out, SUPPRESSED: list(self.ignored)}
        return CloneReport(
            classes=tuple(self._classes(top, texts, processes or available_cores(), progress)),
            classes_found=len(groups),
            classes_by_type={name: types[name] for name in CLONE_TYPES},
            members=sum(len(group.occurrences) for group in groups),
            copied_lines=self._copied_lines(),
            pairs={row["values"]: row["counts"] for row in counts},
            files=len(self.result.files) - len(self.result.skipped),
            lines=self.result.lines,
            functions=self.result.functions,
            left_out=tuple(
                OmittedClones(what, len(names), tuple(names[:_EXAMPLES])) for what, names in left_out.items() if names
            ),
            skipped=tuple(self.skipped),
            unparsed=tuple(self.unparsed),
            notes=self.notes,
            options=self.options,
            only_new=self.novelty.description if self.novelty else None,
            folders=tuple(self._folders()),
        )

    def _copied_lines(self) -> int:
        members = [one for group in self.grouping.groups for one in group.occurrences[1:]]
        if all(one.kind in (FUNCTION, LOCATION) for one in members):
            return sum(one.last_line - one.first_line + 1 for one in members)
        # Blocks and files have lines in common with functions and with each other.
        return sum(map(len, _lines_by_file(self.grouping.groups).values()))

    def _classes(self, top: int | None, texts: bool, processes: int, progress: Progress | None) -> Iterator[CloneClass]:
        groups = self.grouping.groups[:top]
        fragments = [[occurrence.fragment for occurrence in group.occurrences] for group in groups]
        explanations = self.grouping.explanations
        snippets = explanations.snippets(one for members in fragments for one in members) if texts else {}
        for group, members in zip(groups, explanations.members(fragments, processes), strict=True):
            yield _class(group, [snippets.get(one.fragment, ("", ""))[1] for one in group.occurrences], members)
            if progress is not None:
                progress("Describing clones", 1, len(groups))
        explanations.save()

    def _folders(self) -> Iterator[FolderCopies]:
        """All folders with searched files, and those above them, parents first; all clones count, new or not."""
        every = self.grouping if self.novelty is None else self.grouping.unlimited()
        levels = _levels_by_file(every.groups)
        # First by the folder that holds the file, of which there are far fewer, then by those above it.
        lines: Counter[str] = Counter()
        copies: Counter[str] = Counter()
        own_lines: Counter[str] = Counter()
        own_copies: dict[str, Counter[int]] = {}
        for file, count in zip(self.result.files, self.result.file_lines.tolist(), strict=True):
            parent = _parent(file.name)
            own_lines[parent] += count
            own_copies.setdefault(parent, Counter()).update(levels.get(file.name, {}).values())
        for parent, count in own_lines.items():
            for level, folder in enumerate(_chain(parent)):
                lines[folder] += count
                copies[folder] += sum(number for from_, number in own_copies[parent].items() if from_ <= level)
        for folder in sorted(lines, key=lambda name: (name != ".", name)):
            yield FolderCopies(folder, lines[folder], copies[folder])

    def unlimited(self) -> Clones:
        """All clones of the search, not only new ones: the next baseline."""
        return replace(self, grouping=self.grouping.unlimited(), novelty=None)

    def pairs(self) -> Iterator[ClonePair]:
        """Iterate over the found pairs with a new member; a pair appears once for each finder that found it."""
        fragments = self.result.fragments.select(["file", "first_line", "last_line"])
        files = [file.name for file in self.result.files]
        for batch in self.grouping.pairs.to_batches():
            left, right = batch["left"].to_numpy(), batch["right"].to_numpy()
            types = self.grouping.equivalence.types(left, right).tolist()
            sides = [
                (
                    [files[number] for number in rows["file"].to_pylist()],
                    rows["first_line"].to_pylist(),
                    rows["last_line"].to_pylist(),
                )
                for rows in (fragments.take(batch["left"]), fragments.take(batch["right"]))
            ]
            yield from map(
                ClonePair, *sides[0], *sides[1], batch["score"].to_pylist(), types, batch["finder"].to_pylist()
            )


def _lines_by_file(groups: Sequence[CloneGroup]) -> dict[str, set[int]]:
    """The lines of each file that are in members of classes other than their representatives."""
    copied: dict[str, set[int]] = {}
    for group in groups:
        for one in group.occurrences[1:]:
            copied.setdefault(one.path, set()).update(range(one.first_line, one.last_line + 1))
    return copied


def _levels_by_file(groups: Sequence[CloneGroup]) -> dict[str, dict[int, int]]:
    """The lines of each file that are copies, each with the level of the highest folder in which it is one.

    Of a class, one member is the original. Which one it is cannot be seen, so in a folder that has only a part of the
    class, every member is a copy: otherwise the names of files would decide whether a folder has copies.
    """
    levels: dict[str, dict[int, int]] = {}
    for group in groups:
        first, *others = group.occurrences
        chains = [_chain(parent) for parent in {_parent(one.path) for one in group.occurrences}]
        inside = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, zip(*chains, strict=False)))
        for one, level in ((first, inside), *((one, 0) for one in others)):
            known = levels.setdefault(one.path, {})
            if level < len(_chain(_parent(one.path))):
                for line in range(one.first_line, one.last_line + 1):
                    known[line] = min(level, known.get(line, level))
    return levels


def _parent(name: str) -> str:
    """The folder that holds a file, by their names."""
    return name.rpartition("/")[0] or ("/" if name.startswith("/") else "")


@cache
def _chain(folder: str) -> tuple[str, ...]:
    """The folders from that of everything down to one."""
    above = [str(one) for one in reversed(PurePath(folder, "file").parents)]
    return tuple(dict.fromkeys([".", *above]))


def _class(group: CloneGroup, texts: Sequence[str], members: Sequence[ExplainedMember]) -> CloneClass:
    values = [difference.similarity for _, difference in members if difference.similarity is not None]
    return CloneClass(
        key=class_key(one.identity for one in members),
        strongest=min(group.strongest),
        weakest=group.weakest,
        similarity=min(values) if len(values) == len(members) else None,
        finders=group.finders,
        members=tuple(
            CloneMember(
                path=occurrence.path,
                first_line=occurrence.first_line,
                last_line=occurrence.last_line,
                name=occurrence.name or None,
                language=occurrence.language,
                tokens=occurrence.tokens,
                key=member.identity.exact,
                text=text,
                similarity=member.difference.similarity,
                differences=member.difference.words,
                strongest=strongest,
                new=new,
                kind=occurrence.kind,
            )
            for occurrence, text, member, strongest, new in zip(
                group.occurrences, texts, members, group.strongest, group.new, strict=True
            )
        ),
        related=tuple(RelatedClone(one.path, one.first_line, one.last_line, one.name or None) for one in group.related),
    )
