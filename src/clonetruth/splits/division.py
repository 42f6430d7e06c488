"""Groups of fragments, the parts that they are put in, and what is left out, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.balance import MOST_COLUMNS, Features, Integers, balanced
from clonetruth.splits.options import Parts, SplitPlan
from clonetruth.splits.split_data import Flags, SplitData, hash_order, numbered
from clonetruth.store.schemas import LEFT_OUT, PARTS

NEAR_DUPLICATE = "near duplicate of a fragment in another part"


@dataclass(frozen=True, eq=False)
class Division:
    """The part of each fragment.

    Attributes:
        part: positions in `PARTS`; -1 for what is left out.
        left_out: how many fragments were left out for each reason.
    """

    part: Parts
    left_out: dict[str, int] = field(default_factory=dict)

    def without(self, rows: Flags, reason: str) -> Division:
        """The division with some fragments left out; those that are already are not counted again."""
        gone = rows & (self.part >= 0)
        count = int(np.count_nonzero(gone))
        if not count:
            return self
        left_out = {**self.left_out, reason: self.left_out.get(reason, 0) + count}
        return replace(self, part=np.where(gone, np.int8(-1), self.part), left_out=left_out)

    def on_one_side(self, components: Integers) -> Division:
        """The division with each chain of near duplicates in one part: the one that holds most of it.

        The chain's fragments in other parts are left out.
        """
        kept = np.flatnonzero(self.part >= 0)
        held = np.bincount(components[kept] * len(PARTS) + self.part[kept], minlength=len(self.part) * len(PARTS))
        most = held.reshape(-1, len(PARTS)).argmax(axis=1)
        return self.without(self.part != most[components], NEAR_DUPLICATE)

    @property
    def words(self) -> list[str]:
        """The part of each fragment, in words."""
        words = [*PARTS, LEFT_OUT]
        return [words[at] for at in self.part.tolist()]


@dataclass(frozen=True, eq=False)
class FragmentGroups:
    """Fragments by what must stay together.

    Attributes:
        noun: what a group is, in the plural.
        labels: the groups, in the order of their hash.
        fragment: fragments; one of several groups has several rows.
        group: the position in `labels` of each row.
        is_functionality: whether the groups are the functionalities, whose number is then balanced.
    """

    noun: str
    labels: Sequence[str]
    fragment: Integers
    group: Integers
    is_functionality: bool = False

    @classmethod
    def of(
        cls, material: SplitData, noun: str, rows: tuple[Integers, Sequence[str]], *, is_functionality: bool = False
    ) -> FragmentGroups:
        """Group by labels of fragments.

        Args:
            material: the benchmark.
            noun: what a group is, in the plural.
            rows: fragments, and a label of each.
            is_functionality: whether the labels are functionalities.
        """
        labels, number = numbered(rows[1])
        order = hash_order(labels, material.options.seed)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return cls(noun, [labels[at] for at in order], rows[0], place[number], is_functionality)

    @classmethod
    def chains(cls, material: SplitData, noun: str, rows: Integers, roots: Integers) -> FragmentGroups:
        """Fragments by the root of their chain, whose label is the least id among them.

        Args:
            material: the benchmark.
            noun: what a chain is, in the plural.
            rows: the fragments.
            roots: for every fragment of the benchmark, the same number for those of one chain.
        """
        ids = material.ids
        own = roots[rows].tolist()
        least: dict[int, str] = {}
        for key, root in zip(rows.tolist(), own, strict=True):
            least[root] = min(least.get(root, ids[key]), ids[key])
        return cls.of(material, noun, (rows, [least[root] for root in own]))

    @classmethod
    def units(cls, material: SplitData, chosen: Flags) -> FragmentGroups:
        """The chosen fragments, with near duplicates together."""
        noun = "fragments without near duplicates"
        return cls.chains(material, noun, np.flatnonzero(chosen), material.components)

    def lacking(self, count: int) -> Flags:
        """Which of the fragments are in no group."""
        lacking = np.ones(count, dtype=np.bool_)
        lacking[self.fragment] = False
        return lacking

    def parts(self, material: SplitData, wished: Parts | None = None, plan: SplitPlan | None = None) -> Parts:
        """The part of each group, near the ratio that was asked for.

        Args:
            material: the benchmark.
            wished: for fragments that another grouping has put in a part already: a group brings a part only those.
            plan: the bins; those that were asked for unless told.

        Raises:
            InputError: there are fewer groups than bins.
        """
        plan = plan or material.plan
        if len(self.labels) < len(plan.shares):
            raise _too_few(self, len(plan.shares))
        features = self._features(material, wished, plan.parts)
        return np.array(plan.parts, dtype=np.int8)[balanced(features, plan.shares)]

    def _features(self, material: SplitData, wished: Parts | None, bins: tuple[int, ...]) -> Features:
        columns, weights = self._columns(material)
        if wished is None:
            return Features(self._sums(columns, self.fragment, self.group)[:, None, :], weights)
        amounts = []
        for part in bins:
            rows = wished[self.fragment] == part
            amounts.append(self._sums(columns, self.fragment[rows], self.group[rows]))
        return Features(np.stack(amounts, axis=1), weights)

    def _columns(self, material: SplitData) -> tuple[list[Integers], np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """What each fragment brings: itself, its ends of pairs, and its functionalities; with the columns' weights."""
        count = len(material)
        columns = [np.ones(count, dtype=np.int64), *material.ends.T]
        weights = [1.0] * len(columns)
        members, labels = material.members
        if not self.is_functionality and len(members):
            known, number = numbered(labels)
            sizes = np.bincount(number, minlength=len(known))
            largest = np.argsort(-sizes, kind="stable")[: MOST_COLUMNS - len(columns)]
            for functionality in largest.tolist():
                column = np.zeros(count, dtype=np.int64)
                column[members[number == functionality]] = 1
                columns.append(column)
            weights += [1 / len(largest)] * len(largest)
        there = [at for at, column in enumerate(columns) if column.any()]
        return [columns[at] for at in there], np.array([weights[at] for at in there] + [1.0] * self.is_functionality)

    def _sums(self, columns: list[Integers], fragment: Integers, group: Integers) -> Integers:
        count = len(self.labels)
        # The last column is there for functionalities: their number.
        sums = np.ones((count, len(columns) + self.is_functionality), dtype=np.int64)
        for at, column in enumerate(columns):
            # Counts stay far below 2⁵³, where sums of floats are exact.
            sums[:, at] = np.bincount(group, weights=column[fragment], minlength=count)
        return sums

    def divide(self, count: int, parts: Parts) -> Division:
        """The division of fragments by the parts of their groups."""
        low = np.full(count, len(PARTS), dtype=np.int8)
        high = np.full(count, -1, dtype=np.int8)
        np.minimum.at(low, self.fragment, parts[self.group])
        np.maximum.at(high, self.fragment, parts[self.group])
        division = Division(np.where(high < 0, np.int8(0), high))
        division = division.without(self.lacking(count), f"not in any of the {self.noun}")
        return division.without(low != high, f"in {self.noun} of different parts")


def _too_few(grouping: FragmentGroups, parts: int) -> InputError:
    count = len(grouping.labels)
    possible = (
        "With two of them, leave valid out: --ratio 4:0:1." if count == 2 else "The view 'random' needs no groups."
    )
    return InputError(
        f"{parts} parts need at least {parts} {grouping.noun}, and the benchmark has {count}.", hint=possible
    )
