"""What a learner reads on a page of feedback: how it went, why, and the work beside it.

The course's own text is folded, and never comes before what somebody wrote. Of hidden tests there
is nothing but how they ended.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from stridekit_grading import safe_html
from stridekit_grading.feedback_sections import (
    FeedbackSection,
    GradebookEntry,
    WorkBlock,
    breakable,
    duration,
    number,
    sentence,
)
from stridekit_grading.feedback_verdicts import (
    TEST,
    Cell,
    code_block,
    verdict_of,
    without,
    without_scheme,
)
from stridekit_grading.plans import grade_id_of, text_of

BYTES_MOST = 150_000
_TEMPLATES = Path(__file__).with_name("templates")


class FeedbackPage:
    """A page of feedback, of one notebook."""

    def __init__(
        self,
        entry: GradebookEntry,
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

    def _sections_of(self, cells: Sequence[Cell]) -> tuple[list[FeedbackSection], FeedbackSection]:
        names = [grade_id_of(each) for each in cells]
        tested = {match[1] for name in self.entry.marks if (match := TEST.fullmatch(name))}
        keys = []
        for name in names:
            match = TEST.fullmatch(name)
            if name in self.entry.marks:
                keys.append(match[1] if match else name)
            else:
                keys.append(name if name in tested else "")
        sections: dict[str, FeedbackSection] = {}
        waiting: list[Cell] = []
        for cell, name, key in zip(cells, names, keys, strict=True):
            if not key:
                waiting.append(cell)
                continue
            if key not in sections:
                slug = re.sub(r"[^A-Za-z0-9_-]+", "-", key)[:60]
                sections[key] = FeedbackSection(key, f"{slug}-{len(sections) + 1}", key in tested)
            section = sections[key]
            self._add_around(section, waiting)
            waiting = []
            self._add_graded(section, cell, name)
        # A cell that is gone has points all the same.
        for name, mark in self.entry.marks.items():
            if name not in names:
                match = TEST.fullmatch(name)
                key = match[1] if match else name
                slug = f"{re.sub(r'[^A-Za-z0-9_-]+', '-', key)[:60]}-{len(sections) + 1}"
                section = sections.setdefault(key, FeedbackSection(key, slug, key in tested))
                section.marks.append(mark)
                section.losses.append("Its cell is not in the notebook.")
        rest = FeedbackSection("", "rest", is_function=False)
        self._add_around(rest, waiting)
        rest.asked = []
        return [*sections.values()], rest

    def _add_around(self, section: FeedbackSection, cells: Sequence[Cell]) -> None:
        """The course's own text, folded; and what a learner has added to it."""
        first = 0
        if not section.marks:
            heads = [
                place
                for place, cell in enumerate(cells)
                if self._is_course(cell) and text_of(cell).startswith("#")
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
        return bool(is_locked or text_of(cell).strip() in self._course)

    def _asked(self, cell: Cell) -> list[WorkBlock]:
        source = without(text_of(cell), *self._delimiters)
        if not source.strip():
            return []
        if cell["cell_type"] == "code":
            return [WorkBlock(code_block(source, self._language), 6)]
        return [WorkBlock(safe_html.markdown(source), 6)]

    def _add_work(self, section: FeedbackSection, cell: Cell, rank: int = 3) -> None:
        """What a learner wrote, and what came of it."""
        source = text_of(cell)
        if source.strip():
            if cell["cell_type"] == "markdown":
                shown = safe_html.markdown(source, cell.get("attachments"))
                section.work.append(WorkBlock(f'<div class="theirs note">{shown}</div>', rank))
            elif cell["cell_type"] == "code":
                section.work.append(WorkBlock(code_block(source, self._language), rank))
            else:
                section.work.append(WorkBlock(safe_html.text(source), rank))
        for each in cell.get("outputs", []):
            shown = safe_html.output(each)
            if shown:
                section.work.append(WorkBlock(shown, 5))

    def _add_graded(self, section: FeedbackSection, cell: Cell, name: str) -> None:
        said = cell["metadata"]["nbgrader"]
        mark = self.entry.marks.get(name)
        if mark is not None:
            section.marks.append(mark)
        if said.get("task"):
            section.asked.append(WorkBlock(safe_html.markdown(without_scheme(text_of(cell))), 6))
        elif said.get("solution"):
            self._add_work(section, cell, rank=2)
        elif mark is not None:
            section.verdicts.append(verdict_of(cell, name, mark, self._delimiters, self._language))
        comment = self.entry.comments.get(name)
        if comment is not None and comment.text.strip():
            # An answer that nbgrader found untouched.
            untouched = not comment.is_by_hand and comment.text == "No response."
            section.is_unanswered |= untouched and mark is not None
            section.has_words_by_hand |= comment.is_by_hand
            by = "Comment from your instructor" if comment.is_by_hand else "Comment"
            section.comments.append((by, safe_html.markdown(comment.text)))

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

    def _names_of(self, section: FeedbackSection) -> list[str]:
        kinds = [f"test-{section.name}-{kind}" for kind in ("visible", "hidden")]
        return kinds if section.is_function else [section.name]


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
    environment.filters["breakable"] = breakable
    return environment.get_template("feedback.html.j2")
