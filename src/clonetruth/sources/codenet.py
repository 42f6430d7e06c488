"""Project CodeNet: millions of submissions to AIZU and AtCoder, with what the online judges said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.model import Card, Dataset, Functionality, Judge, JudgeKind, MemberValue, Role
from clonetruth.sources.clcdsa import ATCODER_WARNING
from clonetruth.sources.codenet_metadata import Entry, Metadata
from clonetruth.sources.columns import refuse_unknown
from clonetruth.sources.contests import ROLES, Submission, SubmissionIndex, language_name
from clonetruth.sources.locating import Layout, locate, seen
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import TreeText, tree_texts

_MEMBER = re.compile(
    r"(?:^|/)(?P<problem>p\d{5})/(?:(?P<language>[^/]+)/)?(?P<submission>s\d{9})(?P<ending>\.[A-Za-z0-9_+#]+)$"
)
_LAYOUT = Layout(member=_MEMBER)

_UNJUDGED = ("judge not available", "waiting", "internal error", "judge system error")
"""How the states begin in which an online judge has not spoken of a submission."""

_JUDGE = Judge(
    id="execution:codenet",
    kind=JudgeKind.EXECUTION,
    name="AIZU Online Judge and AtCoder",
    description=(
        "The state of a submission in CodeNet's metadata. Only 'Accepted' says that it implements the problem; a "
        "submission that was rejected, be it for its speed, does not."
    ),
)


class CodeNet:
    """See `SourceCard.description`."""

    card = SourceCard(
        card=Card(
            name="codenet",
            version="1.0",
            description=(
                "Programs in 55 languages (most in C++, Python, Java, C, Ruby and C#) that were submitted to problems "
                "of AIZU and AtCoder, accepted or not, with metadata. Also its four benchmarks in C++, Python and "
                "Java. There are no pairs."
            ),
            licence="CDLA-Permissive-2.0 as IBM states; the submissions' authors keep their copyright",
            citation=(
                "R. Puri et al. CodeNet: A Large-Scale AI for Code Dataset for Learning a Diversity of Coding Tasks. "
                "NeurIPS Datasets and Benchmarks 2021."
            ),
            criterion="same-main-purpose",
            languages=("cpp", "python", "java", "c", "ruby", "csharp"),
            url="https://github.com/IBM/Project_CodeNet",
            known_flaws=(
                "The AtCoder part was scraped, perhaps against the site's terms.",
                "There are clusters of identical problems, so different problems may hold clones.",
                "Near duplicates are frequent; the dataset lists them apart.",
                "Fields of the metadata may be empty, or negative for submissions that were not accepted.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Two programs belong together if both were accepted for the same problem.",
        accepts=(
            "the tree data/<problem>/<language>/<submission>.<ending> with metadata/<problem>.csv and "
            "metadata/problem_list.csv, or a benchmark <problem>/<submission>.<ending>, as a folder or an archive"
        ),
        published={"submissions": 13916868, "problems": 4053, "accepted": 7460588},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
        warning=ATCODER_WARNING,
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "submissions p00000/…/s000000000" if seen(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        refuse_unknown(options, ())
        found = locate(paths, _LAYOUT, self.card, log)
        problems: dict[str, Functionality] = {}
        # Ids are unique by construction, and too many to remember; the store refuses one that is not.
        roster = SubmissionIndex(_JUDGE, log, problems, unique=True)
        return roster.dataset(self.card.card, _submissions(found.trees, problems, log))


SOURCE = CodeNet()


def _submissions(trees: Sequence[Path], problems: dict[str, Functionality], log: ImportLog) -> Iterator[Submission]:
    for tree in trees:
        metadata = Metadata(tree, log)
        problems.update(metadata.problems())
        for one in tree_texts(tree, _MEMBER, log):
            yield _submission(one, metadata, log)


def _submission(one: TreeText, metadata: Metadata, log: ImportLog) -> Submission:
    submission, problem, folder = one.match["submission"], one.match["problem"], one.match["language"]
    entry = metadata.entry(problem, submission)
    if entry is None:
        log.read("programs without metadata")
    value = None if entry is None else _value(entry)
    # Without a language folder the file is of a benchmark, which holds solutions only.
    unknown = Role.UNDECIDED if folder else Role.TAGGED_TRUE
    return Submission(
        submission,
        problem,
        language_name(folder or one.match["ending"]),
        one.text,
        author=entry.user if entry else None,
        path=one.name,
        role=unknown if value is None else ROLES[value],
        value=value,
        reason=entry.status if entry else None,
        evidence=entry.evidence if entry else None,
        place=one.place,
    )


def _value(entry: Entry) -> MemberValue:
    status = entry.status.lower()
    if status == "accepted":
        return MemberValue.MAJOR
    return MemberValue.UNDECIDED if not status or status.startswith(_UNJUDGED) else MemberValue.WRONG
