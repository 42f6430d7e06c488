"""Objects of C++, C# and Go, arrays of structures, and what languages write differently."""

# ruff: noqa: E501  (code of other languages)

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.changed_entry import changed_entries
from clonetruth.execution.description import describe_call
from clonetruth.execution.harness.c.functions import read_fragment
from clonetruth.execution.harness.c.receivers import receiver_of as cpp_receiver
from clonetruth.execution.harness.csharp import CSharpHarness
from clonetruth.execution.harness.go.functions import read_go
from clonetruth.execution.harness.go.functions import receiver_of as go_receiver
from clonetruth.execution.harness.receivers import ObjectMethod, calls_around, changes_what_it_named
from clonetruth.execution.inputs.matching_texts import matching_texts
from clonetruth.execution.inputs.profiles import common_type
from clonetruth.execution.inputs.separated_texts import separated_texts
from clonetruth.execution.inputs.types import InputType, parse_type
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

CPP_STACK = (
    "#include <vector>\ntemplate <typename T> class Stack {{ std::vector<T> items; int most;\n"
    "void keep(T x) {{ items.push_back(x); }}\npublic:\n Stack(int most) : most(most) {{}}\n"
    " void push(T x) {{ if ((int)items.size() {sign} most) keep(x); }}\n"
    " int size() const {{ return (int)items.size(); }} }};"
)
CPP_POINT = "struct Point {{ int x, y; int norm() const {{ return x * x {sign} y * y; }} }};"
CS_BUCKET = (
    "public class Bucket {{ private readonly int most; private int level; public Bucket(int most) {{ this.most = most; }}"
    " public void Add(int x) {{ if (level + x <= most) level {sign} x; }} public int Level {{ get {{ return level; }} }} }}"
)
CS_RECORD = "public class T {{ public int Price {{ get; set; }} public int Half() {{ return Price {sign} 2; }} }}"
GO_STACK = (
    "type Stack[T any] struct {{ items []T }}\nfunc (s *Stack[T]) Push(x T) {{ s.items = append(s.items, x) }}\n"
    "func (s *Stack[T]) Pop() (T, bool) {{ var x T; if len(s.items) == 0 {{ return x, false }}; at := {sign}\n"
    "x = s.items[at]; s.items = append(s.items[:at:at], s.items[at+1:]...); return x, true }}"
)
GO_MADE = (
    'type Box struct {{ most int; n int }}\nfunc NewBox(most int) (*Box, error) {{ if most < 0 {{ return nil, errors.New("x") }}\n'
    "return &Box{{most: most}}, nil }}\n"
    "func (b *Box) Put(x int) bool {{ if b.n {sign} b.most {{ return false }}; b.n++; return true }}"
)
GO_BAG = "type Bag []int\nfunc (b Bag) Sum() int {{ t := {sign}; for _, x := range b {{ t += x }}; return t }}"
C_LINES = (
    "struct line {{ int price; int count; }};\nint total(const struct line *lines, int n) {{ int sum = 0;\n"
    "for (int i = 0; i < n; i++) sum += lines[i].price {sign} lines[i].count; return sum; }}"
)
C_WORDS = (
    "int words(const char *s) {{ int n = 0; char last = ' '; for (; *s; last = *s++)\n"
    "if (*s != ' ' && *s != '\\n' && (last == ' ' || last == {sign})) n++; return n; }}"
)
CASES = {
    "constructor and calls of C++": ("cpp", CPP_STACK, "<", "<="),
    "plain data of C++": ("cpp", CPP_POINT, "+", "-"),
    "constructor and calls of C#": ("csharp", CS_BUCKET, "+=", "="),
    "settable fields of C#": ("csharp", CS_RECORD, "/", "%"),
    "calls of Go": ("go", GO_STACK, "len(s.items) - 1", "0"),
    "constructor of Go": ("go", GO_MADE, ">=", ">"),
    "named type of Go": ("go", GO_BAG, "0", "len(b)"),
    "structures in an array": ("c", C_LINES, "*", "+"),
    "line breaks": ("c", C_WORDS, "'\\n'", "'\\t'"),
}
QUICK = ("constructor and calls of C++", "calls of Go", "structures in an array")
TOOLS = {"c": "gcc", "cpp": "g++", "csharp": "mcs", "go": "go"}


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def verdict(harnesses: Harnesses, left: Code, right: Code) -> BehaviourVerdict:
    for one in (left, right):
        if Bubblewrap().find(TOOLS[one.language]) is None:
            pytest.skip(f"{one.language} is not installed")
    return compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=150)).verdict


