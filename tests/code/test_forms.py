"""Normal forms and the pretty-printer of Java, rule by rule as BigCloneBench has them."""

from __future__ import annotations

import pytest

from clonetruth.code import Form, form_digest, form_lines, fragment_forms, language, normal_form

JAVA = language("java")


def lines(text: str, form: Form = Form.TYPE1) -> list[str]:
    return [line.strip() for line in normal_form(text, JAVA, form).split("\n")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("void f(){a();b();}", ["void f () {", "a ();", "b ();", "}"], id="a statement a line"),
        pytest.param(
            "void f(){while(c)a();b();}", ["void f () {", "while (c) a ();", "", "b ();", "}"], id="blank line"
        ),
        pytest.param("void f(){while(c);b();}", ["void f () {", "while (c);", "", "b ();", "}"], id="empty body stays"),
        pytest.param("void f(){;a();;}", ["void f () {", "a ();", "}"], id="empty statements go"),
        pytest.param(
            "void f(){if(c){a();}else{b();}d();}",
            ["void f () {", "if (c) {", "a ();", "} else {", "b ();", "}", "d ();", "}"],
            id="no break before else",
        ),
        pytest.param(
            "void f(){for(int i=0;i<n;i++)a();}",
            ["void f () {", "for (int i = 0;", "i < n; i ++) a ();", "", "}"],
            id="a declaration splits the header of for",
        ),
        pytest.param(
            "void f(){for(i=0;i<n;i++)a();}",
            ["void f () {", "for (i = 0; i < n; i ++) a ();", "", "}"],
            id="an assignment does not",
        ),
        pytest.param(
            "void f(){switch(x){case 1:a();break;default:b();}}",
            ["void f () {", "switch (x) {", "case 1 :", "a ();", "break;", "default :", "b ();", "}", "}"],
            id="labels",
        ),
        pytest.param("@Override void f(){}", ["@Override", "void f () {", "}"], id="annotations"),
        pytest.param(
            "void f(){try{a();}catch(E e){b();}finally{c();}}",
            ["void f () {", "try {", "a ();", "} catch (E e) {", "b ();", "} finally {", "c ();", "}", "}"],
            id="no break before catch",
        ),
        pytest.param("void f(){do{a();}while(c);}", ["void f () {", "do {", "a ();", "} while (c);", "}"], id="do"),
        pytest.param("void f(){int[] a={1,2};}", ["void f () {", "int [] a = {1, 2};", "}"], id="array initialiser"),
        pytest.param("abstract void f();", ["abstract void f ();"], id="no body"),
        pytest.param("// c\nvoid f() /* x */ { }", ["void f () {", "}"], id="comments go"),
    ],
)
def test_pretty_printed_lines(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


def test_two_breaks_after_a_class_body() -> None:
    printed = lines("Object f(){return new A(){void g(){}};}")
    assert printed == ["Object f () {", "return new A () {", "void g () {", "}}", "", ";", "}"]


def test_lines_wrap_at_1024_characters() -> None:
    numbers = ", ".join(["1234567"] * 300)
    wrapped = normal_form(f"void f() {{ int[] a = {{{numbers}}}; }}", JAVA, Form.TYPE1).split("\n")
    assert len(wrapped) == 2 + 3
    assert all(len(line) <= 1024 for line in wrapped)


def test_symbols() -> None:
    text = "void f(Map m) { this.x = m.get(\"k\", 1, 'c', true, null); y = x; }"
    assert lines(text, Form.BLIND)[1] == "ID.ID = ID.ID (LIT, LIT, LIT, LIT, LIT);"
    consistent = lines(text, Form.CONSISTENT)
    assert consistent[0] == "void ID1 (ID2 ID3) {"
    assert consistent[1] == "this.ID4 = ID3.ID5 (LIT:string, LIT:number, LIT:character, LIT:boolean, LIT:null);"
    assert consistent[2] == "ID6 = ID4;"


def test_a_literal_with_a_dot_is_one_token_of_the_sequence() -> None:
    plain = fragment_forms('boolean f(String s) { return "a".equals(s); }', JAVA)
    variable = fragment_forms("boolean f(String s) { return a.equals(s); }", JAVA)
    assert len(plain.tokens) == len(variable.tokens) - 1


def test_right_angles_are_never_merged() -> None:
    merged = fragment_forms("int f(int a) { a >>= 1; return a >> 2; }", JAVA)
    assert merged.tokens.count(b">") == 3
    assert merged.tokens.count(b">=") == 1
    assert b">>" not in merged.tokens


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "}{",
        "int",
        "class A {",
        "void f() { if (",
        "\x00\x01\x02",
        "é€😀",
        '"unterminated',
        "/* open",
        "'",
        "@",
    ],
)
def test_odd_texts_have_forms_too(text: str) -> None:
    form = fragment_forms(text, JAVA)
    assert fragment_forms(text, JAVA) == form
    for name in Form:
        assert isinstance(normal_form(text, JAVA, name), str)


@pytest.mark.parametrize("form", Form)
def test_lines_without_blank_ones(form: Form) -> None:
    text = 'void f() { while (c) a(1); /* then */ b("x y"); }'
    bare = ["".join(line.split()) for line in lines(text, form) if line]
    assert ["".join(line.decode().split()) for line in form_lines(text, JAVA, form)] == bare
    assert form_lines("// nothing", JAVA, form) == []


@pytest.mark.parametrize(
    ("other", "equal"),
    [
        ("int f(int a){return a+1;} // why", {Form.TYPE1, Form.CONSISTENT, Form.BLIND}),
        ("int g(int b) { return b + 2; }", {Form.CONSISTENT, Form.BLIND}),
        ("int g(int b) { return c + 'x'; }", {Form.BLIND}),
        ("int g(int b) { return b - 1; }", set()),
    ],
)
def test_digests_are_equal_where_forms_are(other: str, equal: set[Form]) -> None:
    text = "int f(int a) { return a + 1; }"
    assert {form for form in Form if form_digest(text, JAVA, form) == form_digest(other, JAVA, form)} == equal
    assert form_digest(";", JAVA, Form.BLIND) == form_digest("", JAVA, Form.TYPE1) is None
