"""What is done with several tensors next: each deed is refused, or leads to another state."""

import re
from dataclasses import dataclass, replace
from math import prod

from stridekit.errors import StridekitError
from stridekit.explorers.explorer import MisreadError, Problem
from stridekit.explorers.header_state import HeaderState
from stridekit.explorers.history import (
    MAKES,
    NAMES,
    OTHER_WORDS,
    Deed,
    Made,
    World,
    Written,
    line_of,
    replay,
)
from stridekit.layouts.layout import Ints

MOST_DEEDS = 24


@dataclass(frozen=True, slots=True)
class Sharing:
    """x, what was done with it, in order; and what is chosen for the next deed."""

    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0
    deeds: tuple[Deed, ...] = (Made("y", "x", "t()"), Made("z", "x", "clone()"))
    tensor: str = "x"
    make: str = "every other column"
    index: Ints = (1, 2)
    value: int = 100

    @property
    def given(self) -> HeaderState:
        """The header of x."""
        return HeaderState(self.size, self.stride, self.storage_offset)


def world_of(state: Sharing) -> World:
    """x, and all that came of what was done. Raises what a deed raises."""
    return replay(state.given.tensor(), state.deeds)


def done(state: Sharing) -> Sharing:
    """The state after the deed that is chosen: a new tensor, or resize_ in place."""
    used = made_in(state)
    for make in (state.make, OTHER_WORDS.get(state.make, state.make), *MAKES):
        how = MAKES[make]
        free = [state.tensor] if how.startswith("resize_") else [
            each for each in NAMES if each not in used
        ]  # fmt: skip
        if not free:
            raise _refused(
                "There are six tensors.",
                "More do not fit on a page.",
                "one deed less",
                _undone(state),
            )
        new = _with(state, Made(free[0], state.tensor, how))
        try:
            world_of(new)
        except StridekitError as error:
            if make == state.make:
                line, why = line_of(new.deeds[-1]), str(error)
            continue
        if make == state.make:
            return new
        raise _refused(f"{line} is refused.", sentence(why), make, replace(state, make=make))
    raise AssertionError("flatten() is always possible")


def wrote(state: Sharing) -> Sharing:
    """The state after the write that is chosen."""
    new = _with(state, Written(state.tensor, state.index, state.value))
    try:
        world_of(new)
    except StridekitError as error:
        size = world_of(state).tensors[state.tensor].shape
        what, why = f"{line_of(new.deeds[-1])} is refused.", sentence(str(error))
        index = fitting_index(state.index, size)
        if not prod(size):
            raise MisreadError(Problem(what, why)) from error
        raise _refused(what, why, f"index {index}", replace(state, index=index)) from error
    return new


def _with(state: Sharing, deed: Deed) -> Sharing:
    if len(state.deeds) == MOST_DEEDS:
        what, why = f"{MOST_DEEDS} things were done.", "More do not fit on a page."
        raise _refused(what, why, "one deed less", _undone(state))
    return replace(state, deeds=(*state.deeds, deed))


def fitting_index(index: Ints, size: Ints) -> Ints:
    """The nearest index that has a number for each dim and stays inside, where that can be.

    >>> fitting_index((5,), (3, 4)), fitting_index((1, -9), (3, 4))
    ((2, 0), (1, -4))
    """
    padded = (*index, *(0 for _ in size))[: len(size)]
    return tuple(min(max(i, -n), max(n - 1, 0)) for i, n in zip(padded, size, strict=True))


def _undone(state: Sharing) -> Sharing:
    undone = replace(state, deeds=state.deeds[:-1])
    return undone if state.tensor in made_in(undone) else replace(undone, tensor="x")


def _refused(what: str, why: str, nearest: str, works: Sharing) -> MisreadError:
    """A refusal, and a state that works."""
    names = ("deeds", "tensor", "make", "index")
    return MisreadError(Problem(what, why, nearest, {name: getattr(works, name) for name in names}))


def sentence(text: str) -> str:
    """A reason as a sentence of its own."""
    # A name stays as it is written: x, t(), storage_offset.
    is_word = re.match(r"[a-z]{2,}[ ,]", text)
    return (text[0].upper() + text[1:] if is_word else text) + ("" if text.endswith(".") else ".")


def made_in(state: Sharing) -> set[str]:
    """The names of all tensors."""
    return {"x", *(deed.name for deed in state.deeds)}
