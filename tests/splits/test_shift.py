"""The shift of a split: shares and neighbours as counted by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code import Bags
from clonetruth.errors import InputError
from clonetruth.splits import SplitSpec, create_split
from clonetruth.splits.shift import _familiarity, _nearest, measure_shift
from tests.splits.sample_benchmarks import SampleBenchmark, grid, parts_of

words = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(st.lists(words, min_size=2, max_size=8), st.integers(1, 7))
def test_the_nearest_neighbour_is_the_one_that_shares_most(texts: list[list[str]], cut: int) -> None:
    cut = min(cut, len(texts) - 1)
    found = _nearest(Bags.of(texts), range(cut, len(texts)), range(cut))
    train = [text for text in texts[:cut] if text]
    wanted = [
        max((Counter(text) & Counter(other)).total() / max(len(text), len(other)) for other in train)
        for text in texts[cut:]
        if text and train
    ]
    assert found == pytest.approx(wanted)


def test_familiarity_is_unknown_without_names() -> None:
    known = _familiarity(Counter("aab"), Counter("ac"), 3)
    assert (known.distinct, known.occurrences, known.fragments) == (1 / 2, 2 / 3, 3)
    assert _familiarity(Counter(""), Counter("a"), 1).distinct is None


def test_the_parts_of_a_split_are_compared_with_train(tmp_path: Path) -> None:
    sample = grid(6, 4)
    texts = {fragment[0]: f"int f() {{ return shared({fragment[0]}); }}" for fragment in sample.fragments}
    fragments = tuple((one, texts[one], project, own, "java") for one, _, project, own, _ in sample.fragments)
    benchmark = SampleBenchmark(fragments, sample.pairs).create(tmp_path / "sample")
    made = create_split(benchmark, SplitSpec("cross-functionality", both_classes=False, near_duplicates=False))
    shift = measure_shift(benchmark, made.name)
    assert [part.part for part in shift.parts] == ["train", "valid", "test"]
    train, _, test = shift.parts
    assert (train.names, train.calls, train.nearest) == (None, None, ())
    assert test.names is not None
    assert test.calls is not None
    inside = [one for one, part in parts_of(benchmark, made.name).items() if part == "test"]
    # `f` and `shared` are known, the name of each fragment is not; all that is called is `shared`.
    assert test.names.distinct == pytest.approx(2 / (2 + len(inside)))
    assert test.names.occurrences == pytest.approx(2 / 3)
    assert test.calls.distinct == 1
    # Of int, f, return, shared and the own name, four are in every fragment.
    assert test.nearest == pytest.approx((4 / 5,) * len(inside))
    assert test.lines == (1,) * len(inside)
    assert test.types == {"not claimed": made.parts["test"].clones}


def test_an_unknown_split_has_no_shift(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no splits 'x'"):
        measure_shift(grid(3, 2).create(tmp_path / "sample"), "x")
