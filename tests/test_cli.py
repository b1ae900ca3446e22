"""The command line: what it opens, and what it says when it cannot."""

import os
import socket
import subprocess
import sys

import pytest

from stridekit import cli


@pytest.fixture
def taken_port():
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_is_named_with_a_way_out(taken_port, capsys):
    """One sentence, exit status 1, and nothing is started."""
    assert cli.main(["lab", "--port", str(taken_port)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"stridekit: port {taken_port} is taken by another program.")
    assert f"make lab PORT={taken_port + 1}" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("port", ["0", "70000", "-1"])
def test_an_impossible_port_is_refused(port, capsys):
    """Before anything is tried."""
    assert cli.main(["lab", f"--port={port}"]) == 1
    assert f"{port} is no port" in capsys.readouterr().err


def test_without_a_wish_the_next_free_port_is_taken(monkeypatch, capsys, taken_port):
    """And it says so."""
    monkeypatch.setattr(cli, "FIRST_PORT", taken_port)
    chosen = cli.choose_port(None)
    assert chosen > taken_port
    assert capsys.readouterr().out.startswith(f"Port {taken_port} is taken")


def test_the_course_is_found_from_anywhere_inside(tmp_path, monkeypatch):
    """In the folder, below it, or beside the installed package."""
    course = tmp_path / "mine"
    (course / "course").mkdir(parents=True)
    (course / "course" / "index.ipynb").write_text("{}")
    (course / "nbgrader_config.py").write_text("")
    assert cli.find_course(course / "course") == course
    assert cli.find_course(tmp_path) == cli.Path(cli.__file__).resolve().parent.parent
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "lib" / "stridekit" / "cli.py"))
    with pytest.raises(cli.CommandError, match="there is no course/index"):
        cli.find_course(tmp_path / "elsewhere")


def test_lab_starts_jupyterlab_on_the_index(tmp_path, monkeypatch, capsys):
    """With the course as its root, where the nbgrader views look for it."""
    started = []
    monkeypatch.setattr(os, "execv", lambda path, command: started.append(command))
    monkeypatch.setattr(subprocess, "call", lambda command: 0)
    monkeypatch.setattr(cli, "release_into_private_exchange", lambda course: None)
    monkeypatch.setattr(os, "chdir", lambda path: started.append(path))
    assert cli.main(["lab", "--no-browser"]) == 0
    course, command = started
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={course}" in command
    assert "--LabApp.default_url=/lab/tree/course/index.ipynb" in command
    assert "--no-browser" in command


def test_it_runs_as_a_module_too():
    """`python -m stridekit`, and a version."""
    done = subprocess.run(
        [sys.executable, "-m", "stridekit", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("stridekit 0.")


def test_an_unknown_command_is_refused(capsys):
    """With the commands that there are, and exit status 2."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["lob"])
    assert stop.value.code == 2
    assert "lab" in capsys.readouterr().err
