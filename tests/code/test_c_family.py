"""C, C++ and C#: tokens, directives, layout, functions, names."""

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

ALL = ExtractOptions(nested=True, lambdas=True)


def lines(text: str, name: str) -> list[str]:
    return [line.strip() for line in normal_form(text, language(name), Form.TYPE1).split("\n")]


def kinds(text: str, name: str) -> dict[str, TokenKind]:
    return {token.text: token.kind for token in token_stream(parse(text, language(name))).tokens()}


def functions(text: str, name: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(f.qualified_name, f.parameter_types) for f in extract(text, language(name), ALL).functions]


def same(left: str, right: str, name: str) -> bool:
    return fragment_forms(left, language(name)).type1 == fragment_forms(right, language(name)).type1


class TestDirectives:
    @pytest.mark.parametrize("name", ["c", "cpp"])
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("#  include   <a.h>\nint x;", "#include <a.h>\n\n\nint x;"),
            ("#define X 1 // one\nint x;", "#define X /* one */ 1\nint x;"),
            ("#define SUM(a, b) \\\n  (a) + \\\n  (b)\n", "#define SUM(a,b) (a)+(b)\n"),
            ("#if A // a\nint x;\n#endif // A\n", "# if A\nint x;\n# endif\n"),
            ("void f() {\n#ifdef A\n;\n#endif\n}", "void f() {\n#ifdef A\n#endif\n}"),
        ],
    )
    def test_what_is_only_layout(self, name: str, left: str, right: str) -> None:
        assert same(left, right, name)

    @pytest.mark.parametrize("name", ["c", "cpp"])
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("#define X\nf();", "#define X f();\n"),
            ("#define F(x)\n", "#define F (x)\n"),
            ("#define A 1\n#define B 2\n", "#define A 1 \\\n#define B 2\n"),
        ],
    )
    def test_where_a_directive_ends_counts(self, name: str, left: str, right: str) -> None:
        assert not same(left, right, name)

    def test_a_directive_has_its_line(self) -> None:
        text = "void f() { a(); \n#ifdef X\n b(); \n#else\n c(); \n#endif\n }"
        assert lines(text, "c") == ["void f () {", "a ();", "#ifdef X", "b ();", "#else", "c ();", "#endif", "}"]

    def test_a_macro_with_parameters_stays_one(self) -> None:
        assert lines("#define MAX(a,b) ((a)>(b)?(a):(b))\n", "c") == ["#define MAX(a, b) ((a) > (b) ? (a) : (b))"]
        assert lines("#define ONE (1)\n", "c") == ["#define ONE (1)"]

    def test_its_words_are_keywords_there_only(self) -> None:
        found = kinds("#include <a.h>\n#define include 1\n#if defined(X)\nint defined;\n#endif\n", "c")
        assert found["#include"] == found["#define"] == found["#if"] == TokenKind.KEYWORD
        assert found["include"] == TokenKind.IDENTIFIER
        assert found["<a.h>"] == TokenKind.STRING

    def test_the_last_line_needs_no_line_break(self) -> None:
        assert parse("#define X 1", language("c"), lone=True).problems == ()
        assert same("#define X 1", "#define X 1\n", "c")

    def test_regions_are_comments(self) -> None:
        assert same("class A {\n#region It's\nint x;\n#endregion\n}", "class A { int x; }", "csharp")

    def test_other_directives_of_csharp_are_not(self) -> None:
        text = "class A {\n#if DEBUG\nint x;\n#else\nint y;\n#endif\n#pragma warning disable 1\n}"
        assert lines(text, "csharp")[1:-1] == [
            "#if DEBUG",
            "int x;",
            "#else",
            "int y;",
            "#endif",
            "#pragma warning disable 1",
        ]
        assert not same("#define X\nclass A { }", "class A { }", "csharp")


