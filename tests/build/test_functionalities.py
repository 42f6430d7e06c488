"""Recovered functionalities: correct, with evidence, distinguishable from published ones, and measured."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from clonetruth.build import RECIPES
from clonetruth.build.functionalities import RecoveryParameters, build_functionalities, check_functionalities
from clonetruth.build.functionalities.joined_data import join
from clonetruth.build.functionalities.known_labels import read_known_labels
from clonetruth.cli import cli
from clonetruth.errors import InputError
from clonetruth.model import Fragment, Membership, PairValue, Role, VerdictValue
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.verdicts import judge_verdicts
from tests.build.lists import Listed, create, knowing, listed, random_text

SIZES = {"4": 60, "2": 30, "7": 20}
RECOVERED = """
SELECT f.id AS fragment, g.id AS functionality, j.confidence AS confidence, j.evidence AS evidence
FROM judgements j
JOIN fragments f ON j.fragment = f.fragment
JOIN functionalities g ON j.functionality = g.functionality
WHERE j.judge = 'rule:recovered-functionality'
ORDER BY f.fragment
"""


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Listed:
    return listed(tmp_path_factory.mktemp("lists") / "lists", SIZES, strangers=30)


@pytest.fixture(scope="module")
def table(lists: Listed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lists.table(tmp_path_factory.mktemp("table") / "members.csv")


@pytest.fixture(scope="module")
def made(lists: Listed, table: Path, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    output = tmp_path_factory.mktemp("made") / "made"
    build_functionalities(lists.benchmark, output, RecoveryParameters(others=(table,)))
    return Benchmark.open(output)


def test_what_was_dropped_comes_back(lists: Listed, made: Benchmark) -> None:
    found = {row["fragment"]: row["functionality"] for row in made.sql(RECOVERED).to_pylist()}
    right = [lists.truth.get(fragment) == functionality for fragment, functionality in found.items()]
    assert sum(right) / len(right) > 0.98
    assert len(found) > 0.9 * len(lists.truth)


def test_fragments_of_no_functionality_stay_unknown(lists: Listed, made: Benchmark) -> None:
    found = {row["fragment"] for row in made.sql(RECOVERED).to_pylist()}
    assert not found - lists.truth.keys()


def test_every_recovered_membership_has_a_judgement_and_nothing_else_changes(lists: Listed, made: Benchmark) -> None:
    members = made.sql(
        "SELECT f.id AS fragment, m.role AS role FROM memberships m JOIN fragments f ON m.fragment = f.fragment"
    ).to_pylist()
    recovered = made.sql(RECOVERED)["fragment"].to_pylist()
    assert sorted(row["fragment"] for row in members) == sorted(recovered)
    assert {row["role"] for row in members} == {"tagged-true"}
    for name in ("fragments", "pairs"):
        assert made.table(name).equals(lists.benchmark.table(name))
    assert made.recipe is not None
    assert made.recipe.operation == "functionalities"
    assert lists.benchmark.content_hash in made.recipe.parents
    made.verify()


def test_evidence_leads_step_by_step_to_a_known_member(lists: Listed, table: Path, made: Benchmark) -> None:
    known = {line.split(",")[0] for line in table.read_text(encoding="utf-8").splitlines()[1:]}
    positive = {
        frozenset((row["one"], row["other"]))
        for row in made.sql(
            "SELECT l.id AS one, r.id AS other FROM judgements j JOIN pairs p ON j.pair = p.pair "
            "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment WHERE j.value = 'clone'"
        ).to_pylist()
    }
    inferred = [row for row in made.sql(RECOVERED).to_pylist() if row["fragment"] not in known]
    assert inferred
    for row in inferred:
        evidence = json.loads(row["evidence"])
        path = evidence["path"]
        assert path[0] == row["fragment"]
        assert path[-1] in known
        assert evidence["steps"] == ["pair"] * (len(path) - 1)
        assert all(frozenset(step) in positive for step in pairwise(path))
        assert evidence["positive_pairs"] > 0
        assert evidence["known_by"] == table.name
        assert 0.9 <= row["confidence"] < 1


def test_a_claim_is_not_evidence(made: Benchmark) -> None:
    counts = judge_verdicts(made, "default").counts
    assert counts[VerdictValue.UNKNOWN] == made.counts["pairs"]


def test_the_same_options_make_the_same_benchmark(lists: Listed, table: Path, made: Benchmark, tmp_path: Path) -> None:
    build_functionalities(lists.benchmark, tmp_path / "again", RecoveryParameters(others=(table,)))
    again = Benchmark.open(tmp_path / "again")
    assert (again.content_hash, again.judgements_hash) == (made.content_hash, made.judgements_hash)


def test_known_members_of_another_benchmark_keep_their_role(lists: Listed, tmp_path: Path) -> None:
    members = dict(list(lists.truth.items())[::3])
    texts = dict(zip(*(lists.benchmark.table("fragments")[name].to_pylist() for name in ("id", "text")), strict=True))
    knowing(tmp_path / "other", members, texts)
    report = build_functionalities(lists.benchmark, tmp_path / "new", RecoveryParameters(others=(tmp_path / "other",)))
    assert report.step("known").counts == {
        "fragments": len(members),
        "texts compared": len(members),
        "texts the same": len(members),
    }
    made = Benchmark.open(tmp_path / "new")
    rows = made.sql(RECOVERED).to_pylist()
    shared = [row for row in rows if row["fragment"] in members]
    assert {row["fragment"]: row["functionality"] for row in shared} == members
    assert {row["confidence"] for row in shared} == {(len(members) + 1) / (len(members) + 2)}
    roles = made.sql("SELECT role, count(*) AS n FROM memberships GROUP BY role").to_pylist()
    assert {"role": "exemplar", "n": len(members)} in roles
    assert len(made.lineage()) == 3


def test_a_text_twin_is_found_in_another_benchmark_with_other_ids(tmp_path: Path) -> None:
    texts = {name: f"void f() {{ {' '.join(f'{name}{number}();' for number in range(14))} }}" for name in "abcdef"}
    own = create(tmp_path / "own", [Fragment(name, "java", text) for name, text in texts.items()], {})
    members = {name: "1" if name < "c" else "2" for name in "abcd"}
    moved = {**members, "other-e": "2"}
    knowing(tmp_path / "other", moved, {**texts, "other-e": texts["e"] + " // a copy"})
    report = build_functionalities(
        own, tmp_path / "new", RecoveryParameters((tmp_path / "other",), confidence=0.1, folds=2, pairs=False)
    )
    assert report.step("ties").counts["fragments of others"] == 1
    # Nobody of the known has a twin, so the confidence of twins cannot be measured: the copy stays unknown.
    assert report.step("unknown").counts == {
        "fragments": 2,
        "in no positive pair, and without a twin": 1,
        "too unsure": 1,
    }


def test_copies_of_known_texts_are_recovered_without_any_pair(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    texts = [random_text(random) for _ in range(60)]
    fragments = [
        Fragment(f"{name}{number}", "java", text + comment)
        for number, text in enumerate(texts)
        for name, comment in (("a", ""), ("b", "// the same"), ("c", "/* again */"))
    ]
    truth = {one.id: str(int(one.id[1:]) % 2) for one in fragments}
    known = {name: functionality for name, functionality in truth.items() if name[0] != "c"}
    knowing(tmp_path / "other", known)
    own = create(tmp_path / "own", fragments, {})
    build_functionalities(own, tmp_path / "new", RecoveryParameters((tmp_path / "other",), pairs=False))
    made = Benchmark.open(tmp_path / "new").sql(RECOVERED).to_pylist()
    assert {row["fragment"]: row["functionality"] for row in made} == truth
    ways = {(row["fragment"][0], json.loads(row["evidence"])["way"]) for row in made}
    assert ways == {("a", "shared-id"), ("b", "shared-id"), ("c", "twins")}


def test_the_benchmarks_own_memberships_take_precedence(tmp_path: Path) -> None:
    fragments = [Fragment(name, "java", "") for name in "abc"]
    own = create(
        tmp_path / "own",
        fragments,
        {("a", "b"): PairValue.CLONE},
        [Membership("a", "1", Role.TAGGED_FALSE), Membership("b", "1", Role.TAGGED_TRUE)],
    )
    knowing(tmp_path / "other", {"a": "1", "c": "1"})
    material = join(
        read_known_labels(own.path), [read_known_labels(tmp_path / "other")], lambda what, done, total: None
    )
    assert material.known.tolist() == [[False, True, True]]
    assert material.denied.tolist() == [[True, False, False]]


def test_others_may_have_the_name_of_the_benchmark(lists: Listed, tmp_path: Path) -> None:
    name = lists.benchmark.card.name
    members = list(lists.truth.items())[::3]
    folders = []
    for number in range(2):
        half = members[number::2]
        roles = [Membership(one, functionality, Role.TAGGED_TRUE) for one, functionality in half]
        folders.append(
            create(tmp_path / f"{number}", [Fragment(one, "java", "") for one, _ in half], {}, roles, name).path
        )
    build_functionalities(lists.benchmark, tmp_path / "new", RecoveryParameters(tuple(folders)))
    rows = Benchmark.open(tmp_path / "new").sql(RECOVERED).to_pylist()
    assert dict(members).items() <= {row["fragment"]: row["functionality"] for row in rows}.items()


def test_contradictory_claims_on_a_pair_are_ignored(tmp_path: Path) -> None:
    fragments = [Fragment(name, "java", "") for name in "abc"]
    rows = {("a", "b"): PairValue.CLONE, ("b", "a"): PairValue.NOT_CLONE, ("b", "c"): PairValue.CLONE}
    known = read_known_labels(create(tmp_path / "own", fragments, rows).path)
    assert (len(known.positive), len(known.negative)) == (1, 0)


def test_the_check_counts_what_is_recovered_of_hidden_members(lists: Listed, table: Path) -> None:
    found = check_functionalities(lists.benchmark, RecoveryParameters(others=(table,)))
    assert found.fragments == 140
    assert found.known == len(table.read_text(encoding="utf-8").splitlines()) - 1
    assert {point.hidden for point in found.check.curve} == {"fragments", "chains"}
    for point in found.check.curve:
        assert point.coverage.of == found.known
        assert point.accuracy.of == point.coverage.count
        assert (point.accuracy.value is None) == (point.coverage.count == 0)
    least = found.check.curve[0]
    assert least.coverage.value is not None
    assert least.accuracy.value is not None
    assert least.coverage.value > 0.8
    assert least.accuracy.value > 0.95
    assert [one.functionality for one in found.check.functionalities] == list(SIZES)
    assert all(one.strangers.count == 0 for one in found.check.functionalities)


def assert_refused(benchmark: Benchmark, output: Path, options: RecoveryParameters, what: str) -> None:
    with pytest.raises(InputError, match=what):
        build_functionalities(benchmark, output, options)
    assert not output.exists()


def test_nothing_is_recovered_without_known_members(lists: Listed, tmp_path: Path) -> None:
    assert_refused(
        lists.benchmark, tmp_path / "new", RecoveryParameters(), "No functionality of its 140 fragments is known"
    )
    strange = tmp_path / "strange.csv"
    strange.write_text("function_id,functionality_id\n7,4\n", encoding="utf-8")
    assert_refused(
        lists.benchmark,
        tmp_path / "new",
        RecoveryParameters((strange,)),
        "is known, from the benchmark itself or from 1 others",
    )


def test_too_few_known_members_cannot_be_measured(lists: Listed, tmp_path: Path) -> None:
    few = tmp_path / "few.csv"
    few.write_text("function_id,functionality_id\n1000000,4\n1000001,4\n", encoding="utf-8")
    assert_refused(
        lists.benchmark, tmp_path / "new", RecoveryParameters((few,)), "5 folds cannot be made of 2 separate groups"
    )


def test_ids_with_other_texts_are_refused(lists: Listed, tmp_path: Path) -> None:
    members = dict(list(lists.truth.items())[:9])
    knowing(tmp_path / "other", members, dict.fromkeys(members, "int other;"))
    assert_refused(
        lists.benchmark, tmp_path / "new", RecoveryParameters((tmp_path / "other",)), "refer to other fragments: of 9"
    )


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("function_id,functionality\n1,2\n", "no column 'functionality_id'"),
        ("function_id,functionality_id\n", "is empty"),
        ("function_id,functionality_id\n1000000,\n", "does not name a fragment and a functionality"),
        ("function_id,functionality_id\n1000000,4,5,6\n", "cannot be read"),
    ],
)
def test_an_invalid_table_is_refused(lists: Listed, tmp_path: Path, content: str, what: str) -> None:
    path = tmp_path / "members.csv"
    path.write_text(content, encoding="utf-8")
    assert_refused(lists.benchmark, tmp_path / "new", RecoveryParameters((path,)), what)


def test_a_missing_table_is_refused(lists: Listed, tmp_path: Path) -> None:
    assert_refused(lists.benchmark, tmp_path / "new", RecoveryParameters((tmp_path / "none.csv",)), "does not exist")


def test_what_was_recovered_is_not_recovered_again(made: Benchmark, table: Path, tmp_path: Path) -> None:
    assert_refused(made, tmp_path / "new", RecoveryParameters((table,)), "already recovered")


def test_a_confidence_is_a_share() -> None:
    with pytest.raises(InputError, match="not between 0 and 1"):
        RecoveryParameters(confidence=95)


def test_a_parquet_table_with_numbers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "members.parquet"
    pq.write_table(pa.table({"function_id": [5, 6, 5], "functionality_id": [4, 4, 2]}), path)
    found = read_known_labels(path)
    assert found.ids == ["5", "6"]
    assert [(one.fragment, one.functionality) for one in found.members] == [(0, "4"), (1, "4"), (0, "2")]


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, ["build", "functionalities", *map(str, words)])


def test_the_command_checks_and_builds(lists: Listed, table: Path, tmp_path: Path) -> None:
    words = (lists.benchmark.path, "--with", table, "--check-folds", 5)
    found = run(*words, "-o", tmp_path / "new", "--json")
    assert found.exit_code == 0, found.output
    printed = json.loads(found.stdout)
    assert printed["check"]["check"]["curve"][0]["coverage"]["value"] > 0.8
    assert printed["build"]["operation"] == "functionalities"
    assert Benchmark.open(tmp_path / "new").counts["memberships"] > 0
    shown = run(*words)
    assert shown.exit_code == 0
    assert "taken for another" in shown.stdout


def test_the_command_names_the_missing_option(lists: Listed) -> None:
    found = run(lists.benchmark.path)
    assert found.exit_code == 2
    assert "--check-folds" in found.output


def test_the_recipe_is_registered() -> None:
    assert RECIPES["functionalities"].build is build_functionalities


@pytest.mark.slow
def test_codexglue_gets_its_functionalities_back(shared_data: Path, tmp_path: Path) -> None:
    """The aim of the field: 60 % coverage, and 95 % of them right, with whole chains of twins hidden."""
    folder = shared_data / "bigclonebench"
    names = ("codexglue/train_sampled.txt.gz", "codexglue/valid_sampled.txt", "codexglue/test_sampled.txt")
    files = [folder / name for name in (*names, "functions.zip")]
    import_dataset("codexglue-bcb", files, output=tmp_path / "lists")
    benchmark = Benchmark.open(tmp_path / "lists")
    options = RecoveryParameters(others=(folder / "function_functionality.parquet",))
    found = check_functionalities(benchmark, options)
    assert (found.known, found.fragments) == (953, 9120)
    for point in found.check.curve:
        if point.confidence <= 0.95:
            assert point.coverage.low is not None
            assert point.accuracy.low is not None
            assert point.coverage.low > 0.8
            assert point.accuracy.low > 0.95
    report = build_functionalities(benchmark, tmp_path / "new", options)
    (share,) = report.comparisons
    assert share.ours is not None
    assert share.ours > 60
