"""Go: tokens, unwritten semicolons, layout, functions, names."""

from __future__ import annotations

import pytest

from clonetruth.code import (
    ExtractOptions,
    Form,
    TokenKind,
    abstract,
    extract,
    fragment_forms,
    language,
    normal_form,
    parse,
)
from clonetruth.code.tokens import token_stream

GO = language("go")


def lines(text: str) -> list[str]:
    return [line.strip() for line in normal_form(text, GO, Form.TYPE1).split("\n")]


def kinds(text: str) -> dict[str, TokenKind]:
    return {token.text: token.kind for token in token_stream(parse(text, GO)).tokens()}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("func f() { a(); b() }", "func f() {\n\ta()\n\tb()\n}"),
        ("func f() { a(); }", "func f() { a() }"),
        ("func f() { if a { b() }; c() }", "func f() {\n\tif a {\n\t\tb()\n\t}\n\tc()\n}"),
        ("func f() { a()\n;\nb() }", "func f() { a(); b() }"),
        ("func f() { for { }; return }", "func f() {\n\tfor {\n\t}\n\treturn\n}"),
        ("type S struct { a int; b int }", "type S struct {\n\ta int // first\n\n\tb int\n}"),
        ('import ("a"; "b")', 'import (\n\t"a"\n\t"b"\n)'),
        ("const ( A = iota; B; )", "const (\n\tA = iota\n\tB\n)"),
        ("func f() { g(a, b) }", "func f() {\n\tg(\n\t\ta, // first\n\t\tb, // last\n\t)\n}"),
        ("var x = []int{1, 2}", "var x = []int{\n\t1,\n\t2,\n}"),
        ("package p; func f() {}", "package p\n\nfunc f() {\n}\n"),
        ("func f() {\nL:\n\tfor { break L } }", "func f() { L: for { break L } }"),
        (
            "func f() { switch x { case 1: a(); default: b() } }",
            "func f() {\nswitch x {\ncase 1:\na()\ndefault:\nb()\n}\n}",
        ),
    ],
)
def test_what_is_only_layout(left: str, right: str) -> None:
    assert fragment_forms(left, GO) == fragment_forms(right, GO)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("type S struct {\n\tT\n\ta int\n}", "type S struct {\n\tT a\n\tint\n}"),
        ("func f() { a(); b() }", "func f() { a(b) }"),
        ("func f() { return\na() }", "func f() { return a() }"),
        ("func f() { x := `a\nb` }", "func f() { x := `a b` }"),
    ],
)
def test_what_is_not(left: str, right: str) -> None:
    assert fragment_forms(left, GO).type1 != fragment_forms(right, GO).type1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "func f(a int) int { a++; return a }", ["func f (a int) int {", "a ++;", "return a;", "}"], id="statements"
        ),
        pytest.param(
            "func f() { for i := 0; i < 9; i++ { a() }; for range x { }; for { } }",
            ["func f () {", "for i := 0; i < 9; i ++ {", "a ();", "}", "for range x {", "}", "for {", "}", "}"],
            id="loops",
        ),
        pytest.param(
            "func f() { if e := g(); e != nil { a() } else if b { } else { c() } }",
            ["func f () {", "if e := g (); e != nil {", "a ();", "} else if b {", "} else {", "c ();", "}", "}"],
            id="if",
        ),
        pytest.param(
            "func f() { select { case v := <-c: a(v); default: } }",
            ["func f () {", "select {", "case v := <- c :", "a (v);", "default :", "}", "}"],
            id="select",
        ),
        pytest.param(
            "func f() { defer func() { a() }() }",
            ["func f () {", "defer func () {", "a ();", "} ();", "}"],
            id="closure",
        ),
        pytest.param(
            "type T struct { a map[string]interface{}; b struct{} }",
            ["type T struct {", "a map [string] interface {};", "b struct {};", "};"],
            id="types",
        ),
    ],
)
def test_layout(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0x1p-2", TokenKind.NUMBER),
        ("1_000.5e+3", TokenKind.NUMBER),
        ("3i", TokenKind.NUMBER),
        ("0b11", TokenKind.NUMBER),
        ("1.", TokenKind.NUMBER),
        ("'\\''", TokenKind.CHARACTER),
        ("'世'", TokenKind.CHARACTER),
        ('"a\\"b"', TokenKind.STRING),
        ('`a\n"b"\\`', TokenKind.STRING),
        ("nil", TokenKind.NULL),
        ("true", TokenKind.BOOLEAN),
        ("naïve", TokenKind.IDENTIFIER),
    ],
)
def test_tokens(text: str, kind: TokenKind) -> None:
    assert kinds(f"var x = {text}\n")[text] == kind


def test_operators_and_types() -> None:
    found = kinds("func f(a int, b T) { a &^= 1; a >>= 2; c <- a; x := a << 1 }")
    assert found["&^="] == found[">>="] == found["<-"] == found[":="] == TokenKind.OPERATOR
    assert found["int"] == TokenKind.KEYWORD
    assert found["T"] == TokenKind.TYPE


def test_functions() -> None:
    text = """package p
func plain(a, b int, c ...string) (x int, err error) { return }
func (s *Stack[T]) Push(v T) { s.each(func(i int) { use(i) }) }
func (p Point) Len() float64 { return 0 }
func external(a int) int
func Map[T any](in []T, f func(T) T) []T { return in }
"""
    found = extract(text, GO, ExtractOptions(lambdas=True)).functions
    assert [(f.qualified_name, f.parameter_types) for f in found] == [
        ("plain", ("int", "string")),
        ("Stack.Push", ("T",)),
        ("Stack.<lambda>", ()),
        ("Point.Len", ()),
        ("Map", ("[]T", "func(T) T")),
    ]


@pytest.mark.parametrize("text", ["func f() {}", "x := 1\nif x > 0 { return x }", "type T struct{}", "for { break }"])
def test_a_part_of_a_file_parses(text: str) -> None:
    assert parse(text, GO, lone=True).problems == ()


def test_names() -> None:
    text = "type P struct { x int }\nfunc main() { p := P{x: 1}; _, b := g(p.x, p.y); f(b) }"
    assert abstract(text, GO, 1) == (
        "type Type0 struct { var1 int }\n"
        "func main() { var2 := Type0{var1: 1}; _, var3 := g(var2.var1, var2.y); f(var3) }"
    )
