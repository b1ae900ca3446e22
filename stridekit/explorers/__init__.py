"""Explorers: play with a layout and see what happens.

Each gives a widget that shows at once, in JupyterLab and Notebook: `strides()`. Each takes a
tensor of torch, NumPy or stridekit to start from, or values of its state by name, and
`predict=True` to answer before seeing. What is shown is its `.state`. All raise MisreadError for a
state that cannot be shown, with the nearest that can.

>>> from stridekit.explorers import strides
>>> explorer = strides(size=(2, 3), stride=(1, 2))
>>> explorer.state.storage_offset
0
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from stridekit.diagrams.scenes.arguments import truth
from stridekit.errors import needing
from stridekit.explorers.broadcast import Broadcast as _Broadcast
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import State as _State
from stridekit.explorers.index import Index as _Index
from stridekit.explorers.permute import Permute as _Permute
from stridekit.explorers.pixels import Pixels as _Pixels
from stridekit.explorers.reshape import Reshape as _Reshape
from stridekit.explorers.sharing import Sharing as _Sharing
from stridekit.explorers.slicing import Slicing as _Slicing
from stridekit.explorers.strides import Strides as _Strides
from stridekit.explorers.traversal import CacheLines as _CacheLines
from stridekit.tensors.subjects import subject_of

if TYPE_CHECKING:
    from stridekit.explorers.widgets import ExplorerBox

S = TypeVar("S", bound=_State)

__all__ = [
    "broadcast", "index", "permute", "pixels", "reshape", "sharing", "slicing", "strides",
    "traversal",
]  # fmt: skip


def _opener(explorer: type[S]) -> "Callable[..., ExplorerBox[S]]":
    """A function that opens an explorer; what it takes stands in its docstring."""

    def opened(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[S]":
        with needing(f"{explorer.name}()", "anywidget", "stridekit-library[notebook]"):
            from stridekit.explorers.widgets import ExplorerBox

        if x is not None:
            subject = subject_of(explorer.name, x)
            state = {**explorer.from_layout(subject.layout, subject.storage_length), **state}
        asks = truth(explorer.name, "predict", predict)
        return ExplorerBox(Controller(explorer, state, predict=asks))

    opened.__name__ = opened.__qualname__ = explorer.name
    opened.__doc__ = explorer.__doc__
    return opened


index = _opener(_Index)
strides = _opener(_Strides)
reshape = _opener(_Reshape)
permute = _opener(_Permute)
slicing = _opener(_Slicing)
broadcast = _opener(_Broadcast)
sharing = _opener(_Sharing)
traversal = _opener(_CacheLines)
pixels = _opener(_Pixels)

_ALL = (_Index, _Strides, _Reshape, _Permute, _Slicing, _Broadcast, _Sharing, _CacheLines, _Pixels)
EXPLORERS: dict[str, type[_State]] = {each.name: each for each in _ALL}
