"""The call graph: who calls whom in a file and across files, in Java, Python and C."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.callgraph import CallGraph, CallGraphFile, call_graph
from clonetruth.errors import InputError


def graph_of(name: str, *texts: str) -> CallGraph:
    """The call graph of files `0`, `1` …"""
    return call_graph([CallGraphFile(str(number), text, language(name)) for number, text in enumerate(texts)])


def calls(graph: CallGraph) -> dict[str, list[str]]:
    """Qualified names with parameter types, and whom they call."""

    def name(node: int) -> str:
        function = graph.nodes[node].function
        return f"{function.qualified_name}({', '.join(function.parameter_types)})"

    return {name(node): [name(callee) for callee in callees] for node, callees in enumerate(graph.callees)}


JAVA = """
class A {
    A(int a) { this(a, 1); }
    A(int a, int b) { }
    void bare() { help(1); }
    void own() { this.help(1, /* two */ 2); }
    void help(int a) { }
    void help(int a, int b) { }
    void help(int a, String b) { }
    void rest(int... all) { }
    void uses() { rest(); rest(1, 2, 3); }
    void made() { new B(3); B.shared(); }
    void other(Stream help) { help.help(1); make().help(2); }
    void reference() { run(this::bare); }
    void inherited() { super.above(); above(); }
    void away() { missing(); help(); }
    class Inner { void help(int a) { } void near() { help(1); own(); } }
}
class B { B(int a) { } static void shared() { } void above() { } }
"""


def test_java() -> None:
    found = calls(graph_of("java", JAVA))
    assert found["A.A(int)"] == ["A.A(int, int)"]
    assert found["A.bare()"] == ["A.help(int)"]
    # Types do not distinguish overloads: both that take two arguments are called.
    assert found["A.own()"] == ["A.help(int, int)", "A.help(int, String)"]
    assert found["A.uses()"] == ["A.rest(int)"]
    assert found["A.made()"] == ["B.B(int)", "B.shared()"]
    assert found["A.other(Stream)"] == []
    assert found["A.reference()"] == ["A.bare()"]
    assert found["A.inherited()"] == ["B.above()"]
    assert found["A.away()"] == []
    assert found["A.Inner.near()"] == ["A.Inner.help(int)", "A.own()"]


PYTHON = """
def top(a, b=1, *, c=2): pass
def star(*args, **kwargs): pass
def calls(x):
    top(1); top(1, 2); top(*x); star(); star(1, 2, k=3); total(i for i in x)
def wrong(): top(); top(1, 2, 3, 4)
def total(xs): pass
class C:
    def __init__(self, a): self.go(a)
    def go(self, a): go()
    def by_class(self): C.go(self, 1); C.fixed(2)
    @staticmethod
    def fixed(a): pass
    @classmethod
    def made(cls): return cls.fixed(1)
class D(C):
    def go(self, a): super().go(a)
def go(): return C(1)
def variable(c): c.go(1)
"""


def test_python() -> None:
    graph = graph_of("python", PYTHON)
    found = {name.partition("(")[0]: [one.partition("(")[0] for one in called] for name, called in calls(graph).items()}
    assert found["calls"] == ["top", "star", "total"]
    assert found["wrong"] == []
    assert found["C.__init__"] == ["C.go"]
    assert found["C.go"] == ["go"], "a bare name is not a member"
    assert found["C.by_class"] == ["C.go", "C.fixed"]
    assert found["C.made"] == ["C.fixed"]
    assert found["D.go"] == ["C.go"]
    assert found["go"] == ["C.__init__"]
    assert found["variable"] == []


C = """
int none(void) { return 1; }
int many(int a, ...) { return none(); }
int pointer(int (*f)(int)) { return f(1) + (*f)(2); }
int all(struct s *p) { many(1); many(1, 2, 3); p->none(); return none(1); }
"""


def test_c() -> None:
    found = {
        name.partition("(")[0]: [one.partition("(")[0] for one in called]
        for name, called in calls(graph_of("c", C)).items()
    }
    assert found == {"none": [], "many": ["none"], "pointer": [], "all": ["many"]}


def test_another_file_comes_after_the_own() -> None:
    graph = graph_of(
        "c", "int f(void) { return g() + h(); } int g(void) { return 1; }", "int g(void) {} int h(void) {}"
    )
    called = [(graph.nodes[node].file, graph.nodes[node].function.name) for node in graph.callees[0]]
    assert called == [(0, "g"), (1, "h")]
    graph = graph_of("java", "class A { void f() { B.g(); g(); } }", "class B { static void g() { } }")
    assert [graph.nodes[node].function.qualified_name for node in graph.callees[0]] == ["B.g"]


def test_expansion_puts_what_is_called_behind_the_entry() -> None:
    text = "class A {\n  void a() { b(); }\n  void c() { }\n  void b() { c(); a(); }\n  void d() { }\n}\n"
    graph = graph_of("java", text)
    entry = graph.find("0", 2, 2)
    assert entry is not None
    assert graph.expand(entry) == ("void a() { b(); }\n\nvoid b() { c(); a(); }\n\nvoid c() { }", 3)
    assert graph.expand(entry, depth=1) == ("void a() { b(); }\n\nvoid b() { c(); a(); }", 2)


def test_what_stands_inside_is_not_repeated() -> None:
    text = "class A {\n  void a() {\n    new B() { void b() { } void c() { b(); } };\n    e();\n  }\n  void e() { }\n}"
    graph = graph_of("java", text)
    expanded, functions = graph.expand(0)
    assert functions == 2
    assert expanded.count("void b()") == 1


def test_a_recorded_range_may_be_some_lines_off() -> None:
    graph = graph_of("python", "def a():\n    x\n    y\n    z\n\ndef b():\n    pass\n")
    assert graph.find("0", 2, 4) == 0
    assert graph.find("0", 6, 7) == 1
    assert graph.find("0", 40, 44) is None
    assert graph.find("elsewhere", 1, 4) is None


def test_broken_source_gives_what_parses() -> None:
    graph = graph_of("java", "class A { void a() { b(); } void b() { int = ; } ")
    assert graph.callees[0] == (1,)


def test_a_language_without_calls_is_refused() -> None:
    with pytest.raises(InputError, match=r"Call graphs are not supported for Go.*Java"):
        graph_of("go", "func f() {}")


EDGES = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)
WRITERS = {
    "java": ("class A {{\n{}\n}}", "  void f{0}() {{ {1} }}"),
    "python": ("{}\n", "def f{0}():\n    pass; {1}"),
    "c": ("{}\n", "void f{0}(void) {{ {1} }}"),
}


@pytest.mark.parametrize("name", WRITERS)
@given(edges=EDGES)
def test_a_written_graph_is_read_back(name: str, edges: set[tuple[int, int]]) -> None:
    whole, one = WRITERS[name]
    bodies = ["; ".join(f"f{b}()" for a, b in sorted(edges) if a == node) for node in range(7)]
    ended = [f"{body};" if body else "" for body in bodies]
    graph = graph_of(name, whole.format("\n".join(one.format(node, body) for node, body in enumerate(ended))))
    assert {(a, b) for a, callees in enumerate(graph.callees) for b in callees} == {(a, b) for a, b in edges if a != b}
    for entry in range(7):
        reached = graph.reachable(entry)
        assert reached[0] == entry
        assert len(set(reached)) == len(reached)
        assert {b for a in reached for b in graph.callees[a]} <= set(reached), "closed under calls"
        assert set(graph.reachable(entry, 1)) == {entry, *graph.callees[entry]}
