"""The SQL of recall by locations, in the subset that DuckDB and Spark read alike.

In addition to the benchmark's tables it reads `reported` (row, left_file, left_first, left_last, right_file,
right_first, right_last: files by their position among the benchmark's paths, -1 for others), `places` (fragment, file,
first, last), and `hits`, its own first result. A `reference` is a SELECT of the pairs that are to be found.
"""

from __future__ import annotations

from collections.abc import Mapping

from clonetruth.evaluate.locations.selection import Behaviour, SimilarityType

FLAGS: Mapping[Behaviour, str] = {Behaviour.REPAIRED: "repaired", Behaviour.AS_SHIPPED: "as_shipped"}
"""The columns of what is detected in each behaviour."""

REFERENCE_FROM_CLAIMS = """
    SELECT p.pair_key AS pair_key, p.functionality AS functionality, p.left AS left, p.right AS right,
        p.claimed_similarity_line AS line, p.claimed_similarity_token AS token,
        coalesce(c.syntactic_type, 3) AS syntactic_type
    FROM pairs p
    LEFT JOIN (
        SELECT pair, syntactic_type, coalesce(clone AND internal = false AND {condition}, false) AS wanted
        FROM claims
        WHERE NOT coalesce(syntactic_type = 3 AND clone AND internal = false AND {condition}, false)
    ) c ON p.pair = c.pair
    JOIN fragments x ON p.left = x.fragment
    JOIN fragments y ON p.right = y.fragment
    WHERE coalesce(c.wanted, true) AND x.project IS NOT NULL AND y.project IS NOT NULL
"""
"""The pairs to be found in a benchmark whose source publishes what BigCloneEval's filters need.

Every pair has a row of claims, and nearly all are true pairs of type 3 that pass the filters: only the others, which
are few, are joined. BigCloneEval sums inter- and intra-project pairs, and a pair of an unknown project is neither.
"""

REFERENCE_FROM_MEASURES = """
    SELECT * FROM (
        SELECT p.pair_key AS pair_key, p.functionality AS functionality, p.left AS left, p.right AS right,
            m.similarity_line AS line, m.similarity_token AS token,
            CASE m.clone_type WHEN 'T1' THEN 1 WHEN 'T2' THEN 2 ELSE 3 END AS syntactic_type,
            least(x.last_line - x.first_line, y.last_line - y.first_line) + 1 AS min_lines,
            greatest(x.last_line - x.first_line, y.last_line - y.first_line) + 1 AS max_lines
        FROM pairs p
        JOIN measures m ON p.pair = m.pair
        JOIN verdicts v ON p.pair = v.pair
        JOIN fragments x ON p.left = x.fragment
        JOIN fragments y ON p.right = y.fragment
        WHERE m.problem IS NULL AND v.verdict = 'clone'
    ) measured
    WHERE {condition}
"""
"""The pairs to be found in any other benchmark, by our measures and by verdicts."""

LABELS_FROM_CLAIMS = """
    SELECT p.pair_key AS pair_key, CASE WHEN c.pair IS NULL THEN 1 ELSE 0 END AS clone
    FROM pairs p
    LEFT JOIN (SELECT pair FROM claims WHERE NOT clone) c ON p.pair = c.pair
"""
LABELS_FROM_VERDICTS = """
    SELECT p.pair_key AS pair_key, CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END AS clone
    FROM pairs p
    JOIN verdicts v ON p.pair = v.pair
    WHERE v.verdict <> 'unknown'
"""
"""The labels of the benchmark's pairs."""

# `least` ignores NULL, but a pair with an unknown similarity is in no class.
_SMALLER = "CASE WHEN line IS NULL OR token IS NULL THEN NULL WHEN line < token THEN line ELSE token END"
_SIMILARITIES = {
    SimilarityType.BOTH: _SMALLER,
    SimilarityType.LINE: "line",
    SimilarityType.TOKEN: "token",
    SimilarityType.AVERAGE: "(line + token) / CAST(2 AS DOUBLE)",
}


