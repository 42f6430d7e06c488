"""`clonetruth find`: the clones of a source tree."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.find_blocks import block_file, block_text
from clonetruth.cli.output import progress_bar
from clonetruth.cli.settings import ConfiguredCommand

if TYPE_CHECKING:
    from clonetruth.find import CloneOptions, CloneReport
    from clonetruth.store import Engine

_TYPES = ("T1", "T2", "T3")
_FORMATS = ("text", "html", "sarif", "json", "csv", "bigcloneeval")
_TOP = 20
"""Classes that a terminal shows unless told."""


@dataclass(frozen=True)
class FindCall:
    """The options of the command, as it was called."""

    paths: tuple[Path, ...]
    finders: tuple[str, ...]
    min_tokens: int
    min_lines: int
    threshold: float | None
    languages: tuple[str, ...]
    exclude: tuple[str, ...]
    form: str
    output: Path | None
    since: str | None
    baseline: Path | None
    fail_on: str | None
    top: int | None
    strict: bool
    generated: bool
    vendored: bool
    gitignore: bool
    index: bool
    processes: int | None
    engine: str | None
    memory_limit: str | None

    @property
    def classes(self) -> int | None:
        """How many classes are described; None for all, and 0 where the format only lists pairs."""
        if self.form in ("csv", "bigcloneeval"):
            return 0
        unless_told = _TOP if self.form == "text" else None
        return unless_told if self.top is None else self.top or None


def _number_or_all(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A number, or 0 for `all`."""
    if value is None or value == "all":
        return None if value is None else 0
    if not value.isdecimal() or int(value) == 0:
        raise click.BadParameter(f"'{value}' is no number of classes; give one, or all.", context, parameter)
    return int(value)


_path = click.Path(path_type=Path)


@click.command(cls=ConfiguredCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=_path)
@click.option(
    "--with", "finders", multiple=True, metavar="NAMES", help="Who looks for clones: tokens,nearmiss:renaming=none …"
)
@click.option("--min-tokens", type=int, default=50, show_default=True, help="Leave out smaller functions.")
@click.option("--min-lines", type=int, default=1, show_default=True, help="Leave out shorter functions.")
@click.option("--threshold", type=float, help="The least similarity, in (0, 1]; each finder's own unless told.")
@click.option("--language", "languages", multiple=True, help="Only files in this language.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and folders, as .gitignore would.")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="How clones are told."
)
@click.option("-o", "--output", type=_path, help="A file for the result, instead of standard output.")
@click.option("--since", metavar="REVISION", help="Only clones with lines that were changed since a revision of git.")
@click.option("--baseline", type=_path, help="Only clones that are not in this file, which --format json wrote.")
@click.option("--fail-on", type=click.Choice(_TYPES), help="Exit with 1 if a clone of this or a stronger type is told.")
@click.option(
    "--top",
    metavar="N",
    callback=_number_or_all,
    help=f"How many classes are told, or all; unless told, {_TOP} as text and all in other formats.",
)
@click.option("--strict", is_flag=True, help="A file that cannot be read is an error.")
@click.option("--include-generated", "generated", is_flag=True, help="Look at generated files too.")
@click.option("--include-vendored", "vendored", is_flag=True, help="Look at vendored folders and build output too.")
@click.option("--gitignore/--no-gitignore", default=True, help="Leave out what .gitignore names, as is the default.")
@click.option("--index/--no-index", default=True, help="Use and keep what was learned of files, as is the default.")
@click.option("--processes", type=click.IntRange(min=1), help="Processes to use; all cores unless told.")
@engine_options
@click.pass_context
def find(context: click.Context, /, **options: Any) -> None:
    """Find clones in source code: functions that are equal, renamed, or edited copies of each other.

    PATH is a folder, a file, a range of git revisions (main..feature: the files that it changed), or a block file of
    SourcererCC; the working folder unless told. Settings are read from [tool.clonetruth.find] of pyproject.toml, or
    [find] of clonetruth.toml.
    """
    call = FindCall(**options)
    path = block_file(call.paths)
    if path is not None:
        _put([block_text(path, call.finders, call.form, call.threshold)], call.output)
    elif _run(call):
        context.exit(1)


def _run(call: FindCall) -> bool:
    """Find, tell; whether something was found that must not be."""
    from clonetruth.cli.find_output import clones_text, show_clones, show_summary, show_warnings
    from clonetruth.code import available_cores
    from clonetruth.find import IndexFile, clones_in

    processes = call.processes or available_cores()
    index = IndexFile() if call.index else None
    paths = call.paths or (Path(),)
    with ExitStack() as searched:
        with progress_bar() as progress:
            searching = clones_in(
                paths, _options(call), index=index, engine=_engine(call), processes=processes, progress=progress
            )
            clones = searched.enter_context(searching)
            report = clones.report(call.classes, processes=processes, progress=progress)
        show_warnings(report, index.warnings if index else ())
        if call.form == "text" and call.output is None:
            show_clones(report)
        elif _put(clones_text(call.form, clones, report), call.output):
            show_summary(report)
    return _fails(call, report)


def _engine(call: FindCall) -> Engine | None:
    """The engine that was asked for: it is slower than memory wherever that suffices."""
    if call.engine is None and call.memory_limit is None:
        return None
    from clonetruth.store import open_engine

    return open_engine(call.engine, call.memory_limit)


def _put(pieces: Iterable[str], output: Path | None) -> bool:
    """Print a text, or write it to a file; whether it went to a file."""
    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return False
    from clonetruth.store.records import write_text

    click.echo(f"Written: {write_text(pieces, output)}")
    return True


def _fails(call: FindCall, report: CloneReport) -> bool:
    if call.fail_on is None:
        return False
    bad = _TYPES[: _TYPES.index(call.fail_on) + 1]
    return any(report.classes_by_type.get(name) for name in bad)


def _options(call: FindCall) -> CloneOptions:
    from clonetruth.code.discovery import DiscoveryOptions
    from clonetruth.detectors import FindOptions
    from clonetruth.find import DEFAULT_FINDERS, CloneOptions

    return CloneOptions(
        finders=call.finders or DEFAULT_FINDERS,
        find=FindOptions(call.threshold, call.min_tokens, call.min_lines),
        discovery=DiscoveryOptions(call.languages, call.exclude, call.gitignore, call.generated, call.vendored),
        since=call.since,
        baseline=call.baseline,
        strict=call.strict,
    )
