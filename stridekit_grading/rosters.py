"""Who is who, whose a file is, and when it was handed in, as platforms put it.

What lies in a learner's own zip is whose the zip is: names in there are the learner's to choose.
"""

import csv
import io
import re
import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from stridekit.errors import CommandError
from stridekit_grading.archives import Piece

# The columns of what platforms export, in English. nbgrader's own CSV has the last of each.
IDS = {
    "moodle": ("username", "id number", "email address", "student_id"),
    "canvas": ("sis login id", "sis user id", "student_id"),
    "plain": ("username", "student_id"),
}
NUMBERS = {"moodle": ("identifier",), "canvas": ("ID", "lms_user_id"), "plain": ()}
NAMES = ("full name", "student", "name")
FIRST, LAST = ("first name", "first_name"), ("last name", "surname", "last_name")
ID_BYTES_MOST = 255
TIMES = ("last modified (submission)",)


@dataclass
class Learner:
    """Somebody of the course."""

    id: str
    names: set[str] = field(default_factory=set)
    """As `key` writes them."""
    number: str = ""
    """What the platform has in place of an id."""
    time: str = ""
    """When it was handed in, as the platform writes it."""

    def learn(self, other: "Learner") -> None:
        """Take what is said of the same one elsewhere."""
        self.names |= other.names
        self.number = other.number or self.number
        self.time = other.time or self.time


def key(name: str) -> str:
    """A name without what platforms take out of it: case, spaces, apostrophes, commas."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(each for each in folded if unicodedata.category(each)[0] in "LNM")


def names_of(whole: str, first: str, last: str) -> set[str]:
    """All the ways in which a platform may write a name, as keys."""
    ways = {whole, first + last, last + first}
    if whole.count(",") == 1:
        family, _, given = whole.partition(",")
        ways.add(given + family)
    return {key(way) for way in ways} - {""}


class Roster:
    """Everybody of the course."""

    def __init__(self, learners: Iterable[Learner]) -> None:
        """Raises CommandError where two have one number."""
        self.learners: dict[str, Learner] = {}
        self._by_number: dict[str, Learner] = {}
        self._by_name: dict[str, list[Learner]] = {}
        for each in learners:
            self.learners.setdefault(each.id, each).learn(each)
        for each in self.learners.values():
            other = self._by_number.setdefault(each.number, each) if each.number else each
            if other is not each:
                raise CommandError(
                    f"{other.id} and {each.id} have the same number, {each.number}. "
                    "Mend the roster."
                )
            for name in each.names:
                self._by_name.setdefault(name, []).append(each)

    def find(self, name: str, number: str = "") -> tuple[Learner | None, str]:
        """Whose number or name this is; or nobody, and why."""
        if number in self._by_number:
            return self._by_number[number], ""
        called = self._by_name.get(key(name), [])
        if len(called) > 1:
            return None, f"{' and '.join(sorted(each.id for each in called))} have this name"
        if not called:
            return None, "nobody of the course has this name or number"
        if number and called[0].number:
            return None, f"{called[0].id} has this name, but the number {called[0].number}"
        return called[0], ""

    def ids_of(self, name: str) -> set[str]:
        """Of all that have this id, or else this name."""
        return {name} & {*self.learners} or {each.id for each in self._by_name.get(key(name), [])}


def read_roster(path: Path, platform: str, id_column: str | None = None) -> list[Learner]:
    """What a platform exports of a class, as a CSV. Raises CommandError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not text in UTF-8. Save it as CSV UTF-8.") from error
    except OSError as error:
        raise CommandError(f"the roster {path} cannot be read: {error.strerror}.") from error
    # Excel writes, and reads, which character stands between columns.
    comma = re.match(r"sep=(.)\r?\n", text)
    body = text[comma.end() :] if comma else text
    first = body.partition("\n")[0]
    delimiter = comma[1] if comma else max(",;\t", key=re.sub('"[^"]*"', "", first).count)
    rows = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    number = 1 + bool(comma)
    learners: dict[str, tuple[int, Learner]] = {}
    try:
        header = [*map(_title, next(rows, []))]
        ids = ("id", *IDS[platform]) if id_column is None else (id_column,)
        if not {*header} & {*map(_title, ids)}:
            said = f"of ids ({', '.join(ids)})" if id_column is None else repr(id_column)
            there = first.strip()[:200] or "nothing"
            raise CommandError(
                f"the roster {path} has no column {said}. It has: {there}. "
                "Say which holds the learners' ids: --id-column NAME."
            )
        kinds = (ids, NUMBERS[platform], NAMES, FIRST, LAST, TIMES)
        titles = [next((t for t in map(_title, kind) if t in header), None) for kind in kinds]
        if twice := [title for title in titles if title is not None and header.count(title) > 1]:
            raise CommandError(
                f"the roster {path} has more than one column {twice[0]!r}, and which counts is not "
                "said. Take the others out."
            )
        for number, row in enumerate(rows, number + 1):  # noqa: B020 - the first row has a number
            cells: dict[str | None, str] = dict(zip(header, row, strict=False))
            learner = _learner(*(cells.get(title, "").strip() for title in titles))
            if learner is None:
                continue
            before, known = learners.setdefault(learner.id, (number, learner))
            if _is_another(known, learner):
                raise CommandError(
                    f"the roster {path}: rows {before} and {number} both have the id "
                    f"{learner.id!r}. Mend the roster, or name another column: --id-column NAME."
                )
            known.learn(learner)
    except csv.Error as error:
        raise CommandError(
            f"the roster {path} is not CSV in row {number + 1} or after it: a quote is not closed, "
            f"or stands where none may be ({error}). Mend it, or export it again."
        ) from error
    if not learners:
        raise CommandError(f"the roster {path} names nobody: its column of ids is empty.")
    return [learner for _, learner in learners.values()]


