"""Groups of fragments, the parts that they are put in, and what is left out, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.splits.balance import MAX_COLUMNS, Features, Integers, balanced
from clonetruth.splits.draw import draw, group_counts
from clonetruth.splits.spec import BALANCED, Parts, SplitPlan
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
        inside = ~data.beyond_limit[rows[0]]
        rows = rows[0][inside], [label for label, kept in zip(rows[1], inside.tolist(), strict=True) if kept]
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
        """Assign each group to a part, at random or near the requested ratio, as the options say.

        Args:
            data: the benchmark.
            preferred: the part of each fragment in an earlier division; a group then goes where most of its fragments
                already are, as far as the ratio permits, and nothing is drawn.
            plan: the bins (default: those of the options).

        Raises:
            InputError: there are fewer groups than bins.
        """
        plan = plan or data.plan
        if len(self.labels) < len(plan.shares):
            raise _too_few(self, len(plan.shares))
        if data.options.assignment == BALANCED or preferred is not None:
            bins = balanced(self._features(data, preferred, plan.parts), plan.shares)
        else:
            bins = self._drawn(data, plan)
        return np.array(plan.parts, dtype=np.int8)[bins]

    def _drawn(self, data: SplitData, plan: SplitPlan) -> Integers:
        """Draw a bin for each group; a draw that misses the balance limits is a warning of the split."""
        groups, whole = len(self.labels), sum(plan.shares)
        counts, shares = group_counts(groups, plan.shares), [share / whole for share in plan.shares]
        train = data.options.train_functionalities
        if train is not None and self.is_functionality:
            if groups - train < len(plan.shares) - 1:
                raise InputError(
                    f"{train} of {groups} functionalities in train leave {max(groups - train, 0)} for the other parts.",
                    where=data.benchmark.path,
                    hint=f"Give at most {groups - len(plan.shares) + 1}.",
                )
            counts = [train, *group_counts(groups - train, plan.shares[1:])]
            shares = [count / groups for count in counts]
        sizes, options = np.bincount(self.group, minlength=groups), data.options
        if options.train_functionality and self.is_functionality:
            return self._with_named_train(data, plan, sizes)
        drawn = draw(self.labels, sizes, counts, shares, options.tolerance, f"{options.seed} {data.attempt}")
        if drawn.deviation > options.tolerance:
            held = np.bincount(drawn.bins, weights=sizes, minlength=len(counts)) / max(int(sizes.sum()), 1)
            farthest = int(np.argmax(np.abs(held / np.array(shares) - 1)))
            data.warnings.append(
                f"No draw of {self.noun} met the balance limits: the part '{PARTS[plan.parts[farthest]]}' has "
                f"{held[farthest]:.0%} of the fragments instead of {shares[farthest]:.0%} ± "
                f"{shares[farthest] * options.tolerance:.0%}."
            )
        return drawn.bins

    def _with_named_train(self, data: SplitData, plan: SplitPlan, sizes: Integers) -> Integers:
        """The named groups in the first bin, the others drawn for the other bins."""
        named, options = set(data.options.train_functionality), data.options
        if missing := sorted(named - set(self.labels)):
            raise UnknownNameError.suggest("functionality", missing[0], self.labels)
        fixed = np.array([label in named for label in self.labels])
        free = np.flatnonzero(~fixed)
        others = plan.shares[1:]
        if len(free) < len(others):
            raise InputError(
                f"{len(named)} of {len(self.labels)} functionalities in train leave {len(free)} for the other parts.",
                where=data.benchmark.path,
                hint="Name fewer.",
            )
        shares = [share / sum(others) for share in others]
        labels = [self.labels[at] for at in free.tolist()]
        counts = group_counts(len(free), others)
        bins = np.zeros(len(self.labels), dtype=np.int64)
        seed = f"{options.seed} {data.attempt}"
        bins[free] = 1 + draw(labels, sizes[free], counts, shares, options.tolerance, seed).bins
        return bins

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

    def divide(self, data: SplitData, parts: Parts) -> Division:
        """Divide fragments by the parts of their groups."""
        count = len(data)
        low = np.full(count, len(PARTS), dtype=np.int8)
        high = np.full(count, -1, dtype=np.int8)
        np.minimum.at(low, self.fragment, parts[self.group])
        np.maximum.at(high, self.fragment, parts[self.group])
        division = Division(np.where(high < 0, np.int8(0), high)).without(data.beyond_limit, f"in {data.size_limit}")
        division = division.without(self.lacking(count), f"not in any of the {self.noun}")
        return division.without(low != high, f"in {self.noun} of different parts")


def _too_few(groups: FragmentGroups, parts: int) -> InputError:
    count = len(groups.labels)
    hint = "With two of them, leave valid out: --ratio 4:0:1." if count == 2 else "The view 'random' needs no groups."
    return InputError(f"{parts} parts need at least {parts} {groups.noun}, and the benchmark has {count}.", hint=hint)
