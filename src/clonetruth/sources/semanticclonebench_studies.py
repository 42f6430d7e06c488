"""What later studies said of SemanticCloneBench's pairs: two authors with times, three evaluators, three tools."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.tables import Row, read_csv
from clonetruth.model import Judge, JudgeKind, Judgement, PairValue
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog

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
