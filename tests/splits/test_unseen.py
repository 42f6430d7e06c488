"""Fragments that another dataset's train and valid lists do not have, by ids, texts and functionalities."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import BenchmarkError, InputError
from clonetruth.model import Pair
from clonetruth.splits import SplitSpec, create_split, verify_split
from clonetruth.store import Benchmark
from tests.audit.drafts import function
from tests.splits.sample_benchmarks import grid, near_copy, parts_of


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return grid(5, 4).with_text({"u4m3": near_copy(function(1), 7)}).create(tmp_path / "grid")


def seen_list(folder: Path, text: str = "u0m0\tu0m1\t1\nu1m0\telsewhere\t0\n") -> str:
    path = folder / "train.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def remaining(benchmark: Benchmark, name: str) -> set[str]:
    return {one for one, part in parts_of(benchmark, name).items() if part == "test"}


def test_seen_fragments_and_their_near_duplicates_are_left_out(tmp_path: Path, benchmark: Benchmark) -> None:
    made = create_split(benchmark, SplitSpec("unseen-fragments", against=(seen_list(tmp_path),)))
    assert made.left_out == {"seen in the given lists": 3, "near duplicate of a fragment that was seen": 1}
    assert list(made.parts) == ["test"]
    assert {"u0m0", "u0m1", "u1m0", "u4m3"}.isdisjoint(remaining(benchmark, made.name))
    assert made.parts["test"].fragments == 16
    verify_split(benchmark, made.name)


def test_functionalities_of_seen_fragments_are_left_out(tmp_path: Path, benchmark: Benchmark) -> None:
    made = create_split(benchmark, SplitSpec("unseen-functionalities", against=(seen_list(tmp_path),)))
    assert {one.partition("m")[0] for one in remaining(benchmark, made.name)} == {"u2", "u3", "u4"}
    assert made.left_out["of a functionality that was seen"] == 5


def test_a_benchmark_is_compared_by_its_training_parts_and_by_texts(tmp_path: Path, benchmark: Benchmark) -> None:
    rows = [Pair("u0m0", "u0m1", claimed_part="train"), Pair("u1m0", "u1m1", claimed_part="test")]
    other = grid(5, 4).create(tmp_path / "other", pairs=rows, judgements=[])
    made = create_split(benchmark, SplitSpec("unseen-fragments", against=(str(other.path),), near_duplicates=False))
    assert set(parts_of(benchmark, made.name)) - remaining(benchmark, made.name) == {"u0m0", "u0m1"}


def test_a_copy_under_another_id_counts_as_seen(tmp_path: Path, benchmark: Benchmark) -> None:
    sample = grid(1, 3)
    renamed = type(sample)(tuple((f"other-{fragment[0]}", *fragment[1:]) for fragment in sample.fragments), ())
    other = renamed.create(tmp_path / "other", pairs=[], judgements=[])
    made = create_split(benchmark, SplitSpec("unseen-fragments", against=(str(other.path),), near_duplicates=False))
    assert {"u0m0", "u0m1", "u0m2"}.isdisjoint(remaining(benchmark, made.name))
    assert made.parts["test"].fragments == 17


@pytest.mark.parametrize(
    ("text", "says"), [("", "no pairs"), ("u0m0\n", "line 1"), ("a\tb\t1\na\tb\tperhaps\n", "line 2")]
)
def test_damaged_lists_are_refused_with_their_line(tmp_path: Path, benchmark: Benchmark, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        create_split(benchmark, SplitSpec("unseen-fragments", against=(seen_list(tmp_path, text),)))


def test_missing_lists_and_folders_are_refused(tmp_path: Path, benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match="gone"):
        create_split(benchmark, SplitSpec("unseen-fragments", against=(str(tmp_path / "gone.txt"),)))
    with pytest.raises(BenchmarkError):
        create_split(benchmark, SplitSpec("unseen-fragments", against=(str(tmp_path),)))


def test_a_changed_list_cannot_verify_a_split(tmp_path: Path, benchmark: Benchmark) -> None:
    made = create_split(benchmark, SplitSpec("unseen-fragments", against=(seen_list(tmp_path),)))
    seen_list(tmp_path, "u0m0\tu0m2\t1\n")
    with pytest.raises(InputError, match="not the one that the split was made with"):
        verify_split(benchmark, made.name)


def test_when_everything_was_seen_nothing_is_left_to_test(tmp_path: Path, benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match="would have 0 fragments"):
        create_split(benchmark, SplitSpec("unseen-fragments", against=(str(benchmark.path),)))
