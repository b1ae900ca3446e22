"""The picture of an explorer that stays in a saved notebook, and on a page that is made of it."""

import asyncio
import html
from typing import Any

from stridekit.explorers.controller import Controller

# So many seconds after the last key it is made anew: a hand that types does not wait for it.
AFTER = 1.0
# So many outputs of one explorer are kept up to date: the latest ones.
MOST_OUTPUTS = 8


class Still:
    """The last picture of an explorer, as an output beside the widget.

    The page hides it while the widget is there. It is an output of its own, for an output that is
    made anew takes a widget's fields from under the hands.
    """

    def __init__(self, controller: Controller[Any]) -> None:
        self._controller = controller
        self._handles: list[Any] = []
        self._due: asyncio.TimerHandle | None = None

    def bundle(self) -> dict[str, str]:
        """What is said, and the figures, as images."""
        said = html.escape(self._controller.said(), quote=False)
        figures = "".join(each._repr_html_() or "" for each in self._controller.pictures())
        return {"text/html": f'<div class="sk-still"><p>{said}</p>{figures}</div>'}

    def show_under(self, widget: dict[str, Any], metadata: dict[str, Any]) -> None:
        """Show a widget in the notebook, by its bundle, and this as one more output."""
        from IPython.display import display

        display(widget, raw=True, metadata=metadata)  # type: ignore[no-untyped-call, unused-ignore]
        handle = display(self.bundle(), raw=True, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
        if handle is not None:
            self._handles = [*self._handles, handle][-MOST_OUTPUTS:]

    def renew_soon(self) -> None:
        """Make it anew once nothing more has happened for a while."""
        if not self._handles:
            return
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
        self._due = None
        bundle = self.bundle()
        for handle in self._handles:
            handle.update(bundle, raw=True)
