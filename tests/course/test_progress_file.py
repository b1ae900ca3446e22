"""What a course folder remembers: its text, its file, and whose it is."""

import errno
import json
import multiprocessing
import os
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace

import IPython
import pytest
from filelock import FileLock
from hypothesis import example, given
from hypothesis import strategies as st
from jupyter_client.manager import KernelManager

from stridekit_course.exercises import CheckFailed, check
from stridekit_course.progress import file
from stridekit_course.progress.file import ASIDE, LARGEST, LOCK, NAME, ProgressFile
from stridekit_course.progress.record import (
    BrokenRecordError,
    Checked,
    NewerRecordError,
    ProgressRecord,
    read,
    spelled,
)
from stridekit_course.questions import ask, five
from tests import ROOT
from tests.bank import solutions

DAYS = st.dates().map(str)
RECORDS = st.builds(
    ProgressRecord,
    st.dictionaries(
        st.integers(0, 99),
        st.dictionaries(st.sampled_from(["begun", "end"]), DAYS, min_size=1),
    ),
    st.dictionaries(
        st.text(),
        st.one_of(st.builds(Checked, DAYS, st.booleans()), st.just(Checked(None, False))),
    ),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), DAYS),
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.dictionaries(
            st.sampled_from(["version", "lessons", "exercises", "begun", "passed", "passes", "3"]),
            inside,
        ),
    ),
)
WHOLE = {"version": 1, "lessons": {}, "exercises": {}}


@given(RECORDS)
def test_a_record_is_what_its_text_spells(record):
    """There and back; also by way of a file, whose bytes are ASCII."""
    assert read(spelled(record)) == record
    assert spelled(record).isascii()


@given(st.one_of(st.text(), JSON.map(json.dumps)))
@example("")
@example("[" * 100_000)
@example('{"version": true, "lessons": {}, "exercises": {}}')
@example(json.dumps({**WHOLE, "more": 1}))
@example(json.dumps({**WHOLE, "lessons": {"03": {"end": "2026-11-22"}}}))
@example(json.dumps({**WHOLE, "lessons": {"9" * 5000: {"end": "2026-11-22"}}}))
@example(json.dumps({**WHOLE, "lessons": {"3": {"end": "20261122"}}}))
@example(json.dumps({**WHOLE, "lessons": {"3": {}}}))
@example(json.dumps({**WHOLE, "exercises": {"f": {"passed": None, "passes": True}}}))
@example(json.dumps({**WHOLE, "exercises": {"f": ["passed", "passes"]}}))
def test_a_text_is_read_whole_or_refused(text):
    """Nothing is understood by halves, for it would be written over."""
    try:
        record = read(text)
    except BrokenRecordError:
        return
    except NewerRecordError:
        assert json.loads(text)["version"] > 1
        return
    assert json.loads(spelled(record)) == json.loads(text)


def test_that_it_passed_once_is_not_forgotten():
    """A later failure says so, and leaves the day."""
    record = ProgressRecord().checked("f", passes=True, day="2026-11-20")
    assert record.checked("f", passes=False).exercises == {"f": Checked("2026-11-20", False)}
    assert ProgressRecord().checked("f", passes=False).exercises == {"f": Checked(None, False)}


def left(folder):
    """The names of what lies in a folder, without the lock."""
    return sorted(path.name for path in folder.iterdir() if path.name != LOCK)


def test_a_file_appears_changes_and_is_cleared(tmp_path):
    """One file; nothing is written where nothing is new."""
    shelf = ProgressFile(tmp_path)
    assert shelf.look() == (ProgressRecord(), "")
    assert left(tmp_path) == []
    shelf.change(lambda record: record.reached(3, "begun", day="2026-11-22"))
    assert shelf.look() == (ProgressRecord({3: {"begun": "2026-11-22"}}), "")
    assert left(tmp_path) == [NAME]
    before = shelf.path.stat().st_ino
    shelf.change(lambda record: record.reached(3, "begun", day="2026-11-22"))
    assert shelf.path.stat().st_ino == before
    (tmp_path / f"{NAME}.half.tmp").write_text("what a killed kernel left")
    shelf.clear()
    shelf.clear()
    assert left(tmp_path) == []


def test_what_some_editors_put_before_a_text_is_passed_over(tmp_path):
    """A mark of the order of bytes, such as Windows' own editor may write."""
    shelf = ProgressFile(tmp_path)
    shelf.change(lambda record: record.reached(3, "begun", day="2026-11-22"))
    shelf.path.write_bytes(b"\xef\xbb\xbf" + shelf.path.read_bytes())
    assert shelf.look() == (ProgressRecord({3: {"begun": "2026-11-22"}}), "")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b" " * (LARGEST + 1)])
