"""How long processors work for a key, in a kernel and in a page: a busy machine changes it little.

Of a kernel Linux counts the nanoseconds of all its threads; of a page Chromium counts what its
main thread does, and how often it lays out anew.
"""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page


@dataclass(frozen=True)
class Spent:
    """What was spent since a kernel and a page began: milliseconds, and a count of layouts."""

    kernel: float
    page: float
    script: float
    style: float
    layout: float
    layouts: float

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(*(mine - theirs for mine, theirs in zip(*map(_parts, (self, other)), strict=True)))

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(mine + theirs for mine, theirs in zip(*map(_parts, (self, other)), strict=True)))

    def for_each(self, keys: int) -> "Spent":
        """Of so many keys, what one took."""
        return Spent(*(part / keys for part in _parts(self)))


def _parts(spent: Spent) -> tuple[float, ...]:
    return spent.kernel, spent.page, spent.script, spent.style, spent.layout, spent.layouts


class Meter:
    """The processor time of a kernel, by the id of its process, and of a page."""

    def __init__(self, page: Page, kernel: int) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")
        self._threads = Path(f"/proc/{kernel}/task")

    def spent(self) -> Spent:
        """What was spent till now."""
        told = self._session.send("Performance.getMetrics")["metrics"]
        metrics = {each["name"]: each["value"] for each in told}
        names = ("TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
        page, script, style, layout = (1e3 * metrics[name] for name in names)
        # The first number is the nanoseconds that a thread ran.
        threads = (int(each.read_text().split()[0]) for each in self._threads.glob("*/schedstat"))
        return Spent(sum(threads) / 1e6, page, script, style, layout, metrics["LayoutCount"])
