"""The widget of every explorer: what its page shows, and what the page's keys and clicks do.

A thin view: what happens is decided by the `Controller`, and how it looks by `page.js`, which owns
what is typed. Each key or click comes as one message with a serial number, and goes back as one
answer that says up to which number it has heard: so the page knows what in it is older than what
was typed since.
"""

import asyncio
import html
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from typing import Any, Generic, TypeVar
from uuid import uuid4

import traitlets
from anywidget import AnyWidget

from stridekit.diagrams import live
from stridekit.diagrams.renderers import svg
from stridekit.explorers.controller import LATELY, Controller
from stridekit.explorers.explorer import Edges, PictureCell, State
from stridekit.explorers.fields import Button, Choice, Control, MisreadError
from stridekit.explorers.markup import lead_html, message_html, page_html

S = TypeVar("S", bound=State)

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
        self._still = Still(controller)
        # Where two pictures side by side are too small to be read.
        self._narrow = False
        # A picture that stays, as it does on errors, is not even drawn.
        self._drawn = lru_cache(LATELY)(
            lambda _state, _is_hidden, narrow: page_html(controller, narrow=narrow)
        )
        explorer = controller.explorer
        super().__init__(
            what={
                "name": explorer.name,
                "title": explorer.title,
                "about": explorer.about,
                "controls": [*filter(None, map(_told, explorer.controls))],
            }
        )
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
        self._heard = {**self._heard, str(content.get("view")): content.get("serial", 0)}
        kind, name = str(content.get("do")), str(content.get("name", ""))
        text, begins = str(content.get("text", "")), bool(content.get("begins", kind != "type"))
        controller = self.controller
        acts: dict[str, Callable[[], None]] = {
            "type": lambda: controller.type_in(name, text, begins=begins),
            "choose": lambda: controller.set(**{name: content.get("value")}),
            "press": lambda: controller.press(name, begins=begins),
            "pick": lambda: controller.pick(_cell(content)),
            "edges": lambda: controller.drag(_edges(content), begins=begins),
            "predict": lambda: controller.ask_first(on=bool(content.get("on"))),
            "narrow": lambda: self._fit(narrow=bool(content.get("on"))),
            "guess": lambda: controller.guess(text),
            "nearest": controller.use_nearest,
            "reset": controller.reset,
            "undo": controller.undo,
            "redo": controller.redo,
        }
        goes_on = kind == "press" and not begins
        typed = goes_on or kind in ("type", "edges", "guess")
        self._do(acts.get(kind, lambda: None), typed=typed)

    def _fit(self, *, narrow: bool) -> None:
        self._narrow = narrow

    def _do(self, action: Callable[[], None], *, typed: bool = False) -> None:
        """Act, and answer. What is not typed goes into all fields, even where the focus is."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - a slip of ours is told, and ends nothing
            self.controller.problem = MisreadError(
                "That went wrong, and it is a slip of stridekit's, not yours.",
                f"{type(error).__name__}: {error}.",
                nearest="Undo",
            )
        if not typed:
            self._acts += 1
        self._answer()
        self._still.renew_soon()

    @property
    def shows(self) -> dict[str, Any]:
        """All that the page shows."""
        return {**self.answer, "page": self.page}

    def _answer(self) -> None:
        """Tell the page all that is new, as one message."""
        controller = self.controller
        with self.hold_sync():
            self.page = self._drawn(controller.state, controller.is_hidden, self._narrow)
            self.answer = self._beside_picture()

    def _beside_picture(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        controller = self.controller
        problem, is_hidden = controller.problem, controller.is_hidden
        return {
            "heard": self._heard,
            "acts": self._acts,
            "texts": controller.texts(),
            "offers": controller.offers(),
            "message": message_html(controller),
            "lead": lead_html(controller),
            "problem": problem is not None,
            "wrong": controller.wrong() if problem else [],
            "nearest": bool(problem and problem.changes),
            # It often tells the answer, so it waits with it.
            "code": "" if is_hidden else self.state.code(),
            "line": "" if is_hidden else self.state.opening_line(),
            "predict": controller.predict,
            "asks": controller.predict and bool(controller.shown.question),
            "prediction": controller.prediction or "",
            "hidden": is_hidden,
            "undo": controller.can_undo,
            "redo": controller.can_redo,
            "every": {
                each.name: each.every(self.state)
                for each in controller.explorer.controls
                if isinstance(each, Button) and each.every
            },
            "handles": [
                {"kind": type(each).__name__.lower(), **asdict(each)}
                for each in self.state.handles()
            ],
        }

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        assert shown is not None
        widget, metadata = shown
        return {
            **widget,
            **self._still.bundle(),
            "text/plain": self.controller.shows().summary,
        }, metadata

    def _ipython_display_(self, **kwargs: Any) -> None:
        """The widget, and the picture that stays where no kernel answers, as another output."""
        from IPython.display import display

        bundle, metadata = self._repr_mimebundle_(**kwargs)
        del bundle["text/html"]
        display(bundle, raw=True, metadata=metadata)  # type: ignore[no-untyped-call, unused-ignore]
        self._still.show()


# The picture that stays in a saved notebook, and on a page that is made of it.

# So many seconds after the last key it is made anew: a hand that types does not wait for it.
AFTER = 1.0


class Still:
    """The last picture of an explorer, as an output beside the widget, wherever that is shown.

    The page hides it while the widget is there. It is an output of its own, for an output that is
    made anew takes a widget's fields from under the hands.
    """

    def __init__(self, controller: Controller[Any]) -> None:
        self._controller = controller
        # All its outputs have one name, by which they are made anew; none, while there are none.
        self._name = ""
        self._due: asyncio.TimerHandle | None = None

    def bundle(self) -> dict[str, str]:
        """What is said, and the figures, as images that are light or dark as the page is."""
        shown = self._controller.shows()
        said = html.escape(shown.summary, quote=False)
        figures = "".join(each.html(narrow=True) for each in shown.diagrams)
        told = f'<div class="sk-still stridekit"><p>{said}</p>{figures}</div>{live.STYLE}'
        return {"text/html": told}

    def show(self) -> None:
        """One more output."""
        from IPython.display import display

        self._name = self._name or uuid4().hex
        display(self.bundle(), raw=True, display_id=self._name)  # type: ignore[no-untyped-call, unused-ignore]

    def renew_soon(self) -> None:
        """Make it anew once nothing more has happened for a while."""
        if self._due is not None:
            self._due.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            # Nothing runs that could come back to it.
            self.renew()
        else:
            self._due = loop.call_later(AFTER, self.renew)

    def renew(self) -> None:
        """Make it anew, in all outputs."""
        if self._name:
            from IPython.display import update_display

            update_display(self.bundle(), raw=True, display_id=self._name)  # type: ignore[no-untyped-call, unused-ignore]


# What the page says, and is told.


def _told(control: Control) -> dict[str, Any] | None:
    """What the page makes a control of; nothing of one that is hidden."""
    common: dict[str, Any] = {"name": control.name, "label": control.label}
    if isinstance(control, Button):
        return {**common, "kind": "button", "beside": control.beside}
    if isinstance(control, Choice):
        return {**common, "kind": "choice", "options": control.options, "folded": control.folded}
    if control.hidden:
        return None
    common["folded"] = control.folded
    return {**common, "kind": "text", "hint": control.hint, "least": control.least}


def _cell(content: Mapping[str, Any]) -> PictureCell:
    """A cell, as the page tells it."""
    index = content["index"]
    return PictureCell(
        int(content["section"]),
        str(content["name"]),
        None if index is None else tuple(map(int, index)),
        int(content["address"]),
    )


def _edges(content: Mapping[str, Any]) -> Edges:
    """The edges of a slice, as the page tells them."""
    start, stop, step = (max(int(content[name]), 0) for name in ("start", "stop", "step"))
    return Edges(int(content["dim"]), stop, start, stop, max(step, 1))
