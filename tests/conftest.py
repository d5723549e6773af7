"""The last line of a test run: what was skipped, and why. What all tests may need: a browser, products in bfloat16."""

import os
import shutil
from collections import Counter

import pytest

# two processes run tests at once: threads of one that spin while they wait would take the cores of the other
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_unconfigure(config):
    """Name the skipped tests below everything else, where nobody overlooks them."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and (told := skipped(reporter.stats.get("skipped", ()))):
        reporter.write_line(told)


def skipped(reports):
    """One line with the number of skipped tests of each file and their reason; nothing if none was skipped."""
    counts = Counter(
        (report.fspath, report.longrepr[2].removeprefix("Skipped: "), isinstance(report, pytest.TestReport))
        for report in reports
    )
    parts = [f"{number if alone else 'all'} of {file} ({reason})" for (file, reason, alone), number in counts.items()]
    return f"skipped: {'; '.join(parts)}" if parts else ""


@pytest.fixture(scope="session", autouse=True)
def unsynced():
    """Nothing that a test writes must outlive a power cut, and waiting for the disk is a fifth of a short training."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session")
def bfloat16():
    """For tests that multiply in bfloat16: skipped where that would end the test run, since a processor dies of it."""
    from keyseq.training.bfloat16 import bfloat16_problem

    if "crashes" in (problem := bfloat16_problem() or ""):
        pytest.skip(problem)


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, headless and offline, which `make test` installs.

    One a module: while playwright runs, no other event loop may in this thread.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
