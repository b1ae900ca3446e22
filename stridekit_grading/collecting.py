"""Collects what a platform has of a class: whose each notebook is, and which.

What is collected lies where grading looks for it. Whatever is not taken is named.
"""

import re
import shutil
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from stridekit.errors import CommandError
from stridekit_grading.archives import Archive, Piece
from stridekit_grading.course import Course
from stridekit_grading.rosters import (
    Learner,
    Roster,
    find_owner,
    names_of,
    read_roster,
    read_time,
    zone_called,
)

# What browsers, systems and platforms put behind a name that is there already.
_COPY = re.compile(r"(.+?)(?:[ _-]*\((\d+)\)|-(\d+)|[ _-]+copy[ _-]*(\d*))", re.IGNORECASE)
# What is told, in this order; and where somebody has to look at it.
UNCHANGED = "Collected before, and unchanged"
REPLACED = "Replaced; what was there before is kept"
CARRIED = "Not handed in now, and kept from before"
RENAMED = "Taken under another name"
OLDER = "Handed in more than once; the newest was taken"
LATE = "Late, says Canvas, and not by how much"
UNTIMED = "No time was entered"
DOUBTFUL = "Handed in more than once, and nothing says which is newer: look at both"
HELD_BACK = "Handed in something else before, so nothing was changed; --force takes the new one"
LEFT = "Not collected"
WITHOUT = "Handed in, but no notebook"
_TO_BE_LOOKED_AT = (DOUBTFUL, HELD_BACK, LEFT, WITHOUT)
TITLES = (UNCHANGED, REPLACED, CARRIED, RENAMED, OLDER, LATE, UNTIMED, *_TO_BE_LOOKED_AT)


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
        # What became of it all: the notebooks that were collected now, of how many learners it is
        # known when they handed in, what is not a notebook.
        self.collected: dict[str, list[str]] = {}
        self.timed = 0
        self.others: list[str] = []
        self.told: dict[str, list[str]] = {each: [] for each in TITLES}
        self._zone = zone_called(zone)
        if archive_times and self._zone is None:
            raise CommandError(
                "a zip does not say of which time zone its times are: say it too, "
                "such as --timezone Europe/Berlin."
            )
        self.course = Course(root)
        self._replaced = self.course.root / "downloaded" / assignment / "replaced"
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
        found: dict[str, list[str]] = {}
        for kind in ("source", "release"):
            for name, folder in self.course.assignments(kind).items():
                found.setdefault(name, [path.stem for path in sorted(folder.glob("*.ipynb"))])
        if self.assignment not in found:
            raise CommandError(
                f"there is no assignment {self.assignment!r} with a notebook in source/ or "
                f"release/. There are: {', '.join(sorted(found)) or 'none'}."
            )
        own = found.pop(self.assignment)
        return own, {stem.casefold(): name for name, stems in found.items() for stem in stems}

    def _in_gradebook(self) -> Iterator[Learner]:
        with self.course.gradebook() as gradebook:
            for each in gradebook.students:
                names = names_of("", each.first_name or "", each.last_name or "")
                # What nbgrader keeps of a platform is the number of Canvas, and none of Moodle's.
                number = each.lms_user_id if self.platform == "canvas" else ""
                yield Learner(each.id, names, number or "")

    def collect(self, archives: Sequence[Path]) -> bool:
        """Collect all that is clear; gives whether nobody has to look at anything.

        Raises CommandError where nothing was changed.
        """
        for path in archives:
            why = ""
            # A pipe would be waited for, without an end.
            if path.exists() and not (path.is_file() or path.is_dir()):
                why = "is neither a file nor a folder"
            elif self._replaced.resolve().is_relative_to(path.resolve()):
                why = f"is not what a platform gave: {self._replaced}, for earlier work, lies in it"
            if why:
                raise CommandError(
                    f"{path} {why}. Name the zip that the platform gave, or a folder of what was "
                    "in it."
                )
        try:
            # All of them, before anything is unpacked.
            opened = [*map(Archive, archives)]
            with tempfile.TemporaryDirectory() as folder:
                pieces = [piece for each in opened for piece in each.unpack(Path(folder))]
                for learner, taken in self._chosen(pieces).items():
                    self._take(self.roster.learners[learner], taken)
        except OSError as error:
            raise CommandError(
                f"{error.filename or self.course.root} cannot be written: {error.strerror}. "
                "What was handed in before is in its place. "
                "Run the same command again when it can."
            ) from error
        return not any(self.told[title] for title in _TO_BE_LOOKED_AT)

    def _chosen(self, pieces: list[Piece]) -> dict[str, dict[str, Piece]]:
        """For each learner, a file for each notebook; what became of all others is told."""
        theirs: dict[str, list[Piece]] = defaultdict(list)
        for each in pieces:
            find_owner(each, self.platform, self.roster)
            theirs[each.learner].append(each)
        chosen = {}
        for learner, all_of_his in sorted(theirs.items()):
            files = [each for each in all_of_his if each.is_notebook and not each.problem]
            if learner and not any(each.is_notebook for each in all_of_his):
                names = ", ".join(each.called for each in all_of_his)
                self.told[WITHOUT].append(f"{learner}: {names}")
            if any(each.is_late for each in files):
                self.told[LATE].append(learner)
            ways: dict[str, list[Piece]] = defaultdict(list)
            for each in files:
                self._find_notebook(each, is_alone=len(files) == 1)
                ways[each.notebook].append(each)
            ways.pop("", None)
            taken = {name: self._newest(several) for name, several in ways.items()}
            for notebook, each in taken.items():
                if each.called != f"{notebook}.ipynb":
                    self.told[RENAMED].append(f"{learner}: {each.called} for {notebook}.ipynb")
            if taken:
                chosen[learner] = taken
        left = [each for each in pieces if each.is_notebook and each.problem]
        self.told[LEFT] = [f"{each.name}: {each.problem}" for each in left]
        self.others = [each.name for each in pieces if not each.is_notebook]
        return chosen

    def _find_notebook(self, piece: Piece, *, is_alone: bool) -> None:
        """Which notebook its name means, and which copy it is; or why nobody can tell."""
        # One system writes ü as one character, another as two.
        stem = unicodedata.normalize("NFC", Path(piece.called).stem)
        copy = _COPY.fullmatch(stem)
        names = [(stem, 0)]
        if copy is not None:
            names.append((copy[1], int(copy[2] or copy[3] or copy[4] or 1)))
        for name, number in names:
            for notebook in self.notebooks:
                if name.casefold() == notebook.casefold():
                    piece.notebook, piece.copy = notebook, number
                    return
        for name, _ in names:
            if name.casefold() in self._elsewhere:
                piece.problem = f"it is a notebook of {self._elsewhere[name.casefold()]}"
                return
        if is_alone and len(self.notebooks) == 1:
            piece.notebook = self.notebooks[0]
            return
        piece.problem = f"its name does not say which it is: {', '.join(self.notebooks)}"

    def _newest(self, several: list[Piece]) -> Piece:
        """Which of several files for one notebook; the others are told."""
        # Canvas counts uploads. Moodle's and its times are those of the download.
        dated = self.archive_times or self.platform == "plain"

        def age(each: Piece) -> tuple[int, datetime]:
            return each.order, (each.time if dated else None) or datetime.min

        *others, taken = sorted(several, key=lambda each: (*age(each), each.copy))
        for each in others:
            if each.path.read_bytes() == taken.path.read_bytes():
                continue
            names = [taken.name, each.name]
            if names[0] == names[1]:
                names = [f"{which.archive}/{which.name}" for which in (taken, each)]
            # What has no time, or has no number of Canvas's, is not older for that.
            if age(each) != age(taken) and age(each) != (taken.order, datetime.min):
                self.told[OLDER].append(f"{taken.learner}: {names[0]}, not {names[1]}")
            else:
                said = f"{taken.learner}: {names[0]} was taken, not {names[1]}"
                self.told[DOUBTFUL].append(said)
        return taken

    def _time(self, learner: Learner, taken: dict[str, Piece]) -> datetime | None:
        """When it was handed in, in UTC, where somebody says so."""
        if self.archive_times:
            time = max((each.time for each in taken.values() if each.time), default=None)
            problem = f"{learner.id}: the archive has no time of it"
        elif not learner.time:
            return None
        elif self._zone is None:
            time = None
            problem = "the roster says when, but not of which time zone: say it with --timezone"
        else:
            time = read_time(learner.time)
            problem = f"{learner.id}: {learner.time!r} in the roster is not a time in English"
        if time is not None:
            return time.replace(tzinfo=time.tzinfo or self._zone).astimezone(UTC)
        if problem not in self.told[UNTIMED]:
            self.told[UNTIMED].append(problem)
        return None

    def _take(self, learner: Learner, taken: dict[str, Piece]) -> None:
        """Put one learner's notebooks into their folder: all of them, or nothing is changed."""
        name, folder = learner.id, self.course.folder("submitted", learner.id, self.assignment)
        obstacle = next((each for each in (folder, *folder.parents) if each.exists()), folder)
        if not obstacle.is_dir():
            reason = f"{obstacle} is not a folder, and one is to be there: move it away"
            self.told[LEFT].append(f"{name}: {reason}")
            return
        time = self._time(learner, taken)
        is_there = folder.is_dir() and any(folder.iterdir())
        if is_there and _is_the_same(folder, taken, time):
            self.told[UNCHANGED].append(name)
            return
        if is_there and not self.force:
            self.told[HELD_BACK].append(name)
            return
        made, aside = folder.with_name(f".{folder.name}.new"), self._free_place_for(name)
        shutil.rmtree(made, ignore_errors=True)
        try:
            made.mkdir(parents=True)
            for notebook, each in taken.items():
                shutil.copyfile(each.path, made / f"{notebook}.ipynb")
            if time is not None:
                (made / "timestamp.txt").write_text(f"{time:%Y-%m-%d %H:%M:%S}", "utf-8")
            others = (each for each in self.notebooks if each not in taken)
            carried = [each for each in others if (folder / f"{each}.ipynb").is_file()]
            for notebook in carried:
                shutil.copy(folder / f"{notebook}.ipynb", made)
            if is_there:
                aside.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(folder, aside)
            elif folder.is_dir():
                folder.rmdir()
            made.rename(folder)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            if aside.exists() and not folder.exists():
                shutil.move(aside, folder)
            raise
        if is_there:
            self.told[REPLACED].append(f"{name}: {aside.relative_to(self.course.root)}")
        self.told[CARRIED] += [f"{name}: {notebook}.ipynb" for notebook in carried]
        self.timed += time is not None
        self.collected[name] = sorted(taken)

    def _free_place_for(self, learner: str) -> Path:
        """Where nobody's earlier work is kept yet."""
        count, place = 1, self._replaced / learner
        while place.exists():
            count += 1
            place = self._replaced / f"{learner}-{count}"
        return place


def _is_the_same(folder: Path, taken: dict[str, Piece], time: datetime | None) -> bool:
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
