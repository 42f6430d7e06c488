"""FA-AST's published lists of pairs, for BigCloneBench and for Google Code Jam (graphmatch_clone)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head, member_names
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Judge, JudgeKind
from clonetruth.sources.bcb_functions import WITHOUT_TEXT, FunctionTexts
from clonetruth.sources.bcb_lists import IdPairs, find_files, recognise_lists
from clonetruth.sources.codexglue_bcb import is_abstracted
from clonetruth.sources.columns import check_options
from clonetruth.sources.pair_lists import chosen_lists, is_path_list, path_list_reader
from clonetruth.sources.source import ImportLog, SourceCard

_CONTEST = re.compile(rb"googlejam4_src[\\/]")
_PROGRAM = re.compile(r"(?:^|/)(\d+/googlejam\d+\.p\d+\.[^/]+\.java)$")
CONTEST_CRITERION = "same-main-purpose"

_CARD = Card(
    name="graphmatch",
    version="BigCloneBench",
    description=(
        "The pairs that FA-AST was trained and tested on: all pairs of 9,134 functions of BigCloneBench with a known "
        "label, or all pairs of 1,665 programs of Google Code Jam, split into training, validation and test."
    ),
    licence="none stated",
    citation=(
        "W. Wang, G. Li, B. Ma, X. Xia, Z. Jin. Detecting Code Clones with Graph Neural Network and Flow-Augmented "
        "Abstract Syntax Tree. SANER 2020."
    ),
    criterion="shares-functionality",
    languages=("java",),
    url="https://github.com/jacobwwh/graphmatch_clone",
    known_flaws=(
        "Pairs of different functionalities or problems are assumed to be non-clones; nobody judged them.",
        "For BigCloneBench, the labels are BigCloneBench's, with all their known flaws: 93 % of a sample of its weak "
        "clones do not have the same main purpose.",
        "The split is random over functions: functionalities, and texts with several ids, are in all parts.",
    ),
)


class GraphMatch:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=_CARD,
        claimed_by=Judge(
            id="rule:graphmatch",
            kind=JudgeKind.RULE,
            name="FA-AST's pairing",
            description=(
                "1 for BigCloneBench's true pairs, or for programs of one problem of Code Jam; -1 for false pairs and "
                "for pairs of different functionalities or problems."
            ),
        ),
        label_means=(
            "BigCloneBench: 1 for its true pairs, -1 for others. Code Jam (criterion same-main-purpose): 1 for "
            "programs of one problem, -1 for programs of different ones."
        ),
        accepts=(
            "traindata.txt, devdata.txt, testdata.txt of BCB.zip, or train*.txt, valid.txt, test.txt of javadata.zip "
            "(file, file, 1 or -1); for the texts, the folder or archive of the functions, functions.zip, or "
            "googlejam4_src. One dataset at a time"
        ),
        published={"BigCloneBench clones": 336_498, "BigCloneBench non-clones": 2_080_088, "Code Jam programs": 1_665},
        references=("W. Wang et al., SANER 2020, table of datasets.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        if any(is_abstracted(path) for path in paths):
            return None
        found = recognise_lists(paths, lambda path: is_path_list(path) and not is_abstracted(path))
        return "lists of pairs of files with 1 or -1" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        programs = [path for path in paths if _is_program_tree(path)]
        files = find_files([path for path in paths if path not in programs], is_path_list, self.card)
        lists = chosen_lists(files.lists, paths)
        contest = {bool(_CONTEST.search(head(path))) for path in lists}
        if len(contest) > 1:
            raise InputError(
                "The lists belong to two datasets, BigCloneBench and Google Code Jam.",
                where=", ".join(map(str, lists)),
                hint="Import them one at a time.",
            )
        if contest == {True}:
            texts: FunctionTexts = _Programs(programs, log)
            card = replace(_CARD, version="Google Code Jam", criterion=CONTEST_CRITERION)
        else:
            texts, card = FunctionTexts(files.texts, log), _CARD
        return IdPairs(self.card, path_list_reader(lists), texts, log).dataset(card)


SOURCE = GraphMatch()


class _Programs(FunctionTexts):
    """The programs of Google Code Jam, by problem and file name."""

    def __init__(self, trees: Iterable[Path], log: ImportLog) -> None:
        super().__init__((), log)
        for tree in trees:
            for member in read_tree(tree):
                if found := _PROGRAM.search(str(member.name)):
                    log.read("programs")
                    self._texts[found[1]] = decode(member.read()).text

    def fragments(self, ids: Iterable[str], log: ImportLog) -> Iterator[Fragment]:
        for identity in ids:
            text = self.get(identity)
            if not text:
                log.read(WITHOUT_TEXT)
            yield Fragment(identity, "java", text, FragmentKind.FILE, path=identity)


def _is_program_tree(path: Path) -> bool:
    return is_tree(path) and any(_PROGRAM.search(str(name)) for name in member_names(path))
