"""Finding the clones of a source tree, from paths to a report: what `clonetruth find` calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from clonetruth.code.discovery import Discovery, DiscoveryOptions, discover, shown_name
from clonetruth.code.git import Repository, RevisionRange
from clonetruth.detectors.equal_forms import EXACT, RENAMED
from clonetruth.detectors.finder import FindOptions
from clonetruth.errors import InputError
from clonetruth.find.baseline import Baseline, ChangedLines
from clonetruth.find.finder_specs import DEFAULT_FINDERS, FinderSpec
from clonetruth.find.grouping import CloneGrouping, NoveltyFilter, paired_fragments
from clonetruth.find.index import IndexFile
from clonetruth.find.outcome import Clones
from clonetruth.find.report import CloneReport, read_report
from clonetruth.find.search import search
from clonetruth.find.search_result import SearchedFile, SearchResult
from clonetruth.find.suppression import suppressed
from clonetruth.find.tool_locations import with_places
from clonetruth.progress import Progress

if TYPE_CHECKING:
    from clonetruth.store import Engine
    from clonetruth.tools import ExternalTool


# What a user wants to be searched: folders, files, and ranges of git revisions.


@contextmanager
def targets(paths: Sequence[Path], options: DiscoveryOptions, *, since: str | None = None) -> Iterator[Discovery]:
    """The files that are to be searched, for as long as the block lasts.

    A range of revisions (``main..feature``) stands for the files that it changed, as they are at its end; without an
    end (``main..``) as they are in the working tree. The repository is that of the working folder.

    Args:
        paths: what is to be searched.
        options: which files count.
        since: a revision that changes are asked for; a range has revisions of its own.

    Raises:
        InputError: a path does not exist, there is no source file, or git does not know a revision.
    """
    asked = [RevisionRange.read(str(path)) for path in paths]
    if not any(asked):
        yield _found(discover(paths, options))
        return
    (only, *more) = asked
    if only is None or more or since is not None:
        raise InputError(
            "A range of revisions is searched by itself.", where=paths[0], hint="Leave out other paths and revisions."
        )
    repository = Repository(Path())
    names = repository.changed_files(only)
    if only.last is None:
        yield _changed(discover([repository.top], options), {repository.top / name for name in names})
        return
    with repository.files_at(only.last, names) as folder:
        found = discover([folder], options)
        found.files = [file._replace(name=str(file.path.relative_to(folder))) for file in found.files]
        yield found


def _found(found: Discovery) -> Discovery:
    if not found.files and not found.skipped:
        left_out = "; ".join(f"{what} ({len(names):,})" for what, names in found.left_out.items())
        raise InputError(
            "There is no source file to look at.",
            hint=f"Left out: {left_out}." if left_out else "See the languages: clonetruth code languages",
        )
    return found


def _changed(found: Discovery, changed: set[Path]) -> Discovery:
    """Of what was found, the files that were changed; what was left out elsewhere is nobody's business."""
    files = [file for file in found.files if file.path.resolve() in changed]
    return Discovery(files, found.skipped)


@dataclass(frozen=True)
class CloneOptions:
    """What counts as a clone, and which clones are reported.

    Attributes:
        finders: who looks for clones; see `FinderSpec`.
        find: which functions are compared, and which pairs are reported.
        discovery: which files are looked at.
        since: report only classes with a member in lines that were changed since this revision of git.
        baseline: report only classes with a member that is not in this report, which `report_text` made.
        strict: a file that cannot be read is an error.

    Raises:
        InputError: both `since` and `baseline` are given.
    """

    finders: tuple[str, ...] = DEFAULT_FINDERS
    find: FindOptions = field(default_factory=FindOptions)
    discovery: DiscoveryOptions = field(default_factory=DiscoveryOptions)
    since: str | None = None
    baseline: Path | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.since is not None and self.baseline is not None:
            raise InputError("A report is either what is new since a revision, or against a baseline.", where="since")


