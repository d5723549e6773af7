"""The last line of a test run: what was skipped, and why."""

from collections import Counter

import pytest


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
