"""Looks at the finished site in Chromium: nothing from outside, no fault of access, no wide page.

    python site/look.py [--pictures FOLDER] [--only NAME]

One page of each kind is looked at, light and dark, on a screen and on a phone; axe-core judges
each. Then an explorer is played with, and exercises are solved, in the browser's Python. Every
request that leaves this machine is refused, and told.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page
from solve import LESSON, TASKS, answered, imported, played, solved
from visiting import visited

from tests.accessibility import violations

# One of each kind.
KINDS = (
    "index.html", "docs/learning.html", "course/index.html", "course/glossary.html",
    "course/myths-and-claims.html", "course/explorers.html", "course/01-header-and-storage.html",
    "course/13-channels-last-cache-lines-and-speed.html", "course/on-your-own-code.html",
    "docs/gallery/README.html", "docs/ways-in.html", "docs/teaching.html", "docs/pictures.html",
    "try.html", "api/index.html", "api/drawing.html", "api/tensor.html", "search.html?q=stride",
    "genindex.html",
)  # fmt: skip
SCREENS = {"screen": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


def looked_at(
    browser: Browser, address: str, kind: str, screen: str, theme: str, pictures: Path | None
) -> list[str]:
    """What is wrong with a page, a sentence for each."""
    told: list[str] = []
    page = browser.new_page(viewport=SCREENS[screen], color_scheme=theme)  # type: ignore[arg-type]
    page.on("pageerror", lambda error: told.append(f"fails: {error}"))
    page.on(
        "response",
        lambda response: response.ok or told.append(f"{response.status}: {response.url}"),
    )
    page.goto(f"{address}/{kind}", wait_until="networkidle")
    if pictures:
        name = kind.partition(".")[0].replace("/", "-")
        page.screenshot(path=pictures / f"{name}-{screen}-{theme}.png")
    # Folds are opened, and what is in them gets its size, before anything is judged.
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.wait_for_timeout(300)
    told += [f"{rule}: {place[:300]}" for rule, place in violations(page)]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        told.append(f"is {wide} pixels wider than the {screen}: {_widest(page)}")
    page.close()
    return told


def _widest(page: Page) -> str:
    return str(
        page.evaluate(
            "[...document.querySelectorAll('article *')].reduce((a, b) =>"
            "a.getBoundingClientRect().right > b.getBoundingClientRect().right ? a : b)"
            ".outerHTML.slice(0, 200)"
        )
    )


def main() -> int:
    """Look at one page of each kind; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each")
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    arguments = parser.parse_args()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    told: list[str] = []
    with visited() as (browser, address, asked):

        def keep(where: str, faults: list[str]) -> None:
            faults = [*faults, *(f"asks for {each}" for each in asked)]
            asked.clear()
            told.extend(f"{where}: {each}" for each in faults)

        kinds = [each for each in KINDS if arguments.only in each]
        for kind in kinds:
            for screen in SCREENS:
                for theme in ("light", "dark"):
                    faults = looked_at(browser, address, kind, screen, theme, arguments.pictures)
                    keep(f"{kind}, {screen}, {theme}", faults)
        if arguments.only in LESSON:
            keep(f"the explorer of {LESSON}", played(browser, address, LESSON))
            keep(f"a question of {LESSON}", answered(browser, address, LESSON))
            keep("what comes later", imported(browser, address))
        tasks = [each for each in TASKS if arguments.only in each.notebook]
        for task in tasks:
            keep(task.notebook, solved(browser, address, task, arguments.pictures))
    for each in told:
        print(each)
    print(
        f"{4 * len(kinds)} views, {len(tasks)} notebooks solved, {len(told)} faults; "
        "requests from outside were refused"
    )
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
