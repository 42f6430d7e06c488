"""Which results are comparable."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from clonetruth.store.comparability import comparable_groups, conditions, differing_conditions, stated_conditions
from clonetruth.store.results import BenchmarkIdentity, PolicyUse, Result
from tests.report.sample_results import locations_result, minimal_result, pairs_result

CHANGES: dict[str, dict[str, Any]] = {
    "revision": {"benchmark": BenchmarkIdentity("street-code", "2.1", "99" * 32)},
    "version": {"benchmark": BenchmarkIdentity("street-code", "3.0", "ab12" * 16)},
    "policy": {"policy": PolicyUse("origin", "same-main-purpose", 3_000, 450)},
    "criterion": {"policy": PolicyUse("default", "textual", 3_000, 450)},
    "setting": {"setting": {"threshold": "0.5"}},
    "view": {"view": "random-1"},
    "part": {"part": "valid"},
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_differs_but_the_detector_sets_apart(what: str) -> None:
    one = pairs_result()
    other = dataclasses.replace(pairs_result("Other"), **CHANGES[what])
    assert comparable_groups([one, other, one]) == [[one, one], [other]]
    assert differing_conditions([conditions(one), conditions(other)])


def test_detector_numbers_and_votes_do_not_set_apart() -> None:
    one, other = pairs_result(), pairs_result("Other", 50)
    later = dataclasses.replace(other, benchmark=dataclasses.replace(other.benchmark, judgements_hash="77" * 32))
    assert comparable_groups([one, later]) == [[one, later]]
    assert differing_conditions([conditions(one), conditions(later)]) == {}


def test_differences_are_told_for_every_group() -> None:
    rows = differing_conditions([conditions(pairs_result()), conditions(locations_result())])
    assert rows["policy"] == ["default", "origin"]
    assert rows["matcher"] == ["not stated", "coverage 0.7"]
    assert "time" not in rows


def test_what_is_not_stated_is_left_out() -> None:
    result: Result = minimal_result()
    assert stated_conditions(result) == {
        "kind": "pairs",
        "benchmark": "answers.txt",
        "policy": "answers-file",
        "pairs": "10",
    }
    assert conditions(result)["criterion"] == "not stated"


def test_results_over_different_pairs_are_not_compared() -> None:
    result = minimal_result()
    fewer = dataclasses.replace(result, policy=dataclasses.replace(result.policy, counted=result.policy.counted - 1))
    assert len(comparable_groups([result, fewer])) == 2
