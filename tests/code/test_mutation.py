"""Editing operators: each mutant parses, and differs from its original exactly as its operator promises."""

from __future__ import annotations

import ast
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import LANGUAGES, extract, fragment_metrics, language, parse
from clonetruth.code.forms import Form, form_digest, form_lines
from clonetruth.code.mutation import OPERATORS, EditSites, Relation, mutate
from clonetruth.errors import UnknownNameError
from tests.code.sample_functions import SAMPLE_FUNCTIONS
from tests.conftest import ROOT

NOT_IN_PYTHON = ("mCC_BT", "mCF_B")
"""Python has no comments between tokens, and no braces around blocks."""

FEW_SITES = ("mRDs", "mROs", "mCR")
"""The sample functions have only one site for some of them: neighbours that do not depend on each other are rare."""

CASES = [
    pytest.param(operator, language_name, id=f"{operator}-{language_name}")
    for operator in OPERATORS
    for language_name in SAMPLE_FUNCTIONS
    if language_name != "python" or operator not in NOT_IN_PYTHON
]


def mutants(operator: str, language_name: str, count: int = 5) -> list[str]:
    """Mutants of the sample function of a language, with different seeds."""
    found = [
        mutate(SAMPLE_FUNCTIONS[language_name], language(language_name), operator, Random(seed))
        for seed in range(count)
    ]
    assert all(found), "the sample has a site for every operator"
    return [one.text for one in found if one]


@pytest.mark.parametrize(("operator", "language_name"), CASES)
def test_a_mutant_parses_and_relates_to_its_original_as_the_operator_promises(
    operator: str, language_name: str
) -> None:
    original, lang = SAMPLE_FUNCTIONS[language_name], language(language_name)
    digests = {form: form_digest(original, lang, form) for form in Form}
    made = mutants(operator, language_name)
    assert len(set(made)) > 1 or operator in FEW_SITES, "another seed gives another mutant"
    for text in made:
        assert text != original
        assert not parse(text, lang, lone=True).problems
        equal = {form: form_digest(text, lang, form) == digests[form] for form in Form}
        relation = OPERATORS[operator].relation
        assert equal[Form.TYPE1] == (relation is Relation.LAYOUT)
        assert equal[Form.CONSISTENT] == (relation in (Relation.LAYOUT, Relation.CONSISTENT))
        assert equal[Form.BLIND] == (relation is not Relation.EDITED)
        assert len(extract(text, lang, lone=True).functions) == 1


@pytest.mark.parametrize("operator", NOT_IN_PYTHON)
def test_what_a_language_does_not_have_is_not_made(operator: str) -> None:
    assert mutate(SAMPLE_FUNCTIONS["python"], language("python"), operator, Random(0)) is None


SOUND = {
    language_name: [
        function.text
        for function in extract(
            (ROOT / f"tests/conformance/samples/{language_name}.txt").read_bytes(), language(language_name)
        ).functions
        if function.sound
    ]
    for language_name in LANGUAGES
}


@settings(max_examples=150)
@given(data=st.data())
def test_on_any_function_of_any_language_a_mutant_is_what_it_says(data: st.DataObject) -> None:
    language_name = data.draw(st.sampled_from(sorted(SOUND)))
    text = data.draw(st.sampled_from(SOUND[language_name]))
    operator = data.draw(st.sampled_from(sorted(OPERATORS)))
    seed = data.draw(st.integers(0, 1000))
    made = mutate(text, language(language_name), operator, Random(seed))
    assert made == mutate(text, language(language_name), operator, Random(seed)), "the same seed gives the same mutant"
    if made is not None:
        original, mutated = (
            EditSites.of(text, language(language_name)),
            EditSites.of(made.text, language(language_name)),
        )
        assert mutated.sound
        assert made.text != text
        assert Relation.between(original.forms, mutated.forms) is OPERATORS[operator].relation
        assert (made.operator, made.clone_type) == (operator, OPERATORS[operator].clone_type)


