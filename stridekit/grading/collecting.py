"""Collects what a platform has of a class: whose each notebook is, and which.

nbgrader's zip_collect does the collecting, in its own folders. Here it is decided what it is given,
and whatever it is not given is named.
"""

import logging
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from stridekit.errors import CommandError
from stridekit.grading.archives import Archive, Member, pack
from stridekit.grading.course import Course
from stridekit.grading.rosters import Learner, Roster, names_of, read_roster

# As nbgrader's `named_regexp`. What stands before is a folder that somebody packed it all into.
MOODLE = re.compile(
    r"(?:.*?/)??(?P<name>[^/]*?)(?:_(?P<number>\d+))?_assignsubmission_file(?:_?/|_)(?P<file_id>.+)"
)
CANVAS = re.compile(
    r"(?:.*?/)??(?P<name>[^/]+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<order>\d+)_(?P<file_id>.+)"
)
PLATFORMS = {"moodle": "Moodle", "canvas": "Canvas", "plain": "a plain zip"}
# What browsers, systems and platforms put behind a name that is there already.
_COPY = re.compile(r"(.+?)(?:[ _-]*\((\d+)\)|-(\d+)|[ _-]+copy[ _-]*(\d*))", re.IGNORECASE)


@dataclass(slots=True)
class Found:
    """A notebook that was in an archive."""

    member: Member
    path: Path
    learner: Learner | None
    reason: str
    """Why it is nobody's."""
    file_id: str
    """What the learner called it."""
    order: int = 0
    """Canvas counts what is uploaded."""
    is_late: bool = False

    @property
    def name(self) -> str:
        """As the platform called it."""
        return self.member.name


@dataclass
class Collected:
    """What became of it all."""

    learners: dict[str, list[str]] = field(default_factory=dict)
    """The notebooks that were collected now."""
    unchanged: list[str] = field(default_factory=list)
    """Learners whose notebooks were there already."""
    replaced: dict[str, Path] = field(default_factory=dict)
    """Learners, and where their work from before is now."""
    renamed: list[tuple[str, str, str]] = field(default_factory=list)
    """A learner, the name of a file, and the notebook that it was taken for."""
    older: list[tuple[str, str, str]] = field(default_factory=list)
    """A learner, the file that was taken, and one that is older."""
    doubtful: list[tuple[str, str, str]] = field(default_factory=list)
    """The same, where nothing says which is newer."""
    late: list[str] = field(default_factory=list)
    """Learners who were late, as Canvas says; it does not say by how much."""
    timed: int = 0
    """Of how many learners it is known when they handed in."""
    untimed: list[str] = field(default_factory=list)
    """What is wrong with times."""
    held_back: list[str] = field(default_factory=list)
    """Learners who have handed in something else before."""
    left: list[tuple[str, str]] = field(default_factory=list)
    """Notebooks that were not collected, and why."""
    others: list[str] = field(default_factory=list)
    """What is no notebook."""

    @property
    def is_whole(self) -> bool:
        """Whether nobody has to look at anything."""
        return not (self.left or self.held_back or self.doubtful)


