"""What is told of a record, and the widget that tells it."""

import json
import re

import pytest

import stridekit_course
from stridekit_course.exercises import ASSIGNMENTS
from stridekit_course.progress import widgets
from stridekit_course.progress.file import NAME, ProgressFile
from stridekit_course.progress.record import Checked, ProgressRecord
from tests.course.notebooks.notebooks import LESSONS, ROOT

NAMES = {psn: [each.name for each in those] for psn, those in ASSIGNMENTS.items()}


def test_lessons_and_assignments_are_those_of_the_course():
    """Under their titles."""
    first = [json.loads(path.read_text("utf-8"))["cells"][0]["source"][0] for path in LESSONS]
    titles = [line.removeprefix("# ").strip() for line in first]
    rows = widgets.told(ProgressRecord(), NAMES)
    assert [row["name"] for row in rows["lessons"]] == titles
    index = (ROOT / "course" / "index.ipynb").read_text("utf-8")
    for psn, title in widgets.ASSIGNMENTS.items():
        assert re.search(rf"\| {psn} \| {re.escape(title)} \| {len(NAMES[psn])} \|", index)
    assert [*NAMES] == [*widgets.ASSIGNMENTS]


def test_rows_of_words():
    """Each mark beside what it means; what another edition remembers is left out."""
    record = (
        ProgressRecord({1: {"end": "2026-11-20"}, 77: {"end": "2026-11-20"}})
        .reached(2, "begun", day="2026-11-20")
        .reached(2, "end", day="2026-12-02")
        .checked("c_strides", passes=True)
        .checked("f_strides", passes=True, day="2026-11-20")
        .checked("f_strides", passes=False)
        .checked("position", passes=False)
        .checked("from_another_edition", passes=True)
    )
    rows = widgets.told(record, NAMES)
    functions = sum(map(len, NAMES.values()))
    passing = f"Exercises passing: 1 of {functions}."
    assert rows["summary"] == f"Lessons run to their end: 1 of 16. {passing}"
    assert [(row["mark"], row["words"]) for row in rows["lessons"][:3]] == [
        ("◐", "partly, last on 20 Nov 2026"),
        ("●", "to its end, last on 2 Dec 2026"),
        ("○", "not yet"),
    ]
    assert rows["exercises"][0] == {
        "name": "ps1 · Storage, index, order",
        "passing": 1,
        "count": len(NAMES["ps1"]),
        "groups": [
            {"mark": "✓", "words": "passing", "functions": [["c_strides", ""]]},
            {
                "mark": "✗",
                "words": "not passing yet",
                "functions": [["f_strides", "passed on 20 Nov 2026"], ["position", ""]],
            },
            {
                "mark": "○",
                "words": "not tried",
                "functions": [[name, ""] for name in NAMES["ps1"] if name not in record.exercises],
            },
        ],
    }


@pytest.fixture
def box(tmp_path, monkeypatch):
    """The widget in a course's folder, and what it says to its page."""
    monkeypatch.setattr(widgets, "course_folder", lambda: tmp_path)
    made = stridekit_course.my_progress()
    made.heard = []
    monkeypatch.setattr(made, "send", made.heard.append)
    return made


def test_the_page_asks_and_clears(box):
    """Each time the file is read anew; what is no wish is ignored."""
    box._heard(box, {"do": "look"}, [])
    assert box.heard[-1]["can_clear"] is False
    box.shelf.change(lambda record: record.reached(1, "end"))
    box._heard(box, {"do": "look"}, [])
    assert box.heard[-1]["can_clear"] is True
    assert str(box.shelf.path) in box.heard[-1]["place"]
    assert json.loads(json.dumps(box.heard[-1])) == box.heard[-1]
    for noise in ({"do": "dance"}, {}, None, "clear", {"do": ["clear"]}):
        box._heard(box, noise, [])
    assert len(box.heard) == 2
    box._heard(box, {"do": "clear"}, [])
    assert box.heard[-1]["did"] == "Cleared: the file is deleted."
    assert box.heard[-1]["can_clear"] is False
    assert not box.shelf.path.exists()


def test_what_cannot_be_read_can_be_cleared_and_what_cannot_be_cleared_is_said(box):
    """With the way out."""
    box.shelf.path.write_text("{")
    assert box.told()["can_clear"]
    assert "cannot be read" in box.told()["problem"]
    box.shelf.path.unlink()
    box.shelf.path.mkdir()
    said = box.clear()
    assert re.fullmatch(rf"It could not be cleared \(.+\)\. Delete {NAME} yourself, in .+\.", said)
    assert box.told()["problem"].endswith("nothing is kept.")


def test_a_saved_notebook_holds_nobodys_progress(box):
    """Neither in the widget's state nor beside it."""
    box.shelf.change(
        lambda record: ProgressRecord({1: {"end": "1999-01-31"}}, {"f": Checked(None, False)})
    )
    box._heard(box, {"do": "look"}, [])
    assert "31 Jan 1999" in str(box.heard)
    kept = f"{box.get_state()} {box._repr_mimebundle_()}"
    assert "1999" not in kept
    assert str(box.shelf.folder) not in kept
    bundle = box._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "run this cell in JupyterLab" in data["text/html"]
    assert "run this cell in JupyterLab" in repr(box)


def test_elsewhere_it_says_so():
    """In a test or a script there is no course, and nothing to clear."""
    told = stridekit_course.my_progress().told()
    assert told["problem"].startswith("Nothing is kept here")
    # A kernel knows the path that its notebook had when it was started.
    assert told["problem"].endswith("moved or renamed, restart the kernel.")
    assert told["can_clear"] is False
    assert stridekit_course.my_progress().clear().startswith("Nothing is kept here")


def test_the_shelf_of_the_repository_is_never_made_by_tests():
    """Whatever ran before this, in this process or another."""
    assert stridekit_course.my_progress().shelf is None
    assert ProgressFile(ROOT).look().problem == ""
