"""What somebody handed in, read with care and put in order: a stranger wrote it.

Tests, points and what may not be changed come from the course; from the submission comes what a
learner writes. What was moved, renamed or wiped is found again; what is doubtful is left to a
human, with the reason.
"""

import errno
import json
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from stridekit_grading.plans import (
    FILES_MOST,
    Cell,
    MasterCell,
    NotebookPlan,
    Plan,
    all_inside,
    bound_by,
    goes_along,
    grade_id_of,
    is_text,
)
from stridekit_grading.sandbox.outputs import Judgement

BYTES_MOST = 32 * 1024**2
CELLS_MOST = 2_000
# All of it is parsed, and a tree may take a thousand times the room of its text.
CODE_MOST = 500_000
# So many files that are left out are named.
NAMED_MOST = 10
_NOT_THERE = "This cell was not handed in. Its answer may stand in another one."
Status = Literal["graded", "partly graded", "needs a human"]
STATUSES: tuple[Status, ...] = get_args(Status)


class UnreadableError(Exception):
    """What was handed in cannot be read; the reason is a sentence without its full stop."""


@dataclass
class NotebookResult:
    """One notebook of a submission: put in order, then run, then entered."""

    cells: list[Cell] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Why a human must look."""
    notes: list[str] = field(default_factory=list)
    """What was put in order."""
    tests: dict[str, Judgement] = field(default_factory=dict)
    is_readable: bool = True
    key: str = ""
    """Made under the same one, it needs not be run again, nor entered again."""

    def give_up(self, reason: str, key: str) -> None:
        """A human decides all of it."""
        self.doubts, self.notes, self.is_readable, self.key = [reason], [], False, key

    @property
    def status(self) -> Status:
        """How it ended."""
        if self.doubts:
            return "needs a human"
        return "partly graded" if any(each.loss for each in self.tests.values()) else "graded"

    @property
    def reasons(self) -> list[str]:
        """Why it did not end as graded."""
        losses = [f"{name}: {each.loss}" for name, each in self.tests.items() if each.loss]
        return [*self.doubts, *losses]


def read_bytes(path: Path, most: int = BYTES_MOST) -> bytes:
    """The content of a regular file that is not a link. Raises UnreadableError."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableError(f"{path.name} is not a regular file")
            content = file.read(most + 1)
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
        if error.errno == errno.ELOOP:
            why = "is a link, and links are not followed"
        raise UnreadableError(f"{path.name} {why}") from error
    if len(content) > most:
        said = f"{most // 1024**2} MiB" if most >= 1024**2 else f"{most:,} bytes"
        raise UnreadableError(f"{path.name} has more than {said}")
    return content


def extra_files(folder: Path, plan: Plan, doubts: list[str]) -> dict[str, bytes]:
    """What lies beside the notebooks, by its path; what is left out becomes a doubt.

    Copies of the course's files are not part of it, but where learners may change these.
    """
    found: dict[str, bytes] = {}
    total = 0
    notebooks = (f"{each.name}.ipynb" for each in plan.notebooks)
    of_course = {*map(Path, (*plan.files, *notebooks, "timestamp.txt"))}
    folders_of_course = {above for each in of_course for above in each.parents}
    restored = {*plan.files, "timestamp.txt"} - plan.theirs

    def refused(error: OSError) -> None:
        name = Path(error.filename).relative_to(folder)
        doubts.append(f"{name} cannot be read ({error.strerror})")

    for path in all_inside(folder, refused):
        name = path.relative_to(folder)
        if not goes_along(name, plan.ignored) or name.as_posix() in restored:
            continue
        if not is_text(str(name)):
            doubts.append(f"the name of the file {str(name)!a} is not text")
        elif path.is_symlink():
            doubts.append(f"{name} is a link, and links are not followed")
        elif path.is_dir():
            continue
        elif name in folders_of_course or not of_course.isdisjoint(name.parents):
            doubts.append(f"{name} is where a file or folder of the course has its place")
        else:
            try:
                content = read_bytes(path, FILES_MOST)
            except UnreadableError as error:
                doubts.append(str(error))
                continue
            if total + len(content) > FILES_MOST:
                doubts.append(f"with {name} its files have more than {FILES_MOST // 1024**2} MiB")
                continue
            total += len(content)
            found[name.as_posix()] = content
    left = len(doubts) - NAMED_MOST
    if left > 0:
        doubts[NAMED_MOST:] = [f"so it is with {left:,} more of its files"]
    return found


def parse(content: bytes) -> list[Cell]:
    """The cells of a notebook, of known form, with nothing but what is needed of them.

    Raises UnreadableError.
    """
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableError("the notebook is not text in UTF-8") from error
    except RecursionError as error:
        raise UnreadableError("the notebook is nested without end") from error
    except ValueError as error:
        raise UnreadableError(f"the notebook is not JSON ({error})") from error
    if not isinstance(notebook, dict):
        raise UnreadableError("the notebook is JSON, but no notebook")
    cells = notebook.get("cells")
    with suppress(KeyError, TypeError):
        # As they were in version 3.
        cells = cells or [each for sheet in notebook["worksheets"] for each in sheet["cells"]]
    if not isinstance(cells, list):
        raise UnreadableError("the notebook has no cells")
    if len(cells) > CELLS_MOST:
        raise UnreadableError(f"the notebook has more than {CELLS_MOST:,} cells")
    found = [_cell(each) for each in cells if isinstance(each, dict)]
    if sum(len(each["source"]) for each in found if each["cell_type"] == "code") > CODE_MOST:
        raise UnreadableError(f"the notebook has more than {CODE_MOST:,} characters of code")
    return found


