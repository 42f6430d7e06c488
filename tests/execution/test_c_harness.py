"""Functions of C and C++ in the sandbox: what can be passed, what is observed, and what hostile functions cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clonetruth.execution import BehaviourVerdict
from clonetruth.execution.harness import CallInput, Code, EntryKind, FragmentRun, Harness, Observation, Reason
from clonetruth.execution.harness.c.functions import read_fragment
from clonetruth.execution.harness.c.harness import CHarness, CppHarness
from clonetruth.execution.harness.c.headers import completed
from clonetruth.execution.harness.c.plan import ParameterRole, plan_call
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.harness.registry import Harnesses
from clonetruth.execution.inputs.given import value_of
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from clonetruth.execution.values import STATE, equal_values
from tests.execution.c_attacks import C_ATTACKS, C_COMPILE_ATTACKS
from tests.execution.sandboxed import REFUSALS, needs_sandbox

BOX = Bubblewrap()
needs_c = pytest.mark.skipif(bool(PROGRAM_LANGUAGES["c"].missing(BOX)), reason="gcc is not installed")
needs_cpp = pytest.mark.skipif(bool(PROGRAM_LANGUAGES["cpp"].missing(BOX)), reason="g++ is not installed")


@pytest.fixture(scope="module")
def c() -> Iterator[CHarness]:
    with CHarness(BOX) as one:
        yield one


@pytest.fixture(scope="module")
def cpp() -> Iterator[CHarness]:
    with CppHarness(BOX) as one:
        yield one


def run(harness: Harness, text: str, *calls: list[Any], entry: str | None = None, seed: int = 0) -> FragmentRun:
    inputs = [CallInput(tuple(map(value_of, one))) for one in calls]
    return harness.run(Code(text, harness.language, entry), inputs, seed=seed)


def seen(found: FragmentRun) -> tuple[Observation, ...]:
    assert found.undecided is None, (found.undecided, found.detail)
    return found.observations


def types(found: FragmentRun) -> list[str]:
    return [str(one.types[0]) for one in found.parameters]


def node(value: int, after: Any = None) -> Any:
    return {"object": ["Node", [["v", {"int": str(value)}], ["next", after]]]}


LIST = "struct Node { int v; struct Node *next; };\n"


@needs_sandbox
@needs_c
class TestC:
    @pytest.mark.parametrize(
        ("text", "arguments", "kinds", "returned"),
        [
            ("long long f(char a, unsigned short b, bool c) { return a + b + c; }", [{"char": "A"}, 7, True],
             ["char", "uint16", "bool"], 73),
            ("double f(float a, double b) { return sqrt(a) * b; }", [{"int": "4"}, 1.5], ["float32", "float64"], 3.0),
            ("int f(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; "
            "}", [[1, 2, 3]], ["list[int32]"], 6),
            ("int f(int n, int a[n]) { return n * a[0]; }", [[5, 6]], ["list[int32]"], 10),
            ("int f(int a[], int l, int r) { return r - l + a[0]; }", [[5, 6]], ["list[int32]"], 6),
            ("int f(int m[][2], int rows) { return m[1][0] + rows; }", [[[1, 2], [3, 4]]], ["list[list[int32]]"], 5),
            ("int f(int **m, int r, int c) { return m[r - 1][c - 1]; }", [[[1, 2], [3, 4]]], ["list[list[int32]]"], 4),
            ("char *f(const char *s) { char *r = strdup(s); r[0] = toupper(r[0]); return r; "
            "}", ["née"], ["str"], "Née"),
            ("int f(a, b) int a; char *b; { return a + strlen(b); }", [1, "xy"], ["int32", "str"], 3),
            ("int f(int a, int b) { return max(a, b) - MIN(a, b); }", [1, 5], ["int32", "int32"], 4),
            ("int *f(int *a, int n, int *returnSize) { int *r = malloc(8); r[0] = n; r[1] = a[0]; *returnSize = "
            "2; return r; }",
             [[9]], ["list[int32]"], [1, 9]),
            ("void f(int a, int *result) { *result = a * 2; }", [4], ["int32"], 8),
            ("typedef struct { int x; char s[4]; } P;\nint f(P p) { return p.x + strlen(p.s); }",
             [{"object": ["P", [["x", {"int": "1"}], ["s", "ab"]]]}],
             ["P{x: int32, s: str}"], 3),
            ("typedef struct { int n; int v[3]; } Q;\nint f(Q q) { return q.n + q.v[0] - q.v[2]; }",
             [{"object": ["Q", [["n", {"int": "1"}], ["v", {"list": [{"int": "5"}, {"int": "6"}, {"int": "7"}]}]]]}],
             ["Q{n: int32, v: list[int32]}"], -1),
            ("static int total;\nvoid f(int x) { total += x; }", [3], ["int32"],
             {"object": [STATE, [["total", {"int": "3"}]]]}),
        ],
    )  # fmt: skip
    def test_what_can_be_passed(
        self, c: CHarness, text: str, arguments: list[Any], kinds: list[str], returned: Any
    ) -> None:
        found = run(c, text, arguments)
        assert types(found) == kinds
        assert equal_values(seen(found)[0].returned, value_of(returned))

    def test_nodes_go_in_and_come_out(self, c: CHarness) -> None:
        text = (
            LIST + "struct Node *f(struct Node *h) { struct Node *p = 0, *n; for (; h; h = n) { n = h->next; h->next "
            "= p; p = h; } return p; }"
        )
        found = run(c, text, [node(1, node(2))], [None])
        assert types(found) == ["Node{v: int32, next: Node?}?"]
        one, other = seen(found)
        assert one.returned == node(2, node(1))
        assert one.changed == (node(1),)
        assert (other.returned, other.changed) == (None, None)

    def test_known_nodes_are_defined(self, c: CHarness) -> None:
        found = run(
            c, "int depth(struct TreeNode *t) { return t ? 1 + fmax(depth(t->left), depth(t->right)) : 0; }", [None]
        )
        assert seen(found)[0].returned == {"int": "0"}
        assert "structure TreeNode" in found.repairs

    def test_changes_output_and_exits_are_apart(self, c: CHarness) -> None:
        swap = run(c, "void f(int *a, int *b) { int t = *a; *a = *b; *b = t; }", [1, 2], [3, 3])
        assert [one.changed for one in seen(swap)] == [({"int": "2"}, {"int": "1"}), None]
        text = 'int f(int x) { printf("%d;", x); if (x == 2) exit(3); if (x == 3) abort(); return x; }'
        observed = seen(run(c, text, [1], [2], [3], [4]))
        assert [(one.output, one.raised) for one in observed] == [
            ("1;", None),
            ("2;", "exit 3"),
            ("", "abort"),
            ("4;", None),
        ]

    def test_undefined_behaviour_is_named_and_the_next_call_follows(self, c: CHarness) -> None:
        text = (
            "int f(int x) { int a[2] = {1, 2}; int *p = 0; switch (x) { case 1: return 2147483647 + x; case 2: "
            "return x / (x - 2);\n"
            "case 3: return a[x]; case 4: return *p; case 5: return 1 << (x * 10); case 6: return (int)(1e300 * "
            "x); } return x; }"
        )
        observed = seen(run(c, text, *([one] for one in range(8))))
        assert [one.ended for one in observed] == [
            None,
            "undefined behaviour: overflow",
            "undefined behaviour: division",
            "undefined behaviour: index",
            "undefined behaviour: invalid address",
            "undefined behaviour: shift",
            "undefined behaviour: conversion",
            None,
        ]

    def test_reading_behind_an_argument_is_undefined(self, c: CHarness) -> None:
        text = "int f(int *a, int n) { int s = 0; for (int i = 0; i <= n; i++) s += a[i]; return s; }"
        assert seen(run(c, text, [[1, 2, 3]]))[0].ended == "undefined behaviour: invalid address"
        text = "int f(const char *s) { int n = 0; while (s[n] != 'z') n++; return n; }"
        assert [one.ended for one in seen(run(c, text, ["abz"], ["ab"]))] == [
            None,
            "undefined behaviour: invalid address",
        ]

    @pytest.mark.parametrize("size", [1, 3, 1500])
    def test_reading_before_an_argument_is_undefined_in_half_of_the_replays(self, c: CHarness, size: int) -> None:
        text = "int f(int *a, int n) { int s = 0; for (int i = -1; i < n; i++) s += a[i] + 1; return s - 1; }"
        one, other = (seen(run(c, text, [[0] * size], seed=seed))[0] for seed in (0, 1))
        assert one.returned == {"int": str(size)}
        assert other.ended == "undefined behaviour: invalid address"

    def test_what_is_not_initialised_differs_by_seed(self, c: CHarness) -> None:
        text = "int f(int x) { int y; if (x) y = 1; return y; }"
        first, second = (seen(run(c, text, [0], seed=seed))[0].returned for seed in (1, 2))
        assert first != second
        first, second = (seen(run(c, text, [1], seed=seed))[0].returned for seed in (1, 2))
        assert first == second

    def test_slow_and_deep_calls_end_alone(self, c: CHarness) -> None:
        text = "int f(int x) { volatile int y = x; while (y == 1) ; return x == 2 ? f(x) + 1 : x; }"
        # Behind a slow call, a deep one may be too slow.
        observed = seen(run(c, text, [0], [2], [1], [3]))
        assert [one.ended for one in observed] == [None, "stack overflow", "timed out", None]

    def test_nothing_is_left_for_the_next_call(self, c: CHarness) -> None:
        text = (
            "int seen[100]; static int n = 5;\nint f(int x) { static int calls; n++; seen[x] = 1; return "
            "++calls + n + seen[0]; }"
        )
        assert [one.returned for one in seen(run(c, text, [1], [2], [1]))] == [{"int": "7"}] * 3

    def test_points_are_reached(self, c: CHarness) -> None:
        found = run(c, "int f(int x) { if (x > 5) return x * 3; return 1; }", [1], [2], [6])
        assert [bool(one.reached) for one in seen(found)] == [True, False, True]
        assert len({point for one in found.observations for point in one.reached}) == found.points == 3

    def test_what_the_short_header_lacks_has_its_own_type(self, c: CHarness) -> None:
        text = "#include <stdlib.h>\n#include <stdint.h>\n"
        text += "uint64_t f(const char *s) { return UINT64_C(1) + strtoul(s, 0, 10); }"
        assert [one.returned for one in seen(run(c, text, ["4294967295"]))] == [{"int": "4294967296"}]

    def test_values_that_do_not_fit_are_type_errors(self, c: CHarness) -> None:
        observed = seen(
            run(c, "int f(char c, short s) { return c + s; }", [{"char": "é"}, 1], [{"char": "e"}, 70000], [1, 1])
        )
        assert [one.raised for one in observed] == ["TypeError"] * 3

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("int f(int x) { return missing_function(x); }", Reason.SYMBOL),
            ("int f(int x) { return unknown; }", Reason.SYMBOL),
            ("int f(void (*g)(void *)) { g(0); return 0; }", Reason.TYPE),
            ('int f(int x) { FILE *g = fopen("a", "r"); return g != 0; }', Reason.FILE),
            ("int f() { return time(0); }", Reason.CLOCK),
            ('int f() { int x; scanf("%d", &x); return x; }', Reason.INPUT),
            ("int x = 1;", Reason.FUNCTION),
            ("int f(int n) { int s = 0 for (int i = 0; i < n i++) s += i]; return s; }", Reason.PARSE),
            ("#include <nowhere.h>\nint f(int x) { return x; }", Reason.PACKAGE),
        ],
    )
    def test_reasons(self, c: CHarness, text: str, reason: Reason) -> None:
        found = run(c, text)
        assert found.undecided is reason, found.detail

    def test_programs_run_as_programs(self, c: CHarness) -> None:
        text = '#include <stdio.h>\nint main() { int x; scanf("%d", &x); printf("%d", x + 1); }'
        found = c.run(Code(text, "c"), [CallInput(stdin="4")])
        assert (found.kind, seen(found)[0].output) == (EntryKind.PROGRAM, "5")
        demo = run(c, 'int f(int x) { return x + 1; }\nint main() { printf("%d", f(1)); return 0; }', [4])
        assert (demo.kind, demo.entry, seen(demo)[0].returned) == (EntryKind.FUNCTION, "f", {"int": "5"})

    def test_what_a_program_never_set_differs_by_seed(self, c: CHarness) -> None:
        text = '#include <stdio.h>\nint main() { int n, a[9]; scanf("%d", &n); printf("%d", a[n]); return 0; }'
        said = []
        for seed in (0, 1):
            (one,) = c.run(Code(text, "c"), [CallInput(stdin="5\n")], seed=seed).observations
            said.append(one.output)
        assert said[0] != said[1]
        plain = '#include <stdio.h>\nint main() { int n; scanf("%d", &n); printf("%d", n + 1); return 0; }'
        for seed in (0, 1):
            assert c.run(Code(plain, "c"), [CallInput(stdin="5\n")], seed=seed).observations[0].output == "6"

    def test_numbers_that_solve_an_equation_of_constants_are_tried(self) -> None:
        text = "int f(double a, double b) {{ return a == 7.5 && b - a * a == {}; }}"
        with Harnesses(BOX) as harnesses:
            left, right = (Code(text.format(one), "c") for one in ("0.0", "1.0"))
            found = compare_behaviour(left, right, harnesses)
        assert found.witness is not None
        assert found.witness.call.arguments == ({"float": (7.5).hex()}, {"float": (56.25).hex()})

    def test_a_difference_is_found_and_one_of_undefined_behaviour_does_not_count(self) -> None:
        with Harnesses(BOX) as harnesses:
            budget = SearchBudget(runs=60)
            left = Code("int f(int a, int b) { return (a + b) / 2; }", "c")
            right = Code("int f(int a, int b) { return a + (b - a) / 2; }", "c")
            found = compare_behaviour(left, right, harnesses, budget=budget)
            assert found.witness is not None
            assert found.witness.left.ended is found.witness.right.ended is None
            wide = Code("int f(int a, int b) { return (int)(((long long)a + b) / 2); }", "c")
            found = compare_behaviour(left, wide, harnesses, budget=budget)
            assert found.witness is None
            assert found.verdict == "no-difference-found"


@needs_sandbox
@needs_c
class TestAcross:
    def test_one_is_true_where_truth_is_a_number(self) -> None:
        c = Code("int f(int n) { if (n == 7) return 2; return n > 3; }", "c")
        same = Code("def f(n):\n    return n > 3 or n == 7", "python")
        with Harnesses(Bubblewrap()) as harnesses:
            found = compare_behaviour(c, same, harnesses, budget=SearchBudget(runs=60))
        assert found.witness is not None
        # Two is not one of the two.
        assert found.witness.call.arguments == ({"int": "7"},)

    def test_what_depends_on_new_memory_does_not_come_again(self, c: CHarness) -> None:
        text = "#include <stdlib.h>\nint f(int n) { int *a = malloc(64); int r = a[3] != 0; free(a); return r + n; }"
        found = [seen(run(c, text, [0], seed=seed))[0].returned for seed in (0, 1)]
        assert found == [{"int": "1"}, {"int": "0"}]


@needs_sandbox
@needs_cpp
@pytest.mark.slow
class TestCpp:
    @pytest.mark.parametrize(
        ("text", "arguments", "kinds", "returned"),
        [
            ("vector<vector<int>> f(vector<vector<int>> m, map<string, int> &k) { m[0].push_back(k[\"a\"]); "
            "return m; }",
             [[[1], []], {"a": 7}], ["list[list[int32]]", "map[str, int32]"], [[1, 7], []]),
            ("template <typename T> T f(const std::vector<T>& v) { return *max_element(v.begin(), v.end()); }",
             [[3, 9, 1]], ["list[int32]"], 9),
            ("class S { int n = 1; int g() { return n; }\npublic: int f(optional<int> x) { return x.value_or(5) "
            "+ g(); } };",
             [None], ["int32?", "list[union[f{a: int32?}]]"], 6),  # and calls of itself before, as it is not const
        ],
    )  # fmt: skip
    def test_what_can_be_passed(
        self, cpp: CHarness, text: str, arguments: list[Any], kinds: list[str], returned: Any
    ) -> None:
        found = run(cpp, text, arguments)
        assert types(found) == kinds
        assert equal_values(seen(found)[0].returned, value_of(returned))

    def test_sets_pairs_tuples_and_texts(self, cpp: CHarness) -> None:
        text = (
            "tuple<int, string, set<int>> f(pair<int, string> p, unordered_set<int> s, string &t) "
            "{ t += p.second; return {p.first, t, set<int>(s.begin(), s.end())}; }"
        )
        found = run(cpp, text, [{"tuple": [{"int": "1"}, "ü"]}, {"set": [{"int": "4"}]}, "x"])
        assert types(found) == ["tuple[int32, str]", "set[int32]", "str"]
        (one,) = seen(found)
        assert one.returned == {"tuple": [{"int": "1"}, "xü", {"set": [{"int": "4"}]}]}
        assert one.changed is not None
        assert one.changed[2] == "xü"

    def test_exceptions_and_indices(self, cpp: CHarness) -> None:
        text = (
            'int f(int x) { vector<int> v(3); if (x == 1) throw invalid_argument("x"); if (x == 2) return v.at(7);\n'
            "if (x == 3) return v[7]; if (x == 4) throw 5; cout << x; return x; }"
        )
        observed = seen(run(cpp, text, *([one] for one in range(1, 6))))
        assert [one.raised for one in observed] == ["invalid_argument", "out_of_range", None, "int", None]
        assert observed[2].ended == "undefined behaviour: index"
        assert observed[4].output == "5"


@needs_sandbox
@needs_c
class TestAttacks:
    @pytest.fixture(scope="class")
    def c(self) -> Iterator[CHarness]:
        with CHarness(BOX, seconds=2.0) as one:
            yield one

    @pytest.mark.parametrize("name", C_ATTACKS)
    def test_a_function_lies_at_most_about_itself(self, c: CHarness, name: str) -> None:
        found = run(c, C_ATTACKS[name], [1], [2])
        assert found.undecided not in REFUSALS, found.detail
        assert len(found.observations) <= 2
        for one in found.observations:
            assert one.ended or one.raised or one.returned is None or isinstance(one.returned, dict)
        honest = run(c, "int g(int x) { return x + 1; }", [1], [2])
        assert [one.returned for one in seen(honest)] == [{"int": "2"}, {"int": "3"}]
        assert [one.output for one in honest.observations] == ["", ""]

    @pytest.mark.parametrize("name", C_COMPILE_ATTACKS)
    def test_compilers_see_nothing_and_end(self, c: CHarness, name: str) -> None:
        found = run(c, C_COMPILE_ATTACKS[name], [1])
        assert "root:" not in f"{found.detail} {found.observations}"
        honest = run(c, "int g(int x) { return x + 1; }", [1])
        assert seen(honest)[0].returned == {"int": "2"}


class TestReading:
    def test_roles(self) -> None:
        text = (
            "int f(const int *a, int n, int *b, int key, char *dest) { for (int i = 0; i < n; i++) b[i] = "
            "a[i]; return key; }"
        )
        fragment = read_fragment(text, "c")
        plan = plan_call(fragment.functions[0], fragment.table)
        assert [one.role for one in plan.fillings] == [
            ParameterRole.LIST,
            ParameterRole.LENGTH,
            ParameterRole.LIST,
            ParameterRole.VALUE,
            ParameterRole.RESULT,
        ]
        assert plan.fillings[1].of == [0, 2]
        assert plan.repairs == ["n is the length of a list (a, b)", "dest is a place for a result"]

    def test_the_entry_is_the_last_function_that_no_other_calls(self) -> None:
        text = "int g(int x) { return x; }\nint f(int x) { return g(x); }\nint main() { return 0; }"
        fragment = read_fragment(text, "c")
        chosen, named = fragment.chosen(None), fragment.chosen("g")
        assert chosen is not None
        assert chosen.name == "f"
        assert named is not None
        assert named.name == "g"
        assert fragment.chosen("h") is None

    @pytest.mark.parametrize(
        ("returned", "entry"), [("f(2)", "main"), ("y", "main"), ("(y)", "main"), ("0", "f"), ("EXIT_SUCCESS", "f")]
    )
    def test_a_main_function_that_returns_what_it_computed_is_called(self, returned: str, entry: str) -> None:
        text = f"int f(int a) {{ return a; }} int main(void) {{ int y = f(2); return {returned}; }}"
        chosen = read_fragment(text, "c").chosen(None)
        assert chosen is not None
        assert chosen.name == entry

    def test_headers_are_found_by_name(self) -> None:
        text, repairs = completed("int f(char *s) { return strlen(s) + sqrt(4); }", cpp=False)
        assert text.startswith("#include <string.h>\n#include <math.h>\n")
        assert repairs == ["headers: string.h, math.h"]
        text, _ = completed("std::vector<int> f() { return {}; }", cpp=True)
        assert "#include <vector>" in text
        assert "using namespace" not in text
        text, _ = completed("vector<int> f() { return {}; }", cpp=True)
        assert "using namespace std;" in text


@needs_sandbox
@needs_c
class TestMemory:
    """What the memory of the library does not promise is undefined, and not an exception or a result that counts."""

    @pytest.mark.parametrize(
        "body",
        [
            "volatile int *a = calloc(x, sizeof(int)); a[x - 2] = 1; free((void *)a); return x;",
            "int *volatile a = malloc(sizeof(int)); free(a); free(a); return x;",
            "int *volatile a = malloc(9); free(a + x); return x;",
        ],
    )
    def test_an_end_by_the_library_is_undefined(self, c: CHarness, body: str) -> None:
        (one,) = seen(run(c, f"int f(int x) {{ {body} }}", [1]))
        assert one.ended == "undefined behaviour: memory"

    @pytest.mark.parametrize("text", ["if (x) abort();", "assert(x == 0);"])
    def test_an_end_by_the_code_is_raised(self, c: CHarness, text: str) -> None:
        for seed in (0, 1):
            found = seen(run(c, f"#include <assert.h>\nint f(int x) {{ {text} return x; }}", [1], [0], seed=seed))
            assert [one.raised for one in found] == ["abort", None]

    @pytest.mark.parametrize(
        "body",
        [
            "int *a = calloc(x + 1, sizeof(int)); return a[x + 1];",
            "char *s = malloc(x); for (int i = 0; i <= x; i++) s[i] = 'a'; return s[0];",
            "int *a = realloc(malloc(4), 4 * x); a[x] = 1; return a[0];",
            "int *a = malloc(4 * x); a[0] = 5; free(a); return a[0];",
            "int *a = calloc(x - 2, 4); return a[-x];",
            'char *s = strdup("abc"); char *t = malloc(3); strcpy(t, s); return t[0];',
        ],
    )
    def test_memory_behind_a_block_is_noticed_in_half_of_the_replays(self, c: CHarness, body: str) -> None:
        one, other = (seen(run(c, f"int f(int x) {{ {body} }}", [2], seed=seed))[0] for seed in (0, 1))
        assert one.is_normal
        assert other.ended == "undefined behaviour: invalid address"

    @pytest.mark.parametrize("place", [1, 2, 3, 4, 100])
    def test_memory_before_a_block_is_noticed_in_the_other_replays(self, c: CHarness, place: int) -> None:
        text = f"int f(int x) {{ int *a = calloc(x, sizeof(int)); return a[x - {2 + place}] == 0; }}"
        assert seen(run(c, text, [2], seed=2))[0].ended == "undefined behaviour: invalid address"

    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_what_lasts_from_call_to_call_stays(self, cpp: CHarness, seed: int) -> None:
        """Objects that are made at the first call, and what the library keeps for itself."""
        text = (
            "int f(int x) { static const std::set<int> known = {5, 6}; static std::vector<int> all; all.push_back(x);\n"
            "std::regex digits(\"[0-9]+\"); std::ostringstream out; out << std::setfill('0') << std::setw(9) << x;\n"
            "return known.count(x) + all.size() + std::regex_match(std::to_string(x), digits); }"
        )
        found = seen(run(cpp, text, [5], [6], [7], [8], seed=seed))
        assert all(one.is_normal for one in found), [(one.ended, one.raised) for one in found]

    @pytest.mark.parametrize("seed", [1, 2])
    def test_calls_that_use_up_the_guarded_room(self, c: CHarness, seed: int) -> None:
        text = "int f(int x) { for (int i = 0; i < 30000; i++) { char *a = malloc(x); a[0] = 1; free(a); } return x; }"
        found = seen(run(c, text, [1], [2], [3], seed=seed))
        assert [one.returned for one in found] == [{"int": "1"}, {"int": "2"}, {"int": "3"}]

    def test_memory_that_is_used_as_it_should_be(self, c: CHarness) -> None:
        text = (
            "struct n { int v; struct n *next; };\nint f(int x) { struct n *head = 0; int sum = 0;\n"
            "for (int i = 0; i < 20000; i++) { struct n *one = malloc(sizeof *one); one->v = x; one->next = head;\n"
            "head = one; }\n"
            "int *a = 0; for (int i = 1; i <= 300; i++) { a = realloc(a, i * sizeof(int)); a[i - 1] = i; }\n"
            "for (int i = 0; i < 300; i++) sum += a[i]; free(a);\n"
            "while (head) { struct n *next = head->next; sum += head->v; free(head); head = next; }\n"
            'char *s = strdup("xyz"); sum += strlen(s); free(s); return sum; }'
        )
        for seed in (0, 1, 2):
            assert [one.returned for one in seen(run(c, text, [1], [2], seed=seed))] == [
                {"int": "65153"},
                {"int": "85153"},
            ]

    @pytest.mark.slow
    def test_exceptions_of_cpp_that_nobody_catches_are_raised(self, cpp: CHarness) -> None:
        text = (
            "int g(int x) noexcept { if (x) throw 1; return x; }\n"
            "int f(int x) { vector<int> v(x + 9); v.push_back(x); return g(x); }"
        )
        for seed in (0, 1):
            assert [one.raised for one in seen(run(cpp, text, [1], [0], entry="f", seed=seed))] == ["abort", None]


@needs_sandbox
@needs_c
def test_a_difference_that_rests_on_memory_behind_a_block_does_not_count() -> None:
    left = (
        "#include <stdlib.h>\nint f(int x, int *a, int n) { int *c = calloc(x + 1, sizeof(int)); int seen = 0;\n"
        "for (int i = 0; i < n; i++) if (c[a[i]] == 0) { seen++; c[a[i]] = 1; } free(c); return seen; }"
    )
    right = (
        "def f(x, a):\n    c = [0] * (x + 1)\n    seen = 0\n    for one in a:\n        if c[one] == 0:\n"
        "            seen += 1\n            c[one] = 1\n    return seen"
    )
    with Harnesses(BOX) as harnesses:
        found = compare_behaviour(Code(left, "c"), Code(right, "python"), harnesses, budget=SearchBudget(runs=60))
    assert found.verdict is not BehaviourVerdict.DIFFERENT
