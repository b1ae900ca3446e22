"""What a page of feedback is made of, and how it puts numbers, times and sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from stridekit_grading import safe_html


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


def breakable(name: str) -> Any:
    """A name that may be broken between its words, where a line is narrow."""
    import markupsafe

    parts = re.split(r"(?<=_)|(?<=[a-z])(?=[A-Z])|(?<=-)", name)
    return markupsafe.Markup("<wbr>").join(parts)


SENTENCE_MOST = 400


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
class GradebookEntry:
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
class WorkBlock:
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
    blocks: list[WorkBlock] = field(default_factory=list)
    is_unwritten: bool = False


@dataclass
class FeedbackSection:
    """A function, or a graded cell that stands for itself."""

    name: str
    slug: str
    is_function: bool
    marks: list[Mark] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    asked: list[WorkBlock] = field(default_factory=list)
    work: list[WorkBlock] = field(default_factory=list)
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
    def blocks(self) -> Iterator[WorkBlock]:
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
