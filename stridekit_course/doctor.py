"""`stridekit doctor`: what works on this machine, and what to do about the rest.

Another package adds findings of its own by an entry point of the group `stridekit.findings`: a
function that is given the folder that was named, or None, and the folder that one stands in. It
gives what is to be tried: for each name, a function that gives a Finding.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tomllib
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import stridekit
from stridekit.errors import CommandError, told
from stridekit_course import __version__
from stridekit_course.update import planned, refuse_older
from stridekit_course.workfolder.folder import (
    WorkingFolder,
    as_typed,
    find,
    is_writable,
    require_runtime_folder,
)
from stridekit_course.workfolder.manifest import read
from stridekit_course.workfolder.plan import Kind
from stridekit_course.workfolder.shipped import AROUND, IN_WHEEL, is_course

GROUP = "stridekit.findings"
OLDEST = (3, 11)
# What is of one version, and what each is called where one installs it.
DISTRIBUTIONS = {
    "stridekit": "stridekit-library",
    "stridekit_course": "stridekit-course",
    "stridekit_grading": "stridekit-grading",
}
# The exit status where torch works, and `stridekit.watch()` does not.
_UNWATCHED = 3
_TORCH = f"""
import sys, numpy, torch
from stridekit.own_code.torch_profiler import lacking
array = numpy.arange(6)
torch.from_numpy(array).view(2, 3).t()[0, 1] = 7
assert array[3] == 7
with_cuda = torch.cuda.is_available()
print(torch.__version__, "with " + torch.cuda.get_device_name() if with_cuda else "on the CPU")
if lacking():
    print("stridekit.watch() does not work here, for " + lacking())
    sys.exit({_UNWATCHED})
"""
_KERNEL = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3", startup_timeout=60, cwd="/")
try:
    reply = client.execute(
        "from stridekit import arange, draw; draw(arange(3))", timeout=60, reply=True
    )
    print(reply["content"].get("evalue", "ok"))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""

State = Literal["works", "partly", "fails"]
"""`partly`: the lessons run without it. `fails`: they do not."""
_SIGNS: dict[State, tuple[str, str]] = {
    "works": ("✓", "+"),
    "partly": ("–", "-"),
    "fails": ("✗", "x"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing, in a line."""

    name: str
    state: State
    says: str
    do: str = ""
    """What to do about it, where something can be done."""

    def line(self, encoding: str = "utf-8") -> str:
        """The line, with a sign that the encoding has and the state in words.

        >>> Finding("torch", "fails", "is not installed", "pip install torch").line("ascii")
        'x fails   torch: is not installed. To do: pip install torch'
        """
        sign, plain = _SIGNS[self.state]
        try:
            sign.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            sign = plain
        todo = f". To do: {self.do}" if self.do else ""
        return f"{sign} {self.state:<7} {self.name}: {self.says}{todo}"


Trial = Callable[[], Finding]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command to the others."""
    command = commands.add_parser(
        "doctor",
        help="say what works on this machine",
        description="Try what the course needs on this machine, and say a line about each thing. "
        "The exit status is 1 where the lessons do not run.",
    )
    command.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="the folder (as for stridekit lab)"
    )
    command.add_argument("--json", action="store_true", help="for programs")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Try all, and tell each as soon as it is known."""
    found = []
    for finding in examine(trials(given.folder, Path.cwd())):
        found.append(finding)
        if not given.json:
            print(finding.line(sys.stdout.encoding), flush=True)
    told = as_data(found)
    if given.json:
        print(json.dumps(told, indent=1))
    elif told["works"]:
        print("The lessons run here: stridekit lab")
    else:
        print("The lessons do not run here yet. Do what stands beside what fails.")
    return 0 if told["works"] else 1


