"""What two languages can both be given, and what each shows of the same: lists of one length, bytes, letters, members
of enumerations, memory that is gone, variables of a file, functions that are counterparts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clonetruth.execution import BehaviourComparison, BehaviourVerdict, Code, Difference, Harnesses
from clonetruth.execution.harness.c.functions import read_fragment
from clonetruth.execution.harness.c.harness import CHarness
from clonetruth.execution.harness.c.local_memory import with_undefined_returns
from clonetruth.execution.harness.c.plan import ParameterRole, plan_call
from clonetruth.execution.harness.harness import BEFORE, CallInput, EntryParameter
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.inputs.given import value_of
from clonetruth.execution.inputs.lengths import NO_LENGTH, ListLength, lengths_agree, with_lengths
from clonetruth.execution.inputs.profiles import Slot, shared_slots
from clonetruth.execution.inputs.single_precision import with_single_precision
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from clonetruth.execution.type_choice import with_types_of_examples
from tests.execution.sandboxed import needs_sandbox

BOX = Bubblewrap()
needs_c = pytest.mark.skipif(bool(PROGRAM_LANGUAGES["c"].missing(BOX)), reason="gcc is not installed")


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(BOX) as one:
        yield one


@pytest.fixture(scope="module")
def c() -> Iterator[CHarness]:
    with CHarness(BOX) as one:
        yield one


def compared(harnesses: Harnesses, left: str, right: str, *given: list[Any]) -> BehaviourComparison:
    inputs = [CallInput(tuple(map(value_of, one))) for one in given]
    codes = Code(left, "c"), Code(right, "python")
    return compare_behaviour(*codes, harnesses, budget=SearchBudget(runs=60), inputs=inputs)


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("int f(int *a, int *b, int n) { return a[0] + b[0]; }", [ListLength("#2"), ListLength("#2")]),
        ("int f(int *a, int n, int *b, int m) { return a[0] + b[0]; }", [ListLength("#1"), ListLength("#3")]),
        (
            "int f(int n, int *from, int *to, int k) { for (int i = 0; i < n; i++) p[i] = i;"
            " for (int i = 0; i < k; i++) { if (from[i] < n) p[from[i]] = to[i]; } return p[0]; }",
            [NO_LENGTH, ListLength("#3"), ListLength("#3")],
        ),
        (
            "int f(int *a, int low, int m) { for (int i = m - 1; i >= 0; i--) if (a[i] > low) s++; return s; }",
            [ListLength("#2"), NO_LENGTH],
        ),
        (
            "void f(double *in, double *out, int rows, int cols) { for (int r = 0; r < rows; r++)"
            " for (int c = 0; c < cols; c++) out[c * rows + r] = in[r * cols + c]; }",
            [ListLength("#2", "#3"), ListLength("#3", "#2")],
        ),
        (
            "int f(int *m, int w, int h) { int s = 0; for (int i = 0; i < w * h; i++) s += m[i]; return s; }",
            [ListLength("#1", "#2")],
        ),
        ("int f(int n, int a[n], int b[n]) { return a[0] + b[0]; }", [ListLength("#0"), ListLength("#0")]),
        ("int f(int n, int m[n][n]) { return m[0][0]; }", [ListLength("#0", "#0")]),
        ("int f(int **m, int rows, int cols) { return m[0][0]; }", [ListLength("#1", "#2")]),
        ("int f(int m[][3], int rows) { return m[0][0]; }", [ListLength("#1", "3")]),
        ("int f(int a[5]) { return a[0]; }", [ListLength("5")]),
        ("int f(int a[100000]) { return a[0]; }", [ListLength()]),
        ("int f(int a[5], int n) { return a[0]; }", [ListLength("#1")]),
        ("int f(int a[], int low, int high) { return a[low]; }", [ListLength()]),
        ("int f(char *s, int n) { return s[0]; }", [ListLength()]),
    ],
)
def test_lengths_of_c(text: str, lengths: list[ListLength]) -> None:
    fragment = read_fragment(text, "c")
    parameters = plan_call(fragment.functions[0], fragment.table).parameters(fragment.table)
    assert [one.length for one in parameters] == lengths


CORNER = (
    "int f(const int *m, int width, int height) { int s = 0; for (int y = 0; y < height; y++)"
    " for (int x = 0; x < width; x++) s = s * 3 + m[y * width + x]; return s; }"
)
WALKED = (
    "int f(const int *m, int width, int height) { int s = 0; for (const int *p = m; p < m + width * height; p++)"
    " s = s * 3 + *p; return s; }"
)
BELOW = "int f(const int *a, int n, int most) { int c = 0; for (int i = 0; i < n; i++) c += a[i] < most; return c; }"


@needs_sandbox
@needs_c
@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (CORNER, CORNER.replace("y * width", "y * height"), "different"),
        (WALKED, CORNER, "no-difference-found"),
        (BELOW, BELOW.replace("i < n", "i < most"), "different"),
    ],
)
def test_two_versions_are_called_alike(left: str, right: str, verdict: str, harnesses: Harnesses) -> None:
    codes = Code(left, "c"), Code(right, "c")
    found = compare_behaviour(*codes, harnesses, budget=SearchBudget(runs=60))
    assert found.verdict == verdict
    assert found.left.repairs == found.right.repairs


@pytest.mark.parametrize(
    ("lengths", "kinds", "given", "made"),
    [
        ([ListLength("n"), ListLength("n")], ["list[int]", "list[str]"], [[1, 2], ["a"]], [[1], ["a"]]),
        ([ListLength("n"), ListLength("m")], ["list[int]", "list[str]"], [[1, 2], ["a"]], [[1, 2], ["a"]]),
        ([ListLength("n", "m")], ["list[list[int]]"], [[[1, 2], [3]]], [[[1], [3]]]),
        ([ListLength("n", "n")], ["list[list[int]]"], [[[1, 2, 3], [4, 5]]], [[[1, 2], [4, 5]]]),
        ([ListLength("n", "n")], ["list[list[int]]"], [[[1], [4], [7]]], [[[1]]]),
        ([ListLength("2", "3")], ["list[list[int]]"], [[[1, 2]]], [[[1, 2, 1], [1, 2, 1]]]),
        ([ListLength("2")], ["list[int]"], [[]], [[0, 0]]),
        ([ListLength(), ListLength("n")], ["int", "list[int]"], [7, [1]], [7, [1]]),
    ],
)
def test_lists_become_as_long_as_can_be_said(
    lengths: list[ListLength], kinds: list[str], given: list[Any], made: list[Any]
) -> None:
    found = with_lengths(lengths, list(map(parse_type, kinds)), list(map(value_of, given)))
    assert found == tuple(map(value_of, made))
    assert lengths_agree(lengths, found)


def test_lengths_that_do_not_agree() -> None:
    both = [ListLength("n"), ListLength("n")]
    assert not lengths_agree(both, [value_of([1]), value_of([])])
    assert not lengths_agree([ListLength("n", "m")], [value_of([[1], [2, 3]])])
    assert lengths_agree([ListLength("3")], [value_of([1])])


@pytest.mark.parametrize(
    ("kind", "given", "made"),
    [
        ("float32", 0.1, 0.10000000149011612),
        ("float32", 16777217, 16777216),
        ("float32", 1e300, 1e300),
        ("float32", "a", "a"),
        ("float64", 0.1, 0.1),
        ("list[float32]", [0.5, 0.1, 16777217], [0.5, 0.10000000149011612, 16777216]),
        ("list[list[float32]]", [[0.1], []], [[0.10000000149011612], []]),
    ],
)
def test_numbers_that_single_precision_can_hold(kind: str, given: Any, made: Any) -> None:
    assert with_single_precision([parse_type(kind)], [value_of(given)]) == (value_of(made),)
    assert with_single_precision([None], [value_of(given)]) == (value_of(given),)


@needs_sandbox
@needs_c
def test_a_call_that_c_cannot_be_given_is_refused(c: CHarness) -> None:
    text = "int f(int *a, int *b, int n) { int s = 0; while (n--) s += a[n] * b[n]; return s; }"
    calls = [CallInput((value_of([1, 2]), value_of(one))) for one in ([3, 4], [3], [3, 4, 5])]
    assert [one.raised for one in c.run(Code(text, "c"), calls).observations] == [None, "TypeError", "TypeError"]


PYTHON: dict[str, tuple[str, str, list[list[Any]]]] = {
    "two lists": (
        "int f(int *a, int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] < b[i]; return s; }",
        "def f(a, b):\n    if len(a) != len(b):\n        return -1\n    return sum(x < y for x, y in zip(a, b))",
        [[[1], [1, 2]]],
    ),
    "a square": (
        "int f(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i] > 0; return s; }",
        "def f(m):\n    if any(len(one) != len(m) for one in m):\n        return -1\n"
        "    return sum(m[i][i] > 0 for i in range(len(m)))",
        [[[[1, 2]]]],
    ),
    "a fixed length": (
        "int f(int m[3][3]) { int s = 0; for (int i = 0; i < 3; i++) s += m[i][i] > 0; return s; }",
        "def f(m):\n    return sum(m[i][i] > 0 for i in range(len(m)))",
        [],
    ),
    "numbers of single precision": (
        "float f(float x, float *a, int n) { for (int i = 0; i < n; i++) if (a[i] > x) x = a[i]; return x; }",
        "def f(x, a):\n    return max([x, *a])",
        [],
    ),
    "letters of several bytes": (
        "#include <string.h>\nint f(char *s) { return strlen(s); }",
        "def f(s):\n    return len(s)",
        [["é"]],
    ),
}


@needs_sandbox
@needs_c
@pytest.mark.parametrize("name", list(PYTHON))
def test_what_c_cannot_be_given_is_no_difference(name: str, harnesses: Harnesses) -> None:
    left, right, given = PYTHON[name]
    found = compared(harnesses, left, right, *given)
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, found.witness


@needs_sandbox
@needs_c
def test_a_difference_between_lists_of_one_length_is_found(harnesses: Harnesses) -> None:
    left, right, _ = PYTHON["two lists"]
    found = compared(harnesses, left, right.replace("x < y", "x <= y"))
    assert found.witness is not None
    assert lengths_agree([ListLength("n")] * 2, found.witness.call.arguments)


@needs_sandbox
@needs_c
def test_bytes_are_bytes_on_both_sides(harnesses: Harnesses) -> None:
    left = (
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "char *f(char *bytes, int n) { char *s = calloc(2 * n + 1, 1);\n"
        'for (int i = 0; i < n; i++) sprintf(s + 2 * i, "%02x", bytes[i] & 255); return s; }'
    )
    right = 'def f(bytes):\n    return "".join(format(one, "02x") for one in bytes)'
    found = compared(harnesses, left, right)
    assert found.types == ("bytes",)
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, found.witness


LOCAL = {
    "a local array": "char a[9]; a[0] = 65; a[1] = 0; return a;",
    "behind other variables": "int i = 0, j; char b, a[9] = {0}; for (; i < 3; i++) a[i] = 65; return (a);",
    "through a pointer": "char a[9]; char *p = a; for (int i = 0; i < 9; i++) p[i] = 0; return p;",
    "an address": "char a = 65; return &a;",
    "of a parameter": "return (char *)&x;",
}
KEPT = {
    "static": "static char a[9]; a[0] = 65; return a;",
    "allocated": "char *a = calloc(9, 1); a[0] = 65; return a;",
    "a text": 'char b[9]; b[0] = 65; char *a = "A"; return a;',
    "a variable of the file": "kept[0] = 65; return kept;",
}


@needs_sandbox
@needs_c
class TestLocalMemory:
    @pytest.mark.parametrize("body", LOCAL.values(), ids=list(LOCAL))
    def test_to_return_it_is_undefined(self, c: CHarness, body: str) -> None:
        for seed in (0, 1):
            run = c.run(Code(f"char *f(int x) {{ {body} }}", "c"), [CallInput(({"int": "1"},))] * 2, seed=seed)
            assert [one.ended for one in run.observations] == ["undefined behaviour: local memory"] * 2

    @pytest.mark.parametrize("body", KEPT.values(), ids=list(KEPT))
    def test_other_memory_is_returned(self, c: CHarness, body: str) -> None:
        text = f"#include <stdlib.h>\nchar kept[9];\nchar *f(int x) {{ {body} }}"
        for seed in (0, 1):
            run = c.run(Code(text, "c"), [CallInput(({"int": "1"},))], seed=seed)
            assert [one.returned for one in run.observations] == ["A"]

    def test_it_does_not_count(self, harnesses: Harnesses) -> None:
        left = f"char *f(int x) {{ {LOCAL['a local array']} }}"
        found = compared(harnesses, left, "def f(x):\n    return 'A'")
        assert found.verdict is BehaviourVerdict.UNDECIDED
        assert found.counts.keys() == {Difference.UNDEFINED}


@needs_sandbox
@needs_c
def test_null_is_no_result_where_others_cannot_be_compared(harnesses: Harnesses) -> None:
    left = "#include <stdlib.h>\nint *f(int n) { return malloc(n * sizeof(int)); }"
    found = compared(harnesses, left, "def f(n):\n    return [0] * n", [-1])
    assert found.verdict is BehaviourVerdict.UNDECIDED, found.witness
    left = "int *f(int *a, int n) { return n ? a : 0; }"
    found = compared(harnesses, left, "def f(a):\n    return a")
    assert found.witness is not None
    assert found.witness.call.arguments == ({"list": []},)


LENGTHS = {
    "int *a, int *l, int *r, int l_size, int r_size": {"l_size": "l", "r_size": "r"},
    "const char *S, int *P, int *Q, int S_len, int P_len": {"S_len": "S", "P_len": "P"},
    "int n1, int n2, int *list1, int *list2": {"n1": "list1", "n2": "list2"},
    "int sizeA, int sizeB, int *A, int *B": {"sizeA": "A", "sizeB": "B"},
    "int *a, int *b, int n, int m": {"n": "a", "m": "b"},
}


@pytest.mark.parametrize("parameters", LENGTHS)
def test_a_length_is_that_of_the_list_whose_name_it_has(parameters: str) -> None:
    names = [one.split()[-1].strip("*") for one in parameters.split(",")]
    body = " ".join(f"{one}[0] = {one}[1];" for one in names if f"*{one}" in parameters)
    fragment = read_fragment(f"void f({parameters}) {{ {body} }}", "c")
    function = fragment.chosen(None)
    assert function is not None
    plan = plan_call(function, fragment.table)
    found = {one.parameter.name: names[one.of[0]] for one in plan.fillings if one.role is ParameterRole.LENGTH}
    assert found == LENGTHS[parameters]


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("*returnSize = 2;", ParameterRole.RESULT),
        ("if (!a) { *returnSize = 0; return; } *returnSize = a[0];", ParameterRole.RESULT),
        ("int n = *returnSize; while (n) n -= a[n]; *returnSize = n;", ParameterRole.POINTED),
    ],
)
def test_a_place_that_is_read_first_is_an_argument(body: str, role: ParameterRole) -> None:
    fragment = read_fragment(f"void f(int *a, int *returnSize) {{ {body} }}", "c")
    function = fragment.chosen(None)
    assert function is not None
    assert plan_call(function, fragment.table).fillings[1].role is role


def test_a_structure_without_fields_cannot_be_made() -> None:
    fragment = read_fragment("struct A { B *b; };\nstruct B { };\nint f(struct A *a) { B *b = a->b; return 1; }", "c")
    function = fragment.chosen(None)
    assert function is not None
    assert plan_call(function, fragment.table).unknown is function.parameters[0]


def test_calls_around_a_method_are_no_argument_of_a_function() -> None:
    around = [EntryParameter(BEFORE, (parse_type("list[int]"),), True, role="before")]
    plain = [EntryParameter("values", (parse_type("list[int]"),))]
    assert shared_slots(around, plain) == "0 and 1"
    assert shared_slots(around, around) == [Slot(0, 0)]
    assert shared_slots([*around, *plain], plain) == [Slot(1, 0)]


@needs_sandbox
def test_members_of_enumerations_meet_by_name(harnesses: Harnesses) -> None:
    left = "enum Op { PLUS, MINUS };\nint f(enum Op op, int a) { if (op == PLUS) return a; return 5; }"
    body = "def f(op, a):\n    return a if op == Op.PLUS else 5"
    for members in (
        "from enum import Enum\nclass Op(Enum):\n    PLUS = 1\n    MINUS = 2",
        "class Op:\n    MINUS, PLUS = 'ab'",
    ):
        found = compared(harnesses, left, f"{members}\n{body}")
        assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, (found.witness, found.reason, found.detail)
        other = compared(harnesses, left, f"{members}\n{body}".replace("Op.PLUS", "Op.MINUS"))
        assert other.verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
def test_members_that_are_returned_have_no_common_form(harnesses: Harnesses) -> None:
    left = "typedef enum { PLUS, MINUS } Op;\nOp f(int a) { return a > 0 ? PLUS : MINUS; }"
    right = "from enum import Enum\nclass Op(Enum):\n    PLUS = 'p'\n    MINUS = 'm'\n"
    found = compared(harnesses, left, right + "def f(a):\n    return Op.PLUS if a > 0 else Op.MINUS")
    assert found.verdict is BehaviourVerdict.UNDECIDED, found.witness


def test_a_number_is_no_member_of_an_enumeration_without_a_name() -> None:
    fragment = read_fragment("typedef enum { A, B } Kind;\nenum { C, D };\nint f(int a, Kind k) { return a; }", "c")
    assert str(fragment.table.input_type(fragment.table.read("int"))) == "int32"
    assert str(fragment.table.input_type(fragment.table.read("Kind"))) == "choice[0, 1]"


@needs_sandbox
@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        ("class P:\n    def fill(self, n):\n        self.lines = n + 1", "undecided"),
        ("def fill(n):\n    pass", "undecided"),
        ("def fill(n):\n    print(n)", "different"),
    ],
)
def test_variables_of_a_file_are_compared_with_nothing_else(right: str, verdict: str, harnesses: Harnesses) -> None:
    found = compared(harnesses, "int lines;\nvoid fill(int n) { lines = n; }", right)
    assert found.verdict == BehaviourVerdict(verdict), (found.witness, found.strength)


PAIR = "def f(a):\n    a = iter(a)\n    while True:\n        yield (next(a), next(a))"


@needs_sandbox
@pytest.mark.parametrize(("names", "verdict"), [("xrange", "undecided"), ("range", "different")])
def test_a_generator_of_python_2_ends_without_an_error(names: str, verdict: str, harnesses: Harnesses) -> None:
    other = f"def f(a):\n    for i in {names}(0, len(a) - len(a) % 2, 2):\n        yield (a[i], a[i + 1])"
    found = compare_behaviour(Code(PAIR, "python"), Code(other, "python"), harnesses, budget=SearchBudget(runs=60))
    assert found.verdict == BehaviourVerdict(verdict), (found.witness, found.reason)


COUNTERPARTS = {
    "the last function has another in the other text": (
        "def add_two(a):\n    return a + 2\ndef other(a):\n    return a",
        ("javascript", "function addTwo(a) { return a + 2; }"),
        "no-difference-found",
    ),
    "a helper is no counterpart": (
        "def f(a):\n    return g(a) + 1\ndef g(a):\n    return a",
        ("javascript", "function g(a) { return a + 1; }"),
        "no-difference-found",
    ),
    "what shows the others and one of them": (
        "def main(a):\n    print(f(a))\ndef f(a):\n    return a",
        ("javascript", "function g(a) { return a; }\nfunction main() { console.log(g(3)); }"),
        "undecided",
    ),
    "making an object and changing one": (
        "class C:\n    def __init__(self, items):\n        self.items = items",
        ("javascript", "class C { setItems(items) { this.items = items; } }"),
        "undecided",
    ),
}


@needs_sandbox
@pytest.mark.parametrize("case", COUNTERPARTS)
def test_functions_of_one_name_are_compared(case: str, harnesses: Harnesses) -> None:
    left, (language, right), verdict = COUNTERPARTS[case]
    budget = SearchBudget(runs=60)
    for codes in ((Code(left, "python"), Code(right, language)), (Code(right, language), Code(left, "python"))):
        found = compare_behaviour(*codes, harnesses, budget=budget)
        assert found.verdict == BehaviourVerdict(verdict), (found.witness, found.reason, found.detail)


def test_places_are_found_behind_letters_of_several_bytes() -> None:
    text = "/* né */ char *g(int x) { char a[2] = {'é'}; return a; }\nchar *f(int x) { char a[2]; return a; }"
    made = with_undefined_returns(read_fragment(text, "c"))
    assert made == text.replace("return a", 'return ct_undefined("local memory"), a')


def test_examples_that_are_lists_of_lists_say_the_type() -> None:
    known = [[parse_type(one) for one in ("str", "list[str]")], [parse_type("int")]]
    examples = [[value_of([[1, 2], [3]]), value_of(1)], [value_of([[]]), value_of(2)]]
    assert [list(map(str, one)) for one in with_types_of_examples(known, examples)] == [["list[list[int]]"], ["int"]]
    other = [*examples, [value_of([1]), value_of(1)], [value_of("a"), value_of(1)]]
    assert with_types_of_examples(known, other) == known
    declared = [[parse_type("list[list[float]]")], [parse_type("int")]]
    assert with_types_of_examples(declared, examples) == declared
    assert with_types_of_examples(known, []) == known
    lists = [[value_of([1]), value_of(1)], [value_of([2, 3]), value_of(1)]]
    assert with_types_of_examples(known, lists) == [known[0][1:], known[1]]
    assert with_types_of_examples([[parse_type("str")], [parse_type("bool")]], lists) == [[], [parse_type("bool")]]


@needs_sandbox
def test_a_text_is_no_input_where_examples_are_lists_of_lists(harnesses: Harnesses) -> None:
    left = 'def f(a):\n    """\n    >>> f([[1, 2], [3]])\n    3\n    """\n    return sum(len(one) for one in a)'
    right = "def f(a):\n    return len([x for one in a for x in one]) + (7 if isinstance(a, str) else 0)"
    found = compare_behaviour(Code(left, "python"), Code(right, "python"), harnesses, budget=SearchBudget(runs=40))
    assert found.types == ("list[list[int]]",)
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
