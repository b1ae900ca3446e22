"""An explorer in use: one state at a time, what is typed in its fields, a way out of problems.

A `Controller` keeps the last valid state when what is typed is not valid. `markup` makes HTML of
it, `widgets` a thin view.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from stridekit.explorers.explorer import PictureCell, Shown, State
from stridekit.explorers.fields import Button, Choice, MisreadError

S = TypeVar("S", bound=State)

NOTHING: Mapping[str, Any] = MappingProxyType({})


class _Stood(NamedTuple, Generic[S]):
    """What stood there when a step began: the state, and what it had not taken."""

    state: S
    draft: Mapping[str, Any]


class Controller(Generic[S]):
    """One explorer in use: the last valid state, and what is typed in its fields.

    It starts from the explorer's first state with some changes; raises MisreadError when those
    cannot be shown, with the nearest that can. Nothing else here raises.

    Whatever is done begins a step, or goes on with one: keys in a field, a button that plays, a
    hand that drags. Undo takes the last step back that has changed the state. All keys of one edit
    of a field start from the state that the edit began with. So only what was typed in the end
    counts, and not what stood there on the way: retyping a size of two dims keeps its strides,
    although it had one dim, or none, for a moment.
    """

    def __init__(
        self, explorer: type[S], changes: Mapping[str, Any] = NOTHING, *, predict: bool = False
    ) -> None:
        self.explorer = explorer
        self.problem: MisreadError | None = None
        self.predict = predict
        self.prediction: str | None = None
        # What stands in fields that the state has not taken; and what was typed that it has.
        self._draft: Mapping[str, Any] = NOTHING
        self._typed: Mapping[str, str] = NOTHING
        # What stood there at each step, the name of the last one if it may go on, what was undone.
        self._before: tuple[_Stood[S], ...] = ()
        self._step = ""
        self._after: tuple[S, ...] = ()
        self.state = explorer()
        try:
            self.state = self.state.read(changes)
        except MisreadError as error:
            raise self._mended(error, changes) from None
        self.first = self.state
        self.shown: Shown = self.state.show()

    # What one can do.

    def set(self, **changes: Any) -> None:
        """Change the state: values, or text for the fields to type in.

        What is not valid is kept beside the state, as `problem`, until it is mended: several
        fields may have to change before a state is valid again.
        """
        self._begin()
        # What no widget can hold is refused, and not kept. What was half typed is not waited for.
        self._draft = {name: value for name, value in changes.items() if self._holds(name, value)}
        self._go(lambda: self.state.read(changes), changes)

    def type_in(self, name: str, text: str, *, begins: bool = False) -> None:
        """A field says this now. `begins` begins a new edit of the field that was typed in last."""
        stood = self._begin(f"type {name}", begins=begins)
        # What is typed now comes first, so that the complaint is about it.
        draft = self._draft = {name: text, **stood.draft} | {name: text}
        self._go(lambda: stood.state.read(draft), draft, {**self._typed, name: text})

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

        self._begin(f"press {name}", begins=begins or not plays)
        self._go(pressed)

    def pick(self, cell: PictureCell) -> None:
        """A cell of a picture was chosen."""
        changes = self.state.picked(cell)
        if changes:
            self._begin()
            self._go(lambda: self.state.read(changes))

    def drag(self, dim: int, start: int, stop: int, *, begins: bool = True) -> None:
        """The edges of a dim's slice were moved there. One drag is one step for Undo."""
        changes = self.state.dragged(dim, start, stop)
        if changes:
            self._begin("drag", begins=begins)
            self._go(lambda: self.state.read(changes))

    def use_nearest(self) -> None:
        """Take the nearest thing that works. Without a problem, all stays as it is."""
        if self.problem is not None:
            self.set(**self.problem.changes)

    def reset(self) -> None:
        """Back to the first state. Undo leads back from there."""
        self._begin()
        self._go(lambda: self.first)

    def ask_first(self, *, on: bool) -> None:
        """Whether answers wait for predictions from now on."""
        self.predict, self.prediction = on, None

    def guess(self, prediction: str) -> None:
        """Answer the question of the state."""
        self.prediction = str(prediction).strip() or None

    # Undo and Redo.

    @property
    def _led_on(self) -> tuple[_Stood[S], ...]:
        """What stood there at each step, but for a last one that has not led anywhere."""
        before = self._before
        return before[:-1] if before and before[-1].state == self.state else before

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back: a step, or text that is not valid."""
        return bool(self._led_on) or self.problem is not None

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back."""
        return bool(self._after)

    def undo(self) -> None:
        """Back to what was shown before: an edit of one field is one step.

        Text that is not valid goes first, with the keys that led to it.
        """
        before, self._step = self._before if self.problem else self._led_on, ""
        if before and before[-1].state != self.state:
            self._after = (*self._after, self.state)
        self._before = before[:-1]
        self._show(before[-1].state if before else self.state)

    def redo(self) -> None:
        """What was undone, again."""
        self._begin()
        *after, state = self._after or (self.state,)
        self._after = tuple(after)
        self._show(state)

    def _begin(self, step: str = "", *, begins: bool = True) -> _Stood[S]:
        """Begin a step, or go on with the last one if it has this name: what stood there then."""
        if begins or step != self._step:
            stood = _Stood(self.state, self._draft)
            self._step, self._before = step, (*self._led_on, stood)
        return self._before[-1]

    def _go(
        self,
        make: Callable[[], S],
        draft: Mapping[str, Any] = NOTHING,
        typed: Mapping[str, str] = NOTHING,
    ) -> None:
        """Show the state that is made, or say why there is none."""
        try:
            new = make()
        except MisreadError as error:
            self.problem = self._mended(error, draft)
            return
        if new != self.state:
            self._after = ()
        self._show(new)
        self._typed = typed

    def _show(self, state: S) -> None:
        shown = state.show()
        if (shown.question, shown.truth) != (self.shown.question, self.shown.truth):
            self.prediction = None
        self.state, self.shown, self.problem = state, shown, None
        self._draft, self._typed = NOTHING, NOTHING

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
            except MisreadError:
                unread.append(name)
        return unread or [*self._draft]

    def _holds(self, name: str, value: Any) -> bool:
        """Whether a control can show a value that the state has not taken."""
        setting = self.explorer.settings().get(name)
        if isinstance(setting, Choice):
            return isinstance(value, str) and value in setting.options
        return setting is not None and not setting.hidden

    # A way out of problems.

    def _mended(self, error: MisreadError, draft: Mapping[str, Any]) -> MisreadError:
        """What is wrong, with changes to the state that surely mend it."""
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
                nearest = error.nearest or self._told(new, error.changes)
                if problem is not error:
                    # The words say all that had to be mended.
                    old = vars(self.state)
                    changed = [name for name in old if getattr(new, name) != old[name]]
                    nearest = self._told(new, changed or draft)
                return MisreadError(error.what, error.why, changes, nearest or "what is shown")
        nearest = "" if error.changes else error.nearest
        nearest = nearest or self._told(self.state, draft) or "what is shown"
        return MisreadError(error.what, error.why, {**vars(self.state)}, nearest)

    def _told(self, state: S, names: Iterable[str]) -> str:
        """What some controls say in a state."""
        return "; ".join(
            f"{setting.label} {getattr(state, name)}"
            for name, setting in self.explorer.settings().items()
            if name in {*names}
        )
