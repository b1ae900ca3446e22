"""What has to be told of a torch tensor beside its header, and what it says of its memory."""

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch

from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Value
from stridekit.tensors.interop.torch_memory import has_values, name_of

Says = Callable[[Sequence[int], Sequence[Value]], list[Value]]


def is_fake_tensor(x: Any) -> bool:
    """Whether a mode made the tensor that gives out headers without memory."""
    fake = sys.modules.get("torch._subclasses.fake_tensor")
    return fake is not None and isinstance(x, fake.FakeTensor)


def remarks(x: Any, layout: Layout) -> tuple[Says | None, tuple[str, ...], tuple[str, ...]]:
    """What the tensor says where memory holds something else, and what has to be told of it."""
    says: Says | None = None
    facts: list[str] = []
    notes: list[str] = []
    if type(x) is not torch.Tensor and not is_fake_tensor(x):
        facts.append(type(x).__name__)
    elif is_fake_tensor(x):
        facts.append("fake")
    if x.requires_grad:
        maker = "" if x.grad_fn is None else f" (from {x.grad_fn.name()})"
        facts.append(f"requires_grad{maker}")
    if x.is_conj():
        facts.append("conj")
        says = _conjugated
        notes.append(
            "The conjugate bit is set: memory holds other values than the tensor says. The grid "
            "shows what it says, the strip what memory holds, with the other sign in the imaginary "
            "part. x.resolve_conj() copies."
        )
    if x.is_neg():
        facts.append("neg")
        says = _negated
        notes.append(
            "The negative bit is set: memory holds other values than the tensor says. The grid "
            "shows what it says, the strip what memory holds, with the other sign. "
            "x.resolve_neg() copies."
        )
    if x.is_quantized:
        facts.append("quantised")
        says, note = affine(x, layout)
        notes.append(note)
    elif not has_values(x.dtype):
        notes.append(
            f"torch gives no values for {name_of(x.dtype)}: cells show the bytes of an element, in "
            "hexadecimal."
        )
    return says, tuple(facts), tuple(notes)


def _conjugated(_: Sequence[int], values: Sequence[Value]) -> list[Value]:
    return [complex(value).conjugate() for value in values]


def _negated(_: Sequence[int], values: Sequence[Value]) -> list[Value]:
    return [-value for value in values if not isinstance(value, str)]


def affine(x: Any, layout: Layout | None = None) -> tuple[Says | None, str]:
    """What quantised codes stand for, and how it is worked out."""
    with warnings.catch_warnings():
        # torch says that quantised tensors will go; whoever has one knows.
        warnings.simplefilter("ignore")
        lead = "Memory holds codes; the grid shows what they stand for: (code - zero_point) × scale"
        if x.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
            scale, zero = x.q_scale(), x.q_zero_point()

            def says(_: Sequence[int], codes: Sequence[Value]) -> list[Value]:
                return [(code - zero) * scale for code in codes if not isinstance(code, str)]

            return says, f"{lead}, with scale {scale:.6g} and zero_point {zero}."
        axis: int = x.q_per_channel_axis()
        scales, zeros = x.q_per_channel_scales().tolist(), x.q_per_channel_zero_points().tolist()

    def says_by_channel(positions: Sequence[int], codes: Sequence[Value]) -> list[Value]:
        assert layout is not None
        found: list[Value] = []
        for position, code in zip(positions, codes, strict=True):
            index = layout.index_at(position)
            if index is None or isinstance(code, str):
                # Another header leads where this tensor has no element, and so no channel.
                found.append(code)
            else:
                found.append((code - zeros[index[axis]]) * scales[index[axis]])
        return found

    listed = ", ".join(f"{s:.3g} and {z}" for s, z in zip(scales[:4], zeros[:4], strict=True))
    more = ", ..." if len(scales) > 4 else ""
    return (
        says_by_channel if layout else None,
        f"{lead}. dim {axis} has a scale and a zero_point for each index: {listed}{more}.",
    )