def test_what_cannot_be_read_is_kept_aside(tmp_path, content):
    """Byte for byte, with one sentence; twice on one day, both are kept."""
    shelf = ProgressFile(tmp_path)
    for number in (1, 2):
        shelf.path.write_bytes(content)
        assert "cannot be read" in shelf.look().problem
        assert shelf.path.read_bytes() == content
        shelf.change(lambda record: record.reached(1, "end", day="2026-11-22"))
        assert shelf.look().record == ProgressRecord({1: {"end": "2026-11-22"}})
        assert [path.read_bytes() for path in tmp_path.glob(ASIDE)] == [content] * number
        problem = shelf.look().problem
        assert problem.startswith("A file of your progress could not be read. It is kept aside as")
    shelf.clear()
    assert left(tmp_path) == []


@pytest.mark.parametrize("ending", [" 2", " (conflicted copy 2026-11-22)", ".sync-conflict-2026"])
def test_what_a_cloud_makes_of_two_machines_is_said(tmp_path, ending):
    """It does not count, goes with Clear, and is no reason to keep anything aside."""
    shelf = ProgressFile(tmp_path)
    other = tmp_path / f"{NAME.removesuffix('.json')}{ending}.json"
    other.write_text(spelled(ProgressRecord().reached(1, "end")))
    assert shelf.is_there()
    shelf.change(lambda record: record.reached(2, "end", day="2026-11-22"))
    record, problem = shelf.look()
    assert record == ProgressRecord({2: {"end": "2026-11-22"}})
    assert f"Beside {NAME} lies {other.name}, as clouds keep it" in problem
    assert shelf.set_aside() == []
    shelf.clear()
    assert left(tmp_path) == []


def test_a_newer_file_is_left_as_it_is(tmp_path):
    """The stridekit that wrote it still understands it."""
    shelf = ProgressFile(tmp_path)
    text = '{"version": 2, "stars": 5}'
    shelf.path.write_text(text)
    shelf.change(lambda record: record.reached(1, "end"))
    assert shelf.path.read_text() == text
    assert "newer stridekit (version 2; this stridekit knows 1)" in shelf.look().problem
    assert left(tmp_path) == [NAME]


def refuse(*_arguments, **_named):
    raise OSError(28, "No space left on device")


def test_where_nothing_can_be_written_nothing_happens(tmp_path, monkeypatch):
    """A full disk leaves the old file whole; a folder that is closed is only looked at."""
    shelf = ProgressFile(tmp_path)
    shelf.change(lambda record: record.reached(1, "begun", day="2026-11-22"))
    for name in ("fsync", "fdopen", "open"):
        with monkeypatch.context() as patch:
            patch.setattr(file.os, name, refuse)
            shelf.change(lambda record: record.reached(1, "end"))
        assert shelf.look() == (ProgressRecord({1: {"begun": "2026-11-22"}}), "")
        assert left(tmp_path) == [NAME]
    monkeypatch.setattr(file.os, "access", lambda path, mode: False)
    assert shelf.look().problem == "This folder cannot be written: nothing new is kept."


def test_a_folder_in_the_place_of_the_file(tmp_path):
    """Is not touched, and is named."""
    ProgressFile(tmp_path).path.mkdir()
    ProgressFile(tmp_path).change(lambda record: record.reached(1, "end"))
    assert (
        ProgressFile(tmp_path)
        .look()
        .problem.startswith(f"{NAME} cannot be opened (is a directory)")
    )
    with pytest.raises(OSError, match=r"directory|permitted"):
        ProgressFile(tmp_path).clear()


def work(folder, kernel):
    for number in range(12):
        ProgressFile(Path(folder)).change(
            lambda r, n=number: r.checked(f"{kernel} {n}", passes=True)
        )


def test_kernels_at_once_lose_nothing(tmp_path):
    """Three of them, twelve notes each."""
    started = multiprocessing.get_context("spawn")
    kernels = [started.Process(target=work, args=(str(tmp_path), each)) for each in range(3)]
    for kernel in kernels:
        kernel.start()
    for kernel in kernels:
        kernel.join()
    assert len(ProgressFile(tmp_path).look().record.exercises) == 36
    assert left(tmp_path) == [NAME]


def test_a_kernel_that_never_lets_go_stops_nobody(tmp_path, monkeypatch):
    """The note is lost, the lesson runs on; clearing works all the same."""
    shelf = ProgressFile(tmp_path)
    shelf.change(lambda record: record.reached(1, "begun"))
    monkeypatch.setattr(file, "PATIENCE_S", 0.0)
    with FileLock(tmp_path / LOCK):
        shelf.change(lambda record: record.reached(1, "end"))
        assert set(shelf.look().record.lessons[1]) == {"begun"}
        shelf.clear()
        assert shelf.look().record == ProgressRecord()


