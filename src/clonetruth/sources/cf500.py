"""CF-500: accepted C programs for 500 problems of Codeforces, with the pair lists of its authors' tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.formats.sniffing import head
from clonetruth.model import Card, Dataset, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import Submission, SubmissionIndex, language_name
from clonetruth.sources.layout import Layout, plain_name, recognise_files, require_files
from clonetruth.sources.pair_lists import Listed, PairLists, labelled
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_CRITERION = "same-main-purpose"
_MEMBER = re.compile(
    r"(?:^|/)(?:CF-?500(?:/code)?|code)/(?P<problem>\d+[a-z]?\d?)/(?P<number>\d+)(?P<ending>\.(?:c|cpp|cc))$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:^|[\\/])(?P<problem>[^\\/]+)[\\/](?P<number>[^\\/]+)\.(?:json|c|cpp|cc|ll|txt)$")

_JUDGE = Judge(
    id="execution:codeforces",
    kind=JudgeKind.EXECUTION,
    name="Codeforces",
    description="Submissions that the online judge accepted, as the collectors state.",
)

_RULE = Judge(
    id="rule:cf500",
    kind=JudgeKind.RULE,
    name="Same problem",
    description="The lists call two programs of the same problem a clone, and of different problems no clone.",
)


def _is_list(path: Path) -> bool:
    if not plain_name(path).endswith(".txt"):
        return False
    words = head(path).partition(b"\n")[0].decode("utf-8", errors="replace").split()
    return _listed(words) is not None


_LAYOUT = Layout(table=_is_list, member=_MEMBER)


class Cf500:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="cf500",
            version="2022",
            description=(
                "C programs that Codeforces accepted for 500 problems. The authors of SEED paired them: same problem, "
                "clone; different problems, not a clone."
            ),
            licence="none stated",
            citation=(
                "Z. Xue, Z. Jiang, C. Huang, R. Xu, X. Huang, L. Hu. SEED: Semantic Graph Based Deep Detection for "
                "Type-4 Clone. ICSR 2022."
            ),
            criterion=_CRITERION,
            languages=("c", "cpp"),
            url="https://github.com/ZhipengXue97/SEED",
            known_flaws=(
                "The assumption that programs of different problems are not clones was never checked; Codeforces gives "
                "the same problem to both of its divisions.",
                "The authors of the programs are not recorded, so that a split across authors is impossible.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: both programs were accepted for the same problem; -1: for different problems.",
        accepts=(
            "the tree Code/<problem>/<n>.c (or CF500/<problem>/<n>.c) as a folder or an archive, with the lists "
            "of SEED (<folder>\\<problem>\\<n>.json twice, then 1 or -1), if available"
        ),
        published={"programs": 23146, "problems": 500},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
        warning=(
            "The programs were scraped from a contest site; their authors keep the copyright and no licence is "
            "stated. The same concern was raised about AtCoder's data. Do not pass them on."
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        return "C files in folders Code/<problem>" if found and found.trees else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        index = SubmissionIndex(_JUDGE, log)
        pairs = PairLists(found.tables, _RULE, _CRITERION, index, log, parse=_listed)
        return index.dataset(self.card.card, _submissions(found.trees, log), pairs)


SOURCE = Cf500()


def _submissions(trees: Sequence[Path], log: ImportLog) -> Iterator[Submission]:
    for path in trees:
        for one in tree_texts(path, _MEMBER, log):
            problem, name = one.match["problem"], f"{one.match['problem']}/{one.match['number']}"
            language = language_name(one.match["ending"])
            yield Submission(name, problem, language, one.text, path=one.name, place=one.place)


def _listed(words: Sequence[str]) -> Listed | None:
    """A row of SEED's lists, which name the graphs of the programs: ``json\\95\\1397.json``."""
    row = labelled(words)
    left, right = (_LISTED.search(name) for name in row[:2]) if row else (None, None)
    if row is None or left is None or right is None:
        return None
    return f"{left['problem']}/{left['number']}", f"{right['problem']}/{right['number']}", row[2]