@pytest.mark.parametrize("operator", [name for name in OPERATORS if name not in NOT_IN_PYTHON])
def test_python_itself_reads_the_mutants(operator: str) -> None:
    """The grammar forgives line breaks that Python does not."""
    original = ast.dump(ast.parse(SAMPLE_FUNCTIONS["python"]))
    for text in mutants(operator, "python", 12):
        assert (ast.dump(ast.parse(text)) == original) == (OPERATORS[operator].clone_type == "T1")


@pytest.mark.parametrize("language_name", SAMPLE_FUNCTIONS)
def test_statements_are_inserted_deleted_and_reordered(language_name: str) -> None:
    def statements(text: str) -> int:
        return fragment_metrics(text, language(language_name)).nos

    there = statements(SAMPLE_FUNCTIONS[language_name])
    assert {statements(text) for text in mutants("mIL", language_name)} == {there + 1}
    assert {statements(text) for text in mutants("mILs", language_name)} <= {there + added for added in range(3, 7)}
    assert {statements(text) for text in mutants("mDL", language_name)} == {there - 1}
    assert {statements(text) for text in mutants("mML", language_name)} == {there}
    lines = Counter(SAMPLE_FUNCTIONS[language_name].splitlines())
    for operator in ("mRDs", "mROs"):
        for text in mutants(operator, language_name):
            assert Counter(text.splitlines()) == lines


@pytest.mark.parametrize("language_name", SAMPLE_FUNCTIONS)
def test_small_edits_stay_on_their_line(language_name: str) -> None:
    lang = language(language_name)
    tokens = len(EditSites.of(SAMPLE_FUNCTIONS[language_name], lang).tokens)
    before = SAMPLE_FUNCTIONS[language_name].splitlines()
    for operator, change in (("mSIL", {1, 2}), ("mSDL", range(-9, 0)), ("mSML", {0}), ("mRPE", {2})):
        for text in mutants(operator, language_name):
            assert len(EditSites.of(text, lang).tokens) - tokens in change
            assert sum(old != new for old, new in zip(before, text.splitlines(), strict=True)) == 1


@pytest.mark.parametrize("language_name", SAMPLE_FUNCTIONS)
def test_a_systematic_renaming_leaves_no_old_name_and_an_arbitrary_one_does(language_name: str) -> None:
    lang = language(language_name)
    before = Counter(token.text for token in EditSites.of(SAMPLE_FUNCTIONS[language_name], lang).tokens)
    for operator, systematic in (("mSRI", True), ("mSRT", True), ("mARI", False)):
        for text in mutants(operator, language_name):
            after = Counter(token.text for token in EditSites.of(text, lang).tokens)
            (old,) = {name for name in before if after[name] < before[name]}
            (new,) = {name for name in after if name not in before}
            assert after[new] == (before[old] if systematic else 1)
            assert after[old] == before[old] - after[new]


def test_all_own_names_are_renamed() -> None:
    (line, *_) = form_lines(mutants("mSRI_A", "java")[0], language("java"), Form.TYPE1)
    assert b"select" not in line
    assert b"List" in line, "types of others stay"
    assert b"limit" not in line


NAMED_TWICE = [
    ("java", "int f(List<Integer> xs) { int size = xs.size(); return size + 1; }", {"f", "xs"}, {"size"}),
    ("java", "int size(List<Integer> xs) { return xs.size() + size(null); }", {"xs"}, {"size"}),
    ("java", "void f(int limit, P p) { this.limit = limit; }", {"f", "limit", "p"}, set()),
    ("java", "boolean f(int limit, P p) { this.limit = limit; return p.limit > 0; }", {"f", "p"}, {"limit"}),
    ("java", "int f(int x) { record P(int x, int y) {} return new P(x, 2).x(); }", {"f", "y"}, {"x"}),
    ("python", "def f(xs):\n    key = 2\n    return sorted(xs, key=lambda v: v + key)", {"f", "xs", "v"}, {"key"}),
    ("python", "def f(xs):\n    count = xs.count(1)\n    return f'{count} {xs}'", {"f", "xs"}, {"count"}),
    ("python", "class A:\n    def add(self, x):\n        return self.add(x)", {"add", "x"}, {"self"}),
    ("javascript", "function f(xs) { const length = xs.length; return { length: length } }", {"f", "xs"}, {"length"}),
    ("javascript", "function f(xs) { const at = [...xs]; return xs?.at(0) + at[0] }", {"f", "xs"}, {"at"}),
    ("cpp", "int f(std::vector<int> xs) { int max = 0; return std::max(max, xs[0]); }", {"f", "xs"}, {"max"}),
    ("csharp", "int F(List<int> xs) { int Count = xs.Count; return Count; }", {"F", "xs"}, {"Count"}),
]


