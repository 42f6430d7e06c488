"""Samples of JavaScript for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

SAMPLES = HarnessSamples(
    language="javascript",
    returns=[
        ReturnSample("whole number", "function f(a, b) { return a * b }", [number(6), number(-7)], number(-42)),
        ReturnSample("large number", "function f(a) { return BigInt(a) ** 20n }", [number(10)], number(10**20)),
        ReturnSample("float", "const f = a => a / 4", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("not a number", "const f = () => NaN", [], {"float": "nan"}),
        ReturnSample("truth value", "function f(a) { return a > 2 }", [number(3)], True),
        ReturnSample("text", "function f(a) { return a + 'é\\n' }", ["x"], "xé\n"),
        ReturnSample("null", "function f(a) { return null }", [number(1)], None),
        ReturnSample("undefined", "function f(a) { }", [number(1)], None),
        ReturnSample("list", "function f(a) { return [...a].reverse() }", [numbers(1, 2, 3)], numbers(3, 2, 1)),
        ReturnSample("list of lists", "const f = a => [a, []]", [numbers(1)], {"list": [numbers(1), numbers()]}),
        ReturnSample("map", "const f = a => new Map([[a, 1]])", ["k"], {"map": [["k", number(1)]]}),
        ReturnSample("plain object", "const f = a => ({ [a]: 1 })", ["k"], {"map": [["k", number(1)]]}),
        ReturnSample(
            "key like a number", "const f = a => ({ [a]: 1 })", [number(5)], {"map": [[number(5), number(1)]]}
        ),
        ReturnSample("set", "const f = a => new Set(a)", [numbers(2, 1, 2)], {"set": [number(1), number(2)]}),
        ReturnSample("promise", "async function f(a) { return a }", [number(4)], number(4)),
        ReturnSample(
            "generator",
            "function * f(n) { for (let i = 0; i < n; i++) yield i }",
            [number(2)],
            {"iterator": [number(0), number(1)]},
        ),
        ReturnSample(
            "object",
            "class P { constructor (x) { this.x = x } }\nfunction f(a) { return new P(a) }",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
    ],
    changes="function f(a) { a[0] = 9 }",
    prints="function f(n) { console.log('seen', n); return n + 1 }",
    raises="function f(a) { if (a.length === 0) throw new RangeError('empty'); return a[0] }",
    raised="RangeError",
    missing="function f(n) { return helper_that_is_missing(n) }",
    unparsable="function f(n { return }",
    loops="function f(n) { while (n) {} return 7 }",
    exits="function f(n) { if (n) process.exit(3); return 7 }",
    floods="function f(n) { while (n) console.log('x'.repeat(1000)); return 7 }",
    recurses="function f(n) { return n ? f(n) + 1 : 7 }",
    allocates="function f(n) { const a = []; while (n) a.push(new Array(100000).fill(n)); return 7 }",
    huge="function f() { return Array.from({ length: 1000000 }, (_, i) => i) }",
    endless="function f() { const a = []; a.push(a); return a }",
    counts="let c = 0\nfunction f() { c += 1; return c }",
    poisons="function f(n) { Array.prototype.push = null; JSON.stringify = null; Object.prototype.left = 1\n"
    "  globalThis.left = 1; setInterval(() => {}, 1); Promise.reject(1); return n }",
    notices="function f() { const a = []; a.push(1)\n"
    "  return Number(!(a.length === 1 && JSON.stringify(1) === '1' && globalThis.left === undefined)) }",
    forges="function f(n) { const line = '0 {\"returned\": null}\\n'; process.stdout.write(line); console.log(line)\n"
    "  try { console.log.constructor('return process')().stdout.write(line) } catch {}\n  return 1 }",
    branches="function f(n) { if (n < 0) { return -1 } if (n > 100) { const m = n * 2; return m } return 0 }",
    chooses="function first() { return 1 }\nfunction second() { return 2 }",
    random="function f() { return Math.floor(Math.random() * 1e9) }",
)
