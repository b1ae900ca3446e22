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

from typing import TYPE_CHECKING, Any, TypeVar

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

_ALL = (_Index, _Strides, _Reshape, _Permute, _Slicing, _Broadcast, _Sharing, _CacheLines, _Pixels)
EXPLORERS: dict[str, type[_State]] = {each.name: each for each in _ALL}

__all__ = [
    "broadcast", "index", "permute", "pixels", "reshape", "sharing", "slicing", "strides",
    "traversal",
]  # fmt: skip


def index(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Index]":
    """An index, and the way to its position, hop by hop: size, stride, storage_offset, index.

    Strides, the offset and positions are in elements. A negative index counts from the end.

    >>> explorer = index(size=(3, 4), index=(2, -1))
    >>> explorer.set(index=(2, 1))
    >>> explorer.state.index
    (2, 1)
    """
    return _open(_Index, x, state, predict=predict)


def strides(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Strides]":
    """Any header over a storage: size, stride, storage_offset, storage_length.

    All in elements. The header may leave the storage, which is shown and said; as_strided in
    torch refuses it.

    >>> strides(size=(4, 3), stride=(1, 1), storage_length=6).state.preset
    'window'
    """
    return _open(_Strides, x, state, predict=predict)


def reshape(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Reshape]":
    """A view, or why it is impossible: size, stride, storage_offset, new_size.

    Strides are in elements, and what a copy costs in bytes. One -1 in new_size is inferred. The
    rule is that of torch's view.

    >>> reshape(size=(4, 3), stride=(1, 4), new_size=(2, -1)).state.new_size
    (2, -1)
    """
    return _open(_Reshape, x, state, predict=predict)


def permute(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Permute]":
    """Dims in another order: size, stride, storage_offset, dims.

    Strides are in elements. A negative dim counts from the end, as in torch.

    >>> explorer = permute(size=(2, 3, 4), dims=(2, 0, 1))
    >>> explorer.set(dims="0 2 1")
    >>> explorer.state.dims
    (0, 2, 1)
    """
    return _open(_Permute, x, state, predict=predict)


def slicing(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Slicing]":
    """x[key] in torch and NumPy: size, stride, storage_offset, and key as it is written.

    Strides are in elements, and NumPy's in bytes too. A key has numbers, slices, None and dots:
    what gives a view.

    >>> slicing(size=(3, 4), key="::2, 1:").state.key
    '::2, 1:'
    """
    return _open(_Slicing, x, state, predict=predict)


def broadcast(
    x: object = None, *, predict: bool = False, **state: Any
) -> "ExplorerBox[_Broadcast]":
    """Two or three sizes, aligned from the right: a, b, c.

    Strides are in elements, and what is saved in bytes. The rule is that of
    torch.broadcast_tensors.

    >>> broadcast(a=(3, 1), b=(4,), c=(2, 1, 1)).state.sizes
    {'a': (3, 1), 'b': (4,), 'c': (2, 1, 1)}
    """
    return _open(_Broadcast, x, state, predict=predict)


def sharing(
    x: object = None, *, alone: bool = False, predict: bool = False, **state: Any
) -> "ExplorerBox[_Sharing]":
    """Several tensors, and who sees a write: size, tensor, make, index, value.

    Positions are in elements. What was made and written is in `.state.deeds`. With `alone`, or
    with another size, it begins with x and nothing made of it.

    >>> sharing().state.deeds
    ('y = x.t()', 'z = x.clone()')
    """
    start: dict[str, Any] = {"deeds": ()} if alone else {}
    return _open(_Sharing, x, {**start, **state}, predict=predict)


def traversal(
    x: object = None, *, predict: bool = False, **state: Any
) -> "ExplorerBox[_CacheLines]":
    """Visits and cache lines: size, stride, storage_offset, memory, loops, line, visit.

    Positions are in elements of 8 bytes, a line is in bytes, and visits are counted from 0.

    >>> traversal(size=(4, 8), memory="column-major", visit=3).state.positions()[:4]
    [0, 1, 2, 3]
    """
    return _open(_CacheLines, x, state, predict=predict)


def pixels(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Pixels]":
    """A face in memory, read through any header: size, stride, storage_offset, order, memory.

    Strides are in elements, a byte each. `order` says which dim is which: "HWC", "CHW" or "HW".
    Of a tensor that is given, the header is taken, and the face is read through it. What leaves
    the storage is hatched. `preset` is one of the famous mistakes. `pixel` is a row and a column
    of the face; where its memory is read is outlined.

    >>> pixels(stride=(291, 3, 1)).state.preset
    'one pixel too long'
    """
    return _open(_Pixels, x, state, predict=predict)


def _open(
    explorer: type[S], x: object, changes: dict[str, Any], *, predict: bool
) -> "ExplorerBox[S]":
    with needing(f"{explorer.name}()", "anywidget", "stridekit-library[notebook]"):
        from stridekit.explorers.widgets import ExplorerBox

    if x is not None:
        subject = subject_of(explorer.name, x)
        changes = {**explorer.from_layout(subject.layout, subject.storage_length), **changes}
    return ExplorerBox(Controller(explorer, changes, predict=predict))
