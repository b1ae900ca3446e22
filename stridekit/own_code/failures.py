"""From an exception to its reason: the operation, its tensors' headers, the rule, what is said."""

import warnings
from collections.abc import Iterator
from contextlib import suppress

from stridekit.own_code import asked, refusals, wording
from stridekit.own_code.reasons import Reason
from stridekit.own_code.tracebacks import operations_of, raised_anew
from stridekit.own_code.verdicts import RuleBook, verdict_on

RULES = RuleBook((*refusals.RULES, *wording.RULES, *asked.RULES))

# What torch, NumPy and matplotlib raise where memory forbids something.
KINDS = (
    *(RuntimeError, ValueError, TypeError, AttributeError, IndexError, AssertionError, BufferError),
)


def reason_of(error: BaseException) -> Reason | None:
    """Why an exception was raised, if memory tells: of it, or of what it was raised from.

    Gives None where the operation or its tensors cannot be found.
    """
    # A line may be nested more deeply than can be read.
    with warnings.catch_warnings(), suppress(RecursionError):
        warnings.simplefilter("ignore")
        for each in _chain(error):
            if not isinstance(each, KINDS):
                continue
            reason = asked.told_already(each)
            for operation in () if reason else operations_of(each):
                reason = reason or verdict_on(each, operation, RULES)
            if reason is not None:
                return reason
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, those in its group, and those that it was raised from, or in place of.

    One that was caught, and after which something else failed, is another matter.
    """
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
        elif raised_anew(each):
            waiting.append(each.__context__)
