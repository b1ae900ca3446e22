"""JupyterLab as a learner and an instructor meet it, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COLD, INDEX, choose, is_idle
from tests.course.notebooks.test_lessons import OUTPUT_WIDTH

# Of the others test_lessons.py looks at the exported page, in an instant each.
LESSON = "course/06-what-contiguous-means.ipynb", "06 · What contiguous means"


def run_all(page):
    """Run → Run All Cells."""
    choose(page, "Run", "Run All Cells")


@pytest.fixture(scope="module")
def lesson(lab, reader):
    """A window with a lesson, open for all tests that only look; its kernel starts from nothing."""
    path = lab.course / LESSON[0]
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"]["kernelspec"]["name"] = COLD
    path.write_text(json.dumps(notebook), "utf-8")
    lab.turn_to(reader, *LESSON)
    return reader


def test_the_lab_opens_on_the_index(lab, reader):
    """With the links to lessons in it."""
    page = reader
    page.goto(lab.url)
    page.get_by_role("heading", name="How tensors lie in memory").wait_for()
    expect(page.get_by_role("link", name="What contiguous means")).to_be_visible()
    # Nothing stands before it: JupyterLab would ask a newcomer about news.
    page.wait_for_timeout(2000)
    expect(page.locator(".Toastify__toast")).to_have_count(0)


# The most letters in a line of a notebook's text.
LONGEST_LINE = """() => Math.max(...[
    ...document.querySelectorAll('.jp-MarkdownOutput > p')
].map(text => {
    const lines = new Map(), letter = document.createRange();
    const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode())
        for (let i = 0; i < nodes.currentNode.length; i++) {
            letter.setStart(nodes.currentNode, i);
            letter.setEnd(nodes.currentNode, i + 1);
            const line = Math.round(letter.getBoundingClientRect().bottom / 12);
            lines.set(line, (lines.get(line) ?? 0) + 1);
        }
    return Math.max(0, ...lines.values());
}))"""


def test_text_can_be_read_and_names_are_whole(lesson):
    """On a laptop: some 80 letters to a line, and each file's name from end to end."""
    page = lesson
    page.set_viewport_size({"width": 1366, "height": 768})
    try:
        assert 70 < page.evaluate(LONGEST_LINE) < 90
        names = page.locator(".jp-DirListing-itemText")
        expect(
            names.filter(has_text="08-contiguous-clone-and-what-they-keep.ipynb")
        ).to_be_visible()
        # What exports pages is no affair of a learner's.
        expect(names.filter(has_text="jupyter_nbconvert_config.py")).to_have_count(0)
        cut = names.evaluate_all(
            """all => all.filter(each => each.scrollWidth > each.clientWidth + 1)
                .map(each => each.textContent)"""
        )
        assert cut == []
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})


def test_of_nbgrader_a_learner_meets_what_learners_need(lesson):
    """In a lesson its menu alone, with two things in it."""
    page = lesson
    expect(page.get_by_text("Create Assignment")).to_have_count(0)
    expect(page.get_by_role("button", name="Validate")).to_be_hidden()
    page.get_by_role("menuitem", name="Nbgrader").click()
    shown = page.locator(".lm-Menu").get_by_role("menuitem").filter(visible=True)
    expect(shown).to_have_text(["Assignment List", "Formgrader"])
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)


def test_the_lesson_runs_to_its_end_and_shows_its_diagrams(lesson):
    """Without an error, the first diagram on the page and with alt text."""
    page, asked = lesson, []
    page.on("request", lambda request: asked.append(request.url))
    run_all(page)
    diagram = page.locator("img[alt^='Tensor t, size (3, 4), stride (4, 1)']").first
    diagram.wait_for()
    assert diagram.evaluate("image => image.complete && image.naturalWidth > 300")
    expect(page.locator(".sk-questions").last.get_by_role("group")).to_have_count(5)
    assert_that_all_has_run_and_fits(page)
    # Each cell, and each key in an explorer, would fetch the icon of the browser's tab twice.
    assert asked
    assert not [url for url in asked if "favicon-busy" in url]


def test_the_page_of_explorers_scrolls_nowhere_sideways(lab, reader):
    """And every cell runs."""
    lab.turn_to(reader, "course/explorers.ipynb", "The explorers")
    run_all(reader)
    assert_that_all_has_run_and_fits(reader)


