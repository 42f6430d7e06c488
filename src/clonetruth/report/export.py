"""Export: a benchmark's pairs with a policy's verdicts, in common formats.

Labels are verdicts. A pair without a verdict is left out and counted: unknown is never 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.codexglue import PARTS, write_codexglue
from clonetruth.formats.writers import (
    FRAGMENT_COLUMNS,
    PAIR_COLUMNS,
    bigcloneeval_location,
    write_bigcloneeval,
    write_csv,
)
from clonetruth.model import CRITERIA, Card
from clonetruth.options.declaration import verb
from clonetruth.options.export import ExportOptions
from clonetruth.registry import Registry
from clonetruth.report.export_selection import UNSPLIT, ExportSelection
from clonetruth.safe_text import markdown_line, markdown_paragraphs, visible_json
from clonetruth.splits import with_drawn_pairs
from clonetruth.store import build_manifest, manifest_text, open_benchmark
from clonetruth.store.atomic import new_folder
from clonetruth.store.exchange import write_sidecar
from clonetruth.verdicts import VerdictTable, find_policy, judge_verdicts

# The dataset card of a Hugging Face export: metadata for the hub, and a description for people.

_LICENCES = {
    "MIT": "mit",
    "Apache-2.0": "apache-2.0",
    "GPL-3.0": "gpl-3.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-NC-ND-4.0": "cc-by-nc-nd-4.0",
    "C-UDA": "c-uda",
}
_FEATURES = """\
  features:
  - name: pair
    dtype: int64
  - name: left
    dtype: string
  - name: right
    dtype: string
  - name: label
    dtype:
      class_label:
        names:
          '0': not-clone
          '1': clone
  - name: functionality
    dtype: string
  - name: left_language
    dtype: string
  - name: right_language
    dtype: string
  - name: left_text
    dtype: string
  - name: right_text
    dtype: string
"""


def dataset_card(
    card: Card,
    verdicts: VerdictTable,
    splits: Mapping[str, int],
    written: Mapping[str, int],
    left_out: Mapping[str, int],
) -> str:
    """The README.md of the export.

    Args:
        card: the benchmark's card.
        verdicts: the verdicts behind the labels.
        splits: the number of rows in each split, by name.
        written: the number of pairs by label.
        left_out: the number of pairs that were left out, by reason.
    """
    files = "".join(f"  - split: {name}\n    path: data/{name}-*.parquet\n" for name in splits)
    sizes = "".join(f"  - name: {name}\n    num_examples: {count}\n" for name, count in splits.items())
    front = (
        f"---\npretty_name: {visible_json(json.dumps(card.name, ensure_ascii=False))}\n"
        f"license: {_LICENCES.get(card.licence, 'other')}\ntags:\n- code\n- code-clones\n"
        f"configs:\n- config_name: default\n  data_files:\n{files}"
        f"dataset_info:\n  config_name: default\n{_FEATURES}  splits:\n{sizes}---\n"
    )
    body = [
        f"# {markdown_line(card.name)} {markdown_line(card.version)}",
        markdown_paragraphs(card.description),
        "## What a label means",
        f"The verdict of the policy `{verdicts.policy}` under the criterion `{verdicts.criterion}` "
        f"({CRITERIA[verdicts.criterion].meaning}) {find_policy(verdicts.policy).description}",
        *map(markdown_line, verdicts.assumptions),
        "## Sizes",
        _lines({f"pairs labelled {name}": count for name, count in written.items()}),
        "Left out:" if left_out else "Nothing was left out.",
        _lines(left_out),
        "## Rights and origin",
        f"Licence: {markdown_line(card.licence)}. Citation: {markdown_line(card.citation)}",
        "## Known flaws" if card.known_flaws else "",
        "\n".join(f"- {markdown_line(flaw)}" for flaw in card.known_flaws),
    ]
    return front + "\n" + "\n\n".join(part for part in body if part) + "\n"


def _lines(counts: Mapping[str, int]) -> str:
    return "\n".join(f"- {markdown_line(name)}: {count:,}" for name, count in counts.items())


_SPLIT_NAMES = {"train": "train", "valid": "validation", "test": "test", UNSPLIT: UNSPLIT}
_CLONES_ONLY = "the format lists clones only"
_NO_LOCATION = "a fragment has no file and lines that the format can hold"

_WITH_TEXTS = """
SELECT c.pair AS pair, c.left AS left, c.right AS right, CAST(c.label AS BIGINT) AS label,
    c.functionality AS functionality, l.language AS left_language, r.language AS right_language,
    l.text AS left_text, r.text AS right_text
