"""A course of nbgrader's: where its folders are, and which assignments its gradebook knows."""

import logging
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager, redirect_stdout, suppress
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Any

from stridekit.errors import CommandError
from stridekit_course.checks.callee import printable
from stridekit_course.checks.garbage_collection import without_full_collections
from stridekit_grading.plans import (
    HiddenBetween,
    Kind,
    MasterCell,
    NotebookPlan,
    Plan,
    bound_by,
    checked_by,
    files_beside,
    grade_id_of,
    language_of,
    notebook_at,
    text_of,
    without,
)


def import_nbgrader() -> None:
    """Import it; a gradebook that is made afterwards needs no other process."""
    # Half of what importing nbgrader takes is a grammar of web addresses, which nobody needs.
    if "jsonschema" not in sys.modules:
        sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    with without_full_collections():
        import nbgrader.api

    nbgrader.api.get_alembic_version = _newest_tables


def _newest_tables() -> str | None:
    """The version of nbgrader's tables that a new gradebook is marked with.

    nbgrader asks a process of alembic for it, which takes as long as grading some notebooks, and
    is found by its name alone.
    """
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


# For parts of nbgrader whose words say nothing to who has asked for this, but of misspelt settings.
UNHEARD = logging.Logger("unheard")
UNHEARD.addFilter(lambda record: record.getMessage().startswith("Config option"))
# Stands for a learner's name where that is looked for: nobody is called so.
_ANYBODY = "\0"
# nbgrader_config.py, ours as well, may have stock nbgrader wait so many seconds for a cell that a
# slow machine runs.
_WAITED_FOR = 60


