"""The boundary between clonetruth and the terminal: the only module that prints.

A string is data: whatever it contains is shown literally, with control characters escaped (`clonetruth.safe_text`). Our
own styles are `styled` pieces. Results go to standard output, everything else to standard error. Rich is imported only
when something is shown, so that `--help` answers at once.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clonetruth.errors import CloneTruthError, OperatingSystemError, UnexpectedError
from clonetruth.progress import Progress, no_progress
from clonetruth.safe_text import CELL_LIMIT, visible, visible_code, visible_json, visible_lines

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

DEBUG_VARIABLE = "CLONETRUTH_DEBUG"
"""An environment variable: if it is set, errors come with their traceback."""

_LITERAL: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False}
"""Options of a console that shows strings as they are."""


class Styled(NamedTuple):
    """A piece of a line with a style of rich, such as "bold red"."""

    text: str
    style: str


class Lines(NamedTuple):
    """A table cell of several lines."""

    lines: tuple[str, ...]


Line = str | Styled | Sequence[str | Styled]
"""A line to print: a text, or pieces of which some have a style."""


def styled(text: object, style: str = "bold") -> Styled:
    """A piece of a line in a style."""
    return Styled(str(text), style)


# --- standard output


def show(*lines: Line) -> None:
    """Print lines for a person."""
    _print(*(_text(line) for line in lines))


def show_paragraphs(text: str) -> None:
    """Print a text that may have several lines; all but the first are indented."""
    show(*_indented(text).split("\n"))


def show_written(path: object, note: str = "", *, err: bool = False) -> None:
    """Print which file was written, on one line that can be copied."""
    _write(f"Written: {visible(path)}{note}\n", err=err)


def plain_text(lines: Iterable[Line]) -> str:
    """What `show` would print, without styles, for a file."""
    from rich.console import Console

    out = io.StringIO()
    plain = Console(file=out, **_LITERAL, soft_wrap=True, width=160)
    for line in lines:
        plain.print(_text(line))
    return out.getvalue()


_LONGEST_NAME = 60
"""Characters of a row's name that is never wrapped."""


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; columns of numbers are set to the right."""
    from rich import box
    from rich.table import Table

    # A list of facts has no column names, and so no header.
    headed = any(columns)
    heading = _text(title) if title else None
    table = Table(title=heading, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_header=headed)
    for index, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        # The first column names the row, so it is the last to wrap; long texts there would leave the others no room.
        names = index == 0 and all(len(str(row[0])) <= _LONGEST_NAME for row in rows)
        table.add_column(_cell(column), justify="right" if numeric else "left", overflow="fold", no_wrap=names)
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    _print(table)


def show_columns(title: str, columns: Sequence[str], rows: Iterable[Sequence[str | Styled]]) -> None:
    """Print texts side by side: columns with a name share the width of the terminal."""
    from rich import box
    from rich.table import Table

    wide = _is_terminal(sys.stdout)
    table = Table(title=_text(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, expand=wide)
    for column in columns:
        table.add_column(_text(column), ratio=1 if column else None, overflow="fold")
    for row in rows:
        table.add_row(*(_text(cell) for cell in row))
    _print(table)


def show_json(result: object) -> None:
    """Print a result as JSON: dataclasses by their fields, paths as strings."""
    _write(visible_json(json.dumps(_plain(result), indent=2, ensure_ascii=False)) + "\n")


def show_code(text: str) -> None:
    """Print source text in full."""
    _write(visible_code(text) + "\n")


def put(text: str) -> None:
    """Print a text for programs (CSV, SARIF, JSON) exactly; only a terminal gets escapes for what cannot be seen."""
    _write(visible_code(text) if _is_terminal(sys.stdout) else text)


# --- standard error


def show_note(text: str) -> None:
    """Print a line on standard error: what a command does, or did."""
    _write(f"{visible(text)}\n", err=True)


def show_warning(text: str) -> None:
    """Print a warning on standard error."""
    _write(f"{_mark('warning:', fg='yellow')} {_indented(text)}\n", err=True)


def show_error(error: CloneTruthError) -> None:
    """Print an error: what, where, what to do. A bug comes with the file that has its traceback."""
    place = f"{visible(error.where)}: " if error.where else ""
    lines = [f"{_mark('error:', fg='red')} {place}{_indented(error.what)}"]
    if error.hint:
        lines.append(f"  {_indented(error.hint)}")
    details = "".join(traceback.format_exception(error))
    if os.environ.get(DEBUG_VARIABLE):
        lines.append(visible_lines(details, limit=10**6))
    elif isinstance(error, UnexpectedError) and error.__cause__ is not None:
        lines.append(f"  This is a bug. Please report it together with {_saved(details)}")
    _write("\n".join(lines) + "\n", err=True)


def show_usage_error(error: click.ClickException) -> None:
    """Print click's words on a wrong usage."""
    usage = io.StringIO()
    click.UsageError("", getattr(error, "ctx", None)).show(usage)
    _write(f"{usage.getvalue().rstrip()} {_indented(error.format_message().expandtabs(4))}\n", err=True)


