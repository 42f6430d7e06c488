"""New clones: those in lines that changed since a git revision, or those that are not in an earlier report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from clonetruth.budgets import read_bytes
from clonetruth.code import language_of_path
from clonetruth.code.discovery import (
    GENERATED,
    GITIGNORED,
    MARKED,
    PROJECT_FILES,
    VENDORED,
    is_vendored,
    printable,
    shown_name,
)
from clonetruth.code.git import EVERY_LINE, Changes, Repository
from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.find.grouping import Occurrence
from clonetruth.find.report import CloneReport
from clonetruth.options.settings import SETTINGS_FILES
from clonetruth.parsing import parse_toml

_HIDDEN = (GITIGNORED, VENDORED, GENERATED, MARKED)
"""What a change can say of its own files so that they are not searched."""
_SHOWN = 5
"""How many files a note names."""


@dataclass(frozen=True)
class ChangedLines:
    """The lines that changed since a revision. A member is new if one of its lines is among them.

    Attributes:
        description: what counts as new, for people.
        changes: the changed lines.
        files: the paths of the files, by name.
        repository: the repository.
        revision: the revision.
    """

    description: str
    changes: Changes
    files: Mapping[str, Path]
    repository: Repository
    revision: str

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
        repository = Repository(folder)
        return cls(f"changed since {revision}", repository.changes_since(revision), files, repository, revision)

    def new(self, occurrences: Sequence[Occurrence], keys: Callable[[], Sequence[str]]) -> Sequence[bool]:
        """See `NoveltyFilter.new`."""
        return [
            any(lines.start <= one.last_line and one.first_line < lines.stop for lines in self._lines_of(one.path))
            for one in occurrences
        ]

    def _lines_of(self, name: str) -> tuple[range, ...]:
        """The changed lines of a file, counted as a search counts them."""
        if name not in self._counted:
            path = self.files[name].resolve()
            ranges = self.changes.ranges(path)
            self._counted[name] = lines_as_read(path, ranges) if ranges else ranges
        return self._counted[name]

    @cached_property
    def _counted(self) -> dict[str, tuple[range, ...]]:
        return {}

    def notes(self, names: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """What a change can say of files, or of how to search them, so that no gate sees them.

        Args:
            names: the names of files and folders that were left out, by reason.
        """
        unseen = self._left_out(names)
        if unseen:
            some = f"{len(unseen):,} changed files were" if len(unseen) > 1 else "1 changed file was"
            yield f"{some} left out of the search, and of every gate: {_some(unseen)}."
        if names.get(GITIGNORED):
            reasons = _by_path({GITIGNORED: names[GITIGNORED]})
            tracked = [
                shown_name(path)
                for path in sorted(self.repository.tracked_and_ignored())
                if path not in self.changes.lines and language_of_path(path) is not None and _reason(path, reasons)
            ]
            if tracked:
                yield f"Git tracks files that .gitignore names, so that they were left out: {_some(tracked)}."
        changed = self._changed_rules(names)
        if changed:
            yield f"What decides on the search was changed, too: {_some(changed)}."

    def _left_out(self, names: Mapping[str, Sequence[str]]) -> list[str]:
        """The changed source files that a search left out, each with the reason."""
        reasons = _by_path({reason: names.get(reason, ()) for reason in _HIDDEN})
        found = []
        if reasons:
            for path in sorted(path for path in self.changes.lines if language_of_path(path) is not None):
                hidden = _reason(path, reasons)
                if hidden is not None and path.is_file():
                    found.append(f"{shown_name(path)} ({hidden})")
        return found

    def _changed_rules(self, names: Mapping[str, Sequence[str]]) -> list[str]:
        """The changed settings, and new files that make vendored folders or build output of their neighbours."""
        here, found = Path.cwd().resolve(), []
        vendored = _by_path({VENDORED: names.get(VENDORED, ())})
        commit, changes = self.repository.files_since(self.revision)
        for change in changes:
            path = self.repository.root / (change.after or change.before or "")
            if path.name in SETTINGS_FILES and here.is_relative_to(path.parent):
                old = b""
                if change.before is not None:
                    old = b"".join(bytes(data) for _, data in self.repository.contents_at(commit, [change.before]))
                if _section(path.name, old) != _section(path.name, read_bytes(path) if path.is_file() else b""):
                    found.append(shown_name(path))
            elif change.before is None and any(
                is_vendored(str(folder)) and _deciding(path, folder) for folder in map(Path, vendored)
            ):
                found.append(shown_name(path))
        return sorted(found)


def lines_as_read(path: Path, ranges: tuple[range, ...]) -> tuple[range, ...]:
    """Return lines that git counted, as a search counts them: a carriage return alone ends a line, too.

    Of a text in UTF-16 or UTF-32, where bytes say nothing about lines, every line counts.

    Args:
        path: the file; if it cannot be read, every line counts.
        ranges: line numbers by git.
    """
    try:
        data = read_bytes(path)
    except (OSError, InputError):
        return EVERY_LINE
    if decode(data[:4]).encoding.startswith(("utf-16", "utf-32")):
        return EVERY_LINE
    if data.count(b"\r") == data.count(b"\r\n"):
        return ranges
    # The number of the first of our lines in each line of git's, and of the line after the last one.
    starts = [1]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + 1 + line.removesuffix(b"\r").count(b"\r"))
    return tuple(
        range(starts[min(lines.start, len(starts)) - 1], starts[min(lines.stop, len(starts)) - 1]) for lines in ranges
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


def _by_path(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The reason of each name of a discovery, by its real path, printed as names are."""
    return {str(Path(name).resolve()): reason for reason, left_out in names.items() for name in left_out}


def _reason(path: Path, reasons: Mapping[str, str]) -> str | None:
    return next((reasons[name] for one in (path, *path.parents) if (name := printable(str(one))) in reasons), None)


def _deciding(path: Path, folder: Path) -> bool:
    """Whether a file makes a folder vendored code, or build output."""
    if path.name == "pyvenv.cfg":
        return path.parent == folder
    return path.parent == folder.parent and any(fnmatchcase(path.name, pattern) for pattern in PROJECT_FILES)


def _section(name: str, data: bytes) -> object:
    """The settings in a file; its bytes if it is not TOML."""
    try:
        found: object = parse_toml(data.decode("utf-8"))
    except ValueError:
        return data
    for key in SETTINGS_FILES[name]:
        found = found.get(key, {}) if isinstance(found, dict) else found
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
