"""Explorers: play with a layout and see what happens.

Each gives a widget that shows at once, in JupyterLab and Notebook: `strides()`. Each takes a
tensor of torch, NumPy or stridekit to start from, or values of its state by name, and
`predict=True` to answer before seeing. What is shown is its `.state`.

>>> from stridekit.explorers import strides
>>> explorer = strides(size=(2, 3), stride=(1, 2))
>>> explorer.state.storage_offset
0
"""

from typing import TYPE_CHECKING, Any

from stridekit.explorers.broadcasts import BROADCAST
from stridekit.explorers.broadcasts import Broadcast as _Broadcast
from stridekit.explorers.core import Controller, Explorer
from stridekit.explorers.headers import STRIDES
from stridekit.explorers.headers import Header as _Header
from stridekit.explorers.memories import SHARING
from stridekit.explorers.memories import Sharing as _Sharing
from stridekit.explorers.orders import PERMUTE
from stridekit.explorers.orders import Order as _Order
from stridekit.explorers.positions import INDEX
from stridekit.explorers.positions import Place as _Place
from stridekit.explorers.reshapes import RESHAPE
from stridekit.explorers.reshapes import Reshape as _Reshape
from stridekit.explorers.slices import SLICING
from stridekit.explorers.slices import Slicing as _Slicing
from stridekit.explorers.visits import TRAVERSAL
from stridekit.explorers.visits import Visits as _Visits
from stridekit.interop import subject_of

if TYPE_CHECKING:
    from stridekit.explorers.shell import ExplorerBox

EXPLORERS: dict[str, Explorer[Any]] = {
    each.name: each
    for each in (INDEX, STRIDES, RESHAPE, PERMUTE, SLICING, BROADCAST, SHARING, TRAVERSAL)
}

__all__ = [
    "broadcast", "index", "permute", "reshape", "sharing", "slicing", "strides", "traversal",
]  # fmt: skip


def index(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Place]":
    """An index, and the way to its position: size, stride, storage_offset, index.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(INDEX, x, predict=predict, state=state)


def strides(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Header]":
    """Any header over a storage: size, stride, storage_offset, storage_length.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(STRIDES, x, predict=predict, state=state)


def reshape(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Reshape]":
    """A view, or why it is impossible: size, stride, storage_offset, new_size.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(RESHAPE, x, predict=predict, state=state)


def permute(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Order]":
    """Dims in another order: size, stride, storage_offset, dims.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(PERMUTE, x, predict=predict, state=state)


def slicing(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Slicing]":
    """x[key] in torch and NumPy: size, stride, storage_offset, and key as it is written.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(SLICING, x, predict=predict, state=state)


def broadcast(
    x: object = None, *, predict: bool = False, **state: Any
) -> "ExplorerBox[_Broadcast]":
    """Two or three sizes, aligned from the right: a, b, c.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(BROADCAST, x, predict=predict, state=state)


def sharing(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Sharing]":
    """Several tensors, and who sees a write: size, tensor, make, index, value.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(SHARING, x, predict=predict, state=state)


def traversal(x: object = None, *, predict: bool = False, **state: Any) -> "ExplorerBox[_Visits]":
    """Visits and cache lines: size, memory, loops, line, visit.

    Raises MisreadError for a state that cannot be shown, with the nearest that can.
    """
    return _open(TRAVERSAL, x, predict=predict, state=state)


def _open(
    explorer: Explorer[Any], x: object, *, predict: bool, state: dict[str, Any]
) -> "ExplorerBox[Any]":
    from stridekit.explorers.shell import ExplorerBox

    given: dict[str, Any] = {}
    if x is not None:
        subject = subject_of(explorer.name, x)
        given = dict(explorer.from_layout(subject.layout, subject.storage_length))
    return ExplorerBox(Controller(explorer, {**given, **state}, predict=predict))
