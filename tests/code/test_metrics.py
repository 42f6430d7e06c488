"""The measures of a fragment: counted by hand, and the laws they obey."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import log2
from pathlib import Path

import pytest

from clonetruth.code import abstract, language, parse
from clonetruth.code.languages import LANGUAGES
from clonetruth.code.metrics import OREO, FragmentMetrics, fragment_metrics, fragment_profile, metrics_table
from tests.conformance.reformatting import reformatted

SAMPLES = Path(__file__).parent.parent / "conformance" / "samples"
DOCS = Path(__file__).parent.parent.parent / "docs" / "metrics-of-a-fragment.md"

JAVA = """\
int sum(int[] a, int n) {
    int s = 0;
    for (int i = 0; i < n && s >= 0; i++) {
        if (a[i] > 0) s += a[i]; else throw new Bad("x");
    }
    log(s); this.log(s); out.print(s);
    return (int) s;
}
"""


def test_every_metric_counted_by_hand() -> None:
    # n₁ = 9: = < && >= ++ > += log print; n₂ = 10: sum a n s 0 i Bad "x" this out
    assert fragment_metrics(JAVA, language("java")) == FragmentMetrics(
        lines=8,
        pretty_lines=13,  # the `for` header splits, `else` begins a line, and a blank one follows the `if`
        tokens=87,
        comp=4,
        nos=9,
        hvoc=19,
        heff=9 / 2 * 26 / 10 * (11 + 26) * log2(19),
        cref=1,
        xmet=1,
        lmet=2,
        noa=2,
        hdif=9 / 2 * 26 / 10,
        vdec=2,
        exct=1,
        excr=0,
        cast=1,
        nand=26,
        vref=14,
        nopr=11,
        mdn=2,
        nexp=33,
        loop=1,
        nbltrl=0,
        ncltrl=0,
        nnltrl=4,
        nnulltrl=0,
        nsltrl=1,
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("java", "void f() { switch (a) { case 1: break; case 2: g(); default: h(); } }", {"comp": 3, "nos": 4}),
        ("java", "void f() { if (a) b(); else if (c) d(); else { if (e) g(); } }", {"comp": 4, "mdn": 2}),
        ("java", "void f() { try { g(); } catch (A | B e) { } catch (C e) { } }", {"excr": 3, "comp": 3, "vdec": 1}),
        (
            "java",
            "boolean f(char c) { return c == 'a' || c != null && true; }",
            {"ncltrl": 1, "nnulltrl": 1, "nbltrl": 1, "comp": 3, "nopr": 4},
        ),
        ("java", "void f() { a.stream().map(x -> x.y()).forEach(B::c); }", {"xmet": 5, "lmet": 0, "mdn": 1}),
        ("java", "void f() { x = a[i] + g(b.c); }", {"nexp": 9}),
        ("python", "x = a[i] + g(b.c)", {"nexp": 9}),
        ("javascript", "function f() { x = a[i] + g(b.c) }", {"nexp": 10}),
        ("c", "void f() { x = a[i] + g(b.c); }", {"nexp": 10}),
        ("csharp", "void f() { x = a[i] + g(b.c); }", {"nexp": 10}),
        ("go", "func f() { x = a[i] + g(b.c) }", {"nexp": 9}),
        ("java", "void f() { ; ; }", {"nos": 0, "tokens": 6}),
        (
            "python",
            'def f(self, a, *b, c=lambda x, y: x):\n    """doc"""\n    d = a\n',
            {"noa": 4, "vdec": 1, "nos": 1, "nsltrl": 0, "lines": 3, "pretty_lines": 2},
        ),
        (
            "python",
            "def f(a):\n    return [x for x in a if x and not a] if a else self.g(b.h())",
            {"comp": 5, "loop": 1, "lmet": 1, "xmet": 1, "nopr": 4, "mdn": 0},
        ),
        (
            "python",
            "def f():\n    try:\n        raise A\n    except (B, C) as e:\n        raise\n    except:\n        pass",
            {"exct": 2, "excr": 3, "vdec": 1, "mdn": 1},
        ),
        ("python", "match a:\n    case 1: b\n    case _: c", {"comp": 2}),
        ("python", "x = x + 1; x = x * y", {"vdec": 1, "vref": 3}),
        (
            "javascript",
            "const f = (a, {b}, g = (h) => h) => { for (const x of a ?? b) { if (x) return `${x}!` } }",
            {"noa": 3, "comp": 4, "mdn": 2, "loop": 1, "nsltrl": 3, "vdec": 1},
        ),
        ("javascript", "x => this.#m(x.y?.z())", {"noa": 1, "lmet": 1, "xmet": 1}),
        (
            "javascript",
            "try { a() } catch { throw new E(undefined) }",
            {"excr": 1, "exct": 1, "nnulltrl": 1, "cref": 1},
        ),
        ("typescript", "m(a: A, b?: B): C { return <any>a as C }", {"noa": 2, "cast": 2, "cref": 4}),
        (
            "c",
            "int f(void) { while (1) { if (a && b) g(p->h()); } return (int) x; }",
            {"noa": 0, "loop": 1, "comp": 4, "cast": 1, "lmet": 1, "xmet": 1, "mdn": 2},
        ),
        (
            "cpp",
            "void f(int a, int b = 1) { try { throw 1; } catch (E& e) { } catch (...) { }"
            " for (auto q : r) static_cast<int>(q); }",
            {"noa": 2, "exct": 1, "excr": 2, "loop": 1, "cast": 1, "comp": 4},
        ),
        (
            "csharp",
            "void F(int a) { foreach (var x in a) { try { this.G(x as B); } catch (E) { throw; } catch { } } }",
            {"noa": 1, "loop": 1, "cast": 1, "excr": 2, "exct": 1, "lmet": 1, "mdn": 2},
        ),
        (
            "go",
            "func f(a, b int, c ...string) { for i := 0; i < a; i++ {"
            " switch { case b > 0: s.g(); default: panic(c) } } }",
            {"noa": 3, "loop": 1, "comp": 3, "xmet": 1, "exct": 1, "mdn": 2, "vdec": 1, "nos": 4},
        ),
    ],
)
def test_metrics_of(name: str, text: str, expected: dict[str, int]) -> None:
    assert not parse(text, language(name), lone=True).problems
    measured = asdict(fragment_metrics(text, language(name)))
    assert {measure: measured[measure] for measure in expected} == expected


@pytest.mark.parametrize("name", sorted(LANGUAGES))
@pytest.mark.parametrize("seed", range(2))
def test_comments_and_layout_change_nothing_but_lines(name: str, seed: int) -> None:
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    this = fragment_metrics(text, language(name))
    other = fragment_metrics(reformatted(text, language(name), seed), language(name))
    assert replace(other, lines=this.lines) == this


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_names_change_nothing(name: str) -> None:
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    this, other = (asdict(fragment_metrics(abstract(text, language(name), k), language(name))) for k in (0, 1))
    changing = {"hvoc", "heff", "hdif"}  # a variable and a member of one name become two words
    if name in ("javascript", "typescript", "tsx", "vue", "svelte"):
        changing |= {"tokens", "nopr", "nand", "nexp"}  # {a} becomes {a: var1}
    assert {k: v for k, v in other.items() if k not in changing} == {k: v for k, v in this.items() if k not in changing}


def test_oreo_has_24() -> None:
    measured = fragment_metrics(parse(JAVA, language("java"), lone=True))
    assert len(OREO) == len(measured.oreo()) == 24
    assert measured.oreo()[:2] == (measured.complexity, measured.nos)
    assert measured.nesting == 2


def test_nothing_measures_nothing() -> None:
    empty = fragment_metrics("", language("java"))
    assert set(asdict(replace(empty, comp=0)).values()) == {0}


def test_a_text_needs_its_language() -> None:
    with pytest.raises(TypeError, match="language"):
        fragment_metrics("x")


def test_the_documentation_has_every_definition() -> None:
    assert metrics_table() in DOCS.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "text", "actions"),
    [
        (
            "java",
            "int f(A[] as) { this.n += as[0].size(); g(A.B, new A(3), A.class); return h()[1]; }",
            "n [] size g B h []",
        ),
        ("python", "def f(self, x):\n    self.n = x.y[0]\n    return g(x.z(), [1])\n", "n y [] g z"),
        ("c", "int f(struct s *p) { return p->n + g(p->q.r, 3); }", "n g q r"),
        ("cpp", "int f(A* a) { return a->b() + std::min(1, 2) + C::d; }", "b min d"),
        ("csharp", "int F(A a) { return a.B.C() + new D().E; }", "B C E"),
        ("javascript", "function f(a) { return a?.b.c(d => d.e); }", "b c e"),
        ("go", "func f(a *T, b []int) int { return a.b.c() + b[0] }", "b c []"),
    ],
)
def test_actions_are_what_is_called_and_used(name: str, text: str, actions: str) -> None:
    assert " ".join(action.decode() for action in fragment_profile(text, language(name)).actions) == actions


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_layout_changes_no_actions(name: str) -> None:
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    profile = fragment_profile(text, language(name))
    assert profile.actions
    assert fragment_profile(reformatted(text, language(name), 1), language(name)).actions == profile.actions
