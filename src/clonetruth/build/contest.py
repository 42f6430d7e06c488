"""Contest sources, balanced and paired like GoogleCodeJam2 (Li et al., ISSRE 2023).

The recipe makes no labels: the pairs are candidates, and the policy `members` decides on them from the online judge's
verdict on each solution. Pairs across problems have a verdict only if the source's card calls its problems disjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.build.copies import text_digests
from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.build.shared_programs import SharedPrograms, find_shared_programs
from clonetruth.errors import InputError
from clonetruth.model import Card, JudgeKind, Recipe
from clonetruth.options.build import ContestOptions
from clonetruth.options.declaration import verb
from clonetruth.stats.pair_numbers import count_across, count_within, draw, unrank_across, unrank_within
from clonetruth.stats.rates import Integers
from clonetruth.store import Benchmark, open_benchmark

OPERATION = "contest"
OVERLAPPING = ("keep", "merge", "leave-out")

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


_SOLUTION_LANGUAGES = """
SELECT f.language AS language
FROM solutions s
JOIN fragments f ON s.fragment = f.fragment
ORDER BY s.functionality, s.fragment
"""


@dataclass(frozen=True)
class ContestParameters:
    """How a contest becomes a benchmark of pairs, as the recipe records it; `ContestOptions` explains each choice.

    `solutions` is the minimum number of accepted solutions of a problem (the paper took problems with more than 500).
    """

    solutions: int = 500
    cap: int | None = None
    overlapping_problems: str = "keep"
    contradictory: bool = True
    copies: bool = True
    pairs: bool = True
    positives: int | None = None
    ratio: float = 1.0
    across_languages: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.overlapping_problems not in OVERLAPPING:
            raise InputError(
                f"There is no treatment '{self.overlapping_problems}' of overlapping problems.",
                hint=f"Known: {', '.join(OVERLAPPING)}.",
            )
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
        overlapping_problems=options.overlapping_problems,
        contradictory=options.contradictory,
        copies=options.copies,
        pairs=options.pairs,
        positives=options.positives,
        ratio=options.ratio,
        across_languages=options.across_languages,
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
    merged: dict[int, int] = {}
    if options.overlapping_problems != "keep":
        found = find_shared_programs(parent, solutions)
        steps.append(_overlap_step(parent, found, options.overlapping_problems))
        solutions, merged = _without_overlap(parent, solutions, found, options.overlapping_problems)
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
    pairs, step = _draw_pairs(solutions, _languages(parent, solutions, options), options)
    steps.append(step)
    fragments = pa.table({"fragment": solutions["fragment"].unique()})
    return derive(
        parent,
        output,
        _card(parent.card, options),
        DerivationPlan(
            fragments=fragments,
            memberships=parent.sql(
                "SELECT DISTINCT s.fragment AS fragment, s.functionality AS functionality, m.role AS role "
                "FROM memberships m LEFT JOIN merged g ON m.functionality = g.functionality "
                "JOIN solutions s ON m.fragment = s.fragment "
                "AND coalesce(g.becomes, m.functionality) = s.functionality",
                solutions=solutions,
                merged=_merge_table(merged),
            ),
            functionalities=_kept_functionalities(solutions, merged),
            pairs="SELECT c.left AS left, c.right AS right, c.functionality AS functionality, "
            "CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason FROM candidates c",
            tables={"candidates": pairs},
            judge_kinds=tuple(JudgeKind),
            unpaired=not options.pairs,
        ),
        DerivationRecord(
            recipe=Recipe(OPERATION, recipe_parameters(options)),
            steps=tuple(steps),
            comparisons=_comparisons(solutions),
            warnings=tuple(
                _warnings(parent, fragments, solutions, disjoint=_card(parent.card, options).problems_disjoint)
            ),
            seed=options.seed,
        ),
    )


def _problems(solutions: pa.Table) -> int:
    return len(solutions["functionality"].unique())


# Problems that share programs.

_REMAPPED = """
SELECT DISTINCT s.fragment AS fragment, coalesce(g.becomes, s.functionality) AS functionality
FROM solutions s
LEFT JOIN merged g ON s.functionality = g.functionality
LEFT JOIN dropped d ON s.functionality = d.functionality
WHERE d.functionality IS NULL
ORDER BY functionality, fragment
"""


def _without_overlap(
    parent: Benchmark, solutions: pa.Table, found: SharedPrograms, how: str
) -> tuple[pa.Table, dict[int, int]]:
    """The solutions of disjoint problems, and the problem that each merged one becomes."""
    merged = {one: int(found.groups[one]) for one in found.problems if found.groups[one] != one}
    dropped = sorted(found.problems) if how == "leave-out" else []
    merged = {} if how == "leave-out" else dict(sorted(merged.items()))
    kept = parent.sql(
        _REMAPPED,
        solutions=solutions,
        merged=_merge_table(merged),
        dropped=pa.table({"functionality": pa.array(dropped, pa.int64())}),
    )
    if not kept.num_rows:
        raise InputError(
            "Every problem shares a program with another: none is left.",
            where=parent.path,
            hint="Merge them with --overlapping-problems merge.",
        )
    return kept, merged


def _overlap_step(parent: Benchmark, found: SharedPrograms, how: str) -> BuildStep:
    names = parent.sql("SELECT id FROM functionalities ORDER BY functionality")["id"].to_pylist()
    shown = [f"{names[one]} and {names[other]} ({count:,})" for (one, other), count in found.shared.items()]
    counts = {"problems": len(found.problems), "shared programs": sum(found.shared.values())}
    note = f"{how}; the same program up to layout, comments and names of variables"
    listed = f": {'; '.join(shown[:20])}{' …' if len(shown) > 20 else ''}" if shown else ""
    return BuildStep("overlapping problems", True, counts, note + listed)


def _merge_table(merged: Mapping[int, int]) -> pa.Table:
    return pa.table(
        {"functionality": pa.array(list(merged), pa.int64()), "becomes": pa.array(list(merged.values()), pa.int64())}
    )


def _kept_functionalities(solutions: pa.Table, merged: Mapping[int, int]) -> pa.Table:
    kept = solutions["functionality"].unique().to_pylist()
    own = pa.table({"functionality": pa.array(kept, pa.int64()), "becomes": pa.nulls(len(kept), pa.int64())})
    return pa.concat_tables([own, _merge_table({one: other for one, other in merged.items() if other in set(kept)})])


def _card(card: Card, options: ContestParameters) -> Card:
    paired = " and paired" if options.pairs else ""
    made = replace(
        card,
        name=f"{card.name}+{OPERATION}",
        description=f"{card.description} Balanced{paired} by GoogleCodeJam2's recipe (Li et al. 2023).",
    )
    if options.overlapping_problems == "keep":
        return made
    done = "merged" if options.overlapping_problems == "merge" else "left out"
    assumed = (
        f"Problems that share a program were {done}. That the others are disjoint is an assumption: no program, up to "
        "layout, comments and names of variables, was accepted for two of them."
    )
    return replace(made, problems_disjoint=True, known_flaws=(*card.known_flaws, assumed))


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


def _languages(parent: Benchmark, solutions: pa.Table, options: ContestParameters) -> Integers | None:
    """A number for the language of each solution, if both sides of a pair must be in different ones."""
    if not options.across_languages:
        return None
    names = parent.sql(_SOLUTION_LANGUAGES, solutions=solutions)["language"].to_numpy(zero_copy_only=False)
    known, numbers = np.unique(names, return_inverse=True)
    if len(known) < 2:
        raise InputError(
            f"All solutions are in {known[0]}: there are no pairs across languages.",
            where=parent.path,
            hint="Use a contest source with several languages (clcdsa, codenet), or leave out --across-languages.",
        )
    return numbers.astype(np.int64)


def _drawn(
    total: int, count: int, seed: int, unrank: Callable[[Integers], tuple[Integers, ...]], languages: Integers | None
) -> tuple[Integers, ...]:
    """Pairs by number, in order; with languages only those whose sides differ in them, as many as there are."""
    wanted = count
    while True:
        found = unrank(np.sort(draw(total, min(wanted, total), seed)))
        if languages is None:
            return found
        differs = languages[found[0]] != languages[found[1]]
        if differs.sum() >= count or wanted >= total:
            kept = np.flatnonzero(differs)[:count]
            return tuple(one[kept] for one in found)
        wanted *= 2


def _draw_pairs(
    solutions: pa.Table, languages: Integers | None, options: ContestParameters
) -> tuple[pa.Table, BuildStep]:
    """Draw pairs by number: first those within problems, then those across, each in its own order."""
    if not options.pairs:
        nothing = pa.array([], pa.int64())
        empty = pa.table({"left": nothing, "right": nothing, "functionality": nothing})
        return empty, BuildStep("pairs", False, {}, "drawn when they are needed")
    fragments, problems = (solutions[name].to_numpy() for name in ("fragment", "functionality"))
    names, starts, sizes = np.unique(problems, return_index=True, return_counts=True)
    within, across = count_within(sizes), count_across(sizes)
    count = within if options.positives is None else min(options.positives, within)
    left, right, problem = _drawn(
        within, count, options.seed, lambda numbers: unrank_within(numbers, starts, sizes), languages
    )
    other_left, other_right = _drawn(
        across,
        round(len(left) * options.ratio),
        options.seed,
        lambda numbers: unrank_across(numbers, starts, sizes),
        languages,
    )
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
    note = "candidates without labels; the policy 'members' decides"
    note += "; both in different languages" if options.across_languages else ""
    return table, BuildStep("pairs", True, counts, note)


def _warnings(parent: Benchmark, fragments: pa.Table, solutions: pa.Table, *, disjoint: bool) -> Sequence[str]:
    warnings = []
    if _problems(solutions) == 1:
        warnings.append("Only one problem is left: there are no pairs across problems.")
    if not disjoint:
        warnings.append(
            "The source's card does not call its problems disjoint: under the policy 'members' the pairs across "
            "problems are unknown, not non-clones. --overlapping-problems makes them disjoint."
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
