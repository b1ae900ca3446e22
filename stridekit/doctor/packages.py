"""Python and the packages: whether they are here, in versions that do, and load."""

import importlib.metadata
import platform
import subprocess
import sys
import tomllib
from collections.abc import Iterator

from stridekit import __version__
from stridekit.doctor.finding import Finding
from stridekit.workfolder.shipped import AROUND, IN_WHEEL, is_course

OLDEST = (3, 11)
DISTRIBUTION = "stridekit-course"
_TORCH = """
import numpy, torch
array = numpy.arange(6)
torch.from_numpy(array).view(2, 3).t()[0, 1] = 7
assert array[3] == 7
with_cuda = torch.cuda.is_available()
print(torch.__version__, f"with {torch.cuda.get_device_name()}" if with_cuda else "on the CPU")
"""
_KERNEL = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3", startup_timeout=60)
try:
    reply = client.execute_interactive(
        "from stridekit import arange, draw; draw(arange(3))", timeout=60, output_hook=print
    )
    print(reply["content"]["status"])
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


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
    """Whatever stridekit needs, in versions that it names."""
    wrong = [*_wrong_versions()]
    if wrong:
        names = " ".join(f'"{name}"' for name, _ in wrong)
        says = "; ".join(reason for _, reason in wrong)
        return Finding("packages", "fails", says, f"pip install {names}")
    return Finding("packages", "works", "all that stridekit needs is here, in versions that do")


def _wrong_versions() -> Iterator[tuple[str, str]]:
    from packaging.requirements import Requirement

    for text in _needed():
        needed = Requirement(text)
        if needed.marker is not None and not needed.marker.evaluate({"extra": ""}):
            continue
        name = f"{needed.name}{needed.specifier}"
        try:
            found = importlib.metadata.version(needed.name)
        except importlib.metadata.PackageNotFoundError:
            yield name, f"{needed.name} is not installed"
            continue
        if not needed.specifier.contains(found, prereleases=True):
            yield name, f"{needed.name} is {found}, and {needed.specifier} is asked for"


def _needed() -> list[str]:
    """What this stridekit asks for: as it was installed, or as the clone says."""
    try:
        return importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        project = tomllib.loads((AROUND / "pyproject.toml").read_text("utf-8"))["project"]
        return [str(each) for each in project["dependencies"]]


def torch() -> Finding:
    """PyTorch loads, and shares memory with NumPy. In a process of its own: it may crash."""
    status, said = ask(_TORCH)
    if status == 0:
        return Finding("torch", "works", said)
    do = "pip install --force-reinstall torch; see which machines PyTorch has builds for"
    return Finding("torch", "fails", f"it does not load ({said})", do)


def jupyter() -> Finding:
    """A kernel starts and draws a picture, as the lessons have it do."""
    status, said = ask(_KERNEL)
    if status == 0 and said == "ok":
        found = importlib.metadata.version("jupyterlab")
        return Finding("Jupyter", "works", f"JupyterLab {found}; a kernel starts and draws")
    do = "pip install --upgrade jupyterlab ipykernel"
    return Finding("Jupyter", "fails", f"a notebook's kernel does not work ({said})", do)


def ask(code: str) -> tuple[int, str]:
    """What a Python of its own says last of some code, and its exit status."""
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=180, check=False
        )
    except subprocess.TimeoutExpired:
        return 1, "it does not answer"
    said = done.stdout if done.returncode == 0 else done.stderr or done.stdout
    lines = said.strip().splitlines()
    return done.returncode, lines[-1] if lines else f"it ended with status {done.returncode}"
