"""Questions that answer back: a try first, then the hint or the reason.

- `ask("03/columns-stride")`: one question of the lessons, by its name.
- `five(3)`: five questions drawn from lesson 3's bank, other ones each time.

Both are widgets, and no answer is graded or kept. That they were asked is: in a notebook of the
course they tell `my_progress` how far somebody has come in a lesson.
"""

from typing import TYPE_CHECKING

from stridekit.questions.draw import by_name, lesson_of, some
from stridekit.records import note_stop

if TYPE_CHECKING:
    from stridekit.questions.widgets import QuestionsBox

__all__ = ["ask", "five"]


def ask(name: str) -> "QuestionsBox":
    """The question of this name, to be answered before one reads on.

    Raises ArgumentError for a name that there is not.

    >>> ask("03/columns-stride").questions[0].answer
    (1, 3)
    """
    from stridekit.questions.widgets import QuestionsBox

    question = by_name(name)
    note_stop(lesson_of(name), "begun")
    return QuestionsBox(lambda: [question])


def five(lesson: int, seed: int | None = None) -> "QuestionsBox":
    """Five questions from a lesson's bank; a button draws others.

    With a `seed` the first five are always the same. Raises ArgumentError for a lesson that
    there is not.

    >>> len(five(3).questions)
    5
    """
    from stridekit.questions.widgets import QuestionsBox

    drawn = some(lesson, 5, seed)
    note_stop(lesson, "end")
    return QuestionsBox(lambda: next(drawn), others=True)
