"""A real browser without a network, or a message that says what is missing."""

import base64
import json
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LONGEST = 60.0
DRAWN = "return [...document.querySelectorAll('.chart')].map(chart => chart.dataset.drawn)"


class Browser:
    """A driver with the few things that tests ask of it."""

    def __init__(self, driver, folder):
        self.driver, self.folder, self.number, self.scripts = driver, folder, 0, True

    def open(self, page, *, width=1280, scheme="light", media="screen"):
        """Write a page to disk, open it from there, and wait until all charts are drawn again, where scripts run."""
        self.number += 1
        file = Path(self.folder) / f"page-{self.number}.html"
        file.write_text(page, encoding="utf-8")
        self.visit(file.as_uri(), width=width, scheme=scheme, media=media)
        if self.scripts:
            self.wait(lambda: all(drawn in ("done", "failed") for drawn in self.drawn()), "all charts are drawn")

    def visit(self, address, *, width=1280, scheme="light", media="screen"):
        """Open a page that stands on disk; what was asked for and complained of before is forgotten."""
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.look(width=width, scheme=scheme, media=media)
        self.driver.get(address)

    def look(self, *, width=1280, scheme="light", media="screen"):
        shape = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})

    @contextmanager
    def without_scripts(self):
        """Pages are shown as to readers who run no scripts; those of tests still run."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.scripts = False
        try:
            yield
        finally:
            self.scripts = True
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def printed(self):
        """The page as a PDF."""
        asked = {"preferCSSPageSize": True, "printBackground": True}
        return base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", asked)["data"])

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def drawn(self):
        """What became of each chart of the page."""
        return self.run(DRAWN)

    def wait(self, holds, what):
        until = time.monotonic() + LONGEST
        while not holds():
            if time.monotonic() > until:
                pytest.fail(f"waited in vain until {what}")
            time.sleep(0.05)

    def complaints(self):
        """What the browser wrote to its console, errors and warnings."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def outside(self):
        """Every address asked for since the page was opened that is neither on disk nor inside the page."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [each["params"] for each in events if each["method"] == "Network.requestWillBeSent"]
        # the browser's own first tab may still be asking for its icons
        asked = [each["request"]["url"] for each in requests if not each["documentURL"].startswith("chrome:")]
        asked += self.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
        return [address for address in asked if not address.startswith(("file:", "data:"))]


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Chromium, headless, offline."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is missing: install the extra 'test'")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    helper = shutil.which("chromedriver")
    if program is None or helper is None:
        pytest.skip("no browser: install chromium and chromium-driver (Debian) to run these tests")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(helper))
    driver.execute_cdp_cmd("Network.enable", {})
    off = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", off)
    yield Browser(driver, tmp_path_factory.mktemp("pages"))
    driver.quit()
