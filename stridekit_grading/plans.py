"""What an assignment asks: its cells as the course has them, and what its tests take."""

import ast
import hashlib
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from stridekit.errors import CommandError

Kind = Literal["solution", "test", "manual", "task", "read-only"]
# A line that IPython alone understands.
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?]|\w+\?).*$", re.MULTILINE)
# Of a check: one of the larger ones, which are made where a class is graded.
_ASKS_MORE = re.compile(r"\bhidden\s*=\s*(?!\s|False\b)")
# The files that lie beside notebooks, in all: a course's, and a submission's.
FILES_MOST = 16 * 1024**2
Cell = dict[str, Any]
# The words around hidden tests, and around what a task says to those who grade it.
HiddenBetween = tuple[tuple[str, str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class MasterCell:
    """A cell that nbgrader knows by its `name`, which is its grade_id."""

    name: str
    kind: Kind
    cell_type: str
    source: str
    points: float | None = None
    checksum: str | None = None
    cell_id: str = ""
    attachments: dict[str, Any] = field(default_factory=dict)
    """The pictures of a text."""
    binds: frozenset[str] = frozenset()
    """What a solution defines."""
    open: str = ""
    """As learners get it: without what is hidden of a test, or said to graders of a task."""
    checked: tuple[str, ...] | None = None
    """The functions that a test checks, where it does nothing else."""

    @property
    def is_theirs(self) -> bool:
        """Whether its content is the learner's."""
        return self.kind in ("solution", "manual")

    @property
    def is_run_as_test(self) -> bool:
        """Whether it decides on points by being run."""
        return self.kind == "test" and self.cell_type == "code"

    @property
    def hides(self) -> bool:
        """Whether a test has a part that learners do not get."""
        is_large = self.checked is not None and _ASKS_MORE.search(self.source) is not None
        return self.open != self.source or is_large

    def metadata(self) -> dict[str, Any]:
        """As nbgrader writes it."""
        said: dict[str, Any] = {
            "cell_type": self.cell_type,
            "checksum": self.checksum,
            "grade": self.kind in ("test", "manual"),
            "grade_id": self.name,
            "locked": not self.is_theirs,
            "schema_version": 3,
            "solution": self.is_theirs,
            "task": self.kind == "task",
        }
        if self.points is not None:
            said["points"] = self.points
        return said


@dataclass(frozen=True, slots=True)
class NotebookPlan:
    """One notebook of an assignment."""

    name: str
    cells: tuple[MasterCell, ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    """What its cells say, for what learners leave as it is."""

    @property
    def solutions(self) -> frozenset[str]:
        """The names that learners define."""
        return frozenset(name for cell in self.cells for name in cell.binds)

    @property
    def checks(self) -> tuple[str, ...]:
        """The sources of the tests that are nothing but checks."""
        return tuple(cell.source for cell in self.cells if cell.checked is not None)


@dataclass(frozen=True, slots=True)
class Plan:
    """One assignment."""

    name: str
    notebooks: tuple[NotebookPlan, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    """What lies beside the notebooks in the course, by its path."""
    theirs: frozenset[str] = frozenset()
    """Which of these learners may change."""
    ignored: tuple[str, ...] = ()
    """What is never taken along, by patterns of names."""

    def key_of(self, notebook: str, cell: str) -> str:
        """What a cell is told by: its name, with the notebook's where two have the same."""
        count = sum(one.name == cell for each in self.notebooks for one in each.cells)
        return f"{notebook}/{cell}" if count > 1 else cell

    def digest(self) -> str:
        """What changes when any of its cells does."""
        told = [
            (each.name, [(c.name, c.kind, c.cell_type, c.source, c.points) for c in each.cells])
            for each in self.notebooks
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def notebook_at(path: Path) -> dict[str, Any]:
    """A notebook of the course itself, with its cells. Raises CommandError."""
    try:
        if not path.is_file():
            raise ValueError("no file is there")
        notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
        cells = [{**each, "metadata": {**each["metadata"]}} for each in notebook["cells"]]
        # Points that are no numbers, but nan or inf, get as far as the gradebook.
        json.dumps([{**each["metadata"].get("nbgrader", {})} for each in cells], allow_nan=False)
        language_of(notebook["metadata"])
        return {**notebook, "metadata": {**notebook["metadata"]}, "cells": cells}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        # How deep is too deep, each Python tells in words of its own.
        why = "it is nested without end" if isinstance(error, RecursionError) else error
        if isinstance(error, KeyError):
            # Before nbformat 4, cells stood elsewhere.
            why = f"it has no {error} where a notebook of nbformat 4 has them"
        raise CommandError(
            f"{path} is not a notebook: {why}. Put it in order, then grade."
        ) from error


def language_of(metadata: dict[str, Any]) -> str:
    """What the code of a notebook is written in, as its kernel calls it."""
    known = metadata.get("language_info", {}).get("name")
    return str(known or metadata.get("kernelspec", {}).get("language") or "python")


def text_of(cell: Cell) -> str:
    """The source of a cell, in one piece."""
    return joined(cell.get("source", ""))


def joined(content: Any) -> str:
    """A text of a notebook, which may be kept as its lines."""
    return "".join(map(str, content)) if isinstance(content, list) else str(content)


def grade_id_of(cell: Cell) -> str:
    """What nbgrader calls a cell; empty for a cell that it does not know."""
    metadata = cell.get("metadata")
    said = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = said.get("grade_id") if isinstance(said, dict) else None
    return name if isinstance(name, str) else ""


def _statements(source: str) -> list[ast.stmt]:
    """What stands at the top level of some code, without a warning; nothing if it is no Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


@lru_cache(maxsize=512)
def bound_by(source: str) -> frozenset[str]:
    """The names that some code defines at its top level."""
    names: set[str] = set()
    for each in _statements(_MAGIC.sub(r"\1pass", source)):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(each.name)
        elif isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            inside = (node for target in targets for node in ast.walk(target))
            known = (node for node in inside if isinstance(node, ast.Name))
            names |= {node.id for node in known if isinstance(node.ctx, ast.Store)}
    return frozenset(names)


def without(source: str, begin: str, end: str) -> str:
    """A cell without the lines from `begin` to `end`, as nbgrader takes them out."""
    lines, inside = [], False
    for line in source.split("\n"):
        if begin in line:
            inside = True
        elif end in line:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def checked_by(source: str) -> tuple[str, ...] | None:
    """The functions that a test checks, where it does nothing else; None for any other test.

    >>> checked_by("check.unravel(unravel, hidden=True)"), checked_by("assert unravel(0, ()) == ()")
    (('unravel',), None)
    """
    names = []
    for each in _statements(source):
        match each:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("check")), [ast.Name(name)], given)) if (
                all(isinstance(one.value, ast.Constant) for one in given)
            ):
                names.append(name)
            case _:
                return None
    return tuple(dict.fromkeys(names)) or None


def is_text(name: str) -> bool:
    """Whether a name can be written down: what unpacks archives may leave others."""
    return not re.search("[\ud800-\udfff]", name)


def goes_along(name: Path, ignored: Iterable[str]) -> bool:
    """Whether nbgrader takes it along with the notebooks that it lies beside."""
    left = (".*", "*.ipynb", *ignored)
    return not any(fnmatchcase(part, each) for part in name.parts for each in left)


def _raised(error: OSError) -> None:
    raise error


def all_inside(folder: Path, refused: Callable[[OSError], None] = _raised) -> list[Path]:
    """All that lies in a folder, in order; where nobody may look, that is refused."""
    found = os.walk(folder, onerror=refused)
    return sorted(Path(each, name) for each, folders, files in found for name in folders + files)


def files_beside(folder: Path, ignored: Iterable[str]) -> dict[str, bytes]:
    """What lies beside the notebooks in a folder of the course. Raises CommandError, OSError."""
    found: dict[str, bytes] = {}
    for path in all_inside(folder):
        name = path.relative_to(folder)
        if path.is_file() and goes_along(name, ignored):
            found[name.as_posix()] = path.read_bytes()
    if odd := [name for name in found if not is_text(name)]:
        raise CommandError(f"a file in {folder} has the name {odd[0]!a}, which is not text.")
    if sum(map(len, found.values())) > FILES_MOST:
        raise CommandError(
            f"the files beside the notebooks in {folder} have more than "
            f"{FILES_MOST // 1024**2} MiB in all, and each learner's process gets a copy. "
            "Take the large ones away."
        )
    return found