@needs_sandbox
@pytest.mark.parametrize("case", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in CASES])
def test_one_changed_sign_is_seen_and_the_same_text_in_other_lines_is_not(case: str, harnesses: Harnesses) -> None:
    language, text, sign, other = CASES[case]
    left, right = (Code(text.format(sign=one), language) for one in (sign, other))
    assert verdict(harnesses, left, right) is BehaviourVerdict.DIFFERENT
    again = Code(f"\n\n{left.text}\n", language)
    assert verdict(harnesses, left, again) is BehaviourVerdict.NO_DIFFERENCE_FOUND


@needs_sandbox
def test_fields_that_languages_spell_otherwise_get_the_same_values(harnesses: Harnesses) -> None:
    c = "struct seg { int from; int to; };\nint f(struct seg *all, int n, int x) { int c = 0; for (int i = 0; i < n; i++)"
    go = "type Seg struct { From, To int }\nfunc F(all []Seg, x int) int { c := 0; for _, s := range all { "
    left = Code(f"{c} if (all[i].from <= x && x < all[i].to) c++; return c; }}", "c")
    for sign, expected in (("<", BehaviourVerdict.NO_DIFFERENCE_FOUND), ("<=", BehaviourVerdict.DIFFERENT)):
        right = Code(f"{go}if s.From <= x && x {sign} s.To {{ c++ }} }}; return c }}", "go")
        assert verdict(harnesses, left, right) is expected
        assert verdict(harnesses, right, left) is expected


@needs_sandbox
def test_a_fraction_is_no_whole_number_of_csharp() -> None:
    if Bubblewrap().find("mcs") is None:
        pytest.skip("no C#")
    code = Code("public static class A { public static int F(int x) { return x + x; } }", "csharp")
    with CSharpHarness(Bubblewrap()) as harness:
        whole, part = harness.run(
            code, [CallInput(({"float": "0x1.0p+1"},)), CallInput(({"float": "0x1.8p+0"},))]
        ).observations
    assert whole.returned == {"int": "4"}
    assert part.raised == "InvalidCastException"


@needs_sandbox
def test_a_method_whose_neighbours_do_not_compile_runs_alone(harnesses: Harnesses) -> None:
    text = "struct A { A() = default; int twice(int x) const { return x + x; } void move(struct B b); };"
    left = Code(text, "cpp", "A.twice")
    found = verdict(harnesses, left, Code(text.replace("x + x", "2 * x"), "cpp", "A.twice"))
    assert found is BehaviourVerdict.NO_DIFFERENCE_FOUND


@needs_sandbox
def test_a_witness_is_written_as_calls(harnesses: Harnesses) -> None:
    if Bubblewrap().find("g++") is None:
        pytest.skip("no C++")
    left, right = (Code(CPP_STACK.format(sign=one), "cpp") for one in ("<", "<="))
    found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=150))
    assert found.witness is not None
    written = describe_call(found.left, found.witness.call)
    assert written.startswith(("stack = Stack(", "Stack("))
    assert "::" not in written


def test_what_makes_an_object_of_go_and_of_cpp_is_read() -> None:
    fragment = read_go(GO_MADE.format(sign=">="))
    around, maker = go_receiver(fragment, next(one for one in fragment.functions if one.name == "Put"))
    assert [(one.name, one.role) for one in around] == [("most", "constructor"), ("calls before", "before")]
    assert maker is not None
    assert maker.name == "NewBox"
    made = read_fragment(CPP_STACK.format(sign="<"), "cpp")
    found = cpp_receiver(made, next(one for one in made.functions if one.name == "push"))
    assert found is not None
    assert (found.owner, found.hidden, found.has_default) == ("Stack<int>", frozenset({"keep"}), False)
    assert [str(one.types[0]) for one in found.parameters(made.table)] == [
        "int32",
        "list[union[push{a: int32}]]",
        "union[size{}]",
    ]


