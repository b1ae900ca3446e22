"""What a learner reads on a page of feedback: how it went, why, and the work beside it.

The course's own text is folded, and never comes before what somebody wrote. Of hidden tests there
is nothing but how they ended. How it is put stands in `templates/feedback.html.j2`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from stridekit_grading import safe_html
from stridekit_grading.class_results import TEST, Standing, standing_of
from stridekit_grading.gradebook import is_undecided, noted_in
from stridekit_grading.pages import capital, number, rendered
from stridekit_grading.plans import (
    Cell,
    HiddenBetween,
    grade_id_of,
    joined,
    text_of,
    without,
)
from stridekit_grading.sandbox.outputs import (
    A_HIDDEN_TEST_FAILS,
    error_in,
    in_words,
    why_not_run,
)

BYTES_MOST = 150_000
_TITLES = {"visible": "The test in your notebook", "hidden": "The hidden test"}
_RIGHT = re.compile(r"right on (?:all ([\d,]+) cases|the [\d,]+ cases that)[^\n]*")
_PART = re.compile(r"  (rule|hint|try it): (.*)")
_COUNT = re.compile(r"  \((.*?)(?:; seed -?\d+)?\)")


@dataclass
class WorkBlock:
    """A part of the work; those that are wanted most are the last to be left out."""

    html: Markup
    rank: int
    is_shown: bool = False


@dataclass
class Verdict:
    """How one graded cell ended."""

    title: str
    grade: Any
    is_right: bool
    sentence: str = ""
    parts: list[tuple[str, str]] = field(default_factory=list)
    """The rule, a hint, how to try it."""
    count: str = ""
    rest: str = ""
    blocks: list[WorkBlock] = field(default_factory=list)
    is_hidden: bool = False
    is_unwritten: bool = False


@dataclass
class FeedbackSection:
    """A function, or a graded cell that stands for itself."""

    name: str
    is_function: bool = False
    grades: list[Any] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    asked: list[WorkBlock] = field(default_factory=list)
    work: list[WorkBlock] = field(default_factory=list)
    comments: list[Any] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    broken: str = ""
    is_unanswered: bool = False

    @property
    def score(self) -> float:
        """The points together."""
        return float(sum(each.score for each in self.grades))

    @property
    def most(self) -> float:
        """The points that there are."""
        return float(sum(each.max_score for each in self.grades))

    @property
    def is_open(self) -> bool:
        """Whether a human must look."""
        return any(map(is_undecided, self.grades))

    @property
    def standing(self) -> Standing:
        """How it ended."""
        failed = [each for each in self.verdicts if not each.is_right]
        is_unwritten = self.is_unanswered or any(each.is_unwritten for each in failed)
        points = None if self.is_open else self.score
        return standing_of(points, self.most, is_unwritten, bool(failed))

    @property
    def theirs(self) -> list[WorkBlock]:
        """What of it is the learner's."""
        return [*self.work, *(each for verdict in self.verdicts for each in verdict.blocks)]


