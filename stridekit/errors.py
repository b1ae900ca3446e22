"""What stridekit raises when it refuses.

Nearly every exception here has two ancestries: `StridekitError`, so that one clause catches
them all, and the built-in exception that torch raises in the same place, so that code written
for torch keeps working (`except RuntimeError` catches a `ViewError`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import currentframe
from reprlib import Repr
from warnings import warn


class StridekitError(Exception):
    """The base of everything that stridekit raises on purpose."""


class LayoutError(StridekitError, RuntimeError):
    """A header that cannot be: what is no layout, leaves its storage, or orders no dims.

    Sizes, strides and storage_offsets; permutations, and memory formats for another rank.
    """


class SizeError(StridekitError, RuntimeError):
    """A new size that does not hold the same number of elements, or is not a size at all."""


class ObstacleError(StridekitError, RuntimeError):
    """What a layout makes impossible. `obstacle` is the reason as data, where there is one."""

    def __init__(self, message: str, obstacle: object = None) -> None:
        super().__init__(message)
        self.obstacle = obstacle


class ViewError(ObstacleError):
    """A view that the strides make impossible. `obstacle` says what stands in the way."""


class ExpandError(ObstacleError):
    """Sizes that do not broadcast. `obstacle` says which dim does not fit."""


class DimError(StridekitError, IndexError):
    """A dim that the tensor does not have."""


class IndexRangeError(StridekitError, IndexError):
    """An index outside its dim, or more indices than dims."""


class IndexKindError(StridekitError, IndexError):
    """An index of a kind that does not exist."""


class StepError(StridekitError, ValueError):
    """A slice step that is not positive."""


class ArgumentError(StridekitError, TypeError):
    """An argument of the wrong type."""


class DTypeError(StridekitError, TypeError):
    """A dtype that stridekit does not have."""


class UnorderedError(StridekitError, NotImplementedError):
    """Numbers without an order, where an order is asked for. A RuntimeError too, as in torch."""


class WideIntError(StridekitError, ValueError, TypeError):
    """A whole number past 64 bits, where a size, stride, dim or index is meant.

    torch raises TypeError for it in a tuple and ValueError elsewhere, so this is both.
    """


class NoNumberError(StridekitError, RuntimeError):
    """Data from which no dtype can be told."""


class ConversionError(StridekitError, ValueError):
    """Values, or an array's memory, that cannot become what is asked for."""


class MagnitudeError(StridekitError, OverflowError):
    """A number too large for what it is to become."""


class NotOfferedError(StridekitError, TypeError):
    """An operation that stridekit leaves to torch, on purpose."""


class MissingError(StridekitError, AttributeError):
    """A name that torch's tensors have, and stridekit's have not, on purpose."""


class ValueRangeError(StridekitError, RuntimeError):
    """A value that the dtype cannot hold."""


class OverlapError(StridekitError, RuntimeError):
    """A write to memory that several elements share, or that is read at the same time."""


class StorageError(StridekitError, RuntimeError):
    """Memory that is too small, read-only, may not grow, or is not the computer's own."""


class InteropError(StridekitError, TypeError):
    """A NumPy or torch object whose memory stridekit cannot share, with the reason."""


class CapsuleError(InteropError, RuntimeError):
    """An object that offers no memory by DLPack."""


class BufferExportError(StridekitError, BufferError):
    """A tensor whose memory cannot be handed out as a buffer, with the reason."""


class MissingPackageError(StridekitError, ModuleNotFoundError):
    """A package that only some users need, and that is not installed."""


@contextmanager
def needing(call: str, package: str, install: str = "") -> Iterator[None]:
    """Where an import fails in here, say what needs which package, and what to type.

    Raises MissingPackageError.

    >>> with needing(  # doctest: +ELLIPSIS
    ...     "figure()", "matplotlib", "stridekit-library[figures]"
    ... ):
    ...     import a_package_that_nobody_has
    Traceback (most recent call last):
    stridekit.errors.MissingPackageError: figure() needs matplotlib, which is not installed. ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "stridekit").partition(".")[0] == "stridekit":
            raise
        command = f'pip install "{install}"' if install else f"pip install {package}"
        raise MissingPackageError(
            f"{call} needs {package}, which is not installed. To have it: {command}",
            name=error.name,
        ) from error


class _Short(Repr):
    def repr_int(self, x: int, _level: int) -> str:
        # From Python 3.14 on, Repr has words of its own for an int that is too long to be spelled.
        return repr(x)


_SHORT = _Short()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = _SHORT.maxarray = 20
_SHORT.maxstring = _SHORT.maxother = 200


def quoted(value: object) -> str:
    """What somebody gave, as a sentence has it: in one line, and not all of what is long.

    >>> quoted([[1, 2], "a"]), len(quoted(["a"] * 10**6))
    ("[[1, 2], 'a']", 60)
    """
    try:
        text = " ".join(_SHORT.repr(value).split())
    except Exception:  # noqa: BLE001 - whatever was given is told from, an int of 5,000 digits too
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:59]}…"


class StridekitWarning(UserWarning):
    """What works, and most likely does not do what was meant. torch warns in the same place."""


def caution(sentence: str) -> None:
    """Give a StridekitWarning, for the line of the user's that led here."""
    frame = currentframe()
    level = 0
    while frame and frame.f_globals.get("__name__", "").startswith("stridekit."):
        frame, level = frame.f_back, level + 1
    warn(sentence, StridekitWarning, stacklevel=level + 1)


class CommandError(StridekitError):
    """What a command cannot do, in a sentence that says what to do instead."""


def told(error: CommandError | OSError) -> str:
    """What a command cannot do, or the system refuses, and where; without a full stop.

    >>> told(FileNotFoundError(2, "No such file or directory", "course"))
    'course: No such file or directory'
    """
    if isinstance(error, CommandError):
        return str(error).rstrip(".")
    return ": ".join(str(each) for each in (error.filename, error.strerror) if each) or str(error)


class WatchError(StridekitError, RuntimeError):
    """A place where nothing can be watched, with the reason."""
