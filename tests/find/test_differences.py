"""The described differences of two texts, after known edits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.mutation import OPERATORS, mutate
from clonetruth.find.differences import Differences, differences
from tests.detectors.corpora import functions

JAVA = language("java")
SUM = """
int sum(int[] values, int limit) {
    int total = 0;
    for (int value : values) {
        if (value > limit) {
            total += value;
        }
    }
    log("sum", total);
    return total;
}
"""


def described(right: str, left: str = SUM) -> str:
    return str(differences(left, right, JAVA))


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({}, "identical"),
        ({"    int total = 0;": "  int total\n = 0; // starts low"}, "only layout and comments"),
        ({"total": "result"}, "renamed 1 name"),
        ({"total": "result", "value": "v", "limit": "most"}, "renamed 4 names"),
        ({"int[] values": "long[] values"}, "1 statement changed"),
        ({'"sum"': '"all"'}, "1 literal changed"),
        ({" = 0;": " = 1;", '"sum"': '"all"'}, "2 literals changed"),
        ({"return total;": "check(total);\n    check(limit);\n    return total;"}, "2 statements inserted"),
        ({'    log("sum", total);\n': ""}, "1 statement deleted"),
        ({"total += value;": "total = Math.max(total, value);"}, "1 statement changed"),
        ({"total": "result", "return": "done();\n    return"}, "renamed 1 name, 1 statement inserted"),
        (
            {'    log("sum", total);\n': "", "int total = 0;": 'int total = 0;\n    log("sum", total);'},
            "1 statement moved",
        ),
        (
            {"total": "result", " = 0;": " = 1;", "return": "done();\n    end();\n    return"},
            "renamed 1 name, 1 literal changed, 2 statements inserted",
        ),
    ],
)
def test_edits_are_described(edits: dict[str, str], expected: str) -> None:
    text = SUM
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    assert described(text) == expected


def test_types_are_distinguished_from_names() -> None:
    assert described("void f(Set a) { Set b = a; }", "void f(List a) { List b = a; }") == "1 type changed"
    assert described("void f(List x) { List b = x; }", "void f(List a) { List b = a; }") == "renamed 1 name"


def test_statements_that_look_alike_are_not_mixed_up() -> None:
    left = "void f(int a, int b) { a = 1; b = 2; }"
    assert described("void f(int a, int b) { a = 1; c = 3; b = 2; }", left) == "1 statement inserted"


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        (
            "python",
            "def f(a):\n    b = a + 1\n    return b\n",
            "def f(x):\n    b = x + 2\n    return b\n",
            "renamed 1 name, 1 literal changed",
        ),
        ("python", "def f(a):\n    return a\n", "def f(a):\n    if a:\n        return a\n", "1 statement inserted"),
        ("javascript", "function f(a) { g(a) }", "function f(b) { g(b); }", "renamed 1 name"),
        ("go", "func f(a int) int { return a }", "func f(a int) int { g(); return a }", "1 statement inserted"),
    ],
)
def test_other_languages(name: str, left: str, right: str, expected: str) -> None:
    assert str(differences(left, right, language(name))) == expected


@pytest.mark.parametrize("name", ["java", "python", "c", "javascript", "go"])
def test_a_long_literal_is_one_literal(name: str) -> None:
    # The pretty-printer wraps lines of 1024 characters; a statement remains one.
    texts = {
        "java": 'void f() {{ g("{}", 1); h("{}"); }}',
        "python": 'def f():\n    g("{}", 1)\n    h("{}")\n',
        "c": 'void f(void) {{ g("{}", 1); h("{}"); }}',
        "javascript": 'function f() {{ g("{}", 1); h("{}"); }}',
        "go": 'func f() {{ g("{}", 1); h("{}") }}',
    }
    short, long = (texts[name].format(*parts) for parts in (("a", "b"), ("c" * 2000, "d" * 3000)))
    for left, right in ((short, long), (long, short)):
        assert str(differences(left, right, language(name))) == "2 literals changed"


def test_text_that_does_not_parse_is_compared_too() -> None:
    assert described("}}} ((", "int f( {{{") not in ("identical", "only layout and comments")
    assert described("", "int f() { return 1; }") == "2 statements deleted"


@given(functions())
def test_a_text_is_identical_to_itself(text: str) -> None:
    assert differences(text, text, JAVA) == Differences(same_text=True)


@given(functions(), functions())
def test_both_directions_agree(left: str, right: str) -> None:
    there, back = differences(left, right, JAVA), differences(right, left, JAVA)
    assert there.same_text == back.same_text == (left == right)
    assert there.inserted - there.deleted == back.deleted - back.inserted


ALWAYS = {"names": 0, "types": 0, "literals": 0, "inserted": 0, "deleted": 0, "changed": 0, "moved": 0}
EDITS = {
    "mSRI": {"names"},
    "mSRI_A": {"names", "types"},
    "mRL_N": {"literals"},
    "mRL_S": {"literals"},
    "mIL": {"inserted"},
    "mILs": {"inserted"},
    "mDL": {"deleted"},
}
"""The differences that mutation operators make."""


@pytest.mark.parametrize("operator", [name for name in OPERATORS if OPERATORS[name].clone_type == "T1"])
@settings(max_examples=20)
@given(seed=st.integers(0, 1000))
def test_type_1_mutants_differ_in_layout_only(operator: str, seed: int) -> None:
    mutant = mutate(SUM, JAVA, operator, Random(seed))
    if mutant is not None:
        assert described(mutant.text) == "only layout and comments"


@pytest.mark.parametrize("operator", EDITS)
@settings(max_examples=20)
@given(seed=st.integers(0, 1000))
def test_known_edits_are_recognised(operator: str, seed: int) -> None:
    mutant = mutate(SUM, JAVA, operator, Random(seed))
    assert mutant is not None
    found = differences(SUM, mutant.text, JAVA)
    seen = {name for name in ALWAYS if getattr(found, name)}
    assert seen <= EDITS[operator]
    assert seen