def _saved(details: str) -> str:
    """The file that has the traceback of a bug."""
    try:
        with tempfile.NamedTemporaryFile("w", prefix="clonetruth-bug-", suffix=".txt", delete=False) as file:
            file.write(visible_lines(details, limit=10**6))
    except OSError:
        return f"what it prints with {DEBUG_VARIABLE}=1"
    return file.name


def _mark(word: str, fg: str) -> str:
    plain = os.environ.get("NO_COLOR") or not _is_terminal(sys.stderr)
    return word if plain else click.style(word, fg=fg, bold=True)


def _indented(text: str) -> str:
    """A message whose further lines are indented, so that none of them looks like one of ours."""
    first, *more = visible_lines(text).split("\n")
    return "\n".join([first, *(line if line.startswith(" ") or not line else f"  {line}" for line in more)])


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on standard error, fed with (what, done since the last call, total).

    It is silent when standard error is not a terminal.
    """
    if not _is_terminal(sys.stderr):
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, **_LITERAL),
        transient=True,
    ) as bar:
        tasks: dict[str, TaskID] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(visible(what, CELL_LIMIT), total=total)
            bar.advance(tasks[what], done)

        yield advance


# --- how it is done


def screen_width() -> int:
    """The number of characters of a line of standard output."""
    return _console(io.StringIO()).width


def _console(out: io.StringIO) -> Console:
    from rich.console import Console

    terminal = _is_terminal(sys.stdout)
    # A pipe has no width; the usual guess of 80 would only break lines.
    width = None if terminal or "COLUMNS" in os.environ else 160
    return Console(file=out, force_terminal=terminal, **_LITERAL, soft_wrap=not terminal, width=width)


def _print(*things: RenderableType) -> None:
    """Render for standard output, then write: rich would end the process if nobody reads it."""
    out = io.StringIO()
    console = _console(out)
    for thing in things:
        console.print(thing)
    _write(out.getvalue())


def _text(line: Line) -> Text:
    from rich.text import Text

    text = Text()
    for piece in [line] if isinstance(line, str | Styled) else line:
        if isinstance(piece, Styled):
            text.append(visible(piece.text), piece.style)
        else:
            text.append(visible(piece))
    return text


def _cell(value: object) -> Text:
    from rich.text import Text

    if value is None:
        return Text("–")
    if isinstance(value, Lines):
        return Text("\n".join(visible(line, CELL_LIMIT) for line in value.lines))
    return Text(f"{value:,}" if isinstance(value, int) else visible(value, CELL_LIMIT))


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


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()


def _write(text: str, *, err: bool = False) -> None:
    """Write to standard output or error, whole and at once.

    If nobody reads standard output any more (`| head`), nothing more is written, and the command goes on: its exit code
    says what it found.

    Raises:
        OperatingSystemError: standard output cannot be written.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:  # closed from the beginning
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        _discard(stream)
        if err or isinstance(error, BrokenPipeError):
            return
        raise OperatingSystemError(
            f"The result cannot be printed ({error.strerror or error}).", where="standard output"
        ) from error


def all_written() -> bool:
    """Write what the streams still hold; False if that fails."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


def _discard(stream: Any) -> None:
    """Send what a stream still holds, and all that follows, nowhere: closing it would fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)
