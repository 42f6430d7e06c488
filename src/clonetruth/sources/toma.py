"""Toma's lists of typed pairs of BigCloneBench, with both similarities (`type-<n>.csv`)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.sniffing import head
from clonetruth.formats.tables import read_csv
from clonetruth.model import Card, Dataset, Judge, JudgeKind, PairValue
from clonetruth.sources.bcb_functions import FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, ListedPair, find_files, recognise_lists, rows_of_files, whole_number
from clonetruth.sources.columns import check_options
from clonetruth.sources.source import ImportLog, SourceCard

_COLUMNS = ("id1", "id2", "syntactic_type", "similarity_line", "similarity_token")
_TYPES = {"1": "T1", "2": "T2", "3": "ST3", "4": "MT3", "5": "WT3/T4"}
_NAME = re.compile(r"type-([1-5])\.csv(\.(gz|xz|bz2))?", re.IGNORECASE)
_FIRST_LINE = re.compile(rb"(\xef\xbb\xbf)?\s*\d+,\d+,[123],[\d.eE+-]+,[\d.eE+-]+\s*(\n|\r|\Z)")


class Toma:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="toma",
            version="1",
            description=(
                "Pairs of BigCloneBench's true clones, one list for each clone type, with the line and token "
                "similarities that BigCloneBench records."
            ),
            licence="none stated",
            citation=(
                "S. Feng, W. Suo, Y. Wu, D. Zou, Y. Liu, H. Jin. Machine Learning is All You Need: A Simple "
                "Token-based Approach for Effective Code Clone Detection. ICSE 2024."
            ),
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/CGCL-codes/Toma",
            known_flaws=(
                "54, 4, 46 and 25 rows of the lists of types 1 to 4 repeat another.",
                "Types are divided by the smaller of line and token similarity; ASTNN's list uses their mean.",
                "ST3 here means a similarity of 0.7 or more, and includes VST3; 'type-4' is MT3, not Type-4.",
                "The labels are BigCloneBench's, with all their known flaws.",
            ),
        ),
        claimed_by=Judge(
            id="rule:toma",
            kind=JudgeKind.RULE,
            name="Toma's selection from BigCloneBench",
            description="BigCloneBench's true pairs, by clone type.",
        ),
        label_means="Every pair is a true pair of BigCloneBench; the number of the list is its type.",
        accepts=(
            "type-<n>.csv, plain or compressed (id1, id2, syntactic type, similarity by line, by token; no header); "
            "for the texts, functions.zip or any other source of function texts"
        ),
        published={"T1": 48_116, "T2": 4_234, "ST3": 21_395, "MT3": 86_341},
        references=("The counts are those of the published lists; WT3/T4 and non-clones are in separate lists.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_lists(paths, lambda path: _is_list(path) and _FIRST_LINE.match(head(path)) is not None)
        return "type-<n>.csv with ids, syntactic type and similarities" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = find_files(paths, _is_list, self.card)
        return IdPairs(
            self.card, rows_of_files(files.lists, _rows), FunctionTexts(files.texts, log), log, "min"
        ).dataset()


SOURCE = Toma()


def _is_list(path: Path) -> bool:
    return _NAME.fullmatch(path.name) is not None


def _similarity(value: object) -> float | None:
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number <= 1 else None


def _rows(path: Path, log: ImportLog) -> Iterator[ListedPair]:
    found = _NAME.fullmatch(path.name)
    assert found
    claimed = _TYPES[found[1]]
    for row in read_csv(path, header=_COLUMNS):
        left, right = whole_number(row.values.get("id1")), whole_number(row.values.get("id2"))
        line, token = (_similarity(row.values.get(name)) for name in _COLUMNS[3:])
        if len(row.values) != len(_COLUMNS):
            log.skip(path, row.line, "the row does not have five columns")
        elif left is None or right is None:
            log.skip(path, row.line, "an id is not a number")
        elif line is None or token is None:
            log.skip(path, row.line, "a similarity is not a number from 0 to 1")
        else:
            yield ListedPair(left, right, PairValue.CLONE, row.line, claimed, line, token)
