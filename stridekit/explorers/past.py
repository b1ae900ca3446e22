"""What was shown before, for Undo and Redo: an edit of one field is one step, however many keys."""

from typing import Generic, TypeVar

S = TypeVar("S")

MOST_STEPS = 200


class Past(Generic[S]):
    """The states that were shown, and which of them is shown now.

    >>> past = Past("a")
    >>> past.add("b")
    >>> past.add("bc", again=True)
    >>> past.undo(), past.can_undo, past.redo()
    ('a', False, 'bc')
    """

    def __init__(self, first: S) -> None:
        self._states = [first]
        self._at = 0

    @property
    def can_undo(self) -> bool:
        """Whether a state was shown before this one."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self._at < len(self._states) - 1

    def add(self, state: S, *, again: bool = False) -> None:
        """A state is shown; `again` says that it goes on with the step that is shown now.

        What was undone is gone then, unless nothing changes.
        """
        if state == self._states[self._at]:
            return
        self._states = self._states[: self._at + (0 if again and self._at else 1)]
        if self._states[-1] != state:
            self._states.append(state)
        self._states = self._states[-MOST_STEPS:]
        self._at = len(self._states) - 1

    def undo(self) -> S:
        """The state before; the first one again, where there is none."""
        self._at = max(self._at - 1, 0)
        return self._states[self._at]

    def redo(self) -> S:
        """The state that was undone; the last one again, where there is none."""
        self._at = min(self._at + 1, len(self._states) - 1)
        return self._states[self._at]
