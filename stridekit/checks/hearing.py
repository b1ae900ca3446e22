"""What a function prints, warns and logs: heard, and kept off the page."""

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator

# So much of it is kept, in characters.
KEPT_MOST = 2000


class Heard(io.TextIOBase):
    """A stream that keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self.text = ""
        self.is_cut = False

    def writable(self) -> bool:
        """Yes."""
        return True

    @property
    def told(self) -> str:
        """What was kept, and that it is not all, where it is not."""
        end = "" if self.text.endswith("\n") else "\n"
        cut = f"{end}[cut here: it printed more than {KEPT_MOST:,} characters]"
        return f"{self.text}{cut}" if self.is_cut else self.text

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        room = KEPT_MOST - len(self.text)
        self.is_cut = self.is_cut or len(text) > room
        self.text += text[: max(room, 0)]
        return len(text)


@contextlib.contextmanager
def listening() -> Iterator[Heard]:
    """Hears both streams, warnings and loggers while it is entered."""
    heard = Heard()
    # A logging handler keeps the stream that it was made with, so replacing sys.stderr is not
    # enough. A notebook's streams can be told to write elsewhere; a terminal's cannot.
    told = []
    for stream in {sys.stdout, sys.stderr}:
        try:
            stream.write = heard.write  # type: ignore[method-assign]
        except AttributeError:
            continue
        told.append(stream)
    try:
        with (
            contextlib.redirect_stdout(heard),
            contextlib.redirect_stderr(heard),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("default")
            yield heard
        for warning in warned:
            heard.write(f"{warning.category.__name__}: {warning.message}\n")
    finally:
        for stream in told:
            del stream.write
