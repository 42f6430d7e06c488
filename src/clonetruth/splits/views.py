"""The views that divide a benchmark into train, valid and test.

`random` divides fragments, `cross-project`, `cross-functionality` and `cross-language` divide whole groups of them,
`cross-all` divides functionalities and projects at once, and `cross-generator` keeps together what was generated from
one function. The views `unseen-*`, which only have a test part, are in `unseen`.
"""

from __future__ import annotations

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.near_duplicates import connected
from clonetruth.splits.spec import BALANCED, SplitPlan
from clonetruth.splits.split_data import SplitData, columns
from clonetruth.splits.view import Variant, View
from clonetruth.store.schemas import PARTS

# random: single fragments, near duplicates together.


def _divide_by_fragment(data: SplitData) -> Division:
    units = FragmentGroups.units(data, np.ones(len(data), dtype=np.bool_))
    if len(units.labels) == 1 < len(data):
        raise InputError(
            f"All {len(data):,} fragments are near duplicates of one another and must stay in one part.",
            where=data.benchmark.path,
            hint="Use --near-duplicates apart to divide them anyway; the split then leaks.",
        )
    return units.divide(data, units.parts(data))


RANDOM = View(
    name="random",
    question="How good is it on further fragments of the projects and functionalities that it was trained on?",
    keeps_together="near-duplicate texts",
    needs="nothing",
    divide=_divide_by_fragment,
)


# cross-project: whole projects.

_PROJECTS_SQL = """
SELECT fragment, project AS label FROM fragments WHERE project IS NOT NULL ORDER BY fragment
"""


def project_groups(data: SplitData) -> FragmentGroups:
    """Group fragments by project.

    Raises:
        InputError: no fragment has a project.
    """
    groups = FragmentGroups.of(data, "projects", columns(data.benchmark.sql(_PROJECTS_SQL)))
    if not groups.labels:
        raise InputError(
            f"The view '{data.options.view}' needs the project (or author) of fragments, and all {len(data):,} "
            "lack it.",
            where=data.benchmark.path,
            hint="Views that need no projects: random, cross-functionality.",
        )
    return groups


def _divide_by_project(data: SplitData) -> Division:
    groups = project_groups(data)
    return groups.divide(data, groups.parts(data))


CROSS_PROJECT = View(
    name="cross-project",
    question="How good is it on code of projects (authors) that it has not seen, for functionalities that it has?",
    keeps_together="projects",
    needs="the project of fragments",
    divide=_divide_by_project,
    rules=("CT506",),
)


# cross-functionality: whole functionalities.
#
# Li et al. (2023) select functionalities for train, and divide the fragments of all others at random into valid and
# test: the variant `li2023`. By default valid and test have no functionality in common either.

LI2023 = "li2023"


def functionality_groups(data: SplitData) -> FragmentGroups:
    """Group fragments by functionality.

    Raises:
        InputError: no fragment has a functionality, or all have the same.
    """
    groups = FragmentGroups.of(data, "functionalities", data.members, is_functionality=True)
    if not groups.labels:
        raise InputError(
            f"The view '{data.options.view}' needs the functionality of fragments, and all {len(data):,} lack it.",
            where=data.benchmark.path,
            hint="`clonetruth build functionalities` adds what a table or another benchmark says of them. "
            "Views that need no functionalities: random, cross-project.",
        )
    if len(groups.labels) == 1:
        raise InputError(
            f"All fragments are of one functionality ({groups.labels[0]}): nothing can be held out.",
            where=data.benchmark.path,
            hint="Views that need no functionalities: random, cross-project.",
        )
    return groups


def _divide_by_functionality(data: SplitData) -> Division:
    groups = functionality_groups(data)
    if data.options.variant == LI2023:
        return _with_valid(data, _train_or_test(data, groups))
    return groups.divide(data, groups.parts(data))


def _train_or_test(data: SplitData, functionalities: FragmentGroups) -> Division:
    """Functionalities divided into train and what is held out, which is test until its fragments are divided."""
    # Folds, and splits of the optimiser, have bins for valid as well.
    binned = data.options.folds is not None or data.options.assignment == BALANCED
    parts = functionalities.parts(data, plan=data.plan if binned else data.plan.train_or_test())
    train, test = PARTS.index("train"), PARTS.index("test")
    return functionalities.divide(data, np.where(parts == train, parts, np.int8(test)))


