"""Who last changed each member of a clone class, and when: one question to git for each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from clonetruth.code.git import BlamedLine, Repository
from clonetruth.errors import InputError
from clonetruth.find.clone_class import CloneMember, LastChange
from clonetruth.find.report import CloneReport

MAX_FILES = 500
"""Maximum number of files that git is asked about; those of the largest classes come first."""
_SECONDS = 60.0
"""Maximum time for a file."""

Span = tuple[int, int]


def with_blame(report: CloneReport, files: Mapping[str, Path], processes: int = 1) -> CloneReport:
    """Return a report whose members say who last changed them, and when.

    Files that git does not know, that took too long or that are beyond the limit are counted in the notes.

    Args:
        report: the report.
        files: the paths of the files, by name.
        processes: number of processes of git at a time.

    Raises:
        MissingExtraError: git is not installed.
    """
    spans: dict[str, list[Span]] = {}
    for one in report.classes:
        for member in one.members:
            span = member.first_line, member.last_line
            if span not in spans.setdefault(member.path, []):
                spans[member.path].append(span)
    asked = list(spans)[:MAX_FILES]
    repositories = _Repositories()
    # Repositories are opened one after the other, since that is remembered.
    places = [repositories.place(files[name]) if name in files else None for name in asked]
    with ThreadPoolExecutor(max(processes, 1)) as pool:
        answers = list(pool.map(_changes, places, (spans[name] for name in asked)))
    changes = dict(zip(asked, answers, strict=True))
    notes = [*report.notes, *_notes(changes, len(spans) - len(asked))]
    classes = tuple(
        replace(one, members=tuple(_blamed(member, changes) for member in one.members)) for one in report.classes
    )
    return replace(report, classes=classes, notes=tuple(notes))


def _blamed(member: CloneMember, changes: Mapping[str, Mapping[Span, LastChange] | None]) -> CloneMember:
    found = changes.get(member.path) or {}
    return replace(member, last_change=found.get((member.first_line, member.last_line)))


def _notes(changes: Mapping[str, object], beyond: int) -> Iterator[str]:
    unknown = [name for name, found in changes.items() if found is None]
    if unknown:
        files = f"{len(unknown):,} of the files are" if len(unknown) > 1 else "1 file is"
        yield f"Who changed what is not known: {files} not in git, or git could not tell (first: {unknown[0]})."
    if beyond:
        yield f"Git was asked about the first {MAX_FILES:,} files, not about {beyond:,} more; --top limits the classes."


class _Repositories:
    """The repositories of files, each opened once."""

    def __init__(self) -> None:
        self._known: dict[Path, Repository | None] = {}

    def place(self, path: Path) -> tuple[Repository, str] | None:
        """The repository of a file, and its name there."""
        real = path.resolve()
        root = next((folder for folder in real.parents if (folder / ".git").exists()), None)
        if root is None:
            return None
        if root not in self._known:
            try:
                self._known[root] = Repository(root)
            except InputError:  # not a repository after all, or a stranger's
                self._known[root] = None
        repository = self._known[root]
        return None if repository is None else (repository, real.relative_to(repository.root).as_posix())


def _changes(place: tuple[Repository, str] | None, spans: Sequence[Span]) -> dict[Span, LastChange] | None:
    """The last changes of the spans of a file; None if git cannot tell."""
    if place is None:
        return None
    repository, name = place
    try:
        lines = repository.blame(name, spans, seconds=_SECONDS)
    except InputError:
        return None
    return {span: last_change([line for line in lines if span[0] <= line.line <= span[1]]) for span in spans}


def last_change(lines: Sequence[BlamedLine]) -> LastChange:
    """Return the last change of some lines."""
    committed = [line for line in lines if line.commit is not None]
    last = max(committed, key=lambda line: -(2**62) if line.seconds is None else line.seconds, default=None)
    return LastChange(
        commit=last.commit if last else None,
        author=last.author if last else None,
        date=_day(last.seconds) if last else None,
        authors=len({line.author for line in committed}),
        uncommitted=len(lines) - len(committed),
    )


def _day(seconds: int | None) -> str | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):  # not a date of our calendar
        return None