def trials(folder: Path | None, here: Path) -> dict[str, Trial]:
    """What is tried, in this order, by its name."""
    own: dict[str, Trial] = {
        "Python": python,
        "packages": packages,
        "torch": torch,
        "Jupyter": jupyter,
        "folder": lambda: working_folder(folder, here),
        "browser": browser,
    }
    others: dict[str, Trial] = {}
    for each in importlib.metadata.entry_points(group=GROUP):
        others |= each.load()(folder, here)
    return own | others


def examine(trials: Mapping[str, Trial]) -> Iterator[Finding]:
    """What comes of each; one that breaks is found to fail, and the others go on."""
    for name, trial in trials.items():
        try:
            yield trial()
        except Exception as error:  # noqa: BLE001 - a machine may be broken in any way
            yield Finding(name, "fails", f"{type(error).__name__}: {error}")


def as_data(findings: Sequence[Finding]) -> dict[str, Any]:
    """For programs: whether the lessons work, and all that was found."""
    works = all(each.state != "fails" for each in findings)
    return {"works": works, "findings": [asdict(each) for each in findings]}


# Python and the packages.


def python(version: tuple[int, ...] = sys.version_info[:2]) -> Finding:
    """This Python, and this stridekit."""
    where = "from a clone" if is_course(AROUND) else "installed"
    says = f"{platform.python_version()} on {platform.system()}, stridekit {__version__} {where}"
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return Finding("Python", "fails", says, f"install Python {oldest} or newer")
    if not (is_course(AROUND) or is_course(IN_WHEEL)):
        again = "pip install --force-reinstall --no-deps stridekit-course"
        return Finding("Python", "fails", f"{says}, without the course", again)
    return Finding("Python", "works", says)


def packages() -> Finding:
    """Whatever stridekit needs, in versions that it names; its own packages of one version."""
    mixed = _mixed_versions()
    if mixed is not None:
        return mixed
    wrong = [*_wrong_versions()]
    if wrong:
        names = " ".join(f'"{name}"' for name, _ in wrong)
        says = "; ".join(reason for _, reason in wrong)
        return Finding("packages", "fails", says, f"pip install {names}")
    return Finding("packages", "works", "all that stridekit needs is here, in versions that do")


def _mixed_versions() -> Finding | None:
    """Library, course and grader are made for each other, and so of one version."""
    there = {"stridekit": stridekit.__version__, "stridekit_course": __version__}
    if importlib.util.find_spec("stridekit_grading") is not None:
        there["stridekit_grading"] = import_module("stridekit_grading").__version__
    if len({*there.values()}) == 1:
        return None
    newest = max(there.values(), key=lambda each: [*map(int, re.findall("[0-9]+", each))])
    said = ", ".join(f"{DISTRIBUTIONS[name]} {version}" for name, version in there.items())
    names = " ".join(
        f'"{DISTRIBUTIONS[name]}=={newest}"' for name, each in there.items() if each != newest
    )
    says = f"its packages are not of one version ({said})"
    return Finding("packages", "fails", says, f"pip install {names}")


def _wrong_versions() -> Iterator[tuple[str, str]]:
    from packaging.requirements import Requirement

    all_needed = [
        Requirement(each)
        for each in dict.fromkeys(each for name in DISTRIBUTIONS.values() for each in _needed(name))
    ]
    # One of ours may ask for another with its extras.
    ours = [needed for needed in all_needed if needed.name in DISTRIBUTIONS.values()]
    extras = {"", *(extra for needed in ours for extra in needed.extras)}
    for needed in all_needed:
        marker = needed.marker
        if marker is not None and not any(marker.evaluate({"extra": each}) for each in extras):
            continue
        name = f"{needed.name}{needed.specifier}"
        try:
            found = importlib.metadata.version(needed.name)
        except importlib.metadata.PackageNotFoundError:
            yield name, f"{needed.name} is not installed"
            continue
        if not needed.specifier.contains(found, prereleases=True):
            yield name, f"{needed.name} is {found}, and {needed.specifier} is asked for"


