"""Which folder is opened: of a clone, of an installed stridekit, with work of before."""

import errno
import io
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stridekit.command import main
from stridekit.errors import CommandError
from stridekit_course import doctor, lab
from stridekit_course.workfolder import folder, manifest, shipped
from stridekit_course.workfolder.folder import find
from stridekit_grading import course_hooks


def git(folder, *arguments):
    """A git of its own."""
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


def lay_course(root):
    """A small one."""
    for name in ("course/index.ipynb", "course/01.ipynb", "docs/grading.md", "work/README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text('{"cells": []}' if name.endswith("b") else name)
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    return root


@pytest.fixture
def clone(tmp_path):
    """A clone, in which git ignores work/."""
    root = lay_course(tmp_path / "clone")
    (root / ".gitignore").write_text("work/*\n!work/README.md\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "course")
    return root


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A stridekit that lies elsewhere, with the course in it; and a home."""
    wheel = lay_course(tmp_path / "lib" / "course_files")
    for module in (shipped, folder):
        monkeypatch.setattr(module, "AROUND", tmp_path / "lib")
    monkeypatch.setattr(shipped, "IN_WHEEL", wheel)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home


def test_in_a_clone_learners_work_on_copies_that_git_does_not_see(clone, capsys):
    """From anywhere inside; nbgrader's course stays the clone."""
    place = find(None, clone / "course")
    assert (place.root, place.folder, place.is_made) == (clone, clone / "work", False)
    place = lab.ready(place)
    assert place.start == "work/course/index.ipynb"
    (clone / "work" / "course" / "01.ipynb").write_text("run, and written in")
    shown = subprocess.run(
        ["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert shown.stdout == ""
    assert "git's own files stay as they are" in capsys.readouterr().out
    # A command inside of the copies means the same course.
    assert find(None, clone / "work" / "course") == place


def test_what_was_done_in_a_clone_before_comes_along_as_one_s_own(clone, capsys):
    """Edited lessons, notebooks of one's own, and what was fetched."""
    edited, own = '{"cells": [], "edited": 1}', "my own notebook"
    text = '{"cells": [{"cell_type": "markdown", "source": "mine"}]}'
    (clone / "course" / "01.ipynb").write_text(text)
    (clone / "course" / "index.ipynb").write_text(edited)
    (clone / "course" / "mine.ipynb").write_text(own)
    fetched = clone / "work" / "ps1" / "storage.ipynb"
    fetched.parent.mkdir()
    fetched.write_text("solved")
    place = lab.ready(find(clone, clone))
    assert (place.folder / "course" / "01.ipynb").read_text() == text
    assert (place.folder / "course" / "mine.ipynb").read_text() == own
    assert fetched.read_text() == "solved"
    # git takes the learner's change away, and brings a new lesson; the work stays.
    git(clone, "checkout", "course/01.ipynb")
    (clone / "course" / "01.ipynb").write_text('{"cells": [{"cell_type": "raw", "source": "2"}]}')
    git(clone, "commit", "-qam", "second")
    lab.ready(find(clone, clone))
    assert "stridekit update" in (said := capsys.readouterr().out)
    assert said.endswith("(or make update)\n")
    assert main(["update", str(clone)]) == 0
    assert (place.folder / "course" / "01.ipynb").read_text() == text
    assert '"2"' in (place.folder / "course" / "01.new.ipynb").read_text()


def test_where_git_cannot_be_asked_nothing_is_taken_for_untouched(clone, monkeypatch):
    """It may not be installed, or not trust the folder."""
    monkeypatch.setenv("PATH", "")
    place = lab.ready(find(clone, clone))
    (clone / "course" / "01.ipynb").write_text('{"cells": [{"cell_type": "raw", "source": "2"}]}')
    before = (place.folder / "course" / "01.ipynb").read_bytes()
    assert main(["update", str(clone)]) == 0
    assert (place.folder / "course" / "01.ipynb").read_bytes() == before
    assert (place.folder / "course" / "01.new.ipynb").is_file()


def test_a_course_that_git_does_not_keep_is_opened_as_it_is(tmp_path):
    """A copy that an instructor handed out."""
    root = lay_course(tmp_path / "copy")
    place = find(None, root / "course")
    assert (place.root, place.folder, place.start) == (root, None, "course/index.ipynb")


def test_installed_it_makes_a_folder_at_home_and_finds_it_again(installed, tmp_path, capsys):
    """From wherever it is called; and elsewhere, if a folder is named."""
    here = tmp_path / "somewhere"
    here.mkdir()
    place = find(None, here)
    assert (place.folder, place.is_made) == (installed / "stridekit-course", False)
    lab.ready(place)
    again = find(None, here)
    assert again.is_made
    assert again.start == "course/index.ipynb"
    assert find(None, again.folder / "course") == again
    other = lab.ready(find(here / "mine", here))
    assert (other.root / "course" / "01.ipynb").is_file()
    assert manifest.is_there(here / "mine")
    (shipped.IN_WHEEL / "course" / "02.ipynb").write_text("{}")
    capsys.readouterr()
    lab.ready(again)
    assert "1 file of the course has changed since" in capsys.readouterr().out


def test_a_folder_with_other_things_is_not_filled(installed, tmp_path):
    """One of its own is named, to be pasted; hidden files do not count, a file is no folder."""
    there = tmp_path / "zoë o'neil"
    there.mkdir()
    (there / ".DS_Store").write_text("")
    assert find(there, tmp_path).is_made is False
    (there / "letter.txt").write_text("")
    with pytest.raises(
        CommandError, match=r"holds other things \(letter.txt, for one\)"
    ) as refusal:
        find(there, tmp_path)
    assert str(refusal.value).endswith(f'stridekit lab "{there / folder.NAME}"')
    with pytest.raises(CommandError, match="is a file"):
        find(there / "letter.txt", tmp_path)


def test_what_the_system_refuses_is_said_in_a_sentence(installed, tmp_path, monkeypatch, capsys):
    """Whatever command meets it, and wherever it does: a name, a folder that is gone or shut."""
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    long = "x" * 300
    for words in (["lab", "--lay-only", long], ["update", long]):
        assert main(words) == 1
        said = capsys.readouterr().err
        assert "File name too long. Mend that" in said, said
        assert said.count("\n") == 1
    assert main(["update", "~nobody-of-that-name/course"]) == 1
    assert capsys.readouterr().err.endswith("determine home directory.\n")
    found = doctor.working_folder(Path(long), there)
    assert (found.state, "File name too long" in found.says) == ("fails", True)
    # Without it the lessons run.
    found = course_hooks.exchange(Path(long), there)
    assert (found.state, "File name too long" in found.says) == ("partly", True)

    def shut(_path):
        raise PermissionError(errno.EACCES, "Permission denied", "course")

    with monkeypatch.context() as patch:
        patch.setattr(folder, "is_course", shut)
        assert main(["update", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err == (
        "stridekit: course: Permission denied. Mend that, and try again.\n"
    )
    there.rmdir()
    for word in ("lab", "update", "doctor"):
        assert main([word]) == 1
        assert "the folder that you are in is no more" in capsys.readouterr().err


def test_a_folder_is_named_where_its_name_cannot_be_spelled(installed, tmp_path, monkeypatch):
    """In letters that there are: a terminal may know ASCII alone."""
    said = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", said)
    assert main(["lab", "--lay-only", str(tmp_path / "\N{GRINNING FACE} ä")]) == 0
    said.seek(0)
    assert r"\U0001f600 \xe4" in said.read()


def test_making_that_was_stopped_goes_on(installed, tmp_path, monkeypatch):
    """With what is missing, and without taking it for deleted."""
    place = find(tmp_path / "mine", tmp_path)
    real, count = os.link, [3]

    def link(*arguments):
        count[0] -= 1
        if count[0] < 0:
            raise OSError(28, "No space left on device")
        real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", link)
        patch.setattr(shipped.Path, "rename", lambda *_: link())
        with pytest.raises(CommandError, match=r"could be laid .* \(No space left on device\)"):
            lab.ready(place)
    again = find(tmp_path / "mine", tmp_path)
    assert not again.is_made
    lab.ready(again)
    assert find(tmp_path / "mine", tmp_path).is_made
    for name in place.source().contents:
        assert (tmp_path / "mine" / name).is_file(), name


def test_update_says_what_it_does_and_where_there_is_nothing(
    installed, tmp_path, capsys, monkeypatch
):
    """A line for each file, by the words of the help."""
    assert main(["update", str(tmp_path / "none")]) == 1
    assert f"stridekit lab {tmp_path / 'none'}" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    place = lab.ready(find(None, tmp_path))
    (place.folder / "course" / "01.ipynb").write_text("mine")
    (place.folder / "docs" / "grading.md").unlink()
    for name in ("course/01.ipynb", "docs/grading.md", "work/README.md"):
        (shipped.IN_WHEEL / name).write_text(f"new {name}")
    (shipped.IN_WHEEL / "course" / "02.ipynb").write_text("new")
    capsys.readouterr()
    assert main(["update", str(place.folder), "--dry-run"]) == 0
    dry = capsys.readouterr().out.splitlines()[1:]
    assert main(["update", str(place.folder)]) == 0
    assert [line.strip() for line in capsys.readouterr().out.splitlines()[1:]] == [
        "new       course/02.ipynb",
        "updated   work/README.md",
        "yours     course/01.ipynb stays as it is. The new version is beside it: "
        "course/01.new.ipynb",
        "deleted   docs/grading.md stays away. To have it: stridekit update --fresh "
        "docs/grading.md",
    ]
    assert [line.split()[0] for line in dry] == ["new", "updated", "yours", "deleted"]
    assert main(["update", str(place.folder), "--fresh", "grading.md"]) == 0
    assert (place.folder / "docs" / "grading.md").read_text() == "new docs/grading.md"
    assert main(["update", str(place.folder), "--fresh", "99.ipynb"]) == 1
    assert "has no file '99.ipynb'" in capsys.readouterr().err
    # As a shell completes it.
    there = place.folder / "docs" / "grading.md"
    for here in (tmp_path, place.folder / "work"):
        name = os.path.relpath(there, here)
        there.unlink()
        monkeypatch.chdir(here)
        assert main(["update", str(place.folder), "--fresh", name]) == 0
        assert there.is_file()
    shutil.rmtree(place.folder / "course")
    assert main(["update", str(place.folder)]) == 0
    for words in ([], ["--dry-run"]):
        capsys.readouterr()
        assert main(["update", str(place.folder), *words]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == [
            "  Nothing is newer.",
            "  Deleted or renamed before: course/01.ipynb, course/02.ipynb, course/index.ipynb. "
            "To have one: stridekit update --fresh course/01.ipynb",
        ]
    # What cannot be done is not said to be done.
    shutil.rmtree(place.folder / "docs")
    (place.folder / "docs").symlink_to(tmp_path)
    (shipped.IN_WHEEL / "docs" / "grading.md").write_text("newer still")
    assert main(["update", str(place.folder)]) == 1
    assert capsys.readouterr().out.startswith(f"Not all of the course in {place.folder} is of")
    (place.folder / "docs").unlink()
    # A name that is a whole path means that one, also where others end in it.
    (shipped.IN_WHEEL / "work" / "nbgrader_config.py").write_text("another")
    (place.folder / "nbgrader_config.py").unlink()
    assert main(["update", str(place.folder), "--fresh", "nbgrader_config.py"]) == 0
    assert (place.folder / "nbgrader_config.py").is_file()


def test_what_an_update_does_not_touch_is_said(installed, tmp_path, capsys, monkeypatch):
    """Copies of assignments, what was only run, and why all is theirs where the list is lost."""
    monkeypatch.chdir(tmp_path)
    place = lab.ready(find(tmp_path / "my course", tmp_path))
    (place.folder / "work" / "ps1").mkdir(parents=True)
    name = "release/ps1/a.ipynb"
    (shipped.IN_WHEEL / name).parent.mkdir(parents=True)
    (shipped.IN_WHEEL / name).write_text("new")
    capsys.readouterr()
    lab.ready(find(place.folder, tmp_path))
    assert capsys.readouterr().out.endswith(f'stridekit update "{place.folder}"\n')
    yours = (
        "  Yours, and not changed: work/ps1. To have a new one, rename yours, then: stridekit lab "
        f'"{place.folder}"'
    )
    same = "  course/01.ipynb says what the new one says: nothing but outputs may differ."
    for words, lines in (
        ([], [f"  new       {name}", yours]),
        ([], ["  Nothing is newer."]),
        (["--fresh", name], ["  Nothing is newer.", yours]),
        (["--fresh", "course/01.ipynb"], ["  Nothing is newer.", same]),
    ):
        capsys.readouterr()
        assert main(["update", str(place.folder), *words]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == lines
    # Nothing of the home folder is asked, whatever lies there.
    (installed / folder.NAME).write_text("a file")
    gone = place.folder / "course" / "01.ipynb"
    gone.unlink()
    (shipped.IN_WHEEL / "course" / "01.ipynb").write_text("newer")
    lab.ready(find(place.folder, tmp_path))
    for here, end in ((tmp_path, f' "{place.folder}"'), (place.folder / "docs", "")):
        monkeypatch.chdir(here)
        capsys.readouterr()
        assert main(["update", str(place.folder), "--dry-run"]) == 0
        assert f"stridekit update --fresh course/01.ipynb{end}\n" in capsys.readouterr().out
    shutil.rmtree(place.folder / manifest.HIDDEN)
    assert main(["update", str(place.folder)]) == 0
    assert "Its list of files was missing, so whatever differs counts as yours." in (
        capsys.readouterr().out
    )


def test_an_older_stridekit_does_not_offer_what_it_would_refuse(installed, tmp_path, capsys):
    """In a folder of a newer one, what differs is newer already."""
    place = lab.ready(find(tmp_path / "mine", tmp_path))
    (shipped.IN_WHEEL / "course" / "01.ipynb").write_text("older")
    known = replace(manifest.read(place.folder), version="99.0")
    place.files.write(known)
    capsys.readouterr()
    lab.ready(find(place.folder, tmp_path))
    said = capsys.readouterr().out
    assert "is of stridekit 99.0, and this is the older" in said
    assert "have changed since" not in said
    found = doctor.working_folder(place.folder, tmp_path)
    assert (found.state, found.do) == ("partly", "pip install --upgrade stridekit-course")
    assert main(["update", str(place.folder)]) == 1
