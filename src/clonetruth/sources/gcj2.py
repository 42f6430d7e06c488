"""GoogleCodeJam2 of Li et al.: a table of solutions, and lists of pairs for their views."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clonetruth.errors import InputError
from clonetruth.formats.arrays import read_array
from clonetruth.formats.pickles import SUFFIXES, read_pickle
from clonetruth.formats.reads import report_read
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix, open_stream
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_rows
from clonetruth.model import Card, Dataset, Functionality, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.contests import Submission, SubmissionIndex, language_name
from clonetruth.sources.gcj import CRITERION, ONLINE_JUDGE
from clonetruth.sources.layout import Layout, recognise_files, require_files, stem
from clonetruth.sources.pair_lists import Listed, PairLists, labelled
from clonetruth.sources.source import ImportLog, SourceCard

_COLUMNS = {"year", "round", "username", "task", "flines"}
_LIST = re.compile(r"^(?:train|val|valid|test)_(?P<view>[a-z]+\d*)$")
_NPY = b"\x93NUMPY"
_ROWS = 65_536
_EDGE = 1024 * 1024

_RULE = Judge(
    id="rule:gcj2",
    kind=JudgeKind.RULE,
    name="Same problem",
    description="The lists call two solutions of the same problem a clone, and of different problems no clone.",
)


def is_pair_array(path: Path) -> bool:
    """Whether a file is an array of pairs of a view, by its name and first bytes."""
    return path.suffix.lower() == ".npy" and bool(_LIST.match(stem(path))) and head(path, 6) == _NPY


def _is_pickle(path: Path) -> bool:
    return inner_suffix(path) in SUFFIXES


def _is_table(path: Path) -> bool:
    if _is_pickle(path):
        # Only names are searched: in a pickle, they precede or follow the values.
        return all(name.encode() in head(path, _EDGE) + _tail(path) for name in _COLUMNS)
    if inner_suffix(path) not in TABLE_SUFFIXES:
        return False
    if inner_suffix(path) != ".parquet" and not all(name.encode() in head(path, _EDGE) for name in _COLUMNS):
        return False
    try:
        names = next(iter(read_rows(path))).values.keys()
        # Petrik's tables, from which these were made, have the path of each file (`gcj-archive`).
        return names >= _COLUMNS and not (names >= {"full_path"} and not names & {"funid", "lan"})
    except (InputError, StopIteration):
        return False


def _tail(path: Path) -> bytes:
    try:
        with open_stream(path) as stream:
            stream.seek(max(0, path.stat().st_size - _EDGE))
            return stream.read(_EDGE)
    except InputError:
        return b""


_LAYOUT = Layout(table=lambda path: is_pair_array(path) or _is_table(path))


class GoogleCodeJam2:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="gcj2",
            version="2023",
            description=(
                "Java solutions of twenty problems of Google Code Jam from 2013 to 2017, each with more than 500 "
                "solutions, with problem, round and contestant, and lists of pairs for four views of the data."
            ),
            licence="none stated",
            citation=(
                "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code "
                "Clone Detection. ISSRE 2023."
            ),
            criterion=CRITERION,
            languages=("java",),
            url="https://github.com/lihy11/MultiPerspectiveCloneEval",
            problems_disjoint=True,
            known_flaws=(
                "The assumption that programs of different problems are not clones was never checked.",
                "Contestants submit the same utility functions with every problem.",
                "The read-me describes only texts and lists; only the table states which problem a text solves.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: two solutions of the same problem; -1: of different problems.",
        accepts=(
            "the table with the columns year, round, username, task, solution, file, flines, lan, funid, lines as "
            "pickle, Parquet, CSV or JSON lines, with the lists train_<view>.npy, val_<view>.npy, test_<view>.npy of "
            "one view (--option view=random0 selects it)"
        ),
        published={"solutions": 12460, "problems": 20},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. BigCloneBench Considered Harmful for Machine Learning. IWSC 2022 "
            "(utility functions; unverified assumption).",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        tables = [path for path in found.tables if not is_pair_array(path)] if found else []
        return "a table of solutions with year, round, username, task and flines" if tables else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ("view",))
        found = require_files(paths, _LAYOUT, self.card, log)
        tables = [path for path in found.tables if not is_pair_array(path)]
        if not tables:
            raise InputError(
                "No table of solutions was found.", where=found.tables[0], hint=f"Accepted: {self.card.accepts}."
            )
        lists = one_view([path for path in found.tables if path not in tables], options.get("view"))
        solutions = _Solutions(tables, log)
        index = SubmissionIndex(ONLINE_JUDGE, log, solutions.problems)
        pairs = PairLists(lists, _RULE, CRITERION, index, log, parse=listed_row, read=array_rows)
        return index.dataset(self.card.card, solutions.submissions(), pairs)


SOURCE = GoogleCodeJam2()


class _Solutions:
    """The rows of the tables. `funid` numbers either solutions or problems; if it repeats, it numbers problems."""

    def __init__(self, tables: Sequence[Path], log: ImportLog) -> None:
        self._tables = tables
        self._log = log
        # A pickle is always read as a whole, so it is read only once.
        self._pickled = {path: list(read_pickle(path)) for path in tables if _is_pickle(path)}
        self.problems: dict[str, Functionality] = {}
        ids = [_cell(row.values.get("funid")) for path in tables for row in self._rows(path)]
        self._numbered = all(ids) and len(set(ids)) == len(ids)
        self._grouped = all(ids) and not self._numbered

    def submissions(self) -> Iterator[Submission]:
        """The solutions, in order."""
        number = 0
        for path in self._tables:
            for row in self._rows(path):
                number += 1
                cells = {name: _cell(row.values.get(name)) for name in row.values}
                text = _text(row.values.get("flines")) or _text(row.values.get("lines"))
                if text is None or not cells.get("task"):
                    self._log.skip(path, row.line, "the row has no text or no task")
                    continue
                yield self._submission(cells, text, path, row.line, number)

    def _rows(self, path: Path) -> Iterable[Row]:
        return self._pickled[path] if path in self._pickled else read_rows(path)

    def _submission(self, cells: Mapping[str, str], text: str, path: Path, line: int, number: int) -> Submission:
        name = " ".join(word for word in (cells.get("year"), cells.get("round"), cells["task"]) if word)
        problem = cells["funid"] if self._grouped else name
        self.problems.setdefault(problem, Functionality(problem, name))
        file = cells.get("file") or None
        ending = Path(file).suffix if file else ""
        return Submission(
            cells["funid"] if self._numbered else f"row-{number}",
            problem,
            language_name(cells.get("lan") or ending or "java"),
            text,
            author=cells.get("username") or None,
            name=cells.get("solution") or None,
            path=file,
            place=path,
            line=line,
        )


def _cell(value: Any) -> str:
    """A value as text; empty for missing values, which tables store as null or NaN."""
    return "" if value is None or value != value else str(value)


def _text(value: Any) -> str | None:
    """A text, given as a string or as a list of lines."""
    if isinstance(value, list | tuple | np.ndarray):
        return "\n".join(str(line).rstrip("\r\n") for line in value)
    return value if isinstance(value, str) and value else None


def one_view(lists: Sequence[Path], wanted: str | None) -> list[Path]:
    """The lists of one view.

    Raises:
        InputError: they belong to several views and none is wanted, or the wanted one is missing.
    """
    views: dict[str, list[Path]] = {}
    for path in lists:
        match = _LIST.match(stem(path))
        views.setdefault(match["view"] if match else "", []).append(path)
    if wanted is None and len(views) > 1:
        raise InputError(
            f"The lists belong to several views: {', '.join(sorted(views))}.",
            where=lists[0].parent,
            hint="Select one: --option view=NAME.",
        )
    if wanted is not None and wanted not in views:
        raise InputError(f"There is no list of the view '{wanted}'.", hint=f"Available: {', '.join(sorted(views))}.")
    return views[wanted] if wanted else [path for paths in views.values() for path in paths]


def array_rows(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows of an array of pairs as words, with their numbers.

    Raises:
        InputError: it is damaged, or not an array of pairs.
    """
    report_read(path)
    array = read_array(path)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise InputError("The array is not a list of pairs with a label.", where=path)
    for first in range(0, len(array), _ROWS):
        for number, values in enumerate(array[first : first + _ROWS].tolist(), start=first + 1):
            yield number, [str(value) for value in values]


def listed_row(words: Sequence[str]) -> Listed | None:
    """A row of an array, or of a text file of it: ids, perhaps with the ending of a text file, and a label."""
    return labelled([word.removesuffix(".txt") for word in words])
