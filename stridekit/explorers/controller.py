"""An explorer in use: one state at a time, what is typed in its fields, a way out of problems.

A `Controller` keeps the last valid state when what is typed is not valid. `markup` makes HTML of
it, `widgets` a thin view.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import (
    Button,
    Checkbox,
    Choice,
    Explorer,
    MisreadError,
    Problem,
    TextField,
    is_option,
    read,
    require_names,
    text_for,
)

S = TypeVar("S")

# What was shown before, for Undo and Redo.


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


# What goes on while a handle is dragged, as other names are those of buttons.
HELD = "a hand"
# So many states are not drawn anew when one comes back to them: by Backspace, Undo, an arrow key.
LATELY = 8


@dataclass(slots=True)
class _Edit(Generic[S]):
    """Keys in one field: where they began, and whether they have changed the state."""

    name: str
    state: S
    draft: dict[str, Any]
    has_changed: bool = False


class Controller(Generic[S]):
    """One explorer in use: the last valid state, and what is typed in its fields.

    It starts from the explorer's first state with some changes; raises MisreadError when those
    cannot be shown, with the nearest that can. Nothing else here raises.

    The keys of one edit of a field all start from what stood there before the edit, so the state
    depends on what was typed in the end and not on what stood there on the way: retyping a size
    of two dims keeps its strides, although it had one dim, or none, for a moment. Undo takes back
    a whole edit.
    """

    def __init__(
        self,
        explorer: Explorer[S],
        changes: Mapping[str, Any] | None = None,
        *,
        predict: bool = False,
    ) -> None:
        self.explorer = explorer
        self.problem: Problem | None = None
        self.predict = predict
        self.prediction: str | None = None
        self._draft: dict[str, Any] = {}
        self._edit: _Edit[S] | None = None
        self._played = ""
        self.state = explorer.initial
        try:
            self.state = read(explorer, explorer.initial, changes or {})
        except StridekitError as error:
            raise MisreadError(self._mended(error, changes or {})) from None
        self.first = self.state
        self._shown = lru_cache(LATELY)(explorer.show)
        self.shown = self._shown(self.state)
        self._past = Past(self.state)

    def set(self, **changes: Any) -> None:
        """Change the state: values, or text for the fields to type in.

        Only what has a control, or is one of the explorer's extras, can be set. What is not valid
        is kept beside the state, as `problem`, until it is mended: several fields may have to
        change before a state is valid again.
        """
        self._edit = None
        try:
            require_names(self.explorer, changes)
        except MisreadError as error:
            self.problem = self._mended(error, {})
        else:
            self._set(changes)

    def type_in(self, name: str, text: str, *, begins: bool = False) -> None:
        """A field says this now. `begins` begins a new edit of the field that was typed in last."""
        if not any(
            isinstance(each, TextField) and each.name == name for each in self.explorer.controls
        ):
            self.set(**{name: text})
            return
        if begins or self._edit is None or self._edit.name != name:
            self._edit = _Edit(name, self.state, self._draft)
        edit = self._edit
        self._draft = {**edit.draft, name: text}
        try:
            state = read(self.explorer, edit.state, self._draft)
        except StridekitError as error:
            self.problem = self._mended(error, self._draft)
            return
        self._show(state)
        self._past.add(state, again=edit.has_changed)
        # An edit that leads back to where it began is none, and the next key begins it anew.
        edit.has_changed = state != edit.state

    def _set(self, changes: Mapping[str, Any]) -> None:
        texts = {each.name for each in self.explorer.controls if isinstance(each, TextField)}
        if any(not isinstance(text, str) or name not in texts for name, text in changes.items()):
            # A choice, or a value from a program, does not wait for what is half typed.
            self._draft = {}
        draft = {**self._draft, **changes}
        # What no widget can hold is refused, and not kept.
        self._draft = {name: value for name, value in draft.items() if self._holds(name, value)}
        try:
            self._accept(read(self.explorer, self.state, draft))
        except StridekitError as error:
            self.problem = self._mended(error, draft)

    def press(self, name: str, *, begins: bool = False) -> None:
        """Press a button. It acts on the last valid state, or begins to act again and again.

        Acts that follow each other by themselves are one step for Undo.
        """
        goes_on, self._edit = self._played == name and not begins, None
        buttons = {each.name: each for each in self.explorer.controls if isinstance(each, Button)}
        try:
            if name not in buttons:
                known = ", ".join(buttons) or "none"
                raise MisreadError(Problem(f"There is no button {name}.", f"There are: {known}."))
            button = buttons[name]
            new = (button.begin if begins else button.act)(self.state)
            problem = self.explorer.problem(new)
            if problem is not None:
                raise MisreadError(problem)
            self._accept(new, again=goes_on)
            self._played = name if button.every is not None and (begins or goes_on) else ""
        except StridekitError as error:
            self.problem = self._mended(error, {})

    def hold(self, what: Any, *, begins: bool = True) -> None:
        """A cell was chosen, or a handle moved: see `hands`. One drag is one step for Undo."""
        goes_on, self._edit = self._played == HELD and not begins, None
        try:
            changes = self.explorer.held(self.state, what)
            if changes:
                self._accept(read(self.explorer, self.state, changes), again=goes_on)
                self._played = HELD
        except StridekitError as error:
            self.problem = self._mended(error, {})

    def use_nearest(self) -> None:
        """Take the nearest thing that works. Without a problem, all stays as it is."""
        if self.problem is not None:
            self._edit, self._draft = None, {}
            self._set(self.problem.changes)

    def reset(self) -> None:
        """Back to the first state. Undo leads back from there."""
        self._accept(self.first)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back: a step, or text that is not valid."""
        return self._past.can_undo or self.problem is not None

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return self._past.can_redo

    def undo(self) -> None:
        """Back to what was shown before: an edit of one field is one step.

        Text that is not valid goes first, with the keys that led to it.
        """
        is_typed = self.problem is not None and not (self._edit and self._edit.has_changed)
        self._show(self.state if is_typed else self._past.undo())
        self._edit = None

    def redo(self) -> None:
        """What was undone, again."""
        self._show(self._past.redo())
        self._edit = None

    def guess(self, prediction: str) -> None:
        """Answer the question of the state."""
        self.prediction = str(prediction).strip() or None

    def texts(self) -> dict[str, Any]:
        """What stands in each field: what was typed, where the state has not taken it."""
        standing = self._values(self.state)
        for control in self.explorer.controls:
            if isinstance(control, TextField):
                standing[control.name] = control.spell(standing[control.name])
            if control.name in self._draft:
                drafted = self._draft[control.name]
                is_text = isinstance(control, TextField)
                standing[control.name] = text_for(control, drafted) if is_text else drafted  # type: ignore[arg-type]
        return standing

    def offers(self, name: str, standing: Any) -> tuple[str, ...] | None:
        """The options of a choice whose options change: what makes sense, and what stands there."""
        control = next(each for each in self.explorer.controls if each.name == name)
        if not isinstance(control, Choice) or control.offered is None:
            return None
        offered = {standing, *control.offered(self.state)}
        return tuple(option for option in control.options if option in offered)

    def agree(self, name: str, text: Any, other: Any) -> bool:
        """Whether two texts say the same in a field."""
        control = next(each for each in self.explorer.controls if each.name == name)
        if not isinstance(control, TextField):
            return bool(text == other)
        try:
            return bool(control.read(text) == control.read(other))
        except StridekitError:
            return False

    @property
    def is_hidden(self) -> bool:
        """Whether the answer waits for a prediction."""
        return self.predict and bool(self.shown.question) and self.prediction is None

    def _values(self, state: S) -> dict[str, Any]:
        """The values of all controls."""
        controls = (each for each in self.explorer.controls if not isinstance(each, Button))
        return {each.name: getattr(state, each.name) for each in controls}

    def _holds(self, name: str, value: Any) -> bool:
        control = next((each for each in self.explorer.controls if each.name == name), None)
        return isinstance(control, TextField | Checkbox) or (
            isinstance(control, Choice) and is_option(control, value)
        )

    def _accept(self, state: S, *, again: bool = False) -> None:
        """Show a state, as a step of its own, or as more of the one before."""
        self._edit, self._played = None, ""
        self._show(state)
        self._past.add(state, again=again)

    def _show(self, state: S) -> None:
        shown = self._shown(state)
        if (shown.question, shown.truth) != (self.shown.question, self.shown.truth):
            self.prediction = None
        self.state, self.shown, self.problem = state, shown, None
        self._draft = {}

    def _mended(self, error: StridekitError, draft: Mapping[str, Any]) -> Problem:
        """What is wrong, with changes to the state that surely mend it."""
        first = error.problem if isinstance(error, MisreadError) else Problem(
            "That is refused.", str(error)
        )  # fmt: skip
        problem, changes = first, dict(draft)
        # Each round mends one thing: several fields may be wrong at once.
        for _ in range(2 * len(self.explorer.controls)):
            if not problem.changes:
                break
            changes |= problem.changes
            try:
                new = read(self.explorer, self.state, changes)
            except MisreadError as another:
                problem = another.problem
            else:
                # Where more had to be mended than one thing, the words say all of it.
                nearest = first.nearest if problem is first else ""
                nearest = nearest or self._changed(new) or self._told(new, draft)
                return replace(first, nearest=nearest or "what is shown", changes=changes)
        nearest = self._told(self.state, draft) or "what is shown"
        return replace(first, nearest=nearest, changes=self._values(self.state))

    def _changed(self, state: S) -> str:
        """How a state differs from the one that is shown."""
        old, new = self._values(self.state), self._values(state)
        return self._told(state, {name for name in old if new[name] != old[name]})

    def _told(self, state: S, names: Collection[str]) -> str:
        """What stands in some controls in a state."""
        told = [
            f"{control.label} "
            + (control.spell if isinstance(control, TextField) else str)(
                getattr(state, control.name)
            )
            for control in self.explorer.controls
            if control.name in names
        ]
        return "; ".join(told)

    def said(self) -> str:
        """The state in a sentence, or the question where the answer waits."""
        return self.shown.question if self.is_hidden else self.shown.summary

    def pictures(self) -> tuple[Diagram, ...]:
        """The diagrams, without the answer where it waits."""
        return self.shown.given() if self.is_hidden else self.shown.diagrams
