"""Notebooks that people keep name places that are no more: they are told, and left as they are."""

import json

import pytest

from stridekit.command import main
from stridekit_course import lab
from stridekit_course.workfolder.old_places import old_places, rewritten

COURSE = "from stridekit_course import"


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        ("from stridekit import check", "", f"{COURSE} check"),
        (
            "from stridekit import check as c, draw",
            "",
            f"{COURSE} check as c; from stridekit import draw",
        ),
        (
            "%matplotlib inline\nfrom stridekit.questions import (\n    ask,\n    five,\n)",
            "from stridekit.questions import ask, five",
            f"{COURSE} ask, five",
        ),
        ("from stridekit.exercises.quiz import answer", "", f"{COURSE} answer"),
        (
            "from stridekit.checks.engine import check",
            "",
            "from stridekit_course.checks.engine import check",
        ),
        ("import stridekit as sk\nsk.check.permute(f)", "sk.check", "stridekit_course.check"),
        (
            "if True:\n    !ls\n    stridekit.my_progress()",
            "stridekit.my_progress",
            "stridekit_course.my_progress",
        ),
        ("import stridekit.questions", "", "import stridekit_course.questions"),
        (
            'c.AssignLatePenalties.plugin_class = "stridekit.grading.lateness.StartedDays"',
            "'stridekit.grading.lateness.StartedDays'",
            "'stridekit_grading.plugins.StartedDays'",
        ),
    ],
)
def test_what_to_write_instead(source, old, new):
    """For each way to name an old place; `old` is the source where nothing else is said."""
    assert dict(rewritten(source)) == {old or source: new}


@pytest.mark.parametrize(
    "source",
    [
        "from stridekit import draw, explain\nimport stridekit as sk\nsk.draw(x)",
        "from stridekit_course import check",
        "from mine import check\nmine.check(f)",
        "check = 3\nmy.questions.ask()",
        "text = 'stridekit.draw is not stridekit.check '",
        "this is no Python",
        "def broken(:",
        "from . import check",
    ],
)
def test_nothing_is_said_of_anything_else(source):
    """Neither of what is where it was, nor of what nobody can read."""
    assert dict(rewritten(source)) == {}


def notebook(*sources, kind="code"):
    """A notebook with these cells, as JSON."""
    return json.dumps({"cells": [{"cell_type": kind, "source": each} for each in sources]})


def test_all_notebooks_and_settings_of_a_folder_are_read(tmp_path):
    """Whatever else lies there, and whatever state it is in."""
    old = "from stridekit import check"
    (tmp_path / "mine").mkdir()
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / "mine" / "a.ipynb").write_text(notebook(["import torch\n", old], old))
    (tmp_path / ".ipynb_checkpoints" / "a.ipynb").write_text(notebook(old))
    (tmp_path / "text.ipynb").write_text(notebook(old, kind="markdown"))
    (tmp_path / "nbgrader_config.py").write_text("from stridekit.grading.autograde import install")
    (tmp_path / "other.py").write_text(old)
    for name, content in (("cut", '{"cells": ['), ("odd", "[]"), ("list", '{"cells": [3]}')):
        (tmp_path / f"{name}.ipynb").write_text(content)
    (tmp_path / "bytes.ipynb").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "nowhere.ipynb").symlink_to(tmp_path / "gone")
    found = dict(old_places(tmp_path))
    assert [*found] == ["mine/a.ipynb", "nbgrader_config.py"]
    assert found["mine/a.ipynb"] == {old: "from stridekit_course import check"}
    assert [*found["nbgrader_config.py"].values()] == [
        "from stridekit_grading.nbgrader_apps import install"
    ]


def test_update_tells_it_and_keeps_what_is_written(tmp_path, capsys, monkeypatch):
    """A sentence for each notebook; also before it is done, of what will stay."""
    monkeypatch.setattr(lab, "entry_points", lambda group: [])
    folder = tmp_path / "mine"
    assert main(["lab", "--lay-only", str(folder)]) == 0
    mine = folder / "work" / "mine.ipynb"
    mine.write_text(notebook("from stridekit import check"))
    capsys.readouterr()
    for words in (["update", "--dry-run"], ["update"]):
        assert main([*words, str(folder)]) == 0
        said = capsys.readouterr().out
        assert (
            "work/mine.ipynb is yours, and names an old place. Write "
            "`from stridekit_course import check` in place of `from stridekit import check`."
        ) in said
    assert mine.read_text() == notebook("from stridekit import check")
