"""The SQL of the policies, in the subset that DuckDB and Spark read alike."""

from __future__ import annotations

from collections.abc import Sequence

from clonetruth.store.schemas import FIRST_APPENDED

ARRIVAL = f"CASE WHEN g.sequence < {FIRST_APPENDED} THEN 0 ELSE g.sequence END"
"""The part that a judgement arrived in. Folders of clonetruth 0.1 number the rows of their first part."""

LATEST_FIRST = f"CASE WHEN g.time IS NULL THEN 1 ELSE 0 END, g.time DESC, {ARRIVAL} DESC"
"""The order in which the first of a judge's judgements `g` on a subject are those that count: the latest.

Several can be first: judgements that arrive together without a time have no order. If they differ, the judge
contradicts itself, and has decided nothing.
"""


def _all_in(*values: str) -> str:
    return f"min(CASE WHEN value IN ({', '.join(repr(value) for value in values)}) THEN 1 ELSE 0 END) = 1"


_LESS_THAN_MAJOR = _all_in("incomplete", "minor", "wrong", "test")
"""Different labels of a method that agree that the functionality is not its main purpose."""


def standing_sql(subject: Sequence[str], *, join: str = "", where: str = "g.judge IS NOT NULL") -> str:
    """The SELECT of the standing answer of each judge on each subject.

    Its columns are `judge`, `kind`, those of the subject, `value`, `contradicts` (1 where the latest answers differ;
    the value is `undecided` then), `time` and `arrival`. Labels of a method that are all less than `major` do not
    contradict each other; the value is what they have in common.

    Args:
        subject: the columns of `judgements` that name the subject.
        join: further joins to the judgements `g` and their judges `j`.
        where: a condition on them.
    """
    names = ", ".join(subject)
    given = ", ".join(f"g.{name}" for name in subject)
    columns = ", ".join(f"g.{name} AS {name}" for name in subject)
    return f"""
    SELECT judge, kind, {names},
        CASE
            WHEN min(value) = max(value) THEN min(value)
            WHEN {_all_in("wrong", "test")} THEN 'wrong'
            WHEN {_LESS_THAN_MAJOR} THEN 'minor'
            ELSE 'undecided'
        END AS value,
        CASE WHEN min(value) = max(value) OR {_LESS_THAN_MAJOR} THEN 0 ELSE 1 END AS contradicts,
        min(time) AS time, min(arrival) AS arrival
    FROM (
        SELECT g.judge AS judge, j.kind AS kind, {columns}, g.value AS value, g.time AS time, {ARRIVAL} AS arrival,
            rank() OVER (PARTITION BY g.judge, {given} ORDER BY {LATEST_FIRST}) AS place
        FROM judgements g
        JOIN judges j ON g.judge = j.judge
        {join}
        WHERE {where}
    ) ranked
    WHERE place = 1
    GROUP BY judge, kind, {names}"""


_ASKED = "JOIN asked a ON g.criterion = a.criterion"

STANDING = f"""
WITH answers AS ({standing_sql(("pair",), join=_ASKED, where="g.pair IS NOT NULL")}
),
repeated AS (
    SELECT pair_key FROM pairs GROUP BY pair_key HAVING count(*) > 1
),
compared AS (
    SELECT s.judge AS judge, s.pair AS pair, min(s.value) OVER same AS first_value, max(s.value) OVER same AS last_value
    FROM answers s
    JOIN pairs p ON s.pair = p.pair
    JOIN repeated r ON p.pair_key = r.pair_key
    WINDOW same AS (PARTITION BY s.judge, p.pair_key, p.functionality, s.time, s.arrival)
),
opposed AS (
    SELECT judge, pair FROM compared WHERE first_value <> last_value
),
standing AS (
    SELECT s.judge AS judge, s.kind AS kind, s.pair AS pair,
        CASE WHEN o.pair IS NULL THEN s.value ELSE 'undecided' END AS value,
        CASE WHEN o.pair IS NULL THEN s.contradicts ELSE 1 END AS contradicts
    FROM answers s
    LEFT JOIN opposed o ON s.judge = o.judge AND s.pair = o.pair
)"""
"""The standing answer of each judge on each pair under the asked criterion.

A source may list one pair in several rows. If a judge's answers on them arrive together and differ, the judge
contradicts itself on all of them. A pair that the source lists for several functionalities is asked once for each.
"""

