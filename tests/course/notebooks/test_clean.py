"""What a notebook in git may hold."""

import re
import subprocess
import sys
from posixpath import dirname, join, normpath

import nbformat
import pytest
import yaml

from stridekit_course.workfolder import shipped
from tests.course.notebooks.notebooks import ALL, GLOSSARY, LESSONS, ROOT, SOURCES, name

notebooks = pytest.mark.parametrize("path", ALL, ids=name)


def test_they_are_found():
    """So that no test below passes for want of notebooks."""
    assert {path.stem for path in LESSONS} >= {"06-what-contiguous-means"}
    assert {path.stem for path in SOURCES} >= {"contiguity"}


@notebooks
def test_it_holds_no_outputs_and_no_counts(path):
    """Outputs are made by running, not by git."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_what_strips_each_that_is_committed_takes_nothing():
    """Nor does `make format`: what is folded in a lesson stays so."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    (args,) = (each["args"] for each in config["repos"][0]["hooks"] if each["id"] == "nbstripout")
    subprocess.run([sys.executable, "-m", "nbstripout", "--verify", *args, *ALL], check=True)


@notebooks
def test_it_is_valid_and_its_cells_have_telling_ids(path):
    """An id that a tool made up changes with the tool."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell_id) for cell_id in ids), ids
    assert not any(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}.*", cell_id) for cell_id in ids)


@notebooks
def test_its_metadata_names_the_kernel_and_nothing_of_this_machine(path):
    """The kernel that every installation has."""
    metadata = nbformat.read(path, as_version=4).metadata
    assert metadata.kernelspec.name == "python3"
    assert metadata.language_info == {"name": "python"}
    assert set(metadata) == {"kernelspec", "language_info"}


@notebooks
def test_its_links_lead_somewhere(path):
    """Links to files of the course, relative to the notebook."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", cell.source):
                if "://" not in target:
                    assert (path.parent / target).exists(), target


@notebooks
def test_no_item_of_a_list_begins_with_a_number_and_a_stop(path):
    """Markdown takes `3. 32. The next` for a list in a list, and pages show its 32 as AF."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"^ *([-*]|\d+\.) +\d+[.)] ", cell.source, re.MULTILINE)


def test_in_a_learner_s_folder_links_lead_to_what_is_laid_there():
    """Such a folder has less than a clone."""
    laid = {
        path.relative_to(ROOT).as_posix() for pattern in shipped.ALL for path in ROOT.glob(pattern)
    }
    for page in laid:
        if page.endswith((".md", ".ipynb")):
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", (ROOT / page).read_text("utf-8")):
                if "://" not in target:
                    assert normpath(join(dirname(page), target)) in laid, (page, target)


def test_only_notebooks_lie_under_source():
    """nbgrader copies whatever lies there into release/."""
    files = {path.suffix for path in (ROOT / "source").rglob("*") if path.is_file()}
    assert files == {".ipynb"}


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_grade_ids_and_points(path):
    """Per function: its own name, test-<name>-visible for 2 points, -hidden for 3."""
    points = {}
    solutions = []
    for cell in nbformat.read(path, as_version=4).cells:
        grading = cell.metadata.get("nbgrader")
        if grading and grading.solution:
            solutions.append(grading.grade_id)
            assert f"def {grading.grade_id}(" in cell.source
            assert "### BEGIN SOLUTION" in cell.source
        elif grading:
            points[grading.grade_id] = grading.points
            assert grading.locked
            assert ("### BEGIN HIDDEN TESTS" in cell.source) is grading.grade_id.endswith("-hidden")
    assert points == {
        f"test-{function}-{kind}": {"visible": 2, "hidden": 3}[kind]
        for function in solutions
        for kind in ("visible", "hidden")
    }
    assert solutions


def test_the_glossary_is_in_order_and_links_into_it_lead_to_a_term():
    """Terms from a to z; an anchor is a term with hyphens for spaces."""
    cells = nbformat.read(GLOSSARY, as_version=4).cells
    text = "\n".join(cell.source for cell in cells)
    terms = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    assert len(terms) == len(set(terms)) > 30
    anchors = {term.replace(" ", "-") for term in terms}
    for path in ALL:
        for cell in nbformat.read(path, as_version=4).cells:
            for anchor in re.findall(r"glossary\.ipynb#([^)]+)\)", cell.source):
                assert anchor in anchors, (path.stem, anchor)
