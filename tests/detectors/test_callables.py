"""Plain functions as detectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.detectors import Detector, as_detector
from clonetruth.errors import InputError
from tests.detectors.test_trivial import fragments, pairs

TEXTS = fragments("ab", "abcd", "", language="python")
PAIRS = pairs((0, 1), (1, 0), (0, 2))


def length_ratio(left: str, right: str) -> float | None:
    """The shorter length ÷ the longer one"""
    return min(len(left), len(right)) / max(len(left), len(right)) if left and right else None


def scores(detector: Detector, **options: Any) -> list[float | None]:
    values: list[float | None] = detector.score(TEXTS, PAIRS, **options).to_pylist()
    return values


def test_a_function_of_two_texts() -> None:
    detector = as_detector(length_ratio, threshold=0.8)
    assert scores(detector) == [0.5, 0.5, None]
    described = (detector.name, detector.description, detector.default_threshold)
    assert described == ("length_ratio", "The shorter length ÷ the longer one.", 0.8)


@given(st.lists(st.one_of(st.none(), st.floats(allow_infinity=False)), min_size=1, max_size=8))
def test_a_batch_function_sees_texts_and_pairs_and_nothing_else(values: list[float | None]) -> None:
    seen: list[pa.Table] = []

    def batch(*tables: pa.Table) -> list[float | None]:
        seen.extend(tables)
        return values

    more = TEXTS.append_column("project", pa.array(["secret"] * 3))
    table = pairs(*[(0, 1)] * len(values))
    found = as_detector(batch, batch=True).score(more, table.append_column("clone", pa.array([True] * len(values))))
    assert found.to_pylist() == [None if value is None or value != value else value for value in values]
    texts, sides = seen
    assert texts.to_pydict() == {"key": [0, 1, 2], "language": ["python"] * 3, "text": ["ab", "abcd", ""]}
    assert sides.to_pydict() == {"left": [0] * len(values), "right": [1] * len(values)}


class FromArray:
    """Converts to a numpy array, as the columns of other libraries do."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = values

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray[Any, Any]:
        return np.array(self._values)


class FromArrow:
    """Speaks the Arrow PyCapsule interface, as the columns of other libraries do."""

    def __arrow_c_stream__(self, schema: object = None) -> object:
        return pa.chunked_array([[0.5], [1.0, None]]).__arrow_c_stream__(schema)


@pytest.mark.parametrize(
    "result",
    [
        [0.5, 1, None],
        (0.5, True, float("nan")),
        np.array([0.5, 1.0, np.nan]),
        np.array([0.5, 1, None], dtype=object),
        np.array([0.5, 1.0, np.nan], dtype=np.float32),
        np.ma.masked_invalid([0.5, 1.0, np.nan]),
        pa.array([0.5, 1.0, None]),
        pa.array([0.5, 1.0, float("nan")], pa.float32()),
        pa.chunked_array([[0.5], [1.0, None]]),
        FromArray([0.5, 1.0, np.nan]),
        FromArrow(),
    ],
    ids=lambda result: type(result).__name__,
)
def test_scores_may_be_any_sequence_or_array(result: object) -> None:
    assert scores(as_detector(lambda texts, sides: result, batch=True)) == [0.5, 1.0, None]


