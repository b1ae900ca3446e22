"""Make the virtual environment and install the project into it, once.

`make` calls this before everything else. It is written so that old Pythons can read it and
say what is wrong, and it uses the standard library only.
"""

from __future__ import print_function

import argparse
import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST = (3, 11)
PIP = "pip>=25.1"
# The library, the grader and the course, each with its own pyproject.toml: see CONTRIBUTING.md.
FOLDERS = ("stridekit", "stridekit_grading", "")
NAMES = ("stridekit-library", "stridekit-grading", "stridekit-course")
EXTRAS = ("", "[cluster]", "[dev]")
# By our tests; mypy is there as machine code as well.
SELDOM_LOADED = r"|\W(mypyc?|setuptools|torchgen|torch\W(_inductor|_vendor|testing))"
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", default=os.path.join(ROOT, ".venv"))
    parser.add_argument("--dev", action="store_true", help="install what the tests need, too")
    parser.add_argument("--torch-index", default="", help="a package index to take torch from")
    parser.add_argument(
        "--this-python", action="store_true", help="make it anew if it is of another Python"
    )
    arguments = parser.parse_args()

    if sys.version_info < OLDEST:
        return run_newer_python()
    venv = os.path.abspath(arguments.venv)
    python = venv_python(venv)
    stamp = os.path.join(venv, "stridekit-installed")
    there = version_of(python)
    # Scripts in a virtual environment name its folder: moved or copied, it is of no use.
    stamped = read(stamp).splitlines()
    is_elsewhere = bool(stamped) and stamped[1:] != place(venv)
    is_other = arguments.this_python and there != sys.version
    if not there or is_elsewhere or is_other:
        say("Making the virtual environment %s" % os.path.relpath(venv))
        made = subprocess.call([sys.executable, "-m", "venv", "--clear", venv])
        there, stamped = version_of(python), []
        if made != 0 or not there:
            return fail(
                "Python could not make a virtual environment (see above). On Debian and Ubuntu, "
                "install it first: sudo apt install python3-venv. Then run make again."
            )
    wanted = fingerprint(there, arguments.dev)
    if stamped[:1] in ([wanted], [fingerprint(there, True)]):
        return 0

    say("Installing stridekit and what it needs. This happens once.")
    install = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    # A fresh environment brings the pip of its Python, and an old one takes twice as long. Where
    # no newer one is to be had, it will do.
    subprocess.call(install + ["--quiet", "--retries", "1", PIP], stderr=subprocess.DEVNULL)
    install += ["--no-compile", "-c", os.path.join(ROOT, "constraints.txt")]
    editable = ["--no-build-isolation", "--no-deps"]
    for name in FOLDERS:
        editable += ["-e", os.path.join(ROOT, name)]
    needed = [a + b for a, b in zip(NAMES, EXTRAS)] if arguments.dev else list(NAMES)
    # What builds our packages is brought once: pip would set it up anew for each of the three. What
    # they need may be built by something else.
    steps = [install + ["hatchling"], install + editable, install + needed]
    if arguments.torch_index:
        # That index need not have the versions that torch's own dependencies are pinned to.
        steps.insert(0, install + ["--no-deps", "--index-url", arguments.torch_index, "torch"])
    for step in steps:
        if subprocess.call(step) != 0:
            return fail(
                "The installation stopped (pip says why above). Most often the network failed: "
                "run make again, and it goes on from here. If pip finds no torch, this machine may "
                "be one that PyTorch has no builds for: a Mac with an Intel processor or with "
                "macOS before 14, Windows on ARM, or a Python that is newer than PyTorch."
            )
    compile_all(python, arguments.dev)
    with open(stamp, "w") as file:
        file.write("\n".join([wanted] + place(venv)))
    return 0


def compile_all(python, dev):
    """Compile what was installed, and this project, on all processors: pip would use one.

    In a grader's sandbox nothing can be written, so each server would compile it all anew. Others'
    tests, a sixth of it all, nobody runs; of what our tests load little or nothing, a seventh, each
    module is compiled when somebody loads it.
    """
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = subprocess.check_output([python, "-c", ask], universal_newlines=True).strip()
    # Some packages bring files that no Python can read: pip says nothing of them, either.
    own = [os.path.join(ROOT, name or "stridekit_course") for name in FOLDERS]
    folders = [packages] + own
    # What newer Pythons warn of in others' code is nobody's affair here.
    compile_them = [python, "-W", "ignore", "-m", "compileall", "-qq", "-j", "0"]
    left_out = r"site-packages(.*\Wtests%s)\W" % (SELDOM_LOADED if dev else "")
    subprocess.call(compile_them + ["-x", left_out] + folders)


def run_newer_python():
    """Start again with a newer Python from PATH, or say what is missing."""
    for name in NEWER:
        try:
            found = subprocess.call([name, "-c", ""], stderr=open(os.devnull, "w"))
        except OSError:
            continue
        if found == 0:
            return subprocess.call([name] + sys.argv)
    return fail(
        "stridekit needs Python %d.%d or newer, and this is Python %d.%d. Install a newer one, "
        "or say where it is: make lab PYTHON=/path/to/python3.12"
        % (OLDEST + tuple(sys.version_info[:2]))
    )


def venv_python(venv):
    return os.path.join(venv, "Scripts" if os.name == "nt" else "bin", "python")


def version_of(python):
    """The version of a virtual environment's Python; empty where it is too old or does not work."""
    ask = "import pip, sys; sys.version_info >= %r and sys.stdout.write(sys.version)" % (OLDEST,)
    try:
        said = subprocess.check_output(
            [python, "-c", ask],
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return said


def fingerprint(version, dev):
    """What is installed depends on: these files, the extras, and the Python."""
    digest = hashlib.sha256(version.encode())
    projects = [os.path.join(name, "pyproject.toml") for name in FOLDERS]
    for name in projects + ["constraints.txt"]:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return "%s %s" % (digest.hexdigest(), "dev" if dev else "base")


def place(venv):
    """Where the project and its virtual environment lie, as the stamp says it."""
    return [ROOT, venv]


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def say(sentence):
    print(sentence)
    sys.stdout.flush()


def fail(sentence):
    print("\n" + sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(fail("Stopped. Run make again, and it goes on from here."))
    except EnvironmentError as error:
        sys.exit(fail("The installation stopped: %s. Mend that, and run make again." % error))