class TestTokens:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("c", "0x1F"),
            ("c", "1.5e-3f"),
            ("c", ".5"),
            ("c", "0x1.8p-3"),
            ("c", "10ull"),
            ("cpp", "1'000'000.5"),
            ("cpp", "0b1010'1010"),
            ("cpp", "12_km"),
            ("csharp", "1_000.5m"),
            ("csharp", "0xFF_FFul"),
        ],
    )
    def test_numbers_are_one_token(self, name: str, text: str) -> None:
        assert kinds(f"int x = {text};", name)[text] == TokenKind.NUMBER

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("c", '"a\\"b"'),
            ("c", 'L"wide"'),
            ("c", 'u8"x"'),
            ("cpp", 'R"(a "b")"'),
            ("cpp", 'R"x(a )" b)x"'),
            ("cpp", 'LR"(a\nb)"'),
            ("cpp", '"text"s'),
            ("csharp", '@"c:\\ ""x"""'),
            ("csharp", '$"a {b + "c"} {{d}}"'),
            ("csharp", '$@"a {b}\n""c"""'),
            ("csharp", '"""a "b" c"""'),
        ],
    )
    def test_strings_are_one_token(self, name: str, text: str) -> None:
        declaration = {"c": "char *x = {};", "cpp": "auto x = {};", "csharp": "class A {{ object x = {}; }}"}[name]
        assert kinds(declaration.format(text), name)[text] == TokenKind.STRING

    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            ("c", "x = 0xE+1;", ["x", "=", "0xE", "+", "1", ";"]),
            ("c", "a >>= b >> c;", ["a", ">>=", "b", ">>", "c", ";"]),
            ("cpp", "a >>= b >> c;", ["a", ">", ">=", "b", ">", ">", "c", ";"]),
            ("cpp", "v<v<int>> x;", ["v", "<", "v", "<", "int", ">", ">", "x", ";"]),
            ("cpp", "a <=> b->*c;", ["a", "<=>", "b", "->*", "c", ";"]),
            ("csharp", "x = a[1..^2] ?? b;", ["x", "=", "a", "[", "1", "..", "^", "2", "]", "??", "b", ";"]),
            ("csharp", "x = 1.ToString();", ["x", "=", "1", ".", "ToString", "(", ")", ";"]),
        ],
    )
    def test_operators(self, name: str, text: str, expected: list[str]) -> None:
        assert [token.text for token in token_stream(parse(text, language(name))).tokens()] == expected

    def test_words_that_are_keywords_in_their_place(self) -> None:
        found = kinds("struct A final : B { void f() override; int final; };", "cpp")
        assert found["override"] == TokenKind.KEYWORD
        text = "class A { int P { get; set; } int get() { var x = 1; return x; } }"
        tokens = token_stream(parse(text, language("csharp"))).tokens()
        assert [token.kind.name for token in tokens if token.text == "get"] == ["KEYWORD", "IDENTIFIER"]
        assert [token.kind.name for token in tokens if token.text in ("var", "set")] == ["KEYWORD", "KEYWORD"]

    def test_literals_that_are_words(self) -> None:
        found = kinds("void f() { a = true; b = nullptr; c = NULL; d = 'x'; }", "cpp")
        assert found["true"] == TokenKind.BOOLEAN
        assert found["nullptr"] == found["NULL"] == TokenKind.NULL
        assert found["'x'"] == TokenKind.CHARACTER


class TestLayout:
    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            pytest.param("c", "int f(){a();b();}", ["int f () {", "a ();", "b ();", "}"], id="a statement a line"),
            pytest.param(
                "c",
                "void f(){for(int i=0;i<9;i++){a();}}",
                ["void f () {", "for (int i = 0; i < 9; i ++) {", "a ();", "}", "}"],
                id="the head of a loop stays together",
            ),
            pytest.param(
                "c", "void f(){while(c);b();}", ["void f () {", "while (c);", "", "b ();", "}"], id="empty body stays"
            ),
            pytest.param("c", "void f(){;a();;}", ["void f () {", "a ();", "}"], id="empty statements go"),
            pytest.param(
                "c",
                "void f(){switch(a){case 1:b();default:;}x:c();}",
                ["void f () {", "switch (a) {", "case 1 :", "b ();", "default :", "}", "x :", "c ();", "}"],
                id="labels",
            ),
            pytest.param(
                "c",
                "struct s{int a;}; enum e{A,B}; int x[]={1,2};",
                ["struct s {", "int a;", "};", "enum e {A, B};", "int x [] = {1, 2};"],
                id="declarations",
            ),
            pytest.param(
                "c", "int f(a,b)int a;int b;{}", ["int f (a, b) int a;", "int b;", "{", "}"], id="old parameters"
            ),
            pytest.param(
                "cpp",
                "class A{public:A():x(1){};int x;};",
                ["class A {", "public :", "A () : x (1) {", "}", "int x;", "};"],
                id="class",
            ),
            pytest.param(
                "cpp",
                "template<class T>T f(){try{g();}catch(...){}}",
                ["template < class T >", "T f () {", "try {", "g ();", "} catch (...) {", "}", "}"],
                id="template and try",
            ),
            pytest.param(
                "csharp",
                "class A{[X]int P{get;set;}=1;void M(){if(a)b();else c();}}",
                [
                    *("class A {", "[X]", "int P {", "get;", "set;", "} = 1;", "void M () {"),
                    *("if (a) b ();", "else c ();", "", "}", "}"),
                ],
                id="members of C#",
            ),
        ],
    )
    def test_rule(self, name: str, text: str, expected: list[str]) -> None:
        assert lines(text, name) == expected


