"""What is typed on a far server: whether it stands there in the end, and the picture is of it.

    python -m bench.typing            all nine, some minutes
    python -m bench.typing strides    this one

Into all fields of all explorers, by turns from the first field to the last and backwards, with so
many milliseconds of added round trip and between two keys. A trial is one explorer; it is wrong if
a field, the message, the picture or the code is not what a controller shows that has read the same,
or if anything was written into a field while it was typed in.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright


def main() -> None:
    from tests.browser.conftest import started
    from tests.browser.test_explorers import Shown, write
    from tests.browser.typing import GAPS, ROUND_TRIPS, SLOW_SOCKET, TEXTS, WATCH_FIELDS, trial
    from tests.conftest import CHROMIUM
    from tools.browser import find

    names = sys.argv[1:] or [*TEXTS]
    unknown = [name for name in names if name not in TEXTS]
    if unknown:
        sys.exit(f"There is no explorer {unknown[0]}. There are: {', '.join(TEXTS)}.")
    path = find() or sys.exit("There is no Chromium: python tools/browser.py fetches one.")
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder)) as lab,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(SLOW_SOCKET + WATCH_FIELDS)
        write(lab, "typing.ipynb", names)
        lab.open(page, "work/typing.ipynb", "Explorers")
        shown = Shown(page)
        shown.run()
        expect(shown[names[-1]]).to_be_visible()
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
        explorers = {name: shown[name] for name in names}
        print("Wrong trials; ms between keys:" + "".join(f"{gap:>8}" for gap in GAPS))
        for row, round_trip in enumerate(ROUND_TRIPS):
            print(f"{round_trip:>5} ms of added round trip   ", end="", flush=True)
            for column, gap in enumerate(GAPS):
                backwards = (row + column) % 2 == 1
                trials = trial(page, explorers, round_trip, gap, backwards=backwards)
                amiss = {name: wrong for name, wrong in trials.items() if wrong}
                print(f"{len(amiss):>6}/{len(trials)}", end="", flush=True)
                for name, wrong in amiss.items():
                    print(f"\n{round_trip}, {gap}: {name}", *wrong, sep="\n  ", file=sys.stderr)
            print()
        browser.close()


if __name__ == "__main__":
    main()
