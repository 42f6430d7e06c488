"""The worst disagreements between a detector and the verdicts, with their code, for people to inspect."""

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

MAX_DISAGREEMENTS = 12
MAX_TEXT = 4_000
"""Number of characters of a text that are kept."""

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


def worst_disagreements(
    benchmark: Benchmark, verdicts: VerdictTable, decided: Decisions, *, decides: bool
) -> tuple[Disagreement, ...]:
    """The highest-scored non-clones and the lowest-scored clones, half of each as far as there are enough.

    Without scores, the wrong decisions on the most alike types come first: a missed Type-1 clone is worse than a
    missed Type-4 clone.

    Args:
        benchmark: the benchmark.
        verdicts: what the policy concludes.
        decided: the decisions.
        decides: whether there are decisions; without them, only the scores count.
    """
    outcomes = decided.outcomes
    wrong = outcomes.predicted != outcomes.truth if decides else np.ones(len(outcomes), dtype=bool)
    if outcomes.score is None:
        worst_alarms = worst_misses = -_claimed_similarity(benchmark, decided)
    else:
        worst_alarms, worst_misses = -outcomes.score, outcomes.score
    alarms = _distinct(decided, np.flatnonzero(wrong & ~outcomes.truth), worst_alarms)
    misses = _distinct(decided, np.flatnonzero(wrong & outcomes.truth), worst_misses)
    most, half = MAX_DISAGREEMENTS, MAX_DISAGREEMENTS // 2
    rows = np.concatenate([alarms[: max(half, most - len(misses))], misses[: max(half, most - len(alarms))]])
    examples = pa.table({"place": np.arange(len(rows)), "pair": decided.subjects.pair[rows]})
    text = EXAMPLES_SQL.format(longest=MAX_TEXT)
    described = benchmark.sql(text, examples=examples, verdicts=verdicts.path).to_pylist()
    return tuple(
        Disagreement(
            left=_location(row, "left"),
            right=_location(row, "right"),
            verdict=row["verdict"],
            predicted=_predicted(bool(outcomes.predicted[at]), decides),
            score=None if outcomes.score is None else float(outcomes.score[at]),
            reason=row["reason"],
            clone_type=row["clone_type"],
            functionality=row["functionality"],
        )
        for row, at in zip(described, rows.tolist(), strict=True)
    )


def _claimed_similarity(benchmark: Benchmark, decided: Decisions) -> Floats:
    """How similar the claimed type of each pair is: larger for more similar types, 0 for no type."""
    names = list(TYPE_MEANINGS)
    ranks = pa.table({"type": names, "similarity": np.arange(len(names), 0, -1, dtype=np.float64)})
    rows = benchmark.sql(
        "SELECT p.pair AS pair, r.similarity AS similarity FROM pairs p JOIN ranks r ON p.claimed_type = r.type",
        ranks=ranks,
    )
    similarity = np.zeros(benchmark.counts["pairs"])
    similarity[rows["pair"].to_numpy()] = rows["similarity"].to_numpy()
    of_subjects: Floats = similarity[decided.subjects.pair]
    return of_subjects


def _distinct(decided: Decisions, rows: Integers, badness: Floats) -> Integers:
    """The first rows by badness (the smallest first), no unordered pair twice; ties in the order of the rows."""
    subjects = decided.subjects
    # Few rows repeat a pair, so that a multiple of the wanted rows is enough.
    near, enough = rows, 100 * MAX_DISAGREEMENTS
    if len(rows) > enough:
        near = rows[badness[rows] <= np.partition(badness[rows], enough)[enough]]
    ordered = near[np.lexsort((subjects.pair[near], badness[near]))]
    _, first = np.unique(subjects.pair_key[ordered], return_index=True)
    distinct: Integers = ordered[np.sort(first)][:MAX_DISAGREEMENTS]
    return distinct


def _location(row: dict[str, Any], side: str) -> FragmentLocation:
    names = ("id", "language", "path", "first_line", "last_line", "text")
    return FragmentLocation(**{name: row[f"{side}_{name}"] for name in names})


def _predicted(clone: bool, decides: bool) -> str:
    if not decides:
        return "score only"
    return str(VerdictValue.CLONE if clone else VerdictValue.NOT_CLONE)
