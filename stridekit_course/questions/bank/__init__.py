"""The questions of each lesson: functions that make one, with numbers drawn by chance.

A public function of `lesson_NN` is a question; its name, with dashes, is the question's. One that
calls its argument `_chance` is the same each time, for `ask`, and is not drawn. What a question
says is true for every draw: a test compares the answers with what their lines of code give.
"""

from random import Random

from stridekit.layouts.layout import Ints


def sizes(chance: Random, rank: int, *, least: int = 2, most: int = 7) -> Ints:
    """Sizes that all differ, so that a mistake shows.

    >>> len({*sizes(Random(1), 3)})
    3
    """
    return tuple(chance.sample(range(least, most + 1), rank))


def others(answer: object, mistakes: dict[object, str]) -> dict[object, str]:
    """Those mistakes that happen not to be the answer of this draw.

    >>> others(4, {4: "Too few.", 5: "Too many."})
    {5: 'Too many.'}
    """
    return {wrong: hint for wrong, hint in mistakes.items() if wrong != answer}


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
    return "\n".join(
        (
            *before,
            "try:",
            f"    {call}",
            f"    {name} = {works}",
            f"except {error}:",
            f"    {name} = {not works}",
            name,
        )
    )
