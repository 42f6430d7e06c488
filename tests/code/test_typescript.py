"""TypeScript and its JSX dialect."""

from __future__ import annotations

import pickle

import pytest

from clonetruth.code import Form, TokenKind, extract, language, language_of_path, normal_form, parse, token_stream
from clonetruth.code.forms import fragment_forms

TYPESCRIPT, TSX = language("typescript"), language("tsx")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("interface A { a: number, b(): void; c: string }", "interface A {\n a: number\n b(): void\n c: string\n}"),
        ("type A = string\nlet a: A", "type A = string; let a: A;"),
        (
            "abstract class A { abstract m(): void\n x?: number }",
            "abstract class A { abstract m(): void; x?: number; }",
        ),
        ("declare function f(a: number): void", "declare function f(a: number): void;"),
    ],
)
def test_what_is_only_layout(left: str, right: str) -> None:
    assert fragment_forms(left, TYPESCRIPT).type1 == fragment_forms(right, TYPESCRIPT).type1


def test_one_statement_per_line() -> None:
    text = "@D() class A<T> { private x: Map<string, T> = new Map(); @E() m(@F() a: T): void { this.x = a as any } }"
    assert normal_form(text, TYPESCRIPT, Form.TYPE1).splitlines() == [
        "@D ()",
        "class A < T > {",
        "    private x : Map < string, T > = new Map ();",
        "    @E ()",
        "    m (@F () a : T) : void {",
        "        this.x = a as any;",
        "    }",
        "}",
    ]


def test_functions() -> None:
    text = """
    namespace N.M { export function a(x: number, y?: Array<string>, z = 1): void {} }
    function b(x: string): void
    function b(x: any, f: (inner: Date) => void) {}
    abstract class C { abstract d(): void; constructor(private e: E) {} f = <T,>(x: T): T => x }
    interface I { g(): void }
    """
    found = extract(text, TYPESCRIPT).functions
    assert [(f.qualified_name, f.parameter_types) for f in found] == [
        ("N.M.a", ("number", "Array<string>")),
        ("b", ("any", "(inner: Date) => void")),
        ("C.constructor", ("E",)),
        ("C.f", ("T",)),
    ]


def test_token_classes() -> None:
    text = "type type = string; let string: type = x as keyof type; function f(a): a is Date { a.type }"
    tokens = token_stream(parse(text, TYPESCRIPT)).tokens()
    assert [(token.text, token.kind) for token in tokens if token.text in ("type", "string", "as", "is")] == [
        ("type", TokenKind.KEYWORD),
        ("type", TokenKind.TYPE),
        ("string", TokenKind.KEYWORD),
        ("string", TokenKind.IDENTIFIER),
        ("type", TokenKind.TYPE),
        ("as", TokenKind.KEYWORD),
        ("type", TokenKind.TYPE),
        ("is", TokenKind.KEYWORD),
        ("type", TokenKind.IDENTIFIER),
    ]


def test_each_dialect_has_its_grammar() -> None:
    assert not parse("let a = <A>b", TYPESCRIPT).problems
    assert parse("let a = <A>b", TSX).problems
    assert not parse("let a = <A<T> b={c}>text</A>", TSX).problems
    assert language_of_path("a/b.ts") is TYPESCRIPT
    assert language_of_path("a/b.tsx") is TSX
    assert pickle.loads(pickle.dumps(TSX)) is TSX


@pytest.mark.parametrize("text", ["m(a: number): void { }", "private async m<T>(a: T) { }", "f = (a: A): B => a"])
def test_lone_functions_parse(text: str) -> None:
    assert not parse(text, TYPESCRIPT, lone=True).problems
    assert len(extract(text, TYPESCRIPT, lone=True).functions) == 1
