"""Project CodeNet: millions of submissions to AIZU and AtCoder, with the verdicts of the online judges."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.budgets import read_bytes
from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read
from clonetruth.formats.trees import read_tree
from clonetruth.model import Card, Dataset, Functionality, Judge, JudgeKind, MemberValue, Role
from clonetruth.sources.clcdsa import ATCODER_WARNING
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import ROLES, Submission, SubmissionIndex, language_name
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import TreeText, tree_texts

# CodeNet's metadata on problems and submissions.

_METADATA_MEMBER = re.compile(
    r"(?:^|/)(?:metadata/(?P<table>p\d{5}|problem_list)\.csv|problem_descriptions/(?P<described>p\d{5})\.html)$"
)
_CACHED_PROBLEMS = 16


@dataclass(frozen=True)
class Entry:
    """The metadata of a submission."""

    user: str | None
    status: str
    evidence: str | None


class Metadata:
    """The tables of a CodeNet tree, read problem by problem.

    Args:
        tree: the folder or archive.
        log: counts rows, and records unusable ones.
    """

    def __init__(self, tree: Path, log: ImportLog) -> None:
        self._tree = tree
        self._log = log
        self._tables: dict[str, Callable[[], bytes]] = {}
        self._descriptions: dict[str, Callable[[], bytes]] = {}
        self._counted: set[str] = set()
        self._entries = lru_cache(maxsize=_CACHED_PROBLEMS)(self._read_entries)
        for name, read in _folder(tree) if tree.is_dir() else _archive(tree):
            match = _METADATA_MEMBER.search(name)
            if match and match["table"]:
                self._tables[match["table"]] = read
            elif match:
                self._descriptions[match["described"]] = read

    def entry(self, problem: str, submission: str) -> Entry | None:
        """The metadata of a submission; None if its problem has no table, or the table has no row for it."""
        return self._entries(problem).get(submission)

    def problems(self) -> dict[str, Functionality]:
        """The problems by id, with their published descriptions in HTML."""
        found = {problem: Functionality(problem, problem, self._description(problem)) for problem in self._descriptions}
        for line, row in self._rows("problem_list"):
            problem = row.get("id", "")
            if not problem:
                self._log.skip(self._place("problem_list"), line, "the row has no problem id")
                continue
            self._log.read("problems in the metadata")
            found[problem] = Functionality(problem, row.get("name") or problem, self._description(problem))
        return found

    def _description(self, problem: str) -> str | None:
        read = self._descriptions.get(problem)
        return decode(read()).text if read else None

    def _read_entries(self, problem: str) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        first_time = problem not in self._counted
        self._counted.add(problem)
        for line, row in self._rows(problem):
            submission, status = row.get("submission_id"), row.get("status")
            if not submission or status is None:
                if first_time:
                    self._log.skip(self._place(problem), line, "the row has no submission id or no status")
                continue
            accuracy = row.get("accuracy")
            evidence = json.dumps({"tests passed": accuracy}) if accuracy else None
            entry = Entry(row.get("user_id") or None, status.strip(), evidence)
            if entries.setdefault(submission, entry).status != entry.status:
                entries[submission] = replace(entry, status="")
                if first_time:
                    self._log.skip(self._place(problem), line, "the submission has two statuses: it is undecided")
        if first_time:
            self._log.read("submissions in the metadata", len(entries))
        return entries

    def _rows(self, table: str) -> Iterator[tuple[int, dict[str, str]]]:
        read = self._tables.get(table)
        if read is None:
            return
        reader = csv.reader(io.StringIO(decode(read()).text, newline=""))
        try:
            header = [name.strip() for name in next(reader, [])]
            for values in reader:
                if values:
                    yield reader.line_num, dict(zip(header, values, strict=False))
        except csv.Error as error:
            raise InputError(f"The file is not CSV: {error}", where=self._place(table)) from error

    def _place(self, table: str) -> Path:
        return self._tree / "metadata" / f"{table}.csv"


def _folder(tree: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The metadata files at the tree's root or one level below, without walking through the data."""
    for root in (tree, *sorted(child for child in tree.iterdir() if child.is_dir())):
        for kind in ("metadata", "problem_descriptions"):
            folder = root / kind
            for file in sorted(folder.iterdir()) if folder.is_dir() else ():
                if file.is_file():
                    yield str(PurePosixPath(kind, file.name)), partial(_read, file)


def _read(file: Path) -> bytes:
    report_read(file)
    return read_bytes(file, "member")


def _archive(tree: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The metadata files of an archive, whose members can be read only once: they are kept compressed."""
    for member in read_tree(tree):
        if _METADATA_MEMBER.search(str(member.name)):
            yield str(member.name), _unpack(zlib.compress(member.read(), 1))


def _unpack(packed: bytes) -> Callable[[], bytes]:
    return lambda: zlib.decompress(packed)


# The dataset.

_MEMBER = re.compile(
    r"(?:^|/)(?P<problem>p\d{5})/(?:(?P<language>[^/]+)/)?(?P<submission>s\d{9})(?P<ending>\.[A-Za-z0-9_+#]+)$"
)
_LAYOUT = Layout(member=_MEMBER)

_UNJUDGED = ("judge not available", "waiting", "internal error", "judge system error")
"""Prefixes of the states in which a submission has no verdict."""

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
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="codenet",
            version="1.0",
            description=(
                "Programs in 55 languages (mostly C++, Python, Java, C, Ruby and C#), accepted or not, that were "
                "submitted to problems of AIZU and AtCoder, with metadata. Its four benchmarks in C++, Python and Java "
                "can be imported too. There are no pairs."
            ),
            licence="CDLA-Permissive-2.0 according to IBM; the authors of the submissions keep their copyright",
            citation=(
                "R. Puri et al. CodeNet: A Large-Scale AI for Code Dataset for Learning a Diversity of Coding Tasks. "
                "NeurIPS Datasets and Benchmarks 2021."
            ),
            criterion="same-main-purpose",
            languages=("cpp", "python", "java", "c", "ruby", "csharp"),
            url="https://github.com/IBM/Project_CodeNet",
            known_flaws=(
                "The AtCoder part was scraped, possibly against the site's terms.",
                "There are clusters of identical problems, so that programs of different problems may be clones.",
                "Near duplicates are frequent; the dataset lists them separately.",
                "Fields of the metadata may be empty, or negative for submissions that were not accepted.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Two programs count as clones if both were accepted for the same problem.",
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
        return "submissions p00000/…/s000000000" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        problems: dict[str, Functionality] = {}
        # Ids are unique by construction, and too many to keep in memory; the store refuses repeated ones.
        index = SubmissionIndex(_JUDGE, log, problems, unique=True)
        return index.dataset(self.card.card, _submissions(found.trees, problems, log))


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
    # Without a language folder, the file belongs to a benchmark, which contains only solutions.
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
