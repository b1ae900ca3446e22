"""Explorers: play with a layout and see what happens.

Each gives a widget that shows at once, in JupyterLab and Notebook: `strides()`. Each takes a
tensor of torch, NumPy or stridekit to start from, or values of its state by name, and
`predict=True` to answer before seeing. What is shown is its `.state`.
"""

from typing import TYPE_CHECKING, Any

from stridekit.explorers.core import Controller, Explorer
from stridekit.explorers.headers import STRIDES
from stridekit.explorers.headers import Header as StridesState
from stridekit.interop import subject_of

if TYPE_CHECKING:
    from stridekit.explorers.shell import ExplorerBox

__all__ = ["strides"]


def strides(
    x: object = None, *, predict: bool = False, **state: Any
) -> "ExplorerBox[StridesState]":
    """Any header over a storage: size, stride, storage_offset, storage_length."""
    return _open(STRIDES, x, predict=predict, state=state)


def _open(
    explorer: Explorer[Any], x: object, *, predict: bool, state: dict[str, Any]
) -> "ExplorerBox[Any]":
    from stridekit.explorers.shell import ExplorerBox

    first = explorer.initial
    if x is not None:
        subject = subject_of(explorer.name, x)
        first = explorer.change(first, explorer.from_layout(subject.layout, subject.storage_length))
    if state:
        first = explorer.change(first, state)
    return ExplorerBox(Controller(explorer, first, predict=predict))
