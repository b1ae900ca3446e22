"""Uses the browser's Python: plays with an explorer of a lesson's page, and solves exercises.

In each notebook of the try page somebody writes a function as one would, runs it, and then its
check. Right work is told so, and wrong work is told why. What they write is from the tests' bank.
"""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import visiting  # noqa: F401 - from here on the repository is found
from playwright.sync_api import Browser, Error, Locator, Page
from playwright.sync_api import TimeoutError as Late

from tests.accessibility import violations
from tests.bank import solutions

RIGHT = r"{}: right on all [\d,]+ cases\."
ENDLESS = "def {}(*arguments):\n    while True:\n        pass\n"
DEEP = "def {0}(*arguments):\n    return [*map({0}, [arguments])]\n"
# What is not fetched before it is imported, from each of the ways in which it may be.
LATE = """
import wave, pygments.lexers.c_cpp, jedi, IPython.terminal.prompts, stridekit_course
kernel = get_ipython().kernel
found = jedi.Script("import os.pa").complete(), kernel.complete("kernel.comp", 11)["matches"]
print([len(each) > 0 for each in found], wave.open, stridekit_course.answer)
"""
SECONDS = 120
LESSON = "course/05-transpose-and-permute.html"


class Task(NamedTuple):
    """A function of a notebook, what is written there in turn, and what its check says of it."""

    notebook: str
    name: str
    right: str
    wrong: str
    why: str


TASKS = (
    Task(
        "ps1-storage-and-order", "c_strides", "right: loop", "wrong, usual: reversed",
        r"returned \(1, 2\); expected \(3, 1\).*[Hh]int\W+[Tt]his is column-major order",
    ),
    Task(
        "ps2-headers", "select", "right: recursive", "wrong, usual: keeps dim",
        r"wrong in size and in stride(?=.*dim \d goes away).*[Hh]int.*the dim stays, with size 1",
    ),
    Task(
        "ps5-broadcast-and-overlap", "broadcast_sizes", "right: zip longest",
        "wrong, usual: aligned left",
        r"returned \(2, 3\); expected a ValueError, .*aligned at the left",
    ),
)  # fmt: skip


def solved(browser: Browser, address: str, task: Task, pictures: Path | None) -> list[str]:
    """What is wrong with one notebook, a sentence for each."""
    told: list[str] = []
    page = browser.new_page(viewport={"width": 1100, "height": 1000})
    page.set_default_timeout(1000 * SECONDS)
    _watch(page, told)
    try:
        page.goto(f"{address}/lite/notebooks/index.html?path={task.notebook}.ipynb")
        setup = _cell(page, "from stridekit_course import check")
        _begin(setup)
        bank = {
            f"{each.kind}: {each.title}": each.code
            for each in solutions(task.notebook.partition("-")[0], task.name)
        }
        for what, code, wanted in (
            ("right", bank[task.right], RIGHT.format(task.name)),
            ("wrong", bank[task.wrong], task.why),
            ("endless", ENDLESS.format(task.name), "does not return in time: it was stopped"),
            ("deep", DEEP.format(task.name), "calls itself too deeply, until Python gives up"),
        ):
            said = _answer(page, task.name, code)
            if not re.search(wanted, said):
                told.append(f"of {what} work it says: {said}")
            if pictures:
                page.screenshot(path=pictures / f"{task.notebook}-{what}.png")
    except Error as error:
        told.append(f"stops: {error.message}")
        if pictures:
            page.screenshot(path=pictures / f"{task.notebook}-stopped.png")
    page.close()
    return told


def answered(browser: Browser, address: str, lesson: str) -> list[str]:
    """What is wrong with the first question of a lesson's page, answered by keyboard."""
    told: list[str] = []
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.goto(f"{address}/{lesson}")
    box = page.locator(".sk-asked").first
    field = box.get_by_role("textbox")
    for written, wanted in (
        ("one", "Write whole numbers"), ("2, 0", "(2, 0) is not it. t has only two rows"),
        ("0 2", "Right: (0, 2)."),
    ):  # fmt: skip
        field.fill(written)
        field.press("Enter")
        said = box.get_by_role("status").inner_text()
        if wanted not in said:
            told.append(f"of {written} it says: {said}")
    told += [f"{rule}: {place[:300]}" for rule, place in violations(page, ".sk-asked")]
    page.close()
    return told


def played(browser: Browser, address: str, lesson: str) -> list[str]:
    """What is wrong with the first explorer on a lesson's page, a sentence for each."""
    told: list[str] = []
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.set_default_timeout(1000 * SECONDS)
    _watch(page, told)
    try:
        page.goto(f"{address}/{lesson}")
        page.get_by_role("button", name="Try it here").first.click()
        inside = page.locator("iframe.sk-frame").content_frame
        inside.get_by_role("status").filter(has_text="of 3: ").wait_for()
        field = inside.get_by_label("size", exact=True)
        field.fill("2, 2, 2")
        inside.get_by_text("size (2, 2, 2)").first.wait_for()
        inside.get_by_text("of 3: ").wait_for(state="hidden")
        page.wait_for_timeout(500)
        hidden = inside.locator(".jp-CodeConsole-content").evaluate(
            "each => each.scrollHeight - each.clientHeight"
        )
        if hidden > 0:
            told.append(f"{hidden} pixels of the explorer have to be scrolled for in its frame")
        if inside.locator("body").get_attribute("data-jp-theme-light") != "false":
            told.append("the explorer is light on a dark page")
    except Error as error:
        told.append(f"stops: {error.message}")
    page.close()
    return told


def imported(browser: Browser, address: str) -> list[str]:
    """What is wrong with what comes once it is imported, a sentence for each."""
    page = browser.new_page()
    page.goto(f"{address}/lite/repl/index.html?kernel=python&code={quote(LATE)}")
    output = page.locator(".jp-OutputArea-output").first
    output.wait_for(timeout=1000 * SECONDS)
    said = output.inner_text()
    page.close()
    return [] if said.startswith("[True, True] <function open") else [f"it says: {said}"]


def _watch(page: Page, told: list[str]) -> None:
    """Tell errors of a page, and what it fetches though nothing that is begun with needs it."""
    page.on("pageerror", lambda error: told.append(f"fails: {error}"))
    page.on(
        "request",
        lambda asked: "-later.zip" in asked.url and told.append(f"needs at once: {asked.url}"),
    )


def _cell(page: Page, text: str) -> Locator:
    return page.locator(".jp-CodeCell").filter(has_text=text).first


def _begin(setup: Locator) -> None:
    """Run the first cell. JupyterLab drops what is asked of it before it knows of a kernel."""
    begun = re.compile(r"\[[\d*]+\]")
    prompt = setup.locator(".jp-InputPrompt").filter(has_text=begun)
    for _ in range(10):
        setup.locator(".cm-content").click()
        setup.page.keyboard.press("Shift+Enter")
        with suppress(Late):
            prompt.wait_for(timeout=2000)
            return
    raise Error("The first cell does not begin to run.")


def _answer(page: Page, name: str, code: str) -> str:
    """What the check says once this stands in the function's cell."""
    function, check = _cell(page, f"def {name}("), _cell(page, f"check.{name}({name})")
    function.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    # As if it were pasted.
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")
    check.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    prompt = check.locator(".jp-InputPrompt")
    page.wait_for_function("each => /\\d/.test(each.textContent)", arg=prompt.element_handle())
    return " ".join(check.locator(".jp-OutputArea").inner_text().split())
