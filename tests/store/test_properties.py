"""Properties of the benchmark folder that hold for any content."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.model import (
    CRITERIA,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
    Subject,
)
from clonetruth.store import Benchmark
from clonetruth.store.hashing import TableHasher

from .samples import CARD, ENGINE

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAYBE_TEXT = st.none() | TEXT
LINE = st.none() | st.integers(1, 2**31 - 1)
REAL = st.none() | st.floats(allow_nan=False)
SHARE = st.none() | st.floats(0, 1)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Any dataset that the store must take."""
    ids = draw(st.lists(TEXT, min_size=1, max_size=5, unique=True))
    goals = draw(st.lists(TEXT, min_size=1, max_size=3, unique=True))
    some_id, some_goal = st.sampled_from(ids), st.sampled_from(goals)
    fragments = [
        draw(
            st.builds(
                Fragment, st.just(name), TEXT, TEXT, st.sampled_from(FragmentKind), MAYBE_TEXT, MAYBE_TEXT,
                MAYBE_TEXT, LINE, LINE,
            )
        )
        for name in ids
    ]  # fmt: skip
    part = st.sampled_from([None, "train", "valid", "test"])
    pairs = draw(
        st.lists(
            st.builds(
                Pair, some_id, some_id, st.none() | some_goal, MAYBE_TEXT, REAL, REAL, MAYBE_TEXT, part
            ),
            max_size=5,
        )
    )  # fmt: skip
    judges = [Judge("r", JudgeKind.RULE, "R"), Judge("p", JudgeKind.PERSON, draw(TEXT))]
    criteria = [c for c in CRITERIA.values() if pairs or c.subject is Subject.FRAGMENT]

    def judgement() -> Judgement:
        criterion = draw(st.sampled_from(criteria))
        of_pair = criterion.subject is Subject.PAIR
        return Judgement(
            draw(st.sampled_from(["r", "p"])),
            criterion.name,
            draw(st.sampled_from(criterion.values)),
            pair=draw(st.integers(0, len(pairs) - 1)) if of_pair else None,
            fragment=None if of_pair else draw(some_id),
            functionality=None if of_pair else draw(some_goal),
            confidence=draw(SHARE),
            reason=draw(MAYBE_TEXT),
            evidence=draw(MAYBE_TEXT),
            time=draw(st.none() | st.datetimes().map(lambda moment: moment.isoformat())),
            source_row=draw(st.none() | st.integers(-(2**63), 2**63 - 1)),
        )

    return Dataset(
        CARD,
        fragments,
        [draw(st.builds(Functionality, st.just(goal), TEXT, MAYBE_TEXT, MAYBE_TEXT)) for goal in goals],
        draw(st.lists(st.builds(Membership, some_id, some_goal, st.sampled_from(Role)), max_size=4)),
        pairs,
        judges,
        [judgement() for _ in range(draw(st.integers(0, 4)))],
    )


def rows_of(dataset: Dataset, name: str) -> list[dict[str, Any]]:
    return [dataclasses.asdict(row) for row in getattr(dataset, name)]


def with_ids(benchmark: Benchmark, name: str) -> list[dict[str, Any]]:
    """A stored table with string ids for keys, as the dataclasses have them."""
    ids = {
        "fragment": benchmark.table("fragments")["id"].to_pylist(),
        "functionality": benchmark.table("functionalities")["id"].to_pylist(),
    }
    ids |= {"left": ids["fragment"], "right": ids["fragment"]}
    rows: list[dict[str, Any]] = benchmark.table(name).to_pylist()
    return [
        {key: ids[key][value] if key in ids and value is not None else value for key, value in row.items()}
        for row in rows
    ]


