"""A judge at a real browser."""

from __future__ import annotations

from dataclasses import dataclass

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from clonetruth.store.votes import JudgeRole
from tests.e2e.conftest import Browser
from tests.studies.web.visitors import ServedStudy

LAPTOP = (1366, 768)


@dataclass
class JudgingSession:
    """A browser with a served study in it."""

    browser: Browser
    served: ServedStudy
    address: str

    def enter(self, name: str, role: JudgeRole = JudgeRole.JUDGE) -> None:
        """Follow a new personal link, on a laptop."""
        self.browser.set_screen(*LAPTOP)
        self.browser.visit(f"{self.address}/enter/{self.served.invite(name, role).token}")
        self.sign_in()

    def sign_in(self) -> None:
        """Press the button of a personal link's page."""
        self.browser.driver.find_element(By.CSS_SELECTOR, "main button").click()
        self.wait("return location.pathname.length > 1 && !location.pathname.startsWith('/enter')")
        self.pause()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        ActionChains(self.browser.driver).send_keys(*keys).perform()

    def judge(self, key: str) -> None:
        """Press the key of an answer, and wait for what comes next."""
        before = self.item
        self.pause()
        self.press(key)
        self.wait(f"return (document.getElementById('view')?.dataset.item ?? '') !== '{before}'")

    def pause(self) -> None:
        """Wait a moment, as a judge does: keys pressed right after a page appears are ignored."""
        self.wait("return performance.now() - (window.testSeen ??= performance.now()) > 500")
        self.browser.run("delete window.testSeen")

    def wait(self, script: str) -> None:
        """Wait until a script returns true."""
        WebDriverWait(self.browser.driver, 10, 0.05).until(lambda _: self.browser.run(script))

    def find(self, selector: str) -> str:
        """The text of an element."""
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector).text

    @property
    def item(self) -> str:
        """The subject on the page; empty if there is none."""
        return str(self.browser.run("return document.getElementById('view')?.dataset.item ?? ''"))
