"""What is assumed about classes that fragments of Java miss, what a method without a result leaves, and which runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.changed_entry import changed_entries
from clonetruth.execution.comparison import DEFAULT_POLICY, Difference, compare_calls
from clonetruth.execution.harness import CallInput, Code, Observation
from clonetruth.execution.harness.java.harness import JavaHarness
from clonetruth.execution.results import Strength
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.toolchains import TOOLCHAINS
from clonetruth.execution.values import STATE, Value
from tests.execution.sandboxed import needs_sandbox

MISSING = TOOLCHAINS["java"][0].missing(Bubblewrap())
needs_java = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}")
VERSIONS = "class A {{ static int f(int a) {{ return {}; }} static int g(int a) {{ return 2; }} }}"


def number(value: int) -> Value:
    return {"int": str(value)}


def thing(**fields: Value) -> Value:
    return {"object": ["Thing", [[name, value] for name, value in fields.items()]]}


def state(**fields: Value) -> Observation:
    return Observation(returned={"object": [STATE, [[name, value] for name, value in fields.items()]]})


@pytest.fixture(scope="module")
def harness() -> Iterator[JavaHarness]:
    with JavaHarness(Bubblewrap()) as one:
        yield one


@needs_sandbox
@needs_java
class TestMissingClasses:
    @pytest.mark.parametrize(
        ("text", "arguments", "expected"),
        [
            ("int f(int n) { super.start(n); return n; }", [number(3), number(0)], number(3)),
            ("int f(Pen p) { Brush b = (Brush) p; return b.size + p.width; }",
             [{"object": ["Pen", [["size", number(1)], ["width", number(2)]]]}], number(3)),
            ("int f(int n) { Shape s = new Circle(n); return n + s.size; }", [number(3)], number(3)),
            ("int f(Row r) { int n = 0; for (Cell c : r) n += c.size; return n; }",
             [{"object": ["Row", [["elements", {"list": [{"object": ["Cell", [["size", number(4)]]]}]}]]]}], number(4)),
            ("int f(int n) { switch (n) { case Kind.SOME: return 1; default: return 2; } }", [number(-1)], number(2)),
            ("int f(int n) { switch (n) { case LIMIT: return 1; default: return 2; } }", [number(-1)], number(2)),
            ("boolean f() { return R.id.button == R.id.field; }", [], False),
            ("int f(int n) throws Outer.Inner { if (n > 1) throw new Outer.Inner(); return n; }",
             [number(1)], number(1)),
            ("int f(int n) { log(\"text\"); return n; }", [number(1), number(0)], number(1)),
            ("int f(org.other.Thing t) { return t.size; }", [{"object": ["Thing", [["size", number(2)]]]}], number(2)),
            ("int f(InputStream s) throws IOException { return s.read(); }", ["a"], number(97)),
            ("int f(Map<Integer, Integer> m) { for (Entry<Integer, Integer> e : m.entrySet()) return e.getKey(); "
             "return 0; }", [{"map": [[number(5), number(6)]]}], number(5)),
            ("int f(String s) { return s.getBytes(UTF_8).length; }", ["é"], number(2)),
            ("int f(String s) { return codes.get(s.charAt(0)); }",
             ["a", {"map": [[{"char": "a"}, number(7)]]}], number(7)),
        ],
    )  # fmt: skip
    def test_types_follow_the_compiler(
        self, harness: JavaHarness, text: str, arguments: list[Value], expected: Value
    ) -> None:
        found = harness.run(Code(text, "java"), [CallInput(tuple(arguments))])
        assert (found.undecided, found.detail) == (None, "")
        assert found.observations[0].returned == expected

    def test_an_own_method_that_is_called_with_another_class_is_another_method(self, harness: JavaHarness) -> None:
        text = "int {0}(Row r) {{ int n = r.size; for (Cell c : r) n += {0}(c); return n; }}"
        found = [harness.run(Code(text.format(name), "java")) for name in ("f", "g")]
        assert [one.repairs[-1] for one in found] == ["any further method f", "any further method g"]

    def test_what_a_class_that_was_made_consists_of_says_nothing(self, harness: JavaHarness) -> None:
        asks = "int f() { return new Row().getClass().getDeclaredFields().length; }"
        assert str(harness.run(Code(asks, "java")).undecided) == "unresolved symbol"
        known = asks + " class Row { int n; }"
        assert harness.run(Code(known, "java"), [CallInput(())]).undecided is None

    def test_bytes_have_one_form_in_python(self) -> None:
        left = "static int f(byte[] data) { int s = 0; for (byte b : data) s += b & 0xFF; return s; }"
        with Harnesses(Bubblewrap()) as harnesses:
            codes = Code(left, "java"), Code("def f(data):\n    return sum(data)", "python")
            found = compare_behaviour(*codes, harnesses, budget=SearchBudget(runs=40))
        assert (found.verdict, found.types) == (BehaviourVerdict.NO_DIFFERENCE_FOUND, ("bytes",)), found.witness

    def test_pauses_take_no_time(self, harness: JavaHarness) -> None:
        text = "int f(int n) { try { Thread.sleep(60_000); } catch (InterruptedException e) { return 0; } return n; }"
        found = harness.run(Code(text, "java"), [CallInput((number(3),))])
        assert found.observations[0].returned == number(3)

    def test_what_cannot_be_repaired_keeps_its_reason(self, harness: JavaHarness) -> None:
        found = harness.run(Code("int f(int n) { if (n > 1) return 1; }", "java"))
        assert str(found.undecided) == "does not compile"
        assert "missing return" in found.detail


@needs_sandbox
@needs_java
class TestVersionsOfFiles:
    def test_static_fields_are_what_a_method_without_a_result_does(self, harness: JavaHarness) -> None:
        text = "class A { static int s; static final int T = 1; static void f(int n) { s = n + T; } }"
        found = harness.run(Code(text, "java"), [CallInput((number(1),)), CallInput((number(5),))])
        assert [one.returned for one in found.observations] == [state(s=number(n)).returned for n in (2, 6)]

    def test_the_function_that_was_changed_runs(self) -> None:
        harnesses = Harnesses(Bubblewrap())
        left, right = (Code(VERSIONS.format(one), "java") for one in ("a", "a < 0 ? -a : a"))
        found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=20))
        assert found.verdict is BehaviourVerdict.DIFFERENT
        assert found.left.entry == "f"

    def test_programs_without_input_are_decided_by_one_run(self) -> None:
        harnesses = Harnesses(Bubblewrap())
        text = 'public static void main(String[] args) {{ for (int i = 0; i < 3; i++) System.out.print({} + " "); }}'
        left, same, other = (Code(text.format(one), "java") for one in ("i", "i * 1", "i + 1"))
        assert compare_behaviour(left, same, harnesses).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
        assert compare_behaviour(left, other, harnesses).verdict is BehaviourVerdict.DIFFERENT


class TestChangedEntry:
    def test_the_usual_choice_stands_if_it_shows_the_change(self) -> None:
        left = Code("class A { int f(int a) { return a; } int g(int a) { return f(a); } }", "java")
        right = Code(left.text.replace("return a", "return -a"), "java")
        assert changed_entries(left, right) == (None,)
        assert changed_entries(left, left) == (None,)
        assert changed_entries(left, Code(right.text, "java", "f")) == (None,)

    def test_comments_are_no_change(self) -> None:
        left, right = (Code(VERSIONS.format(one), "java") for one in ("a", "a /* same */"))
        assert changed_entries(left, right) == (None,)

    def test_all_changed_functions_of_two_versions_of_a_file_are_compared(self) -> None:
        old = "double f(double a) { return a; }\ndouble g(double a) { return f(a) + 1; }\nint h(int a) { return a; }"
        new = old.replace("+ 1", "+ 2").replace("int a) { return a", "int a) { return -a")
        assert changed_entries(Code(old, "c"), Code(new, "c")) == (None, "h")
        assert changed_entries(Code(old, "c"), Code(old.replace("int a) { return a", "int a) { return -a"), "c")) == (
            "h",
        )
        assert changed_entries(Code(old, "c"), Code(new + "\nint k(int a) { return a; }", "c")) == (None,)

    def test_programs_of_c_stay_whole(self) -> None:
        text = "int f(int a) {{ return {}; }}\nint main(void) {{ return f(2); }}"
        assert changed_entries(Code(text.format("a"), "c"), Code(text.format("-a"), "c")) == (None,)


class TestComparison:
    def test_only_common_static_fields_count(self) -> None:
        assert compare_calls(state(a=number(1), b=number(2)), state(a=number(1), c=number(3))) == frozenset()
        assert compare_calls(state(a=number(1)), state(a=number(2))) == frozenset({Difference.VALUE})
        assert compare_calls(state(a=number(1)), Observation()) == frozenset()

    def test_fields_that_one_side_does_not_know(self) -> None:
        known = Observation(changed=(thing(a=number(1)),))
        assert compare_calls(known, Observation(changed=(thing(a=number(1), b=number(0)),))) == frozenset()
        assert compare_calls(known, Observation(changed=(thing(a=number(1), b=number(2)),))) == frozenset(
            {Difference.CHANGED}
        )

    def test_exhausted_code_needs_coverage_still(self) -> None:
        found = Strength(runs=1, normal=1, outputs=1, exhausted=True, left_coverage=0.1, right_coverage=1.0)
        policy = DEFAULT_POLICY
        assert not found.is_enough(policy)
        assert Strength(runs=1, normal=1, outputs=1, exhausted=True).is_enough(policy)
        assert not Strength(runs=1, normal=1, outputs=1).is_enough(policy)
