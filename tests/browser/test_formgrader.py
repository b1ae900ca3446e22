"""From the exchange to feedback that is read, in Formgrader, with our engine."""

import json
import os
import re
import subprocess
import urllib.request
from urllib.parse import urljoin

from playwright.sync_api import expect

from stridekit_course.exercises import ASSIGNMENTS
from tests.browser.conftest import PATIENCE
from tests.grading.class_of_demo import demo
from tests.grading.small_courses import nbgrader

RIGHT = {"isContiguous", "contiguity_trace"}
CELL = "test-isContiguous-hidden"
MOST = 5 * len(ASSIGNMENTS["ps3"])
NOTES = "<title>only looked at</title><script>document.title = 'it ran'</script>"


def hand_in(course):
    """Fetch, solve two exercises, and submit."""
    # It may have been fetched in the lab already.
    nbgrader(course, "fetch_assignment", "ps3", "--replace")
    path = course / "work" / "ps3" / "contiguity.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        said = cell["metadata"].get("nbgrader", {})
        if said.get("solution"):
            kind = "right" if said["grade_id"] in RIGHT else "wrong, usual"
            cell["source"] = demo.bank("ps3", said["grade_id"], kind)[0]
    path.write_text(json.dumps(notebook), "utf-8")
    path.with_name("notes.html").write_text(NOTES, "utf-8")
    nbgrader(course / "work", "submit", "ps3")


def formgrader(lab, page, path):
    """Open a page of Formgrader's."""
    server, token = re.match(r"(http://[^/]+).*\?(token=\w+)", lab.url).groups()
    page.goto(f"{server}/formgrader/{path}?{token}")


def pressed(page, button, said):
    """Press a button; close what it says when it is done."""
    button.click()
    dialog = page.locator(".modal.in")
    expect(dialog).to_contain_text(said)
    text = dialog.inner_text()
    dialog.get_by_role("button", name="OK").click()
    expect(dialog).to_have_count(0)
    return text


def test_from_the_exchange_to_feedback(lab, page):
    """Hand in, collect, grade, comment, score by hand, grade again, release feedback, read it."""
    hand_in(lab.course)
    learner = os.environ.get("USER") or subprocess.check_output(["id", "-un"], text=True).strip()
    formgrader(lab, page, "manage_assignments")
    row = page.locator("tr", has=page.get_by_role("link", name="ps3", exact=True))
    pressed(page, row.locator(".collect a"), "Successfully collected")

    formgrader(lab, page, "manage_submissions/ps3")
    row = page.locator("#submission-table tbody tr, tbody tr").filter(
        has=page.locator(".autograde")
    )
    expect(row).to_have_count(1)
    row.locator(".autograde a").click()
    # While it grades, the server answers others.
    server, token = re.match(r"(http://[^/]+).*\?(token=\w+)", lab.url).groups()
    with urllib.request.urlopen(f"{server}/api/status?{token}", timeout=PATIENCE / 1000) as answer:
        assert answer.status == 200
    assert page.locator(".modal.in").count() == 0, "graded before anybody could ask"
    dialog = page.locator(".modal.in")
    expect(dialog).to_contain_text("Successfully autograded")
    dialog.get_by_role("button", name="OK").click()
    expect(row.locator(".score")).to_have_text(f"10 / {MOST}")

    # A comment and a score by hand, in the grading view.
    formgrader(lab, page, "gradebook/ps3/contiguity")
    page.locator("tbody tr a").first.click()
    score = page.locator(f"input.score[id='{CELL}']")
    # What is known already is filled in first.
    expect(score).to_have_attribute("placeholder", "3")
    page.wait_for_load_state("networkidle")
    with page.expect_response(is_saved):
        score.fill("1.5")
        score.press("Tab")
    comment = page.locator("textarea.comment").first
    with page.expect_response(is_saved):
        comment.fill("Nearly & <b>well</b> done")
        comment.press("Tab")
    page.reload()
    expect(page.locator("textarea.comment").first).to_have_value("Nearly & <b>well</b> done")
    expect(page.locator(f"input.score[id='{CELL}']")).to_have_value("1.5")
    assert framed(page) == []
    # What lies beside the notebook would run with the instructor's rights.
    page.goto(urljoin(page.url, "notes.html"))
    expect(page).to_have_title("only looked at")

    # Graded again, though nothing has changed: the score by hand stays.
    formgrader(lab, page, "manage_submissions/ps3")
    row = page.locator("tbody tr").filter(has=page.locator(".autograde"))
    before = written(lab, "autograded", "ipynb")
    pressed(page, row.locator(".autograde a"), "Successfully autograded")
    assert written(lab, "autograded", "ipynb") > before
    expect(row.locator(".score")).to_have_text(f"8.5 / {MOST}")

    # What a human has entered since then comes into the page as well.
    pressed(page, row.locator(".generate-feedback a"), "Successfully generated feedback")
    before = written(lab, "feedback", "html")
    pressed(page, row.locator(".generate-feedback a"), "Successfully generated feedback")
    assert written(lab, "feedback", "html") > before
    pressed(page, row.locator(".release-feedback a"), "Successfully released feedback")
    nbgrader(lab.course / "work", "fetch_feedback", "ps3")
    (feedback,) = (lab.course / "work" / "ps3" / "feedback").rglob("contiguity.html")
    page.goto(feedback.as_uri())
    text = page.locator("body").inner_text()
    assert "8.5" in text
    # Comments are markdown, as with nbgrader.
    assert "Nearly & well done" in text
    assert learner in text
    assert "seed" not in text
    assert framed(page) == []


def written(lab, kind, suffix):
    """When the one notebook, or page, of a folder of nbgrader's was written."""
    (path,) = (lab.course / kind).rglob(f"contiguity.{suffix}")
    return path.stat().st_mtime_ns


def is_saved(response):
    """Whether the server has taken a score or a comment."""
    return response.request.method == "PUT" and response.ok


def framed(page):
    """Pictures with a frame round them, which nbgrader draws in red."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.output_html img, .output img, main img')]
            .filter(image => parseFloat(getComputedStyle(image).borderTopWidth) > 0)
            .map(image => image.alt)"""
    )
