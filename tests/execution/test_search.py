"""Two pieces of Python with the same inputs: what is found, what is said about it, and what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Difference, DifferencePolicy, Harnesses, Reason, search
from clonetruth.execution.input_stream import SORTED, InputStream
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.proofs.proof import Proof
from clonetruth.execution.results import BehaviourComparison, comparison_from_dict
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour

lacking = [one for one in Bubblewrap().layers() if one.needed and one.missing]
pytestmark = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")

LINEAR = "def find(arr, t):\n    for i, v in enumerate(arr):\n        if v == t: return i\n    return -1"


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def compared(harnesses: Harnesses, left: str, right: str, **more: object) -> BehaviourComparison:
    return compare_behaviour(Code(left, "python"), Code(right, "python"), harnesses, **more)  # type: ignore[arg-type]


def test_equal_functions_have_no_difference(harnesses: Harnesses) -> None:
    found = compared(harnesses, "def f(n):\n    return n * 2", "def g(x):\n    return x + x")
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert found.strength.normal > 100
    assert found.strength.outputs > 50
    assert not found.witnesses


def test_the_witness_is_small_and_says_what_both_did(harnesses: Harnesses) -> None:
    found = compared(harnesses, "def f(a):\n    return sum(a)", "def f(a):\n    return sum(abs(x) for x in a)")
    assert found.verdict is BehaviourVerdict.DIFFERENT
    witness = found.witness
    assert witness is not None
    assert witness.call.arguments == ({"list": [{"int": "-1"}]},)
    assert (witness.left.returned, witness.right.returned) == ({"int": "-1"}, {"int": "1"})
    assert witness.differences == (Difference.VALUE,)


def test_parameters_meet_by_name(harnesses: Harnesses) -> None:
    found = compared(
        harnesses, "def f(base, power):\n    return base - power", "def f(power, base):\n    return base - power"
    )
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND


def test_chance_is_not_a_difference(harnesses: Harnesses) -> None:
    found = compared(harnesses, "import random\ndef f(n):\n    return random.random()", "def f(n):\n    return n")
    assert found.verdict is BehaviourVerdict.UNDECIDED
    assert found.why_undecided is Reason.RANDOM


def test_what_returns_always_the_same_is_too_weak(harnesses: Harnesses) -> None:
    found = compared(harnesses, "def f(n):\n    return 1", "def f(n):\n    return 1")
    assert found.verdict is BehaviourVerdict.UNDECIDED
    assert found.why_undecided is Reason.WEAK
    assert found.under(DifferencePolicy(outputs=1)).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND


def test_a_policy_changes_the_verdict_without_a_run(harnesses: Harnesses) -> None:
    found = compared(harnesses, "def f(n):\n    print('debug', n)\n    return n", "def f(n):\n    return n")
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.differences == (Difference.OUTPUT,)
    only_values = DifferencePolicy(counted=frozenset({Difference.VALUE}))
    assert found.under(only_values).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND


def test_a_binary_search_gets_sorted_lists(harnesses: Harnesses) -> None:
    binary = (
        "def search(a, x):\n    lo, hi = 0, len(a) - 1\n    while lo <= hi:\n        mid = (lo + hi) // 2\n"
        "        if a[mid] == x: return True\n        if a[mid] < x: lo = mid + 1\n        else: hi = mid - 1\n"
        "    return False"
    )
    found = compared(harnesses, binary, "def f(a, x):\n    return a.count(x) > 0 and max(a, default=0) + 0 >= x")
    assert found.precondition == SORTED
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        ("def f(:", Reason.PARSE),
        ("def f(a):\n    return undefined_helper(a)", Reason.SYMBOL),
        ("def f(a, b, c):\n    return a", Reason.PARAMETERS),
        ("def f(a):\n    while True: pass", Reason.TIMED_OUT),
    ],
)
def test_what_cannot_be_compared_has_a_reason(harnesses: Harnesses, left: str, reason: Reason) -> None:
    found = compared(harnesses, left, "def f(a):\n    return a", budget=SearchBudget(runs=6, seconds=2))
    assert found.verdict is BehaviourVerdict.UNDECIDED
    assert found.why_undecided is reason


def test_a_language_without_a_harness_is_undecided(harnesses: Harnesses) -> None:
    found = compare_behaviour(Code("x", "cobol"), Code("x", "cobol"), harnesses)
    assert found.why_undecided is Reason.LANGUAGE


def test_a_comparison_is_written_and_read(harnesses: Harnesses) -> None:
    found = compared(harnesses, LINEAR, "def f(a, b):\n    return a.index(b) if b in a else 0")
    said = json.loads(json.dumps(found.to_dict()))
    assert said["verdict"] == "different"
    again = comparison_from_dict(said)
    assert again.to_dict() == {**found.to_dict(), "examples": again.to_dict()["examples"]}
    with pytest.raises(ValueError, match="not a comparison"):
        comparison_from_dict({"left": {}})


def test_examples_of_docstrings_are_inputs(harnesses: Harnesses) -> None:
    text = "'''>>> f(\"needle-17\")\n    True'''"
    left = f"def f(text):\n    {text}\n    return text.startswith('needle') and text[7:] == str(10 + 7)"
    found = compared(harnesses, left, left.replace("10 + 7", "10 + 8"))
    assert found.witness is not None
    assert str(found.witness.call.arguments[0]).endswith("17")


def test_lengths_of_lists_fit_their_lists(harnesses: Harnesses) -> None:
    left = "def f(a, b, n, m):\n    return n == m == len(a) == len(b) and sorted(a) == sorted(b)"
    right = left.replace("sorted(a) == sorted(b)", "a == b")
    assert compared(harnesses, left, right).verdict is BehaviourVerdict.DIFFERENT


def test_rotated_lists_are_tried_where_the_code_speaks_of_them(harnesses: Harnesses) -> None:
    left = (
        "def rotations(a):\n    low, high = 0, len(a) - 1\n    while low < high:\n        mid = (low + high) // 2\n"
        "        if a[mid] > a[high]:\n            low = mid + 1\n        else:\n            high = mid\n    return low"
    )
    found = compared(harnesses, left, left.replace("low = mid + 1", "low = high"))
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.precondition == "lists are sorted, then rotated (guessed from the code)"


def test_arguments_with_a_default_are_left_out_as_well(harnesses: Harnesses) -> None:
    left = "def f(n, width=8):\n    while n and width:\n        n, width = n // 2, width - 1\n    return n + width"
    found = compared(harnesses, left, left.replace("width=8", "width=9"))
    assert found.verdict is BehaviourVerdict.DIFFERENT


def test_a_bounded_proof_does_not_outweigh_a_side_that_never_ends(
    harnesses: Harnesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bounded:
        name = "bounded"

        def prove(self, *asked: object) -> Proof:
            return Proof("loops up to 8 iterations")

    monkeypatch.setattr(search, "provers_of", lambda *asked: [Bounded()])
    left = "def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return max(n, 0)"
    budget = SearchBudget(runs=40, proof_seconds=1)
    equal = compared(harnesses, left, left.replace("max(n, 0)", "i"), budget=budget)
    assert equal.verdict is BehaviourVerdict.PROVED_EQUAL
    endless = compared(harnesses, left, left.replace("i += 1", "i += 0"), budget=budget)
    assert Difference.ENDLESS in endless.counts
    assert endless.verdict is not BehaviourVerdict.PROVED_EQUAL


SEARCHES: list[tuple[str, bool]] = [
    ("def f(a, x):\n    lo, hi = 0, len(a)\n    while lo < hi:\n        mid = (lo + hi) // 2\n"
     "        if a[mid] < x: lo = mid + 1\n        else: hi = mid\n    return lo", True),
    ("def f(a):\n    while l <= r:\n        m = l + (r - l) // 2\n        v = a[m]\n        if v == x: return m", True),
    ("int f(int[] a, int x) { int mid = (lo + hi) >>> 1; if (x == a[mid]) return mid; }", True),
    ("int f(List<Integer> a, int x) { int mid = (lo + hi) / 2; if (a.get(mid).compareTo(x) < 0) lo = 1; }", True),
    ("from bisect import bisect_left\ndef f(a, x):\n    return bisect_left(a, x)", True),
    ("def binary_search(a, x):\n    return x in a", True),
    ("def median_of_sorted_arrays(a, b):\n    c = sorted(a + b)\n    return c[len(c) // 2]", True),
    ("def f(nums):\n    tails = []\n    for x in nums:\n        at = bisect_left(tails, x)", False),
    ("def order(a):\n    mid = len(a) // 2\n    left, right = order(a[:mid]), order(a[mid:])", False),
    ("function median (v) { const s = [...v].sort(); const mid = s.length >> 1; return s[mid] < 0 }", False),
    ("def f(a):\n    mid = (lo + hi) // 2\n    pivot = a[mid]\n    return [x for x in a if x < pivot]", False),
    ("def middle(a):\n    mid = len(a) // 2\n    return a[mid]", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_sorted"), SEARCHES)
def test_lists_are_taken_for_sorted_only_where_they_are_searched_by_halves(text: str, is_sorted: bool) -> None:
    stream = InputStream((text, text), 0, (parse_type("list[int]"),))
    stream.assume()
    assert (stream.precondition == SORTED) is is_sorted
