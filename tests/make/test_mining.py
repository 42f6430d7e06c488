"""Mining: the index, the search, the tags, and the benchmark that is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.make import StageState
from clonetruth.make.function_index import indexed_functions
from clonetruth.make.functionality_file import parse_functionality
from clonetruth.make.heuristic import TermKind
from clonetruth.make.search_recall import SearchedStratum, search_recall
from clonetruth.make.stated_rules import apply_rules
from clonetruth.make.tags import merge_votes
from clonetruth.model import Role, VerdictValue
from clonetruth.store import open_benchmark, read_study
from clonetruth.verdicts import judge_verdicts
from tests.studies.example_studies import add_answers

TREE = {
    "alpha/Maths.java": """
class Maths {
    static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    static int lcm(int a, int b) { return a / gcd(a, b) * b; }
    static String hello() { return "call gcd( in a string"; }
}
""",
    "beta/Numbers.java": """
class Numbers {
    static int gcd(int x, int y) { while (y != 0) { int t = x % y; x = y; y = t; } return x; }
    static int gcdOfAll(int[] all) { int g = 0; for (int one : all) { g = gcd(g, one); } return g; }
    static int copyOfGcd(int a, int b) { return b == 0 ? a : copyOfGcd(b, a % b); }
}
""",
}
FUNCTIONALITY = """
name = "Greatest common divisor"
specification = "Returns the greatest common divisor of two numbers."
heuristic = "{heuristic}"
exemplars = ["static int gcd(int m, int n) {{ while (n != 0) {{ int r = m % n; m = n; n = r; }} return m; }}"]
calls = [[[12, 18], 6]]

[[rules]]
when = "name:gcd"
value = "major"
reason = "It has the name."

[[rules]]
when = "call:gcd"
value = "minor"
reason = "It calls one."
"""
RECIPE = """
[make]
name = "mined"
description = "Mined functions."

[[stage]]
use = "index"
paths = ["tree"]

[[stage]]
use = "search"
functionalities = ["gcd.toml"]
outside = 2
least_tokens = 5
most_share = 0.9

[[stage]]
use = "candidates"

[[stage]]
use = "study"

[[stage]]
use = "tags"

