"""Whole programs in the sandbox: each language, what is observed, and what hostile programs cannot do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.errors import MissingExtraError
from clonetruth.execution.harness import CallInput, Code, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.inside.python_program import converted_program
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES, ProgramLanguage
from clonetruth.execution.harness.programs import ProgramRunner, ProgramSource, run_program, why_not_compiled
from clonetruth.execution.sandbox import Bubblewrap, Ending

BOX = Bubblewrap()
lacking = [one for one in BOX.layers() if one.needed and one.missing]
needs_sandbox = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")


def needs(language: str) -> pytest.MarkDecorator:
    absent = PROGRAM_LANGUAGES[language].missing(BOX)
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")


DOUBLES = {
    "python": "n = int(input())\nprint(n * 2)\nif n == 3:\n    raise ValueError('x')",
    "java": "import java.util.*;\npublic class Foo { public static void main(String[] a) {\n"
    "int n = new Scanner(System.in).nextInt(); System.out.println(n * 2);\n"
    "if (n == 3) throw new IllegalStateException(); } }",
    "c": "#include <stdio.h>\n#include <stdlib.h>\n"
    'int main() { int n; scanf("%d", &n); printf("%d\\n", n * 2); if (n == 3) exit(4); return 0; }',
    "cpp": "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * 2 << std::endl; return n == 3; }",
    "javascript": "const n = parseInt(require('fs').readFileSync(0, 'utf8')); console.log(n * 2);\n"
    "if (n == 3) throw new RangeError('x');",
    "csharp": "using System;\nclass P { static void Main() { int n = int.Parse(Console.ReadLine());\n"
    "Console.WriteLine(n * 2); if (n == 3) throw new InvalidOperationException(); } }",
    "go": 'package main\nimport "fmt"\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(n * 2)\n'
    'if n == 3 { panic("x") } }',
    "php": '<?php $n = intval(fgets(STDIN)); echo $n * 2, "\\n"; if ($n == 3) throw new DomainException("x");',
    "ruby": 'n = gets.to_i\nputs n * 2\nraise ArgumentError, "x" if n == 3',
}
"""Programs that print the double of a number, and fail for 3."""

FAILURES = {
    "python": "ValueError",
    "java": "IllegalStateException",
    "c": "exit 4",
    "cpp": "exit 1",
    "javascript": "RangeError",
    "csharp": "InvalidOperationException",
    "go": "panic",
    "php": "DomainException",
    "ruby": "ArgumentError",
}


@pytest.fixture(scope="module")
def runner() -> Iterator[ProgramRunner]:
    with ProgramRunner(BOX) as one:
        yield one


def run(runner: ProgramRunner, language: str, text: str, *stdins: str, seconds: float = 10.0) -> FragmentRun:
    calls = [CallInput(stdin=one) for one in stdins]
    return run_program(runner, Code(text, language), calls, seconds_per_run=seconds)


def only(run: FragmentRun) -> Observation:
    assert run.undecided is None, (run.undecided, run.detail)
    (observation,) = run.observations
    return observation


def test_every_language_has_an_example() -> None:
    assert set(DOUBLES) == set(FAILURES) == set(PROGRAM_LANGUAGES)


@needs_sandbox
@pytest.mark.parametrize("language", [pytest.param(one, marks=needs(one)) for one in PROGRAM_LANGUAGES])
def test_a_program_runs_once_for_each_input(runner: ProgramRunner, language: str) -> None:
    found = run(runner, language, DOUBLES[language], "21\n", "3\n")
    assert (found.undecided, found.kind) == (None, EntryKind.PROGRAM), found.detail
    one, other = found.observations
    assert (one.output, one.raised, one.ended) == ("42\n", None, None)
    assert (other.output, other.raised, other.ended) == ("6\n", FAILURES[language], None)


@needs_sandbox
class TestObservations:
    def test_what_does_not_end_is_said(self, runner: ProgramRunner) -> None:
        text = (
            "import os, sys\nwhat = input()\n"
            "if what == 'loop':\n    while True: pass\n"
            "if what == 'abort': os.abort()\n"
            "if what == 'memory': x = bytearray(8 << 30)\n"
            "if what == 'flood':\n    while True: print('x' * 10000)\n"
            "if what == 'exit': sys.exit(7)\n"
        )
        found = run(runner, "python", text, "loop", "abort", "memory", "flood", "exit", "none", seconds=1.0)
        endings = [(one.ended, one.raised) for one in found.observations]
        assert endings == [
            ("timed out", None),
            ("signal 6", None),
            ("out of memory", None),
            ("too much output", None),
            (None, "exit 7"),
            (None, None),
        ]

    def test_input_beyond_the_end_and_closed_output(self, runner: ProgramRunner) -> None:
        assert only(run(runner, "python", "input()\ninput()", "one\n")).raised == "EOFError"
        assert only(run(runner, "python", "import os\nos.close(1)\nos.close(2)\nos.close(3)", "")).is_normal

    def test_bytes_that_are_no_text_come_as_escapes(self, runner: ProgramRunner) -> None:
        text = "import sys\nsys.stdout.buffer.write(bytes([255]) + 'ü'.encode())"
        assert only(run(runner, "python", text, "")).output == "\\xffü"

    def test_time_for_all_runs_ends_the_rest(self) -> None:
        with ProgramRunner(BOX, seconds=1.0) as one:
            found = run(one, "python", "import time\ntime.sleep(0.4)", *[""] * 20)
        assert 0 < len(found.observations) < 20
        assert all(each.is_normal for each in found.observations)

    def test_files_of_the_project_can_be_imported(self, runner: ProgramRunner) -> None:
        code = Code("from pack.other import name\nprint(name)", "python", files={"pack/other.py": b"name = 'other'"})
        assert only(run_program(runner, code, [CallInput()])).output == "other\n"

    def test_names_of_files_stay_in_the_folder(self, runner: ProgramRunner) -> None:
        with pytest.raises(ValueError, match="not a name"):
            runner.run(ProgramSource("python", {"../main.py": b""}, "../main.py"))


@needs_sandbox
class TestReasons:
    def test_what_does_not_compile(self, runner: ProgramRunner) -> None:
        assert run(runner, "python", "def f(:").undecided is Reason.PARSE
        absent = run(runner, "python", "import nowhere_to_be_found", "")
        assert absent.observations[0].missing == "nowhere_to_be_found"

    @needs("c")
    def test_what_does_not_compile_in_c(self, runner: ProgramRunner) -> None:
        symbol = run(runner, "c", "int main() { return missing(1) + other; }")
        assert (symbol.undecided, symbol.detail) == (Reason.SYMBOL, "other")
        package = run(runner, "c", "#include <nowhere.h>\nint main() { }")
        assert (package.undecided, package.detail) == (Reason.PACKAGE, "nowhere.h")
        assert run(runner, "c", "int main() { return 1 +; }").undecided is Reason.COMPILE

    def test_what_compilers_say(self) -> None:
        assert why_not_compiled("X.java:3: error: package org.junit does not exist")[0] is Reason.PACKAGE
        assert why_not_compiled("  symbol:   variable foo\n") == (Reason.SYMBOL, "foo")
        assert why_not_compiled("the compiler ended: timed out\n...") == (Reason.TIME, "the compiler ended: timed out")

    def test_a_language_that_is_not_known_or_not_installed(
        self, runner: ProgramRunner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert run(runner, "cobol", "").undecided is Reason.LANGUAGE
        absent = ProgramLanguage("main.x", "", "nothing-of-this-name {main}", "apt-get install nothing")
        monkeypatch.setitem(PROGRAM_LANGUAGES, "absent", absent)
        found = run(runner, "absent", "")
        assert (found.undecided, found.detail) == (Reason.TOOLCHAIN, "apt-get install nothing")
        with pytest.raises(MissingExtraError, match="nothing-of-this-name"):
            runner.run(ProgramSource("absent", {"main.x": b""}, "main.x"))


class TestJavaNames:
    @pytest.mark.parametrize(
        ("text", "file"),
        [
            ("public class A { public static void main(String[] a) { System.out.println(1); } }", "A.java"),
            ("class B {}\nclass A { public static void main(String[] a) { System.out.println(1); } }", "Main.java"),
            ("class A { class I {} static public void main(String... a) { System.out.println(1); } }", "Main.java"),
            ("/* public class X */ package p.q; class A { public static void main(String[] a) {\n"
             "System.out.println(1); } }", "Main.java"),
        ],
    )  # fmt: skip
    @needs_sandbox
    @needs("java")
    def test_the_main_class_is_found(self, runner: ProgramRunner, text: str, file: str) -> None:
        assert ProgramSource.of(Code(text, "java")).main == file
        assert only(run(runner, "java", text, "")).output == "1\n"


class TestPython2:
    def test_text_for_python_3_stays(self) -> None:
        assert converted_program("print(5 / 2)\n") == ("print(5 / 2)\n", [])

    @needs_sandbox
    def test_division_input_and_lists_are_those_of_python_2(self, runner: ProgramRunner) -> None:
        text = (
            "n = input()\nname = raw_input()\nprint n / 2, 5.0 / 2, name\nn /= 3\nprint n\n"
            "print map(str, range(3))[1], reduce(lambda a, b: a + b, [1, 2]), cmp(1, 2)\n"
            "d = {1: 2}\nif d.has_key(1): print 'a; b:',; print (1), [\n 2], # c\nprint\n"
            "import sys\nprint >> sys.stderr, 'no'\nprint >>sys.stdout, 'yes',\nprint 'print x'"
        )
        found = run(runner, "python", text, "7\nx\n")
        assert only(found).output == "3 2.5 x\n2\n1 3 -1\na; b: 1 [2] \nyes print x\n"
        # lib2to3 left the standard library with Python 3.13.
        assert found.repairs in (("Python 2 by lib2to3",), ("Python 2",))


@needs_sandbox
class TestAttacks:
    def test_nothing_is_left_for_the_next_run(self, runner: ProgramRunner) -> None:
        text = (
            "import os, sys\n"
            "found = [p for p in ('/box/left', '/tmp/left', '/dev/shm/left', '/box/d') if os.path.lexists(p)]\n"
            "print(found, sorted(os.listdir('/box')), open(__file__).read().count('ev' + 'il'))\n"
            "for p in ('/box/left', '/tmp/left', '/dev/shm/left'): open(p, 'w').write('x')\n"
            "os.makedirs('/box/d/e'); os.chmod('/box/d/e', 0); os.chmod('/box/d', 0)\n"
            "os.symlink('/usr', '/box/link')\n"
            "open(__file__, 'a').write('# ev' + 'il')\nos.chmod('/box', 0)\n"
        )
        found = run(runner, "python", text, "", "", "")
        assert [one.output for one in found.observations] == ["[] ['main.py'] 0\n"] * 3
        assert [one.raised for one in found.observations] == [None] * 3

    @needs("c")
    def test_what_was_compiled_cannot_be_changed(self, runner: ProgramRunner) -> None:
        text = (
            "#include <stdio.h>\n#include <unistd.h>\n#include <sys/stat.h>\n"
            'int main() { puts("first"); unlink("/box/main");\n'
            'FILE* f = fopen("/box/main", "w"); fputs("#!/bin/sh\\necho evil\\n", f); fclose(f);\n'
            'chmod("/box/main", 0755); return 0; }'
        )
        for _ in range(2):
            found = run(runner, "c", text, "", "")
            assert [one.output for one in found.observations] == ["first\n", "first\n"]

    def test_it_starts_no_process_and_its_threads_end(self, runner: ProgramRunner) -> None:
        text = (
            "import os, subprocess, threading, time\n"
            "for name, action in (('fork', os.fork), ('start', lambda: subprocess.run(['/usr/bin/true']))):\n"
            "    try: action()\n    except OSError: print('held', name)\n"
            "print(sorted(p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())))\n"
            "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        )
        found = run(runner, "python", text, "", "", seconds=1.0)
        assert [one.output for one in found.observations] == ["held fork\nheld start\n[]\n"] * 2
        assert [one.ended for one in found.observations] == ["timed out"] * 2

    def test_it_cannot_reach_the_server(self, runner: ProgramRunner) -> None:
        text = (
            "import os, signal, glob\n"
            "for name in ('/proc/1/mem', '/proc/1/environ', '/proc/1/fd/0', '/proc/1/fd/1'):\n"
            "    try: print('ESCAPED', name, open(name, 'r+b'))\n    except OSError: print('held')\n"
            "for number in (signal.SIGKILL, signal.SIGINT, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV):\n"
            "    os.kill(1, number)\n"
            "print(sorted(os.listdir('/proc/self/fd'))[:4])\n"
            "for fd in range(3, 300):\n"
            '    try: os.write(fd, b\'{"nonce": "", "compiled": true, "said": "", "outcomes": []}\\n\')\n'
            "    except OSError: pass\n"
        )
        found = run(runner, "python", text, "", "")
        for one in found.observations:
            assert "ESCAPED" not in one.output
            assert one.output.endswith("['0', '1', '2', '3']\n")
            assert one.is_normal

    @needs("c")
    def test_compilers_see_nothing_and_end(self, runner: ProgramRunner) -> None:
        for name in ("/etc/shadow", "/etc/passwd", "/proc/1/environ", "/proc/1/fd/0"):
            found = run(runner, "c", f'#include "{name}"\nint main() {{ return 0; }}')
            assert found.undecided in (Reason.PACKAGE, Reason.COMPILE), name
            assert "root:" not in found.detail
        data = run(runner, "c", 'asm(".incbin \\"/etc/shadow\\"");\nint main() { return 0; }')
        assert data.undecided is Reason.COMPILE
        assert only(run(runner, "c", "int main() { return 0; }", "")).is_normal

    @needs("cpp")
    @pytest.mark.slow
    def test_endless_templates_end(self, runner: ProgramRunner) -> None:
        text = (
            "template<int N, int M> struct A { static const int v = A<N-1, M*2>::v + A<N-1, M*2+1>::v; };\n"
            "template<int M> struct A<0, M> { static const int v = 1; };\nint main() { return A<60, 0>::v; }"
        )
        assert run(runner, "cpp", text).undecided in (Reason.TIME, Reason.COMPILE)
        assert only(run(runner, "python", "print(1)", "")).output == "1\n"

    @needs("c")
    def test_a_constructor_runs_as_enclosed_as_main(self, runner: ProgramRunner) -> None:
        text = (
            "#include <stdio.h>\n#include <unistd.h>\n"
            '__attribute__((constructor)) void f(void) { printf("%d\\n", fork()); }\nint main() { return 0; }'
        )
        assert only(run(runner, "c", text, "")).output == "-1\n"

    def test_a_flood_of_folders_or_files_ends_this_program_only(self, runner: ProgramRunner) -> None:
        deep = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
        run(runner, "python", deep, "")
        assert only(run(runner, "python", "print(2)", "")).output == "2\n"

    def test_an_answer_that_is_too_long_is_cut(self, runner: ProgramRunner) -> None:
        source = ProgramSource("python", {"main.py": b"import os\nwhile True: os.write(3, b'x' * 100000)"}, "main.py")
        (outcome,) = runner.run(source, [""], 5.0).outcomes
        assert outcome.ending is Ending.TOO_MUCH_OUTPUT
