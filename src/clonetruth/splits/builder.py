"""From options to a division: divide, keep near duplicates together, check sizes and leaks, draw pairs."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding
from clonetruth.audit.registry import RULES, thresholds
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.splits.division import Division
from clonetruth.splits.pair_samples import SampleStratum, count_pairs, draw_pairs, plan_pairs
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import LEAKAGE, View
from clonetruth.store.schemas import PARTS

# The audit's leakage rules, run over a division before it is written.

_OF_TEXTS = ("CT503", "CT504")


def leakage_rules(view: View, *, near_duplicates: bool) -> tuple[str, ...]:
    """The codes of the rules that must find nothing; on texts, only where near duplicates are kept together."""
    return (*(code for code in LEAKAGE if near_duplicates or code not in _OF_TEXTS), *view.rules)


def find_leaks(material: SplitData, view: View, division: Division) -> tuple[Finding, ...]:
    """What the leakage rules find in a division; all fragments of a part are looked at, in pairs or not."""
    variant = view.variant(material.options.variant)
    codes = leakage_rules(view, near_duplicates=material.options.near_duplicates)
    if variant is None or not variant.held_out_together:
        return _find(material, division, codes)
    one_side = Division(np.where(division.part == PARTS.index("valid"), np.int8(PARTS.index("test")), division.part))
    strict = tuple(code for code in codes if code not in view.rules)
    return _find(material, division, strict) + _find(material, one_side, view.rules)


def _find(material: SplitData, division: Division, codes: tuple[str, ...]) -> tuple[Finding, ...]:
    rows = np.flatnonzero(division.part >= 0)
    words = [PARTS[at] for at in division.part[rows].tolist()]
    divided = pa.table({"fragment": rows, "part": pa.array(words, pa.string())})
    with tempfile.TemporaryDirectory(prefix="clonetruth-split-") as scratch:
        known = {}
        if any(code in _OF_TEXTS for code in codes):
            known["text_facts"] = Path(scratch, "twins.parquet")
            pq.write_table(material.twins.facts, known["text_facts"])
        context = AuditContext(material.benchmark, Path(scratch), thresholds(), divided=divided, known=known)
        if known:
            context.near_duplicates = material.twins.near
            context.digests = material.twins.digests
        found: list[Finding] = []
        for code in codes:
            if all(context.has[need] for need in RULES[code].needs):
                found += RULES[code].run(context)
    return tuple(found)


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
