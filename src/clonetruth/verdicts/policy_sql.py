"""The SQL of the policies, in the subset that DuckDB and Spark read alike."""

from __future__ import annotations

LATEST_FIRST = "CASE WHEN g.time IS NULL THEN 1 ELSE 0 END, g.time DESC, g.sequence DESC, g.value"
"""The order in which the first of a judge's judgements `g` on a subject is the one that counts: the latest."""

VOTES_SQL = f"""
WITH replaced AS (
    SELECT DISTINCT t.member AS judge, g.pair AS pair
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN joint t ON g.judge = t.judge
),
voices AS (
    SELECT g.pair AS pair, j.kind AS kind,
        CASE g.value WHEN 'agree' THEN 'clone' WHEN 'disagree' THEN 'not-clone' WHEN 'conditionally' THEN 'undecided'
            ELSE g.value END AS value,
        row_number() OVER (
            PARTITION BY g.judge, g.pair
            ORDER BY {LATEST_FIRST}
        ) AS place
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN judges j ON g.judge = j.judge
    LEFT JOIN replaced r ON g.judge = r.judge AND g.pair = r.pair
    WHERE g.pair IS NOT NULL AND r.judge IS NULL
),
votes AS (
    SELECT v.pair AS pair,
        sum(CASE WHEN c.kind IS NOT NULL AND v.value = 'clone' THEN 1 ELSE 0 END) AS clones,
        sum(CASE WHEN c.kind IS NOT NULL AND v.value = 'not-clone' THEN 1 ELSE 0 END) AS others,
        sum(CASE WHEN c.kind IS NOT NULL AND v.value = 'undecided' THEN 1 ELSE 0 END) AS undecided
    FROM voices v
    LEFT JOIN counted c ON v.kind = c.kind
    WHERE v.place = 1
    GROUP BY v.pair
)
SELECT p.pair AS pair,
    CASE WHEN v.clones > v.others THEN 'clone' WHEN v.others > v.clones THEN 'not-clone' ELSE 'unknown' END
        AS verdict,
    CASE WHEN v.clones <> v.others
        THEN CAST(greatest(v.clones, v.others) AS DOUBLE) / CAST(v.clones + v.others AS DOUBLE) END
        AS confidence,
    CAST(coalesce(v.clones + v.others, 0) AS INT) AS judgements,
    CASE
        WHEN v.pair IS NULL THEN 'nobody speaks of it under this criterion'
        WHEN v.clones + v.others + v.undecided = 0 THEN 'only judges that do not count speak of it'
        WHEN v.clones + v.others = 0 THEN 'every judge that counts is undecided'
        WHEN v.clones = v.others
            THEN concat('a tie of ', CAST(v.clones AS STRING), ' to ', CAST(v.others AS STRING))
        ELSE concat(
            CAST(greatest(v.clones, v.others) AS STRING), ' of ', CAST(v.clones + v.others AS STRING),
            ' judgements that count agree'
        )
    END AS reason
FROM pairs p
LEFT JOIN votes v ON p.pair = v.pair
ORDER BY p.pair
"""
"""The majority of the latest decided judgements on the pair, of the kinds that count.

For ratings of an aspect, agreement is a vote for, disagreement a vote against, and a condition decides nothing.
"""

