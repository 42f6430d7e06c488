"""A plain Python function as a detector."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat, overload

import numpy as np
import pyarrow as pa

from clonetruth.code.similarity import Floats
from clonetruth.detectors.detector import Detector, side_rows
from clonetruth.errors import InputError
from clonetruth.parsing import finite_number
from clonetruth.progress import Progress, no_progress

PairFunction = Callable[[str, str], SupportsFloat | None]
"""Scores the texts of one pair; None or NaN for a pair that it cannot score."""

BatchFunction = Callable[[pa.Table, pa.Table], Any]
"""Scores all pairs at once; returns a sequence, a numpy array or an Arrow array with one score per pair."""

_REPORT_EVERY = 1000
"""Pairs between two progress reports."""


@overload
def as_detector(
    function: PairFunction, *, name: str | None = None, batch: Literal[False] = False, threshold: float | None = None
) -> Detector: ...
@overload
def as_detector(
    function: BatchFunction, *, name: str | None = None, batch: Literal[True], threshold: float | None = None
) -> Detector: ...
@overload
def as_detector(
    function: PairFunction | BatchFunction,
    *,
    name: str | None = None,
    batch: bool = False,
    threshold: float | None = None,
) -> Detector: ...
def as_detector(
    function: PairFunction | BatchFunction,
    *,
    name: str | None = None,
    batch: bool = False,
    threshold: float | None = None,
) -> Detector:
    """Wrap a function as a detector.

    The function sees texts and languages only: no functionality, no ids, no labels. Larger scores mean more similar;
    None and NaN mean unknown. It runs in this process, and should give the same score whichever side comes first and
    whatever other pairs are scored; some pairs are scored twice, to check that.

    >>> detector = as_detector(lambda left, right: min(len(left), len(right)) / max(len(left), len(right)))

    Args:
        function: `f(left: str, right: str) -> float`. With `batch`, `f(fragments, pairs) -> scores`, where `fragments`
            is an Arrow table with the columns `key`, `language` and `text`, and `pairs` one with the columns `left` and
            `right`, which are keys of fragments; the scores are a sequence, a numpy array or an Arrow array, one per
            row of `pairs`.
        name: the name of the detector (default: the name of the function).
        batch: whether the function scores all pairs at once.
        threshold: the lowest score of a clone; None if the function has no default threshold.

    Raises:
        InputError: `function` is not callable, or the threshold is not a finite number. `score` raises it if the
            function fails, or returns anything but finite numbers and unknowns, one per pair.
    """
    if not callable(function):
        raise InputError(f"{function!r} is not callable.", where="function", hint="Use a function of two arguments.")
    if threshold is not None and finite_number(threshold) is None:
        raise InputError(f"The threshold {threshold} is not a finite number.", where="threshold")
    label = name or _name(function)
    documentation = (function.__doc__ or "").strip() if hasattr(function, "__name__") else ""
    description = documentation.partition("\n")[0] or f"The score of the function '{label}'"
    kind = _BatchDetector if batch else PairFunctionDetector
    return kind(label, description if description.endswith(".") else f"{description}.", threshold, function)


def _name(function: PairFunction | BatchFunction) -> str:
    return str(getattr(function, "__name__", type(function).__name__)).strip("<>")


@dataclass(frozen=True)
class _FunctionDetector(ABC):
    """What both kinds of wrapped functions share."""

    name: str
    description: str
    default_threshold: float | None
    function: Callable[..., Any]

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where the function returns None or NaN."""
        side_rows(fragments, pairs)
        if not pairs.num_rows:
            return pa.array([], pa.float64())
        values = self._scores(fragments, pairs, progress or no_progress)
        infinite = np.flatnonzero(np.isinf(values))
        if len(infinite):
            row = int(infinite[0])
            raise self._error(f"returned {values[row]}, which is not finite,", f"for {_pair(fragments, pairs, row)}")
        return pa.array(values, pa.float64(), mask=np.isnan(values))

    @abstractmethod
    def _scores(self, fragments: pa.Table, pairs: pa.Table, report: Progress) -> Floats:
        """One score per pair, NaN where unknown."""

    def _number(self, value: object, fragments: pa.Table, pairs: pa.Table, row: int) -> float:
        """A score as a number; NaN where unknown."""
        if value is None:
            return math.nan
        if isinstance(value, SupportsFloat) and not isinstance(value, str | bytes):
            try:
                return float(value)
            except (TypeError, ValueError, OverflowError):  # an array of several numbers, or 10**400, for instance
                pass
        raise self._error(f"returned {_shown(value)} instead of a number", f"for {_pair(fragments, pairs, row)}")

    def _error(self, what: str, where: str) -> InputError:
        return InputError(
            f"The function '{self.name}' {what} {where}.",
            where="detector",
            hint="Scores are finite numbers; None or NaN mean unknown.",
        )


