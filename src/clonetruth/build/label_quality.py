"""Label quality: do the pairs that ConBigCloneBench's similarity threshold keeps have better labels?

Asked of a benchmark whose pairs a dataset calls clones and people judged again (bcb406, iwsc100): how many of them are
clones by the evidence, above the threshold and below.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.truth import classify, judge_verdicts

_CUT_RULE = "min"

_COUNTS = """
SELECT CASE WHEN m.similarity_line > a.threshold THEN 1 ELSE 0 END AS above,
    count(*) AS pairs,
    sum(CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END) AS clones,
    sum(CASE WHEN v.verdict = 'unknown' THEN 1 ELSE 0 END) AS unknown
FROM pairs p
JOIN measures_min m ON p.pair = m.pair
JOIN verdicts v ON p.pair = v.pair
CROSS JOIN asked a
WHERE p.claimed_type IS NOT NULL AND m.similarity_line IS NOT NULL
GROUP BY CASE WHEN m.similarity_line > a.threshold THEN 1 ELSE 0 END
"""


@dataclass(frozen=True)
class Upheld:
    """Pairs that a dataset calls clones, and how many of them the evidence upholds.

    Attributes:
        pairs: those with a verdict.
        clones: those of them that are clones.
        unknown: those without a verdict, counted nowhere else.
    """

    pairs: int
    clones: int
    unknown: int

    @property
    def share(self) -> float | None:
        """The labels that are right, as a share; None where no pair has a verdict."""
        return self.clones / self.pairs if self.pairs else None


@dataclass(frozen=True)
class LabelQuality:
    """Labels that are right, above a line similarity and at or below it.

    Attributes:
        threshold: the line similarity.
        criterion: what the judges were asked.
        above: the pairs that the threshold keeps.
        below: the pairs that it drops.
    """

    threshold: float
    criterion: str
    above: Upheld
    below: Upheld


def label_quality(judged: Benchmark, threshold: float = 0.2) -> LabelQuality:
    """Compare labels with verdicts, above and below a line similarity, which is measured where it was not.

    Raises:
        InputError: no pair has a claim, a measure and a verdict.
    """
    if _CUT_RULE not in judged.measure_names():
        classify(judged, _CUT_RULE)
    verdicts = judge_verdicts(judged)
    rows = judged.sql(_COUNTS, verdicts=verdicts.path, asked=pa.table({"threshold": [threshold]})).to_pylist()
    if not rows:
        raise InputError(
            "No pair has a label of the dataset, two texts and a judgement.",
            where=judged.path,
            hint="Import judged pairs with their texts, for instance the source 'bcb406'.",
        )
    found = {row["above"]: row for row in rows}
    above, below = (
        Upheld(row["pairs"] - row["unknown"], row["clones"], row["unknown"])
        for row in (found.get(side, {"pairs": 0, "clones": 0, "unknown": 0}) for side in (1, 0))
    )
    return LabelQuality(threshold, verdicts.criterion, above, below)
