"""A real browser for the tests of pages. All flags are here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


class Browser:
    """Chromium with a page of ours, at a chosen width and in a chosen colour scheme."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, *, width: int = 1280, scheme: str = "light", scripts: bool = True) -> None:
        """Load a file. The log of what went before is thrown away."""
        self.set_screen(width, 900, scheme=scheme, scripts=scripts)
        self.visit(page.as_uri())

    def set_screen(self, width: int, height: int, *, scheme: str = "light", scripts: bool = True) -> None:
        """What pages are shown on, and whether their scripts run."""
        self._command("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self._command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def visit(self, address: str) -> None:
        """Load an address. The log of what went before is thrown away."""
        self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        self.driver.get(address)

    def run(self, script: str, *arguments: object) -> Any:
        """The value of a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script: str) -> Any:
        """The value that a script hands to its last argument, a callback."""
        return self.driver.execute_async_script(script)

    def severe(self) -> list[str]:
        """What the console holds at level SEVERE: errors of scripts, refusals of the content policy."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def _command(self, name: str, **parameters: object) -> None:
        self.driver.execute_cdp_cmd(name, parameters)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests; skips where Chromium or its driver is missing."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip(f"needs {'Chromium' if binary is None else 'chromedriver'} on the path")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in FLAGS:
        options.add_argument(flag)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium refuses to run as root without it
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    yield Browser(chrome)
    chrome.quit()
