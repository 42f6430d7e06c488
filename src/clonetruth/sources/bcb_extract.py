"""Results of queries on BigCloneBench's database, with texts: 500 pairs and 500 negatives for each clone type.

An optional table holds the answers of LLMs on the same pairs, which become judgements.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.batches import table_columns
from clonetruth.formats.sniffing import expand_folders, head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import Row, read_csv, read_rows
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
from clonetruth.sources.bcb_functions import WITHOUT_TEXT
from clonetruth.sources.bcb_lists import whole_number
from clonetruth.sources.columns import check_options, claimed_number
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

# The answers of LLMs.

_COLUMNS = {"model", "clone_type", "negative", "row", "prediction"}
_VALUES = {"1": PairValue.CLONE, "0": PairValue.NOT_CLONE}
_PROMPT = (
    "Told in Chinese to judge two Java methods: a clone if they are of any of T1 (same but for white space and "
    "comments), T2 (same but for names and literals), T3 (statements differ) or T4 (other syntax, same function); "
    "to answer 1 or 0 without an explanation."
)

_Key = tuple[str, bool, int]


def is_predictions(path: Path) -> bool:
    """Whether a file is the table of predictions."""
    if inner_suffix(path) != ".parquet":
        return False
    try:
        return set(table_columns(path)) >= _COLUMNS
    except InputError:
        return False


class ExtractPredictions:
    """The answers by clone type, sign and row of the list.

    A model that gives only a similarity has no verdict: its rows are counted and left out.

    Args:
        paths: the tables.
        log: counts rows, and records unusable ones.
    """

    def __init__(self, paths: Sequence[Path], log: ImportLog) -> None:
        self._answers: dict[_Key, list[tuple[Judge, PairValue]]] = defaultdict(list)
        for path in paths:
            for row in read_rows(path):
                values = row.values
                key = (str(values["clone_type"]), bool(values["negative"]), values["row"])
                if values["prediction"] is None:
                    log.read("similarities without a verdict")
                elif str(values["prediction"]) not in _VALUES or not isinstance(key[2], int):
                    log.skip(path, row.line, "the prediction is neither 0 nor 1, or has no row number")
                else:
                    log.read("predictions")
                    self._answers[key].append((_judge(str(values["model"])), _VALUES[str(values["prediction"])]))

    def of(self, clone_type: str, negative: bool, row: int, pair: int) -> Iterator[tuple[Judge, Judgement]]:
        """The judges and judgements of a pair; the row of its list is counted from 0."""
        for judge, value in self._answers.get((clone_type, negative, row), ()):
            yield judge, Judgement(judge.id, "functionally-similar", value, pair, source_row=row + 1)


def _judge(model: str) -> Judge:
    return Judge(
        id=f"llm:{model}",
        kind=JudgeKind.LLM,
        name=model,
        description="Asked whether two methods are clones of any type.",
        settings={"model": model, "prompt": _PROMPT},
    )


# The lists of pairs and their texts.

_FILE = re.compile(r"(?P<kind>ref|raw)_(?P<negative>neg_)?(?P<type>T1|T2|VST3|ST3|MT3|WT3_4)\.csv(\.(gz|xz|bz2))?")
_COLUMN = b"FUNCTION_ID_ONE"
_SIDES = ("ONE", "TWO")
_LINES = range(1, 2**31)

_RULE = Judge(
    id="rule:bcb-extract",
    kind=JudgeKind.RULE,
    name="A query on BigCloneBench",
    description=(
        "Clones are BigCloneBench's true pairs; negatives pair functions of two different functionalities, which is an "
        "assumption and no judgement."
    ),
)

_CARD = Card(
    name="bcb-extract",
    version="1",
    description=(
        "500 pairs of each clone type from BigCloneBench's database, and as many negatives, with function ids, "
        "locations in IJaDataset, functionalities, similarities and texts, and the answers of an LLM."
    ),
    licence="none stated",
    citation="https://github.com/lifelongcoding/code-clone-detection",
    criterion="shares-functionality",
    languages=("java",),
    url="https://github.com/lifelongcoding/code-clone-detection",
    known_flaws=(
        "Negatives are functions of different functionalities: BigCloneBench has no labels for such pairs.",
        "Types are divided by line similarity alone; BigCloneEval uses the smaller of line and token similarity.",
        "One function (5150160) belongs to two functionalities.",
        "The labels are BigCloneBench's, with all their known flaws.",
    ),
)


class BcbExtract:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=_CARD,
        claimed_by=_RULE,
        label_means="1: a true pair of BigCloneBench, of the type in the file's name; 0: different functionalities.",
        accepts=(
            "ref_<type>.csv, ref_neg_<type>.csv with raw_<type>.csv, raw_neg_<type>.csv (the texts of the same rows), "
            "plain or compressed, or a folder of them; optionally predictions.parquet"
        ),
        published={"pairs": 3_000, "negatives": 3_000},
        references=(
            "The division by line similarity is in the repository's queries, and was checked against the values.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        try:
            files = [path for path in expand_folders(paths) if _FILE.fullmatch(path.name)]
        except InputError:
            return None
        found = any(_COLUMN in head(path) for path in files if path.name.startswith("ref_"))
        return "ref_<type>.csv, rows of a query on BigCloneBench" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = [path for path in expand_folders(paths) if path.is_file()]
        named: dict[str, dict[tuple[bool, str], Path]] = {"ref": {}, "raw": {}}
        for path in files:
            if found := _FILE.fullmatch(path.name):
                named[found["kind"]].setdefault((found["negative"] is not None, found["type"]), path)
        predictions = ExtractPredictions([path for path in files if is_predictions(path)], log)
        lists = [_List(*key, path, named["raw"].get(key)) for key, path in named["ref"].items()]
        buffer = RowBuffer()
        return buffer.dataset(_CARD, _Reader(buffer, log, predictions).fragments(lists), paths, self.card.accepts)


SOURCE = BcbExtract()


@dataclass(frozen=True)
class _List:
    """The rows of one clone type, and the texts of the same rows."""

    negative: bool
    type: str
    rows: Path
    texts: Path | None


@dataclass(frozen=True)
class _Side:
    """One function of a row."""

    fragment: Fragment
    functionality: str


class _Reader:
    """Reads the lists in turn, and buffers pairs, memberships and judgements."""

    def __init__(self, buffer: RowBuffer, log: ImportLog, predictions: ExtractPredictions) -> None:
        self._buffer = buffer
        self._log = log
        self._predictions = predictions
        self._members: set[tuple[str, str]] = set()

    def fragments(self, lists: Sequence[_List]) -> Iterator[Fragment]:
        waiting: dict[str, Fragment] = {}
        for one in lists:
            texts = _texts(one.texts, self._log) if one.texts else iter(())
            for number, row in enumerate(read_csv(one.rows)):
                self._log.read("negatives" if one.negative else "pairs")
                text = next(texts, ("", ""))
                sides = self._sides(one, row, text)
                if sides is None:
                    continue
                for side in sides:
                    # A text may be missing in one row and present in another.
                    known = waiting.get(side.fragment.id)
                    if known is None or not known.text:
                        waiting[side.fragment.id] = side.fragment
                self._add(one, row, number, sides)
            if next(texts, None) is not None:
                self._log.skip(one.texts, None, "there are more texts than rows")
        for fragment in waiting.values():
            if not fragment.text:
                self._log.read(WITHOUT_TEXT)
            yield fragment

    def _sides(self, one: _List, row: Row, texts: tuple[str, str]) -> tuple[_Side, _Side] | None:
        found = []
        for side, text in zip(_SIDES, texts, strict=True):
            identity = whole_number(row.values.get(f"FUNCTION_ID_{side}"))
            column = f"FUNCTIONALITY_ID_{side}" if one.negative else "FUNCTIONALITY_ID"
            functionality = whole_number(row.values.get(column))
            if identity is None or functionality is None:
                self._log.skip(one.rows, row.line, "a function or functionality id is not a number")
                return None
            lines = [whole_number(row.values.get(f"FUNCTION_{side}_{name}")) for name in ("STARTLINE", "ENDLINE")]
            first, last = (int(line[:12]) if line and int(line[:12]) in _LINES else None for line in lines)
            folder, file = (row.values.get(f"FUNCTION_{side}_{name}") or "" for name in ("TYPE", "NAME"))
            fragment = Fragment(identity, "java", text, path=f"{folder}/{file}", first_line=first, last_line=last)
            found.append(_Side(fragment, functionality))
        return found[0], found[1]

    def _add(self, one: _List, row: Row, number: int, sides: tuple[_Side, _Side]) -> None:
        left, right = sides
        for side in sides:
            if (member := (side.fragment.id, side.functionality)) not in self._members:
                self._members.add(member)
                functionality = Functionality(side.functionality, f"functionality {side.functionality}")
                # The folder `sample` holds functions that were written as examples of a functionality.
                exemplar = (side.fragment.path or "").startswith("sample/")
                self._buffer.add_member(
                    side.fragment.id, functionality, Role.EXEMPLAR if exemplar else Role.TAGGED_TRUE
                )
        pair = self._buffer.add_pair(
            Pair(
                left.fragment.id,
                right.fragment.id,
                None if one.negative else left.functionality,
                None if one.negative else one.type.replace("WT3_4", "WT3/T4"),
                claimed_number(row.values.get("SIMILARITY_LINE")),
                claimed_number(row.values.get("SIMILARITY_TOKEN")),
                None if one.negative else "line",
            )
        )
        value = PairValue.NOT_CLONE if one.negative else PairValue.CLONE
        self._buffer.add_judgement(_RULE, Judgement(_RULE.id, _CARD.criterion, value, pair, source_row=row.line))
        for judge, judgement in self._predictions.of(one.type, one.negative, number, pair):
            self._buffer.add_judgement(judge, judgement)


def _texts(path: Path, log: ImportLog) -> Iterator[tuple[str, str]]:
    for row in read_csv(path):
        left, right = (row.values.get(f"FUNCTION_{side}") for side in _SIDES)
        if not isinstance(left, str) or not isinstance(right, str):
            log.skip(path, row.line, "the row does not have two texts")
        yield left or "", right or ""
