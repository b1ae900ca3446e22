"""What an explorer is, without widgets: a first state, controls and handles, and what is shown.

An `Explorer` is data and pure functions. `read` gives the state that some changes make of one.
Hands can take hold of cells of a picture, of dims in an order, of slices' edges: the page moves
what is held at once, and what comes of it is decided here, as changes of the state.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints, Layout

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a state cannot be shown: what is wrong, why, and the nearest thing that works.

    `changes` makes the nearest state of it. Where an explorer has none to offer, or where its
    offer does not do, the controller finds one: at worst, what is shown already.
    """

    what: str
    why: str
    nearest: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)


class MisreadError(StridekitError, ValueError):
    """Text that cannot be read as what a field asks for, or a state that cannot be shown.

    `instead` is text that the field can read.
    """

    def __init__(self, problem: Problem, instead: str | None = None) -> None:
        works = f"Works: {problem.nearest}." if problem.nearest else ""
        super().__init__(f"{problem.what} {problem.why} {works}".strip())
        self.problem = problem
        self.instead = instead


@dataclass(frozen=True, slots=True)
class TextField:
    """A field to type in. `read` may raise MisreadError; `spell` writes what it has read.

    Law: `read(spell(value)) == value`. No number in it is less than `least`.
    """

    name: str
    label: str
    read: Callable[[str], Any]
    spell: Callable[[Any], str]
    hint: str = ""
    least: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, by name. `offered` gives those that make sense in a state, if not all do."""

    name: str
    label: str
    options: tuple[str, ...]
    offered: Callable[[Any], Collection[str]] | None = None


@dataclass(frozen=True, slots=True)
class Checkbox:
    """Yes or no."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what it makes of a state.

    With `every`, the seconds between two of its acts in a state, it starts and stops: it acts
    again and again until nothing changes. `begin` says from which state on; what is named in
    `beside` may be changed meanwhile.
    """

    name: str
    label: str
    act: Callable[[Any], Any]
    every: Callable[[Any], float] | None = None
    begin: Callable[[Any], Any] = lambda state: state
    beside: tuple[str, ...] = ()


Control = TextField | Choice | Checkbox | Button


@dataclass(frozen=True, slots=True)
class HiddenField:
    """A part of a state that has no control: how a program's value is read, and how it is told.

    `read` may raise MisreadError. `tell` gives what Python's `repr` writes. Law:
    `read(tell(value)) == value`.
    """

    read: Callable[[Any], Any]
    tell: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a state.

    `summary` is one sentence, read out by screen readers. `facts` are sentences below the
    diagrams. `table` is rows of cells, the first row a heading. With predict-first on,
    `question` is asked, and all but what `given` draws waits until `truth` or something else is
    typed. `why` is one sentence or more on why the truth is true, where the summary does not say
    it; `slips` says of wrong answers that people give what they are in truth.
    """

    summary: str
    diagrams: tuple[Diagram, ...] = ()
    facts: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    question: str = ""
    truth: str = ""
    given: Callable[[], tuple[Diagram, ...]] = tuple
    why: str = ""
    slips: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Explorer(Generic[S]):
    """An explorer: its first state, its controls, and pure functions on states.

    `change(state, changes)` is the state with the changes and all that follows from them; it
    may raise MisreadError. `problem(state)` says why a state cannot be shown, or gives None.
    `code(state)` are the torch lines that make what is shown. `from_layout(layout, length)` are
    the changes that show a given tensor's header over a storage of so many elements.

    `extras` are parts of a state that have no control, and that a program may set all the same: the
    line that brings a state back does. `begins(state)` is the header of the tensor that this line
    begins with, where one that was given is a part of the state that cannot be set otherwise.

    `handles(state)` are chips and edges to take hold of, and `held(state, what)` are the changes
    when a cell of a picture is chosen or a slice's edges are moved: see `hands`.
    """

    name: str
    title: str
    about: str
    initial: S
    controls: tuple[Control, ...]
    show: Callable[[S], Shown]
    code: Callable[[S], str]
    from_layout: Callable[[Layout, int], Mapping[str, Any]]
    problem: Callable[[S], Problem | None] = lambda _state: None
    change: Callable[[S, Mapping[str, Any]], S] = lambda state, changes: replace(
        state,  # type: ignore[type-var]
        **changes,
    )
    extras: Mapping[str, HiddenField] = field(default_factory=dict)
    begins: Callable[[S], Layout | None] = lambda _state: None
    handles: Callable[[S], tuple[Any, ...]] = lambda _state: ()
    held: Callable[[S, Any], Mapping[str, Any]] = lambda _state, _what: {}