def _is_another(known: Learner, learner: Learner) -> bool:
    """Whether two rows with one id are of two people."""
    pairs = ((known.names, learner.names), (known.number, learner.number))
    return any(one and other and one != other for one, other in pairs)


def _title(text: str) -> str:
    """A column by its title. nbgrader's `id` is a learner's, Canvas's `ID` is its own number."""
    title = text.strip()
    return title if title.casefold() == "id" else title.casefold()


def _learner(
    identity: str, number: str, name: str, first: str, last: str, time: str
) -> Learner | None:
    """The learner of a row; a row without an id is nobody's, such as that of the points."""
    if not identity:
        return None
    # Moodle writes `Participant 1234567`, in the language of who asks.
    digits = re.search(r"\d*$", number)
    names = names_of(name, first, last)
    return Learner(checked_id(identity), names, digits[0] if digits else "", time.strip("-"))


def checked_id(text: str) -> str:
    """An id that may be the name of a folder. Raises CommandError."""
    size = len(text.encode())
    is_long = size > ID_BYTES_MOST
    # Marks of direction and joiners are text.
    is_text = not {"Cc", "Cs"} & {*map(unicodedata.category, text)}
    if is_long or text.startswith(".") or not is_text or re.search(r"[/\\]", text):
        said = f"{text[:20]!r}..., which has {size} bytes," if is_long else repr(text)
        most = f", of at most {ID_BYTES_MOST} bytes" if is_long else ""
        raise CommandError(
            f"{said} cannot be the id of a learner: it is to be the name of a folder{most}. "
            "Mend the roster, or name another column: --id-column NAME."
        )
    return text


# Whose a file is, by the name that a platform gave it.


# As nbgrader's `named_regexp`. What stands before is a folder that somebody packed it all into.
MOODLE = re.compile(
    r"(?:.*?/)??(?P<name>[^/]*?)(?:_(?P<number>\d+))?_assignsubmission_"
    # A text that was typed into Moodle is not a file, but it was handed in.
    r"(?:file|onlinetext)(?:_?/|_)(?P<file_id>.+)"
)
CANVAS = re.compile(
    r"(?:.*?/)??(?P<name>[^/]+?)(?P<late>_LATE)?"
    # Python reads no number of thousands of digits.
    r"_(?P<number>\d+)_(?P<order>\d{1,99})_(?P<file_id>.+)"
)


def find_owner(piece: Piece, platform: str, roster: Roster) -> None:
    """Whose a piece is, and what they called it, by the name that the platform gave."""
    learner, reason, called = None, "", Path(piece.given).name
    rule = {"moodle": MOODLE, "canvas": CANVAS}.get(platform)
    if rule is None:
        learner, reason, called = _owner_plainly(piece.given, roster)
    elif match := rule.fullmatch(piece.given):
        said = match.groupdict()
        learner, reason = roster.find(said["name"], said["number"] or "")
        called = Path(said["file_id"]).name
        piece.order, piece.is_late = int(said.get("order") or 0), bool(said.get("late"))
    elif platform == "canvas" and "anon_" in piece.given:
        reason = "Canvas has made it anonymous"
    else:
        reason = f"{platform.capitalize()} does not name files so"
    piece.learner = learner.id if learner else ""
    piece.problem = piece.problem or reason
    # In a zip a learner may name it at will.
    piece.called = called if piece.name == piece.given else Path(piece.name).name


def _owner_plainly(given: str, roster: Roster) -> tuple[Learner | None, str, str]:
    """A folder or the beginning of the name is a learner's id, or name; or why it is nobody's."""
    *folders, name = given.split("/")
    # A folder counts before what is in it, for learners choose the names of their files. So does
    # the whole name of a zip; then the longest beginning: of ada and ada_b, ada_b_ps3.ipynb is the
    # second's.
    ways = [(folders, name)]
    if name.lower().endswith(".zip"):
        ways.append(([name[:-4]], name))
    ends = [place for place, each in enumerate(name) if each == "_"]
    ways += [([name[:end]], name[end + 1 :]) for end in reversed(ends)]
    for parts, called in ways:
        known = [ids for part in parts if (ids := roster.ids_of(part))]
        if not known:
            continue
        common, every = set.intersection(*known), sorted(set.union(*known))
        if len(common) == 1:
            return roster.learners[common.pop()], "", called
        if len(known) == 1:
            return None, f"{' and '.join(every)} have this name", called
        return None, f"it may be of {' or '.join(every)}", called
    return None, "no folder of it, and no beginning of its name, is a learner's id or name", name


# When something was handed in; nothing is guessed.


def zone_called(name: str | None) -> ZoneInfo | None:
    """A time zone. Raises CommandError."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise CommandError(
            f"there is no time zone {name!r}. Say it as Europe/Berlin or UTC."
        ) from error


def read_time(text: str) -> datetime | None:
    """A time in English, if it is a whole one."""
    from dateutil import parser

    # 01/12/2026 is another day on the other side of an ocean.
    if not re.search(r"[A-Za-z]{3}|^\d{4}-\d\d-\d\d", text):
        return None
    # What a text does not say is taken from the default, so it differs.
    defaults = (datetime(2001, 1, 1, 0), datetime(2002, 2, 2, 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", parser.UnknownTimezoneWarning)
            time, other = (parser.parse(text, default=each) for each in defaults)
    except (ValueError, OverflowError, TypeError, parser.UnknownTimezoneWarning):
        return None
    # nbgrader misreads years of less than four digits, and after 9999 there is none.
    return time if time == other and 1000 <= time.year < 9999 else None
