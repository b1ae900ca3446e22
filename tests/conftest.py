"""What all tests share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from browser import find

CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# What takes longest, longest first: whole files are handed out, and one that begins when all
# others are done keeps everybody waiting. (pytest-xdist would begin with those of most tests.)
LONG = (
    "tests/browser/test_explorers.py",
    "tests/notebooks/test_lessons.py",
    "tests/grading/test_interruptions.py",
    "tests/grading/test_cluster.py",
    "tests/grading/test_command.py",
    "tests/grading/test_collecting.py",
    "tests/grading/test_catalogue.py",
    "tests/grading/test_demo.py",
    "tests/browser/",
    "tests/grading/",
    "tests/exercises/test_bank.py",
    "tests/diagrams/",
    "tests/explorers/",
    "tests/checks/",
)

# The same examples every time: a run that fails, fails again. `tests/differential.py` looks
# for new ones.
settings.register_profile(
    "stridekit",
    derandomize=True,
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stridekit")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; within a file, and among the others, the order stays."""

    def place(item: pytest.Item) -> int:
        return next((at for at, name in enumerate(LONG) if item.nodeid.startswith(name)), len(LONG))

    items.sort(key=place)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium. `make test` has made sure that there is one."""
    path = find()
    assert path, "There is no Chromium for the browser tests: python tools/browser.py fetches one."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        browser.close()
