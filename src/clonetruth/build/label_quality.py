"""Label quality: are the labels that ConBigCloneBench keeps better than those that it drops?

The answer comes from a benchmark whose pairs a dataset calls clones and people judged again (bcb406, iwsc100): the
share of pairs that the evidence confirms. Pairs are grouped by their line similarity or, given a benchmark with
exemplars, by the recipe's own rule: a side that is similar to an exemplar is merged with them, and pairs of two
unmerged sides are dropped.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.code import LANGUAGES, FragmentForms, fragment_forms, language, similarity
from clonetruth.errors import InputError
from clonetruth.measures import classify_pairs
from clonetruth.options.build import LabelQualityOptions
from clonetruth.options.declaration import verb
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.verdicts import judge_verdicts

_CUT_RULE = "min"

_BY_PAIR = """
SELECT p.pair AS pair, CASE WHEN m.similarity_line > a.threshold THEN 0 ELSE 1 END AS place
FROM pairs p JOIN measures_min m ON p.pair = m.pair CROSS JOIN asked a
WHERE p.claimed_type IS NOT NULL AND m.similarity_line IS NOT NULL
"""

_SIDES = """
WITH sides AS (
    SELECT p.pair AS pair, p.functionality AS functionality, p.left AS fragment
    FROM pairs p WHERE p.claimed_type IS NOT NULL
    UNION ALL
    SELECT p.pair AS pair, p.functionality AS functionality, p.right AS fragment
    FROM pairs p WHERE p.claimed_type IS NOT NULL
)
SELECT s.pair AS pair, g.id AS functionality, s.fragment AS fragment, f.language AS language, f.text AS text
FROM sides s
JOIN functionalities g ON s.functionality = g.functionality
JOIN fragments f ON s.fragment = f.fragment
ORDER BY s.pair, s.fragment
"""

_EXEMPLARS = """
SELECT g.id AS functionality, f.language AS language, f.text AS text
FROM memberships m
JOIN fragments f ON m.fragment = f.fragment
JOIN functionalities g ON m.functionality = g.functionality
WHERE m.role = 'exemplar'
ORDER BY m.functionality, m.fragment
"""

_COUNTS = """
SELECT g.place AS place, count(*) AS pairs,
    sum(CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END) AS clones,
    sum(CASE WHEN v.verdict = 'unknown' THEN 1 ELSE 0 END) AS unknown
FROM grouped g JOIN verdicts v ON g.pair = v.pair
GROUP BY g.place
"""


@dataclass(frozen=True)
class ConfirmedLabels:
    """Pairs that a dataset calls clones, and how many of them the evidence confirms.

    Attributes:
        group: the group of pairs.
        pairs: the number of pairs with a verdict.
        clones: those of them that are clones.
        unknown: the pairs without a verdict, which are not counted elsewhere.
    """

    group: str
    pairs: int
    clones: int
    unknown: int

    @property
    def share(self) -> float | None:
        """The share of correct labels; None if no pair has a verdict."""
        return self.clones / self.pairs if self.pairs else None


@dataclass(frozen=True)
class JudgedLabelQuality:
    """The share of correct labels by group.

    Attributes:
        criterion: the criterion of the judgements.
        groups: the groups; the threshold drops the last one.
        left_out: pairs without a text, or without an exemplar of their functionality.
    """

    criterion: str
    groups: tuple[ConfirmedLabels, ...]
    left_out: int = 0


@verb(LabelQualityOptions)
def measure_label_quality(options: LabelQualityOptions) -> JudgedLabelQuality:
    """Compare a dataset's clone labels with the verdicts on them, above and below a line similarity.

    The line similarity is measured if necessary. With `exemplars`, the pairs are grouped by the rule of
    ConBigCloneBench instead.

    Returns:
        The share of correct labels in each group.

    Raises:
        InputError: no pair has a claim, two texts and a judgement, or there are no exemplars.

    Example:
        >>> clonetruth.measure_label_quality("my-benchmark")
        Traceback (most recent call last):
        clonetruth.errors.InputError: my-benchmark: No pair has a dataset label, two texts and a judgement. ...
    """
    engine, memory_limit, threshold = options.engine, options.memory_limit, options.threshold
    judged = open_benchmark(options.judged, engine=engine, memory_limit=memory_limit)
    exemplars = options.exemplars
    if exemplars is None:
        names = [f"above {threshold:g}", f"at or below {threshold:g}"]
        if _CUT_RULE not in judged.measure_names():
            classify_pairs(judged, _CUT_RULE, processes=1)
        grouped = judged.sql(_BY_PAIR, asked=pa.table({"threshold": [threshold]}))
    else:
        names = ["both sides similar to an exemplar", "one side", "neither side: dropped"]
        grouped = _by_exemplars(judged, open_benchmark(exemplars, engine=engine, memory_limit=memory_limit), threshold)
    verdicts = judge_verdicts(judged)
    rows = judged.sql(_COUNTS, grouped=grouped, verdicts=verdicts.path).to_pylist()
    if not rows:
        raise InputError(
            "No pair has a dataset label, two texts and a judgement.",
            where=judged.path,
            hint="Import judged pairs with their texts, for example the source 'bcb406'.",
        )
    counts = {row["place"]: (row["pairs"] - row["unknown"], row["clones"], row["unknown"]) for row in rows}
    groups = tuple(ConfirmedLabels(name, *counts.get(place, (0, 0, 0))) for place, name in enumerate(names))
    claimed = judged.sql("SELECT count(*) AS n FROM pairs WHERE claimed_type IS NOT NULL")["n"][0].as_py()
    return JudgedLabelQuality(verdicts.criterion, groups, claimed - grouped.num_rows)


def _by_exemplars(judged: Benchmark, exemplars: Benchmark, threshold: float) -> pa.Table:
    """For each pair whose functionality has exemplars, the number of sides that are not similar to one."""
    examples: dict[tuple[str, str], list[FragmentForms]] = defaultdict(list)
    for row in exemplars.sql(_EXEMPLARS).to_pylist():
        forms = _forms(row["language"], row["text"])
        if forms is not None:
            examples[row["functionality"], row["language"]].append(forms)
    if not examples:
        raise InputError("The benchmark has no exemplars with a text.", where=exemplars.path)
    is_similar: dict[tuple[str, int], bool] = {}
    sides: dict[int, list[bool]] = defaultdict(list)
    for row in judged.sql(_SIDES).to_pylist():
        key = row["functionality"], row["fragment"]
        if key not in is_similar:
            forms = _forms(row["language"], row["text"])
            references = examples.get((row["functionality"], row["language"]), [])
            if forms is None or not references:
                continue
            is_similar[key] = any(similarity(forms, reference).line > threshold for reference in references)
        sides[row["pair"]].append(is_similar[key])
    places = {pair: similar.count(False) for pair, similar in sides.items() if len(similar) == 2}
    return pa.table({"pair": pa.array(list(places), pa.int64()), "place": pa.array(list(places.values()), pa.int64())})


def _forms(name: str, text: str) -> FragmentForms | None:
    return fragment_forms(text, language(name)) if name in LANGUAGES and text.strip() else None
