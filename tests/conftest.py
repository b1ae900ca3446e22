"""What all tests share."""

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none

if TYPE_CHECKING:
    from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from browser import command_to_type, find

# Threads that wait for work sleep. GNU's OpenMP, and with it torch, has them compute in the
# meantime, and so takes the processor from the other workers. It asks once, when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# A shell has those that it runs in the background ignore Ctrl+C, and all that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A grammar of web addresses that jsonschema asks for: nobody here needs it, and building it takes
# each worker two seconds before its first test.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# These share a lab and a window, which take long to open; of the others, a worker takes a file.
TOGETHER = "tests/browser/"
# What takes longest, longest first: groups are handed out whole, and one that begins when all
# others are done keeps everybody waiting. (pytest-xdist would begin with those of most tests.)
LONG = (
    "tests/browser/test_lab.py",
    "tests/browser/test_formgrader.py",
    "tests/browser/",
    # Some compute, others wait: side by side they take least.
    "tests/course/exercises/test_bank.py",
    "tests/grading/test_interruptions.py",
    "tests/grading/test_catalogue.py",
    "tests/course/notebooks/test_lessons.py",
    "tests/grading/test_cluster.py",
    "tests/grading/test_demo.py",
    "tests/grading/test_command.py",
    "tests/grading/",
    "tests/stridekit/test_watch",
    "tests/extras/test_placement.py",
    "tests/stridekit/diagrams/",
    "tests/stridekit/explorers/",
    "tests/course/checks/",
)

# The same examples every time: a run that fails, fails again. tests/stridekit/differential.py looks
# for new ones.
settings.register_profile(
    "stridekit",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stridekit")


NOT_RUN = pytest.StashKey[int]()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: a third of all tests' time is waiting for others."""
    mine = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    return len(mine(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A worker takes whole files, and those that share what takes long to open.

    (xdist's own marks of groups are lost with pytest 9.2, whose names of tests are fixed.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class FileScheduling(LoadScopeScheduling):
        """By the group that a test's file belongs to."""

        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return TOGETHER if file.startswith(TOGETHER) else file

    return FileScheduling(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files first; within a file, and among the others, the order stays.

    Without a Chromium all other tests run, and the end says which did not.
    """

    def place(item: pytest.Item) -> int:
        return next((at for at, name in enumerate(LONG) if item.nodeid.startswith(name)), len(LONG))

    items.sort(key=place)
    asking = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    if asking and find() is None:
        config.hook.pytest_deselected(items=asking)
        items[:] = [item for item in items if item not in asking]
        config.stash[NOT_RUN] = len(asking)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """All that is imported and collected stays: whoever looks through all objects passes it by.

    Afterwards, too, few of the objects that tests make are garbage that nobody else would free.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        # At its first test, Hypothesis asks who holds its random numbers, and would see nobody.
        given(none())(lambda _: None)()
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """So does what is left when a file is done: what it imported, above all, and caches."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path != item.path:
            gc.collect()
            gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Tests that did not run are no success. A worker tells the session that started it."""
    not_run = session.config.stash.get(NOT_RUN, 0)
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["browser_tests_not_run"] = not_run
    elif not_run and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker of xdist collects the same tests."""
    not_run = getattr(node, "workeroutput", {}).get("browser_tests_not_run", 0)
    if not_run:
        node.config.stash[NOT_RUN] = not_run


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The last thing that is said, and what to type."""
    not_run = config.stash.get(NOT_RUN, 0)
    if not_run:
        terminalreporter.section("the browser tests did not run", red=True, bold=True)
        terminalreporter.write_line(
            f"{not_run} tests need a Chromium, and there is none that works. That is a failure. "
            f"Type this, then run the tests again:\n\n    {command_to_type()}\n"
        )


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A headless Chromium. Without one, the tests that ask for it were not chosen."""
    from playwright.sync_api import sync_playwright

    path = find()
    assert path is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield browser
        # What another test has left would hold its pipes open, and so keep this waiting for ever: a
        # process of a DataLoader, say, which lives as long as the traceback that leads to it.
        gc.collect()
        for each in multiprocessing.active_children():
            each.terminate()
            each.join()
        browser.close()
