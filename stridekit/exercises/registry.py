"""Which exercises there are. Each is one module: `psN/is_contiguous.py` holds isContiguous.

A module of an assignment that has an EXERCISE is one; the others hold what exercises share.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from stridekit.checks.exercise import Exercise

PACKAGE = __name__.rpartition(".")[0]
FOLDER = Path(__file__).parent


@cache
def assignments() -> dict[str, tuple[Exercise, ...]]:
    """The exercises of every assignment, in the order of their notebook.

    >>> [each.name for each in assignments()["ps1"]][:3]
    ['c_strides', 'f_strides', 'position']
    """
    found = {psn: [_in_module(psn, module) for module in _modules(psn)] for psn in _names()}
    return {
        psn: tuple(sorted((each for each in those if each), key=lambda exercise: exercise.place))
        for psn, those in found.items()
    }


@cache
def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, assignment by assignment."""
    return {each.name: each for those in assignments().values() for each in those}


def find(name: str) -> Exercise | None:
    """The exercise of that name. Loads nothing of the others.

    >>> find("isContiguous").parameters
    ('t',)
    """
    module = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for psn in _names():
        if module in _modules(psn):
            exercise = _in_module(psn, module)
            if exercise is not None and exercise.name == name:
                return exercise
    return None


def _in_module(psn: str, module: str) -> Exercise | None:
    found = getattr(import_module(f"{PACKAGE}.{psn}.{module}"), "EXERCISE", None)
    return found if isinstance(found, Exercise) else None


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(each.name for each in iter_modules([str(FOLDER)]) if each.ispkg))


@cache
def _modules(psn: str) -> frozenset[str]:
    return frozenset(each.name for each in iter_modules([str(FOLDER / psn)]))
