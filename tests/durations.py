"""Which tests are slow, and which modules take longest, by measurement.

`python -m tests.durations REPORT.xml` rewrites `tests/slow.txt` from the report of the default tests (`python -m pytest
-n auto --dist loadscope --junitxml REPORT.xml`). The list keeps the default run below eight minutes on two cores; CI
runs what is on it as well. Tests that are slow by nature have the marker `slow` where they are written.

`python -m tests.durations --order REPORT.xml …` rewrites `tests/long.txt` from the reports of both runs: these modules
start first, so that no worker begins a module of minutes when the other has nothing left to do.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

SLOW = Path(__file__).with_name("slow.txt")
LONG = Path(__file__).with_name("long.txt")
_MEAN = 1.0
"""Seconds of one test (one case of a test with parameters) from which it is slow."""
_TOTAL = 12.0
"""Seconds of all cases together."""
_LONG = 20.0
"""Seconds of all tests of a module from which it is worth starting early."""
_ALWAYS = ("tests.test_architecture", "tests.test_language", "tests.test_notebook_tasks")
"""Modules whose tests everybody should run before each commit."""


def slow_tests() -> frozenset[str]:
    """The functions on the list, as `module::function` or `module.Class::function`."""
    return frozenset(SLOW.read_text(encoding="utf-8").split())


def measured(report: Path) -> set[str]:
    """The functions that a report shows to be slow."""
    seconds = defaultdict[str, list[float]](list)
    for case in ElementTree.parse(report).iter("testcase"):
        seconds[f"{case.attrib['classname']}::{case.attrib['name'].partition('[')[0]}"].append(
            float(case.attrib["time"])
        )
    return {
        name
        for name, all_cases in seconds.items()
        if (sum(all_cases) / len(all_cases) > _MEAN or sum(all_cases) > _TOTAL) and not name.startswith(_ALWAYS)
    }


def long_modules() -> dict[str, float]:
    """The seconds of modules that take long."""
    rows = (line.split() for line in LONG.read_text(encoding="utf-8").splitlines())
    return {module: float(seconds) for seconds, module in rows}


def measured_modules(reports: Iterable[Path]) -> dict[str, float]:
    """The modules that reports show to take long, the longest first."""
    seconds = defaultdict[str, float](float)
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            # The class of a test, which begins with a capital letter, follows the module.
            module = ".".join(part for part in case.attrib["classname"].split(".") if not part[:1].isupper())
            seconds[module] += float(case.attrib["time"])
    return {module: total for module, total in sorted(seconds.items(), key=lambda one: -one[1]) if total >= _LONG}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--order", *reports]:
            found = measured_modules(map(Path, reports))
            LONG.write_text("".join(f"{total:.0f} {module}\n" for module, total in found.items()), encoding="utf-8")
        case [report]:
            # What was on the list did not run.
            names = sorted(slow_tests() | measured(Path(report)))
            SLOW.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        case _:
            sys.exit(__doc__)
