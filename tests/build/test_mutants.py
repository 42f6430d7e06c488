"""Mutants: clones and near misses whose labels are known, without anybody's word."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clonetruth.build.mutants import MIN_SIMILARITY, NEAR_MISS, MutantParameters, derive_mutants
from clonetruth.build.near_misses import BOUND
from clonetruth.code import fragment_forms, language
from clonetruth.code.mutation import OPERATORS, Relation
from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.store import Benchmark
from clonetruth.verdicts import judge_verdicts
from tests.build.trees import imported, tree
from tests.code.sample_functions import SAMPLE_FUNCTIONS


def rows(benchmark: Benchmark) -> list[dict[str, Any]]:
    """The pairs with texts, verdicts of the default policy, and what the construction says."""
    found: list[dict[str, Any]] = benchmark.sql(
        "SELECT l.id AS left_id, l.text AS left_text, r.text AS right_text, l.language AS language,"
        " p.claimed_type AS type, p.claimed_similarity_line AS line, p.claimed_similarity_token AS token,"
        " v.verdict AS verdict, j.name AS operator, j.kind AS kind, g.evidence AS evidence, g.criterion AS criterion"
        " FROM pairs p JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment"
        " JOIN verdicts v ON p.pair = v.pair JOIN judgements g ON p.pair = g.pair JOIN judges j ON g.judge = j.judge"
        " ORDER BY p.pair",
        verdicts=judge_verdicts(benchmark).path,
    ).to_pylist()
    return found


@pytest.mark.parametrize("language_name", SAMPLE_FUNCTIONS)
def test_each_mutant_is_the_clone_that_its_operator_makes(tmp_path: Path, language_name: str) -> None:
    parent = imported(tmp_path / "parent", tree(tmp_path / "source", language_name, files=2, functions=4))
    report = derive_mutants(parent, tmp_path / "made", MutantParameters(per_fragment=4, negatives=0))
    found = rows(Benchmark.open(report.path))
    assert len(found) == 8 * 4
    for row in found:
        left, right = (fragment_forms(row[f"{side}_text"], language(row["language"])) for side in ("left", "right"))
        operator = OPERATORS[row["operator"]]
        assert Relation.between(left, right) is operator.relation
        assert right.sound
        assert row["type"] in {"T1": ("T1",), "T2": ("T2",), "T3": ("VST3", "ST3")}[operator.clone_type]
        assert min(row["line"], row["token"]) >= MIN_SIMILARITY
        assert (row["verdict"], row["kind"], row["criterion"]) == ("clone", "execution", "textual")
        assert json.loads(row["evidence"]) == {"type": row["type"], "line": row["line"], "token": row["token"]}


@pytest.fixture(scope="module")
def thorough(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """A benchmark with mutants by every operator."""
    folder = tmp_path_factory.mktemp("thorough")
    parent = imported(folder / "parent", tree(folder / "source"))
    return Benchmark.open(derive_mutants(parent, folder / "made", MutantParameters(per_fragment=10, negatives=0)).path)


def test_operators_are_used_evenly_and_once_for_an_original(thorough: Benchmark) -> None:
    found = rows(thorough)
    by_operator = Counter(row["operator"] for row in found)
    assert set(by_operator) == set(OPERATORS)
    assert max(by_operator.values()) - min(by_operator.values()) <= 2
    assert max(Counter((row["left_id"], row["operator"]) for row in found).values()) == 1
    assert [row["operator"] for row in found] == sorted(
        (row["operator"] for row in found), key=list(OPERATORS).index
    ), "in the order of the operators"


def test_a_near_miss_is_not_a_clone_by_the_measure_of_the_criterion(tmp_path: Path) -> None:
    source = tree(tmp_path / "source", "java", functions=1)
    for number, language_name in enumerate(("python", "c")):
        tree(source, language_name, first=20 * (number + 1))
    (source / "Other.java").write_text(UNLIKE, encoding="utf-8")
    parent = imported(tmp_path / "parent", source)
    made = Benchmark.open(derive_mutants(parent, tmp_path / "made", MutantParameters(min_tokens=20, min_lines=3)).path)
    found = [row for row in rows(made) if row["operator"] == NEAR_MISS]
    assert found
    for row in found:
        left, right = (fragment_forms(row[f"{side}_text"], language(row["language"])) for side in ("left", "right"))
        assert left.type1 != right.type1
        assert min(row["line"], row["token"]) < BOUND
        assert (row["verdict"], row["type"]) == ("not-clone", None)


UNLIKE = """\
class Other {
    int limit(int[] lines, int dropped) {
        switch (lines[dropped]) {
            case 1: throw new IllegalStateException();
            case 2: return -lines[0];
            default: synchronized (lines) { assert dropped > 0 : "mark"; }
        }
        do { lines[--dropped] ^= ~dropped; } while (lines[0] >>> 2 != 7 || dropped == 0);
        return dropped < 3 ? lines.length : (int) (lines[1] % 5L);
    }
    String kept(String mark, boolean report) {
        try { mark = mark + 'c' + report; } catch (RuntimeException line) { return null; } finally { notify(); }
        return new String[] { mark, "limit", "dropped", "lines", "kept", "passes" }[report ? 1 : 0].toString();
    }
}
"""


def test_the_same_seed_gives_the_same_mutants(tmp_path: Path) -> None:
    parent = imported(tmp_path / "parent", tree(tmp_path / "source"))
    hashes = [
        Benchmark.open(derive_mutants(parent, tmp_path / f"made{place}", MutantParameters(seed=seed)).path).content_hash
        for place, seed in enumerate((1, 1, 2))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("mSRI", "mDL"), {"mSRI", "mDL"}),
        (("T1",), {name for name, one in OPERATORS.items() if one.clone_type == "T1"}),
        (("T2", "mIL"), {name for name, one in OPERATORS.items() if one.clone_type == "T2"} | {"mIL"}),
        ((), set(OPERATORS)),
    ],
)
def test_operators_are_chosen_by_name_or_type(asked: tuple[str, ...], expected: set[str]) -> None:
    assert {one.name for one in MutantParameters(operators=asked).chosen()} == expected


def test_what_cannot_be_mutated_is_left_out_and_counted(tmp_path: Path) -> None:
    source = tree(tmp_path / "source", files=2)
    copy = (source / "part0.java").read_text(encoding="utf-8")
    (source / "copy.java").write_text(copy.replace("dropped", "left"), encoding="utf-8")
    (source / "small.java").write_text("class Small { int one() { return 1; } }", encoding="utf-8")
    (source / "broken.java").write_text(
        copy.replace("while (", "while ((").replace("select", "choose"), encoding="utf-8"
    )
    report = derive_mutants(imported(tmp_path / "parent", source), tmp_path / "made", MutantParameters(negatives=0))
    counts = report.step("originals").counts
    assert (counts["kept"], counts["copy of another original"], counts["too small"]) == (6, 3, 1)
    assert counts["does not parse"] >= 1
    assert report.step("mutants").counts.keys() == set(OPERATORS)


def test_the_number_of_originals_and_a_larger_draw_contains_the_smaller(tmp_path: Path) -> None:
    parent = imported(tmp_path / "parent", tree(tmp_path / "source"))
    drawn = [
        {
            row["left_id"]
            for row in rows(
                Benchmark.open(
                    derive_mutants(
                        parent, tmp_path / f"made{count}", MutantParameters(originals=count, negatives=0)
                    ).path
                )
            )
        }
        for count in (3, 7)
    ]
    assert [len(one) for one in drawn] == [3, 7]
    assert drawn[0] < drawn[1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"per_fragment": 0}, "Choose 1 or more"),
        ({"originals": 0}, "Choose 1 or more"),
        ({"negatives": -1.0}, "number of negatives"),
        ({"negatives": float("nan")}, "number of negatives"),
    ],
)
def test_invalid_options_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MutantParameters(**values)


def test_an_unknown_operator_is_reported() -> None:
    with pytest.raises(UnknownNameError, match="There is no operator 'mXY'"):
        MutantParameters(operators=("mXY",))


def test_nothing_to_mutate_is_reported_and_leaves_nothing(tmp_path: Path) -> None:
    parent = imported(tmp_path / "parent", tree(tmp_path / "source"))
    with pytest.raises(InputError, match="No fragment can be mutated"):
        derive_mutants(parent, tmp_path / "made", MutantParameters(min_tokens=10_000))
    assert not (tmp_path / "made").exists()


def test_detectors_are_measured_by_operator_without_believing_the_origin(thorough: Benchmark) -> None:
    for detector, types in (("exact", {"T1"}), ("renamed", {"T1", "T2"})):
        result = evaluate_pairs(thorough, DETECTORS[detector])
        assert (result.policy.name, result.policy.unknown) == ("default", 0)
        (stratum,) = [one for one in result.strata if one.by == "operator"]
        recalls = {group.name: group.measurements[0].value for group in stratum.groups}
        assert list(recalls) == list(OPERATORS)
        for name, recall in recalls.items():
            # Not "exactly": a mutant of a blind renaming is none of a consistent one.
            if OPERATORS[name].clone_type not in types:
                assert recall == 0
            elif OPERATORS[name].relation is not Relation.BLIND:
                assert recall == 1


def test_on_real_functions(tmp_path: Path, shared_data: Path) -> None:
    """Snippets of BigCloneBench: all of them without a class around, many with odd layout."""
    parent = imported(tmp_path / "parent", shared_data / "bcb406" / "snippets.zip")
    report = derive_mutants(parent, tmp_path / "made", MutantParameters(originals=78))
    counts = report.step("mutants").counts
    # The snippets have no comments to remove or change.
    assert {name for name, count in counts.items() if not count} == {"mCC_R", "mCC_C"}
    for row in rows(Benchmark.open(report.path)):
        left, right = (fragment_forms(row[f"{side}_text"], language(row["language"])) for side in ("left", "right"))
        clone = row["operator"] != NEAR_MISS
        assert row["verdict"] == ("clone" if clone else "not-clone")
        assert not clone or Relation.between(left, right) is OPERATORS[row["operator"]].relation
