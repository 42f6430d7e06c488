"""`clonetruth sources`, `clonetruth import`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import argument
from clonetruth.options.declaration import option as declare
from clonetruth.options.shared import JsonOptions


@dataclass(frozen=True, kw_only=True)
class SourcesOptions(JsonOptions, command="sources", function="list_sources"):
    """List the datasets that can be imported; with NAME, describe one dataset.

    The description says what a label means, what the source accepts, and which flaws are known.
    """

    name: str | None = argument(None, help="The name of a source (default: all sources).")


@dataclass(frozen=True, kw_only=True)
class ImportOptions(JsonOptions, command="import", function="import_dataset"):
    """Import a dataset from its own files into a new benchmark folder.

    SOURCE is a name from `clonetruth sources`, or auto to recognise the files. Unusable rows are skipped, counted and
    listed.
    """

    source: str = argument(help="The name of a source, or auto.")
    paths: tuple[Path, ...] = argument((), metavar="PATH", help="The dataset's files and folders.")
    output: Path = declare(names=("-o",), setting=False, help="The new benchmark folder.")
    strict: bool = declare(False, help="Fail at the first unusable row.")
    left: str | None = declare(None, help="For tables: the column of the left fragment.")
    right: str | None = declare(None, help="For tables: the column of the right fragment.")
    label: str | None = declare(None, help="For tables: the column of the label.")
    option: Mapping[str, object] | None = declare(
        None, metavar="NAME=VALUE", help="Options of the source, by name, for example language=java."
    )
