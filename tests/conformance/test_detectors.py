"""What every detector must do, whatever it looks at."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from clonetruth.detectors import BASELINES, DETECTORS, Detector
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.errors import InputError, UnknownNameError

TEXTS = (
    ("java", "int sum(int[] a) {\n    int s = 0;\n    for (int x : a) s += x;\n    return s;\n}\n"),
    ("java", "int total(int[] v) {\n    int r = 0;\n    for (int y : v) r += y;\n    return r;\n}\n"),
    ("java", "void copy(File from, File to) throws IOException {\n    Files.copy(from, to);\n}\n"),
    ("python", "def total(xs):\n    return sum(xs)\n"),
    ("cobol", "ADD A TO B GIVING C."),
    ("java", ""),
    ("java", " \n\t"),
)
EMPTY = {5, 6}
WITHOUT_TEXTS = {"always-yes", "largest-functionality"}
"""Detectors that do not look at the texts."""


def fragments(*kept: int) -> pa.Table:
    """The fragments with these keys; all unless told."""
    keys = list(kept or range(len(TEXTS)))
    columns = {
        "fragment": keys,
        "language": [TEXTS[key][0] for key in keys],
        "text": [TEXTS[key][1] for key in keys],
    }
    return pa.table(columns, schema=FRAGMENTS)


def pairs(*sides: tuple[int, int]) -> pa.Table:
    left, right = zip(*sides, strict=True) if sides else ((), ())
    functionality = [key % 2 for key in range(len(sides))]
    columns = {"pair": range(len(sides)), "left": left, "right": right, "functionality": functionality}
    return pa.table({name: list(column) for name, column in columns.items()}, schema=PAIRS)


ALL = [(left, right) for left in range(len(TEXTS)) for right in range(len(TEXTS))]


@pytest.fixture(params=sorted(DETECTORS))
def detector(request: pytest.FixtureRequest) -> Detector:
    return DETECTORS[request.param]


def test_says_who_it_is(detector: Detector) -> None:
    assert DETECTORS[detector.name] is detector
    assert detector.description.endswith(".")
    assert detector.default_threshold is None or math.isfinite(detector.default_threshold)


def test_scores_are_finite_and_as_many_as_pairs(detector: Detector) -> None:
    scores = detector.score(fragments(), pairs(*ALL))
    assert scores.type == pa.float64()
    assert len(scores) == len(ALL)
    assert all(score is None or math.isfinite(score) for score in scores.to_pylist())


def test_the_order_of_the_sides_does_not_matter(detector: Detector) -> None:
    there = detector.score(fragments(), pairs(*ALL))
    back = detector.score(fragments(), pairs(*[(right, left) for left, right in ALL]))
    assert there.equals(back)


def test_runs_agree(detector: Detector) -> None:
    again = DETECTORS[detector.name]
    assert detector.score(fragments(), pairs(*ALL)).equals(again.score(fragments(), pairs(*ALL)))


def test_keys_with_gaps_and_other_pairs_change_nothing(detector: Detector) -> None:
    whole = detector.score(fragments(), pairs((0, 1), (0, 2), (0, 2)))
    part = detector.score(fragments(0, 1, 2), pairs((0, 1), (0, 2), (0, 2)))
    assert whole.equals(part)


@pytest.mark.parametrize("name", sorted(set(DETECTORS) - WITHOUT_TEXTS))
def test_nothing_is_more_alike_than_a_fragment_with_itself(name: str) -> None:
    scores = dict(zip(ALL, DETECTORS[name].score(fragments(), pairs(*ALL)).to_pylist(), strict=True))
    known = [score for score in scores.values() if score is not None]
    for key in range(len(TEXTS)):
        assert scores[key, key] in (None, max(known))


@pytest.mark.parametrize("name", sorted(set(DETECTORS) - WITHOUT_TEXTS))
def test_what_has_no_text_has_no_score(name: str) -> None:
    scores = dict(zip(ALL, DETECTORS[name].score(fragments(), pairs(*ALL)).to_pylist(), strict=True))
    assert {scores[pair] for pair in ALL if EMPTY & set(pair)} == {None}
    assert scores[0, 1] is not None


def test_no_pairs_and_no_fragments(detector: Detector) -> None:
    assert len(detector.score(fragments(), pairs())) == 0
    assert len(detector.score(FRAGMENTS.empty_table(), pairs())) == 0


def test_a_pair_of_an_unknown_fragment_is_refused(detector: Detector) -> None:
    for known in (fragments(0, 2), FRAGMENTS.empty_table()):
        with pytest.raises(InputError, match="names the fragment 1, which is not there"):
            detector.score(known, pairs((1, 1)))


def test_progress_is_told_in_whole(detector: Detector) -> None:
    told: dict[str, tuple[int, int]] = {}

    def progress(what: str, done: int, total: int) -> None:
        told[what] = told.get(what, (0, 0))[0] + done, total

    detector.score(fragments(), pairs(*ALL), progress=progress)
    assert all(done <= total for done, total in told.values())


def test_an_unknown_name_is_told_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'length'"):
        DETECTORS["lenght"]
    assert set(BASELINES) <= set(DETECTORS)
