"""Code that asks for the time can be compared, because the clock of the sandbox stands still."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.sandbox import Bubblewrap
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
