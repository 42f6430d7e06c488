"""Petrik's collection of Google Code Jam: one table of submissions for each year, in twenty languages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_rows
from clonetruth.formats.trees import read_tree
from clonetruth.model import Card, Dataset, Functionality, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import Submission, SubmissionIndex, language_name
from clonetruth.sources.gcj import CRITERION
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard

_COLUMNS = {"file", "flines", "full_path", "round", "solution", "task", "username", "year"}
_MEMBER = re.compile(r"(?:^|/)gcj\d{4}\.csv$")
_OTHERS = {"funid", "lan"}
_HEAD = 64 * 1024
_LANGUAGES = {
    "python3": "py",
    "pypy": "py",
    "pypy2": "py",
    "pypy3": "py",
    "python": "py",
    "csharp": "cs",
    "javascript": "js",
    "nodejs": "js",
    "ruby": "rb",
    "haskell": "hs",
    "kotlin": "kt",
    "rust": "rs",
    "typescript": "ts",
}
"""Names of languages that stand for an ending since 2018."""

_RULE = Judge(
    id="rule:gcj-archive",
    kind=JudgeKind.RULE,
    name="Submitted to the problem",
    description="A program was submitted to a problem; the tables do not state whether the judge accepted it.",
)


def _is_table(path: Path) -> bool:
    if inner_suffix(path) not in TABLE_SUFFIXES:
        return False
    if inner_suffix(path) in (".csv", ".tsv"):
        first = head(path, _HEAD).partition(b"\n")[0].decode("utf-8", errors="replace")
        names = {name.strip().strip('"').lstrip("\ufeff") for name in first.split(",")}
        return names >= _COLUMNS and not names & _OTHERS
    try:
        names = set(next(iter(read_rows(path))).values)
    except (InputError, StopIteration):
        return False
    return names >= _COLUMNS and not names & _OTHERS


_LAYOUT = Layout(table=_is_table, member=_MEMBER)


class GoogleCodeJamArchive:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="gcj-archive",
            version="2008-2020",
            description=(
                "Submissions to Google Code Jam from 2008 to 2020: 332 problems in about twenty languages, with round, "
                "contestant and file."
            ),
            licence="none stated",
            citation=(
                "J. Petrik, D. Chuda. The Effect of Time Drift in Source Code Authorship Attribution. CompSysTech 2021."
            ),
            criterion=CRITERION,
            languages=("c", "cpp", "csharp", "go", "java", "javascript", "python", "typescript"),
            url="https://github.com/Jur1cek/gcj-dataset",
            problems_disjoint=True,
            known_flaws=(
                "The tables do not say whether the online judge accepted a program: it is not taken as evidence that a "
                "program solves its problem.",
                "The assumption that programs of different problems are not clones was never checked.",
                "Contestants submit the same utility functions with every problem.",
                "Files with unusual names are missing, and years since 2018 name files in another way "
                "(according to its read-me).",
            ),
        ),
        claimed_by=_RULE,
        label_means="None: the tables list programs by problem, no pairs.",
        accepts=(
            "gcj<year>.csv with the columns file, flines, full_path, round, solution, task, username, year, plain, "
            "compressed, or in the published archive gcj<year>.csv.tar.bz2; also as Parquet or JSON lines"
        ),
        published={"problems": 332, "submissions": 2_430_000, "languages": 20},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025 (sizes).",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        return "yearly tables of submissions with full_path, task and username" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        programs = _Programs(found.tables, found.trees, log)
        # Nobody vouches for the programs, so the index has no judge.
        index = SubmissionIndex(None, log, programs.problems)
        return index.dataset(self.card.card, programs.submissions())


class _Programs:
    """The rows of the tables as programs; problems are named as they appear."""

    def __init__(self, tables: Sequence[Path], archives: Sequence[Path], log: ImportLog) -> None:
        self.problems: dict[str, Functionality] = {}
        self._tables = tables
        self._archives = archives
        self._log = log

    def submissions(self) -> Iterator[Submission]:
        """The programs, table by table."""
        for path in self._tables:
            yield from self._programs(path, read_rows(path))
        for archive in self._archives:
            for member in read_tree(archive):
                if _MEMBER.search(str(member.name)):
                    text = member.read().decode("utf-8", errors="replace")
                    yield from self._programs(archive, _csv_rows(text))

    def _programs(self, path: Path, rows: Iterable[Row]) -> Iterator[Submission]:
        for row in rows:
            cells = {name: "" if value is None else str(value) for name, value in row.values.items()}
            text, task = cells.get("flines", ""), cells.get("task", "").strip()
            if not text.strip() or not task:
                self._log.skip(path, row.line, "the row has no text or no task")
                continue
            year, rounds = cells.get("year", ""), cells.get("round", "")
            problem = f"{year}/{rounds}/{task}"
            self.problems.setdefault(problem, Functionality(problem, f"Code Jam {year}, round {rounds}, task {task}"))
            full = cells.get("full_path") or cells.get("file") or ""
            yield Submission(
                f"{year}-{path.name}-{row.line}",
                problem,
                _language(full),
                text,
                author=cells.get("username") or None,
                name=cells.get("solution") or None,
                path=full or None,
                value=None,
                place=path,
                line=row.line,
            )


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    for values in reader:
        yield Row(reader.line_num, dict(values))


def _language(path: str) -> str:
    ending = PurePosixPath(path.replace("\\", "/")).suffix.lower().lstrip(".")
    return language_name(f".{_LANGUAGES.get(ending, ending)}" if ending else "text")


SOURCE = GoogleCodeJamArchive()
