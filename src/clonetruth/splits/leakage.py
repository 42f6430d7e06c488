"""The audit's leakage rules, run over a division before it is written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding
from clonetruth.audit.registry import RULES, thresholds
from clonetruth.splits.division import Division
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import LEAKAGE, View
from clonetruth.store.schemas import PARTS

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
