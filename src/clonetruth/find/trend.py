"""Duplication over git history: the numbers of the gates at several commits, read from git's objects.

Nothing is checked out. The files of a commit are written to a temporary folder and searched there as `find_clones`
would. What was measured is kept in the user's cache by the id of the tree, which says everything about its files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth import __version__
from clonetruth.budgets import read_text
from clonetruth.code.discovery import PROJECT_FILES, DiscoveryOptions, discover
from clonetruth.code.git import Repository
from clonetruth.code.languages import languages_of_path
from clonetruth.errors import InputError
from clonetruth.find.clone_class import CLONE_TYPES
from clonetruth.find.clones import clones_in
from clonetruth.find.finder_specs import DEFAULT_FINDERS, FinderSpec
from clonetruth.options.declaration import verb
from clonetruth.options.find import FindOptions
from clonetruth.options.trend import TrendOptions
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress, no_progress
from clonetruth.user_cache import cache_folder

_FORMAT = 1
"""The version of what is cached; increase it whenever the same tree may get other numbers."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_IGNORE = ".gitignore"


@dataclass(frozen=True)
class TrendNumbers:
    """How much of a tree is duplicated.

    Attributes:
        files: the number of files read.
        lines: the number of their lines.
        duplicated_lines: the number of lines in a member of a clone class other than its first; each counts once.
        classes: the number of clone classes.
        classes_by_type: the number of classes by the type of their strongest pair.
        skipped: the number of files that could not be read.
    """

    files: int = 0
    lines: int = 0
    duplicated_lines: int = 0
    classes: int = 0
    classes_by_type: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(CLONE_TYPES, 0))
    skipped: int = 0

    @property
    def percent(self) -> float | None:
        """The duplicated lines in percent; None if there are no lines."""
        return 100 * self.duplicated_lines / self.lines if self.lines else None


@dataclass(frozen=True)
class TrendPoint:
    """A commit.

    Attributes:
        commit: its id.
        date: its day, YYYY-MM-DD in UTC.
        seconds: its time in seconds since 1970.
        tag: its tag, if tags were asked for.
        numbers: how much is duplicated; None if it could not be read.
        problem: why it could not be read.
    """

    commit: str
    date: str
    seconds: int
    tag: str | None
    numbers: TrendNumbers | None
    problem: str | None = None


