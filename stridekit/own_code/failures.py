"""From an exception to its reason: the frames of its traceback, from the innermost outwards."""

from collections.abc import Iterator
from types import TracebackType

from stridekit.own_code.code_lines import is_users
from stridekit.own_code.operations import read_operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.verdicts import verdict_on, verdict_on_own

# What torch and NumPy raise where memory forbids something.
KINDS = (RuntimeError, ValueError, TypeError, AttributeError)
# So many frames from the innermost outwards are looked at.
FRAMES_MOST = 12


def reason_of(error: BaseException) -> Reason | None:
    """Why an exception was raised, if memory tells: of it, or of what it was raised from.

    Gives None where the operation or its tensors cannot be found.
    """
    for each in _chain(error):
        if not isinstance(each, KINDS):
            continue
        reason = verdict_on_own(each)
        for tb in _telling_first(each.__traceback__):
            if reason is not None:
                return reason
            operation = read_operation(tb)
            if operation is not None:
                reason = verdict_on(each, operation)
        if reason is not None:
            return reason
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, those in its group, and those that a traceback shows as its causes."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        each = waiting.pop(0)
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
        if each.__cause__ is not None or each.__suppress_context__:
            waiting.append(each.__cause__)
        else:
            waiting.append(each.__context__)


def _telling_first(tb: TracebackType | None) -> list[TracebackType]:
    """The frames of the user's own code, from the innermost outwards, and then the libraries'.

    What a library was given has better names where the user called it.
    """
    found: list[TracebackType] = []
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    inner = found[::-1][:FRAMES_MOST]
    return sorted(inner, key=lambda tb: not is_users(tb.tb_frame.f_code.co_filename))
