"""What Python in the browser costs: bytes and time until the first picture, and time for a key.

    make site && python -m bench.lite [FOLDER]

A site is served from this machine, as its files are; how much a server that compresses would send
is reckoned. Requests to elsewhere are refused. Chromium's store is empty at the first start, and
full at the second.
"""

import gzip
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "site"))

import psutil  # noqa: E402
from visiting import HTML, visited  # noqa: E402

KEYS = "12345678901234567890"
CODE = "from stridekit.explorers import {0}\n{0}()"
# Milliseconds from a key to the change of the picture, seen by the page itself.
WATCH = """() => new Promise((done) => {
  const box = document.querySelector('.sk-explorer');
  const began = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    done(performance.now() - began);
  });
  seen.observe(box, { childList: true, subtree: true, characterData: true });
  setTimeout(() => { seen.disconnect(); done(-1); }, 5000);
})"""


def busy() -> float:
    """Seconds of processor time that the browser has taken: a shared machine's clock says less."""
    children = psutil.Process().children(recursive=True)
    return sum(sum(each.cpu_times()[:2]) for each in children)


def opened(page: Page, address: str, name: str) -> float:
    """Seconds from asking for an explorer to its picture."""
    began = time.perf_counter()
    code = quote(CODE.format(name))
    page.goto(f"{address}/lite/repl/index.html?kernel=python&toolbar=1&code={code}")
    page.locator(".jp-OutputArea-output svg").first.wait_for(timeout=300_000)
    return time.perf_counter() - began


def weighed(folder: Path, addresses: set[str]) -> str:
    """How much these files of a site are, as they are and compressed."""
    paths = [folder / urlsplit(each).path.lstrip("/") for each in addresses]
    contents = [path.read_bytes() for path in paths if path.is_file()]
    whole = sum(map(len, contents))
    least = sum(min(len(each), len(gzip.compress(each, 6))) for each in contents)
    return f"{whole / 1e6:.1f} MB in {len(contents)} files, {least / 1e6:.1f} MB compressed"


def keyed(page: Page) -> list[float]:
    """Milliseconds for each key typed into the field `size`."""
    field = page.get_by_label("size", exact=True)
    field.fill("3, 4")
    page.wait_for_timeout(2000)
    took = []
    for number in range(len(KEYS)):
        page.evaluate(f"void (window.took = ({WATCH})())")
        field.press("Backspace" if number % 2 == 0 else "45"[number // 2 % 2])
        took.append(page.evaluate("window.took"))
        page.wait_for_timeout(300)
    return [each for each in took if each >= 0]


def main() -> None:
    """Print all times."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else HTML
    with visited(folder) as (browser, address, asked):
        context = browser.new_context(viewport={"width": 1100, "height": 1000})
        for name in ("strides", "index"):
            page = context.new_page()
            addresses: set[str] = set()
            # From the page and from its worker.
            context.on("requestfinished", lambda request, to=addresses: to.add(request.url))
            before, took_clock = busy(), opened(page, address, name)
            print(
                f"{name}: first picture after {took_clock:.1f} s, "
                f"{busy() - before:.1f} s of processor time; {weighed(folder, addresses)}",
                flush=True,
            )
            took = keyed(page)
            if took:
                print(
                    f"{name}: a key in {statistics.median(took):.0f} ms, "
                    f"{max(took):.0f} ms at most, {len(took)} keys",
                    flush=True,
                )
            page.close()
        print(f"requests to elsewhere: {len(asked)} {sorted(set(asked))[:5]}")


if __name__ == "__main__":
    main()