REPLACED = """
replaced AS (
    SELECT DISTINCT t.member AS judge, s.pair AS pair
    FROM standing s
    JOIN joint t ON s.judge = t.judge
)"""
"""The members of a consensus judge, on the pairs that it judged."""

VOTES_SQL = f"""{STANDING},{REPLACED},
votes AS (
    SELECT s.pair AS pair,
        sum(CASE WHEN c.kind IS NOT NULL AND s.value IN ('clone', 'agree') THEN 1 ELSE 0 END) AS clones,
        sum(CASE WHEN c.kind IS NOT NULL AND s.value IN ('not-clone', 'disagree') THEN 1 ELSE 0 END) AS others,
        sum(CASE WHEN c.kind IS NOT NULL AND s.value IN ('undecided', 'conditionally') THEN 1 ELSE 0 END) AS undecided,
        sum(CASE WHEN c.kind IS NOT NULL THEN s.contradicts ELSE 0 END) AS contradictions
    FROM standing s
    LEFT JOIN replaced r ON s.judge = r.judge AND s.pair = r.pair
    LEFT JOIN counted c ON s.kind = c.kind
    WHERE r.judge IS NULL
    GROUP BY s.pair
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
        WHEN v.clones = v.others AND v.contradictions > 0 THEN 'a judge contradicts itself'
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

_MEMBER_VOICES = f"""{_ASKED}
        JOIN counted c ON j.kind = c.kind
        LEFT JOIN replaced r ON g.judge = r.judge AND g.fragment = r.fragment AND g.functionality = r.functionality"""
_NOT_REPLACED = "g.fragment IS NOT NULL AND r.judge IS NULL"

_STANDINGS = f"""
WITH replaced AS (
    SELECT DISTINCT t.member AS judge, g.fragment AS fragment, g.functionality AS functionality
    FROM judgements g
    JOIN asked a ON g.criterion = a.criterion
    JOIN joint t ON g.judge = t.judge
),
voices AS ({standing_sql(("fragment", "functionality"), join=_MEMBER_VOICES, where=_NOT_REPLACED)}
),
tallies AS (
    SELECT fragment, functionality,
        sum(CASE WHEN value = 'major' THEN 1 ELSE 0 END) AS majors,
        sum(CASE WHEN value IN ('wrong', 'test') THEN 1 ELSE 0 END) AS denials,
        sum(CASE WHEN value <> 'undecided' THEN 1 ELSE 0 END) AS decided
    FROM voices
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
)"""

MEMBERS_SQL = (
    _STANDINGS
    + """,
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
)
"""Members of one functionality are clones; of different ones, non-clones where the card calls them disjoint.

A fragment is a member if most of the decided judgements say `major`, outside if most say `wrong` or `test`, and
open otherwise; it is also open if there are only the source's memberships. As long as two fragments meet in a
functionality that neither is outside of, they do not count as apart: a fragment in several functionalities cannot
make a pair a clone by one of them and a non-clone by another.
"""

SINGLE_MEMBERS_SQL = (
    _STANDINGS
    + """
SELECT fragment, min(functionality) AS functionality FROM standings
WHERE standing <> 'outside'
GROUP BY fragment HAVING count(*) = 1 AND min(standing) = 'member'
ORDER BY functionality, fragment
"""
)
"""The fragments that implement one functionality, and of which no other is open, as `MEMBERS_SQL` sees them."""
