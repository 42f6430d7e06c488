"""Canonical trees: the same function is the same tree in eight languages."""

from __future__ import annotations

import numpy as np
import pytest

from clonetruth.code import language
from clonetruth.code.canonical import DETAILS, VIEWS, Label, ViewCounts, read_forest, read_views
from clonetruth.code.canonical.trees import MAX_NESTING

SUM_ABOVE = {
    "java": "int f(int[] a, int n){ int s = 0; for (int i = 0; i < n; i++) { if (a[i] > -2) { s = s + a[i]; } } "
    "System.out.println(s); return s; }",
    "c": "int f(int *a, int n){ int s = 0; for (int i = 0; i < n; i++) { if (a[i] > -2) { s = s + a[i]; } } "
    "puts(s); return s; }",
    "cpp": "int f(int *a, int n){ int s = 0; for (int i = 0; i < n; i++) { if (a[i] > -2) { s = s + a[i]; } } "
    "cout << s << endl; return s; }",
    "csharp": "int f(int[] a, int n){ int s = 0; for (int i = 0; i < n; i++) { if (a[i] > -2) { s = s + a[i]; } } "
    "Console.WriteLine(s); return s; }",
    "javascript": "function f(a, n){ let s = 0; for (let i = 0; i < n; i++) { if (a[i] > -2) { s = s + a[i]; } } "
    "console.log(s); return s; }",
    "typescript": "function f(a: number[], n: number): number { let s = 0; for (let i = 0; i < n; i++) "
    "{ if (a[i] > -2) { s = s + a[i]; } } console.log(s); return s; }",
    "go": "func f(a []int, n int) int { s := 0\n for i := 0; i < n; i++ { if a[i] > -2 { s = s + a[i] } }\n"
    " fmt.Println(s)\n return s }",
}
"""One function in the languages with counting loops."""
IN_PYTHON = (
    'def f(a, n):\n    """Sum."""\n    s = 0\n    for i in range(n):\n        if a[i] > -2:\n            s = s + a[i]\n'
    "    print(s)\n    return s\n"
)


def shown(text: str, name: str) -> str:
    """The canonical tree of a text, as a line."""
    forest = read_forest([text], [language(name)])
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(forest.parent.tolist()):
        children.setdefault(parent, []).append(node)

    def tree(node: int) -> str:
        label, detail = divmod(int(forest.code[node]), DETAILS)
        inner = " ".join(map(tree, children.get(node, [])))
        return Label(label).name + (str(detail) if detail else "") + (f"({inner})" if inner else "")

    return " ".join(map(tree, children.get(-1, [])))


