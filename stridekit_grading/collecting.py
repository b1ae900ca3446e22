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
from datetime import datetime
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.archives import Archive
from stridekit_grading.course import Course
from stridekit_grading.rosters import (
    Found,
    Learner,
    Roster,
    in_utc,
    names_of,
    owner_of,
    read_roster,
    read_time,
    zone_called,
)
from stridekit_grading.zip_collect import carry_over, in_the_way, put, put_aside

# What browsers, systems and platforms put behind a name that is there already.
_COPY = re.compile(r"(.+?)(?:[ _-]*\((\d+)\)|-(\d+)|[ _-]+copy[ _-]*(\d*))", re.IGNORECASE)


@dataclass
class Collected:
    """What became of it all."""

    learners: dict[str, list[str]] = field(default_factory=dict)
    """The notebooks that were collected now."""
    unchanged: list[str] = field(default_factory=list)
    """Learners whose notebooks were there already."""
    replaced: dict[str, Path] = field(default_factory=dict)
    """Learners, and where their work from before is now."""
    carried: list[tuple[str, str]] = field(default_factory=list)
    """Learners, and a notebook that was handed in before, and not now."""
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
    without: list[tuple[str, str]] = field(default_factory=list)
    """Learners who handed in no notebook, and what they handed in."""

    @property
    def is_whole(self) -> bool:
        """Whether nobody has to look at anything."""
        return not (self.left or self.held_back or self.doubtful or self.without)


