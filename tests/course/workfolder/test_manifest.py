"""What counts as an edit of a notebook, and what does not."""

import json

import nbformat
import pytest

from stridekit_course.workfolder.manifest import version_of
from tests.course.notebooks.notebooks import ROOT

LESSON = ROOT / "course" / "01-header-and-storage.ipynb"


def changed(change):
    """Whether a lesson says something else after a change."""
    content = LESSON.read_bytes()
    said = json.loads(content)
    change(said)
    other = json.dumps(said, indent=3).encode()
    return version_of("a.ipynb", content).words != version_of("a.ipynb", other).words


def _run(said):
    code = next(cell for cell in said["cells"] if cell["cell_type"] == "code")
    code["execution_count"] = 4
    code["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "7"}]
    code["metadata"]["execution"] = {"iopub.status.busy": "2026"}


def marked(said, **metadata):
    """Every cell is marked so."""
    for cell in said["cells"]:
        cell["metadata"].update(metadata)


NOT_EDITS = {
    "running": _run,
    "nothing": lambda said: None,
    "another kernel": lambda said: said["metadata"].update(kernelspec={"name": "python3.13"}),
    "widgets": lambda said: said["metadata"].update(widgets={"state": {}}),
    "new ids": lambda said: [cell.update(id=f"c{i}") for i, cell in enumerate(said["cells"])],
    "no ids": lambda said: [cell.pop("id") for cell in said["cells"]],
    "folding": lambda said: said["cells"][1]["metadata"].update(jupyter={"source_hidden": True}),
    "source as one text": lambda said: [
        cell.update(source="".join(cell["source"])) for cell in said["cells"]
    ],
    # Seen in notebooks that somebody ran there, and saved.
    "Colab": lambda said: marked(said, id="a", outputId="b", executionInfo={"elapsed": 5820}),
    "Kaggle": lambda said: marked(said, _uuid="a", _cell_guid="b", papermill={"duration": 1}),
    "VS Code": lambda said: marked(said, vscode={"languageId": "python"}),
    "PyCharm": lambda said: marked(said, pycharm={"name": "#%%\n"}, is_executing=True),
    "JupyterLab's inspector": lambda said: marked(
        said, editable=True, slideshow={"slide_type": ""}
    ),
    "a form of JupyterLab": lambda said: said.update(nbformat_minor=9),
}
EDITS = {
    "a letter": lambda said: said["cells"][0]["source"].append("!"),
    "a new cell": lambda said: said["cells"].append(
        {"cell_type": "markdown", "metadata": {}, "source": ""}
    ),
    "a deleted cell": lambda said: said["cells"].pop(),
    "another order": lambda said: said["cells"].reverse(),
    "another kind": lambda said: said["cells"][0].update(cell_type="raw"),
    "a tag": lambda said: said["cells"][0]["metadata"].update(tags=["mine"]),
    "a pasted picture": lambda said: said["cells"][0].update(attachments={"a.png": {}}),
}


@pytest.mark.parametrize("change", NOT_EDITS.values(), ids=NOT_EDITS)
def test_what_running_and_saving_do_is_no_edit(change):
    """Whatever programs write by themselves."""
    assert not changed(change)


@pytest.mark.parametrize("change", EDITS.values(), ids=EDITS)
def test_what_somebody_does_is_an_edit(change):
    """Each such change counts."""
    assert changed(change)


def test_nbformat_s_own_writing_is_no_edit():
    """As every tool of Jupyter writes."""
    text = nbformat.writes(nbformat.read(LESSON, as_version=4))
    there = LESSON.read_bytes()
    assert version_of("a.ipynb", text.encode()).words == version_of("a.ipynb", there).words


NO_NOTEBOOKS = [b"", b"{", b"[]", b'{"cells": 3}', b'{"cells": [1]}', b"\xff", b"[" * 100_000]


@pytest.mark.parametrize("content", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_its_bytes(content):
    """And nothing else, whatever its name."""
    version = version_of("a.ipynb", content)
    assert version.exact == version.words
