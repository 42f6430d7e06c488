"""Tables as evidence: one answer per row, or names and specifications of functionalities.

They may be CSV, TSV, JSON lines or Parquet files, or workbooks. What was asked and who answered must be stated, by
columns or by options: neither can be guessed from a label.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.prediction_columns import SIDES
from clonetruth.formats.spreadsheets import WORKBOOK
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_rows
from clonetruth.model import (
    CRITERIA,
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Pair,
    PairValue,
    Subject,
)
from clonetruth.sources.columns import FALSE_WORDS, TRUE_WORDS, USUAL, check_options, claimed_number
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog

_ROLES: Mapping[str, tuple[str, ...]] = {
    "left": (*USUAL["left"], *SIDES["left"]),
    "right": (*USUAL["right"], *SIDES["right"]),
    "left_text": USUAL["left_text"],
    "right_text": USUAL["right_text"],
    "fragment": ("fragment", "fragment_id", "function_id", "method"),
    "functionality": ("functionality", "functionality_id"),
    "label": (*USUAL["label"], "value", "verdict", "answer"),
    "judge": ("judge", "judge_id", "annotator", "rater", "model"),
    "judge_kind": ("judge_kind", "kind"),
    "criterion": ("criterion",),
    "confidence": ("confidence",),
    "reason": ("reason", "explanation", "comment"),
    "time": ("time", "timestamp"),
    "name": ("name", "functionality_name"),
    "specification": ("specification", "description"),
}
"""The usual names of each column, used if no option names it."""

_STATED = ("criterion", "judge", "judge_kind")
TABLE_OPTIONS = (*(role for role in _ROLES if role not in _STATED), "true", "false", "language", "prompt")


@dataclass(frozen=True)
class TableReading:
    """How to read a table, as the user states it.

    Attributes:
        columns: the name of a column for each role that does not have its usual name, and the options `true` and
            `false` (words for clone and not), `language` and `prompt` (of a language model).
        criterion: what was asked, if no column says it.
        judge: who answered, if no column says it.
        judge_kind: the kind of judge, if no column says it.
        languages: the benchmark's languages, of which the first is that of the texts.
    """

    columns: Mapping[str, Any]
    criterion: str | None
    judge: str | None
    judge_kind: str | None
    languages: Sequence[str]


@dataclass(frozen=True)
class Description:
    """A name or specification of a functionality, as a row of a table states it."""

    id: str
    name: str | None
    specification: str | None
    line: int


def is_table(path: Path) -> bool:
    """Whether a file is a table by its ending."""
    return path.is_file() and inner_suffix(path) in (*TABLE_SUFFIXES, WORKBOOK)


def read_evidence_table(path: Path, how: TableReading, log: ImportLog) -> Dataset | tuple[Description, ...]:
    """The answers of a table as a dataset, or the names and specifications of functionalities that it describes.

    Raises:
        InputError: a column is missing, or it is not stated what was asked or who answered.
    """
    check_options(how.columns, TABLE_OPTIONS)
    rows = read_rows(path)
    first = next(rows, None)
    if first is None:
        raise InputError("The table has no rows.", where=path)
    columns = _choose(how.columns, list(first.values), path)
    every = [first, *rows]
    if "label" not in columns and "functionality" in columns and {"name", "specification"} & columns.keys():
        return tuple(_descriptions(path, every, columns, log))
    return _Answers(path, how, columns, log).dataset(every)


def _choose(options: Mapping[str, Any], there: Collection[str], path: Path) -> dict[str, str]:
    """The column of each role."""
    spelling = {str(name).strip().lower(): str(name) for name in there}
    chosen = {}
    for role, usual in _ROLES.items():
        asked = options.get(role)
        if asked is not None and asked not in there:
            raise InputError(
                f"There is no column '{asked}'.", where=path, hint=f"Columns: {', '.join(map(str, there))}."
            )
        name = asked or next((spelling[word] for word in usual if word in spelling), None)
        if name is not None:
            chosen[role] = str(name)
    return chosen


def _descriptions(path: Path, rows: Sequence[Row], columns: Mapping[str, str], log: ImportLog) -> list[Description]:
    found: dict[str, Description] = {}
    for row in rows:
        log.read("functionalities")
        cells = {role: _cell(row, column) for role, column in columns.items()}
        one = Description(
            cells["functionality"], cells.get("name") or None, cells.get("specification") or None, row.line
        )
        if not one.id or (one.name is None and one.specification is None):
            log.skip(path, row.line, "the row has no functionality, or neither a name nor a specification")
        elif one.id in found:
            log.skip(path, row.line, "the functionality is described twice; the first counts")
        else:
            found[one.id] = one
    return list(found.values())


class _Answers:
    """Converts the rows of one table."""

    def __init__(self, path: Path, how: TableReading, columns: Mapping[str, str], log: ImportLog) -> None:
        self.path, self.how, self.columns, self.log = path, how, columns, log
        self.buffer = RowBuffer()
        self.fragments: dict[str, str] = {}
        sides = {"left", "right"} <= columns.keys() or {"left_text", "right_text"} <= columns.keys()
        if "label" not in columns or not (sides or {"fragment", "functionality"} <= columns.keys()):
            raise InputError(
                "The columns of the table are unknown.",
                where=path,
                hint="Name those of the fragments and the answer: --left, --right, --label, or --option "
                f"fragment=COLUMN. Columns: {', '.join(columns.values()) or 'none with a usual name'}.",
            )
        self.pairs = sides
        for role, option in (("criterion", "--criterion"), ("judge", "--judge"), ("judge_kind", "--judge-kind")):
            if role not in columns and getattr(how, role) is None:
                what = {"criterion": "what was asked", "judge": "who answered"}.get(role, "what kind of judge answered")
                raise InputError(
                    f"The table does not say {what}.", where=path, hint=f"State it: {option}, or a column '{role}'."
                )
        if how.criterion is not None and how.criterion not in CRITERIA:
            raise InputError(f"There is no criterion '{how.criterion}'.", hint=f"Known: {', '.join(CRITERIA)}.")
        self.words: dict[str, PairValue] = {}
        for option, usual, value in (
            ("true", TRUE_WORDS, PairValue.CLONE),
            ("false", FALSE_WORDS, PairValue.NOT_CLONE),
        ):
            self.words |= dict.fromkeys(str(how.columns.get(option, usual)).lower().split(","), value)

    def dataset(self, rows: Sequence[Row]) -> Dataset:
        for row in rows:
            self.log.read("rows")
            if problem := self._add(row):
                self.log.skip(self.path, row.line, problem)
        language = str(self.how.columns.get("language") or next(iter(self.how.languages), "unknown"))
        card = Card(self.path.name, "1", "Attached evidence.", "", "", "functionally-similar", (language,))
        return Dataset(
            card=card,
            fragments=[Fragment(id_, language, text) for id_, text in self.fragments.items()],
            functionalities=self.buffer.functionalities.values(),
            pairs=self.buffer.pairs,
            judges=self.buffer.judges.values(),
            judgements=self.buffer.judgements,
        )

    def _add(self, row: Row) -> str | None:
        """Add a row; the reason if it cannot be used."""
        cells = {role: _cell(row, column) for role, column in self.columns.items()}
        stated = {role: cells.get(role) or getattr(self.how, role) for role in _STATED}
        criterion = CRITERIA.get(stated["criterion"] or "")
        if criterion is None or stated["judge_kind"] not in tuple(JudgeKind) or not stated["judge"]:
            return "the criterion, the judge or the kind of judge is missing or unknown"
        value = self._value(cells["label"].lower(), criterion.values)
        if value is None:
            return "the row has no answer" if not cells["label"] else "the answer is not one that the criterion permits"
        subject: dict[str, Any] = {}
        if criterion.subject is Subject.PAIR and self.pairs:
            ids = [self._fragment(cells, side) for side in ("left", "right")]
            if None in ids:
                return "a fragment has neither an id nor a text"
            subject["pair"] = self.buffer.add_pair(Pair(str(ids[0]), str(ids[1])))
        elif criterion.subject is Subject.FRAGMENT and cells.get("fragment") and cells.get("functionality"):
            self.fragments.setdefault(cells["fragment"], "")
            name = cells["functionality"]
            self.buffer.functionalities.setdefault(name, Functionality(name, name))
            subject = {"fragment": cells["fragment"], "functionality": name}
        else:
            return f"the criterion is about a {criterion.subject}, which the row does not name"
        confidence = claimed_number(cells.get("confidence"))
        self.buffer.add_judgement(
            judge := self._judge(str(stated["judge"]), JudgeKind(str(stated["judge_kind"]))),
            Judgement(
                judge.id,
                criterion.name,
                value,
                confidence=confidence,
                reason=cells.get("reason") or None,
                time=cells.get("time") or None,
                source_row=row.line,
                **subject,
            ),
        )
        return None

    def _judge(self, name: str, kind: JudgeKind) -> Judge:
        prompt = self.how.columns.get("prompt")
        return Judge(
            id=name if name.startswith(f"{kind}:") else f"{kind}:{name}",
            kind=kind,
            name=name.removeprefix(f"{kind}:"),
            settings={"prompt": str(prompt)} if prompt else {},
        )

    def _value(self, word: str, permitted: Sequence[str]) -> str | None:
        if word in permitted:
            return word
        value = self.words.get(word)
        return value if value in permitted else None

    def _fragment(self, cells: Mapping[str, str], side: str) -> str | None:
        """The id of a side; without ids, fragments are identified by their text."""
        text = cells.get(f"{side}_text", "")
        id_ = cells.get(side) or (f"text of {side}: {text}" if text.strip() else None)
        if id_ is not None and not self.fragments.get(id_):
            self.fragments[id_] = text
        return id_


def _cell(row: Row, column: str) -> str:
    """A cell as text; empty for lists and objects."""
    value = row.values.get(column)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value) if isinstance(value, str | int | float) else ""
    # JSON may escape a lone surrogate, which no encoding can write.
    return text.encode("utf-8", errors="replace").decode("utf-8").strip()
