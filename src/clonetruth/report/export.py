"""Export: a benchmark's pairs with a policy's verdicts, in the formats of the field.

Labels come from verdicts. A pair that the policy gives no verdict is left out and counted: unknown is never 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.writers import (
    FRAGMENT_COLUMNS,
    PAIR_COLUMNS,
    PARTS,
    bigcloneeval_place,
    write_bigcloneeval,
    write_codexglue,
    write_csv,
)
from clonetruth.model import CRITERIA, Card
from clonetruth.registry import Registry
from clonetruth.report.export_selection import UNSPLIT, ExportOptions, ExportSelection
from clonetruth.store import Benchmark, build_manifest, manifest_text
from clonetruth.store.atomic import new_folder
from clonetruth.verdicts import POLICIES, VerdictTable, judge_verdicts

# The dataset card of a Hugging Face export: what the hub reads, and what a person must know.

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
        verdicts: where the labels come from.
        splits: rows of each split, by the split's name.
        written: pairs by label.
        left_out: pairs that were not written, by reason.
    """
    files = "".join(f"  - split: {name}\n    path: data/{name}-*.parquet\n" for name in splits)
    sizes = "".join(f"  - name: {name}\n    num_examples: {count}\n" for name, count in splits.items())
    front = (
        f"---\npretty_name: {json.dumps(card.name, ensure_ascii=False)}\n"
        f"license: {_LICENCES.get(card.licence, 'other')}\ntags:\n- code\n- code-clones\n"
        f"configs:\n- config_name: default\n  data_files:\n{files}"
        f"dataset_info:\n  config_name: default\n{_FEATURES}  splits:\n{sizes}---\n"
    )
    body = [
        f"# {card.name} {card.version}",
        card.description,
        "## What a label means",
        f"The verdict of the policy `{verdicts.policy}` under the criterion `{verdicts.criterion}` "
        f"({CRITERIA[verdicts.criterion].meaning}) {POLICIES[verdicts.policy].description}",
        *verdicts.assumptions,
        "## Sizes",
        _lines({f"pairs labelled {name}": count for name, count in written.items()}),
        "Left out, and not counted as anything:" if left_out else "Nothing was left out.",
        _lines(left_out),
        "## Rights and origin",
        f"Licence: {card.licence}. Citation: {card.citation}",
        "## Known flaws" if card.known_flaws else "",
        "\n".join(f"- {flaw}" for flaw in card.known_flaws),
    ]
    return front + "\n" + "\n\n".join(part for part in body if part) + "\n"


def _lines(counts: Mapping[str, int]) -> str:
    return "\n".join(f"- {name}: {count:,}" for name, count in counts.items())


_SPLIT_NAMES = {"train": "train", "valid": "validation", "test": "test", UNSPLIT: UNSPLIT}
_CLONES_ONLY = "the format lists clones only"
_NO_PLACE = "a fragment has no file and lines that the format can hold"

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
    """What an export wrote.

    Args:
        format: its name.
        path: the file or folder.
        policy: whose verdicts the labels are.
        criterion: what was asked.
        written: pairs by label.
        parts: pairs by part.
        left_out: pairs that were not written, by reason.
        assumptions: what must be printed beside a number that rests on the labels.
    """

    format: str
    path: Path
    policy: str
    criterion: str
    written: Mapping[str, int]
    parts: Mapping[str, int]
    left_out: Mapping[str, int]
    assumptions: tuple[str, ...]


Exporter = Callable[[ExportSelection, Path], None]
"""Writes chosen pairs into a new folder."""


def write_codexglue_export(chosen: ExportSelection, folder: Path) -> None:
    """CodeXGLUE: data.jsonl and a list for each part."""
    if UNSPLIT in chosen.parts:
        raise InputError(
            f"{chosen.parts[UNSPLIT]:,} pairs are in no part, and CodeXGLUE's lists are parts.",
            hint="Take a split (--split), or put them in one (--part test).",
        )
    # The lists are divided by tabs and lines: ids with white space give way to numbers.
    ids = chosen.benchmark.sql("SELECT id FROM fragments")["id"].to_pylist()
    column, left, right = ("fragment", "left_key", "right_key")
    if not any(re.search(r"\s", name) for name in ids):
        column, left, right = "id", "left", "right"
    write_codexglue(
        folder,
        ((str(row[column]), row["text"]) for row in chosen.fragments()),
        ((str(row[left]), str(row[right]), row["label"], row["part"]) for row in chosen.pairs()),
    )


