"""What is remembered of a learner, as plain data, and as the text of a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

VERSION = 1
STOPS = ("begun", "end")


class BrokenRecordError(ValueError):
    """A text that is no record."""


class NewerRecordError(ValueError):
    """A record of a stridekit to come."""


class Checked(NamedTuple):
    """An exercise: when its check was last passed, if ever, and whether the last check was."""

    passed: str | None
    passes: bool


@dataclass(frozen=True, slots=True)
class ProgressRecord:
    """The stops of lessons by number, with the day of the last visit; and exercises by name.

    Days are texts such as 2026-11-22.

    >>> monday = ProgressRecord().reached(3, "begun", day="2026-11-23")
    >>> monday.lessons
    {3: {'begun': '2026-11-23'}}
    >>> read(spelled(monday)) == monday
    True
    """

    lessons: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    exercises: Mapping[str, Checked] = field(default_factory=dict)

    def reached(self, lesson: int, stop: str, *, day: str = "") -> "ProgressRecord":
        """The same, and this stop of this lesson was reached, today or on another day."""
        stops = {**self.lessons.get(lesson, {}), stop: day or today()}
        return replace(self, lessons={**self.lessons, lesson: stops})

    def checked(self, exercise: str, *, passes: bool, day: str = "") -> "ProgressRecord":
        """The same, and this exercise was checked. That it once passed is not forgotten."""
        before = self.exercises.get(exercise, Checked(None, False))
        now = Checked((day or today()) if passes else before.passed, passes)
        return replace(self, exercises={**self.exercises, exercise: now})


def today() -> str:
    """The day it is where the learner is."""
    return date.today().isoformat()


def spelled(record: ProgressRecord) -> str:
    """A record as the text of a file, which somebody can read."""
    as_json = {
        "version": VERSION,
        "lessons": {str(number): record.lessons[number] for number in sorted(record.lessons)},
        "exercises": {
            name: {"passed": checked.passed, "passes": checked.passes}
            for name, checked in sorted(record.exercises.items())
        },
    }
    return json.dumps(as_json, indent=1) + "\n"


def read(text: str) -> ProgressRecord:
    """The record that a text spells.

    Raises NewerRecordError for one of a later version, and BrokenRecordError for everything else
    that `spelled` does not write: what is not understood must not be written over.
    """
    try:
        data = json.loads(text)
        version = data["version"]
        if type(version) is int and version > VERSION:
            raise NewerRecordError(f"version {version}; this stridekit knows {VERSION}")
        _want(type(version) is int and version == VERSION, "version")
        _want(set(data) == {"version", "lessons", "exercises"}, "keys")
        lessons = {_number(key): _stops(stops) for key, stops in data["lessons"].items()}
        exercises = {name: _checked(each) for name, each in data["exercises"].items()}
    except NewerRecordError:
        raise
    # Whatever a text holds: a list for an object, a number beyond all bounds, nesting without end.
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BrokenRecordError(f"this is no record of progress: {error}") from error
    return ProgressRecord(lessons, exercises)


def _want(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"not as stridekit writes it: {what}")


def _number(key: str) -> int:
    number = int(key)
    _want(str(number) == key, "the number of a lesson")
    return number


def _stops(stops: Any) -> dict[str, str]:
    _want(bool(stops) and set(stops) <= set(STOPS), "the stops of a lesson")
    return {stop: _day(stops[stop]) for stop in STOPS if stop in stops}


def _checked(each: Any) -> Checked:
    _want(set(each) == {"passed", "passes"}, "an exercise")
    passed, passes = each["passed"], each["passes"]
    _want(type(passes) is bool and not (passes and passed is None), "an exercise")
    return Checked(None if passed is None else _day(passed), passes)


def _day(text: Any) -> str:
    _want(type(text) is str and date.fromisoformat(text).isoformat() == text, "a day")
    day: str = text
    return day
