"""Where torch's tensors can lie, and what else its constructors take: here there is one answer."""

from typing import Any

from stridekit.errors import ArgumentError, DeviceError, NotOfferedError, WideIntError
from stridekit.layouts.whole_numbers import WIDEST

# What torch's constructors take besides, and which values of it change nothing.
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "requires_grad": (False,),
    "pin_memory": (False, None),
    "layout": (None,),
    "out": (None,),
}


def require_plain(call: str, options: dict[str, Any]) -> None:
    """Refuse what asks for another device, for gradients, or for another layout than strides.

    Raises DeviceError, NotOfferedError, and ArgumentError for a keyword that nobody knows.
    """
    for name, value in options.items():
        if name == "device":
            require_cpu(call, value)
        elif name not in _OPTIONS:
            raise ArgumentError(f"{call}: there is no keyword {name!r}.")
        elif not any(value is plain for plain in _OPTIONS[name]) and not _is_strided(value):
            raise NotOfferedError(
                f"{call}({name}={value!r}): a tensor here is a header over the computer's own "
                "memory, without a history and always new. t.torch() gives torch's tensor."
            )


def require_cpu(call: str, device: Any) -> None:
    """Refuse any device but the computer's own memory. Raises DeviceError or ArgumentError."""
    if device is None or str(device) in ("cpu", "cpu:0"):
        return
    if isinstance(device, bool) or not (isinstance(device, int | str) or is_device(device)):
        raise ArgumentError(f"{call}: {device!r} is no device. There is one, the cpu.")
    if isinstance(device, int) and not -WIDEST - 1 <= device <= WIDEST:
        raise WideIntError(f"{call}: a device is not counted past 64 bits. There is one, the cpu.")
    raise DeviceError(
        f"{call}(device={str(device)!r}): the memory here is the computer's own, the cpu."
    )


def is_device(value: Any) -> bool:
    """Whether it is one of torch's devices."""
    return type(value).__module__ == "torch" and type(value).__name__ == "device"


def _is_strided(value: Any) -> bool:
    return str(value) == "torch.strided"