class FeedbackPage:
    """A page of feedback, of one notebook."""

    def __init__(
        self,
        row: Any,
        notebook: Mapping[str, Any],
        course: frozenset[str],
        hidden_between: HiddenBetween,
    ) -> None:
        """`row` is what the gradebook says of it: nbgrader's SubmittedNotebook.

        `course` has the texts of cells that the course itself wrote.
        """
        self.row = row
        self.grades = {each.name: each for each in row.grades}
        self._comments = {each.name: each for each in row.comments if each.comment}
        self._course = course
        self._delimiters, self._mark_scheme = hidden_between
        self._noted = noted_in(notebook.get("metadata", {}))
        # Of the whole notebook: what a human is needed for, until one has decided.
        self.reasons: list[str] = []
        self.notes = [safe_html.plain(str(each)) for each in self._noted["notes"]]
        # Without the grader's own note in a notebook that it could not read.
        cells = [each for each in notebook["cells"] if each.get("id") != "not-graded"]
        self._tested = {match[2] for name in self.grades if (match := TEST.fullmatch(name))}
        self._known: dict[str, FeedbackSection] = {}
        self.rest = FeedbackSection("")
        self._add_cells(cells)
        self.sections = [*self._known.values()]
        self._add_reasons()

    def html(self, handed_in: str = "") -> str:
        """The page; what is too long is left out, and that is said. `handed_in` is a time."""
        sections = [*self.sections, self.rest]
        blocks = [each for section in sections for each in (*section.asked, *section.theirs)]
        room = BYTES_MOST - len(self._rendered(handed_in).encode())
        # What tells that something was left out takes its place, too.
        room -= 400 * len(sections)
        for each in sorted(blocks, key=lambda each: each.rank):
            size = len(each.html.encode()) + 2
            each.is_shown = size <= room
            room -= size if each.is_shown else 0
        return self._rendered(handed_in)

    def _rendered(self, handed_in: str) -> str:
        return rendered(
            "feedback.html.j2",
            page=self,
            row=self.row,
            handed_in=handed_in,
            is_undecided=is_undecided,
        )

    @property
    def needs_human(self) -> bool:
        """Whether a part of it is not decided."""
        return any(each.is_open for each in self.sections)

    # The work, in the order of the notebook.

    def _section_of(self, name: str) -> FeedbackSection:
        """The one of a cell: a function stands together with its tests."""
        match = TEST.fullmatch(name)
        key = match[2] if match and name in self.grades else name
        return self._known.setdefault(key, FeedbackSection(key, key in self._tested))

    def _add_cells(self, cells: Sequence[Cell]) -> None:
        waiting: list[Cell] = []
        for cell in cells:
            name = grade_id_of(cell)
            if name not in self.grades and name not in self._tested:
                waiting.append(cell)
                continue
            section = self._section_of(name)
            self._add_around(section, waiting)
            waiting = []
            self._add_graded(section, cell, name)
        there = {*map(grade_id_of, cells)}
        # A cell that is gone has points all the same.
        for name in (each for each in self.grades if each not in there):
            section = self._section_of(name)
            section.grades.append(self.grades[name])
            section.losses.append("Its cell is not in the notebook.")
        self._add_around(self.rest, waiting)
        self.rest.asked = []

    def _add_around(self, section: FeedbackSection, cells: Sequence[Cell]) -> None:
        """The course's own text, folded; and what a learner has added to it."""
        asked: list[WorkBlock] = []
        for cell in cells:
            source, kind = without(text_of(cell), *self._delimiters), cell["cell_type"]
            self._add_comment(section, cell)
            if not self._is_course(cell):
                self._add_work(section, cell)
            elif source.strip():
                if kind == "markdown" and source.startswith("#") and not section.grades:
                    # What introduces the whole assignment is not part of its first exercise.
                    asked = []
                shown = safe_html.code(source) if kind == "code" else safe_html.markdown(source)
                asked.append(WorkBlock(shown, 6))
        section.asked += asked

    def _is_course(self, cell: Cell) -> bool:
        said = cell["metadata"].get("nbgrader", {})
        is_locked = said.get("locked") and not said.get("solution")
        return bool(is_locked or text_of(cell).strip() in self._course)

    def _add_work(self, section: FeedbackSection, cell: Cell, rank: int = 3) -> None:
        """What a learner wrote, and what came of it."""
        source, kind = text_of(cell), cell["cell_type"]
        if source.strip():
            shown = safe_html.code(source) if kind == "code" else safe_html.text(source)
            if kind == "markdown":
                note = safe_html.markdown(source, cell.get("attachments"))
                shown = Markup('<div class="theirs note">{}</div>').format(note)
            section.work.append(WorkBlock(shown, rank))
        section.work += _outputs(cell, is_test=False)

    def _add_graded(self, section: FeedbackSection, cell: Cell, name: str) -> None:
        said = cell["metadata"]["nbgrader"]
        grade = self.grades.get(name)
        if grade is not None:
            section.grades.append(grade)
        if said.get("task"):
            # Without the notes for those who grade it.
            asked = without(text_of(cell), *self._mark_scheme)
            section.asked.append(WorkBlock(safe_html.markdown(asked), 6))
        elif said.get("solution"):
            self._add_work(section, cell, rank=2)
            if error := error_in(cell.get("outputs", [])):
                section.broken = f"Its cell {why_not_run(error)}"
        elif grade is not None:
            verdict = self._verdict_of(cell, name, grade)
            if section.broken and f"name '{section.name}' is not defined" in verdict.sentence:
                # That there is no such name is what came of it.
                verdict.sentence = safe_html.plain(section.broken)
            section.verdicts.append(verdict)
        self._add_comment(section, cell)

    def _add_comment(self, section: FeedbackSection, cell: Cell) -> None:
        """What somebody has said of a cell, be it graded by itself or by its tests."""
        name = grade_id_of(cell)
        comment = self._comments.get(name)
        if comment is not None and comment.comment.strip():
            # An answer that nbgrader found untouched.
            untouched = comment.manual_comment is None and comment.comment == "No response."
            section.is_unanswered |= untouched and name in self.grades
            section.comments.append(comment)

    def _add_reasons(self) -> None:
        """Why points are missing for a reason other than a wrong answer."""
        for reason in (safe_html.plain(str(each)) for each in self._noted["reasons"]):
            name, _, loss = reason.partition(": ")
            if name in self.grades:
                self._section_of(name).losses.append(_sentence(loss))
            else:
                self.reasons.append(_sentence(reason))
        for section in self.sections:
            section.losses = [*dict.fromkeys(section.losses)]

    # How a test ended.

    def _verdict_of(self, cell: Cell, name: str, grade: Any) -> Verdict:
        """How a test ended, with nothing of what is hidden in it."""
        match = TEST.fullmatch(name)
        kind = match[3] if match else ""
        source = without(text_of(cell), *self._delimiters)
        outputs = cell.get("outputs", [])
        errors = [each for each in outputs if each.get("output_type") == "error"]
        verdict = Verdict(_TITLES.get(kind, f"Test {name}"), grade, grade.score >= grade.max_score)
        verdict.is_hidden = kind == "hidden"
        # Our own grader lets no output say what is hidden; that of a kernel may.
        tells = source == text_of(cell) or bool(self._noted["key"])
        if is_undecided(grade) and not errors and not grade.score:
            verdict.is_right = False
            verdict.sentence = "Needs a human: no machine could decide it."
            return verdict
        if errors:
            verdict.is_right = False
            verdict.sentence = "A hidden test fails."
            if tells:
                _tell(verdict, errors[0])
        elif grade.manual_score is not None:
            verdict.sentence = "Graded by hand."
        elif verdict.is_right:
            told = (joined(each.get("text", "")) for each in outputs)
            said = next(filter(None, map(_RIGHT.search, told)), None)
            verdict.sentence = f"Your function is {said[0]}" if said else "Passed."
        else:
            points = f"{number(grade.score)} of {number(grade.max_score)}" if grade.score else "no"
            verdict.sentence = f"It gives {points} points."
        if not verdict.is_right and tells:
            verdict.blocks += _outputs(cell, is_test=True)
        if not match and not verdict.is_right and source.strip():
            verdict.blocks.insert(0, WorkBlock(safe_html.code(source.strip()), 3))
        return verdict