def _needed(distribution: str) -> list[str]:
    """What one of ours asks for: as it was installed, or as the clone says; nothing if not here."""
    try:
        return importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        if distribution != DISTRIBUTIONS["stridekit_course"]:
            return []
        project = tomllib.loads((AROUND / "pyproject.toml").read_text("utf-8"))["project"]
        return [str(each) for each in project["dependencies"]]


def torch() -> Finding:
    """PyTorch loads, and shares memory with NumPy. In a process of its own: it may crash."""
    status, said = ask(_TORCH)
    if status == 0:
        return Finding("torch", "works", said)
    if status == _UNWATCHED:
        return Finding("torch", "partly", said.removesuffix("."), "pip install --upgrade torch")
    do = "pip install --force-reinstall torch; see which machines PyTorch has builds for"
    return Finding("torch", "fails", f"it does not load ({said})", do)


def jupyter() -> Finding:
    """A kernel starts and draws a picture, as the lessons have it do."""
    try:
        require_runtime_folder()
    except CommandError as error:
        return Finding("Jupyter", "fails", str(error))
    status, said = ask(_KERNEL)
    if status == 0 and said == "ok":
        found = importlib.metadata.version("jupyterlab")
        return Finding("Jupyter", "works", f"JupyterLab {found}; a kernel starts and draws")
    do = "pip install --upgrade jupyterlab ipykernel"
    return Finding("Jupyter", "fails", f"a notebook's kernel does not work ({said})", do)


def ask(code: str) -> tuple[int, str]:
    """What a Python of its own says last of some code, and its exit status."""
    command = [sys.executable, "-P", "-c", code]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=180, check=False
        )
    except subprocess.TimeoutExpired:
        return 1, "it does not answer"
    said = done.stdout if done.returncode == 0 else done.stderr or done.stdout
    lines = said.strip().splitlines()
    return done.returncode, lines[-1] if lines else f"it ended with status {done.returncode}"


# Where one works.


def working_folder(given: Path | None, here: Path) -> Finding:
    """The course that `stridekit lab` opens."""
    try:
        place = find(given, here)
        if not place.is_made:
            if not is_writable(place.root):
                return _unwritable(place)
            says = f"`stridekit lab` makes {place.folder} at its first start"
            return Finding("folder", "works", says)
        if not is_writable(place.root):
            return _unwritable(place)
        where = place.folder or place.root
        if place.folder is None:
            return Finding("folder", "works", f"{where}, opened as it is")
        try:
            refuse_older(place.files, read(where), to_older=False)
        except CommandError as error:
            do = "pip install --upgrade stridekit-course"
            return Finding("folder", "partly", told(error), do)
        newer = sum(step.kind is not Kind.LEAVE for step in planned(place.files, place.source()))
    except (CommandError, OSError) as error:
        return Finding("folder", "fails", told(error), "stridekit lab FOLDER")
    if newer:
        do = "stridekit update" + (f" {as_typed(given)}" if given else "")
        says = f"{where}; {newer} {'file is' if newer == 1 else 'files are'} newer in stridekit"
        return Finding("folder", "partly", says, do)
    return Finding("folder", "works", f"{where}, up to date")


def _unwritable(place: WorkingFolder) -> Finding:
    says = f"{place.root} cannot be written, so nothing can be saved there"
    return Finding("folder", "partly", says, "stridekit lab FOLDER, with a folder of yours")


def browser(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Finding:
    """What opens JupyterLab's page."""
    shows = (
        platform in ("win32", "darwin")
        or environment.get("DISPLAY")
        or environment.get("WAYLAND_DISPLAY")
    )
    try:
        webbrowser.get()
    except webbrowser.Error:
        shows = None
    if shows:
        return Finding("browser", "works", "the system opens pages")
    says = "nothing here opens a page"
    do = "open the address that `stridekit lab` prints, in a browser of your own"
    return Finding("browser", "partly", says, do)
