"""What a learner's own course folder remembers: lessons that were run, exercises that pass.

It stands in one hidden file there, and nowhere else. Only a notebook of the course that somebody
runs, cell by cell or all at once, writes to it: no grader, no export, no test, no script.
"""

from stridekit.records.files import Change, Shelf
from stridekit.records.whereabouts import course_folder

__all__ = ["note_check", "note_stop"]


def note_stop(lesson: int, stop: str) -> None:
    """A learner has come to a stop of a lesson: its "begun" or its "end".

    Does nothing where nothing is to be kept, and never raises.

    >>> note_stop(3, "begun")  # in a script
    """
    _note(lambda record: record.reached(lesson, stop))


def note_check(exercise: str, *, passes: bool) -> None:
    """A learner's function passes the check of that exercise, or does not.

    Does nothing where nothing is to be kept, and never raises.
    """
    _note(lambda record: record.checked(exercise, passes=passes))


def _note(change: Change) -> None:
    folder = course_folder()
    if folder is not None:
        Shelf(folder).change(change)
