"""What neither text says: functions that both miss and call otherwise, and what they read of the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Difference, Harnesses, Reason
from clonetruth.execution.comparison import compare_calls
from clonetruth.execution.harness.harness import EntryParameter, FragmentRun, Observation
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.machine_state import machine_state
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from clonetruth.execution.sides import called_otherwise
from clonetruth.execution.toolchains import TOOLCHAINS
from tests.execution.sandboxed import needs_sandbox

RECEIVER = EntryParameter("self", (parse_type("Receiver{pick: function[any], size: int}"),), implicit=True)
GIVEN = EntryParameter("box", (parse_type("Item{pick: function[int]}"),))
HELPER = EntryParameter("helper", (parse_type("function[int]"),), implicit=True)
JAVA = EntryParameter("any Box.pick: int, helper: int, log: void", (parse_type("int"),), implicit=True)


@pytest.mark.parametrize(
    ("parameter", "left", "right", "name"),
    [
        (RECEIVER, "self.pick(a, 0)", "self.pick(a)", ".pick"),
        (GIVEN, "box.pick(a, 0)", "box.pick()", ".pick"),
        (HELPER, "helper(a, 0)", "helper(a)", "helper"),
        (JAVA, "new Box(1).pick(a)", "box . pick()", ".pick"),
        (JAVA, "helper(0, array)", "this.helper(array)", "helper"),
        (JAVA, "new Box(1, 2).pick(a)", "new Box(1).pick(b)", "new Box"),
        (RECEIVER, "new Box(1, 2)", "new Box(1)", None),
        # The same number of arguments, however they are written.
        (HELPER, 'helper(a, "b, (c")', "helper(b[0, 1], ')')", None),
        (JAVA, "helper(new Map<A, B>(), x)", "helper(new Map<>(), x)", None),
        # One of several calls is the same.
        (HELPER, "helper(a) + helper(a, 1)", "helper(a)", None),
        # An effect is compared with its arguments.
        (JAVA, "log(a, b)", "log(a)", None),
        (RECEIVER, "self.size(1)", "self.size()", None),
        # Another function of that name.
        (HELPER, "a.helper(1, 2) + helper(1)", "helper(1)", None),
    ],
)
def test_missing_functions_are_called_alike(parameter: EntryParameter, left: str, right: str, name: str | None) -> None:
    assert called_otherwise(FragmentRun(parameters=(parameter,), repairs=("class Box",)), left, right) == name


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ('os.environ["HOME"]', 'os.path.expanduser("~")', Reason.MACHINE),
        ('os.getenv("HOME")', 'os.getenv("USER")', Reason.MACHINE),
        ('os.getenv("HOME")', 'os.getenv( "HOME" )', None),
        ("platform.system() == 'Linux'", "1", Reason.MACHINE),
        ('System.getProperty("user.home")', 'System.getenv("HOME")', Reason.MACHINE),
        ('System.getProperty("line.separator")', "1", None),
        ('settings.getProperty("a")', "1", None),
        ("Environment.MachineName", "1", Reason.MACHINE),
        ("Environment.NewLine", "1", None),
        ("process.env.HOME", "process.env.PATH", Reason.MACHINE),
        ("platform = 1", "name = 2", None),
    ],
)
def test_a_difference_may_rest_on_the_machine(left: str, right: str, reason: Reason | None) -> None:
    found = machine_state(Code(left, "java"), Code(right, "java"), (left, right))
    assert (found and found[0]) == reason


def test_languages_ask_the_machine_otherwise() -> None:
    asked = 'getenv("HOME")'
    assert machine_state(Code(asked, "c"), Code(asked, "cpp"), (asked, asked)) is not None


@pytest.mark.parametrize(
    ("text", "is_missing"),
    [
        ("os.path.exists('../../Data/Test.csv')", True),
        ("path = '/etc/app/settings'\nreturn os.path.isdir(path)", True),
        ("with open('customers.csv') as f: pass", True),
        ("with open('a.txt') as f: pass", False),
        ("with open('out.csv', 'w') as f: f.write('a')", False),
        ("return text.split('/') + ['a/b']", False),
        ("with open(name) as f: return f.read().split('/')", False),
        (r"with open(name) as f: return f.read().split('\t') + ['\n', '\\d']", False),
        (r"with open('C:\\\\data\\\\a') as f: pass", True),
    ],
)
def test_a_file_that_is_written_in_the_code_is_not_there(text: str, is_missing: bool) -> None:
    code = Code(text, "python")
    found = machine_state(code, Code("", "python"), (text, ""))
    assert (found is not None and found[0] is Reason.FILE) == is_missing


@pytest.mark.parametrize(
    ("printed", "returned", "expected"),
    [
        ("\n", "", {Difference.PRINTED}),
        ("a\n", "a", {Difference.PRINTED}),
        ("", "", {Difference.VALUE}),
        ("\n", "a", {Difference.VALUE}),
        ("b\n", "a", {Difference.VALUE, Difference.OUTPUT}),
    ],
)
def test_an_empty_text_is_printed_like_others(printed: str, returned: str, expected: set[Difference]) -> None:
    assert compare_calls(Observation(None, output=printed), Observation(returned)) == frozenset(expected)


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (
            "def f(self, a):\n    return self.pick(a, 0) + len(a)",
            "def f(self, a):\n    return self.pick(a) + len(a)",
            Reason.SYMBOL,
        ),
        (
            "def f(self):\n    try:\n        verify('../../Data/Test.csv')\n    except:\n        print('no')",
            "def f(self):\n    if os.path.exists('../../Data/Test.csv'):\n        verify('../../Data/Test.csv')\n"
            "    else:\n        print('no')",
            Reason.FILE,
        ),
        ("def f():\n    return os.getenv('HOME', 'a')", "def f():\n    return os.getenv('USER', 'b')", Reason.MACHINE),
    ],
)
def test_what_nobody_knows_is_no_difference(harnesses: Harnesses, left: str, right: str, reason: Reason) -> None:
    budget = SearchBudget(runs=20, seconds=5)
    found = compare_behaviour(Code(left, "python"), Code(right, "python"), harnesses, budget=budget)
    assert (found.verdict, found.why_undecided) == (BehaviourVerdict.UNDECIDED, reason)


@needs_sandbox
@pytest.mark.parametrize(
    ("drawn", "verdict"),
    [
        ("random.choice([a, a, a, -a])", BehaviourVerdict.UNDECIDED),
        ("random.choice([a, a])", BehaviourVerdict.DIFFERENT),
    ],
)
def test_what_is_drawn_from_few_values_comes_again_by_chance(
    harnesses: Harnesses, drawn: str, verdict: BehaviourVerdict
) -> None:
    left = Code(f"import random\ndef f(a):\n    return {drawn}", "python")
    for other in range(2, 6):
        right = Code(f"def f(a):\n    return a * {other}", "python")
        assert compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40)).verdict is verdict


@needs_sandbox
@pytest.mark.skipif(bool(TOOLCHAINS["csharp"][0].missing(Bubblewrap())), reason="mono is not installed")
@pytest.mark.parametrize(
    "text",
    [
        'static string F() { return Registry.LocalMachine.OpenSubKey("a").GetValue("b").ToString(); }',
        '[DllImport("user32.dll")] static extern int Beep(int a); static int F(int a) { return Beep(a); }',
        'static int F() { return new ManagementObjectSearcher("select *").Get().Count; }',
    ],
)
def test_parts_of_windows_are_missing(harnesses: Harnesses, text: str) -> None:
    found = compare_behaviour(Code(text, "csharp"), Code("static string F() { return null; }", "csharp"), harnesses)
    assert found.why_undecided is Reason.PACKAGE


MADE = "int f(int x, int y) {{ Rect r = new Rect({}); return r.area() - x; }}"
TABLE = "int f(String a) {{ Map<Character, Integer> known = table(); return a.isEmpty() ? 0 : known.get({}); }}"
SAME = "boolean f(List<Integer> a) {{ for (int i = 1; i < a.size(); i++) if ({}) return true; return false; }}"
GIVEN_ON = "void f(int[] a) {{ {} show(m); {} take(new Rect(a.length)); }}"
HASHED = 'Map<String, Integer> m = new HashMap<>(); m.put("a", a.length); m.put("b", 1);'
SORTED = 'Map<String, Integer> m = new TreeMap<>(); m.put("b", 1); m.put("a", a.length);'


@needs_sandbox
@pytest.mark.skipif(bool(TOOLCHAINS["java"][0].missing(Bubblewrap())), reason="a JDK is not installed")
@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        # What a missing method returns depends on what its object was made of.
        (MADE.format("x, y"), MADE.format("y, x"), BehaviourVerdict.DIFFERENT),
        (MADE.format("x, y"), MADE.format("0 + x, y"), BehaviourVerdict.NO_DIFFERENCE_FOUND),
        (MADE.format("x, y"), MADE.format("x"), BehaviourVerdict.UNDECIDED),
        ("void f(int x) { all.add(new Rect(x, 1)); }", "void f(int x) { all.add(new Rect(1, x)); }",
         BehaviourVerdict.DIFFERENT),
        # Missing methods that return a map return one with something in it.
        (TABLE.format("a.charAt(0)"), TABLE.format("a.charAt(a.length() - 1)"), BehaviourVerdict.DIFFERENT),
        # == compares objects of numbers from 128 on, and of letters beyond ASCII.
        (SAME.format("a.get(i) == a.get(i - 1)"), SAME.format("a.get(i).equals(a.get(i - 1))"),
         BehaviourVerdict.DIFFERENT),
        # Maps are the same whatever their class and order, and arrays the same as lists.
        (GIVEN_ON.format(HASHED, "use(a);"), GIVEN_ON.format(SORTED, "use(Arrays.stream(a).boxed().toList());"),
         BehaviourVerdict.NO_DIFFERENCE_FOUND),
        (GIVEN_ON.format(HASHED, ""), GIVEN_ON.format(SORTED.replace("1", "2"), ""), BehaviourVerdict.DIFFERENT),
    ],
)  # fmt: skip
def test_missing_methods_see_what_they_are_given(
    harnesses: Harnesses, left: str, right: str, verdict: BehaviourVerdict
) -> None:
    found = compare_behaviour(Code(left, "java"), Code(right, "java"), harnesses, budget=SearchBudget(runs=150))
    assert found.verdict is verdict
