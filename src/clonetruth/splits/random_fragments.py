"""The view `random`: fragments at random, near duplicates together."""

from __future__ import annotations

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import View


def _divide(material: SplitData) -> Division:
    units = FragmentGroups.units(material, np.ones(len(material), dtype=np.bool_))
    if len(units.labels) == 1 < len(material):
        raise InputError(
            f"All {len(material):,} fragments are near duplicates of one another, and stay on one side.",
            where=material.benchmark.path,
            hint="Ask for --near-duplicates apart, to divide them nevertheless; the split then leaks.",
        )
    return units.divide(len(material), units.parts(material))


RANDOM = View(
    name="random",
    question="How good is it on further fragments of the projects and functionalities that it was trained on?",
    keeps_together="near-duplicate texts",
    needs="nothing",
    divide=_divide,
)
