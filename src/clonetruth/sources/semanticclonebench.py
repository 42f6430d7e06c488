"""SemanticCloneBench: pairs of Stack Overflow answers, and the judgements of two later studies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.code import decode, language_of_path
from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.sniffing import expand_folders, head, member_names
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
from clonetruth.sources.pair_files import PairFilePart, two_functions, two_methods
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

# The later studies: statuses of two authors with times, labels of three evaluators, predictions of three tools.

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
    """Adds the judgements of later studies on pairs that were read.

    Args:
        buffer: collects the judgements.
        log: counts rows, and records unusable ones.
        rows: the row of each pair, by the name of its file.
    """

    def __init__(self, buffer: RowBuffer, log: ImportLog, rows: Mapping[str, int]) -> None:
        self.buffer = buffer
        self.log = log
        self.rows = rows
        self._judged: dict[tuple[str, int], tuple[str, str]] = {}

    def statuses(self, path: Path) -> None:
        """Read a clonelabelsdb.json: every verdict with its time. A changed verdict occurs twice, and both are kept."""
        author = next((judge for name, judge in _AUTHORS.items() if path.name.startswith(name)), None)
        judge = author or _person(path.name.partition(".")[0], "A judge of pair files with the labelling tool.")
        for number, entry in enumerate(_entries(path), 1):
            self.log.read("statuses")
            name, status, time = (entry.get(key) for key in ("fileName", "status", "createdAt"))
            value = _STATUSES.get(status) if isinstance(status, str) else None
            pair = self.rows.get(name) if isinstance(name, str) else None
            if value is None or (moment := _moment(time)) is None:
                self.log.skip(path, number, "the entry has an unknown status or no time")
            elif pair is None:
                self.log.skip(path, number, "the pair file of the entry was not read")
            else:
                latest = (moment, str(status))
                self._judged[judge.id, pair] = max(latest, self._judged.get((judge.id, pair), latest))
                self._add(judge, value, pair, number, reason=str(status), time=moment)

    def table(self, path: Path) -> None:
        """Read the table of labels and predictions, with one row per pair."""
        for row in read_csv(path):
            self.log.read("rows of labels")
            name = str(row.values.get("clone_id", "")).strip()
            pair = self.rows.get(f"{name}.java")
            if pair is None:
                self.log.skip(path, row.line, "the pair file of the row was not read")
                continue
            for key, judge in _AUTHORS.items():
                last = self._judged.get((judge.id, pair))
                if last is None:
                    self._cell(path, row, f"{key}_status", judge, _STATUSES, pair)
                elif str(row.values.get(f"{key}_status") or "").strip() not in (last[1], *_EMPTY):
                    self.log.skip(path, row.line, "an author's status is not the last one with a time")
            for key, judge in (*_EVALUATORS.items(), *_TOOLS.items()):
                self._cell(path, row, key, judge, _LABELS, pair)
            self._check_resolved(path, row)

    def _check_resolved(self, path: Path, row: Row) -> None:
        """Check that the resolved label is the majority of the evaluators. It is not a further vote."""
        votes = [row.values.get(column) for column in _EVALUATORS]
        resolved = row.values.get("eval_resolved_label") or ""
        if resolved not in _EMPTY and (votes.count("1") > votes.count("0")) != (resolved == "1"):
            self.log.skip(path, row.line, "the resolved label is not the majority of the evaluators")

    def _cell(
        self, path: Path, row: Row, column: str, judge: Judge, values: Mapping[str, PairValue], pair: int
    ) -> None:
        text = str(row.values.get(column) or "").strip()
        if text in values:
            self._add(judge, values[text], pair, row.line, reason=text if values is _STATUSES else None)
        elif text not in _EMPTY:
            self.log.skip(path, row.line, f"the value of {column} is unknown")

    def _add(
        self, judge: Judge, value: PairValue, pair: int, row: int, *, reason: str | None, time: str | None = None
    ) -> None:
        self.buffer.add_judgement(
            judge, Judgement(judge.id, CRITERION, value, pair, reason=reason, time=time, source_row=row)
        )


def _entries(path: Path) -> list[dict[str, Any]]:
    found = read_document(path)
    clones = found.get("clones") if isinstance(found, dict) else None
    if not isinstance(clones, list) or not all(isinstance(entry, dict) for entry in clones):
        raise InputError("The file is not a list of statuses.", where=path, hint='Expected: {"clones": [{"fileName": …')
    return clones


def _moment(time: object) -> str | None:
    try:
        return datetime.fromisoformat(time).isoformat() if isinstance(time, str) else None
    except ValueError:
        return None


# The dataset.

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
        "Two authors of a later study labelled 115 and 122 of about 280 Java pairs 'notclone' (kappa of three levels "
        "0.749).",
        "Another team decided that 42 of 100 Java pairs are not clones (kappa 0.618).",
        "The published FACER replication stores the first method of every pair twice, so that its predictions "
        "(the tool judge 'facer') may be for identical methods.",
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
    "pair files CloneN.java, .py, .c or .cs in a folder or archive; optionally clonelabelsdb.json files and the table "
    "of labels and predictions (CSV, plain or compressed)"
)
_FILE = re.compile(r"(?P<id>Clone\d{1,9})\.(?:java|py|c|cs)", re.IGNORECASE)
_QUESTION = re.compile(r"question\s*#:\s*(\d+)", re.IGNORECASE)
_ANSWER = re.compile(r"answer\s*#:\s*(\d+)", re.IGNORECASE)


class SemanticCloneBench:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means="Every pair is labelled a semantic clone; later studies disagree about many (see the flaws).",
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
        for path in expand_folders(paths):
            if any(_FILE.fullmatch(name.name) for name in member_names(path, 50)):
                return "SemanticCloneBench's pair files"
            if _is_labels(path):
                return "labels of SemanticCloneBench's pairs"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"SemanticCloneBench takes no options; given: {', '.join(options)}.")
        buffer = RowBuffer()
        return buffer.dataset(CARD, _fragments(expand_folders(paths), buffer, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    rows: dict[str, int] = {}
    for path in paths:
        if is_tree(path):
            yield from _pairs(path, rows, buffer, log)
    studies = SemanticCloneBenchStudies(buffer, log, rows)
    for path in paths:
        if is_tree(path):
            continue
        if inner_suffix(path) == ".json":
            studies.statuses(path)
        elif inner_suffix(path) != ".csv":
            log.leave_out(path, "the file is neither a tree of pair files nor a label file nor a table of labels")
    # Statuses with times come first: the table repeats the last of them without a time.
    for path in paths:
        if not is_tree(path) and inner_suffix(path) == ".csv":
            studies.table(path)


def _pairs(root: Path, rows: dict[str, int], buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    for member in read_tree(root):
        where = f"{root}/{member.name}"
        if not _FILE.fullmatch(member.name.name):
            log.skip(where, None, "the file is not a CloneN pair file")
        elif member.name.name in rows:
            log.skip(where, None, "a file with this name was read before")
        else:
            log.read("pair files")
            yield from _pair(where, member, rows, buffer, log)


def _pair(
    where: str, member: ArchiveMember, rows: dict[str, int], buffer: RowBuffer, log: ImportLog
) -> Iterator[Fragment]:
    comment, parts = _parts(member)
    if parts is None:
        log.skip(where, None, "the file does not hold exactly two functions")
        return
    name = member.name.name
    question = _QUESTION.search(comment)
    answers = _ANSWER.findall(comment)
    known = language_of_path(name)
    assert known is not None  # the pattern of names admits only known endings
    project = f"stackoverflow.com/q/{question[1]}" if question else None
    fragments = [
        Fragment(
            f"{name}#{number}",
            known.name,
            part.text,
            # Users of the benchmark need to know the answer; the id contains the file.
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
            buffer.add_member(fragment.id, functionality, Role.TAGGED_TRUE)
    rows[name] = buffer.add_pair(Pair(fragments[0].id, fragments[1].id, asked))
    buffer.add_judgement(RULE, Judgement(RULE.id, CARD.criterion, PairValue.CLONE, rows[name]))


def _parts(member: ArchiveMember) -> tuple[str, tuple[PairFilePart, PairFilePart] | None]:
    """The comment with the Stack Overflow numbers, if there is one, and the two functions."""
    text = decode(member.read()).text
    methods = two_methods(text)
    if methods:
        return methods
    known = language_of_path(member.name)
    assert known is not None  # see _pair
    return "", two_functions(text, known)


def _is_labels(path: Path) -> bool:
    start = head(path, 300)
    return start.startswith(b"clone_id,has_source,author1_status") or (
        PurePosixPath(path.name).suffix == ".json" and b'{"clones": [{"fileName": "Clone' in start
    )


SOURCE = SemanticCloneBench()