[[stage]]
use = "mined"
"""


def write_tree(folder: Path, heuristic: str = "name:gcd OR call:gcd") -> Path:
    for name, text in TREE.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (folder / "gcd.toml").write_text(FUNCTIONALITY.format(heuristic=heuristic))
    recipe = folder / "recipe.toml"
    recipe.write_text(RECIPE)
    return recipe


def test_the_terms_of_a_function() -> None:
    text = 'static File open(String path) { return FileUtils.get(path, "secret"); }'
    (found,) = indexed_functions(text, "java", lone=True)
    terms = found.terms
    assert terms["get"] == TermKind.TOKEN | TermKind.CALL
    assert terms["FileUtils.get"] & TermKind.CALL
    assert terms["File"] & TermKind.TYPE
    assert terms["return"] & TermKind.KEYWORD
    assert terms["open"] & TermKind.NAME
    assert not terms["open"] & TermKind.CALL
    assert "secret" not in " ".join(terms)


def test_functions_that_do_not_parse_are_not_indexed() -> None:
    assert [one.name for one in indexed_functions("class A { int f() { return 1; } int g( { }", "java")] in (["f"], [])


@pytest.mark.parametrize(
    ("values", "role", "judges", "agreeing"),
    [
        ([], Role.UNDECIDED, 0, 0),
        (["undecided"], Role.UNDECIDED, 0, 0),
        (["major"], Role.TAGGED_TRUE, 1, 1),
        (["major", "wrong"], Role.UNDECIDED, 2, 1),
        (["minor", "major", "wrong"], Role.TAGGED_TRUE, 3, 2),
        (["wrong", "test", "major", "undecided"], Role.TAGGED_FALSE, 3, 2),
    ],
)
def test_the_majority_decides_and_a_tie_does_not(values: list[str], role: Role, judges: int, agreeing: int) -> None:
    found = merge_votes(values, ("major", "minor"))
    assert (found.role, found.judges, found.agreeing) == (role, judges, agreeing)


def test_recall_follows_from_both_samples() -> None:
    sure = search_recall(SearchedStratum(100, 100, 50), SearchedStratum(1000, 1000, 50))
    assert sure.estimate == 0.5
    assert 0.3 < sure.low < 0.5 < sure.high < 0.7
    # Nothing found in a small sample of many functions says little.
    vague = search_recall(SearchedStratum(100, 100, 50), SearchedStratum(1_000_000, 20, 0))
    assert vague.estimate == 1.0
    assert vague.low < 0.001
    unknown = search_recall(SearchedStratum(100, 0, 0), SearchedStratum(100, 0, 0))
    assert (unknown.estimate, unknown.low, unknown.high) == (None, 0.0, 1.0)


def test_the_first_rule_that_applies_counts() -> None:
    wanted = parse_functionality(FUNCTIONALITY.format(heuristic="name:gcd"), "gcd", "gcd.toml")
    (gcd, lcm, hello) = indexed_functions(TREE["alpha/Maths.java"], "java")
    found = [apply_rules(one.text, wanted) for one in (gcd, lcm, hello)]
    assert [one.value if one else None for one in found] == ["major", "minor", None]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "G', 'nam = "G', "unknown entry 'nam'"),
        ("name:gcd OR", "name:gcd OR [", "never closed"),
        ("static int gcd(int m", "static int (", "Exemplar 1 is not a function"),
        ("[[[12, 18], 6]]", "[[12, 18, 6]]", "not a list of"),
        ('value = "minor"', 'value = "some"', "is 'some'"),
    ],
)
def test_a_functionality_that_is_not_valid_is_refused(old: str, new: str, message: str) -> None:
    text = FUNCTIONALITY.format(heuristic="name:gcd OR call:gcd")
    with pytest.raises(InputError, match=message):
        parse_functionality(text.replace(old, new, 1), "gcd", "gcd.toml")


@pytest.mark.parametrize(
    ("heuristic", "message"),
    [("keyword:static", "matches 6 of 6 functions, more than 90%"), ("name:nothing", "matches none of 6 functions")],
)
def test_a_heuristic_that_matches_everything_or_nothing(tmp_path: Path, heuristic: str, message: str) -> None:
    recipe = write_tree(tmp_path, heuristic)
    with pytest.raises(InputError, match=message):
        clonetruth.make_benchmark(recipe, output=tmp_path / "made", until="search")


def test_the_maker_waits_for_people_and_goes_on(tmp_path: Path) -> None:
    recipe = write_tree(tmp_path)
    waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert waiting.stage("study").state is StageState.WAITING
    assert "is not finished: " in (waiting.waits_for or "")
    assert "subjects have no judgement; invite judges" in (waiting.waits_for or "")
    (folder,) = (tmp_path / "made" / "studies").iterdir()
    study = read_study(folder)
    said = ["minor" if "gcd" in one["text"].lower() else "wrong" for one in study.methods.to_pylist()]
    add_answers(study, "ada", dict(enumerate(said)), on="method")
    report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    tags = report.stage("tags").report
    assert tags is not None
    assert tags.details["candidates by number of judges"]["1"] == tags.taken["candidates"]
    mined = report.stage("mined").report
    assert mined is not None
    recall = mined.details["recall of the heuristics"]["gcd"]
    assert recall["judged outside"] == 2
    assert recall["recall"] < 1, "the copy under another name was not found by the heuristic"
    made = open_benchmark(tmp_path / "made" / "benchmark")
    assert [one.code for one in audit_benchmark(made).findings if one.severity == "error"] == []
    # On demand the rule labels the pairs, and the audit says that nobody looked at them.
    recipe.write_text(RECIPE.replace('use = "mined"', 'use = "mined"\nlabels = "bigclonebench"'))
    clonetruth.make_benchmark(recipe, output=tmp_path / "made", redo=True)
    ruled = open_benchmark(tmp_path / "made" / "benchmark")
    assert judge_verdicts(ruled, "origin").counts[VerdictValue.CLONE] == mined.given["clones by BigCloneBench's rule"]
    assert "CT105" in [one.code for one in audit_benchmark(ruled).findings if one.severity == "error"]
    # People only said that the functions contain it: no evidence says that it is their main purpose.
    assert mined.given["clone by the evidence"] == 0
    assert made.card.criterion == "shares-functionality"


def test_another_study_is_drawn_if_the_recipe_changes_while_it_waits(tmp_path: Path) -> None:
    recipe = write_tree(tmp_path)
    clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    (first,) = (tmp_path / "made" / "studies").iterdir()
    recipe.write_text(RECIPE.replace('use = "study"', 'use = "study"\nn = 3'))
    with pytest.raises(InputError, match="changed after the stage 'study' had begun"):
        clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    waiting = clonetruth.make_benchmark(recipe, output=tmp_path / "made", redo=True)
    assert "3 of 3 subjects" in (waiting.waits_for or "")
    assert first.exists(), "votes of people are never removed"
