"""What came of each notebook: as a referee tells it, as it is entered, and where it is kept."""

import hashlib
import hmac
import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from getpass import getuser
from pathlib import Path
from socket import gethostname
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading import PACKAGES
from stridekit_grading.plans import NotebookPlan, grade_id_of
from stridekit_grading.sandbox.outputs import Judgement, error_in, why_not_run
from stridekit_grading.submissions import NotebookResult

_VERSIONS = ("torch", "numpy", "ipython", "nbgrader", "matplotlib")


class Store:
    """A folder of the course for what only the grader may know and keep."""

    def __init__(self, root: Path, *, is_shared: bool = False) -> None:
        """Make it; one that is shared is their group's. Raises CommandError."""
        self.folder = root / ".grading"
        self._mode = 0o660 if is_shared else 0o600
        try:
            for each in (self.folder, self.folder / "results"):
                each.mkdir(mode=0o770 if is_shared else 0o700, exist_ok=True)
            # Of a course that can only be read, such as a backup, there is a report all the same.
            if not is_shared and self.folder.stat().st_mode & 0o077:
                self.folder.chmod(0o700)
            self.secret = self._secret()
        except OSError as error:
            raise CommandError(
                f"{self.folder} cannot be written ({error.strerror}): seeds of hidden tests and "
                "results are kept there. Make room, or change its permissions; for a course that "
                "several of you grade, see groupshared in docs/teaching.md."
            ) from error

    @classmethod
    def of(cls, root: Path, *, is_shared: bool = False) -> "Store | None":
        """The one of a course, if it has one already. Raises CommandError."""
        is_there = (root / ".grading" / "secret").is_file()
        return cls(root, is_shared=is_shared) if is_there else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one who grades in this course; whoever waits for that says for whom."""
        # Where nobody grades, there is none, and what was graded is read all the same.
        import fcntl

        # Whoever is killed leaves the file, and holds no lock on it.
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, self._mode)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                who = os.pread(lock, 200, 0).decode("utf-8", "replace") or "another process"
                said = f"{who} is grading in this course. This waits until that is done."
                sys.stderr.write(f"stridekit: {said}\n")
                fcntl.flock(lock, fcntl.LOCK_EX)
            # Where the disk is full, or this user has no name, nobody is told who it is.
            with suppress(OSError, KeyError):
                os.ftruncate(lock, 0)
                who = f"process {os.getpid()} of {getuser()} on {gethostname()}"
                os.pwrite(lock, f"{who}, since {datetime.now():%H:%M},".encode(), 0)
            yield
        finally:
            os.close(lock)

    def _secret(self) -> bytes:
        path = self.folder / "secret"
        # Where a machine stopped on the way, nothing of it may be there.
        if not path.is_file() or path.stat().st_size < 32:
            write_whole(path, secrets.token_hex(32).encode(), self._mode)
        try:
            return bytes.fromhex(path.read_text("ascii"))
        except ValueError as error:
            raise CommandError(
                f"{path} is not a secret of a course. Put the right one back; or take it away, and "
                "hidden tests will have other cases from then on."
            ) from error

    def get(self, key: str) -> NotebookResult | None:
        """What is known of a notebook; nothing where its file is damaged, or another version's."""
        try:
            digest, content = (self.folder / "results" / key).read_bytes().split(b"\n", 1)
            if digest != hashlib.sha256(content).hexdigest().encode():
                return None
            told = json.loads(content)
            tests = {name: Judgement(**each) for name, each in told.pop("tests").items()}
            return NotebookResult(**told, tests=tests)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, result: NotebookResult) -> None:
        """Keep it, under its key. Raises CommandError."""
        content = json.dumps(vars(result), default=vars).encode("utf-8", "replace")
        digest = hashlib.sha256(content).hexdigest().encode()
        try:
            path = self.folder / "results" / result.key
            write_whole(path, digest + b"\n" + content, self._mode)
        except OSError as error:
            raise CommandError(
                f"{self.folder} cannot be written ({error.strerror}). Make room, then run the same "
                "command again: what was graded is kept."
            ) from error


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write a file so that it is there whole, or not at all. Raises OSError."""
    made = path.with_name(f".{os.getpid()}.new")
    try:
        made.unlink(missing_ok=True)
        with open(made, "xb", opener=partial(os.open, mode=0o600)) as file:
            file.write(content)
        made.chmod(mode)
        made.replace(path)
    except OSError:
        with suppress(OSError):
            made.unlink()
        raise


def key_of(secret: bytes, files: Mapping[str, bytes], *rest: Any) -> str:
    """What a result is kept under: it changes with all that the result depends on."""
    made = hmac.new(secret, digestmod="sha256")
    for name, each in sorted(files.items()):
        made.update(f"\n{name} {len(each)}\n".encode() + each)
    made.update(json.dumps([*rest, environment()], sort_keys=True).encode())
    return made.hexdigest()


@cache
def environment() -> tuple[str, ...]:
    """A digest of the code that judges, and the versions of what it stands on, Python first."""
    # It takes as long to load as all else that stands between the command and its server.
    from importlib.metadata import version

    made = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            name = path.relative_to(package.parent).as_posix()
            made.update(name.encode() + path.read_bytes())
    python = f"python {sys.version_info.major}.{sys.version_info.minor}"
    return made.hexdigest(), python, *(f"{name} {version(name)}" for name in _VERSIONS)


# As a referee tells it.


def take(notebook: NotebookResult, plan: NotebookPlan, told: dict[str, Any]) -> None:
    """Put what a referee tells into the notebook."""
    for count, place in enumerate(sorted(map(int, told["cells"])), 1):
        cell, outputs = notebook.cells[place], told["cells"][str(place)]
        cell.update(outputs=outputs, execution_count=count)
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
    for text, test in told["tests"].items():
        cell = notebook.cells[int(text)]
        name = grade_id_of(cell)
        judged = notebook.tests[name] = Judgement(**test)
        failed = error_in(cell["outputs"])
        if failed is not None:
            said = failed["evalue"].split("\n")[0]
            judged.failure = said or f"{failed['ename']} in {name}"
        if problem := odd_credit(cell):
            notebook.doubts.append(f"the partial credit of {name} is {problem}")
    _blame(notebook, plan, {int(number): why for number, why in told["stopped"].items()})


def odd_credit(cell: dict[str, Any]) -> str:
    """What is odd about the number that a test shows; nothing where it decides on points.

    nbgrader gives full marks for a nan and for less than 0, and stops at more than there is.
    """
    most = cell["metadata"]["nbgrader"]["points"]
    # What comes first decides: where a cell fails behind its value, the value counts.
    kinds = ("execute_result", "error")
    first = next((each for each in cell["outputs"] if each["output_type"] in kinds), None)
    if first is None or first["output_type"] == "error":
        return ""
    text = first["data"].get("text/plain")
    if not isinstance(text, str) or not text:
        return "no number"
    with suppress(ValueError):
        if not 0 <= float(text) <= most:
            return f"{text}, and {most:g} points are the most"
    return ""


def _blame(notebook: NotebookResult, plan: NotebookPlan, stopped: dict[int, str]) -> None:
    """Tests that fail because their solution is not there, was stopped, or did not run."""
    places = {}
    for place, cell in enumerate(notebook.cells):
        if name := grade_id_of(cell):
            places[name] = place
        elif place in stopped:
            notebook.notes.append(f"cell {place + 1} was stopped: {stopped[place]}")
    gone = broken = ""
    for master in plan.cells:
        if master.kind == "solution":
            gone = broken = ""
            at = places.get(master.name)
            if at is None:
                gone = f"the cell of {master.name} is not there"
            elif at in stopped:
                gone = f"its cell was stopped, for {stopped[at]}"
            elif error := error_in(notebook.cells[at].get("outputs", [])):
                broken = f"the cell of {master.name} {why_not_run(error)}"
        judged = notebook.tests.get(master.name)
        if judged is None or not judged.failure:
            continue
        if gone:
            judged.loss = judged.loss or gone
        elif broken and "is not defined" in judged.failure:
            # That there is no such name is what came of it.
            judged.failure = broken
