"""Notebooks with diagrams as pages and as papers: nbconvert keeps the pictures."""

import re
import warnings

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter, LatexExporter


@pytest.fixture(scope="module")
def executed():
    """A notebook with one diagram, run."""
    cell = nbformat.v4.new_code_cell(
        "import stridekit as sk\nsk.draw(sk.arange(6).view(2, 3).t(), title='t')"
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    NotebookClient(notebook, timeout=60).execute()
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
