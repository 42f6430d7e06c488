"""Making and opening a benchmark folder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Membership, Pair, Recipe, Role
from clonetruth.store import SCHEMA_VERSION, TABLES, Benchmark, BenchmarkWriter
from clonetruth.store.schemas import CORE

from .samples import ADA, CARD, FRAGMENTS, JUDGEMENTS, PAIRS, RULE, dataset, derived_recipe, small


def test_a_created_benchmark_opens_with_what_went_in(tmp_path: Path) -> None:
    small(tmp_path / "b")
    benchmark = Benchmark.open(tmp_path / "b")
    assert benchmark.card == CARD
    assert benchmark.recipe is None
    assert benchmark.schema_version == SCHEMA_VERSION
    assert benchmark.counts == {
        "fragments": 4,
        "functionalities": 2,
        "memberships": 3,
        "pairs": 3,
        "judges": 1,
        "judgements": 3,
    }
    assert benchmark.table("fragments")["text"].to_pylist() == [fragment.text for fragment in FRAGMENTS]
    benchmark.verify()


def test_every_table_has_the_documented_schema(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    for name in CORE:
        assert benchmark.table(name).schema.equals(TABLES[name].schema), name


def test_keys_are_dense_in_order_of_arrival_and_pairs_keep_their_order(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    assert benchmark.table("fragments")["fragment"].to_pylist() == [0, 1, 2, 3]
    pairs = benchmark.table("pairs").to_pylist()
    assert [(row["pair"], row["left"], row["right"]) for row in pairs] == [(0, 1, 0), (1, 0, 1), (2, 3, 2)]
    assert [row["pair_key"] for row in pairs] == [1, 1, 2 * 4294967296 + 3]
    assert [row["functionality"] for row in pairs] == [0, None, None]


def test_judgements_keep_their_order_time_and_settings(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    judgements = benchmark.table("judgements").to_pylist()
    assert [row["sequence"] for row in judgements] == [0, 0, 0], "they arrive together"
    assert judgements[2]["time"] == datetime(2026, 3, 4, 3, 6, 7, 8, tzinfo=UTC)
    assert (judgements[2]["fragment"], judgements[2]["functionality"]) == (0, 0)
    assert benchmark.table("judges")["settings"].to_pylist() == ['{"a": null, "b": [1, "ü"]}']


def test_a_time_without_an_offset_is_utc(tmp_path: Path) -> None:
    judgement = Judgement("small-rule", "textual", "clone", pair=0, time="2026-01-02T03:04:05")
    benchmark = small(tmp_path / "b", judgements=[judgement])
    assert benchmark.table("judgements")["time"][0].as_py() == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fragments": (*FRAGMENTS, FRAGMENTS[1])}, r"fragments, row 4: The id 'sum/2' occurs twice.*row 1"),
        ({"pairs": (*PAIRS, Pair("sum/1", "nowhere"))}, "pairs, row 3: The right 'nowhere' is not among"),
        ({"pairs": (Pair("sum/1", "sum/2", "5"),)}, "pairs, row 0: The functionality '5' is not among"),
        ({"pairs": (Pair("sum/1", "sum/2", claimed_part="dev"),)}, "pairs, row 0: 'dev' is not a valid claimed_part"),
        ({"memberships": (Membership("x", "4", Role.EXEMPLAR),)}, "memberships, row 0: The fragment 'x'"),
        ({"memberships": (Membership("copy", "4", "boss"),)}, "memberships, row 0: 'boss' is not a valid role"),  # type: ignore[arg-type]
        ({"judges": (RULE, RULE)}, "judges, row 1: The judge 'small-rule' is already defined"),
        ({"judges": (Judge("x", "oracle", "X"),)}, "judges, row 0: 'oracle' is not a valid kind"),  # type: ignore[arg-type]
        ({"judges": ()}, "judgements, row 0: There is no judge 'small-rule'"),
        (
            {"judgements": (JUDGEMENTS[0], Judgement("small-rule", "textual", "major", pair=0))},
            "judgements, row 1: The criterion 'textual' does not permit the answer 'major'",
        ),
        (
            {"judgements": (Judgement("small-rule", "taste", "clone", pair=0),)},
            "row 0: 'taste' is not a valid criterion",
        ),
        ({"judgements": (Judgement("small-rule", "textual", "clone", pair=3),)}, "row 0: There is no pair 3"),
        (
            {"judgements": (Judgement("small-rule", "textual", "clone"),)},
            "applies to pairs only",
        ),
        (
            {"judgements": (Judgement("small-rule", "implements-functionality", "major", fragment="copy"),)},
            "applies to fragments in a functionality only",
        ),
        (
            {"judgements": (Judgement("small-rule", "textual", "clone", pair=0, confidence=1.5),)},
            "judgements, row 0: The confidence 1.5 is not between 0 and 1",
        ),
        (
            {"judgements": (Judgement("small-rule", "textual", "clone", pair=0, time="yesterday"),)},
            "judgements, row 0: The value of 'time' cannot be stored",
        ),
        ({"fragments": (Fragment("a", "java", "\ud800"),)}, "fragments, row 0: The value of 'text'"),
        ({"fragments": (Fragment("a", "java", None),)}, "fragments, row 0: The column 'text' has a missing value"),  # type: ignore[arg-type]
        ({"fragments": (*FRAGMENTS, PAIRS[0])}, "fragments, row 4: The fragments contain a Pair"),
        ({"card": Card("a", "1", "d", "l", "c", "beauty", ())}, "criterion 'beauty' is unknown"),
    ],
)
def test_content_that_does_not_fit_is_refused_by_table_and_row(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        small(tmp_path / "b", **changes)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_later_batches_are_named_by_their_number_in_the_table(tmp_path: Path) -> None:
    fragments = (*FRAGMENTS, Fragment("late", "java", "", kind="novel"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="fragments, row 4: 'novel' is not a valid kind"):
        Benchmark.create(tmp_path / "b", dataset(fragments=fragments), batch_rows=2)


def test_an_existing_path_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(InputError, match="never overwritten"):
        small(tmp_path / "b")
    assert list((tmp_path / "b").iterdir()) == []


def test_a_missing_parent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="parent folder does not exist"):
        small(tmp_path / "nowhere" / "b")


def test_an_exception_of_the_source_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Any:
        yield FRAGMENTS[0]
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        small(tmp_path / "b", fragments=broken())
    assert list(tmp_path.iterdir()) == []


def test_a_benchmark_without_pairs_or_judgements_is_whole(tmp_path: Path) -> None:
    benchmark = Benchmark.create(tmp_path / "b", Dataset(CARD, [FRAGMENTS[0]]))
    assert benchmark.counts["pairs"] == 0
    assert benchmark.table("judgements").num_rows == 0
    benchmark.verify()


def test_arrow_tables_with_string_ids_give_the_same_benchmark_as_rows(tmp_path: Path) -> None:
    by_rows = small(tmp_path / "rows")
    with BenchmarkWriter(tmp_path / "arrow", CARD) as writer:
        writer.add("pairs", pa.table({"left": ["sum/2"], "right": ["sum/1"], "functionality": ["4"],
            "claimed_type": ["T4"], "claimed_similarity_line": [0.25], "claimed_similarity_token": [0.5],
            "claimed_cut_rule": ["both"], "claimed_part": ["train"]}))  # fmt: skip
        writer.add("pairs", pa.table({"left": ["sum/1"], "right": pa.array(["sum/2"], pa.large_string())}))
        writer.add("pairs", [PAIRS[2]])
        writer.add("fragments", FRAGMENTS)
        for name in ("functionalities", "memberships", "judges", "judgements"):
            writer.add(name, getattr(dataset(), name))
    by_arrow = Benchmark.open(tmp_path / "arrow")
    assert by_arrow.content_hash == by_rows.content_hash
    assert by_arrow.judgements_hash == by_rows.judgements_hash


def test_arrow_with_a_foreign_column_or_type_is_refused(tmp_path: Path) -> None:
    for bad, message in [
        ({"left": ["a"], "right": ["b"], "colour": ["red"]}, "pairs: There is no column 'colour'"),
        ({"left": ["a"]}, "pairs: The column 'right' is missing"),
        ({"left": ["a"], "right": ["b"], "claimed_similarity_line": ["high"]}, "cannot be converted to double"),
    ]:
        with pytest.raises(InputError, match=message), BenchmarkWriter(tmp_path / "b", CARD) as writer:
            writer.add("pairs", pa.table(bad))
    with (
        pytest.raises(InputError, match="no core table 'votes'"),
        BenchmarkWriter(tmp_path / "b", CARD) as writer,
    ):
        writer.add("votes", [])


def test_lineage_names_every_ancestor_nearest_first(tmp_path: Path) -> None:
    first = small(tmp_path / "first")
    second = Benchmark.create(
        tmp_path / "second", dataset(recipe=derived_recipe(), pairs=PAIRS[:1], judgements=()), parents=[first]
    )
    third = Benchmark.create(
        tmp_path / "third", dataset(recipe=derived_recipe(), pairs=(), judgements=()), parents=[second]
    )
    third = Benchmark.open(third.path)
    assert [step.content_hash for step in third.lineage()] == [
        third.content_hash,
        second.content_hash,
        first.content_hash,
    ]
    assert third.recipe is not None
    assert third.recipe.parents == (second.content_hash,)
    assert third.lineage()[1].recipe == second.recipe
    with pytest.raises(InputError, match="needs a recipe"):
        Benchmark.create(tmp_path / "fourth", dataset(), parents=[first])
    with pytest.raises(InputError, match="cannot be written as JSON"):
        small(tmp_path / "fifth", recipe=Recipe("keep", {"path": tmp_path}))


def test_sql_sees_the_tables_and_what_is_handed_in(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b", judges=(RULE, ADA))
    weights = pa.table({"pair": [0, 2], "weight": [1.5, 2.0]})
    result = benchmark.sql(
        """
        SELECT f.id AS id, w.weight AS weight FROM pairs p
        JOIN fragments f ON p.left = f.fragment JOIN weights w ON p.pair = w.pair ORDER BY p.pair
        """,
        weights=weights,
    )
    assert result.to_pylist() == [{"id": "sum/2", "weight": 1.5}, {"id": "copy", "weight": 2.0}]
    with pytest.raises(InputError, match="The SQL cannot be run"):
        benchmark.sql("SELECT * FROM pears")


def test_names_of_tables_that_are_not_there_get_a_hint(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    with pytest.raises(InputError, match=r"There is no table 'pears'\. Known: fragments"):
        benchmark.table("pears")
    with pytest.raises(InputError, match=r"There are no measures 'bcb'\. Available: none"):
        benchmark.measures("bcb")
    with pytest.raises(InputError, match="cannot name a file"):
        benchmark.measures("../pairs")


def test_judge_kinds_of_the_model_are_those_of_the_store(tmp_path: Path) -> None:
    judges = [Judge(kind, kind, kind) for kind in JudgeKind]
    benchmark = small(tmp_path / "b", judges=judges, judgements=())
    assert benchmark.table("judges")["kind"].to_pylist() == list(JudgeKind)
