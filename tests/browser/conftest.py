"""A real JupyterLab on a copy of the course, and a real Chromium that looks at it."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import ROOT, warm
from tests.browser.typing import SLOW_SOCKET, WATCH_FIELDS

# The kernel that starts from nothing; all others have torch.
COLD = "cold"
INDEX = "course/index.ipynb", "How tensors lie in memory"

# Milliseconds. Whoever waits longer than this waits for ever, on the busiest machine.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)


class Lab:
    """A running `stridekit lab`: its address, its course, what it has said."""

    def __init__(self, course: Path, process: "subprocess.Popen[str]") -> None:
        self.course = course
        self.process = process
        self.said: list[str] = []
        self._ready = threading.Event()
        self.url = ""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if not self._ready.wait(300):
            self.stop()
            raise RuntimeError("JupyterLab did not start:\n" + "".join(self.said))

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            self.said.append(line)
            found = re.search(r"(http://127\.0\.0\.1:\d+/lab\S*\?token=\w+)", line)
            if found and not self.url:
                self.url = found[1]
                self._ready.set()

    def stop(self) -> None:
        """Stop the server, and hear it out."""
        self.process.terminate()
        self.process.wait(120)
        self._listener.join(120)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def open(self, page: Page, path: str, heading: str) -> None:
        """Show a notebook of the course in JupyterLab, alone, and wait until it is there."""
        server, token = re.match(r"(http://[^/]+).*\?(token=\w+)", self.url).groups()
        page.goto(f"{server}/lab/tree/{path}?reset&{token}")
        self.is_there(page, heading)

    def turn_to(self, page: Page, path: str, heading: str) -> None:
        """Show another notebook in a window, alone, and wait until it is there.

        JupyterLab is opened if it is not. What was open there is closed, and not saved.
        """
        if page.url == "about:blank":
            self.open(page, path, heading)
            return
        choose(page, "File", "Close All Tabs")
        discard = page.get_by_role("button", name="Discard")
        # It asks about what has been run.
        discard.or_(page.locator(".jp-Launcher")).first.wait_for()
        if discard.is_visible():
            discard.click()
        expect(page.locator(".jp-NotebookPanel")).to_have_count(0)
        choose(page, "File", "Open from Path…")
        page.get_by_role("dialog").get_by_role("textbox").fill(path)
        page.get_by_role("dialog").get_by_role("button", name="Open").click()
        self.is_there(page, heading)

    @staticmethod
    def is_there(page: Page, heading: str) -> None:
        """Wait until a notebook is shown, and its kernel waits for work."""
        page.get_by_role("heading", name=heading).wait_for()
        is_idle(page)


def is_idle(page: Page) -> None:
    """Wait until the kernel waits for work.

    Each time that `expect` does not find a thing it describes the whole page, in case that this is
    the last time: to wait for what comes late, `wait_for` takes a third of the computing.
    """
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()


def choose(page: Page, menu: str, item: str) -> None:
    """Choose something from the bar of menus."""
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def save(page: Page) -> None:
    """Ctrl+S, wherever the focus is: JupyterLab saves the notebook, and no browser its page."""
    # With a checkpoint it is done. One that has begun is not asked for again.
    done = re.compile(r"/api/contents/.*\.ipynb/checkpoints")
    with page.expect_response(
        lambda answer: answer.request.method == "POST" and bool(done.search(answer.url))
    ):
        page.keyboard.press("ControlOrMeta+s")


def free_port() -> int:
    """A port that nobody has: each worker starts a lab, and two at once would choose the same."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def add_kernels(folder: Path) -> None:
    """What notebooks' metadata may ask for: both are called the same."""
    cold = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    for name, argv in {"python3": {}, COLD: {"argv": cold}}.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "kernel.json").write_text(json.dumps(warm.kernel() | argv), "utf-8")


# Formgrader's buttons start a Python by its path: nbgrader, which takes each of them two seconds to
# import, is there already.
WARM_BUTTONS = """
import sys
from types import SimpleNamespace
from stridekit_grading import nbgrader_apps

nbgrader_apps.sys = SimpleNamespace(**{**vars(sys), "executable": %r})
"""


def warm_buttons(home: Path) -> None:
    """Have the lab that has this home run commands of nbgrader's in forks."""
    python = home / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.join(warm.python(warm.GRADING))} "$@"\n', "utf-8")
    python.chmod(0o755)
    (home / ".jupyter").mkdir()
    config = home / ".jupyter" / "jupyter_server_config.py"
    config.write_text(WARM_BUTTONS % str(python), "utf-8")


@contextmanager
def started(folder: Path) -> Iterator[Lab]:
    """`stridekit lab` on a copy of the course, as `make lab` starts it, with a home of its own."""
    course = folder / "stridekit"
    (course / "work").mkdir(parents=True)
    for name in ("course", "source", "release"):
        shutil.copytree(ROOT / name, course / name)
    # Of work/ only what is the project's: whoever has said `make lab` keeps his own there.
    for name in ("nbgrader_config.py", "work/nbgrader_config.py", "work/README.md"):
        shutil.copy(ROOT / name, course / name)
    (folder / "home").mkdir()
    warm_buttons(folder / "home")
    # Found before the environment's own, which is cold.
    add_kernels(folder / "jupyter" / "kernels")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTEST"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "stridekit", "lab", "--no-browser", "--port", str(free_port())],
        cwd=course,
        env={**kept, "HOME": str(folder / "home"), "JUPYTER_PATH": str(folder / "jupyter")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    running = Lab(course, process)
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def lab(tmp_path_factory) -> Iterator[Lab]:
    """A lab for all tests, of a learner and of an instructor."""
    with started(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Iterator[BrowserContext]:
    """What all windows share: JupyterLab's code is fetched and read once."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def window(windows: BrowserContext) -> Iterator[Page]:
    """A new window, 1280 pixels wide."""
    page = windows.new_page()
    yield page
    page.close()


@pytest.fixture
def page(windows: BrowserContext) -> Iterator[Page]:
    """A window for one test."""
    with window(windows) as page:
        yield page


@pytest.fixture(scope="session")
def reader(windows: BrowserContext) -> Iterator[Page]:
    """A window in which one notebook after another is read: to load JupyterLab takes longest.

    What it hears from kernels and writes into fields can be slowed down and looked at.
    """
    with window(windows) as page:
        page.add_init_script(SLOW_SOCKET + WATCH_FIELDS)
        yield page
