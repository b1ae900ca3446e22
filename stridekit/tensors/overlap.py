"""Overlap: what torch can tell, before a write, of memory that is shared.

One position may stand for many elements of the target, or source and target may meet on the same
memory (ATen/MemoryOverlap.cpp). torch looks only at tensors that are dense; where it cannot tell
it lets the write pass, and so does this.
"""

from typing import Literal
from warnings import warn

from stridekit.errors import OverlapError, StridekitWarning
from stridekit.layouts.memory_formats import is_dense
from stridekit.tensors.headers import Header

Overlap = Literal["none", "partial", "full", "unknown"]


def overlap_of(a: Header, b: Header) -> Overlap:
    """Whether two tensors meet on the same memory, as far as torch can tell."""
    if a is b:
        return "full"
    if not a.numel() or not b.numel():
        return "none"
    if not all(is_dense(x.shape, x.stride()) for x in (a, b)):
        return "unknown"
    if not a.shares_storage_with(b):
        return "none"
    (start, end), (other, other_end) = (
        (x.data_ptr(), x.data_ptr() + x.numel() * x.element_size()) for x in (a, b)
    )
    if (start, end) == (other, other_end):
        return "full" if a.stride() == b.stride() else "partial"
    return "partial" if start < other_end and other < end else "none"


def repeated_dim(x: Header) -> int | None:
    """A dim along which all indices share one position, or None."""
    if not x.numel() or is_dense(x.shape, x.stride()):
        return None
    dims = enumerate(zip(x.shape, x.stride(), strict=True))
    return next((dim for dim, (n, step) in dims if n > 1 and step == 0), None)


def require_apart(call: str, target: Header, source: Header | None = None) -> None:
    """Refuse one position for many elements, and a source that is shifted against the target.

    Raises OverlapError.
    """
    dim = repeated_dim(target)
    if dim is not None:
        n = target.shape[dim]
        raise OverlapError(
            f"{call} on size {target.shape}, stride {target.stride()}: along dim {dim} all "
            f"{n} indices share one position, so one element would be written {n} times. "
            "clone() first."
        )
    if source is not None and overlap_of(target, source) == "partial":
        raise OverlapError(
            f"{call}: source and target lie on the same memory, shifted against each other, so "
            "elements would be written before they are read. clone() the source first."
        )


def require_none(call: str, target: Header, source: Header, what: str) -> None:
    """Refuse any overlap, the very same elements included. Raises OverlapError.

    A write to picked elements goes one by one, so what it reads must not be what it writes.
    """
    if overlap_of(target, source) in ("partial", "full"):
        raise OverlapError(
            f"{call}: {what}, of size {source.shape}, lies on the memory that is written to, so "
            f"elements could be written before they are read. clone() {what} first."
        )


def warn_repeated(call: str, target: Header) -> None:
    """Warn, as torch does, of a write to picked elements of which one position holds many."""
    dim = repeated_dim(target)
    if dim is not None:
        warn(
            f"{call} on size {target.shape}, stride {target.stride()}: along dim {dim} all indices "
            "share one position, so a write to one is seen in all. clone() first.",
            StridekitWarning,
            stacklevel=4,
        )