@dataclass(frozen=True)
class CloneTrend:
    """Duplication over git history.

    Attributes:
        points: the measured commits, oldest first.
        history: the number of commits or tags that they were chosen from.
        folder: the folder, relative to the repository; "." for all of it.
        options: every option that influences the numbers, as JSON values.
        notes: what a reader of the numbers should know.
    """

    points: tuple[TrendPoint, ...]
    history: int
    folder: str
    options: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the trend as JSON values."""
        rows = [
            {
                **{name: value for name, value in asdict(point).items() if name != "numbers"},
                **(asdict(point.numbers or TrendNumbers()) if point.numbers else {}),
                "percent": point.numbers.percent if point.numbers else None,
            }
            for point in self.points
        ]
        return {**asdict(self), "options": dict(self.options), "points": rows}


@dataclass(frozen=True)
class _ListedCommit:
    commit: str
    seconds: int
    tag: str | None = None

    @property
    def date(self) -> str:
        try:
            return datetime.fromtimestamp(self.seconds, UTC).date().isoformat()
        except (OverflowError, ValueError, OSError):  # not a date of our calendar
            return "unknown"


@verb(TrendOptions)
def measure_trend(options: TrendOptions, *, progress: Progress | None = None) -> CloneTrend:
    """Measure how duplication developed: the numbers of the gates at several commits of the current branch.

    Args:
        progress: called as the work goes on.

    Raises:
        InputError: the folder is not in a git repository, or git does not know the revision.
        MissingExtraError: git is not installed.
        UnknownNameError: an unknown finder or language.

    Example:
        >>> trend = clonetruth.measure_trend("src", commits=5, min_tokens=30)
        >>> [(point.date, point.numbers.percent) for point in trend.points]
        [('2024-02-01', 45.0)]
    """
    if not options.folder.is_dir():
        raise InputError("There is no such folder.", where=options.folder)
    repository = Repository(options.folder)
    prefix = options.folder.resolve().relative_to(repository.root).as_posix()
    specs = FinderSpec.of(options.with_ or DEFAULT_FINDERS)
    every = _history(repository, options)
    chosen = _spaced(every, options.commits)
    report = progress or no_progress
    measure = _Measurement(repository, "" if prefix == "." else prefix, options, cached=not specs.tools)
    points = []
    for one in chosen:
        points.append(measure.point(one))
        report("Measuring commits", 1, len(chosen))
    notes = []
    if repository.shallow:
        notes.append("The clone is shallow: earlier commits are missing. `git fetch --unshallow` gets them.")
    if skipped := sum(point.numbers.skipped for point in points if point.numbers):
        notes.append(f"{skipped:,} files, over all commits, could not be read and do not count.")
    return CloneTrend(tuple(points), len(every), prefix, _plain(options), tuple(notes))


def _history(repository: Repository, options: TrendOptions) -> list[_ListedCommit]:
    """The commits to choose from, oldest first."""
    if options.tags:
        every = [_ListedCommit(commit, seconds, tag) for tag, commit, seconds in repository.tags()]
        if not every:
            raise InputError("There is no tag on the history of this branch.", hint="Leave out --tags.")
    else:
        every = [_ListedCommit(*one) for one in reversed(repository.first_parents())]
    if options.since is None:
        return every
    least = _since(repository, options.since)
    recent = [one for one in every if one.seconds >= least]
    if not recent:
        raise InputError(f"There is no commit since {options.since}.", where="since")
    return recent


def _since(repository: Repository, when: str) -> int:
    """The time of a date or of a revision."""
    if not _DATE.fullmatch(when):
        return repository.time_of(when)
    try:
        return int(datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp())
    except ValueError as error:
        raise InputError(f"'{when}' is not a date.", where="since", hint="Write it as YYYY-MM-DD.") from error


def _spaced(every: Sequence[_ListedCommit], count: int) -> list[_ListedCommit]:
    """Evenly spaced commits, with the first and the last; only the last if one is asked for."""
    last = len(every) - 1
    if count >= len(every):
        return list(every)
    if count == 1:
        return [every[last]]
    return [every[round(at * last / (count - 1))] for at in range(count)]


@dataclass(frozen=True)
class _Measurement:
    """Measures commits."""

    repository: Repository
    prefix: str
    options: TrendOptions
    cached: bool

    def point(self, one: _ListedCommit) -> TrendPoint:
        tree = self.repository.tree_at(one.commit, self.prefix)
        try:
            numbers = TrendNumbers() if tree is None else self._numbers(one.commit, tree)
        except InputError as error:
            return TrendPoint(one.commit, one.date, one.seconds, one.tag, None, str(error))
        return TrendPoint(one.commit, one.date, one.seconds, one.tag, numbers)

    def _numbers(self, commit: str, tree: str) -> TrendNumbers:
        path = self._cache_path(tree)
        if path is not None and (known := _cached(path)) is not None:
            return known
        numbers = self._searched(commit)
        if path is not None:
            _remember(path, numbers)
        return numbers

    def _cache_path(self, tree: str) -> Path | None:
        folder = cache_folder() if self.options.index and self.cached else None
        key = json.dumps([_FORMAT, __version__, tree, _plain(self.options)], sort_keys=True)
        return folder and folder / "trend" / f"{blake2b(key.encode(), digest_size=20).hexdigest()}.json"

    def _searched(self, commit: str) -> TrendNumbers:
        below = f"{self.prefix}/" if self.prefix else ""
        names = [name for name in self.repository.names_at(commit) if name.startswith(below) and _matters(name)]
        with self.repository.files_at(commit, names) as folder:
            options = self._find_options(folder / self.prefix)
            if not (folder / self.prefix).is_dir() or not discover(options.paths, _discovery(options)).files:
                return TrendNumbers()
            with clones_in(options, within=folder) as clones:
                report = clones.report(0, processes=options.processes)
        everything = report.copies_in()
        return TrendNumbers(
            files=report.files,
            lines=everything.lines,
            duplicated_lines=everything.copied_lines,
            classes=report.classes_found,
            classes_by_type=dict(report.classes_by_type),
            skipped=len(report.skipped),
        )

    def _find_options(self, folder: Path) -> FindOptions:
        own = self.options
        return FindOptions(
            paths=(folder,),
            with_=own.with_,
            min_tokens=own.min_tokens,
            min_lines=own.min_lines,
            threshold=own.threshold,
            language=own.language,
            exclude=own.exclude,
            include_generated=own.include_generated,
            include_vendored=own.include_vendored,
            index=own.index,
            processes=own.processes,
        )


def _discovery(options: FindOptions) -> DiscoveryOptions:
    return DiscoveryOptions(
        options.language, options.exclude, options.gitignore, options.include_generated, options.include_vendored
    )


def _matters(name: str) -> bool:
    """Whether a file of a commit decides what is searched."""
    path = PurePosixPath(name)
    if path.name == _IGNORE or languages_of_path(path):
        return True
    return any(path.match(pattern) for pattern in PROJECT_FILES)


def _cached(path: Path) -> TrendNumbers | None:
    """What was measured earlier; None if it is not known, or damaged."""
    try:
        content = parse_json(read_text(path))
        numbers = TrendNumbers(**content)
        counts = [value for name, value in content.items() if name != "classes_by_type"]
        counts += [numbers.classes_by_type[name] for name in CLONE_TYPES]
        valid = len(content) == len(asdict(numbers)) and all(type(count) is int and count >= 0 for count in counts)
        return numbers if valid else None
    except (OSError, ValueError, TypeError, KeyError, InputError):
        return None


def _remember(path: Path, numbers: TrendNumbers) -> None:
    from clonetruth.store.records import write_text

    # Without a cache that can be written, each run measures again.
    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(json.dumps(asdict(numbers)), path)


def _plain(options: TrendOptions) -> dict[str, Any]:
    """The options that influence the numbers, as JSON values."""
    return {
        "finders": list(options.with_ or DEFAULT_FINDERS),
        "threshold": options.threshold,
        "min_tokens": options.min_tokens,
        "min_lines": options.min_lines,
        "languages": list(options.language),
        "exclude": list(options.exclude),
        "generated": options.include_generated,
        "vendored": options.include_vendored,
    }
