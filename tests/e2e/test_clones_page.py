"""The page of a search for clones in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.html import write
from clonetruth.report.clones import clones_page
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.report.clone_sample import REPORT

pytestmark = pytest.mark.browser

SCREENS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(clones_page(REPORT), tmp_path_factory.mktemp("clones") / "clones.html")


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_it_fits_every_screen_and_can_be_read(browser: Browser, page: Path, width: int, scheme: str) -> None:
    browser.open(page, width=width, scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    checked, weak = browser.run(CONTRAST)
    assert checked > 50
    assert weak == {}
    assert browser.severe() == []


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_axe_finds_nothing(browser: Browser, page: Path, width: int, scheme: str) -> None:
    browser.open(page, width=width, scheme=scheme)
    assert axe_findings(browser) == []


def test_a_click_in_the_table_leads_to_the_code_side_by_side(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.querySelector('#classes a').click()")
    assert browser.run("return location.hash") == "#clone-0"
    top = browser.run("return document.getElementById('clone-0').getBoundingClientRect().top")
    assert 0 <= top < 900
    sides = browser.run(
        "const t = document.querySelector('#code table.diff');"
        "return [...t.querySelectorAll('td.c')].slice(0, 2).map(c => c.getBoundingClientRect().left)"
    )
    assert sides[0] < sides[1], "the copies are side by side"
    marks = browser.run("return [...document.querySelectorAll('#code table.diff mark')].map(m => m.textContent)")
    assert {"total", "s"} <= set(marks), "what differs within a line is marked"


def test_squares_of_the_map_say_what_they_are(browser: Browser, page: Path) -> None:
    browser.open(page)
    titles = browser.run("return [...document.querySelectorAll('#map rect title')].map(t => t.textContent)")
    assert "app/core and app/web: 5 lines" in titles


def test_the_table_is_complete_without_a_script(browser: Browser, page: Path) -> None:
    browser.open(page, scripts=False)
    source = browser.driver.page_source
    browser.open(page)
    assert "statement inserted" in source
