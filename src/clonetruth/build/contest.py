"""Contest sources, balanced and paired like GoogleCodeJam2 (Li et al., ISSRE 2023).

The recipe makes no labels: the pairs are candidates, and the policy `members` decides on them from the online judge's
verdict on each solution. Pairs across problems have a verdict only if the source's card calls its problems disjoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.build.copies import text_digests
from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.errors import InputError
from clonetruth.model import JudgeKind, Recipe
from clonetruth.options.build import ContestOptions
from clonetruth.options.declaration import verb
from clonetruth.store import Benchmark, open_benchmark

# Draws without replacement from a range too large to list: a keyed permutation, so that a larger draw contains a
# smaller one. A Feistel network mixes the bits of a number; results outside the range go through it again until they
# are inside. It is a permutation, so no number comes twice, and only the requested ones are computed.

Integers = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]

_ROUNDS = 6


def draw(total: int, count: int, seed: int) -> Integers:
    """`count` different numbers below `total` (all of them if there are fewer), determined by the seed."""
    if total <= 0:
        return np.empty(0, np.int64)
    half = max((total - 1).bit_length() + 1, 2) // 2
    numbers = np.arange(min(count, total), dtype=np.uint64)
    numbers = _mixed(numbers, half, seed)
    while (outside := numbers >= np.uint64(total)).any():
        numbers[outside] = _mixed(numbers[outside], half, seed)
    return numbers.astype(np.int64)


def _mixed(numbers: _Words, half: int, seed: int) -> _Words:
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = numbers >> bits, numbers & mask
    for number in range(_ROUNDS):
        left, right = right, left ^ (_hashed(right, (seed << 8) + number) & mask)
    return (left << bits) | right


def _hashed(numbers: _Words, key: int) -> _Words:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014)."""
    with np.errstate(over="ignore"):
        mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64((key * 0xD1342543DE82EF95) % 2**64)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


# Pairs by number: all pairs within groups, and all pairs across groups, without listing them.
#
# The members are ordered by group: `starts` gives the first member of each group, `sizes` its number of members.


