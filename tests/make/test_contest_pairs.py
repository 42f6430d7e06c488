"""Contests across languages: pairs, execution on shared inputs, and a benchmark without a rule's labels."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import clonetruth
from clonetruth.audit import audit_benchmark
from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.errors import InputError
from clonetruth.judges.execution_tasks import select_fragments, select_pairs
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Functionality, Judgement, Membership, Role
from clonetruth.store import Benchmark, open_benchmark
from tests.build.contests import ONLINE, contest, solutions
from tests.execution.sandboxed import LACKING

PROGRAMS = {
    "sum": {
        "python": "a, b = map(int, input().split())\nprint(a + b)\n",
        "c": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); '
        "return 0; }\n",
        "java": "import java.util.*;\npublic class Main { public static void main(String[] x) { Scanner s = new "
        "Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }\n",
    },
    "product": {
        "python": "a, b = map(int, input().split())\nprint(a * b)\n",
        "c": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a * b); '
        "return 0; }\n",
    },
}
RECIPE = """
[make]
name = "across"
description = "Solutions in two languages."

[[stage]]
use = "contest"
benchmark = "contest"

[[stage]]
use = "{judge}"
{keys}

[[stage]]
use = "judged"
"""


def _contest(path: Path, programs: dict[str, dict[str, str]] | None = None) -> Benchmark:
    chosen = PROGRAMS if programs is None else programs
    card = Card("contest", "1", "Solutions.", "MIT", "none", "functionally-similar", ("python", "c", "java"))
    named = [(problem, name, text) for problem, texts in chosen.items() for name, text in texts.items()]
    return Benchmark.create(
        path,
        Dataset(
            card,
            [Fragment(f"{problem}/{name}", name, text, FragmentKind.FILE) for problem, name, text in named],
            [Functionality(problem, problem) for problem in chosen],
            [Membership(f"{problem}/{name}", problem, Role.TAGGED_TRUE) for problem, name, _ in named],
            judges=[ONLINE],
            judgements=[
                Judgement(
                    ONLINE.id,
                    "implements-functionality",
                    "major",
                    fragment=f"{problem}/{name}",
                    functionality=problem,
                )
                for problem, name, _ in named
            ],
        ),
    )


def _sides(benchmark: Benchmark) -> list[tuple[str, str]]:
    rows = benchmark.sql(
        "SELECT l.id AS one, r.id AS other FROM pairs p JOIN fragments l ON p.left = l.fragment "
        "JOIN fragments r ON p.right = r.fragment"
    )
    return [(row["one"], row["other"]) for row in rows.to_pylist()]


def test_both_sides_of_a_pair_are_in_different_languages(tmp_path: Path) -> None:
    parent = _contest(
        tmp_path / "contest", {"a": {"python": "p", "c": "c", "java": "j"}, "b": {"python": "q", "c": "d"}}
    )
    report = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2, across_languages=True, ratio=9.0))
    sides = _sides(open_benchmark(report.path))
    assert all(one.split("/")[1] != other.split("/")[1] for one, other in sides)
    within = [(one, other) for one, other in sides if one[0] == other[0]]
    assert len(within) == 3 + 1
    assert len(sides) - len(within) == 4, "all pairs of two problems and two languages"
    drawn = derive_contest(
        parent, tmp_path / "drawn", ContestParameters(solutions=2, across_languages=True, positives=2, ratio=1.0)
    )
    assert drawn.step("pairs").counts["within problems"] == 2


def test_one_language_has_no_pairs_across_languages(tmp_path: Path) -> None:
    parent = contest(tmp_path / "contest", {"a": solutions("a", 3)})
    with pytest.raises(InputError, match="All solutions are in java"):
        derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2, across_languages=True))


@pytest.mark.slow
def test_a_contest_becomes_a_benchmark_without_labels(tmp_path: Path) -> None:
    _contest(tmp_path / "contest")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE.format(judge="study", keys='protocol = "functionally-similar"'))
    waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert "subjects have no judgement" in (waiting.waits_for or "")
    text = recipe.read_text().partition('[[stage]]\nuse = "study"')[0]
    recipe.write_text(text + '[[stage]]\nuse = "judged"\n')
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "unjudged")
    assert report.finished
    made = open_benchmark(tmp_path / "unjudged" / "benchmark")
    assert made.recipe is not None
    assert made.recipe.operation == "make"
    assert made.counts["pairs"] == 4 + 4
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == []
    judged = report.stage("judged").report
    assert judged is not None
    assert judged.given["unknown by the evidence"] == 8


@pytest.mark.slow
@pytest.mark.skipif(bool(LACKING), reason=str(LACKING))
def test_execution_on_shared_inputs_is_the_evidence(tmp_path: Path) -> None:
    _contest(tmp_path / "contest")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE.format(judge="execution", keys="runs = 20\njobs = 1"))
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    made = open_benchmark(tmp_path / "made" / "benchmark")
    said = _said(made)
    assert said["sum/python", "sum/c"] == "clone"
    # They differ, but on inputs whose form was only inferred from both texts: no given input confirms it.
    assert said["sum/python", "product/c"] == "undecided"
    # So the evidence knows clones only, and the audit says it.
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == ["CT307"]
    found = report.stage("judged").report
    assert found is not None
    assert found.details["pairs by language"]["C and Python"] == {"different problems": 2, "one problem": 2}


@pytest.mark.slow
@pytest.mark.skipif(bool(LACKING), reason=str(LACKING))
def test_a_difference_on_an_input_on_which_solutions_agree_counts(tmp_path: Path) -> None:
    _contest(tmp_path / "contest")
    recipe = tmp_path / "recipe.toml"
    text = RECIPE.format(judge="execution", keys="runs = 20\njobs = 1")
    asked = '[[stage]]\nuse = "agreed-inputs"\nleast = 2\njobs = 1\n\n[[stage]]\nuse = "execution"'
    recipe.write_text(text.replace('[[stage]]\nuse = "execution"', asked))
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    found = report.stage("agreed-inputs").report
    assert found is not None
    assert dict(found.given) == {"problems with inputs": 2, "inputs": 20}
    assert found.details["solutions that agree on an input"] == {"2": 10, "3": 10}
    made = open_benchmark(tmp_path / "made" / "benchmark")
    said = _said(made)
    assert said["sum/python", "sum/c"] == "clone"
    assert said["sum/python", "product/c"] == "not-clone"
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == []
    judged = made.sql(
        "SELECT DISTINCT g.criterion AS criterion, j.name AS judge FROM judgements g JOIN judges j ON "
        "g.judge = j.judge WHERE g.fragment IS NOT NULL"
    ).to_pylist()
    assert [one["judge"] for one in judged] == [ONLINE.name], (
        "agreed inputs have no expected output, so they judge no solution"
    )


def test_agreed_inputs_are_for_pairs_of_two_problems(tmp_path: Path) -> None:
    """Where two solutions of one problem differ on an input, they do not agree on it: it shows nothing about them."""
    parent = _contest(tmp_path / "contest")
    made = derive_contest(parent, tmp_path / "made", ContestParameters(solutions=2, across_languages=True))
    candidates = open_benchmark(made.path)
    keys = {row["id"]: row["functionality"] for row in candidates.sql("SELECT * FROM functionalities").to_pylist()}
    calls = {
        "sum": '[{"stdin": "1 2", "agreed": 3}, {"stdin": "3 4"}]',
        "product": '[{"stdin": "5 6", "agreed": 2}, {"stdin": "3 4"}]',
    }
    rows = [{"functionality": keys[name], "calls": text} for name, text in calls.items()]
    candidates.write_table("tests", "brought", pa.Table.from_pylist(rows))
    pairs = select_pairs(open_benchmark(made.path), None, None, 0)
    seen = {
        len({one.left_id.split("/")[0], one.right_id.split("/")[0]}): {call.stdin for call in one.inputs}
        for one in pairs
    }
    assert seen == {1: {"3 4"}, 2: {"1 2", "3 4", "5 6"}}
    assert select_fragments(candidates, pairs) == [], "an input without an expected output tests nothing"


def _said(made: Benchmark) -> dict[tuple[str, str], str]:
    rows = made.sql(
        "SELECT l.id AS one, r.id AS other, g.value AS value FROM judgements g JOIN pairs p ON g.pair = p.pair "
        "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment"
    )
    return {(row["one"], row["other"]): row["value"] for row in rows.to_pylist()}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("", "needs either a benchmark, or a source"),
        ('source = "clcdsa"', "needs paths"),
        ('benchmark = "contest"\nat_least = 1', "1 solutions cannot form a pair"),
    ],
)
def test_bad_keys_are_refused(tmp_path: Path, keys: str, message: str) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f'[make]\nname = "x"\ndescription = "y"\n[[stage]]\nuse = "contest"\n{keys}\n')
    with pytest.raises(InputError, match=message):
        clonetruth.plan_make(recipe)
