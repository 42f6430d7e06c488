"""Judging in a real browser: by keyboard, blind, undone, decided, interrupted; pages that everybody can use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from clonetruth.store.votes import JudgeRole, open_ballots
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.e2e.desk import LAPTOP, Desk
from tests.studies.web.sample import PROTOCOL, SECRETS, without_checks, write_sample
from tests.studies.web.serving import Process, listening
from tests.studies.web.visiting import House

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TABLET, PHONE = (820, 1180), (390, 844)
VIEWS = ("fragments", "differences", "forms", "specification", "protocol")


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    write_sample(tmp_path / "study", without_checks())
    with listening(tmp_path / "study") as (house, address):
        yield Desk(browser, house, address)
    browser.driver.delete_all_cookies()


def test_the_link_does_not_stay_in_sight(desk: Desk) -> None:
    desk.enter("Ada")
    assert desk.browser.driver.current_url == f"{desk.address}/judge"
    assert desk.browser.run("return document.cookie") == ""
    assert desk.browser.run("return document.referrer") == ""


def test_a_link_from_another_site_lets_in(desk: Desk, tmp_path: Path) -> None:
    token = desk.house.invite("Ada").token
    # Another host name makes another site, as a mail program in the browser is.
    mail = tmp_path / "mail.html"
    mail.write_text(f'<a href="{desk.address}/enter/{token}">Your link</a>', encoding="utf-8")
    desk.browser.set_screen(*LAPTOP)
    desk.browser.visit(mail.as_uri())
    desk.browser.driver.find_element(By.TAG_NAME, "a").click()
    desk.wait("return location.pathname === '/judge'")
    assert desk.find("h1") == PROTOCOL.question


def test_judging_by_keyboard_alone(desk: Desk) -> None:
    desk.enter("Ada")
    for key in ("c", "2", "u", "k", "m"):
        desk.judge(key)
    desk.look()
    desk.press("h", "h", "r", "the clone sums", Keys.ESCAPE)
    desk.judge("x")
    assert desk.find("h1") == "Nothing waits for you"
    votes = desk.house.votes("Ada")
    assert [vote.value for vote in votes] == ["clone", "not-clone", "undecided", None, "major", "not-clone"]
    assert votes[-1].reason == "the clone sums"
    assert votes[-1].confidence == 0.75
    assert all(0.4 < (vote.seconds or 0.0) < 60 for vote in votes)
    assert desk.browser.severe() == []


def test_letters_in_a_reason_are_letters(desk: Desk) -> None:
    desk.enter("Ada")
    before = desk.item
    desk.press("r", "cx123 dnsp?z")
    assert desk.browser.run("return document.getElementById('reason').value") == "cx123 dnsp?z"
    assert desk.item == before
    assert desk.house.votes("Ada") == []


def test_what_is_pressed_twice_judges_once(desk: Desk) -> None:
    desk.enter("Ada")
    desk.press("c", "c", "c")
    desk.wait("return document.getElementById('status').textContent === 'Saved.'")
    desk.press("c")
    desk.look()
    assert len(desk.house.votes("Ada")) == 1
    button = desk.browser.driver.find_element(By.CSS_SELECTOR, "button[value=not-clone]")
    ActionChains(desk.browser.driver).double_click(button).perform()
    desk.look()
    assert [vote.value for vote in desk.house.votes("Ada")] == ["clone", "not-clone"]


def test_single_keys_can_be_switched_off_for_good(desk: Desk) -> None:
    desk.enter("Ada")
    box = desk.browser.driver.find_element(By.ID, "shortcuts")
    box.click()
    desk.press("c")
    desk.browser.driver.refresh()
    desk.look()
    desk.press("c")
    desk.look()
    assert desk.house.votes("Ada") == []
    assert not desk.browser.driver.find_element(By.ID, "shortcuts").is_selected()
    desk.browser.run("localStorage.clear()")


def test_every_view_is_one_key_away_and_the_reason_stays(desk: Desk) -> None:
    desk.enter("Ada")
    desk.press("r", "kept", Keys.ESCAPE)
    for key, selector in (
        ("d", ".view-differences .diff"),
        ("n", ".view-forms"),
        ("s", ".view-specification .specification"),
        ("p", ".view-protocol h1"),
        ("p", ".view-fragments .pane"),
        ("?", ".view-protocol strong"),
        (Keys.ESCAPE, ".view-fragments .pane"),
    ):
        desk.press(key)
        desk.wait(f"return document.querySelector('{selector}') !== null")
    assert desk.browser.run("return document.getElementById('reason').value") == "kept"
    assert desk.browser.severe() == []


def test_both_fragments_scroll_by_the_arrows(desk: Desk) -> None:
    desk.enter("Ada")
    desk.browser.set_screen(800, 520)
    tops = "return [...document.querySelectorAll('#view pre')].map(pane => pane.scrollTop)"
    desk.browser.run("for (const pane of document.querySelectorAll('#view pre code')) pane.style.lineHeight = '20rem'")
    assert desk.browser.run(tops) == [0, 0]
    desk.press(Keys.PAGE_DOWN)
    assert min(desk.browser.run(tops)) > 0
    desk.press(Keys.PAGE_UP)
    assert desk.browser.run(tops) == [0, 0]


def test_undo(desk: Desk) -> None:
    desk.enter("Ada")
    first = desk.item
    desk.judge("c")
    assert desk.item != first
    desk.press("z")
    desk.wait(f"return document.getElementById('view').dataset.item === '{first}'")
    assert desk.house.votes("Ada") == []
    desk.judge("x")
    assert [vote.value for vote in desk.house.votes("Ada")] == ["not-clone"]


def test_nothing_of_another_judge_reaches_the_browser(desk: Desk) -> None:
    desk.house.invite("Ada Lovelace").judge_all("not-clone", reason="Whispered to nobody.")
    desk.enter("Bob")
    desk.browser.run(
        """window.received = [];
        const ask = window.fetch;
        window.fetch = async (...what) => {
          const answer = await ask(...what);
          window.received.push(answer.url, await answer.clone().text());
          return answer;
        };"""
    )
    seen = [desk.browser.driver.page_source]
    for key in ("d", "n", "s", "p", "f"):
        desk.press(key)
        desk.wait(f"return document.querySelector('.views [aria-current]').dataset.key.startsWith('{key}')")
    desk.judge("c")
    seen += [desk.browser.driver.page_source, *desk.browser.run("return window.received")]
    assert len(seen) == 2 + 2 * 6
    for secret in (*SECRETS, "Lovelace", "Whispered", "person-"):
        assert not any(secret in text for text in seen), secret
    addresses = desk.browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert addresses
    assert all(address.startswith(desk.address) or address == "data:," for address in addresses)


def test_adjudication_by_keyboard(desk: Desk) -> None:
    desk.house.invite("Ada").judge_all("clone", reason="Both add.")
    desk.house.invite("Bob").judge_all("not-clone", reason="Only one adds.")
    desk.enter("Cleo", JudgeRole.ADJUDICATOR)
    said = desk.find(".said")
    assert "Both add." in said
    assert "Only one adds." in said
    first = desk.item
    desk.press("x")
    desk.look()
    assert desk.item == first, "a decision needs a reason"
    desk.press(Keys.ESCAPE, "r", "It does not add.", Keys.ESCAPE)
    desk.judge("x")
    assert "1 decided, 3 open" in desk.find(".pace")
    (vote,) = desk.house.votes("Cleo")
    assert (vote.value, vote.reason) == ("not-clone", "It does not add.")
    desk.press("z")
    desk.wait("return document.querySelector('.pace').textContent.includes('0 decided, 4 open')")


def test_a_hostile_fragment_does_nothing(desk: Desk) -> None:
    desk.enter("Ada")
    while "txet siht" not in desk.browser.driver.page_source:
        desk.judge("k")
    for key in ("d", "n", "s", "p", "f"):
        desk.press(key)
        desk.wait(f"return document.querySelector('.views [aria-current]').dataset.key.startsWith('{key}')")
        assert desk.browser.driver.title == PROTOCOL.question
        assert desk.browser.run("return document.querySelectorAll('img, #view script, #view style').length") == 0
    assert desk.browser.run("return document.documentElement.scrollWidth") <= LAPTOP[0]
    assert desk.browser.severe() == []


def test_a_revoked_link_has_a_page_of_its_own(desk: Desk) -> None:
    desk.enter("Ada")
    desk.house.ballots.revoke("Ada")
    desk.look()
    desk.press("c")
    desk.wait("return document.querySelector('h1').textContent === 'This is not open to you'")
    assert "withdrawn" in desk.find("main")
    assert desk.house.votes("Ada") == []
    assert axe_findings(desk.browser) == []


def test_a_killed_server_loses_and_doubles_nothing(browser: Browser, tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "study", without_checks()).path
    with open_ballots(folder) as box:
        ada, token = box.add_judge("Ada")
    server = Process(folder)
    browser.set_screen(*LAPTOP)
    browser.visit(f"{server.address}/enter/{token}")
    WebDriverWait(browser.driver, 10).until(lambda _: browser.run("return location.pathname === '/judge'"))
    with open_ballots(folder) as box:
        desk = Desk(browser, House(folder, box), server.address)
        desk.judge("c")
        server.kill()
        second = desk.item
        desk.look()
        desk.press("r", "typed before the crash", Keys.ESCAPE, "x")
        desk.wait("return document.getElementById('status').textContent.startsWith('Not saved.')")
        assert desk.item == second, "the page is still there"
        server = Process(folder, server.port)
        try:
            desk.judge("x")
            browser.driver.refresh()
            assert desk.item not in ("", second), "the page goes on where it was"
            votes = [cast.vote for cast in box.votes_of(ada.id)]
        finally:
            code, out, err = server.interrupt()
    assert [vote.value for vote in votes] == ["clone", "not-clone"]
    assert votes[1].reason == "typed before the crash"
    assert (code, err) == (0, "")
    assert "Stopped." in out


def test_pages_work_without_scripts(desk: Desk) -> None:
    token = desk.house.invite("Ada").token
    driver = desk.browser.driver
    desk.browser.set_screen(*LAPTOP, scripts=False)
    desk.browser.visit(f"{desk.address}/enter/{token}")
    WebDriverWait(driver, 10).until(lambda _: driver.current_url.endswith("/judge"))
    driver.find_element(By.PARTIAL_LINK_TEXT, "Differences").click()
    assert driver.find_elements(By.CSS_SELECTOR, ".view-differences .diff")
    driver.find_element(By.ID, "reason").send_keys("By mouse.")
    driver.find_element(By.CSS_SELECTOR, "button[value=clone]").click()
    WebDriverWait(driver, 10).until(lambda _: "1 done" in driver.page_source)
    desk.browser.set_screen(*LAPTOP)
    (vote,) = desk.house.votes("Ada")
    assert (vote.value, vote.reason) == ("clone", "By mouse.")


def test_the_tabulator_goes_from_question_to_answer(desk: Desk) -> None:
    desk.enter("Ada")
    desk.browser.run("document.activeElement.blur()")
    order = []
    for _ in range(20):
        desk.press(Keys.TAB)
        order.append(
            desk.browser.run(
                """const at = document.activeElement;
                return at.className || at.id || at.name || at.getAttribute('href') || at.tagName;"""
            )
        )
        if order[-1] == "answer":
            break
    places = [next(n for n, name in enumerate(order) if part in name) for part in ("skip", "quiet", "PRE", "reason")]
    assert places == sorted(places)
    assert order[-4].startswith("answer")


@pytest.mark.parametrize("screen", [LAPTOP, TABLET, PHONE], ids=["laptop", "tablet", "phone"])
def test_the_desk_fits_the_screen(desk: Desk, screen: tuple[int, int]) -> None:
    desk.enter("Ada")
    desk.browser.set_screen(*screen)
    for view in VIEWS:
        desk.browser.visit(f"{desk.address}/judge?show={view}")
        assert desk.browser.run("return document.documentElement.scrollWidth") <= screen[0]
    if screen is not PHONE:
        bottom = "return document.querySelector('button[value=clone]').getBoundingClientRect().bottom"
        assert desk.browser.run(bottom) <= screen[1], "the answers are always in sight"
    assert axe_findings(desk.browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_desk_can_be_read(desk: Desk, scheme: str) -> None:
    desk.enter("Ada")
    desk.browser.set_screen(*LAPTOP, scheme=scheme)
    for view in VIEWS:
        desk.browser.visit(f"{desk.address}/judge?show={view}")
        checked, weak = desk.browser.run(CONTRAST)
        assert checked > 15
        assert weak == {}
        assert axe_findings(desk.browser) == []
    assert desk.browser.severe() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_pages_can_be_read(browser: Browser, tmp_path: Path, scheme: str) -> None:
    write_sample(tmp_path / "study")
    with listening(tmp_path / "study") as (house, address):
        desk = Desk(browser, house, address)

        def check() -> None:
            browser.set_screen(*TABLET, scheme=scheme)
            browser.driver.refresh()
            assert browser.run("return document.documentElement.scrollWidth") <= TABLET[0]
            assert browser.run(CONTRAST)[1] == {}
            assert axe_findings(browser) == []

        desk.enter("Ada")
        desk.press("c")
        desk.wait("return document.querySelector('h1').textContent === 'As expected'")
        check()
        house.invite("Bob").judge_all("clone")
        house.invite("Eve").judge_all("not-clone")
        for name, role in (("Cleo", JudgeRole.ADJUDICATOR), ("Olga", JudgeRole.OWNER), ("Finn", JudgeRole.JUDGE)):
            desk.enter(name, role)
            check()
