"""Fragments of Java in the sandbox: what is repaired, what is assumed, and what hostile ones cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from clonetruth.execution import BehaviourVerdict, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness import CallInput, Code, EntryKind, FragmentRun, Reason
from clonetruth.execution.harness.java import harness as java_harness
from clonetruth.execution.harness.java.harness import JavaHarness
from clonetruth.execution.harness.java.missing import result_type
from clonetruth.execution.harness.java.source import candidates
from clonetruth.execution.harness.java.text import balanced, joined, needs_more
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.toolchains import TOOLCHAINS
from clonetruth.execution.values import Value, equal_values
from tests.execution.sandboxed import needs_sandbox

MISSING = TOOLCHAINS["java"][0].missing(Bubblewrap())
needs_java = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}")


def number(value: int) -> Value:
    return {"int": str(value)}


@pytest.fixture(scope="module")
def harness() -> Iterator[JavaHarness]:
    with JavaHarness(Bubblewrap()) as one:
        yield one


def run(
    harness: JavaHarness, text: str, *calls: Sequence[Value], entry: str | None = None, seed: int = 0
) -> FragmentRun:
    return harness.run(Code(text, "java", entry), [CallInput(tuple(one)) for one in calls], seed=seed)


@needs_sandbox
@needs_java
def test_texts_and_numbers_arrive_as_they_are(harness: JavaHarness) -> None:
    texts = ["", "plain", 'a "quoted" one', "back\\slash", '\\"', "line\nend\t", "é ü 😀", "x" * 3_000, "\\" * 50]
    found = run(harness, "String f(String s) { return s; }", *([one] for one in texts))
    assert [one.returned for one in found.observations] == texts
    limits = [-(1 << 63), (1 << 63) - 1, 10**17, -(10**18), 0]
    found = run(harness, "long f(long n) { return n; }", *([number(one)] for one in limits))
    assert [one.returned for one in found.observations] == list(map(number, limits))


@needs_sandbox
@needs_java
def test_what_is_counted_begins_anew_with_each_call_also_where_classes_do(harness: JavaHarness) -> None:
    """The counters are loaded once; the classes of a fragment with state for each call."""
    text = "static int n = 0; static int f(int k) { n += k; while (k > 90) { n ^= k; } return n; }"
    found = run(harness, text, [number(3)], [number(99)], [number(4)], [number(5)])
    assert [(one.returned, one.ended) for one in found.observations] == [
        (number(3), None),
        (None, "timed out"),
        (number(4), None),
        (number(5), None),
    ]


@needs_sandbox
@needs_java
class TestRepairs:
    @pytest.mark.parametrize(
        ("text", "arguments", "expected"),
        [
            ("int f(int n) { if (n > = 3 & & n ! = 4) return n; n + +; return n; }", [number(2)], number(3)),
            (
                "public class A { private int k; public A(int k) { this.k = k; } int f(int n) { return n + k; } }",
                [number(1)],
                number(5),
            ),
            (
                "import java.util.List; class A { static int f(List<Integer> a) { return a.size(); } }",
                [{"list": []}],
                number(0),
            ),
            ("bool f(int n) { return sqrt(n) == 3; }", [number(9)], True),
            ("@Override public int f(int n) { return n; }", [number(1)], number(1)),
            ("int f(int[] a) { swap(a, 0, 1); return a[0]; }", [{"list": [number(1), number(2)]}], number(2)),
            ("int f(int n) { return n; ", [number(1)], number(1)),
            (
                "class Node { int v; } static int f(int n) { Node one = new Node(); one.v = n; return one.v; }",
                [number(4)],
                number(4),
            ),
            ("T f(T a) { return a; }", [number(4)], number(4)),
            (
                "int f(Comparator<Integer> c, int a, int b) { return c.compare(a, b); }",
                [True, number(1), number(2)],
                number(-1),
            ),
            (
                "int depth(TreeNode root) { return root == null ? 0 : 1 + max(depth(root.left), depth(root.right)); }",
                [{"object": ["TreeNode", [["left", None], ["right", None]]]}],
                number(1),
            ),
            (
                "int f(Person p) { return p.getAge() + p.getName().length(); }",
                [{"object": ["Person", [["age", number(3)], ["name", "ab"]]]}],
                number(5),
            ),
        ],
    )
    def test_fragments_are_made_to_run(
        self, harness: JavaHarness, text: str, arguments: Sequence[Value], expected: Value
    ) -> None:
        found = run(harness, text, arguments)
        assert found.undecided is None, (found.undecided, found.detail)
        assert equal_values(found.observations[0].returned, expected), found

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("int f(", Reason.PARSE),
            ("int x = 1;", Reason.FUNCTION),
            ('int f() { return new File("a").hashCode(); }', Reason.FILE),
            ("long f() { return System.currentTimeMillis(); }", Reason.CLOCK),
            ("import org.apache.A; int f(A a) { return a.b().c; }", Reason.TYPE),
            ("int f(Thread t) { return 1; }", Reason.TYPE),
            ("int f() { return new Scanner(System.in).nextInt(); }", Reason.INPUT),
            ('int f() { return "a"; }', Reason.COMPILE),
        ],
    )
    def test_what_cannot_run_has_a_reason(self, harness: JavaHarness, text: str, reason: Reason) -> None:
        found = run(harness, text, [])
        assert found.undecided in (reason, Reason.SYMBOL, Reason.PACKAGE), (found.undecided, found.detail)
        assert found.undecided is reason or reason is Reason.TYPE

    def test_a_main_method_that_reads_input_is_a_program(self, harness: JavaHarness) -> None:
        text = "public static void main(String[] a) { System.out.println(new Scanner(System.in).nextInt() + 1); }"
        found = harness.run(Code(text, "java"), [CallInput(stdin="4"), CallInput(stdin="x")])
        assert found.kind is EntryKind.PROGRAM
        assert found.observations[0].output == "5\n"
        assert found.observations[1].raised == "InputMismatchException"

    def test_a_main_method_that_only_shows_others_is_not_called(self, harness: JavaHarness) -> None:
        text = "class A { static int f(int n) { return n; } public static void main(String[] a) { f(1); } }"
        assert run(harness, text).entry == "f"

    def test_objects_with_other_fields_are_of_another_type(self, harness: JavaHarness) -> None:
        text = "static class P { int x; } int f(P p) { return p.x; }"
        found = run(harness, text, [{"object": ["Q", [["y", number(1)]]]}], [{"object": ["Q", [["x", number(1)]]]}])
        assert [one.raised for one in found.observations] == ["ClassCastException", None]

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("String", {"float": (2.5).hex()}),
            ("StringBuilder", number(3)),
            ("double", {"object": ["Node", [["x", number(1)]]]}),
            ("int", number(2**31)),
            ("Byte", number(-129)),
            ("Date", "abc"),
            ("Scanner", number(1)),
        ],
    )
    def test_a_value_that_does_not_fit_is_of_another_type(self, harness: JavaHarness, kind: str, value: Value) -> None:
        """Whatever else happened then would look like what the fragment does."""
        found = run(harness, f"int f({kind} one) {{ return 2; }}", [value])
        assert [one.raised for one in found.observations] == ["ClassCastException"], (found.undecided, found.detail)


@needs_sandbox
@needs_java
class TestMissing:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            pytest.param(
                "int f(int[] a) { if (a == null) return 0; return a.length; }",
                "int f(int[] a) { if (null == a) return -1; return a.length; }",
                id="null, where both ask for it",
            ),
            pytest.param(
                "Point f(double x, double y) { if (x > y) return new Point(0, x, y); return new Point(x, 0, y); }",
                "Point f(double x, double y) { if (x > y) return new Point(0, x, -y); return new Point(x, 0, y); }",
                id="the last of several arguments of a missing class",
            ),
            pytest.param(
                "int f(int n) { if (n > 2) return FOUND; return MISSING; }",
                "int f(int n) { if (n > 2) return MISSING; return FOUND; }",
                id="constants of the file around",
            ),
        ],
    )
    def test_differences_that_need_a_certain_input_are_found(self, left: str, right: str) -> None:
        with Harnesses(Bubblewrap()) as harnesses:
            found = compare_behaviour(Code(left, "java"), Code(right, "java"), harnesses, budget=SearchBudget(runs=60))
        assert found.verdict is BehaviourVerdict.DIFFERENT, (found.reason, found.detail)

    def test_constants_and_characters_are_the_same_arguments_whatever_each_side_takes_them_for(self) -> None:
        left = Code(
            "int f(String s) { int a = 0; for (char c : s.toCharArray()) a += rate(Kind.some, c); return a; }", "java"
        )
        right = Code(
            "int f(String s) { int a = 0 * Kind.some.length(); for (int i = 0; i < s.length(); i++) "
            "a += rate(Kind.some, (int) s.charAt(i)); return a; }",
            "java",
        )
        with Harnesses(Bubblewrap()) as harnesses:
            found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40))
        assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, (found.reason, found.detail, found.witness)

    def test_the_same_missing_method_does_the_same_on_both_sides(self) -> None:
        left = Code("int f(int n) { int a = rate(n); return a + a; }", "java")
        right = Code("int f(int n) { return 2 * rate(n); }", "java")
        other = Code("int f(int n) { return 3 * rate(n); }", "java")
        renamed = Code("int f(int n) { return 2 * speed(n); }", "java")
        with Harnesses(Bubblewrap()) as harnesses:
            budget = SearchBudget(runs=60)
            verdicts = [
                compare_behaviour(left, one, harnesses, budget=budget).verdict for one in (right, other, renamed)
            ]
        assert verdicts == [
            BehaviourVerdict.NO_DIFFERENCE_FOUND,
            BehaviourVerdict.DIFFERENT,
            BehaviourVerdict.UNDECIDED,
        ]

    def test_a_missing_variable_is_an_input_and_its_change_is_seen(self, harness: JavaHarness) -> None:
        found = run(harness, "void f(int n) { count += n; }", [number(2), number(5)])
        assert [one.implicit for one in found.parameters] == [False, True]
        assert found.observations[0].changed == (number(2), number(7))

    def test_what_was_made_for_a_fragment_is_not_called(self, harness: JavaHarness) -> None:
        main = run(harness, "public static void main(String[] a) { System.out.println(rate(3)); }")
        assert (main.entry, [one.implicit for one in main.parameters]) == ("main", [True])
        owned = run(harness, "double f() { return amount + other.getSum(); }")
        assert owned.entry == "f"
        node = run(harness, "void f(Node next) { head = next; }")
        assert [str(one.types[0]).partition("{")[0] for one in node.parameters] == ["Node", "Node"]

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ("int f(int n) { double a = g(n); return 1; }", "double"),
            ("int f(int n) { if (g(n)) return 1; return 0; }", "boolean"),
            ("int f(int n) { g(n); return 0; }", "void"),
            ("String f(int n) { return g(n); }", "String"),
            ("int f(int n) { for (String s : g(n)) n++; return n; }", "List<String>"),
            ("int f(int n) { return g(n) * 2; }", "int"),
        ],
    )
    def test_what_a_missing_method_returns(self, body: str, expected: str) -> None:
        assert result_type("g", body) == expected


_DOUBLES = "System.out.println(new Scanner(System.in).nextInt() * 2);"
THREADS = {
    "goes on behind main": (
        "public static void main(String[] a) { new Thread(new Main()).start(); } "
        "public void run() { try { Thread.sleep(20); } catch (InterruptedException e) { } " + _DOUBLES + " }",
        ("42\n", None, None),
    ),
    "starts another one": (
        'public static void main(String[] a) { new Thread(null, new Main(), "", 1 << 26).start(); } '
        "public void run() { new Thread(() -> { " + _DOUBLES + " }).start(); }",
        ("42\n", None, None),
    ),
    "fails": (
        "public static void main(String[] a) { new Thread(new Main()).start(); } "
        "public void run() { " + _DOUBLES + " throw new IllegalStateException(); }",
        ("42\n", "IllegalStateException", None),
    ),
    "fails while main waits for it": (
        "public static void main(String[] a) throws Exception { "
        "Thread t = new Thread(new Main()); t.start(); t.join(); "
        + _DOUBLES
        + " } public void run() { throw new IllegalStateException(); }",
        ("42\n", "IllegalStateException", None),
    ),
    "ends the program": (
        "public static void main(String[] a) { new Thread(new Main()).start(); } "
        "public void run() { " + _DOUBLES + " System.exit(0); }",
        ("42\n", None, None),
    ),
    "does not end": (
        "public static void main(String[] a) { new Thread(new Main()).start(); } "
        "public void run() { " + _DOUBLES + " for (long n = 0; ; n++) { } }",
        ("42\n", None, "timed out"),
    ),
    "waits for ever": (
        "public static void main(String[] a) { new Thread(new Main()).start(); } "
        "public synchronized void run() { try { wait(); } catch (InterruptedException e) { } " + _DOUBLES + " }",
        ("", None, "timed out"),
    ),
    "serves others": (
        "public static void main(String[] a) { Thread t = new Thread(new Main()); t.setDaemon(true); t.start(); "
        + _DOUBLES
        + " } public synchronized void run() { try { wait(); } catch (InterruptedException e) { } }",
        ("42\n", None, None),
    ),
}


@needs_sandbox
@needs_java
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow if one == "waits for ever" else ()) for one in sorted(THREADS)]
)
def test_a_program_ends_with_its_last_thread(harness: JavaHarness, name: str) -> None:
    members, expected = THREADS[name]
    text = "import java.util.Scanner; public class Main implements Runnable { " + members
    text += " }"
    found = harness.run(Code(text, "java"), [CallInput(stdin="21\n"), CallInput(stdin="21\n")])
    assert (found.undecided, found.entry) == (None, "main")
    # The second call shows that nothing of the first one reads or prints any more.
    assert [(one.output, one.raised, one.ended) for one in found.observations[:1]] == [expected]
    second = found.observations[1]
    assert (second.raised, second.ended is None) == (expected[1], expected[2] is None)
    assert second.output == expected[0]


@pytest.mark.parametrize(
    ("imported", "reads", "reason"),
    [
        ("java.awt.geom.Point2D", "System.in", None),
        ("java.awt.*", "System.in", None),
        ("java.awt.event.*", "System.in", None),
        ("java.awt.Point", "null", Reason.SCREEN),
        ("java.awt.Robot", "System.in", Reason.SCREEN),
        ("javax.swing.*", "System.in", Reason.SCREEN),
    ],
)
def test_shapes_need_no_screen_in_programs_that_read(imported: str, reads: str, reason: Reason | None) -> None:
    text = f"import {imported}; class A {{ public static void main(String[] a) {{ Object in = {reads}; }} }}"
    needed = needs_more(text)
    assert (needed and needed[0]) == reason


_ATTACKS = {
    "reads the server by reflection": (
        'try { Class.forName("server.RunServer"); return 1; } catch (Throwable e) { return 0; }'
    ),
    "reads the server by class loaders": (
        'try { ClassLoader.getSystemClassLoader().loadClass("server.RunServer").getDeclaredField("channel")'
        ".setAccessible(true); } catch (Throwable e) { } return 0;"
    ),
    "changes caches of the JDK": (
        'try { java.lang.reflect.Field f = Class.forName("java.lang.Integer$IntegerCache").getDeclaredField("cache");'
        " f.setAccessible(true); ((Integer[]) f.get(null))[132] = 99; return 1; } catch (Throwable e) { return 0; }"
    ),
    "writes memory by Unsafe": (
        'try { java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");'
        " f.setAccessible(true); Object u = f.get(null); Object[] c = {4}; "
        'java.lang.reflect.Field v = Integer.class.getDeclaredField("value"); '
        'long o = (Long) u.getClass().getMethod("objectFieldOffset", java.lang.reflect.Field.class).invoke(u, v); '
        'u.getClass().getMethod("putInt", Object.class, long.class, int.class).invoke(u, Integer.valueOf(4), o, 99); '
        "} catch (Throwable e) { } return 0;"
    ),
    "prints forged lines for ever from a thread": (
        "Thread t = new Thread(() -> { java.io.PrintStream o = new java.io.PrintStream(new java.io.FileOutputStream("
        'java.io.FileDescriptor.out)); while (true) o.println("0 {\\"returned\\": {\\"int\\": \\"99\\"}}"); }); '
        "t.start(); return 0;"
    ),
    "ends the server": "Runtime.getRuntime().halt(0); return 0;",
    "closes all descriptors": (
        "for (java.io.FileDescriptor d : "
        "new java.io.FileDescriptor[] {java.io.FileDescriptor.in, java.io.FileDescriptor.out})"
        " { try { new java.io.FileOutputStream(d).close(); } catch (Exception e) { } } return 0;"
    ),
    "leaves a finalizer": (
        "new Object() { protected void finalize() { System.setOut(null); while (true) { } } }; System.gc(); return 0;"
    ),
    "replaces the classes of the server": (
        'try (java.io.OutputStream o = new java.io.FileOutputStream("/box/server.jar")) { o.write(1); } '
        "catch (Exception e) { } return 0;"
    ),
    "starts a program": (
        'try { Runtime.getRuntime().getClass().getMethod("ex" + "ec", String.class).invoke(Runtime.getRuntime(), '
        '"/usr/bin/id"); return 1; } catch (Throwable e) { return 0; }'
    ),
    "changes the locale and properties": (
        'Locale.setDefault(Locale.JAPAN); System.getProperties().clear(); System.setProperty("file.encoding", "x"); '
        "return 0;"
    ),
    "takes all threads": "while (true) { Thread t = new Thread(() -> { while (true) { } }); t.start(); }",
    "holds a lock of the JDK": (
        "new Thread(() -> { synchronized (System.class) { synchronized (Thread.class) { "
        "while (true) { } } } }).start(); return 0;"
    ),
    "uses a pool in the background": (
        "List.of(1, 2, 3).parallelStream().forEach(x -> { new Thread(() -> { while (true) { } }).start(); }); return 0;"
    ),
    "looks into the other processes": (
        'int n = 0; for (String p : new java.io.File("/proc").list()) if (p.matches("\\\\d+")) n++; '
        "return n > 1 ? 1 : 0;"
    ),
}
_PROBE = (
    'List<Object> f(int n) { return List.of(n, Integer.valueOf(4), Locale.getDefault().toString(), "" + (1 + n), '
    'String.format("%.1f", 1.5)); }'
)


@needs_sandbox
@needs_java
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(_ATTACKS))
def test_no_fragment_affects_the_next(harness: JavaHarness, name: str) -> None:
    """What a fragment does changes at most what is said of itself; 1 says that it got further than it should."""
    before = run(harness, _PROBE, [number(3)]).observations[0]
    assert before.is_normal
    attack = "int f() { " + _ATTACKS[name].replace("new java.io.File(", "new java.io./**/File(") + " }"
    found = run(harness, attack, [], [])
    assert found.undecided in (None, Reason.FILE), (found.undecided, found.detail)
    assert all(one.returned in (number(0), None) for one in found.observations), found.observations
    assert run(harness, _PROBE, [number(3)]).observations[0] == before
    assert run(harness, _PROBE, [number(3)], seed=5).observations[0].returned == before.returned


@needs_sandbox
@needs_java
def test_what_can_be_gone_through_is_what_it_gives(harness: JavaHarness) -> None:
    """Also where its class has what it took from around it; one with fields of its own is an object."""
    around = "return new Iterable<Integer>() { %s public Iterator<Integer> iterator() {"
    around += " return List.of(n, n + 1).iterator(); } };"
    for fields, tag in (("", "iterator"), ("int kept = n;", "object")):
        (one,) = run(harness, f"Iterable<Integer> f(int n) {{ {around % fields} }}", [number(3)]).observations
        assert isinstance(one.returned, dict)
        assert list(one.returned) == [tag]


@needs_sandbox
@needs_java
def test_harmless_fragments_share_a_process_and_others_do_not(harness: JavaHarness) -> None:
    run(harness, "int f(int n) { return n + 11; }", [number(1)])
    shared = harness._shared
    run(harness, "int f(String s) { return s.length() * 13; }", ["a"])
    assert shared is not None
    assert harness._shared is shared
    run(harness, 'int f(int n) { System.setProperty("a", "b"); return n; }', [number(1)])
    run(harness, "class A { protected void finalize() { } } int f(int n) { return n; }", [number(1)], entry="f")
    assert harness._shared is shared
    assert len(harness._own) == 2
    assert shared not in harness._own.values()


def test_what_is_repaired_in_texts() -> None:
    assert joined("a > = b & & c - > d") == "a >= b && c -> d"
    assert balanced("int f() { if (a) { b(); }") == "int f() { if (a) { b(); }\n}"
    assert balanced("int f() { } }").rstrip() == "int f() { }"
    first = next(candidates("import a.B;\nclass A { }"))
    assert (first.is_file, first.imports) == (True, ("a.B",))
    assert not next(candidates("class A { } int f() { return 1; }")).is_file
    assert needs_more('String s = "new File(";') is None


@needs_sandbox
@needs_java
def test_later_calls_that_do_not_end_get_fewer_steps(harness: JavaHarness) -> None:
    text = "static int f(int n) { int k = 0; while (k < n || n < 0) k++; return k; }"
    calls = [[number(one)] for one in (-1, -1, -1, 5, 4_000_000)]
    ended = [one.ended for one in run(harness, text, *calls).observations]
    assert ended == ["timed out", "too slow", "too slow", None, "too slow"]
    assert [one.ended for one in run(harness, text, calls[4], seed=1).observations] == [None]


@needs_sandbox
@needs_java
def test_an_input_that_the_other_side_does_not_end_with_costs_less_but_not_in_a_replay(harness: JavaHarness) -> None:
    left = "static int f(int n) { int at = 0; while (at < n || n < 0) at++; return at; }"
    right = "static int f(int n) { int k = 0; while (k != n) { if (n == -3) return 1; if (n > 0) k++; } return k; }"
    for text in (left, right):
        run(harness, text)
    calls = [[number(one)] for one in (-1, -2, -3, 5)]
    assert [one.ended for one in run(harness, left, *calls).observations] == ["timed out", *["too slow"] * 2, None]
    # The third, which would end, is not tried: there is nothing to compare it with.
    assert [one.ended for one in run(harness, right, *calls).observations] == [*["too slow"] * 3, None]
    assert [one.ended for one in run(harness, right, calls[0], seed=1).observations] == ["timed out"]


@needs_sandbox
@needs_java
def test_what_a_program_printed_before_it_ended_itself_is_kept(harness: JavaHarness) -> None:
    text = """public class Main { public static void main(String[] a) {
        int n = new java.util.Scanner(System.in).nextInt();
        try { System.out.print("n" + n); if (n < 2) System.exit(n); if (n < 4) Runtime.getRuntime().halt(n - 2); }
        catch (Throwable error) { System.out.print("caught"); } finally { System.out.print("!"); }
        throw new IllegalStateException(); } }"""
    found = harness.run(Code(text, "java"), [CallInput(stdin=f"{one}\n") for one in range(5)]).observations
    ended = [(one.output, one.raised, one.is_normal) for one in found]
    assert ended[:2] == [("n0", None, True), ("n1", "exit 1", False)]
    assert ended[2:4] == [("n2", None, True), ("n3", "exit 1", False)]
    assert ended[4] == ("n4!", "IllegalStateException", False)


@needs_sandbox
@needs_java
@pytest.mark.slow
def test_a_call_that_only_waits_does_not_hold_what_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    # The time of a new process is not that of its first call: the test would take it otherwise.
    monkeypatch.setattr(java_harness, "_START", 600.0)
    waits = "public synchronized int f(int n) throws Exception { if (n > 0) wait(); return n; }"
    calls = [CallInput(({"int": number},)) for number in ("1", "0")]
    with JavaHarness(Bubblewrap()) as waiting:
        assert waiting.run(Code(waits, "java"), calls[:1]).observations[0].ended == "timed out"
        assert waiting.run(Code(waits, "java"), calls[1:], seed=1).observations[0].returned == {"int": "0"}
