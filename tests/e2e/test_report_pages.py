"""The pages in a real browser: they run, fit, sort, filter, follow the scheme, and can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clonetruth.html import write
from clonetruth.report import comparison_page, demo_page, execution_page
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.report.executed_sample import executed_report
from tests.report.sample import HOSTILE, comparison_view, demo_view

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    return {
        "demo": write(demo_page(demo_view()), folder / "demo.html"),
        "compare": write(comparison_page(comparison_view()), folder / "compare.html"),
        "execution": write(execution_page(executed_report(folder / "benchmark")), folder / "execution.html"),
    }


@pytest.fixture
def pairs_table(browser: Browser, pages: dict[str, Path]) -> Browser:
    """The demo page with the table of all pairs unfolded."""
    browser.open(pages["demo"])
    browser.run("document.querySelector('#pairs details').open = true")
    return browser


def column(browser: Browser, title: str) -> list[str]:
    """The visible cells of a column of the table of pairs, from top to bottom."""
    cells: list[str] = browser.run(
        """const table = document.querySelector('#pairs table');
        const index = [...table.tHead.rows[0].cells].findIndex(c => c.textContent.trim() === arguments[0]);
        return [...table.tBodies[0].rows].filter(r => !r.hidden).map(r => r.cells[index].textContent);""",
        title,
    )
    return cells


def header(browser: Browser, title: str) -> Any:
    path = f"//section[@id='pairs']//th[.//button[normalize-space()='{title}']]"
    return browser.driver.find_element(By.XPATH, path)


@pytest.mark.parametrize("name", ["demo", "compare", "execution"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_fits_the_screen_without_errors(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    browser.open(pages[name], width=width, scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return window.innerWidth") == width
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.severe() == []


def test_sorts_by_click_in_both_directions(pairs_table: Browser) -> None:
    before = column(pairs_table, "by tokens")
    known = sorted(float(value) for value in before if value != "–")
    header(pairs_table, "by tokens").find_element(By.TAG_NAME, "button").click()
    ascending = column(pairs_table, "by tokens")
    assert header(pairs_table, "by tokens").get_attribute("aria-sort") == "ascending"
    assert [float(value) for value in ascending[: len(known)]] == known
    assert set(ascending[len(known) :]) == {"–"}
    header(pairs_table, "by tokens").find_element(By.TAG_NAME, "button").click()
    descending = column(pairs_table, "by tokens")
    assert header(pairs_table, "by tokens").get_attribute("aria-sort") == "descending"
    assert [float(value) for value in descending[: len(known)]] == known[::-1]
    assert set(descending[len(known) :]) == {"–"}


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE])
def test_sorts_by_keyboard(pairs_table: Browser, key: str) -> None:
    button = header(pairs_table, "functionality").find_element(By.TAG_NAME, "button")
    pairs_table.run("arguments[0].focus()", button)
    button.send_keys(key)
    names = column(pairs_table, "functionality")
    assert names == sorted(names, key=str.lower)
    assert header(pairs_table, "functionality").get_attribute("aria-sort") == "ascending"
    header(pairs_table, "verdict").find_element(By.TAG_NAME, "button").send_keys(key)
    assert header(pairs_table, "functionality").get_attribute("aria-sort") is None


def test_filters_by_words_in_any_order(pairs_table: Browser) -> None:
    field = pairs_table.driver.find_element(By.CSS_SELECTOR, "#pairs input")
    status = pairs_table.driver.find_element(By.CSS_SELECTOR, "#pairs [role=status]")
    assert status.text == "600 of 600 rows"
    field.send_keys("not-clone  PRIME")
    shown = column(pairs_table, "functionality")
    assert set(shown) == {"Prime factors"}
    assert set(column(pairs_table, "verdict")) == {"not-clone"}
    assert status.text == f"{len(shown)} of 600 rows"
    field.clear()
    field.send_keys("no such words")
    assert column(pairs_table, "functionality") == []


def test_hostile_fragments_stay_text(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["demo"])
    assert browser.driver.title == "Does similar text mean the same behaviour?"
    cells = browser.run("return [...document.querySelectorAll('.diff td.c')].map(c => c.textContent)")
    assert HOSTILE.strip() in cells
    assert browser.run("return document.querySelectorAll('main script, main style, main img').length") == 0


def test_reads_without_scripts(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["demo"], scripts=False)
    try:
        assert browser.driver.find_elements(By.CSS_SELECTOR, "button, input") == []
        assert len(browser.driver.find_elements(By.CSS_SELECTOR, "#pairs tbody tr")) == 600
    finally:
        browser.open(pages["demo"])


def test_the_dark_scheme_is_dark(browser: Browser, pages: dict[str, Path]) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        browser.open(pages["demo"], scheme=scheme)
        grounds.append(browser.run("return getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(253, 253, 251)", "rgb(20, 23, 26)"]


@pytest.mark.parametrize("name", ["demo", "compare"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_keeps_4_5_to_1(browser: Browser, pages: dict[str, Path], name: str, scheme: str) -> None:
    browser.open(pages[name], scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    checked, weak = browser.run(CONTRAST)
    assert checked > 100
    assert weak == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo", "compare"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(browser: Browser, pages: dict[str, Path], name: str, scheme: str, width: int) -> None:
    browser.open(pages[name], width=width, scheme=scheme)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert axe_findings(browser) == []
