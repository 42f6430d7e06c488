"""Python: tokens, layout, functions, names."""

from __future__ import annotations

import pytest

from clonetruth.code import ExtractOptions, Form, TokenKind, extract, language, normal_form, parse, token_stream
from clonetruth.code.forms import fragment_forms
from clonetruth.code.pretty import pretty

PYTHON = language("python")


def shown(text: str) -> str:
    return " ".join(token.decode() for token in pretty(parse(text, PYTHON, lone=True)).texts)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("if a: b; c", "if a:\n    b\n    c\n"),
        ("a; b;", "a\nb"),
        ("x = (1,\n     2)", "x = (1, 2)"),
        ("x = 1 + \\\n    2", "x = 1 + 2"),
        ("def f(): # c\n    # d\n    return 1  # e\n", "def f():\n  return 1"),
        ('def f():\n    """Says what it does."""\n    return 1', "def f():\n    return 1"),
        ('class A:\n    # c\n    r"doc"\n    x = 1', "class A:\n    x = 1"),
        ('"""Module."""\nimport a', "import a"),
        ("    def f(self):\n        return 1\n", "def f(self):\n    return 1\n"),
        ("@d\n    def f(self):\n        return 1", "@d\ndef f(self):\n    return 1"),
        ("match x:\n    case 1: a", "match x:\n  case 1:\n    a"),
        ("class A: pass", "class A:\n    pass"),
    ],
)
def test_what_is_only_layout_or_documentation(left: str, right: str) -> None:
    assert fragment_forms(left, PYTHON).type1 == fragment_forms(right, PYTHON).type1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("if a:\n    b\n    c", "if a:\n    b\nc"),
        ("if a:\n    if b:\n        c\n    else:\n        d", "if a:\n    if b:\n        c\nelse:\n    d"),
        ("f(a,)", "f(a)"),
        ("a\n(b)", "a(b)"),
        ('x = 1\n"not a docstring"', "x = 1"),
        ('def f():\n    f"{x}"\n', "def f():\n    pass\n"),
        ('def f():\n    "doc"\n', "def f():\n    pass\n"),
        ('x = "a b"', 'x = "a  b"'),
    ],
)
def test_what_is_a_difference(left: str, right: str) -> None:
    assert fragment_forms(left, PYTHON).type1 != fragment_forms(right, PYTHON).type1


def test_blocks_and_line_ends_are_tokens() -> None:
    assert shown("@d\ndef f(a):\n    if a: return 1\n    b\n") == ("@ d ⏎ def f ( a ) : ⇥ if a : ⇥ return 1 ⏎ ⇤ b ⏎ ⇤")


def test_one_statement_per_line() -> None:
    text = (
        "@d(1)\ndef f(a):\n  '''doc'''\n  if a: b; c\n  elif d: pass\n"
        "  else:\n    for i in a: print(i)\n  return [\n    1]\n"
    )
    assert normal_form(text, PYTHON, Form.TYPE1).splitlines() == [
        "@d (1)",
        "def f (a) :",
        "    if a :",
        "        b",
        "        c",
        "    elif d :",
        "        pass",
        "    else :",
        "        for i in a :",
        "            print (i)",
        "    return [1]",
    ]


def test_code_in_an_f_string_is_seen() -> None:
    def consistent(text: str) -> bytes:
        return fragment_forms(text, PYTHON).consistent

    assert shown('f"a{b!r:>{w}}c"') == 'f" a { b !r : > { w } } c " ⏎'
    assert consistent('def f(x):\n    return f"<{x}>"') == consistent('def f(y):\n    return f"({y})"')
    assert consistent('def f(x):\n    return f"<{x}>"') != consistent('def f(x):\n    return f"<{z}>"')


def test_token_classes() -> None:
    text = "x = None if not a.match else rb'''q\n''' + 0x1F + 1.5e-3j\nmatch x:\n  case True: print(1if b else 2)\n"
    kinds = {token.text: token.kind for token in token_stream(parse(text, PYTHON)).tokens()}
    assert kinds["None"] is TokenKind.NULL
    assert kinds["True"] is TokenKind.BOOLEAN
    assert kinds["not"] is TokenKind.OPERATOR
    assert kinds["rb'''q\n'''"] is TokenKind.STRING
    assert kinds["0x1F"] is kinds["1.5e-3j"] is kinds["1"] is TokenKind.NUMBER
    assert kinds["case"] is TokenKind.KEYWORD
    words = [token.kind for token in token_stream(parse(text, PYTHON)).tokens() if token.text == "match"]
    assert words == [TokenKind.IDENTIFIER, TokenKind.KEYWORD]


def test_functions() -> None:
    text = (
        "@a\n@b(lambda x: x)\nasync def f(self, n: int, *args: str, k: dict[str, int] = {}):\n    def inner(): pass\n"
        "class A(B):\n    @property\n    def p(self): return lambda: 1\n"
        "    class C:\n        def __init__(self): pass\n"
    )
    found = extract(text, PYTHON).functions
    assert [(f.qualified_name, f.first_line, f.last_line, f.parameter_types) for f in found] == [
        ("f", 1, 4, ("int", "str", "dict[str, int]")),
        ("A.p", 6, 7, ()),
        ("A.C.__init__", 9, 9, ()),
    ]
    everything = extract(text, PYTHON, ExtractOptions(nested=True, lambdas=True)).functions
    assert [f.name for f in everything] == ["f", "", "inner", "p", "", "__init__"]


def test_python_2_parses() -> None:
    text = 'try:\n    print "a", b\nexcept E, e:\n    raise E, "x"\n'
    assert not parse(text, PYTHON).problems
    assert shown(text).startswith('try : ⇥ print "a" , b ⏎ ⇤ except E , e : ⇥')


def test_deep_nesting_does_not_crash() -> None:
    assert fragment_forms("x = " + "(" * 10_000 + "1" + ")" * 10_000, PYTHON).tokens