class Collector:
    """Collects one assignment from the archives of one platform."""

    def __init__(
        self,
        root: Path,
        assignment: str,
        platform: str,
        *,
        roster: Path | None = None,
        id_column: str | None = None,
        zone: str | None = None,
        archive_times: bool = False,
        force: bool = False,
    ) -> None:
        """Raises CommandError."""
        self._zone = _zone(zone)
        if archive_times and self._zone is None:
            raise CommandError(
                "a zip does not say of which time zone its times are: say it too, "
                "such as --timezone Europe/Berlin."
            )
        self.course = Course(root)
        self.assignment, self.platform = assignment, platform
        self.archive_times, self.force = archive_times, force
        self.notebooks, self._elsewhere = self._notebooks()
        named = read_roster(roster, platform, id_column) if roster else []
        self.roster = Roster([*self._in_gradebook(), *named])
        if not self.roster.learners:
            raise CommandError(
                "nobody is known here: the gradebook has no learners. Add them with "
                "`nbgrader db student import students.csv`, or name a roster: --roster FILE."
            )

    def _notebooks(self) -> tuple[list[str], dict[str, str]]:
        """The names of the notebooks of the assignment; and of others, with their assignments."""
        elsewhere: dict[str, str] = {}
        own: list[str] = []
        known: set[str] = set()
        for kind in ("source", "release"):
            parent = self.course.folder(kind, ".", "X").parent
            for folder in sorted(each for each in parent.glob("*") if each.is_dir()):
                known.add(folder.name)
                stems = [path.stem for path in sorted(folder.glob("*.ipynb"))]
                if folder.name != self.assignment:
                    elsewhere.update(dict.fromkeys(map(str.casefold, stems), folder.name))
                elif not own:
                    own = stems
        if self.assignment not in known:
            raise CommandError(
                f"there is no assignment {self.assignment!r} in source/ or release/. "
                f"There are: {', '.join(sorted(known)) or 'none'}."
            )
        if not own:
            raise CommandError(f"{self.assignment} has no notebook in source/ or release/.")
        return own, elsewhere

    def _in_gradebook(self) -> Iterator[Learner]:
        with self.course.gradebook() as gradebook:
            for each in gradebook.students:
                names = names_of("", each.first_name or "", each.last_name or "")
                # What nbgrader keeps of a platform is the number of Canvas, and none of Moodle's.
                number = each.lms_user_id if self.platform == "canvas" else ""
                yield Learner(each.id, names, number or "")

    def collect(self, archives: Sequence[Path]) -> Collected:
        """Collect all that is clear. Raises CommandError where nothing was changed."""
        self._refuse_unsafe(archives)
        app = self._app()
        folders = [
            Path(app._format_collect_path(step))  # noqa: SLF001 - nbgrader's own places
            for step in (app.archive_directory, app.extracted_directory)
        ]
        self.unpacked_into = folders[1]
        told = Collected()
        try:
            _put(archives, *folders)
            with _nbgraders(app):
                app.init_plugins()
                app.extract_archive_files()
            unpacked = app.extractor_plugin_inst
            for archive in unpacked.archives:
                told.left += archive.left
                told.others += archive.others
            told.left += [(name, "it is damaged in the archive") for name in unpacked.damaged]
            found = [self._whose(*each) for each in unpacked.unpacked]
            chosen = self._spare(self._chosen(found, told), told)
            app.collector_plugin_inst.choose(chosen)
            with _nbgraders(app):
                if chosen:
                    app.process_extracted_files()
        except OSError as error:
            raise CommandError(
                f"{error.filename or folders[0]} cannot be written: {error.strerror}. "
                "Run the same command again when it can."
            ) from error
        return told

    def _refuse_unsafe(self, archives: Sequence[Path]) -> None:
        for path in archives:
            if not path.is_dir():
                Archive(path)

    def _app(self) -> Any:
        """The app of zip_collect, with the course's configuration and our parts."""
        from nbgrader.apps.zipcollectapp import ZipCollectApp

        from stridekit.grading import zip_collect

        app = ZipCollectApp(config=self.course.config)
        app.log.setLevel(logging.CRITICAL)
        app.coursedir = self.course.app.coursedir
        app.coursedir.assignment_id = self.assignment
        app.extractor_plugin = zip_collect.Extractor
        app.collector_plugin = zip_collect.Collector
        return app

    def _whose(self, member: Member, path: Path) -> Found:
        """What the name that the platform gave a file says."""
        if self.platform == "plain":
            return self._whose_plainly(member, path)
        rule = MOODLE if self.platform == "moodle" else CANVAS
        match = rule.fullmatch(member.name)
        if match is None:
            reason = f"{PLATFORMS[self.platform]} does not name files so"
            if self.platform == "canvas" and "anon_" in member.name:
                reason = "Canvas has made it anonymous"
            return Found(member, path, None, reason, Path(member.name).name)
        said = match.groupdict()
        learner, reason = self.roster.find(said["name"], said["number"] or "")
        return Found(
            member,
            path,
            learner,
            reason,
            said["file_id"],
            int(said.get("order") or 0),
            bool(said.get("late")),
        )

    def _whose_plainly(self, member: Member, path: Path) -> Found:
        """A folder or the beginning of the name is a learner's id, or name."""
        *folders, file_id = member.name.split("/")
        hits = {}
        for part in folders:
            learner = self.roster.by_id(part) or self.roster.find(part)[0]
            if learner is not None:
                hits[learner.id] = learner
        if not hits:
            # The longest id: of ada and ada_b, ada_b_ps3.ipynb is the second's.
            for end in sorted((n for n, each in enumerate(file_id) if each == "_"), reverse=True):
                begin = file_id[:end]
                learner = self.roster.by_id(begin) or self.roster.find(begin)[0]
                if learner is not None:
                    return Found(member, path, learner, "", file_id[end + 1 :])
        if len(hits) == 1:
            return Found(member, path, next(iter(hits.values())), "", file_id)
        reason = "no folder of it, and no beginning of its name, is a learner's id or name"
        if hits:
            reason = f"it may be of {' or '.join(sorted(hits))}"
        return Found(member, path, None, reason, file_id)

    def _chosen(
        self, found: list[Found], told: Collected
    ) -> dict[str, tuple[Learner, dict[str, Found]]]:
        """For each learner, a file for each notebook."""
        theirs: dict[str, list[Found]] = defaultdict(list)
        for each in found:
            if each.learner is None:
                told.left.append((each.name, each.reason))
            else:
                theirs[each.learner.id].append(each)
        chosen = {}
        for learner, files in sorted(theirs.items()):
            if any(each.is_late for each in files):
                told.late.append(learner)
            ways: dict[str, list[tuple[int, Found]]] = defaultdict(list)
            for each in files:
                notebook, copy, reason = self._which(each.file_id, alone=len(files) == 1)
                if not notebook:
                    told.left.append((each.name, reason))
                    continue
                ways[notebook].append((copy, each))
            taken = {
                notebook: self._newest(learner, several, told) for notebook, several in ways.items()
            }
            for notebook, each in taken.items():
                called = Path(each.file_id).name
                if called != f"{notebook}.ipynb":
                    told.renamed.append((learner, called, notebook))
            if taken:
                chosen[learner] = (self.roster.learners[learner], taken)
        return chosen

    def _which(self, file_id: str, *, alone: bool) -> tuple[str, int, str]:
        """The notebook that a name means, and which copy it is; or nothing, and why."""
        stem = Path(file_id).stem
        for notebook in self.notebooks:
            if stem.casefold() == notebook.casefold():
                return notebook, 0, ""
        copy = _COPY.fullmatch(stem)
        if copy is not None:
            for notebook in self.notebooks:
                if copy[1].casefold() == notebook.casefold():
                    return notebook, int(copy[2] or copy[3] or copy[4] or 1), ""
        for name in (stem, copy[1] if copy else stem):
            if name.casefold() in self._elsewhere:
                return "", 0, f"it is a notebook of {self._elsewhere[name.casefold()]}"
        if alone and len(self.notebooks) == 1:
            return self.notebooks[0], 0, ""
        return "", 0, f"its name does not say which it is: {', '.join(self.notebooks)}"

    def _newest(self, learner: str, several: list[tuple[int, Found]], told: Collected) -> Found:
        """Which of several files for one notebook; the others are told."""
        # Canvas counts uploads. Moodle's and its times are those of the download.
        dated = self.archive_times or self.platform == "plain"

        def age(each: tuple[int, Found]) -> tuple[int, datetime]:
            return each[1].order, (each[1].member.time if dated else None) or datetime.min

        ordered = sorted(several, key=lambda each: (*age(each), each[0]))
        taken = ordered[-1]
        content = taken[1].path.read_bytes()
        for each in ordered[:-1]:
            if each[1].path.read_bytes() != content:
                older = told.older if age(each) != age(taken) else told.doubtful
                older.append((learner, taken[1].name, each[1].name))
        return taken[1]

    def _time(self, learner: Learner, taken: dict[str, Found], told: Collected) -> datetime | None:
        """When it was handed in, in UTC, where somebody says so."""
        if self.archive_times:
            times = [each.member.time for each in taken.values() if each.member.time]
            return max(times).replace(tzinfo=self._zone).astimezone(UTC) if times else None
        if not learner.time:
            return None
        if self._zone is None:
            missing = "the roster says when, but not of which time zone: say it with --timezone"
            if missing not in told.untimed:
                told.untimed.append(missing)
            return None
        time = _read_time(learner.time)
        if time is None:
            told.untimed.append(
                f"{learner.id}: {learner.time!r} in the roster is no time in English"
            )
            return None
        return time.replace(tzinfo=time.tzinfo or self._zone).astimezone(UTC)

    def _spare(
        self, chosen: dict[str, tuple[Learner, dict[str, Found]]], told: Collected
    ) -> dict[Path, tuple[str, str, datetime | None]]:
        """What nbgrader is to collect: nothing of anybody is overwritten without being said."""
        collect = {}
        for name, (learner, taken) in chosen.items():
            time = self._time(learner, taken, told)
            folder = self.course.folder("submitted", name, self.assignment)
            if folder.is_dir() and any(folder.iterdir()):
                if _is_the_same(folder, taken, time):
                    told.unchanged.append(name)
                    continue
                if not self.force:
                    told.held_back.append(name)
                    continue
                told.replaced[name] = self._put_aside(name, folder)
            told.timed += time is not None
            told.learners[name] = sorted(taken)
            for notebook, each in taken.items():
                collect[each.path] = (name, notebook, time)
        return collect

    def _put_aside(self, learner: str, folder: Path) -> Path:
        """What was handed in before, kept beside the archives."""
        aside = _free(self.unpacked_into.parent / "replaced" / learner)
        aside.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, aside)
        return aside


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(
            f"there is no time zone {name!r}. Say it as Europe/Berlin or UTC."
        ) from error


