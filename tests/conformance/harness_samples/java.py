"""Samples of Java for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

SAMPLES = HarnessSamples(
    language="java",
    returns=[
        ReturnSample("whole number", "int f(int a, int b) { return a * b; }", [number(6), number(-7)], number(-42)),
        ReturnSample(
            "large number",
            "BigInteger f(int a) { return BigInteger.valueOf(a).pow(20); }",
            [number(10)],
            number(10**20),
        ),
        ReturnSample("overflow", "int f(int a) { return a + 1; }", [number(2**31 - 1)], number(-(2**31))),
        ReturnSample("float", "double f(int a) { return a / 4.0; }", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("not a number", "double f() { return 0.0 / 0; }", [], {"float": "nan"}),
        ReturnSample("truth value", "boolean f(int a) { return a > 2; }", [number(3)], True),
        ReturnSample("text", 'String f(String a) { return a + "é\\n"; }', ["x"], "xé\n"),
        ReturnSample(
            "builder", 'StringBuilder f(char a) { return new StringBuilder("ab").append(a); }', [{"char": "c"}], "abc"
        ),
        ReturnSample("character", "char f(String a) { return a.charAt(1); }", ["xy"], {"char": "y"}),
        ReturnSample("nothing", "Object f(int a) { return null; }", [number(1)], None),
        ReturnSample("array", "long[] f(long[] a) { return new long[] {a[1], a[0]}; }", [numbers(1, 2)], numbers(2, 1)),
        ReturnSample(
            "list",
            "List<Integer> f(List<Integer> a) { Collections.reverse(a); return a; }",
            [numbers(1, 2, 3)],
            numbers(3, 2, 1),
        ),
        ReturnSample("varargs", "int f(int... a) { return a.length; }", [numbers(1, 2, 3)], number(3)),
        ReturnSample(
            "list of lists",
            "int[][] f(int a) { return new int[][] {{a}, {}}; }",
            [number(1)],
            {"list": [numbers(1), numbers()]},
        ),
        ReturnSample(
            "map", "Map<String, Integer> f(String a) { return Map.of(a, 1); }", ["k"], {"map": [["k", number(1)]]}
        ),
        ReturnSample(
            "set",
            "Set<Integer> f(List<Integer> a) { return new HashSet<>(a); }",
            [numbers(2, 1, 2)],
            {"set": [number(1), number(2)]},
        ),
        ReturnSample(
            "stream",
            "Stream<Integer> f(List<Integer> a) { return a.stream().map(x -> x + 1); }",
            [numbers(2)],
            numbers(3),
        ),
        ReturnSample("without an end", "Optional<Integer> f() { return Optional.of(5); }", [], number(5)),
        ReturnSample("constant", "enum E { A, B } String f(E a) { return a.name(); }", [{"enum": ["E", "B"]}], "B"),
        ReturnSample(
            "object",
            "static class P { int x; P(int x) { this.x = x; } } P f(int a) { return new P(a); }",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
        ReturnSample(
            "inferred class",
            "int f(ListNode head) { int s = 0; while (head != null) { s += head.val; head = head.next; } return s; }",
            [{"object": ["ListNode", [["val", number(4)], ["next", {"object": ["ListNode", [["val", number(5)]]]}]]]}],
            number(9),
        ),
        ReturnSample(
            "type variable",
            "<T extends Comparable<T>> T f(T a, T b) { return a.compareTo(b) > 0 ? a : b; }",
            ["a", "b"],
            "b",
        ),
    ],
    changes="void f(int[] a) { a[0] = 9; }",
    prints='int f(int n) { System.out.println("seen " + n); return n + 1; }',
    raises="int f(int[] a) { return a[0]; }",
    raised="ArrayIndexOutOfBoundsException",
    missing="int f(int n) { return helper_that_is_missing(n); }",
    unparsable="int f(int n { return; }",
    loops="int f(int n) { while (n != 0) { try { while (true) { } } catch (Throwable e) { } } return 7; }",
    exits="int f(int n) { if (n != 0) System.exit(3); return 7; }",
    floods='int f(int n) { while (n != 0) System.out.println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); return 7; }',
    recurses="int f(int n) { return n == 0 ? 7 : f(n) + 1; }",
    allocates="int f(int n) { List<long[]> a = new ArrayList<>(); while (n != 0) a.add(new long[1 << 20]); return 7; }",
    huge="int[] f() { return new int[1000000]; }",
    endless="List<Object> f() { List<Object> a = new ArrayList<>(); a.add(a); return a; }",
    counts="static int c = 0; static int f() { return ++c; }",
    poisons='int f(int n) { System.setProperty("line.separator", "x"); System.setProperty("left", "x"); '
    "Locale.setDefault(Locale.JAPAN); "
    "System.setOut(null); System.setErr(null); System.setIn(null); "
    'TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")); '
    "new Thread(() -> { while (true) { } }).start(); return n; }",
    notices='int f() { boolean well = System.getProperty("left") == null && System.lineSeparator().equals("\\n") '
    '&& Locale.getDefault() != Locale.JAPAN && !TimeZone.getDefault().getID().contains("Tokyo") && System.out != null '
    "&& Thread.activeCount() <= 2; return well ? 0 : 1; }",
    forges="int f(int n) throws Exception { for (int fd = 0; fd < 20; fd++) { "
    'try (java.io.FileOutputStream o = new java.io.FileOutputStream("/proc/self/fd/" + fd)) { '
    'o.write("{\\"returned\\": {\\"int\\": \\"5\\"}}\\n0 {\\"returned\\": null}\\n".getBytes()); } '
    "catch (Exception e) { } } return 1; }",
    branches="int f(int n) { if (n < 0) { return -1; } if (n > 100) { int m = n * 2; return m; } return 0; }",
    chooses="int first() { return 1; } int second() { return 2; }",
    random="int f() { return 1000 + new Random().nextInt(1000000); }",
)
