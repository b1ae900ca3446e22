"""Lessons run from top to bottom, and hold what a lesson holds."""

import base64
import re

import nbformat
import pytest

from tests.notebooks.notebooks import LESSONS, ROOT, SOURCES, name, run

# The claims and myths that belong to each lesson.
FACTS = {
    "06-what-contiguous-means": {
        *("claim:A1", "claim:A11", "claim:A12", "claim:A13", "claim:B3"),
        *("myth:M7", "myth:M8"),
    },
}

lessons = pytest.mark.parametrize("path", LESSONS, ids=name)


@pytest.fixture(scope="module", params=LESSONS, ids=name)
def executed(request):
    """Each lesson, run once, with warnings as errors."""
    return run(request.param)


def outputs(notebook, kind):
    """What the cells gave in one form."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind in output.get("data", {}):
                yield output.data[kind]


def test_it_runs_and_its_pictures_have_alt_text(executed):
    """Every diagram is an image that says what it shows."""
    pages = [page for page in outputs(executed, "text/html") if "<img" in page]
    assert len(pages) >= 4
    for page in pages:
        assert re.search(r'<img alt="(Before: )?Tensor [^"]{40,}"', page)
        source = re.search(r"data:image/svg\+xml;base64,([^\"]+)", page)[1]
        assert base64.b64decode(source).startswith(b"<svg")


def test_it_writes_nothing_to_stderr(executed):
    """A lesson that warns is a lesson that frightens."""
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            assert output.get("name") != "stderr", output


def test_unanswered_questions_say_so(executed):
    """The last part waits for answers, and breaks nothing."""
    texts = [
        output.text
        for cell in executed.cells
        for output in cell.get("outputs", [])
        if output.get("name") == "stdout"
    ]
    assert sum("Not answered yet" in text for text in texts) >= 2


@lessons
def test_its_claims_and_myths_are_executed_asserts(path):
    """Just those that belong here, each in a cell with its tag."""
    tagged = {}
    for cell in nbformat.read(path, as_version=4).cells:
        for tag in cell.metadata.get("tags", []):
            if tag.startswith(("claim:", "myth:")):
                assert cell.cell_type == "code"
                assert "assert " in cell.source
                tagged[tag] = cell
    assert set(tagged) == FACTS[path.stem]


@lessons
def test_it_has_the_parts_of_a_lesson(path):
    """In their order."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    parts = [
        "**After this lesson you can**",
        "**Time:**",
        "**Builds on:**",
        "## Predict first",
        "## The idea",
        "## The arithmetic",
        "## Try it",
        "## What the internet says",
        "## Check yourself",
        "## Summary",
        "**Now open:**",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    summary = text[text.index("## Summary") :]
    assert len(re.findall(r"^\d\. ", summary, re.MULTILINE)) == 5


@pytest.mark.parametrize("path", [ROOT / "course" / "index.ipynb", *SOURCES], ids=name)
def test_the_other_notebooks_run_too(path):
    """The index, and the assignments with their own solutions."""
    run(path)
