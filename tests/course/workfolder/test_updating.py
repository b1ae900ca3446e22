"""Whatever a learner did to a folder, and whatever stops an update: nothing is ever lost."""

import errno
import json
import os
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stridekit_course.update as updating
from stridekit.errors import CommandError
from stridekit_course.update import make, update
from stridekit_course.workfolder import manifest
from stridekit_course.workfolder.files import Files
from stridekit_course.workfolder.manifest import version_of
from stridekit_course.workfolder.plan import Kind
from stridekit_course.workfolder.shipped import Source

NAMES = ("course/a.ipynb", "course/b.ipynb", "course/deep/c.ipynb", "docs/d.md", "e.py")
# Where a learner may put something: also where something is published later, or laid beside.
PLACES = (*NAMES, "course/a.new.ipynb", "docs/d.new.md", "course/mine.ipynb")


def notebook(text: str, output: str = "") -> bytes:
    """A notebook of one cell."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
    cell = {"cell_type": "code", "metadata": {}, "source": text, "outputs": outputs}
    return json.dumps(
        {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


def content(name: str, text: str) -> bytes:
    """Some file of that name."""
    return notebook(text) if name.endswith(".ipynb") else text.encode()


def published(name: str, number: int) -> bytes:
    """What a release has there."""
    return content(name, f"{name}, edition {number}")


# A release has an edition of each file, or does not have it.
releases = st.lists(
    st.fixed_dictionaries({name: st.integers(0, 3) for name in NAMES}), min_size=2, max_size=4
).map(
    lambda each: [
        {name: published(name, number) for name, number in release.items() if number}
        for release in each
    ]
)
deeds = st.lists(
    st.tuples(
        st.sampled_from(["edit", "run", "delete", "rename", "folder", "link", "protect", "revert"]),
        st.sampled_from(PLACES),
        st.sampled_from(PLACES),
    ),
    max_size=6,
)


def do(root: Path, deed: str, name: str, other: str, token: int) -> None:
    """What a learner does, as far as it can be done."""
    path = root / name
    with suppress(OSError, ValueError):
        match deed:
            case "edit":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content(name, f"my work {token}"))
            case "run" if name.endswith(".ipynb"):
                said = json.loads(path.read_bytes())
                said["metadata"] = {"kernelspec": {"name": "python3"}}
                said["cells"][0]["outputs"] = [{"output_type": "stream", "text": f"out {token}"}]
                path.write_text(json.dumps(said, indent=1))
            case "delete":
                path.unlink()
            case "rename":
                (root / other).parent.mkdir(parents=True, exist_ok=True)
                path.rename(root / other)
            case "folder":
                path.mkdir(parents=True)
            case "link":
                (root / other).write_bytes(content(other, f"linked {token}"))
                path.unlink(missing_ok=True)
                path.symlink_to(root / other)
            case "protect":
                path.chmod(0o444)
            case "revert":
                path.write_bytes(published(name, 1))


class Stopped(BaseException):
    """The process was killed."""


class Faults:
    """From the call of that number on, nothing can be written; or nothing happens any more."""

    def __init__(self, at: int | None, *, kills: bool) -> None:
        self.left, self.kills = at, kills

    def step(self) -> None:
        """Before each call that writes."""
        if self.left is None:
            return
        if self.left <= 0:
            raise Stopped if self.kills else OSError(errno.ENOSPC, "No space left on device")
        self.left -= 1

    def sync(self, _descriptor: int) -> None:
        """In place of the slow call."""
        self.step()

    def around(self, stack: ExitStack) -> None:
        """Put this before all that the module calls to write."""

        def before(owner, name):
            real = getattr(owner, name)

            def call(*arguments, **options):
                if name != "open" or (arguments[1:] and "w" in arguments[1]):
                    self.step()
                return real(*arguments, **options)

            stack.enter_context(mock.patch.object(owner, name, call))

        for name in ("replace", "rename", "mkdir", "unlink", "open"):
            before(Path, name)
        before(os, "link")
        # What is in a file when the disk is full is whatever came through.
        stack.enter_context(mock.patch.object(os, "fsync", side_effect=self.sync))


def tree(root: Path) -> dict[str, bytes]:
    """All files, by name, but for what is written about them."""
    found = {}
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = b"-> " + bytes(path.readlink())
        elif path.is_file() and name not in (manifest.NAME, f"{manifest.HIDDEN}/lock"):
            found[name] = path.read_bytes()
    return found


def run(root: Path, release: dict, number: int, faults: Faults, way=update) -> None:
    """Bring a release, as the stridekit of that number would, through faults."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(updating, "__version__", f"0.{number}"))
        faults.around(stack)
        with suppress(CommandError, Stopped):
            options = {"to_older": True} if way is update else {}
            way(Files(root), Source(root, release), **options)


