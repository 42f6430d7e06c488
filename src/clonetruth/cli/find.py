"""`clonetruth find`: the clones of a source tree."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import click

from clonetruth.cli.ending import allow_quick_end
from clonetruth.cli.output import progress_bar, put, show_warning, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.errors import InputError
from clonetruth.options.find import READ_FORMATS, TEXT_CLASSES, FindOptions

_CODE_FORMATS = ("json", "html")
"""The formats that print the code of clones."""
_BLOCK_FINDER, _BLOCK_FORMATS = ("tokens",), ("text", "csv")


@verb_command(FindOptions)
def find(options: FindOptions) -> int:
    """Find clones and print them; the exit code is 1 if --fail-on says so."""
    if options.json:
        options = replace(options, format="json")
    if options.spreadsheet_safe and options.format != "csv":
        raise click.UsageError("--spreadsheet-safe needs --format csv.")
    top = _top(options)
    path = _block_file(options.paths)
    if path is not None:
        _put([_block_text(path, options.with_, options.format, options.threshold)], options.output)
        return 0
    from clonetruth.code.parallel import allow_forking, available_cores

    allow_forking()
    from clonetruth.cli.find_output import clones_text, show_clones, show_summary, show_warnings
    from clonetruth.find import annotated, clones_in, copies_badge, failed_gates, report_text

    with ExitStack() as searched:
        with progress_bar() as progress:
            clones = searched.enter_context(clones_in(options, progress=progress))
            texts = options.format in _CODE_FORMATS or options.html is not None or options.hints
            # Copies are run whether they are shown or not.
            described = None if options.run else top
            report = clones.report(described, texts=texts, processes=options.processes, progress=progress)
            report = annotated(report, clones, options, progress)
            report = replace(report, classes=report.classes[:top])
        show_warnings(report, clones.index_warnings)
        if options.format == "text" and options.output is None:
            show_clones(report)
        else:
            processes = options.processes or available_cores()
            text = clones_text(
                options.format, clones, report, spreadsheet_safe=options.spreadsheet_safe, processes=processes
            )
            if _put(text, options.output):
                show_summary(report)
        if options.html is not None:
            from clonetruth.html import write
            from clonetruth.report.clones import clones_page

            show_written(write(clones_page(report), options.html))
        if options.badge is not None:
            _put([copies_badge(report)], options.badge)
        failed = list(failed_gates(options, report))
        for gate in failed:
            show_warning(gate)
        if options.update_baseline and options.baseline is not None:
            every = clones.unlimited().report(processes=options.processes)
            _put([report_text(every)], options.baseline)
    # Without an engine or a sandbox, whose connections and processes end with Python.
    if options.engine is None and options.memory_limit is None and not options.run:
        allow_quick_end()
    return int(bool(failed))


def _top(options: FindOptions) -> int | None:
    """The number of classes to describe; None for all, 0 for formats that only list pairs."""
    if options.format in ("csv", "bigcloneeval"):
        return 0
    if options.top is None:
        return TEXT_CLASSES if options.format in READ_FORMATS and options.html is None else None
    if options.top == "all":
        return None
    if not options.top.isdecimal() or int(options.top) == 0:
        raise click.BadParameter(f"'{options.top}' is not a number of classes; give one, or all.", param_hint="--top")
    return int(options.top)


def _put(pieces: Iterable[str], output: Path | None) -> bool:
    """Print a text, or write it to a file; True if it went to a file."""
    if output is None:
        for piece in pieces:
            put(piece)
        return False
    from clonetruth.store.records import write_text

    show_written(write_text(pieces, output))
    return True


# --- SourcererCC block files: bags of tokens without code, so pairs are all there is to print


def _block_file(paths: tuple[Path, ...]) -> Path | None:
    """The given block file; None if source code was given.

    Raises:
        InputError: there are other paths besides the block file.
    """
    files = [path for path in paths if path.is_file()]
    if not files:
        return None
    from clonetruth.formats.sourcerer_blocks import is_block_file

    found = [path for path in files if is_block_file(path)]
    if found and len(paths) > 1:
        raise InputError("A block file is searched by itself.", where=found[0], hint="Leave out other paths.")
    return found[0] if found else None


def _block_text(path: Path, finders: tuple[str, ...], form: str, threshold: float | None) -> str:
    """The pairs of blocks as CSV: `left,right,score`.

    Args:
        path: the block file.
        finders: the requested finders; only `tokens` can read blocks.
        form: the requested format.
        threshold: the minimum score (default: the finder's own).

    Raises:
        InputError: the file cannot be read.
        click.UsageError: another finder or format.
    """
    from clonetruth.detectors import FinderOptions
    from clonetruth.find import block_pairs

    if finders not in ((), _BLOCK_FINDER) or form not in _BLOCK_FORMATS:
        raise click.UsageError("Blocks have tokens and no text: give --with tokens, and --format csv.")
    with progress_bar() as progress:
        pairs = block_pairs(path, FinderOptions(threshold).threshold, progress=progress)
    rows = zip(*(column.to_pylist() for column in pairs.columns), strict=True)
    return "".join(["left,right,score\n", *(f"{left},{right},{score}\n" for left, right, score in rows)])
