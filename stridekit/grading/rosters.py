"""Who is who: learners of a course, by the names and numbers that platforms have for them."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stridekit.errors import CommandError

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
            known = self.learners.setdefault(each.id, each)
            known.names |= each.names
            known.number = each.number or known.number
            known.time = each.time or known.time
        for each in self.learners.values():
            other = self._by_number.setdefault(each.number, each)
            if each.number and other is not each:
                raise CommandError(
                    f"{other.id} and {each.id} have the same number, {each.number}. "
                    "Mend the roster."
                )
            for name in each.names:
                self._by_name.setdefault(name, []).append(each)
        self._by_number.pop("", None)

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

    def of_name(self, name: str) -> list[str]:
        """The ids of all that have this name."""
        return sorted(each.id for each in self._by_name.get(key(name), []))

    def by_id(self, name: str) -> Learner | None:
        """Whose id this is."""
        return self.learners.get(name)


def read_roster(path: Path, platform: str, id_column: str | None = None) -> list[Learner]:
    """What a platform exports of a class, as a CSV. Raises CommandError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no text in UTF-8. Save it as CSV UTF-8.") from error
    except OSError as error:
        raise CommandError(f"the roster {path} cannot be read: {error.strerror}.") from error
    # Excel writes, and reads, which character stands between columns.
    said = re.match(r"sep=(.)\r?\n", text)
    body = text[said.end() :] if said else text
    first = body.partition("\n")[0]
    delimiter = said[1] if said else max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    number = 1 + bool(said)
    learners: dict[str, tuple[int, Learner]] = {}
    try:
        header = next(rows, [])
        columns = _Columns(header, platform, id_column)
        for number, row in enumerate(rows, number + 1):  # noqa: B020 - the first row has a number
            learner = columns.learner(dict(zip(header, row, strict=False)))
            if learner is None:
                continue
            before, known = learners.setdefault(learner.id, (number, learner))
            if _is_another(known, learner):
                raise CommandError(
                    f"the roster {path}: rows {before} and {number} both have the id "
                    f"{learner.id!r}. Mend the roster, or name another column: --id-column NAME."
                )
            known.time = learner.time or known.time
            known.number = learner.number or known.number
            known.names |= learner.names
    except csv.Error as error:
        raise CommandError(
            f"the roster {path} is no CSV in row {number + 1} or after it: a quote is not closed, "
            f"or stands where none may be ({error}). Mend it, or export it again."
        ) from error
    except LookupError as error:
        raise CommandError(
            f"the roster {path} has no column {error.args[0]}. It has: {first.strip()[:200]}. "
            "Say which holds the learners' ids: --id-column NAME."
        ) from error
    if not learners:
        raise CommandError(f"the roster {path} names nobody: its column of ids is empty.")
    return [learner for _, learner in learners.values()]


def _is_another(known: Learner, learner: Learner) -> bool:
    """Whether two rows with one id are of two people."""
    pairs = ((known.names, learner.names), (known.number, learner.number))
    return any(one and other and one != other for one, other in pairs)


class _Columns:
    """Which column says what."""

    def __init__(self, header: list[str], platform: str, id_column: str | None) -> None:
        """Raises LookupError where there is none with ids."""
        self._header = header
        # nbgrader's `id` is a learner's, Canvas's `ID` is its own number.
        ids = (id_column,) if id_column else ("id", *IDS[platform])
        self.id = self._first(ids)
        if not self.id:
            raise LookupError(repr(id_column) if id_column else f"of ids ({', '.join(ids)})")
        self.number = self._first(NUMBERS[platform])
        self.name, self.time = self._first(NAMES), self._first(TIMES)
        self.first, self.last = self._first(FIRST), self._first(LAST)

    def _first(self, wanted: Iterable[str]) -> str:
        for each in wanted:
            for title in self._header:
                said = title.strip()
                exact = each in ("id", "ID")
                if said == each or (not exact and said.casefold() == each.casefold()):
                    return title
        return ""

    def learner(self, row: Mapping[str, str | None]) -> Learner | None:
        """The learner of a row; a row without an id is nobody's, such as that of the points."""

        def said(column: str) -> str:
            return (row.get(column) or "").strip() if column else ""

        identity = said(self.id)
        if not identity:
            return None
        # Moodle writes `Participant 1234567`, in the language of who asks.
        number = re.search(r"\d+$", said(self.number))
        return Learner(
            checked_id(identity),
            names_of(said(self.name), said(self.first), said(self.last)),
            number[0] if number else "",
            said(self.time).strip("-"),
        )


def checked_id(text: str) -> str:
    """An id that may be the name of a folder. Raises CommandError."""
    if len(text.encode()) > ID_BYTES_MOST:
        raise CommandError(
            f"an id of a learner has {len(text.encode())} bytes ({text[:20]!r}...), and "
            f"{ID_BYTES_MOST} are the most that the name of a folder may have. "
            "Mend the roster, or name another column: --id-column NAME."
        )
    if text.startswith(".") or not text.isprintable() or re.search(r"[/\\]", text):
        raise CommandError(
            f"{text!r} cannot be the id of a learner: it is to be the name of a folder. "
            "Mend the roster, or name another column: --id-column NAME."
        )
    return text
