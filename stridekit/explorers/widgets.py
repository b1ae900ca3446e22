"""The widgets of every explorer: controls, a message, the page, Reset, Copy code, predict-first.

A thin view: what happens is decided by the `Controller`. Each keystroke sets the values of a few
widgets; no widget is made anew, so the focus stays where it is.
"""

import asyncio
import html
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

import ipywidgets as widgets
import traitlets

from stridekit.explorers.controller import Controller
from stridekit.explorers.explorer import Button, Checkbox, Choice, Control, TextField
from stridekit.explorers.markup import code_html, message_html, page_html

S = TypeVar("S")

# Seconds for which the kernel's sending thread gets the interpreter before the picture is made. The
# page takes some milliseconds over the message that the kernel is busy, and has to have it before
# the picture: so it works on that one while this thread works on the other.
BUSY_GOES_OUT = 0.0004

# ipywidgets gives no roles to boxes, so the style sheet does, as soon as it is on the page: a name
# for all of an explorer, and a message area that is announced, for it stays while its text changes.
# In a dropdown the arrow keys choose, and do not lead to JupyterLab's next cell.
ROLES = (
    "const box = this.closest('.sk-explorer');"
    "box.setAttribute('role', 'group');"
    "box.setAttribute('aria-label', box.querySelector('h3').textContent);"
    "box.addEventListener('focusin', event => {"
    "box.querySelector('.sk-said').setAttribute('role', 'status');"
    "if (event.target.matches('select'))"
    " event.target.setAttribute('data-lm-suppress-shortcuts', 'true')})"
)
COPY = (
    "const said = this.nextElementSibling;"
    "const lines = this.closest('.sk-explorer').querySelector('.sk-code').textContent;"
    "Promise.resolve().then(() => navigator.clipboard.writeText(lines)).then("
    "() => {said.textContent = 'Copied.'},"
    "() => {said.textContent = 'Select the lines and copy them.'})"
)
STYLE = (
    f"""<style onload="{ROLES}">"""
    + """
.sk-explorer, .sk-explorer .widget-box { overflow: visible; }
.sk-explorer { padding: 2px 6px 6px; color: var(--jp-content-font-color1, currentColor); }
.sk-explorer .widget-html-content { line-height: 1.45; }
.sk-explorer h3 { margin: 4px 0 2px; }
.sk-explorer p { margin: 0 0 4px; }
.sk-explorer > * { margin: 0 0 6px; }
.sk-explorer .sk-controls { display: flex; flex-flow: row wrap; align-items: center;
  gap: 6px 14px; }
.sk-explorer .sk-controls > * { margin: 0; width: auto; flex: none; }
.sk-explorer .sk-fields > .widget-inline-hbox { flex-flow: column; align-items: stretch;
  height: auto; }
.sk-explorer .sk-fields .widget-label { width: auto; height: auto; margin: 0; text-align: left;
  line-height: 1.6; }
.sk-explorer .sk-fields .widget-text { width: 11em; }
.sk-explorer .sk-fields input, .sk-explorer .sk-fields select { flex: none; width: auto;
  height: var(--jp-widgets-inline-height, 28px); }
.sk-explorer .widget-checkbox label { display: flex; align-items: center; }
.sk-explorer input[type="text"], .sk-explorer select { border-color: #767676; }
.sk-explorer select { appearance: auto; background-image: none !important; padding-right: 0; }
.sk-explorer .sk-told { display: flex; flex-flow: row wrap; align-items: center; gap: 6px 14px; }
.sk-explorer .sk-told > .sk-said { flex: 1 1 24em; min-width: 0; margin: 0; }
.sk-explorer .sk-message { padding: 4px 10px; border-left: 4px solid #767676;
  color: var(--jp-ui-font-color0, currentColor); overflow-wrap: anywhere; }
.sk-explorer .sk-problem { border-left: 4px double #d32f2f; background: rgba(211, 47, 47, 0.14); }
.sk-explorer .sk-diagram { overflow-x: auto; margin: 8px 0; }
.sk-explorer .sk-diagram + .sk-diagram { margin-top: 16px; }
.sk-explorer .sk-diagram svg { display: block; max-width: max(100%, 60em); height: auto; }
.sk-explorer .sk-stale .sk-diagram { opacity: 0.4; }
.sk-explorer .sk-label { display: inline-block; margin: 8px 0 0; padding: 0 8px;
  border: 1px dashed currentColor; font-style: italic; }
.sk-explorer table { border-collapse: collapse; margin: 8px 0; }
.sk-explorer th, .sk-explorer td { padding: 2px 10px; text-align: left; line-height: 1.45;
  border-bottom: 1px solid var(--jp-border-color2, #ccc); font-weight: normal; }
.sk-explorer thead th { font-weight: bold; }
.sk-explorer ul { margin: 4px 0 8px 1.8em !important; padding: 0; }
.sk-explorer pre { margin: 2px 0; padding: 6px 10px; user-select: all; line-height: 1.45;
  white-space: pre-wrap; overflow-wrap: anywhere; background: var(--jp-layout-color2, #f3f3f3);
  color: var(--jp-content-font-color0, currentColor); }
.sk-explorer button:focus-visible, .sk-explorer input:focus-visible,
.sk-explorer select:focus-visible, .sk-explorer .sk-diagram:focus-visible {
  outline: 3px solid #1976d2 !important; outline-offset: 1px; }
</style>"""
)


