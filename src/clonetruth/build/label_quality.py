"""Label quality: are the labels that ConBigCloneBench keeps better than those that it drops?

Asked of a benchmark whose pairs a dataset calls clones and people judged again (bcb406, iwsc100): how many of them does
the evidence uphold? Divided by the pair's own line similarity; or, where a benchmark with exemplars is at hand, by the
recipe's own rule: a side that is like an exemplar is merged with them, and pairs of two unmerged sides are dropped.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.code import LANGUAGES, FragmentForms, fragment_forms, language, similarity
from clonetruth.errors import InputError
from clonetruth.measures import classify
from clonetruth.store import Benchmark
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
class Upheld:
    """Pairs that a dataset calls clones, and how many of them the evidence upholds.

    Attributes:
        group: which pairs.
        pairs: those with a verdict.
        clones: those of them that are clones.
        unknown: those without a verdict, counted nowhere else.
    """

    group: str
    pairs: int
    clones: int
    unknown: int

    @property
    def share(self) -> float | None:
        """The labels that are right, as a share; None where no pair has a verdict."""
        return self.clones / self.pairs if self.pairs else None


@dataclass(frozen=True)
class JudgedLabelQuality:
    """Labels that are right, by group.

    Attributes:
        criterion: what the judges were asked.
        groups: the groups; the last is what the threshold drops.
        left_out: pairs whose functionality has no exemplar at hand.
    """

    criterion: str
    groups: tuple[Upheld, ...]
    left_out: int = 0


def label_quality(judged: Benchmark, threshold: float = 0.2, exemplars: Benchmark | None = None) -> JudgedLabelQuality:
    """Compare labels with verdicts, above and below a line similarity, which is measured where it was not.

    Args:
        judged: pairs that a dataset calls clones, with judgements.
        threshold: the line similarity.
        exemplars: a benchmark with exemplars of the same functionalities (by id), for the recipe's own rule.

    Raises:
        InputError: no pair has a claim, two texts and a judgement, or there are no exemplars.
    """
    if exemplars is None:
        names = [f"above {threshold:g}", f"at or below {threshold:g}"]
        if _CUT_RULE not in judged.measure_names():
            classify(judged, _CUT_RULE)
        grouped = judged.sql(_BY_PAIR, asked=pa.table({"threshold": [threshold]}))
    else:
        names = ["both sides are like an exemplar", "one side is", "neither is: dropped"]
        grouped = _by_exemplars(judged, exemplars, threshold)
    verdicts = judge_verdicts(judged)
    rows = judged.sql(_COUNTS, grouped=grouped, verdicts=verdicts.path).to_pylist()
    if not rows:
        raise InputError(
            "No pair has a label of the dataset, two texts and a judgement.",
            where=judged.path,
            hint="Import judged pairs with their texts, for instance the source 'bcb406'.",
        )
    found = {row["place"]: (row["pairs"] - row["unknown"], row["clones"], row["unknown"]) for row in rows}
    groups = tuple(Upheld(name, *found.get(place, (0, 0, 0))) for place, name in enumerate(names))
    claimed = judged.sql("SELECT count(*) AS n FROM pairs WHERE claimed_type IS NOT NULL")["n"][0].as_py()
    return JudgedLabelQuality(verdicts.criterion, groups, claimed - grouped.num_rows)


def _by_exemplars(judged: Benchmark, exemplars: Benchmark, threshold: float) -> pa.Table:
    """For each pair with exemplars at hand, how many of its sides are not like one."""
    examples: dict[tuple[str, str], list[FragmentForms]] = defaultdict(list)
    for row in exemplars.sql(_EXEMPLARS).to_pylist():
        forms = _forms(row["language"], row["text"])
        if forms is not None:
            examples[row["functionality"], row["language"]].append(forms)
    if not examples:
        raise InputError("No fragment with a text is an exemplar.", where=exemplars.path)
    known: dict[tuple[str, int], bool] = {}
    sides: dict[int, list[bool]] = defaultdict(list)
    for row in judged.sql(_SIDES).to_pylist():
        key = row["functionality"], row["fragment"]
        if key not in known:
            forms = _forms(row["language"], row["text"])
            models = examples.get((row["functionality"], row["language"]), [])
            if forms is None or not models:
                continue
            known[key] = any(similarity(forms, model).line > threshold for model in models)
        sides[row["pair"]].append(known[key])
    places = {pair: like.count(False) for pair, like in sides.items() if len(like) == 2}
    return pa.table({"pair": pa.array(list(places), pa.int64()), "place": pa.array(list(places.values()), pa.int64())})


def _forms(name: str, text: str) -> FragmentForms | None:
    return fragment_forms(text, language(name)) if name in LANGUAGES and text.strip() else None
