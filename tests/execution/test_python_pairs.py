"""Pairs of Python that once could not be decided, or were told apart by an input that nobody would pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness.inside.python_files import EMPTY_FOLDERS, FILES
from clonetruth.execution.inputs.telling_values import FILE_NAMES
from clonetruth.execution.results import BehaviourComparison
from clonetruth.execution.sandbox import Bubblewrap

lacking = [one for one in Bubblewrap().layers() if one.needed and one.missing]
needs_sandbox = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")

LINES = "def count(path):\n    with open(path) as f:\n        return len(f.readlines())"

EQUAL = {
    "files are read": (LINES, "def count(p):\n    n = 0\n    for line in open(p):\n        n += 1\n    return n"),
    "folders are made": (
        "import os\ndef make(path):\n    if not os.path.isdir(path):\n        os.makedirs(path)",
        "import os\ndef make(path):\n    os.makedirs(path, exist_ok=True)",
    ),
    "iterators are not used up": (
        "def f(it):\n    first = next(it)\n    return first, next(it)",
        "def f(it):\n    a = next(it)\n    b = next(it)\n    return a, b",
    ),
    "generators without an end": (
        "def f(a):\n    while True:\n        yield a % 7\n        a += 1",
        "def f(n):\n    yield n % 7\n    while True:\n        n = n + 1\n        yield n % 7",
    ),
    "lists of Python 2": (
        "def f(n):\n    a = map(int, str(n))\n    return a[::-1]",
        "def f(n):\n    a = [int(c) for c in str(n)]\n    return a[::-1]",
    ),
    "methods of Python 2": (
        "def f(d):\n    return sorted(k for k, v in d.iteritems() if not d.has_key('zz') and v > 1)",
        "def f(d):\n    return sorted(k for k, v in d.items() if 'zz' not in d and v > 1)",
    ),
    "a line after a colon": (
        "def f(a):\n    for x in range(len(a)):\n        if a[x] > 2:\n        a[x] = 0\n    return a",
        "def f(a):\n    return_ = a\n    for x in range(len(a)):\n        if a[x] > 2: a[x] = 0\n    return return_",
    ),
    "keys that the code asks for": (
        "def f(x):\n    return x['t1'] * 2",
        "def f(x):\n    n = x['t1']\n    return n + n",
    ),
    "texts that are repeated": (
        "def f(n):\n    s = ''\n    for a, r in TABLE:\n        k, n = divmod(n, a)\n        s += r * k\n    return s",
        "def f(n):\n    s = ''\n    for a, r in TABLE:\n        s, n = s + r * (n // a), n % a\n    return s",
    ),
    "true, or nothing": (
        "def f():\n    if a(): return True\n    if b(): return True",
        "def f():\n    if a() or b(): return True\n    return None",
    ),
    "numbers drawn at random": (
        "import random\ndef f():\n    return [random.randint(0, 9) for _ in range(3)]",
        "import random\ndef f():\n    a = []\n    for _ in range(3): a.append(random.randint(0, 9))\n    return a",
    ),
    "functions whose names say what they do": (
        "def f(a):\n    if len_rec(a) == 0: return 0\n    return (f(a[0]) if is_list(a[0]) else 1) + f(a[1:])",
        "def f(a):\n    return sum(f(x) if is_list(x) else 1 for x in a)",
    ),
    "a logger is not a logarithm": (
        "def f(n):\n    log.info('x')\n    return n + 1",
        "def f(n):\n    log.info('y')\n    return 1 + n",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def compared(harnesses: Harnesses, left: str, right: str) -> BehaviourComparison:
    budget = SearchBudget(runs=80)
    return compare_behaviour(Code(left, "python"), Code(right, "python"), harnesses, budget=budget)


@needs_sandbox
@pytest.mark.parametrize("name", EQUAL)
def test_no_difference_is_found(harnesses: Harnesses, name: str) -> None:
    found = compared(harnesses, *EQUAL[name])
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, (found.why_undecided, found.detail, found.witness)


@needs_sandbox
def test_what_is_written_into_files_is_output(harnesses: Harnesses) -> None:
    write = "def save(name, text):\n    with open(name, 'w') as f:\n        f.write({})"
    found = compared(harnesses, write.format("text"), write.format("text + '!'"))
    assert found.witness is not None
    assert "wrote" in found.witness.left.output
    assert found.witness.left.output != found.witness.right.output


@needs_sandbox
def test_a_call_does_not_see_the_files_of_another(harnesses: Harnesses) -> None:
    text = "import os\ndef f(n):\n    n = len(os.listdir('.'))\n    open('x' + str(n), 'w').close()\n    return n"
    found = compared(harnesses, text, text + "\n")
    results = {one.returned["int"] for _, one, _ in found.examples if isinstance(one.returned, dict)}
    assert results == {str(len({name.split("/")[0] for name in (*FILES, *EMPTY_FOLDERS)}))}


@needs_sandbox
def test_a_side_that_always_fails_is_told_from_one_that_does_not(harnesses: Harnesses) -> None:
    recursive = "def f(s):\n    assert '(' in s\n    while '(' in s:\n        f(s)\n    return s"
    found = compared(harnesses, recursive, "def f(s):\n    assert '(' in s\n    return s.replace('(', '')")
    assert found.verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
def test_arguments_that_are_treated_alike_are_of_one_kind(harnesses: Harnesses) -> None:
    joined = "def f(a, b):\n    x = list(a[1:])\n    y = list(b[1:])\n    return ''.join(x + y)"
    found = compared(harnesses, joined, joined + "\n")
    assert found.types == ("str", "str")


def test_inputs_name_files_that_are_there() -> None:
    folders = {name.rpartition("/")[0] for name in FILES} | set(EMPTY_FOLDERS)
    assert FILES.keys() <= set(FILE_NAMES)
    assert set(FILE_NAMES) - FILES.keys() - folders == {"missing.txt", ".", "new/folder", "folder/deep"} - folders
