"""Whether a prediction says what is true, in whatever spelling."""

import re

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
