"""Looks at the finished site in Chromium: nothing from outside, no fault of access, no wide page.

    python site/look.py [--pictures FOLDER]

Every request that leaves this machine is refused, and told. One page of each kind is looked at,
light and dark, on a screen and on a phone; axe-core judges each.
"""

import argparse
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import browser as chromium  # noqa: E402

from tests.accessibility import violations  # noqa: E402

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
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium_path() -> str | None:
    """The browser that the tests use. Asks Playwright, so not from within it."""
    return chromium.find()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_args: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served, on this machine alone."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def looked_at(
    browser: Browser, address: str, kind: str, screen: str, theme: str, pictures: Path | None
) -> list[str]:
    """What is wrong with a page, a sentence for each."""
    told: list[str] = []
    asked: list[str] = []
    page = browser.new_page(viewport=SCREENS[screen], color_scheme=theme)  # type: ignore[arg-type]

    def guard(route: Route) -> None:
        parts = urlsplit(route.request.url)
        if parts.scheme in ("data", "blob") or parts.netloc == urlsplit(address).netloc:
            asked.append(route.request.url)
            route.continue_()
        else:
            told.append(f"asks for {route.request.url}")
            route.abort()

    page.route("**/*", guard)
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
    # A guard that nothing passes guards nothing.
    return told if asked else [*told, "asks for nothing: the guard does not see its requests"]


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
    path = chromium_path()
    count = 0
    with served(ROOT / "build" / "site" / "html") as address, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        seen = 0
        for kind in (each for each in KINDS if arguments.only in each):
            for screen in SCREENS:
                for theme in ("light", "dark"):
                    seen += 1
                    told = looked_at(opened, address, kind, screen, theme, arguments.pictures)
                    count += len(told)
                    for each in told:
                        print(f"{kind}, {screen}, {theme}: {each}")
        opened.close()
    print(f"{seen} views, {count} faults; requests from outside were refused")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
