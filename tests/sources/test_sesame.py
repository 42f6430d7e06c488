"""SeSaMe: eight raters, three aspects, a confidence each."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.verdicts import judge_verdicts
from tests.sources.importer import imported
from tests.sources.pair_samples import ADD, rated, sesame


def test_ratings_become_judgements_of_raters(tmp_path: Path) -> None:
    found = imported("sesame", sesame(tmp_path), tmp_path)
    assert found.rows(
        "SELECT judge, value, confidence FROM judgements WHERE pair = 0 AND criterion = 'same-goals' ORDER BY judge"
    ) == [
        ("person:sesame-rater-2", "agree", 1.0),
        ("person:sesame-rater-4", "conditionally", 0.5),
        ("person:sesame-rater-6", "disagree", 0.0),
    ]


def test_agree_counts_as_clone_and_conditionally_decides_nothing(tmp_path: Path) -> None:
    found = imported("sesame", sesame(tmp_path), tmp_path)
    verdicts = judge_verdicts(found.benchmark, criterion="same-effects").table.to_pylist()
    assert [row["verdict"] for row in verdicts] == ["unknown", "clone", "unknown"]
    assert verdicts[0]["reason"] == "a tie of 1 to 1"


def test_sampled_pairs_have_similarities_and_no_claim(tmp_path: Path) -> None:
    found = imported("sesame", sesame(tmp_path), tmp_path)
    assert found.report.counts["pairs"] == 3
    sampled = found.rows("SELECT value, evidence FROM judgements WHERE judge = 'rule:sesame-sampling' AND pair = 2")
    assert sampled == [("undecided", '{"documentation_similarity": 0.9, "token_similarity": 0.5}')]


def test_entities_of_the_text_collection_are_decoded(tmp_path: Path) -> None:
    found = imported("sesame", sesame(tmp_path), tmp_path)
    assert found.rows("SELECT text, project, path FROM fragments WHERE id = '6'") == [
        (f"class A<T> {{\n    {ADD}\n    // 3 a\n}}\n", "guava", "A0.java")
    ]


def test_both_rating_files_together_give_each_pair_once(tmp_path: Path) -> None:
    paths = sesame(tmp_path)
    unfiltered = tmp_path / "dataset-unfiltered.json"
    unfiltered.write_text(json.dumps([rated(1, 2, 2, 2), rated(3, 2, 2, 2)]))
    found = imported("sesame", [*paths, unfiltered], tmp_path)
    assert found.report.counts["pairs"] == 3
    assert found.report.rows_read["rated pairs that were read before"] == 1


@pytest.mark.parametrize("entry", [5, {}, {"pairid": "1", "first": 1, "second": 2}, {**rated(9, 2)}])
def test_invalid_entries_are_counted(entry: object, tmp_path: Path) -> None:
    paths = sesame(tmp_path)
    paths[0].write_bytes(gzip.compress(json.dumps([entry, rated(1, 2, 2, 2)]).encode()))
    found = imported("sesame", [paths[0], paths[2]], tmp_path)
    assert found.report.counts["pairs"] == 1
    assert sum(found.report.reasons.values()) == 1


@pytest.mark.parametrize("rating", [7, "2", None, True, {}])
def test_unknown_ratings_are_counted(rating: object, tmp_path: Path) -> None:
    entry = {**rated(1, 2), "goals": [{"rating": rating, "confidence": 1}], "effects": "all"}
    paths = sesame(tmp_path)
    paths[0].write_bytes(gzip.compress(json.dumps([entry]).encode()))
    found = imported("sesame", [paths[0], paths[2]], tmp_path)
    expected = {"the ratings of effects are not a list of eight": 1, "a rating of goals is unknown": 1}
    assert dict(found.report.reasons) == expected


def test_a_truncated_file_is_an_error(tmp_path: Path) -> None:
    paths = sesame(tmp_path)
    paths[0].write_bytes(paths[0].read_bytes()[:-20])
    with pytest.raises(InputError, match="damaged or truncated"):
        import_dataset("sesame", paths, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_real_files(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "sesame"
    rated_only = imported("sesame", [folder / "dataset.json.gz", folder / "method_sources.zip"], tmp_path)
    assert rated_only.report.counts["pairs"] == 586
    assert rated_only.report.counts["fragments"] == 1108
    assert rated_only.report.counts["judgements"] == 586 * 3 * 3
    assert not rated_only.report.reasons
    ratings = rated_only.rows(
        "SELECT criterion, value, count(*) FROM judgements WHERE confidence = 1.0 GROUP BY ALL ORDER BY ALL"
    )
    assert ("same-goals", "agree", 360) in ratings
    assert ("same-operations", "disagree", 1171) in ratings
    everything = import_dataset("auto", [folder], output=tmp_path / "all")
    assert everything.counts["pairs"] == 857
    assert dict(everything.reasons) == {"the texts of the pair are missing": 27 + 43}
