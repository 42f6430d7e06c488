"""SemanticCloneBench: pairs of Stack Overflow answers, and what two later studies said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.code import decode, language_of_path
from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.sniffing import head, names, spread
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import Row, read_csv
from clonetruth.formats.trees import ArchiveMember, is_tree, read_tree
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Pair,
    PairValue,
    Role,
)
from clonetruth.sources.pairfiles import PairFilePart, two_functions, two_methods
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

# What later studies said of SemanticCloneBench's pairs: two authors with times, three evaluators, three tools.

CRITERION = "functionally-similar"

_STATUSES = {"clone": PairValue.CLONE, "clone-ext": PairValue.CLONE, "notclone": PairValue.NOT_CLONE}
_LABELS = {"1": PairValue.CLONE, "0": PairValue.NOT_CLONE}
_EMPTY = ("", "-", "None")


def _person(name: str, study: str) -> Judge:
    return Judge(f"person:semanticclonebench-{name}", JudgeKind.PERSON, f"SemanticCloneBench, {name}", study)


_AUTHORS = {
    f"author{number}": _person(
        f"author{number}",
        "An author of the causal-interpretation study: clone, clone-ext (one does more than the other; kept in the "
        "reason, taken as clone) or notclone.",
    )
    for number in (1, 2)
}
_EVALUATORS = {
    column: _person(name, f"{role} of the study that compared three detectors.")
    for column, name, role in (
        ("eval1_label", "evaluator1", "First evaluator"),
        ("eval2_label", "evaluator2", "Second evaluator"),
        ("eval4_tiebreak", "evaluator4", "The evaluator who decided where the first two disagreed,"),
    )
}
_TOOLS = {
    f"pred_{name}": Judge(f"tool:{name}", JudgeKind.TOOL, title, "Predictions published with the comparison.")
    for name, title in (("facer", "FACER"), ("nil", "NIL"), ("codebert", "CodeBERT"))
}


class SemanticCloneBenchStudies:
    """Notes the judgements on pairs that were read.

    Args:
        notes: where they go.
        log: told of every row.
        rows: the pair's row by the name of its file.
    """

    def __init__(self, notes: RowBuffer, log: ImportLog, rows: Mapping[str, int]) -> None:
        self.notes = notes
        self.log = log
        self.rows = rows
        self._spoken: set[tuple[str, int]] = set()

    def statuses(self, path: Path) -> None:
        """A clonelabelsdb.json: every verdict with its time; one that was changed is there twice, and both are kept."""
        author = next((judge for name, judge in _AUTHORS.items() if path.name.startswith(name)), None)
        judge = author or _person(path.name.partition(".")[0], "A judge of pair files with the labelling tool.")
        for number, entry in enumerate(_entries(path), 1):
            self.log.read("statuses")
            name, status, time = (entry.get(key) for key in ("fileName", "status", "createdAt"))
            value = _STATUSES.get(status) if isinstance(status, str) else None
            pair = self.rows.get(name) if isinstance(name, str) else None
            if value is None or (moment := _moment(time)) is None:
                self.log.skip(path, number, "the entry has no known status, or no time")
            elif pair is None:
                self.log.skip(path, number, "the pair file of the entry was not read")
            else:
                self._spoken.add((judge.id, pair))
                self._note(judge, value, pair, number, reason=str(status), time=moment)

    def table(self, path: Path) -> None:
        """The table of labels and predictions, one row for each pair."""
        for row in read_csv(path):
            self.log.read("rows of labels")
            name = str(row.values.get("clone_id", "")).strip()
            pair = self.rows.get(f"{name}.java")
            if pair is None:
                self.log.skip(path, row.line, "the pair file of the row was not read")
                continue
            for key, judge in _AUTHORS.items():
                if (judge.id, pair) not in self._spoken:
                    self._cell(path, row, f"{key}_status", judge, _STATUSES, pair)
            for key, judge in (*_EVALUATORS.items(), *_TOOLS.items()):
                self._cell(path, row, key, judge, _LABELS, pair)
            self._check_resolved(path, row)

    def _check_resolved(self, path: Path, row: Row) -> None:
        """The resolved label is the majority of the evaluators: no further vote, but a check of what was read."""
        votes = [row.values.get(column) for column in _EVALUATORS]
        resolved = row.values.get("eval_resolved_label") or ""
        if resolved not in _EMPTY and (votes.count("1") > votes.count("0")) != (resolved == "1"):
            self.log.skip(path, row.line, "the resolved label is not the majority of the evaluators")

    def _cell(
        self, path: Path, row: Row, column: str, judge: Judge, values: Mapping[str, PairValue], pair: int
    ) -> None:
        text = str(row.values.get(column) or "").strip()
        if text in values:
            self._note(judge, values[text], pair, row.line, reason=text if values is _STATUSES else None)
        elif text not in _EMPTY:
            self.log.skip(path, row.line, f"the value of {column} is unknown")

    def _note(
        self, judge: Judge, value: PairValue, pair: int, row: int, *, reason: str | None, time: str | None = None
    ) -> None:
        self.notes.judge(judge, Judgement(judge.id, CRITERION, value, pair, reason=reason, time=time, source_row=row))


def _entries(path: Path) -> list[dict[str, Any]]:
    found = read_document(path)
    clones = found.get("clones") if isinstance(found, dict) else None
    if not isinstance(clones, list) or not all(isinstance(entry, dict) for entry in clones):
        raise InputError("The file is no list of statuses.", where=path, hint='Expected: {"clones": [{"fileName": …')
    return clones


def _moment(time: object) -> str | None:
    try:
        return datetime.fromisoformat(time).isoformat() if isinstance(time, str) else None
    except ValueError:
        return None


CARD = Card(
    name="semanticclonebench",
    version="2020",
    description=(
        "Pairs of functions from answers to the same Stack Overflow question, 1,000 in each of Java, C, C# and Python."
    ),
    licence="none stated for the benchmark; Stack Overflow answers are CC-BY-SA",
    citation=(
        "Al-Omari, Roy, Chen: SemanticCloneBench: A Semantic Code Clone Benchmark using Crowd-Source Knowledge. "
        "IWSC 2020."
    ),
    criterion="functionally-similar",
    languages=("java", "c", "csharp", "python"),
    url="https://drive.google.com/open?id=1KicfslV02p6GDPPBjZHNlmiXk-9IoGWl",
    known_flaws=(
        "All 1,000 pairs of a language are labelled clones; there are no non-clones.",
        "Two authors of a later study called 115 and 122 of about 280 Java pairs 'notclone' (three-level kappa 0.749).",
        "Another team resolved 42 of 100 Java pairs to not a clone (kappa 0.618).",
        "The published FACER replication stores the first method of every pair twice, so that its predictions "
        "(the tool judge 'facer') may have been made on identical methods.",
        "The C part holds C++ code (reported by the authors of GPTCloneBench).",
    ),
)
RULE = Judge(
    id="rule:semanticclonebench",
    kind=JudgeKind.RULE,
    name="SemanticCloneBench's labels",
    description="Two answers to one Stack Overflow question, selected by the authors: always a clone.",
)
ACCEPTS = (
    "pair files CloneN.java, .py, .c or .cs in a folder or archive; beside them clonelabelsdb.json files and the table "
    "of labels and predictions (CSV, plain or compressed)"
)
_FILE = re.compile(r"(?P<id>Clone\d{1,9})\.(?:java|py|c|cs)", re.IGNORECASE)
_QUESTION = re.compile(r"question\s*#:\s*(\d+)", re.IGNORECASE)
_ANSWER = re.compile(r"answer\s*#:\s*(\d+)", re.IGNORECASE)


class SemanticCloneBench:
    """The source as the registry knows it."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means="Every pair is labelled a semantic clone; later studies disagree on many (see the flaws).",
        accepts=ACCEPTS,
        published={"pairs in each of four languages": 1000},
        references=(
            "Al-Omari, Roy, Chen, IWSC 2020",
            "shamsa-abid/Code-Clone-Causal-Interpretation (the two authors' statuses)",
            "sohaibrabbani's comparative analysis of three detectors on SemanticCloneBench (labels and predictions)",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        for path in spread(paths):
            if any(_FILE.fullmatch(name.name) for name in names(path, 50)):
                return "SemanticCloneBench's pair files"
            if _is_labels(path):
                return "labels of SemanticCloneBench's pairs"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"SemanticCloneBench takes no options; given: {', '.join(options)}.")
        notes = RowBuffer()
        return notes.dataset(CARD, _fragments(spread(paths), notes, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], notes: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    rows: dict[str, int] = {}
    for path in paths:
        if is_tree(path):
            yield from _pairs(path, rows, notes, log)
    studies = SemanticCloneBenchStudies(notes, log, rows)
    for path in paths:
        if is_tree(path):
            continue
        if inner_suffix(path) == ".json":
            studies.statuses(path)
        elif inner_suffix(path) != ".csv":
            log.skip(path, None, "the file is no tree of pair files, no label file and no table of labels")
    # Statuses with their times go first: the table repeats the last of them without a time.
    for path in paths:
        if not is_tree(path) and inner_suffix(path) == ".csv":
            studies.table(path)


def _pairs(root: Path, rows: dict[str, int], notes: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    for member in read_tree(root):
        where = f"{root}/{member.name}"
        if not _FILE.fullmatch(member.name.name):
            log.skip(where, None, "the file is no CloneN pair file")
        elif member.name.name in rows:
            log.skip(where, None, "a file of this name was read before")
        else:
            log.read("pair files")
            yield from _pair(where, member, rows, notes, log)


def _pair(
    where: str, member: ArchiveMember, rows: dict[str, int], notes: RowBuffer, log: ImportLog
) -> Iterator[Fragment]:
    comment, parts = _parts(member)
    if parts is None:
        log.skip(where, None, "the file does not hold exactly two functions")
        return
    name = member.name.name
    question = _QUESTION.search(comment)
    answers = _ANSWER.findall(comment)
    spoken = language_of_path(name)
    assert spoken is not None  # the pattern of names admits only known endings
    project = f"stackoverflow.com/q/{question[1]}" if question else None
    fragments = [
        Fragment(
            f"{name}#{number}",
            spoken.name,
            part.text,
            # A user of the benchmark needs to know whose answer it was; the file is told by the id.
            project=project,
            path=f"a/{answers[number - 1]}" if len(answers) == 2 else str(member.name),
            first_line=None if len(answers) == 2 else part.first_line,
            last_line=None if len(answers) == 2 else part.last_line,
        )
        for number, part in enumerate(parts, 1)
    ]
    yield from fragments
    asked = f"so-{question[1]}" if question else None
    if question and asked:
        functionality = Functionality(asked, f"Stack Overflow question {question[1]}")
        for fragment in fragments:
            notes.member(fragment.id, functionality, Role.TAGGED_TRUE)
    rows[name] = notes.pair(Pair(fragments[0].id, fragments[1].id, asked))
    notes.judge(RULE, Judgement(RULE.id, CARD.criterion, PairValue.CLONE, rows[name]))


def _parts(member: ArchiveMember) -> tuple[str, tuple[PairFilePart, PairFilePart] | None]:
    """The comment with the Stack Overflow numbers, if there is one, and the two functions."""
    text = decode(member.read()).text
    methods = two_methods(text)
    if methods:
        return methods
    spoken = language_of_path(member.name)
    assert spoken is not None  # see _pair
    return "", two_functions(text, spoken)


def _is_labels(path: Path) -> bool:
    start = head(path, 300)
    return start.startswith(b"clone_id,has_source,author1_status") or (
        PurePosixPath(path.name).suffix == ".json" and b'{"clones": [{"fileName": "Clone' in start
    )


SOURCE = SemanticCloneBench()
