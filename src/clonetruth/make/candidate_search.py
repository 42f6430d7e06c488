"""The search for candidates: functions that match a heuristic, ranked and drawn, and a random sample of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.errors import InputError
from clonetruth.make.function_index import indexed_functions
from clonetruth.make.functionality_file import FunctionalityFile, functionality_names, read_functionality
from clonetruth.make.heuristic import Heuristic, Term
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.store import Engine, TableLike

CANDIDATES = pa.schema(
    [
        pa.field("functionality", pa.string(), nullable=False),
        pa.field("function", pa.int64(), nullable=False),
        pa.field("found_by", pa.string(), nullable=False),
        pa.field("matched", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
FOUND_BY_HEURISTIC, FOUND_OUTSIDE = "heuristic", "outside"

_HITS = """
SELECT hits.function AS function, {matched} AS matched
FROM (
    SELECT t.function AS function, {columns}
    FROM terms t
    WHERE {wanted}
    GROUP BY t.function
) hits
WHERE {condition}
"""

_SCORED = """
SELECT f.function AS function, f.id AS id, f.digest AS digest, h.matched AS matched, f.tokens AS tokens,
    CAST(coalesce(s.shared, 0) AS DOUBLE) / CAST(f.terms + x.size - coalesce(s.shared, 0) AS DOUBLE) AS score
