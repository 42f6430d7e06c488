"""The worst disagreements between a detector and the verdicts, with the code, for people to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from clonetruth.code import TYPE_MEANINGS
from clonetruth.evaluate.pairs.decisions import Decisions
from clonetruth.model import VerdictValue
from clonetruth.stats.rates import Floats, Integers
from clonetruth.store import Benchmark
from clonetruth.store.results import Disagreement, FragmentLocation
from clonetruth.verdicts import VerdictTable

MOST = 12
LONGEST = 4_000
"""Characters of a text that are kept."""

EXAMPLES_SQL = """
SELECT e.place AS place, p.claimed_type AS clone_type, f.name AS functionality, v.verdict AS verdict,
    v.reason AS reason,
    a.id AS left_id, a.language AS left_language, a.path AS left_path, a.first_line AS left_first_line,
    a.last_line AS left_last_line, substring(a.text, 1, {longest}) AS left_text,
    b.id AS right_id, b.language AS right_language, b.path AS right_path, b.first_line AS right_first_line,
    b.last_line AS right_last_line, substring(b.text, 1, {longest}) AS right_text
FROM examples e
JOIN pairs p ON e.pair = p.pair
JOIN verdicts v ON e.pair = v.pair
JOIN fragments a ON p.left = a.fragment
JOIN fragments b ON p.right = b.fragment
LEFT JOIN functionalities f ON p.functionality = f.functionality
ORDER BY e.place
"""


def worst(
    benchmark: Benchmark, verdicts: VerdictTable, decided: Decisions, *, decides: bool
) -> tuple[Disagreement, ...]:
    """The highest-scored non-clones and the lowest-scored clones, half of each as far as there are.

    Without scores, the wrong decisions on the most alike types come first: a missed Type-1 clone is worse than a
    missed Type-4 clone.

    Args:
        benchmark: the benchmark.
        verdicts: what the policy concludes.
        decided: the decisions.
        decides: whether there are decisions; without them, the scores alone speak.
    """
    outcomes = decided.outcomes
    wrong = outcomes.predicted != outcomes.truth if decides else np.ones(len(outcomes), dtype=bool)
    if outcomes.score is None:
        worst_alarms = worst_misses = -_likeness(benchmark, decided)
    else:
        worst_alarms, worst_misses = -outcomes.score, outcomes.score
    alarms = _distinct(decided, np.flatnonzero(wrong & ~outcomes.truth), worst_alarms)
    misses = _distinct(decided, np.flatnonzero(wrong & outcomes.truth), worst_misses)
    half = MOST // 2
    rows = np.concatenate([alarms[: max(half, MOST - len(misses))], misses[: max(half, MOST - len(alarms))]])
    examples = pa.table({"place": np.arange(len(rows)), "pair": decided.subjects.pair[rows]})
    text = EXAMPLES_SQL.format(longest=LONGEST)
    found = benchmark.sql(text, examples=examples, verdicts=verdicts.path).to_pylist()
    return tuple(
        Disagreement(
            left=_place(row, "left"),
            right=_place(row, "right"),
            verdict=row["verdict"],
            predicted=_predicted(bool(outcomes.predicted[at]), decides),
            score=None if outcomes.score is None else float(outcomes.score[at]),
            reason=row["reason"],
            clone_type=row["clone_type"],
            functionality=row["functionality"],
        )
        for row, at in zip(found, rows.tolist(), strict=True)
    )


def _likeness(benchmark: Benchmark, decided: Decisions) -> Floats:
    """How alike a pair claims to be, by its type: larger for the more alike, least for no type."""
    names = list(TYPE_MEANINGS)
    rank = pa.table({"type": names, "likeness": np.arange(len(names), 0, -1, dtype=np.float64)})
    rows = benchmark.sql(
        "SELECT p.pair AS pair, r.likeness AS likeness FROM pairs p JOIN ranks r ON p.claimed_type = r.type", ranks=rank
    )
    likeness = np.zeros(benchmark.counts["pairs"])
    likeness[rows["pair"].to_numpy()] = rows["likeness"].to_numpy()
    found: Floats = likeness[decided.subjects.pair]
    return found


def _distinct(decided: Decisions, rows: Integers, badness: Floats) -> Integers:
    """The first of rows by badness (the least first), no unordered pair twice; ties by the row's key."""
    subjects = decided.subjects
    # Repeats of a pair are few; looking at some more rows than are wanted leaves enough.
    near = rows
    if len(rows) > 100 * MOST:
        near = rows[badness[rows] <= np.partition(badness[rows], 100 * MOST)[100 * MOST]]
    ordered = near[np.lexsort((subjects.pair[near], badness[near]))]
    _, first = np.unique(subjects.pair_key[ordered], return_index=True)
    found: Integers = ordered[np.sort(first)][:MOST]
    return found


def _place(row: dict[str, Any], side: str) -> FragmentLocation:
    names = ("id", "language", "path", "first_line", "last_line", "text")
    return FragmentLocation(**{name: row[f"{side}_{name}"] for name in names})


def _predicted(clone: bool, decides: bool) -> str:
    if not decides:
        return "score only"
    return str(VerdictValue.CLONE if clone else VerdictValue.NOT_CLONE)
