"""Clones of a source tree, from paths to a report: what `clonetruth find` calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from clonetruth.budgets import VARIABLE, budget
from clonetruth.code import available_cores
from clonetruth.code.discovery import GENERATED, Discovery, DiscoveryOptions, discover, shown_name
from clonetruth.code.discovery_memo import DiscoveryMemo
from clonetruth.code.git import Repository, RevisionRange
from clonetruth.detectors.equal_forms import EXACT, RENAMED
from clonetruth.detectors.finder import FinderOptions
from clonetruth.detectors.token_overlap import TOKENS
from clonetruth.errors import InputError
from clonetruth.find.baseline import Baseline, ChangedLines
from clonetruth.find.finder_specs import DEFAULT_FINDERS, FinderSpec
from clonetruth.find.grouping import CloneGrouping, NoveltyFilter, paired_fragments
from clonetruth.find.ignore_comments import suppressed
from clonetruth.find.index import IndexFile
from clonetruth.find.nested_pairs import without_repeated
from clonetruth.find.outcome import Clones
from clonetruth.find.report import CloneReport, UnparsedFile, UnreadFile, read_report
from clonetruth.find.search import search_files
from clonetruth.find.search_result import FUNCTION, SearchedFile, SearchResult
from clonetruth.find.tool_locations import with_locations
from clonetruth.find.walk_note import WalkNote
from clonetruth.options.declaration import verb
from clonetruth.options.find import FindOptions, granularities, mapped_extension, percent_limit
from clonetruth.progress import Progress

if TYPE_CHECKING:
    from clonetruth.store import Engine
    from clonetruth.tools import ExternalTool

_SENSITIVITY = ("finders", "granularity", "threshold", "min_tokens", "min_lines")
"""The options that decide what a clone is."""


@contextmanager
def targets(
    paths: Sequence[Path],
    options: DiscoveryOptions,
    *,
    since: str | None = None,
    memo: DiscoveryMemo | None = None,
) -> Iterator[Discovery]:
    """Yield the files to search.

    A range of revisions (``main..feature``) stands for the files that it changed, as they are at its end; without an
    end (``main..``), as they are in the working tree. The repository is that of the working folder.

    Args:
        paths: files, folders, or one range of revisions.
        options: which files to discover.
        since: the revision to compare with; cannot be combined with a range.
        memo: what an earlier walk through these paths learned.

    Raises:
        InputError: a path does not exist, there is no source file, or git does not know a revision.
    """
    ranges = [RevisionRange.parse(str(path)) for path in paths]
    if not any(ranges):
        yield _nonempty(discover(paths, options, memo))
        return
    (revisions, *more) = ranges
    if revisions is None or more or since is not None:
        raise InputError(
            "A range of revisions is searched by itself.", where=paths[0], hint="Leave out other paths and revisions."
        )
    repository = Repository(Path())
    names = repository.changed_files(revisions)
    if revisions.last is None:
        yield _changed(discover([repository.root], options), {repository.root / name for name in names})
        return
    with repository.files_at(revisions.last, names) as folder:
        discovery = discover([folder], options)
        discovery.files = [file._replace(name=str(file.path.relative_to(folder))) for file in discovery.files]
        yield discovery


def _nonempty(discovery: Discovery) -> Discovery:
    if not discovery.files and not discovery.skipped:
        left_out = "; ".join(f"{what} ({len(names):,})" for what, names in discovery.left_out.items())
        raise InputError(
            "There is no source file to search.",
            hint=f"Left out: {left_out}." if left_out else "See the languages: clonetruth code languages",
        )
    return discovery


def _changed(discovery: Discovery, changed: set[Path]) -> Discovery:
    """Only the files that changed; files left out elsewhere do not matter."""
    files = [file for file in discovery.files if file.path.resolve() in changed]
    return Discovery(files, discovery.skipped)


@verb(FindOptions)
def find_clones(options: FindOptions, *, progress: Progress | None = None) -> CloneReport:
    """Find clones in source code: functions that are equal, renamed, or edited copies of each other.

    Args:
        progress: called as the work goes on.

    Returns:
        The clone classes, largest waste first, and what was read and skipped.

    Raises:
        InputError: a path, a revision or a baseline cannot be read, there is no source file, or a file was skipped
            although `strict` is set.
        UnknownNameError: an unknown finder, tool or language.

    Example:
        >>> report = clonetruth.find_clones("src", min_tokens=30)
        >>> [member.path for member in report.classes[0].members]
        ['src/invoices.py', 'src/orders.py']
    """
    with clones_in(options, progress=progress) as clones:
        return annotated(clones.report(processes=options.processes, progress=progress), clones, options, progress)


@contextmanager
def clones_in(
    options: FindOptions, *, within: Path | None = None, progress: Progress | None = None
) -> Iterator[Clones]:
    """Yield the clones that `find_clones` reports, before they are described.

    Args:
        options: what is searched, and how.
        within: a real path; links in folders that lead out of it are not read.
        progress: called as the work goes on.

    Raises:
        InputError: see `find_clones`.
        UnknownNameError: see `find_clones`.
    """
    paths = options.paths or (Path(),)
    specs = FinderSpec.of(options.with_ or DEFAULT_FINDERS)
    limits = FinderOptions(options.threshold, options.min_tokens, options.min_lines)
    granularity = granularities(options.granularity)
    finders = specs.finders if FUNCTION in granularity else ()
    processes = _processes(options)
    index = IndexFile() if options.index else None
    chosen = _discovery(options, within)
    walk = WalkNote(index, paths, chosen) if index else None
    memo = walk.memo if walk else None
    with targets(paths, chosen, since=options.since, memo=memo) as discovery:
        if walk:
            walk.save()
        notes: list[str] = []
        novelty = _novelty(paths, options, discovery, notes)
        files = [SearchedFile(*file) for file in discovery.files]
        result = search_files(
            files,
            finders,
            limits,
            index=index,
            engine=_engine(options),
            statements=granularity != (FUNCTION,),
            processes=processes,
            progress=progress,
        )
        notes += _left_out(result)
        for tool in specs.tools:
            result = _with_tool(result, tool, limits, notes, progress)
        # Only the tool itself has compared the locations that it reports.
        complete = ({EXACT, RENAMED} <= set(finders) or not finders) and not specs.tools
        equal = (EXACT.name, RENAMED.name) if complete else None
        result = without_repeated(result, by_finders=complete)
        if result.statements:
            result = _with_blocks(result, granularity, limits, CloneGrouping(result, equal=equal, processes=processes))
        ignored = suppressed(result, paired_fragments(result.pairs))
        clones = Clones(
            result=result,
            grouping=CloneGrouping(
                result,
                equal=equal,
                ignored=ignored,
                novelty=novelty,
                processes=processes,
            ),
            discovery=discovery,
            ignored=_names(result, ignored),
            novelty=novelty,
            notes=tuple(notes),
            options=_plain(options),
            index_warnings=index.warnings if index else (),
        )
        if options.strict:
            _refuse(clones.skipped, "could not be read")
            _refuse(clones.unparsed, "could mostly not be parsed")
        yield clones


def annotated(
    report: CloneReport, clones: Clones, options: FindOptions, progress: Progress | None = None
) -> CloneReport:
    """Return a report with what its options ask for besides the clones.

    Args:
        report: the report.
        clones: what it reports.
        options: the options.
        progress: called as the work goes on.

    Raises:
        MissingExtraError: git or the sandbox is needed, and not installed.
    """
    if options.blame:
        from clonetruth.find.blame import with_blame

        report = with_blame(report, {file.name: file.path for file in clones.result.files}, _processes(options))
    if options.hints:
        from clonetruth.find.hints import with_hints

        report = with_hints(report)
    if options.run:
        from clonetruth.find.behaviour import with_behaviour

        generated = _generated(clones.discovery, options)
        report = with_behaviour(report, clones.result.files, options, progress, generated=generated)
    return report


def _generated(searched: Discovery, options: FindOptions) -> list[SearchedFile]:
    """The generated files that were left out of a search of files and folders."""
    names = set(searched.left_out.get(GENERATED, ()))
    if not names or any(RevisionRange.parse(str(path)) for path in options.paths):
        return []
    every = discover(options.paths or (Path(),), replace(_discovery(options), generated=True))
    return [SearchedFile(*one) for one in every.files if one.name in names]


def failed_gates(options: FindOptions, report: CloneReport) -> Iterator[str]:
    """Iterate over the gates that a report does not pass, in words.

    Raises:
        InputError: a folder with a limit was not searched.
    """
    if options.fail_on is not None and report.has_clone(options.fail_on):
        new = f" {report.only_new}" if report.only_new else ""
        yield f"Gate --fail-on {options.fail_on}: there are clones of this or a stronger type{new}."
    for text in options.max_percent:
        folder, most = percent_limit(text)
        copies = report.copies_in(folder)
        if copies.percent > most:
            yield (
                f"Gate --max-percent {text}: {copies.copied_lines:,} of {copies.lines:,} lines "
                f"({copies.percent:.1f} %) are copies."
            )
    found = report.behaviour
    if (
        options.max_inconsistent is not None
        and found is not None
        and len(found.inconsistent) > options.max_inconsistent
    ):
        new = f" {report.only_new}" if report.only_new else ""
        yield (
            f"Gate --max-inconsistent {options.max_inconsistent}: {len(found.inconsistent):,} of {found.copies:,} "
            f"edited or renamed copies behave differently{new}; undecided: "
            f"{sum(found.copies_undecided.values()):,}."
        )


def _left_out(result: SearchResult) -> Iterator[str]:
    for name, count in result.left_out.items():
        yield (
            f"'{name}' found {count:,} pairs more than the budget 'found_pairs' of {budget().found_pairs:,}. "
            "They are not listed; all code in them is, though large classes may be shown in parts. "
            f"{VARIABLE}=found_pairs=N raises it."
        )


def _refuse(files: Sequence[UnreadFile | UnparsedFile], what: str) -> None:
    if files:
        raise InputError(
            f"{len(files):,} of the files {what}. The first: {files[0].why}",
            where=files[0].path,
            hint="Fix or exclude these files, or do without --strict.",
        )


def _processes(options: FindOptions) -> int:
    return options.processes or available_cores()


def _discovery(options: FindOptions, within: Path | None = None) -> DiscoveryOptions:
    return DiscoveryOptions(
        options.language,
        options.exclude,
        options.gitignore,
        options.include_generated,
        options.include_vendored,
        tuple(mapped_extension(entry) for entry in options.language_map),
        within,
    )


def _engine(options: FindOptions) -> Engine | None:
    """The requested engine; by default none, since joins in memory are faster if they fit."""
    if options.engine is None and options.memory_limit is None:
        return None
    from clonetruth.store import open_engine

    return open_engine(options.engine, options.memory_limit)


def _novelty(
    paths: Sequence[Path], options: FindOptions, discovery: Discovery, notes: list[str]
) -> NoveltyFilter | None:
    if options.since is not None:
        folder = next((path if path.is_dir() else path.parent for path in paths), Path())
        since = ChangedLines.of(options.since, {file.name: file.path for file in discovery.files}, folder)
        notes += since.notes(discovery.left_out)
        return since
    if options.baseline is None or (options.update_baseline and not options.baseline.exists()):
        return None
    earlier, now = read_report(options.baseline), _plain(options)
    changed = [name for name in _SENSITIVITY if name in earlier.options and earlier.options[name] != now[name]]
    if changed:
        notes.append(
            f"The baseline was written with other options ({', '.join(changed)}): pairs of its members that only these "
            "options make clones are not reported. Write it again."
        )
    return Baseline.of(earlier)


def _with_tool(
    result: SearchResult, tool: ExternalTool, options: FinderOptions, notes: list[str], progress: Progress | None
) -> SearchResult:
    from clonetruth.formats.reports import ReadingLog
    from clonetruth.tools import ToolOptions, external_pairs

    log = ReadingLog()
    limits = ToolOptions(options.threshold, options.min_tokens, options.min_lines)
    pairs = external_pairs({file.name: file.path for file in result.files}, tool, limits, log=log, progress=progress)
    notes += (f"{tool.name}: {note}" for note in log.notes)
    if log.skipped:
        notes.append(f"{tool.name}: {log.skipped:,} rows of its report are invalid and were left out")
    return with_locations(result, tool.name, pairs)


def _with_blocks(
    result: SearchResult, granularity: Sequence[str], options: FinderOptions, functions: CloneGrouping
) -> SearchResult:
    from clonetruth.find.block_cover import BlockLimits
    from clonetruth.find.block_fragments import with_blocks

    classes: dict[int, list[int]] = {}
    for number, group in enumerate(functions.groups):
        for occurrence in group.occurrences:
            classes.setdefault(occurrence.fragment, []).append(number)
    threshold = TOKENS.default_threshold if options.threshold is None else options.threshold
    pairs = [result.pairs[side].to_numpy() for side in ("left", "right")]
    return with_blocks(
        result,
        granularity,
        BlockLimits(options.min_tokens, options.min_lines, threshold),
        classes,
        functions.equivalence.types(*pairs),
    )


def _names(result: SearchResult, fragments: Collection[int]) -> tuple[str, ...]:
    table = result.fragments.select(["file", "first_line", "name"])
    rows = table.take(pa.array(sorted(fragments), pa.int64())).to_pylist()
    return tuple(f"{result.files[row['file']].name}:{row['first_line']} {row['name']}" for row in rows)


def _plain(options: FindOptions) -> dict[str, Any]:
    """The options that influence the report, as JSON values."""
    return {
        "finders": list(options.with_ or DEFAULT_FINDERS),
        "granularity": list(granularities(options.granularity)),
        "threshold": options.threshold,
        "min_tokens": options.min_tokens,
        "min_lines": options.min_lines,
        **{
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(_discovery(options)).items()
            if name != "within"
        },
        "since": options.since,
        "baseline": options.baseline and shown_name(options.baseline),
    }
