"""How quick explorers are in a real JupyterLab: from a key to the new picture on the page.

    python -m bench.explorers            all nine, about a quarter of an hour
    python -m bench.explorers strides    this one
    python -m bench.explorers --quick    beside the least alone, some five minutes

For each explorer, at up to 64 cells, the same keys go into the same field of three notebooks: the
explorer; the same one as one writes it at first, with `ipywidgets.interactive` and pyplot, a
Rectangle and a Text for each cell; and that with stridekit's own quick figures. Beside them the
least that JupyterLab needs: a field whose text an HTML widget repeats. Each notebook has a tab of
the browser and a kernel of its own, and they take turns, so that a machine that slows down slows
all. The time is from the key until the changed picture is in the page. A busy machine makes every
time longer, so beside them stands how long processors work for a key, in the kernel and on the
page: of the least, and of the explorer.
"""

import json
import platform
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import ipywidgets
import jupyterlab
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from bench.at_first import CASES
from bench.processor import Meter, Spent

if TYPE_CHECKING:
    from tests.browser.conftest import Lab

ROOT = Path(__file__).resolve().parent.parent
ROUNDS, KEYS = 3, 10
# The first keys after another tab had its turn find everything cold, and do not count.
COLD = 3
WANTED_MEDIAN, WANTED_RATIO = 25.0, 5.0
# From the key that is pressed until the pictures in an area are others. Whether they look different
# is seen to before and after, for reading a picture's elements takes time.
WATCH = """([area, pictures]) => {
    const seen = () => [...area.querySelectorAll(pictures)];
    const looks = each => each.src || each.outerHTML;
    const before = seen(), sources = before.map(each => each.src), looked = before.map(looks);
    let began = 0;
    window.took = null;
    window.watching?.disconnect();
    area.addEventListener('keydown', () => { began = performance.now(); },
                          {once: true, capture: true});
    const observer = window.watching = new MutationObserver(records => {
        const now = performance.now(), after = seen();
        const other = after.some((each, n) => each !== before[n] || each.src !== sources[n] ||
            records.some(({target}) => each.contains(target)));
        if (began && other && after.length === before.length) {
            observer.disconnect();
            setTimeout(() => {
                if (after.some((each, n) => looks(each) !== looked[n])) window.took = now - began;
            }, 50);
        }
    });
    observer.observe(area, {subtree: true, childList: true, attributes: true});
}"""


