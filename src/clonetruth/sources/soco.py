"""SOCO: programs and human judgements of re-use between them, with the list that the OCD study corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import language_name
from clonetruth.sources.layout import Layout, plain_name, recognise_files, require_files
from clonetruth.sources.pair_lists import Listed, PairLists, positive
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_CRITERION = "textual"
_MEMBER = re.compile(r"(?:^|/)(?:(?P<folder>\d{3})/)?(?P<number>\d{3})(?P<ending>\.(?:java|c))$")
_ROW = re.compile(rb"\s*\d{3}(?:\.\w+)?[ \t]+\d{3}(?:\.\w+)?\s*$")

_JUDGE = Judge(
    id="person:soco",
    kind=JudgeKind.PERSON,
    name="The organisers of SOCO",
    description=(
        "The relevance judgements of the task's organisers, corrected by the authors of the OCD study. Who judged "
        "which pair was not published."
    ),
)


def _is_list(path: Path) -> bool:
    return plain_name(path).endswith((".txt", ".qrel")) and bool(_ROW.match(head(path).partition(b"\n")[0]))


_LAYOUT = Layout(table=_is_list, member=_MEMBER)


class Soco:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="soco",
            version="2014, list fixed by OCD",
            description=(
                "Java programs of the task Detection of SOurce COde Re-use (PAN at FIRE 2014) and the pairs of them "
                "that re-use each other. Pairs that are not listed have no label here."
            ),
            licence="none stated (SOCO); MIT (the formatted files and the corrected list in OCD)",
            citation=(
                "E. Flores, P. Rosso, L. Moreno, E. Villatoro-Tello. On the Detection of SOurce COde Re-use. FIRE "
                "2014. C. Ragkhitwetsagul, J. Krinke, D. Clark. A Comparison of Code Similarity Analysers. Empirical "
                "Software Engineering 23, 2018."
            ),
            criterion=_CRITERION,
            languages=("java", "c"),
            url="https://pan.webis.de/fire14/pan14-web/soco.html",
            known_flaws=(
                "The list contains only re-use. That every other pair is a non-clone is an assumption of its users.",
                "All programs solve one of a few tasks, so that unrelated ones are similar too.",
                "The organisers' list had errors; the OCD study corrected it.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Each listed pair was judged to be re-use of source code; other pairs have no label.",
        accepts=(
            "the tree NNN/NNN.java (or NNN.java) as a folder or an archive, and the list of pairs NNN NNN, also "
            "compressed"
        ),
        published={"files": 259, "pairs": 97},
        references=("C. Ragkhitwetsagul, J. Krinke, D. Clark, 2018 (corrections to the list).",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        return "programs with three-digit names" if found and found.trees else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        ids: set[str] = set()
        lists = PairLists(found.tables, _JUDGE, _CRITERION, ids, log, parse=_numbers)
        return Dataset(
            card=self.card.card,
            fragments=_fragments(found.trees, ids, log),
            pairs=lists.pairs(),
            judges=(_JUDGE,),
            judgements=lists.judgements(),
        )


SOURCE = Soco()


def _fragments(trees: Sequence[Path], ids: set[str], log: ImportLog) -> Iterator[Fragment]:
    for tree in trees:
        for one in tree_texts(tree, _MEMBER, log):
            number = one.match["number"]
            if number in ids:
                log.skip(one.place, None, "the program's number occurs twice")
                continue
            ids.add(number)
            log.read("programs")
            language = language_name(one.match["ending"])
            yield Fragment(number, language, one.text, FragmentKind.FILE, path=one.name)
    if not ids:
        raise InputError("No programs were found.", hint="Add the tree NNN/NNN.java to the list.")


def _numbers(words: Sequence[str]) -> Listed | None:
    return positive([word.partition(".")[0] for word in words])
