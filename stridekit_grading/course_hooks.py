"""What the grader adds to the course's commands: the exchange for `lab`, findings for `doctor`."""

import dataclasses
import filecmp
import os
import sys
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError, told
from stridekit_course.doctor import Finding, Trial
from stridekit_course.lab import LEFT_BEHIND
from stridekit_course.workfolder.folder import find, is_writable
from stridekit_grading.course import Course, configured


def release_into_private_exchange(course: Path) -> bool:
    """Put every assignment that is new, or not there yet, into the course's private exchange.

    Assignment List then offers them at once. What was fetched stays as it is. An exchange outside
    of the course belongs to somebody else, and is left alone. Gives whether there is an exchange:
    on Windows nbgrader has none.
    """
    if os.name == "nt":
        return False
    try:
        config = _config_of(course)
    except CommandError as error:
        print(f"stridekit: {error} Until then there is no Assignment List.", file=sys.stderr)
        return False
    exchange = Path(str(config.Exchange.root))
    if course not in exchange.parents:
        return True
    outbound = exchange / str(config.CourseDirectory.course_id) / "outbound"
    folders = sorted((course / "release").glob("*"))
    waiting = [
        each for each in folders if each.is_dir() and not _is_released(each, outbound / each.name)
    ]
    if not waiting:
        return True
    # It takes two seconds to load.
    from nbgrader.auth import Authenticator
    from nbgrader.exchange import ExchangeFactory

    umask = os.umask(0o077)
    try:
        app = Course(course).app
    finally:
        # What this process starts, JupyterLab above all, keeps its own.
        os.umask(umask)
    for assignment in waiting:
        again = " anew, for it has changed" if (outbound / assignment.name).exists() else ""
        print(f"Putting {assignment.name} into Assignment List{again}.", flush=True)
        app.coursedir.assignment_id = assignment.name
        parts = {"coursedir": app.coursedir, "authenticator": Authenticator(parent=app)}
        try:
            ExchangeFactory(parent=app).ReleaseAssignment(**parts, parent=app, force=True).start()
        except Exception as error:  # noqa: BLE001 - one that fails says so, and the others go on
            print(
                "That did not work, so Assignment List does not offer "
                f"{assignment.name} as it is now; copy release/{assignment.name} into work/ "
                f"instead. nbgrader said: {error}",
                file=sys.stderr,
            )
    return True


def _config_of(course: Path) -> Any:
    """Raises CommandError: somebody's own configuration may raise anything, or be gone."""
    from traitlets.config.loader import PyFileConfigLoader

    with configured(course):
        return PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


def _is_released(assignment: Path, there: Path) -> bool:
    files = (path.relative_to(assignment) for path in assignment.rglob("*") if path.is_file())
    # What editors leave behind is not released.
    names = [str(name) for name in files if not {*LEFT_BEHIND} & {*name.parts}]
    _, *others = filecmp.cmpfiles(assignment, there, names, shallow=False)
    return there.is_dir() and others == [[], []]


# What grading needs on this machine.


def trials(folder: Path | None, here: Path) -> dict[str, Trial]:
    """What is tried, by its name: see `stridekit_course.doctor`."""
    return {"exchange": lambda: exchange(folder, here), "grading": sandbox}


def exchange(given: Path | None, here: Path, platform: str = sys.platform) -> Finding:
    """Where assignments are fetched from."""
    if platform == "win32":
        says = "nbgrader has none on Windows"
        return Finding("exchange", "partly", says, "`stridekit lab` copies assignments to work/")
    try:
        place = find(given, here)
        if not (place.root / "nbgrader_config.py").is_file():
            return Finding("exchange", "works", "it is made with the folder")
        root = Path(str(_config_of(place.root).Exchange.root))
    except (CommandError, OSError) as error:
        return Finding("exchange", "partly", told(error))
    whose = "your own" if place.root in root.parents else "shared"
    if not is_writable(root):
        do = f'make it writable for all who use it: chmod a+rwx "{root}"'
        return Finding("exchange", "partly", f"{root} cannot be written", do)
    return Finding("exchange", "works", f"{whose}, {root}")


def sandbox(platform: str = sys.platform) -> Finding:
    """How well learners' code can be shut in here, as it is tried before a class is graded."""
    if platform != "linux":
        do = "to grade a class, use a server, a container, or WSL 2"
        return Finding("grading", "partly", "it needs Linux", do)
    from stridekit_grading.isolation import something_secret, try_out
    from stridekit_grading.sandbox.launch import Server
    from stridekit_grading.sandbox.supervision import Budgets

    nothing = {"secret": "", "files": {}, "checks": [], "trust": False}
    plan = {**nothing, "budgets": dataclasses.asdict(Budgets())}
    try:
        with something_secret() as folder:
            return Finding("grading", "works", try_out(Server([]), plan, folder))
    except CommandError as error:
        # Its sentence says what to do.
        return Finding("grading", "partly", told(error))
