"""The command line: what it opens, and what it says when it cannot."""

import errno
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default.release_assignment import ExchangeReleaseAssignment

from stridekit.command import main
from stridekit_course import doctor, lab
from stridekit_course.workfolder import folder
from stridekit_grading import course_hooks
from tests import ROOT


@pytest.fixture
def taken_port():
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_is_named_with_a_way_out(taken_port, capsys):
    """One sentence, exit status 1, and nothing is started."""
    assert main(["lab", "--port", str(taken_port)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"stridekit: port {taken_port} is taken by another program.")
    free = re.search(r"Choose another port: stridekit lab --port (\d+), or make lab PORT=\1$", said)
    assert lab.is_free(int(free[1]))
    assert said.count("\n") == 1


def test_a_port_of_the_system_is_not_said_to_be_taken(monkeypatch, capsys):
    """Those below 1024 are, for most people on most systems."""

    def bind(_self, _address):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "socket", type("Kept", (socket.socket,), {"bind": bind}))
    assert main(["lab", "--port", "80"]) == 1
    assert "port 80 is kept for programs of the system." in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "70000", "-1"])
def test_an_impossible_port_is_refused(port, capsys):
    """Before anything is tried."""
    assert main(["lab", f"--port={port}"]) == 1
    assert f"{port} is not a port" in capsys.readouterr().err


def test_where_jupyterlab_keeps_nothing_that_is_said_before_it_starts(monkeypatch, capsys):
    """A home that is read-only: JupyterLab itself would end with a traceback."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", os.devnull)
    monkeypatch.setattr(folder, "is_writable", lambda path: path != Path(os.devnull))
    assert main(["lab"]) == 1
    said = capsys.readouterr().err
    assert f"in {os.devnull}, which cannot be written. Name a folder that can" in said
    assert doctor.jupyter().state == "fails"


@pytest.mark.parametrize(("word", "package"), [("lab", "jupyterlab"), ("update", "filelock")])
def test_a_package_that_is_gone_is_named_with_a_way_out(
    tmp_path, monkeypatch, capsys, word, package
):
    """An environment may be an old one, or half installed."""
    assert main(["lab", "--lay-only", str(tmp_path / "mine")]) == 0
    capsys.readouterr()
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    assert main([word, str(tmp_path / "mine")]) == 1
    assert capsys.readouterr().err == (
        f"stridekit: {package} is not installed, and this needs it. `stridekit doctor` says what "
        "is missing, and what to type.\n"
    )


def test_without_a_wish_the_next_free_port_is_taken(monkeypatch, capsys, taken_port):
    """And it says so."""
    monkeypatch.setattr(lab, "PORTS", range(taken_port, taken_port + 50))
    chosen = lab.choose_port(None)
    assert chosen > taken_port
    assert capsys.readouterr().out.startswith(f"Port {taken_port} is taken")


def take_start(monkeypatch, started):
    """Note what would be started, and start nothing."""
    monkeypatch.setattr(os, "execv", lambda path, command: started.append(command))
    monkeypatch.setattr(subprocess, "Popen", lambda command: None)
    monkeypatch.setattr(lab, "wait_for", lambda process: 0)
    for name in ("JUPYTER_CONFIG_PATH", "PATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course that git does not keep, and that one stands in."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "index.ipynb").write_text("{}")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_lab_starts_jupyterlab_on_the_index(course, monkeypatch, capsys):
    """With the course as its root, where the nbgrader views look for it."""
    started = []
    take_start(monkeypatch, started)
    monkeypatch.setattr(lab, "offer_assignments", lambda course: None)
    monkeypatch.setattr(os, "chdir", lambda path: started.append(path))
    monkeypatch.setenv("PATH", "/usr/bin")
    assert main(["lab", "--no-browser"]) == 0
    # Where make has set up, nothing else does that for its terminals.
    assert os.environ["PATH"] == f"{Path(sys.executable).parent}{os.pathsep}/usr/bin"
    there, command = started
    assert command[:3] == [sys.executable, "-P", "-c"]
    assert there == course
    assert f"--ServerApp.root_dir={course}" in command
    assert "--LabApp.default_url=/lab/tree/course/index.ipynb" in command
    assert "--no-browser" in command


def test_jupyterlab_starts_beside_a_learners_files_and_is_stopped_without_a_traceback(
    course, monkeypatch
):
    """Whatever the files are called, and before it listens to Ctrl+C itself."""
    started = []
    with monkeypatch.context() as patch:
        take_start(patch, started)
        patch.setattr(lab, "offer_assignments", lambda course: None)
        assert main(["lab", "--no-browser"]) == 0
    (course / "random.py").write_text("raise ImportError('this is the random of a learner')")
    (command,) = started
    options = command[: command.index(lab._START) + 1]
    done = subprocess.run([*options, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    asked = "import signal; signal.raise_signal(signal.SIGINT)\n"
    stopped = [*options[:-1], lab._START.replace("    main()", f"    {asked}    main()")]
    done = subprocess.run(stopped, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_where_nothing_can_be_written_the_lab_opens_all_the_same(course, monkeypatch, capsys):
    """A course that somebody else installed: the lessons can be read."""
    started = []
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(course))
    take_start(monkeypatch, started)
    monkeypatch.setattr(os, "chdir", lambda path: None)
    monkeypatch.setattr(lab, "offer_assignments", lambda course: 1 / 0)
    assert main(["lab", "--no-browser"]) == 0
    assert started
    said = capsys.readouterr().err
    assert "cannot be written" in said
    assert "name a folder of your own: stridekit lab FOLDER" in said


def test_the_nbgrader_config_can_be_read_where_nothing_can_be_written(tmp_path):
    """A file in the place of the exchange stands in for a folder without permission."""
    from traitlets.config.loader import PyFileConfigLoader

    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    (tmp_path / ".exchange").write_text("")
    config = PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()
    assert config.Exchange.root == str(tmp_path / ".exchange" / "exchange")


def test_a_program_that_answers_ctrl_c_itself_is_waited_for():
    """On Windows: no traceback, and its own exit status."""

    class Asked:
        """Interrupted twice, as JupyterLab wants it; then it ends."""

        def __init__(self):
            self.waits = 0

        def wait(self):
            self.waits += 1
            if self.waits < 3:
                raise KeyboardInterrupt
            return 7

    assert lab.wait_for(Asked()) == 7


@pytest.fixture
def small_course(tmp_path):
    """A course of one assignment, with the real configuration."""
    course = tmp_path / "a course"
    (course / "release" / "ps1").mkdir(parents=True)
    (course / "release" / "ps1" / "text.ipynb").write_text("{}")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    return course


def test_assignments_are_released_once_and_again_when_they_change(small_course, capsys):
    """And what an editor leaves beside them is no change."""
    outbound = small_course / ".exchange" / "exchange" / "stridekit" / "outbound" / "ps1"
    text = small_course / "release" / "ps1" / "text.ipynb"
    course_hooks.release_into_private_exchange(small_course)
    assert "Putting ps1 into Assignment List." in capsys.readouterr().out
    kept = text.parent / ".ipynb_checkpoints"
    kept.mkdir()
    (kept / "text-checkpoint.ipynb").write_text("{}")
    course_hooks.release_into_private_exchange(small_course)
    assert capsys.readouterr().out == ""
    text.write_text('{"cells": []}')
    course_hooks.release_into_private_exchange(small_course)
    said = capsys.readouterr()
    assert "Putting ps1 into Assignment List anew, for it has changed." in said.out
    assert said.err == ""
    assert (outbound / "text.ipynb").read_text() == '{"cells": []}'


def test_the_lab_of_a_shared_course_keeps_its_umask(small_course, umask):
    """What somebody who wants to be alone makes in JupyterLab is nobody else's."""
    with (small_course / "nbgrader_config.py").open("a") as config:
        config.write("c.CourseDirectory.groupshared = True\n")
    umask(0o077)
    course_hooks.release_into_private_exchange(small_course)
    assert (small_course / ".exchange").is_dir()
    assert umask(0o022) == 0o077


