"""The view `cross-functionality`: whole functionalities.

Li et al. (2023) select functionalities for train, and divide the fragments of all others at random into valid and
test: the variant `li2023`. Unless it is asked for, valid and test have no functionality in common either.
"""

from __future__ import annotations

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.near_duplicates import connected
from clonetruth.splits.options import Parts
from clonetruth.splits.split_data import Flags, SplitData, columns
from clonetruth.splits.view import Variant, View
from clonetruth.store.schemas import PARTS

# The view `cross-all`: functionalities and projects at once; what they disagree on is left out (Li et al., 2023).

CONTRADICTION = "functionality and project in different parts"


def _divide_cross_all(material: SplitData) -> Division:
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
    divide=_divide_cross_all,
    rules=("CT505", "CT506"),
)


_PAIRS_SQL = 'SELECT DISTINCT "left" AS one, "right" AS other FROM pairs'


def _divide_cross_generator(material: SplitData) -> Division:
    rows = material.benchmark.sql(_PAIRS_SQL)
    if not rows.num_rows:
        raise InputError(
            "The view 'cross-generator' needs pairs of a first function and what was made of it, and there are none.",
            where=material.benchmark.path,
            hint="Views that need no pairs: random, cross-project, cross-functionality.",
        )
    left, right = rows["one"].to_numpy(), rows["other"].to_numpy()
    everyone = np.arange(len(material), dtype=np.int64)
    roots = connected(len(material), np.concatenate([left, everyone]), np.concatenate([right, material.twins.same]))
    paired = np.unique(np.concatenate([left, right]))
    grouping = FragmentGroups.chains(material, "first functions that pairs do not connect", paired, roots)
    return grouping.divide(len(material), grouping.parts(material))


CROSS_GENERATOR = View(
    name="cross-generator",
    question="How good is it on variations of functions of which it has seen no variation?",
    keeps_together="fragments that were generated from one first function",
    needs="pairs of a first function and what was made of it",
    divide=_divide_cross_generator,
)


_LANGUAGES_SQL = "SELECT fragment, language AS label FROM fragments ORDER BY fragment"


def _divide_cross_language(material: SplitData) -> Division:
    grouping = FragmentGroups.of(material, "languages", columns(material.benchmark.sql(_LANGUAGES_SQL)))
    return grouping.divide(len(material), grouping.parts(material))


CROSS_LANGUAGE = View(
    name="cross-language",
    question="How good is it in a programming language that it has not seen?",
    keeps_together="languages",
    needs="fragments in several languages",
    divide=_divide_cross_language,
)


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


def _divide_cross_project(material: SplitData) -> Division:
    grouping = projects(material)
    return grouping.divide(len(material), grouping.parts(material))


CROSS_PROJECT = View(
    name="cross-project",
    question="How good is it on code of projects (authors) that it has not seen, for functionalities that it has?",
    keeps_together="projects",
    needs="the project of fragments",
    divide=_divide_cross_project,
    rules=("CT506",),
)


def _divide_random_fragments(material: SplitData) -> Division:
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
    divide=_divide_random_fragments,
)


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
