"""`stridekit lab` opens the course in JupyterLab."""

import argparse
import errno
import os
import shutil
import socket
import subprocess
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from stridekit.errors import CommandError
from stridekit_course.update import make, planned, refuse_older
from stridekit_course.workfolder.folder import (
    NAME,
    WorkingFolder,
    find,
    require_runtime_folder,
    typed,
)
from stridekit_course.workfolder.manifest import read
from stridekit_course.workfolder.plan import Kind
from stridekit_course.workfolder.shipped import is_course

# How JupyterLab meets a learner, as files that it looks for itself: no question about news before
# the first lesson; names of lessons in full, and text of a width that can be read; of nbgrader only
# what a learner needs; a tab's icon that stays, and is not fetched anew, twice, for each key that
# is typed in an explorer; exported pages that fold what JupyterLab folds. What somebody has set
# stays as it is, and where JupyterLab is started in another way, all is as it always was.
SETTINGS = Path(__file__).resolve().parent / "jupyter"
PORTS = range(8888, 8938)
# Until it listens to Ctrl+C itself, it would answer with a traceback.
_START = """
try:
    from jupyterlab.labapp import main
    main()
except KeyboardInterrupt:
    raise SystemExit(130)
"""
# Who offers assignments in a way other than as copies: functions that are given the course's
# folder, and say whether they do.
GROUP = "stridekit.assignments"
# What editors leave behind is not part of an assignment.
LEFT_BEHIND = (".ipynb_checkpoints", "__pycache__")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command to the others."""
    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab. What you work on are copies: at the first "
        "start they are laid into a folder of yours, and nothing ever replaces what you wrote.",
    )
    lab.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help=f"the folder to work in, made if it is not there (the course you are in, or else "
        f"{NAME} in your home folder)",
    )
    lab.add_argument(
        "--port", type=int, help=f"the port to serve on (the first free one from {PORTS[0]})"
    )
    lab.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    lab.add_argument(
        "--lay-only", action="store_true", help="lay the course into the folder, and open nothing"
    )
    lab.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Lay the course, and open it. Raises CommandError."""
    if given.lay_only:
        place = ready(find(given.folder, Path.cwd()))
        if os.access(place.root, os.W_OK):
            offer_assignments(place.root)
        return 0
    return open_lab(given.folder, given.port, browser=not given.no_browser)


def open_lab(folder: Path | None, port: int | None, *, browser: bool) -> int:
    """JupyterLab on the course's first page, in this terminal until it is stopped."""
    place = find(folder, Path.cwd())
    require_runtime_folder()
    if find_spec("jupyterlab") is None:
        raise ModuleNotFoundError(name="jupyterlab")
    command = [
        sys.executable,
        # What a learner calls `random.py` is not what JupyterLab imports.
        "-P",
        "-c",
        _START,
        f"--ServerApp.root_dir={place.root}",
        f"--ServerApp.tornado_settings=static_custom_path={SETTINGS / 'custom'}",
        "--LabApp.custom_css=True",
        f"--ServerApp.port={choose_port(port)}",
        "--ServerApp.port_retries=0",
    ]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Running as root, as containers do: JupyterLab is told to allow it.")
        command.append("--allow-root")
    place = ready(place)
    course = place.root
    # A learner may have deleted the first page.
    page = f"/lab/tree/{place.start}" if (course / place.start).is_file() else "/lab"
    command.append(f"--LabApp.default_url={page}")
    if os.access(course, os.W_OK):
        offer_assignments(course)
    print(f"Opening {place.start} in JupyterLab. Press Ctrl+C twice to stop.", flush=True)
    os.chdir(course)
    paths = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    # So that JupyterLab's terminals know `stridekit`, and `!pip` is that of the kernel, also
    # where nobody has activated the environment.
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(filter(None, programs))
    if os.name != "nt":
        os.execv(command[0], command)
    return wait_for(subprocess.Popen(command))


