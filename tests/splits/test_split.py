"""A split is an artefact: named, hashed, rebuilt; an impossible split is refused with what is possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import BenchmarkError, InputError, UnknownNameError
from clonetruth.model import Judgement
from clonetruth.splits import SplitSpec, create_split, read_split, verify_split
from clonetruth.store import Benchmark
from tests.audit.drafts import function
from tests.splits.sample_benchmarks import CRITERION, SampleBenchmark, grid
from tests.store.samples import files_of


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return grid(6, 4).create(tmp_path / "grid")


def random(seed: int = 0) -> SplitSpec:
    """A random split; a part with few fragments may have no clones."""
    return SplitSpec("random", seed=seed, both_classes=False)


def test_the_returned_split_is_the_written_one(benchmark: Benchmark) -> None:
    made = create_split(benchmark, random(1))
    assert made.path == benchmark.path / "splits" / "random-1.parquet"
    assert read_split(benchmark, "random-1") == made
    table = benchmark.table("splits/random-1")
    assert table["fragment"].to_pylist() == list(range(24))
    assert made.rules == ("CT502", "CT503", "CT504")
    assert made.findings == ()


def test_a_split_is_only_overwritten_on_request(benchmark: Benchmark) -> None:
    create_split(benchmark, random())
    with pytest.raises(InputError, match="already"):
        create_split(benchmark, random())
    create_split(benchmark, random(), replace=True)


def test_verification_finds_changed_rows(benchmark: Benchmark) -> None:
    made = create_split(benchmark, random())
    verify_split(benchmark, made.name)
    table = benchmark.table(f"splits/{made.name}")
    metadata = benchmark.metadata(f"splits/{made.name}")
    benchmark.write_table("splits", made.name, table.slice(1), metadata, replace=True)
    with pytest.raises(BenchmarkError, match="changed after"):
        verify_split(benchmark, made.name)


def test_verification_finds_options_that_give_something_else(benchmark: Benchmark) -> None:
    made = create_split(benchmark, random(1))
    metadata = benchmark.metadata(f"splits/{made.name}")
    other = random(2).record()
    table = benchmark.table(f"splits/{made.name}")
    benchmark.write_table("splits", made.name, table, {**metadata, "options": other}, replace=True)
    with pytest.raises(BenchmarkError, match="gives different rows"):
        verify_split(benchmark, made.name)


def test_a_split_is_rebuilt_from_its_own_verdicts_after_new_judgements(benchmark: Benchmark) -> None:
    made = create_split(benchmark, SplitSpec("cross-functionality", both_classes=False))
    benchmark.append_judgements([], [Judgement("ada", CRITERION, "undecided", pair=row) for row in range(10)])
    verify_split(benchmark, made.name)
    assert create_split(benchmark, made.options, replace=True).parts != made.parts


def test_a_split_by_another_program_cannot_be_verified(benchmark: Benchmark) -> None:
    table = create_split(benchmark, random())
    benchmark.write_table("splits", "mine", benchmark.table(f"splits/{table.name}"))
    with pytest.raises(InputError, match="does not record how"):
        verify_split(benchmark, "mine")
    with pytest.raises(InputError, match="no splits 'yours'"):
        verify_split(benchmark, "yours")


def without_projects(sample: SampleBenchmark) -> SampleBenchmark:
    fragments = tuple((one, text, None, own, language) for one, text, _, own, language in sample.fragments)
    return SampleBenchmark(fragments, sample.pairs)


def of_functionalities(sample: SampleBenchmark, *names: str) -> SampleBenchmark:
    """The sample with all fragments in the same functionalities."""
    fragments = tuple((one, text, project, names, language) for one, text, project, _, language in sample.fragments)
    return SampleBenchmark(fragments, sample.pairs)


def of_one_text(sample: SampleBenchmark) -> SampleBenchmark:
    return sample.with_text({fragment[0]: function(1) for fragment in sample.fragments})


def one_class(sample: SampleBenchmark, clone: bool) -> SampleBenchmark:
    """The sample with pairs of one class only."""
    return SampleBenchmark(sample.fragments, tuple(pair for pair in sample.pairs if pair[2] is clone))


SMALL = grid(6, 4)


@pytest.mark.parametrize(
    ("sample", "options", "says"),
    [
        (without_projects(SMALL), {"view": "cross-project"}, "all 24 lack it"),
        (without_projects(SMALL), {"view": "cross-all"}, "needs the project"),
        (of_functionalities(SMALL), {"view": "cross-functionality"}, "needs the functionality"),
        (of_functionalities(SMALL, "u0"), {"view": "cross-functionality"}, "of one functionality"),
        (of_one_text(SMALL), {"view": "random"}, "near duplicates of one another"),
        (of_one_text(SMALL), {"view": "cross-functionality"}, "would have 0 fragments"),
        (one_class(SMALL, True), {"view": "random"}, "no non-clones under the policy"),
        (one_class(SMALL, False), {"view": "random"}, "no clones under the policy"),
        (grid(3, 4), {"view": "cross-functionality"}, "would have no non-clones"),
        (grid(2, 4), {"view": "cross-functionality"}, "3 parts need at least 3 functionalities"),
        (SMALL, {"view": "cross-functionality", "min_fragments": 9}, "fewer than 9"),
        (SMALL, {"view": "cross-functionality", "min_pairs": 500}, "fewer than 500"),
        (SMALL, {"view": "random", "variant": "li2023"}, "no variant 'li2023'"),
        (SMALL, {"view": "random", "against": ("x.txt",)}, "takes no lists"),
        (SMALL, {"view": "random", "train_functionalities": 3}, "does not divide functionalities"),
        (SMALL, {"view": "cross-functionality", "train_functionalities": 5}, "5 of 6 functionalities in train leave 1"),
        (SMALL, {"view": "cross-functionality", "max_functionality_fragments": 3}, "No functionality .* stays"),
        (SMALL, {"view": "unseen-fragments"}, "needs the train and valid lists"),
        (SMALL, {"view": "unseen-fragments", "folds": 5, "fold": 1}, "has no folds"),
        (SMALL, {"view": "random", "policy": "origin"}, "No pair has a verdict"),
        (SMALL, {"view": "random", "criterion": "textual"}, "no judgements under the criterion"),
        (SMALL, {"view": "random", "folds": 25, "fold": 1}, "25 parts need"),
    ],
)
def test_an_impossible_split_is_refused_and_nothing_is_written(
    tmp_path: Path, sample: SampleBenchmark, options: dict[str, Any], says: str
) -> None:
    benchmark = sample.create(tmp_path / "sample")
    before = {name for name in files_of(benchmark.path) if not name.startswith("verdicts")}
    with pytest.raises(InputError, match=says) as caught:
        create_split(benchmark, SplitSpec(**options))
    assert caught.value.hint
    assert {name for name in files_of(benchmark.path) if not name.startswith("verdicts")} == before


def test_an_unknown_view_is_not_guessed(benchmark: Benchmark) -> None:
    with pytest.raises(UnknownNameError, match="cross-functionality"):
        create_split(benchmark, SplitSpec("cross-functionalty"))


def test_fragments_without_pairs_can_be_split(tmp_path: Path) -> None:
    benchmark = grid(6, 4).create(tmp_path / "sample", pairs=[], judgements=[])
    made = create_split(benchmark, SplitSpec("cross-functionality"))
    assert [one.fragments for one in made.parts.values()] == [16, 4, 4]
    assert [one.pairs for one in made.parts.values()] == [0, 0, 0]
    verify_split(benchmark, made.name)


def test_two_functionalities_are_enough_without_valid(tmp_path: Path) -> None:
    benchmark = grid(2, 4).create(tmp_path / "sample")
    made = create_split(benchmark, SplitSpec("cross-functionality", ratio=(1, 0, 1), both_classes=False))
    assert {name: one.fragments for name, one in made.parts.items()} == {"train": 4, "test": 4}
