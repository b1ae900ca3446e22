"""The browser for the tests: one that is installed, or else one that Playwright fetches."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    *(
        Path(os.environ.get(folder, ""), "Google", "Chrome", "Application", "chrome.exe")
        for folder in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")
    ),
)


def find() -> str | None:
    """The path of a Chromium or Chrome on this machine. Asks Playwright, so not from within it."""
    named = next((found for name in NAMES if (found := shutil.which(name))), None)
    placed = next((place for place in PLACES if Path(place).exists()), None)
    return named or (str(placed) if placed else fetched())


def fetched() -> str | None:
    """The path of the Chromium that Playwright has fetched, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> int:
    if find():
        return 0
    print("No Chromium or Chrome is installed, so Playwright fetches one for the tests.")
    status = subprocess.call([sys.executable, "-m", "playwright", "install", "chromium"])
    if status != 0 or not find():
        print(
            "The browser tests need Chromium, and it could not be fetched. Install it (on Debian: "
            "sudo apt install chromium), then run make test again.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