def hits_sql(conditions: Mapping[Behaviour, str]) -> str:
    """Which pairs of fragments a reported pair matches, and in which behaviour.

    Args:
        conditions: the matcher's condition in each behaviour that is defined.
    """

    def flags(side: str, place: str, so_far: str = "") -> str:
        return ", ".join(
            f"{so_far.format(name)}CASE WHEN {_on_side(conditions[one], side, place)} THEN 1 ELSE 0 END AS {name}"
            if one in conditions
            else f"0 AS {name}"
            for one, name in FLAGS.items()
        )

    return f"""
WITH lefts AS (
    SELECT r.row AS row, a.fragment AS left_fragment, r.right_file AS right_file, r.right_first AS right_first,
        r.right_last AS right_last, {flags("left", "a")}
    FROM reported r
    JOIN places a ON r.left_file = a.file
),
matches AS (
    SELECT r.row AS row, r.left_fragment AS left_fragment, b.fragment AS right_fragment,
        {flags("right", "b", "r.{} * ")}
    FROM lefts r
    JOIN places b ON r.right_file = b.file
    WHERE r.repaired + r.as_shipped > 0
)
SELECT row, repaired, as_shipped,
    least(left_fragment, right_fragment) * 4294967296 + greatest(left_fragment, right_fragment) AS pair_key
FROM matches
WHERE repaired + as_shipped > 0
"""


def _on_side(condition: str, side: str, place: str) -> str:
    """A matcher's condition on the left or right fragments."""
    for name, column in (
        ("f_first", f"{place}.first"),
        ("f_last", f"{place}.last"),
        ("r_first", f"CAST(r.{side}_first AS BIGINT)"),
        ("r_last", f"CAST(r.{side}_last AS BIGINT)"),
    ):
        condition = condition.replace(name, column)
    return condition


def counts_sql(reference: str, similarity: SimilarityType) -> str:
    """How many pairs there are and are detected, by functionality, scope, type and similarity region.

    Args:
        reference: the pairs to be found.
        similarity: which one sorts pairs into regions.
    """
    # The published program only mixes up averages (D5); elsewhere a further key would only cost time.
    smaller_region = _region("smaller") if similarity is SimilarityType.AVERAGE else "0"
    return f"""
WITH reference AS ({reference}),
detected AS (SELECT pair_key, max(repaired) AS repaired, max(as_shipped) AS as_shipped FROM hits GROUP BY pair_key),
chosen AS (
    SELECT e.functionality AS functionality, e.syntactic_type AS syntactic_type,
        CASE WHEN a.project <> b.project THEN 0 WHEN a.project = b.project THEN 1 ELSE 2 END AS scope,
        {_SMALLER} AS smaller, {_SIMILARITIES[similarity]} AS similarity,
        coalesce(d.repaired, 0) AS repaired, coalesce(d.as_shipped, 0) AS as_shipped
    FROM reference e
    JOIN fragments a ON e.left = a.fragment
    JOIN fragments b ON e.right = b.fragment
    LEFT JOIN detected d ON e.pair_key = d.pair_key
),
placed AS (
    SELECT functionality, scope, syntactic_type, repaired, as_shipped,
        CASE WHEN smaller >= 1 THEN 1 ELSE 0 END AS blind,
        {_region("similarity")} AS region, {smaller_region} AS smaller_region
    FROM chosen
)
SELECT functionality, scope, syntactic_type, blind, region, smaller_region,
    count(*) AS pairs, CAST(sum(repaired) AS BIGINT) AS repaired, CAST(sum(as_shipped) AS BIGINT) AS as_shipped
FROM placed
GROUP BY functionality, scope, syntactic_type, blind, region, smaller_region
"""


def _region(column: str) -> str:
    """The number k of the region 5k/100 <= s < 5(k+1)/100 in double precision, 20 for a similarity of 1; or NULL."""
    guess = f"floor({column} * 20)"
    # The product is rounded, at two bounds upwards past them (`tests/evaluate/test_recall.py` checks every bound).
    return f"CAST({guess} - CASE WHEN {column} < 5 * {guess} / 100 THEN 1 ELSE 0 END AS INT)"


