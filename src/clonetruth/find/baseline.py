"""New clones: those in lines that changed since a git revision, or those that are not in an earlier report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code import language_of_path
from clonetruth.code.discovery import GENERATED, GITIGNORED, MARKED, VENDORED, shown_name
from clonetruth.code.git import Changes, Repository
from clonetruth.errors import InputError
from clonetruth.find.grouping import Occurrence
from clonetruth.find.report import CloneReport

_HIDDEN = (GITIGNORED, VENDORED, GENERATED, MARKED)
"""What a change can say of its own files so that they are not searched."""


@dataclass(frozen=True)
class ChangedLines:
    """The lines that changed since a revision. A member is new if one of its lines is among them.

    Attributes:
        description: what counts as new, for people.
        changes: the changed lines.
        files: the paths of the files, by name.
    """

    description: str
    changes: Changes
    files: Mapping[str, Path]

    @classmethod
    def of(cls, revision: str, files: Mapping[str, Path], folder: Path) -> ChangedLines:
        """Ask git for the lines that changed.

        Args:
            revision: a revision; changes count from its merge base with the current commit.
            files: the paths of the files, by name.
            folder: a folder of the working tree.

        Raises:
            InputError: the folder is not in a repository, or git does not know the revision.
            MissingExtraError: git is not installed.
        """
        return cls(f"changed since {revision}", Repository(folder).changes_since(revision), files)

    def new(self, occurrences: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> Sequence[bool]:
        """See `NoveltyFilter.new`."""
        return [
            self.changes.touch(self.files[occurrence.path].resolve(), occurrence.first_line, occurrence.last_line)
            for occurrence in occurrences
        ]

    def left_out(self, names: Mapping[str, Sequence[str]]) -> list[str]:
        """The changed source files that a search left out, each with the reason: no gate sees them.

        Args:
            names: the names of files and folders that were left out, by reason.
        """
        reasons = {Path(name).resolve(): reason for reason in _HIDDEN for name in names.get(reason, ())}
        if not reasons:
            return []
        found = []
        for path in sorted(path for path in self.changes.lines if language_of_path(path) is not None):
            hidden = next((one for one in (path, *path.parents) if one in reasons), None)
            if hidden is not None and path.is_file():
                found.append(f"{shown_name(path)} ({reasons[hidden]})")
        return found


@dataclass(frozen=True)
class Baseline:
    """The members of an earlier report. A member is old if the report has one with the same code.

    If there are more copies now, the additional ones are new. Of equal copies, those in files of the report are old.

    Attributes:
        members: for each key, the number of members in each file.
    """

    members: Mapping[str, Counter[str]]
    description = "not in the baseline"

    @classmethod
    def of(cls, report: CloneReport) -> Baseline:
        """Return the members of a report.

        Raises:
            InputError: the report does not have all classes.
        """
        if len(report.classes) < report.classes_found:
            raise InputError(
                f"The baseline has {len(report.classes):,} of {report.classes_found:,} clone classes.",
                hint="Write it without --top, so that no old clone looks new.",
            )
        members: dict[str, Counter[str]] = {}
        for clone_class in report.classes:
            copies = Counter((member.key, member.path) for member in clone_class.members)
            for (key, path), count in copies.items():
                # Equal code is in one class; only a representative is repeated in others.
                known = members.setdefault(key, Counter())
                known[path] = max(known[path], count)
        return cls(members)

    def new(self, occurrences: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> Sequence[bool]:
        """See `NoveltyFilter.new`."""
        current = keys()
        left = {key: Counter(self.members.get(key, ())) for key in current}
        new = []
        for occurrence, key in zip(occurrences, current, strict=True):
            new.append(not left[key][occurrence.path])
            left[key][occurrence.path] -= not new[-1]
        moved = {key: paths.total() for key, paths in left.items()}
        for at, key in enumerate(current):
            if new[at] and moved[key]:
                moved[key] -= 1
                new[at] = False
        return new
