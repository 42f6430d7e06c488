"""Which pairs of a part are used: budgets are not exceeded, shares are met, functionalities are balanced."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.splits import Sampling, SplitSpec, create_split, verify_split
from clonetruth.splits.pair_samples import SampleStratum, level, plan_pairs
from clonetruth.store import Benchmark
from tests.splits.sample_benchmarks import grid

ROWS_SQL = """
SELECT s.part AS part, f.id AS functionality, count(*) AS pairs FROM sample s
JOIN pairs p ON s.pair = p.pair
JOIN memberships m ON p.left = m.fragment
JOIN functionalities f ON m.functionality = f.functionality
JOIN verdicts v ON s.pair = v.pair
WHERE v.verdict = 'clone' GROUP BY s.part, f.id ORDER BY part, functionality
"""


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(0, 300))
def test_level_gives_as_much_of_each_as_of_any_other(sizes: list[int], count: int) -> None:
    given_out = level(sizes, count)
    assert sum(given_out) == min(count, sum(sizes))
    assert all(0 <= one <= size for one, size in zip(given_out, sizes, strict=True))
    unfilled = [one for one, size in zip(given_out, sizes, strict=True) if one < size]
    if unfilled:
        assert max(unfilled) - min(unfilled) <= 1
        assert max(given_out) <= max(unfilled) + 1


strata = st.dictionaries(
    st.builds(
        SampleStratum, st.sampled_from(("train", "test")), st.sampled_from((0, 1)), st.sampled_from(("a", "b", ""))
    ),
    st.integers(1, 50),
)


@given(strata, st.integers(1, 80), st.none() | st.floats(0.05, 0.95), st.booleans())
def test_plans_keep_to_budgets_and_shares(
    sizes: dict[SampleStratum, int], budget: int, share: float | None, balance: bool
) -> None:
    sampling = Sampling(train_pairs=budget, clone_share=share, balance=balance)
    counts = {
        (part, clone): sum(count for one, count in sizes.items() if one.part == part and one.clone == clone)
        for part in ("train", "test")
        for clone in (0, 1)
    }
    one_class = any((counts[part, 0] == 0) != (counts[part, 1] == 0) for part in ("train", "test"))
    if share is not None and one_class:
        with pytest.raises(InputError, match="a share of clones is impossible"):
            plan_pairs(sizes, sampling)
        return
    plan = plan_pairs(sizes, sampling)
    for part, most in (("train", budget), ("test", None)):
        clones, others = (
            sum(count for one, count in plan.items() if one.part == part and one.clone == clone) for clone in (1, 0)
        )
        assert clones <= counts[part, 1]
        assert others <= counts[part, 0]
        whole = counts[part, 0] + counts[part, 1]
        if share is None:
            assert clones + others == (whole if most is None else min(most, whole))
        elif whole:
            # One pair of each class is drawn at least.
            assert clones + others <= max(min(most or whole, whole), 2)
            assert abs(clones - share * (clones + others)) <= 1.5


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return grid().create(tmp_path_factory.mktemp("samples") / "grid")


def test_the_drawn_pairs_are_recorded_and_rebuilt(benchmark: Benchmark) -> None:
    sampling = Sampling(train_pairs=60, test_pairs=20, clone_share=0.5, balance=True)
    made = create_split(benchmark, SplitSpec("cross-functionality", sampling=sampling))
    assert (made.parts["train"].pairs, made.parts["train"].clones) == (60, 30)
    assert (made.parts["test"].pairs, made.parts["test"].clones) == (12, 6)
    sample = benchmark.table(f"samples/{made.name}")
    assert sample.num_rows == sum(one.pairs for one in made.parts.values())
    verdicts = benchmark.parquet(f"verdicts/{benchmark.names('verdicts')[0]}")
    rows = benchmark.sql(ROWS_SQL, sample=benchmark.parquet(f"samples/{made.name}"), verdicts=verdicts).to_pylist()
    assert [row["pairs"] for row in rows if row["part"] == "train"] == [5] * 6
    verify_split(benchmark, made.name)


def test_a_smaller_budget_draws_some_of_the_same(benchmark: Benchmark) -> None:
    drawn = []
    for pairs in (40, 20):
        made = create_split(benchmark, SplitSpec("random", seed=9, sampling=Sampling(train_pairs=pairs)), replace=True)
        drawn.append(set(benchmark.table(f"samples/{made.name}")["pair"].to_pylist()))
    assert drawn[1] < drawn[0]


def test_a_sample_does_not_outlive_its_split(benchmark: Benchmark) -> None:
    options = SplitSpec("random", seed=5, sampling=Sampling(test_pairs=3))
    made = create_split(benchmark, options)
    assert made.name in benchmark.names("samples")
    create_split(benchmark, SplitSpec("random", seed=5), replace=True)
    assert made.name not in benchmark.names("samples")


def test_pairs_are_drawn_by_their_ids_whatever_the_order_of_rows(tmp_path: Path) -> None:
    options = SplitSpec("random", seed=2, sampling=Sampling(10, 5, 5, 0.5, balance=True))
    found = []
    for order in (0, 1):
        benchmark = grid(6).create(tmp_path / str(order), order)
        name = create_split(benchmark, options).name
        rows = benchmark.sql(
            "SELECT l.id AS one, r.id AS other, s.part AS part FROM sample s JOIN pairs p ON s.pair = p.pair "
            "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment",
            sample=benchmark.parquet(f"samples/{name}"),
        )
        found.append({tuple(row.values()) for row in rows.to_pylist()})
    assert found[0] == found[1]
