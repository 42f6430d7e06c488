"""Pretty-printing functions of languages with braces by their tokens: the same as by the tree, or left to the tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.forms import TOKEN_PRINTERS
from clonetruth.code.parsing import parse
from clonetruth.code.pretty import pretty

_JAVA_SIMPLE = (
    "a = b;",
    "int a = (int) b[1], c[] = {1, 2};",
    "final List<Map<String, int[]>> a = new ArrayList<>();",
    "a.b.C<?>[] c = (a.b.C<?>[]) d;",
    "return (A) (b) + (c) - d;",
    "return (A<B<?>>) (A<?>) b; // two casts",
    "if (a) ((B) (C) c).d(); else if (b) (c).d();",
    "for (int i = 0, j; i < n && j > m; i++);",
    "for (i = 0; ; ) ;",
    "for (final A<B> c : d) e();",
    "if (a) return;",
    "if (a) ; else b();",
    "if (a instanceof B && !(c instanceof D[])) { } else if (d) { e(); } else f();",
    "do ; while (a);",
    "do { a++; } while (a < b);",
    "a: while (true) { continue a; }",
    "b = c < d ? e : f > g;",
    "synchronized (this) { a(); }",
    "{ ; a(); ; }",
    ";",
    "try (A a = b(); C c = d) { } catch (final E | F e) { throw e; } finally { }",
    "try { } catch (Exception e) { }",
    "switch (a) { case 1: case B: b(); ; break; default: }",
    "switch (a) { case 1, 2 -> b(); case 3 -> { c(); } default -> throw new E(); }",
    "int a = switch (b) { default -> 1; };",
    "Runnable r = () -> { a(); };",
    "f((a, b) -> a, A::b, C[]::new, D<E>::new, F::new);",
    "new A(b) { int c = 1, d; { e(); } static { f(); } @Override public <T extends B & C> T g() { return null; } };",
    "final class A<T> extends B<T> implements C, D { A() { super(); } abstract void g() throws E; ; }",
    '@SuppressWarnings({"a", "b"}) @A int b = 1; // why',
    "Object o = new int[][] { { 1 }, { 2, 3 }, };",
    "a.<B>c(D.class, int[].class, e.F[].class);",
    "f(a < b, c > d);",
    'assert a : "b";',
    "Thread.yield();",
    "yield(1);",
    "record.when(sealed);",
    "record R(int a) { }",
    "enum A { B, C; }",
    "if (a instanceof B b && c) { }",
    "if (a instanceof R(int b)) { }",
    "a = b /* why */ + c; // and \\",
    "var a = (B & C) d;",
    "a = (b) ! c;",
    'String s = """\n  a {\n  """;',
    "a()\n.b();",
    "A.super.b(); A.this.c = d.new E();",
    "return x -> y -> { return z; };",
    "int a[] = new int[] {}, b = 2;",
    "a = b(;",
    "} {",
)
_JAVA_HEADS = (
    "void f() {",
    "@Override\npublic final Map<String, List<? extends A>> f(final @B int[] a, C... d) throws E, g.F {",
    "protected <T extends Comparable<? super T>, U> T[] f(T a[]) {",
    "private Foo(Bar<Baz> a) {",
    "@A.B(c = 1) Foo f() {",
    "@A public Foo(@B(C) D d, @E(F.G) final H h) {",
    "static synchronized a.B.C f() {",
)
_SCRIPT_SIMPLE = (
    "a = b;",
    "a = b",
    "var a, b = { c, d: 1, 'e': [2], [f]: 3, g() { h }, get i() { return 1 }, async *j() { }, ...k, default: 4 };",
    "const { a, b: [c], d = 1, ...e } = f, [g] = h;",
    "let a\nlet b = 1",
    "return",
    "return a\n",
    "return\na;",
    "return { a }",
    "if (a) return; else b()",
    "if (a) ; else if (b) { } else c",
    "for (let i = 0; i < 1; i++) ;",
    "for (let i = 0;;) { }",
    "for (i = 0, j; ; ) a()",
    "for (const [a, b] of c) { d }",
    "for (a.b in c) d;",
    "for await (const a of b) { }",
    "do ; while (a)",
    "do { a } while (b);",
    "a: while (b) { continue a }",
    "switch (a) { case 1: case 'b': c(); ; break\n default: d }",
    "switch (a) { case b ? c : d: }",
    "try { a } catch { b } finally { }",
    "try { } catch ({ a }) { throw b }",
    "function g(a = {}, ...b) { c }",
    "async function* g() { yield* a; yield; await b }",
    "a(function () { b }, async () => { c }, d => ({ e }), (f) => f)",
    "(function () { a })();",
    "a = b ? c : { d: e }",
    "a = `b`",
    "a = `b ${c + { d: `e ${f}` }.d} \\n $g ${h}` + i",
    "a`b${c}`",
    "a = b.match(/[/\"'`]\\/{/g) || /c/.test(d) || e / f / g",
    "a = (b + c) / d",
    "if (a) /b/.test(c)",
    "a = b / /* c */ d",
    "a = new B, c = new D.E(), f = new G()",
    "new.target",
    "a.catch(b).default = c?.new?.[d]?.(e)",
    "a++\nb",
    "a\n++b",
    "a\n(b)",
    "a\n!b",
    "a = b\n/c/g",
    "a < b > c",
    "a = <b>c</b>",
    "class A extends B { c() { } }",
    "const A = class { }",
    "import('a')",
    "a.import('b')",
    "debugger;",
    "{ ; a; ; }",
    ";",
    "a = { if: 1, function() { }, true: 2, new: 3 }",
    "a = async b => c",
    "a = function* () { }",
    "delete a.b, void 0, typeof c === 'd' && !e",
    "a = b, // why\nc",
    "return /* why */ a",
    "a = b // \\\nc",
    "#a in b; this.#a = c",
    "a = b(;",
    "} {",
)
_SCRIPT_HEADS = (
    "function f(a, { b, c = 1 }, [d]) {",
    "async f() {",
    "static async *f(...a) {",
    "get f() {",
    "f = async (a) => {",
    "f = function () {",
    "a.b.c = function (d) {",
    "f: function () {",
    "'a-b': () => {",
)
_CASES = {
    "java": (_JAVA_HEADS, _JAVA_SIMPLE, ("if (a) {", "while (a) {", "{", "else {", "f(() -> {")),
    "javascript": (_SCRIPT_HEADS, _SCRIPT_SIMPLE, ("if (a) {", "for (;;) {", "{", "else {", "f(() => {")),
}


def functions(name: str) -> st.SearchStrategy[str]:
    """Functions with some statements, nested in each other."""
    heads, simple, blocks = _CASES[name]

    def nested(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        body = st.lists(inside, min_size=0, max_size=3).map("\n".join)
        return st.builds(
            lambda head, text: f"{head} {text} {'});' if head.startswith('f(') else '}'}", st.sampled_from(blocks), body
        )

    statements = st.lists(st.recursive(st.sampled_from(simple), nested, max_leaves=5), min_size=1, max_size=4)
    return st.builds("{}\n{}\n}}".format, st.sampled_from(heads), statements.map("\n".join))


def agrees(text: str, name: str) -> bool:
    """Whether tokens print a function; if they do, the tree must print the same."""
    read = language(name)
    printed = TOKEN_PRINTERS[name](text, read)
    parsed = parse(text, read, lone=True)
    if printed is not None and not parsed.tree.root_node.has_error:
        assert printed == pretty(parsed)
    return printed is not None


@settings(max_examples=200)
@given(functions("java"))
def test_java_is_what_the_tree_says_wherever_that_is_sound(text: str) -> None:
    agrees(text, "java")


@settings(max_examples=200)
@given(functions("javascript"))
def test_javascript_is_what_the_tree_says_wherever_that_is_sound(text: str) -> None:
    agrees(text, "javascript")


_OTHER_TEXTS = {
    "java": (
        "if (a) { b(); }",
        "for (A b : c) { }",
        "for (;;) { a(); }",
        "synchronized (a) { b(); }",
        "int a = 1;",
        "a(); b();",
        "a(b) { }",
        "A(B b) { }",
        "{ a(); }",
        "static { a(); }",
        "class A { void f() { } }",
        "case 1: a(); break;",
        "try { } catch (E e) { }",
        "a: while (b) { }",
        "return new A() { };",
        "void f();",
        "default void f() { }",
    ),
    "javascript": (
        "if (a) { b }",
        "if (a && b) { c }",
        "for (let i = 0; i < 1; i++) { a }",
        "for (a of b) { c }",
        "while (a) { b }",
        "switch (a) { case 1: b }",
        "catch (a) { b }",
        "delete() { a }",
        "static() { a }",
        "a: while (b) c",
        "a: for (;;) { b }",
        "a: { b }",
        "a: b",
        "a = { b: 1 }",
        "a = b; c = d",
        "a",
        "a, b",
        "{ a }",
        "{ a: 1 }",
        "f(a) { b }",
        "f(a)",
        "return a",
        "const a = () => { b }",
        "(function () { a })()",
        "function () { a }",
        "class A { b() { } }",
        "async () => { a }",
        "get() { a }",
        "get a() { b }",
        "'a'() { b }",
        "[a]() { b }",
        "#a() { b }",
        "a = b => c, d",
        "x.y = 1",
    ),
}


@pytest.mark.parametrize(("name", "text"), [(name, one) for name, texts in _OTHER_TEXTS.items() for one in texts])
def test_a_text_that_may_not_be_a_function(name: str, text: str) -> None:
    agrees(text, name)


_LEFT_TO_THE_TREE = {
    "java": (
        "f(a < b, c > d);",
        "yield(1);",
        "record R(int a) { }",
        "enum A { B, C; }",
        "if (a instanceof R(int b)) { }",
        "a = (b) ! c;",
        "a = b(;",
        "} {",
    ),
    "javascript": (
        "return",
        "return\na;",
        "switch (a) { case 1: case 'b': c(); ; break\n default: d }",
        "for await (const a of b) { }",
        "switch (a) { case b ? c : d: }",
        "if (a) /b/.test(c)",
        "new.target",
        "a++\nb",
        "a\n++b",
        "a = <b>c</b>",
        "class A extends B { c() { } }",
        "const A = class { }",
        "import('a')",
        "debugger;",
        "return /* why */ a",
        "a = b(;",
        "} {",
    ),
}


@pytest.mark.parametrize(("name", "statement"), [(name, one) for name in _CASES for one in _CASES[name][1]])
def test_each_statement(name: str, statement: str) -> None:
    for head in _CASES[name][0]:
        printed = agrees(f"{head}\n{statement}\nb();\n}}", name)
        assert printed == (statement not in _LEFT_TO_THE_TREE[name])
