"""What a learner's function prints, warns, logs and shows: heard, and kept off the page.

A check calls a function thousands of times, and so much output would stop a grader. To the
function the stream is an ordinary one: Python's own, with an encoding, a buffer and a descriptor.
"""

import bdb
import builtins
import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

# So much of what is printed is kept, in bytes.
KEPT_MOST = 2000


class Heard(io.RawIOBase):
    """Keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self._kept = b""
        self._length = 0
        self._nowhere = -1
        self.name, self.mode = "<stdout>", "wb"
        # What waits in a stream is held in as many small strings as were printed.
        buffer, how = io.BufferedWriter(self), "backslashreplace"
        self.stream = io.TextIOWrapper(buffer, "utf-8", how, newline="\n", write_through=True)
        self.stream.mode = "w"  # type: ignore[misc] # Python sets it on its own in this way, too

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Keep what there is room for."""
        self._kept += bytes(data[: max(KEPT_MOST - len(self._kept), 0)])
        self._length += len(data)
        return len(data)

    def fileno(self) -> int:
        """A descriptor, for whoever asks for one. What is written there is not kept."""
        if self._nowhere < 0:
            self._nowhere = os.open(os.devnull, os.O_WRONLY)
        return self._nowhere

    def end(self) -> None:
        """Nothing more is written."""
        # Somebody may have closed what they print to.
        with contextlib.suppress(ValueError):
            self.stream.flush()
        if self._nowhere >= 0:
            os.close(self._nowhere)

    @property
    def told(self) -> str:
        """What was kept, and that it is not all, where it is not."""
        text = self._kept.decode("utf-8", "ignore")
        end = "" if text.endswith("\n") else "\n"
        cut = f"{end}[cut here: it printed more than {KEPT_MOST:,} characters]"
        return f"{text}{cut}" if self._length > KEPT_MOST else text

    @property
    def is_silent(self) -> bool:
        """Whether nothing was written."""
        return self._length == 0


@contextlib.contextmanager
def listening() -> Iterator[Heard]:
    """Hears both streams, warnings, loggers and what is displayed, while it is entered.

    A breakpoint that was left in the function does not stop there, and input() raises: nobody could
    answer them.
    """
    heard = Heard()
    with contextlib.ExitStack() as stack:
        stack.callback(heard.end)
        # A logging handler keeps the stream that it was made with, so replacing sys.stderr is not
        # enough. A notebook's streams can be told to write elsewhere; a terminal's cannot.
        for stream in {sys.stdout, sys.stderr}:
            with contextlib.suppress(AttributeError):
                stream.write = heard.stream.write  # type: ignore[method-assign]
                stack.callback(delattr, stream, "write")
        stack.enter_context(contextlib.redirect_stdout(heard.stream))
        stack.enter_context(contextlib.redirect_stderr(heard.stream))
        stack.callback(setattr, bdb.Bdb, "set_trace", bdb.Bdb.set_trace)
        bdb.Bdb.set_trace = _go_on  # type: ignore[method-assign, assignment]
        stack.callback(setattr, builtins, "input", builtins.input)
        builtins.input = _no_answer
        displayed = _displayed(stack)
        warned = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("default")
        yield heard
        with contextlib.suppress(ValueError):
            for warning in warned or ():
                heard.stream.write(f"{warning.category.__name__}: {warning.message}\n")
            if displayed is not None and displayed.outputs:
                heard.stream.write("[it displayed something]\n")


def _go_on(_: bdb.Bdb, *_arguments: object, **_names: object) -> None:
    """What `breakpoint()` comes to."""


def _no_answer(*_: object) -> str:
    """What `input()` comes to."""
    raise EOFError("nobody answers input() while a function is checked")


def _displayed(stack: contextlib.ExitStack) -> Any:
    """What is displayed in a notebook, such as by rich; None where there is none."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        return None
    from IPython.utils.capture import capture_output

    return stack.enter_context(capture_output(stdout=False, stderr=False))
