"""What is new against an earlier report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.git import Changes, Repository
from clonetruth.errors import InputError
from clonetruth.find.grouping import Occurrence
from clonetruth.find.report import CloneReport

# What is new since a revision of git.


@dataclass(frozen=True)
class ChangedLines:
    """The lines that were changed since a revision. A member is new if one of its lines is among them.

    Attributes:
        words: what is new, in words.
        changes: the changed lines.
        files: where the files are, by their names.
    """

    words: str
    changes: Changes
    files: Mapping[str, Path]

    @classmethod
    def of(cls, revision: str, files: Mapping[str, Path], folder: Path) -> ChangedLines:
        """What git says.

        Args:
            revision: a revision; what counts is the commit at which the work of today parted from it.
            files: where the files are, by their names.
            folder: a folder of the working tree.

        Raises:
            InputError: the folder is in no repository, or git does not know the revision.
            MissingExtraError: git is not installed.
        """
        return cls(f"changed since {revision}", Repository(folder).changes_since(revision), files)

    def new(self, pieces: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> tuple[bool, ...]:
        """See `News.new`."""
        return tuple(
            self.changes.touch(self.files[piece.path].resolve(), piece.first_line, piece.last_line) for piece in pieces
        )


@dataclass(frozen=True)
class Baseline:
    """The members of an earlier report. A member of today is old if one of then has the same code.

    As many copies are old as there were: one more is new. Of equal copies, those in files of then are the old ones.

    Attributes:
        members: for each key, how many members each file had.
    """

    members: Mapping[str, Counter[str]]
    words = "not in the baseline"

    @classmethod
    def of(cls, report: CloneReport) -> Baseline:
        """The members of a report.

        Raises:
            InputError: the report does not tell all classes.
        """
        if len(report.classes) < report.classes_found:
            raise InputError(
                f"The baseline has {len(report.classes):,} of {report.classes_found:,} clone classes.",
                hint="Write it without --top, so that nothing old looks new.",
            )
        members: dict[str, Counter[str]] = {}
        for one in report.classes:
            for member in one.members:
                members.setdefault(member.key, Counter())[member.path] += 1
        return cls(members)

    def new(self, pieces: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> tuple[bool, ...]:
        """See `News.new`."""
        current = keys()
        left = {key: Counter(self.members.get(key, ())) for key in current}
        new = []
        for piece, key in zip(pieces, current, strict=True):
            new.append(not left[key][piece.path])
            left[key][piece.path] -= not new[-1]
        moved = {key: paths.total() for key, paths in left.items()}
        for at, key in enumerate(current):
            if new[at] and moved[key]:
                moved[key] -= 1
                new[at] = False
        return tuple(new)
