"""What a learner reads on a page of feedback: how it went, why, and the work beside it.

The course's own text is folded, and never comes before what somebody wrote. Of hidden tests there
is nothing but how they ended.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from stridekit.grading import safe_html

BYTES_MOST = 150_000
SENTENCE_MOST = 400
_TEMPLATES = Path(__file__).with_name("templates")
_TEST = re.compile(r"test-(.+)-(visible|hidden)")
_RIGHT = re.compile(r"right on (?:all ([\d,]+) cases|the one case)[^\n]*")
_SEED = re.compile(r"(?:[;,]\s*|\b)seed[ =]\s*-?\d+\b", re.IGNORECASE)
_PART = re.compile(r"  (rule|hint|try it): (.*)")
_COUNT = re.compile(r"  \((.*)\)")
Cell = dict[str, Any]


@dataclass(frozen=True)
class Mark:
    """What the gradebook says of one graded cell."""

    score: float
    most: float
    is_by_hand: bool = False
    extra: float = 0.0
    is_open: bool = False
    """Whether there are no points yet."""
    is_doubtful: bool = False
    """Whether a human must look, whatever the points are."""

    @property
    def needs_human(self) -> bool:
        """Whether somebody has to decide."""
        return self.is_open or self.is_doubtful


@dataclass(frozen=True)
class Comment:
    """What was said of a cell: by the instructor, or by nbgrader."""

    text: str
    is_by_hand: bool


@dataclass
class Entry:
    """What the gradebook says of one notebook of a submission."""

    learner: str
    name: str
    assignment: str
    notebook: str
    handed_in: str = ""
    seconds_late: float | None = None
    """None where nothing was due."""
    score: float = 0.0
    most: float = 0.0
    penalty: float = 0.0
    whole: tuple[float, float] | None = None
    """Points of the whole assignment, where it has more notebooks than this one."""
    marks: dict[str, Mark] = field(default_factory=dict)
    comments: dict[str, Comment] = field(default_factory=dict)


@dataclass
class Block:
    """A part of the work; those that are wanted most are the last to be left out."""

    html: str
    rank: int
    is_shown: bool = True


@dataclass
class Verdict:
    """How one graded cell ended."""

    title: str
    points: str
    is_right: bool
    sentence: str = ""
    parts: list[tuple[str, str]] = field(default_factory=list)
    """The rule, a hint, how to try it."""
    count: str = ""
    rest: str = ""
    is_hidden: bool = False
    blocks: list[Block] = field(default_factory=list)
    is_unwritten: bool = False


@dataclass
class Section:
    """A function, or a graded cell that stands for itself."""

    name: str
    slug: str
    is_function: bool
    marks: list[Mark] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    asked: list[Block] = field(default_factory=list)
    work: list[Block] = field(default_factory=list)
    comments: list[tuple[str, str]] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    is_unanswered: bool = False
    has_words_by_hand: bool = False

    @property
    def score(self) -> float:
        """The points together."""
        return sum(each.score for each in self.marks)

    @property
    def most(self) -> float:
        """The points that there are."""
        return sum(each.most for each in self.marks)

    @property
    def points(self) -> str:
        """The points in words."""
        return f"? / {number(self.most)}" if self.is_open else of(self.score, self.most)

    @property
    def is_open(self) -> bool:
        """Whether a human must look."""
        return any(each.needs_human for each in self.marks)

    @property
    def status(self) -> str:
        """How it ended, for people and for the style sheet."""
        if self.is_open:
            return "needs a human"
        failed = [each for each in self.verdicts if not each.is_right]
        if (self.most and self.score >= self.most) or not (self.most or failed):
            return "right"
        if self.is_unanswered or any(each.is_unwritten for each in failed):
            return "not written"
        return "partly right" if self.score else "wrong"

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        sentences = []
        if self.is_open:
            sentences.append("The points are not decided yet.")
        elif any(each.is_by_hand for each in self.marks):
            sentences.append("Graded by hand.")
        failed = [each for each in self.verdicts if not each.is_right]
        shown = [each for each in failed if not each.is_hidden] or failed
        if self.losses:
            sentences += self.losses[:1]
        elif shown and self.status in ("partly right", "wrong"):
            sentences.append(shown[0].sentence)
        extra = sum(each.extra for each in self.marks)
        if extra:
            sentences.append(f"With {number(extra)} of extra credit.")
        if self.has_words_by_hand:
            sentences.append("There is a comment.")
        return " ".join(safe_html.shortened(each, SENTENCE_MOST, "this") for each in sentences)

    @property
    def blocks(self) -> Iterator[Block]:
        """All that may be left out."""
        yield from self.asked
        yield from self.work
        for verdict in self.verdicts:
            yield from verdict.blocks

    @property
    def has_cuts(self) -> bool:
        """Whether something of the learner's was left out."""
        verdicts = (each for verdict in self.verdicts for each in verdict.blocks)
        return not all(each.is_shown for each in (*self.work, *verdicts))


