"""The outline of Java files: the functions that their trees have, without the trees."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import decode, extract, language
from clonetruth.code.outline import OUTLINES
from clonetruth.code.vocabulary import Vocabulary
from tests.conformance.test_languages import sample

JAVA = language("java")
FunctionLocation = tuple[str, int, int, int, int]
"""Name, first and last line, start and end of a function."""


def outlined(texts: Sequence[str]) -> list[list[FunctionLocation] | None]:
    """The functions of each text by its tokens; None if that is doubtful."""
    outline_of = OUTLINES["java"]
    data = [text.encode() for text in texts]
    lexed = Vocabulary(JAVA, outline_of.marks, outline_of.name_mark).lex(data)
    outline = outline_of(lexed, data)
    found: list[list[FunctionLocation] | None] = [None if doubtful else [] for doubtful in outline.doubtful]
    names = outline.qualified_names(np.arange(len(outline.first)))
    for name, first, last in zip(names, outline.first.tolist(), outline.last.tolist(), strict=True):
        text = int(lexed.text_of(np.array([first]))[0])
        breaks, base = lexed.text_breaks[text], lexed.text_starts[text]
        first_line, last_line = (int(lexed.breaks[token] - breaks) + 1 for token in (first, last))
        functions = found[text]
        assert functions is not None, "a doubtful text has no functions"
        functions.append((name, first_line, last_line, int(lexed.starts[first] - base), int(lexed.ends[last] - base)))
    return found


def parsed(text: str) -> list[FunctionLocation]:
    functions = extract(text, JAVA).functions
    return [(f.qualified_name, f.first_line, f.last_line, f.start, f.end) for f in functions]


CLASSES = {
    "plain": "class A { int f(int a) { return a; } A() { } A(int x) { this(); } }",
    "annotations": 'class A { @B({1, 2}) @C(x = "{") /* why */ @Override\n public int f() { return 1; } }',
    "comment before": "class A {\n /** f(x) { */\n // g() {\n int f() { return 1; }\n}",
    "throws": "class A { void f() throws X, a.b.Y { } abstract void g() throws X; }",
    "generic": "class A<T extends B<T>> { <R extends C<R>> List<R> f(Map<R, T[]> m) { return null; } }",
    "arrays": "class A { int[] f(int[]... a) { int[] b = {1, 2}; int[][] c = new int[][] {{1}}; return b; } }",
    "interface": "interface A { int f(int a); default int g() { return 1; } static void h() { } int K = k(1); }",
    "annotation type": "@interface A { int value() default 1; String[] names() default {}; Class<?> c(); }",
    "fields": "class A { boolean b = x > f(1), c = g(); L l = L.<S>of(); int[] a = {f(), g()}; int h() { return 1; } }",
    "anonymous": "class A { R r = new R() { public void f() { } }; void g() { h(new X<Y, Z>(1) { int k() { } }); } }",
    "created with created": "class A { Object o = new X(new Y() { void f() { } }) { void g() { } }.h(); }",
    "qualified creation": "class A { Object o = new a.b.C() { void f() { } }; Object p = q.new D() { void g() { } }; }",
    "local class": "class A { void f() { class B { void g() { } } enum E { X { void h() { } } } } }",
    "enum": "enum A { X(1) { int f() { return 1; } }, Y, @B(1) Z() { }; A(int i) { } int f() { return g(1); } }",
    "enum of constants": "enum A { X(1) { int f() { return 1; } }, Y { void g() { } } }",
    "enum without constants": "enum A { ; A() { } static int f() { return 1; } }",
    "control": "class A { void f() { if (a()) { } for (;;) { } while (x) { } do { } while (y()); switch (z()) { } } }",
    "try": "class A { void f() { try (R r = g()) { } catch (X | Y e) { } finally { h(); } synchronized (this) { } } }",
    "lambda": "class A { F f = (a, b) -> { g(a); }; void h() { l(x -> { k(x); }); } }",
    "switch": "class A { int f(O o) { return switch (o) { case P(int x) when g(x) -> { yield 1; } default -> 2; }; } }",
    "initialisers": "class A { static { f(); } { g(); } void f() { } }",
    "nested": "class A { class B { void f() { } interface C { void g(); } } class D extends B { D() { super(); } } }",
    "class literals": "class A { Class<?> c = A.class; void f() { g(A.class); } }",
    "stray semicolons": "class A { ; void f() { } ; void g() { }; }",
    "text block": 'class A { String s = """\n void f() { " } """; void g() { } }',
    "characters": "class A { char c = '{', d = '\\''; String s = \"\\\"}\"; void f() { } }",
    "names like keywords": "class A { void record() { } void yield(int when) { } int sealed() { return permits(1); } }",
    "receiver": "class A { void f(A this, @B int x) { } native void g(); synchronized void h() { } }",
    "empty": "",
    "only a comment": "// nothing",
    "beyond ASCII": 'class Ä { void größe() { String s = "€"; } void f() { } }',
}