def find_clones(
    paths: Sequence[Path],
    options: CloneOptions | None = None,
    *,
    index: IndexFile | None = None,
    engine: Engine | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> CloneReport:
    """Find the clones in files and folders; see `clones_in`."""
    searching = clones_in(paths, options, index=index, engine=engine, processes=processes, progress=progress)
    with searching as clones:
        return clones.report(processes=processes, progress=progress)


@contextmanager
def clones_in(
    paths: Sequence[Path],
    options: CloneOptions | None = None,
    *,
    index: IndexFile | None = None,
    engine: Engine | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> Iterator[Clones]:
    """The clones in files and folders, to be looked at for as long as the block lasts.

    Args:
        paths: files and folders, or a range of git revisions; see `targets`.
        options: what counts, and what is reported.
        index: what earlier searches learned.
        engine: see `search`.
        processes: how many processes may share the work.
        progress: told what is being done.

    Raises:
        InputError: a path, a revision or a baseline cannot be read, there is nothing to look at, or a file was skipped
            and that was not to be.
        UnknownNameError: a finder, a tool or a language that nobody knows.
    """
    options = options or CloneOptions()
    wishes = FinderSpec.of(options.finders)
    with targets(paths, options.discovery, since=options.since) as discovery:
        news = _news(paths, options, discovery)
        files = [SearchedFile(*file) for file in discovery.files]
        found = search(
            files,
            wishes.finders,
            options.find,
            index=index,
            engine=engine,
            processes=processes,
            progress=progress,
        )
        notes: list[str] = []
        for tool in wishes.tools:
            found = _with_tool(found, tool, options.find, notes, progress)
        ignored = suppressed(found, paired_fragments(found.pairs))
        # Nobody but a tool has looked at the places that it reports.
        complete = {EXACT, RENAMED} <= set(wishes.finders) and not wishes.tools
        clones = Clones(
            found=found,
            gathering=CloneGrouping(
                found,
                equal=(EXACT.name, RENAMED.name) if complete else None,
                ignored=ignored,
                news=news,
                processes=processes,
            ),
            discovery=discovery,
            ignored=_names(found, ignored),
            news=news,
            notes=tuple(notes),
            options=_plain(options),
        )
        if options.strict and (skipped := clones.skipped):
            first = skipped[0]
            raise InputError(
                f"{len(skipped):,} of the files could not be read. The first: {first.why}",
                where=first.path,
                hint="Mend or leave out these files, or do not ask for --strict.",
            )
        yield clones


def _news(paths: Sequence[Path], options: CloneOptions, discovery: Discovery) -> NoveltyFilter | None:
    if options.since is not None:
        folder = next((path if path.is_dir() else path.parent for path in paths), Path())
        return ChangedLines.of(options.since, {file.name: file.path for file in discovery.files}, folder)
    return None if options.baseline is None else Baseline.of(read_report(options.baseline))


def _with_tool(
    found: SearchResult, tool: ExternalTool, options: FindOptions, notes: list[str], progress: Progress | None
) -> SearchResult:
    from clonetruth.formats.reports import ReadingLog
    from clonetruth.tools import ToolOptions, external_pairs

    log = ReadingLog()
    asked = ToolOptions(options.threshold, options.min_tokens, options.min_lines)
    pairs = external_pairs({file.name: file.path for file in found.files}, tool, asked, log=log, progress=progress)
    notes += (f"{tool.name}: {note}" for note in log.notes)
    if log.skipped:
        notes.append(f"{tool.name}: {log.skipped:,} rows of its report have no sense, and were left out")
    return with_places(found, tool.name, pairs)


def _names(found: SearchResult, fragments: Collection[int]) -> tuple[str, ...]:
    rows = (
        found.fragments.take(pa.array(sorted(fragments), pa.int64())).select(["file", "first_line", "name"]).to_pylist()
    )
    return tuple(f"{found.files[row['file']].name}:{row['first_line']} {row['name']}" for row in rows)


def _plain(options: CloneOptions) -> dict[str, Any]:
    """The options as JSON values."""
    return {
        "finders": list(options.finders),
        **asdict(options.find),
        **{
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(options.discovery).items()
        },
        "since": options.since,
        "baseline": options.baseline and shown_name(options.baseline),
    }
