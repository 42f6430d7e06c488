"""Pretty-printing Python by its tokens: the same as by its tree, or left to the tree."""

from __future__ import annotations

import textwrap
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.indent_printer import printed_by_tokens
from clonetruth.code.parsing import parse
from clonetruth.code.pretty import pretty

PYTHON = language("python")
_SIMPLE = (
    "a = [b for a, (b, c) in a if b not in c]",
    "a = (1,  # why\n 2)",
    "a = b + \\\n        1",
    '"""What it does."""',
    "r'x'",
    "b'x' 'y'",
    "return lambda a: {a: b[1:2]}",
    "a = lambda: (yield)",
    "# nothing",
    "from . import a",
    "print(a)",
    "a: int = 1",
    "a = f'{b}'",
    "a = f'{b.c!r:>10} d' rf\"{b}\"",
    "a = f'b'",
    "a; b",
    "match = 1",
    "type (a)",
    "pass",
)
_HEADS = (
    "if a:",
    "else:  # why",
    "for a, b in c[d in e]:",
    "async for a in (b):",
    "while (a :=\n b):",
    "with a as b, c:",
    "try:",
    "except (A, B) as c:",
    "def f(a, *, b=1):",
    "def f(a: int) -> int:",
    "async def f():",
    "class A:",
    "class A(B, c.D, metaclass=E, *f):",
    "@a.b(c)\nclass A(B):",
    "match a:",
)


def blocks(statements: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Statements with a head before them, on the same line or below."""
    inside = st.lists(statements, min_size=1, max_size=3).map("\n".join)
    below = st.builds(lambda head, body: f"{head}\n{textwrap.indent(body, '    ')}", st.sampled_from(_HEADS), inside)
    return below | st.builds("{} {}".format, st.sampled_from(_HEADS), st.sampled_from(_SIMPLE))


definitions = st.builds(
    lambda head, body: "\n".join([head, *(f"        {line}" for line in chain(*map(str.splitlines, body)))]),
    st.sampled_from(["def f(self):", "@a\n    def f(self):", "async def f(): # why", "class A(B):"]),
    st.lists(st.recursive(st.sampled_from(_SIMPLE), blocks, max_leaves=5), min_size=1, max_size=4),
)


@settings(max_examples=300)
@given(definitions)
def test_is_what_the_tree_says_wherever_that_is_sound(text: str) -> None:
    parsed = parse(text, PYTHON, lone=True)
    printed = printed_by_tokens(text, PYTHON)
    if printed is not None and not parsed.tree.root_node.has_error:
        assert printed == pretty(parsed)


@pytest.mark.parametrize(
    "text",
    [
        "def f(self):\n        '''Doc.'''\n        for a in b:\n            if a: pass\n        return [a for a in c]",
        "@a\n    @b(c)\n    async def f(self, d=(1, 2)):\n        # why\n        with d as e:\n            pass",
        "def f():\n    class A(B, metaclass=C):\n        x = 1\n    return A",
    ],
)
def test_ordinary_functions_need_no_tree(text: str) -> None:
    assert printed_by_tokens(text, PYTHON) == pretty(parse(text, PYTHON, lone=True))


@pytest.mark.parametrize(
    "line",
    [
        "return f'{a}b{c}d'",
        "a: int = 1",
        "a = 1; b = 2",
        "match a:",
        "print a",
        "if a",
        "a b",
        "'a' b",
        "a = (",
        "a = )",
        "a = $b",
        "a = '",
        "\tb = 1",
        "    b = 1",
        "from __future__ import annotations",
        "for a of b: pass",
        "@a",
        "if a: if b: pass",
        "if a:",
        "async a",
    ],
)
def test_doubtful_lines_are_left_to_the_tree(line: str) -> None:
    assert printed_by_tokens(f"def f(b):\n    b = 1\n    {line}\n", PYTHON) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f",
        "\ndef f(a):\n    return a",
        " def f(a):\n    return a",
        "def f(a: int): return a",
        "def f() -> int:\n    return 1",
        "def f[T](a):\n  1",
    ],
)
def test_so_are_doubtful_texts(text: str) -> None:
    assert printed_by_tokens(text, PYTHON) is None


_FORMAT_PIECES = [
    "a",
    "é",
    "\t",
    "#",
    "'",
    ";",
    ":",
    "\\n",
    "{{",
    "}}",
    "{x}",
    "{x.y}",
    "{x!r}",
    "{x:>3}",
    "{x!s:.2f}",
    "{x:%Y-%m}",
    "{lambda}",
    "{None}",
    "{print}",
    "{x.print}",
    "{_a.b.c}",
    "{x=}",
    "{x:{y}}",
    "{x:}",
    "{x()",
    "}",
]


@given(
    prefix=st.sampled_from(("f", "F", "rf", "fR")),
    quotes=st.sampled_from(('"', "'", '"""')),
    pieces=st.lists(st.sampled_from((*_FORMAT_PIECES, " ")), max_size=6),
    after=st.sampled_from(("", " 'd'", ", 1", " x", ' f"{x}"')),
)
@settings(max_examples=600)
def test_formatted_strings(prefix: str, quotes: str, pieces: list[str], after: str) -> None:
    text = f"def f(x):\n    return g({prefix}{quotes}{''.join(pieces)}{quotes}{after})\n"
    printed = printed_by_tokens(text, PYTHON)
    parsed = parse(text, PYTHON, lone=True)
    assert printed is None or parsed.tree.root_node.has_error or printed == pretty(parsed)


@pytest.mark.parametrize(
    "string", ["f'a {b} c'", "F'{b.c!r}'", "rf'{b:>10} {b.c.d!s:.2f}'", "f'{b}{c}'", "f'{b}' 'c' f'{d}'"]
)
def test_simply_formatted_strings_need_no_tree(string: str) -> None:
    text = f"def f():\n    return {string}\n"
    assert printed_by_tokens(text, PYTHON) == pretty(parse(text, PYTHON, lone=True))
