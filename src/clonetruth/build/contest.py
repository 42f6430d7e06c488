"""Contests as GoogleCodeJam2 was made of them (Li et al., ISSRE 2023): many solutions, evenly many, paired.

No label is made: the pairs are candidates, and the policy `members` decides on them from what the online judge said of
each solution. Pairs across problems have a verdict only where the source's card calls its problems disjoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.expansion import text_digests
from clonetruth.build.near_misses import Integers, draw
from clonetruth.build.recipe import BuildRecipe, parameters_of
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.errors import InputError
from clonetruth.model import JudgeKind, Recipe
from clonetruth.store import Benchmark

# Pairs by number: all pairs within groups, and all pairs across them, without listing them.
#
# Members stand in a row, group after group: `starts` says where a group begins, `sizes` how many it has.


def count_within(sizes: Integers) -> int:
    """The pairs of two members of one group."""
    return int((sizes * (sizes - 1) // 2).sum())


def count_across(sizes: Integers) -> int:
    """The pairs of members of different groups."""
    return (int(sizes.sum()) ** 2 - int((sizes * sizes).sum())) // 2


def unrank_within(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers, Integers]:
    """The places of the two sides of each numbered pair, and its group."""
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    # The pairs of a group are numbered by the later side: 0 is (0, 1), then (0, 2), (1, 2), (0, 3) …
    later = ((1 + np.sqrt(1 + 8 * rest.astype(np.float64))) / 2).astype(np.int64)
    # The root of a large number may be one off.
    later -= later * (later - 1) // 2 > rest
    later += later * (later + 1) // 2 <= rest
    earlier = rest - later * (later - 1) // 2
    return starts[group] + earlier, starts[group] + later, group


def unrank_across(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The places of the two sides of each numbered pair: a member, and one of a later group."""
    behind = starts + sizes
    width = int(sizes.sum()) - behind
    ends = np.cumsum(sizes * width)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    return starts[group] + rest // width[group], behind[group] + rest % width[group]


OPERATION = "contest"

_ACCEPTED = """
WITH tallies AS (
    SELECT g.fragment AS fragment, g.functionality AS functionality,
        sum(CASE WHEN g.value = 'major' THEN 1 ELSE 0 END) AS accepting, count(*) AS decided
    FROM judgements g JOIN judges j ON g.judge = j.judge
    WHERE g.criterion = 'implements-functionality' AND g.value <> 'undecided'
        AND j.kind IN ('execution', 'person', 'llm')
    GROUP BY g.fragment, g.functionality
)
SELECT fragment, functionality FROM tallies WHERE 2 * accepting > decided ORDER BY functionality, fragment
"""

_ELSEWHERE = """
SELECT DISTINCT s.fragment AS fragment FROM solutions s JOIN digests d ON s.fragment = d.fragment
WHERE d.digest IN (
    SELECT d.digest FROM solutions s JOIN digests d ON s.fragment = d.fragment
    GROUP BY d.digest HAVING count(DISTINCT s.functionality) > 1
)
UNION
SELECT fragment FROM solutions GROUP BY fragment HAVING count(DISTINCT functionality) > 1
"""

_COPIES = """
SELECT fragment FROM (
    SELECT s.fragment AS fragment,
        row_number() OVER (PARTITION BY s.functionality, d.digest ORDER BY s.fragment) AS place
    FROM solutions s JOIN digests d ON s.fragment = d.fragment
) numbered WHERE place > 1
"""

_WITHOUT = """
SELECT s.fragment AS fragment, s.functionality AS functionality
FROM solutions s LEFT JOIN dropped d ON s.fragment = d.fragment
WHERE d.fragment IS NULL
ORDER BY s.functionality, s.fragment
"""

_LARGE = """
SELECT s.fragment AS fragment, s.functionality AS functionality
FROM (
    SELECT s.fragment AS fragment, s.functionality AS functionality,
        row_number() OVER (
            PARTITION BY s.functionality ORDER BY md5(concat(f.id, CAST(a.seed AS STRING))), f.id
        ) AS place
    FROM solutions s JOIN fragments f ON s.fragment = f.fragment CROSS JOIN asked a
) s
JOIN (SELECT functionality, count(*) AS size FROM solutions GROUP BY functionality) t
    ON s.functionality = t.functionality
CROSS JOIN asked a
WHERE t.size >= a.least AND (a.cap IS NULL OR s.place <= a.cap)
ORDER BY s.functionality, s.fragment
"""


