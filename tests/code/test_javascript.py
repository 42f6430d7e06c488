"""JavaScript: tokens, layout, functions, names."""

from __future__ import annotations

import pytest

from clonetruth.code import ExtractOptions, Form, TokenKind, extract, language, normal_form, parse, token_stream
from clonetruth.code.forms import fragment_forms
from clonetruth.code.fragments import MAX_WRAPPERS
from clonetruth.code.pretty import pretty

JAVASCRIPT = language("javascript")


def shown(text: str) -> str:
    return " ".join(token.decode() for token in pretty(parse(text, JAVASCRIPT, lone=True)).texts)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a()\nb()", "a(); b();"),
        ("const a = 1\nlet b = a", "const a = 1;;let b = a;"),
        ("function f() { return 1 }", "function f() {\n  return 1;\n}"),
        ("class A { x = 1\n y; m() {} }", "class A { x = 1; y\n m() {}; }"),
        ("do { a() } while (b)", "do { a(); } while (b);"),
        ("import a from 'b'\nexport { a }", "import a from 'b'; export { a };"),
        ("#!/usr/bin/env node\na()", "a()"),
        ("x = <p>\n  some\n  text {/* c */}</p>", "x = <p>some text</p>"),
        ("a // b\n/* c */", "a"),
    ],
)
def test_what_is_only_layout(left: str, right: str) -> None:
    assert fragment_forms(left, JAVASCRIPT).type1 == fragment_forms(right, JAVASCRIPT).type1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("while (a);", "while (a) b;"),
        ("for (;;);", "for (;;) {}"),
        ("x = /a b/", "x = /a  b/"),
        ("x = `a\n${b}`", "x = `a ${b}`"),
        ("return\na", "return a"),
    ],
)
def test_what_is_a_difference(left: str, right: str) -> None:
    assert fragment_forms(left, JAVASCRIPT).type1 != fragment_forms(right, JAVASCRIPT).type1


def test_one_statement_per_line() -> None:
    text = "const f = async (a) => { if (a) { b() } else c()\nfor (const x of a) d(x)\nreturn {x: 1, m() { e() }} }"
    assert normal_form(text, JAVASCRIPT, Form.TYPE1).splitlines() == [
        "const f = async (a) => {",
        "    if (a) {",
        "        b ();",
        "    } else c ();",
        "",
        "    for (const x of a) d (x);",
        "",
        "    return {x : 1, m () {",
        "        e ();",
        "    }};",
        "};",
    ]


def test_code_in_a_template_is_seen() -> None:
    def consistent(text: str) -> bytes:
        return fragment_forms(text, JAVASCRIPT).consistent

    assert shown("`a${`b${c}`}\\n`") == "` a ${ ` b ${ c } ` } \\n ` ;"
    assert shown("`a\\nb`") == "`a\\nb` ;"
    assert consistent("function f(x) { return `<${x}>` }") == consistent("function f(y) { return `(${y})` }")
    assert consistent("function f(x) { return `<${x}>` }") != consistent("function f(x) { return `<${z}>` }")


def test_token_classes() -> None:
    text = "x = a.catch(/b['\"/]c/g) / undefined; for (const of of [true]) ;get.of = 1..toFixed(0b1n, this.#p)"
    tokens = token_stream(parse(text, JAVASCRIPT)).tokens()
    kinds = {token.text: token.kind for token in tokens}
    assert kinds["catch"] is TokenKind.IDENTIFIER
    assert kinds["/b['\"/]c/g"] is TokenKind.STRING
    assert kinds["/"] is TokenKind.OPERATOR
    assert kinds["undefined"] is TokenKind.NULL
    assert kinds["true"] is TokenKind.BOOLEAN
    assert kinds["1."] is kinds["0b1n"] is TokenKind.NUMBER
    assert kinds["#p"] is TokenKind.IDENTIFIER
    assert [token.kind for token in tokens if token.text == "of"] == [
        TokenKind.IDENTIFIER,
        TokenKind.KEYWORD,
        TokenKind.IDENTIFIER,
    ]


def test_functions() -> None:
    text = """
    function a() { function inner() {} }
    async function* b() {}
    const c = (x) => x, d = function named() {};
    class E extends F { constructor() { super() } get g() { return 1 } static async *h() {} i = () => 2; #j() {} }
    const o = { k() {}, l: function () {}, m: (x) => x };
    Q.prototype.n = function () {};
    call(function r() {}, (x) => x);
    const S = class { t() {} };
    """
    found = extract(text, JAVASCRIPT).functions
    assert [f.qualified_name for f in found] == [
        *("a", "b", "c", "d"),
        *("E.constructor", "E.g", "E.h", "E.i", "E.#j"),
        *("k", "l", "m", "n", "r", "S.t"),
    ]
    assert found[2].text == "c = (x) => x"
    everything = extract(text, JAVASCRIPT, ExtractOptions(nested=True, lambdas=True)).functions
    assert [f.qualified_name for f in everything if f not in found] == ["inner", "<lambda>"]


@pytest.mark.parametrize(
    "text",
    [
        "m(a) { return a }",
        "m(a)\n{\n    return a\n}",
        "async *m() {}, n() {}",
        "key: function (a) { return a }",
        "f = (a) => { return a }",
        "function f(a) { return a }",
        "async function f(a) { return a }",
        "export default () => 1",
        "static #p = 1; get q() { return this.#p }",
    ],
)
def test_lone_functions_parse(text: str) -> None:
    parsed = parse(text, JAVASCRIPT, lone=True)
    assert not parsed.problems
    assert extract(text, JAVASCRIPT, ExtractOptions(lambdas=True), lone=True).functions


def test_deep_nesting_does_not_crash() -> None:
    assert fragment_forms("x = " + "[" * 10_000 + "]" * 10_000, JAVASCRIPT).tokens


def test_callbacks_in_callbacks_count_up_to_a_depth() -> None:
    """Each level is compared with all in it, so that thousands of levels would take minutes."""
    text = "a(() => {" * 3000 + "x()" + "})" * 3000
    assert len(extract(text, JAVASCRIPT, ExtractOptions(callbacks=True)).functions) == MAX_WRAPPERS
    named = "a(() => { function f() { return () => { class A { m() { } } } } })"
    found = extract(named, JAVASCRIPT, ExtractOptions(callbacks=True)).functions
    assert [one.qualified_name for one in found] == ["<lambda>", "f", "A.m"]