def cosines(one: ViewCounts, other: ViewCounts) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The cosine of each view of two fragments, from plain counts."""
    found = []
    for view in range(len(VIEWS)):
        left, right = (
            dict(zip(counts.columns[own].tolist(), counts.counts[own].tolist(), strict=True))
            for counts in (one, other)
            for own in [slice(*counts.starts[[view, view + 1]])]
        )
        dot = sum(count * right.get(column, 0) for column, count in left.items())
        norms = [sum(count**2 for count in side.values()) ** 0.5 for side in (left, right)]
        found.append(dot / (norms[0] * norms[1]) if all(norms) else 0.0)
    return np.array(found)


def views(text: str, name: str = "java") -> ViewCounts:
    return next(read_views([text], [name]))


def test_one_function_has_one_tree_in_seven_languages() -> None:
    trees = {name: shown(text, name) for name, text in SUM_ABOVE.items()}
    assert set(trees.values()) == {
        "FUNCTION(PARAMETERS(NAME NAME) ASSIGN(NAME NUMBER1) LOOP(ASSIGN(NAME NUMBER1) BINARY8(NAME NAME) "
        "INCREMENT(NAME) IF(BINARY8(INDEX(NAME NAME) NUMBER67) UPDATE1(NAME INDEX(NAME NAME)))) WRITE(NAME) "
        "RETURN(NAME))"
    }, trees
    assert "IF(BINARY8(INDEX(NAME NAME) NUMBER67) UPDATE1(NAME INDEX(NAME NAME)))" in shown(IN_PYTHON, "python")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("return a > b;", "return b < a;"),
        ("return a >= b;", "return b <= a;"),
        ("x = x + y;", "x += y;"),
        ("x = x + 1;", "x++;"),
        ("x += 1;", "++x;"),
        ("x = x - 1;", "--x;"),
        ("a[i] = a[i] * 2;", "a[i] *= 2;"),
        ("x = (y);", "{ x = y; }"),
        ("x = y + z;", "x = z + y;"),
        ("x = s.charAt(i);", "x = s[i];"),
        ("/* a */ f(x); // b", "f(x);"),
    ],
)
def test_equal_by_rewriting(one: str, other: str) -> None:
    left, right = (views(f"void m() {{ {text} }}") for text in (one, other))
    # Roles and tokens see the difference in spelling; the tree does not.
    of_tree = [VIEWS.index(name) for name in ("nodes", "nodes in nodes", "subtrees of height 3", "statements")]
    assert cosines(left, right)[of_tree] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("one", "other"), [("x = y - z;", "x = z - y;"), ("return a < b;", "return a <= b;"), ("x = 1;", "x = -1;")]
)
def test_what_differs_stays_different(one: str, other: str) -> None:
    left, right = (views(f"void m() {{ {text} }}") for text in (one, other))
    assert cosines(left, right).min() < 0.999


def test_order_of_subtraction_shows_in_definitions_only_through_operands() -> None:
    left, right = (views(f"void m(int a, int b) {{ {text} }}") for text in ("return a - f(b);", "return f(b) - a;"))
    assert cosines(left, right)[VIEWS.index("subtrees of height 2")] < 0.999


def test_renaming_variables_changes_no_view_of_trees() -> None:
    left, right = views(SUM_ABOVE["java"]), views(SUM_ABOVE["java"].replace("s", "total").replace("ytotaltem", "ystem"))
    found = cosines(left, right)
    for name in ("nodes", "expressions", "definitions and uses", "statements", "3-grams without names"):
        assert found[VIEWS.index(name)] > 0.95, name


def test_all_views_are_filled_where_there_is_something_to_see() -> None:
    text = 'int g(int n) { String t = "a b"; for (int i = 0; i < n; i++) { n += scanner.nextInt() + 1; } return n; }'
    assert (views(text).sizes() > 0).all()


def test_texts_that_do_not_parse_have_views_of_their_tokens() -> None:
    sizes = views("int f( { return ((x + ; }}} else 12").sizes()[0]
    assert sizes[VIEWS.index("tokens")] > 3
    assert sizes[VIEWS.index("3-grams of tokens")] > 1


@pytest.mark.parametrize(("text", "name"), [("", "java"), (" \n", "python"), ("// c", "c"), ("ADD A TO B.", "cobol")])
def test_nothing_to_see(text: str, name: str) -> None:
    assert not views(text, name).sizes().any()


def test_batches_do_not_matter() -> None:
    texts = [*SUM_ABOVE.values(), "", IN_PYTHON]
    names = [*SUM_ABOVE, "java", "python"]
    together = next(read_views(texts, names))
    for row, (text, name) in enumerate(zip(texts, names, strict=True)):
        alone, own = views(text, name), together.take(np.array([row]))
        assert np.array_equal(alone.columns, own.columns)
        assert np.array_equal(alone.counts, own.counts)


def test_large_and_deep_texts() -> None:
    deep = "int f() { return " + "(" * 3 * MAX_NESTING + "1" + ")" * 3 * MAX_NESTING + "; }"
    long = "x = " + " + ".join(f"a{number}" for number in range(25_000)) + "\n"
    assert views(deep).sizes()[0, VIEWS.index("nodes")] > 1
    assert views(long, "python").sizes()[0, VIEWS.index("tokens")] > 10_000
