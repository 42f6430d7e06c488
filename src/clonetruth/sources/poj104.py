"""POJ-104, as CodeXGLUE's JSON lines or as the original tree of programs."""

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
from clonetruth.sources.layout import Layout, LocatedFiles, part_of, plain_name, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_MEMBER = re.compile(r"(?:^|/)ProgramData/(?P<problem>\d+)/(?P<number>\d+)\.txt$")
_COLUMNS = ("label", "index", "code")

_JUDGE = Judge(
    id="execution:poj",
    kind=JudgeKind.EXECUTION,
    name="The online judge of Peking University",
    description="Students' programs that the pedagogical online judge accepted, as the collectors state.",
)


def _is_table(path: Path) -> bool:
    if inner_suffix(path) not in (".jsonl", ".ndjson"):
        return False
    first = first_object(head(path, 1024 * 1024))
    # FCDetector's file has these columns and also `func`.
    return set(_COLUMNS) <= first.keys() and not {"func", "idx"} & first.keys()


_LAYOUT = Layout(table=_is_table, member=_MEMBER)


class Poj104:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="codexglue-poj104",
            version="CodeXGLUE",
            description=(
                "Programs that students submitted to a pedagogical online judge, 500 for each of 104 problems. "
                "CodeXGLUE's task is to retrieve programs of the same problem; there are no pairs."
            ),
            licence="C-UDA (CodeXGLUE); the original page states none",
            citation=(
                "L. Mou, G. Li, L. Zhang, T. Wang, Z. Jin. Convolutional Neural Networks over Tree Structures for "
                "Programming Language Processing. AAAI 2016. S. Lu et al. CodeXGLUE. NeurIPS 2021."
            ),
            criterion="same-main-purpose",
            languages=("c", "cpp"),
            url="https://github.com/microsoft/CodeXGLUE/tree/main/Code-Code/Clone-detection-POJ-104",
            problems_disjoint=False,
            known_flaws=(
                "Problems 26 and 62 are the same, so that programs of different problems may be clones.",
                "A public version contains problems 65 and 81 twice, because they are in two parts of its split.",
                "C and C++ are mixed without distinction; all programs are imported as C++. Headers were removed.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="The label is the problem for which a program was accepted.",
        accepts=(
            "JSON lines with the columns label, index and code (.jsonl, also compressed), "
            "or the tree ProgramData/<problem>/<n>.txt as a folder or an archive"
        ),
        published={"programs": 52000, "problems": 104},
        references=(
            "R. Puri et al. CodeNet. NeurIPS 2021 (problems 26 and 62).",
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        if found is None:
            return None
        return "programs in folders ProgramData/<problem>" if found.trees else "JSON lines with label, index and code"

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        return SubmissionIndex(_JUDGE, log).dataset(self.card.card, _submissions(found, log))


SOURCE = Poj104()


def _submissions(found: LocatedFiles, log: ImportLog) -> Iterator[Submission]:
    for path in found.tables:
        # The part of the split has no separate column; the file's name contains it.
        file = plain_name(path) if part_of(path) else None
        for row in json_rows(path, log, text=_COLUMNS):
            problem, index, code = (row.values[name] for name in _COLUMNS)
            yield Submission(index, problem, "cpp", code, path=file, place=path, line=row.line)
    for path in found.trees:
        for one in tree_texts(path, _MEMBER, log):
            problem, number = one.match["problem"], one.match["number"]
            yield Submission(f"{problem}/{number}", problem, "cpp", one.text, path=one.name, place=one.place)
