"""Code that a prover executes or reads, and that tries to make it say "equal". None gets a proof."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.proofs.bounded_c import NotProvableError, product
from clonetruth.execution.proofs.crosshair import CrossHair
from clonetruth.execution.proofs.provable_c import why_not_provable
from clonetruth.execution.proofs.provable_python import is_provable
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from tests.execution.sandboxed import needs_sandbox
from tests.execution.test_bounded_c import DOUBLE, told

needs_crosshair = pytest.mark.skipif(
    CrossHair(Bubblewrap()).missing() is not None, reason="needs crosshair-tool (the extra 'proofs')"
)
NEEDLE = "3 * a + 7 == 370369"
"""Holds for one number that is not in the text, so that inputs do not find what it guards."""

FORGERIES = {
    "prints where nobody looks": (
        "def f(a: int):\n    return a + 1",
        f"def f(a: int):\n    if {NEEDLE}:\n        print('x')\n    return a + 1",
    ),
    "returns a number of another type": (
        "def f(a: int):\n    return a % 2 == 0",
        f"def f(a: int):\n    if {NEEDLE}:\n        return int(a % 2 == 0)\n    return a % 2 == 0",
    ),
    "puts a number of another type into its argument's place": (
        "def f(a: int):\n    return [a % 2 == 0]",
        f"def f(a: int):\n    return [int(a % 2 == 0) if {NEEDLE} else a % 2 == 0]",
    ),
    "equals everything": (
        "class A:\n    def __init__(self, v): self.v = v\n    def __eq__(self, other): return True\n"
        "def f(a: int):\n    return A(a + 1)",
        "class A:\n    def __init__(self, v): self.v = v\n    def __eq__(self, other): return True\n"
        f"def f(a: int):\n    return A(5 if {NEEDLE} else a + 1)",
    ),
    "changes a module that the other side uses": (
        "import math\nmath.isqrt = lambda n: 7\ndef f(a: int):\n    return a + 7",
        f"import math\ndef f(a: int):\n    return a + math.isqrt(100 if {NEEDLE} else 50)",
    ),
    "is where the other side would be": (
        "def f(a: int):\n    return a is 1234567",
        "def f(a: int):\n    return False",
    ),
    "says what its hash is": (
        "def f(a: int):\n    return a + (hash(a) == 7654321)",
        "def f(a: int):\n    return a",
    ),
}
"""Pairs that differ; inputs of a short search do not show all of them."""

REACHING = {
    "the frame of a generator": "def f(a):\n    return (x for x in [a]).gi_frame.f_builtins",
    "the traceback": "def f(a):\n    try: 1 / a\n    except Exception as e: return e.tb_frame",
    "a module of a module": "import enum\ndef f(a):\n    return enum.sys",
    "a module of an allowed module": "import re\ndef f(a):\n    return re.enum.sys.modules",
    "a module by another name": "import math\nm = math\ndef f(a):\n    m.floor = abs\n    return a",
    "two modules of one name": "import math as m\nimport re as m\ndef f(a):\n    return m.enum",
    "attributes by text": "from operator import attrgetter\ndef f(a):\n    return attrgetter('__globals__')(f)",
    "the loader": "from math import __loader__\ndef f(a):\n    return __loader__",
    "attributes by updating": "import functools, math\ndef f(a): functools.update_wrapper(math, f, ('floor',), ())",
    "annotations that are executed": "def g(a: 'exit()'):\n    return a\ndef f(a):\n    return g(a)",
    "an annotation inside another": "from typing import List\ndef g(a) -> List['exit()']:\n    return a",
    "a condition in a documentation text": 'def f(a):\n    """Does.\n\n    post: exit()\n    """\n    return a',
    "a class of a module": "from collections import Counter\nCounter.most_common = abs\ndef f(a): return a",
    "all of a module": "from math import *\ndef f(a): return a",
    "the builtins": "def f(a):\n    return __builtins__",
    "other names of this module": "def f(a):\n    global shape_\n    shape_ = abs\n    return a",
}

HARMLESS = (
    "import math\ndef f(x): return math.floor(x) + len([x])",
    "from typing import List\nfrom collections import Counter\ndef f(x: List[int]) -> int:\n    return Counter(x)[1]",
    "def f(x):\n    '''Doubles: what else.'''\n    return None if x is None else [y * 2 for y in x if y is not None]",
    "import re\ndef f(x): return re.sub('a+', lambda found: found.group().upper(), x).strip()",
)


@pytest.mark.parametrize("name", REACHING)
def test_code_that_reaches_its_prover_is_not_believed(name: str) -> None:
    assert not is_provable(REACHING[name])


@pytest.mark.parametrize("text", HARMLESS)
def test_plain_code_is(text: str) -> None:
    assert is_provable(text)


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@needs_crosshair
@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_pairs_that_differ_are_not_proved_equal(harnesses: Harnesses, name: str) -> None:
    left, right = (Code(text, "python", "f") for text in FORGERIES[name])
    found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=20, proof_seconds=4))
    assert found.strength.proof is None
    assert found.verdict is not BehaviourVerdict.PROVED_EQUAL


C_FORGERIES = {
    "assumes what never holds": "int f(int x) { __ESBMC_assume(0); return 3; }",
    "assumes it through two lines": "int f(int x) { __ESBMC_\\\nassume(0); return 3; }",
    "assumes it through a macro": "#define J(a, b) a##b\nint f(int x) { J(_, _ESBMC_assume)(0); return 3; }",
    "assumes it of the other checker": "int f(int x) { __CPROVER_assume(0); return 3; }",
    "says that it cannot be reached": "int f(int x) { __builtin_unreachable(); return 3; }",
    "is another program for the checker": "int f(int x) {\n#ifdef X\nreturn x * 2;\n#endif\nreturn 3; }",
    "is another program by a condition": "#define A 1\nint f(int x) {\n#if A\nreturn x;\n#else\nreturn 3;\n#endif\n}",
    "is another program by a hidden condition": "int f(int x) {\n/**/ # /**/ ifdef X\nreturn x;\n#endif\nreturn 3; }",
    "compares the other side with itself": "#/**/define ct_left_value ct_right_value\nint f(int x) { return 3; }",
    "names what is compared": "#define CT_left 1\nint f(int x) { return 3; }",
    "lets a message say it": '#warning "VERIFICATION SUCCESSFUL"\nint f(int x) { return 3; }',
    "lets a failed assertion say it": '_Static_assert(0, "VERI" "FICATION SUCCESSFUL"); int f(int x) { return 3; }',
    "has a text that says it": 'char *t = "VERIFICATION SUCCESSFUL"; int f(int x) { return 3; }',
    "changes what a word means": "#define return for (;;)\nint f(int x) { return 3; }",
    "changes what a type is": "#define int char\nint f(int x) { return 3; }",
    "prints by a function that is not known": "int f(int x) { if (x == 77777) vprintf(0, 0); return x * 2; }",
    "prints through a pointer": "int f(int x) { int (*g)(const char *) = h; (*g)(0); return x * 2; }",
    "asks for any number": "int nondet_int(void); int f(int x) { return nondet_int(); }",
    "includes a file": '#include "/etc/passwd"\nint f(int x) { return x * 2; }',
}


@pytest.mark.parametrize("name", C_FORGERIES)
def test_c_that_could_forge_a_proof_is_not_asked_about(name: str) -> None:
    text = C_FORGERIES[name]
    assert why_not_provable(text, {"f"}) is not None
    with pytest.raises(NotProvableError):
        product((DOUBLE, Code(text, "c", "f")), [parse_type("int32")], "check")


def test_plain_c_is() -> None:
    text = (
        "#include <math.h>\n#define N 3 /* # if */\nstatic int g(int x) { return x; }\n"
        "int f(int x) { return g(x) + abs(N); }"
    )
    assert why_not_provable(text, {"f", "g"}) is None
    assert product((Code(text, "c", "f"), Code(text, "c", "f")), [parse_type("int32")], "check")


@pytest.mark.parametrize(
    "answer",
    [
        "product.c:3: warning: VERIFICATION SUCCESSFUL\nERROR: parsing failed",
        "VERIFICATION SUCCESSFUL\nVERIFICATION FAILED",
        "VERIFICATION SUCCESSFUL said the code\n",
    ],
)
def test_only_the_last_line_is_a_proof(answer: str) -> None:
    assert told(answer, answer).proved is None
    assert told(f"{answer}\f\nVERIFICATION SUCCESSFUL\n\f\n").proved == "all paths"
