"""What an explorer is, without widgets: a state, controls, and what is shown of a state.

An `Explorer` is data and pure functions. A `Controller` holds one state at a time, reads what is
typed, keeps the last valid state when the new one is not, and renders HTML. The widgets in
`shell` are a thin view of a controller.
"""

import html
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layout import Layout

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
class Text:
    """A field to type in. `read` may raise MisreadError; `spell` writes what it has read.

    Law: `read(spell(value)) == value`.
    """

    name: str
    label: str
    read: Callable[[str], Any]
    spell: Callable[[Any], str]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, by name. `offered` gives those that make sense in a state, if not all do."""

    name: str
    label: str
    options: tuple[str, ...]
    offered: Callable[[Any], Collection[str]] | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Yes or no."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what it makes of a state.

    With `every`, in seconds, it starts and stops: it acts again and again until nothing changes.
    `begin` says from which state on.
    """

    name: str
    label: str
    act: Callable[[Any], Any]
    every: float = 0.0
    begin: Callable[[Any], Any] = lambda state: state


Control = Text | Choice | Check | Press


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a state.

    `summary` is one sentence, read out by screen readers. `facts` are sentences below the
    diagrams. `table` is rows of cells, the first row a heading. With predict-first on,
    `question` is asked, and all but what `given` draws waits until `truth` or something else is
    typed.
    """

    summary: str
    diagrams: tuple[Diagram, ...] = ()
    facts: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    question: str = ""
    truth: str = ""
    given: Callable[[], tuple[Diagram, ...]] = tuple


@dataclass(frozen=True, slots=True)
class Explorer(Generic[S]):
    """An explorer: its first state, its controls, and pure functions on states.

    `change(state, changes)` is the state with the changes and all that follows from them; it
    may raise MisreadError. `problem(state)` says why a state cannot be shown, or gives None.
    `code(state)` are the torch lines that make what is shown. `from_layout(layout, length)` are
    the changes that show a given tensor's header over a storage of so many elements.
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


def read(explorer: Explorer[S], state: S, changes: Mapping[str, Any]) -> S:
    """The state with the changes, each of which is a value, or text for a field to type in.

    Raises MisreadError for what cannot be read, for a name that there is not, and for a state
    that cannot be shown.
    """
    controls = {each.name: each for each in explorer.controls if not isinstance(each, Press)}
    values = {}
    for name, value in changes.items():
        control = controls.get(name)
        if isinstance(control, Text):
            value = _typed(control, value)
        elif isinstance(control, Choice) and not _is_option(control, value):
            options = ", ".join(control.options)
            why = f"These are there: {options}."
            raise MisreadError(Problem(f"There is no {control.label} {_short(value)}.", why))
        elif control is None and name not in _names(state):
            require_controls(explorer, [name])
        values[name] = value
    new = explorer.change(state, values)
    problem = explorer.problem(new)
    if problem is not None:
        raise MisreadError(problem)
    return new


def require_controls(explorer: Explorer[S], names: Iterable[str]) -> None:
    """Raise MisreadError for a name that no control has."""
    known = [each.name for each in explorer.controls if not isinstance(each, Press)]
    for name in names:
        if name not in known:
            near = [*get_close_matches(name, known, 1), *known][0]
            why = f"One can set {', '.join(known)}."
            raise MisreadError(Problem(f"There is no {name}.", why, near))


def _typed(control: Text, value: Any) -> Any:
    """What a field reads. Values go the same way as text, so that the same is refused."""
    try:
        return control.read(_text_for(control, value))
    except MisreadError as error:
        if error.instead is None:
            raise
        mended = {control.name: control.read(error.instead)}
        raise MisreadError(replace(error.problem, changes=mended)) from None


def _is_option(control: Choice, value: object) -> bool:
    return isinstance(value, str) and value in control.options


def _text_for(control: Text, value: Any) -> str:
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