class Page:
    """A page of feedback, of one notebook."""

    def __init__(
        self,
        entry: Entry,
        notebook: Mapping[str, Any],
        course: frozenset[str] = frozenset(),
        delimiters: tuple[str, str] = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS"),
    ) -> None:
        """`course` has the texts of cells that the course itself wrote."""
        self.entry = entry
        self._course, self._delimiters = course, delimiters
        metadata = notebook.get("metadata", {})
        self._language = str(
            metadata.get("language_info", {}).get("name")
            or metadata.get("kernelspec", {}).get("language")
            or "python"
        )
        self._said = metadata.get("stridekit", {})
        if not isinstance(self._said, dict):
            self._said = {}
        self.reasons: list[str] = []
        self.notes = [safe_html.plain(str(each)) for each in self._said.get("notes", [])]
        cells = [each for each in notebook["cells"] if not self._is_stand_in(each)]
        self.sections, self.rest = self._sections_of(cells)
        self._add_reasons()

    def html(self) -> str:
        """The page; what is too long is left out, and that is said."""
        blocks = [each for section in (*self.sections, self.rest) for each in section.blocks]
        for each in blocks:
            each.is_shown = False
        room = BYTES_MOST - len(self._rendered().encode())
        # What tells that something was left out takes its place, too.
        room -= 400 * (1 + len(self.sections))
        for each in sorted(blocks, key=lambda each: each.rank):
            size = len(each.html.encode()) + 2
            each.is_shown = size <= room
            room -= size if each.is_shown else 0
        return self._rendered()

    def _rendered(self) -> str:
        return str(_template().render(page=self, entry=self.entry))

    # What stands on top.

    @property
    def needs_human(self) -> bool:
        """Whether a part of it is not decided."""
        return any(each.is_open for each in self.sections)

    @property
    def points(self) -> str:
        """What was reached, after what lateness costs."""
        return number(self.entry.score - self.entry.penalty)

    @property
    def late(self) -> str:
        """How late it came, in words."""
        seconds = self.entry.seconds_late
        if seconds is None:
            return "nothing was due"
        return f"{duration(seconds)} late" if seconds > 0 else "on time"

    @property
    def is_all_functions(self) -> bool:
        """Whether each line of the table is a function."""
        return all(each.is_function for each in self.sections)

    @property
    def extra(self) -> float:
        """All extra credit together."""
        return sum(each.extra for each in self.entry.marks.values())

    @property
    def summary(self) -> str:
        """How it went, in a sentence."""
        count = len(self.sections)
        if not count:
            return "Nothing in this notebook is graded."
        things = "function" if self.is_all_functions else "part"
        right = sum(each.status == "right" for each in self.sections)
        if right == count:
            return f"All {count} {things}s are right." if count > 1 else f"The {things} is right."
        waiting = sum(each.is_open for each in self.sections)
        if waiting:
            return f"{right} of {count} {things}s right, {waiting} not decided yet."
        if not right:
            return f"None of the {count} {things}s is right yet." if count > 1 else ""
        return f"{right} of {count} {things}s {'is' if right == 1 else 'are'} right."

    # The work, in the order of the notebook.

    def _is_stand_in(self, cell: Cell) -> bool:
        """The grader's own note in a notebook that it could not read."""
        return cell.get("id") == "not-graded" and self._said.get("status") == "needs a human"

    def _sections_of(self, cells: Sequence[Cell]) -> tuple[list[Section], Section]:
        names = [_grade_id(each) for each in cells]
        tested = {match[1] for name in self.entry.marks if (match := _TEST.fullmatch(name))}
        keys = []
        for name in names:
            match = _TEST.fullmatch(name)
            if name in self.entry.marks:
                keys.append(match[1] if match else name)
            else:
                keys.append(name if name in tested else "")
        sections: dict[str, Section] = {}
        waiting: list[Cell] = []
        for cell, name, key in zip(cells, names, keys, strict=True):
            if not key:
                waiting.append(cell)
                continue
            if key not in sections:
                slug = re.sub(r"[^A-Za-z0-9_-]+", "-", key)[:60]
                sections[key] = Section(key, f"{slug}-{len(sections) + 1}", key in tested)
            section = sections[key]
            self._add_around(section, waiting)
            waiting = []
            self._add_graded(section, cell, name)
        # A cell that is gone has points all the same.
        for name, mark in self.entry.marks.items():
            if name not in names:
                match = _TEST.fullmatch(name)
                key = match[1] if match else name
                slug = f"{re.sub(r'[^A-Za-z0-9_-]+', '-', key)[:60]}-{len(sections) + 1}"
                section = sections.setdefault(key, Section(key, slug, key in tested))
                section.marks.append(mark)
                section.losses.append("Its cell is not in the notebook.")
        rest = Section("", "rest", is_function=False)
        self._add_around(rest, waiting)
        rest.asked = []
        return [*sections.values()], rest

    def _add_around(self, section: Section, cells: Sequence[Cell]) -> None:
        """The course's own text, folded; and what a learner has added to it."""
        first = 0
        if not section.marks:
            heads = [
                place
                for place, cell in enumerate(cells)
                if self._is_course(cell) and _source(cell).startswith("#")
                if cell["cell_type"] == "markdown"
            ]
            # What introduces the whole assignment is no part of its first exercise.
            first = heads[-1] if heads else 0
        for place, cell in enumerate(cells):
            if self._is_course(cell):
                if place >= first:
                    section.asked += self._asked(cell)
            else:
                self._add_work(section, cell)

    def _is_course(self, cell: Cell) -> bool:
        said = cell["metadata"].get("nbgrader", {})
        is_locked = said.get("locked") and not said.get("solution")
        return bool(is_locked or _source(cell).strip() in self._course)

    def _asked(self, cell: Cell) -> list[Block]:
        source = _without(_source(cell), *self._delimiters)
        if not source.strip():
            return []
        if cell["cell_type"] == "code":
            return [Block(self._code(source), 6)]
        return [Block(safe_html.markdown(source), 6)]

    def _code(self, source: str) -> str:
        return (
            '<pre class="code" tabindex="0"><code>'
            f"{safe_html.code(source, self._language)}</code></pre>"
        )

    def _add_work(self, section: Section, cell: Cell, rank: int = 3) -> None:
        """What a learner wrote, and what came of it."""
        source = _source(cell)
        if source.strip():
            if cell["cell_type"] == "markdown":
                shown = safe_html.markdown(source, cell.get("attachments"))
                section.work.append(Block(f'<div class="theirs note">{shown}</div>', rank))
            elif cell["cell_type"] == "code":
                section.work.append(Block(self._code(source), rank))
            else:
                section.work.append(Block(safe_html.text(source), rank))
        for each in cell.get("outputs", []):
            shown = safe_html.output(each)
            if shown:
                section.work.append(Block(shown, 5))

    def _add_graded(self, section: Section, cell: Cell, name: str) -> None:
        said = cell["metadata"]["nbgrader"]
        mark = self.entry.marks.get(name)
        if mark is not None:
            section.marks.append(mark)
        if said.get("task"):
            section.asked.append(Block(safe_html.markdown(_without_scheme(_source(cell))), 6))
        elif said.get("solution"):
            self._add_work(section, cell, rank=2)
        elif mark is not None:
            section.verdicts.append(self._verdict(cell, name, mark))
        comment = self.entry.comments.get(name)
        if comment is not None and comment.text.strip():
            # An answer that nbgrader found untouched.
            untouched = not comment.is_by_hand and comment.text == "No response."
            section.is_unanswered |= untouched and mark is not None
            section.has_words_by_hand |= comment.is_by_hand
            by = "Comment from your instructor" if comment.is_by_hand else "Comment"
            section.comments.append((by, safe_html.markdown(comment.text)))

    def _verdict(self, cell: Cell, name: str, mark: Mark) -> Verdict:
        """How a test ended, with nothing of what is hidden in it."""
        match = _TEST.fullmatch(name)
        hidden = _hidden_lines(_source(cell), *self._delimiters)
        kind = match[2] if match else ""
        verdict = Verdict(
            {"visible": "The test in your notebook", "hidden": "The hidden test"}.get(kind)
            or f"Test {name}",
            "?" if mark.needs_human else of(mark.score, mark.most),
            is_right=mark.score >= mark.most,
            is_hidden=kind == "hidden",
        )
        outputs = cell.get("outputs", [])
        errors = [each for each in outputs if each.get("output_type") == "error"]
        if mark.is_open:
            verdict.is_right = False
            verdict.sentence = "Needs a human: no machine could decide it."
            return verdict
        if errors:
            verdict.is_right = False
            self._tell(verdict, errors[0], hidden)
        elif mark.is_by_hand:
            verdict.sentence = "Graded by hand."
        elif verdict.is_right:
            said = next((_RIGHT.search(each.get("text", "")) for each in outputs), None)
            verdict.sentence = f"Your function is {said[0]}" if said else "Passed."
        elif mark.score < mark.most:
            verdict.sentence = (
                f"It gives {number(mark.score)} of {number(mark.most)} points."
                if mark.score
                else "It gives no points."
            )
        if not verdict.is_right and not hidden:
            for each in outputs:
                shown = "" if each in errors else safe_html.output(each)
                if shown:
                    verdict.blocks.append(Block(shown, 4 if "<img" in shown else 3))
        if not match and not verdict.is_right:
            source = _without(_source(cell), *self._delimiters).strip()
            if source:
                verdict.blocks.insert(0, Block(self._code(source), 3))
        return verdict

    def _tell(self, verdict: Verdict, error: Mapping[str, Any], hidden: set[int]) -> None:
        """What a failing test says."""
        name, said = str(error.get("ename", "")), safe_html.plain(str(error.get("evalue", "")))
        if name == "CheckFailed":
            # What is hidden, it has veiled itself.
            _take_apart(verdict, said)
            verdict.is_unwritten = "is not written yet" in verdict.sentence
            return
        first = said.strip() or name
        if not first.startswith(name):
            first = f"{name}: {first}"
        verdict.is_unwritten = name == "NotImplementedError"
        if hidden:
            line = _line_of(error)
            verdict.sentence = "A hidden test fails."
            if line is not None and line not in hidden:
                verdict.sentence = first.split("\n")[0]
            elif re.fullmatch(r"NameError: name '\w+' is not defined", first):
                verdict.sentence = first
            return
        verdict.sentence = first.split("\n")[0]
        way = safe_html.trace(error)
        if way.strip() != first:
            verdict.blocks.append(Block(safe_html.text(way), 3))

    def _add_reasons(self) -> None:
        """Why points are missing for another reason than a wrong answer."""
        owners = {name: section for section in self.sections for name in self._names_of(section)}
        reasons = self._said.get("reasons", [])
        for each in map(str, reasons if isinstance(reasons, list) else []):
            reason = safe_html.plain(each)
            name = next(
                (name for name in owners if re.match(re.escape(name) + r"[: ]", reason)), ""
            )
            if not name:
                self.reasons.append(sentence(reason))
                continue
            rest = reason[len(name) :].lstrip(": ")
            if rest != "cannot be decided by a machine":
                owners[name].losses.append(sentence(rest))
        for section in self.sections:
            section.losses = [*dict.fromkeys(section.losses)]
        if not self.needs_human and self._said.get("status") == "needs a human":
            # A human has looked.
            self.reasons = []

    def _names_of(self, section: Section) -> list[str]:
        kinds = [f"test-{section.name}-{kind}" for kind in ("visible", "hidden")]
        return kinds if section.is_function else [section.name]


