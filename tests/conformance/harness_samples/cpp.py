"""Samples of C++ for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers
from tests.conformance.harness_samples.c import FORGES, INCLUDES, POISONS

SAMPLES = HarnessSamples(
    language="cpp",
    returns=[
        ReturnSample(
            "whole number", "long long f(int a, long b) { return a * b; }", [number(6), number(-7)], number(-42)
        ),
        ReturnSample("float", "double f(int a) { return a / 4.0; }", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("truth value", "bool f(int a) { return a > 2; }", [number(3)], True),
        ReturnSample("text", 'string f(string a) { return a + "é\\n"; }', ["x"], "xé\n"),
        ReturnSample("character", "char f(const string &a) { return a[1]; }", ["xy"], {"char": "y"}),
        ReturnSample("nothing", "optional<int> f(int a) { return nullopt; }", [number(1)], None),
        ReturnSample(
            "list of lists",
            "vector<vector<bool>> f(vector<int> a) { return {{a[0] > 0}, {}}; }",
            [numbers(1)],
            {"list": [{"list": [True]}, {"list": []}]},
        ),
        ReturnSample(
            "map and set",
            "map<string, set<int>> f(vector<string> a) { map<string, set<int>> m; m[a[0]].insert(1); return m; }",
            [{"list": ["k"]}],
            {"map": [["k", {"set": [number(1)]}]]},
        ),
        ReturnSample(
            "type variable",
            "template <class T> T f(T a, T b) { return a > b ? a : b; }",
            [number(1), number(2)],
            number(2),
        ),
    ],
    changes="void f(vector<int> &a) { a[0] = 9; }",
    prints='int f(int n) { cout << "seen " << n << endl; return n + 1; }',
    raises="int f(vector<int> a) { return a.at(0); }",
    raised="out_of_range",
    missing="int f(int n) { return helper_that_is_missing(n); }",
    unparsable="int f(int n { return; }",
    loops="int f(int n) { volatile int i = 0; while (n != 0) i = i + 1; return 7; }",
    exits="int f(int n) { if (n != 0) exit(3); return 7; }",
    floods='int f(int n) { while (n != 0) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); return 7; }',
    recurses="int f(int n) { return n == 0 ? 7 : f(n) + 1; }",
    allocates="int f(int n) { vector<vector<int>> a; while (n != 0) a.push_back(vector<int>(1 << 20, 1)); return 7; }",
    huge="vector<int> f() { return vector<int>(1000000); }",
    endless=None,
    counts="static int c = 0;\nint f() { return ++c; }",
    poisons=INCLUDES + POISONS,
    notices=INCLUDES
    + 'int f() { return getenv("left") != 0 || syscall(SYS_faccessat, AT_FDCWD, "/box/left", 0) == 0; }',
    forges=INCLUDES + FORGES,
    branches="int f(int n) { if (n < 0) { return -1; } if (n > 100) { int m = n * 2; return m; } return 0; }",
    chooses="int first() { return 1; }\nint second() { return 2; }",
    random="int f() { return 1000 + rand() % 1000000; }",
)
