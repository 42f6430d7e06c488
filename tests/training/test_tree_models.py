"""What the tree models read: statement trees, windows, graphs, and vectors of words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.errors import InputError
from clonetruth.training import LEARNERS, TrainingSpec
from clonetruth.training.astnn.statements import END, StatementSequences
from clonetruth.training.fa_ast.graph import EDGES, flow_graph
from clonetruth.training.neural.ragged import Ragged
from clonetruth.training.neural.syntax_tree import SyntaxTree, frequent_words, numbers, syntax_tree
from clonetruth.training.neural.word_vectors import word_vectors
from clonetruth.training.request import LearnerRequest
from clonetruth.training.tbccd.windows import TreeWindows, character_vectors, child_shares
from tests.training.training_data import training_data

TEXT = "int f(int a) { while (a > 0) { a = a - 1; } if (a == 0) g(a); else h(); return a; }"


def tree(text: str = TEXT, name: str = "java", nodes: int = 1000) -> SyntaxTree:
    found = syntax_tree(text, language(name), nodes)
    assert found is not None
    return found


def test_a_tree_has_types_and_tokens_without_punctuation_and_comments() -> None:
    found = tree("int f() { /* no */ return 1; } // no")
    inner = [label for label, leaf in zip(found.labels, found.leaves, strict=True) if not leaf]
    assert inner[0] == "(method_declaration)"
    assert "(return_statement)" in inner
    assert [label for label, leaf in zip(found.labels, found.leaves, strict=True) if leaf] == [
        "int",
        "f",
        "return",
        "1",
    ]
    assert found.parents[0] == -1
    assert syntax_tree(" // nothing", language("java"), 10) is None


def test_a_large_tree_keeps_the_nodes_nearest_to_the_root() -> None:
    whole, cut = tree(), tree(nodes=12)
    assert len(cut) == 12
    assert cut.cut == len(whole) - 12
    assert all(parent < node for node, parent in enumerate(cut.parents))
    assert cut.parents.count(-1) == 1


def test_statements_are_split_and_equal_ones_are_one() -> None:
    once, twice = tree("int f() { g(1); return 1; }"), tree("int f() { g(1); g(1); return 1; }")
    known = numbers(frequent_words([once, twice], 100))
    found = StatementSequences.of([once, twice, None], known, 100)
    assert found.fragments.lengths.tolist() == [3, 4, 0]
    first, second = found.fragments.take(np.array([0])).values, found.fragments.take(np.array([1])).values
    assert second.tolist() == [first[0], first[1], first[1], first[2]]
    assert StatementSequences.of([twice], known, 2).fragments.lengths.tolist() == [2]


def test_ends_tell_nested_statements_from_later_ones() -> None:
    inside, behind = tree("int f() { if (a) { g(1); h(2); } }"), tree("int f() { if (a) { g(1); } h(2); }")
    words = frequent_words([inside, behind], 100)
    plain, marked = (StatementSequences.of([inside, behind], numbers(one), 100) for one in (words, (*words, END)))
    rows = [plain.fragments.take(np.array([at])).values.tolist() for at in (0, 1)]
    assert rows[0] == rows[1]
    f, choice, g, h = rows[0]
    found = [marked.fragments.take(np.array([at])).values.tolist() for at in (0, 1)]
    end = found[0][-1]
    assert end not in rows[0]
    assert found == [[f, choice, g, h, end, end], [f, choice, g, end, h, end]]


def test_windows_are_distinct() -> None:
    windows = TreeWindows.of([tree("int f() { g(1); g(1); }"), None])
    assert windows.fragments.lengths[1] == 0
    assert len(set(windows.fragments.values.tolist())) == len(windows.fragments.values)


def test_unseen_words_have_vectors_by_their_characters() -> None:
    vectors = character_vectors(["count", "counter", "tnuoc"])
    near, far = (float(vectors[0] @ other) for other in vectors[1:])
    assert near > far
    left, right = child_shares(np.array([3]))
    assert (left + right).tolist() == [1, 1, 1]


BRACES = "while (a > 0) { a = a - 1; } if (a == 0) { g(a); } else { h(); } "
FLOWS = {
    **dict.fromkeys(("java", "c", "cpp", "csharp", "objc", "dart"), f"int f(int a) {{ {BRACES} return a; }}"),
    **dict.fromkeys(("javascript", "typescript"), f"function f(a) {{ {BRACES} return a; }}"),
    "php": "<?php function f($a) { while ($a > 0) { $a = 1; } if ($a == 0) g($a); else h(); return $a; }",
    "go": "func f(a int) int { for a > 0 { a = a - 1 }; if a == 0 { g(a) } else { h() }; return a }",
    "rust": "fn f(mut a: i32) -> i32 { while a > 0 { a = a - 1; } if a == 0 { g(a); } else { h(); } return a; }",
    "kotlin": "fun f(b: Int): Int { var a = b\n while (a > 0) { a = a - 1 }\n if (a == 0) g(a) else h()\n return a }",
    "scala": "def f(b: Int): Int = { var a = b\n while (a > 0) { a = a - 1 }\n if (a == 0) g(a) else h()\n return a }",
    "swift": "func f(b: Int) { var a = b; while a > 0 { a = a - 1 }; if a == 0 { g(a) } else { h() }; return a }",
    "python": "def f(a):\n    while a > 0:\n        a = a - 1\n    if a == 0:\n        g(a)\n    else:\n        h()\n",
    "ruby": "def f(a)\n while a > 0\n a = a - 1\n end\n if a == 0\n g(a)\n else\n h()\n end\n return a\nend",
    "lua": "function f(a) while a > 0 do a = a - 1 end if a == 0 then g(a) else h() end return a end",
    "bash": "f() { while [ $a -gt 0 ]; do a=1; done; if [ $a = 0 ]; then g; else h; fi; return 1; }",
}
"""A loop, then a choice with an alternative, in every language that has statements."""


def flow(text: str, name: str) -> list[tuple[str, str, str]]:
    """The edges of control: their kind, and the leaves at both ends as texts."""
    graph = flow_graph(tree(text, name))
    of = graph.tree.children()

    def words(node: int) -> str:
        return graph.tree.labels[node] if graph.tree.leaves[node] else " ".join(words(child) for child in of[node])

    named = ((EDGES[kind], words(start), words(end)) for start, end, kind in graph.edges)
    return [edge for edge in named if edge[0] in ("true", "false", "again")]


@pytest.mark.parametrize("name", sorted(FLOWS))
def test_every_language_has_flow_edges(name: str) -> None:
    found = flow_graph(tree(FLOWS[name], name))
    kinds = {EDGES[kind] for _, _, kind in found.edges}
    assert kinds == set(EDGES)
    assert {EDGES[kind] for _, _, kind in flow_graph(found.tree, flow=False).edges} == {"child"}
    loop, back, yes, no = flow(FLOWS[name], name)
    assert (loop[0], back[0], yes[0], no[0]) == ("true", "again", "true", "false")
    assert loop[1:] == back[:0:-1]
    assert yes[1] == no[1] != loop[1]


@pytest.mark.parametrize(
    ("name", "text", "edges"),
    [
        ("java", "void f() { switch (a) { case 1: g(); } }", [("true", "a", "case 1 g ")]),
        ("python", "match a:\n    case 1:\n        g()\n", [("true", "a", "case 1 g ")]),
        (
            "python",
            "if a:\n    b\nelif c:\n    d\nelse:\n    e\n",
            [("true", "a", "b"), ("false", "a", "elif c d"), ("false", "c", "else e"), ("true", "c", "d")],
        ),
        ("java", "void f() { do { g(); } while (a); }", [("true", "a", "g "), ("again", "g ", "a")]),
        ("go", "func f() { for i := 0; i < 3; i++ { g(i) } }", [("true", "i < 3", "g i"), ("again", "g i", "i < 3")]),
        ("go", "func f() { for _, x := range a { g(x) } }", [("true", "a", "g x"), ("again", "g x", "a")]),
        ("kotlin", "fun f() { for (x in a) { g(x) } }", [("true", "a", "g x"), ("again", "g x", "a")]),
        ("php", "<?php foreach ($a as $x) { g($x); }", [("true", "$ a", "g $ x"), ("again", "g $ x", "$ a")]),
        ("ruby", "a.each do |x| g(x) end", []),
        ("javascript", "const f = (x) => { g(x); };", []),
    ],
)
def test_edges_of_control_are_those_of_the_statement(name: str, text: str, edges: list[tuple[str, str, str]]) -> None:
    assert flow(text, name) == edges


def test_words_with_the_same_neighbours_have_similar_vectors() -> None:
    random = np.random.default_rng(0)
    sequences = [[int(random.choice([1, 2])), 3, 4] if random.random() < 0.5 else [5, 6, 7] for _ in range(300)]
    vectors = word_vectors(sequences, 9, 4)
    lengths = np.linalg.norm(vectors, axis=1)
    assert lengths[8] == 0, "a word that never occurs has no vector"
    assert vectors[1] @ vectors[2] / (lengths[1] * lengths[2]) > vectors[1] @ vectors[5] / (lengths[1] * lengths[5])


def test_a_diverged_training_is_reported() -> None:
    pytest.importorskip("torch")
    data = training_data()
    spec = LearnerRequest.of("tbccd", {"embedding": 4, "convolution": 4, "hidden": 4}).applied(TrainingSpec(epochs=3))
    with pytest.raises(InputError, match=r"diverged.*Lower --rate"):
        LEARNERS["tbccd"].train(
            data.fragments, data.train, data.valid, LearnerRequest.of("tbccd", {"rate": 1e30}).applied(spec)
        )


def test_very_long_and_broken_fragments_are_read() -> None:
    long = "int f(int a) {" + "a = a + 1;" * 12_000 + "}"
    assert len(tree(long, nodes=5000)) == 5000
    assert len(tree("int f( { return ((; } }")) > 1


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6), min_size=1, max_size=6))
def test_lists_are_read_step_by_step_and_the_longest_first(lists: list[list[int]]) -> None:
    order, active = Ragged.of(lists).by_step()
    ordered = sorted(lists, key=len, reverse=True)
    steps = [[one[step] for one in ordered if len(one) > step] for step in range(len(ordered[0]))]
    assert Ragged.of(lists).values[order].tolist() == [value for step in steps for value in step]
    assert active.tolist() == [len(step) for step in steps]


def test_the_cosines_of_graphs_can_be_learned_from_the_start() -> None:
    """Where all of them are nearly 1, they have no gradient."""
    pytest.importorskip("torch")
    data = training_data()
    graphs = [flow_graph(tree(text)) for text in data.fragments["text"].to_pylist()]
    learner: Any = LEARNERS["fa-ast"]
    network = learner.network(("(block)", "int"), TrainingSpec().resolved(learner.options_type))
    sides = (data.train[side].to_numpy() for side in ("left", "right"))
    assert network.train().outputs(network.encode(graphs), *sides).std() > 0.2


def test_other_work_in_the_process_keeps_its_settings_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    from clonetruth.training.neural.network import deterministic

    def settings() -> tuple[object, ...]:
        return (
            torch.get_num_threads(),
            torch.are_deterministic_algorithms_enabled(),
            torch.utils.deterministic.fill_uninitialized_memory,
        )

    before, threads = settings(), torch.get_num_threads() + 1
    with deterministic(threads):
        assert settings() == (threads, True, False)
    assert settings() == before
