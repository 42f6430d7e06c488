"""Samples of C# for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

_NODE = {"object": ["ListNode", [["val", number(4)], ["next", {"object": ["ListNode", [["val", number(5)]]]}]]]}

SAMPLES = HarnessSamples(
    language="csharp",
    returns=[
        ReturnSample("whole number", "int F(int a, int b) { return a * b; }", [number(6), number(-7)], number(-42)),
        ReturnSample("overflow", "int F(int a) { return a + 1; }", [number(2**31 - 1)], number(-(2**31))),
        ReturnSample("float", "double F(int a) { return a / 4.0; }", [number(3)], {"float": (0.75).hex()}),
        ReturnSample(
            "floats go in", "double F(double a) { return -a; }", [{"float": (0.1).hex()}], {"float": (-0.1).hex()}
        ),
        ReturnSample("not a number", "double F() { return double.NaN; }", [], {"float": "nan"}),
        ReturnSample("truth value", "bool F(int a) { return a > 2; }", [number(3)], True),
        ReturnSample("text", 'string F(string a) { return a + "é\\n"; }', ["x"], "xé\n"),
        ReturnSample("character", "char F(string a) { return a[1]; }", ["xy"], {"char": "y"}),
        ReturnSample("nothing", "object F(int a) { return null; }", [number(1)], None),
        ReturnSample("array", "long[] F(long[] a) { return new long[] {a[1], a[0]}; }", [numbers(1, 2)], numbers(2, 1)),
        ReturnSample("list", "List<int> F(List<int> a) { a.Reverse(); return a; }", [numbers(1, 2)], numbers(2, 1)),
        ReturnSample("query", "IEnumerable<int> F(int[] a) { return a.Select(x => x + 1); }", [numbers(1)], numbers(2)),
        ReturnSample(
            "map",
            "Dictionary<string, int> F(string a) { return new Dictionary<string, int> {{a, 1}}; }",
            ["k"],
            {"map": [["k", number(1)]]},
        ),
        ReturnSample(
            "set",
            "HashSet<int> F(int[] a) { return new HashSet<int>(a); }",
            [numbers(2, 1, 2)],
            {"set": [number(1), number(2)]},
        ),
        ReturnSample(
            "object",
            "class P { public int x; } P F(int a) { return new P {x = a}; }",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
        ReturnSample(
            "inferred class",
            "int F(ListNode h) { int s = 0; while (h != null) { s += h.val; h = h.next; } return s; }",
            [_NODE],
            number(9),
        ),
    ],
    changes="void F(int[] a) { a[0] = 9; }",
    prints='int F(int n) { Console.WriteLine("seen " + n); return n + 1; }',
    raises="int F(int[] a) { return a[0]; }",
    raised="IndexOutOfRangeException",
    missing="int F(int n) { return helper_that_is_missing(n); }",
    unparsable="int F(int n { return; }",
    loops="int F(int n) { while (n != 0) { try { while (true) { } } catch (Exception) { } } return 7; }",
    exits="int F(int n) { if (n != 0) Environment.Exit(3); return 7; }",
    floods='int F(int n) { while (n != 0) Console.WriteLine("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); return 7; }',
    recurses="int F(int n) { return n == 0 ? 7 : F(n) + 1; }",
    allocates="int F(int n) { var a = new List<long[]>(); while (n != 0) a.Add(new long[1 << 20]); return 7; }",
    huge="int[] F() { return new int[1000000]; }",
    endless="List<object> F() { var a = new List<object>(); a.Add(a); return a; }",
    counts="static int c = 0; static int F() { return ++c; }",
    poisons='int F(int n) { Environment.SetEnvironmentVariable("LEFT", "x"); Console.SetOut(null); '
    'CultureInfo.DefaultThreadCurrentCulture = new CultureInfo("de-DE"); '
    "new Thread(() => { while (true) { } }).Start(); return n; }",
    notices='int F() { return Environment.GetEnvironmentVariable("LEFT") == null && 1.5.ToString() == "1.5" ? 0 : 1; }',
    forges='[System.Runtime.InteropServices.DllImport("libc")] static extern IntPtr write(int d, byte[] b, IntPtr n); '
    'int F(int n) { var b = Encoding.ASCII.GetBytes("0 {\\"returned\\": null}\\n{\\"returned\\": null}\\n"); '
    "for (int d = 0; d < 20; d++) write(d, b, (IntPtr) b.Length); return 1; }",
    branches="int F(int n) { if (n < 0) { return -1; } if (n > 100) { int m = n * 2; return m; } return 0; }",
    chooses="int first() { return 1; } int second() { return 2; }",
)
