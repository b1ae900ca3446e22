"""Where somebody who opens the course finds the assignments."""

import errno
import shutil

import pytest

from stridekit.errors import CommandError
from stridekit_course import lab


@pytest.fixture
def course(tmp_path):
    """A course with two assignments, and an editor's leavings."""
    for name in ("ps1", "ps2"):
        (tmp_path / "release" / name / ".ipynb_checkpoints").mkdir(parents=True)
        (tmp_path / "release" / name / "text.ipynb").write_text(f'"{name}"')
    (tmp_path / "release" / "notes.txt").write_text("")
    return tmp_path


@pytest.fixture
def nobody_else(monkeypatch):
    """As where nbgrader is not installed."""
    monkeypatch.setattr(lab, "entry_points", lambda group: [])


def test_without_nbgrader_they_are_copied_once(course, nobody_else, capsys):
    """And what lies there already stays as it is, even if it is empty."""
    (course / "work" / "ps2").mkdir(parents=True)
    lab.offer_assignments(course)
    assert (
        "The exercises lie in work/ now, as copies that are yours: ps1." in capsys.readouterr().out
    )
    assert [each.name for each in (course / "work" / "ps1").iterdir()] == ["text.ipynb"]
    assert not [*(course / "work" / "ps2").iterdir()]
    (course / "work" / "ps1" / "text.ipynb").write_text("mine")
    lab.offer_assignments(course)
    assert capsys.readouterr().out == ""
    assert (course / "work" / "ps1" / "text.ipynb").read_text() == "mine"


def test_a_copy_that_was_stopped_is_made_anew(course, nobody_else, monkeypatch):
    """What lies in its place is whole, or not there; and the sentence says what to do."""
    whole = shutil.copytree

    def full(source, target, **options):
        whole(source, target, **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(CommandError, match=r"ps1 cannot be written \(No space left on device\)"):
        lab.offer_assignments(course)
    assert not (course / "work" / "ps1").exists()
    monkeypatch.setattr(shutil, "copytree", whole)
    lab.offer_assignments(course)
    assert sorted(each.name for each in (course / "work").iterdir()) == ["ps1", "ps2"]


def test_who_offers_them_in_another_way_is_asked_first(course, monkeypatch):
    """nbgrader's exchange, say; where it cannot, they are copied all the same."""

    class Other:
        """What an entry point gives."""

        def __init__(self, answer):
            self.answer = answer

        def load(self):
            return lambda asked: asked == course and self.answer

    monkeypatch.setattr(lab, "entry_points", lambda group: [Other(True)])
    lab.offer_assignments(course)
    assert not (course / "work").exists()
    monkeypatch.setattr(lab, "entry_points", lambda group: [Other(False)])
    lab.offer_assignments(course)
    assert (course / "work" / "ps1").is_dir()
