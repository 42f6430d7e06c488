"""The view `cross-language`: whole programming languages."""

from __future__ import annotations

from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.split_data import SplitData, columns
from clonetruth.splits.view import View

_LANGUAGES_SQL = "SELECT fragment, language AS label FROM fragments ORDER BY fragment"


def _divide(material: SplitData) -> Division:
    grouping = FragmentGroups.of(material, "languages", columns(material.benchmark.sql(_LANGUAGES_SQL)))
    return grouping.divide(len(material), grouping.parts(material))


CROSS_LANGUAGE = View(
    name="cross-language",
    question="How good is it in a programming language that it has not seen?",
    keeps_together="languages",
    needs="fragments in several languages",
    divide=_divide,
)
