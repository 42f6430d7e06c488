"""Extraction: functions with exact lines, names, class paths and parameter types."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from clonetruth.code import (
    ExtractOptions,
    Function,
    TokenKind,
    decode,
    extract,
    extract_files,
    language,
    parse,
    read_source,
    source_files,
    token_stream,
)
from clonetruth.errors import InputError

JAVA = language("java")

FILE = """\
package demo;

public class Outer<T> {
    private int count = 0;

    /** Not part of the range. */
    @Deprecated
    public Outer(int count, String... names) {
        this.count = count;
    }

    <R> java.util.List<R> map(final Map<String, Integer> m, int[] k) {
        Runnable r = new Runnable() {
            public void run() { step(x -> x + 1); }
        };
        return null;
    }

    interface Shape { double area(double scale); }

    enum Colour { RED { @Override int code() { return 1; } }; abstract int code(); }
}
"""


def functions(text: str, **options: bool) -> tuple[Function, ...]:
    return extract(text, JAVA, ExtractOptions(**options)).functions


def test_names_lines_classes_and_parameters() -> None:
    found = [(f.qualified_name, f.first_line, f.last_line, f.parameter_types, f.sound) for f in functions(FILE)]
    assert found == [
        ("Outer.Outer", 7, 10, ("int", "String"), True),
        ("Outer.map", 12, 17, ("Map<String, Integer>", "int[]"), True),
        ("Outer.Runnable.run", 14, 14, (), True),
        ("Outer.Shape.area", 19, 19, ("double",), True),
        ("Outer.Colour.code", 21, 21, (), True),
        ("Outer.Colour.code", 21, 21, (), True),
    ]


def test_the_text_is_the_lines_it_names() -> None:
    lines = FILE.split("\n")
    for function in functions(FILE):
        assert function.text in "\n".join(lines[function.first_line - 1 : function.last_line])


def test_lambdas_are_optional() -> None:
    names = [f.qualified_name for f in functions(FILE, lambdas=True)]
    assert names.count("Outer.Runnable.<lambda>") == 1


def test_nested_functions_are_optional() -> None:
    python = language("python")
    text = "def outer():\n    def inner():\n        pass\n    return inner\n"
    assert [f.name for f in extract(text, python).functions] == ["outer"]
    nested = extract(text, python, ExtractOptions(nested=True)).functions
    assert [f.name for f in nested] == ["outer", "inner"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("public static void main(String[] args) { }", "main"),
        ("Foo(int a) { this.a = a; }", "Foo"),
        ("@Test public void works() throws Exception { }", "works"),
        ("    private <T extends Comparable<T>> T max(T a, T b) { return a; }\n", "max"),
        ("static int f() { return 1; } // a comment without an end of line", "f"),
    ],
)
def test_a_lone_method_parses(text: str, name: str) -> None:
    extraction = extract(text, JAVA, lone=True)
    assert not extraction.problems
    (function,) = extraction.functions
    assert (function.name, function.first_line) == (name, 1)


def test_broken_source_gives_what_parses() -> None:
    extraction = extract("class A { void good() { a(); } void bad( { b(); } void fine() { c(); } }", JAVA)
    names = {f.name: f.sound for f in extraction.functions}
    assert names["good"]
    assert names["fine"]
    assert extraction.problems


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings_and_line_ends_do_not_move_lines(newline: str, encoding: str) -> None:
    text = FILE.replace("demo", "dÃ©mo").replace("\n", newline)
    source = decode(text.encode(encoding))
    found = extract(source.text, JAVA).functions
    assert [(f.name, f.first_line, f.last_line) for f in found] == [
        (f.name, f.first_line, f.last_line) for f in functions(FILE)
    ]


def test_reformatting_changes_lines_but_not_functions() -> None:
    """Another layout of the same tokens gives the same functions with the same tokens."""
    stream = token_stream(parse(FILE, JAVA))
    draw = random.Random(7)
    gaps = (b" ", b"\n", b"\n\n\t", b" /* c */ ", b" // c\n")
    text = b"".join(part for token in stream.texts for part in (token, draw.choice(gaps))).decode()
    before, after = extract(FILE, JAVA), extract(text, JAVA)
    assert [(f.qualified_name, f.parameter_types) for f in after.functions] == [
        (f.qualified_name, f.parameter_types) for f in before.functions
    ]
    assert [s.texts for s in after.token_streams()] == [s.texts for s in before.token_streams()]


def test_streams_in_one_go_equal_streams_one_by_one() -> None:
    extraction = extract(FILE, JAVA)
    together = extraction.token_streams()
    alone = [extraction.tokens(function) for function in extraction.functions]
    assert [(s.texts, s.kinds, s.starts) for s in together] == [(s.texts, s.kinds, s.starts) for s in alone]


def test_token_classes() -> None:
    text = "Foo f(int a) { if (a >= 1.5e3) return new Foo(\"s\", 'c', true, null, this); }"
    kinds = {token.text: token.kind.name for token in token_stream(parse(text, JAVA, lone=True)).tokens()}
    assert kinds["Foo"] == "TYPE"
    assert kinds["f"] == kinds["a"] == "IDENTIFIER"
    assert kinds["int"] == kinds["if"] == kinds["this"] == "KEYWORD"
    assert kinds[">="] == "OPERATOR"
    assert kinds["{"] == "PUNCTUATION"
    assert [kinds[t] for t in ("1.5e3", '"s"', "'c'", "true", "null")] == [
        "NUMBER",
        "STRING",
        "CHARACTER",
        "BOOLEAN",
        "NULL",
    ]


def test_a_name_is_a_type_only_where_it_is_one() -> None:
    text = "void f() { String String = String.valueOf(1); }"
    tokens = [t.kind for t in token_stream(parse(text, JAVA, lone=True)).tokens() if t.text == "String"]
    assert tokens == [TokenKind.TYPE, TokenKind.IDENTIFIER, TokenKind.IDENTIFIER]


def test_starts_point_at_the_tokens() -> None:
    parsed = parse('void f() { // é\n  Type x = "ü"; }', JAVA, lone=True)
    stream = token_stream(parsed)
    assert [
        parsed.source[start : start + len(text)] for start, text in zip(stream.starts, stream.texts, strict=True)
    ] == (stream.texts)


@pytest.mark.slow
def test_deep_nesting_and_large_files_do_not_crash() -> None:
    deep = "void f() { x = " + "(" * 10_000 + "1" + ")" * 10_000 + "; }"
    assert extract(deep, JAVA, lone=True).functions[0].name == "f"
    blocks = "void f() " + "{" * 10_000 + "}" * 10_000
    assert extract(blocks, JAVA, lone=True).functions[0].name == "f"
    method = 'void f() { a(1, 2, 3); b("text"); }\n'
    large = "class A {\n" + method * (10_000_000 // len(method)) + "}\n"
    assert len(extract(large, JAVA).functions) == 10_000_000 // len(method)


def test_folders_give_files_of_known_languages_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "Z.java").write_text("class Z { void z() {} }")
    (tmp_path / "a.py").write_text("def a():\n    pass\n")
    (tmp_path / "notes.txt").write_text("void no() {}")
    (tmp_path / "b" / "loop").symlink_to(tmp_path)
    assert [p.name for p in source_files([tmp_path])] == ["a.py", "Z.java"]
    assert [p.name for p in source_files([tmp_path], ["java"])] == ["Z.java"]
    results = list(extract_files(source_files([tmp_path]), processes=2))
    assert [f.name for one in results for f in one.functions] == ["a", "z"]


def test_unreadable_and_binary_files_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_bytes(b"\x7fELF\x00\x00\x01")
    (tmp_path / "B.java").write_text("class B { void b() {} }")
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/C\xff.java")
    Path(odd).write_text("class C { void c() {} }")
    results = list(extract_files(source_files([tmp_path])))
    assert [(bool(one.error), len(one.functions)) for one in results] == [(True, 0), (False, 1), (False, 1)]
    assert "binary" in (results[0].error or "")


def test_a_missing_path_is_an_error() -> None:
    with pytest.raises(InputError, match="no such file"):
        list(source_files([Path("does/not/exist")]))
    with pytest.raises(InputError, match="Cannot read"):
        read_source(Path("does/not/exist"))
