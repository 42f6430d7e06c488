"""Evidence meets a benchmark: fragments are matched by id or by text, and judgements carried over."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from clonetruth.code import LANGUAGES, Form, form_digest, language
from clonetruth.sources.source import Skipped
from clonetruth.store import Benchmark
from clonetruth.store.parquet import parquet_file
from clonetruth.store.schemas import FIRST_APPENDED

OTHER_TEXT = "the benchmark has this id with another text"
NO_ID = "the benchmark has no fragment with this id"
NO_TEXT = "the benchmark has no fragment with this text"
NEITHER = "the benchmark has no fragment with this id or this text"
NO_PAIR = "the benchmark has both fragments, but not as a pair"
NO_FUNCTIONALITY = "the benchmark has no functionality with this id or name"
EXAMPLES = 1000

_JUDGED_SQL = """
WITH judged AS (
    SELECT p.left AS fragment FROM judgements g JOIN pairs p ON g.pair = p.pair
    UNION SELECT p.right AS fragment FROM judgements g JOIN pairs p ON g.pair = p.pair
    UNION SELECT g.fragment AS fragment FROM judgements g WHERE g.fragment IS NOT NULL
)
SELECT f.fragment AS fragment, f.id AS id, f.language AS language, f.text AS text
FROM judged j JOIN fragments f ON j.fragment = f.fragment
ORDER BY f.fragment
"""

_BY_ID_SQL = """
SELECT s.fragment AS sought, f.fragment AS fragment, f.language AS language, f.text AS text
FROM sought s JOIN fragments f ON s.id = f.id
ORDER BY s.fragment
"""

_ARRIVAL = f"CASE WHEN {{0}}.sequence < {FIRST_APPENDED} THEN 0 ELSE {{0}}.sequence END"
"""The part that a judgement arrived in (decision 0018)."""

_CARRIED_SQL = f"""
WITH ranked AS (
    SELECT g.position AS position, g.pair AS pair, g.fragment AS fragment, g.functionality AS functionality,
        g.time AS time,
        rank() OVER (
            PARTITION BY g.judge, g.criterion, g.pair, g.fragment, g.functionality,
                CASE WHEN g.time IS NULL THEN 1 ELSE 0 END
            ORDER BY {_ARRIVAL.format("g")} DESC
        ) AS place
    FROM given g
),
standing AS (SELECT position, pair, fragment, functionality FROM ranked WHERE place = 1 OR time IS NOT NULL),
carried AS (
    SELECT DISTINCT g.position AS position, t.pair AS pair, CAST(NULL AS BIGINT) AS fragment,
        CAST(NULL AS BIGINT) AS functionality
    FROM standing g
    JOIN pairs p ON g.pair = p.pair
    JOIN matched l ON p.left = l.sought
    JOIN matched r ON p.right = r.sought
    JOIN target_pairs t
        ON t.pair_key = least(l.fragment, r.fragment) * 4294967296 + greatest(l.fragment, r.fragment)
    UNION ALL
    SELECT DISTINCT g.position AS position, CAST(NULL AS BIGINT) AS pair, m.fragment AS fragment,
        u.functionality AS functionality
    FROM standing g
    JOIN matched m ON g.fragment = m.sought
    JOIN matched_functionalities u ON g.functionality = u.sought
)
SELECT c.position AS position, g.judge AS judge, g.criterion AS criterion, g.value AS value, c.pair AS pair,
    c.fragment AS fragment, c.functionality AS functionality, g.confidence AS confidence, g.reason AS reason,
    g.evidence AS evidence, g.time AS time, g.source_row AS source_row
FROM carried c JOIN given g ON c.position = g.position
ORDER BY c.position, c.pair, c.fragment, c.functionality
"""
"""The judgements in the benchmark's terms. A text that the benchmark has several times is judged everywhere. Answers
without a time that a later part of the evidence replaced stay behind: here they would arrive together."""

_REST_SQL = """
SELECT g.judge AS judge, g.source_row AS source_row, l.fragment AS left_key, l.id AS left_id, r.fragment AS right_key,
    r.id AS right_id, f.fragment AS fragment_key, f.id AS fragment_id, u.id AS functionality_id
