"""The view `cross-generator`: all that was generated from one first function together, as CT507 sees it."""

from __future__ import annotations

from clonetruth.errors import InputError
from clonetruth.truth.views.division import Division, Grouping
from clonetruth.truth.views.material import Material, columns
from clonetruth.truth.views.view import View

_SEEDS_SQL = """
WITH seeds AS (
    SELECT p.left AS fragment, d.digest AS digest FROM pairs p JOIN digests d ON p.left = d.fragment
    UNION
    SELECT p.right AS fragment, d.digest AS digest FROM pairs p JOIN digests d ON p.left = d.fragment
)
SELECT fragment, CAST(digest AS STRING) AS label FROM seeds ORDER BY fragment, digest
"""
"""For each fragment the texts of the first functions of its pairs, by their digest."""


def _divide(material: Material) -> Division:
    rows = columns(material.benchmark.sql(_SEEDS_SQL, digests=material.twins.facts))
    grouping = Grouping.of(material, "first functions", rows)
    if not grouping.labels:
        raise InputError(
            "The view 'cross-generator' needs pairs whose first fragment has a text, and there are none.",
            where=material.benchmark.path,
            hint="Views that need no pairs: random, cross-project, cross-functionality.",
        )
    return grouping.divide(len(material), grouping.parts(material))


CROSS_GENERATOR = View(
    name="cross-generator",
    question="How good is it on variations of functions of which it has seen no variation?",
    keeps_together="fragments that were generated from one first function",
    needs="pairs of a first function and what was made of it",
    divide=_divide,
)
