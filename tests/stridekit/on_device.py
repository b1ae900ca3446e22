"""A device that PyTorch offers on a CPU, to stand in for a GPU: what is fetched is counted."""

from typing import Any

import torch

aten = torch.ops.aten


class OnDevice(torch.Tensor):
    """A tensor that says it lies on a device, and whose memory can only be asked of that device.

    Each operation is run on the tensor within; `transfers` holds what was brought to the CPU.
    """

    transfers: list[torch.Tensor] = []  # noqa: RUF012 - one list for all, as a device is one

    @staticmethod
    def __new__(cls, inside: torch.Tensor, device: str = "cuda:0") -> Any:
        """That tensor, on a device."""
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            inside.size(),
            inside.stride(),
            inside.storage_offset(),
            dtype=inside.dtype,
            device=device,
            storage_size=inside.untyped_storage().nbytes(),
        )
        made.inside, made.where = inside, device
        return made

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        where = [each.where for each in _flat(args) if isinstance(each, cls)]
        inside = [_inside(each) for each in args]
        if func is aten._to_copy.default and str(kwargs.get("device")) == "cpu":
            cls.transfers.append(inside[0])
            return inside[0].clone()
        if func is aten._local_scalar_dense.default:
            raise AssertionError("a value was fetched by itself")
        result = func(*inside, **{name: _inside(each) for name, each in (kwargs or {}).items()})
        return cls(result, where[0]) if isinstance(result, torch.Tensor) else result


def _flat(values):
    for each in values:
        yield from _flat(each) if isinstance(each, list | tuple) else (each,)


def _inside(value):
    if isinstance(value, OnDevice):
        return value.inside
    return [*map(_inside, value)] if isinstance(value, list | tuple) else value
