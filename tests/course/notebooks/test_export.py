"""Notebooks with diagrams as pages and as papers: nbconvert keeps the pictures."""

import json
import os
import re
import subprocess
import warnings

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter, LatexExporter

from stridekit_course import lab
from stridekit_course.exporting import WIDGET, for_a_page
from tests import warm
from tests.course.notebooks.notebooks import ALL, ROOT, WarmKernels


@pytest.fixture(scope="module")
def executed():
    """A notebook with one diagram, run."""
    cell = nbformat.v4.new_code_cell(
        "import stridekit as sk\nsk.draw(sk.arange(6).view(2, 3).t(), title='t')"
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    NotebookClient(notebook, timeout=300, kernel_manager_class=WarmKernels).execute()
    return notebook


def test_a_diagram_comes_in_three_forms(executed):
    """HTML for notebooks, PNG for what shows no HTML, text for the rest."""
    (output,) = executed.cells[0].outputs
    assert set(output.data) == {"text/html", "image/png", "text/plain"}
    assert output.data["text/plain"].startswith("t · size (3, 2)")


def test_as_html(executed):
    """The image with its alt text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbconvert's own
        page, _ = HTMLExporter().from_notebook_node(executed)
    image = re.search(r"<img [^>]*>", page[page.index("Tensor t") - 200 :])[0]
    assert 'alt="Tensor t, size (3, 2), stride (1, 3)' in image
    assert "data:image/svg+xml;base64," in image


def test_as_latex(executed):
    """A picture, not the text form."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paper, resources = LatexExporter().from_notebook_node(executed)
    assert r"\includegraphics" in paper or r"\adjustimage" in paper
    (picture,) = resources["outputs"].values()
    assert picture.startswith(b"\x89PNG")


VIEW = {WIDGET: {"model_id": "abc", "version_major": 2, "version_minor": 0}}
CONFIG = "jupyter_nbconvert_config.py"


def exported(folded_outputs=(), beside=()):
    """A notebook with a widget, what may stand beside its view, and a folded cell."""
    widget = nbformat.v4.new_output("display_data", {**VIEW, **dict(beside)})
    cells = [
        nbformat.v4.new_code_cell(
            "from stridekit_course.questions import ask\nask('x')", outputs=[widget]
        ),
        nbformat.v4.new_code_cell(
            'assert "```" < "a"  # held',
            metadata={"jupyter": {"source_hidden": True}, "tags": ["held"]},
            outputs=[*folded_outputs],
        ),
    ]
    state = {"state": {"abc": {"model_name": "AnyModel", "state": {}}}, "version_major": 2}
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": state}
    return notebook


BESIDE = {"text/html": "<p>Which line?</p><details><summary>Answer</summary></details>"}


@pytest.mark.parametrize("told", [["--config", f"{ROOT}/course/{CONFIG}"], []])
def test_a_page_without_a_kernel_shows_questions_and_folds(tmp_path, told):
    """By nbconvert: where it is told, and without a word in a terminal of `stridekit lab`."""
    nbformat.write(exported(beside=BESIDE), tmp_path / "lesson.ipynb")
    command = warm.python(warm.GRADING, *("-m", "nbconvert", "--to", "html", *told, "lesson.ipynb"))
    env = os.environ if told else {**os.environ, "JUPYTER_CONFIG_PATH": str(lab.SETTINGS)}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "lesson.html").read_text("utf-8")
    assert "<p>Which line?</p><details><summary>Answer</summary></details>" in page
    assert "jupyter-widgets jp-OutputArea-output" not in page
    assert "AnyModel" not in page
    fold = page[page.index("<details><summary>What holds here, as code</summary>") :]
    assert "held" in fold[: fold.index("</details>")]
    assert page.count("# held") == 1


def test_what_is_folded_or_a_widget_is_not_lost():
    """Outputs of folded cells stay; so does a widget that has no other form."""
    said = nbformat.v4.new_output("stream", text="it failed")
    notebook, _ = for_a_page(exported(folded_outputs=[said]), {})
    nbformat.validate(nbformat.from_dict(json.loads(nbformat.writes(notebook))))
    assert [cell.cell_type for cell in notebook.cells] == ["code", "markdown", "code", "markdown"]
    assert notebook.cells[1].source.count("````") == 2
    assert notebook.cells[2].outputs == [said]
    safe, _ = for_a_page(exported(), {"should_sanitize_html": True})
    assert "<style>" not in str(safe)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page, _ = HTMLExporter(preprocessors=[for_a_page]).from_notebook_node(notebook)
    assert "it failed" in page
    assert WIDGET in notebook.cells[0].outputs[0].data
    assert "widgets" in notebook.metadata


def test_notebooks_without_stridekit_are_left_as_they_are():
    """The setting holds for a whole environment, and most notebooks there are not ours."""
    notebook = exported(beside=BESIDE)
    notebook.cells[0].source = "print('from stridekit_course import ask')"
    before = nbformat.writes(notebook)
    for_a_page(notebook, {})
    assert nbformat.writes(notebook) == before


def test_every_notebook_that_folds_is_known_as_ours():
    """Else its folded cells would stand open on a page."""
    for path in ALL:
        notebook = nbformat.read(path, as_version=4)
        folds = any(
            cell.metadata.get("jupyter", {}).get("source_hidden") for cell in notebook.cells
        )
        page, _ = for_a_page(notebook, {})
        folded = [cell.source for cell in page.cells if "<details><summary>" in cell.source]
        assert not folds or any("What holds here, as code" in source for source in folded)
        plots = sum("plumbing" in cell.metadata.get("tags", []) for cell in notebook.cells)
        assert sum("<summary>The code</summary>" in source for source in folded) == plots