def _cell(cell: Cell) -> Cell:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(each for each in source if isinstance(each, str))
    if not isinstance(source, str):
        source = ""
    # What is not text in UTF-8 could not be written down again.
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    kind = cell.get("cell_type")
    cell_id = cell.get("id")
    attachments = cell.get("attachments")
    return {
        "cell_type": kind if kind in ("code", "markdown", "raw") else "raw",
        "source": source,
        "claim": grade_id_of(cell),
        "id": cell_id if isinstance(cell_id, str) else "",
        "attachments": attachments if _is_attachments(attachments) else None,
    }


def _is_attachments(thing: Any) -> bool:
    return isinstance(thing, dict) and all(
        is_text(name) and isinstance(each, dict) and {*map(type, each.values())} <= {str}
        for name, each in thing.items()
    )


def put_in_order(theirs: list[Cell], plan: NotebookPlan) -> NotebookResult:
    """The cells as they are run and entered: the learner's, and those of the course."""
    notebook = NotebookResult()
    search = _Search(theirs, plan, notebook)
    found = search.owners()
    placed: list[tuple[int, int, int, Cell]] = []
    taken: set[int] = set()
    anchor = last_solution = -1
    for order, master in enumerate(plan.cells):
        places = found.get(master.name, [])
        if places:
            anchor = places[0]
        if not master.is_theirs:
            # Whoever has answered in the cell of a task keeps the answer, beside it.
            taken |= {n for n in places if master.kind != "task" or search.has_its_text(master, n)}
            where = max(anchor, last_solution) if master.kind == "test" else anchor
            if places and where != anchor:
                notebook.notes.append(f"{master.name} was moved behind what it tests")
            if not places:
                notebook.notes.append(f"{master.name} was not there, and was put back")
            placed.append((where, 1, order, _from_course(master)))
        elif places:
            taken.add(anchor)
            last_solution = max(last_solution, anchor)
            placed.append((anchor, 0, 0, _made(theirs[anchor], master)))
        elif master.kind == "manual":
            cell = _from_course(master)
            # As it was released, it would be taken for no answer, and get 0.
            cell["source"] = f"# {_NOT_THERE}\n\n{cell['source']}"
            placed.append((anchor, 1, order, cell))
    for place, cell in enumerate(theirs):
        if place not in taken:
            placed.append((place, 0, 0, _made(cell, None)))
    placed.sort(key=lambda each: each[:3])
    notebook.cells = [cell for *_, cell in placed]
    _give_ids(notebook.cells)
    return notebook


def _give_ids(cells: list[Cell]) -> None:
    """Each cell has one of its own."""
    seen: set[str] = set()
    for number, cell in enumerate(cells):
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"]) or cell["id"] in seen:
            cell["id"] = f"cell-{number}"
            while cell["id"] in seen:
                cell["id"] += "x"
        seen.add(cell["id"])


def steps_of(cells: list[Cell], plan: NotebookPlan) -> list[dict[str, Any]]:
    """The steps in which cells that were put in order are run."""
    tests = {each.name: each for each in plan.cells if each.is_run_as_test}
    steps = []
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        step: dict[str, Any] = {"cell": number, "kind": "cell", "source": cell["source"]}
        master = tests.get(grade_id_of(cell))
        if master is not None:
            step["kind"] = "test" if master.checked is None else "check"
            step |= {"hides": master.hides, "open": master.open, "names": master.checked or ()}
        steps.append(step)
    return steps


def _from_course(master: MasterCell) -> Cell:
    cell_id = master.cell_id or master.name
    content = {"source": master.source, "id": cell_id, "attachments": master.attachments}
    return _made(content, master)


def _made(content: Cell, master: MasterCell | None) -> Cell:
    """A cell with this content, as nbgrader knows it by its master."""
    cell: Cell = {
        "cell_type": content["cell_type"] if master is None else master.cell_type,
        "id": content["id"],
        "metadata": {} if master is None else {"nbgrader": master.metadata()},
        "source": content["source"],
    }
    if cell["cell_type"] == "code":
        cell.update(execution_count=None, outputs=[])
    elif cell["cell_type"] == "markdown" and content["attachments"]:
        cell["attachments"] = content["attachments"]
    return cell


