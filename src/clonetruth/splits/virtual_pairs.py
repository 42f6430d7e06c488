"""The pairs of a benchmark that stores none: every two fragments whose functionality is known, drawn by number.

POJ-104 has 52,000 programs and 1.35 billion pairs of them. They are counted from the sizes of the functionalities, and
only those that are used come into being: a keyed permutation of their numbers gives as many different ones as are
wanted (`stats.pair_numbers`). The policy decides on the drawn pairs as it does on stored ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.splits.pair_samples import SampleStratum, plan_pairs
from clonetruth.splits.spec import Sampling, SplitSpec
from clonetruth.stats.pair_numbers import draw, unrank_across, unrank_within
from clonetruth.stats.rates import Integers
from clonetruth.store import Benchmark, DrawnBenchmark, PairCounts, PairDraw
from clonetruth.store.schemas import PARTS, TABLES
from clonetruth.verdicts.policies import POLICIES, single_members

DEFAULT_PAIRS = 100_000
"""Number of pairs that are drawn of a part, if no number is given."""

ALL = "all"
"""Stands for the part, where there is no split."""

_OTHERS, _CLONES = 0, 1

Quotas = Mapping[SampleStratum, int]


@dataclass(frozen=True, eq=False)
class VirtualPairs:
    """All pairs of some fragments, by number.

    Pairs within a functionality are numbered functionality by functionality, and so are pairs across functionalities,
    by the functionality of their first fragment.

    Attributes:
        fragment: the fragments, ordered by functionality.
        functionality: the functionalities, ascending.
        name: the id of each functionality.
        size: number of fragments of each functionality.
        across: whether pairs across functionalities can have a verdict.
    """

    fragment: Integers
    functionality: Integers
    name: tuple[str, ...]
    size: Integers
    across: bool

    @property
    def start(self) -> Integers:
        """The position of the first fragment of each functionality."""
        return np.cumsum(self.size) - self.size

    def counts(self, clone: int) -> Integers:
        """Number of pairs of each functionality: within it, or across with its fragment first."""
        if clone == _CLONES:
            return self.size * (self.size - 1) // 2
        later: Integers = self.size.sum() - self.start - self.size
        return self.size * later * int(self.across)

    def drawn(self, quotas: Quotas, seed: int) -> tuple[Integers, Integers, Integers]:
        """Draw pairs of the given strata: the two fragments, and the functionality of both or -1."""
        within, across = (self._numbers(quotas, clone, seed) for clone in (_CLONES, _OTHERS))
        left, right, group = unrank_within(within, self.start, self.size)
        other_left, other_right = unrank_across(across, self.start, self.size)
        return (
            self.fragment[np.concatenate([left, other_left])],
            self.fragment[np.concatenate([right, other_right])],
            np.concatenate([self.functionality[group], np.full(len(across), -1, np.int64)]),
        )

    def _numbers(self, quotas: Quotas, clone: int, seed: int) -> Integers:
        """The numbers of the pairs to draw of a class: of each functionality, or of all together."""
        sizes = self.counts(clone)
        numbers = [np.empty(0, np.int64)]
        for stratum, count in quotas.items():
            if stratum.clone == clone and stratum.functionality:
                at = self.name.index(stratum.functionality)
                numbers.append(int(sizes[:at].sum()) + draw(int(sizes[at]), count, seed))
            elif stratum.clone == clone:
                numbers.append(draw(int(sizes.sum()), count, seed))
        return np.concatenate(numbers)


@dataclass(frozen=True, eq=False)
class DividedPairs:
    """The virtual pairs within each part of a division.

    Attributes:
        benchmark: the benchmark.
        parts: the pairs of each part.
        left_out: number of divided fragments that are in no pair, since what they implement is not known.
    """

    benchmark: Benchmark
    parts: Mapping[str, VirtualPairs]
    left_out: int

    @classmethod
    def of(
        cls, benchmark: Benchmark, policy: str, criterion: str | None = None, divided: pa.Table | None = None
    ) -> DividedPairs:
        """Number the pairs of a benchmark.

        Args:
            benchmark: the benchmark.
            policy: the policy that decides on the pairs.
            criterion: what the judges were asked.
            divided: the part of each fragment (`fragment`, `part`); None puts all into one, `ALL`.

        Raises:
            InputError: the policy cannot judge pairs that are not stored.
        """
        members = single_members(benchmark, policy, criterion)
        fragment, functionality = (members[name].to_numpy() for name in ("fragment", "functionality"))
        names = benchmark.sql("SELECT id FROM functionalities ORDER BY functionality")["id"].to_pylist()
        every_fragment = np.arange(benchmark.counts["fragments"], dtype=np.int64)
        placed = {ALL: every_fragment} if divided is None else {part: _fragments_of(divided, part) for part in PARTS}
        parts = {}
        for part, own in placed.items():
            inside = np.isin(fragment, own)
            keys, sizes = np.unique(functionality[inside], return_counts=True)
            labels = tuple(names[key] for key in keys.tolist())
            parts[part] = VirtualPairs(fragment[inside], keys, labels, sizes, benchmark.card.problems_disjoint)
        known = sum(len(one.fragment) for one in parts.values())
        return cls(benchmark, parts, sum(map(len, placed.values())) - known)

    def sizes(self) -> dict[SampleStratum, int]:
        """Number of pairs of each stratum, counted without listing them."""
        return {
            SampleStratum(part, clone, name): count
            for part, pairs in self.parts.items()
            for clone in (_OTHERS, _CLONES)
            for name, count in zip(pairs.name, pairs.counts(clone).tolist(), strict=True)
            if count
        }

    def quotas(self, sampling: Sampling, *, all_pairs: bool = False) -> dict[SampleStratum, int]:
        """How many pairs of each stratum to draw; see `Sampling`.

        Raises:
            InputError: a share of clones is requested, and a part has pairs of one class only.
        """
        return plan_pairs(self.sizes(), sampling if all_pairs else sampling.at_most(DEFAULT_PAIRS))

    def draw(self, sampling: Sampling, seed: int, *, all_pairs: bool = False) -> DrawnBenchmark:
        """The benchmark with drawn pairs, sorted by their fragments, so that the order says nothing about them.

        Raises:
            InputError: there are no pairs, or a share of clones is impossible.
        """
        quotas, sizes = self.quotas(sampling, all_pairs=all_pairs), self.sizes()
        if not sizes:
            raise InputError("No two fragments can form a pair.", where=self.benchmark.path)
        drawn = [
            pairs.drawn({stratum: count for stratum, count in quotas.items() if stratum.part == part}, seed)
            for part, pairs in self.parts.items()
        ]
        left, right, functionality = (np.concatenate(column) for column in zip(*drawn, strict=True))
        counts = {part: _pair_counts(part, quotas, sizes) for part in self.parts}
        record = PairDraw(seed, counts, sampling.clone_share, sampling.balance, self.left_out, "")
        return DrawnBenchmark(self.benchmark, _pair_table(left, right, functionality), record)


def with_drawn_pairs(
    benchmark: Benchmark,
    policy: str,
    criterion: str | None = None,
    view: str | None = None,
    part: str | None = None,
    *,
    sampling: Sampling | None = None,
    seed: int = 0,
    all_pairs: bool = False,
) -> Benchmark:
    """Draw the pairs of a benchmark that stores none; any other benchmark is returned unchanged.

    Args:
        benchmark: the benchmark.
        policy: the policy that decides on the pairs.
        criterion: what the judges were asked.
        view: the name of a split: pairs are drawn within each part, as the split records. None draws from all pairs.
        part: the part that is needed; it must be one of a view, since a source without pairs claims no parts.
        sampling: without a view, which pairs are used; `test_pairs` is their number.
        seed: without a view, the random seed.
        all_pairs: without a view, use all pairs if no number is given.

    Raises:
        InputError: the policy cannot judge pairs that are not stored, there is no such view, or no such draw.
    """
    if benchmark.counts["pairs"]:
        if sampling is not None and sampling.draws:
            raise InputError(
                "The benchmark stores its pairs, and all of them are measured.",
                where=benchmark.path,
                hint="Leave the number and share of drawn pairs out, or draw within a split: `clonetruth split`.",
            )
        return benchmark
    if part is not None and view is None:
        raise InputError(
            f"The benchmark stores no pairs, so that its source claims no part '{part}'.",
            where=benchmark.path,
            hint="Make a split, and name it with --view.",
        )
    if view is None:
        return DividedPairs.of(benchmark, policy, criterion).draw(sampling or Sampling(), seed, all_pairs=all_pairs)
    options = benchmark.metadata(f"splits/{view}").get("options")
    # A split that another program wrote records no draw.
    spec = SplitSpec(view) if options is None else SplitSpec.read(options, benchmark.parquet(f"splits/{view}")[0])
    divided = DividedPairs.of(benchmark, policy, criterion, benchmark.table(f"splits/{view}"))
    return divided.draw(spec.sampling, spec.seed, all_pairs=spec.all_pairs)


def can_draw_pairs(benchmark: Benchmark, policy: str) -> bool:
    """Whether the pairs of a benchmark are drawn when they are needed: it stores none, and the policy needs none."""
    return not benchmark.counts["pairs"] and POLICIES[policy].members is not None


def _fragments_of(divided: pa.Table, part: str) -> Integers:
    fragments: Integers = divided.filter(pc.equal(divided["part"], part))["fragment"].to_numpy()
    return fragments


def _pair_counts(part: str, quotas: Quotas, sizes: Quotas) -> PairCounts:
    numbers = [
        sum(count for stratum, count in of.items() if (stratum.part, stratum.clone) == (part, clone))
        for of in (quotas, sizes)
        for clone in (_CLONES, _OTHERS)
    ]
    return PairCounts(*numbers)


def _pair_table(left: Integers, right: Integers, functionality: Integers) -> pa.Table:
    first, second = np.minimum(left, right), np.maximum(left, right)
    key = first * 2**32 + second
    order = np.argsort(key)
    named = functionality[order]
    columns = {
        "pair": np.arange(len(order)),
        "left": first[order],
        "right": second[order],
        "pair_key": key[order],
        "functionality": pa.array(named, pa.int64(), mask=named < 0),
    }
    schema = TABLES["pairs"].schema
    arrays = [columns.get(field.name, pa.nulls(len(order), field.type)) for field in schema]
    return pa.table(arrays, schema=schema)