def ready(place: WorkingFolder) -> WorkingFolder:
    """The place, with its copies laid, or with a word on what is newer. Raises CommandError."""
    if is_course(place.root) and not os.access(place.root, os.W_OK):
        print(
            f"The folder {place.root} cannot be written: lessons run, but nothing can be saved or "
            "fetched there. To do the exercises, name a folder of your own: stridekit lab FOLDER",
            file=sys.stderr,
        )
        return WorkingFolder(place.root, None)
    if place.folder is None:
        return place
    if not place.is_made:
        print(f"Laying the course into {place.folder}. What you do there is yours.", flush=True)
        outcome = make(place.files, place.source())
        if outcome.failed:
            name, reason = outcome.failed[0]
            raise CommandError(
                f"not all files could be laid into {place.folder}: {name}, for one ({reason}). "
                "Mend that, and run the same command again"
            )
        if place.folder != place.root:
            print("These are copies, so git's own files stay as they are.")
        return WorkingFolder(place.root, place.folder)
    try:
        refuse_older(place.files, read(place.folder), to_older=False)
    except CommandError as error:
        # What differs is newer there: an update would not bring anything.
        print(f"{error}.")
        return place
    count = sum(step.kind is not Kind.LEAVE for step in planned(place.files, place.source()))
    if count:
        print(
            f"{count} {'file of the course has' if count == 1 else 'files of the course have'} "
            "changed since. To have that, with all that is yours kept: "
            + typed("stridekit update", place.folder)
            + ("" if place.folder == place.root else " (or make update)")
        )
    return place


def wait_for(process: "subprocess.Popen[bytes]") -> int:
    """The exit status of a program that answers Ctrl+C itself."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def offer_assignments(course: Path) -> None:
    """Have the assignments where one works on them: in Assignment List, or as copies in work/.

    Where nbgrader is installed, its Assignment List offers them. Elsewhere whoever opens the course
    finds copies. What lies in work/ already stays as it is.
    """
    for each in entry_points(group=GROUP):
        if each.load()(course):
            return
    copied = []
    for assignment in sorted((course / "release").glob("*")):
        there = course / "work" / assignment.name
        if assignment.is_dir() and not os.path.lexists(there):
            # Whatever stops it, what lies in its place is whole.
            part = there.with_name(f".{assignment.name}.part")
            try:
                shutil.rmtree(part, ignore_errors=True)
                shutil.copytree(assignment, part, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
                part.rename(there)
            except OSError as error:
                raise CommandError(
                    f"{there} cannot be written ({error.strerror or error}). Mend that, and run "
                    "the same command again"
                ) from error
            copied.append(assignment.name)
    if copied:
        print(f"The exercises lie in work/ now, as copies that are yours: {', '.join(copied)}.")


def choose_port(wanted: int | None) -> int:
    """The wanted port, or the first free one. Raises CommandError if the wanted one is taken."""
    if wanted is not None:
        if not 0 < wanted < 1 << 16:
            raise CommandError(f"{wanted} is not a port. Choose one from 1024 to 65535.")
        refusal = why_not(wanted)
        if refusal:
            free = next(filter(is_free, PORTS), 9999)
            raise CommandError(
                f"port {wanted} {refusal}. Choose another port: stridekit lab --port {free}, or "
                f"make lab PORT={free}"
            )
        return wanted
    for port in PORTS:
        if is_free(port):
            if port != PORTS[0]:
                print(f"Port {PORTS[0]} is taken (by another JupyterLab?), so this is {port}.")
            return port
    raise CommandError(
        f"ports {PORTS[0]} to {PORTS[-1]} are all taken. Choose another: "
        "stridekit lab --port 9999, or make lab PORT=9999"
    )


def is_free(port: int) -> bool:
    """Whether one may serve on this port of this machine."""
    return not why_not(port)


def why_not(port: int) -> str:
    """Why one cannot serve on this port of this machine; empty if one can."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            # As the server does, so that a port it has just left counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno == errno.EACCES:
                return "is kept for programs of the system"
            return "is taken by another program"
    return ""
