"""Which tests are slow, by measurement: `python -m tests.durations REPORT.xml` rewrites `tests/slow.txt`.

The report is that of the default tests (`python -m pytest -n auto --dist loadscope --junitxml REPORT.xml`). The list
keeps the default run below eight minutes on two cores; CI runs what is on it as well. Tests that are slow by nature
have the marker `slow` where they are written.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

SLOW = Path(__file__).with_name("slow.txt")
_MEAN = 1.0
"""Seconds of one test (one case of a test with parameters) from which it is slow."""
_TOTAL = 12.0
"""Seconds of all cases together."""
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


if __name__ == "__main__":
    # What was on the list did not run.
    SLOW.write_text(
        "".join(f"{name}\n" for name in sorted(slow_tests() | measured(Path(sys.argv[1])))), encoding="utf-8"
    )
