"""Inputs whose arguments share objects: graphs of nodes, edges between them, arguments that are nodes of a tree."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness.harness import CallInput, Reason
from clonetruth.execution.harness.inside.python_values import from_form
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.objects import node_class, without_lost
from clonetruth.execution.inputs.shrinking import shrink
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.notation import write_value
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import check_value
from tests.execution.sandboxed import needs_sandbox
from tests.execution.test_java_shapes import needs_java

STATION = "Station{name: str, neighbours: list[Station]}"
TREE = "Leaf{val: int32, left: Leaf?, right: Leaf?}"


def inputs(*types: str, count: int = 60) -> list[tuple[Any, ...]]:
    """Generated arguments, made into values of Python."""
    found = itertools.islice(generate([parse_type(one) for one in types], Constants(("",)), 0), count)
    made = []
    for arguments in found:
        named: dict[str, Any] = {}
        made.append(tuple(from_form(check_value(one), named=named) for one in arguments))
    return made


def reachable(node: Any) -> list[Any]:
    found, waiting = [node], [node]
    while waiting:
        new = [one for one in waiting.pop().neighbours if not any(one is other for other in found)]
        found += new
        waiting += new
    return found


def test_nodes_of_two_arguments_are_nodes_of_one_graph() -> None:
    calls = [(start, goal) for start, goal in inputs(STATION, STATION) if start is not None and goal is not None]
    met = [any(goal is one for one in reachable(start)) for start, goal in calls]
    assert any(met)
    assert not all(met)
    assert any(start is not goal for (start, goal), does in zip(calls, met, strict=True) if does)


def test_graphs_have_cycles_and_shared_nodes() -> None:
    starts = [start for (start,) in inputs(STATION)]
    assert any(any(one is start for node in reachable(start) for one in node.neighbours) for start in starts)
    assert any(len({one.name for one in reachable(start)}) > 2 for start in starts)


def test_edges_of_other_classes_and_keys_of_maps_hold_the_nodes() -> None:
    for edges, first in inputs("list[Road{start: Town{}, end: Town{}, length: int32}]", "Town{}"):
        ends = [node for one in edges for node in (one.start, one.end)]
        assert all(node is not None for node in ends)
        if len(edges) > 3 and any(first is node for node in ends):
            break
    else:
        pytest.fail("no town of a road is an argument")
    lengths = [call for call in inputs(f"map[tuple[{STATION}, {STATION}], int32]", STATION) if call[0]]
    assert any(all(end in start.neighbours for start, end in by_edge) and by_edge for by_edge, _ in lengths)


def test_links_back_are_the_links_forwards_turned_around() -> None:
    tasks = inputs("list[Task{successors: list[Task], predecessors: list[Task]}]")
    links = [[(one, end) for one in nodes for end in one.successors] for (nodes,) in tasks]
    turned = [all(any(one is back for back in end.predecessors) for one, end in each) for each in links if each]
    assert sum(turned) > len(turned) / 2


def test_children_make_a_tree_and_lists_stay_apart() -> None:
    assert node_class([parse_type("Folder{name: str, children: list[Folder]}")]) is None
    calls = inputs("Link{val: int32, next: Link?}?", "Link{val: int32, next: Link?}?")
    assert not any(one is not None and one is other for one, other in calls)


def test_of_three_nodes_of_trees_two_are_inside_the_first() -> None:
    calls = [call for call in inputs(TREE, TREE, TREE) if None not in call]

    def inside(node: Any) -> list[Any]:
        return [] if node is None else [node, *inside(node.left), *inside(node.right)]

    within = [call for call in calls if all(any(part is one for one in inside(call[0])) for part in call[1:])]
    assert len(within) > len(calls) / 2
    assert any(one is not root for root, one, _ in within)


def test_graphs_of_numbers_come_with_their_size() -> None:
    calls = inputs("int32", "map[tuple[int32, int32], int32]")
    assert sum(len(by) > 1 and all(min(edge) >= 0 and max(edge) < size for edge in by) for size, by in calls) > 5
    neighbours = inputs("map[str, list[str]]", "str")
    assert sum(start in by and any(one in by for one in by[start]) for by, start in neighbours) > 5


def test_smaller_inputs_keep_only_references_to_what_is_there() -> None:
    node: Any = {"named": ["a", {"object": ["N", [["links", {"list": []}]]]}]}
    lost: tuple[Any, ...] = ({"list": [{"same": "a"}, {"int": "1"}]}, {"map": [[{"same": "a"}, {"int": "2"}]]})
    assert without_lost(lost) == ({"list": [{"int": "1"}]}, {"map": []})
    assert without_lost((node, *lost)) == (node, *lost)
    long: Any = {"object": ["N", [["links", {"list": [node, {"same": "a"}, {"same": "a"}]}]]]}

    def has_links(calls: Sequence[Any]) -> list[bool]:
        return [bool(call[0]["object"][1][0][1]["list"]) for call in calls]

    small = shrink((long,), has_links)
    assert write_value(small[0], "java") == "N(links={a = N(links={})})"


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@needs_java
class TestJava:
    def test_identity_is_that_of_the_input(self, harnesses: Harnesses) -> None:
        text = "class P { P friend; } class A { static boolean f(P one, P other) { return one.friend == other; } }"
        harness = harnesses.get("java")
        assert harness is not None
        first: Any = {"named": ["a", {"object": ["P", [["friend", {"same": "a"}]]]}]}
        other: Any = {"object": ["P", [["friend", None]]]}
        calls = [CallInput((first, {"same": "a"})), CallInput((first, other)), CallInput(({"same": "a"}, other))]
        found = harness.run(Code(text, "java"), calls).observations
        assert [one.returned for one in found] == [True, False, None]
        assert found[2].raised == "ClassCastException"

    def test_a_search_that_forgets_what_it_saw_is_told_from_one_that_does_not(self, harnesses: Harnesses) -> None:
        text = (
            "int count(Room start) {{ Set<Room> seen = new HashSet<>(); Deque<Room> open = new ArrayDeque<>();"
            " open.add(start); int n = 0; while (!open.isEmpty() && n < 50) {{ Room one = open.remove();"
            " {} n++; for (Room next : one.getNeighbours()) open.add(next); }} return n; }}"
        )
        left, right = (Code(text.format(one), "java") for one in ("if (!seen.add(one)) continue;", ""))
        found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40))
        assert found.verdict is BehaviourVerdict.DIFFERENT
        assert found.witness is not None

    def test_a_missing_class_whose_objects_are_sorted_has_an_order(self, harnesses: Harnesses) -> None:
        text = "int f(List<Parcel> all) {{ Collections.sort(all); return all.isEmpty() ? 0 : all.get({}).weight; }}"
        left, right = (Code(text.format(one), "java") for one in ("0", "all.size() - 1"))
        found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40))
        assert found.verdict is BehaviourVerdict.DIFFERENT
        assert "Parcel is ordered by its fields" in found.left.repairs


@needs_sandbox
def test_javascript_gets_the_same_object(harnesses: Harnesses) -> None:
    harness = harnesses.get("javascript")
    assert harness is not None
    first: Any = {"named": ["a", {"object": ["P", [["friend", {"same": "a"}]]]}]}
    run = harness.run(
        Code("function f(one, other) { return one.friend === other }", "javascript"),
        [
            CallInput((first, {"same": "a"})),
            CallInput((first, {"object": ["P", []]})),
            CallInput(({"same": "a"}, None)),
        ],
    )
    if run.undecided is Reason.TOOLCHAIN:
        pytest.skip("node is not installed")
    assert [one.returned for one in run.observations] == [True, False, None]
    assert run.observations[2].ended is not None


def test_objects_are_written_as_a_console_of_their_language_does() -> None:
    line = {"object": ["Object", [["sku", "a"], ["quantity", {"int": "2"}]]]}
    order = {"object": ["Order", [["lines", {"list": [line]}]]]}
    assert write_value(order, "typescript") == 'Order {lines: [{sku: "a", quantity: 2}]}'
    assert write_value(order, "python") == "Order(lines=[Object(sku='a', quantity=2)])"