def _outputs(cell: Cell, *, is_test: bool) -> list[WorkBlock]:
    """What came of a cell; of a test without what it has said already."""
    rank, outputs = 3 if is_test else 5, cell.get("outputs", [])
    if is_test:
        outputs = [each for each in outputs if each.get("output_type") != "error"]
    return [
        # Of a test, words are wanted more than pictures.
        WorkBlock(Markup(shown), rank + (is_test and "<img" in shown))
        for shown in map(safe_html.output, outputs)
        if shown
    ]


def _tell(verdict: Verdict, error: Mapping[str, Any]) -> None:
    """What a failing test says."""
    name, said = str(error.get("ename", "")), safe_html.plain(str(error.get("evalue", "")))
    if name == "CheckFailed":
        _take_apart(verdict, said)
        verdict.is_unwritten = "is not written yet" in verdict.sentence
        return
    if said == A_HIDDEN_TEST_FAILS:
        return
    first = in_words(name, said.strip())
    verdict.is_unwritten = name == "NotImplementedError"
    verdict.sentence = first.split("\n")[0]
    way = safe_html.trace(error)
    if way.strip() != first:
        verdict.blocks.append(WorkBlock(safe_html.text(way), 3))


def _take_apart(verdict: Verdict, said: str) -> None:
    """What a check says: the counterexample, the rule, a hint, how to try it, how often."""
    verdict.sentence, *lines = said.split("\n")
    rest: list[str] = []
    for line in lines:
        part, count = _PART.fullmatch(line), _COUNT.fullmatch(line)
        if part and not rest:
            verdict.parts.append((part[1], part[2] if part[1] == "try it" else capital(part[2])))
        elif count and not rest:
            verdict.count = _sentence(count[1])
        else:
            rest.append(line)
    verdict.rest = safe_html.shortened("\n".join(rest).strip("\n"), safe_html.TEXT_MOST, "this")


def _sentence(text: str) -> str:
    """With a capital, unless it begins with a name, and a full stop."""
    first = capital(text.strip())
    return first if first.endswith((".", "!", "?")) else f"{first}."
