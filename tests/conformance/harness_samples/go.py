"""Samples of Go for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

SAMPLES = HarnessSamples(
    language="go",
    returns=[
        ReturnSample(
            "whole number", "func f(a int, b int64) int64 { return int64(a) * b }", [number(6), number(-7)], number(-42)
        ),
        ReturnSample("overflow", "func f(a int32) int32 { return a + 1 }", [number(2**31 - 1)], number(-(2**31))),
        ReturnSample("float", "func f(a int) float64 { return float64(a) / 4 }", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("infinite", "func f(a float64) float64 { return -1 / a }", [number(0)], {"float": "-inf"}),
        ReturnSample("truth value", "func f(a int) bool { return a > 2 }", [number(3)], True),
        ReturnSample("text", 'func f(a string) string { return a + "é\\n" }', ["x"], "xé\n"),
        ReturnSample("nothing", "func f(a int) *int { return nil }", [number(1)], None),
        ReturnSample(
            "list of lists",
            "func f(a []int) [][]int { return [][]int{a, {}} }",
            [numbers(1)],
            {"list": [numbers(1), numbers()]},
        ),
        ReturnSample(
            "map", "func f(a string) map[string]int { return map[string]int{a: 1} }", ["k"], {"map": [["k", number(1)]]}
        ),
        ReturnSample(
            "object",
            "type P struct { x int }\nfunc f(a int) *P { return &P{a} }",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
        ReturnSample(
            "several", "func f(a int) (int, bool) { return a, true }", [number(4)], {"tuple": [number(4), True]}
        ),
    ],
    changes="func f(a []int) { a[0] = 9 }",
    prints='func f(n int) int { fmt.Println("seen", n); return n + 1 }',
    raises="func f(a []int) int { return a[0] }",
    raised="runtime error",
    missing="func f(n int) int { return helper_that_is_missing(n) }",
    unparsable="func f(n int { return }",
    loops="func f(n int) int { for n != 0 { }; return 7 }",
    exits="func f(n int) int { if n != 0 { os.Exit(3) }; return 7 }",
    floods='func f(n int) int { for n != 0 { fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") }; return 7 }',
    recurses="func f(n int) int { if n == 0 { return 7 }; return f(n) + 1 }",
    allocates="func f(n int) int { a := [][]int{}; for n != 0 { a = append(a, make([]int, 1 << 20)) }; return 7 }",
    huge="func f() []int { return make([]int, 1000000) }",
    endless="type N struct { next *N }\nfunc f() *N { n := &N{}; n.next = n; return n }",
    counts="var c int\nfunc f() int { c++; return c }",
    poisons='func f(n int) int { os.Symlink("x", "/tmp/left"); os.Mkdir("/box/left", 0700); os.Setenv("left", '
    '"x"); return n }',
    notices='func f() int { _, a := os.Lstat("/tmp/left"); _, b := os.Lstat("/box/left")\n'
    'if a == nil || b == nil || os.Getenv("left") != "" { return 1 }; return 0 }',
    forges='func f(n int) int { for d := uintptr(0); d < 20; d++ { os.NewFile(d, "").WriteString('
    '"{\\"returned\\":{\\"int\\":\\"5\\"}}\\n{\\"returned\\":null}\\n") }; return 1 }',
    branches="func f(n int) int { if n < 0 { return -1 }; if n > 100 { m := n * 2; return m }; return 0 }",
    chooses="func first() int { return 1 }\nfunc second() int { return 2 }",
    random="func f() int { return 1000 + rand.Intn(1000000) }",
)
