"""Benchmarks without pairs: what is drawn, and that it is the same as with all pairs stored."""

from __future__ import annotations

import tracemalloc
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import VerdictValue
from clonetruth.splits import Sampling, SplitSpec, create_split, verify_split, with_drawn_pairs
from clonetruth.splits.pair_samples import SampleStratum
from clonetruth.splits.virtual_pairs import VirtualPairs
from clonetruth.store import Benchmark, DrawnBenchmark
from clonetruth.verdicts import judge_verdicts
from tests.build.contests import contest, solutions

SIZES = st.lists(st.integers(1, 8), min_size=1, max_size=6)


def virtual(sizes: list[int]) -> VirtualPairs:
    """Functionalities of these sizes; fragments are numbered backwards, so that positions are not keys."""
    count = sum(sizes)
    names = tuple(f"problem {number}" for number in range(len(sizes)))
    fragment = np.arange(count, dtype=np.int64)[::-1] * 3
    return VirtualPairs(fragment, np.arange(len(sizes)), names, np.array(sizes, dtype=np.int64), True)


def pairless(folder: Path, sizes: dict[str, int], *, problems_disjoint: bool = True) -> Benchmark:
    problems = {name: solutions(name, size) for name, size in sizes.items()}
    return contest(folder, problems, pairs=(), problems_disjoint=problems_disjoint)