FROM chosen c
JOIN fragments l ON c.left_key = l.fragment
JOIN fragments r ON c.right_key = r.fragment
JOIN wanted w ON coalesce(c.part, 'unsplit') = w.part
WHERE c.left_out IS NULL
ORDER BY c.pair
"""


@dataclass(frozen=True)
class ExportReport:
    """The outcome of an export.

    Args:
        format: the name of the format.
        path: the folder.
        policy: the policy whose verdicts are the labels.
        criterion: the criterion of the verdicts.
        written: the number of pairs by label.
        parts: the number of pairs by part.
        left_out: the number of pairs that were left out, by reason.
        assumptions: assumptions that must be reported with any number that rests on the labels.
    """

    format: str
    path: Path
    policy: str
    criterion: str
    written: Mapping[str, int]
    parts: Mapping[str, int]
    left_out: Mapping[str, int]
    assumptions: tuple[str, ...]


class Exporter(Protocol):
    """Writes the selected pairs into a new folder."""

    def __call__(self, selection: ExportSelection, folder: Path, /) -> None:
        """Write them."""


def write_codexglue_export(selection: ExportSelection, folder: Path) -> None:
    """CodeXGLUE: data.jsonl and a list for each part."""
    if UNSPLIT in selection.parts:
        raise InputError(
            f"{selection.parts[UNSPLIT]:,} pairs are in no part, and CodeXGLUE has one list per part.",
            hint="Use a split (--split), or assign a part (--part test).",
        )
    # Tabs and line breaks separate the lists, so ids with white space are replaced by numbers.
    ids = selection.benchmark.sql("SELECT id FROM fragments")["id"].to_pylist()
    column, left, right = ("fragment", "left_key", "right_key")
    if not any(re.search(r"\s", name) for name in ids):
        column, left, right = "id", "left", "right"
    write_codexglue(
        folder,
        ((str(row[column]), row["text"]) for row in selection.fragments()),
        ((str(row[left]), str(row[right]), row["label"], row["part"]) for row in selection.pairs()),
    )


def write_csv_export(selection: ExportSelection, folder: Path) -> None:
    """CSV: pairs.csv and fragments.csv, which the source `table` reads."""
    safe = selection.spreadsheet_safe
    write_csv(folder / "pairs.csv", PAIR_COLUMNS, selection.pairs(), spreadsheet_safe=safe)
    write_csv(folder / "fragments.csv", FRAGMENT_COLUMNS, selection.fragments(), spreadsheet_safe=safe)


def write_bigcloneeval_export(selection: ExportSelection, folder: Path) -> None:
    """BigCloneEval: clones.csv with the locations of both fragments."""
    locations = {
        row["fragment"]: bigcloneeval_location(row["path"], row["first_line"], row["last_line"])
        for row in selection.benchmark.sql("SELECT fragment, path, first_line, last_line FROM fragments").to_pylist()
    }

    def clones() -> Iterator[tuple[str, str]]:
        for row in selection.pairs():
            left, right = locations[row["left_key"]], locations[row["right_key"]]
            if row["label"] and left and right:
                yield left, right
                continue
            selection.leave_out(row, _NO_LOCATION if row["label"] else _CLONES_ONLY)

    write_bigcloneeval(folder / "clones.csv", clones())


def write_huggingface_export(selection: ExportSelection, folder: Path) -> None:
    """Hugging Face: Parquet files by split, which the library loads by the folder's name."""
    (folder / "data").mkdir()
    names = {}
    for part in (*PARTS, UNSPLIT):
        if not selection.parts.get(part):
            continue
        names[_SPLIT_NAMES[part]] = selection.parts[part]
        stored = [part, UNSPLIT] if part == selection.part else [part]
        wanted = pa.table({"part": pa.array(stored, pa.string())})
        selection.benchmark.engine.write(
            _WITH_TEXTS,
            {"chosen": selection.path, "fragments": selection.benchmark.parquet("fragments"), "wanted": wanted},
            folder / "data" / f"{_SPLIT_NAMES[part]}-00000-of-00001.parquet",
        )
    card = dataset_card(selection.benchmark.card, selection.verdicts, names, selection.written, selection.left_out)
    (folder / "README.md").write_text(card, encoding="utf-8")


