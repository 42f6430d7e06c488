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
    listed. A benchmark folder, or what `clonetruth export` wrote, becomes an equal benchmark.
    """

    source: str = argument(help="The name of a source, or auto.")
    paths: tuple[Path, ...] = argument((), metavar="PATH", help="The dataset's files and folders.")
    output: Path = declare(names=("-o",), setting=False, help="The new benchmark folder.")
    strict: bool = declare(False, help="Fail at the first unusable row.")
    left: str | None = declare(None, help="For tables: the column of the left fragment.")
    right: str | None = declare(None, help="For tables: the column of the right fragment.")
    label: str | None = declare(None, help="For tables: the column of the label.")
    criterion: str | None = declare(None, help="For tables: the criterion of the labels, which a table does not say.")
    option: Mapping[str, object] | None = declare(
        None, metavar="NAME=VALUE", help="Options of the source, by name, for example language=java."
    )


@dataclass(frozen=True, kw_only=True)
class AttachOptions(JsonOptions, command="attach", function="attach_evidence"):
    """Add evidence that arrives later to a benchmark: judgements, labels, names of functionalities.

    FILES are logs of language models, spreadsheets (CSV, TSV, JSON lines, Parquet, xlsx), study folders, other
    benchmark folders, or the files of any source. They are matched by id or by text; what does not match is listed.
    Attaching the same file again changes nothing.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    paths: tuple[Path, ...] = argument((), metavar="FILES", help="The files and folders with the evidence.")
    source: str = declare(
        "auto", metavar="NAME", help="What reads the files: a name from `clonetruth sources`, table, or auto."
    )
    match: str = declare(
        "auto",
        choices=("auto", "id", "text"),
        help="How fragments are matched: by id, by text without comments and layout, or by id first (auto).",
    )
    criterion: str | None = declare(None, help="For tables: what was asked, unless a column says it.")
    judge: str | None = declare(None, metavar="NAME", help="For tables: who answered, unless a column says it.")
    judge_kind: str | None = declare(
        None,
        choices=("person", "llm", "execution", "tool", "rule"),
        help="For tables: what kind of judge, unless a column says it.",
    )
    left: str | None = declare(None, help="For tables: the column of the left fragment.")
    right: str | None = declare(None, help="For tables: the column of the right fragment.")
    label: str | None = declare(None, help="For tables: the column of the answer.")
    option: Mapping[str, object] | None = declare(
        None, metavar="NAME=VALUE", help="Further options by name, for example reason=COLUMN or true=T."
    )
    strict: bool = declare(False, help="Fail, and attach nothing, if anything is unusable or does not match.")
    dry_run: bool = declare(False, setting=False, help="Only report what would be attached.")