def _with_valid(data: SplitData, division: Division) -> Division:
    """Divide the held-out fragments into valid and test, near duplicates together, by the requested ratio."""
    held_out = division.part == PARTS.index("test")
    units = FragmentGroups.units(data, held_out)
    divided = units.divide(data, units.parts(data, plan=data.plan.only("valid", "test")))
    return Division(np.where(held_out, divided.part, division.part), division.left_out)


CROSS_FUNCTIONALITY = View(
    name="cross-functionality",
    question="How good is it on functionalities that it has not seen?",
    keeps_together="functionalities",
    needs="the functionalities of fragments",
    divide=_divide_by_functionality,
    rules=("CT505",),
    variants=(
        Variant(
            LI2023,
            "fragments of the held-out functionalities are divided at random into valid and test",
            held_out_together=True,
        ),
    ),
)


# cross-all: functionalities and projects at once; fragments on which they disagree are left out (Li et al., 2023).
#
# The paper draws functionalities for train, draws half of the projects for train, removes the fragments on which these
# disagree, and divides what is held out at random into valid and test: the variant `li2023`. By default valid and test
# have no functionality or project in common either, and projects follow the functionalities, which leaves fewer out.

CONTRADICTION = "functionality and project in different parts"


def _divide_by_functionality_and_project(data: SplitData) -> Division:
    by_functionality, by_project = functionality_groups(data), project_groups(data)
    if data.options.variant == LI2023:
        halves = SplitPlan((1, 1), (PARTS.index("train"), PARTS.index("test")))
        first = _train_or_test(data, by_functionality)
        return _with_valid(data, _agreed(first, by_project.divide(data, by_project.parts(data, plan=halves))))
    first = by_functionality.divide(data, by_functionality.parts(data))
    # Each project goes where most of its fragments can stay, as far as the ratio allows.
    return _agreed(first, by_project.divide(data, by_project.parts(data, first.part)))


def _agreed(by_functionality: Division, by_project: Division) -> Division:
    """The fragments that both divisions put in the same part."""
    division = by_functionality.without(by_project.part < 0, next(reversed(by_project.left_out), ""))
    return division.without(by_functionality.part != by_project.part, CONTRADICTION)


CROSS_ALL = View(
    name="cross-all",
    question="How good is it on new functionalities in new projects?",
    keeps_together="functionalities and projects",
    needs="the functionalities and the project of fragments",
    divide=_divide_by_functionality_and_project,
    rules=("CT505", "CT506"),
    variants=(
        Variant(
            LI2023,
            "half of the projects are drawn for train, and fragments of the held-out functionalities in held-out "
            "projects are divided at random into valid and test",
            held_out_together=True,
        ),
    ),
)


# cross-language: whole programming languages.

_LANGUAGES_SQL = "SELECT fragment, language AS label FROM fragments ORDER BY fragment"


def _divide_by_language(data: SplitData) -> Division:
    groups = FragmentGroups.of(data, "languages", columns(data.benchmark.sql(_LANGUAGES_SQL)))
    return groups.divide(data, groups.parts(data))


CROSS_LANGUAGE = View(
    name="cross-language",
    question="How good is it in a programming language that it has not seen?",
    keeps_together="languages",
    needs="fragments in several languages",
    divide=_divide_by_language,
)


# cross-generator: fragments that pairs connect, since they were generated from one function.

_PAIRS_SQL = 'SELECT DISTINCT "left" AS one, "right" AS other FROM pairs'


def _divide_by_first_function(data: SplitData) -> Division:
    rows = data.benchmark.sql(_PAIRS_SQL)
    if not rows.num_rows:
        raise InputError(
            "The view 'cross-generator' needs pairs of a first function and what was generated from it, and the "
            "benchmark has no pairs.",
            where=data.benchmark.path,
            hint="Views that need no pairs: random, cross-project, cross-functionality.",
        )
    left, right = rows["one"].to_numpy(), rows["other"].to_numpy()
    every_fragment = np.arange(len(data), dtype=np.int64)
    same_text = data.near_duplicates.same
    roots = connected(len(data), np.concatenate([left, every_fragment]), np.concatenate([right, same_text]))
    paired = np.unique(np.concatenate([left, right]))
    groups = FragmentGroups.chains(data, "first functions that pairs do not connect", paired, roots)
    return groups.divide(data, groups.parts(data))


CROSS_GENERATOR = View(
    name="cross-generator",
    question="How good is it on variations of functions of which it has seen no variation?",
    keeps_together="fragments that were generated from one first function",
    needs="pairs of a first function and what was generated from it",
    divide=_divide_by_first_function,
)
