"""The view `cross-project`: whole projects, or whole authors of contest programs."""

from __future__ import annotations

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.split_data import SplitData, columns
from clonetruth.splits.view import View

_PROJECTS_SQL = """
SELECT fragment, project AS label FROM fragments WHERE project IS NOT NULL ORDER BY fragment
"""


def projects(material: SplitData) -> FragmentGroups:
    """The fragments by their project.

    Raises:
        InputError: no fragment has one.
    """
    grouping = FragmentGroups.of(material, "projects", columns(material.benchmark.sql(_PROJECTS_SQL)))
    if not grouping.labels:
        raise InputError(
            f"The view '{material.options.view}' needs the project (or author) of fragments, and all "
            f"{len(material):,} lack it.",
            where=material.benchmark.path,
            hint="Views that need no projects: random, cross-functionality.",
        )
    return grouping


def _divide(material: SplitData) -> Division:
    grouping = projects(material)
    return grouping.divide(len(material), grouping.parts(material))


CROSS_PROJECT = View(
    name="cross-project",
    question="How good is it on code of projects (authors) that it has not seen, for functionalities that it has?",
    keeps_together="projects",
    needs="the project of fragments",
    divide=_divide,
    rules=("CT506",),
)
