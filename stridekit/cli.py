"""The command line: `stridekit lab` opens the course in JupyterLab."""

import argparse
import os
import socket
import subprocess
import sys
from pathlib import Path

from stridekit import __version__
from stridekit.errors import StridekitError

# Says that no question about news stands before the first lesson, and none goes to the internet;
# and that the icon of the browser's tab stays, which else is fetched anew, twice, for each key that
# is typed in an explorer.
QUIET = Path(__file__).resolve().parent / "jupyter"
FIRST_PORT = 8888
START = "course/index.ipynb"


class CommandError(StridekitError):
    """What a command cannot do, in a sentence that says what to do instead."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives its exit status."""
    parser = argparse.ArgumentParser(
        prog="stridekit", description="How tensors lie in memory: the course and its tools."
    )
    parser.add_argument("--version", action="version", version=f"stridekit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    lab = commands.add_parser("lab", help="open the course in JupyterLab")
    lab.add_argument(
        "--port", type=int, help=f"the port to serve on (the first free one from {FIRST_PORT})"
    )
    lab.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    lab.set_defaults(run=lambda given: open_lab(given.port, browser=not given.no_browser))
    given = parser.parse_args(arguments)
    try:
        status: int = given.run(given)
    except CommandError as error:
        print(f"stridekit: {error}", file=sys.stderr)
        return 1
    return status


def open_lab(port: int | None, *, browser: bool) -> int:
    """JupyterLab on the course's first page, in this terminal until it is stopped."""
    course = find_course(Path.cwd())
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={course}",
        f"--LabApp.default_url=/lab/tree/{START}",
        f"--ServerApp.port={choose_port(port)}",
        "--ServerApp.port_retries=0",
    ]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Running as root, as containers do: JupyterLab is told to allow it.")
        command.append("--allow-root")
    release_into_private_exchange(course)
    print(f"Opening {START} in JupyterLab. Press Ctrl+C twice to stop.", flush=True)
    os.chdir(course)
    paths = [str(QUIET), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.call(command)


def find_course(start: Path) -> Path:
    """The folder that holds the course: `start`, one above it, or where stridekit lies.

    Raises CommandError when there is none.
    """
    for folder in (start, *start.parents, Path(__file__).resolve().parent.parent):
        if (folder / START).is_file() and (folder / "nbgrader_config.py").is_file():
            return folder
    raise CommandError(
        f"there is no {START} in {start} or above it. Go to the folder that you cloned, and "
        "start there."
    )


def release_into_private_exchange(course: Path) -> None:
    """Put every assignment that is not there yet into the course's private exchange.

    Assignment List then offers them at once. An exchange outside of the course belongs to
    somebody else, and is left alone; on Windows nbgrader has none.
    """
    if os.name == "nt":
        return
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    exchange = Path(str(config.Exchange.root))
    if course not in exchange.parents:
        return
    outbound = exchange / str(config.CourseDirectory.course_id) / "outbound"
    for assignment in sorted((course / "release").iterdir()):
        if assignment.is_dir() and not (outbound / assignment.name).exists():
            print(f"Releasing {assignment.name} into the private exchange.", flush=True)
            command = [sys.executable, "-m", "nbgrader", "release_assignment", assignment.name]
            done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(
                    f"That did not work, so Assignment List will not show {assignment.name}; "
                    f"open release/{assignment.name} instead. nbgrader said: "
                    f"{done.stderr.strip().splitlines()[-1:]}",
                    file=sys.stderr,
                )


def choose_port(wanted: int | None) -> int:
    """The wanted port, or the first free one. Raises CommandError if the wanted one is taken."""
    if wanted is not None:
        if not 0 < wanted < 1 << 16:
            raise CommandError(f"{wanted} is no port. Choose one from 1024 to 65535.")
        if not is_free(wanted):
            raise CommandError(
                f"port {wanted} is taken by another program. Stop that, or choose another port: "
                f"make lab PORT={wanted + 1}"
            )
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + 50):
        if is_free(port):
            if port != FIRST_PORT:
                print(f"Port {FIRST_PORT} is taken (by another JupyterLab?), so this is {port}.")
            return port
    raise CommandError(
        f"ports {FIRST_PORT} to {FIRST_PORT + 49} are all taken. Choose another: make lab PORT=9999"
    )


def is_free(port: int) -> bool:
    """Whether nobody listens on this port of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            # As the server does, so that a port it has just left counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
