"""How long Python takes in the browser: until the first picture, and for a key in an explorer.

    make site && python -m bench.lite

The site is served from this machine, and requests to elsewhere are refused. Chromium's store is
empty at the first start, and full at the second.
"""

import statistics
import sys
import time
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "site"))

import psutil  # noqa: E402
from visiting import visited  # noqa: E402

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
    with visited() as (browser, address, asked):
        context = browser.new_context(viewport={"width": 1100, "height": 1000})
        for name in ("strides", "index"):
            page = context.new_page()
            before, took_clock = busy(), opened(page, address, name)
            print(
                f"{name}: first picture after {took_clock:.1f} s, "
                f"{busy() - before:.1f} s of processor time",
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