def number(points: float) -> str:
    """Points as nbgrader shows them, without zeros at the end.

    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    return f"{round(points, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def of(score: float, most: float) -> str:
    """Points out of those that there are."""
    return f"{number(score)} / {number(most)}"


def duration(seconds: float) -> str:
    """A time in the two largest units that say something.

    >>> duration(90), duration(3 * 86400 + 7200 + 60), duration(20)
    ('1 minute', '3 days 2 hours', 'less than a minute')
    """
    left = timedelta(seconds=seconds)
    units = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)))
    told = []
    for unit, length in (*units, ("minute", timedelta(minutes=1))):
        count, left = divmod(left, length)
        if count:
            told.append(f"{count} {unit}{'s' * (count > 1)}")
    return " ".join(told[:2]) or "less than a minute"


def sentence(text: str) -> str:
    """With a capital, unless it begins with a name, and a full stop."""
    text = text.strip()
    first = capital(text)
    return first if first.endswith((".", "!", "?")) else f"{first}."


def capital(text: str) -> str:
    """With a capital, unless it begins with what may be a name.

    >>> capital("this is it"), capital("t is it"), capital("is_dense is it")
    ('This is it', 't is it', 'is_dense is it')
    """
    return text[:1].upper() + text[1:] if re.match(r"[a-z]{3,} ", text) else text


def _take_apart(verdict: Verdict, said: str) -> None:
    """What a check says: the counterexample, the rule, a hint, how to try it, how often."""
    lines = said.split("\n")
    rest: list[str] = []
    verdict.sentence = _SEED.sub("", lines[0])
    for line in lines[1:]:
        part, count = _PART.fullmatch(line), _COUNT.fullmatch(line)
        if part and not rest:
            verdict.parts.append((part[1], part[2] if part[1] == "try it" else capital(part[2])))
        elif count and not rest:
            verdict.count = sentence(_SEED.sub("", count[1]))
        else:
            rest.append(line)
    verdict.rest = safe_html.shortened("\n".join(rest).strip("\n"), safe_html.TEXT_MOST, "this")


def _grade_id(cell: Cell) -> str:
    said = cell["metadata"].get("nbgrader", {})
    return str(said.get("grade_id", "")) if isinstance(said, dict) else ""


def _source(cell: Cell) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _hidden_lines(source: str, begin: str, end: str) -> set[int]:
    """The numbers of the lines that learners must not see."""
    hidden, inside = set(), False
    for place, line in enumerate(source.split("\n"), 1):
        inside = inside or begin in line
        if inside:
            hidden.add(place)
        if end in line:
            # Without a beginning, too.
            hidden.add(place)
            inside = False
    return hidden


def _without(source: str, begin: str, end: str) -> str:
    """A test without what is hidden in it."""
    hidden = _hidden_lines(source, begin, end)
    return "\n".join(
        line for place, line in enumerate(source.split("\n"), 1) if place not in hidden
    )


def _without_scheme(source: str) -> str:
    """A task without the notes for those who grade it."""
    return _without(source, "BEGIN MARK SCHEME", "END MARK SCHEME")


def _line_of(error: Mapping[str, Any]) -> int | None:
    """The line of the test cell that failed, as this engine tells it, or as a kernel does."""
    told = safe_html.plain("\n".join(map(str, error.get("traceback", []))))
    found = re.search(r"^in line (\d+) of this cell", told) or re.search(
        r"^(?:Cell )?In ?\[\d+\](?:, line |:)(\d+)", told, re.MULTILINE
    )
    return int(found[1]) if found else None


@cache
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["breakable"] = _breakable
    return environment.get_template("feedback.html.j2")


def _breakable(name: str) -> Any:
    """A name that may be broken between its words, where a line is narrow."""
    import markupsafe

    parts = re.split(r"(?<=_)|(?<=[a-z])(?=[A-Z])|(?<=-)", name)
    return markupsafe.Markup("<wbr>").join(parts)
