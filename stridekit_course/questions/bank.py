"""The bank: the questions of each lesson, as they stand in `lessons/lesson_NN.toml`.

A question is a table of its name. `draw` are lines of Python that draw numbers by `chance`, and
`answer`, `options` and the keys of `mistakes` are expressions of what they give. In all other texts
such expressions stand between braces, as in an f-string. `shared` is there for all of a lesson. A
question that draws nothing is the same each time: it is for `ask` alone. What a question says is
true for every draw: a test compares the answers with what their lines of code give.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.questions.question import Question, Spot

_HERE = Path(__file__).parent / "lessons"


@cache
def _written(lesson: int) -> Mapping[str, Any]:
    return tomllib.loads((_HERE / f"lesson_{lesson:02}.toml").read_text("utf-8"))


def names(lesson: int) -> list[str]:
    """The names of a lesson's questions.

    >>> names(5)[:2]
    ['a-write-through-the-transpose', 'stride-of-the-transpose']
    """
    return [name for name in _written(lesson) if name != "shared"]


def is_drawn(lesson: int, name: str) -> bool:
    """Whether something of a question is left to chance."""
    return "chance" in _written(lesson)[name].get("draw", "")


def made(lesson: int, name: str, chance: Random) -> Question:
    """A question, with its numbers drawn."""
    said = dict(_written(lesson)[name])
    known = {**_KNOWN, "chance": chance}
    exec(_written(lesson).get("shared", ""), known)
    exec(said.pop("draw", ""), known)

    def told(text: str) -> str:
        escaped = text.replace("\\", "\\\\")
        return str(eval(f'f"""{escaped} """', known))[:-1]

    answer = eval(said.pop("answer"), known)
    mistakes = {eval(wrong, known): told(hint) for wrong, hint in said.pop("mistakes", {}).items()}
    # Of this draw, a mistake may happen to give the answer.
    mistakes.pop(answer, None)
    return Question(
        answer=answer,
        options=eval(said.pop("options", "()"), known),
        mistakes=mistakes,
        **{part: told(text) for part, text in said.items()},
    )


# What the lines of Python may use.


def sizes(chance: Random, rank: int, *, least: int = 2, most: int = 7) -> Ints:
    """Sizes that all differ, so that a mistake shows.

    >>> len({*sizes(Random(1), 3)})
    3
    """
    return tuple(chance.sample(range(least, most + 1), rank))


def tried(call: str, *before: str, error: str = "RuntimeError", works: bool = True) -> str:
    """Lines of Python that tell whether a call works; or, with `works=False`, is refused.

    >>> print(tried("x.view(3)", "x = torch.zeros(4)", works=False))
    x = torch.zeros(4)
    try:
        x.view(3)
        refused = False
    except RuntimeError:
        refused = True
    refused
    """
    name = "works" if works else "refused"
    tries = ("try:", f"    {call}", f"    {name} = {works}")
    return "\n".join((*before, *tries, f"except {error}:", f"    {name} = {not works}", name))


_USED = (Layout, Random, Spot, prod, sizes, tried)
_KNOWN = {"Ints": Ints, **{each.__name__: each for each in _USED}}
