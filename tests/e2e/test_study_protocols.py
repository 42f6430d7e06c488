"""Protocols in a real browser: a sitting by keyboard, a warning that does not block, a joint decision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clonetruth.store.votes import ItemKind, JudgeRole, read_votes
from clonetruth.studies import choose_protocol
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.e2e.judging_session import LAPTOP, JudgingSession
from tests.studies.web.sample import write_sample
from tests.studies.web.servers import running_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = (390, 844)


@pytest.fixture
def session(browser: Browser, tmp_path: Path) -> Iterator[JudgingSession]:
    write_sample(tmp_path / "study", choose_protocol("krinke").protocol, pairs=3)
    with running_server(tmp_path / "study") as (served, address):
        yield JudgingSession(browser, served, address)
    browser.driver.delete_all_cookies()


def looks_right(session: JudgingSession, name: str) -> None:
    """No finding of axe, enough contrast, and nothing wider than the screen; pictures if a folder is named."""
    for width, height in (LAPTOP, PHONE):
        session.browser.set_screen(width, height)
        assert axe_findings(session.browser) == []
        assert session.browser.run(CONTRAST)[1] == {}
        assert session.browser.run("return document.documentElement.scrollWidth") <= width
        if folder := os.environ.get("CLONETRUTH_SCREENSHOTS"):
            session.browser.driver.save_screenshot(str(Path(folder) / f"{name}-{width}.png"))
    session.browser.set_screen(*LAPTOP)


def call_it_a_clone(session: JudgingSession) -> None:
    """Press the key of an answer that is pointed out."""
    session.pause()
    session.press("c")
    session.wait("return location.pathname === '/judge/unusual'")


def test_a_sitting_by_keyboard_alone(session: JudgingSession) -> None:
    session.enter("Ada")
    looks_right(session, "first-method")
    assert session.find(".steps [aria-current]") == "Left method"
    session.judge("m")
    assert session.find(".steps [aria-current]") == "Right method"
    session.judge("o")
    looks_right(session, "pair")
    call_it_a_clone(session)
    assert session.find("h1") == "An unusual clone"
    looks_right(session, "unusual")
    session.pause()
    session.press("z")
    session.wait("return document.querySelector('.steps') !== null")
    assert session.find(".steps [aria-current]") == "Pair"
    session.judge("x")
    assert session.find(".steps [aria-current]") == "Left method"
    votes = session.served.votes("Ada")
    assert [vote.value for vote in votes] == ["major", "minor", "not-clone"]
    assert [vote.item.kind for vote in votes] == [ItemKind.METHOD, ItemKind.METHOD, ItemKind.PAIR]
    # Half a sitting is kept, and not exported.
    session.judge("w")
    assert len(session.served.votes("Ada")) == 4
    assert read_votes(session.served.folder)[1].num_rows == 3
    session.browser.driver.refresh()
    assert session.find(".steps [aria-current]") == "Right method"
    assert session.find(".steps strong") == "Wrong"
    assert session.browser.severe() == []


def test_the_warning_is_passed_by_one_key(session: JudgingSession) -> None:
    session.enter("Ada")
    for key in ("m", "t"):
        session.judge(key)
    call_it_a_clone(session)
    session.pause()
    session.press(Keys.ENTER)
    session.wait("return location.pathname === '/judge'")
    assert [vote.value for vote in session.served.votes("Ada")] == ["major", "test", "clone"]


def test_a_discussion_names_who_took_part(session: JudgingSession) -> None:
    for name, answer in (("Ada", "clone"), ("Bob", "not-clone")):
        visitor = session.served.invite(name)
        page = visitor.enter()
        while "Nothing left" not in page.text:
            answers = page.form("/judge").answers
            visitor.answer(page, answer if answer in answers else "major")
            page = visitor.open("/judge")
    session.enter("Chair", JudgeRole.ADJUDICATOR)
    looks_right(session, "discussion")
    before = session.item
    driver = session.browser.driver
    driver.find_element(By.ID, "reason").send_keys("We read it together.")
    session.pause()
    driver.find_element(By.CSS_SELECTOR, "button[value=clone]").click()
    session.wait("return document.getElementById('status').textContent.includes('at least 2 participants')")
    assert session.item == before
    for box in driver.find_elements(By.CSS_SELECTOR, ".participants input")[:2]:
        box.click()
    session.pause()
    driver.find_element(By.CSS_SELECTOR, "button[value=clone]").click()
    session.wait(f"return (document.getElementById('view')?.dataset.item ?? '') !== '{before}'")
    (decision,) = session.served.votes("Chair")
    assert len(decision.participants) == 2
