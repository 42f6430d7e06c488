"""What a person or a script sees: tables, JSON, progress, errors.

Results go to standard output, everything else to standard error. Rich is imported only when something is
shown, so that `--help` answers at once.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from clonetruth.errors import CloneTruthError
from clonetruth.progress import Progress, no_progress

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


def console() -> Console:
    """The console for results. It honours NO_COLOR, and writes plain text into a pipe."""
    from rich.console import Console

    # A pipe has no width; the usual guess of 80 would only break lines.
    free = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty(), width=160 if free else None)


def show(*things: RenderableType) -> None:
    """Print what rich can render."""
    out = console()
    for thing in things:
        out.print(thing)


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; columns of numbers are set to the right."""
    from rich import box
    from rich.table import Table

    # A list of facts has no column names, and so no header.
    headed = any(columns)
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_header=headed)
    for index, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        # The first column names the row, so it is the last to wrap.
        table.add_column(column, justify="right" if numeric else "left", overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    show(table)


def _cell(value: object) -> str:
    from rich.markup import escape

    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def show_json(result: object) -> None:
    """Print a result as JSON: dataclasses by their fields, paths as strings."""
    click.echo(json.dumps(_plain(result), indent=2, ensure_ascii=False))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, PurePath):
        return str(value)
    return value


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on standard error, fed with (what, done since the last call, total).

    It is silent when standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        tasks: dict[str, TaskID] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.advance(tasks[what], done)

        yield advance


def show_warning(text: str) -> None:
    """Print a warning on standard error."""
    click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {text}", err=True)


def show_error(error: CloneTruthError) -> None:
    """Print an error that a user can fix: what, where, what to do."""
    mark = "error:" if os.environ.get("NO_COLOR") else click.style("error:", fg="red", bold=True)
    place = f"{error.where}: " if error.where else ""
    click.echo(f"{mark} {place}{error.what}", err=True)
    if error.hint:
        click.echo(f"  {error.hint}", err=True)