class PairFunctionDetector(_FunctionDetector):
    """A function of two texts, which sees nothing else."""

    def _scores(self, fragments: pa.Table, pairs: pa.Table, report: Progress) -> Floats:
        return np.fromiter(self._each(fragments, pairs, report), np.float64, count=pairs.num_rows)

    def _each(self, fragments: pa.Table, pairs: pa.Table, report: Progress) -> Iterator[float]:
        texts = fragments["text"].to_pylist()
        left, right = side_rows(fragments, pairs)
        done = 0
        for row, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            try:
                value = self.function(texts[a], texts[b])
            except Exception as error:
                raise self._error(f"failed ({_reason(error)})", f"on {_pair(fragments, pairs, row)}") from error
            score = self._number(value, fragments, pairs, row)
            if row + 1 - done == _REPORT_EVERY or row + 1 == len(left):
                report("Scoring pairs", row + 1 - done, len(left))
                done = row + 1
            yield score


class _BatchDetector(_FunctionDetector):
    """A function of all fragments and pairs."""

    def _scores(self, fragments: pa.Table, pairs: pa.Table, report: Progress) -> Floats:
        texts = fragments.select(["fragment", "language", "text"]).rename_columns(["key", "language", "text"])
        try:
            result = self.function(texts, pairs.select(["left", "right"]))
        except Exception as error:
            raise self._error(f"failed ({_reason(error)})", f"on {pairs.num_rows:,} pairs") from error
        scores = self._column(result)
        if len(scores) != pairs.num_rows:
            raise self._error(f"returned {len(scores):,} scores", f"for {pairs.num_rows:,} pairs")
        report("Scoring pairs", pairs.num_rows, pairs.num_rows)
        if isinstance(scores, np.ndarray):
            return scores
        numbers = (self._number(value, fragments, pairs, row) for row, value in enumerate(scores))
        return np.fromiter(numbers, np.float64, count=len(scores))

    def _column(self, result: object) -> Sequence[object] | Floats:
        """The result as numbers where its type guarantees them, else as a sequence of values to be checked."""
        if isinstance(result, pa.Array | pa.ChunkedArray):
            numeric = pa.types.is_integer(result.type) or pa.types.is_floating(result.type)
            return self._column(result.to_numpy(zero_copy_only=False) if numeric else result.to_pylist())
        if isinstance(result, np.ma.MaskedArray):
            return self._column(result.tolist())
        if isinstance(result, Sequence) and not isinstance(result, str | bytes):
            return result
        if hasattr(result, "__arrow_c_stream__"):  # Polars and pandas
            return self._column(pa.chunked_array(result))
        if hasattr(result, "__array__"):
            array = np.asarray(result)
            if array.ndim == 1 and array.dtype.kind in "biufO":
                return list(array) if array.dtype.kind == "O" else array.astype(np.float64)
        raise self._error(f"returned {_shown(result)} instead of a sequence of scores,", "one per pair")


def _pair(fragments: pa.Table, pairs: pa.Table, row: int) -> str:
    """A pair as its user knows it: by its texts, since keys carry nothing."""
    left, right = side_rows(fragments, pairs.slice(row, 1))
    one, other = (_short(repr(fragments["text"][int(side[0])].as_py())) for side in (left, right))
    return f"the pair {one} and {other}"


def _shown(value: object) -> str:
    return f"{_short(repr(value))} ({type(value).__name__})"


def _short(shown: str) -> str:
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