class Field(widgets.Text):  # type: ignore[misc, unused-ignore]
    """A text field whose keys are not sent back to the page: a message less for each."""

    value = traitlets.Unicode("").tag(sync=True, echo_update=False)


class ExplorerBox(widgets.VBox, Generic[S]):  # type: ignore[misc, unused-ignore]
    """An explorer on the page: `.state`, `.set(...)`, `.reset()`, and its controls."""

    def __init__(self, controller: Controller[S]) -> None:
        self.controller = controller
        self.controls: dict[str, Any] = {
            control.name: self._made(control) for control in controller.explorer.controls
        }
        self.predict = widgets.Checkbox(
            value=controller.predict, description="Predict first", indent=False
        )
        self.prediction = widgets.Text(
            description="Your prediction",
            continuous_update=False,
            placeholder="type it and press Enter",
            style={"description_width": "initial"},
        )
        self.nearest = widgets.Button(description="Use what works")
        self.restart = widgets.Button(description="Reset", tooltip="Back to the first state")
        self.message, self.page, self.code = (widgets.HTML() for _ in range(3))
        self.copy = widgets.HTML(
            f'<button type="button" class="jupyter-button" onclick="{COPY}" '
            """onblur="this.nextElementSibling.textContent = ''">Copy code</button> """
            '<span role="status"></span>'
        )
        self._is_refreshing = False
        self._last_typed: Any = None
        self._playing: asyncio.Future[None] | None = None
        explorer = controller.explorer
        title = widgets.HTML(f"{STYLE}<h3>{explorer.title}</h3><p>{explorer.about}</p>")
        fields = [w for w in self.controls.values() if not isinstance(w, widgets.Button)]
        buttons = [w for w in self.controls.values() if isinstance(w, widgets.Button)]
        rows = [
            widgets.Box(fields),
            widgets.Box([*buttons, self.restart, self.predict, self.prediction]),
            widgets.Box([self.message, self.nearest]),
        ]
        for row, names in zip(
            rows, ("sk-controls sk-fields", "sk-controls", "sk-told"), strict=True
        ):
            for name in names.split():
                row.add_class(name)
        self.message.add_class("sk-said")
        super().__init__([title, *rows, self.page, self.copy, self.code])
        self.add_class("sk-explorer")
        self.predict.observe(self._predict_changed, "value")
        self.prediction.observe(self._predicted, "value")
        self.nearest.on_click(self._use_nearest)
        self.restart.on_click(lambda _button: self._do(controller.reset))
        self._refresh()

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

    def _made(self, control: Control) -> Any:
        if isinstance(control, Button):
            button = widgets.Button(description=control.label)
            press = partial(self.controller.press, control.name)
            if control.every:
                button.on_click(lambda _button: self._play_or_stop(control, button))
            else:
                button.on_click(lambda _button: self._do(press))
            return button
        wide = {"description_width": "initial"}
        widget: Any
        if isinstance(control, TextField):
            widget = Field(description=control.label, placeholder=control.hint, style=wide)
        elif isinstance(control, Choice):
            widget = widgets.Dropdown(
                description=control.label, options=control.options, style=wide
            )
        else:
            assert isinstance(control, Checkbox)
            widget = widgets.Checkbox(description=control.label, indent=False)
        widget.observe(lambda change: self._typed(control.name, change["new"]), "value")
        return widget

    def _play_or_stop(self, control: Button, button: Any) -> None:
        if self._playing is not None and not self._playing.done():
            self._playing.cancel()
        else:
            self._playing = asyncio.ensure_future(self._play(control, button))

    async def _play(self, control: Button, button: Any) -> None:
        """Press again and again, until nothing changes or somebody does anything else."""
        button.description = "Stop"
        self._do(partial(self.controller.press, control.name, begins=True))
        try:
            before = None
            while self.state is not before and self.controller.problem is None:
                before = self.state
                self._do(partial(self.controller.press, control.name))
                expected = self.state
                await asyncio.sleep(control.every)
                if self.state is not expected or before == self.state:
                    break
        finally:
            button.description = control.label

    def _typed(self, name: str, value: Any) -> None:
        if not self._is_refreshing:
            self._last_typed = self.controls[name]
            time.sleep(BUSY_GOES_OUT)
            self._do(lambda: self.controller.set(**{name: value}), typed=name)

    def _use_nearest(self, _button: Any) -> None:
        self._do(self.controller.use_nearest)
        # The button goes, and with it the focus: back to the field.
        (self._last_typed or self.restart).focus()

    def _predict_changed(self, change: Any) -> None:
        self.controller.predict = change["new"]
        self.controller.prediction = None
        self._refresh()

    def _predicted(self, change: Any) -> None:
        if not self._is_refreshing:
            self._do(lambda: self.controller.guess(change["new"]))

    def _do(self, action: Callable[[], None], typed: str | None = None) -> None:
        action()
        self._refresh(typed)

    def _refresh(self, typed: str | None = None) -> None:
        """Show what the controller holds, the picture first: each value is a message to the page.

        The field that is typed in is left alone. So is another one that says the same in other
        words: a key may be on its way from there.
        """
        controller = self.controller
        self._is_refreshing = True
        try:
            self.page.value = page_html(controller)
            self.message.value = message_html(controller)
            for name, value in controller.texts().items():
                widget = self.controls[name]
                offers = controller.offers(name, value)
                if offers is not None and offers != widget.options:
                    widget.options = offers  # which chooses the first
                    widget.value = value
                if name == typed or (typed and controller.agree(name, widget.value, value)):
                    continue
                if widget.value != value:
                    widget.value = value
            self.code.value = code_html(controller)
            _show(self.copy, not controller.is_hidden)
            if controller.prediction is None and self.prediction.value:
                self.prediction.value = ""
            asks = controller.predict and bool(controller.shown.question)
            _show(self.prediction, asks)
            _show(self.nearest, bool(controller.problem and controller.problem.changes))
        finally:
            self._is_refreshing = False

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        # Where no kernel answers, in an exported page say, the figure is what remains.
        said = self.controller.said()
        figures = "".join(each._repr_html_() or "" for each in self.controller.pictures())
        return {
            **bundle,
            "text/html": f"<p>{html.escape(said, quote=False)}</p>{figures}",
            "text/plain": said,
        }


def _show(widget: Any, visible: bool) -> None:
    widget.layout.display = None if visible else "none"
