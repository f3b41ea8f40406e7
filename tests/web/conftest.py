"""A browser for the tests of the page; the tests are skipped if there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from forthvm.web.table.table import Table
from tests.web.browsing import Browser, Show, served

if TYPE_CHECKING:
    from selenium import webdriver


@contextmanager
def chromium(*arguments: str) -> Iterator[webdriver.Chrome]:
    """Start a browser without a window; skip the test if there is none."""
    webdriver = pytest.importorskip("selenium.webdriver")
    path = shutil.which("chromedriver")
    if path is None:
        pytest.skip("chromedriver is absent")
    options = webdriver.ChromeOptions()
    usual = ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900")
    for argument in (*usual, *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(path))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    """A browser without a window."""
    with chromium() as driver:
        yield driver


@pytest.fixture
def show(driver: webdriver.Chrome) -> Iterator[Show]:
    """Show a table in the browser; fail if the page logs an error."""
    with ExitStack() as stack:

        def show(table: Table) -> Browser:
            driver.get(stack.enter_context(served(table)))
            browser = Browser(driver, table)
            browser.wait(lambda: browser.find("#title").text)
            return browser

        yield show
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    errors = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert not [error for error in errors if "WebSocket" not in error["message"]]
