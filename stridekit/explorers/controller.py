"""An explorer in use: one state at a time, what is typed in its fields, a way out of problems.

A `Controller` keeps the last valid state when what is typed is not valid. `markup` makes HTML of
it, `widgets` a thin view.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from stridekit.errors import StridekitError
from stridekit.explorers.explorer import Edges, PictureCell, Shown, State
from stridekit.explorers.fields import Button, Choice, MisreadError, TextField, as_sentence

S = TypeVar("S", bound=State)

# So many steps can be undone.
MOST_STEPS = 200
# So many states are not drawn anew when one comes back to them: by Backspace, Undo, an arrow key.
LATELY = 8


@dataclass(frozen=True, slots=True)
class _Step(Generic[S]):
    """What may go on: keys in a field, a button that plays, a hand that drags. It is one for Undo.

    What stood there when it began: the state, those before it, and what the state had not taken.
    """

    name: str
    state: S
    before: tuple[S, ...]
    draft: dict[str, Any]


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
        explorer: type[S],
        changes: Mapping[str, Any] | None = None,
        *,
        predict: bool = False,
    ) -> None:
        self.explorer = explorer
        self.problem: MisreadError | None = None
        self.predict = predict
        self.prediction: str | None = None
        # What stands in fields that the state has not taken; and what was typed that it has.
        self._draft: dict[str, Any] = {}
        self._typed: dict[str, str] = {}
        self._step: _Step[S] | None = None
        self._before: tuple[S, ...] = ()
        self._after: tuple[S, ...] = ()
        self.state = explorer()
        try:
            self.state = self.state.read(changes or {})
        except StridekitError as error:
            raise self._mended(error, changes or {}) from None
        self.first = self.state
        self._shown = lru_cache(LATELY)(explorer.show)
        self.shown: Shown = self._shown(self.state)

    # What one can do.

    def set(self, **changes: Any) -> None:
        """Change the state: values, or text for the fields to type in.

        What is not valid is kept beside the state, as `problem`, until it is mended: several
        fields may have to change before a state is valid again.
        """
        settings = self.explorer.settings()
        fields = [name for name, each in settings.items() if isinstance(each, TextField)]
        if any(not isinstance(text, str) or name not in fields for name, text in changes.items()):
            # A choice, or a value from a program, does not wait for what is half typed.
            self._draft = {}
        draft = {**self._draft, **changes}
        # What no widget can hold is refused, and not kept.
        self._draft = {name: value for name, value in draft.items() if self._holds(name, value)}
        self._go(lambda: self.state.read(draft), draft=draft)

    def type_in(self, name: str, text: str, *, begins: bool = False) -> None:
        """A field says this now. `begins` begins a new edit of the field that was typed in last."""
        if not isinstance(self.explorer.settings().get(name), TextField):
            self.set(**{name: text})
            return
        step = self._stepping(f"type {name}", begins=begins)
        # What is typed now comes first, so that the complaint is about it.
        draft = self._draft = {name: text, **step.draft} | {name: text}
        typed = {**self._typed, name: text}
        self._go(lambda: step.state.read(draft), step, draft=draft, typed=typed)

    def press(self, name: str, *, begins: bool = False) -> None:
        """Press a button. It acts on the last valid state, or begins to act again and again.

        Acts that follow each other by themselves are one step for Undo.
        """
        buttons = {each.name: each for each in self.explorer.controls if isinstance(each, Button)}
        plays = name in buttons and buttons[name].every is not None

        def pressed() -> S:
            if name not in buttons:
                known = ", ".join(buttons) or "none"
                raise MisreadError(f"There is no button {name}.", f"There are: {known}.")
            act = getattr(self.state, name)
            new: S = act(begins) if plays else act()
            new.check()
            return new

        self._go(pressed, self._stepping(f"press {name}", begins=begins or not plays))

    def pick(self, cell: PictureCell) -> None:
        """A cell of a picture was chosen."""
        changes = self.state.picked(cell)
        if changes:
            self._go(lambda: self.state.read(changes))

    def drag(self, edges: Edges, *, begins: bool = True) -> None:
        """The edges of a slice were moved. One drag is one step for Undo."""
        changes = self.state.dragged(edges)
        if changes:
            self._go(lambda: self.state.read(changes), self._stepping("drag", begins=begins))

    def use_nearest(self) -> None:
        """Take the nearest thing that works. Without a problem, all stays as it is."""
        if self.problem is not None:
            self._draft = {}
            self.set(**self.problem.changes)

    def reset(self) -> None:
        """Back to the first state. Undo leads back from there."""
        self._go(lambda: self.first)

    def ask_first(self, *, on: bool) -> None:
        """Whether answers wait for predictions from now on."""
        self.predict, self.prediction = on, None

    def guess(self, prediction: str) -> None:
        """Answer the question of the state."""
        self.prediction = str(prediction).strip() or None

    # Undo and Redo.

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back: a step, or text that is not valid."""
        return bool(self._before) or self.problem is not None

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._after)

    def undo(self) -> None:
        """Back to what was shown before: an edit of one field is one step.

        Text that is not valid goes first, with the keys that led to it.
        """
        step, self._step = self._step, None
        has_led_on = step is not None and step.state != self.state
        if self._before and (self.problem is None or has_led_on):
            *before, state = self._before
            self._before, self._after = tuple(before), (*self._after, self.state)
            self._show(state)
        else:
            self._show(self.state)

    def redo(self) -> None:
        """What was undone, again."""
        self._step = None
        if self._after:
            *after, state = self._after
            self._before, self._after = (*self._before, self.state), tuple(after)
            self._show(state)
        else:
            self._show(self.state)

    def _stepping(self, name: str, *, begins: bool) -> _Step[S]:
        """The step that goes on, if it has this name; else a new one, which begins here."""
        if begins or self._step is None or self._step.name != name:
            self._step = _Step(name, self.state, self._before, self._draft)
        return self._step

    def _go(
        self,
        make: Callable[[], S],
        step: _Step[S] | None = None,
        *,
        draft: Mapping[str, Any] = MappingProxyType({}),
        typed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Show the state that is made, or say why there is none.

        It is a step of its own, or more of one that goes on. A step that leads back to where it
        began is none; what was undone is gone, unless nothing changes.
        """
        self._step = step
        try:
            new = make()
        except StridekitError as error:
            self.problem = self._mended(error, draft)
            return
        began, before = (step.state, step.before) if step else (self.state, self._before)
        self._before = before if new == began else (*before, began)[-MOST_STEPS:]
        if new != self.state:
            self._after = ()
        self._show(new)
        self._typed = dict(typed)

    def _show(self, state: S) -> None:
        shown = self._shown(state)
        if (shown.question, shown.truth) != (self.shown.question, self.shown.truth):
            self.prediction = None
        self.state, self.shown, self.problem = state, shown, None
        self._draft, self._typed = {}, {}

    # What stands on the page.

    @property
    def is_hidden(self) -> bool:
        """Whether the answer waits for a prediction."""
        return self.predict and bool(self.shown.question) and self.prediction is None

    def shows(self) -> Shown:
        """What is shown: the question and what is given, where the answer waits."""
        if self.is_hidden:
            return Shown(self.shown.question, self.shown.given(), lead=self.shown.asked)
        return self.shown

    def texts(self) -> dict[str, str]:
        """What stands in each control: as it was typed, until something else is done."""
        standing = {}
        for name, setting in self.explorer.settings().items():
            value = getattr(self.state, name)
            typed = self._typed.get(name)
            if typed is not None and setting.read(typed) == value:
                value = typed
            standing[name] = setting.text(self._draft.get(name, value))
        return standing

    def wrong(self) -> list[str]:
        """The fields that the state has not taken: those that cannot be read, if there are any."""
        settings = self.explorer.settings()
        unread = []
        for name, text in self._draft.items():
            try:
                settings[name].read(text)
            except StridekitError:
                unread.append(name)
        return unread or [*self._draft]

    def offers(self) -> dict[str, tuple[str, ...]]:
        """The options of choices whose options change: what makes sense, and what stands there."""
        texts = self.texts()
        offers = {}
        for name, each in self.explorer.settings().items():
            if isinstance(each, Choice) and each.offered is not None:
                there = {texts[name], *each.offered(self.state)}
                offers[name] = tuple(option for option in each.options if option in there)
        return offers

    def _holds(self, name: str, value: Any) -> bool:
        """Whether a control can show a value that the state has not taken."""
        setting = self.explorer.settings().get(name)
        if isinstance(setting, Choice):
            return isinstance(value, str) and value in setting.options
        return setting is not None and not setting.hidden

    # A way out of problems.

    def _mended(self, error: StridekitError, draft: Mapping[str, Any]) -> MisreadError:
        """What is wrong, with changes to the state that surely mend it."""
        if not isinstance(error, MisreadError):
            error = MisreadError("That is refused.", as_sentence(error))
        changes, problem = dict(draft), error
        # Each round mends one thing: several fields may be wrong at once.
        for _ in range(2 * len(self.explorer.controls)):
            if not problem.changes:
                break
            changes |= problem.changes
            try:
                new = self.state.read(changes)
            except MisreadError as another:
                problem = another
            else:
                # Where more had to be mended than one thing, the words say all of it.
                nearest = error.nearest or self._told(new, error.changes)
                if problem is not error:
                    nearest = self._changed(new) or self._told(new, draft)
                return MisreadError(error.what, error.why, changes, nearest or "what is shown")
        nearest = "" if error.changes else error.nearest
        nearest = nearest or self._told(self.state, draft) or "what is shown"
        return MisreadError(error.what, error.why, self._values(self.state), nearest)

    def _values(self, state: S) -> dict[str, Any]:
        return {name: getattr(state, name) for name in self.explorer.settings()}

    def _changed(self, state: S) -> str:
        """How a state differs from the one that is shown."""
        old, new = self._values(self.state), self._values(state)
        return self._told(state, [name for name in old if new[name] != old[name]])

    def _told(self, state: S, names: Collection[str]) -> str:
        """What some controls say in a state."""
        return "; ".join(
            f"{setting.label} {setting.told(getattr(state, name))}"
            for name, setting in self.explorer.settings().items()
            if name in names
        )
