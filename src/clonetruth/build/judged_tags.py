"""How many people support a tag: from their judgements, or from what BigCloneBench publishes about its pairs."""

from __future__ import annotations

from enum import StrEnum

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.verdicts.policy_sql import standing_sql


class TagEvidence(StrEnum):
    """Where the number of judges is known from."""

    JUDGEMENTS = "judgements"
    """People's own tags (`implements-functionality`): exact."""

    CLAIMS = "claims"
    """`min_judges` and `min_confidence` of pairs: the smaller number of the two sides.

    A fragment has at least as many judges as the best of its pairs states, and exactly as many, except if it is the
    only one of its functionality with that many. So a fragment with k judges is missed only if all its partners have
    fewer; and fragments tagged false, whose only partners are exemplars, cannot show more judges than those have.
    """


class TagAgreement(StrEnum):
    """When a tag counts as agreed on."""

    AT_LEAST = "at-least"  # enough people agree, even if others disagree
    UNANIMOUS = "unanimous"  # and nobody disagrees


_PEOPLE = "g.criterion = 'implements-functionality' AND j.kind = 'person'"

_FROM_JUDGEMENTS = f"""
WITH answers AS ({standing_sql(("fragment", "functionality"), where=_PEOPLE)}
),
counts AS (
    SELECT fragment, functionality,
        sum(CASE WHEN value IN ('major', 'incomplete', 'minor') THEN 1 ELSE 0 END) AS confirming,
        sum(CASE WHEN value IN ('wrong', 'test') THEN 1 ELSE 0 END) AS denying
    FROM answers GROUP BY fragment, functionality
)
SELECT r.fragment AS fragment, r.functionality AS functionality,
    CASE WHEN r.role = 'tagged-false' THEN t.denying ELSE t.confirming END AS agreeing,
    CASE WHEN r.role = 'tagged-false' THEN t.confirming ELSE t.denying END AS dissenting
FROM roles r JOIN counts t ON r.fragment = t.fragment AND r.functionality = t.functionality
ORDER BY r.functionality, r.fragment
"""

_FROM_CLAIMS = """
WITH sides AS (
    SELECT p.left AS fragment, p.functionality AS functionality, c.min_judges AS judges, c.min_confidence AS agreeing
    FROM pairs p JOIN published c ON p.pair = c.pair
    UNION ALL
    SELECT p.right AS fragment, p.functionality AS functionality, c.min_judges AS judges, c.min_confidence AS agreeing
    FROM pairs p JOIN published c ON p.pair = c.pair
)
SELECT fragment, functionality, CAST(max(agreeing) AS BIGINT) AS agreeing,
    CAST(greatest(max(judges) - max(agreeing), 0) AS BIGINT) AS dissenting
FROM sides
WHERE functionality IS NOT NULL AND judges IS NOT NULL AND agreeing IS NOT NULL
GROUP BY fragment, functionality
ORDER BY functionality, fragment
"""


def find_evidence(benchmark: Benchmark) -> TagEvidence:
    """Find out where a benchmark knows the judges of its fragments from: judgements if there are any, else claims.

    Raises:
        InputError: it has neither.
    """
    people = benchmark.sql(
        "SELECT count(*) AS n FROM judgements g JOIN judges j ON g.judge = j.judge "
        "WHERE j.kind = 'person' AND g.criterion = 'implements-functionality'"
    )["n"][0].as_py()
    if people:
        return TagEvidence.JUDGEMENTS
    if benchmark.names("claims"):
        return TagEvidence.CLAIMS
    raise InputError(
        "The benchmark does not record how many people tagged a fragment.",
        where=benchmark.path,
        hint="Import BigCloneBench's table 'tagged', or its pairs with MIN_JUDGES and MIN_CONFIDENCE; or keep all tags "
        "(--judges 1).",
    )


def judged_tags(benchmark: Benchmark, roles: pa.Table, evidence: TagEvidence) -> pa.Table:
    """Count the people who agree with a fragment's role, and those who do not.

    Args:
        benchmark: the benchmark.
        roles: `fragment`, `functionality`, `role`.
        evidence: where the numbers come from.

    Returns:
        `fragment`, `functionality`, `agreeing`, `dissenting`, for the fragments with known judges.

    Raises:
        InputError: the benchmark has no such claims.
    """
    if evidence is TagEvidence.JUDGEMENTS:
        return benchmark.sql(_FROM_JUDGEMENTS, roles=roles)
    names = benchmark.names("claims")
    if not names:
        raise InputError("The benchmark has no claims about judges.", where=benchmark.path)
    return benchmark.sql(_FROM_CLAIMS, published=benchmark.parquet(f"claims/{names[0]}"))
