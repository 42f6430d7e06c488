"""Builds a split in memory: divide, keep near duplicates together, check sizes and leakage, draw pairs."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding
from clonetruth.audit.registry import RULES, thresholds
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.splits.division import Division
from clonetruth.splits.pair_samples import SampleStratum, count_pairs, draw_pairs, plan_pairs
from clonetruth.splits.spec import DRAWN
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import LEAKAGE, View
from clonetruth.splits.virtual_pairs import DividedPairs
from clonetruth.store.schemas import PARTS

# Leakage: the audit rules that are run on a division before it is written.

_TEXT_RULES = ("CT503", "CT504")


def leakage_rules(view: View, *, near_duplicates: bool) -> tuple[str, ...]:
    """The codes of the rules that must find nothing; those on texts only where near duplicates stay together."""
    near_duplicates = near_duplicates and not view.official
    return (*(code for code in LEAKAGE if near_duplicates or code not in _TEXT_RULES), *view.rules)


def find_leaks(data: SplitData, view: View, division: Division) -> tuple[Finding, ...]:
    """Run the leakage rules on a division; they check all fragments of a part, in pairs or not."""
    variant = view.variant(data.options.variant)
    codes = leakage_rules(view, near_duplicates=data.options.near_duplicates)
    if variant is None or not variant.held_out_together:
        return _find(data, division, codes)
    one_side = Division(np.where(division.part == PARTS.index("valid"), np.int8(PARTS.index("test")), division.part))
    strict = tuple(code for code in codes if code not in view.rules)
    return _find(data, division, strict) + _find(data, one_side, view.rules)


def _find(data: SplitData, division: Division, codes: tuple[str, ...]) -> tuple[Finding, ...]:
    rows = np.flatnonzero(division.part >= 0)
    names = [PARTS[at] for at in division.part[rows].tolist()]
    divided = pa.table({"fragment": rows, "part": pa.array(names, pa.string())})
    with tempfile.TemporaryDirectory(prefix="clonetruth-split-") as scratch:
        known = {}
        if any(code in _TEXT_RULES for code in codes):
            known["text_facts"] = Path(scratch, "digests.parquet")
            write_parquet(data.near_duplicates.facts, known["text_facts"])
        context = AuditContext(data.benchmark, Path(scratch), thresholds(), divided=divided, known=known)
        if known:
            context.near_duplicates = data.near_duplicates.near
            context.digests = data.near_duplicates.digests
        findings: list[Finding] = []
        for code in codes:
            if all(context.available[need] for need in RULES[code].needs):
                findings += RULES[code].run(context)
    return tuple(findings)


# The division with its counts and drawn pairs.

_MAX_DRAWS = 10
"""How often a division is drawn before a part that is too small, or lacks a class, is an error."""


@dataclass(frozen=True)
class PartCounts:
    """What is in a part.

    Attributes:
        fragments: number of fragments.
        pairs: number of pairs with a verdict; where pairs were drawn, of the drawn ones.
        clones: number of clones among them.
        functionalities: number of functionalities that its fragments are in.
    """

    fragments: int
    pairs: int
    clones: int
    functionalities: int


@dataclass(frozen=True, eq=False)
class BuiltSplit:
    """A split that is not written yet.

    Attributes:
        division: the part of each fragment.
        table: the same with the columns of `splits`.
        sample: the drawn pairs, with the columns of `samples`; None where all pairs are used.
        parts: what is in each part.
        crossing: number of pairs with a verdict that are in no part.
        warnings: which limits the division does not meet.
    """

    division: Division
    table: pa.Table
    sample: pa.Table | None
    parts: Mapping[str, PartCounts]
    crossing: int
    warnings: tuple[str, ...] = ()


def build(data: SplitData, view: View) -> BuiltSplit:
    """Divide the fragments of a benchmark.

    Raises:
        InputError: the benchmark lacks what the view needs, or a part would be too small.
        CloneTruthError: an audit rule finds a leak, which is a defect of the view.
    """
    options = data.options
    # The folds must not depend on which of them is test, so they are drawn once.
    draws = _MAX_DRAWS if options.assignment == DRAWN and options.folds is None and not _is_given(view) else 1
    for attempt in range(draws):
        data.redraw(attempt)
        division = view.divide(data)
        if not view.official:
            division = division.with_chains_in_one_part(data.components)
        kept = np.flatnonzero(division.part >= 0)
        inside = pa.table({"fragment": kept, "part": pa.array([PARTS[at] for at in division.part[kept].tolist()])})
        virtual = DividedPairs.of(data.benchmark, options.policy, options.criterion, inside) if data.virtual else None
        sizes = _pair_sizes(data, virtual, inside)
        names = ("test",) if view.only_test else tuple(PARTS[at] for at in sorted(set(data.plan.parts)))
        parts = _counts(data, division, sizes, names)
        refusal = _refusal(data, division, parts)
        if refusal is None:
            break
    if refusal is not None:
        raise refusal
    findings = find_leaks(data, view, division)
    if findings:
        raise CloneTruthError(
            f"The view '{view.name}' leaks: {findings[0].message} ({findings[0].code}). This is a defect of the view.",
            where=data.benchmark.path,
        )
    sample = None
    if virtual is not None:
        parts = _counts(data, division, virtual.quotas(options.sampling, all_pairs=options.all_pairs), names)
    elif options.sampling.draws and data.verdicts is not None:
        quotas = plan_pairs(sizes, options.sampling)
        sample = draw_pairs(data.benchmark, data.verdicts, inside, quotas, options)
        parts = _counts(data, division, quotas, names)
    table = pa.table(
        {
            "fragment": pa.array(np.arange(len(data)), pa.int64()),
            "part": pa.array(division.names, pa.string()),
        }
    )
    crossing = data.pair_count - sum(sizes.values())
    return BuiltSplit(division, table, sample, parts, crossing, tuple(data.warnings))


def _is_given(view: View) -> bool:
    """Whether there is nothing to draw, so that another attempt would give the same division."""
    return view.only_test or view.official


def _pair_sizes(data: SplitData, virtual: DividedPairs | None, inside: pa.Table) -> dict[SampleStratum, int]:
    """The number of pairs with a verdict within parts, by stratum."""
    if virtual is not None:
        return virtual.sizes()
    return {} if data.verdicts is None else count_pairs(data.benchmark, data.verdicts, inside)


def _counts(
    data: SplitData, division: Division, sizes: Mapping[SampleStratum, int], names: tuple[str, ...]
) -> dict[str, PartCounts]:
    fragments, labels = data.members
    counts = {}
    for name in names:
        inside = division.part == PARTS.index(name)
        pairs = {stratum: count for stratum, count in sizes.items() if stratum.part == name}
        counts[name] = PartCounts(
            fragments=int(np.count_nonzero(inside)),
            pairs=sum(pairs.values()),
            clones=sum(count for stratum, count in pairs.items() if stratum.clone),
            functionalities=len({labels[row] for row in np.flatnonzero(inside[fragments]).tolist()}),
        )
    return counts


def _refusal(data: SplitData, division: Division, parts: Mapping[str, PartCounts]) -> InputError | None:
    """Why the division cannot be used: a part is too small, or lacks a class; None if it can."""
    options = data.options
    reasons = "; ".join(f"{count:,} {reason}" for reason, count in division.left_out.items()) or "none"
    shown = ", ".join(f"{name} {one.fragments:,} fragments and {one.pairs:,} pairs" for name, one in parts.items())
    hint = f"Possible with this seed: {shown}. Left out: {reasons}. Try another seed, ratio or view."
    for name, one in parts.items():
        lacks = None
        if one.fragments < options.min_fragments:
            lacks = f"{one.fragments:,} fragments, fewer than {options.min_fragments:,}"
        elif not data.has_pairs:
            continue
        elif one.pairs < options.min_pairs:
            lacks = f"{one.pairs:,} pairs with a verdict, fewer than {options.min_pairs:,}"
        elif options.both_classes and one.pairs and one.clones in (0, one.pairs):
            lacks, hint = f"no {'clones' if not one.clones else 'non-clones'}", f"{hint} --one-class splits anyway."
        if lacks is not None:
            return InputError(f"The part '{name}' would have {lacks}.", where=data.benchmark.path, hint=hint)
    return None
