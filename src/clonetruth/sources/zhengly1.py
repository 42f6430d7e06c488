"""The typed pairs of BigCloneBench in the repository zhengly1/bigclonebench (`clone_labels.txt`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import read_lines
from clonetruth.model import Card, Dataset, Judge, JudgeKind, PairValue
from clonetruth.sources.bcb_functions import FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, ListedPair, find_files, recognise_lists, rows_of_files, whole_number
from clonetruth.sources.columns import check_options
from clonetruth.sources.source import ImportLog, SourceCard

_TYPES = {"0": "T1", "1": "T2", "2": "ST3", "3": "MT3", "4": "WT3/T4", "5": None}
_FIRST_LINE = re.compile(rb"(\xef\xbb\xbf)?\d+\r?\n")


class Zhengly1:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="zhengly1",
            version="1",
            description=(
                "91,677 typed pairs over 22,723 functions of BigCloneBench, with every function's text, wrapped as the "
                "only method of a class."
            ),
            licence="none stated",
            citation="https://github.com/zhengly1/bigclonebench",
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/zhengly1/bigclonebench",
            known_flaws=(
                "The type codes are undocumented: 0 to 3 were checked against Toma's lists, 4 follows from the order.",
                "Every function is wrapped in a class BigbenchClone; the import removes the wrapper.",
                "ST3 here means a similarity of 0.7 or more, and includes VST3.",
                "The labels are BigCloneBench's, with all their known flaws.",
            ),
        ),
        claimed_by=Judge(
            id="rule:zhengly1",
            kind=JudgeKind.RULE,
            name="A selection from BigCloneBench",
            description="True pairs of BigCloneBench by clone type (codes 0 to 4), and pairs that are none (code 5).",
        ),
        label_means="1: a true pair of BigCloneBench, with its type; 0: not a clone.",
        accepts=(
            "clone_labels.txt, plain or compressed (the number of rows, then id1,id2,is_clone,type); for the texts, a "
            "table with function_id and code, or any other source of function texts"
        ),
        published={"pairs": 91_677, "functions": 22_723},
        references=("The counts are those of the published list.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_lists(paths, lambda path: _is_list(path) and _FIRST_LINE.match(head(path)) is not None)
        return "clone_labels.txt that begins with its number of rows" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = find_files(paths, _is_list, self.card)
        return IdPairs(
            self.card, rows_of_files(files.lists, _rows), FunctionTexts(files.texts, log), log, "min"
        ).dataset()


SOURCE = Zhengly1()


def _is_list(path: Path) -> bool:
    return path.name.lower().startswith("clone_labels.txt")


def _rows(path: Path, log: ImportLog) -> Iterator[ListedPair]:
    announced, count = None, 0
    for number, line in read_lines(path):
        words = [word.strip() for word in line.decode("utf-8", errors="replace").split(",")]
        if number == 1 and len(words) == 1 and words[0].isdecimal() and len(words[0]) < 12:
            announced = int(words[0])
            continue
        if not line.strip():
            continue
        count += 1
        left, right = (whole_number(word) for word in words[:2]) if len(words) == 4 else (None, None)
        if left is None or right is None:
            log.skip(path, number, "the row does not hold two ids, a label and a type")
        elif words[2] not in ("0", "1") or words[3] not in _TYPES or (words[2] == "0") != (words[3] == "5"):
            log.skip(path, number, "the label and the type are unknown or contradict each other")
        elif words[2] == "0":
            yield ListedPair(left, right, PairValue.NOT_CLONE, number)
        else:
            yield ListedPair(left, right, PairValue.CLONE, number, _TYPES[words[3]])
    if announced is not None and announced != count:
        log.skip(path, 1, "the number of rows differs from the number that the list states")
