"""Mathematics as MathML, made when the site is made: a page needs neither script nor fonts."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

# What docutils knows under another name alone.
_NAMES = {r"\dots": r"\ldots"}
_WORD = re.compile(r"\\[a-zA-Z]+")


def mathml(tex: str, *, as_block: bool) -> str:
    """A formula of LaTeX as MathML. Raises docutils' MathError for what it does not know."""
    known = _WORD.sub(lambda word: _NAMES.get(word[0], word[0]), tex.strip())
    return str(tex2mathml(known, as_block=as_block))


def _made(node: Any, *, as_block: bool) -> str:
    try:
        return mathml(node.astext(), as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return ""


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(_made(node, as_block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    formula = _made(node, as_block=True)
    # On a phone it is panned, by keyboard too.
    writer.body.append(
        f'<div class="math" tabindex="0" role="group" aria-label="Formula">{formula}</div>'
    )
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