@given(releases, st.data())
def test_nothing_is_ever_lost(history, data):
    """Edits, runs, renames, deletions, things in the way, links, full disks, kills, downgrades."""
    editions = {content for release in history for content in release.values()}
    words = {version_of("a.ipynb", each).words for each in editions}
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        run(root, history[0], 0, Faults(None, kills=False), make)
        assert tree(root) == history[0]
        for number, release in enumerate(history[1:], 1):
            for token, deed in enumerate(data.draw(deeds)):
                do(root, *deed, 100 * number + token)
            fault = data.draw(st.none() | st.integers(0, 60))
            before = tree(root)
            run(root, release, number, Faults(fault, kills=data.draw(st.booleans())))
            halfway = tree(root)
            run(root, release, number, Faults(None, kills=False))
            after = tree(root)

            for path, was in before.items():
                if was in editions:
                    continue
                assert was in halfway.values(), f"{path} is lost half-way"
                assert was in after.values(), f"{path} is lost"
                if version_of(path, was).words not in words and not path.startswith(".stridekit"):
                    assert after[path] == was, f"{path} was replaced"
            for path, now in halfway.items():
                if not path.endswith(".part"):
                    assert now in (*before.values(), *release.values()), f"{path} is half-written"
            assert not [path for path in after if path.endswith(".part")]
            for path, new in release.items():
                at = after.get(path)
                assert at is None or at in (*before.values(), new)
                if before.get(path) in {*editions} - {new} and os.access(root / path, os.W_OK):
                    known = manifest.read(root).entry(path)
                    own = [each[path] for each in history if path in each]
                    # Another file, renamed: left like an edit, where nothing newer comes.
                    is_left = before[path] not in own and version_of(path, new) in known.laid
                    is_shut = not (root / path).stat().st_mode & 0o200
                    assert at == new or is_shut or known.offered or is_left
            run(root, release, number, Faults(None, kills=False))
            assert tree(root) == after, "a second time changes nothing"


@pytest.fixture
def folder(tmp_path):
    """A folder with a first release, and a way to bring another."""
    root = tmp_path / "my course"
    first = {name: published(name, 1) for name in NAMES}
    run(root, first, 1, Faults(None, kills=False), make)

    class Folder:
        def bring(self, release, **options):
            with mock.patch.object(updating, "__version__", options.pop("version", "0.2")):
                return update(Files(root), Source(root, release), **options)

    made = Folder()
    made.root, made.first = root, first
    made.second = {name: published(name, 2) for name in NAMES}
    return made


def kinds(outcome):
    """What was done to what."""
    return {step.path: step.kind for step in outcome.steps}


def test_what_was_not_touched_becomes_new(folder):
    """All of it, and the next time there is nothing to do."""
    outcome = folder.bring(folder.second)
    assert set(kinds(outcome).values()) == {Kind.REPLACE}
    assert tree(folder.root) == folder.second
    assert (outcome.failed, outcome.kept, outcome.own) == ([], {}, [])
    written = (folder.root / manifest.NAME).stat().st_mtime_ns
    assert folder.bring(folder.second).steps == []
    assert (folder.root / manifest.NAME).stat().st_mtime_ns == written


def test_an_edit_is_left_alone_where_nothing_is_newer(folder):
    """Who writes into a lesson is not given again what it said before, unless it is asked for."""
    mine = folder.root / "course" / "a.ipynb"
    mine.write_bytes(notebook("mine"))
    outcome = folder.bring(folder.first)
    assert (outcome.steps, outcome.own) == ([], ["course/a.ipynb"])
    assert kinds(folder.bring(folder.first, fresh=["course/a.ipynb"])) == {
        "course/a.ipynb": Kind.BESIDE
    }


