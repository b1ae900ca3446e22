"""My progress in a real JupyterLab: noted, shown, looked at again, cleared."""

import json

import nbformat
from playwright.sync_api import expect

from stridekit_course.exercises import EXERCISES
from stridekit_course.progress.file import NAME
from tests.accessibility import violations
from tests.browser.conftest import is_idle, save
from tests.browser.test_diagrams import choose_theme
from tests.browser.test_lab import run_all
from tests.browser.test_questions import KERNEL

LESSON = ["from stridekit_course.questions import ask, five", 'ask("03/columns-stride")', "five(3)"]
WORK = [
    "from stridekit_course import check",
    "def isContiguous(t):\n    return t.is_contiguous()",
    "try:\n    check.isContiguous(isContiguous)\nexcept AssertionError:\n    print('does not')",
]
MAP = ["import stridekit_course\n\nstridekit_course.my_progress()"]


def written(lab, path, title, sources):
    """A notebook of the course."""
    cells = [nbformat.v4.new_markdown_cell(f"# {title}"), *map(nbformat.v4.new_code_cell, sources)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    nbformat.write(notebook, lab.course / path)


def test_what_is_run_is_told_until_it_is_cleared(lab, reader):
    """By keyboard; Clear asks once more; axe-core has nothing to say, in both themes."""
    page, kept = reader, lab.course / NAME
    kept.unlink(missing_ok=True)
    written(lab, "course/a-lesson.ipynb", "A lesson", LESSON)
    written(lab, "work/an-assignment.ipynb", "An assignment", WORK)
    written(lab, "course/map.ipynb", "Map", MAP)
    lab.turn_to(page, "course/map.ipynb", "Map")
    run_all(page)
    box = page.locator(".sk-progress")
    passing = f"Exercises passing: 0 of {len(EXERCISES)}."
    box.get_by_text(f"Lessons run to their end: 0 of 16. {passing}").wait_for()
    expect(box.get_by_role("button", name="Clear…")).to_be_disabled()

    lab.turn_to(page, "course/a-lesson.ipynb", "A lesson")
    run_all(page)
    expect(page.locator(".sk-questions")).to_have_count(2)
    lab.turn_to(page, "work/an-assignment.ipynb", "An assignment")
    run_all(page)
    page.get_by_text("does not", exact=True).wait_for()
    # It is kept once the cell is over.
    is_idle(page)
    record = json.loads(kept.read_text("utf-8"))
    assert [*record["lessons"]["3"]] == ["begun", "end"]
    assert record["exercises"] == {"isContiguous": {"passed": None, "passes": False}}

    lab.turn_to(page, "course/map.ipynb", "Map")
    run_all(page)
    box.get_by_text(f"Lessons run to their end: 1 of 16. {passing}").wait_for()
    row = box.get_by_role("row", name="03 · Row-major")
    expect(row).to_contain_text("to its end, last on")
    expect(box.get_by_role("row", name="ps3 · Contiguity")).to_contain_text(
        "not passing yet: isContiguous"
    )
    assert violations(page, ".sk-progress") == []
    kept.write_text(json.dumps({**record, "lessons": {}}), "utf-8")
    box.get_by_role("button", name="Look again").press("Enter")
    expect(row).to_contain_text("not yet")

    box.get_by_role("button", name="Clear…").press("Enter")
    expect(box.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box.get_by_role("button", name="Clear…")).to_be_focused()
    assert kept.exists()
    page.keyboard.press("Enter")
    choose_theme(page, "JupyterLab Dark")
    assert violations(page, ".sk-progress") == []
    choose_theme(page, "JupyterLab Light")
    box.get_by_role("button", name="Keep it").focus()
    page.keyboard.press("Shift+Tab")
    expect(box.get_by_role("button", name="Yes, clear it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(box.get_by_text("Cleared: the file is deleted.")).to_be_visible()
    expect(box.get_by_role("button", name="Look again")).to_be_focused()
    expect(box.get_by_role("button", name="Clear…")).to_be_disabled()
    assert not kept.exists()
    # What is saved with the notebook tells nobody's progress.
    save(page)
    saved = (lab.course / "course" / "map.ipynb").read_text("utf-8")
    assert "16 lessons" not in saved
