"""The conformance suite of detectors: those of the registry, those of other packages, and folders with a program.

`CLONETRUTH_TEST_DETECTOR` names further folders, separated as in `PATH`, on which it runs.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.detectors import DETECTORS, Detector, as_detector, read_command_detector
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.errors import InputError, UnknownNameError
from tests.conftest import ROOT
from tests.execution.sandboxed import LACKING

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
WITHOUT_TEXTS = {"always-yes"}
"""Detectors that do not read the texts."""


def fragments(*kept: int) -> pa.Table:
    """The fragments with these keys (default: all)."""
    keys = list(kept or range(len(TEXTS)))
    columns = {
        "fragment": keys,
        "language": [TEXTS[key][0] for key in keys],
        "text": [TEXTS[key][1] for key in keys],
    }
    return pa.table(columns, schema=FRAGMENTS)


def pairs(*sides: tuple[int, int]) -> pa.Table:
    left, right = zip(*sides, strict=True) if sides else ((), ())
    columns = {"pair": range(len(sides)), "left": left, "right": right}
    return pa.table({name: list(column) for name, column in columns.items()}, schema=PAIRS)


def common_words(left: str, right: str) -> float | None:
    """Words that both texts contain ÷ words that either contains."""
    one, other = set(left.split()), set(right.split())
    return len(one & other) / len(one | other) if one and other else None


def common_words_of_all(texts: pa.Table, sides: pa.Table) -> list[float | None]:
    """Words that both texts contain ÷ words that either contains, for all pairs at once."""
    by_key = dict(zip(texts["key"].to_pylist(), texts["text"].to_pylist(), strict=True))
    keys = zip(sides["left"].to_pylist(), sides["right"].to_pylist(), strict=True)
    return [common_words(by_key[left], by_key[right]) for left, right in keys]


WRAPPED = {
    "common_words": as_detector(common_words),
    "common_words_of_all": as_detector(common_words_of_all, batch=True, threshold=0.5),
}
"""Detectors made of plain functions, one of each kind."""


@cache
def tutorial() -> tempfile.TemporaryDirectory[str]:
    """The folders of docs/own-detector.md, as a reader copies them; they are deleted in the end."""
    made = tempfile.TemporaryDirectory()
    folder = Path(made.name)
    page = (ROOT / "docs" / "own-detector.md").read_text(encoding="utf-8")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", page, re.DOTALL):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return made


GIVEN = [Path(one) for one in os.environ.get("CLONETRUTH_TEST_DETECTOR", "").split(os.pathsep) if one]
TUTORIAL = ("words", "letters")


@cache
def programs() -> dict[str, Detector]:
    """Detectors that are folders with a program, by name."""
    read = [read_command_detector(one) for one in (*(Path(tutorial().name) / one for one in TUTORIAL), *GIVEN)]
    return {one.name: one for one in read}


def named(name: str) -> Detector:
    if name == "execution" and LACKING:
        pytest.skip(f"the sandbox is not complete: {LACKING}")
    if name in TUTORIAL or (GIVEN and name in programs()):
        return programs()[name]
    return WRAPPED[name] if name in WRAPPED else DETECTORS[name]


NAMES = sorted([*DETECTORS, *WRAPPED, *TUTORIAL, *(read_command_detector(one).name for one in GIVEN)])
READING_TEXTS = sorted({*NAMES} - WITHOUT_TEXTS)
ALL = [(left, right) for left in range(len(TEXTS)) for right in range(len(TEXTS))]


@pytest.fixture(params=NAMES)
def detector(request: pytest.FixtureRequest) -> Detector:
    return named(request.param)


def test_name_description_and_threshold(detector: Detector) -> None:
    assert named(detector.name) is detector
    assert detector.description.endswith(".")
    assert detector.default_threshold is None or math.isfinite(detector.default_threshold)


def test_there_is_one_finite_score_per_pair(detector: Detector) -> None:
    scores = detector.score(fragments(), pairs(*ALL))
    assert scores.type == pa.float64()
    assert len(scores) == len(ALL)
    assert all(score is None or math.isfinite(score) for score in scores.to_pylist())


def test_the_order_of_the_sides_does_not_matter(detector: Detector) -> None:
    there = detector.score(fragments(), pairs(*ALL))
    back = detector.score(fragments(), pairs(*[(right, left) for left, right in ALL]))
    assert there.equals(back)


def test_runs_are_reproducible(detector: Detector) -> None:
    again = named(detector.name)
    assert detector.score(fragments(), pairs(*ALL)).equals(again.score(fragments(), pairs(*ALL)))


def test_keys_with_gaps_and_other_pairs_change_nothing(detector: Detector) -> None:
    whole = detector.score(fragments(), pairs((0, 1), (0, 2), (0, 2)))
    part = detector.score(fragments(0, 1, 2), pairs((0, 1), (0, 2), (0, 2)))
    assert whole.equals(part)


@pytest.mark.parametrize("name", READING_TEXTS)
def test_a_fragment_is_most_similar_to_itself(name: str) -> None:
    scores = dict(zip(ALL, named(name).score(fragments(), pairs(*ALL)).to_pylist(), strict=True))
    known = [score for score in scores.values() if score is not None]
    for key in range(len(TEXTS)):
        assert scores[key, key] in (None, max(known))


@pytest.mark.parametrize("name", READING_TEXTS)
def test_empty_texts_have_no_score(name: str) -> None:
    scores = dict(zip(ALL, named(name).score(fragments(), pairs(*ALL)).to_pylist(), strict=True))
    assert {scores[pair] for pair in ALL if EMPTY & set(pair)} == {None}
    assert scores[3, 3] is not None
    assert scores[0, 1] is not None or name == "execution"  # which needs Java for them


def test_no_pairs_and_no_fragments(detector: Detector) -> None:
    assert len(detector.score(fragments(), pairs())) == 0
    assert len(detector.score(FRAGMENTS.empty_table(), pairs())) == 0


def test_a_pair_with_a_missing_fragment_is_refused(detector: Detector) -> None:
    for known in (fragments(0, 2), FRAGMENTS.empty_table()):
        with pytest.raises(InputError, match="refers to fragment 1, which is missing"):
            detector.score(known, pairs((1, 1)))


def test_progress_never_exceeds_the_total(detector: Detector) -> None:
    reported: dict[str, tuple[int, int]] = {}

    def progress(what: str, done: int, total: int) -> None:
        reported[what] = reported.get(what, (0, 0))[0] + done, total

    detector.score(fragments(), pairs(*ALL), progress=progress)
    assert all(done <= total for done, total in reported.values())


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'length'"):
        DETECTORS["lenght"]
