"""The view `cross-all`: functionalities and projects at once; what they disagree on is left out (Li et al., 2023)."""

from __future__ import annotations

from clonetruth.splits.cross_functionality import functionalities
from clonetruth.splits.cross_project import projects
from clonetruth.splits.division import Division
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import View

CONTRADICTION = "functionality and project in different parts"


def _divide(material: SplitData) -> Division:
    count = len(material)
    by_functionality = functionalities(material)
    first = by_functionality.divide(count, by_functionality.parts(material))
    # Projects are put where most of their fragments can stay, as far as the ratio allows.
    by_project = projects(material)
    second = by_project.divide(count, by_project.parts(material, first.part))
    division = first.without(second.part < 0, next(iter(second.left_out), ""))
    return division.without(first.part != second.part, CONTRADICTION)


CROSS_ALL = View(
    name="cross-all",
    question="How good is it on new functionalities in new projects?",
    keeps_together="functionalities and projects",
    needs="the functionalities and the project of fragments",
    divide=_divide,
    rules=("CT505", "CT506"),
)
