"""What NumPy's functions give, without computing more than a little again.

NumPy has no device for headers alone. But torch's compiler runs torch's functions in place of
NumPy's: `torch._numpy` has them, and on the meta device they say the header of what is made,
however large. A view is made again, and so is what small arrays give: both have their values.
"""

import functools
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import torch

from stridekit.own_code.operations import Blank, is_a, is_array, is_plain_sequence, is_short_list

with suppress(ImportError):
    import torch._numpy
# No public name: a torch without it leaves what NumPy makes untold.
_numpy: Any = getattr(torch, "_numpy", None)
# NumPy's that give a view of what they are given, as functions and as methods.
_VIEWS = (
    *("transpose", "swapaxes", "squeeze", "diagonal", "view", "broadcast_to", "moveaxis"),
    *("expand_dims", "flip", "fliplr", "flipud", "rot90", "sliding_window_view", "frombuffer"),
)
# Of these only the header is asked: no number is drawn.
RANDOM = (
    *(np.random.rand, np.random.randn, np.random.random),
    *(np.random.normal, np.random.uniform, np.random.randint),
)
# These make as many rows of what they are given as columns.
_SQUARES = ("diag", "diagflat", "eye", "identity", "tri", "vander")
# Arrays of so many elements, together, are small.
_SMALL = 1e5


def made_of(name: str, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy's gives; of much only the header.

    Raises what is raised where NumPy would refuse, where an array would be written to, or where
    torch has no such function.
    """
    given = flat([*args, *kwargs.values()])
    arrays = [x for x in given if is_array(x)]
    is_random = any(function is each for each in RANDOM)
    blank = is_random or any(type(x) is Blank for x in arrays)
    if name in _VIEWS:
        made = function(*args, **kwargs)
        return made.view(Blank) if blank else made
    same = function
    if not isinstance(function, functools.partial):
        homes = [_numpy.random] if is_random else [_numpy, _numpy.linalg]
        homes = [_numpy.ndarray] if getattr(np.ndarray, name, None) is function else homes
        same = next(getattr(home, name) for home in homes if hasattr(home, name))
    # So many elements are read and made at most, but for steps that are not whole numbers.
    most = math.prod(max(abs(x), 1) for x in given if type(x) is int)
    together = sum if args and is_plain_sequence(args[0]) else math.prod
    most *= together(x.size for x in arrays)
    most = most**2 if name in _SQUARES else most
    if blank or most > _SMALL or (not arrays and any(type(x) is float for x in given)):
        # The first time, this takes torch a second.
        with torch.device("meta"):
            header = same(*mapped(_to_torch, args), **mapped(_to_torch, kwargs))
        made = [x for x in flat([header]) if is_a(x, _numpy.ndarray)]
        most = sum(x.size for x in (*arrays, *made))
    if not blank and most <= _SMALL:
        made = function(*mapped(_locked, args), **mapped(_locked, kwargs))
        # A view of what is locked; so nothing is written to.
        is_view = is_array(made) and not made.flags.writeable
        return function(*args, **kwargs) if is_view else made
    like = None
    with suppress(ValueError, IndexError):
        # NumPy's dtype and order of strides, where its function works on corners.
        if not is_random:
            like = function(*mapped(corner, args), **mapped(corner, kwargs))
    dtype = arrays[0].dtype if len(arrays) == 1 else None
    return mapped(lambda x: blank_of(x.tensor, dtype, like), header)


def blank_of(x: torch.Tensor, dtype: Any = None, like: Any = None) -> Any:
    """An array of a tensor's header, without values; its dtype and order those of another."""
    size = tuple(x.shape)
    if is_a(like, np.ndarray | np.generic) and like.ndim == x.ndim:
        return np.empty_like(like, shape=size).view(Blank)
    whole = np.zeros(x.numel(), dtype or str(x.dtype).removeprefix("torch."))
    steps = [step * whole.itemsize for step in x.stride()]
    return np.ndarray(size, whole.dtype, whole, 0, steps).view(Blank)


def _to_torch(x: Any) -> Any:
    """An argument of NumPy's function as torch's takes it: of an array its header."""
    if is_a(x, np.dtype) or (type(x) is type and issubclass(x, np.generic)):
        return np.dtype(x).name
    if is_a(x, np.generic):
        return x.item()
    if not is_array(x):
        return x
    # torch has little for those.
    dtype = np.int64 if x.dtype in (np.uint16, np.uint32, np.uint64) else x.dtype
    made = torch.from_numpy(np.empty(0, dtype)).to("meta").new_empty(x.shape)
    if all(step >= 0 and not step % x.itemsize for step in x.strides):
        made = made.as_strided(x.shape, [step // x.itemsize for step in x.strides])
    return _numpy.ndarray(made)


def _locked(x: Any) -> Any:
    """An array that cannot be written to, in the memory of another; anything else itself."""
    if is_array(x):
        x = x.view()
        x.flags.writeable = False
    return x


def corner(x: Any) -> Any:
    """A copy of a small part of an array, its strides in the same order; anything else itself."""
    return x[(slice(2),) * x.ndim].copy("K") if is_array(x) else x


def mapped(turn: Callable[[Any], Any], x: Any) -> Any:
    """What each part of lists, tuples and dicts is turned into."""
    if type(x) is dict and all(type(key) is str for key in x):
        return {key: mapped(turn, part) for key, part in x.items()}
    if is_short_list(x):
        parts = [mapped(turn, part) for part in x]
        return parts if is_a(x, list) else tuple(parts)
    return turn(x)


def flat(x: Any) -> list[Any]:
    """The items of a plain sequence, and of those in it; a vast one is an item."""
    return [z for y in x for z in flat(y)] if is_short_list(x) else [x]
