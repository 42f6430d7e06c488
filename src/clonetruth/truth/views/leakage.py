"""The audit's leakage rules, run over a division before it is written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.truth.audit.context import AuditContext
from clonetruth.truth.audit.finding import Finding
from clonetruth.truth.audit.registry import RULES, thresholds
from clonetruth.truth.views.division import Division
from clonetruth.truth.views.material import Material
from clonetruth.truth.views.view import LEAKAGE, View

_OF_TEXTS = ("CT503", "CT504")


def leakage_rules(view: View, variant: str | None, *, near_duplicates: bool) -> tuple[str, ...]:
    """The codes of the rules that must find nothing.

    With near duplicates divided on purpose, the rules on texts have no say. Where a variant lets valid and test
    share their groups, the rules on groups have none beyond train.
    """
    texts = LEAKAGE if near_duplicates else tuple(code for code in LEAKAGE if code not in _OF_TEXTS)
    return (*texts, *view.rules)


def find_leaks(material: Material, division: Division, codes: tuple[str, ...]) -> tuple[Finding, ...]:
    """What the rules find in a division; all fragments of a part are looked at, in pairs or not."""
    rows = np.flatnonzero(division.part >= 0)
    words = np.array(division.words)[rows]
    divided = pa.table({"fragment": rows, "part": pa.array(words.tolist(), pa.string())})
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
