"""TBCCD's `functions.txt`: the texts of 9,134 functions of BigCloneBench, by function id, without pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import expand_folders
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind
from clonetruth.sources.bcb_functions import is_function_list, read_functions
from clonetruth.sources.columns import check_options
from clonetruth.sources.source import ImportLog, SourceCard

_NOBODY = Judge(
    id="rule:bigclonebench-functions",
    kind=JudgeKind.RULE,
    name="Nobody",
    description="The file holds functions only; nothing is claimed of pairs.",
)


class BigCloneBenchFunctions:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="bigclonebench-functions",
            version="TBCCD",
            description=(
                "The Java functions of BigCloneBench that most deep learning papers use, as TBCCD published them: "
                "texts by function id, no pairs and no labels. Lists of ids take their texts from it."
            ),
            licence="none stated",
            citation=(
                "H. Yu, W. Lam, L. Chen, G. Li, T. Xie, Q. Wang. Neural Detection of Semantic Code Clones via "
                "Tree-Based Convolution. ICPC 2019."
            ),
            criterion="shares-functionality",
            languages=("java",),
            url="https://github.com/yh1105/datasetforTBCCD",
            known_flaws=(
                "1,441 of the functions, in 375 groups, have the same text as another up to white space.",
                "Some functions are not valid UTF-8; they are read as Latin-1.",
                "Only 9,134 of BigCloneBench's 73,319 functions, most of them from its first ten functionalities.",
            ),
        ),
        claimed_by=_NOBODY,
        label_means="There are no labels.",
        accepts="functions.txt (plain or compressed), functions.zip, or a folder that holds either",
        published={"functions": 9134},
        references=("The counts are those of the published file.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`. Together with a list of pairs, the functions are only its texts."""
        found = paths and all(is_function_list(path) for path in paths)
        return "functions by id (FUNCTION_ID: lines)" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = [path for path in expand_folders(paths) if is_function_list(path)]
        if not files:
            where = ", ".join(map(str, paths)) or None
            raise InputError("No list of functions was found.", where=where, hint=f"Accepted: {self.card.accepts}.")
        return Dataset(card=self.card.card, fragments=_fragments(files, log))


SOURCE = BigCloneBenchFunctions()


def _fragments(files: Sequence[Path], log: ImportLog) -> Iterator[Fragment]:
    known: set[str] = set()
    for path in files:
        for identity, text in read_functions(path, log):
            log.read("functions")
            if identity in known:
                log.skip(path, None, "the function's id occurs twice")
            elif not text.strip():
                log.skip(path, None, "the function has no text")
            else:
                known.add(identity)
                yield Fragment(id=identity, language="java", text=text)
    if not known:
        raise InputError("No function could be read.", where=files[0])
