"""CLCDSA: solutions in several languages from AtCoder and Google Code Jam."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.model import Card, Dataset, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import Submission, SubmissionIndex, language_name
from clonetruth.sources.json_rows import first_object, json_rows
from clonetruth.sources.layout import Layout, LocatedFiles, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_COLUMNS = ("problem", "language", "path", "code")
_MEMBER = re.compile(
    r"(?:^|/)(?P<problem>AtCoder/[^/]+/[^/]+|CodeJamData/[^/]+/[^/]+)/[^/]+(?P<ending>\.(?:java|py|cs|c|cc|cpp|cxx))$",
    re.IGNORECASE,
)

ATCODER_WARNING = (
    "The data contains submissions to AtCoder. Their authors keep the copyright, and collecting them may violate "
    "AtCoder's terms; Krinke and Ragkhitwetsagul (2025) advise against using them. Find out whether you may use the "
    "data, and do not redistribute it."
)

_JUDGE = Judge(
    id="execution:clcdsa",
    kind=JudgeKind.EXECUTION,
    name="AtCoder and Google Code Jam",
    description="Submissions that the contest's online judge accepted, as the collectors state.",
)


def _is_table(path: Path) -> bool:
    if inner_suffix(path) not in (".jsonl", ".ndjson"):
        return False
    first = first_object(head(path, 1024 * 1024))
    return set(_COLUMNS) <= first.keys() and str(first["problem"]).startswith(("AtCoder/", "CodeJamData/"))


_LAYOUT = Layout(table=_is_table, member=_MEMBER)


class Clcdsa:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="clcdsa",
            version="2019",
            description=(
                "Solutions of contest problems in Java, Python, C#, C++ and C, for cross-language clones. Solutions of "
                "the same problem count as clones; there are no pairs."
            ),
            licence="none stated",
            citation=(
                "K. W. Nafi, T. S. Kar, B. Roy, C. K. Roy, K. A. Schneider. CLCDSA: Cross Language Code Clone "
                "Detection using Syntactical Features and API Documentation. ASE 2019."
            ),
            criterion="same-main-purpose",
            languages=("java", "python", "csharp", "cpp", "c"),
            url="https://github.com/Kawser-nerd/CLCDSA",
            known_flaws=(
                "Scraped from AtCoder, possibly against its terms.",
                "Some files with the ending .c are C++.",
                "A few texts are repeated, two of them under different problems.",
                "Some submissions are archives or other binary files; they are left out.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Two solutions count as clones if both were accepted for the same problem.",
        accepts=(
            "the tree AtCoder/<contest>/<problem>/<n>.<ending> and CodeJamData/<year>/<problem>/<n>.<ending> as a "
            "folder or an archive, or JSON lines with the columns problem, language, path and code, also compressed"
        ),
        published={"solutions": 78000},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
        warning=ATCODER_WARNING,
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "solutions of problems of AtCoder or CodeJamData" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        return SubmissionIndex(_JUDGE, log).dataset(self.card.card, _submissions(found, log))


SOURCE = Clcdsa()


def _submissions(found: LocatedFiles, log: ImportLog) -> Iterator[Submission]:
    for path in found.tables:
        for row in json_rows(path, log, text=_COLUMNS):
            problem, _, place, code = (row.values[name] for name in _COLUMNS)
            language = language_name(PurePosixPath(place).suffix or f".{row.values['language']}")
            yield Submission(place, problem, language, code, path=place, place=path, line=row.line)
    for path in found.trees:
        for one in tree_texts(path, _MEMBER, log):
            problem, language = one.match["problem"], language_name(one.match["ending"])
            yield Submission(one.name, problem, language, one.text, path=one.name, place=one.place)
