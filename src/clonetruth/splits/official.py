"""Official splits by name: views whose parts were published, so that a number is comparable with those of papers.

They have no seed. Near duplicates may be in two parts, since the published parts have them there.
"""

from __future__ import annotations

import numpy as np

from clonetruth.arrow_files import parquet_batches
from clonetruth.audit.texts import digest
from clonetruth.errors import InputError
from clonetruth.splits.division import Division
from clonetruth.splits.spec import Parts
from clonetruth.splits.split_data import Flags, SplitData
from clonetruth.splits.view import View
from clonetruth.stats.rates import Integers
from clonetruth.store.schemas import PARTS

COPY = "further copy of a text of its problem"

_LAST_PROBLEMS = dict(zip(PARTS, (64, 80, 104), strict=True))
"""The last problem of each part in CodeXGLUE's version of POJ-104: 64, 16 and 24 problems."""


def _divide_by_codexglue(data: SplitData) -> Division:
    fragments, labels = data.members
    problems = np.array([int(label) if label.isdecimal() else 0 for label in labels], np.int64)
    lasts = list(_LAST_PROBLEMS.values())
    if not len(problems) or problems.min() < 1 or problems.max() > lasts[-1]:
        foreign = next((label for label, one in zip(labels, problems, strict=True) if not 1 <= one <= lasts[-1]), "")
        raise InputError(
            "The view 'codexglue' divides the problems 1 to 104 of POJ-104"
            + (f", and the benchmark has the functionality '{foreign}'." if foreign else "."),
            where=data.benchmark.path,
            hint="Other views: random, cross-project, cross-functionality.",
        )
    part: Parts = np.full(len(data), -1, np.int8)
    part[fragments] = np.searchsorted(lasts, problems)
    number = np.zeros(len(data), np.int64)
    number[fragments] = problems
    # A public version contains problems 65 and 81 twice; the published parts have no copies within a problem.
    return Division(part).without(_copies(data, number), COPY)


def _copies(data: SplitData, problem: Integers) -> Flags:
    """Which fragments have the text of an earlier one of their problem, up to white space."""
    seen: set[tuple[int, int]] = set()
    copies = np.zeros(len(data), np.bool_)
    (path,) = data.benchmark.parquet("fragments")
    for batch in parquet_batches(path, 1024, ["fragment", "text"]):
        for key, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            known = (int(problem[key]), digest(text))
            copies[key] = known in seen
            seen.add(known)
    return copies


CODEXGLUE = View(
    name="codexglue",
    question="How good is it on the problems that CodeXGLUE tests POJ-104 on?",
    keeps_together="problems",
    needs="the problems 1 to 104 of POJ-104 as functionalities",
    divide=_divide_by_codexglue,
    rules=("CT505",),
    official=True,
)