def read(explorer: Explorer[S], state: S, changes: Mapping[str, Any]) -> S:
    """The state with the changes, each of which is a value, or text for a field to type in.

    Raises MisreadError for what cannot be read, for a name that there is not, and for a state
    that cannot be shown.
    """
    controls = {each.name: each for each in explorer.controls if not isinstance(each, Button)}
    values = {}
    for name, value in changes.items():
        control = controls.get(name)
        if isinstance(control, TextField):
            value = _typed(control, value)
        elif isinstance(control, Choice) and not is_option(control, value):
            options = ", ".join(control.options)
            why = f"These are there: {options}."
            raise MisreadError(Problem(f"There is no {control.label} {_short(value)}.", why))
        elif name in explorer.extras:
            value = explorer.extras[name].read(value)
        elif control is None and name not in _names(state):
            require_names(explorer, [name])
        values[name] = value
    new = explorer.change(state, values)
    problem = explorer.problem(new)
    if problem is not None:
        raise MisreadError(problem)
    return new


def require_names(explorer: Explorer[S], names: Iterable[str]) -> None:
    """Raise MisreadError for a name that no control and no extra has."""
    known = [each.name for each in explorer.controls if not isinstance(each, Button)]
    known += explorer.extras
    for name in names:
        if name not in known:
            near = [*get_close_matches(name, known, 1), *known][0]
            why = f"One can set {', '.join(known)}."
            raise MisreadError(Problem(f"There is no {name}.", why, near))


def _typed(control: TextField, value: Any) -> Any:
    """What a field reads. Values go the same way as text, so that the same is refused."""
    try:
        return control.read(text_for(control, value))
    except MisreadError as error:
        if error.instead is None:
            raise
        mended = {control.name: control.read(error.instead)}
        raise MisreadError(replace(error.problem, changes=mended)) from None


def is_option(control: Choice, value: object) -> bool:
    """Whether a choice has that option."""
    return isinstance(value, str) and value in control.options


def text_for(control: TextField, value: Any) -> str:
    """A value as text that the field may read; text stays as it is."""
    if isinstance(value, str):
        return value
    try:
        return control.spell(value)
    except (AttributeError, TypeError, ValueError, RuntimeError):
        return _short(value).strip("'")


def _names(state: object) -> set[str]:
    return {each.name for each in fields(state)}  # type: ignore[arg-type]


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever a program gives is told from
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 40 else f"{text[:39]}…"


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


def index_of(cell: PictureCell, layout: Layout) -> Ints | None:
    """The index of a cell in a tensor; that of the first element that lies in a slot.

    None where it is not there: on a far server a click may be on a picture that is gone.

    >>> index_of(PictureCell(0, "x", None, 6), Layout.of((3, 4))), index_of(
    ...     PictureCell(0, "x", (3, 0), 12), Layout.of((3, 4))
    ... )
    ((1, 2), None)
    """
    if cell.index is None:
        return layout.index_at(cell.position)
    fits = len(cell.index) == layout.ndim and all(
        0 <= i < n for i, n in zip(cell.index, layout.size, strict=True)
    )
    return cell.index if fits else None


@dataclass(frozen=True, slots=True)
class Chips:
    """The dims of a tensor in an order that can be changed: `order`, told by `labels`."""

    field: str
    label: str
    order: Ints
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """A slice of one dim, from `start` up to `stop` in steps of `step`, of `length` elements."""

    dim: int
    length: int
    start: int
    stop: int
    step: int = 1


Handle = Chips | Edges


def read_cell(content: Any) -> PictureCell:
    """A cell as the page tells it. Raises MisreadError for what no page of ours says."""
    try:
        index = content["index"]
        return PictureCell(
            int(content["section"]),
            str(content["name"]),
            None if index is None else tuple(map(int, index)),
            int(content["address"]),
        )
    except (KeyError, TypeError, ValueError):
        raise _misread() from None


def read_edges(content: Any) -> Edges:
    """Edges as the page tells them. Raises MisreadError for what no page of ours says."""
    try:
        dim, start, stop, step = (int(content[name]) for name in ("dim", "start", "stop", "step"))
    except (KeyError, TypeError, ValueError):
        raise _misread() from None
    return Edges(dim, max(stop, 0), max(start, 0), max(stop, 0), max(step, 1))


def _misread() -> MisreadError:
    return MisreadError(Problem("That cannot be taken hold of.", "The page says what is none."))
