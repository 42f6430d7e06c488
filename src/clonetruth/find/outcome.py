"""The clones of a source tree, before and after they are described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow.compute as pc

from clonetruth.code.discovery import Discovery
from clonetruth.find.differences import described
from clonetruth.find.grouping import CloneGrouping, NoveltyFilter
from clonetruth.find.report import CLONE_TYPES, CloneReport, OmittedClones, UnreadFile
from clonetruth.find.search_result import SearchResult
from clonetruth.progress import Progress

SUPPRESSED = "functions marked 'clonetruth: ignore'"

_EXAMPLES = 5


class ClonePair(NamedTuple):
    """A found pair, as a file lists it. Lines are 1-based and inclusive.

    Attributes:
        score: the finder's score; None where a tool gives none.
        type: T1, T2 or T3.
        finder: who found it.
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
        found: what the search gave, before anything was left out.
        gathering: the reported classes and pairs.
        discovery: which files were looked at, and which not.
        ignored: the functions that a comment wants to be ignored.
        news: what the report is limited to.
        notes: what a reader of the numbers should know.
        options: every option that has an influence, as JSON values.
    """

    found: SearchResult
    gathering: CloneGrouping
    discovery: Discovery
    ignored: tuple[str, ...]
    news: NoveltyFilter | None
    notes: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def skipped(self) -> list[UnreadFile]:
        """What should have been looked at, and could not be."""
        return [
            *(UnreadFile(*one) for one in self.discovery.skipped),
            *(UnreadFile(one.name, one.why) for one in self.found.skipped),
        ]

    def report(self, top: int | None = None, *, processes: int = 1, progress: Progress | None = None) -> CloneReport:
        """The report.

        Args:
            top: how many classes are described, those with the largest waste; all where it is None.
            processes: how many processes may share the work.
            progress: told what is being done.
        """
        groups = self.gathering.groups
        types = Counter(group.clone_type for group in groups)
        counts = pc.value_counts(self.gathering.pairs["finder"]).to_pylist()
        left_out = {**self.discovery.left_out, SUPPRESSED: list(self.ignored)}
        return CloneReport(
            classes=tuple(described(self.gathering, top, processes=processes, progress=progress)),
            classes_found=len(groups),
            classes_by_type={name: types[name] for name in CLONE_TYPES},
            members=sum(len(group.pieces) for group in groups),
            copied_lines=sum(piece.last_line - piece.first_line + 1 for group in groups for piece in group.pieces[1:]),
            pairs={row["values"]: row["counts"] for row in counts},
            files=len(self.found.files) - len(self.found.skipped),
            lines=self.found.lines,
            functions=self.found.functions,
            left_out=tuple(
                OmittedClones(what, len(names), tuple(names[:_EXAMPLES])) for what, names in left_out.items() if names
            ),
            skipped=tuple(self.skipped),
            notes=self.notes,
            options=self.options,
            only_new=self.news.words if self.news else None,
        )

    def pairs(self) -> Iterator[ClonePair]:
        """The pairs of the reported classes, one for each finder that found it."""
        fragments = self.found.fragments.select(["file", "first_line", "last_line"])
        files = [file.name for file in self.found.files]
        for batch in self.gathering.pairs.to_batches():
            left, right = batch["left"].to_numpy(), batch["right"].to_numpy()
            types = self.gathering.kinship.types(left, right).tolist()
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