def test_an_edit_stays_and_the_new_version_lies_beside_it(folder):
    """Once: whoever deletes it is not given it again. A newer one takes the place of an older."""
    mine = folder.root / "course" / "a.ipynb"
    mine.write_bytes(notebook("mine"))
    outcome = folder.bring(folder.second)
    step = next(each for each in outcome.steps if each.path == "course/a.ipynb")
    assert (step.kind, step.to) == (Kind.BESIDE, "course/a.new.ipynb")
    beside = folder.root / step.to
    assert mine.read_bytes() == notebook("mine")
    assert beside.read_bytes() == folder.second["course/a.ipynb"]
    third = {**folder.second, "course/a.ipynb": published("course/a.ipynb", 3)}
    folder.bring(third)
    assert beside.read_bytes() == third["course/a.ipynb"]
    assert not (folder.root / "course" / "a.new-2.ipynb").exists()
    beside.unlink()
    assert folder.bring(third).steps == []
    assert not beside.exists()
    folder.bring(third, fresh=["course/a.ipynb"])
    assert beside.read_bytes() == third["course/a.ipynb"]
    # Work on what lies beside is work, too.
    beside.write_bytes(notebook("mine as well"))
    folder.bring(folder.second)
    assert beside.read_bytes() == notebook("mine as well")
    assert (folder.root / "course" / "a.new-2.ipynb").is_file()


def test_running_is_no_edit_and_outputs_are_kept(folder):
    """The lesson becomes new; the copy with its outputs is put away."""
    do(folder.root, "run", "course/a.ipynb", "", 7)
    run_copy = (folder.root / "course" / "a.ipynb").read_bytes()
    outcome = folder.bring(folder.second)
    assert tree(folder.root)["course/a.ipynb"] == folder.second["course/a.ipynb"]
    assert (folder.root / outcome.kept["course/a.ipynb"]).read_bytes() == run_copy


def test_what_was_deleted_stays_away_and_comes_when_it_is_asked_for(folder):
    """And is told of once for each version."""
    (folder.root / "docs" / "d.md").unlink()
    assert kinds(folder.bring(folder.second))["docs/d.md"] is Kind.GONE
    assert folder.bring(folder.second).steps == []
    assert kinds(folder.bring(folder.second, fresh=["docs/d.md"])) == {"docs/d.md": Kind.LAY}
    assert tree(folder.root) == folder.second


def test_what_the_course_gives_up_is_put_away_unless_it_is_somebody_s_work(folder):
    """Never deleted."""
    (folder.root / "e.py").write_text("mine")
    release = {name: each for name, each in folder.second.items() if name not in NAMES[3:]}
    outcome = folder.bring(release)
    assert kinds(outcome)["docs/d.md"] is Kind.RETIRE
    assert (folder.root / outcome.kept["docs/d.md"]).read_bytes() == folder.first["docs/d.md"]
    assert (folder.root / "e.py").read_text() == "mine"
    assert outcome.own == ["e.py"]


def test_a_folder_of_a_newer_stridekit_is_left_alone(folder):
    """Unless somebody says that it is meant; work stays then, too."""
    folder.bring(folder.second, version="0.10")
    (folder.root / "e.py").write_text("mine")
    with pytest.raises(CommandError, match=r"is of stridekit 0\.10, and this is the older 0\.9"):
        folder.bring(folder.first, version="0.9")
    folder.bring(folder.first, version="0.9", to_older=True)
    assert (folder.root / "e.py").read_text() == "mine"
    assert (folder.root / "docs" / "d.md").read_bytes() == folder.first["docs/d.md"]


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b'{"form": 1}',
    b'{"form": 1, "stridekit": "1", "files": {"a": 1}}',
]