@pytest.fixture
def umask():
    """Set one, and have the one before; afterwards it is as it was."""
    before = os.umask(0o022)
    os.umask(before)
    yield os.umask
    os.umask(before)


def test_a_release_that_fails_says_why_and_what_to_do(small_course, capsys):
    """nbgrader's reason, in one sentence with a way out."""
    (small_course / ".exchange").write_text("")
    course_hooks.release_into_private_exchange(small_course)
    said = capsys.readouterr().err
    assert "copy release/ps1 into work/ instead" in said
    assert re.search(r"nbgrader said: .*Not a directory: '.*/\.exchange/exchange'$", said)


@pytest.mark.parametrize(
    "change", [lambda path: path.unlink(), lambda path: path.write_text("1/0")]
)
def test_without_a_configuration_there_are_copies(small_course, capsys, change):
    """Deleted, or put wrong: nbgrader offers nothing then, and that is said with a way out."""
    (small_course / "course").mkdir()
    change(small_course / "nbgrader_config.py")
    lab.offer_assignments(small_course)
    assert (small_course / "work" / "ps1" / "text.ipynb").is_file()
    said = capsys.readouterr().err
    assert "stridekit update --fresh nbgrader_config.py" in said
    assert said.count("\n") == 1


def test_one_that_fails_stops_no_other(small_course, capsys, monkeypatch):
    """As nbgrader 0.9.6 puts it where it may not write."""
    shutil.copytree(small_course / "release" / "ps1", small_course / "release" / "ps2")
    critical = "Could not change permissions of /srv/exchange"

    def fail(self):
        raise ExchangeError(critical)

    monkeypatch.setattr(ExchangeReleaseAssignment, "copy_files", fail)
    course_hooks.release_into_private_exchange(small_course)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert all(line.endswith(f"nbgrader said: {critical}") for line in said)


def test_it_runs_as_a_module_too():
    """`python -m stridekit`, and a version."""
    done = subprocess.run(
        [sys.executable, "-m", "stridekit", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("stridekit 0.")


@pytest.mark.parametrize(
    ("words", "usage", "error"),
    [
        ([], "stridekit [-h] [--version] {lab,update,doctor,", "arguments are required: command"),
        (["lob"], "stridekit [-h] [--version] {lab,update,doctor,", "invalid choice: 'lob'"),
        (["-x", "lab"], "stridekit [-h] [--version] {lab,update,doctor,", "arguments: -x"),
        (["lab", "--prot", "3"], "stridekit lab [-h] [--port PORT]", "arguments: --prot"),
        (["lab", "--port", "x"], "stridekit lab [-h] [--port PORT]", "invalid int value: 'x'"),
        (["update", "a", "b"], "stridekit update [-h]", "unrecognized arguments: b"),
    ],
)
def test_words_that_are_not_understood_are_refused(words, usage, error, capsys):
    """With those that there are, and exit status 2."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith(f"usage: {usage}")
    assert error in said
