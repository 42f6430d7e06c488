"""Fragments of JavaScript and TypeScript in the sandbox: what is observed, what is repaired, and what hostile ones
cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from clonetruth.execution.harness import CallInput, Code, EntryKind, FragmentRun, Observation, Reason
from clonetruth.execution.harness.inside import python_values
from clonetruth.execution.harness.javascript.fragment import UndecidedFragmentError, prepare_script
from clonetruth.execution.harness.javascript.harness import JavaScriptHarness
from clonetruth.execution.harness.javascript.modules import as_script
from clonetruth.execution.harness.javascript.typescript import erase_types
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import Value, check_value, equal_values
from tests.execution.javascript_attacks import FORGERIES, HOSTILE_RESULTS
from tests.execution.sandboxed import needs_sandbox

needs_node = pytest.mark.skipif(Bubblewrap().find("node") is None, reason="node is not installed")


def number(value: int) -> Value:
    return {"int": str(value)}


class Worker:
    """A harness that takes a text and lists of arguments."""

    def __init__(self, harness: JavaScriptHarness) -> None:
        self.harness = harness

    def run(
        self, source: str, calls: Sequence[Sequence[Value]] = (), language: str = "javascript", entry: str | None = None
    ) -> FragmentRun:
        given = [CallInput(tuple(one)) for one in calls]
        return self.harness.run(Code(source, language, entry), given, coverage=True)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with JavaScriptHarness(Bubblewrap(), seconds=8, seconds_per_call=0.5) as one:
        yield Worker(one)


def only_call(run: FragmentRun) -> Observation:
    assert run.undecided is None, (run.undecided, run.detail)
    (call,) = run.observations
    return call


@needs_sandbox
@needs_node
class TestObservations:
    @pytest.mark.parametrize(
        ("expression", "expected"),
        [
            ("1", number(1)),
            ("2 ** 53", number(2**53)),
            ("2 ** 60", {"float": (2.0**60).hex()}),
            ("1.5", {"float": (1.5).hex()}),
            ("0.1", {"float": (0.1).hex()}),
            ("-0", {"float": (-0.0).hex()}),
            ("5e-324", {"float": (5e-324).hex()}),
            ("Infinity", {"float": "inf"}),
            ("2n ** 64n", number(2**64)),
            ("null", None),
            ("undefined", None),
            ("'é😀'", "é😀"),
            ("[1, , 'a']", {"list": [number(1), None, "a"]}),
            ("new Uint8Array([1, 2])", {"list": [number(1), number(2)]}),
            ("new Set(['a'])", {"set": ["a"]}),
            ("new Map([[1, 'a']])", {"map": [[number(1), "a"]]}),
            ("({ a: 1 })", {"map": [["a", number(1)]]}),
            ("({ 1: 1 })", {"map": [[{"key": "1"}, number(1)]]}),
            ("Object.create(null)", {"map": []}),
            ("new (class P { constructor () { this.x = 1 } })()", {"object": ["P", [["x", number(1)]]]}),
            ("new Date(5)", {"datetime": "1970-01-01T00:00:00.005"}),
            ("new Date(-1e15)", {"object": ["Date", [["time", number(-(10**15))]]]}),
            ("/a+/g", {"object": ["RegExp", [["source", "a+"], ["flags", "g"]]]}),
            ("(x => { throw x })", {"opaque": "function"}),
            ("[1, 2].values()", {"iterator": [number(1), number(2)]}),
            ("Promise.resolve(3)", number(3)),
            ("Object(3)", number(3)),
        ],
    )
    def test_values(self, worker: Worker, expression: str, expected: Value) -> None:
        returned = only_call(worker.run(f"function f() {{ return {expression} }}", [[]])).returned
        assert check_value(returned) == returned
        assert equal_values(returned, expected), returned

    @pytest.mark.parametrize(
        "value",
        [
            number(-7),
            {"float": (0.1).hex()},
            {"float": "nan"},
            {"float": (1e308).hex()},
            {"list": [number(1), {"list": []}, "x", None, True]},
            {"set": [number(1), "a"]},
            {"map": [["a", {"list": [number(1)]}]]},
            {"map": [[number(3), "three"]]},
            {"iterator": [number(1)]},
        ],
    )
    def test_values_go_in_and_come_out(self, worker: Worker, value: Value) -> None:
        assert equal_values(only_call(worker.run("function f(a) { return a }", [[value]])).returned, value)

    def test_numbers_that_javascript_does_not_have_are_not_passed(self, worker: Worker) -> None:
        call = only_call(worker.run("function f(a) { return a }", [[number(2**60)]]))
        assert call.ended == "no number of JavaScript"

    def test_output_exceptions_and_changed_arguments(self, worker: Worker) -> None:
        source = (
            "function f(a) { console.log('n %d', a.length); a.push(1); if (a.length > 2) throw new RangeError('x') }"
        )
        run = worker.run(source, [[{"list": [number(5)]}], [{"list": [number(1), number(2)]}]])
        first, second = run.observations
        assert (first.output, first.returned) == ("n 1\n", None)
        assert first.changed == ({"list": [number(5), number(1)]},)
        assert (second.raised, second.output) == ("RangeError", "n 2\n")

    def test_asynchronous_code_does_not_wait(self, worker: Worker) -> None:
        source = (
            "const sleep = t => new Promise(done => setTimeout(done, t))\n"
            "async function f(n) { await sleep(1e6); setTimeout(() => console.log('later'), 5); return n + 1 }"
        )
        call = only_call(worker.run(source, [[number(1)]], entry="f"))
        assert (call.returned, call.output) == (number(2), "later\n")
        assert only_call(worker.run("async function f() { throw new TypeError('x') }", [[]])).raised == "TypeError"
        source = "async function * f(n) { for (let i = 0; i < n; i++) yield i }"
        assert equal_values(only_call(worker.run(source, [[number(2)]])).returned, {"list": [number(0), number(1)]})

    def test_functions_that_stand_for_others_give_the_same_in_every_language(self, worker: Worker) -> None:
        results = [number(one) for one in range(50)]
        texts: list[Value] = [{"list": ["é", number(3)]}, {"float": (2.5).hex()}, {"map": [["b", True], ["a", None]]}]
        source = "function f(g, a) { return [g(a), g(a, 1)] }"
        for one in texts:
            call = only_call(worker.run(source, [[{"function": ["function", results]}, one]]))
            stand_in = python_values.StandIn(list(results), False)
            given = python_values.from_form(one)
            assert call.returned == {"list": [number(stand_in(given)), number(stand_in(given, 1))]}

    def test_an_argument_that_is_left_out_has_its_default(self, worker: Worker) -> None:
        call = only_call(worker.run("function f(a, b = 5) { return b }", [[number(1), {"opaque": "default"}]]))
        assert call.returned == number(5)

    def test_a_callback_gets_what_it_declares(self, worker: Worker) -> None:
        source = "function f(g: (n: number) => number, a: number[]) { return [a.map(g), a.map(n => g(n))] }"
        results = [number(one) for one in range(50)]
        numbers: Value = {"list": [number(4), number(9)]}
        call = only_call(worker.run(source, [[{"function": ["function", results]}, numbers]], "typescript"))
        assert isinstance(call.returned, dict)
        one, other = call.returned["list"]
        assert one == other

    def test_a_missing_symbol_is_named(self, worker: Worker) -> None:
        call = only_call(worker.run("function f() { return eval('missing') }", [[]]))
        assert (call.raised, call.missing) == ("ReferenceError", "missing")

    def test_a_call_that_hangs_is_timed_out_and_the_next_one_runs(self, worker: Worker) -> None:
        source = "function f(n) { while (n === 1) {} return n }"
        run = worker.run(source, [[number(0)], [number(1)], [number(2)]])
        assert [one.ended for one in run.observations] == [None, "timed out", None]
        assert run.observations[2].returned == number(2)

    def test_time_is_that_of_the_processor(self, worker: Worker) -> None:
        """A call that takes longer than its limit by the clock, as on a machine with other work, is not late; one that
        works for longer is, also from then on; and earlier calls have happened once."""
        source = (
            "let calls = 0\n"
            "const wait = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)\n"
            "function f(n) { calls += 1; if (n === 1) wait(700); while (n === 2); if (n === 3) wait(); return calls }"
        )
        run = worker.run(source, [[number(one)] for one in (0, 1, 0, 2, 0, 3, 0)])
        assert [one.ended for one in run.observations] == [None, None, None, "timed out", None, "timed out", None]
        assert [one.returned for one in run.observations if not one.ended] == [number(one) for one in (1, 2, 3, 5, 7)]

    def test_loading_is_timed_by_the_processor(self, worker: Worker) -> None:
        source = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700); function f(n) { return n }"
        assert only_call(worker.run(source, [[number(4)]])).returned == number(4)
        assert worker.run("for (;;); function f(n) { return n }", [[number(4)]]).undecided is Reason.TIME

    def test_runs_do_not_share_state(self, worker: Worker) -> None:
        source = "let n = 0; function f() { n += 1; Array.prototype.left = n; return n }"
        for _ in range(2):
            assert [one.returned for one in worker.run(source, [[], []]).observations] == [number(1), number(2)]

    def test_the_seed_decides_random_numbers(self, worker: Worker) -> None:
        code, call = Code("function f() { return Math.random() }", "javascript"), [CallInput()]
        found = [worker.harness.run(code, call, seed=seed).observations[0].returned for seed in (1, 1, 2)]
        assert found[0] == found[1] != found[2]

    def test_coverage_counts_branches(self, worker: Worker) -> None:
        source = "function f(n) { if (n > 3) return 'large'; else return n ? 'small' : 'none' }"
        run = worker.run(source, [[number(5)], [number(6)], [number(1)], [number(0)]])
        assert run.points == 5
        assert [len(one.reached) for one in run.observations] == [2, 0, 2, 1]


@needs_sandbox
@needs_node
class TestAttacks:
    @pytest.mark.parametrize("name", FORGERIES)
    def test_results_are_those_of_the_function(self, worker: Worker, name: str) -> None:
        assert only_call(worker.run(FORGERIES[name], [[]], entry="f")).returned == number(1)

    @pytest.mark.parametrize("name", HOSTILE_RESULTS)
    def test_the_harness_survives(self, worker: Worker, name: str) -> None:
        run = worker.run(HOSTILE_RESULTS[name], [[]])
        assert run.undecided is None or run.undecided in (Reason.LOADING, Reason.TIME), run
        after = worker.run("function g(n) { return [n, [1].concat([2]).length, JSON.stringify({ n })] }", [[number(5)]])
        assert only_call(after).returned == {"list": [number(5), number(2), '{"n":5}']}

    def test_answers_with_a_foreign_nonce_are_ignored(self, worker: Worker) -> None:
        """A fragment that has got hold of the descriptor still does not know the nonce."""
        source = (
            'function f() {\n  const line = \'0\'.repeat(32) + \' {"returned": {"int": "666"}}\\n\'\n'
            "  for (const one of [console, process, process.stdout]) {\n"
            "    try { one._stdout.write(line) } catch {}\n    try { one.stdout.write(line) } catch {}\n  }\n"
            "  return 1\n}"
        )
        assert only_call(worker.run(source, [[]])).returned == number(1)


@needs_sandbox
@needs_node
@pytest.mark.parametrize(
    ("source", "arguments", "expected"),
    [
        ("const f = n => n + 1", [1], 2),
        ("var f = function (n) { return n + 1 }", [1], 2),
        ("(a, b) => a - b", [5, 3], 2),
        ("function (n) { return n + 1 }", [1], 2),
        ("module.exports = function (n) { return n + 1 }", [1], 2),
        ("module.exports = { helper: n => n, f (n) { return this.helper(n) + 1 } }", [1], 2),
        ("exports.f = n => n + 1", [1], 2),
        ("export default function f(n) { return n + 1 }", [1], 2),
        ("import { format } from 'util'\nexport const f = n => Number(format('%d', n)) + 1", [1], 2),
        ("const { format } = require('node:util')\nfunction f(n) { return Number(format(n)) + 1 }", [1], 2),
        ("function f(n) { return Number(util.format(n)) + 1 }", [1], 2),
        ("class S { constructor () { this.k = 1 } f (n) { return n + this.k } }", [1], 2),
        ("class S { static f (n) { return n + 1 } }", [1], 2),
        ("  f(n) {\n    return n + 1\n  }", [1], 2),
        ("f: function (n) { return n + 1 }", [1], 2),
        ("function Counter() { this.k = 1 }\nCounter.prototype.f = function (n) { return n + this.k }", [1], 2),
        ("function helper(n) { return n }\nfunction f(n) { return helper(n) + 1 }", [1], 2),
        ("function f(n) { if (n > = 1) return n + 1 }", [1], 2),
        ("function f(n) { const node = new ListNode(n, null); return node.val + (node.next ? 0 : 1) }", [1], 2),
        ("function f(n) { i = 0; for (i = 0; i < n; i++) {} return i + 1 }", [1], 2),
        ("function f(...all) { return all[0] + 1 }", [1], 2),
    ],
)
def test_fragments_are_made_to_run(worker: Worker, source: str, arguments: list[int], expected: int) -> None:
    values: list[Value] = [number(one) for one in arguments]
    if "..." in source:
        values = [{"list": values}]
    assert only_call(worker.run(source, [values])).returned == number(expected)


@needs_sandbox
@needs_node
@pytest.mark.parametrize(
    ("source", "arguments", "expected"),
    [
        ("enum Colour { Red, Green = 5, Blue }\nfunction f(n: number): number { return Colour.Blue + n }", [1], 7),
        ("enum F { A = 1 << 0, B = 1 << 2, All = A | B }\nfunction f(n: number): number { return F.All + n }", [1], 6),
        ("class P { constructor(private readonly k: number = 1) {} f(n: number) { return n + this.k } }", [1], 2),
        ("abstract class A { abstract g(): void }\nfunction f<T extends number>(n: T): T { return n! as T }", [1], 1),
        ("interface I { a: number }\ntype N = number\nfunction f(this: void, n: N): N { return <N>n }", [1], 1),
        ("function f(n: number): number;\nfunction f(n: any): any { return n satisfies unknown }", [1], 1),
        ("import { Only } from 'types-only'\nconst f = (n: Only): Only => n", [1], 1),
        ("public f(n: number): number { return n + 1 }", [1], 2),
        ("function f(n: bigint): bigint { return n * 2n }", [3], 6),
        ("class S { k = 1; f = (n: number): number => n + this.k }", [1], 2),
    ],
)
def test_typescript_is_made_to_run(worker: Worker, source: str, arguments: list[int], expected: int) -> None:
    run = worker.run(source, [[number(one) for one in arguments]], "typescript")
    assert only_call(run).returned == number(expected)


@pytest.mark.parametrize(
    ("source", "language", "types"),
    [
        ("function f(s) { return s.charAt(0) }", "javascript", ["str"]),
        ("function f(a) { a.push(1); return a[0] - 1 }", "javascript", ["list[int]"]),
        ("function f(n) { return n % 2 === 0 }", "javascript", ["int"]),
        (
            "function f(a) { let s = ''; for (const x of a) s += x.trim(); a.sort(); return s }",
            "javascript",
            ["list[str]"],
        ),
        ("function f(m) { return m.map(row => row[0] * 2) }", "javascript", ["list[list[int]]"]),
        ("function f(o) { return Object.keys(o).length }", "javascript", ["map[str, int]"]),
        ("function f(head) { while (head) head = head.next }", "javascript", ["ListNode{val: int, next: ListNode?}?"]),
        ("/** @param {string[]} a\n * @param {number} k */\nfunction f(a, k) {}", "javascript", ["list[str]", "int"]),
        ("function f(g, n) { return g(n) - 1 }", "javascript", ["function[int]", ""]),
        ("function f(g: (n: number) => boolean) { return [1].filter(g) }", "typescript", ["function[bool]"]),
        ("function f(a = 'x', b = 1) {}", "javascript", ["str", "int"]),
        ("function g(s) { return s.trim() }\nfunction f(x) { return g(x) }", "javascript", ["str"]),
        ("function f(text, n) { return text.length < n ? text : text.slice(0, n) }", "javascript", ["str", "int"]),
        (
            "function f(part, n) { return part.length < n ? part : part.slice(0, n) }",
            "javascript",
            ["list[int]", "int"],
        ),
        ("const f = (a: number[], b: Map<string, boolean>) => 1", "typescript", ["list[int]", "map[str, bool]"]),
        (
            "function f(a: Array<[string, number]>, b?: Set<string>) {}",
            "typescript",
            ["list[tuple[str, int]]", "set[str]"],
        ),
        (
            "interface P { x: number; y?: string }\nfunction f(p: P) {}",
            "typescript",
            ["P{x: int, y: union[str, default]}"],
        ),
        ("class N { v: number; next: N | null }\nfunction f(p: N) {}", "typescript", ["N{v: int, next: N?}"]),
        (
            "type K = 'a' | 'b'\nfunction f(k: K, r: Record<string, number[]>) {}",
            "typescript",
            ['choice["a", "b"]', "map[str, list[int]]"],
        ),
        (
            "function f(a) { return a.filter(({ x, y }) => x > 0 && y.trim()) }",
            "javascript",
            ["list[Object{x: int, y: str}]"],
        ),
        (
            "function f(a) { let n = 0; for (const [k, v] of a) n += v * 2; return n }",
            "javascript",
            ["list[tuple[int, int]]"],
        ),
        ("function f(d) { return d.getUTCMonth() + 1 }", "javascript", ["datetime"]),
        (
            "function f(a) { const b = [...a].sort((x, y) => x.rank - y.rank); return b.map((x) => x.name.trim()) }",
            "javascript",
            ["list[Object{name: str, rank: int, note: int}]"],
        ),
        ("function f<T extends object, K extends keyof T>(o: T, k: K) {}", "typescript", ["map[str, int]", "str"]),
        (
            "type J = number | J[]\nfunction f(j: J) {}",
            "typescript",
            ["union[int, list[union[int, list[union[int, list[int]]]]]]"],
        ),
        (
            "interface Leaf { v: number }\ninterface Fork { l: T; r: T }\ntype T = Leaf | Fork\nfunction f(t: T) {}",
            "typescript",
            [
                "union[Leaf{v: int}, Fork{l: union[Leaf{v: int}, Fork{l: Leaf{v: int}, r: Leaf{v: int}}], "
                "r: union[Leaf{v: int}, Fork{l: Leaf{v: int}, r: Leaf{v: int}}]}]"
            ],
        ),
    ],
)
def test_types_of_parameters(source: str, language: str, types: list[str]) -> None:
    found = prepare_script(Code(source, language, "f")).parameters
    assert [str(one.types[0]) if one.types else "" for one in found] == types


def test_what_counts_has_no_fraction() -> None:
    code = Code("function f(pageSize: number, price: number) {}", "typescript", "f")
    assert [list(map(str, one.types)) for one in prepare_script(code).parameters] == [["int"], ["int", "float"]]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("function f(n) { return helper(n) }", Reason.SYMBOL),
        ("const fs = require('fs'); function f(n) { return fs.readFileSync(n) }", Reason.FILE),
        ("function f(n) { return fetch(n) }", Reason.NETWORK),
        ("function f(n) { return document.getElementById(n) }", Reason.SCREEN),
        ("function f(n) { return require('child_process').execSync(n) }", Reason.PROCESS),
        ("function f(n) { return process.hrtime()[0] + n }", Reason.CLOCK),
        ("function f(n) { return performance.now() }", Reason.CLOCK),
        ("import axios from 'left-pad'; function f(n) { return axios(n) }", Reason.PACKAGE),
        ("function f(n) { return _.sum(n) }", Reason.PACKAGE),
        ("function f() { return prompt('n') }", Reason.INPUT),
        ("// nothing", Reason.FUNCTION),
    ],
)
def test_what_cannot_run_has_a_reason(source: str, reason: Reason) -> None:
    with pytest.raises(UndecidedFragmentError) as caught:
        prepare_script(Code(source, "javascript"))
    assert caught.value.reason is reason


@needs_sandbox
@needs_node
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("function f(a) { return a + ; }", Reason.PARSE),
        ("function f( {", Reason.PARSE),
        ("(" * 5000, Reason.PARSE),
        ("throw new Error('x'); function f(n) { return n }", Reason.LOADING),
        ("while (true) {} function f(n) { return n }", Reason.TIME),
        ("process.exit(3); function f(n) { return n }", Reason.LOADING),
        ("class S { static #k = missing(); static f (n) { return n } }", Reason.SYMBOL),
    ],
)
def test_what_fails_before_it_is_called_has_a_reason(worker: Worker, source: str, reason: Reason) -> None:
    assert worker.run(source, [[number(1)]]).undecided is reason


@needs_sandbox
@needs_node
@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("const n = Number(require('fs').readFileSync(0, 'utf8')); console.log(n * 2)", "javascript"),
        ("import * as fs from 'fs'\nconst n: number = +fs.readFileSync(0, 'utf8')\nconsole.log(n * 2)", "typescript"),
        (
            "const lines = []\nrequire('readline').createInterface({ input: process.stdin })"
            ".on('line', l => lines.push(l)).on('close', () => console.log(double(+lines[0])))"
            "\nfunction double(n) { return n * 2 }",
            "javascript",
        ),
    ],
)
def test_programs_read_standard_input(worker: Worker, source: str, language: str) -> None:
    run = worker.harness.run(Code(source, language), [CallInput(stdin="21\n")])
    assert (run.kind, only_call(run).output) == (EntryKind.PROGRAM, "42\n")


def test_text_that_is_no_typescript_stays_as_it_is() -> None:
    assert erase_types("const a = {") == "const a = {"
    assert as_script("") == ""


def test_modules_become_scripts() -> None:
    assert as_script("import a, { b as c } from 'x'") == "var a = require('x'), { b: c } = require('x');"
    assert as_script("import 'x'\nexport { a }") == "require('x');\n;"
    assert as_script("export default (a) => a") == "var exported = (a) => a"
