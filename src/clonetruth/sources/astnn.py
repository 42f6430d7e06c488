"""ASTNN's list of typed pairs of BigCloneBench (`bcb_pair_ids.pkl`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.pickles import SUFFIXES, read_pickle
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import Row, read_rows
from clonetruth.model import Card, Dataset, Judge, JudgeKind, PairValue
from clonetruth.sources.bcb_functions import FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, ListedPair, find_files, recognise_lists, rows_of_files, whole_number
from clonetruth.sources.columns import check_options
from clonetruth.sources.source import ImportLog, SourceCard

_TYPES = {"1": "T1", "2": "T2", "3": "ST3", "4": "MT3", "5": "WT3/T4"}
_NAME = "bcb_pair_ids"


class Astnn:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="astnn",
            version="1",
            description=(
                "97,535 pairs of BigCloneBench functions, drawn by ASTNN's authors: up to 20,000 for each clone type, "
                "and 20,000 false pairs."
            ),
            licence="MIT (the repository)",
            citation=(
                "J. Zhang, X. Wang, H. Zhang, H. Sun, K. Wang, X. Liu. A Novel Neural Source Code Representation Based "
                "on Abstract Syntax Tree. ICSE 2019."
            ),
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/zhangj111/astnn",
            known_flaws=(
                "393 pairs have more than one label; 367 of them are both a non-clone and some clone type.",
                "394 rows repeat a pair.",
                "Types are divided by the mean of line and token similarity; other lists use the smaller of the two. "
                "6,279 pairs are strongly Type-3 here and moderately Type-3 in Toma's list.",
                "ST3 here means a similarity of 0.7 or more, and includes VST3.",
                "The labels are BigCloneBench's, with all their known flaws.",
            ),
        ),
        claimed_by=Judge(
            id="rule:astnn",
            kind=JudgeKind.RULE,
            name="ASTNN's selection from BigCloneBench",
            description="Labels 1 to 5 are BigCloneBench's true pairs by clone type, label 0 its false pairs.",
        ),
        label_means="1 to 5: a true pair of BigCloneBench (T1, T2, ST3, MT3, WT3/T4); 0: one of its false pairs.",
        accepts=(
            "bcb_pair_ids.pkl (its code is not run), or the same data as Parquet or CSV with id1, id2, label; for the "
            "texts, bcb_funcs_all.tsv, functions.zip or any other source of function texts"
        ),
        published={"pairs": 97_535},
        references=("The counts are those of the published list.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "bcb_pair_ids" if recognise_lists(paths, _is_list) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = find_files(paths, _is_list, self.card)
        # A folder may hold the same list in two formats.
        lists = list({path.name.partition(".")[0]: path for path in reversed(files.lists)}.values())
        return IdPairs(self.card, rows_of_files(lists, _rows), FunctionTexts(files.texts, log), log, "mean").dataset()


SOURCE = Astnn()


def _is_list(path: Path) -> bool:
    return path.name.lower().startswith(_NAME) and inner_suffix(path) in (*SUFFIXES, ".parquet", ".csv")


def _table(path: Path) -> Iterator[Row]:
    return read_pickle(path) if inner_suffix(path) in SUFFIXES else read_rows(path)


def _rows(path: Path, log: ImportLog) -> Iterator[ListedPair]:
    for row in _table(path):
        left, right = whole_number(row.values.get("id1")), whole_number(row.values.get("id2"))
        label = whole_number(row.values.get("label"))
        if left is None or right is None:
            log.skip(path, row.line, "an id is not a number")
        elif label == "0":
            yield ListedPair(left, right, PairValue.NOT_CLONE, row.line)
        elif label in _TYPES:
            yield ListedPair(left, right, PairValue.CLONE, row.line, _TYPES[label])
        else:
            log.skip(path, row.line, "the label is not between 0 and 5")
