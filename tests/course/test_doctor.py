"""The doctor: each thing that can be wrong is said in a line, with what to do."""

import importlib.metadata
import json
import re
import webbrowser

import pytest

from stridekit.command import main
from stridekit.errors import CommandError
from stridekit_course import doctor
from stridekit_course.doctor import Finding, as_data
from stridekit_course.workfolder.folder import WorkingFolder
from stridekit_course.workfolder.plan import Kind, Step
from stridekit_grading import course_hooks, isolation

STATES = ("works", "partly", "fails")


@pytest.mark.parametrize("state", STATES)
def test_a_line_has_a_sign_words_and_what_to_do(state):
    """The sign is never alone, and there is one for consoles without it."""
    finding = Finding("torch", state, "is like this", "do that")
    signs = {finding.line(encoding)[0] for encoding in ("utf-8", "ascii", "cp1252", "no such")}
    assert len(signs) == 2
    for encoding in ("utf-8", "ascii", "cp437"):
        line = finding.line(encoding)
        line.encode(encoding)
        assert line[1:].split() == f"{state} torch: is like this. To do: do that".split()


def test_json_and_status_say_whether_the_lessons_run(monkeypatch, capsys):
    """What only grading needs is no failure; what lessons need is, and a check that breaks."""
    for state in STATES:
        found = {"one": lambda state=state: Finding("one", state, "so")}
        monkeypatch.setattr(doctor, "trials", lambda *_, found=found: found)
        works = state != "fails"
        assert main(["doctor", "--json"]) == (0 if works else 1)
        assert json.loads(capsys.readouterr().out) == as_data([found["one"]()])
        assert main(["doctor"]) == (0 if works else 1)
        assert (
            capsys.readouterr()
            .out.splitlines()[-1]
            .startswith("The lessons run here" if works else "The lessons do not run")
        )
    monkeypatch.setattr(
        doctor, "trials", lambda *_: {"broken": lambda: 1 // 0, "next": found["one"]}
    )
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert "broken: ZeroDivisionError" in said[0]
    assert "one: so" in said[1]


def test_here_all_that_lessons_need_works():
    """The real checks of this machine, but for the slow ones."""
    assert doctor.python().state == "works"
    assert doctor.packages().state == "works"
    assert "install Python 3.11" in doctor.python((3, 10)).do


def test_packages_that_miss_or_are_too_old_are_named(monkeypatch):
    """With the line that mends them all."""
    needed = ["numpy>=2.1,<3", "torch>=2.6,<3", "rich>=1", 'odd>=1; extra == "dev"']
    # What asks for the library asks for its extras, and not for those of another.
    needed += ["stridekit-library[notebook]", 'widget>=2; extra == "notebook"', "torch[dev]"]
    there = {"numpy": "1.26.4", "torch": "2.13.0+cpu", "stridekit-library": "0.2.0"}

    def version(name):
        if name not in there:
            raise importlib.metadata.PackageNotFoundError(name)
        return there[name]

    monkeypatch.setattr(importlib.metadata, "requires", lambda _: needed)
    monkeypatch.setattr(importlib.metadata, "version", version)
    found = doctor.packages()
    assert found.state == "fails"
    assert found.says == (
        "numpy is 1.26.4, and <3,>=2.1 is asked for; rich is not installed; widget is not installed"
    )
    assert found.do == 'pip install "numpy<3,>=2.1" "rich>=1" "widget>=2"'


@pytest.mark.parametrize("check", [doctor.torch, doctor.jupyter])
@pytest.mark.parametrize("answer", [(1, "ImportError: no"), (-11, "it ended with status -11")])
def test_what_does_not_load_is_said_with_its_last_words(monkeypatch, check, answer):
    """Also where it takes its process with it."""
    monkeypatch.setattr(doctor, "ask", lambda _code: answer)
    found = check()
    assert found.state == "fails"
    assert answer[1] in found.says
    assert "pip install" in found.do


def test_a_kernel_is_tried_as_lessons_start_it(tmp_path, monkeypatch):
    """Not beside a learner's file, and whatever this terminal can print; it says what it lacks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torch.py").write_text("raise SystemExit('this is the torch of a learner')")
    (tmp_path / "numpy.py").write_text("raise SystemExit('this is the numpy of a learner')")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert doctor.jupyter().state == "works"
    monkeypatch.setattr(doctor, "_KERNEL", doctor._KERNEL.replace("draw(arange(3))", "1 / 0"))
    assert doctor.jupyter().says == "a notebook's kernel does not work (division by zero)"


def test_a_program_that_crashes_is_survived(tmp_path, monkeypatch):
    """Its status, where it says nothing; its last line, where it does; not for a learner's file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random.py").write_text("raise ImportError('this is the random of a learner')")
    assert doctor.ask("import random; print(random.__name__)") == (0, "random")
    assert doctor.ask("import os; os.abort()") == (-6, "it ended with status -6")
    assert doctor.ask("print('first'); print('last')") == (0, "last")
    assert doctor.ask("raise ValueError('because')") == (1, "ValueError: because")


def test_the_folder_and_the_exchange_are_said(tmp_path, monkeypatch):
    """Not made yet, not to be made, made; a configuration that raises; Windows."""
    there = tmp_path / "mine"
    assert (
        doctor.working_folder(there, tmp_path).says
        == f"`stridekit lab` makes {there} at its first start"
    )
    assert course_hooks.exchange(there, tmp_path).state == "works"
    full = tmp_path / "full"
    full.mkdir()
    (full / "a.txt").write_text("")
    assert doctor.working_folder(full, tmp_path).state == "fails"
    (there / "course").mkdir(parents=True)
    (there / "course" / "index.ipynb").write_text("{}")
    config = there / "nbgrader_config.py"
    config.write_text("c = get_config()\nc.Exchange.root = '/srv/exchange'\n")
    assert doctor.working_folder(there, tmp_path).says == f"{there}, opened as it is"
    with monkeypatch.context() as patch:
        # As for root, whoever runs the tests.
        patch.setattr(doctor.os, "access", lambda *_: True)
        assert course_hooks.exchange(there, tmp_path).says == "shared, /srv/exchange"
    for laid, says in ((("a",), "1 file is newer"), (("a", "b"), "2 files are newer")):
        steps = [Step(Kind.LAY, name) for name in laid]
        with monkeypatch.context() as patch:
            patch.setattr(doctor, "planned", lambda *_, steps=steps: steps)
            patch.setattr(doctor, "find", lambda *_: WorkingFolder(there, there))
            patch.setattr(WorkingFolder, "source", lambda _: None)
            assert says in doctor.working_folder(there, tmp_path).says
    monkeypatch.setattr(doctor.os, "access", lambda path, _: str(path) not in ("/srv", "/"))
    assert course_hooks.exchange(there, tmp_path).do.endswith('chmod a+rwx "/srv/exchange"')
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    assert "cannot be written" in doctor.working_folder(there, tmp_path).says
    config.write_text("1 / 0")
    assert "ZeroDivisionError" in course_hooks.exchange(there, tmp_path).says
    assert "copies assignments" in course_hooks.exchange(there, tmp_path, "win32").do


def test_a_page_is_opened_where_there_is_a_screen(monkeypatch):
    """Else the address is to be copied."""
    monkeypatch.setattr(webbrowser, "get", lambda: None)
    assert doctor.browser({}, "win32").state == "works"
    assert doctor.browser({"WAYLAND_DISPLAY": "wayland-0"}, "linux").state == "works"
    assert "open the address" in doctor.browser({}, "linux").do


def test_grading_is_tried_where_it_can_be(monkeypatch):
    """What is missing is said by whoever missed it."""
    assert "WSL" in course_hooks.sandbox("darwin").do

    def miss():
        raise CommandError("nothing here shuts learners' code in: there is no bubblewrap.")

    monkeypatch.setattr(isolation, "something_secret", miss)
    assert course_hooks.sandbox("linux").says.endswith("there is no bubblewrap")
    monkeypatch.undo()
    # Wherever these tests run, the trial comes to an end with a word on it.
    assert course_hooks.sandbox("linux").says


def test_a_torch_that_cannot_be_watched_is_named(monkeypatch):
    """The lessons run; what `watch` lacks is said."""
    lacks = "NEEDED['torch.autograd'] = ('_gone',)"
    code = doctor._TORCH.replace("import lacking\n", f"import NEEDED, lacking; {lacks}\n")
    monkeypatch.setattr(doctor, "_TORCH", code)
    finding = doctor.torch()
    assert finding.state == "partly"
    assert re.match(
        r"stridekit.watch\(\) does not work here, for torch .* has no torch.autograd._gone, which "
        "watching reads",
        finding.says,
    )
