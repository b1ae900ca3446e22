"""`%load_ext stridekit`: under a traceback the reason, where memory tells; and `%%layout`.

While nothing fails, this looks after each cell at one attribute, and loads nothing.
"""

import linecache
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from traceback import walk_tb
from typing import Any
from weakref import WeakKeyDictionary

from stridekit.errors import needing

_MAGIC = "layout"
# What %time compiles is called so.
_TIMED = ("<timed exec>", "<timed eval>")
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
        magics.pop(_MAGIC, None)
        if self._magic_before is not None:
            magics[_MAGIC] = self._magic_before

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
        if type(self._ip.display_pub).__name__ == "CapturingDisplayPublisher":
            # %%capture would keep it, and lets the traceback through. It is told after that.
            return
        self._told = id(error)
        try:
            with _timed_source(self._ip, error, result.info.raw_cell):
                reason = import_module("stridekit.own_code.failures").reason_of(error)
        except Exception as fault:  # noqa: BLE001 - our faults must not hide anybody's
            reason = import_module("stridekit.own_code.reasons").Reason(
                "stridekit",
                "stridekit tried to explain this and failed itself, with "
                f"{type(fault).__name__}: {fault}. The traceback above is complete.",
            )
        if reason is not None:
            import_module("IPython.display").display(reason)

    def _layout(self, line: str, cell: str) -> None:
        """Show the header of each tensor that a cell makes, line by line."""
        import_module("stridekit.own_code.layout_magic").layout(self._ip, line, cell)


@contextmanager
def _timed_source(ip: Any, error: BaseException, cell: Any) -> Iterator[None]:
    """What %time and %%time run has a name, and meanwhile its text as well.

    A function that they made keeps the name, and may be of an earlier cell's text.
    """
    codes = (frame.f_code for frame, _ in walk_tb(error.__traceback__))
    timed = {code.co_name for code in codes if code.co_filename in _TIMED}
    text = re.search(r"^(?:%%time *\n|%time )(.*)", str(cell), re.DOTALL | re.MULTILINE)
    known = ip.transform_cell(text[1]) if text and timed == {"<module>"} else ""
    linecache.cache |= dict.fromkeys(_TIMED, (1, None, known.splitlines(True), "<timed>"))
    try:
        yield
    finally:
        for name in _TIMED:
            linecache.cache.pop(name, None)


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