@given(SIZES, st.integers(0, 2**31), st.data())
def test_no_pair_is_drawn_twice_and_classes_are_as_planned(sizes: list[int], seed: int, data: st.DataObject) -> None:
    pairs = virtual(sizes)
    within, across = (int(pairs.counts(clone).sum()) for clone in (1, 0))
    assert within + across == sum(sizes) * (sum(sizes) - 1) // 2
    quotas = {
        SampleStratum("all", 1, ""): data.draw(st.integers(0, within)),
        SampleStratum("all", 0, ""): data.draw(st.integers(0, across)),
    }
    left, right, functionality = pairs.drawn(quotas, seed)
    assert len({frozenset(pair) for pair in zip(left.tolist(), right.tolist(), strict=True)}) == sum(quotas.values())
    problem = dict(zip(pairs.fragment.tolist(), np.repeat(np.arange(len(sizes)), sizes).tolist(), strict=True))
    same = [problem[a] == problem[b] for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    assert sum(same) == quotas[SampleStratum("all", 1, "")]
    expected = [problem[a] if s else -1 for a, s in zip(left.tolist(), same, strict=True)]
    assert functionality.tolist() == expected
    again = pairs.drawn(quotas, seed)
    assert all(np.array_equal(one, other) for one, other in zip((left, right, functionality), again, strict=True))


@given(SIZES, st.integers(0, 2**31))
def test_balanced_draws_keep_to_their_functionality(sizes: list[int], seed: int) -> None:
    pairs = virtual(sizes)
    for at, name in enumerate(pairs.name):
        count = int(pairs.counts(1)[at])
        _, _, functionality = pairs.drawn({SampleStratum("all", 1, name): count}, seed)
        assert functionality.tolist() == [at] * count


def test_every_pair_is_equally_likely() -> None:
    pairs = virtual([4, 3, 5])
    quotas = {SampleStratum("all", 1, ""): 5, SampleStratum("all", 0, ""): 10}
    seen: dict[frozenset[int], int] = {}
    rounds = 400
    for seed in range(rounds):
        left, right, _ = pairs.drawn(quotas, seed)
        for pair in zip(left.tolist(), right.tolist(), strict=True):
            seen[frozenset(pair)] = seen.get(frozenset(pair), 0) + 1
    assert len(seen) == 12 * 11 // 2
    within, across = 6 + 3 + 10, 12 + 20 + 15
    problem = dict(zip(pairs.fragment.tolist(), [0] * 4 + [1] * 3 + [2] * 5, strict=True))
    for (a, b), count in ((sorted(pair), count) for pair, count in seen.items()):
        share = 5 / within if problem[a] == problem[b] else 10 / across
        assert abs(count - rounds * share) < 5 * np.sqrt(rounds * share * (1 - share))


def test_all_pairs_are_those_of_the_materialised_benchmark(tmp_path: Path) -> None:
    sizes = {"a": 4, "b": 2, "c": 5, "d": 3}
    virtual_benchmark = pairless(tmp_path / "virtual", sizes)
    every = list(combinations([f"{name}/{at}" for name, size in sizes.items() for at in range(size)], 2))
    stored = contest(tmp_path / "stored", {name: solutions(name, size) for name, size in sizes.items()}, pairs=every)
    drawn = with_drawn_pairs(virtual_benchmark, "members")
    assert isinstance(drawn, DrawnBenchmark)
    query = "SELECT p.pair_key AS pair_key, v.verdict AS verdict FROM pairs p JOIN verdicts v ON p.pair = v.pair"
    tables = [
        one.sql(f"{query} ORDER BY p.pair_key", verdicts=judge_verdicts(one, "members").path) for one in (drawn, stored)
    ]
    assert tables[0].equals(tables[1])
    assert drawn.draw.parts["all"].possible == len(every) == drawn.counts["pairs"]
    assert not (virtual_benchmark.path / "verdicts").exists(), "what is known of drawn pairs is not kept"


def test_number_and_share_of_clones(tmp_path: Path) -> None:
    benchmark = pairless(tmp_path / "c", {"a": 30, "b": 30, "c": 30})
    half = with_drawn_pairs(benchmark, "members", sampling=Sampling(test_pairs=200, clone_share=0.5), seed=3)
    assert judge_verdicts(half, "members").counts == {
        VerdictValue.CLONE: 100,
        VerdictValue.NOT_CLONE: 100,
        VerdictValue.UNKNOWN: 0,
    }
    natural = with_drawn_pairs(benchmark, "members", sampling=Sampling(test_pairs=400), seed=3)
    # 3 × 435 of 4,005 pairs are clones.
    assert judge_verdicts(natural, "members").counts[VerdictValue.CLONE] == round(400 * 1305 / 4005)
    balanced = with_drawn_pairs(benchmark, "members", sampling=Sampling(test_pairs=90, balance=True), seed=3)
    rows = balanced.sql("SELECT functionality, count(*) AS n FROM pairs GROUP BY functionality")
    assert sorted(rows["n"].to_pylist()) == [9, 10, 10, 61]


def test_another_seed_draws_other_pairs_and_the_same_seed_the_same(tmp_path: Path) -> None:
    benchmark = pairless(tmp_path / "c", {"a": 30, "b": 30})
    sampling = Sampling(test_pairs=50)
    digests = []
    for seed in (1, 1, 2):
        drawn = with_drawn_pairs(benchmark, "members", sampling=sampling, seed=seed)
        assert isinstance(drawn, DrawnBenchmark)
        digests.append(drawn.draw.digest)
    assert digests[0] == digests[1] != digests[2]


def test_a_split_counts_its_pairs_without_listing_them_and_draws_within_parts(tmp_path: Path) -> None:
    benchmark = pairless(tmp_path / "c", dict.fromkeys("abcdefghij", 6))
    spec = SplitSpec(
        "cross-functionality",
        policy="members",
        near_duplicates=False,
        sampling=Sampling(train_pairs=60, valid_pairs=9, test_pairs=9),
    )
    split = create_split(benchmark, spec)
    assert {part: one.pairs for part, one in split.parts.items()} == {"train": 60, "valid": 9, "test": 9}
    verify_split(benchmark, split.name)
    drawn = with_drawn_pairs(benchmark, "members", view=split.name)
    parts = dict(
        zip(*(drawn.table(f"splits/{split.name}")[name].to_pylist() for name in ("fragment", "part")), strict=True)
    )
    rows = drawn.sql('SELECT "left" AS one, "right" AS other FROM pairs').to_pylist()
    assert all(parts[row["one"]] == parts[row["other"]] for row in rows)
    assert len(rows) == sum(one.pairs for one in split.parts.values())
    possible = 60 * 59 // 2
    assert split.crossing == possible - sum(one.fragments * (one.fragments - 1) // 2 for one in split.parts.values())


def test_without_disjoint_problems_there_are_no_non_clones(tmp_path: Path) -> None:
    benchmark = pairless(tmp_path / "c", {"a": 5, "b": 5, "c": 5}, problems_disjoint=False)
    spec = SplitSpec("random", policy="members", near_duplicates=False)
    with pytest.raises(InputError, match="--overlapping-problems"):
        create_split(benchmark, spec)
    drawn = with_drawn_pairs(benchmark, "members")
    assert drawn.counts["pairs"] == 3 * 10


def test_fragments_of_several_functionalities_are_in_no_pair(tmp_path: Path) -> None:
    benchmark = contest(tmp_path / "c", {"a": solutions("a", 4), "b": solutions("b", 4)}, pairs=(), also=[("a/0", "b")])
    drawn = with_drawn_pairs(benchmark, "members")
    assert isinstance(drawn, DrawnBenchmark)
    assert drawn.counts["pairs"] == 7 * 6 // 2
    assert drawn.draw.left_out == 1


def test_other_policies_and_stored_pairs(tmp_path: Path) -> None:
    benchmark = pairless(tmp_path / "c", {"a": 3, "b": 3})
    with pytest.raises(InputError, match=r"needs judgements on stored pairs.*members"):
        with_drawn_pairs(benchmark, "default")
    stored = contest(tmp_path / "stored", {"a": solutions("a", 3)})
    assert with_drawn_pairs(stored, "default") is stored


def test_a_billion_pairs_are_counted_and_drawn_without_listing_them() -> None:
    sizes = np.full(104, 500, dtype=np.int64)
    pairs = VirtualPairs(np.arange(52_000), np.arange(104), tuple(map(str, range(104))), sizes, True)
    within, across = (int(pairs.counts(clone).sum()) for clone in (1, 0))
    assert within + across == 52_000 * 51_999 // 2
    quotas = {SampleStratum("all", 1, ""): 959, SampleStratum("all", 0, ""): 99_041}
    tracemalloc.start()
    left, right, _ = pairs.drawn(quotas, 0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000_000, "1.35 billion pairs would take 20 GB"
    assert len(set(zip(left.tolist(), right.tolist(), strict=True))) == 100_000
