"""FCDetector's C programs in CodeXGLUE's format, with its published lists of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.model import Card, Dataset, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import Submission, SubmissionIndex
from clonetruth.sources.json_rows import first_object, json_rows
from clonetruth.sources.layout import Layout, is_pair_list, recognise_files, require_files
from clonetruth.sources.pair_lists import PairLists
from clonetruth.sources.source import ImportLog, SourceCard

_COLUMNS = {"label", "index", "idx", "code", "func"}
_CRITERION = "same-main-purpose"

_RULE = Judge(
    id="rule:fcdetector",
    kind=JudgeKind.RULE,
    name="Same class",
    description="The lists call two programs of the same class a clone, and of different classes no clone.",
)


def _is_programs(path: Path) -> bool:
    return inner_suffix(path) == ".jsonl" and first_object(head(path, 1024 * 1024)).keys() >= _COLUMNS


_LAYOUT = Layout(table=lambda path: _is_programs(path) or is_pair_list(path))


class FcDetector:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="fcdetector",
            version="ISSTA22-CodeStudy",
            description=(
                "C programs in 16 classes, with lists of pairs for training, validation and test, as an empirical "
                "study of pre-trained models published them from FCDetector's data."
            ),
            licence="MIT (ISSTA22-CodeStudy); the data is from FCDetector, GPL-3.0",
            citation=(
                "C. Fang, Z. Liu, Y. Shi, J. Huang, Q. Shi. Functional Code Clone Detection with Syntax and Semantics "
                "Fusion Learning. ISSTA 2020. Z. Zeng et al. An Extensive Study on Pre-trained Models for Program "
                "Understanding and Generation. ISSTA 2022."
            ),
            criterion=_CRITERION,
            languages=("c", "cpp"),
            url="https://github.com/ZZR0/ISSTA22-CodeStudy",
            known_flaws=(
                "The split leaks: every program of the validation list is in the training list, and 12,716 of its "
                "29,240 distinct pairs are there too.",
                "The training list has repeats: 240,160 rows hold 189,271 distinct pairs.",
                "1,245 training rows and 135 validation rows pair a program with itself.",
                "Labels rest on classes alone; nobody judged pairs.",
                "C and C++ are mixed without distinction; all programs are imported as C++. White space was collapsed.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: both programs belong to the same class; 0: to different classes.",
        accepts=(
            "data.jsonl (label, index, idx, code, func) with train.txt, valid.txt, test.txt (idx1, idx2, 0 or 1), "
            "also compressed"
        ),
        published={"programs": 1510, "classes": 16, "train": 240160, "valid": 30020, "test": 60040},
        references=("The counts of leaks and repetitions are those of the published lists.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        if found is None or not any(inner_suffix(path) == ".jsonl" for path in found.tables):
            return None
        return "data.jsonl with label, index, idx, code and func"

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        programs = [path for path in found.tables if inner_suffix(path) == ".jsonl"]
        lists = [path for path in found.tables if path not in programs]
        index = SubmissionIndex(None, log)
        pairs = PairLists(lists, _RULE, _CRITERION, index, log)
        return index.dataset(self.card.card, _rows(programs, log), pairs)


SOURCE = FcDetector()


def _rows(files: Sequence[Path], log: ImportLog) -> Iterator[Submission]:
    for path in files:
        for row in json_rows(path, log, text=("idx", "label", "func")):
            yield Submission(
                row.values["idx"], row.values["label"], "cpp", row.values["func"], value=None, place=path, line=row.line
            )
