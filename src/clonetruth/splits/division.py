"""Groups of fragments, the parts that they are put in, and what is left out, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.balance import MAX_COLUMNS, Features, Integers, balanced
from clonetruth.splits.spec import Parts, SplitPlan
from clonetruth.splits.split_data import Flags, SplitData, hash_order, numbered
from clonetruth.store.schemas import LEFT_OUT, PARTS

NEAR_DUPLICATE = "near duplicate of a fragment in another part"


@dataclass(frozen=True, eq=False)
class Division:
    """The part of each fragment.

    Attributes:
        part: positions in `PARTS`; -1 for a fragment that is left out.
        left_out: how many fragments were left out for each reason.
    """

    part: Parts
    left_out: dict[str, int] = field(default_factory=dict)

    def without(self, rows: Flags, reason: str) -> Division:
        """Leave some fragments out; those that already are do not count again."""
        removed = rows & (self.part >= 0)
        count = int(np.count_nonzero(removed))
        if not count:
            return self
        left_out = {**self.left_out, reason: self.left_out.get(reason, 0) + count}
        return replace(self, part=np.where(removed, np.int8(-1), self.part), left_out=left_out)

    def with_chains_in_one_part(self, components: Integers) -> Division:
        """Keep each chain of near duplicates in the part that holds most of it.

        The chain's fragments in other parts are left out.
        """
        kept = np.flatnonzero(self.part >= 0)
        counts = np.bincount(components[kept] * len(PARTS) + self.part[kept], minlength=len(self.part) * len(PARTS))
        largest = counts.reshape(-1, len(PARTS)).argmax(axis=1)
        return self.without(self.part != largest[components], NEAR_DUPLICATE)

    @property
    def names(self) -> list[str]:
        """The name of each fragment's part."""
        names = [*PARTS, LEFT_OUT]
        return [names[at] for at in self.part.tolist()]


@dataclass(frozen=True, eq=False)
class FragmentGroups:
    """Groups of fragments that must stay together.

    Attributes:
        noun: what the groups are, in the plural.
        labels: the groups, in the order of their hash.
        fragment: the fragment of each row; a fragment of several groups has several rows.
        group: the position in `labels` of each row.
        is_functionality: whether the groups are functionalities; then their number is balanced too.
    """

    noun: str
    labels: Sequence[str]
    fragment: Integers
    group: Integers
    is_functionality: bool = False

    @classmethod
    def of(
        cls, data: SplitData, noun: str, rows: tuple[Integers, Sequence[str]], *, is_functionality: bool = False
    ) -> FragmentGroups:
        """Group by labels of fragments.

        Args:
            data: the benchmark.
            noun: what the groups are, in the plural.
            rows: fragments, and a label for each.
            is_functionality: whether the labels are functionalities.
        """
        labels, number = numbered(rows[1])
        order = hash_order(labels, data.options.seed)
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        return cls(noun, [labels[at] for at in order], rows[0], position[number], is_functionality)

    @classmethod
    def chains(cls, data: SplitData, noun: str, rows: Integers, roots: Integers) -> FragmentGroups:
        """Group fragments by chain; the label of a chain is the smallest id in it.

        Args:
            data: the benchmark.
            noun: what the chains are, in the plural.
            rows: the fragments.
            roots: a number for every fragment of the benchmark, the same for those of one chain.
        """
        ids = data.ids
        own = roots[rows].tolist()
        least: dict[int, str] = {}
        for key, root in zip(rows.tolist(), own, strict=True):
            least[root] = min(least.get(root, ids[key]), ids[key])
        return cls.of(data, noun, (rows, [least[root] for root in own]))

    @classmethod
    def units(cls, data: SplitData, chosen: Flags) -> FragmentGroups:
        """Group the chosen fragments so that near duplicates are together."""
        noun = "fragments without near duplicates"
        return cls.chains(data, noun, np.flatnonzero(chosen), data.components)

    def lacking(self, count: int) -> Flags:
        """Which fragments are in no group."""
        lacking = np.ones(count, dtype=np.bool_)
        lacking[self.fragment] = False
        return lacking

    def parts(self, data: SplitData, preferred: Parts | None = None, plan: SplitPlan | None = None) -> Parts:
        """Assign each group to a part, near the requested ratio.

        Args:
            data: the benchmark.
            preferred: the part of each fragment in an earlier division; a group then adds to a part only the fragments
                that are already in it.
            plan: the bins (default: those of the options).

        Raises:
            InputError: there are fewer groups than bins.
        """
        plan = plan or data.plan
        if len(self.labels) < len(plan.shares):
            raise _too_few(self, len(plan.shares))
        features = self._features(data, preferred, plan.parts)
        return np.array(plan.parts, dtype=np.int8)[balanced(features, plan.shares)]

    def _features(self, data: SplitData, preferred: Parts | None, bins: tuple[int, ...]) -> Features:
        columns, weights = self._columns(data)
        if preferred is None:
            return Features(self._sums(columns, self.fragment, self.group)[:, None, :], weights)
        amounts = []
        for part in bins:
            rows = preferred[self.fragment] == part
            amounts.append(self._sums(columns, self.fragment[rows], self.group[rows]))
        return Features(np.stack(amounts, axis=1), weights)

    def _columns(self, data: SplitData) -> tuple[list[Integers], np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """The columns to balance, and their weights: fragments, ends of pairs, and fragments of each functionality."""
        count = len(data)
        columns = [np.ones(count, dtype=np.int64), *data.ends.T]
        weights = [1.0] * len(columns)
        members, labels = data.members
        if not self.is_functionality and len(members):
            known, number = numbered(labels)
            sizes = np.bincount(number, minlength=len(known))
            largest = np.argsort(-sizes, kind="stable")[: MAX_COLUMNS - len(columns)]
            for functionality in largest.tolist():
                column = np.zeros(count, dtype=np.int64)
                column[members[number == functionality]] = 1
                columns.append(column)
            weights += [1 / len(largest)] * len(largest)
        used = [at for at, column in enumerate(columns) if column.any()]
        return [columns[at] for at in used], np.array([weights[at] for at in used] + [1.0] * self.is_functionality)

    def _sums(self, columns: list[Integers], fragment: Integers, group: Integers) -> Integers:
        count = len(self.labels)
        # For functionalities, the last column counts the groups.
        sums = np.ones((count, len(columns) + self.is_functionality), dtype=np.int64)
        for at, column in enumerate(columns):
            # Counts stay far below 2⁵³, where sums of floats are exact.
            sums[:, at] = np.bincount(group, weights=column[fragment], minlength=count)
        return sums

    def divide(self, count: int, parts: Parts) -> Division:
        """Divide fragments by the parts of their groups."""
        low = np.full(count, len(PARTS), dtype=np.int8)
        high = np.full(count, -1, dtype=np.int8)
        np.minimum.at(low, self.fragment, parts[self.group])
        np.maximum.at(high, self.fragment, parts[self.group])
        division = Division(np.where(high < 0, np.int8(0), high))
        division = division.without(self.lacking(count), f"not in any of the {self.noun}")
        return division.without(low != high, f"in {self.noun} of different parts")


def _too_few(groups: FragmentGroups, parts: int) -> InputError:
    count = len(groups.labels)
    hint = "With two of them, leave valid out: --ratio 4:0:1." if count == 2 else "The view 'random' needs no groups."
    return InputError(f"{parts} parts need at least {parts} {groups.noun}, and the benchmark has {count}.", hint=hint)
