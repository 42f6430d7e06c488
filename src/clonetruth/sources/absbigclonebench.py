"""AbsBigCloneBench: the pairs of BigCloneBench with the identifiers of the functions abstracted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.model import Card, Dataset, Judge, JudgeKind
from clonetruth.sources.bcb_functions import FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, find_files, recognise_lists
from clonetruth.sources.codexglue_bcb import is_abstracted, is_id_list, list_reader
from clonetruth.sources.columns import check_options
from clonetruth.sources.pair_lists import chosen_lists, is_path_list, path_list_reader
from clonetruth.sources.source import ImportLog, SourceCard


class AbsBigCloneBench:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="absbigclonebench",
            version="1",
            description=(
                "Functions of BigCloneBench with the names of variables, types and functions replaced by neutral ones, "
                "so that a model cannot recognise clones by shared names; pairs and labels are those of BigCloneBench."
            ),
            licence="none stated",
            citation=(
                "H. Yu, X. Hu, G. Li, Y. Li, Q. Wang, T. Xie. Assessing and Improving an Evaluation Dataset for "
                "Detecting Semantic Code Clones via Deep Learning. ACM TOSEM 31(4), 2022."
            ),
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/yh1105/AbsBigCloneBench",
            known_flaws=(
                "Abstraction removes a shortcut; the labels are still BigCloneBench's, with all their flaws.",
                "The texts differ from BigCloneBench's: similarities and types recorded there do not apply here.",
                "Pairs of different functionalities are assumed to be non-clones; nobody judged them.",
            ),
        ),
        claimed_by=Judge(
            id="rule:absbigclonebench",
            kind=JudgeKind.RULE,
            name="BigCloneBench's labels on abstracted functions",
            description="1 for BigCloneBench's true pairs; -1 (or 0) for other pairs of its functions.",
        ),
        label_means="1: a true pair of BigCloneBench, before abstraction; -1 or 0: any other pair.",
        accepts=(
            "recordtraindataAbsBCB.txt, recorddevdataAbsBCB.txt, recordtestdataAbsBCB.txt (file, file, 1 or -1) with "
            "the folder or archive of <id>.txt files, or CodeXGLUE's train.txt, valid.txt, test.txt with data.jsonl "
            "of abstracted code; the files or their folder must have AbsBCB or AbsBigCloneBench in the name"
        ),
        published={"functions": 9_134, "training pairs (30w)": 300_000},
        references=(
            "H. Yu et al., TOSEM 2022: a linear model on identifier names alone reaches the state of the art on "
            "BigCloneBench.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_lists(paths, lambda path: _is_list(path) and is_abstracted(path))
        return "lists of pairs of identifier-abstracted functions" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = find_files(paths, _is_list, self.card)
        by_path = [path for path in files.lists if is_path_list(path)]
        rows = path_list_reader(chosen_lists(by_path, paths)) if by_path else list_reader(files.lists)
        return IdPairs(self.card, rows, FunctionTexts(files.texts, log), log).dataset()


SOURCE = AbsBigCloneBench()


def _is_list(path: Path) -> bool:
    return is_path_list(path) or is_id_list(path)
