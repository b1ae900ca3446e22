"""Questions on the page: one widget, whose page code asks and whose Python judges.

The right answers stay in Python, so that no page shows them before a try.
"""

import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from stridekit_course.questions.question import Question, Told, in_parts, is_code, judge, resolved

_HERE = Path(__file__).parent


class QuestionsBox(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """Some questions. `.questions` are those that are shown; `.told` what was said last to each."""

    _esm = _HERE / "questions.js"
    _css = _HERE / "questions.css"
    asked: Any = traitlets.List().tag(sync=True)
    told: Any = traitlets.List().tag(sync=True)
    others = traitlets.Bool(False).tag(sync=True)

    def __init__(self, draw: Callable[[], Sequence[Question]], *, others: bool = False) -> None:
        self._draw = draw
        self.questions: tuple[Question, ...] = ()
        super().__init__(others=others)
        self._begin()
        self.on_msg(self._heard)

    def answer(self, number: int, *, chosen: str = "", written: str = "") -> Told:
        """Answer a question, counted from 0, as if it were done on the page."""
        told = judge(self.questions[number], chosen, written)
        self._tell(number, told)
        return told

    def _begin(self) -> None:
        self.questions = tuple(self._draw())
        self.told = [None] * len(self.questions)
        self.asked = [
            {
                "text": in_parts(each.text),
                "choices": [(choice, is_code(choice)) for choice in each.choices],
                "field": each.field,
            }
            for each in self.questions
        ]

    def _tell(self, number: int, told: Told) -> None:
        said = {"right": told.right, "words": in_parts(told.words), "code": told.code}
        self.told = [*self.told[:number], said, *self.told[number + 1 :]]

    def _heard(self, _widget: Any, said: Any, _buffers: Any) -> None:
        """What the page says: an answer, a wish to be told, or a wish for others."""
        if said.get("do") == "draw" and self.others:
            self._begin()
            return
        number = said.get("number")
        if not isinstance(number, int) or not 0 <= number < len(self.questions):
            return
        if said.get("do") == "answer":
            self.answer(
                number, chosen=str(said.get("chosen", "")), written=str(said.get("written", ""))
            )
        elif said.get("do") == "show":
            question = self.questions[number]
            self._tell(number, Told(True, resolved(question), question.code))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        assert shown is not None
        data, metadata = shown
        # Where no kernel answers, the closed box does.
        return {**data, "text/html": _as_html(self.questions), "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        return "\n".join(each.text.replace("`", "") for each in self.questions)


def _as_html(questions: Sequence[Question]) -> str:
    # With a rule between: or a closed box stands closer to the next question than to its own.
    return "<hr>".join(
        f"<p>{_marked(each.text)}</p>{_options(each)}<details><summary>Answer</summary>"
        f"<p>{_marked(resolved(each))}</p></details>"
        for each in questions
    )


def _options(question: Question) -> str:
    """What there is to choose from, beyond yes and no."""
    listed = (f"`{each}`" if is_code(each) else each for each in question.options)
    items = "".join(f"<li>{_marked(each)}</li>" for each in listed)
    return f"<ul>{items}</ul>" if items else ""


def _marked(text: str) -> str:
    return "".join(
        f"<code>{html.escape(part)}</code>" if code else html.escape(part, quote=False)
        for code, part in in_parts(text)
    )
