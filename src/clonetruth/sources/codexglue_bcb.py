"""CodeXGLUE's clone detection task: `data.jsonl` with lists of pairs for training, validation and test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.codexglue import read_labels
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.model import Card, Dataset, Judge, JudgeKind, PairValue
from clonetruth.sources.bcb_functions import FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, ListedPair, find_files, recognise_lists
from clonetruth.sources.columns import check_options
from clonetruth.sources.layout import part_of
from clonetruth.sources.source import ImportLog, SourceCard

_ROW = re.compile(rb"\s*(\d+)[ \t]+(\d+)[ \t]+[01]\s*(?:\n|\r|\Z)")
_SMALLEST = 100_000
"""Other datasets in this format number their programs from 0; most ids of BigCloneBench are far larger."""

_ABSTRACTED = re.compile(r"abs.?(bcb|big.?clone.?bench)", re.IGNORECASE)


class CodeXGlueBcb:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="codexglue-bcb",
            version="1",
            description=(
                "CodeXGLUE's clone detection task: pairs of 9,126 functions of BigCloneBench with a label, divided for "
                "training, validation and test; the selection of 9,134 functions that CDLH introduced and FA-AST "
                "published, without eight of them."
            ),
            licence="C-UDA 1.0",
            citation=(
                "S. Lu et al. CodeXGLUE: A Machine Learning Benchmark Dataset for Code Understanding and Generation. "
                "NeurIPS Datasets and Benchmarks 2021."
            ),
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/microsoft/CodeXGLUE",
            known_flaws=(
                "The task is called semantic equivalence; the labels are BigCloneBench's, which only state a shared "
                "functionality: 93 % of a sample of its weak clones do not have the same main purpose.",
                "Pairs of different functionalities are assumed to be non-clones; nobody judged them.",
                "The split is random over functions: 126 of 911 test functions of the sampled lists have a "
                "copy in train that differs only in white space, and all functionalities are in all parts.",
                "2,253 rows of the sampled training list repeat an unordered pair.",
            ),
        ),
        claimed_by=Judge(
            id="rule:codexglue-bcb",
            kind=JudgeKind.RULE,
            name="CDLH's selection from BigCloneBench",
            description="1 for BigCloneBench's true pairs; 0 for false pairs and pairs of different functionalities.",
        ),
        label_means="1: a true pair of BigCloneBench; 0: any other pair of the selection.",
        accepts=(
            "data.jsonl (func, idx) and train.txt, valid.txt, test.txt (idx1, idx2, 0 or 1), plain or compressed, also "
            "sampled; instead of data.jsonl, functions.zip or any other source of function texts"
        ),
        published={"functions": 9_126, "train": 901_028, "valid": 415_416, "test": 415_416},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
            "T. Sonnekalb et al. Generalizability of Code Clone Detection on CodeBERT. ASE 2022 (the number of "
            "functions; the selection is CDLH's).",
            "H. Wei, M. Li. Supervised Deep Features for Software Functional Clone Detection. IJCAI 2017 (CDLH).",
            "W. Wang et al. Detecting Code Clones with Graph Neural Network and Flow-Augmented AST. SANER 2020.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        if any(is_abstracted(path) for path in paths):
            return None
        found = recognise_lists(paths, lambda path: is_id_list(path) and has_large_ids(path))
        return "lists of pairs of BigCloneBench's ids with 0 or 1" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = find_files(paths, is_id_list, self.card)
        return IdPairs(self.card, list_reader(files.lists), FunctionTexts(files.texts, log), log).dataset()


SOURCE = CodeXGlueBcb()


def is_abstracted(path: Path) -> bool:
    """Whether a path holds identifier-abstracted code, by its name or the name of its folder."""
    return _ABSTRACTED.search(path.name) is not None or _ABSTRACTED.search(path.absolute().parent.name) is not None


def is_id_list(path: Path) -> bool:
    """Whether a file is a list of a part of a split, by its name."""
    return inner_suffix(path) == ".txt" and part_of(path) is not None


def has_large_ids(path: Path) -> bool:
    """Whether one of the first rows of a list has an id as large as BigCloneBench's."""
    rows = _ROW.findall(head(path))
    return any(int(word[:18]) >= _SMALLEST for row in rows for word in row)


def list_reader(lists: Sequence[Path]) -> Callable[[ImportLog], Iterator[ListedPair]]:
    """A reader of the lists; see `IdPairs.rows`."""

    def rows(log: ImportLog) -> Iterator[ListedPair]:
        for path in lists:

            def skip(line: int, why: str, path: Path = path) -> None:
                log.skip(path, line, why)

            part = part_of(path)
            for row in read_labels(path, skip):
                value = PairValue.CLONE if row.clone else PairValue.NOT_CLONE
                yield ListedPair(row.left, row.right, value, row.line, part=part)

    return rows
