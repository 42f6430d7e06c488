"""Detectors applied to abstracted code."""

from __future__ import annotations

import pytest

from clonetruth.detectors import DETECTORS
from clonetruth.detectors.abstracted import _TEXTS, AbstractedDetector, RecentlyMade
from clonetruth.training.level_reader import LevelReader
from tests.detectors.test_trivial import fragments, pairs

ADDS = "int add(int a, int b) { Box x = new Box(a); return combine(x, b); } // adds"
SUMS = "int sum(int p, int q) { Jar y = new Jar(p); return combine(y, q); }"


def overlap(level: int, *texts: str, language: str = "java") -> float:
    detector = AbstractedDetector(DETECTORS["identifier-overlap"], level)
    (score,) = detector.score(fragments(*texts, language=language), pairs((0, 1))).to_pylist()
    assert isinstance(score, float)
    return score


def test_each_level_hides_more_names() -> None:
    # Names: add, a, b, Box, x, combine and their counterparts. At first only combine is shared, then also the
    # variables, then the type; add and sum stay two different functions at every level.
    assert overlap(0, ADDS, SUMS) == pytest.approx(1 / 11)
    assert overlap(1, ADDS, SUMS) == pytest.approx(4 / 8)
    assert overlap(2, ADDS, SUMS) == pytest.approx(5 / 7)
    assert overlap(3, ADDS, SUMS) == pytest.approx(5 / 7)


def test_functions_are_numbered_over_all_texts() -> None:
    """Otherwise the first function of each text would get the same name."""
    assert overlap(3, "int f() { return 1; }", "int g() { return 1; }") == 0
    assert overlap(3, "int f() { return 1; }", "int f() { return 2; }") == 1


def test_every_level_removes_comments() -> None:
    detector = AbstractedDetector(DETECTORS["length"], 0)
    texts = fragments("int f() { return 1; }", "int f() { return 1; } // a long remark")
    assert detector.score(texts, pairs((0, 1))).to_pylist() == [1.0]
    assert DETECTORS["length"].score(texts, pairs((0, 1))).to_pylist() != [1.0]


def test_unsupported_languages_are_passed_on_unchanged() -> None:
    assert overlap(3, "alpha beta", "alpha gamma", language="cobol") == pytest.approx(1 / 3)


def test_name_and_threshold_are_kept_and_processes_change_nothing() -> None:
    plain, detector = DETECTORS["length"], AbstractedDetector(DETECTORS["length"], 3)
    described = (detector.name, detector.description, detector.default_threshold)
    assert described == (plain.name, plain.description, plain.default_threshold)
    texts, reported = fragments(ADDS, SUMS), list[str]()
    alone = detector.score(texts, pairs((0, 1)), progress=lambda what, done, total: reported.append(what))
    _TEXTS.clear()  # so that the processes have something to do
    assert alone.equals(detector.score(texts, pairs((0, 1)), processes=2))
    assert "Abstracting" in reported


@pytest.mark.parametrize("level", range(4))
def test_what_was_asked_before_changes_nothing(level: int) -> None:
    """Abstracted texts are kept: at level 3 they depend on all texts of a call."""
    first = ("int f() { return 1; }", "int g() { return 1; }")
    second = first[::-1]
    _TEXTS.clear()
    fresh = [overlap(level, *first), overlap(level, *second), overlap(level, ADDS, first[0])]
    _TEXTS.clear()
    again = [overlap(level, ADDS, first[0]), overlap(level, *second), overlap(level, *first)]
    assert fresh == again[::-1] == [overlap(level, *first), overlap(level, *second), overlap(level, ADDS, first[0])]


def test_only_so_many_texts_are_kept() -> None:
    kept = RecentlyMade[int](2)
    for number in range(4):
        kept.keep(bytes([number]), number)
        kept.find(b"\0")
    assert [kept.find(bytes([number])) for number in range(4)] == [0, None, None, 3]


def test_what_one_detector_was_shown_is_not_abstracted_again_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix trains many learners on the same texts, and abstraction is most of their reading."""
    texts = fragments(ADDS, SUMS)
    _TEXTS.clear()
    first = LevelReader[str](lambda text, language: text, "", 1).read(texts)
    monkeypatch.setattr("clonetruth.detectors.abstracted.abstract", lambda *given: pytest.fail("abstracted again"))
    assert LevelReader[str](lambda text, language: text, "", 1).read(texts) == first
    assert AbstractedDetector(DETECTORS["length"], 1).score(texts, pairs((0, 1))).null_count == 0
