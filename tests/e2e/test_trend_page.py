"""The page of a trend in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.find.trend import CloneTrend, TrendNumbers, TrendPoint
from clonetruth.html import write
from clonetruth.report.trend import trend_page
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NUMBERS = [(1_000, 120, {"T1": 1, "T2": 3, "T3": 5}), (4_000, 300, {"T1": 4, "T2": 2, "T3": 15}), (0, 0, {})]
POINTS = tuple(
    TrendPoint(
        f"{number:040x}",
        f"2024-01-{number + 1:02}",
        1_704_067_200 + 86_400 * number,
        f"v{number}<script>",
        TrendNumbers(9, lines, duplicated, sum(types.values()), {"T1": 0, "T2": 0, "T3": 0, **types}),
    )
    for number, (lines, duplicated, types) in enumerate(NUMBERS)
)
BROKEN = TrendPoint("f" * 40, "2024-02-01", 1_706_745_600, "v9", None, "The file cannot be written: \x1b <b>.")
TREND = CloneTrend(
    (*POINTS, BROKEN), 200, "src/<b>", {"finders": ["exact"], "min_tokens": 50}, ("The clone is shallow.",)
)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_it_fits_every_screen_and_can_be_read(browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    page = write(trend_page(TREND), tmp_path / "trend.html")
    browser.open(page, width=width, scheme=scheme)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.run("return document.querySelectorAll('svg path.curve').length") == 8, "and in legends"
    checked, weak = browser.run(CONTRAST)
    assert checked > 20
    assert weak == {}
    assert axe_findings(browser) == []
    assert browser.severe() == []
