"""What an explorer is, without widgets: a state, and what is shown of it.

Hands can take hold of cells of a picture, of dims in an order, of slices' edges: the page moves
what is held at once, and what comes of it is decided here, as changes of the state.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, ClassVar, Self

from stridekit.diagrams import Diagram
from stridekit.explorers.fields import OWN, Button, Choice, Control, MisreadError, Setting
from stridekit.layouts.layout import Ints, Layout

# A table, the first row a heading.
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a state.

    `summary` is one sentence, read out by screen readers. `lead` stands right below the fields:
    rows of cells, the first row a heading, or lines of code. `facts` are sentences below the
    diagram, and `table` is more rows of cells.

    Whoever wants to predict first is asked `question`. Until something is typed, only what `given`
    draws is shown, and `asked` in place of `lead`. `truth` is the right answer; `why` says in a
    sentence or more why it is right, where the summary does not. `slips` are wrong answers that
    people give, each under the sentence that it gets.
    """

    summary: str
    diagram: Diagram | None = None
    facts: tuple[str, ...] = ()
    table: Rows = ()
    lead: Rows | str = ()
    question: str = ""
    truth: str = ""
    given: Callable[[], Diagram | None] = lambda: None
    asked: Rows | str = ()
    why: str = ""
    slips: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class State(ABC):
    """What an explorer shows now, and what it does; the first state is that without arguments.

    An explorer is a subclass. Each of its fields has a control of the same name; nothing here
    changes a state, and only what passes its `check` is shown, coded, taken hold of.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    controls: ClassVar[tuple[Control, ...]]

    @abstractmethod
    def check(self) -> None:
        """Raises MisreadError for what cannot be shown."""

    @abstractmethod
    def show(self) -> Shown:
        """What is shown of it."""

    @abstractmethod
    def code(self) -> str:
        """The torch lines that make what is shown."""

    @classmethod
    @abstractmethod
    def from_layout(cls, layout: Layout, storage_length: int) -> Mapping[str, Any]:
        """The changes that show a given tensor's header over a storage of that length."""

    def follow(self, _before: Self, _changes: Mapping[str, Any]) -> Self:
        """This state, in which the changes are made, with what follows from them."""
        return self

    def handles(self) -> "tuple[Handle, ...]":
        """Chips and edges to take hold of."""
        return ()

    def picked(self, _cell: "PictureCell") -> Mapping[str, Any]:
        """The changes when a cell of a picture is chosen."""
        return {}

    def dragged(self, _dim: int, _start: int, _stop: int) -> Mapping[str, Any]:
        """The changes when the edges of a dim's slice are moved there."""
        return {}

    def offered(self) -> Mapping[str, Collection[str]]:
        """The options that make sense now, of choices of which not all always do."""
        return {}

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """Its controls that have a value, by name."""
        return {each.name: each for each in cls.controls if not isinstance(each, Button)}

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """The state with the changes and all that follows from them."""
        before = self
        presets = [each for each in self.controls if isinstance(each, Choice) and each.stands_for]
        for each in presets:
            chosen = changes.get(each.name, OWN)
            if chosen != getattr(self, each.name):
                before = replace(before, **each.stands_for.get(chosen, {}))
        new = replace(before, **changes).follow(before, changes)
        for each in presets:
            there = vars(new).items()
            named = (name for name, those in each.stands_for.items() if those.items() <= there)
            new = replace(new, **{each.name: next(named, OWN)})
        return new

    def read(self, changes: Mapping[str, Any]) -> Self:
        """The state with the changes, each of which is a value, or text for a field to type in.

        Raises MisreadError for what cannot be read, for a name that there is not, and for a state
        that cannot be shown.
        """
        settings = self.settings()
        for name in changes:
            if name not in settings:
                near = [*get_close_matches(name, settings, 1), *settings][0]
                why = f"One can set {', '.join(settings)}."
                raise MisreadError(f"There is no {name}.", why, nearest=near)
        new = self.changed({name: settings[name].read(value) for name, value in changes.items()})
        new.check()
        return new

    def opening_line(self) -> str:
        """The shortest line of Python that opens the explorer in this state.

        What follows from the rest is left out. A preset may stand for fields, or they for it.

        >>> from stridekit.explorers import strides
        >>> strides(size=(2, 3), storage_length=6).state.opening_line()
        'strides(size=(2, 3), storage_length=6)'
        >>> strides(preset="window").state.opening_line()
        "strides(preset='window')"
        """
        settings, first = self.settings(), type(self)()
        told = {name: getattr(self, name) for name in settings}
        for name in sorted(settings, key=lambda name: isinstance(settings[name], Choice)):
            fewer = {other: value for other, value in told.items() if other != name}
            if first.changed(fewer) == self:
                told = fewer
        spelled = (f"{name}={value!r}" for name, value in told.items())
        return f"{self.name}({', '.join(spelled)})"


# What hands can take hold of.


@dataclass(frozen=True, slots=True)
class PictureCell:
    """A cell of a picture: of the grid `name` at an index, or the slot of a strip (no index).

    `section` counts the picture's storages from 0, and `position` its slots, in elements.
    """

    section: int
    name: str
    index: Ints | None
    position: int

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Self:
        """The cell that a page tells of."""
        index = said["index"] if said["index"] is None else tuple(said["index"])
        return cls(said["section"], said["name"], index, said["address"])

    def index_in(self, layout: Layout) -> Ints | None:
        """Its index in a tensor; that of the first element that lies in a slot.

        None where it is not there: on a far server a click may be on a picture that is gone.

        >>> PictureCell(0, "x", None, 6).index_in(Layout.of((3, 4)))
        (1, 2)
        """
        if self.index is None:
            return layout.index_at(self.position)
        fits = len(self.index) == layout.ndim and all(
            0 <= i < n for i, n in zip(self.index, layout.size, strict=True)
        )
        return self.index if fits else None


@dataclass(frozen=True, slots=True)
class Chips:
    """The dims of a tensor in an order that can be changed: `order`, told by `labels`."""

    field: str
    label: str
    order: Ints
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """A slice of a dim of `length` elements, from `start` up to `stop`."""

    dim: int
    length: int
    start: int
    stop: int


Handle = Chips | Edges