class TestFunctions:
    def test_c(self) -> None:
        text = """
            int prototype(int a);
            static char **f(const char *a, int (*callback)(double), struct s b[], ...) { return 0; }
            int none(void) { int local(int x); return 1; }
            int unnamed(int) { return 1; }
        """
        assert functions(text, "c") == [
            ("f", ("char", "int", "struct s", "...")),
            ("none", ()),
            ("unnamed", ("int",)),
        ]

    def test_cpp(self) -> None:
        text = """
            namespace n { class A {
                A(int a) : x(a) {}
                A(const A&) = delete;
                virtual ~A() {}
                bool operator==(const A& other) const { return true; }
                operator bool() { return true; }
                void later(int);
                template <class T> T t(T&& a, int = 3) { return a; }
            }; }
            int n::A::out(int a) { auto g = [](int b) { return b; }; return a; }
            template <> void B<int>::f<int>() {}
            A& A::operator+=(int n) { return *this; }
        """
        assert functions(text, "cpp") == [
            ("n.A.A", ("int",)),
            ("n.A.~A", ()),
            ("n.A.operator==", ("A",)),
            ("n.A.operator bool", ()),
            ("n.A.t", ("T", "int")),
            ("n.A.out", ("int",)),
            ("n.A.<lambda>", ()),
            ("B.f", ()),
            ("A.operator+=", ("int",)),
        ]

    def test_csharp(self) -> None:
        text = """
            namespace N.M { class A<T> : B {
                A(int a) : base(a) { }
                ~A() { }
                int P { get { return 1; } }
                public static A<T> operator +(A<T> a, A<T> b) => a;
                public static explicit operator int(A<T> a) { return 1; }
                abstract void Later(ref int a, params string[] more);
                void F() { int Inner(int x) { return x; } Run(x => x + 1); }
            } }
        """
        assert functions(text, "csharp") == [
            ("N.M.A.A", ("int",)),
            ("N.M.A.~A", ()),
            ("N.M.A.operator+", ("A<T>", "A<T>")),
            ("N.M.A.operator int", ("A<T>",)),
            ("N.M.A.Later", ("int", "string[]")),
            ("N.M.A.F", ()),
            ("N.M.A.Inner", ("int",)),
            ("N.M.A.<lambda>", ()),
        ]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("c", "main() { return 0; }"),
            ("c", "a = 1; return a;"),
            ("cpp", "A(int a) : x(a) {}"),
            ("cpp", "virtual void f() const override {}"),
            ("cpp", "public: int f() { return 1; }"),
            ("cpp", "int x = 1; if (x) return x;"),
            ("csharp", "public A(int a) : base(a) { }"),
            ("csharp", "int x = 1; return x;"),
            ("csharp", "x => x + 1"),
        ],
    )
    def test_a_part_of_a_file_parses(self, name: str, text: str) -> None:
        assert parse(text, language(name), lone=True).problems == ()


class TestNames:
    def test_a_field_and_its_uses_change_together(self) -> None:
        text = "struct p { int x; }; int f(struct p *q) { return q->x + q->other; }"
        expected = "struct Type0 { int var1; }; int f(struct Type0 *var2) { return var2->var1 + var2->other; }"
        assert abstract(text, language("c"), 1) == expected

    def test_macros_keep_their_names(self) -> None:
        text = "#define TWICE(a) ((a) * N)\nint f(int a) { return TWICE(a); }"
        expected = "#define TWICE(a) ((a) * N)\nint f(int var1) { return TWICE(var1); }"
        assert abstract(text, language("c"), 2) == expected

    def test_a_constructor_is_called_like_its_class(self) -> None:
        text = "class A { A(int a) : b(a) {} ~A() {} int b; }; A::A() { std::max(b, 1); }"
        expected = (
            "class Type0 { Type0(int var1) : var2(var1) {} ~Type0() {} int var2; }; "
            "Type0::Type0() { std::max(var2, 1); }"
        )
        assert abstract(text, language("cpp"), 1) == expected
