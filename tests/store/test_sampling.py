"""Samples: their size, their shares, and the draw."""

from __future__ import annotations

import csv
import hashlib
import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.stats.sample_size import Allocation, StratumPlan, plan_sample, sample_size
from clonetruth.store import DuckDBEngine
from clonetruth.store.sampling import count_strata, draw_sample

ENGINE = DuckDBEngine()


@pytest.mark.parametrize(
    ("population", "confidence", "margin", "size"),
    [
        (8_498_894, 0.95, 0.05, 385),
        (10**12, 0.95, 0.05, 385),
        (1_000, 0.95, 0.05, 278),  # Krejcie and Morgan (1970), Table 1
        (10_000, 0.95, 0.05, 370),
        (100, 0.95, 0.05, 80),
        (10_000, 0.99, 0.05, 623),
        (10_000, 0.95, 0.01, 4_900),
        (1, 0.95, 0.05, 1),
        (0, 0.95, 0.05, 0),
    ],
)
def test_sizes_known_from_tables(population: int, confidence: float, margin: float, size: int) -> None:
    assert sample_size(population, confidence, margin) == size


@pytest.mark.parametrize("arguments", [(-1, 0.95, 0.05), (100, 1.0, 0.05), (100, 95, 0.05), (100, 0.95, 0)])
def test_impossible_requests_are_refused(arguments: tuple[int, float, float]) -> None:
    with pytest.raises(InputError):
        sample_size(*arguments)


strata = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.integers(0, 10_000), min_size=1, max_size=12)


@given(strata.flatmap(lambda found: st.tuples(st.just(found), st.integers(0, sum(found.values())))), st.booleans())
def test_largest_remainders_give_exactly_n_in_proportion(case: tuple[dict[str, int], int], cover: bool) -> None:
    populations, n = case
    plan = plan_sample(populations, n, cover=cover)
    assert sum(stratum.size for stratum in plan) == n
    total = sum(populations.values())
    for stratum in plan:
        assert abs(stratum.size - n * stratum.population / max(total, 1)) < 1
        assert stratum.drawn <= stratum.population
        assert stratum.extra == (cover and stratum.size == 0 and stratum.population > 0)
        assert (stratum.weight is None) == (stratum.drawn == 0)


@given(strata.flatmap(lambda found: st.tuples(st.just(found), st.integers(0, sum(found.values())))))
def test_rounding_each_stratum_misses_n_by_half_a_pair_each_at_most(case: tuple[dict[str, int], int]) -> None:
    populations, n = case
    drawn = sum(stratum.size for stratum in plan_sample(populations, n, Allocation.ROUND))
    assert abs(drawn - n) <= len(populations) / 2


@given(
    st.lists(st.tuples(st.integers(0, 500), st.floats(0, 0.5)), min_size=1, max_size=8).flatmap(
        lambda rows: st.tuples(st.just(rows), st.integers(0, sum(size for size, _ in rows)))
    )
)
def test_neyman_gives_exactly_n_and_never_more_than_there_is(case: tuple[list[tuple[int, float]], int]) -> None:
    rows, n = case
    populations = {str(number): size for number, (size, _) in enumerate(rows)}
    spreads = {str(number): spread for number, (_, spread) in enumerate(rows)}
    plan = plan_sample(populations, n, Allocation.NEYMAN, spreads=spreads)
    assert sum(stratum.size for stratum in plan) == n
    assert all(stratum.size <= stratum.population for stratum in plan)


def test_neyman_draws_where_the_spread_is() -> None:
    plan = plan_sample({"even": 1000, "mixed": 1000}, 100, Allocation.NEYMAN, spreads={"even": 0.1, "mixed": 0.4})
    assert [stratum.size for stratum in plan] == [20, 80]


def test_the_sample_of_krinke_and_ragkhitwetsagul(shared_data: Path) -> None:
    """385 pairs by plan; rounding each of 43 functionalities for itself gives another number, as the paper's 386.

    Their population has no minimum of tokens; at hand are the numbers of pairs with 50 tokens or more.
    """
    with (shared_data / "bigclonebench" / "functionalities.csv").open(encoding="utf-8") as file:
        populations = {row["functionality_id"]: int(row["clones_WT3_T4"]) for row in csv.DictReader(file)}
    n = sample_size(sum(populations.values()))
    assert (len(populations), n) == (43, 385)
    exact = plan_sample(populations, n, cover=True)
    rounded = plan_sample(populations, n, Allocation.ROUND, cover=True)
    assert (sum(one.size for one in exact), sum(one.extra for one in exact)) == (385, 19)
    assert (sum(one.size for one in rounded), sum(one.extra for one in rounded)) == (387, 18)
    assert all(one.drawn for one in (*exact, *rounded))


