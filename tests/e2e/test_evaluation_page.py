"""The page of an evaluation in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from clonetruth.html import write
from clonetruth.report.evaluation import evaluation_page
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.report.sample import HOSTILE
from tests.report.sample_results import hostile_result, locations_result, pairs_result

pytestmark = pytest.mark.browser

NAMES = ("pairs", "locations", "several")
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("evaluations")
    results = {
        "pairs": [pairs_result()],
        "locations": [locations_result()],
        "several": [pairs_result(), pairs_result("OtherNet", 90), locations_result()],
        "hostile": [hostile_result()],
    }
    return {name: write(evaluation_page(given), folder / f"{name}.html") for name, given in results.items()}


def unfold(browser: Browser) -> None:
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")


@pytest.mark.parametrize("name", [*NAMES, "hostile"])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_fits_the_screen_without_errors(
    browser: Browser, pages: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    browser.open(pages[name], width=width, scheme=scheme)
    unfold(browser)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.severe() == []


def test_the_table_of_functionalities_sorts_and_filters(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["locations"])
    section = browser.driver.find_element(By.XPATH, "//section[h2[.='By functionality']]")
    section.find_element(By.XPATH, ".//th/button[normalize-space()='pairs']").click()
    rows = section.find_elements(By.CSS_SELECTOR, "tbody tr")
    pairs = [int(row.find_elements(By.TAG_NAME, "td")[0].text.replace(",", "")) for row in rows]
    assert pairs == sorted(pairs)
    assert len(pairs) == 12
    section.find_element(By.TAG_NAME, "input").send_keys("file copy")
    shown = [row.find_element(By.TAG_NAME, "th").text for row in rows if row.is_displayed()]
    assert shown == ["Copy a file"]
    assert section.find_element(By.CSS_SELECTOR, "[role=status]").text == "1 of 12 rows"


def test_code_is_highlighted_and_aligned(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["pairs"])
    unfold(browser)
    diffs = browser.driver.find_elements(By.CSS_SELECTOR, "#disagreements .diff")
    assert len(diffs) == 2
    keywords = [element.text for element in diffs[0].find_elements(By.CSS_SELECTOR, ".k")]
    assert "return" in keywords
    assert diffs[0].find_elements(By.CSS_SELECTOR, "mark")


def test_hostile_texts_stay_texts(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["hostile"])
    unfold(browser)
    assert browser.run("return document.querySelectorAll('main script, main style, main img').length") == 0
    assert browser.driver.title.startswith("TwinNet")
    cells = browser.run("return [...document.querySelectorAll('.diff td.c')].map(c => c.textContent)")
    assert any(HOSTILE.strip() in cell for cell in cells)


def test_the_citation_is_selected_by_one_click(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["pairs"])
    box = browser.driver.find_element(By.CSS_SELECTOR, "#cite pre")
    browser.run("arguments[0].scrollIntoView()", box)
    box.click()
    selected = browser.run("return String(getSelection())")
    assert selected.startswith("TwinNet on street-code 2.1")
    assert selected.rstrip().endswith("}")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_keeps_4_5_to_1(browser: Browser, pages: dict[str, Path], name: str, scheme: str) -> None:
    browser.open(pages[name], scheme=scheme)
    unfold(browser)
    checked, weak = browser.run(CONTRAST)
    assert checked > 100
    assert weak == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(browser: Browser, pages: dict[str, Path], name: str, scheme: str, width: int) -> None:
    browser.open(pages[name], width=width, scheme=scheme)
    unfold(browser)
    assert axe_findings(browser) == []