@pytest.mark.parametrize("name", CLASSES)
def test_tokens_tell_what_the_tree_tells(name: str) -> None:
    assert outlined([CLASSES[name]]) == [parsed(CLASSES[name])]


def test_texts_do_not_touch_each_other() -> None:
    texts = [*CLASSES.values(), "class A { void f() { }", *CLASSES.values()]
    assert outlined(texts) == [None if text.endswith("{ }") else parsed(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "class A { void f() { }",
        "class A { void f( { ) } }",
        "} class A { void f() { } {",
        "record R(int a) { R { } void f() { } }",
        "class A { Object o = new @B C() { void f() { } }; }",
        "class A { int f()[] { return null; } }",
        "void f() { }",
        'class A { String s = "; void f() { } }',
        "#if X\nclass A { void f() { } }\n#endif",
        "class A { void f() { \\u007d }",
    ],
)
def test_what_is_odd_is_left_to_the_tree(text: str) -> None:
    assert outlined([text]) == [None]


def test_the_conformance_sample_without_its_record() -> None:
    text = sample("java")
    assert outlined([text]) == [None]
    start = text.index("record Line")
    plain = text[:start] + text[text.index("public abstract class Stock") :]
    assert outlined([plain]) == [parsed(plain)]
    assert len(parsed(plain)) == 10


def test_any_depth() -> None:
    deep = "class A { void f() { int x = " + "(" * 40_000 + "1" + ")" * 40_000 + "; } void g() { } }"
    assert outlined([deep, "class B { void h() { } }"]) == [
        [("A.f", 1, 1, 10, len(deep) - 15), ("A.g", 1, 1, len(deep) - 14, len(deep) - 2)],
        [("B.h", 1, 1, 10, 22)],
    ]


_MEMBERS = (
    "int x = f(1), y[] = {g(), 2};",
    "@A(b = {1, 2}) public <T> void f(List<? super T> a, int... b) throws X, Y { g(); }",
    "abstract int f(int a);",
    "static { if (f()) { g(); } }",
    "Object o = new B<C>(x -> { f(x); }) { @Override public int h() { return 1; } };",
    "enum E { P, Q(1) { void f() { } }; E(int... a) { } }",
    "@interface N { int value() default 1; }",
    "// } void f() {\n",
    ";",
    "void g() { int[] a = new int[] {1}; class L { void m() { } } for (int i = f(); ; ) { } }",
)
_members = st.recursive(
    st.sampled_from(_MEMBERS),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: "\nclass K { " + "\n ".join(parts) + " }"),
    max_leaves=12,
)


@settings(max_examples=60)
@given(st.lists(_members, max_size=5), st.data())
def test_the_outline_of_any_class_agrees_with_its_tree(members: list[str], data: st.DataObject) -> None:
    text = "package p;\nabstract class Outer {\n" + "\n".join(members) + "\n}\n"
    assert outlined([text]) == [parsed(text)]
    cut = text[: data.draw(st.integers(0, len(text)))]
    (outlines,) = outlined([cut])
    assert outlines is None or outlines == parsed(cut) or extract(cut, JAVA).problems


def test_outlines_of_real_programs_agree_with_their_trees(shared_data: Path) -> None:
    """1,444 programs of Google Code Jam."""
    with zipfile.ZipFile(shared_data / "gcj" / "googlejam4_src.zip") as archive:
        texts = [decode(archive.read(name)).text for name in archive.namelist() if name.endswith(".java")]
    outlines = outlined(texts)
    clear = [(text, found) for text, found in zip(texts, outlines, strict=True) if found is not None]
    assert len(clear) > 0.98 * len(texts)
    different = [text for text, found in clear if found != parsed(text) and not extract(text, JAVA).problems]
    assert different == []
