"""Judging in a real browser: by keyboard, blind, undone, decided, interrupted; pages that everybody can use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from clonetruth.store.study import CONSENT_FILE
from clonetruth.store.votes import JudgeRole, open_vote_store
from clonetruth.studies import review_study
from tests.e2e.accessibility import CONTRAST, axe_findings
from tests.e2e.conftest import Browser
from tests.e2e.judging_session import LAPTOP, JudgingSession
from tests.studies.web.sample import PROTOCOL, SECRETS, contradict, without_checks, write_sample
from tests.studies.web.servers import ServerProcess, running_server
from tests.studies.web.visitors import ServedStudy

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TABLET, PHONE = (820, 1180), (390, 844)
CONSENT = """## What we ask of you

We study how people judge pairs of code. We record your **answers**, your reasons, and the seconds per answer.

- Your name is stored with the study and is not published.
- You can withdraw at any time, without giving a reason.

Questions: study@example.org
"""
VIEWS = ("fragments", "differences", "forms", "specification", "protocol")


@pytest.fixture
def session(browser: Browser, tmp_path: Path) -> Iterator[JudgingSession]:
    write_sample(tmp_path / "study", without_checks())
    with running_server(tmp_path / "study") as (served, address):
        yield JudgingSession(browser, served, address)
    browser.driver.delete_all_cookies()


def test_the_link_does_not_stay_in_sight(session: JudgingSession) -> None:
    session.enter("Ada")
    assert session.browser.driver.current_url == f"{session.address}/judge"
    assert session.browser.run("return document.cookie") == ""
    assert session.browser.run("return document.referrer") == ""


def test_a_link_from_another_site_lets_in(session: JudgingSession, tmp_path: Path) -> None:
    token = session.served.invite("Ada").token
    # Another host name makes another site, as a mail program in the browser is.
    mail = tmp_path / "mail.html"
    mail.write_text(f'<a href="{session.address}/enter/{token}">Your link</a>', encoding="utf-8")
    session.browser.set_screen(*LAPTOP)
    session.browser.visit(mail.as_uri())
    session.browser.driver.find_element(By.TAG_NAME, "a").click()
    assert axe_findings(session.browser) == []
    session.sign_in()
    assert session.find("h1") == PROTOCOL.question


def test_judging_by_keyboard_alone(session: JudgingSession) -> None:
    session.enter("Ada")
    for key in ("c", "2", "u", "k", "m"):
        session.judge(key)
    session.pause()
    session.press("h", "h", "r", "the clone sums", Keys.ESCAPE)
    session.judge("x")
    assert session.find("h1") == "Nothing left to judge"
    votes = session.served.votes("Ada")
    assert [vote.value for vote in votes] == ["clone", "not-clone", "undecided", None, "major", "not-clone"]
    assert votes[-1].reason == "the clone sums"
    assert votes[-1].confidence == 0.75
    assert all(0.4 < (vote.seconds or 0.0) < 60 for vote in votes)
    assert session.browser.severe() == []


def test_letters_in_a_reason_are_letters(session: JudgingSession) -> None:
    session.enter("Ada")
    before = session.item
    session.press("r", "cx123 dnsp?z")
    assert session.browser.run("return document.getElementById('reason').value") == "cx123 dnsp?z"
    assert session.item == before
    assert session.served.votes("Ada") == []


def test_what_is_pressed_twice_judges_once(session: JudgingSession) -> None:
    session.enter("Ada")
    session.press("c", "c", "c")
    session.wait("return document.getElementById('status').textContent === 'Saved.'")
    session.press("c")
    session.pause()
    assert len(session.served.votes("Ada")) == 1
    button = session.browser.driver.find_element(By.CSS_SELECTOR, "button[value=not-clone]")
    ActionChains(session.browser.driver).double_click(button).perform()
    session.pause()
    assert [vote.value for vote in session.served.votes("Ada")] == ["clone", "not-clone"]


def test_single_keys_can_be_switched_off_for_good(session: JudgingSession) -> None:
    session.enter("Ada")
    box = session.browser.driver.find_element(By.ID, "shortcuts")
    box.click()
    session.press("c")
    session.browser.driver.refresh()
    session.pause()
    session.press("c")
    session.pause()
    assert session.served.votes("Ada") == []
    assert not session.browser.driver.find_element(By.ID, "shortcuts").is_selected()
    session.browser.run("localStorage.clear()")


def test_every_view_is_one_key_away_and_the_reason_stays(session: JudgingSession) -> None:
    session.enter("Ada")
    session.press("r", "kept", Keys.ESCAPE)
    for key, selector in (
        ("d", ".view-differences .diff"),
        ("n", ".view-forms"),
        ("s", ".view-specification .specification"),
        ("p", ".view-protocol h1"),
        ("p", ".view-fragments .pane"),
        ("?", ".view-protocol strong"),
        (Keys.ESCAPE, ".view-fragments .pane"),
    ):
        session.press(key)
        session.wait(f"return document.querySelector('{selector}') !== null")
    assert session.browser.run("return document.getElementById('reason').value") == "kept"
    assert session.browser.severe() == []


def test_both_fragments_scroll_by_the_arrows(session: JudgingSession) -> None:
    session.enter("Ada")
    session.browser.set_screen(800, 520)
    tops = "return [...document.querySelectorAll('#view pre')].map(pane => pane.scrollTop)"
    session.browser.run(
        "for (const pane of document.querySelectorAll('#view pre code')) pane.style.lineHeight = '20rem'"
    )
    assert session.browser.run(tops) == [0, 0]
    session.press(Keys.PAGE_DOWN)
    assert min(session.browser.run(tops)) > 0
    session.press(Keys.PAGE_UP)
    assert session.browser.run(tops) == [0, 0]


def test_undo(session: JudgingSession) -> None:
    session.enter("Ada")
    first = session.item
    session.judge("c")
    assert session.item != first
    session.press("z")
    session.wait(f"return document.getElementById('view').dataset.item === '{first}'")
    assert session.served.votes("Ada") == []
    session.judge("x")
    assert [vote.value for vote in session.served.votes("Ada")] == ["not-clone"]


def test_nothing_of_another_judge_reaches_the_browser(session: JudgingSession) -> None:
    session.served.invite("Ada Lovelace").judge_all("not-clone", reason="Whispered to nobody.")
    session.enter("Bob")
    session.browser.run(
        """window.received = [];
        const ask = window.fetch;
        window.fetch = async (...what) => {
          const answer = await ask(...what);
          window.received.push(answer.url, await answer.clone().text());
          return answer;
        };"""
    )
    seen = [session.browser.driver.page_source]
    for key in ("d", "n", "s", "p", "f"):
        session.press(key)
        session.wait(f"return document.querySelector('.views [aria-current]').dataset.key.startsWith('{key}')")
    session.judge("c")
    seen += [session.browser.driver.page_source, *session.browser.run("return window.received")]
    assert len(seen) == 2 + 2 * 6
    for secret in (*SECRETS, "Lovelace", "Whispered", "person-"):
        assert not any(secret in text for text in seen), secret
    addresses = session.browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert addresses
    assert all(address.startswith(session.address) or address == "data:," for address in addresses)


def test_adjudication_by_keyboard(session: JudgingSession) -> None:
    session.served.invite("Ada").judge_all("clone", reason="Both add.")
    session.served.invite("Bob").judge_all("not-clone", reason="Only one adds.")
    session.enter("Cleo", JudgeRole.ADJUDICATOR)
    answers = session.find(".judge-answers")
    assert "Both add." in answers
    assert "Only one adds." in answers
    first = session.item
    session.press("x")
    session.pause()
    assert session.item == first, "a decision needs a reason"
    session.press(Keys.ESCAPE, "r", "It does not add.", Keys.ESCAPE)
    session.judge("x")
    assert "1 decided, 3 open" in session.find(".pace")
    (vote,) = session.served.votes("Cleo")
    assert (vote.value, vote.reason) == ("not-clone", "It does not add.")
    session.press("z")
    session.wait("return document.querySelector('.pace').textContent.includes('0 decided, 4 open')")


def test_a_hostile_fragment_does_nothing(session: JudgingSession) -> None:
    session.enter("Ada")
    while "txet siht" not in session.browser.driver.page_source:
        session.judge("k")
    for key in ("d", "n", "s", "p", "f"):
        session.press(key)
        session.wait(f"return document.querySelector('.views [aria-current]').dataset.key.startsWith('{key}')")
        assert session.browser.driver.title == PROTOCOL.question
        assert session.browser.run("return document.querySelectorAll('img, #view script, #view style').length") == 0
    assert session.browser.run("return document.documentElement.scrollWidth") <= LAPTOP[0]
    assert session.browser.severe() == []


def test_a_revoked_link_has_its_own_page(session: JudgingSession) -> None:
    session.enter("Ada")
    session.served.vote_store.revoke("Ada")
    session.pause()
    session.press("c")
    session.wait("return document.querySelector('h1').textContent === 'You do not have access to this page'")
    assert "revoked" in session.find("main")
    assert session.served.votes("Ada") == []
    assert axe_findings(session.browser) == []


def test_a_killed_server_loses_and_doubles_nothing(browser: Browser, tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "study", without_checks()).path
    with open_vote_store(folder) as box:
        ada, token = box.add_judge("Ada")
    server = ServerProcess(folder)
    browser.set_screen(*LAPTOP)
    browser.visit(f"{server.address}/enter/{token}")
    with open_vote_store(folder) as box:
        session = JudgingSession(browser, ServedStudy(folder, box), server.address)
        session.sign_in()
        session.judge("c")
        server.kill()
        second = session.item
        session.pause()
        session.press("r", "typed before the crash", Keys.ESCAPE, "x")
        session.wait("return document.getElementById('status').textContent.startsWith('Not saved.')")
        assert session.item == second, "the page is still there"
        server = ServerProcess(folder, server.port)
        try:
            session.judge("x")
            browser.driver.refresh()
            assert session.item not in ("", second), "the page goes on where it was"
            votes = [cast.vote for cast in box.votes_of(ada.id)]
        finally:
            code, out, err = server.interrupt()
    assert [vote.value for vote in votes] == ["clone", "not-clone"]
    assert votes[1].reason == "typed before the crash"
    assert (code, err) == (0, "")
    assert "Stopped." in out


def test_pages_work_without_scripts(session: JudgingSession) -> None:
    token = session.served.invite("Ada").token
    driver = session.browser.driver
    session.browser.set_screen(*LAPTOP, scripts=False)
    session.browser.visit(f"{session.address}/enter/{token}")
    driver.find_element(By.CSS_SELECTOR, "main button").click()
    WebDriverWait(driver, 10).until(lambda _: driver.current_url.endswith("/judge"))
    driver.find_element(By.PARTIAL_LINK_TEXT, "Differences").click()
    assert driver.find_elements(By.CSS_SELECTOR, ".view-differences .diff")
    driver.find_element(By.ID, "reason").send_keys("By mouse.")
    driver.find_element(By.CSS_SELECTOR, "button[value=clone]").click()
    WebDriverWait(driver, 10).until(lambda _: "1 done" in driver.page_source)
    session.browser.set_screen(*LAPTOP)
    (vote,) = session.served.votes("Ada")
    assert (vote.value, vote.reason) == ("clone", "By mouse.")


def test_the_tabulator_goes_from_question_to_answer(session: JudgingSession) -> None:
    session.enter("Ada")
    session.browser.run("document.activeElement.blur()")
    order = []
    for _ in range(20):
        session.press(Keys.TAB)
        order.append(
            session.browser.run(
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
def test_the_desk_fits_the_screen(session: JudgingSession, screen: tuple[int, int]) -> None:
    session.enter("Ada")
    session.browser.set_screen(*screen)
    for view in VIEWS:
        session.browser.visit(f"{session.address}/judge?show={view}")
        assert session.browser.run("return document.documentElement.scrollWidth") <= screen[0]
    if screen is not PHONE:
        bottom = "return document.querySelector('button[value=clone]').getBoundingClientRect().bottom"
        assert session.browser.run(bottom) <= screen[1], "the answers are always in sight"
    assert axe_findings(session.browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_desk_can_be_read(session: JudgingSession, scheme: str) -> None:
    session.enter("Ada")
    session.browser.set_screen(*LAPTOP, scheme=scheme)
    for view in VIEWS:
        session.browser.visit(f"{session.address}/judge?show={view}")
        checked, weak = session.browser.run(CONTRAST)
        assert checked > 15
        assert weak == {}
        assert axe_findings(session.browser) == []
    assert session.browser.severe() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_pages_can_be_read(browser: Browser, tmp_path: Path, scheme: str) -> None:
    write_sample(tmp_path / "study")
    with running_server(tmp_path / "study") as (served, address):
        session = JudgingSession(browser, served, address)

        def check() -> None:
            browser.set_screen(*TABLET, scheme=scheme)
            browser.driver.refresh()
            assert browser.run("return document.documentElement.scrollWidth") <= TABLET[0]
            assert browser.run(CONTRAST)[1] == {}
            assert axe_findings(browser) == []

        session.enter("Ada")
        session.press("c")
        session.wait("return document.querySelector('h1').textContent === 'As expected'")
        check()
        served.invite("Bob").judge_all("clone")
        served.invite("Eve").judge_all("not-clone")
        for name, role in (("Cleo", JudgeRole.ADJUDICATOR), ("Olga", JudgeRole.OWNER), ("Finn", JudgeRole.JUDGE)):
            session.enter(name, role)
            check()


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_consent_and_withdrawal_in_the_browser(session: JudgingSession, screen: tuple[int, int]) -> None:
    """Read, agree, judge, withdraw: by mouse, on both screens, with pages that everybody can use."""
    (session.served.folder / CONSENT_FILE).write_text(CONSENT, encoding="utf-8")
    driver = session.browser.driver
    token = session.served.invite("Ada").token
    session.browser.set_screen(*screen)
    session.browser.visit(f"{session.address}/enter/{token}")
    sign_in = driver.find_elements(By.CSS_SELECTOR, "main form button")
    if sign_in:
        sign_in[0].click()
    session.wait("return location.pathname === '/consent'")

    def check_page() -> None:
        assert session.browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert axe_findings(session.browser) == []
        assert session.browser.run(CONTRAST)[1] == {}

    check_page()
    driver.find_element(By.CSS_SELECTOR, "main form button").click()
    session.wait("return location.pathname === '/judge'")
    driver.find_element(By.LINK_TEXT, "Withdraw").click()
    session.wait("return location.pathname === '/withdraw'")
    check_page()
    button = driver.find_element(By.CSS_SELECTOR, "main form button")
    button.click()
    assert session.browser.run("return location.pathname") == "/withdraw", "the box is not ticked"
    driver.find_element(By.CSS_SELECTOR, "main input[type=checkbox]").click()
    button.click()
    WebDriverWait(driver, 10).until(lambda _: "You have withdrawn" in driver.page_source)
    assert session.served.vote_store.judges() == ()


@pytest.mark.parametrize("screen", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reviewing_in_a_browser(browser: Browser, tmp_path: Path, screen: tuple[int, int], scheme: str) -> None:
    folder = tmp_path / "study"
    write_sample(folder, without_checks())
    with running_server(folder) as (served, address):
        for name in ("Ada", "Bob"):
            served.invite(name).judge_all("clone", reason=f"{name} sees two sums.")
        contradict(folder, "Model M", "One of them counts what the other one adds. " * 40, (0, 1))
        review_study(folder)
        session = JudgingSession(browser, served, address)
        session.enter("Rea", JudgeRole.ADJUDICATOR)
        browser.set_screen(*screen, scheme=scheme)
        browser.visit(f"{address}/review")
        assert "Contradicted by Model M: Not a clone" in session.find(".judge-answers")
        assert browser.run("return document.documentElement.scrollWidth") <= screen[0]
        assert browser.run(CONTRAST)[1] == {}
        assert axe_findings(browser) == []
        session.pause()
        session.press("r", "The model is right.", Keys.ESCAPE)
        session.judge("a")
        session.pause()
        session.press("r", "The people are right.", Keys.ESCAPE, "j")
        session.wait("return document.querySelector('h1').textContent === 'No pairs to review'")
        assert axe_findings(browser) == []
        assert [vote.value for vote in served.votes("Rea")] == ["not-clone", "clone"]
        assert browser.severe() == []
    browser.driver.delete_all_cookies()