@pytest.mark.parametrize("result", [np.array([1, 0, 1]), np.array([True, False, True]), pa.array([True, False, True])])
def test_integers_and_decisions_are_scores(result: object) -> None:
    assert scores(as_detector(lambda texts, sides: result, batch=True)) == [1.0, 0.0, 1.0]
    assert scores(as_detector(lambda left, right: np.bool_(left < right))) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ([0.5], r"'f' returned 1 scores for 3 pairs\."),
        (np.zeros(4), r"'f' returned 4 scores for 3 pairs\."),
        ([0.5, "high", 1.0], r"'f' returned 'high' \(str\) instead of a number for the pair 'abcd' and 'ab'\."),
        (pa.array(["0.1", "0.2", "0.3"]), r"'f' returned '0\.1' \(str\) instead of a number for the pair 'ab'"),
        ([0.5, 0.1, np.inf], r"'f' returned inf, which is not finite, for the pair 'ab' and ''\."),
        (np.array([-np.inf, 0, 0]), r"'f' returned -inf, which is not finite, for the pair 'ab' and 'abcd'"),
        ([[0.5], [0.1], [0.2]], r"'f' returned \[0\.5\] \(list\) instead of a number for the pair 'ab'"),
        (np.zeros((3, 1)), "instead of a sequence of scores, one per pair"),
        (np.array(["0.1", "0.2", "0.3"]), "instead of a sequence of scores"),
        ("abc", r"'f' returned 'abc' \(str\) instead of a sequence of scores"),
        ({0: 1.0}, r"\(dict\) instead of a sequence of scores"),
        (0.5, r"\(float\) instead of a sequence of scores"),
        (None, r"'f' returned None \(NoneType\) instead of a sequence of scores"),
    ],
)
def test_wrong_batch_results_are_reported(result: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        scores(as_detector(lambda texts, sides: result, name="f", batch=True))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0.5", r"'f' returned '0\.5' \(str\) instead of a number for the pair 'ab' and 'abcd'\."),
        (np.array([0.1, 0.2]), r"\(ndarray\) instead of a number for the pair 'ab'"),
        (float("inf"), r"'f' returned inf, which is not finite, for the pair 'ab'"),
        (10**400, r"\(int\) instead of a number for the pair 'ab'"),
        ("x" * 200, r"'x{56}\.\.\. \(str\)"),
    ],
)
def test_wrong_scores_are_reported_with_the_pair(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        scores(as_detector(lambda left, right: value, name="f"))


def test_an_exception_is_reported_with_the_function_and_the_pair() -> None:
    def divide(left: str, right: str) -> float:
        return len(left) / len(right)

    with pytest.raises(
        InputError, match=r"'divide' failed \(ZeroDivisionError: .*\) on the pair 'ab' and ''\."
    ) as error:
        scores(as_detector(divide))
    assert isinstance(error.value.__cause__, ZeroDivisionError)

    def no_pairs(texts: pa.Table, sides: pa.Table) -> list[float]:
        raise KeyError

    with pytest.raises(InputError, match=r"'no_pairs' failed \(KeyError\) on 3 pairs\."):
        scores(as_detector(no_pairs, batch=True))


def test_nothing_is_called_without_pairs() -> None:
    def never(*arguments: object) -> float:
        raise AssertionError

    for batch in (False, True):
        assert len(as_detector(never, batch=batch).score(TEXTS, pairs())) == 0


def test_progress_adds_up() -> None:
    reported: list[tuple[int, int]] = []
    many = pairs(*[(0, 1)] * 2500)
    for detector in (
        as_detector(length_ratio),
        as_detector(lambda texts, sides: np.ones(sides.num_rows), batch=True),
    ):
        reported.clear()
        detector.score(TEXTS, many, progress=lambda what, done, total: reported.append((done, total)))
        assert sum(done for done, _ in reported) == 2500
        assert {total for _, total in reported} == {2500}


class Model:
    """A callable object."""

    def __call__(self, left: str, right: str) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("function", "name", "description"),
    [
        (lambda left, right: 1.0, "lambda", "The score of the function 'lambda'."),
        (partial(length_ratio), "partial", "The score of the function 'partial'."),
        (Model(), "Model", "The score of the function 'Model'."),
    ],
)
def test_every_callable_has_a_name(function: Callable[[str, str], float], name: str, description: str) -> None:
    detector = as_detector(function)
    assert (detector.name, detector.description, detector.default_threshold) == (name, description, None)
    assert as_detector(function, name="mine").name == "mine"


def test_invalid_arguments_are_refused() -> None:
    wrong: Any = 0.5
    with pytest.raises(InputError, match=r"0\.5 is not callable"):
        as_detector(wrong)
    with pytest.raises(InputError, match="The threshold nan is not a finite number"):
        as_detector(length_ratio, threshold=float("nan"))