class Controller(Generic[S]):
    """One explorer in use: the last valid state, and what is typed in its fields.

    It starts from the explorer's first state with some changes; raises MisreadError when those
    cannot be shown, with the nearest that can. Nothing else here raises.
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
        self.state = explorer.initial
        try:
            self.state = read(explorer, explorer.initial, changes or {})
        except StridekitError as error:
            raise MisreadError(self._mended(error, changes or {})) from None
        self.first = self.state
        self.shown = explorer.show(self.state)

    def set(self, **changes: Any) -> None:
        """Change the state: values, or text for the fields to type in.

        Only what has a control can be set. What is not valid is kept beside the state, as
        `problem`, until it is mended: several fields may have to change before a state is valid
        again.
        """
        try:
            require_controls(self.explorer, changes)
        except MisreadError as error:
            self.problem = self._mended(error, {})
        else:
            self._set(changes)

    def _set(self, changes: Mapping[str, Any]) -> None:
        texts = {each.name for each in self.explorer.controls if isinstance(each, Text)}
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
        """Press a button. It acts on the last valid state, or begins to act again and again."""
        buttons = {each.name: each for each in self.explorer.controls if isinstance(each, Press)}
        try:
            if name not in buttons:
                known = ", ".join(buttons) or "none"
                raise MisreadError(Problem(f"There is no button {name}.", f"There are: {known}."))
            button = buttons[name]
            new = (button.begin if begins else button.act)(self.state)
            problem = self.explorer.problem(new)
            if problem is not None:
                raise MisreadError(problem)
            self._accept(new)
        except StridekitError as error:
            self.problem = self._mended(error, {})

    def use_nearest(self) -> None:
        """Take the nearest thing that works. Without a problem, all stays as it is."""
        if self.problem is not None:
            self._draft = {}
            self._set(self.problem.changes)

    def reset(self) -> None:
        """Back to the first state."""
        self._accept(self.first)

    def guess(self, prediction: str) -> None:
        """Answer the question of the state."""
        self.prediction = str(prediction).strip() or None

    def texts(self) -> dict[str, Any]:
        """What stands in each field: what was typed, where the state has not taken it."""
        standing = self._values(self.state)
        for control in self.explorer.controls:
            if isinstance(control, Text):
                standing[control.name] = control.spell(standing[control.name])
            if control.name in self._draft:
                drafted = self._draft[control.name]
                is_text = isinstance(control, Text)
                standing[control.name] = _text_for(control, drafted) if is_text else drafted  # type: ignore[arg-type]
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
        if not isinstance(control, Text):
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
        controls = (each for each in self.explorer.controls if not isinstance(each, Press))
        return {each.name: getattr(state, each.name) for each in controls}

    def _holds(self, name: str, value: Any) -> bool:
        control = next((each for each in self.explorer.controls if each.name == name), None)
        return isinstance(control, Text | Check) or (
            isinstance(control, Choice) and _is_option(control, value)
        )

    def _accept(self, state: S) -> None:
        shown = self.explorer.show(state)
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
            + (control.spell if isinstance(control, Text) else str)(getattr(state, control.name))
            for control in self.explorer.controls
            if control.name in names
        ]
        return "; ".join(told)

    # Rendering.

    def said(self) -> str:
        """The state in a sentence, or the question where the answer waits."""
        return self.shown.question if self.is_hidden else self.shown.summary

    def pictures(self) -> tuple[Diagram, ...]:
        """The diagrams, without the answer where it waits."""
        return self.shown.given() if self.is_hidden else self.shown.diagrams

    def message_html(self) -> str:
        """What is wrong, announced at once; or the state in a sentence, announced politely."""
        if self.problem is not None:
            each = self.problem
            nearest = f"<br><b>Works:</b> {_text(each.nearest)}" if each.nearest else ""
            return (
                f'<div class="sk-message sk-problem" role="alert"><b>{_text(each.what)}</b> '
                f"{_text(each.why)}{nearest}</div>"
            )
        said = self.said()
        if self.predict and self.prediction is not None and self.shown.question:
            said = f"{self._verdict()} {said}"
        return f'<div class="sk-message">{_text(said)}</div>'

    def page_html(self) -> str:
        """The diagrams, facts and table of the last valid state."""
        shown = self.shown
        parts = [f'<div class="sk-diagram">{each.svg()}</div>' for each in self.pictures()]
        if not self.is_hidden:
            parts.append(_table(shown.table))
            facts = "".join(f"<li>{_text(fact)}</li>" for fact in shown.facts)
            parts.append(f"<ul>{facts}</ul>" if facts else "")
        page = "".join(parts)
        if self.problem is None:
            return f'<div class="sk-page">{page}</div>'
        return (
            '<div class="sk-label">last valid</div>'
            f'<div class="sk-page sk-stale" role="group" aria-label="last valid">{page}</div>'
        )

    def code_html(self) -> str:
        """The torch lines that make what is shown.

        They often tell the answer, so they wait with it.
        """
        if self.is_hidden:
            return ""
        # Line ends stay, for Copy code takes the text as it is.
        lines = html.escape(self.explorer.code(self.state), quote=False)
        return f'<pre class="sk-code">{lines}</pre>'

    def _verdict(self) -> str:
        if answers(self.prediction or "", self.shown.truth):
            return f"Right: {self.shown.truth}."
        return f"You said {self.prediction}; it is {self.shown.truth}."


_BETWEEN = re.compile(r"(?<=\d)\s*[x×*]\s*(?=-?\d)")
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(,\d{3})+(?![\d,])")
_WORD = re.compile(r"-?\d+(?:[./]\d+)*|[^\W\d]+")
# Words around an answer that change nothing about it.
_AROUND = frozenset((
    "a", "an", "and", "at", "both", "by", "byte", "bytes", "element", "elements", "index", "is",
    "it", "line", "only", "position", "shape", "size", "slots", "stride", "strides", "switch",
    "switches", "the", "time", "times", "torch",
))  # fmt: skip


def answers(prediction: str, truth: str) -> bool:
    """Whether a prediction says what is true, in whatever spelling.

    >>> answers("torch.Size([3, 2])", "(3, 2)"), answers("at position 2,004", "2004")
    (True, True)
    >>> answers("y and x", "x, y"), answers("No, it cannot", "no"), answers("3.2", "(3, 2)")
    (True, True, False)
    """
    if truth in ("yes", "no"):
        return _yes_or_no(prediction) == truth
    if truth.lstrip("-").isdecimal():
        prediction = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), prediction)
    return _plain(prediction) == _plain(truth)


def _yes_or_no(text: str) -> str:
    """The answer at the beginning, if nothing speaks against it."""
    first, *rest = _WORD.findall(text.lower()) or [""]
    said, denials = {*rest} - {"it", "can", "is", "be", "possible"}, {"cannot", "not", "t"}
    if first in ("yes", "y") and not said:
        return "yes"
    if first in ("no", "n") and (not rest or said) and said <= denials | {"impossible"}:
        return "no"
    return ""


def _plain(text: str) -> tuple[str, ...]:
    """An answer without what does not matter: signs and words around it, the order of names."""
    spaced = _BETWEEN.sub(" ", text.lower().replace("−", "-"))
    words = [word for word in _WORD.findall(spaced) if word not in _AROUND]
    if not words:
        # The size of rank 0, which has brackets and nothing in them.
        return ("()",) if re.search(r"[(\[]\s*[)\]]", text) else (text,)
    if any(word.lstrip("-").isdecimal() for word in words):
        return tuple(word.lstrip("0") or "0" for word in words)
    return tuple(sorted(words))


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    if not rows:
        return ""
    head, *body = rows
    first = "".join(f'<th scope="col">{_text(cell)}</th>' if cell else "<td></td>" for cell in head)
    rest = "".join(
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in body
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>"
