"""What stridekit leaves to torch, and says so: arithmetic, and names that torch's tensors have.

stridekit is for what lies in memory and why. `t.torch()` gives torch's tensor on the same memory,
and that calculates.
"""

from typing import Any, NoReturn

from stridekit.errors import MissingError, NotOfferedError
from stridekit.tensors.protocols import Protocols


class Refusals(Protocols):
    """What is refused on purpose, with the way out. See `Tensor`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        # Only what nobody defines comes here. A plain error for what protocols probe for.
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise MissingError(
            f"{name}: stridekit is about where elements lie in memory, and has nothing of that "
            f"name. If torch has it, t.torch().{name} works on the same memory."
        )


def _refuse(sign: str) -> Any:
    def refused(_self: Refusals, *_others: object) -> NoReturn:
        raise NotOfferedError(
            f"{sign}: stridekit is about where elements lie in memory, and calculates with add_ "
            "and mul_ alone. t.torch() gives a torch tensor on the same memory, which calculates."
        )

    refused.__doc__ = f"Refused with NotOfferedError: `{sign}` is torch's affair."
    return refused


_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "divmod": "divmod",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
for _name, _sign in _SIGNS.items():
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Refusals, _form, _refuse(_sign))
    if _name not in ("add", "mul", "divmod"):
        setattr(Refusals, f"__i{_name}__", _refuse(f"{_sign}="))
for _name, _sign in {"neg": "-", "pos": "+", "invert": "~", "abs": "abs", "round": "round"}.items():
    setattr(Refusals, f"__{_name}__", _refuse(_sign))