class Course:
    """The course in a folder."""

    def __init__(self, root: Path, app: Any = None) -> None:
        """`app` has read nbgrader_config.py already, where nbgrader itself asks.

        Raises CommandError where there is no course.
        """
        if not (root / "nbgrader_config.py").is_file() and not (root / "source").is_dir():
            raise CommandError(
                f"{root} is not a course: it has neither nbgrader_config.py nor a folder source. "
                "Change to the folder of the course, and say the same again."
            )
        if odd := re.search("[?*[]|%[0-9A-Fa-f]{2}", str(root)):
            raise CommandError(
                f"nbgrader finds nothing in {root}: in a path, {odd[0]} means something else to "
                "it. Give the folder another name, then say the same again."
            )
        import_nbgrader()
        # Where nbgrader's gradebook logs a traceback of what it raises, too.
        logging.getLogger("tornado.application").setLevel(logging.CRITICAL)
        # It looks for its course where it stands. What its configuration prints is not our JSON.
        with configured(root), chdir(root), redirect_stdout(sys.stderr):
            self.app = app or _app()
            if _ANYBODY not in self.app.coursedir.format_path("submitted", _ANYBODY, "X"):
                raise ValueError("directory_structure has no {student_id}")
        self.root = Path(self.app.coursedir.root).resolve()
        self.is_shared = bool(self.app.coursedir.groupshared)
        if self.is_shared:
            # Whatever is made here, the others of the group go on with, nbgrader's parts as well.
            os.umask(os.umask(0o077) & ~0o070)

    @property
    def hidden_between(self) -> HiddenBetween:
        """The words between which nbgrader takes away what learners are not to read."""
        from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme

        with configured(self.root):
            tests, tasks = ClearHiddenTests(parent=self.app), ClearMarkScheme(parent=self.app)
        scheme = tasks.begin_mark_scheme_delimeter, tasks.end_mark_scheme_delimeter
        return (tests.begin_test_delimeter, tests.end_test_delimeter), scheme

    @property
    def database(self) -> str:
        """The address of the gradebook."""
        return str(self.app.coursedir.db_url)

    def folder(self, kind: str, learner: str, assignment: str) -> Path:
        """A folder of nbgrader's, such as `submitted`. Raises CommandError for no name."""
        if assignment in ("", "..") or Path(assignment).name != assignment:
            raise self._no_assignment(assignment, "that is not the name of a folder")
        directory = getattr(self.app.coursedir, f"{kind}_directory")
        relative: str = self.app.coursedir.format_path(directory, learner, assignment)
        return self.root / relative

    def folders(self, kind: str, assignment: str) -> dict[str, Path]:
        """Who has such a folder, and where it lies: `submitted` of whoever handed something in.

        Somebody is called as their folder is. A name that is not text, as an archive of another
        system may leave it, is spelt out: the gradebook holds nothing else. Raises OSError.
        """
        parts = self.folder(kind, _ANYBODY, assignment).parts
        place = next(n for n, part in enumerate(parts) if _ANYBODY in part)
        base, called = Path(*parts[:place]), re.escape(parts[place]).replace(_ANYBODY, "(.+)", 1)
        found: dict[str, Path] = {}
        for folder in sorted(base.iterdir()) if base.is_dir() else ():
            match = re.fullmatch(called, folder.name, re.DOTALL)
            path = self.folder(kind, match[1], assignment) if match else None
            if match and path and _may_be_there(path, folder):
                name = os.fsencode(match[1]).decode("utf-8", "backslashreplace")
                # Somebody else may be called as another is spelt out.
                while name in found:
                    name += "~"
                found[name] = path
        return found

    def misplaced(self, assignment: str) -> str:
        """What grading passes over: notebooks beside folders of assignments; learners in one."""
        work = self.folder("submitted", "NAME", assignment)
        if work.parts[-2:] != ("NAME", assignment):
            # Where the course has its folders otherwise, nobody knows what lies beside them.
            return ""
        learners = work.parents[1]
        found = [*learners.glob("[!._]*/*.ipynb")]
        inside = {each.name for each in (learners / assignment).glob("*")}
        # Somebody may be called as the assignment is.
        if inside and inside.isdisjoint(self.assignments("source")):
            found.append(learners / assignment)
        there = sorted(map(str, found))
        return printable(", ".join(there[:3]) + " and others" * (len(there) > 3))

    def chosen(self, only: Iterable[str], there: Iterable[str], lacks: str) -> list[str]:
        """Those who are asked for, or all but whom the course's configuration excludes.

        Raises CommandError for somebody who is not there, and so `lacks` what is asked for; or
        where nobody is left.
        """
        for each in only:
            if each not in there:
                names = printable(", ".join(there))
                raise CommandError(f"{printable(each)} {lacks}. There are: {names}.")
        excluded = self.app.coursedir.student_id_exclude.split(",")
        found = [*dict.fromkeys(only)] or [each for each in there if each not in excluded]
        if not found:
            raise CommandError(
                "nobody is left: CourseDirectory.student_id_exclude in nbgrader_config.py names "
                "all who are there. Take somebody out of it, or name one here: --learner NAME."
            )
        return found

    def assignments(self, kind: str) -> dict[str, Path]:
        """The folders that hold notebooks, by their names: `source` or `release`."""
        parent = self.folder(kind, ".", "X").parent
        return {each.name: each for each in sorted(parent.glob("*")) if any(each.glob("*.ipynb"))}

    def _no_assignment(self, assignment: str, why: str) -> CommandError:
        there = ", ".join(self.assignments("source")) or "none"
        return CommandError(f"there is no assignment {assignment!r}: {why}. There are: {there}.")

    def source_of(self, assignment: str) -> Path:
        """Where an assignment's notebooks are written. Raises CommandError where there is none."""
        source = self.folder("source", ".", assignment)
        if not any(source.glob("*.ipynb")):
            raise self._no_assignment(assignment, f"there is no notebook in {source}")
        return source

    def plan(self, assignment: str) -> Plan:
        """What an assignment asks; it is registered with the gradebook if it is not there.

        Raises CommandError.
        """
        source = self.source_of(assignment)
        sources = {path.stem: path for path in sorted(source.glob("*.ipynb"))}
        with self.gradebook() as gradebook:
            known = [each.name for each in gradebook.assignments if each.notebooks]
        if assignment not in known or self._begun(assignment).exists():
            self._register(assignment)
        # As nbgrader runs them.
        found = sorted(
            self._notebook_plans(assignment, sources), key=lambda each: f"{each.name}.ipynb"
        )
        with configured(self.root):
            theirs = self.app.config.get("Autograde", {}).get("exclude_overwriting", {})
            theirs = frozenset(theirs.get(assignment, ()))
        ignored = tuple(self.app.coursedir.ignore)
        return Plan(
            assignment,
            tuple(found),
            files_beside(source, ignored),
            theirs,
            ignored,
        )

    def _begun(self, assignment: str) -> Path:
        """What lies there while an assignment is registered, which takes many steps."""
        return self.root / ".grading" / f"registering {assignment}"

    @contextmanager
    def gradebook(self) -> Iterator[Any]:
        """The gradebook. Raises CommandError where it cannot be opened."""
        from nbgrader.api import Base, Gradebook, InvalidEntry
        from sqlalchemy import NullPool, create_engine, inspect
        from sqlalchemy.exc import SQLAlchemyError

        path = Path(self.database.removeprefix("sqlite:///"))
        try:
            if self.database.startswith("sqlite:///") and not path.exists():
                # Whoever is killed meanwhile leaves none, and not the half of one.
                made = path.with_name(f".{os.getpid()}.new")
                made.unlink(missing_ok=True)
                Gradebook(f"sqlite:///{made}", self.app.coursedir.course_id).close()
                made.replace(path)
            elif self.database.startswith("sqlite:///"):
                there = inspect(create_engine(self.database, poolclass=NullPool)).get_table_names()
                # They would be made anew, without points by hand, and nobody would hear of it.
                if gone := {*Base.metadata.tables} - {*there}:
                    raise SQLAlchemyError(f"it has no table {min(gone)}")
            if self.is_shared and path.exists():
                # SQLite lets a group read alone. Only its owner can change that.
                with suppress(PermissionError):
                    path.chmod(path.stat().st_mode | 0o060)
            opened = Gradebook(self.database, self.app.coursedir.course_id)
        except (SQLAlchemyError, InvalidEntry, OSError) as error:
            raise self._unusable(error) from error
        try:
            with opened as gradebook:
                yield gradebook
        except (SQLAlchemyError, InvalidEntry) as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> CommandError:
        """Why the gradebook cannot be used, in a sentence."""
        why = error.strerror if isinstance(error, OSError) else getattr(error, "orig", error)
        said = str(why).rstrip(".")
        if "locked" not in said:
            advice = (
                "If nbgrader was upgraded, run: nbgrader db upgrade. If it is damaged, put back a "
                "copy, for points by hand are nowhere else; or move it away to begin anew."
            )
            if re.search("full|No space|I/O|quota", said):
                advice = "Make room, then run the same command again: what was graded is kept."
            elif re.search("(?i)read-?only|unable to open|denied", said):
                advice = "Make it writable, and its folder, then run the same command again."
            return CommandError(
                f"the gradebook at {self.database} cannot be used: {said}. {advice}"
            )
        by = " and ".join(_who_has_open(Path(self.database.removeprefix("sqlite:///"))))
        return CommandError(
            f"the gradebook at {self.database} is locked: {by or 'another program'} is writing to "
            "it. End that, or wait until it is done, then say the same again; nothing is lost."
        )

    def budgets(self) -> dict[str, float]:
        """What a notebook may take; more for cells that nbgrader would wait long for."""
        from stridekit_grading.sandbox.supervision import Budgets

        asked = self.app.config.get("Execute", {}).get("timeout")
        budgets = asdict(Budgets())
        if isinstance(asked, int | float) and asked > _WAITED_FOR:
            budgets |= {"cell": asked, "notebook": asked / budgets["cell"] * budgets["notebook"]}
        return budgets

    def _register(self, assignment: str) -> None:
        """As `nbgrader generate_assignment` does; what it would release goes nowhere."""
        from nbgrader.converters import GenerateAssignment
        from nbgrader.coursedir import CourseDirectory

        quiet = warnings.catch_warnings(action="ignore")
        with tempfile.TemporaryDirectory() as nowhere, chdir(self.root), quiet:
            directory = CourseDirectory(parent=self.app)
            directory.release_directory = nowhere
            converter = GenerateAssignment(coursedir=directory, parent=self.app, log=UNHEARD)
            convert = converter.convert_single_notebook

            def converted(notebook: str) -> None:
                try:
                    convert(notebook)
                except Exception as error:
                    # Of any other, nbgrader says no more than that it has logged it.
                    said = f"{Path(notebook).name}: {error.__context__ or error}"
                    raise SystemExit(said) from error

            converter.convert_single_notebook = converted
            begun = self._begun(assignment)
            try:
                begun.parent.mkdir(mode=0o770 if self.is_shared else 0o700, exist_ok=True)
                begun.touch()
                # nbgrader has names that it refuses.
                directory.assignment_id = assignment
                converter.start()
                begun.unlink()
            except (Exception, SystemExit) as error:
                source = self.folder("source", ".", assignment)
                why = str(error).partition("\n")[0].rstrip(".")
                raise CommandError(
                    f"{assignment} cannot be registered from {source}: {why}. "
                    f"`nbgrader generate_assignment {quote(assignment)}` says more."
                ) from error

    def _notebook_plans(self, assignment: str, sources: dict[str, Path]) -> Iterator[NotebookPlan]:
        from nbgrader.preprocessors import IncludeHeaderFooter

        with configured(self.root):
            around = IncludeHeaderFooter(parent=self.app)
        # What nbgrader puts before and behind the cells of each notebook that it releases.
        header, footer = (
            notebook_at(self.root / name)["cells"] if name else []
            for name in (around.header, around.footer)
        )
        with self.gradebook() as gradebook:
            notebooks = gradebook.find_assignment(assignment).notebooks
            is_new = {*sources} - {each.name for each in notebooks}
            for notebook in notebooks:
                path = sources.get(notebook.name)
                source = notebook_at(path) if path else {"cells": []}
                cells, metadata = [*header, *source["cells"], *footer], source.get("metadata", {})
                if is_new or (path and _has_changed(notebook, cells)):
                    raise CommandError(
                        f"{assignment} has changed in source/ since it was released. Run "
                        f"`nbgrader generate_assignment {quote(assignment)} --force`, then grade "
                        "again. If that cannot add or remove what is graded, put it back as it "
                        "was; or begin anew, without due date and points by hand: "
                        f"`nbgrader db assignment remove {quote(assignment)} --force`."
                    )
                if (language := language_of(metadata)).casefold() != "python":
                    raise CommandError(
                        f"{notebook.name}.ipynb is written in {language}, and nothing but Python "
                        "is run here. Take the lines of stridekit_grading out of "
                        f"nbgrader_config.py, then run: nbgrader autograde {quote(assignment)}."
                    )
                yield NotebookPlan(
                    notebook.name,
                    tuple(_masters(notebook, cells, self.hidden_between)),
                    {part: metadata[part] for part in _OF_KERNEL if part in metadata},
                    frozenset(map(text_of, cells)),
                )


