"""The browser for the tests: one that is installed, or else one that can be had.

`make test` asks once, and tells the tests by STRIDEKIT_CHROMIUM. Whoever sets that themselves
chooses; empty, it says that there is none. The path is printed, all that is said goes to stderr.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CHOSEN = "STRIDEKIT_CHROMIUM"
# The first has no window to paint, and so is the fastest.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
_MAC = ("Google Chrome", "Chromium", "Microsoft Edge")
_WINDOWS = ("Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe")
_FOLDERS = ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")
_APT = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "fonts-dejavu-core")
# Who manages packages: what to run before, and what to install with, one after another till there
# is one. (Debian has the first package of apt-get's, Ubuntu has not.)
_MANAGERS: Mapping[str, tuple[Sequence[str], Sequence[Sequence[str]]]] = {
    "apt-get": (
        ("apt-get", "update", "-qq"),
        [(*_APT, "chromium-headless-shell"), (*_APT, "chromium")],
    ),
    "dnf": ((), [("dnf", "install", "-y", "-q", "chromium")]),
    "zypper": ((), [("zypper", "--non-interactive", "install", "chromium")]),
    "pacman": ((), [("pacman", "-S", "--noconfirm", "--needed", "chromium")]),
    "apk": ((), [("apk", "add", "--quiet", "ttf-dejavu", "chromium")]),
}
_TYPED = {
    "apt-get": "apt-get install -y chromium",
    "dnf": "dnf install -y chromium",
    "zypper": "zypper install -y chromium",
    "pacman": "pacman -S --noconfirm chromium",
    "apk": "apk add chromium",
}
_TRIAL = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
          "--disable-background-networking", "--disable-component-update", "--disable-sync",
          "--dump-dom", "about:blank")  # fmt: skip


@dataclass(frozen=True)
class Machine:
    """What is asked of a machine. Tests make up others."""

    environment: Mapping[str, str]
    platform: str = sys.platform

    def which(self, name: str) -> str | None:
        """The path of a program on PATH."""
        return shutil.which(name, path=self.environment.get("PATH", ""))

    def exists(self, path: str) -> bool:
        """Whether a file lies there."""
        return Path(path).is_file()

    def is_root(self) -> bool:
        """Whether everything is allowed."""
        return hasattr(os, "geteuid") and os.geteuid() == 0

    def succeeds(self, command: Sequence[str], seconds: float, wanted: str = "") -> bool:
        """Whether a command ends well in time, having said what is wanted of it."""
        try:
            done = subprocess.run(
                command,
                env={**self.environment, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0 and wanted in done.stdout

    def of_playwright(self) -> str | None:
        """Where Playwright puts the Chromium that it fetches. Not from within Playwright."""
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            return playwright.chromium.executable_path


def find(machine: Machine | None = None) -> str | None:
    """The path of a Chromium, Chrome or Edge that works here; None where there is none."""
    machine = machine or Machine(os.environ)
    if CHOSEN in machine.environment:
        return machine.environment[CHOSEN] or None
    return next((path for path in _candidates(machine) if _works(machine, path)), None)


def _candidates(machine: Machine) -> Iterator[str]:
    yield from filter(None, map(machine.which, NAMES))
    if machine.platform == "darwin":
        places = [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in _MAC]
    elif machine.platform == "win32":
        folders = filter(None, (machine.environment.get(name) for name in _FOLDERS))
        places = [f"{folder}/{name}" for folder in folders for name in _WINDOWS]
    else:
        places = []
    yield from filter(machine.exists, places)
    fetched = machine.of_playwright()
    if fetched and machine.exists(fetched):
        yield fetched


def _works(machine: Machine, path: str) -> bool:
    """Whether it shows a page. Some systems have a `chromium` that only says how to get one."""
    return machine.succeeds([path, *_TRIAL], 60, wanted="<html")


def get(machine: Machine) -> str | None:
    """Have one brought: by Playwright, which changes nothing else, or by the system."""
    for sentence, commands in _ways(machine):
        print(sentence, file=sys.stderr, flush=True)
        for command in commands:
            machine.succeeds(command, 600)
        found = find(machine)
        if found:
            return found
    return None


def _ways(machine: Machine) -> Iterator[tuple[str, list[Sequence[str]]]]:
    yield (
        "No Chromium works here, so Playwright fetches one for the tests.",
        [[sys.executable, "-m", "playwright", "install", "chromium"]],
    )
    manager = manager_of(machine)
    if manager is None:
        return
    before, installs = _MANAGERS[manager]
    prefix: list[str] = []
    if not machine.is_root():
        if not (machine.which("sudo") and machine.succeeds(["sudo", "-n", "true"], 10)):
            return
        prefix = ["sudo", "-n"]
    for install in installs:
        commands = [[*prefix, *command] for command in (before, install) if command]
        yield f"That did not work, so {manager} installs {install[-1]}.", commands
        before = ()


def manager_of(machine: Machine) -> str | None:
    """The system's manager of packages, if it is one that is known here."""
    if not machine.platform.startswith("linux"):
        return None
    return next((name for name in _MANAGERS if machine.which(name)), None)


def command_to_type(machine: Machine | None = None) -> str:
    """What brings a Chromium where this program may not, or could not."""
    machine = machine or Machine(os.environ)
    manager = manager_of(machine)
    if manager is None:
        return f"{sys.executable} -m playwright install chromium"
    return ("" if machine.is_root() else "sudo ") + _TYPED[manager]


def main(machine: Machine | None = None) -> int:
    """Print the path of a browser; an empty line where none can be had, and say so."""
    machine = machine or Machine(os.environ)
    found = find(machine)
    if found is None and CHOSEN not in machine.environment:
        found = get(machine)
    if found is None:
        print(
            "There is no Chromium, and none could be had: the browser tests do not run, all "
            f"others do. To have them too: {command_to_type(machine)}",
            file=sys.stderr,
        )
    print(found or "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
