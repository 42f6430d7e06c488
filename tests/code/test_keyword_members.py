"""Members spelled like keywords, methods of classes without a name, and names that end in an operator."""

from __future__ import annotations

import pytest

from clonetruth.code import extract, language
from clonetruth.code.parsing import parse
from clonetruth.code.tokens import token_stream

MEMBERS = {
    "php": (
        "<?php function f($a) { $a->NAME(1); $a->NAME = 2; $a?->NAME(); A::NAME(); }",
        "list match print from default",
    ),
    "php methods": ("<?php class A { function NAME() { return B::NAME; } }", "list match print from default"),
    "javascript": ("function f(a) { a.NAME(1); a.NAME = 2; a?.NAME(); }", "catch delete default null"),
    "ruby": ("def f(a)\n a.NAME(1)\n a&.NAME\n A.NAME()\nend\ndef self.NAME(x)\n x\nend", "class then next end nil"),
    "swift": ("func f(a: A) { a.NAME(1)\n a.NAME = 2\n let b: B = .NAME\n}", "default repeat in"),
    "dart": ("void f(A a) { a.NAME(1); a?.NAME(); a..NAME(2); a.NAME = 3; }", "get set on show part"),
    "dart methods": ("class A { int NAME(int x) { return x; } }", "get set on show"),
}


@pytest.mark.parametrize(
    ("name", "word"), [(name, word) for name, (_, words) in MEMBERS.items() for word in words.split()]
)
def test_a_member_spelled_like_a_keyword_is_a_name(name: str, word: str) -> None:
    text, own = MEMBERS[name][0], language(name.split()[0])
    renamed, plain = (parse(text.replace("NAME", one), own) for one in (word, "other"))
    assert not renamed.broken_share
    assert bytes(token_stream(renamed).kinds) == bytes(token_stream(plain).kinds)


ANONYMOUS = {
    "java": "class A { void start() { f(new Listener() { void inner(int a) { g(a); } }); } }",
    "kotlin": "class A {\n fun start() {\n f(object : Listener {\n fun inner(a: Int) { g(a) }\n })\n }\n}\n",
    "scala": "class A { def start() = { f(new Listener { def inner(a: Int) = { g(a) } }) } }",
    "php": "<?php class A { function start() { return new class { function inner($a) { return $a; } }; } }",
}


@pytest.mark.parametrize("name", ANONYMOUS)
def test_methods_of_a_class_without_a_name_are_functions(name: str) -> None:
    found = [one.qualified_name for one in extract(ANONYMOUS[name], language(name)).functions]
    assert found == ["A.start", "A.class.inner" if name == "php" else "A.Listener.inner"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ruby", "class A\n def size=(x)\n  x\n end\nend", "A.size="),
        ("cpp", "struct A { A& operator=(const A& a) { return *this; } };", "A.operator="),
    ],
)
def test_names_that_end_in_an_assignment_have_no_blank(name: str, text: str, expected: str) -> None:
    assert [one.qualified_name for one in extract(text, language(name)).functions] == [expected]


def test_an_empty_list_in_an_annotation_of_kotlin_does_not_lose_the_class() -> None:
    text = '@A(x = [], y = "[]") // "[]\nclass B : C() {\n  fun first() {\n    d("[]")\n  }\n}\n'
    found = extract(text, language("kotlin"))
    assert [one.qualified_name for one in found.functions] == ["B.first"]
    assert not found.problems
    assert 'd("[]")' in found.functions[0].text
