"""The page of a matrix in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.html import write
from clonetruth.report.matrix import matrix_page
from tests.e2e.conftest import Browser
from tests.report.test_matrix import SUMMARY, row, view_test

pytestmark = pytest.mark.browser

VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
NAMES = ("mlp", "identifiers", "token-similarity")

_OVERLAPS = """
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
const found = [];
for (const plot of document.querySelectorAll('#drop svg.plot')) {
    const texts = [...plot.querySelectorAll('text.tick')].map(t => [t.textContent, t.getBoundingClientRect()]);
    texts.forEach(([one, a], at) => texts.slice(at + 1).forEach(([other, b]) => {
        if (a.width && b.width && !apart(a, b)) found.push(one + ' / ' + other);
    }));
}
return found;
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four views, as in the paper."""
    rows = [
        row(detector, view, level, 0.9 - 0.1 * at, 0.1 * at)
        for detector in NAMES
        for level in SUMMARY.levels
        for at, view in enumerate(VIEWS)
    ]
    summary = replace(
        SUMMARY, detectors=NAMES, views=VIEWS, rows=tuple(rows), tests=tuple(view_test(view, 0.25) for view in VIEWS)
    )
    return write(matrix_page(summary), tmp_path_factory.mktemp("matrix") / "index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen_and_names_do_not_overlap(browser: Browser, page: Path, scheme: str, width: int) -> None:
    browser.open(page, width=width, scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.severe() == []
    assert browser.run("return document.querySelectorAll('#drop svg.plot').length") == 4
    assert browser.run(_OVERLAPS) == []
