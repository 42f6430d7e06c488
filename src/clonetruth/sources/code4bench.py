"""Code4Bench: submissions to Codeforces, as an export of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_rows
from clonetruth.model import Card, Dataset, Functionality, Judge, JudgeKind, MemberValue
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import ROLES, Submission, SubmissionIndex, language_name
from clonetruth.sources.json_rows import as_text
from clonetruth.sources.layout import Layout, plain_name, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard

_TABLE = re.compile(r"^(?:code4bench[._-])?(source|problems|verdicts|languages)\.[a-z]+$")
_ACCEPTED = ("accepted", "ok")
_UNJUDGED = (
    "skipped",
    "testing",
    "in queue",
    "crashed",
    "input preparation crashed",
    "partial",
    "pending",
    "denial of judgement",
)
_LANGUAGES = (
    (re.compile(r"c\+\+|g\+\+", re.IGNORECASE), "cpp"),
    (re.compile(r"c#", re.IGNORECASE), "csharp"),
    (re.compile(r"^(?:gnu )?c(?: ?\d+)?$", re.IGNORECASE), "c"),
    (re.compile(r"^java(?![a-z])", re.IGNORECASE), "java"),
    (re.compile(r"^py(?:thon|py)", re.IGNORECASE), "python"),
)

_JUDGE = Judge(
    id="execution:codeforces",
    kind=JudgeKind.EXECUTION,
    name="Codeforces",
    description="The verdict of the online judge on a submission; only an accepted one implements its problem.",
)


def table_name(path: Path) -> str | None:
    """The table of Code4Bench in a file, by the file's name; None for other files."""
    match = _TABLE.match(plain_name(path))
    return match[1] if match and inner_suffix(path) in TABLE_SUFFIXES else None


_LAYOUT = Layout(table=lambda path: table_name(path) is not None)


class Code4Bench:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="code4bench",
            version="2019",
            description=(
                "Submissions to problems of Codeforces in many languages, accepted or not, from a MySQL database. "
                "There are no pairs."
            ),
            licence="none stated in the repository",
            citation=(
                "A. Majd, M. Vahidi-Asl, A. Khalilian, A. Baraani-Dastjerdi, B. Zamani. Code4Bench: A Multidimensional "
                "Benchmark of Codeforces Data for Different Program Analysis Techniques. Journal of Computer Languages "
                "53, 2019."
            ),
            criterion="same-main-purpose",
            languages=("cpp", "c", "java", "python", "csharp", "go", "javascript"),
            url="https://github.com/code4bench/Code4Bench",
            known_flaws=(
                "Submissions are repeated; the column isduplicated marks those that the authors found.",
                "Codeforces gives the same problem to both of its divisions, so that programs of different problems "
                "may be clones.",
                "Time limits are part of the verdict: a correct but slow program counts as wrong.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Two programs count as clones if both were accepted for the same problem.",
        accepts=(
            "the tables source (id, sourceCode, author, problems_id, verdicts_id, languages_id), verdicts and "
            "languages (id, name), and problems (id, fullname, context) as CSV, TSV, JSON lines or Parquet, also "
            "compressed"
        ),
        published={"submissions": 3421357, "problems": 2990, "contests": 541, "languages": 28},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
        warning="The programs were scraped from a contest site; their authors keep the copyright.",
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        names = {table_name(path) for path in found.tables} if found else set()
        return "the tables source, verdicts and languages" if {"source", "verdicts", "languages"} <= names else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        tables = {table_name(path): path for path in found.tables}
        for name in ("source", "verdicts", "languages"):
            if name not in tables:
                raise InputError(
                    f"The table '{name}' is missing.",
                    where=found.tables[0].parent,
                    hint=f"Accepted: {self.card.accepts}.",
                )
        problems = _problems(tables["problems"], log) if "problems" in tables else {}
        verdicts, languages = (_names(tables[name], log) for name in ("verdicts", "languages"))
        index = SubmissionIndex(_JUDGE, log, problems)
        return index.dataset(self.card.card, _submissions(tables["source"], verdicts, languages, log))


SOURCE = Code4Bench()


def _submissions(
    path: Path, verdicts: Mapping[str, str], languages: Mapping[str, str], log: ImportLog
) -> Iterator[Submission]:
    for row in read_rows(path):
        cells = _cells(row)
        name, text, problem = cells.get("id"), cells.get("sourcecode"), cells.get("problems_id")
        verdict, language = verdicts.get(cells.get("verdicts_id") or ""), languages.get(cells.get("languages_id") or "")
        if not name or text is None or not problem:
            log.skip(path, row.line, "the row has no id, no source code or no problem")
        elif verdict is None or language is None:
            log.skip(path, row.line, "the row names an unknown verdict or language")
        else:
            value = _value(verdict)
            yield Submission(
                name,
                problem,
                _language(language),
                text,
                author=cells.get("author"),
                role=ROLES[value],
                value=value,
                reason=verdict,
                place=path,
                line=row.line,
            )


def _problems(path: Path, log: ImportLog) -> dict[str, Functionality]:
    problems = {}
    for row in read_rows(path):
        cells = _cells(row)
        if name := cells.get("id"):
            log.read("problems")
            problems[name] = Functionality(name, cells.get("fullname") or f"Problem {name}", cells.get("context"))
        else:
            log.skip(path, row.line, "the row has no id")
    return problems


def _names(path: Path, log: ImportLog) -> dict[str, str]:
    names: dict[str, str] = {}
    for row in read_rows(path):
        cells = _cells(row)
        if (number := cells.get("id")) and (name := cells.get("name")):
            log.read("names of verdicts and languages")
            if names.setdefault(number, name) != name:
                log.skip(path, row.line, "the id has another name than before")
        else:
            log.skip(path, row.line, "the row has no id or no name")
    return names


def _cells(row: Row) -> dict[str, str | None]:
    return {name.lower(): as_text(value) for name, value in row.values.items()}


def _value(verdict: str) -> MemberValue:
    plain = verdict.strip().lower().replace("_", " ")
    if plain in _ACCEPTED:
        return MemberValue.MAJOR
    return MemberValue.UNDECIDED if plain in _UNJUDGED else MemberValue.WRONG


def _language(name: str) -> str:
    for pattern, language in _LANGUAGES:
        if pattern.search(name.strip()):
            return language
    return language_name(name)
