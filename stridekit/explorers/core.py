"""What an explorer is, without widgets: a state, controls, and what is shown of a state.

An `Explorer` is data and pure functions. A `Controller` holds one state at a time, reads what is
typed, keeps the last valid state when the new one is not, and renders HTML. The widgets in
`shell` are a thin view of a controller.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layout import Layout

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a state cannot be shown: what is wrong, why, and the nearest thing that works.

    `changes` makes the nearest state of it; empty where there is none to offer.
    """

    what: str
    why: str
    nearest: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)


class MisreadError(StridekitError, ValueError):
    """Text that cannot be read as what a field asks for."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.what} {problem.why} {problem.nearest}".strip())
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Text:
    """A field to type in. `read` may raise MisreadError; `spell` writes a value."""

    name: str
    label: str
    read: Callable[[str], Any]
    spell: Callable[[Any], str]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, by name."""

    name: str
    label: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """Yes or no."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Press:
    """A button: what it makes of a state.

    With `every`, in seconds, it starts and stops: it acts again and again until nothing changes.
    """

    name: str
    label: str
    act: Callable[[Any], Any]
    every: float = 0.0


Control = Text | Choice | Check | Press


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of a state.

    `summary` is one sentence, read out by screen readers. `facts` are sentences below the
    diagrams. `table` is rows of cells, the first row a heading. With predict-first on,
    `question` is asked, and all but `given` waits until `truth` or something else is typed.
    """

    summary: str
    diagrams: tuple[Diagram, ...] = ()
    facts: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    question: str = ""
    truth: str = ""
    given: tuple[Diagram, ...] = ()


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


class Controller(Generic[S]):
    """One explorer in use: the last valid state, and what is typed in its fields."""

    def __init__(self, explorer: Explorer[S], state: S, *, predict: bool = False) -> None:
        self.explorer = explorer
        self.first = state
        self.state = state
        self.problem: Problem | None = None
        self.predict = predict
        self.prediction: str | None = None
        self._draft: dict[str, Any] = {}
        self._fields = {each.name for each in explorer.controls if isinstance(each, Text)}
        problem = explorer.problem(state)
        if problem is not None:
            raise MisreadError(problem)
        self.shown = explorer.show(state)

    def set(self, **changes: Any) -> None:
        """Change the state: values, or text for the fields to type in.

        What is not valid is kept beside the state, as `problem`, until it is mended: several
        fields may have to change before a state is valid again.
        """
        if any(not isinstance(value, str) or name not in self._fields for name, value in
               changes.items()):  # fmt: skip
            # A choice, or a value from a program, does not wait for what is half typed.
            self._draft = {}
        self._draft.update(changes)
        try:
            self._accept(self._read(self._draft))
        except MisreadError as error:
            self.problem = error.problem

    def press(self, name: str) -> None:
        """Press a button. It acts on the last valid state."""
        for control in self.explorer.controls:
            if isinstance(control, Press) and control.name == name:
                try:
                    self._accept(control.act(self.state))
                except MisreadError as error:
                    self.problem = error.problem
                return
        raise KeyError(name)

    def use_nearest(self) -> None:
        """Take the nearest thing that works."""
        if self.problem is not None and self.problem.changes:
            changes = dict(self.problem.changes)
            self.set(**changes)

    def reset(self) -> None:
        """Back to the first state."""
        self._accept(self.first)

    def guess(self, prediction: str) -> None:
        """Answer the question of the state."""
        self.prediction = prediction.strip() or None

    def texts(self) -> dict[str, Any]:
        """What stands in each field: what was typed, where the state has not taken it."""
        standing: dict[str, Any] = {}
        for control in self.explorer.controls:
            if isinstance(control, Press):
                continue
            value = getattr(self.state, control.name)
            standing[control.name] = control.spell(value) if isinstance(control, Text) else value
            if control.name in self._draft:
                drafted = self._draft[control.name]
                is_text = isinstance(control, Text) and not isinstance(drafted, str)
                standing[control.name] = control.spell(drafted) if is_text else drafted  # type: ignore[union-attr]
        return standing

    @property
    def is_hidden(self) -> bool:
        """Whether the answer waits for a prediction."""
        return self.predict and bool(self.shown.question) and self.prediction is None

    def _read(self, draft: Mapping[str, Any]) -> S:
        values = {}
        for control in self.explorer.controls:
            if isinstance(control, Press) or control.name not in draft:
                continue
            value = draft[control.name]
            if isinstance(control, Text) and isinstance(value, str):
                value = control.read(value)
            values[control.name] = value
        for name in draft.keys() - values.keys():
            values[name] = draft[name]
        return self.explorer.change(self.state, values)

    def _accept(self, state: S) -> None:
        problem = self.explorer.problem(state)
        if problem is not None:
            raise MisreadError(problem)
        shown = self.explorer.show(state)
        if state != self.state:
            self.prediction = None
        self.state, self.shown, self.problem = state, shown, None
        self._draft = {}

    # Rendering.

    def message_html(self) -> str:
        """What is wrong, announced at once; or the state in a sentence, announced politely."""
        if self.problem is not None:
            each = self.problem
            nearest = f"<br><b>Works:</b> {_text(each.nearest)}" if each.nearest else ""
            return (
                f'<div class="sk-message sk-problem" role="alert"><b>{_text(each.what)}</b> '
                f"{_text(each.why)}{nearest}</div>"
            )
        said = self.shown.summary
        if self.is_hidden:
            said = self.shown.question
        elif self.predict and self.prediction is not None and self.shown.question:
            said = f"{self._verdict()} {said}"
        return f'<div class="sk-message" role="status" aria-live="polite">{_text(said)}</div>'

    def page_html(self) -> str:
        """The diagrams, facts and table of the last valid state."""
        stale = self.problem is not None
        label = '<div class="sk-label">last valid</div>' if stale else ""
        shown = self.shown
        diagrams: Sequence[Diagram] = shown.given if self.is_hidden else shown.diagrams
        parts = [f'<div class="sk-diagram">{each.svg()}</div>' for each in diagrams]
        if not self.is_hidden:
            parts.append(_table(shown.table))
            facts = "".join(f"<li>{_text(fact)}</li>" for fact in shown.facts)
            parts.append(f"<ul>{facts}</ul>" if facts else "")
        state = ' class="sk-page sk-stale" aria-label="last valid"' if stale else ' class="sk-page"'
        return f"{label}<div{state}>{''.join(parts)}</div>"

    def code_html(self) -> str:
        """The torch lines that make what is shown, and a button that copies them."""
        return (
            '<div class="sk-code"><button type="button" class="jupyter-button" onclick="'
            "const said = this.nextElementSibling, code = said.nextElementSibling;"
            "navigator.clipboard.writeText(code.textContent).then("
            "() => {said.textContent = 'Copied.'},"
            "() => {said.textContent = 'Select the lines and copy them.'})"
            '">Copy code</button> <span role="status" aria-live="polite"></span>'
            f"<pre>{_text(self.explorer.code(self.state))}</pre></div>"
        )

    def _verdict(self) -> str:
        same = _plain(self.prediction or "") == _plain(self.shown.truth)
        if same:
            return f"Right: {self.shown.truth}."
        return f"You said {self.prediction}; it is {self.shown.truth}."


def _plain(text: str) -> str:
    """Text without what does not matter in an answer."""
    return "".join(each for each in text.lower() if each.isalnum() or each == "-")


def _text(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>")


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    if not rows:
        return ""
    head, *body = rows
    first = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in head)
    rest = "".join(
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in body
    )
    return f"<table><thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table>"
