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
    as_tensor,
    from_dlpack,
    from_numpy,
    from_torch,
    ones,
    tensor,
    zeros,
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
        draw_steps,
        draw_view,
        draw_warp,
    )
    from stridekit.example_image import face
    from stridekit.layouts.warps import warp_sectors
    from stridekit.own_code.watching import watch

__version__ = "0.2.0"

# What loads more than the standard library, or is not needed by every user, waits here until
# it is asked for. That keeps `import stridekit` free of NumPy, torch and matplotlib.
_LATER = {
    "face": "stridekit.example_image",
    "warp_sectors": "stridekit.layouts.warps",
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
    "bfloat16",
    "bool",
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
    "draw_steps",
    "draw_view",
    "draw_warp",
    "explain",
    "face",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "int8",
    "int16",
    "int32",
    "int64",
    "ones",
    "preserve_format",
    "tensor",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "warp_sectors",
    "watch",
    "zeros",
]


def __getattr__(name: str) -> Any:
    if name in ("diagrams", "explain", "explorers"):
        return import_module(f"stridekit.{name}")
    if name in __all__:
        # Of these, torch alone is asked for as soon as it is named: by `watch`.
        with needing(name, "torch"):
            return getattr(import_module(_LATER.get(name, "stridekit.diagrams")), name)
    if not name.startswith("_") and hasattr(Tensor, name):
        raise AttributeError(f"stridekit has no {name!r}. A tensor t has it: t.{name}.")
    raise AttributeError(
        where_now(f"stridekit.{name}")
        or f"stridekit has no {name!r}: it is about where elements lie in memory. If torch has it, "
        f"torch.{name} works on t.torch(), the same memory, and from_torch takes what comes of it. "
        "See dir(stridekit)."
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
    return sorted({*globals(), *__all__})
