"""stridekit: a tensor is a header over a storage.

Everything here computes on headers, explains headers, draws headers, or checks somebody's
code about headers. Sizes, strides and offsets are in elements, and words are torch's.

>>> import stridekit as sk
>>> grid = sk.arange(12).view(3, 4)
>>> grid.t().stride(), grid.t().is_contiguous()
((1, 4), False)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stridekit.layouts.layout import Layout
from stridekit.layouts.memory_formats import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
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
from stridekit.tensors.exchange import as_tensor, from_dlpack, from_numpy, from_torch
from stridekit.tensors.joining import (
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
    from stridekit.exercises import check
    from stridekit.own_code.watching import watch
    from stridekit.progress import my_progress
    from stridekit.samples.face import face

__version__ = "0.1.0"

# What loads more than the standard library, or is not needed by every user, waits here until
# it is asked for. That keeps `import stridekit` free of NumPy, torch and matplotlib.
_LATER = {
    "Diagram": "stridekit.diagrams",
    "check": "stridekit.exercises",
    "draw": "stridekit.diagrams",
    "draw_as_strided": "stridekit.diagrams",
    "draw_change": "stridekit.diagrams",
    "draw_pixels": "stridekit.diagrams",
    "draw_resize": "stridekit.diagrams",
    "draw_view": "stridekit.diagrams",
    "face": "stridekit.samples.face",
    "my_progress": "stridekit.progress",
    "watch": "stridekit.own_code.watching",
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
    "check",
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
    "my_progress",
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
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"stridekit has no {name!r}. See dir(stridekit).")


def load_ipython_extension(ip: Any) -> None:
    """What `%load_ext stridekit` calls: from now on, failures that memory explains are explained.

    And `%%layout` is there. See docs/on-your-own-code.md.
    """
    import_module("stridekit.own_code.extension").load(ip)


def unload_ipython_extension(ip: Any) -> None:
    """What `%unload_ext stridekit` calls: everything is as it was before."""
    import_module("stridekit.own_code.extension").unload(ip)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
