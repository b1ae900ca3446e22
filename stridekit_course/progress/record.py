"""What is remembered of a learner, as plain data, and as the text of a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

VERSION = 1
STOPS = ("begun", "end")


class BrokenRecordError(ValueError):
    """A text that is not a record."""


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
    return json.dumps(_as_json(record), indent=1) + "\n"


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
        record = ProgressRecord(
            {int(number): stops for number, stops in data["lessons"].items()},
            {name: Checked(**each) for name, each in data["exercises"].items()},
        )
        if data != _as_json(record) or type(version) is not int or not _is_one(record):
            raise ValueError("not as stridekit writes it")
    except NewerRecordError:
        raise
    # Whatever a text holds: a list for an object, a number beyond all bounds, nesting without end.
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BrokenRecordError(f"this is not a record of progress: {error}") from error
    return record


def _as_json(record: ProgressRecord) -> dict[str, Any]:
    return {
        "version": VERSION,
        "lessons": {str(number): record.lessons[number] for number in sorted(record.lessons)},
        "exercises": {
            name: checked._asdict() for name, checked in sorted(record.exercises.items())
        },
    }


def _is_one(record: ProgressRecord) -> bool:
    """Whether its stops are stops, and its days are days. Raises ValueError where one is none."""
    days = [day for stops in record.lessons.values() for day in stops.values()]
    days += [each.passed for each in record.exercises.values() if each.passed is not None]
    return (
        all(date.fromisoformat(day).isoformat() == day for day in days)
        and all(stops and {*stops} <= {*STOPS} for stops in record.lessons.values())
        and all(
            type(each.passes) is bool and (each.passed is not None or not each.passes)
            for each in record.exercises.values()
        )
    )
