"""Verdicts: what memory has to say about a refusal of torch or NumPy.

Each family of refusals is known by its message. Its verdict works out the reason from headers,
and says nothing where they do not bear it out: then something else was the matter.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from stridekit.diagrams import draw, draw_view
from stridekit.errors import ExpandError, StridekitError, ViewError
from stridekit.layouts.broadcasting import ExpandObstacle
from stridekit.layouts.layout import Layout, spell
from stridekit.layouts.view_rule import Obstacle
from stridekit.own_code.headers import Header
from stridekit.own_code.memory_verdicts import (
    from_numpy_refused,
    half_overlap_refused,
    overlap_refused,
    read_only_refused,
    to_numpy_refused,
)
from stridekit.own_code.operations import Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.size_verdicts import (
    assign_refused,
    broadcast_refused,
    expand_refused,
    matmul_refused,
)
from stridekit.own_code.view_verdicts import (
    as_strided_refused,
    memory_format_refused,
    resize_refused,
    view_dtype_refused,
    view_refused,
    wrong_number_refused,
)
from stridekit.tensors.interop import Subject


def verdict_on(error: BaseException, operation: Operation) -> Reason | None:
    """Why an operation raised that error, if memory tells; None otherwise."""
    message = str(error)
    for family in _FAMILIES:
        if isinstance(error, family.kinds) and re.search(family.message, message):
            try:
                reason = family.verdict(operation, message)
            except (Unknown, StridekitError):
                # By our own rules the tensors that were found cannot have been meant.
                reason = None
            if reason is not None:
                return reason
    return None


def verdict_on_own(error: BaseException) -> Reason | None:
    """Why stridekit itself refused: its error carries the obstacle."""
    obstacle = getattr(error, "obstacle", None)
    if isinstance(error, ViewError) and isinstance(obstacle, Obstacle):
        picture = draw_view(_bare(obstacle.layout), *obstacle.new_size, values=False)
        return Reason(f"view({spell(obstacle.new_size)})", str(error), picture)
    if isinstance(error, ExpandError) and isinstance(obstacle, ExpandObstacle):
        picture = draw(_bare(obstacle.layout), values=False)
        return Reason(f"expand({spell(obstacle.new_size)})", str(error), picture)
    return None


def _bare(layout: Layout) -> Subject:
    reach = layout.reach
    length = 0 if reach is None else reach[1] + 1
    header = Header(layout.size, layout.stride, layout.storage_offset, "float32", 4, length * 4, "")
    return header.subject()


class _Family(NamedTuple):
    kinds: tuple[type[BaseException], ...]
    message: str
    verdict: Callable[[Operation, str], Reason | None]


_FAMILIES = (
    _Family(
        (RuntimeError,),
        r"view size is not compatible with",
        view_refused,
    ),
    _Family(
        (ValueError,),
        r"Unable to avoid creating a copy while reshaping",
        view_refused,
    ),
    _Family(
        (AttributeError,),
        r"Incompatible shape for in-place modification",
        view_refused,
    ),
    _Family(
        (RuntimeError,),
        r"shape '.*' is invalid for input of size",
        wrong_number_refused,
    ),
    _Family(
        (RuntimeError,),
        r"Provided sizes .* don't multiply up",
        wrong_number_refused,
    ),
    _Family(
        (ValueError,),
        r"cannot reshape array of size",
        wrong_number_refused,
    ),
    _Family(
        (RuntimeError,),
        r"to view \w+ as \w+|self\.dim\(\) cannot be 0 to view",
        view_dtype_refused,
    ),
    _Family(
        (ValueError,),
        r"To change to a dtype of a|When changing to a \w+ dtype",
        view_dtype_refused,
    ),
    _Family(
        (RuntimeError,),
        r"expanded size of the tensor|number of sizes provided",
        expand_refused,
    ),
    _Family(
        (ValueError,),
        r"with remapped shapes|input operand has more dimensions",
        expand_refused,
    ),
    _Family(
        (ValueError,),
        r"could not broadcast input array from shape",
        assign_refused,
    ),
    _Family(
        (RuntimeError, ValueError),
        r"shape mismatch: value (tensor|array)",
        assign_refused,
    ),
    _Family(
        (RuntimeError,),
        r"output with shape .* doesn't match the broadcast",
        broadcast_refused,
    ),
    _Family(
        (ValueError,),
        r"non-broadcastable output operand",
        broadcast_refused,
    ),
    _Family(
        (RuntimeError,),
        r"The size of tensor a .* must match the size of tensor b",
        broadcast_refused,
    ),
    _Family(
        (ValueError,),
        r"(operands|shape mismatch: objects) c.*broadcast",
        broadcast_refused,
    ),
    _Family(
        (RuntimeError, ValueError),
        r"cannot be multiplied|mat1|batch2|size mismatch",
        matmul_refused,
    ),
    _Family(
        (RuntimeError, ValueError),
        r"inconsistent tensor size|core dimension|not aligned",
        matmul_refused,
    ),
    _Family(
        (RuntimeError,),
        r"more than one element of the written-to tensor",
        overlap_refused,
    ),
    _Family(
        (RuntimeError,),
        r"some elements of the input tensor and the written-to",
        half_overlap_refused,
    ),
    _Family(
        (ValueError,),
        r"is read-only",
        read_only_refused,
    ),
    _Family(
        (RuntimeError, TypeError),
        r"call numpy\(\) on Tensor|to numpy|ScalarType",
        to_numpy_refused,
    ),
    _Family(
        (ValueError, TypeError),
        r"given numpy array",
        from_numpy_refused,
    ),
    _Family(
        (RuntimeError,),
        r"out of bounds for storage of size|Negative strides are",
        as_strided_refused,
    ),
    _Family(
        (RuntimeError,),
        r"required rank \d tensor to use",
        memory_format_refused,
    ),
    _Family(
        (RuntimeError,),
        r"resize variables that require grad|not resizable",
        resize_refused,
    ),
)
