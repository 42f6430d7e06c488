"""The detector that runs the code: what counts as agreement, what is unknown, and that it fails closed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from clonetruth.detectors import DETECTORS
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.execution import execution_fingerprints
from clonetruth.errors import MissingExtraError
from clonetruth.execution import Observation, Reason
from clonetruth.execution.output_digests import output_digest
from clonetruth.execution.sandbox import Layer, bubblewrap
from clonetruth.execution.values import Value
from tests.execution.sandboxed import needs_sandbox

TEXTS = [
    "def total(a):\n    return sum(a)\n",
    "def add_up(a):\n    n = 0\n    for x in a:\n        n += x\n    return n\n",
    "def order(a):\n    return sorted(a)\n",
    "def nothing(a):\n    return 0\n",
    "def add(a, b):\n    return a + b\n",
    "def broken(:\n",
    "import os\ndef leave(a):\n    os._exit(1)\n",
    "def total_of_any(a):\n    return len(a) if isinstance(a, str) else sum(a)\n",
]


def fragments(texts: list[str]) -> pa.Table:
    columns = {"fragment": range(len(texts)), "language": ["python"] * len(texts), "text": texts}
    return pa.table({name: list(column) for name, column in columns.items()}, schema=FRAGMENTS)


def scores(*sides: tuple[int, int]) -> list[float | None]:
    left, right = zip(*sides, strict=True)
    pairs = pa.table({"pair": list(range(len(sides))), "left": left, "right": right}, schema=PAIRS)
    found: list[float | None] = DETECTORS["execution"].score(fragments(TEXTS), pairs).to_pylist()
    return found


@needs_sandbox
def test_agreement_is_on_rare_outputs_and_what_does_not_run_is_unknown() -> None:
    same, other, constant, arity, broken, leaves = scores((0, 1), (0, 2), (3, 3), (0, 4), (0, 5), (0, 6))
    assert same == 1
    assert other is not None
    assert other < 0.1
    assert [constant, arity, broken, leaves] == [None] * 4


@needs_sandbox
def test_what_only_one_fragment_refuses_says_nothing() -> None:
    """A sum that refuses texts and one that returns something for them agree on everything that both are made for."""
    (found,) = scores((0, 7))
    assert found == 1


@needs_sandbox
def test_fingerprints_say_why_there_are_none() -> None:
    found = execution_fingerprints(fragments([*TEXTS, TEXTS[0]]))
    assert found[0] == found[-1]
    assert found[0].normal >= 8
    assert found[0].inputs == "function of 1"
    assert found[5].reason is Reason.PARSE
    assert found[6].normal == 0


def test_fails_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = Layer("bubblewrap", missing="not installed", install="apt-get install bubblewrap")
    monkeypatch.setattr(bubblewrap, "_layers", lambda: (layer,))
    with pytest.raises(MissingExtraError, match="bubblewrap"):
        scores((0, 1))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({"int": "2"}, {"float": "0x1.0p+1"}, True),
        ({"list": [{"int": "1"}]}, {"tuple": [{"float": "0x1.0p+0"}]}, True),
        ({"set": [{"int": "1"}, {"int": "2"}]}, {"set": [{"int": "2"}, {"int": "1"}]}, True),
        ({"float": (0.1 + 0.2).hex()}, {"float": (0.3).hex()}, True),
        ({"int": "12345678901234567890"}, {"int": "12345678901234567891"}, False),
        ({"int": "1"}, True, False),
        ({"int": "1"}, "1", False),
        ({"float": "nan"}, {"float": "nan"}, True),
        ({"float": "inf"}, {"float": "-inf"}, False),
        ({"map": [["a", None], ["b", None]]}, {"map": [["b", None], ["a", None]]}, True),
    ],
)
def test_values_of_all_languages_meet(left: Value, right: Value, same: bool) -> None:
    digests = [output_digest(Observation(one)) for one in (left, right)]
    assert None not in digests
    assert (digests[0] == digests[1]) is same


def test_no_output_and_no_end_are_unknown() -> None:
    assert output_digest(Observation()) is None
    assert output_digest(Observation(raised="ValueError")) is None
    assert output_digest(Observation({"opaque": "function"})) is None
    assert output_digest(Observation(output="1  \n")) == output_digest(Observation(output="1\n\n"))