def test_the_share_of_the_largest_functionality_is_the_published_one(shared_data: Path) -> None:
    """ "Copy File" has 4,651,096 of the 8,498,894 pairs (IWSC 2022), and 211 of the 406 that were drawn."""
    drawn: Counter[str] = Counter()
    with (shared_data / "bcb406" / "Samples Investigation.csv").open(encoding="utf-8-sig") as file:
        drawn.update(row[49] for row in list(csv.reader(file))[2:])
    with (shared_data / "bcb406" / "unlabelled_pairs.csv").open(encoding="utf-8") as file:
        drawn.update(row["functionality_id"] for row in csv.DictReader(file))
    assert (len(drawn), drawn.total()) == (43, 406)
    plan = plan_sample({"4": 4_651_096, "others": 8_498_894 - 4_651_096}, 385, Allocation.ROUND)
    assert plan[0].size == drawn["4"] == 211
    # The 20 that were added to cover their functionality are alone in it: 386 were drawn in proportion.
    assert sum(1 for count in drawn.values() if count == 1) >= 20


def population(sizes: dict[str, int]) -> pa.Table:
    rows = [(f"{name}-{number}", name) for name, size in sizes.items() for number in range(size)]
    return pa.table({"id": [row[0] for row in rows], "stratum": [row[1] for row in rows]})


def test_the_draw_is_what_the_plan_says() -> None:
    table = population({"a": 60, "b": 39, "c": 1})
    plan = plan_sample(count_strata(ENGINE, table), 10, cover=True)
    assert plan == (StratumPlan("a", 60, 6), StratumPlan("b", 39, 4), StratumPlan("c", 1, 0, extra=1))
    rows = draw_sample(ENGINE, table, plan, 7).to_pylist()
    assert len({row["id"] for row in rows}) == 11
    assert [row["stratum"] for row in rows] == ["a"] * 6 + ["b"] * 4 + ["c"]
    assert [row["weight"] for row in rows] == [10.0] * 6 + [9.75] * 4 + [1.0]
    assert [row["extra"] for row in rows] == [False] * 10 + [True]
    # The weights add up to the population.
    assert sum(row["weight"] for row in rows) == pytest.approx(100)


def test_the_draw_depends_on_the_seed_and_not_on_the_order() -> None:
    table = population({"a": 100, "b": 50})
    plan = plan_sample({"a": 100, "b": 50}, 30)
    order = list(range(150))
    random.Random(3).shuffle(order)
    first = draw_sample(ENGINE, table, plan, 1)
    assert draw_sample(ENGINE, table.take(order), plan, 1).equals(first)
    assert draw_sample(ENGINE, table, plan, 2)["id"].to_pylist() != first["id"].to_pylist()


def test_the_order_is_that_of_md5() -> None:
    """So the sample is the same on every engine and in every release."""
    table = population({"a": 20})
    by_hash = sorted(table["id"].to_pylist(), key=lambda name: hashlib.md5(f"{name}42".encode()).hexdigest())
    assert draw_sample(ENGINE, table, plan_sample({"a": 20}, 5), 42)["id"].to_pylist() == by_hash[:5]


def test_a_larger_sample_holds_the_smaller_one() -> None:
    table = population({"a": 100})
    small, large = (set(draw_sample(ENGINE, table, plan_sample({"a": 100}, n), 5)["id"].to_pylist()) for n in (10, 40))
    assert small < large


def test_every_pair_has_the_same_chance() -> None:
    sizes = {f"stratum {number}": 20 for number in range(400)}
    plan = tuple(StratumPlan(name, size, 5) for name, size in sizes.items())
    drawn = draw_sample(ENGINE, population(sizes), plan, 1)["id"].to_pylist()
    counts = Counter(name.rpartition("-")[2] for name in drawn)
    # 100 times each of the 20, with a standard deviation of 8.7
    assert len(counts) == 20
    assert all(60 < count < 140 for count in counts.values())


def test_a_plan_of_another_population_is_refused() -> None:
    with pytest.raises(InputError, match="differ from those of the population"):
        draw_sample(ENGINE, population({"a": 9}), plan_sample({"a": 10}, 5), 1)


def test_a_pair_without_a_stratum_is_refused() -> None:
    table = pa.table({"id": ["x"], "stratum": pa.array([None], pa.string())})
    with pytest.raises(InputError, match="no stratum"):
        count_strata(ENGINE, table)


@pytest.mark.parametrize(
    ("n", "allocation", "spreads", "message"),
    [
        (11, Allocation.ROUND, None, "cannot be drawn"),
        (-1, Allocation.ROUND, None, "cannot be drawn"),
        (5, Allocation.NEYMAN, None, "Neyman"),
        (5, Allocation.ROUND, {"a": 0.5}, "Neyman"),
        (5, Allocation.NEYMAN, {"b": 0.5}, "'a' is missing"),
        (5, Allocation.NEYMAN, {"a": float("nan")}, "'a' is missing"),
    ],
)
def test_impossible_plans_are_refused(
    n: int, allocation: Allocation, spreads: dict[str, float] | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        plan_sample({"a": 10}, n, allocation, spreads=spreads)