def _may_be_there(path: Path, folder: Path) -> bool:
    """Whether something lies there in a learner's folder, or nobody can see that nothing does."""
    # Raises OSError where nobody may look, of which `is_file` says no since Python 3.14.
    folder.lstat()
    way = [each for each in path.parents if each.is_relative_to(folder) and os.path.lexists(each)]
    # A file beside the folders is nobody's. A link to nowhere leads to what is not there just now.
    is_shut = not folder.is_file() and any(not os.access(f"{each}/.", os.X_OK) for each in way)
    return is_shut or os.path.lexists(path)


def _has_changed(notebook: Any, cells: list[dict[str, Any]]) -> bool:
    """Whether tests and points in the source are others than those that the gradebook knows."""
    known = {each.name: each.source.strip() for each in notebook.source_cells}
    points = {}
    for cell in cells:
        said = cell["metadata"].get("nbgrader", {})
        if said.get("grade"):
            name, text = grade_id_of(cell), text_of(cell).strip()
            points[name] = said.get("points", 0)
            # nbgrader writes some tests itself.
            if not said.get("solution") and "AUTOTEST" not in text and known.get(name) != text:
                return True
    return points != {each.name: each.max_score for each in notebook.grade_cells}


def _who_has_open(path: Path) -> list[str]:
    """The other processes that have a file open, as far as they can be seen."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            links = (link.resolve() for link in (each / "fd").iterdir())
            if int(each.name) != os.getpid() and path.resolve() in links:
                name = (each / "comm").read_text("utf-8", "replace").strip()
                found.append(f"{name} (process {each.name})")
    return found


_OF_KERNEL = ("kernelspec", "language_info")
# By whether a cell has points, and whether it is the learner's.
_KINDS: dict[tuple[bool, bool], Kind] = {
    (True, True): "manual",
    (True, False): "test",
    (False, True): "solution",
    (False, False): "read-only",
}
_IMPORTS_CHECK = re.compile(r"^from stridekit_course\S* import .*\bcheck\b", re.MULTILINE)


def _masters(
    notebook: Any, cells: list[dict[str, Any]], hidden_between: HiddenBetween
) -> Iterator[MasterCell]:
    """What the gradebook knows of a notebook, in the order of its source."""
    with_check = any(_IMPORTS_CHECK.search(text_of(each)) for each in cells)
    known = {each.name: each for each in notebook.source_cells}
    points = {each.name: each.max_score for each in (*notebook.grade_cells, *notebook.task_cells)}
    solutions = {each.name for each in notebook.solution_cells}
    tasks = {each.name for each in notebook.task_cells}
    written = {grade_id_of(cell): cell for cell in cells if grade_id_of(cell)}
    for name in sorted(known, key=[*written, *known].index):
        row, cell = known[name], written.get(name, {})
        kind = "task" if name in tasks else _KINDS[name in points, name in solutions]
        is_code = row.cell_type == "code"
        is_work = is_code and kind in ("solution", "manual")
        yield MasterCell(
            name=name,
            kind=kind,
            cell_type=row.cell_type,
            source=row.source,
            points=points.get(name),
            checksum=row.checksum,
            cell_id=str(cell.get("id", "")),
            attachments=cell.get("attachments") or {},
            binds=bound_by(text_of(cell)) | bound_by(row.source) if is_work else frozenset(),
            open=without(row.source, *hidden_between[kind == "task"]),
            checked=checked_by(row.source) if is_code and kind == "test" and with_check else None,
        )


def _app() -> Any:
    """nbgrader, with the configuration of the course that it stands in."""
    from nbgrader.apps.baseapp import NbGrader

    # What else it logs is in what it raises.
    app = NbGrader(log=UNHEARD)
    # Else it goes on without the course's settings, into another gradebook.
    app.raise_config_file_errors = True
    app.initialize([])
    return app


@contextmanager
def configured(root: Path) -> Iterator[None]:
    """Where what a course's configuration says is not to be had, say so. Raises CommandError."""
    try:
        yield
    except (Exception, SystemExit) as error:
        # nbgrader ends, and has logged why.
        why = (error.__context__ if isinstance(error, SystemExit) else None) or error
        said = f"{type(why).__name__}: {why}".rstrip(".")
        raise CommandError(
            f"nbgrader_config.py in {root} cannot be used ({said}). Mend it, then say the same "
            "again; one that came with the course: stridekit update --fresh nbgrader_config.py."
        ) from error