FROM functions f
JOIN hits h ON f.function = h.function
CROSS JOIN exemplar_size x
LEFT JOIN (
    SELECT t.function AS function, count(*) AS shared
    FROM terms t
    JOIN hits i ON t.function = i.function
    JOIN exemplar_terms e ON t.term = e.term
    GROUP BY t.function
) s ON f.function = s.function
WHERE f.language = x.language AND f.tokens >= x.least_tokens AND f.tokens <= x.most_tokens
"""

_DISTINCT = """
SELECT s.function AS function, s.id AS id, s.matched AS matched, s.score AS score
FROM scored s
JOIN (SELECT digest, min(function) AS function FROM scored GROUP BY digest) d ON s.function = d.function
"""

_DRAWN = """
SELECT d.function AS function, d.matched AS matched, d.score AS score
FROM kept d
CROSS JOIN exemplar_size x
ORDER BY {order}
LIMIT {limit}
"""

_OUTSIDE = """
SELECT f.function AS function
FROM functions f
CROSS JOIN exemplar_size x
LEFT JOIN hits h ON f.function = h.function
WHERE h.function IS NULL AND f.language = x.language AND f.tokens >= x.least_tokens AND f.tokens <= x.most_tokens
"""

_OUTSIDE_DRAWN = """
SELECT f.function AS function
FROM functions f
JOIN outside o ON f.function = o.function
CROSS JOIN exemplar_size x
ORDER BY md5(concat(f.id, x.seed)), f.id
LIMIT {limit}
"""

_RANDOM, _TOP = "random", "top"


@dataclass(frozen=True)
class SearchOptions:
    """The keys of the stage.

    Attributes:
        functionalities: functionality files, or names of functionalities that ship.
        limit: maximum number of candidates of a functionality.
        draw: `random`, or `top`: those that share the most terms with the exemplars.
        outside: number of functions drawn at random from those that do not match, to estimate the heuristic's recall.
        distinct: leave out further copies of a text.
        least_tokens: shorter functions are left out.
        most_tokens: longer functions are left out.
        most_share: refuse a heuristic that matches more than this share of all functions.
        seed: random seed.
    """

    functionalities: tuple[str, ...]
    limit: int = 1000
    draw: str = _RANDOM
    outside: int = 100
    distinct: bool = True
    least_tokens: int = 15
    most_tokens: int = 5000
    most_share: float = 0.2
    seed: int = 0


def search_sql(heuristic: Heuristic) -> str:
    """The SELECT over `terms` for the functions that match a heuristic, with the number of its terms that match."""
    columns = {term: f"t{number}" for number, term in enumerate(heuristic.terms)}
    tests = {term: _test(term) for term in columns}
    flags = ", ".join(f"max(CASE WHEN {tests[term]} THEN 1 ELSE 0 END) AS {name}" for term, name in columns.items())
    wanted = sorted({one.text for one in columns if not one.prefix})
    listed = f"t.term IN ({', '.join(map(_literal, wanted))})" if wanted else "1 = 0"
    prefixes = [f"({_begins(one)})" for one in columns if one.prefix]
    hits = (f"hits.{name}" for name in columns.values())
    return _HITS.format(
        matched=" + ".join(hits),
        columns=flags,
        wanted=" OR ".join([listed, *prefixes]),
        condition=heuristic.condition({term: f"hits.{name}" for term, name in columns.items()}),
    )


def _test(term: Term) -> str:
    text = _begins(term) if term.prefix else f"t.term = {_literal(term.text)}"
    return f"({text}) AND (t.kinds & {int(term.kind)}) <> 0"


def _begins(term: Term) -> str:
    # The first comparison lets an engine skip parts of a sorted table.
    return f"t.term >= {_literal(term.text)} AND substr(t.term, 1, {len(term.text)}) = {_literal(term.text)}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class HeuristicHits:
    """What a search found.

    Attributes:
        rows: the candidates, with the columns of `CANDIDATES`.
        counts: number of functions that match, that are distinct, drawn, and drawn from the others.
    """

    rows: pa.Table
    counts: Mapping[str, int]


def search_functionality(
    engine: Engine, functions: Path, terms: Path, wanted: FunctionalityFile, options: SearchOptions
) -> HeuristicHits:
    """Search an index for the candidates of a functionality.

    Raises:
        InputError: the heuristic matches nothing, or more than the permitted share of the functions.
    """
    exemplar_terms = sorted(
        {
            term
            for text in wanted.exemplars
            for one in indexed_functions(text, wanted.language, lone=True)
            for term in one.terms
        }
    )
    given: dict[str, Any] = {
        "size": len(exemplar_terms),
        "language": wanted.language,
        "least_tokens": options.least_tokens,
        "most_tokens": options.most_tokens,
        "seed": str(options.seed),
    }
    tables: dict[str, TableLike] = {
        "functions": functions,
        "exemplar_terms": pa.table({"term": pa.array(exemplar_terms, pa.string())}),
        "exemplar_size": pa.Table.from_pylist([given]),
    }
    tables["hits"] = engine.sql(search_sql(wanted.search), {"terms": terms})
    scored = engine.sql(_SCORED, {**tables, "terms": terms})
    others = engine.sql(_OUTSIDE, tables)
    total = scored.num_rows + others.num_rows
    if not scored.num_rows:
        raise InputError(
            f"The heuristic of '{wanted.id}' matches none of {total:,} functions.",
            where=wanted.heuristic,
            hint="Terms are case-sensitive words; strings and comments are not searched.",
        )
    if scored.num_rows > options.most_share * total:
        raise InputError(
            f"The heuristic of '{wanted.id}' matches {scored.num_rows:,} of {total:,} functions, more than "
            f"{options.most_share:.0%} (most_share).",
            where=wanted.heuristic,
            hint="Join another term by AND, or raise most_share.",
        )
    kept = engine.sql(_DISTINCT, {"scored": scored}) if options.distinct else scored
    order = "d.score DESC, d.id" if options.draw == _TOP else "md5(concat(d.id, x.seed)), d.id"
    drawn = engine.sql(
        _DRAWN.format(order=order, limit=int(options.limit)), {"kept": kept, "exemplar_size": tables["exemplar_size"]}
    )
    outside = engine.sql(_OUTSIDE_DRAWN.format(limit=int(options.outside)), {**tables, "outside": others})
    rows = pa.concat_tables([_rows(wanted, drawn, FOUND_BY_HEURISTIC), _rows(wanted, outside, FOUND_OUTSIDE)])
    return HeuristicHits(
        rows,
        {
            "matched": scored.num_rows,
            "distinct": kept.num_rows,
            "drawn": drawn.num_rows,
            "not matched": others.num_rows,
            "drawn outside": outside.num_rows,
        },
    )


def _rows(wanted: FunctionalityFile, found: pa.Table, found_by: str) -> pa.Table:
    count = found.num_rows
    columns = {
        "functionality": pa.array([wanted.id] * count, pa.string()),
        "function": found["function"],
        "found_by": pa.array([found_by] * count, pa.string()),
        "matched": found["matched"] if "matched" in found.column_names else pa.array([0] * count, pa.int64()),
        "score": found["score"] if "score" in found.column_names else pa.array([0.0] * count, pa.float64()),
    }
    return pa.table(columns).cast(CANDIDATES)


def _run(work: StageWork) -> StageOutcome:

    options: SearchOptions = work.options
    found = {
        one.id: search_functionality(work.engine, work.artefact("functions"), work.artefact("terms"), one, options)
        for one in (read_functionality(name, work.recipe.folder) for name in options.functionalities)
    }
    write_parquet(pa.concat_tables([one.rows for one in found.values()]), work.output / "found")
    first = next(iter(found.values())).counts
    return StageOutcome(
        taken={"functions": first["matched"] + first["not matched"]},
        given={"candidates": sum(one.counts["drawn"] for one in found.values())},
        left_out={
            "copies": sum(one.counts["matched"] - one.counts["distinct"] for one in found.values()),
            "not drawn": sum(one.counts["distinct"] - one.counts["drawn"] for one in found.values()),
        },
        details={"functionalities": {id: dict(one.counts) for id, one in found.items()}},
    )


def _estimate(work: StageWork) -> StageEstimate:
    names = work.options.functionalities
    most = len(names) * work.options.limit
    return StageEstimate({"functionalities": len(names), "candidates at most": most})


def _files(options: SearchOptions) -> tuple[str, ...]:
    return tuple(one for one in options.functionalities if one not in functionality_names())


def _check(options: SearchOptions) -> None:
    if not options.functionalities or len(set(options.functionalities)) < len(options.functionalities):
        raise InputError("The stage 'search' needs functionalities, each once.")
    if options.draw not in (_RANDOM, _TOP):
        raise InputError(f"'{options.draw}' is not a way to draw.", hint=f"Known: {_RANDOM}, {_TOP}.")
    if options.limit < 1 or options.outside < 0 or not 0 < options.most_share <= 1:
        raise InputError("limit is less than 1, outside is negative, or most_share is not a share.")


STAGE = Stage(
    name="search",
    description="Search the index by the heuristics of functionalities, and draw candidates.",
    options=SearchOptions,
    run=_run,
    reads=("functions", "terms"),
    writes=("found",),
    estimate=_estimate,
    files=_files,
    check=_check,
)
