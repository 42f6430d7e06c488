"""Evaluations: the results of one or several candidates; and results as users name them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, overload

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.evaluate.locations.published import published_result
from clonetruth.formats.bigcloneeval_report import recognise_report
from clonetruth.store.results import Measurement, Result, read_result


@dataclasses.dataclass(frozen=True, repr=False)
class Evaluation(Sequence[Result]):
    """The results of an evaluation, one for each candidate.

    With one candidate an evaluation can be used like its result: `evaluation["f1"]`. With several,
    `evaluation["my-detector"]` is the result of a candidate, `evaluation[0]` that of the first.

    Attributes:
        results: the results, in the order of the candidates.
    """

    results: tuple[Result, ...]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    @overload
    def __getitem__(self, key: int) -> Result: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Result, ...]: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __getitem__(self, key: int | slice | str) -> Result | tuple[Result, ...] | Measurement:
        """A result by its position or by the name of its detector; a metric, if there is only one result.

        Raises:
            InputError: there are several results, and none of a detector of that name.
            UnknownMetricError: the only result has no such metric.
        """
        if not isinstance(key, str):
            return self.results[key]
        by_detector = {result.detector: result for result in self.results}
        return by_detector[key] if key in by_detector else self.result[key]

    @property
    def result(self) -> Result:
        """The only result.

        Raises:
            InputError: there are several.
        """
        if len(self.results) != 1:
            names = ", ".join(result.detector for result in self.results)
            raise InputError(f"There are {len(self.results)} results.", hint=f"Choose one by its name: {names}.")
        return self.results[0]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all results, each after the name of its detector."""
        return tuple(f"{result.detector}: {warning}" for result in self.results for warning in result.warnings)

    def to_arrow(self) -> pa.Table:
        """The headlines as a table with one row per detector and metric: detector, metric, value, low, high, n …"""
        tables = []
        for result in self.results:
            table = result.to_arrow()
            names = pa.array([result.detector] * table.num_rows, pa.string())
            tables.append(table.add_column(0, pa.field("detector", pa.string(), nullable=False), names))
        return pa.concat_tables(tables)

    def to_dict(self) -> dict[str, Any]:
        """The content of the results, by detector."""
        return {result.detector: result.to_dict() for result in self.results}

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(result.detector for result in self.results)}>"

    def _repr_html_(self) -> str:
        return "\n".join(result._repr_html_() for result in self.results)

    def _ipython_key_completions_(self) -> list[str]:
        metrics = [one.name for one in self.results[0].headline] if len(self.results) == 1 else []
        return [*(result.detector for result in self.results), *metrics]


def load_result(source: str | os.PathLike[str] | Result) -> Result:
    """Load a result that `clonetruth evaluate` wrote, or a text report of BigCloneEval.

    Args:
        source: the file; NAME=FILE gives the detector another name. A result is returned as it is.

    Raises:
        InputError: the file is neither, or damaged.
    """
    if isinstance(source, Result):
        return source
    text = os.fspath(source)
    name, equals, file = text.partition("=")
    renamed = bool(equals) and not Path(text).exists()
    path = Path(file) if renamed else Path(text)
    result = published_result(path) if recognise_report(path) else read_result(path)
    return dataclasses.replace(result, detector=name) if renamed else result
