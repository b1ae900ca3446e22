"""The widget of every explorer: what its page shows, and what the page's keys and clicks do.

A thin view: what happens is decided by the `Controller`, and how it looks by `page.js`, which owns
what is typed. Each key or click comes as one message with a serial number, and goes back as one
answer that says up to which number it has heard: so the page knows what in it is older than what
was typed since.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from importlib.resources import files
from typing import Any, Generic, TypeVar

import traitlets
from anywidget import AnyWidget

from stridekit.diagrams import live
from stridekit.diagrams.renderers import svg
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import (
    Button,
    Checkbox,
    Choice,
    Control,
    Problem,
    Shown,
    TextField,
    read_cell,
    read_edges,
)
from stridekit.explorers.markup import Still, code_text, message_html, page_html, recalling_line

S = TypeVar("S")

# Seconds for which the kernel's sending thread gets the interpreter before the picture is made. The
# page takes some milliseconds over the message that the kernel is busy, and has to have it before
# the picture: so it works on that one while this thread works on the other.
BUSY_GOES_OUT = 0.0004
# What the page's hands take hold of.
HOLDS: dict[Any, Callable[[Mapping[str, Any]], object]] = {"pick": read_cell, "edges": read_edges}
# So many views of one explorer are listened to: the latest ones.
MOST_VIEWS = 32
# One module for the browser, in files that build on each other.
SCRIPTS = ("fields.js", "chips.js", "edges.js", "patch.js", "picture.js", "page.js")
_HERE = files("stridekit.explorers").joinpath("page")
_TOUCH = live.page_code().replace("export function", "function").partition("export default")[0]
PAGE_CODE = "\n".join((
    *(_HERE.joinpath(name).read_text("utf-8") for name in SCRIPTS),
    f"{{\n{_TOUCH}\nenlivened = enliven;\n}}",
))  # fmt: skip
PAGE_STYLE = "\n".join((
    _HERE.joinpath("page.css").read_text("utf-8"),
    svg.STYLE,
    live.STYLE.removeprefix("<style>").removesuffix("</style>"),
    live.SHADOW_STYLE,
))  # fmt: skip


class ExplorerBox(AnyWidget, Generic[S]):  # type: ignore[misc, unused-ignore]
    """An explorer on the page: `.state`, `.set(...)`, `.undo()`, `.redo()`, `.reset()`.

    `what` is what never changes. What the page shows now is plain data: the picture and what stands
    round it is `page`, which is sent only when it is another one, and all else is `answer`.
    """

    _esm = traitlets.Unicode(PAGE_CODE).tag(sync=True)
    _css = traitlets.Unicode(PAGE_STYLE).tag(sync=True)
    what = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)
    page = traitlets.Unicode().tag(sync=True)

    def __init__(self, controller: Controller[S]) -> None:
        self.controller = controller
        self._heard: dict[str, int] = {}
        self._acts = 0
        self._playing: asyncio.Future[None] | None = None
        self._plays = ""
        self._standing = controller.texts()
        self._still = Still(controller)
        self._drawn: tuple[Shown, bool] | None = None
        super().__init__(what=_what(controller))
        self._answer()
        self.on_msg(self._said)

    @property
    def state(self) -> S:
        """The state that is shown: immutable, and always valid."""
        return self.controller.state

    def set(self, **changes: Any) -> None:
        """Change the state, as if it were typed: values, or text, by the names in `.state`.

        What cannot be shown leaves `.state` as it was, and is said on the page, as for a typist.

        >>> from stridekit.explorers import strides
        >>> explorer = strides()
        >>> explorer.set(size=(4, 3), stride="1, 4")
        >>> explorer.set(size=(4, -3))
        >>> explorer.state.size, explorer.state.stride
        ((4, 3), (1, 4))
        """
        self._do(lambda: self.controller.set(**changes))

    def reset(self) -> None:
        """Back to the first state."""
        self._do(self.controller.reset)

    def undo(self) -> None:
        """Back to what was shown before; nothing happens at the beginning.

        >>> from stridekit.explorers import strides
        >>> explorer = strides()
        >>> explorer.set(size="4, 3")
        >>> explorer.undo()
        >>> explorer.state.size
        (3, 4)
        >>> explorer.redo()
        >>> explorer.state.size
        (4, 3)
        """
        self._do(self.controller.undo)

    def redo(self) -> None:
        """What was undone, again; nothing happens where nothing was."""
        self._do(self.controller.redo)

    def _said(self, _widget: Any, content: Mapping[str, Any], _buffers: Any) -> None:
        """A key or a click on the page."""
        heard = {**self._heard, str(content.get("view")): content.get("serial", 0)}
        self._heard = dict([*heard.items()][-MOST_VIEWS:])
        kind, name = content.get("do"), content.get("name", "")
        controller = self.controller
        time.sleep(BUSY_GOES_OUT)
        if not isinstance(kind, str):
            self._do(lambda: None)
        elif kind == "type":
            text = str(content.get("text", ""))
            self._standing[name] = text
            begins = bool(content.get("begins"))
            self._do(lambda: controller.type_in(name, text, begins=begins), typed=True)
        elif kind in HOLDS:
            begins = bool(content.get("begins", True))
            self._do(lambda: self._hold(kind, content, begins), typed=kind == "edges")
        elif kind == "press":
            self._press(name)
        elif kind == "choose":
            self._do(lambda: controller.set(**{name: content.get("value")}))
        elif kind == "predict":
            self._do(partial(self._ask, bool(content.get("on"))))
        elif kind == "guess":
            self._do(lambda: controller.guess(str(content.get("text", ""))), typed=True)
        else:
            acts: dict[Any, Callable[[], None]] = {
                "nearest": controller.use_nearest, "reset": controller.reset,
                "undo": controller.undo, "redo": controller.redo,
            }  # fmt: skip
            self._do(acts.get(kind, lambda: None))

    def _hold(self, kind: str, content: Mapping[str, Any], begins: bool) -> None:
        self.controller.hold(HOLDS[kind](content), begins=begins)

    def _ask(self, on: bool) -> None:
        self.controller.predict, self.controller.prediction = on, None

    def _press(self, name: str) -> None:
        button = next(
            (each for each in self.controller.explorer.controls if each.name == name), None
        )
        if not isinstance(button, Button) or button.every is None:
            self._do(partial(self.controller.press, name))
        elif self._playing is not None and not self._playing.done():
            self._playing.cancel()
            # One that is stopped before it began says nothing itself.
            self._do(lambda: None, typed=True)
        else:
            self._playing = asyncio.ensure_future(self._play(button))

    async def _play(self, button: Button) -> None:
        """Press again and again, until nothing changes or somebody does anything else."""
        assert button.every is not None
        self._plays = button.name
        self._do(partial(self.controller.press, button.name, begins=True))
        try:
            before = None
            while self.state is not before and self.controller.problem is None:
                before = self.state
                self._do(partial(self.controller.press, button.name), typed=True)
                expected = self.state
                await asyncio.sleep(button.every(self.state))
                if before == self.state or not self._goes_on(button, expected):
                    break
        finally:
            self._plays = ""
            self._do(lambda: None, typed=True)

    def _goes_on(self, button: Button, expected: S) -> bool:
        """Whether nobody has done anything else than what may be done beside, such as the speed."""
        if self.state is expected:
            return True
        kept = {name: getattr(expected, name) for name in button.beside}
        still: Any = self.state
        if replace(still, **kept) != expected or button.act(self.state) == self.state:
            return False
        # What is played is one step for Undo, and this begins another.
        self._do(partial(self.controller.press, button.name, begins=True), typed=True)
        return True

    def _do(self, action: Callable[[], None], *, typed: bool = False) -> None:
        """Act, and answer. What is not typed goes into all fields, even where the focus is."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - a slip of ours is told, and ends nothing
            self.controller.problem = Problem(
                "That went wrong, and it is a slip of stridekit's, not yours.",
                f"{type(error).__name__}: {error}.",
                "Undo",
            )
        if not typed:
            self._acts += 1
        self._answer(typed=typed)
        self._still.renew_soon()

    @property
    def shows(self) -> dict[str, Any]:
        """All that the page shows."""
        return {**self.answer, "page": self.page}

    def _answer(self, *, typed: bool = False) -> None:
        """Tell the page all that is new, as one message."""
        controller = self.controller
        with self.hold_sync():
            # A picture that stays, as it does on errors, is not even drawn.
            drawn = controller.shown, controller.is_hidden
            if drawn != self._drawn:
                self._drawn, self.page = drawn, page_html(controller)
            self.answer = self._told(typed=typed)

    def _told(self, *, typed: bool) -> dict[str, Any]:
        """What the page shows beside the picture.

        What says the same as what is typed is left as it is typed.
        """
        controller = self.controller
        texts = controller.texts()
        for name, text in texts.items():
            if typed and controller.agree(name, self._standing[name], text):
                texts[name] = self._standing[name]
        self._standing = dict(texts)
        offers = {name: controller.offers(name, text) for name, text in texts.items()}
        problem = controller.problem
        return {
            "heard": self._heard,
            "acts": self._acts,
            "texts": texts,
            "offers": {name: offered for name, offered in offers.items() if offered is not None},
            "message": message_html(controller),
            "problem": problem is not None,
            "nearest": bool(problem and problem.changes),
            "code": code_text(controller),
            "line": "" if controller.is_hidden else recalling_line(controller.explorer, self.state),
            "predict": controller.predict,
            "asks": controller.predict and bool(controller.shown.question),
            "prediction": controller.prediction or "",
            "hidden": controller.is_hidden,
            "room": sum(each.height for each in controller.shown.diagrams) if controller.is_hidden
            else 0,
            "undo": controller.can_undo,
            "redo": controller.can_redo,
            "plays": self._plays,
            "handles": [] if controller.is_hidden else [
                {"kind": type(each).__name__.lower(), **asdict(each)}
                for each in controller.explorer.handles(self.state)
            ],
        }  # fmt: skip

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        assert shown is not None
        widget, metadata = shown
        return {**widget, **self._still.bundle(), "text/plain": self.controller.said()}, metadata

    def _ipython_display_(self, **kwargs: Any) -> None:
        """The widget, and the picture that stays where no kernel answers, as another output."""
        bundle, metadata = self._repr_mimebundle_(**kwargs)
        del bundle["text/html"]
        self._still.show_under(bundle, metadata)


def _what(controller: Controller[Any]) -> dict[str, Any]:
    """What the page never asks again: the title, and the controls."""
    explorer = controller.explorer
    return {
        "name": explorer.name,
        "title": explorer.title,
        "about": explorer.about,
        "controls": [_control(each) for each in explorer.controls],
    }


def _control(control: Control) -> dict[str, Any]:
    common = {"name": control.name, "label": control.label}
    if isinstance(control, TextField):
        return {**common, "kind": "text", "hint": control.hint, "least": control.least}
    if isinstance(control, Choice):
        return {**common, "kind": "choice", "options": control.options}
    if isinstance(control, Button):
        return {**common, "kind": "button"}
    assert isinstance(control, Checkbox)
    return {**common, "kind": "checkbox"}
