"""ConBigCloneBench as Li et al. publish it: one text file per fragment, and arrays of pairs for their views."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.trees import read_tree
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.gcj2 import array_rows, is_pair_array, listed_row, one_view
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.pair_lists import PairLists
from clonetruth.sources.source import ImportLog, SourceCard

_TEXT = re.compile(r"(?:^|/)cbcb/code(?P<level>[0-3])/(?P<id>\d+)\.txt$")
_LEVELS = ("0", "1", "2", "3")
_CRITERION = "shares-functionality"

_RULE = Judge(
    id="rule:conbigclonebench",
    kind=JudgeKind.RULE,
    name="ConBigCloneBench's pairing rule",
    description=(
        "1: exemplars and methods similar to them, paired with each other and with methods tagged true; -1: paired "
        "with methods tagged false."
    ),
)


class ConBigCloneBench:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="conbigclonebench",
            version="2023",
            description=(
                "9,323 fragments of BigCloneBench, expanded by the functions that they call, with lists of pairs for "
                "four views of the data. `clonetruth build confidence-bcb` follows the same recipe on BigCloneBench."
            ),
            licence="none stated",
            citation=(
                "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code "
                "Clone Detection. ISSRE 2023."
            ),
            criterion=_CRITERION,
            languages=("java",),
            url="https://github.com/lihy11/MultiPerspectiveCloneEval",
            known_flaws=(
                "The published files state neither functionality, project nor BigCloneBench's id of a fragment: its "
                "views cannot be made again from them.",
                "Nobody judged its pairs: a similarity threshold replaces the judgement, though the pairs in question "
                "are dissimilar by definition (Krinke and Ragkhitwetsagul 2025).",
                "The stated spread of 256.6 does not fit a cap of 500 fragments per functionality.",
                "Its validation and test parts share functionalities in the cross-functionality view.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: a clone by the pairing rule; -1: an exemplar and a method tagged false.",
        accepts=(
            "the unpacked folder dataset/ with cbcb/code0/<id>.txt and train_split/cbcb/{train,val,test}_<view>.npy, "
            "or a zip or tar file of the texts and the arrays beside it; --option view=random0 selects a view, "
            "--option level=1 an abstraction level"
        ),
        published={"fragments": 9_323},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "a folder cbcb/code0 of numbered texts" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ("view", "level"))
        arrays = _arrays(paths)
        found = require_files([path for path in paths if path not in arrays], _LAYOUT, self.card, log)
        texts = _Texts(found.trees, str(options.get("level", "0")), log)
        lists = one_view(arrays, options.get("view")) if arrays else []
        pairs = PairLists(lists, _RULE, _CRITERION, texts.ids, log, parse=listed_row, read=array_rows)
        return Dataset(
            card=self.card.card,
            fragments=texts.fragments(),
            pairs=pairs.pairs(),
            judges=(_RULE,),
            judgements=pairs.judgements(),
        )


_LAYOUT = Layout(member=_TEXT)


def _arrays(paths: Sequence[Path]) -> list[Path]:
    """The arrays of pairs among the given paths: named, or in the folder of the splits."""
    inside = (one for path in paths if path.is_dir() for one in sorted(path.rglob("train_split/cbcb/*.npy")))
    return [path for path in (*paths, *inside) if path.is_file() and is_pair_array(path)]


class _Texts:
    """The texts of one abstraction level; their ids are known once all are read."""

    def __init__(self, trees: Sequence[Path], level: str, log: ImportLog) -> None:
        if level not in _LEVELS:
            raise InputError(f"There is no abstraction level '{level}'.", hint=f"Levels: {', '.join(_LEVELS)}.")
        self.ids: set[str] = set()
        self._trees = trees
        self._level = level
        self._log = log

    def fragments(self) -> Iterator[Fragment]:
        """The fragments, in the order of the files."""
        for tree in self._trees:
            for member in read_tree(tree):
                match = _TEXT.search(str(member.name))
                if match is None or match["level"] != self._level:
                    continue
                if match["id"] in self.ids:
                    self._log.skip(member.name, None, "the id occurs twice")
                    continue
                self._log.read("fragments")
                self.ids.add(match["id"])
                text = member.read().decode("utf-8", errors="replace")
                yield Fragment(match["id"], "java", text, FragmentKind.MULTI_FUNCTION, path=str(member.name))
        if not self.ids:
            raise InputError(f"There is no text in cbcb/code{self._level}.", where=self._trees[0])


SOURCE = ConBigCloneBench()
