"""The view `cross-functionality`: whole functionalities.

Li et al. (2023) select functionalities for train, and divide the fragments of all others at random into valid and
test: the variant `li2023`. Unless it is asked for, valid and test have no functionality in common either.
"""

from __future__ import annotations

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.options import Parts
from clonetruth.splits.split_data import Flags, SplitData
from clonetruth.splits.view import Variant, View
from clonetruth.store.schemas import PARTS

LI2023 = "li2023"


def functionalities(material: SplitData) -> FragmentGroups:
    """The fragments by their functionalities.

    Raises:
        InputError: no fragment has one, or all have the same.
    """
    grouping = FragmentGroups.of(material, "functionalities", material.members, is_functionality=True)
    if not grouping.labels:
        raise InputError(
            f"The view '{material.options.view}' needs the functionality of fragments, and all {len(material):,} "
            "lack it.",
            where=material.benchmark.path,
            hint="Views that need no functionalities: random, cross-project.",
        )
    if len(grouping.labels) == 1:
        raise InputError(
            f"All fragments are of one functionality ({grouping.labels[0]}): nothing can be held out.",
            where=material.benchmark.path,
            hint="Views that need no functionalities: random, cross-project.",
        )
    return grouping


def _divide(material: SplitData) -> Division:
    grouping = functionalities(material)
    parts = grouping.parts(material)
    if material.options.variant != LI2023:
        return grouping.divide(len(material), parts)
    # Held-out functionalities are one side until their fragments are divided.
    train, test = PARTS.index("train"), PARTS.index("test")
    division = grouping.divide(len(material), np.where(parts == train, parts, np.int8(test)))
    held = division.part == test
    return Division(np.where(held, _at_random(material, held), division.part), division.left_out)


def _at_random(material: SplitData, held: Flags) -> Parts:
    """Valid or test for each of the held-out fragments, near duplicates together, by the asked ratio."""
    units = FragmentGroups.units(material, held)
    return units.divide(len(material), units.parts(material, plan=material.plan.only("valid", "test"))).part


CROSS_FUNCTIONALITY = View(
    name="cross-functionality",
    question="How good is it on functionalities that it has not seen?",
    keeps_together="functionalities",
    needs="the functionalities of fragments",
    divide=_divide,
    rules=("CT505",),
    variants=(
        Variant(
            LI2023,
            "fragments of the held-out functionalities are divided at random into valid and test",
            held_out_together=True,
        ),
    ),
)
