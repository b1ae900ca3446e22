"""What a file says, apart from what running and saving it leaves behind."""

import hashlib
import json
from typing import Any, NamedTuple

# What JupyterLab, Colab and timers write into a cell by themselves.
_VOLATILE = frozenset(
    {"ExecuteTime", "collapsed", "colab", "execution", "heading_collapsed", "id", "jupyter",
     "outputId", "scrolled", "trusted"}
)  # fmt: skip


class Version(NamedTuple):
    """A file as it was at one time."""

    exact: str
    """A hash of its bytes."""
    words: str
    """A hash of what it says. Two notebooks that differ by outputs alone say the same."""


def version_of(name: str, content: bytes) -> Version:
    """The version that a file's bytes are.

    Of a notebook what counts are its cells: their kind, text, attachments and metadata such as
    tags. Outputs, execution counts, cell ids, and what programs write by themselves do not.

    >>> plain = b'{"cells": [{"cell_type": "code", "source": ["1 + 1"], "outputs": []}]}'
    >>> run = plain.replace(b'[]}', b'[{"data": 2}], "execution_count": 1}')
    >>> first, second = version_of("a.ipynb", plain), version_of("a.ipynb", run)
    >>> first.exact == second.exact, first.words == second.words
    (False, True)
    """
    exact = hashlib.sha256(content).hexdigest()
    said = _cells(content) if name.endswith(".ipynb") else None
    return Version(exact, exact if said is None else hashlib.sha256(said).hexdigest())


def _cells(content: bytes) -> bytes | None:
    """What a notebook says; None of what is no notebook."""
    try:
        cells = json.loads(content)["cells"]
        said = [_cell(cell) for cell in cells]
        return json.dumps(said, sort_keys=True).encode("ascii")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _cell(cell: Any) -> list[Any]:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    metadata = {
        name: value
        for name, value in cell.get("metadata", {}).items()
        if name not in _VOLATILE and value not in ([], {}, "", None)
    }
    return [cell["cell_type"], text, metadata, cell.get("attachments") or {}]