def notebook(call: str, told: str) -> dict[str, Any]:
    """A notebook that shows the one thing that the call makes, and writes down its process."""
    setup = (
        f"import os, pathlib\n\npathlib.Path({told!r}).write_text(str(os.getpid()))\n"
        f"%matplotlib inline\nimport sys\n\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from bench.at_first import CASES, cell_by_cell, figure, least, with_interactive\n"
        "from stridekit import explorers"
    )
    cells = [{"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# One page"}]
    cells += [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for n, source in enumerate((setup, call))
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


@dataclass(frozen=True)
class Work:
    """What is measured, in a tab of its own."""

    page: Page
    area: Locator
    pictures: str
    label: str
    keys: str
    meter: Meter

    def key_to_page(self) -> list[float]:
        """The times for some keys, in milliseconds."""
        page, area = self.page, self.area
        page.bring_to_front()
        field = area.get_by_role("textbox", name=self.label, exact=True)
        times: list[float] = []
        lost = 0
        while len(times) < COLD + KEYS:
            # The last character is selected, so that one key replaces it.
            field.focus()
            field.evaluate(
                "field => field.setSelectionRange(field.value.length - 1, field.value.length)"
            )
            key = self._other_key(field)
            page.evaluate(WATCH, [area.element_handle(), self.pictures])
            time.sleep(0.15)  # as a person types, and till the one before is all done
            page.keyboard.down(key)
            # Nothing is asked of the page meanwhile: an answer takes the processor's time, too.
            time.sleep(0.1)
            page.keyboard.up(key)  # as a finger does, some time after
            took = self._took()
            if took is not None:
                times.append(took)
            elif (lost := lost + 1) > 3:
                where = page.evaluate("() => document.activeElement.outerHTML")
                raise RuntimeError(
                    f"Keys change no picture: {self.label}, {field.input_value()}, {where}"
                )
            else:
                time.sleep(2)  # something was still being drawn
        return times[COLD:]

    def processed(self) -> Spent:
        """How long processors work for a key; the least of some rounds."""
        field = self.area.get_by_role("textbox", name=self.label, exact=True)
        self.page.bring_to_front()
        field.focus()
        rounds = []
        for _ in range(ROUNDS):
            time.sleep(1.5)  # till all is quiet, and the picture is saved
            before = self.meter.spent()
            for _ in range(KEYS):
                field.evaluate(
                    "field => field.setSelectionRange(field.value.length - 1, field.value.length)"
                )
                self.page.keyboard.press(self._other_key(field))
                time.sleep(0.12)
            after = self.meter.spent()
            rounds.append(Spent(*((b - a) / KEYS for a, b in zip(before, after, strict=True))))
        return min(rounds, key=sum)

    def _took(self) -> float | None:
        """How long the key took, once its picture is there; None if it does not come."""
        for _ in range(50):
            taken: float | None = self.page.evaluate("() => window.took")
            if taken is not None:
                return taken
            time.sleep(0.1)
        return None

    def _other_key(self, field: Locator) -> str:
        """The key that changes what stands in the field."""
        typed = field.input_value()
        return next(key for key in self.keys if not typed.endswith(key))


def opened(
    lab: "Lab", browser: Browser, call: str, area: str, pictures: str, label: str, keys: str
) -> Work:
    """The notebook of a call, in a new tab, run."""
    path = f"work/{sum(1 for _ in lab.course.glob('work/*.ipynb'))}.ipynb"
    told = lab.course / f"{path}.pid"
    (lab.course / path).write_text(json.dumps(notebook(call, str(told))), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    lab.open(page, path, "One page")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    expect(page.locator(area).locator(pictures).first).to_be_visible()
    for more in page.locator(".sk-more > summary").all():
        more.click()
    # Till then JupyterLab moves the focus to the cell that runs.
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
    meter = Meter(page, int(told.read_text()))
    return Work(page, page.locator(area), pictures, label, keys, meter)


def measured(
    lab: "Lab", browser: Browser, name: str, *, quick: bool
) -> tuple[list[list[float]], list[Spent]]:
    """The times of the least, the explorer, and others.

    The two others only if there is time for them. And what processors work for the former two.
    """
    _, label, keys = CASES[name]
    paints = () if quick else ("cell_by_cell", "figure")
    others = (f"with_interactive({name!r}, {paint})" for paint in paints)
    works = [
        opened(lab, browser, "least()", ".least", "b", "field", "98"),
        opened(
            lab, browser, f"explorers.{name}(**CASES[{name!r}][0])",
            ".sk-explorer", ".sk-diagram svg.stridekit", label, keys,
        ),
        *(opened(lab, browser, each, ".widget-interact", "img", label, keys) for each in others),
    ]  # fmt: skip
    times: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for taken, work in zip(times, works, strict=True):
            taken += work.key_to_page()
    spent = [work.processed() for work in works[:2]]
    for work in works:
        work.page.close()
    return times, spent


def row(name: str, times: list[list[float]], spent: list[Spent]) -> str:
    """A line of the table: medians and bests, and how often ours goes into each of the others."""
    ours = median(times[1])
    cells = [f"{median(taken):.1f} ({min(taken):.1f})" for taken in times]
    told = f"{name:10}{cells[0]:>16}{cells[1]:>16}{ours / median(times[0]):>9.2f}"
    told += "".join(f"{each.kernel:>8.1f}{each.page:>6.1f}" for each in spent)
    for taken, cell in zip(times[2:], cells[2:], strict=True):
        told += f"{cell:>18}{median(taken) / ours:>7.1f}"
    return told


def main() -> None:
    from tests.browser.conftest import started
    from tests.conftest import CHROMIUM
    from tools.browser import find

    quick = "--quick" in sys.argv
    names = [each for each in sys.argv[1:] if each != "--quick"] or [*CASES]
    unknown = [name for name in names if name not in CASES]
    if unknown:
        sys.exit(f"There is no explorer {unknown[0]}. There are: {', '.join(CASES)}.")
    medians, ratios = [], []
    path = find() or sys.exit("There is no Chromium: python tools/browser.py fetches one.")
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder)) as lab,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        heads = f"{'':10}{'the least':>16}{'the explorer':>16}{'to least':>9}"
        heads += f"{'kernel':>8}{'page':>6}" * 2
        if not quick:
            heads += f"{'with pyplot':>18}{'ratio':>7}{'with figures':>18}{'ratio':>7}"
        print(
            f"Python {platform.python_version()}, JupyterLab {jupyterlab.__version__}, "
            f"ipywidgets {ipywidgets.__version__}, Chromium {chromium.version}\n\n"
            f"Key to page, median (and best) of {ROUNDS * KEYS} keys, in milliseconds; and how "
            f"long processors work for a key\n{heads}",
            flush=True,
        )
        for name in names:
            times, spent = measured(lab, chromium, name, quick=quick)
            medians.append(median(times[1]))
            ratios += [median(times[2]) / median(times[1])] if not quick else []
            print(row(name, times, spent), flush=True)
        chromium.close()
    told = f"\nSlowest median {max(medians):.1f} ms (wanted: at most {WANTED_MEDIAN:.0f})"
    if ratios:
        told += (
            f"; smallest ratio to pyplot {min(ratios):.1f} (wanted: at least {WANTED_RATIO:.0f})"
        )
    print(told)


if __name__ == "__main__":
    main()