SLOW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(datasets(), st.integers(1, 3))
def test_what_goes_in_comes_out_and_batches_leave_no_trace(dataset: Dataset, batch_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        benchmark = Benchmark.create(Path(folder) / "a", dataset, engine=ENGINE)
        fragments = benchmark.table("fragments").drop_columns(["fragment"]).to_pylist()
        assert fragments == rows_of(dataset, "fragments")
        goals = benchmark.table("functionalities").drop_columns(["functionality"]).to_pylist()
        assert goals == rows_of(dataset, "functionalities")
        assert with_ids(benchmark, "memberships") == rows_of(dataset, "memberships")
        pairs = [
            {k: v for k, v in row.items() if k not in ("pair", "pair_key")} for row in with_ids(benchmark, "pairs")
        ]
        assert pairs == rows_of(dataset, "pairs")
        judgements = with_ids(benchmark, "judgements")
        for found, given_ in zip(judgements, rows_of(dataset, "judgements"), strict=True):
            moment = found.pop("time")
            assert (moment and moment.replace(tzinfo=None).isoformat()) == given_.pop("time")
            del found["sequence"]
            assert found == given_
        again = Benchmark.create(Path(folder) / "b", dataset, engine=ENGINE, batch_rows=batch_rows)
        assert again.content_hash == benchmark.content_hash
        assert again.judgements_hash == benchmark.judgements_hash


@SLOW
@given(datasets())
def test_appending_never_changes_the_content_hash(dataset: Dataset) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole = Benchmark.create(Path(folder) / "whole", dataset, engine=ENGINE)
        bare = dataclasses.replace(dataset, judges=(), judgements=())
        grown = Benchmark.create(Path(folder) / "grown", bare, engine=ENGINE)
        before = grown.content_hash
        grown.append_judgements(dataset.judges, dataset.judgements)
        grown.verify()
        assert Benchmark.open(grown.path).content_hash == before == whole.content_hash
        # The same votes in another part are the same votes.
        assert grown.judgements_hash == whole.judgements_hash


CELLS = {
    "text": (pa.string(), MAYBE_TEXT),
    "number": (pa.int64(), st.none() | st.integers(-(2**63), 2**63 - 1)),
    "real": (pa.float64(), st.none() | st.floats()),
    "line": (pa.int32(), LINE),
}
SCHEMA = pa.schema([pa.field(name, kind) for name, (kind, _) in CELLS.items()])
ROWS = st.lists(st.fixed_dictionaries({name: cell for name, (_, cell) in CELLS.items()}), max_size=6)


def digest(*tables: pa.Table) -> str:
    hasher = TableHasher(SCHEMA.names)
    for table in tables:
        for batch in table.to_batches():
            hasher.update(batch)
    return hasher.hexdigest()


@given(ROWS, st.integers(0, 6), st.integers(0, 6))
def test_the_hash_does_not_see_batches_slices_or_string_widths(rows: list[Any], cut: int, start: int) -> None:
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    assert digest(table.slice(0, cut), table.slice(cut)) == digest(table)
    wide = table.set_column(0, "text", table["text"].cast(pa.large_string()))
    coded = table.set_column(0, "text", table["text"].dictionary_encode())
    assert digest(wide) == digest(coded) == digest(table)
    rest = pa.Table.from_pylist(rows[start:], schema=SCHEMA)
    assert digest(table.slice(start)) == digest(rest)


@given(ROWS, ROWS)
def test_different_rows_have_different_hashes(one: list[Any], other: list[Any]) -> None:
    first, second = (pa.Table.from_pylist(rows, schema=SCHEMA) for rows in (one, other))
    # Python's repr does not distinguish NaNs, but 0.0 from -0.0; the hash treats both as equal.
    same = repr(first.to_pylist()).replace("-0.0", "0.0") == repr(second.to_pylist()).replace("-0.0", "0.0")
    assert (digest(first) == digest(second)) == same


@given(ROWS.filter(bool), st.data())
def test_any_changed_cell_changes_the_hash(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.sampled_from(SCHEMA.names))
    old = rows[row][column]
    new = data.draw(CELLS[column][1].filter(lambda value: value != old and repr(value) != repr(old)))
    changed = [{**r, column: new} if number == row else r for number, r in enumerate(rows)]
    tables = [pa.Table.from_pylist(content, schema=SCHEMA) for content in (rows, changed)]
    assert digest(tables[0]) != digest(tables[1])
