"""stridekit: a tensor is a header over a storage.

Everything here computes on headers, explains headers, or draws headers. Sizes, strides and
offsets are in elements, and words are torch's. The course is `stridekit_course`, what grades a
class `stridekit_grading`.

>>> import stridekit as sk
>>> grid = sk.arange(12).view(3, 4)
>>> grid.t().stride(), grid.t().is_contiguous()
((1, 4), False)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stridekit.errors import needing
from stridekit.layouts.layout import Layout
from stridekit.layouts.memory_formats import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from stridekit.moved import answer_for_old_places, where_now
from stridekit.tensors.constructors import (
    arange,
    empty,
    empty_like,
    empty_strided,
    full,
    full_like,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)
from stridekit.tensors.dtypes import (
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from stridekit.tensors.dtypes import bool_ as bool  # noqa: A004 - torch's name for it
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor

if TYPE_CHECKING:
    from stridekit import explain
    from stridekit.diagrams import (
        Diagram,
        draw,
        draw_as_strided,
        draw_change,
        draw_pixels,
        draw_resize,
        draw_view,
    )
    from stridekit.example_image import face
    from stridekit.own_code.watching import watch
    from stridekit.tensors.functions import (
        atleast_1d,
        atleast_2d,
        atleast_3d,
        broadcast_shapes,
        broadcast_tensors,
        cat,
        dstack,
        hstack,
        stack,
        vstack,
    )
    from stridekit.tensors.shared_memory import as_tensor, from_dlpack, from_numpy, from_torch

__version__ = "0.2.0"

# What loads more than the standard library, or is not needed by every user, waits here until
# it is asked for. That keeps `import stridekit` free of NumPy, torch and matplotlib.
_LATER = {
    "Diagram": "stridekit.diagrams",
    "as_tensor": "stridekit.tensors.shared_memory",
    "atleast_1d": "stridekit.tensors.functions",
    "atleast_2d": "stridekit.tensors.functions",
    "atleast_3d": "stridekit.tensors.functions",
    "broadcast_shapes": "stridekit.tensors.functions",
    "broadcast_tensors": "stridekit.tensors.functions",
    "cat": "stridekit.tensors.functions",
    "draw": "stridekit.diagrams",
    "draw_as_strided": "stridekit.diagrams",
    "draw_change": "stridekit.diagrams",
    "draw_pixels": "stridekit.diagrams",
    "draw_resize": "stridekit.diagrams",
    "draw_view": "stridekit.diagrams",
    "dstack": "stridekit.tensors.functions",
    "face": "stridekit.example_image",
    "from_dlpack": "stridekit.tensors.shared_memory",
    "from_numpy": "stridekit.tensors.shared_memory",
    "from_torch": "stridekit.tensors.shared_memory",
    "hstack": "stridekit.tensors.functions",
    "stack": "stridekit.tensors.functions",
    "vstack": "stridekit.tensors.functions",
    "watch": "stridekit.own_code.watching",
}

# torch's functional forms of methods, and its short names of dtypes.
# fmt: off
_FUNCTIONS = frozenset(
    (
        "adjoint", "as_strided", "broadcast_to", "chunk", "clone", "detach", "diagonal",
        "dsplit", "equal", "flatten", "flip", "fliplr", "flipud", "hsplit", "imag",
        "index_select", "is_complex", "is_floating_point", "masked_fill", "masked_select",
        "moveaxis", "movedim", "narrow", "nonzero", "numel", "permute", "ravel", "real",
        "reshape", "rot90", "select", "split", "squeeze", "swapaxes", "swapdims", "t",
        "take_along_dim", "tensor_split", "tile", "transpose", "unbind", "unflatten",
        "unsqueeze", "view_as_complex", "view_as_real", "vsplit",
    )
)
# fmt: on
_DTYPES = {
    "cdouble": complex128,
    "cfloat": complex64,
    "double": float64,
    "float": float32,
    "half": float16,
    "int": int32,
    "long": int64,
    "short": int16,
}

__all__ = [
    "DType",
    "Diagram",
    "Layout",
    "MemoryFormat",
    "Storage",
    "Tensor",
    "arange",
    "as_tensor",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "bfloat16",
    "bool",
    "broadcast_shapes",
    "broadcast_tensors",
    "cat",
    "channels_last",
    "channels_last_3d",
    "complex64",
    "complex128",
    "contiguous_format",
    "draw",
    "draw_as_strided",
    "draw_change",
    "draw_pixels",
    "draw_resize",
    "draw_view",
    "dstack",
    "empty",
    "empty_like",
    "empty_strided",
    "explain",
    "face",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "full",
    "full_like",
    "hstack",
    "int8",
    "int16",
    "int32",
    "int64",
    "ones",
    "ones_like",
    "preserve_format",
    "stack",
    "tensor",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "vstack",
    "watch",
    "zeros",
    "zeros_like",
]


def __getattr__(name: str) -> Any:
    if name == "explain":
        return import_module("stridekit.explain")
    if name in ("concat", "concatenate"):
        name = "cat"
    if name in _LATER:
        # Of these, torch alone is asked for as soon as it is named: by `watch`.
        with needing(name, "torch"):
            return getattr(import_module(_LATER[name]), name)
    if name in _FUNCTIONS:
        return import_module("stridekit.tensors.functions").function_of(name)
    if name in _DTYPES:
        return _DTYPES[name]
    raise AttributeError(
        where_now(f"stridekit.{name}") or f"stridekit has no {name!r}. See dir(stridekit)."
    )


answer_for_old_places()


def load_ipython_extension(ip: Any) -> None:
    """What `%load_ext stridekit` calls: from now on, failures that memory explains are explained.

    And `%%layout` is there. See docs/on-your-own-code.md.
    """
    import_module("stridekit.own_code.extension").load(ip)


def unload_ipython_extension(ip: Any) -> None:
    """What `%unload_ext stridekit` calls: everything is as it was before."""
    import_module("stridekit.own_code.extension").unload(ip)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_FUNCTIONS, *_DTYPES})
