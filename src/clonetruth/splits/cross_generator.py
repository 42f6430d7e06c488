"""The view `cross-generator`: all that was generated from one first function together, however many steps it took.

Sets made by a generator have pairs of a first function and what was made of it. What pairs connect, directly or through
others, comes from one first function; the same text under two ids is one function (CT507).
"""

from __future__ import annotations

import numpy as np

from clonetruth.errors import InputError
from clonetruth.splits.division import Division, FragmentGroups
from clonetruth.splits.near_duplicates import connected
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import View

_PAIRS_SQL = 'SELECT DISTINCT "left" AS one, "right" AS other FROM pairs'


def _divide(material: SplitData) -> Division:
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
    divide=_divide,
)
