"""torch's functional forms: `stridekit.reshape(x, (2, 3))` is `x.reshape((2, 3))`."""

from collections.abc import Callable
from functools import cache
from typing import Any

from stridekit.errors import ArgumentError
from stridekit.tensors.tensor import Tensor

# These take their sizes or dims in one tuple; as methods they take them one by one, too.
_IN_ONE_TUPLE = frozenset({"broadcast_to", "flip", "permute", "reshape", "tile"})


@cache
def function_of(name: str) -> Callable[..., Any]:
    """The function that calls the method of a name, or reads the attribute.

    >>> function_of("reshape")(sk.arange(6), (2, 3)).shape
    (2, 3)
    >>> function_of("real")(sk.tensor([1 + 2j])).tolist()
    [1.0]
    """

    def function(input: Any, *args: Any, **named: Any) -> Any:  # noqa: A002 - torch's name
        if not isinstance(input, Tensor):
            raise ArgumentError(
                f"{name}: give a stridekit tensor, not a {type(input).__name__}. from_torch and "
                "from_numpy make one of theirs."
            )
        if name in _IN_ONE_TUPLE and args and not isinstance(args[0], tuple | list):
            raise ArgumentError(f"{name}: give what comes after the tensor as one tuple.")
        found = getattr(input, name)
        return found(*args, **named) if callable(found) else found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`input.{name}(...)`: see `Tensor.{name}`."
    return function
