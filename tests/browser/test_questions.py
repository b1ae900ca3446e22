"""Questions in a real JupyterLab, answered by keyboard."""

import nbformat
import pytest
from playwright.sync_api import expect

from tests.accessibility import violations
from tests.browser.conftest import save
from tests.browser.test_lab import run_all

CELLS = [
    "from stridekit_course.questions import ask, five",
    'ask("03/columns-stride")',
    "five(6, seed=1)",
]
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


@pytest.fixture(scope="module")
def asked(lab, reader):
    """A notebook with a question and with five, run."""
    cells = [nbformat.v4.new_markdown_cell("# Questions"), *map(nbformat.v4.new_code_cell, CELLS)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    nbformat.write(notebook, lab.course / "course" / "questions.ipynb")
    lab.turn_to(reader, "course/questions.ipynb", "Questions")
    run_all(reader)
    expect(reader.locator(".sk-questions")).to_have_count(2)
    return reader


def test_a_try_a_hint_and_a_reason(asked):
    """The field keeps what was typed; the hint comes after a wrong try, the reason at the end."""
    box = asked.locator(".sk-questions").first
    said, field = box.get_by_role("status"), box.get_by_role("textbox", name="Numbers")
    expect(box.get_by_role("button", name="Show the answer")).to_be_hidden()
    field.press_sequentially("3, 1")
    field.press("Enter")
    expect(said).to_contain_text("(3, 1) is not it. The first number is for dim 0")
    expect(field).to_have_value("3, 1")
    expect(field).to_be_focused()
    assert "(1, 3)" not in box.inner_text()
    field.fill("1 3")
    field.press("Enter")
    expect(said).to_contain_text("Right: (1, 3). One step down is 1 slot")
    expect(box.get_by_role("button", name="Show the answer")).to_be_hidden()


def test_its_keys_are_no_commands_to_jupyterlab_and_ctrl_s_is(asked):
    """Among the choices arrows choose, and x does not cut the cell."""
    box, cells = asked.locator(".sk-questions").nth(1), asked.locator(".jp-Cell")
    radio, before = box.get_by_role("radio").first, cells.count()
    radio.focus()
    for key in ("x", "m", "1", "ArrowDown"):
        asked.keyboard.press(key)
    expect(cells).to_have_count(before)
    expect(box.get_by_role("radio").nth(1)).to_be_focused()
    save(asked)
    box.get_by_role("button", name="Other questions").focus()
    save(asked)


def test_five_and_five_others(asked):
    """Each answered for itself; the focus is never lost; axe-core has nothing to say."""
    box = asked.locator(".sk-questions").nth(1)
    groups = box.get_by_role("group")
    expect(groups).to_have_count(5)
    before = groups.all_inner_texts()
    # Choose the first, whatever it is, or write something; ask to be told where it was wrong.
    for number in range(5):
        group = groups.nth(number)
        if group.get_by_role("radio").count():
            group.get_by_role("radio").first.focus()
            asked.keyboard.press("Space")
        if group.get_by_role("textbox").count():
            group.get_by_role("textbox").fill("7")
        group.get_by_role("button", name="Check").press("Enter")
        expect(group.get_by_role("status")).not_to_be_empty()
        tell = group.get_by_role("button", name="Show the answer")
        if tell.is_visible():
            tell.press("Enter")
            expect(tell).to_be_hidden()
            expect(group.get_by_role("button", name="Check")).to_be_focused()
    expect(box.get_by_text("5 of 5 answered.")).to_be_visible()
    assert violations(asked, ".sk-questions") == []
    box.get_by_role("button", name="Other questions").press("Enter")
    expect(box.get_by_text("5 of 5 answered.")).to_have_count(0)
    expect(groups).not_to_have_text(before, use_inner_text=True)
