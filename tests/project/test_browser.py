"""A Chromium for the tests is found or had, on machines that are made up."""

import subprocess
import sys

import browser as browser_of_tests
import pytest
from browser import Machine

from tests import ROOT

FETCHED = "/home/ada/.cache/ms-playwright/chromium"


class MadeUp(Machine):
    """A machine as a table; what is run is noted, and may bring a browser."""

    def __init__(self, *, path=(), broken=(), files=(), root=False, platform="linux", brings=(),
                 environment=None):  # fmt: skip
        super().__init__(environment or {}, platform)
        self.__dict__.update(
            path=set(path), broken=set(broken), files=set(files), root=root, brings=dict(brings),
            ran=[],
        )  # fmt: skip

    def which(self, name):
        """See Machine."""
        return f"/usr/bin/{name}" if name in self.path else None

    def exists(self, path):
        """See Machine."""
        return str(path) in self.files

    def is_root(self):
        """See Machine."""
        return self.root

    def of_playwright(self):
        """See Machine."""
        return FETCHED

    def succeeds(self, command, _seconds, wanted=""):
        """See Machine."""
        if wanted:
            return command[0] not in self.broken
        if command[:2] == ["sudo", "-n"] and command[2] == "true":
            return "passwordless" in self.environment
        self.ran.append(" ".join(command))
        for part, name in self.brings.items():
            if part in f"{self.ran[-1]}\n":
                (self.files if name.startswith("/") else self.path).add(name)
        return True


@pytest.mark.parametrize("name", browser_of_tests.NAMES)
def test_one_that_is_installed_is_taken(name):
    """Under any of its names; nothing is run to get one."""
    machine = MadeUp(path={name, "apt-get"}, root=True)
    assert browser_of_tests.find(machine) == f"/usr/bin/{name}"
    assert machine.ran == []


def test_one_that_only_says_how_to_get_one_is_passed_over():
    """As Ubuntu's chromium-browser does where there is no snap."""
    machine = MadeUp(
        path={"chromium-browser", "google-chrome"}, broken={"/usr/bin/chromium-browser"}
    )
    assert browser_of_tests.find(machine) == "/usr/bin/google-chrome"


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("darwin", {}, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("darwin", {}, "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
        ("win32", {"ProgramFiles": "C:/P"}, "C:/P/Google/Chrome/Application/chrome.exe"),
        ("win32", {"ProgramFiles(x86)": "C:/X"}, "C:/X/Microsoft/Edge/Application/msedge.exe"),
        ("linux", {}, FETCHED),
    ],
)
def test_it_is_found_where_systems_put_it(platform, environment, place):
    """Also where PATH does not lead there, and where Playwright has put one before."""
    machine = MadeUp(platform=platform, environment=environment, files={place})
    assert browser_of_tests.find(machine) == place


def test_who_says_which_one_is_asked_nothing_more():
    """Empty says that there is none, and then none is fetched."""
    chosen = MadeUp(path={"chromium"}, environment={"STRIDEKIT_CHROMIUM": "/made/up/chromium"})
    assert browser_of_tests.find(chosen) == "/made/up/chromium"
    none = MadeUp(path={"chromium"}, environment={"STRIDEKIT_CHROMIUM": ""})
    assert browser_of_tests.find(none) is None
    assert browser_of_tests.main(none) == 0
    assert none.ran == []


@pytest.mark.parametrize(
    "packages",
    [["chromium-headless-shell"], ["chromium-headless-shell", "chromium"]],
    ids=["Debian", "where there is only the second"],
)
def test_playwright_s_comes_first_then_the_system_s(packages, capsys):
    """Each is said in a line; the system is only asked where one may."""
    last = packages[-1]
    by_playwright = MadeUp(brings={"playwright install": FETCHED}, path={"apt-get"}, root=True)
    assert browser_of_tests.get(by_playwright) == FETCHED
    assert len(by_playwright.ran) == 1
    for more in (
        {"root": True},
        {"environment": {"passwordless": "1"}, "path": {"apt-get", "sudo"}},
    ):
        machine = MadeUp(**{"path": {"apt-get"}, "brings": {f"core {last}\n": last}, **more})
        assert browser_of_tests.get(machine) == f"/usr/bin/{last}"
        prefix = "" if machine.root else "sudo -n "
        install = f"{prefix}apt-get install -y -qq --no-install-recommends fonts-dejavu-core"
        wanted = [f"{prefix}apt-get update -qq", f"{install} {packages[0]}"]
        assert machine.ran[1:] == [*wanted, *(f"{install} {each}" for each in packages[1:])]
    said = capsys.readouterr()
    assert said.err.count(f"apt-get installs {packages[-1]}.") == 2


@pytest.mark.parametrize("path", [{"apt-get"}, {"apt-get", "sudo"}, {"sudo"}, set()])
def test_where_nothing_is_allowed_the_system_is_left_alone(path, capsys):
    """No password is ever asked for. The end of `make test` says what to type."""
    machine = MadeUp(path=path)
    assert browser_of_tests.main(machine) == 0
    assert len(machine.ran) == 1
    said = capsys.readouterr()
    assert said.out == "\n"
    wanted = "sudo apt-get install -y chromium" if "apt-get" in path else "playwright install"
    assert wanted in said.err


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["alone", "with workers"])
def test_without_one_all_others_run_and_the_end_says_so(tmp_path, options):
    """A failure, with the command; not where no test wanted a browser."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_both.py").write_text(
        "def test_plain():\n    pass\n\ndef test_page(browser):\n    pass\n"
    )

    def run(*names):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *names]
        environment = {
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "STRIDEKIT_CHROMIUM": "",
        }
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    status, said = run()
    assert status == 1
    assert "1 passed" in said
    end = said.partition("the browser tests did not run")[2]
    assert "1 tests need a Chromium" in end
    assert browser_of_tests.command_to_type() in end
    status, said = run("test_both.py::test_plain")
    assert status == 0
    assert "did not run" not in said