def count_within(sizes: Integers) -> int:
    """The number of pairs within groups."""
    return int((sizes * (sizes - 1) // 2).sum())


def count_across(sizes: Integers) -> int:
    """The number of pairs across groups."""
    return (int(sizes.sum()) ** 2 - int((sizes * sizes).sum())) // 2


def unrank_within(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers, Integers]:
    """The positions of the two sides of each numbered pair, and its group."""
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    # The pairs of a group are numbered by the later side: 0 is (0, 1), then (0, 2), (1, 2), (0, 3) …
    later = ((1 + np.sqrt(1 + 8 * rest.astype(np.float64))) / 2).astype(np.int64)
    # The root of a large number may be off by one.
    later -= later * (later - 1) // 2 > rest
    later += later * (later + 1) // 2 <= rest
    earlier = rest - later * (later - 1) // 2
    return starts[group] + earlier, starts[group] + later, group


def unrank_across(numbers: Integers, starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The positions of the two sides of each numbered pair: a member, and a member of a later group."""
    behind = starts + sizes
    width = int(sizes.sum()) - behind
    ends = np.cumsum(sizes * width)
    group = np.searchsorted(ends, numbers, side="right")
    rest = numbers - np.concatenate([[0], ends])[group]
    return starts[group] + rest // width[group], behind[group] + rest % width[group]


OPERATION = "contest"

_ACCEPTED = """
WITH counts AS (
    SELECT g.fragment AS fragment, g.functionality AS functionality,
        sum(CASE WHEN g.value = 'major' THEN 1 ELSE 0 END) AS accepting, count(*) AS decided
    FROM judgements g JOIN judges j ON g.judge = j.judge
    WHERE g.criterion = 'implements-functionality' AND g.value <> 'undecided'
        AND j.kind IN ('execution', 'person', 'llm')
    GROUP BY g.fragment, g.functionality
)
SELECT fragment, functionality FROM counts WHERE 2 * accepting > decided ORDER BY functionality, fragment
"""

_IN_TWO_PROBLEMS = """
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

_LARGE_PROBLEMS = """
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
class ContestParameters:
    """How a contest becomes a benchmark of pairs, as the recipe records it; `ContestOptions` explains each choice.

    `solutions` is the minimum number of accepted solutions of a problem (the paper took problems with more than 500).
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
            raise InputError(f"{self.solutions} solutions cannot form a pair.", hint="Choose 2 or more.")
        if self.cap is not None and self.cap < 2:
            raise InputError(f"A cap of {self.cap} leaves no pairs.", hint="Choose 2 or more.")
        if self.positives is not None and self.positives < 1:
            raise InputError(f"The number of positives is {self.positives}.", hint="Choose 1 or more.")
        if not 0 <= self.ratio < float("inf"):
            raise InputError(
                f"The ratio is {self.ratio:g}.", hint="It must be a number of negatives for each positive, 0 or more."
            )


@verb(ContestOptions)
def build_contest(options: ContestOptions) -> BuildReport:
    """Balance a contest source and pair its solutions, by the recipe of GoogleCodeJam2 (Li et al. 2023).

    Returns:
        The counts of each step, the balance before and after, published numbers next to ours, and warnings.

    Raises:
        InputError: no solution is known to be accepted, no problem has enough accepted solutions, an option is not
            valid, or the output folder exists.

    Example:
        >>> report = clonetruth.build_contest("my-benchmark", output="my-contest", at_least=2, positives=10)
        >>> report.counts["pairs"]
        20
    """
    parent = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    chosen = ContestParameters(
        solutions=options.at_least,
        cap=options.cap,
        contradictory=options.contradictory,
        copies=options.copies,
        positives=options.positives,
        ratio=options.ratio,
        seed=options.seed,
    )
    return derive_contest(parent, options.output, chosen)


def derive_contest(parent: Benchmark, output: Path, options: ContestParameters | None = None) -> BuildReport:
    """Make a benchmark of pairs from a contest source.

    Raises:
        InputError: no solution is known to be accepted, or no problem has enough accepted solutions.
    """
    options = options or ContestParameters()
    solutions = parent.sql(_ACCEPTED)
    if not solutions.num_rows:
        raise InputError(
            "The benchmark has no accepted solutions.",
            where=parent.path,
            hint="The recipe needs a contest source with an online judge's verdicts (gcj, poj104, codenet …).",
        )
    steps = [BuildStep("accepted", True, {"solutions": solutions.num_rows, "problems": _problems(solutions)})]
    digests = text_digests(parent)
    for name, text, applied, note in (
        (
            "same text in two problems",
            _IN_TWO_PROBLEMS,
            options.contradictory,
            "no pair can be both a clone and a non-clone",
        ),
        ("copies", _COPIES, options.copies, "further copies of a text within its problem"),
    ):
        dropped = parent.sql(text, solutions=solutions, digests=digests)
        steps.append(BuildStep(name, applied, {"dropped" if applied else "found": dropped.num_rows}, note))
        if applied:
            solutions = parent.sql(_WITHOUT, solutions=solutions, dropped=dropped)
    solutions, step = _keep_large(parent, solutions, options)
    steps.append(step)
    pairs, step = _draw_pairs(solutions, options)
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
            tables={"candidates": pairs},
            judge_kinds=tuple(JudgeKind),
        ),
        DerivationRecord(
            recipe=Recipe(OPERATION, recipe_parameters(options)),
            steps=tuple(steps),
            comparisons=_comparisons(solutions),
            warnings=tuple(_warnings(parent, fragments, solutions)),
            seed=options.seed,
        ),
    )


def _problems(solutions: pa.Table) -> int:
    return len(solutions["functionality"].unique())


def _keep_large(parent: Benchmark, solutions: pa.Table, options: ContestParameters) -> tuple[pa.Table, BuildStep]:
    asked = pa.table(
        {
            "least": pa.array([options.solutions], pa.int64()),
            "cap": pa.array([options.cap], pa.int64()),
            "seed": pa.array([options.seed], pa.int64()),
        }
    )
    kept = parent.sql(_LARGE_PROBLEMS, solutions=solutions, asked=asked)
    if not kept.num_rows:
        sizes = sorted(np.unique(solutions["functionality"].to_numpy(), return_counts=True)[1].tolist(), reverse=True)
        raise InputError(
            f"No problem has {options.solutions:,} accepted solutions.",
            where=parent.path,
            hint=f"The largest have {', '.join(f'{size:,}' for size in sizes[:5])}: lower --at-least.",
        )
    counts = {
        "dropped": solutions.num_rows - kept.num_rows,
        "problems dropped": _problems(solutions) - _problems(kept),
        "problems": _problems(kept),
    }
    return kept, BuildStep(
        "size", True, counts, f"at least {options.solutions:,} solutions, at most {options.cap or 'all'}"
    )


def _draw_pairs(solutions: pa.Table, options: ContestParameters) -> tuple[pa.Table, BuildStep]:
    """Draw pairs by number: first those within problems, then those across, each in its own order."""
    fragments, problems = (solutions[name].to_numpy() for name in ("fragment", "functionality"))
    names, starts, sizes = np.unique(problems, return_index=True, return_counts=True)
    within, across = count_within(sizes), count_across(sizes)
    count = within if options.positives is None else min(options.positives, within)
    positives = np.sort(draw(within, count, options.seed))
    negatives = np.sort(draw(across, round(count * options.ratio), options.seed))
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
    return table, BuildStep("pairs", True, counts, "candidates without labels; the policy 'members' decides")


def _warnings(parent: Benchmark, fragments: pa.Table, solutions: pa.Table) -> Sequence[str]:
    warnings = []
    if _problems(solutions) == 1:
        warnings.append("Only one problem is left: there are no pairs across problems.")
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
        warnings.append(
            f"{without:,} of {fragments.num_rows:,} solutions have no author, so they cannot be split by project."
        )
    return warnings


def _comparisons(solutions: pa.Table) -> tuple[PublishedComparison, ...]:
    sizes = np.unique(solutions["functionality"].to_numpy(), return_counts=True)[1]
    note = "GoogleCodeJam2, which was collected separately from the contests of 2013 to 2017: a different collection"
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
    options=ContestParameters,
    build=derive_contest,
)
