"""The widget of every explorer: what its page shows, and what the page's keys and clicks do.

A thin view: what happens is decided by the `Controller`, and how it looks by `page.js`, which owns
what is typed. Each key or click comes as one message with a serial number, and goes back as one
answer that says up to which number it has heard: so the page knows what in it is older than what
was typed since.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.resources import files
from typing import Any, Generic, TypeVar
from uuid import uuid4

import traitlets
from anywidget import AnyWidget

from stridekit.diagrams import live
from stridekit.diagrams.renderers import svg
from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import PictureCell, State
from stridekit.explorers.fields import Button, Choice, Control, MisreadError
from stridekit.explorers.markup import lead_html, message_html, page_html, still_html

S = TypeVar("S", bound=State)

# So many seconds after the last key the picture that stays in a saved notebook is made anew: a hand
# that types does not wait for it.
AFTER = 1.0
# One module for the browser, in files that build on each other.
SCRIPTS = ("fields.js", "chips.js", "edges.js", "patch.js", "picture.js", "page.js")
_HERE = files("stridekit.explorers").joinpath("page")
_TOUCH = live.page_code().replace("export function", "function").partition("export default")[0]
PAGE_CODE = "\n".join((
    *(_HERE.joinpath(name).read_text("utf-8") for name in SCRIPTS),
    f"{{\n{_TOUCH}\nenlivened = enliven;\n}}",
))  # fmt: skip
_RULES = (svg.STYLE, live.STYLE, live.ROOM_STYLE, live.SHADOW_STYLE)
PAGE_STYLE = "\n".join((
    _HERE.joinpath("page.css").read_text("utf-8"),
    *(rules.removeprefix("<style>").removesuffix("</style>") for rules in _RULES),
))  # fmt: skip


class ExplorerBox(AnyWidget, Generic[S]):  # type: ignore[misc, unused-ignore]
    """An explorer on the page: `.state` and `.set(...)`.

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
        # The name of the outputs with the picture that stays, and when it is made anew.
        self._still = ""
        self._due: asyncio.TimerHandle | None = None
        # Where two pictures side by side are too small to be read.
        self._narrow = False
        explorer = controller.explorer
        controls = [_told(each) for each in explorer.controls if not getattr(each, "hidden", False)]
        named = {part: getattr(explorer, part) for part in ("name", "title", "about")}
        super().__init__(what={**named, "controls": controls})
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

    def _said(self, _widget: Any, content: Mapping[str, Any], _buffers: Any) -> None:
        """A key or a click on the page."""
        self._heard = {**self._heard, str(content.get("view")): content.get("serial", 0)}
        kind, name = str(content.get("do")), str(content.get("name", ""))
        text, begins = str(content.get("text", "")), bool(content.get("begins", kind != "type"))
        is_on, controller = bool(content.get("on")), self.controller
        acts: dict[str, Callable[[], None]] = {
            "type": lambda: controller.type_in(name, text, begins=begins),
            "choose": lambda: controller.set(**{name: content.get("value")}),
            "press": lambda: controller.press(name, begins=begins),
            "pick": lambda: controller.pick(PictureCell.of(content)),
            "edges": lambda: controller.drag(
                content["dim"], content["start"], content["stop"], begins=begins
            ),
            "predict": lambda: controller.ask_first(on=is_on),
            "narrow": lambda: setattr(self, "_narrow", is_on),
            "guess": lambda: controller.guess(text),
            "nearest": controller.use_nearest,
            "reset": controller.reset,
            "undo": controller.undo,
            "redo": controller.redo,
        }
        goes_on = kind == "press" and not begins
        typed = goes_on or kind in ("type", "edges", "guess")
        self._do(acts.get(kind, lambda: None), typed=typed)

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
        self._acts += not typed
        self._answer()
        self._renew_soon()

    def _answer(self) -> None:
        """Tell the page all that is new, as one message."""
        with self.hold_sync():
            self.page = page_html(self.controller, narrow=self._narrow)
            self.answer = self._beside_picture()

    def _beside_picture(self) -> dict[str, Any]:
        """What the page shows beside the picture."""
        controller, state = self.controller, self.controller.state
        problem, is_hidden = controller.problem, controller.is_hidden
        texts, controls = controller.texts(), controller.explorer.controls
        options = {each.name: each.options for each in controls if isinstance(each, Choice)}
        return {
            "heard": self._heard,
            "acts": self._acts,
            "texts": texts,
            # Beside what makes sense, what stands there.
            "offers": {
                name: tuple(each for each in options[name] if each in {texts[name], *there})
                for name, there in state.offered().items()
            },
            "message": message_html(controller),
            "lead": lead_html(controller),
            "problem": problem is not None,
            "wrong": controller.wrong() if problem else [],
            "nearest": bool(problem and problem.changes),
            # It often tells the answer, so it waits with it.
            "code": "" if is_hidden else state.code(),
            "line": "" if is_hidden else state.opening_line(),
            "predict": controller.predict,
            "asks": controller.predict and bool(controller.shown.question),
            "prediction": controller.prediction or "",
            "hidden": is_hidden,
            "undo": controller.can_undo,
            "redo": controller.can_redo,
            "handles": [
                {"kind": type(each).__name__.lower(), **asdict(each)} for each in state.handles()
            ],
        }

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        assert shown is not None
        widget, metadata = shown
        said = {"text/html": still_html(self.controller)}
        return {**widget, **said, "text/plain": self.controller.shows().summary}, metadata

    def _ipython_display_(self, **kwargs: Any) -> None:
        """The widget, and the picture that stays where no kernel answers, which the page hides.

        It is an output of its own, for an output that is made anew takes a widget's fields from
        under the hands.
        """
        from IPython.display import display

        bundle, metadata = self._repr_mimebundle_(**kwargs)
        still = {"text/html": bundle.pop("text/html")}
        display(bundle, raw=True, metadata=metadata)  # type: ignore[no-untyped-call, unused-ignore]
        self._still = self._still or uuid4().hex
        display(still, raw=True, display_id=self._still)  # type: ignore[no-untyped-call, unused-ignore]

    def _renew_soon(self) -> None:
        """Make the picture that stays anew, once nothing more has happened for a while."""
        if self._due is not None:
            self._due.cancel()
        try:
            self._due = asyncio.get_running_loop().call_later(AFTER, self._renew)
        except RuntimeError:
            # Nothing runs that could come back to it.
            self._renew()

    def _renew(self) -> None:
        if self._still:
            from IPython.display import update_display

            still = {"text/html": still_html(self.controller)}
            update_display(still, raw=True, display_id=self._still)  # type: ignore[no-untyped-call, unused-ignore]


def _told(control: Control) -> dict[str, Any]:
    """What the page makes a control of."""
    kind = {Button: "button", Choice: "choice"}.get(type(control), "text")
    parts = ("name", "label", "hint", "least", "options", "folded", "every")
    return {"kind": kind, **{n: getattr(control, n) for n in parts if hasattr(control, n)}}