MEMBERS_SQL = f"""
WITH replaced AS (
    SELECT DISTINCT t.member AS judge, g.fragment AS fragment, g.functionality AS functionality
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN joint t ON g.judge = t.judge
),
voices AS (
    SELECT g.fragment AS fragment, g.functionality AS functionality, g.value AS value,
        row_number() OVER (
            PARTITION BY g.judge, g.fragment, g.functionality
            ORDER BY {LATEST_FIRST}
        ) AS place
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN judges j ON g.judge = j.judge
    JOIN counted c ON j.kind = c.kind
    LEFT JOIN replaced r ON g.judge = r.judge AND g.fragment = r.fragment AND g.functionality = r.functionality
    WHERE g.fragment IS NOT NULL AND r.judge IS NULL
),
tallies AS (
    SELECT fragment, functionality,
        sum(CASE WHEN value = 'major' THEN 1 ELSE 0 END) AS majors,
        sum(CASE WHEN value IN ('wrong', 'test') THEN 1 ELSE 0 END) AS denials,
        sum(CASE WHEN value <> 'undecided' THEN 1 ELSE 0 END) AS decided
    FROM voices
    WHERE place = 1
    GROUP BY fragment, functionality
),
claims AS (
    SELECT DISTINCT m.fragment AS fragment, m.functionality AS functionality
    FROM memberships m
    LEFT JOIN tallies t ON m.fragment = t.fragment AND m.functionality = t.functionality
    WHERE m.role <> 'tagged-false' AND t.fragment IS NULL
),
standings AS (
    SELECT fragment, functionality, decided,
        CASE WHEN decided > 0 THEN CAST(majors AS DOUBLE) / CAST(decided AS DOUBLE) END AS share,
        CASE WHEN 2 * majors > decided THEN 'member' WHEN 2 * denials > decided THEN 'outside' ELSE 'open' END
            AS standing
    FROM tallies
    UNION ALL
    SELECT fragment, functionality, 0 AS decided, CAST(NULL AS DOUBLE) AS share, 'open' AS standing
    FROM claims
),
meetings AS (
    SELECT p.pair AS pair,
        max(CASE WHEN l.standing = 'member' AND r.standing = 'member' THEN 1 ELSE 0 END) AS together,
        max(CASE WHEN l.standing = 'member' AND r.standing = 'member' THEN least(l.share, r.share) END)
            AS share,
        sum(CASE WHEN l.standing = 'member' AND r.standing = 'member' THEN l.decided + r.decided ELSE 0 END)
            AS decided
    FROM pairs p
    JOIN standings l ON p.left = l.fragment
    JOIN standings r ON p.right = r.fragment AND l.functionality = r.functionality
    WHERE l.standing <> 'outside' AND r.standing <> 'outside'
    GROUP BY p.pair
),
seats AS (
    SELECT fragment, max(share) AS share, sum(decided) AS decided
    FROM standings
    WHERE standing = 'member'
    GROUP BY fragment
),
cases AS (
    SELECT p.pair AS pair,
        CASE
            WHEN m.together = 1 THEN 'together'
            WHEN m.pair IS NOT NULL THEN 'perhaps together'
            WHEN l.fragment IS NULL OR r.fragment IS NULL THEN 'no member'
            WHEN k.problems_disjoint THEN 'apart'
            ELSE 'perhaps apart'
        END AS situation,
        m.share AS share_together, m.decided AS decided_together,
        least(l.share, r.share) AS share_apart, l.decided + r.decided AS decided_apart
    FROM pairs p
    CROSS JOIN card k
    LEFT JOIN meetings m ON p.pair = m.pair
    LEFT JOIN seats l ON p.left = l.fragment
    LEFT JOIN seats r ON p.right = r.fragment
)
SELECT pair,
    CASE situation WHEN 'together' THEN 'clone' WHEN 'apart' THEN 'not-clone' ELSE 'unknown' END AS verdict,
    CASE situation WHEN 'together' THEN share_together WHEN 'apart' THEN share_apart END AS confidence,
    CAST(
        CASE situation WHEN 'together' THEN decided_together WHEN 'apart' THEN decided_apart ELSE 0 END AS INT
    ) AS judgements,
    CASE situation
        WHEN 'together' THEN 'both implement the same functionality'
        WHEN 'perhaps together' THEN 'whether they implement the same functionality is open'
        WHEN 'no member' THEN 'no evidence of what both implement'
        WHEN 'apart' THEN 'they implement different functionalities, which the card calls disjoint'
        ELSE 'they implement different functionalities, which may overlap'
    END AS reason
FROM cases
ORDER BY pair
"""
"""Members of one functionality are clones; of different ones, non-clones where the card calls them disjoint.

A fragment is a member if most of the decided judgements say `major`, outside if most say `wrong` or `test`, and
open otherwise; it is also open if there are only the source's memberships. As long as two fragments meet in a
functionality that neither is outside of, they do not count as apart: a fragment in several functionalities cannot
make a pair a clone by one of them and a non-clone by another.
"""
