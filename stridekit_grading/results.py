"""What came of each notebook: as a referee tells it, as it is entered, and where it is kept."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from stridekit.errors import CommandError
from stridekit_grading import PACKAGES
from stridekit_grading.plans import NotebookPlan
from stridekit_grading.submissions import OrderedNotebook

Status = Literal["graded", "partly graded", "needs a human"]
_PACKAGE = Path(__file__).resolve().parents[1]
_FINDING = {"function", "kind", "sentence", "hint", "rule", "counted", "picture"}
_VERSIONS = ("torch", "numpy", "ipython", "nbgrader", "matplotlib")


@dataclass
class NotebookResult:
    """One notebook of a submission, as it is entered."""

    name: str
    cells: list[dict[str, Any]] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    """Tests that only a human can decide."""
    doubts: list[str] = field(default_factory=list)
    """Why a human must look."""
    losses: dict[str, str] = field(default_factory=dict)
    """Tests that got nothing for another reason than a wrong answer."""
    notes: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    """The first line of what each failing test says."""
    details: dict[str, str] = field(default_factory=dict)
    """What failing hidden tests would have said; for the instructor alone, as the findings are."""
    findings: dict[str, dict[str, str]] = field(default_factory=dict)
    """What the checks found wrong: see `stridekit_course.checks.messages.finding_of`."""
    is_readable: bool = True
    isolation: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    peak: int = 0

    @property
    def status(self) -> Status:
        """How it ended."""
        if self.doubts or self.undecided or not self.is_readable:
            return "needs a human"
        return "partly graded" if self.losses else "graded"

    @property
    def reasons(self) -> list[str]:
        """Why it did not end as graded."""
        undecided = [f"{name} cannot be decided by a machine" for name in self.undecided]
        return [*self.doubts, *undecided, *(f"{name}: {why}" for name, why in self.losses.items())]


class Store:
    """A folder of the course for what only the grader may know and keep."""

    def __init__(self, root: Path) -> None:
        """Make it. Raises CommandError."""
        self.folder = root / ".grading"
        try:
            for each in (self.folder, self.folder / "results"):
                each.mkdir(mode=0o700, exist_ok=True)
            self.folder.chmod(0o700)
            self.secret = self._secret()
        except OSError as error:
            raise CommandError(
                f"{self.folder} cannot be written ({error.strerror}): seeds of hidden tests and "
                "results are kept there. Make room, or change its permissions."
            ) from error

    @classmethod
    def of(cls, root: Path) -> "Store | None":
        """The one of a course, if it has one already. Raises CommandError."""
        return cls(root) if (root / ".grading" / "secret").is_file() else None

    def _secret(self) -> bytes:
        path = self.folder / "secret"
        try:
            known = path.read_text("ascii").strip()
            if len(known) >= 32:
                return bytes.fromhex(known)
        except FileNotFoundError:
            """There is none yet."""
        except ValueError as error:
            raise CommandError(
                f"{path} is no secret of a course. Put the right one back; or take it away, and "
                "hidden tests will have other cases from then on."
            ) from error
        made = secrets.token_hex(32)
        write_whole(path, made.encode(), 0o600)
        return bytes.fromhex(made)

    def get(self, key: str) -> NotebookResult | None:
        """What is known of a notebook."""
        try:
            told = json.loads((self.folder / "results" / key).read_text("utf-8"))
            result = NotebookResult(**told)
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return result if _is_whole(result) else None

    def put(self, key: str, result: NotebookResult) -> None:
        """Keep it."""
        content = json.dumps(vars(result)).encode("utf-8", "replace")
        write_whole(self.folder / "results" / key, content, 0o600)


def _is_whole(result: NotebookResult) -> bool:
    """Whether each part is what it should be: a file may have been damaged."""
    texts = (result.losses, result.failures, result.details)
    return (
        isinstance(result.cells, list)
        and all(isinstance(each, dict) for each in (*texts, result.findings))
        and all(isinstance(said, str) for each in texts for said in each.values())
        and all(isinstance(each, dict) for each in result.findings.values())
        and all({*each} >= _FINDING for each in result.findings.values())
        and all(isinstance(v, str) for each in result.findings.values() for v in each.values())
        and all(isinstance(each, list) for each in (result.doubts, result.undecided, result.notes))
        and isinstance(result.seconds, int | float)
    )


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """Write a file so that it is there whole, or not at all. Raises OSError."""
    made = path.with_name(f".{path.name[:80]}.{os.getpid()}.new")
    try:
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), mode)
        made.replace(path)
    except OSError:
        with suppress(OSError):
            made.unlink()
        raise


def key_of(content: bytes, files: Mapping[str, bytes], plan: str, rest: Mapping[str, Any]) -> str:
    """What a result is kept under: it changes with all that the result depends on."""
    made = hashlib.sha256(content)
    for name, each in sorted(files.items()):
        made.update(f"\n{name} {len(each)}\n".encode() + each)
    made.update(json.dumps([plan, environment(), dict(rest)], sort_keys=True).encode())
    return made.hexdigest()


@cache
def environment() -> str:
    """The code that judges, and the versions of what it stands on."""
    # It takes as long to load as all else that stands between the command and its server.
    from importlib.metadata import PackageNotFoundError, version

    made = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            name = path.relative_to(package.parent).as_posix()
            made.update(name.encode() + path.read_bytes())
    versions = []
    for name in _VERSIONS:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            versions.append(f"{name} none")
    return f"{made.hexdigest()} {versions}"


# As a referee tells it.


def result_of(
    plan: NotebookPlan, reading: OrderedNotebook, told: dict[str, Any], isolation: dict[str, Any]
) -> NotebookResult:
    """What a referee tells, as it is entered."""
    result = NotebookResult(plan.name, reading.cells, doubts=reading.doubts, notes=reading.notes)
    result.isolation, result.seconds, result.peak = isolation, told["seconds"], told["peak"]
    names = {
        number: cell["metadata"]["nbgrader"]["grade_id"]
        for number, cell in enumerate(reading.cells)
        if "nbgrader" in cell["metadata"]
    }
    count = 0
    for step in reading.steps:
        number = step["cell"]
        cell = reading.cells[number]
        outputs = told["cells"].get(str(number))
        if outputs is None:
            continue
        count += 1
        cell["execution_count"] = count
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
        cell["outputs"] = outputs
        failed = [each for each in outputs if each["output_type"] == "error"]
        if step["kind"] == "test" and failed:
            said = failed[0]["evalue"].split("\n")[0]
            result.failures[names[number]] = said or f"{failed[0]['ename']} in {names[number]}"
    deaths = dict(told["deaths"])
    for text, how in told["tests"].items():
        name = names[int(text)]
        problem = _odd_credit(reading.cells[int(text)]) if how == "decided" else ""
        if problem:
            result.undecided.append(name)
            result.doubts.append(f"the partial credit of {name} is {problem}")
        if how == "cannot":
            result.undecided.append(name)
            result.failures.pop(name, None)
        elif how == "died":
            result.losses[name] = told["reasons"][text]
    _blame(result, plan, reading, names, deaths)
    result.details = {names[int(text)]: said for text, said in told["details"].items()}
    result.findings = {names[int(text)]: found for text, found in told["findings"].items()}
    return result


def _odd_credit(cell: dict[str, Any]) -> str:
    """What is odd about the number that a test shows; nothing where it decides on points.

    nbgrader gives full marks for a nan and for less than 0, and stops at more than there is.
    """
    for output in cell["outputs"]:
        if output["output_type"] == "error":
            return ""
    most = cell["metadata"]["nbgrader"]["points"]
    for output in cell["outputs"]:
        if output["output_type"] != "execute_result":
            continue
        text = output["data"].get("text/plain")
        if not isinstance(text, str):
            return "no number"
        try:
            credit = float(text)
        except ValueError:
            continue
        if not 0 <= credit <= most:
            return f"{text}, and {most:g} points are the most"
    return ""


def _blame(
    result: NotebookResult,
    plan: NotebookPlan,
    reading: OrderedNotebook,
    names: dict[int, str],
    deaths: dict[int, str],
) -> None:
    """Tests that fail because their solution is not there, or ended its process."""
    gone = dict(reading.missing)
    broken = {
        names[number]: f"its cell did not run: {error['ename']}: {error['evalue']}".split("\n")[0]
        for number, cell in enumerate(reading.cells)
        if number in names
        for error in cell.get("outputs", ())
        if error["output_type"] == "error"
    }
    for number, reason in deaths.items():
        if number in names and names[number] not in result.losses:
            gone[names[number]] = f"its cell was stopped, for {reason}"
    of_solution = ""
    for master in plan.cells:
        if master.kind == "solution":
            of_solution = master.name
        elif master.is_run_as_test and master.name in result.failures:
            if of_solution in gone:
                result.losses.setdefault(master.name, gone[of_solution])
            elif of_solution in broken and "is not defined" in result.failures[master.name]:
                # That there is no such name is what came of it.
                result.failures[master.name] = broken[of_solution]
    for number, reason in deaths.items():
        if number not in names:
            result.notes.append(f"cell {number + 1} was stopped: {reason}")
