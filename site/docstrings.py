"""Docstrings for Sphinx: they are written in Markdown's plain words, and it reads another language.

Code in single backticks, lists, doctests and paragraphs: no more is used.
"""

import re
from typing import Any

_CODE = re.compile(r"(`+[^`]+`+)")
# What would be markup outside of code: a link's underscore, emphasis, substitutions.
_MARKUP = re.compile(r"([*|\\])|(?<=\w)(_)(?=\W|$)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")


def as_rst(lines: list[str]) -> list[str]:
    """The lines of a docstring in reStructuredText.

    >>> as_rst(["`x`:", "- one", "  more", "- two", "so."])
    ['``x``:', '', '- one', '  more', '- two', '', 'so.']
    """
    made: list[str] = []
    in_list = in_test = False
    for line in lines:
        bare = line.strip()
        in_test = bare.startswith(">>>") or (in_test and bool(bare))
        if in_test:
            made.append(line)
            continue
        is_item = bool(_ITEM.match(bare))
        goes_on = in_list and line.startswith(" ") and bool(bare)
        if bare and made and made[-1].strip() and is_item != in_list and not goes_on:
            made.append("")
        in_list = bool(bare) and (is_item or goes_on)
        made.append(_plain(line))
    return made


def _plain(line: str) -> str:
    """A line whose code is code, and in which nothing else is markup."""
    indent, item, rest = re.fullmatch(r"(\s*)((?:- |\d+\. )?)(.*)", line).groups()  # type: ignore[union-attr]
    parts = _CODE.split(rest)
    return (
        indent
        + item
        + "".join(
            f"``{part.strip('`')}``" if number % 2 else _MARKUP.sub(r"\\\g<0>", part)
            for number, part in enumerate(parts)
        )
    )


def _process(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = as_rst(lines)


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", _process)
