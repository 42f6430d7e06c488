"""What models said of the pairs of `bcb-extract`: an LLM's answers become judgements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.batches import table_columns
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import read_rows
from clonetruth.model import Judge, JudgeKind, Judgement, PairValue
from clonetruth.sources.source import ImportLog

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

    A model that gives only a similarity has no verdict: its rows are counted, and left out.

    Args:
        paths: the tables.
        log: told of rows that could not be used.
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
                    log.skip(path, row.line, "the prediction is neither 0 nor 1, or names no row")
                else:
                    log.read("predictions")
                    self._answers[key].append((_judge(str(values["model"])), _VALUES[str(values["prediction"])]))

    def of(self, clone_type: str, negative: bool, row: int, pair: int) -> Iterator[tuple[Judge, Judgement]]:
        """Who said what of a pair, the row of its list counted from 0."""
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
