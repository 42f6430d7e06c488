"""From options to a division: divide, keep near duplicates together, check sizes and leaks, draw pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.splits.division import Division
from clonetruth.splits.leakage import find_leaks
from clonetruth.splits.pair_samples import SampleStratum, count_pairs, draw_pairs, plan_pairs
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import View
from clonetruth.store.schemas import PARTS


@dataclass(frozen=True)
class PartCounts:
    """What is in a part.

    Attributes:
        fragments: its fragments.
        pairs: its pairs with a verdict; of a sample, those that were drawn.
        clones: the clones among them.
        functionalities: the functionalities that its fragments are in.
    """

    fragments: int
    pairs: int
    clones: int
    functionalities: int


@dataclass(frozen=True, eq=False)
class Built:
    """A split that is not written yet.

    Attributes:
        division: the part of each fragment.
        table: the same with the columns of `splits`.
        sample: the drawn pairs, with the columns of `samples`; None where all pairs are used.
        parts: what is in each part.
        crossing: pairs with a verdict that are in no part.
    """

    division: Division
    table: pa.Table
    sample: pa.Table | None
    parts: Mapping[str, PartCounts]
    crossing: int


def build(material: SplitData, view: View) -> Built:
    """Divide the fragments of a benchmark.

    Raises:
        InputError: the benchmark lacks what the view needs, or a part would be too small.
        CloneTruthError: an audit rule finds a leak, which is an error of the view.
    """
    options = material.options
    division = view.divide(material).on_one_side(material.components)
    kept = np.flatnonzero(division.part >= 0)
    inside = pa.table({"fragment": kept, "part": pa.array([PARTS[at] for at in division.part[kept].tolist()])})
    sizes = {} if material.verdicts is None else count_pairs(material.benchmark, material.verdicts, inside)
    names = ("test",) if view.only_test else tuple(PARTS[at] for at in sorted(set(material.plan.parts)))
    parts = _counts(material, division, sizes, names)
    _check_sizes(material, division, parts)
    findings = find_leaks(material, view, division)
    if findings:
        raise CloneTruthError(
            f"The view '{view.name}' leaks: {findings[0].message} ({findings[0].code}). This is an error of the view.",
            where=material.benchmark.path,
        )
    sample = None
    if options.sampling.asked and material.verdicts is not None:
        quotas = plan_pairs(sizes, options.sampling)
        sample = draw_pairs(material.benchmark, material.verdicts, inside, quotas, options)
        parts = _counts(material, division, quotas, names)
    table = pa.table(
        {
            "fragment": pa.array(np.arange(len(material)), pa.int64()),
            "part": pa.array(division.words, pa.string()),
        }
    )
    crossing = int(material.ends.sum()) // 2 - sum(sizes.values())
    return Built(division, table, sample, parts, crossing)


def _counts(
    material: SplitData, division: Division, sizes: Mapping[SampleStratum, int], names: tuple[str, ...]
) -> dict[str, PartCounts]:
    fragments, labels = material.members
    found = {}
    for name in names:
        inside = division.part == PARTS.index(name)
        pairs = {stratum: count for stratum, count in sizes.items() if stratum.part == name}
        found[name] = PartCounts(
            fragments=int(np.count_nonzero(inside)),
            pairs=sum(pairs.values()),
            clones=sum(count for stratum, count in pairs.items() if stratum.clone),
            functionalities=len({labels[row] for row in np.flatnonzero(inside[fragments]).tolist()}),
        )
    return found


def _check_sizes(material: SplitData, division: Division, parts: Mapping[str, PartCounts]) -> None:
    options = material.options
    reasons = "; ".join(f"{count:,} {reason}" for reason, count in division.left_out.items()) or "none"
    shown = ", ".join(f"{name} {one.fragments:,} fragments and {one.pairs:,} pairs" for name, one in parts.items())
    hint = f"Possible with this seed: {shown}. Left out: {reasons}. Other seeds, ratios or views may do."
    for name, one in parts.items():
        if one.fragments < options.min_fragments:
            raise InputError(
                f"The part '{name}' would have {one.fragments:,} fragments, fewer than {options.min_fragments:,}.",
                where=material.benchmark.path,
                hint=hint,
            )
        if material.verdicts is None:
            continue
        if one.pairs < options.min_pairs:
            raise InputError(
                f"The part '{name}' would have {one.pairs:,} pairs with a verdict, fewer than {options.min_pairs:,}.",
                where=material.benchmark.path,
                hint=hint,
            )
        if options.both_classes and one.pairs and one.clones in (0, one.pairs):
            raise InputError(
                f"The part '{name}' would have no {'clones' if not one.clones else 'non-clones'}.",
                where=material.benchmark.path,
                hint=f"{hint} --one-class splits nevertheless.",
            )
