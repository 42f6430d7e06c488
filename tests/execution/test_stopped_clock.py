"""Code that asks for the time can be compared, because the clock of the sandbox stands still."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness import CallInput
from clonetruth.execution.harness.java.text import needs_more
from clonetruth.execution.harness.program_clock import REPAIR, with_stopped_clock
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.sides import inspect
from tests.execution.sandboxed import needs_sandbox

SAME, OTHER = BehaviourVerdict.NO_DIFFERENCE_FOUND, BehaviourVerdict.DIFFERENT
AGE = (
    "from datetime import date\n"
    "def age(born: date) -> int:\n"
    "    today = date.today()\n"
    "    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))\n"
)
CASES = {
    "the same age by two classes": (
        "python",
        AGE,
        "import datetime\n"
        "def age(born: datetime.date) -> int:\n"
        "    now = datetime.datetime.now()\n"
        "    years = now.year - born.year\n"
        "    return years - 1 if (born.month, born.day) > (now.month, now.day) else years\n",
        SAME,
    ),
    "an age by 365 days": (
        "python",
        AGE,
        "import datetime\n"
        "def age(born: datetime.date) -> int:\n"
        "    return (datetime.date.today() - born).days // 365\n",
        OTHER,
    ),
    "seconds": (
        "python",
        "import time\ndef late(n: int) -> bool:\n    return time.time() - n > 1700000000\n",
        "from time import time\ndef late(n: int) -> bool:\n    return time() - 1700000000 > n\n",
        SAME,
    ),
    "classes of the library are still what they are": (
        "python",
        "from datetime import date, datetime, timezone\n"
        "class Mine(datetime):\n"
        "    pass\n"
        "def f(n: int):\n"
        "    now = datetime.now(timezone.utc)\n"
        "    one = Mine(2020, 1, 1)\n"
        "    return [isinstance(now, datetime), isinstance(now, date), issubclass(Mine, datetime),\n"
        "            type(now) == datetime,\n"
        "            {datetime: 7}[type(now)], type(one) is Mine, isinstance(now, Mine), datetime.min.year,\n"
        "            repr(datetime(2020, 1, 2)), datetime.strptime('2020', '%Y') < datetime.utcnow(), n]\n",
        "def f(n: int):\n"
        "    return [True, True, True, True, 7, True, False, 1, 'datetime.datetime(2020, 1, 2, 0, 0)', True, n]\n",
        SAME,
    ),
    "milliseconds": (
        "javascript",
        "function since(start) { return Date.now() - start }",
        "function since(start) { return new Date().getTime() - start }",
        SAME,
    ),
    "Date is still what it is": (
        "javascript",
        "class Later extends Date {}\n"
        "function f(n) {\n"
        "  const d = new Later(2020, 1, 1)\n"
        "  return [d instanceof Date, d instanceof Later, new Later().getTime() === Date.now(), Date.UTC(2020, 1),\n"
        "    Date.name, Date.length, new Date().constructor === Date, typeof Date(), n]\n"
        "}",
        "function f(n) { return [true, true, true, 1580515200000, 'Date', 7, true, 'string', n] }",
        SAME,
    ),
}
TOOLS = {"python": "python3", "javascript": "node"}


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@pytest.mark.parametrize("case", CASES)
def test_code_that_asks_for_the_time(case: str, harnesses: Harnesses) -> None:
    language, left, right, expected = CASES[case]
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not installed")
    found = compare_behaviour(Code(left, language), Code(right, language), harnesses, budget=SearchBudget(runs=60))
    assert found.verdict is expected, found


JAVA_CLOCK = """import java.util.*;
public class Main { public static void main(String[] a) {
  long start = System.currentTimeMillis(), now = System . nanoTime( );
  System.out.println(new Scanner(System.in).nextInt() * 2); // System.nanoTime()
  System.err.println("System.nanoTime() " + (System.nanoTime() - now) + new Date().getTime()); } }"""


def test_clocks_of_programs_are_constants_and_those_of_functions_stay() -> None:
    made = with_stopped_clock(Code(JAVA_CLOCK, "java")).text
    assert made.count("nanoTime") == 2  # in the comment and in the text
    assert made.count("45678901000L") == 2
    assert made.count("1710505845678L") == 2
    assert needs_more(JAVA_CLOCK) is not None
    assert needs_more(made) is None
    for code in (Code(JAVA_CLOCK, "java", "main"), Code("long f() { return System.nanoTime(); }", "java")):
        assert with_stopped_clock(code) is code


@needs_sandbox
def test_programs_that_measure_their_time_run_and_that_is_said() -> None:
    with Harnesses(Bubblewrap()) as harnesses:
        side = inspect(Code(JAVA_CLOCK, "java"), harnesses)
        seen = side.run([CallInput(stdin="21\n")], 0).observations
    assert side.shape.repairs == (REPAIR,)
    assert [(one.output, one.is_normal) for one in seen] == [("42\n", True)]
