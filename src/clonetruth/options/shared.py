"""Options that several verbs share; a verb's own class inherits them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, option


@dataclass(frozen=True, kw_only=True)
class EngineOptions(Options):
    """Where SQL runs."""

    engine: str | None = option(
        None,
        metavar="NAME",
        project="duckdb",
        help="Where SQL runs: duckdb (default), spark, or spark=spark://host:port.",
    )
    memory_limit: str | None = option(
        None,
        names=("--memory",),
        metavar="SIZE",
        project=r"[\d.]+ ?\w*",
        help="Memory limit of the engine, for example 4GB.",
    )


@dataclass(frozen=True, kw_only=True)
class ProcessOptions(Options):
    """How many processes share the work."""

    processes: int | None = option(None, minimum=1, help="Number of worker processes (default: all cores).")


@dataclass(frozen=True, kw_only=True)
class JsonOptions(Options):
    """Output for programs."""

    json: bool = option(False, terminal=True, setting=False, help="Print the result as JSON.")


SPREADSHEET_SAFE = "For CSV: put an apostrophe before text that a spreadsheet could read as a formula."


@dataclass(frozen=True, kw_only=True)
class SpreadsheetOptions(Options):
    """CSV that is opened in a spreadsheet."""

    spreadsheet_safe: bool = option(False, help=SPREADSHEET_SAFE)


@dataclass(frozen=True, kw_only=True)
class HtmlOptions(Options):
    """Output for people."""

    html: Path | None = option(
        None, terminal=True, setting=False, help="Write a page of the result to this file (HTML)."
    )
