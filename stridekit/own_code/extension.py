"""`%load_ext stridekit`: under a traceback the reason, where memory tells; and `%%layout`.

While nothing fails, this looks after each cell at one attribute, and loads nothing.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from weakref import WeakKeyDictionary

from stridekit.errors import needing

_MAGIC = "layout"
# What a reason needs, and what to install for it.
_NEEDED = {"numpy": "numpy", "torch": "torch", "pure_eval": "stridekit-library[notebook]"}


class _Loaded:
    """What is registered with one shell."""

    def __init__(self, ip: Any) -> None:
        self._ip = ip
        # By identity: to hold an exception would hold all that its frames hold.
        self._last, self._told = id(getattr(sys, "last_value", None)), 0
        self._magic_before = ip.magics_manager.magics["cell"].get(_MAGIC)
        ip.events.register("pre_run_cell", self._before)
        ip.events.register("post_run_cell", self._after)
        ip.register_magic_function(self._layout, "cell", _MAGIC)

    def unload(self) -> None:
        """Everything as it was."""
        self._ip.events.unregister("pre_run_cell", self._before)
        self._ip.events.unregister("post_run_cell", self._after)
        magics = self._ip.magics_manager.magics["cell"]
        if self._magic_before is not None:
            magics[_MAGIC] = self._magic_before
        else:
            magics.pop(_MAGIC, None)

    def _before(self, _info: Any) -> None:
        self._last, self._told = id(getattr(sys, "last_value", None)), 0

    def _after(self, result: Any) -> None:
        error = result.error_in_exec
        if error is None:
            # %time, %run and others show a traceback themselves, and the cell counts as run.
            shown = getattr(sys, "last_value", None)
            error = None if id(shown) == self._last else shown
        if error is None or id(error) == self._told:
            return
        self._told = id(error)
        try:
            reason = import_module("stridekit.own_code.failures").reason_of(error)
        except Exception as fault:  # noqa: BLE001 - our faults must not hide anybody's
            reason = _own_fault(fault)
        if reason is not None:
            import_module("IPython.display").display(reason)

    def _layout(self, line: str, cell: str) -> None:
        """Show the header of each tensor that a cell makes, line by line."""
        import_module("stridekit.own_code.layout_magic").layout(self._ip, line, cell)


_loaded: "WeakKeyDictionary[Any, _Loaded]" = WeakKeyDictionary()


def load(ip: Any) -> None:
    """Register with a shell. A second time changes nothing.

    Raises MissingPackageError where something is not installed that a reason needs.
    """
    for package, install in _NEEDED.items():
        with needing("%load_ext stridekit", package, install):
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
    if ip not in _loaded:
        _loaded[ip] = _Loaded(ip)


def unload(ip: Any) -> None:
    """Take back what was registered with a shell."""
    loaded = _loaded.pop(ip, None)
    if loaded is not None:
        loaded.unload()


def _own_fault(fault: Exception) -> Any:
    reasons = import_module("stridekit.own_code.reasons")
    return reasons.Reason(
        "stridekit",
        "stridekit tried to explain this and failed itself, with "
        f"{type(fault).__name__}: {fault}. The traceback above is complete.",
    )