@dataclass(frozen=True)
class ContestOptions:
    """How a contest becomes a benchmark of pairs.

    Attributes:
        solutions: the fewest accepted solutions of a problem (the paper took problems with more than 500).
        cap: the most solutions of a problem, drawn by hash; all unless told.
        contradictory: leave out texts that stand in two problems, so that no clone pair is called none.
        copies: leave out further copies of a text in its problem.
        positives: the most pairs within problems, drawn by hash; all unless told.
        ratio: pairs across problems for each pair within one.
        seed: of the draws.
    """

    solutions: int = 500
    cap: int | None = None
    contradictory: bool = True
    copies: bool = True
    positives: int | None = None
    ratio: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.solutions < 2:
            raise InputError(f"Of {self.solutions} solutions no pair can be made.", hint="Ask for 2 or more.")
        if self.cap is not None and self.cap < 2:
            raise InputError(f"A cap of {self.cap} leaves no pair.", hint="Choose 2 or more.")
        if self.positives is not None and self.positives < 1:
            raise InputError(f"A budget of {self.positives} pairs is none.", hint="Choose 1 or more.")
        if not 0 <= self.ratio < float("inf"):
            raise InputError(f"The ratio is {self.ratio:g}.", hint="It is the number of negatives for each positive.")


def build_contest(parent: Benchmark, output: Path, options: ContestOptions | None = None) -> BuildReport:
    """Make a benchmark of pairs of a contest source.

    Raises:
        InputError: no solution is known to be accepted, or no problem has enough of them.
    """
    options = options or ContestOptions()
    solutions = parent.sql(_ACCEPTED)
    if not solutions.num_rows:
        raise InputError(
            "No fragment is known to solve its problem.",
            where=parent.path,
            hint="The recipe is for contest sources, whose judge accepted the solutions (gcj, poj104, codenet …).",
        )
    steps = [BuildStep("accepted", True, {"solutions": solutions.num_rows, "problems": _problems(solutions)})]
    digests = text_digests(parent)
    for name, text, wanted, note in (
        ("same text in two problems", _ELSEWHERE, options.contradictory, "no pair can be a clone and none"),
        ("copies", _COPIES, options.copies, "further copies of a text within its problem"),
    ):
        dropped = parent.sql(text, solutions=solutions, digests=digests)
        steps.append(BuildStep(name, wanted, {"dropped" if wanted else "found": dropped.num_rows}, note))
        if wanted:
            solutions = parent.sql(_WITHOUT, solutions=solutions, dropped=dropped)
    solutions, step = _large(parent, solutions, options)
    steps.append(step)
    pairs, step = _pairs(solutions, options)
    steps.append(step)
    fragments = pa.table({"fragment": solutions["fragment"].unique()})
    return derive(
        parent,
        output,
        replace(
            parent.card,
            name=f"{parent.card.name}+{OPERATION}",
            description=f"{parent.card.description} Balanced and paired by GoogleCodeJam2's recipe (Li et al. 2023).",
        ),
        DerivationPlan(
            fragments=fragments,
            memberships=parent.sql(
                "SELECT m.fragment AS fragment, m.functionality AS functionality, m.role AS role FROM memberships m "
                "JOIN solutions s ON m.fragment = s.fragment AND m.functionality = s.functionality",
                solutions=solutions,
            ),
            functionalities=pa.table({"functionality": solutions["functionality"].unique()}),
            pairs="SELECT c.left AS left, c.right AS right, c.functionality AS functionality, "
            "CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason FROM candidates c",
            extra={"candidates": pairs},
            kinds=tuple(JudgeKind),
        ),
        DerivationRecipe(
            recipe=Recipe(OPERATION, parameters_of(options)),
            steps=tuple(steps),
            comparisons=_comparisons(solutions),
            warnings=tuple(_warnings(parent, fragments, solutions)),
            seed=options.seed,
        ),
    )