def assert_that_all_has_run_and_fits(page):
    """At 1280 pixels, with the file browser open: without an error, and nothing too wide."""
    # A cell that waits or runs has a star.
    page.wait_for_function(
        """() => ![...document.querySelectorAll('.jp-InputPrompt')]
            .some(prompt => prompt.textContent.includes('*'))""",
        polling=300,
    )
    is_idle(page)
    page.wait_for_timeout(1000)
    too_wide = page.evaluate(
        """() => [...document.querySelectorAll(
                '.jp-OutputArea-output, .jp-MarkdownOutput, .jp-WindowedPanel-outer')]
            .filter(area => area.scrollWidth > area.clientWidth + 1)
            .map(area => area.innerText.slice(0, 80))"""
    )
    assert too_wide == []
    outputs = page.locator(".jp-OutputArea-output")
    assert max(outputs.evaluate_all("all => all.map(each => each.clientWidth)")) == OUTPUT_WIDTH
    # JupyterLab shows a traceback as it shows what is said on stderr.
    for kind in ("stderr", "error"):
        mime = f"[data-mime-type='application/vnd.jupyter.{kind}']"
        expect(page.locator(mime)).to_have_count(0)


def test_a_diagram_in_an_untrusted_notebook_survives(lab, reader):
    """Somebody opens a notebook that was run elsewhere: its pictures are there."""
    from stridekit import arange, draw

    path = lab.course / "work" / "from-elsewhere.ipynb"
    notebook = json.loads((lab.course / "course" / "index.ipynb").read_text("utf-8"))
    notebook["cells"] = [
        {
            "cell_type": "markdown",
            "id": "title",
            "metadata": {},
            "source": "# A picture from elsewhere",
        },
        {
            "cell_type": "code",
            "id": "picture",
            "metadata": {},
            "source": "draw(x)",
            "execution_count": 1,
            "outputs": [
                {
                    "output_type": "execute_result",
                    "execution_count": 1,
                    "metadata": {},
                    "data": {"text/html": draw(arange(4).view(2, 2), title="x")._repr_html_()},
                }
            ],
        },
    ]
    path.write_text(json.dumps(notebook), "utf-8")
    page = reader
    lab.turn_to(page, "work/from-elsewhere.ipynb", "A picture from elsewhere")
    diagram = page.locator("img[alt^='Tensor x, size (2, 2)']")
    diagram.wait_for()
    assert diagram.evaluate("image => image.naturalWidth > 100")
    page.get_by_text("As text").click()
    page.get_by_text("storage · 4 elements of 8 bytes").wait_for()


def test_a_learner_fetches_works_and_validates(lab, reader):
    """Assignment List → Fetch; the notebook; Validate."""
    page = reader
    lab.turn_to(page, *INDEX)
    choose(page, "Nbgrader", "Assignment List")
    # One Fetch button for each assignment, in the order of their names.
    expect(page.get_by_role("button", name="Fetch", exact=True)).to_have_count(6)
    page.get_by_role("button", name="Fetch", exact=True).nth(2).click()
    fetched = lab.course / "work" / "ps3" / "contiguity.ipynb"
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    assert fetched.is_file()

    lab.turn_to(page, "work/ps3/contiguity.ipynb", "ps3 · Contiguity")
    page.get_by_role("button", name="Validate").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("isContiguous is not written yet")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_an_instructor_sees_the_assignment_in_formgrader(lab, reader):
    """Formgrader, on the course that the repository is."""
    page = reader
    lab.turn_to(page, *INDEX)
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name=re.compile("^Formgrader")).first.click()
    formgrader = page.frame_locator("iframe[src*=formgrader]")
    for assignment in ("ps1", "ps2", "ps3", "ps4", "ps5", "ps6"):
        formgrader.get_by_role("link", name=assignment, exact=True).wait_for()


def test_the_first_start_says_what_it_does(lab):
    """And releases the assignment into the private exchange."""
    said = "".join(lab.said)
    assert "Putting ps3 into Assignment List." in said
    assert (lab.course / ".exchange" / "exchange" / "stridekit" / "outbound" / "ps3").is_dir()
    assert oct((lab.course / ".exchange").stat().st_mode)[-3:] == "700"