FROM given g
LEFT JOIN pairs p ON g.pair = p.pair
LEFT JOIN fragments l ON p.left = l.fragment
LEFT JOIN fragments r ON p.right = r.fragment
LEFT JOIN fragments f ON g.fragment = f.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
LEFT JOIN used x ON g.position = x.position
WHERE x.position IS NULL
ORDER BY g.position
"""

_SUBJECT = (
    "concat(CAST(coalesce({0}.pair, -1) AS STRING), '/', CAST(coalesce({0}.fragment, -1) AS STRING), '/', "
    "CAST(coalesce({0}.functionality, -1) AS STRING))"
)
_STATE = "concat({0}.value, '/', coalesce(CAST({0}.confidence AS STRING), ''), '/', coalesce({0}.reason, ''))"

_NEW_SQL = f"""
WITH speaking AS (SELECT DISTINCT judge FROM carried),
stored AS (
    SELECT g.judge AS judge, g.criterion AS criterion, {_SUBJECT.format("g")} AS subject,
        {_STATE.format("g")} AS state, g.time AS time, {_ARRIVAL.format("g")} AS arrival
    FROM judgements g JOIN speaking s ON g.judge = s.judge
),
dated AS (SELECT DISTINCT judge, criterion, subject, state, time FROM stored WHERE time IS NOT NULL),
ranked AS (
    SELECT s.judge AS judge, s.criterion AS criterion, s.subject AS subject, s.state AS state,
        rank() OVER (PARTITION BY s.judge, s.criterion, s.subject ORDER BY s.arrival DESC) AS place
    FROM stored s WHERE s.time IS NULL
),
latest AS (SELECT DISTINCT judge, criterion, subject, state FROM ranked WHERE place = 1),
described AS (
    SELECT c.number AS number, c.judge AS judge, c.criterion AS criterion, {_SUBJECT.format("c")} AS subject,
        {_STATE.format("c")} AS state, c.time AS time
    FROM carried c
),
given AS (
    SELECT judge, criterion, subject, state, time, min(number) AS number
    FROM described GROUP BY judge, criterion, subject, state, time
),
known AS (
    SELECT e.judge AS judge, e.criterion AS criterion, e.subject AS subject
    FROM (
        SELECT judge, criterion, subject, state, 1 AS here, 0 AS there FROM given WHERE time IS NULL
        UNION ALL SELECT judge, criterion, subject, state, 0 AS here, 1 AS there FROM latest
    ) e
    GROUP BY e.judge, e.criterion, e.subject
    HAVING sum(e.here) = sum(e.there) AND count(DISTINCT e.state) = sum(e.here)
)
SELECT g.number AS number
FROM given g
LEFT JOIN dated t
    ON g.judge = t.judge AND g.criterion = t.criterion AND g.subject = t.subject AND g.state = t.state
    AND g.time = t.time
