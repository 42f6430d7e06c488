"""Functions of Go in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clonetruth.execution.harness import CallInput, Code, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.go.functions import read_go
from clonetruth.execution.harness.go.harness import GoHarness
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.inputs.given import value_of
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.c_attacks import GO_ATTACKS
from tests.execution.sandboxed import REFUSALS, needs_sandbox

BOX = Bubblewrap()
needs_go = pytest.mark.skipif(bool(PROGRAM_LANGUAGES["go"].missing(BOX)), reason="go is not installed")


@pytest.fixture(scope="module")
def harness() -> Iterator[GoHarness]:
    with GoHarness(BOX) as one:
        yield one


def run(harness: GoHarness, text: str, *calls: list[Any]) -> FragmentRun:
    return harness.run(Code(text, "go"), [CallInput(tuple(map(value_of, one))) for one in calls])


def seen(found: FragmentRun) -> tuple[Observation, ...]:
    assert found.undecided is None, (found.undecided, found.detail)
    return found.observations


@needs_sandbox
@needs_go
class TestFunctions:
    def test_values_go_in_and_come_out(self, harness: GoHarness) -> None:
        text = (
            "type Point struct { X int; name string }\n"
            "func F(xs []int, m map[string]float64, p *Point, r rune, v ...uint8) (int, string, []Point) {\n"
            'fmt.Println(len(v)); xs[0] = 9; return xs[1] + int(m["a"]) + p.X, p.name + string(r), []Point{*p} }'
        )
        point = {"object": ["Point", [["X", {"int": "3"}], ["name", "é"]]]}
        found = run(harness, text, [[1, 2], {"a": 1.5}, point, {"char": "ü"}, [1, 2]])
        kinds = [str(one.types[0]) for one in found.parameters]
        assert kinds == ["list[int64]", "map[str, float]", "Point{X: int64, name: str}?", "char", "list[uint8]"]
        (one,) = seen(found)
        assert one.returned == {"tuple": [{"int": "6"}, "éü", {"list": [point]}]}
        assert one.changed is not None
        assert one.changed[0] == value_of([9, 2])
        assert one.output == "2\n"
        assert found.repairs == ("imports: fmt",)

    def test_bytes_need_not_be_a_text(self, harness: GoHarness) -> None:
        found = run(harness, "func F(b []byte) int { return int(b[0]) + len(b) }", ["é"], [{"bytes": "ff0001"}])
        assert [str(one.types[0]) for one in found.parameters] == ["union[str, bytes]"]
        assert [one.returned for one in seen(found)] == [{"int": "197"}, {"int": "258"}]

    def test_errors_and_panics_are_exceptions(self, harness: GoHarness) -> None:
        text = (
            'func F(x int) (int, error) { if x == 1 { return 0, errors.New("x") }; if x == 2 { panic("x") }\n'
            "if x == 3 { return []int{}[x], nil }; for x == 4 { }; return x, nil }"
        )
        observed = seen(run(harness, text, *([one] for one in range(1, 6))))
        assert [one.raised for one in observed] == ["error", "panic", "runtime error", None, None]
        assert [one.ended for one in observed] == [None, None, None, "timed out", None]
        assert observed[4].returned == {"int": "5"}

    def test_generic_functions_methods_and_variables(self, harness: GoHarness) -> None:
        text = "var n int\ntype S struct { k int }\nfunc (s *S) Add(x int) int { n++; s.k += x; return s.k + n }"
        assert [one.returned for one in seen(run(harness, text, [1], [1]))] == [{"int": "2"}] * 2
        text = "func Max[T int | float64](a, b T) T { if a > b { return a }; return b }"
        assert seen(run(harness, text, [1, 2]))[0].returned == {"int": "2"}

    def test_programs_and_reasons(self, harness: GoHarness) -> None:
        text = 'package main\nimport "fmt"\nfunc main() { var x int; fmt.Scan(&x); fmt.Print(x + 1) }'
        found = harness.run(Code(text, "go"), [CallInput(stdin="4")])
        assert (found.kind, seen(found)[0].output) == (EntryKind.PROGRAM, "5")
        assert run(harness, "func F(x int) int { return missing(x) }").undecided is Reason.SYMBOL
        assert run(harness, "func F(c chan int) int { return <-c }").undecided is Reason.TYPE
        assert run(harness, "func F() int64 { return time.Now().Unix() }").undecided is Reason.CLOCK

    @pytest.mark.slow
    @pytest.mark.parametrize("name", GO_ATTACKS)
    def test_a_function_lies_at_most_about_itself(self, harness: GoHarness, name: str) -> None:
        found = run(harness, GO_ATTACKS[name], [1], [2])
        assert found.undecided not in REFUSALS, found.detail
        assert len(found.observations) <= 2
        honest = run(harness, "func G(x int) int { return x + 1 }", [1], [2])
        assert [one.returned for one in seen(honest)] == [{"int": "2"}, {"int": "3"}]


class TestReading:
    def test_imports_are_added_and_dropped(self) -> None:
        fragment = read_go(
            'package x\nimport (\n"os"\n"strings"\n)\nfunc F(s string) string { return strings.ToUpper(s) + '
            "strconv.Itoa(1) }"
        )
        assert fragment.text.startswith('package main\nimport "strings"\nimport "strconv"\n')
        assert fragment.repairs == ["imports: strconv", "without imports: os"]

    def test_the_entry_is_the_last_function_that_no_other_calls(self) -> None:
        fragment = read_go("func g(x int) int { return x }\nfunc f(x int) int { return g(x) }\nfunc main() { }")
        chosen = fragment.chosen(None)
        assert chosen is not None
        assert chosen.name == "f"