def _problems(solutions: pa.Table) -> int:
    return len(solutions["functionality"].unique())


def _large(parent: Benchmark, solutions: pa.Table, options: ContestOptions) -> tuple[pa.Table, BuildStep]:
    asked = pa.table(
        {
            "least": pa.array([options.solutions], pa.int64()),
            "cap": pa.array([options.cap], pa.int64()),
            "seed": pa.array([options.seed], pa.int64()),
        }
    )
    kept = parent.sql(_LARGE, solutions=solutions, asked=asked)
    if not kept.num_rows:
        sizes = sorted(np.unique(solutions["functionality"].to_numpy(), return_counts=True)[1].tolist(), reverse=True)
        raise InputError(
            f"No problem has {options.solutions:,} accepted solutions.",
            where=parent.path,
            hint=f"The largest have {', '.join(f'{size:,}' for size in sizes[:5])}: ask for fewer (--at-least).",
        )
    counts = {
        "dropped": solutions.num_rows - kept.num_rows,
        "problems dropped": _problems(solutions) - _problems(kept),
        "problems": _problems(kept),
    }
    return kept, BuildStep(
        "size", True, counts, f"at least {options.solutions:,} solutions, at most {options.cap or 'all'}"
    )


def _pairs(solutions: pa.Table, options: ContestOptions) -> tuple[pa.Table, BuildStep]:
    """The pairs by number: those within problems first, then those across, each class in an order of its own."""
    fragments, problems = (solutions[name].to_numpy() for name in ("fragment", "functionality"))
    names, starts, sizes = np.unique(problems, return_index=True, return_counts=True)
    within, across = count_within(sizes), count_across(sizes)
    wanted = within if options.positives is None else min(options.positives, within)
    positives = np.sort(draw(within, wanted, options.seed))
    negatives = np.sort(draw(across, round(wanted * options.ratio), options.seed))
    left, right, problem = unrank_within(positives, starts, sizes)
    other_left, other_right = unrank_across(negatives, starts, sizes)
    functionality = pa.array(names[problem], pa.int64())
    table = pa.table(
        {
            "left": fragments[np.concatenate([left, other_left])],
            "right": fragments[np.concatenate([right, other_right])],
            "functionality": pa.concat_arrays([functionality, pa.nulls(len(other_left), pa.int64())]),
        }
    )
    counts = {
        "within problems": len(left),
        "possible within": within,
        "across problems": len(other_left),
        "possible across": across,
    }
    return table, BuildStep("pairs", True, counts, "candidates without a label; the policy 'members' decides")


def _warnings(parent: Benchmark, fragments: pa.Table, solutions: pa.Table) -> Sequence[str]:
    warnings = []
    if _problems(solutions) == 1:
        warnings.append("One problem is left: there are no pairs across problems.")
    if not parent.card.problems_disjoint:
        warnings.append(
            "The source's card does not call its problems disjoint: under the policy 'members' the pairs across "
            "problems are unknown, not non-clones."
        )
    without = parent.sql(
        "SELECT count(*) AS n FROM fragments f JOIN kept k ON f.fragment = k.fragment WHERE f.project IS NULL",
        kept=fragments,
    )["n"][0].as_py()
    if without:
        warnings.append(f"{without:,} of {fragments.num_rows:,} solutions have no author: no view by project.")
    return warnings


def _comparisons(solutions: pa.Table) -> tuple[PublishedComparison, ...]:
    sizes = np.unique(solutions["functionality"].to_numpy(), return_counts=True)[1]
    note = "GoogleCodeJam2, collected anew from the contests of 2013 to 2017: another collection than this source's"
    return (
        PublishedComparison("problems", 20, len(sizes), note),
        PublishedComparison("solutions", 12460, int(sizes.sum())),
        PublishedComparison("mean solutions of a problem", 623.0, float(sizes.mean())),
        PublishedComparison("spread of the solutions of a problem", 114.8, float(sizes.std()), "called a variance"),
    )


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="GoogleCodeJam2's recipe for any contest: problems with many accepted solutions, balanced and paired.",
    reference=(
        "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code Clone "
        "Detection. ISSRE 2023."
    ),
    options=ContestOptions,
    build=build_contest,
)
