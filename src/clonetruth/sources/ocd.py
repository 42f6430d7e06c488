"""OCD: Java programs, and variants produced by obfuscators, compilers and decompilers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    PairValue,
    Role,
)
from clonetruth.sources.columns import check_options
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_CRITERION = "equivalent-behaviour"
_ORIGINAL = "0_orig"
_MEMBER = re.compile(
    r"(?:^|/)(?P<program>[^/]+)/(?P<variant>0_orig|1_artifice|test_[01]_(?:orig|artifice)_[a-z0-9_]+)/"
    r"(?P<name>[^/]+)\.java$"
)
_LAYOUT = Layout(member=_MEMBER)
_MOST_FILES = 2000
"""All files are paired with each other, so that a larger tree of another dataset must be refused."""

_RULE = Judge(
    id="rule:ocd",
    kind=JudgeKind.RULE,
    name="Variants of one program",
    description=(
        "Two files made from the same program by transformations that keep its behaviour are clones; files made "
        "from different programs are not."
    ),
)


class Ocd:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="ocd",
            version="2018",
            description=(
                "Ten small Java programs in ten variants each: the original, obfuscated in source (Artifice), and "
                "compiled, optionally obfuscated in byte code (ProGuard), and decompiled (Krakatau, Procyon). The "
                "study compares every file with every file, including itself."
            ),
            licence="MIT",
            citation=(
                "C. Ragkhitwetsagul, J. Krinke, D. Clark. A Comparison of Code Similarity Analysers. Empirical "
                "Software Engineering 23, 2018."
            ),
            criterion=_CRITERION,
            languages=("java",),
            url="https://github.com/UCL-CREST/ocd",
            problems_disjoint=True,
            known_flaws=(
                "Artificial: ten programs, and tools made all variants.",
                "The tools claim that the transformations preserve behaviour; no execution is recorded.",
                "A tenth of the positives are files compared with themselves.",
            ),
        ),
        claimed_by=_RULE,
        label_means="Clones are variants of the same program; non-clones are files of different programs.",
        accepts=(
            "the tree <program>/<variant>/<class>.java (variants 0_orig, 1_artifice, test_…) as a folder or an archive"
        ),
        published={"files": 100, "programs": 10, "positive pairs": 1000, "negative pairs": 9000},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "Java programs with variants 0_orig, 1_artifice, test_…" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        files: dict[str, Fragment] = {}
        for fragment in _files(found.trees, log):
            if fragment.id in files:
                log.skip(fragment.path, None, "the file's id occurs twice")
            elif len(files) >= _MOST_FILES:
                raise InputError(f"There are more than {_MOST_FILES:,} files: this is not OCD.", where=found.trees[0])
            else:
                log.read("files")
                files[fragment.id] = fragment
        programs = {fragment.id: fragment.project or "" for fragment in files.values()}
        return Dataset(
            card=self.card.card,
            fragments=files.values(),
            functionalities=(Functionality(name, name) for name in dict.fromkeys(programs.values())),
            memberships=(
                Membership(name, program, Role.EXEMPLAR if f"/{_ORIGINAL}/" in name else Role.TAGGED_TRUE)
                for name, program in programs.items()
            ),
            pairs=(
                Pair(left, right, programs[left] if programs[left] == programs[right] else None)
                for left, right in product(programs, programs)
            ),
            judges=(_RULE,),
            judgements=(
                Judgement(_RULE.id, _CRITERION, PairValue.CLONE if left == right else PairValue.NOT_CLONE, pair=row)
                for row, (left, right) in enumerate(product(programs.values(), programs.values()))
            ),
        )


SOURCE = Ocd()


def _files(trees: Sequence[Path], log: ImportLog) -> Iterator[Fragment]:
    for tree in trees:
        for one in tree_texts(tree, _MEMBER, log):
            program, name = one.match["program"], one.match["name"]
            yield Fragment(one.name, "java", one.text, FragmentKind.FILE, name=name, project=program, path=one.name)
