"""Hostile functions of C# and C++: they share a process with the driver that reports on them, so they can lie about
their own run, and about no other. (Those of the other languages are with the tests of their harnesses.)"""

# ruff: noqa: E501  (code of other languages)

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from clonetruth.execution.harness import CallInput, Code, Harness
from clonetruth.execution.harness.c.harness import CppHarness
from clonetruth.execution.harness.csharp import CSharpHarness
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.c_attacks import C_ATTACKS
from tests.execution.sandboxed import REFUSALS, needs_sandbox

pytestmark = [needs_sandbox, pytest.mark.slow]

_WRITE = '[System.Runtime.InteropServices.DllImport("libc")] static extern IntPtr write(int d, byte[] b, IntPtr n);\n'
_KILL = '[System.Runtime.InteropServices.DllImport("libc")] static extern int kill(int p, int s);\n'
_NONCE = (
    'var t = System.Reflection.Assembly.GetExecutingAssembly().GetType("ClonetruthDriver.Program");\n'
    'var n = (string) t.GetField("nonce", System.Reflection.BindingFlags.NonPublic | '
    "System.Reflection.BindingFlags.Static).GetValue(null);\n"
)
_FORGED = '" {\\"returned\\": {\\"int\\": \\"666\\"}, \\"output\\": \\"\\"}\\n"'

CSHARP_ATTACKS = {
    "forges answers with the nonce that it reads": _WRITE + "public static int F(int x) {\n" + _NONCE
    + f"var b = System.Text.Encoding.ASCII.GetBytes(n + {_FORGED});\n"
    + "for (int d = 3; d < 20; d++) for (int i = 0; i < 4; i++) write(d, b, (IntPtr) b.Length);\nreturn x; }",
    "floods the channel": _WRITE + "public static int F(int x) { var b = new byte[65536]; "
    "while (true) write(3, b, (IntPtr) b.Length); }",
    "kills everything": _KILL + "public static int F(int x) { for (int p = -1; p < 50; p++) if (p != 0) kill(p, 9); return x; }",
    "stops everything": _KILL + "public static int F(int x) { for (int p = 1; p < 50; p++) kill(p, 19); return x; }",
    "ends the process": "public static int F(int x) { Environment.Exit(0); return x; }",
    "fails fast": 'public static int F(int x) { Environment.FailFast("x"); return x; }',
    "starts a program": "public static int F(int x) { return 1 / (typeof(System.Diagnostics.Process)"
    ".GetMethod(\"Start\", new[] { typeof(string) }).Invoke(null, new object[] { \"/usr/bin/id\" }) == null ? 1 : 0); }",
    "starts threads without end": "public static int F(int x) { while (true) new System.Threading.Thread(() => "
    "{ while (true) { } }).Start(); }",
    "takes all memory": "public static int F(int x) { var a = new List<byte[]>(); while (true) { var b = new byte[1 << 24]; "
    "for (int i = 0; i < b.Length; i += 4096) b[i] = 1; a.Add(b); } }",
    "leaves files for the next one": "public static int F(int x) { foreach (var p in new[] { \"/box/\", \"/tmp/\", "
    "\"/dev/shm/\" }) foreach (var n in new[] { \"main.cs\", \"main.exe\", \"server.exe\", \"left\" }) "
    "try { typeof(System.IO.File).GetMethod(\"WriteAllText\", new[] { typeof(string), typeof(string) })"
    ".Invoke(null, new object[] { p + n, \"evil\" }); } catch { } return x; }",
    "prints before it is called": "static int y = Early(); static int Early() { Console.WriteLine(\"early\"); return 1; }\n"
    "public static int F(int x) { return x + y; }",
    "has the names of the driver": "namespace ClonetruthDriver { class Json { } }\npublic class A { "
    "public static int F(int x) { return x; } }",
    "closes the class": "public static int F(int x) { return x; } }\npublic class Program { static void Main() { while (true) { } }",
    "ends in a finalizer": "class Z { ~Z() { while (true) { } } }\npublic static int F(int x) { new Z(); GC.Collect(); "
    "GC.WaitForPendingFinalizers(); return x; }",
}  # fmt: skip
CPP_ATTACKS = {
    **{
        name: C_ATTACKS[name]
        for name in (
            "writes results of later calls on the channel",
            "closes the channel",
            "overwrites memory of the driver",
            "prints before main",
            "kills everything",
        )
    },
    "throws what cannot be thrown again": "struct E { E() {} E(const E&) { throw 1; } ~E() noexcept(false) { throw 2; } };\n"
    "int f(int x) { E e; throw e; }",
    "replaces new": "#include <cstdlib>\n#include <new>\nvoid *operator new(std::size_t n) { static int c; "
    "return c++ > 3 ? (void *)8 : malloc(n); }\nint f(int x) { return x; }",
    "prints in a destructor": "#include <cstdio>\nstruct L { ~L() { puts(\"late\"); for (;;) ; } } l;\n"
    "int f(int x) { return x; }",
    "defines the driver's names": "namespace ct { int put; }\n#define std nothing\nint f(int x) { return x; }",
}  # fmt: skip


def returned(harness: Harness, code: Code) -> list[object]:
    run = harness.run(code, [CallInput(({"int": "1"},)), CallInput(({"int": "2"},))])
    assert run.undecided is None, (run.undecided, run.detail)
    return [(one.returned, one.output) for one in run.observations]


def check(harness: Harness, attack: str, honest: Code) -> None:
    """The attack says at most as much as it was asked, and what runs next is not affected."""
    found = harness.run(Code(attack, honest.language), [CallInput(({"int": "1"},)), CallInput(({"int": "2"},))])
    assert found.undecided not in REFUSALS, found.detail
    assert len(found.observations) <= 2
    assert "root:" not in str(found)
    assert returned(harness, honest) == [({"int": "2"}, ""), ({"int": "3"}, "")]


@pytest.mark.skipif(shutil.which("mcs") is None or shutil.which("mono") is None, reason="mono is not installed")
class TestCSharp:
    @pytest.fixture(scope="class")
    def csharp(self) -> Iterator[CSharpHarness]:
        with CSharpHarness(Bubblewrap()) as one:
            yield one

    @pytest.mark.parametrize("name", CSHARP_ATTACKS)
    def test_a_function_lies_at_most_about_itself(self, csharp: CSharpHarness, name: str) -> None:
        honest = Code("public static int G(int x) { return x + 1; }", "csharp")
        check(csharp, CSHARP_ATTACKS[name], honest)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
class TestCpp:
    @pytest.fixture(scope="class")
    def cpp(self) -> Iterator[CppHarness]:
        with CppHarness(Bubblewrap(), seconds=2.0) as one:
            yield one

    @pytest.mark.parametrize("name", CPP_ATTACKS)
    def test_a_function_lies_at_most_about_itself(self, cpp: CppHarness, name: str) -> None:
        check(cpp, CPP_ATTACKS[name], Code("int g(int x) { return x + 1; }", "cpp"))
