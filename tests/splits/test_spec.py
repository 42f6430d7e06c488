"""Which options are possible, and which are refused."""

from __future__ import annotations

from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.splits import Sampling, SplitSpec, read_ratio
from clonetruth.splits.spec import SplitPlan


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"ratio": (0, 1, 1)}, "no train or no test"),
        ({"ratio": (3, 1, 0)}, "no train or no test"),
        ({"ratio": (997, 1, 2)}, "too fine"),
        ({"folds": 5}, "belong together"),
        ({"fold": 1}, "belong together"),
        ({"folds": 2, "fold": 1}, "2 folds"),
        ({"folds": 5, "fold": 6}, "no fold 6"),
        ({"folds": 5, "fold": 0}, "no fold 0"),
        ({"min_pairs": -1}, "below zero"),
        ({"assignment": "best"}, "no assignment 'best'"),
        ({"tolerance": 0.0}, "tolerance is 0"),
        ({"train_functionalities": 0}, "in train is 0"),
        ({"train_functionalities": 3, "folds": 5, "fold": 1}, "without folds"),
        ({"train_functionalities": 3, "assignment": "balanced"}, "where they are drawn"),
        ({"train_functionality": ("a",), "folds": 5, "fold": 1}, "without folds"),
        ({"train_functionality": ("a",), "train_functionalities": 1}, "are named"),
        ({"max_functionality_fragments": 0}, "as few or as many"),
        ({"max_functionality_fragments": 5, "min_functionality_fragments": 6}, "as few or as many"),
    ],
)
def test_impossible_requests_are_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        SplitSpec("random", **changes)


@pytest.mark.parametrize("changes", [{"train_pairs": 0}, {"clone_share": 0.0}, {"clone_share": 1.0}])
def test_impossible_samples_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Sampling(**changes)


@pytest.mark.parametrize(
    ("text", "ratio"), [("3:1:1", (3, 1, 1)), ("4:1", (4, 0, 1)), (" 8 : 1 : 1 ", (8, 1, 1)), ("4:0:1", (4, 0, 1))]
)
def test_ratios_are_read_as_people_write_them(text: str, ratio: tuple[int, int, int]) -> None:
    assert read_ratio(text) == ratio


@pytest.mark.parametrize("text", ["", "3", "3:1:1:1", "0.6:0.2:0.2", "a:b:c", "-3:1:1"])
def test_other_texts_are_not_ratios(text: str) -> None:
    with pytest.raises(InputError, match="not a ratio"):
        read_ratio(text)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (SplitSpec("random"), "random-0"),
        (SplitSpec("cross-functionality", seed=7, variant="li2023"), "cross-functionality-li2023-7"),
        (SplitSpec("random", seed=1, folds=5, fold=2), "random-1-fold-2-of-5"),
        (SplitSpec("random", label="paper"), "paper"),
    ],
)
def test_a_split_is_named_after_its_options(options: SplitSpec, name: str) -> None:
    assert options.name == name


def test_options_are_read_as_they_were_recorded() -> None:
    options = SplitSpec("unseen-fragments", 3, (8, 1, 1), sampling=Sampling(5, None, 7, 0.5, True), against=("a",))
    assert SplitSpec.read(options.record()) == options


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"view": "random", "sampling": 1, "ratio": 1, "against": []}'])
def test_a_damaged_record_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        SplitSpec.read(text, "there")


def test_folds_are_the_same_bins_whichever_is_test() -> None:
    plans = [SplitPlan.of(SplitSpec("random", folds=5, fold=fold)) for fold in range(1, 6)]
    assert {plan.shares for plan in plans} == {(1, 1, 1, 1, 1)}
    assert [plan.parts.index(2) for plan in plans] == [0, 1, 2, 3, 4]
    assert all(sorted(plan.parts) == [0, 0, 0, 1, 2] for plan in plans)