class _Search:
    """Which cells of a submission are which of the course's."""

    def __init__(self, theirs: list[Cell], plan: NotebookPlan, notebook: NotebookResult) -> None:
        self.theirs, self.plan, self.notebook = theirs, plan, notebook
        self.binds = [
            bound_by(each["source"]) if each["cell_type"] == "code" else frozenset()
            for each in theirs
        ]
        self.found: dict[str, list[int]] = {}

    def owners(self) -> dict[str, list[int]]:
        """For each name of the course the places of its cells, the right one first."""
        self._look(self._claims, self._first_that_defines)
        for is_it in (self._has_its_id, self.has_its_text):
            self._look(is_it, lambda _, places: places[:1], "what nbgrader knows {} by was wiped")
        # The last one defines it for all that comes after.
        self._look(self._defines, lambda _, places: places[-1:], "{} was found by what it defines")
        # Copies of tests would only ask the same again.
        for master in self.plan.cells:
            if master.is_run_as_test:
                copies = [n for n in self._free() if self.has_its_text(master, n)]
                self.found[master.name] = [*self.found.get(master.name, []), *copies]
        return self.found

    def _free(self) -> list[int]:
        known = ((each, n) for each in self.plan.cells for n in self.found.get(each.name, ()))
        # Into what is not theirs to write, somebody may have merged what is.
        taken = {n for each, n in known if each.is_theirs or self.has_its_text(each, n)}
        return [place for place in range(len(self.theirs)) if place not in taken]

    def _look(
        self,
        is_it: Callable[[MasterCell, int], bool],
        chosen: Callable[[MasterCell, list[int]], list[int]],
        note: str = "",
    ) -> None:
        """Look in one way for all that is not found yet."""
        for master in self.plan.cells:
            if master.name in self.found:
                continue
            places = [place for place in self._free() if is_it(master, place)]
            if places:
                self.found[master.name] = chosen(master, places)
                if note:
                    self.notebook.notes.append(note.format(master.name))

    def _claims(self, master: MasterCell, place: int) -> bool:
        """By what nbgrader knows it by."""
        return bool(self.theirs[place]["claim"] == master.name)

    def _first_that_defines(self, master: MasterCell, places: list[int]) -> list[int]:
        if not master.is_theirs:
            # A copy that was changed is a cell of the learner's own.
            return [each for each in places if self.has_its_text(master, each)] or places[:1]
        if len(places) > 1:
            self.notebook.doubts.append(
                f"the cell of {master.name} is there {len(places)} times; the first that defines "
                "it counts"
            )
            places.sort(key=lambda place: not self.binds[place] & master.binds)
        return places

    def _has_its_id(self, master: MasterCell, place: int) -> bool:
        return bool(master.cell_id and self.theirs[place]["id"] == master.cell_id)

    def has_its_text(self, master: MasterCell, place: int) -> bool:
        """Nobody has touched it."""
        text = self.theirs[place]["source"].strip()
        return bool(text) and text in (master.source.strip(), master.open.strip())

    def _defines(self, master: MasterCell, place: int) -> bool:
        """In a cell that nbgrader does not know any more."""
        return master.kind == "solution" and bool(self.binds[place] & master.binds)


# A submission as it lies in its folder.


def notebook_in(folder: Path, name: str, plan: Plan, doubts: list[str]) -> tuple[bytes, list[str]]:
    """The bytes of a submitted notebook, and a doubt where it has another name.

    Raises UnreadableError.
    """
    if doubts and not folder.is_dir():
        raise UnreadableError(doubts[0])
    path = folder / f"{name}.ipynb"
    if os.path.lexists(path) or not os.access(folder, os.X_OK):
        return read_bytes(path), []
    inside = ((each, each.relative_to(folder).as_posix()) for each in sorted(folder.rglob("*")))
    others = {
        said: each
        for each, said in inside
        if said.lower().endswith(".ipynb") and not re.search(r"(^|/)\.", said)
    }
    if len(others) == 1 and len(plan.notebooks) == 1:
        ((said, other),) = others.items()
        return read_bytes(other), [f"the notebook is called {said}, not {path.name}"]
    more = " and others" if len(others) > NAMED_MOST else ""
    there = f"but {', '.join([*others][:NAMED_MOST])}{more}" if others else "nor any other"
    raise UnreadableError(f"there is no {path.name}, {there}")


def doubts_about(folder: Path, root: Path) -> list[str]:
    """Links on the way to a submission lead somewhere else. Raises OSError."""
    for each in (folder, *folder.parents):
        if each == root:
            break
        if each.is_symlink() and each.parent != root:
            return [f"{each.relative_to(root)} is a link, and links are not followed"]
    # Where nobody may look, `is_dir` says no since Python 3.14, and this says why.
    is_folder = stat.S_ISDIR(folder.stat().st_mode)
    return [] if is_folder else [f"{folder.relative_to(root)} is not a folder"]


def timestamp_in(folder: Path, doubts: list[str]) -> str | None:
    """When it was handed in, as its timestamp.txt says; where that is not a time, it is a doubt."""
    from nbgrader.utils import parse_utc

    path, text = folder / "timestamp.txt", ""
    try:
        if os.path.lexists(path):
            text = read_bytes(path, 1000).decode("utf-8", "replace").strip()
        if text:
            parse_utc(text)
            return text
    except UnreadableError as error:
        doubts.append(str(error))
    except Exception:  # noqa: BLE001 - whatever a parser of dates raises
        doubts.append(f"its timestamp.txt says {text[:40]!r}, which is not a time")
    return None