EXPORTS: Registry[Exporter] = Registry(
    "export format",
    {
        "codexglue": "clonetruth.report.export:write_codexglue_export",
        "bigcloneeval": "clonetruth.report.export:write_bigcloneeval_export",
        "huggingface": "clonetruth.report.export:write_huggingface_export",
        "csv": "clonetruth.report.export:write_csv_export",
        "gptclonebench": "clonetruth.report.gptclonebench_layout:write_gptclonebench_export",
    },
    group="clonetruth.exports",
    of=Exporter,
)


@verb(ExportOptions)
def export_benchmark(options: ExportOptions) -> ExportReport:
    """Export a benchmark's pairs to a common format: codexglue, bigcloneeval, huggingface, csv or gptclonebench.

    Labels are the verdicts of a policy. Pairs without a verdict are left out and counted, never written as 0. The
    folder `clonetruth/` in the export holds the benchmark itself, so that `import` loses nothing. The export appears
    only if it succeeds.

    Returns:
        The numbers of pairs that were written, by label and part, and of those that were left out, by reason.

    Raises:
        UnknownNameError: there is no such format or policy.
        InputError: the policy gives no pair a verdict, or the format cannot hold the pairs.

    Example:
        >>> report = clonetruth.export_benchmark("my-benchmark", "csv", output="my-csv")
        >>> sum(report.written.values())
        1172
    """
    write = EXPORTS[options.format]
    if options.part is not None and options.part not in PARTS:
        raise InputError(f"There is no part '{options.part}'.", hint=f"Known: {', '.join(PARTS)}.")
    if options.spreadsheet_safe and options.format != "csv":
        raise InputError("Only CSV can be made safe for spreadsheets.", hint="Export to the format csv.")
    stored = open_benchmark(options.benchmark)
    benchmark = with_drawn_pairs(stored, options.policy, options.criterion, options.split)
    verdicts = judge_verdicts(benchmark, options.policy, options.criterion)
    with new_folder(options.output) as folder:
        selection = ExportSelection(
            benchmark,
            verdicts,
            folder,
            split=options.split,
            part=options.part,
            spreadsheet_safe=options.spreadsheet_safe,
        )
        if not selection.written:
            raise InputError(
                f"The policy '{verdicts.policy}' gives none of the pairs a verdict.",
                where=benchmark.path,
                hint="Judge pairs first, or use the dataset's own labels: --policy origin.",
            )
        write(selection, folder)
        if not any(selection.written.values()):
            raise InputError("The format cannot hold any of the pairs.", hint="; ".join(sorted(selection.left_out)))
        selection.path.unlink()
        recorded = {"format": options.format, "policy": options.policy, "criterion": verdicts.criterion}
        manifest = build_manifest(
            {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash},
            {**recorded, "split": options.split, "part": options.part},
        )
        (folder / "manifest.json").write_text(manifest_text(manifest) + "\n", encoding="utf-8")
        if options.sidecar:
            write_sidecar(folder, stored, options.format, verdicts.policy, verdicts.criterion)
    return ExportReport(
        format=options.format,
        path=options.output,
        policy=verdicts.policy,
        criterion=verdicts.criterion,
        written=_positive(selection.written),
        parts=_positive(selection.parts),
        left_out=_positive(selection.left_out),
        assumptions=verdicts.assumptions,
    )


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in sorted(counts.items()) if count}