class PlatformCollector:
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
        self._zone = zone_called(zone)
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
            put(archives, *folders)
            with _nbgraders(app):
                app.init_plugins()
                app.extract_archive_files()
            unpacked = app.extractor_plugin_inst
            for archive in unpacked.archives:
                told.left += archive.left
                told.others += archive.others
            told.left += [(name, "it is damaged in the archive") for name in unpacked.damaged]
            found = [
                Found(member, path, owner_of(member.given, self.platform, self.roster))
                for member, path in unpacked.unpacked
            ]
            told.without = self._without(found, told)
            chosen = self._spare(self._chosen(found, told), told)
            with self._undone(chosen, told):
                for name in chosen:
                    folder = self._folder(name)
                    if folder.is_dir() and any(folder.iterdir()):
                        aside = self.unpacked_into.parent / "replaced" / name
                        told.replaced[name] = put_aside(folder, aside)
                app.collector_plugin_inst.choose(
                    {
                        each.path: (name, notebook, time)
                        for name, (taken, time) in chosen.items()
                        for notebook, each in taken.items()
                    }
                )
                with _nbgraders(app):
                    if chosen:
                        app.process_extracted_files()
                for name, aside in told.replaced.items():
                    for notebook in carry_over(aside, self._folder(name), self.notebooks):
                        told.carried.append((name, notebook))
        except OSError as error:
            raise CommandError(
                f"{error.filename or folders[0]} cannot be written: {error.strerror}. "
                "What was handed in before is in its place. "
                "Run the same command again when it can."
            ) from error
        return told

    def _folder(self, learner: str) -> Path:
        return self.course.folder("submitted", learner, self.assignment)

    @contextmanager
    def _undone(
        self, chosen: dict[str, tuple[dict[str, Found], datetime | None]], told: Collected
    ) -> Iterator[None]:
        """If it cannot be done to its end, nobody is left with half of it, or with nothing."""
        try:
            yield
        except BaseException as error:
            lost = []
            for name, (taken, time) in chosen.items():
                folder = self._folder(name)
                if name not in told.replaced and in_the_way(folder) is not None:
                    continue
                if _is_the_same(folder, taken, time):
                    continue
                aside = told.replaced.get(name)
                try:
                    # It is unpacked still, so nothing is lost.
                    if folder.is_dir() and (aside or not _holds_other(folder, taken)):
                        shutil.rmtree(folder)
                    if aside:
                        folder.parent.mkdir(parents=True, exist_ok=True)
                        shutil.move(aside, folder)
                except OSError:
                    if aside:
                        lost.append(f"{name}: {aside}")
            if lost:
                raise CommandError(
                    f"it could not be done to its end ({error}), and what was handed in before "
                    f"cannot be put back. Move it to submitted again: {'; '.join(lost)}."
                ) from error
            raise

    def _without(self, found: list[Found], told: Collected) -> list[tuple[str, str]]:
        """Who handed in something, and no notebook; what is nobody's is told elsewhere."""
        named = {each.owner.learner.id for each in found if each.owner.learner}
        for name, _ in told.left:
            learner = owner_of(name, self.platform, self.roster).learner
            if learner is not None:
                named.add(learner.id)
        without: dict[str, list[str]] = defaultdict(list)
        for name in told.others:
            # A text that was typed into Moodle is no file, but it was handed in.
            name = name.replace("_assignsubmission_onlinetext", "_assignsubmission_file")
            owner = owner_of(name, self.platform, self.roster)
            if owner.learner is not None and owner.learner.id not in named:
                without[owner.learner.id].append(Path(owner.file_id).name)
        return [(learner, ", ".join(files)) for learner, files in sorted(without.items())]

    def _refuse_unsafe(self, archives: Sequence[Path]) -> None:
        for path in archives:
            if path.is_dir():
                continue
            # A pipe would be waited for, without an end.
            if path.exists() and not path.is_file():
                raise CommandError(
                    f"{path} is neither a file nor a folder. "
                    "Name the zip that the platform gave, or a folder of what was in it."
                )
            Archive(path)

    def _app(self) -> Any:
        """The app of zip_collect, with the course's configuration and our parts."""
        from nbgrader.apps.zipcollectapp import ZipCollectApp

        from stridekit_grading import zip_collect

        app = ZipCollectApp(config=self.course.config)
        app.log.setLevel(logging.CRITICAL)
        app.coursedir = self.course.app.coursedir
        app.coursedir.assignment_id = self.assignment
        app.extractor_plugin = zip_collect.CarefulExtractor
        app.collector_plugin = zip_collect.KnownOwners
        return app

    def _chosen(
        self, found: list[Found], told: Collected
    ) -> dict[str, tuple[Learner, dict[str, Found]]]:
        """For each learner, a file for each notebook."""
        theirs: dict[str, list[Found]] = defaultdict(list)
        for each in found:
            if each.owner.learner is None:
                told.left.append((each.name, each.owner.reason))
            else:
                theirs[each.owner.learner.id].append(each)
        chosen = {}
        for learner, files in sorted(theirs.items()):
            if any(each.owner.is_late for each in files):
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

        # The learner's own times count only between files in one zip of his.
        one = len({id(each.member.outer) for _, each in several}) == 1

        def age(each: tuple[int, Found]) -> tuple[int, datetime]:
            member = each[1].member
            time = member.inner_time if one and member.inner else member.time
            return each[1].owner.order, (time if dated else None) or datetime.min

        ordered = sorted(several, key=lambda each: (*age(each), each[0]))
        taken = ordered[-1]
        content = taken[1].path.read_bytes()
        for each in ordered[:-1]:
            if each[1].path.read_bytes() != content:
                is_older = age(each) != age(taken) and (
                    each[1].owner.order != taken[1].owner.order or age(each)[1] != datetime.min
                )
                names = [taken[1].name, each[1].name]
                if names[0] == names[1]:
                    # Where they were unpacked to tells them apart.
                    names = [
                        which.path.relative_to(self.unpacked_into).as_posix()
                        for which in (taken[1], each[1])
                    ]
                (told.older if is_older else told.doubtful).append((learner, names[0], names[1]))
        return taken[1]

    def _time(self, learner: Learner, taken: dict[str, Found], told: Collected) -> datetime | None:
        """When it was handed in, in UTC, where somebody says so."""
        if self.archive_times:
            times = [each.member.time for each in taken.values() if each.member.time]
            time = in_utc(max(times), self._zone) if times else None
            if time is None:
                told.untimed.append(f"{learner.id}: the archive has no time of it")
            return time
        if not learner.time:
            return None
        if self._zone is None:
            missing = "the roster says when, but not of which time zone: say it with --timezone"
            if missing not in told.untimed:
                told.untimed.append(missing)
            return None
        time = read_time(learner.time)
        time = in_utc(time, self._zone) if time else None
        if time is None:
            told.untimed.append(
                f"{learner.id}: {learner.time!r} in the roster is no time in English"
            )
            return None
        return time

    def _spare(
        self, chosen: dict[str, tuple[Learner, dict[str, Found]]], told: Collected
    ) -> dict[str, tuple[dict[str, Found], datetime | None]]:
        """What nbgrader is to collect: nothing of anybody is overwritten without being said."""
        collect = {}
        for name, (learner, taken) in chosen.items():
            folder = self._folder(name)
            obstacle = in_the_way(folder)
            if obstacle is not None:
                reason = f"{obstacle} is no folder, and one is to be there: move it away"
                told.left.append((name, reason))
                continue
            time = self._time(learner, taken, told)
            if folder.is_dir() and any(folder.iterdir()):
                if _is_the_same(folder, taken, time):
                    told.unchanged.append(name)
                    continue
                if not self.force:
                    told.held_back.append(name)
                    continue
            told.timed += time is not None
            told.learners[name] = sorted(taken)
            collect[name] = (taken, time)
        return collect


def _is_the_same(folder: Path, taken: dict[str, Found], time: datetime | None) -> bool:
    """Whether this is what was handed in before; a time that nobody says changes nothing."""
    from nbgrader.utils import parse_utc

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


def _holds_other(folder: Path, taken: dict[str, Found]) -> bool:
    """Whether there is something in it that is not collected now."""
    ours = {"timestamp.txt", *(f"{name}.ipynb" for name in taken)}
    return any(path.name not in ours for path in folder.iterdir())


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
