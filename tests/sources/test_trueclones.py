"""TrueClones: every label has its evidence, and clones and non-clones of the core set cannot be told by their texts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.model import CRITERIA, Dataset
from clonetruth.sources import trueclones
from clonetruth.sources.functionality_folders import FunctionalityFolder, canonical, read_folders
from clonetruth.sources.trueclones_evidence import read_evidence
from clonetruth.sources.trueclones_pairs import MatchedPair, PairStratum, executed_pairs

FOLDERS = list(read_folders(trueclones.data_folder()))
LANGUAGES = ("java", "javascript", "python", "cpp", "csharp")
IMPLEMENTATIONS, NEAR_MISSES = 4, 3
"""The fewest of a functionality in each language."""
MEGABYTES = 4
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.id)


@cache
def data() -> Dataset:
    return trueclones.dataset()


@cache
def pairs_of_all() -> tuple[MatchedPair, ...]:
    return tuple(executed_pairs(trueclones.read_executed(trueclones.data_folder())))


@each_folder
def test_functionalities_are_complete(folder: FunctionalityFolder) -> None:
    for language in LANGUAGES:
        assert len(folder.implementations(language)) >= IMPLEMENTATIONS
        assert len(folder.near_misses(language)) >= NEAR_MISSES
    assert len(folder.specification) > 100
    assert folder.domain
    assert all(one.near_miss and one.near_miss.differs for one in folder.near_misses())


@each_folder
def test_the_inputs_reach_the_implementations(folder: FunctionalityFolder) -> None:
    evidence = read_evidence(folder)
    own = [evidence.fragments[one.id] for one in folder.implementations()]
    assert sum(one.reached for one in own) >= 0.9 * sum(one.points for one in own)
    assert evidence.generated >= 100


def test_the_data_are_small_enough_for_the_wheel() -> None:
    files = [one for one in trueclones.data_folder().rglob("*") if one.is_file() and "__pycache__" not in one.parts]
    assert sum(one.stat().st_size for one in files) <= MEGABYTES * 2**20


def test_two_readings_are_equal() -> None:
    assert trueclones.dataset() == data()


def test_clones_are_matched_with_non_clones_of_the_same_kind() -> None:
    matches = defaultdict(list)
    for pair in pairs_of_all():
        if pair.match is not None:
            matches[pair.match].append(pair)
        else:
            assert not pair.is_clone
    assert len(matches) > 100
    for both in matches.values():
        clone, other = sorted(both, key=lambda one: not one.is_clone)
        assert (clone.is_clone, other.is_clone) == (True, False)
        assert (clone.stratum, clone.difficulty, clone.functionality) == (
            other.stratum,
            other.difficulty,
            other.functionality,
        )
        shared = {clone.left.id, clone.right.id} & {other.left.id, other.right.id}
        (origin,) = {clone.left.id, clone.right.id} - shared
        (near_miss,) = [one for one in (other.left, other.right) if one.id not in shared]
        assert near_miss.near_miss is not None
        assert near_miss.near_miss.origin == origin
        languages = {clone.left.language, clone.right.language}
        assert languages == {other.left.language, other.right.language}
        assert (len(languages) == 1) is (clone.stratum is PairStratum.CORE)
        # The implementation that both share is on the same side.
        assert (clone.left.id in shared) is (other.left.id in shared)


def test_strata_are_apart_and_no_pair_is_in_two() -> None:
    pairs = pairs_of_all()
    keys = [frozenset((pair.left.id, pair.right.id)) for pair in pairs]
    assert len(set(keys)) == len(keys)
    counts = Counter(pair.stratum for pair in pairs)
    assert set(counts) == set(PairStratum)
    by_language = Counter(pair.left.language for pair in pairs if pair.stratum is PairStratum.CORE)
    assert set(by_language) == set(LANGUAGES)
    assert max(by_language.values()) <= 1.2 * min(by_language.values())
    for pair in pairs:
        if pair.stratum is PairStratum.NEAR_COPY:
            assert pair.right.near_miss
            assert pair.right.near_miss.origin == pair.left.id
        if pair.stratum is PairStratum.CROSS_FUNCTIONALITY:
            assert pair.left.id.partition("/")[0] != pair.right.id.partition("/")[0]
            assert pair.left.near_miss is pair.right.near_miss is None
            assert pair.left.language == pair.right.language


def test_near_misses_are_used_about_equally_often() -> None:
    used: Counter[str] = Counter()
    for pair in pairs_of_all():
        if pair.stratum is PairStratum.CORE:
            used.update(one.id for one in (pair.left, pair.right) if one.near_miss)
    assert max(used.values()) <= 4


def test_every_judgement_shows_its_evidence() -> None:
    dataset = data()
    pairs = list(dataset.pairs)
    judged = []
    for judgement in dataset.judgements:
        assert judgement.judge == trueclones.JUDGE.id
        assert judgement.value in CRITERIA[judgement.criterion].values
        shown = json.loads(judgement.evidence or "")
        if judgement.pair is None:
            assert (judgement.value == "wrong") is ("actual" in shown)
            assert shown["inputs"] >= 125
        else:
            judged.append(judgement.pair)
            if judgement.value == "clone":
                assert shown["inputs"] >= 125
                assert shown["generated_digest"]
            else:
                assert canonical(shown["left"]) != canonical(shown["right"])
                assert shown["arguments"]
    assert judged == list(range(len(pairs)))


def test_it_takes_no_files_and_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no files"):
        clonetruth.import_dataset("trueclones", tmp_path, output=tmp_path / "out")
    with pytest.raises(BenchmarkError, match="no functionality"):
        trueclones.dataset_of(trueclones.read_executed(tmp_path), trueclones.CARD)


@pytest.mark.slow
@pytest.mark.parametrize("detector", ["token-similarity", "identifier-overlap", "length", "metrics", "ncd"])
def test_text_is_at_chance_on_the_core_set(detector: str) -> None:
    card = clonetruth.benchmark_detector(detector)
    auc = card["roc-auc"]
    assert auc.value is not None
    assert auc.low is not None
    assert auc.high is not None
    assert 0.45 <= auc.value <= 0.55
    assert auc.low <= 0.5 <= auc.high


@pytest.mark.slow
def test_the_audit_finds_no_errors_and_no_warnings(tmp_path: Path) -> None:
    clonetruth.import_dataset("trueclones", output=tmp_path / "trueclones")
    audit = clonetruth.audit_benchmark(tmp_path / "trueclones")
    assert [one.code for one in audit.findings if one.severity in ("error", "warning")] == []