def test_a_method_that_returns_something_may_be_looked_at_alone() -> None:
    int_ = InputType("int")
    methods = [
        ObjectMethod("take", (), changes=True, is_open=True, says=True),
        ObjectMethod("put", (int_,), changes=True, is_open=True, says=False),
        ObjectMethod("give", None, changes=True, is_open=True, says=True),
        ObjectMethod("size", (), changes=False, is_open=True, says=True),
    ]
    assert [str(one.types[0]) for one in calls_around(methods, "take", ["Level"])] == [
        "list[union[take{}, put{a: int}]]",
        'union[default, size{}, choice["Level"]]',
    ]
    assert [one.role for one in calls_around(methods, "size")] == ["before"]


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("off (x) { const l = this.all[x]; l.splice(0, 1) }", r"\bthis\.", True),
        ("void off(int x) { List<Integer> l = all.get(x); l.remove(0); }", r"\ball\b", True),
        ("func (s *S) Off() { n := s.head; n.next = nil }", r"\bs\.", True),
        ("list (x) { const l = this.all[x]; return l.slice(1) }", r"\bthis\.", False),
        ("list (x) { const l = []; l.push(this.all[x]); return l }", r"\bthis\.", False),
        ("same (x) { const l = this.all[x]; return l[0] == x }", r"\bthis\.", False),
    ],
)
def test_an_object_is_changed_through_a_name_of_a_part_of_it(text: str, fields: str, expected: bool) -> None:
    assert changes_what_it_named(text, fields) is expected


def test_names_of_fields_meet_by_their_letters() -> None:
    left, right = parse_type("seg{from: int32, to: int}"), parse_type("Seg{From: int, to: int8, more: str}")
    assert str(common_type(left, right)) == "seg{from: int32, to: int8, more: str}"
    # Where one class has both, they are two.
    both = parse_type("A{id: int, ID: int}")
    assert str(common_type(both, both)) == str(both)
    assert str(common_type(both, parse_type("A{id: int, ID: int, x: int}"))) == "A{id: int, ID: int, x: int}"


def test_versions_of_a_class_are_called_by_the_same_method() -> None:
    old = CPP_STACK.format(sign="<")
    new = old.replace("keep(x); }", "items.push_back(x); }").replace("void keep(T x) { items.push_back(x); }", "")
    assert changed_entries(Code(old, "cpp"), Code(new, "cpp"))[0] == "push"
    # A constructor is not called by itself.
    go = "type A struct { n int }\nfunc NewA(n int) *A { return &A{n} }\nfunc (a *A) N() int { return a.n }\n"
    assert changed_entries(Code(go, "go"), Code(go.replace("{n}", "{n + 1}"), "go")) == ("N",)
    plain = "func NewAge(n int) int { return n + 1 }\nfunc G(n int) int { return n }\n"
    assert "NewAge" in changed_entries(Code(plain, "go"), Code(plain.replace("n + 1", "n + 2"), "go"))
    sharp = (
        "class A { int n; public A(int n) { this.n = n; } public int F() { return n; } public int G() { return 1; } }"
    )
    found = changed_entries(Code(sharp, "csharp"), Code(sharp.replace("this.n = n", "this.n = -n"), "csharp"))
    assert "A" not in found


def test_texts_have_the_separators_of_the_code() -> None:
    times = separated_texts((":", "v"), (23, 24, 59, 60, 61))
    assert any(one.endswith(":60") for one in times)
    assert any(one.startswith("v") for one in times)
    assert any("\n" in one for one in separated_texts((" \t\n",), ()))
    assert separated_texts(("word", "a longer text"), (1,)) == ()
    assert times == separated_texts((":", "v"), (23, 24, 59, 60, 61))


@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_expression_that_ends_with_the_text_gets_a_line_break_behind(quote: str) -> None:
    found = matching_texts([f"x = {quote}^[0-9]{{2}}-[ab]+${quote}"])
    assert any(one.endswith("\n") for one in found)