@pytest.mark.parametrize("damage", DAMAGED)
def test_with_a_damaged_list_whatever_differs_is_kept(folder, damage):
    """And said to be."""
    (folder.root / manifest.NAME).write_bytes(damage)
    outcome = folder.bring(folder.second)
    assert outcome.is_damaged
    assert {**tree(folder.root), **folder.first} == tree(folder.root)
    assert set(kinds(outcome).values()) == {Kind.BESIDE}


def test_a_list_of_a_later_form_is_not_guessed_at(folder):
    """It names the way out."""
    (folder.root / manifest.NAME).write_text('{"form": 2, "stridekit": "9", "files": {}}')
    with pytest.raises(CommandError, match="pip install --upgrade stridekit-course"):
        folder.bring(folder.second)


def test_a_list_cannot_lead_out_of_the_folder(folder):
    """A name with two dots in it is not one of ours."""
    outside = folder.root.parent / "outside.md"
    outside.write_text("outside")
    said = json.loads((folder.root / manifest.NAME).read_text())
    said["files"]["../outside.md"] = {
        "laid": [list(version_of("outside.md", b"outside"))],
        "arrived": True,
        "offered": None,
        "beside": "",
    }
    (folder.root / manifest.NAME).write_text(json.dumps(said))
    folder.bring(folder.second)
    assert outside.read_text() == "outside"


def test_nothing_is_written_through_a_link(folder, tmp_path):
    """Neither a file's nor a folder's; it is said, and the rest is brought."""
    elsewhere = tmp_path / "elsewhere"
    (folder.root / "course").rename(elsewhere)
    (folder.root / "course").symlink_to(elsewhere)
    before = tree(elsewhere)
    outcome = folder.bring(folder.second)
    assert tree(elsewhere) == before
    assert ("course/a.ipynb", "course is a link") in outcome.failed
    assert tree(folder.root)["e.py"] == folder.second["e.py"]


def test_what_is_read_only_stays(folder):
    """Somebody wants it as it is."""
    (folder.root / "e.py").chmod(0o444)
    step = next(each for each in folder.bring(folder.second).steps if each.path == "e.py")
    assert (step.to, step.reason) == ("e.new.py", "it is read-only")
    assert (folder.root / "e.py").read_bytes() == folder.first["e.py"]


def test_what_was_replaced_before_it_was_stopped_is_no_edit(folder):
    """Killed before the last list was written; then another version comes."""
    real, count = Files.write, [1]

    def write(files, known):
        count[0] -= 1
        if count[0] < 0:
            raise Stopped
        real(files, known)

    with mock.patch.object(Files, "write", write), pytest.raises(Stopped):
        folder.bring(folder.second)
    assert tree(folder.root) == folder.second
    third = {name: published(name, 3) for name in NAMES}
    assert set(kinds(folder.bring(third)).values()) == {Kind.REPLACE}
    assert tree(folder.root) == third


def test_two_at_once_are_not_let_in(folder):
    """The second says so, and changes nothing."""
    with Files(folder.root).alone(), pytest.raises(CommandError, match="another stridekit is at"):
        folder.bring(folder.second)
    assert tree(folder.root) == folder.first


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS])
def test_a_network_drive_without_locks_is_updated_all_the_same(folder, monkeypatch, number):
    """As a home folder may be; a folder that cannot be written is another matter."""

    def acquire(_lock):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("filelock.FileLock.acquire", acquire)
    assert set(kinds(folder.bring(folder.second)).values()) == {Kind.REPLACE}
    number = errno.EROFS
    with pytest.raises(CommandError, match="cannot be written: Read-only file system"):
        folder.bring(folder.first)


def test_what_is_saved_at_this_very_moment_is_not_replaced(folder):
    """Between the look and the deed."""
    real = Files._insist
    mine = folder.root / "e.py"

    def save_first(files, name, seen):
        if name == "e.py":
            mine.write_text("saved just now")
        real(files, name, seen)

    with mock.patch.object(Files, "_insist", save_first):
        outcome = folder.bring(folder.second)
    assert outcome.failed == [("e.py", "it was changed at this moment; run the same command again")]
    assert mine.read_text() == "saved just now"
    again = folder.bring(folder.second)
    # What was not all brought is not of the new version yet.
    assert (again.own, again.before, manifest.read(folder.root).version) == (["e.py"], "0.1", "0.2")
