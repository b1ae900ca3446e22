"""What a learner's own notebooks import from places that are no more, and what to write instead."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from stridekit.moved import place_now

# So many bytes are more than any notebook that somebody wrote.
_LARGEST = 32 << 20
# A line that is IPython's, and no Python.
_MAGIC = re.compile(r"^(\s*)[%!?].*$", re.MULTILINE)


def old_places(root: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Notebooks and settings that name an old place: what stands there, and what to write."""
    for path in sorted((*root.rglob("*.ipynb"), *root.rglob("*_config.py"))):
        name = path.relative_to(root)
        if any(part.startswith(".") for part in name.parts):
            continue
        changes = _in_file(path)
        if changes:
            yield name.as_posix(), changes


def _in_file(path: Path) -> dict[str, str]:
    """What stands in it, with what to write instead; nothing of what cannot be read."""
    try:
        if path.stat().st_size > _LARGEST:
            return {}
        text = path.read_text("utf-8")
        sources = [text] if path.suffix == ".py" else _code_of(text)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    return {old: new for source in sources for old, new in rewritten(source)}


def _code_of(notebook: str) -> list[str]:
    cells = json.loads(notebook)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def rewritten(source: str) -> Iterator[tuple[str, str]]:
    """What names an old place in some code, and what to write instead.

    >>> for old, new in rewritten("from stridekit import check, draw"):
    ...     print(new)
    from stridekit_course import check; from stridekit import draw
    """
    try:
        tree = ast.parse(_MAGIC.sub(r"\1pass", source))
    except (SyntaxError, ValueError, RecursionError):
        return
    ours = {"stridekit"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            ours |= {each.asname or each.name for each in node.names if each.name == "stridekit"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            new = "; ".join(_imports(node.module, node.names))
            if new != ast.unparse(node):
                yield ast.unparse(node), new
        elif isinstance(node, ast.Import):
            for each in node.names:
                if now := place_now(each.name):
                    yield f"import {each.name}", f"import {now}"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            now = place_now(f"stridekit.{node.attr}") if node.value.id in ours else ""
            if now:
                yield f"{node.value.id}.{node.attr}", now
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            now = place_now(node.value) if node.value.startswith("stridekit.") else ""
            if now:
                yield repr(node.value), repr(now)


def _imports(module: str, names: list[ast.alias]) -> Iterator[str]:
    """The same import, each name from where it is now."""
    homes: dict[str, list[str]] = {}
    for each in names:
        home, _, name = (place_now(f"{module}.{each.name}") or f"{module}.{each.name}").rpartition(
            "."
        )
        homes.setdefault(home, []).append(name + (f" as {each.asname}" if each.asname else ""))
    for home, those in homes.items():
        yield f"from {home} import {', '.join(those)}"
