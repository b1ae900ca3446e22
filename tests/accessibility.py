"""What axe-core says of a page that is open in Chromium."""

from importlib.resources import files

from playwright.sync_api import Page


def violations(page: Page, part: str = "html") -> list[tuple[str, str]]:
    """The rules that a part of it breaks, each with the first place; folds are opened before."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    # What has passed need not be told in full.
    run = "part => axe.run(part, {resultTypes: ['violations']}).then(told => told.violations)"
    found = page.evaluate(run, part)
    return [(each["id"], each["nodes"][0]["html"]) for each in found]