def write_csv_export(chosen: ExportSelection, folder: Path) -> None:
    """CSV: pairs.csv and fragments.csv, which the source `table` reads."""
    write_csv(folder / "pairs.csv", PAIR_COLUMNS, chosen.pairs())
    write_csv(folder / "fragments.csv", FRAGMENT_COLUMNS, chosen.fragments())


def write_bigcloneeval_export(chosen: ExportSelection, folder: Path) -> None:
    """BigCloneEval: clones.csv with the places of both fragments."""
    places = {
        row["fragment"]: bigcloneeval_place(row["path"], row["first_line"], row["last_line"])
        for row in chosen.benchmark.sql("SELECT fragment, path, first_line, last_line FROM fragments").to_pylist()
    }

    def clones() -> Iterator[tuple[str, str]]:
        for row in chosen.pairs():
            left, right = places[row["left_key"]], places[row["right_key"]]
            if row["label"] and left and right:
                yield left, right
                continue
            chosen.leave_out(row, _NO_PLACE if row["label"] else _CLONES_ONLY)

    write_bigcloneeval(folder / "clones.csv", clones())


def write_huggingface_export(chosen: ExportSelection, folder: Path) -> None:
    """Hugging Face: Parquet files by split, to be loaded by the folder's name."""
    (folder / "data").mkdir()
    names = {}
    for part in (*PARTS, UNSPLIT):
        if not chosen.parts.get(part):
            continue
        names[_SPLIT_NAMES[part]] = chosen.parts[part]
        stored = [part, UNSPLIT] if part == chosen.options.part else [part]
        wanted = pa.table({"part": pa.array(stored, pa.string())})
        chosen.benchmark.engine.write(
            _WITH_TEXTS,
            {"chosen": chosen.path, "fragments": chosen.benchmark.parquet("fragments"), "wanted": wanted},
            folder / "data" / f"{_SPLIT_NAMES[part]}-00000-of-00001.parquet",
        )
    card = dataset_card(chosen.benchmark.card, chosen.verdicts, names, chosen.written, chosen.left_out)
    (folder / "README.md").write_text(card, encoding="utf-8")


EXPORTS: Registry[Exporter] = Registry(
    "export format",
    {
        "codexglue": "clonetruth.report.export:write_codexglue_export",
        "bigcloneeval": "clonetruth.report.export:write_bigcloneeval_export",
        "huggingface": "clonetruth.report.export:write_huggingface_export",
        "csv": "clonetruth.report.export:write_csv_export",
    },
    group="clonetruth.exports",
)


def export(benchmark: Benchmark, format: str, output: Path, options: ExportOptions | None = None) -> ExportReport:
    """Write a benchmark's pairs, labelled by a policy, into a new folder that appears whole or not at all.

    Args:
        benchmark: the benchmark.
        format: a name in `EXPORTS`.
        output: the folder to make; nothing may be there.
        options: whose verdicts, which parts.

    Raises:
        UnknownNameError: there is no such format or policy.
        InputError: the policy gives no pair a verdict, or the format cannot hold the pairs.
    """
    options = options or ExportOptions()
    write = EXPORTS[format]
    if options.part is not None and options.part not in PARTS:
        raise InputError(f"There is no part '{options.part}'.", hint=f"Known: {', '.join(PARTS)}.")
    verdicts = judge_verdicts(benchmark, options.policy, options.criterion)
    with new_folder(output) as folder:
        chosen = ExportSelection(benchmark, verdicts, options, folder)
        if not chosen.written:
            raise InputError(
                f"The policy '{verdicts.policy}' gives no pair that could be exported a verdict.",
                where=benchmark.path,
                hint="Judge pairs first, or believe the dataset's own labels: --policy origin.",
            )
        write(chosen, folder)
        if not any(chosen.written.values()):
            raise InputError("The format can hold none of the pairs.", hint="; ".join(sorted(chosen.left_out)))
        chosen.path.unlink()
        manifest = build_manifest(
            {"benchmark": benchmark.content_hash, "judgements": benchmark.judgements_hash},
            {"format": format, **asdict(options), "criterion": verdicts.criterion},
        )
        (folder / "manifest.json").write_text(manifest_text(manifest) + "\n", encoding="utf-8")
    return ExportReport(
        format=format,
        path=output,
        policy=verdicts.policy,
        criterion=verdicts.criterion,
        written=_positive(chosen.written),
        parts=_positive(chosen.parts),
        left_out=_positive(chosen.left_out),
        assumptions=verdicts.assumptions,
    )


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in sorted(counts.items()) if count}