LEFT JOIN known k ON g.judge = k.judge AND g.criterion = k.criterion AND g.subject = k.subject
WHERE CASE WHEN g.time IS NULL THEN k.judge IS NULL ELSE t.judge IS NULL END
ORDER BY g.number
"""
"""The rows that the benchmark does not have yet. With a time, a row is known if it is stored. Without one, what a judge
says of a subject is known if it is what the judge said last."""


@dataclass(frozen=True)
class FragmentMatches:
    """Which fragments of the evidence are which fragments of the benchmark.

    Attributes:
        rows: `sought` and `fragment`: keys of the evidence and of the benchmark; a text may match several.
        by_id: number of fragments that were matched by id.
        by_text: number of those that were matched by text.
        unmatched: the reason for each fragment without a match, by the evidence's key.
    """

    rows: pa.Table
    by_id: int
    by_text: int
    unmatched: Mapping[int, str]


@dataclass(frozen=True)
class CarriedJudgements:
    """Judgements of the evidence in the benchmark's terms.

    Attributes:
        rows: the columns of `judgements` as the store takes them in, without what the benchmark has already.
        judgements: number of judgements in the evidence.
        used: number of those that apply to the benchmark.
        known: number of rows that the benchmark has already, or that repeat another.
        reasons: number of judgements that do not apply, by reason.
        unmatched: those judgements, with the reason (the first thousand).
    """

    rows: pa.Table
    judgements: int
    used: int
    known: int
    reasons: Mapping[str, int]
    unmatched: tuple[Skipped, ...]


def carry_over(evidence: Benchmark, benchmark: Benchmark, matches: FragmentMatches, where: str) -> CarriedJudgements:
    """The judgements of the evidence that apply to a benchmark and are new to it; the others, with the reason.

    Args:
        evidence: a benchmark made of the evidence.
        benchmark: the benchmark.
        matches: which fragments are the same.
        where: the evidence's file, for the list of what does not match.
    """
    judgements = evidence.table("judgements")
    judgements = judgements.append_column("position", pa.array(range(judgements.num_rows), pa.int64()))
    carried = evidence.sql(
        _CARRIED_SQL,
        given=judgements,
        matched=matches.rows,
        matched_functionalities=_match_functionalities(evidence, benchmark),
        target_pairs=benchmark.parquet("pairs"),
    )
    used = pa.table({"position": carried["position"].unique()})
    rest = evidence.sql(_REST_SQL, given=judgements, used=used).to_pylist()
    reasons: Counter[str] = Counter()
    unmatched: list[Skipped] = []
    for row in rest:
        subject, why = _unmatched(row, matches)
        reasons[why] += 1
        if len(unmatched) < EXAMPLES:
            line = f":{row['source_row']}" if row["source_row"] is not None else ""
            unmatched.append(Skipped(f"{where}{line}: {subject} ({row['judge']})", why))
    numbered = carried.append_column("number", pa.array(range(carried.num_rows), pa.int64()))
    new = carried.take(benchmark.sql(_NEW_SQL, carried=numbered)["number"].combine_chunks())
    return CarriedJudgements(
        rows=_with_ids(benchmark, new),
        judgements=judgements.num_rows,
        used=used.num_rows,
        known=carried.num_rows - new.num_rows,
        reasons=dict(reasons),
        unmatched=tuple(unmatched),
    )


def _unmatched(row: Mapping[str, object], matches: FragmentMatches) -> tuple[str, str]:
    """The subject of a judgement that does not apply, and the reason."""
    is_fragment = row["fragment_id"] is not None
    subject = (
        f"{row['fragment_id']} in {row['functionality_id']}" if is_fragment else f"{row['left_id']}, {row['right_id']}"
    )
    keys = [row[name] for name in ("left_key", "right_key", "fragment_key")]
    known = [matches.unmatched[key] for key in keys if isinstance(key, int) and key in matches.unmatched]
    return subject, known[0] if known else NO_FUNCTIONALITY if is_fragment else NO_PAIR


def _with_ids(benchmark: Benchmark, rows: pa.Table) -> pa.Table:
    """The rows with ids of fragments and functionalities instead of keys, as the store takes them in."""
    return benchmark.sql(
        """
        SELECT r.judge AS judge, r.criterion AS criterion, r.value AS value, r.pair AS pair, f.id AS fragment,
            u.id AS functionality, r.confidence AS confidence, r.reason AS reason, r.evidence AS evidence,
            r.time AS time, r.source_row AS source_row
        FROM new_rows r
        LEFT JOIN fragments f ON r.fragment = f.fragment
        LEFT JOIN functionalities u ON r.functionality = u.functionality
        ORDER BY r.position, r.pair, r.fragment, r.functionality
        """,
        new_rows=rows,
    )


def find_functionality(benchmark: Benchmark) -> Callable[[str | None, str | None], int | None]:
    """A function that finds the key of a functionality by its id, or else by its name."""
    rows = benchmark.functionalities().select(["functionality", "id", "name"]).to_pylist()
    by_id = {row["id"]: row["functionality"] for row in rows}
    names = Counter(row["name"].casefold() for row in rows)
    by_name = {row["name"].casefold(): row["functionality"] for row in rows if names[row["name"].casefold()] == 1}
    return lambda id_, name: by_id.get(id_, by_name.get((name or id_ or "").casefold()))


def _match_functionalities(evidence: Benchmark, benchmark: Benchmark) -> pa.Table:
    find = find_functionality(benchmark)
    rows = evidence.table("functionalities").select(["functionality", "id", "name"]).to_pylist()
    found = [(row["functionality"], key) for row in rows if (key := find(row["id"], row["name"])) is not None]
    return pa.table(
        {
            "sought": pa.array([sought for sought, _ in found], pa.int64()),
            "functionality": pa.array([key for _, key in found], pa.int64()),
        }
    )


# Fragments.


@dataclass
class _Sought:
    """A fragment of the evidence that was judged, itself or in a pair."""

    id: str
    language: str
    text: str
    found: list[int] = field(default_factory=list)
    why: str = ""


def match_fragments(evidence: Benchmark, benchmark: Benchmark, how: str) -> FragmentMatches:
    """Match the judged fragments of the evidence with those of the benchmark.

    Equal ids match, except where both have a text and the texts differ. Texts match without comments and layout.

    Args:
        evidence: a benchmark made of the evidence.
        benchmark: the benchmark.
        how: `id`, `text`, or `auto` for the id first.
    """
    sought = {
        row["fragment"]: _Sought(row["id"], row["language"], row["text"])
        for row in evidence.sql(_JUDGED_SQL).to_pylist()
    }
    if how != "text":
        _by_id(sought, benchmark)
    by_id = sum(1 for one in sought.values() if one.found)
    if how != "id":
        for text_key in (_without_layout, _without_comments):
            rest = [one for one in sought.values() if not one.found and one.text.strip()]
            _by_text(rest, benchmark, text_key)
    for one in sought.values():
        if not one.found and not one.why:
            one.why = NO_ID if how == "id" or not one.text.strip() else NO_TEXT if how == "text" else NEITHER
    pairs = [(key, fragment) for key, one in sought.items() for fragment in one.found]
    return FragmentMatches(
        rows=pa.table(
            {
                "sought": pa.array([key for key, _ in pairs], pa.int64()),
                "fragment": pa.array([fragment for _, fragment in pairs], pa.int64()),
            }
        ),
        by_id=by_id,
        by_text=sum(1 for one in sought.values() if one.found) - by_id,
        unmatched={key: one.why for key, one in sought.items() if not one.found},
    )


def _by_id(sought: Mapping[int, _Sought], benchmark: Benchmark) -> None:
    ids = pa.table(
        {
            "fragment": pa.array(sought.keys(), pa.int64()),
            "id": pa.array([one.id for one in sought.values()], pa.string()),
        }
    )
    for row in benchmark.sql(_BY_ID_SQL, sought=ids).to_pylist():
        one = sought[row["sought"]]
        texts = [(one.text, one.language), (row["text"], row["language"])]
        if all(text.strip() for text, _ in texts) and not _same_text(texts):
            one.why = OTHER_TEXT
        else:
            one.found.append(row["fragment"])


def _same_text(texts: Sequence[tuple[str, str]]) -> bool:
    return any(
        len({text_key(text, name) for text, name in texts}) == 1 for text_key in (_without_layout, _without_comments)
    )


def _by_text(sought: Sequence[_Sought], benchmark: Benchmark, text_key: Callable[[str, str], bytes | None]) -> None:
    wanted: defaultdict[bytes, list[_Sought]] = defaultdict(list)
    for one in sought:
        if (digest := text_key(one.text, one.language)) is not None:
            wanted[digest].append(one)
    for fragment, name, text in _texts(benchmark) if wanted else ():
        for one in wanted.get(text_key(text, name) or b"", ()):
            one.found.append(fragment)


def _texts(benchmark: Benchmark) -> Iterator[tuple[int, str, str]]:
    columns = ["fragment", "language", "text"]
    for path in benchmark.parquet("fragments"):
        with parquet_file(path) as file:
            for batch in file.iter_batches(columns=columns):
                rows = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
                yield from ((fragment, name, text) for fragment, name, text in rows if text.strip())


def _without_layout(text: str, language_name: str) -> bytes:
    return hashlib.sha256("".join(text.split()).encode()).digest()


def _without_comments(text: str, language_name: str) -> bytes | None:
    if language_name.lower() not in LANGUAGES:
        return None
    return form_digest(text, language(language_name), Form.TYPE1)
