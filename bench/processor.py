"""How long processors work, in a kernel and on a page: a busy machine changes that little."""

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page


class Spent(NamedTuple):
    """Milliseconds: of all threads of a kernel, and of a page's main thread."""

    kernel: float
    page: float


class Meter:
    """What a kernel, by the id of its process, and a page have spent since they began.

    Of the kernel Linux counts the time on a processor; of the page Chromium counts its tasks, with
    what others took from them.
    """

    def __init__(self, page: Page, kernel: int) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")
        self._threads = Path(f"/proc/{kernel}/task")

    def spent(self) -> Spent:
        """What was spent till now."""
        told = self._session.send("Performance.getMetrics")["metrics"]
        page = next(each["value"] for each in told if each["name"] == "TaskDuration")
        # The first number is the nanoseconds that a thread ran.
        threads = (int(each.read_text().split()[0]) for each in self._threads.glob("*/schedstat"))
        return Spent(sum(threads) / 1e6, 1e3 * page)