def test_a_folder_without_locks_is_written_all_the_same(tmp_path, monkeypatch):
    """As some network folders are."""

    def refuses(*_, **__):
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(FileLock, "acquire", refuses)
    shelf = ProgressFile(tmp_path)
    shelf.change(lambda record: record.reached(1, "begun"))
    assert set(shelf.look().record.lessons[1]) == {"begun"}


@pytest.fixture
def course(tmp_path):
    """A course folder, with an assignment that was fetched."""
    for name in ("course", "work/ps1"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "course" / "index.ipynb").write_text("{}")
    return tmp_path


def sits_at(monkeypatch, notebook, metadata=None):
    """From now on this process is a kernel that a server has started for a notebook."""
    shell = SimpleNamespace(kernel=True, user_ns={}, get_parent=lambda: {"metadata": metadata})
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    return shell


CELL = {"cellId": "hook-run"}


def test_the_folder_is_found_upwards_from_the_notebook(course, monkeypatch):
    """From a lesson, and from an assignment; not beside the course."""
    for notebook in ("course/03.ipynb", "work/ps1/storage.ipynb", "mine.ipynb"):
        sits_at(monkeypatch, course / notebook, CELL)
        assert file.course_folder() == course
    sits_at(monkeypatch, course.parent / "elsewhere.ipynb", CELL)
    assert file.course_folder() is None
    sits_at(monkeypatch, "course/03.ipynb", CELL)
    assert file.course_folder() is None


def test_only_a_cell_of_a_page_counts(course, monkeypatch):
    """What runs notebooks by itself inherits the notebook's name, and sends no ids."""
    for metadata in (None, {}, {"cellId": ""}):
        shell = sits_at(monkeypatch, course / "course" / "03.ipynb", metadata)
        assert file.course_folder() is None
    # VS Code says it in its own way.
    shell.user_ns["__vsc_ipynb_file__"] = str(course / "course" / "03.ipynb")
    assert file.course_folder() == course
    for other in (None, SimpleNamespace(kernel=True)):
        monkeypatch.setattr(IPython, "get_ipython", lambda other=other: other)
        assert file.course_folder() is None
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert file.course_folder() is None


def test_lessons_and_exercises_are_noted(course, monkeypatch):
    """A question begins a lesson, five end it; a check that passes, or fails, is known."""
    sits_at(monkeypatch, course / "course" / "03.ipynb", CELL)
    ask("03/columns-stride")
    assert [*ProgressFile(course).look().record.lessons[3]] == ["begun"]
    five(3)
    assert [*ProgressFile(course).look().record.lessons[3]] == ["begun", "end"]

    def stub(_size):
        raise NotImplementedError

    for wrong in (stub, 3):
        with pytest.raises(CheckFailed):
            check.c_strides(wrong)
    assert ProgressFile(course).look().record.exercises == {}
    with pytest.raises(CheckFailed):
        check.c_strides(lambda size: tuple(size))
    assert ProgressFile(course).look().record.exercises == {"c_strides": Checked(None, False)}
    right = solutions("ps1", "c_strides")[0].load()
    check.c_strides(right, hidden=True)
    assert not ProgressFile(course).look().record.exercises["c_strides"].passes
    check("c_strides", right)
    assert ProgressFile(course).look().record.exercises["c_strides"].passes


def test_nothing_is_kept_where_nobody_works(course, monkeypatch):
    """In a test, a script, a grader: not even a lock."""
    monkeypatch.chdir(course / "course")
    monkeypatch.setenv("JPY_SESSION_NAME", str(course / "course" / "03.ipynb"))
    ask("03/columns-stride")
    file.note_check("c_strides", passes=True)
    assert left(course) == ["course", "work"]
    assert not (course / LOCK).exists()


def test_a_real_kernel(course):
    """Started for a notebook: a cell of a page is noted, a cell of a program is not."""
    manager = KernelManager()
    name = str(course / "course" / "03.ipynb")
    manager.start_kernel(env={**os.environ, "JPY_SESSION_NAME": name}, cwd=str(course))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(300)
        for metadata, stops in (({}, []), (CELL, ["begun"])):
            content = {
                "code": 'from stridekit_course.questions import ask; ask("03/columns-stride")'
            }
            message = client.session.msg("execute_request", content, metadata=metadata)
            client.shell_channel.send(message)
            while (reply := client.get_shell_msg(timeout=300))["msg_type"] != "execute_reply":
                pass
            assert reply["content"]["status"] == "ok", reply
            assert [*ProgressFile(course).look().record.lessons.get(3, [])] == stops
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_git_ignores_it():
    """Whatever is kept there is the learner's alone."""
    patterns = (ROOT / ".gitignore").read_text("utf-8").split()
    for name in (NAME, LOCK, f"{NAME}.abc.tmp", ASIDE):
        assert any(fnmatch(name, pattern) for pattern in patterns), name
