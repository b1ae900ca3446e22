"""A submission as it lies in its folder: its notebook, from when it is, what is odd about it."""

import os
from pathlib import Path

from stridekit.grading.plans import Plan
from stridekit.grading.submissions import UnreadableError, read_bytes


def notebook_in(folder: Path, name: str, plan: Plan, doubts: list[str]) -> tuple[bytes, list[str]]:
    """The bytes of a submitted notebook, and a doubt where it has another name.

    Raises UnreadableError.
    """
    if doubts and not folder.is_dir():
        raise UnreadableError(doubts[0])
    path = folder / f"{name}.ipynb"
    if os.path.lexists(path):
        return read_bytes(path), []
    others = [each for each in sorted(folder.glob("*.ipynb")) if not each.name.startswith(".")]
    if len(others) == 1 and len(plan.notebooks) == 1:
        return read_bytes(others[0]), [f"the notebook is called {others[0].name}, not {path.name}"]
    there = ", ".join(each.name for each in others) or "no notebook"
    raise UnreadableError(f"there is no {path.name}, but {there}")


def doubts_about(folder: Path, root: Path) -> list[str]:
    """Links on the way to a submission lead somewhere else."""
    for each in (folder, *folder.parents):
        if each == root:
            break
        if each.is_symlink() and each.parent != root:
            return [f"{each.relative_to(root)} is a link, and links are not followed"]
    return [] if folder.is_dir() else [f"{folder.relative_to(root)} is no folder"]


def timestamp_in(folder: Path) -> tuple[str | None, list[str]]:
    """When it was handed in, as its timestamp.txt says."""
    from nbgrader.utils import parse_utc

    path = folder / "timestamp.txt"
    if not os.path.lexists(path):
        return None, []
    try:
        text = read_bytes(path, 1000).decode("utf-8", "replace").strip()
        if text:
            parse_utc(text)
    except UnreadableError as error:
        return None, [str(error)]
    except Exception:  # noqa: BLE001 - whatever a parser of dates raises
        return None, [f"its timestamp.txt says {text[:40]!r}, which is no time"]
    return text or None, []
