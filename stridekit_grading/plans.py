"""What an assignment asks: its cells as the course has them, and what its tests take."""

import ast
import hashlib
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from stridekit.errors import CommandError

Kind = Literal["solution", "test", "manual", "task", "read-only"]
# A line that IPython alone understands.
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?]|\w+\?).*$", re.MULTILINE)
# The files of a course that lie beside its notebooks, in all.
FILES_MOST = 16 * 1024**2


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
    binds: frozenset[str] = frozenset()
    """What a solution defines."""
    released: str = ""
    """A test as learners get it: without what is hidden."""

    @property
    def is_theirs(self) -> bool:
        """Whether its content is the learner's."""
        return self.kind in ("solution", "manual", "task")

    @property
    def is_run_as_test(self) -> bool:
        """Whether it decides on points by being run."""
        return self.kind == "test" and self.cell_type == "code"

    def metadata(self) -> dict[str, Any]:
        """As nbgrader writes it."""
        said: dict[str, Any] = {
            "cell_type": self.cell_type,
            "checksum": self.checksum,
            "grade": self.kind in ("test", "manual"),
            "grade_id": self.name,
            "locked": self.kind in ("test", "read-only", "task"),
            "schema_version": 3,
            "solution": self.kind in ("solution", "manual"),
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
    setup: tuple[str, ...] = ()
    """What its tests find: the imports of its cells, and its read-only cells."""
    metadata: dict[str, Any] = field(default_factory=dict)
    asks_for_classes: bool = False
    """Whether a model solution defines a class."""
    texts: frozenset[str] = frozenset()
    """What its cells say, for what learners leave as it is."""

    @property
    def theirs(self) -> frozenset[str]:
        """The names that learners define."""
        return frozenset(name for cell in self.cells for name in cell.binds)

    @property
    def tests(self) -> tuple[str, ...]:
        """The sources of the cells that are run as tests."""
        return tuple(cell.source for cell in self.cells if cell.is_run_as_test)


@dataclass(frozen=True, slots=True)
class Plan:
    """One assignment."""

    name: str
    notebooks: tuple[NotebookPlan, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    """What lies beside the notebooks in the course, by its path."""
    twice: frozenset[str] = field(init=False)
    """Names of cells that more than one of its notebooks has."""

    def __post_init__(self) -> None:
        names = [cell.name for each in self.notebooks for cell in each.cells]
        twice = frozenset(name for name in names if names.count(name) > 1)
        object.__setattr__(self, "twice", twice)

    def imports(self) -> list[str]:
        """The modules that its notebooks import."""
        lines = "\n".join(line for each in self.notebooks for line in each.setup)
        return sorted(imported_by(lines))

    def key_of(self, notebook: str, cell: str) -> str:
        """What a cell is told by: its name, with the notebook's where two have the same."""
        return f"{notebook}/{cell}" if cell in self.twice else cell

    def digest(self) -> str:
        """What changes when anything of it does."""
        told = [
            (
                each.name,
                [(c.name, c.kind, c.cell_type, c.source, c.points) for c in each.cells],
                each.setup,
            )
            for each in self.notebooks
        ]
        made = hashlib.sha256(json.dumps(told).encode())
        for name, content in sorted(self.files.items()):
            made.update(f"{name} {len(content)} ".encode() + content)
        return made.hexdigest()


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook of the course itself. Raises CommandError."""
    try:
        cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandError(
            f"{path} is no notebook: {error}. Put it in order, then grade."
        ) from error
    return cells


def text_of(cell: dict[str, Any]) -> str:
    """The source of a cell, in one piece."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def grade_id_of(cell: dict[str, Any]) -> str:
    """What nbgrader calls a cell; empty for a cell that it does not know."""
    said = cell.get("metadata", {}).get("nbgrader")
    return str(said.get("grade_id", "")) if isinstance(said, dict) else ""


def setup_of(cells: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """What tests find before any of them runs: imports, and the cells that nobody may change.

    What a model solution imports is among it: a learner's own import of that name is not asked.
    """
    setup = []
    for cell in cells:
        said = cell.get("metadata", {}).get("nbgrader", {})
        if cell.get("cell_type") != "code" or (said.get("grade") and not said.get("solution")):
            continue
        source = text_of(cell)
        whole = said.get("locked") and not said.get("solution")
        setup.append(source if whole else _imports_in(source))
    return tuple(each for each in setup if each.strip())


def parsed(source: str) -> ast.Module:
    """Code of a notebook, its magics left out. Raises SyntaxError."""
    return ast.parse(_MAGIC.sub(r"\1pass", source))


def _imports_in(source: str) -> str:
    try:
        tree = parsed(source)
    except SyntaxError:
        # Magics, mostly.
        return ""
    return "\n".join(
        ast.unparse(each) for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)
    )


def imported_by(source: str) -> set[str]:
    """The modules that some code imports."""
    names: set[str] = set()
    try:
        tree = parsed(source)
    except SyntaxError:
        return names
    for each in ast.walk(tree):
        if isinstance(each, ast.Import):
            names |= {alias.name for alias in each.names}
        elif isinstance(each, ast.ImportFrom) and each.module and not each.level:
            names.add(each.module)
    return names


def attributes_in(source: str) -> set[str]:
    """The attributes that some code asks for, such as the checks that it calls."""
    try:
        tree = parsed(source)
    except SyntaxError:
        return set()
    return {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}


@lru_cache(maxsize=512)
def bound_by(source: str) -> frozenset[str]:
    """The names that some code defines at its top level."""
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names: set[str] = set()
    for each in tree.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(each.name)
        elif isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                names |= {
                    node.id
                    for node in ast.walk(target)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                }
    return frozenset(names)


@lru_cache(maxsize=512)
def used_by(source: str) -> frozenset[str]:
    """The names that some code mentions; all words of it where it is no Python."""
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(re.findall(r"\w+", source))
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def has_classes(cells: Iterable[dict[str, Any]]) -> bool:
    """Whether a solution among these cells defines a class."""
    for cell in cells:
        if cell.get("metadata", {}).get("nbgrader", {}).get("solution"):
            with suppress(SyntaxError):
                if any(isinstance(each, ast.ClassDef) for each in parsed(text_of(cell)).body):
                    return True
    return False


def files_beside(folder: Path) -> dict[str, bytes]:
    """What lies beside the notebooks in a folder of the course. Raises CommandError."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        name = path.relative_to(folder)
        hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
        if path.is_file() and path.suffix != ".ipynb" and not hidden:
            found[name.as_posix()] = path.read_bytes()
    odd = next((name for name in found if not name.isprintable()), None)
    if odd is not None:
        raise CommandError(f"a file in {folder} has the name {odd!a}, which is no text.")
    if sum(map(len, found.values())) > FILES_MOST:
        raise CommandError(
            f"the files beside the notebooks in {folder} have more than "
            f"{FILES_MOST // 1024**2} MiB in all, and each learner's process gets a copy. "
            "Take the large ones away."
        )
    return found