@pytest.mark.parametrize(("name", "text", "renamed", "kept"), NAMED_TWICE)
def test_a_name_that_is_also_a_member_of_another_object_stays(
    name: str, text: str, renamed: set[str], kept: set[str]
) -> None:
    made = mutate(text, language(name), "mSRI_A", Random(0))
    assert made is not None
    before, after = (
        Counter(one.text for one in EditSites.of(code, language(name)).tokens) for code in (text, made.text)
    )
    assert {one for one in renamed if after[one]} == set()
    assert {one: after[one] for one in kept} == {one: before[one] for one in kept}


@pytest.mark.parametrize(
    ("operator", "text", "expected"),
    [
        ("mCC_R", "int f(int a) {\n    // old\n    return a;\n}", "int f(int a) {\n    return a;\n}"),
        ("mCC_R", "int f(int a) { return /* old */ a; }", "int f(int a) { return   a; }"),
        ("mCF_B", "int f(int a) {\n    return a;\n}", "int f(int a)\n{\n    return a;\n}"),
        ("mCF_B", "int f(int a)\n{\n    return a;\n}", "int f(int a) {\n    return a;\n}"),
        ("mCF_R", "int f(int a) {\n\n\n    return a; }", "int f(int a) {\n    return a; }"),
        ("mDL", "void f() {\n    g();\n}", "void f() {\n}"),
        ("mDL", "void f() { g(); }", "void f() {  }"),
        ("mSDL", "void f() { g(a); }", "void f() { g(); }"),
        ("mCR", "void f() { if (a) g(); else h(); }", "void f() { if (!(a)) h(); else g(); }"),
        ("mCR", "void f() { while (a) g(); }", "void f() { for (; a; ) g(); }"),
    ],
)
def test_examples(operator: str, text: str, expected: str) -> None:
    made = mutate(text, language("java"), operator, Random(0))
    assert made is not None
    assert made.text == expected


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("text", ["", "   \n", "int f( {", "{{{", "\0\1\2", "»"])
def test_what_cannot_be_mutated_is_not(operator: str, text: str) -> None:
    assert mutate(text, language("java"), operator, Random(0)) is None


@pytest.mark.parametrize("operator", OPERATORS)
def test_windows_line_endings_are_accepted(operator: str) -> None:
    text = SAMPLE_FUNCTIONS["csharp"].replace("\n", "\r\n")
    assert mutate(text, language("csharp"), operator, Random(0)) is not None


def test_names_do_not_run_out() -> None:
    names = [f"v{number}" for number in range(3000)]
    text = f"void f() {{ int {', '.join(names)}; }}"
    made = mutate(text, language("java"), "mSRI_A", Random(0))
    assert made is not None
    new = {token.text for token in EditSites.of(made.text, language("java")).tokens}
    assert len(new) > 3000
    assert new.isdisjoint(names)


def test_a_text_that_does_not_parse_has_no_mutants() -> None:
    broken = SAMPLE_FUNCTIONS["java"].replace(") throws", " throws")
    assert all(mutate(broken, language("java"), operator, Random(0)) is None for operator in OPERATORS)


def test_an_unknown_operator_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'mSRI_A'"):
        mutate("", language("java"), "mSRI_B", Random(0))


def test_every_operator_says_what_it_does() -> None:
    for name, operator in OPERATORS.items():
        assert operator.name == name
        assert operator.description.endswith(".")
        assert "\n" not in operator.description


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_documented(name: str) -> None:
    text = (ROOT / "docs" / "mutation.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith((f"| `{name}` | T", f"| `{name}` † | T"))]
    assert row.endswith(f"| {OPERATORS[name].clone_type} | {OPERATORS[name].description} |")
