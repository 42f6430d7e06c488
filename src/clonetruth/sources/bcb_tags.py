"""The tags that BigCloneBench's judges gave to single functions, where the full database is at hand.

The public H2 file has no such table; the full database's users export one with the columns `function_id`,
`functionality_id`, `judge` (or `judge_id`) and `tag` (true, false, undecided).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.formats.tables import read_rows
from clonetruth.model import Judge, JudgeKind, MemberValue
from clonetruth.sources.source import ImportLog

_JUDGE = ("judge", "judge_id", "judgeid", "tagger")
_TAG = ("tag", "is_true", "istrue", "vote", "label", "value")
_VALUES = {
    # "True positives may exceed the specification": the tag says that the functionality is in there, not that it
    # is the purpose.
    **dict.fromkeys(("true", "t", "1", "yes", "true_positive", "tp"), MemberValue.MINOR),
    **dict.fromkeys(("false", "f", "0", "no", "false_positive", "fp"), MemberValue.WRONG),
    **dict.fromkeys(("undecided", "unknown", "u", "?"), MemberValue.UNDECIDED),
}
_REASONS = {
    MemberValue.MINOR: "tagged true: it contains the functionality, as its purpose or among other things",
    MemberValue.WRONG: "tagged false",
    MemberValue.UNDECIDED: "tagged undecided",
}


class Tags:
    """The tags as judgements of people under `implements-functionality`.

    Args:
        path: the table, if there is one.
        functions: the known functions.
        functionalities: the known functionalities.
        log: told of rows that could not be used.
    """

    def __init__(
        self, path: Path | None, functions: Sequence[str], functionalities: Sequence[str], log: ImportLog
    ) -> None:
        self._rows: dict[str, list[object]] = {
            name: [] for name in ("judge", "fragment", "functionality", "value", "reason", "source_row")
        }
        if path is not None:
            self._read(path, set(functions), set(functionalities), log)

    def judges(self) -> Iterator[Judge]:
        """Whoever tagged."""
        for identity in sorted(set(map(str, self._rows["judge"]))):
            number = identity.rpartition("-")[2]
            yield Judge(identity, JudgeKind.PERSON, f"BigCloneBench's judge {number}")

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """What they said."""
        if self._rows["judge"]:
            count = len(self._rows["judge"])
            criterion = pa.repeat("implements-functionality", count)
            yield pa.RecordBatch.from_pydict({**self._rows, "criterion": criterion})

    def _read(self, path: Path, functions: set[str], functionalities: set[str], log: ImportLog) -> None:
        for row in read_rows(path):
            values = {name.lower(): str(value).strip() for name, value in row.values.items() if value is not None}
            log.read("tagged")
            judge = next((values[name] for name in _JUDGE if values.get(name)), None)
            tag = next((values[name] for name in _TAG if values.get(name)), None)
            if row.line <= 2 and (judge is None or tag is None):
                raise InputError(
                    "The table 'tagged' needs the columns function_id, functionality_id, judge and tag.",
                    where=path,
                    hint=f"Its columns: {', '.join(row.values)}.",
                )
            value = _VALUES.get((tag or "").lower())
            if values.get("function_id") not in functions or values.get("functionality_id") not in functionalities:
                log.skip(path, row.line, "the tag speaks of an unknown function or functionality")
            elif judge is None or value is None:
                log.skip(path, row.line, "the tag has no judge or is neither true, false nor undecided")
            else:
                cells = (
                    f"person:bigclonebench-{judge}",
                    values["function_id"],
                    values["functionality_id"],
                    str(value),
                    _REASONS[value],
                    row.line,
                )
                for name, cell in zip(self._rows, cells, strict=True):
                    self._rows[name].append(cell)
