"""Makes the site into build/site/html.

    make site

With `--draft` notebooks are not run, the gallery's pictures are plain, and there is no Python for
the browser: the words of all pages can be seen within seconds.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import finish
import links
import pages

HTML = pages.BUILD / "html"


def main() -> int:
    """Lay out, have Sphinx make it, and follow every link inside."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draft", action="store_true", help="do not run the notebooks")
    arguments = parser.parse_args()
    began = time.perf_counter()
    pages.lay_out(run=not arguments.draft)
    _say("pages laid out, notebooks run", began)
    began = time.perf_counter()
    status = subprocess.call(
        [
            sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q",
            "-c", str(Path(__file__).parent), "-d", str(pages.BUILD / "doctrees"),
            str(pages.PAGES), str(HTML),
        ]
    )  # fmt: skip
    if status != 0:
        return status
    finish.all_of(HTML)
    _say("made by Sphinx", began)
    if not arguments.draft:
        import lite

        began = time.perf_counter()
        lite.made(HTML)
        _say("Python for the browser", began)
    return 0 if arguments.draft else links.main(HTML)


def _say(what: str, began: float) -> None:
    print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
