"""What all tests share. In the build server's run nothing may be skipped: there a skip is a failure."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

# The machines differ too much for hypothesis to judge the time of an example.
settings.register_profile("fifty-five", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("fifty-five")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("FIFTY_FIVE_SKIP_NOTHING"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and nothing may be skipped here: {report.longrepr}"
    return report
