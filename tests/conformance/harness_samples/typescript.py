"""Samples of TypeScript for the conformance suite of harnesses: those of JavaScript, and what only types can say."""

from __future__ import annotations

from dataclasses import replace

from tests.conformance.harness_samples import ReturnSample, number, numbers
from tests.conformance.harness_samples.javascript import SAMPLES as JAVASCRIPT

SAMPLES = replace(
    JAVASCRIPT,
    language="typescript",
    returns=[
        ReturnSample("whole number", "const f = (a: number): number => a * 7", [number(6)], number(42)),
        ReturnSample("bigint", "function f(a: bigint): bigint { return a ** 20n }", [number(10)], number(10**20)),
        ReturnSample("text", "function f(a: string, b?: string) { return a! + (b ?? '') as string }", ["x"], "x"),
        ReturnSample("list", "const f = <T,>(a: Array<T>): T[] => [...a].reverse()", [numbers(1, 2)], numbers(2, 1)),
        ReturnSample(
            "map",
            "function f(m: Map<string, number>): number | undefined { return m.get('k') }",
            [{"map": [["k", number(3)]]}],
            number(3),
        ),
        ReturnSample(
            "typed array",
            "function f(a: Float64Array): boolean { return a instanceof Float64Array }",
            [numbers(1)],
            True,
        ),
        ReturnSample("enumeration", "enum E { A = 3, B }\nfunction f(): E { return E.B }", [], number(4)),
        ReturnSample(
            "object",
            "interface Q { x: number }\nclass P implements Q { constructor(public readonly x: number) {} }\n"
            "function f(a: number): Q { return new P(a) }",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
    ],
    changes="function f(a: number[]): void { a[0] = 9 }",
    prints="function f(n: number): number { console.log('seen', n); return n + 1 }",
    missing="function f(n: number): number { return helper_that_is_missing<number>(n) }",
    unparsable="function f(n: { return }",
    branches="function f(n: number): number { if (n < 0) { return -1 } if (n > 100) { return n * 2 } return 0 }",
)