KNOWN_SQL = """
WITH labelled AS ({labels}),
touched AS (SELECT DISTINCT pair_key FROM hits WHERE {flag} = 1),
labels AS (
    SELECT e.pair_key AS pair_key, max(e.clone) AS clone
    FROM labelled e
    JOIN touched t ON e.pair_key = t.pair_key
    GROUP BY e.pair_key
),
known AS (
    SELECT h.row AS row, max(l.clone) AS clone
    FROM hits h
    JOIN labels l ON h.pair_key = l.pair_key
    WHERE h.{flag} = 1
    GROUP BY h.row
)
SELECT CAST(coalesce(sum(clone), 0) AS BIGINT) AS known_true,
    CAST(coalesce(sum(1 - clone), 0) AS BIGINT) AS known_false
FROM known
"""
"""The number of reported pairs that match a clone of the benchmark, and of those that match only false pairs."""

REPEATED_SQL = """
SELECT count(*) AS distinct_pairs FROM (
    SELECT DISTINCT left_file, left_first, left_last, right_file, right_first, right_last
    FROM reported
    WHERE left_file >= 0 AND right_file >= 0
) d
"""
"""Distinct reported pairs among those in files of the benchmark."""

REPORTED_SQL = """
SELECT n.*, m.pair AS pair
FROM named n
LEFT JOIN (
    SELECT h.row AS row, min(p.pair) AS pair
    FROM hits h
    JOIN pairs p ON h.pair_key = p.pair_key
    WHERE h.{flag} = 1
    GROUP BY h.row
) m ON n.row = m.row
"""
"""The reported pairs with their locations, and a pair of the benchmark that each matches."""

CONSTRUCTED_SQL = """
WITH detected AS (SELECT pair_key, max({flag}) AS found FROM hits GROUP BY pair_key)
SELECT o.operator AS operator, v.verdict AS verdict, count(*) AS pairs,
    CAST(sum(coalesce(d.found, 0)) AS BIGINT) AS found
FROM pairs p
JOIN operators o ON p.pair = o.pair
JOIN verdicts v ON p.pair = v.pair
LEFT JOIN detected d ON p.pair_key = d.pair_key
WHERE v.verdict <> 'unknown'
GROUP BY o.operator, v.verdict
ORDER BY min(p.pair), o.operator
"""
"""The number of pairs that each operator made (`operators`: pair, operator), and of those that are detected."""


def touching_sql(condition: str, flag: str) -> str:
    """The reported pairs with a fragment of a constructed clone on a side, once for each operator that made it.

    `known` is 1 where a reported pair matches a clone of the benchmark, 0 where it only matches a non-clone.

    Args:
        condition: the matcher's condition.
        flag: the column of `hits` that counts.
    """
    constructed = """
    SELECT p.{side} AS fragment, o.operator AS operator
    FROM pairs p
    JOIN operators o ON p.pair = o.pair
    JOIN verdicts v ON p.pair = v.pair
    WHERE v.verdict = 'clone'"""
    touched = """
    SELECT r.row AS row, a.fragment AS fragment
    FROM reported r
    JOIN places a ON r.{side}_file = a.file
    WHERE {matched}"""
    sides = ("left", "right")
    matched = [touched.format(side=side, matched=_on_side(condition, side, "a")) for side in sides]
    return f"""
WITH touching AS ({" UNION ".join(matched)}),
constructed AS ({" UNION ".join(constructed.format(side=side) for side in sides)}),
known AS (
    SELECT h.row AS row, max(CASE WHEN v.verdict = 'clone' THEN 1 ELSE 0 END) AS clone
    FROM hits h
    JOIN pairs p ON h.pair_key = p.pair_key
    JOIN verdicts v ON p.pair = v.pair
    WHERE h.{flag} = 1 AND v.verdict <> 'unknown'
    GROUP BY h.row
)
SELECT DISTINCT r.*, c.operator AS operator, k.clone AS known
FROM touching t
JOIN constructed c ON t.fragment = c.fragment
JOIN reported r ON t.row = r.row
LEFT JOIN known k ON t.row = k.row
ORDER BY row, operator
"""