def _read_time(text: str) -> datetime | None:
    from dateutil import parser

    # 01/12/2026 is another day on the other side of an ocean.
    if not re.search(r"[A-Za-z]{3}|^\d{4}-\d\d-\d\d", text):
        return None
    try:
        time: datetime = parser.parse(text)
    except (ValueError, OverflowError):
        return None
    return time


def _is_the_same(folder: Path, taken: dict[str, Found], time: datetime | None) -> bool:
    """Whether this is what was handed in before; a time that nobody says changes nothing."""
    from nbgrader.utils import parse_utc

    there = {path.stem for path in folder.glob("*.ipynb")}
    if there != set(taken):
        return False
    try:
        if time is not None:
            known = parse_utc((folder / "timestamp.txt").read_text("utf-8").strip())
            if known != time.replace(tzinfo=None):
                return False
        return all(
            (folder / f"{name}.ipynb").read_bytes() == each.path.read_bytes()
            for name, each in taken.items()
        )
    except (OSError, ValueError, OverflowError):
        return False


def _put(given: Sequence[Path], archive: Path, extracted: Path) -> None:
    """Put archives where nbgrader looks for them; what is there from before is kept."""
    incoming = archive.parent / ".incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    for path in given:
        name = path.resolve().name if path.is_dir() else path.stem
        place = _free(incoming / name, ".zip")
        if path.is_dir():
            pack(path, place)
            try:
                # A folder is as strange as an archive.
                Archive(place)
            except CommandError:
                shutil.rmtree(incoming)
                raise
        else:
            shutil.copyfile(path, place)
    if _contents(archive) != _contents(incoming):
        earlier = _free(archive.parent / "earlier")
        for folder in (archive, extracted):
            if folder.is_dir() and any(folder.iterdir()):
                earlier.mkdir(exist_ok=True)
                folder.rename(earlier / folder.name)
    for folder in (archive, extracted):
        shutil.rmtree(folder, ignore_errors=True)
    incoming.rename(archive)


def _contents(folder: Path) -> dict[str, bytes]:
    from hashlib import file_digest

    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = file_digest(file, "sha256").digest()
    return found


def _free(path: Path, suffix: str = "") -> Path:
    """A path that nothing has yet."""
    count, free = 1, path.with_name(path.name + suffix)
    while free.exists():
        count += 1
        free = path.with_name(f"{path.name}-{count}{suffix}")
    return free


@contextmanager
def _nbgraders(app: Any) -> Iterator[None]:
    """What nbgrader refuses, in our words."""
    try:
        yield
    except SystemExit as error:
        raise CommandError(
            f"nbgrader's zip_collect stopped in {app.coursedir.root}. "
            f"`nbgrader zip_collect {app.coursedir.assignment_id}` says why."
        ) from error
