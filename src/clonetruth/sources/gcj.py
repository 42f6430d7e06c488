"""Google Code Jam in DeepSim's selection: the tree of programs, or CodeXGLUE-style files with pairs."""

from __future__ import annotations

import re
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
from clonetruth.sources.tree_texts import tree_texts

CRITERION = "same-main-purpose"

_MEMBER = re.compile(r"(?:^|/)(?P<problem>\d+)/googlejam\d+\.p(?P<author>\d+)\.(?P<name>[^/]+)\.java$")
_PACKAGE = re.compile(r"\bpackage\s+googlejam(?P<problem>\d+)\.p(?P<author>\d+)\s*;")

ONLINE_JUDGE = Judge(
    id="execution:google-code-jam",
    kind=JudgeKind.EXECUTION,
    name="Google Code Jam",
    description="Submissions whose output the contest accepted, as the collectors state.",
)

_RULE = Judge(
    id="rule:gcj",
    kind=JudgeKind.RULE,
    name="Same problem",
    description="The lists call two programs of the same problem a clone, and of different problems no clone.",
)


def _is_programs(path: Path) -> bool:
    if inner_suffix(path) != ".jsonl":
        return False
    first = first_object(head(path, 1024 * 1024))
    return "idx" in first and _PACKAGE.search(str(first.get("func"))) is not None


_LAYOUT = Layout(table=lambda path: _is_programs(path) or is_pair_list(path), member=_MEMBER)


class GoogleCodeJam:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="gcj",
            version="DeepSim",
            description=(
                "Java programs submitted to twelve problems of Google Code Jam, as selected and published by DeepSim. "
                "A reconstruction in CodeXGLUE's format adds lists of pairs."
            ),
            licence="none stated (graphmatch_clone); MIT (deepsim); Apache-2.0 (the reconstruction with lists)",
            citation="G. Zhao, J. Huang. DeepSim: Deep Learning Code Functional Similarity. ESEC/FSE 2018.",
            criterion=CRITERION,
            languages=("java",),
            url="https://github.com/parasol-aser/deepsim",
            problems_disjoint=True,
            known_flaws=(
                "The problems are unbalanced: a few have most of the programs, and thus most positive pairs.",
                "The paper counts 1,669 programs; the published archive has 1,665.",
                "Contestants submit the same utility functions with every problem.",
                "The assumption that programs of different problems are not clones was never checked.",
                "Package names contain the problem and the author: a detector can read the label from the text.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: both programs were submitted to the same problem; 0: to different problems.",
        accepts=(
            "the tree googlejam4_src/<problem>/googlejam<problem>.p<author>.<class>.java as a folder or an archive, "
            "or data.jsonl (func, idx) with train.txt, valid.txt, test.txt (idx1, idx2, 0 or 1), also compressed"
        ),
        published={"programs": 1669, "problems": 12, "positive pairs": 275570, "negative pairs": 1116376},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. BigCloneBench Considered Harmful for Machine Learning. IWSC 2022 "
            "(utility functions; unverified assumption).",
            "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code Clone "
            "Detection. ISSRE 2023 (imbalance).",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        if found is None:
            return None
        if any(inner_suffix(path) == ".jsonl" for path in found.tables):
            return "data.jsonl with programs of packages googlejam<problem>"
        return "Java files googlejam<problem>.p<author>.<class>.java" if found.trees else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`. If both are given, the JSON lines are used, because the lists refer to their ids."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        programs = [path for path in found.tables if inner_suffix(path) == ".jsonl"]
        lists = [path for path in found.tables if path not in programs]
        index = SubmissionIndex(ONLINE_JUDGE, log)
        if not programs:
            for path in lists:
                log.skip(path, None, "the list needs data.jsonl")
            return index.dataset(self.card.card, _files(found.trees, log))
        for tree in found.trees:
            log.skip(tree, None, "the tree repeats the programs of the JSON lines")
        pairs = PairLists(lists, _RULE, CRITERION, index, log)
        return index.dataset(self.card.card, _rows(programs, log), pairs)


SOURCE = GoogleCodeJam()


def _files(trees: Sequence[Path], log: ImportLog) -> Iterator[Submission]:
    for tree in trees:
        for one in tree_texts(tree, _MEMBER, log):
            found = one.match
            yield Submission(
                one.name,
                found["problem"],
                "java",
                one.text,
                author=f"p{found['author']}",
                name=found["name"],
                path=one.name,
                place=one.place,
            )


def _rows(files: Sequence[Path], log: ImportLog) -> Iterator[Submission]:
    for path in files:
        for row in json_rows(path, log, text=("idx", "func")):
            text = row.values["func"]
            # The files have no column for the problem; the package name, written by the collectors, contains it.
            found = _PACKAGE.search(text)
            yield Submission(
                row.values["idx"],
                found["problem"] if found else None,
                "java",
                text,
                author=f"p{found['author']}" if found else None,
                place=path,
                line=row.line,
            )
