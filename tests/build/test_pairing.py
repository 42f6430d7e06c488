"""BigCloneBench's pairing rule, by definition and by the papers' counts."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.build.bcb_pairs import (
    FALSE_PAIRS,
    TRUE_PAIRS,
    BcbPairsParameters,
    count_false_pairs,
    count_true_pairs,
    derive_bcb_pairs,
)
from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Judgement, Pair, Role, VerdictValue
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.verdicts import judge_verdicts
from tests.build.drafts import Draft

ENGINE = DuckDBEngine()
ROLES = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 2)), st.sampled_from(("exemplar", "tagged-true", "tagged-false"))
)


def roles_table(roles: dict[tuple[int, int], str]) -> pa.Table:
    return pa.table(
        {
            "fragment": pa.array([fragment for fragment, _ in roles], pa.int64()),
            "functionality": pa.array([functionality for _, functionality in roles], pa.int64()),
            "role": pa.array(list(roles.values()), pa.string()),
        }
    )


@given(ROLES)
def test_the_rule_is_its_definition(roles: dict[tuple[int, int], str]) -> None:
    true, false = (
        [(row["left"], row["right"], row["functionality"]) for row in ENGINE.sql(text, {"roles": table}).to_pylist()]
        for table in (roles_table(roles),)
        for text in (TRUE_PAIRS, FALSE_PAIRS)
    )
    expected_true, expected_false = [], []
    for functionality in range(3):
        of = {
            role: [a for (a, f), own_role in roles.items() if f == functionality and own_role == role]
            for role in roles.values()
        }
        x, p, n = (sorted(of.get(role, [])) for role in ("exemplar", "tagged-true", "tagged-false"))
        expected_true += [(a, b, functionality) for a, b in combinations(sorted(x + p), 2)]
        expected_false += [(a, b, functionality) for a, b in product(x, n)]
        assert len([one for one in true if one[2] == functionality]) == count_true_pairs(len(x), len(p))
        assert len([one for one in false if one[2] == functionality]) == count_false_pairs(len(x), len(n))
    assert sorted(true) == sorted(expected_true)
    assert sorted(false) == sorted(expected_false)


def test_the_papers_counts() -> None:
    """Six exemplars of Copy File, 3,084 fragments tagged true and 34,018 tagged false."""
    sizes = {"exemplar": 6, "tagged-true": 3084, "tagged-false": 34018}
    roles = [role for role, size in sizes.items() for _ in range(size)]
    table = pa.table(
        {
            "fragment": pa.array(range(len(roles)), pa.int64()),
            "functionality": pa.array([4] * len(roles), pa.int64()),
            "role": roles,
        }
    )
    counted = [
        ENGINE.sql(f"SELECT count(*) AS n FROM ({text}) made", {"roles": table})["n"][0].as_py()
        for text in (TRUE_PAIRS, FALSE_PAIRS)
    ]
    assert counted == [4_772_505, 6 * 34_018]
    assert count_true_pairs(6, 3084) == 4_772_505


def test_a_benchmark_is_derived(tmp_path: Path) -> None:
    parent = Draft().functionality("f", 2, 3, 4).functionality("g", 1, 2, 0).create(tmp_path / "parent")
    report = derive_bcb_pairs(parent, tmp_path / "made")
    made = Benchmark.open(tmp_path / "made")
    made.verify()
    assert (
        made.counts["pairs"]
        == 10 + 8 + 3
        == sum(report.step(name).counts["pairs"] for name in ("true pairs", "false pairs"))
    )
    verdicts = judge_verdicts(made, "origin")
    assert verdicts.counts == {VerdictValue.CLONE: 13, VerdictValue.NOT_CLONE: 8, VerdictValue.UNKNOWN: 0}
    assert made.recipe is not None
    assert (made.recipe.operation, made.recipe.parents) == ("bcb-pairs", (parent.content_hash,))
    assert [one.content_hash for one in made.lineage()] == [made.content_hash, parent.content_hash]
    tags = made.sql("SELECT count(*) AS n FROM judgements WHERE fragment IS NOT NULL")["n"][0].as_py()
    assert tags == parent.counts["judgements"], "judgements on fragments are copied"


def test_judgements_of_people_find_their_pair(tmp_path: Path) -> None:
    draft = Draft().functionality("f", 1, 2, 1)
    draft.pairs = [Pair("f-p1", "f-p0", "f"), Pair("f-x0", "f-n0", "f"), Pair("f-n0", "f-p0", "f")]
    for pair, value in enumerate(("not-clone", "clone", "clone")):
        draft.judgements.append(Judgement("ann", "same-main-purpose", value, pair=pair))
    derive_bcb_pairs(draft.create(tmp_path / "parent"), tmp_path / "made")
    judgements = Benchmark.open(tmp_path / "made").sql(
        "SELECT l.id AS one, r.id AS other, g.value AS value FROM judgements g JOIN pairs p ON g.pair = p.pair "
        "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment "
        "WHERE g.judge = 'ann' ORDER BY one"
    )
    # The rule does not make the third pair, so its judgement is dropped.
    assert judgements.to_pylist() == [
        {"one": "f-p0", "other": "f-p1", "value": "not-clone"},
        {"one": "f-x0", "other": "f-n0", "value": "clone"},
    ]


def test_the_old_labels_of_the_rule_are_dropped(tmp_path: Path) -> None:
    draft = Draft(judges=[Judge("old", JudgeKind.RULE, "Old")]).functionality("f", 1, 1, 1)
    draft.pairs = [Pair("f-x0", "f-p0", "f")]
    draft.judgements = [Judgement("old", "shares-functionality", "not-clone", pair=0)]
    derive_bcb_pairs(draft.create(tmp_path / "parent"), tmp_path / "made")
    made = Benchmark.open(tmp_path / "made")
    assert made.table("judges")["judge"].to_pylist() == ["rule:bcb-pairs"]
    assert sorted(made.table("judgements")["value"].to_pylist()) == ["clone", "not-clone"]


def test_each_step_can_be_left_out(tmp_path: Path) -> None:
    parent = Draft().functionality("f", 2, 3, 4).create(tmp_path / "parent")
    report = derive_bcb_pairs(parent, tmp_path / "made", BcbPairsParameters(true_pairs=False))
    assert report.counts["pairs"] == 8
    assert not report.step("true pairs").done


def test_shortcomings_of_the_roles_are_reported(tmp_path: Path) -> None:
    draft = Draft().functionality("f", 1, 1, 0).functionality("g", 0, 2, 0)
    report = derive_bcb_pairs(draft.create(tmp_path / "parent"), tmp_path / "made")
    assert any("tagged false" in warning for warning in report.warnings)
    assert any("1 of 2 functionalities have no exemplar" in warning for warning in report.warnings)
    draft = Draft().functionality("f", 1, 1, 1)
    draft.member("f-p0", "f", Role.TAGGED_FALSE)
    report = derive_bcb_pairs(draft.create(tmp_path / "second"), tmp_path / "other")
    assert any("only one functionality" in warning for warning in report.warnings)
    assert any("tagged both true and false" in warning for warning in report.warnings)


def test_contradictory_pairs_are_reported(tmp_path: Path) -> None:
    draft = Draft().member("a", "f", Role.EXEMPLAR).member("b", "f", Role.TAGGED_FALSE)
    draft.member("a", "g", Role.EXEMPLAR).member("b", "g", Role.TAGGED_TRUE)
    report = derive_bcb_pairs(draft.create(tmp_path / "parent"), tmp_path / "made")
    assert (
        "1 false pairs of one functionality consist of fragments that share another functionality." in report.warnings
    )


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        (Draft().member("a", "f", Role.UNDECIDED), "No fragment has a role"),
        (Draft().functionality("f", 0, 3, 3), "No fragment is an exemplar"),
        (Draft().functionality("f", 1, 0, 0), "The recipe makes no pair"),
    ],
)
def test_bad_input_leaves_nothing(tmp_path: Path, draft: Draft, message: str) -> None:
    parent = draft.create(tmp_path / "parent")
    with pytest.raises(InputError, match=message):
        derive_bcb_pairs(parent, tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["parent"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    parent = Draft().functionality("f", 1, 1, 1).create(tmp_path / "parent")
    with pytest.raises(InputError, match="exists already"):
        derive_bcb_pairs(parent, tmp_path / "parent")
