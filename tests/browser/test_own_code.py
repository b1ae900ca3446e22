"""`%load_ext stridekit`, `%%layout` and `watch` in a real JupyterLab."""

from playwright.sync_api import expect

from tests.accessibility import violations
from tests.browser.test_lab import run_all

PAGE = "course/on-your-own-code.ipynb", "On your own code"


def test_reasons_stand_under_tracebacks_and_tables_under_cells(lab, reader):
    """Each picture is loaded and has its alt text; nothing there fails axe-core."""
    page = reader
    lab.turn_to(page, *PAGE)
    run_all(page)
    # The last cell draws a row; by then all the others have run.
    picture = page.locator("img[alt*='flatten']").last
    expect(page.get_by_text("Why, in memory:")).to_have_count(5)
    page.get_by_role("table", name="Copies, the slowest first").wait_for()
    expect(page.get_by_role("table", name="Layout, line by line")).to_be_visible()
    expect(picture).to_be_visible()
    for reason in page.locator(".stridekit-reason").all():
        image = reason.locator("img")
        assert image.evaluate("image => image.complete && image.naturalWidth > 100")
        assert len(image.get_attribute("alt")) > 40
        # The traceback is above it, in the same cell.
        assert reason.evaluate(
            """reason => {
                const error = reason.closest('.jp-CodeCell').querySelector(
                    "[data-mime-type='application/vnd.jupyter.stderr']")
                return error !== null && Boolean(
                    error.compareDocumentPosition(reason) & Node.DOCUMENT_POSITION_FOLLOWING)
            }"""
        )
    pictures = page.get_by_text("Picture: matmul").first
    pictures.click()
    expect(page.locator(".stridekit-watch details[open] img").first).to_be_visible()
    for part in (".stridekit-reason", ".stridekit-watch"):
        assert violations(page, part) == []
