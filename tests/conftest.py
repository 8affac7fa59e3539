"""What holds for every test: where nothing may be left out, a skip is a failure."""

import os
from collections.abc import Generator

import pytest

MAY_NOT_SKIP = ("browser", "photos", "package", "tools", "network")
"""Markers whose tests must run where COMPANION_REQUIRE_ALL is 1."""


def _all_required() -> bool:
    return os.environ.get("COMPANION_REQUIRE_ALL") == "1"


def _failed(report: pytest.TestReport | pytest.CollectReport) -> None:
    report.outcome = "failed"
    report.longrepr = f"Every test has to run here, but this was skipped: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and _all_required() and any(map(item.get_closest_marker, MAY_NOT_SKIP)):
        _failed(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped and _all_required():
        _failed(report)
    return report
