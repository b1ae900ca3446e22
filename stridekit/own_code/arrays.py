"""What NumPy's functions give, without computing more than a little again.

NumPy has no device for headers alone. So a view is made again, and so is what is soon computed: of
arrays that cannot be written to.
"""

import functools
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import torch

from stridekit.layouts.broadcasting import broadcast_sizes
from stridekit.own_code.operations import is_array, is_plain_sequence, is_short_list

with suppress(ImportError):
    import torch._numpy
# What torch's compiler runs in place of NumPy's functions: none of these reads or writes a file.
# No public name: a torch without it leaves what NumPy makes untold.
_numpy: Any = getattr(torch, "_numpy", None)
# NumPy's that give a view of what they are given, as functions and as methods.
_VIEWS = (
    *("transpose", "swapaxes", "squeeze", "diagonal", "view", "broadcast_to", "moveaxis"),
    *("expand_dims", "flip", "fliplr", "flipud", "rot90", "sliding_window_view", "frombuffer"),
)
# These take a step or so for each element that they are given. What others take is a guess.
_STEADY = ("concatenate", "stack", "vstack", "hstack", "append", "where", "astype", "copy", "norm")
# And these only read them, or mostly not even that.
_READING = ("sum", "mean", "max", "min", "amax", "amin", "argmax", "reshape")
# These make as many rows of what they are given as columns.
_SQUARES = ("diag", "diagflat", "eye", "identity", "tri", "vander")
# So many steps are soon done; of a guess, so many.
_MOST, _MOST_GUESSED = 5e6, 1e5


def made_of(name: str, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy's gives.

    Raises what is raised where NumPy would refuse, where something would be written to, or where it
    would take long.
    """
    if name in _VIEWS:
        return function(*args, **kwargs)
    is_operator = isinstance(function, functools.partial)
    homes = (_numpy, _numpy.linalg, _numpy.ndarray)
    if not (is_operator or any(hasattr(home, name) for home in homes)):
        raise ValueError
    given = flat([*args, *kwargs.values()])
    sizes, most = [x.shape for x in given if is_array(x)], _MOST
    steps: float = math.prod(map(math.prod, sizes))
    if name in ("@", "matmul", "dot"):
        steps /= max(sizes[0][-1], 1)
    elif sizes and (is_operator or isinstance(function, np.ufunc)):
        whole: Any = broadcast_sizes(*sizes)
        steps = math.prod(whole)
    elif sizes and name in (*_STEADY, *_READING):
        steps = sum(map(math.prod, sizes)) / (10 if name in _READING else 1)
    else:
        # A number may be how many are made, or how far apart they are.
        numbers = [abs(x) for x in given if type(x) in (int, float) and x]
        steps *= math.prod(max(x, 1 / x) for x in numbers)
        steps, most = steps ** (1 + (name in _SQUARES)), _MOST_GUESSED
    if not steps <= most:
        raise ValueError
    made = function(*_mapped(_locked, args), **_mapped(_locked, kwargs))
    # A view of what is locked; so nothing is written to.
    is_view = is_array(made) and not made.flags.writeable
    return function(*args, **kwargs) if is_view else made


def _locked(x: Any) -> Any:
    """An array that cannot be written to, in the memory of another; anything else itself."""
    if is_array(x):
        x = x.view()
        x.flags.writeable = False
    return x


def _mapped(turn: Callable[[Any], Any], x: Any) -> Any:
    """What each part of lists, tuples and dicts is turned into."""
    if type(x) is dict:
        return {key: _mapped(turn, part) for key, part in x.items()}
    if is_plain_sequence(x):
        parts = [_mapped(turn, part) for part in x]
        return parts if isinstance(x, list) else tuple(parts)
    return turn(x)


def flat(x: Any) -> list[Any]:
    """The items of a plain sequence, and of those in it; a vast one is an item."""
    return [z for y in x for z in flat(y)] if is_short_list(x) else [x]
