"""What this stridekit brings into a working folder: from the wheel, or from its clone."""

import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from stridekit.errors import CommandError
from stridekit_course.workfolder.manifest import Version, version_of

START = "course/index.ipynb"
CONFIG = "nbgrader_config.py"
# Where the wheel has it: see `sources` in pyproject.toml.
IN_WHEEL = Path(__file__).resolve().parent / "course_files"
# Where stridekit lies, if it was not installed from a wheel.
AROUND = Path(__file__).resolve().parents[2]
LESSONS = ("course/**/*", "docs/*.md")
ALL = (*LESSONS, "release/*/*", "work/README.md", f"work/{CONFIG}", CONFIG)


@dataclass(frozen=True)
class Source:
    """The files of the course, as they are published."""

    root: Path
    contents: Mapping[str, bytes]
    """By their names in a working folder."""
    theirs: Mapping[str, bytes] = field(default_factory=dict)
    """What somebody has changed or made among them, in a clone."""
    is_certain: bool = True
    """Whether `contents` is free of such changes."""

    @cached_property
    def versions(self) -> dict[str, Version]:
        """The versions of all files."""
        return {name: version_of(name, content) for name, content in self.contents.items()}


def is_course(folder: Path) -> bool:
    """Whether a folder is an nbgrader course with the lessons."""
    return (folder / START).is_file() and (folder / CONFIG).is_file()


def is_in_git(folder: Path) -> bool:
    """Whether git may keep this folder's files."""
    return any((each / ".git").exists() for each in (folder, *folder.parents))


def own_source() -> Source:
    """All that this stridekit brings. Raises CommandError where it was installed without it."""
    for root, patterns in ((IN_WHEEL, ("**/*",)), (AROUND, ALL)):
        if is_course(root):
            return source(root, patterns)
    raise CommandError(
        "the course was not installed with this stridekit. Install it anew: "
        "pip install --force-reinstall --no-deps stridekit-course"
    )


def source(root: Path, patterns: Iterable[str]) -> Source:
    """The files of a course, as git has them where it has them. Raises OSError."""
    found = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for pattern in patterns
        for path in sorted(root.glob(pattern))
        if path.is_file() and not _is_junk(path.relative_to(root))
    }
    if not is_in_git(root) or root == IN_WHEEL:
        return Source(root, found)
    return _as_published(root, found)


def _is_junk(path: Path) -> bool:
    return path.suffix == ".pyc" or any(
        part.startswith(".") or part == "__pycache__" for part in path.parts
    )


def _as_published(root: Path, found: Mapping[str, bytes]) -> Source:
    """A clone's files as of its last commit, and beside them what differs from that."""
    ask = _git(root)
    listed = ask("ls-files", "-z")
    changed = ask("diff", "--name-only", "-z", "--relative", "HEAD", "--", ".")
    if listed is None or changed is None:
        return Source(root, found, is_certain=False)
    tracked, differing = _names(listed), _names(changed)
    contents, theirs = {}, {}
    for name, content in found.items():
        if name in tracked - differing:
            contents[name] = content
            continue
        theirs[name] = content
        committed = ask("show", f"HEAD:./{name}") if name in tracked else None
        if committed is not None:
            contents[name] = committed
    return Source(root, contents, theirs)


def _git(root: Path) -> Callable[..., bytes | None]:
    def ask(*arguments: str) -> bytes | None:
        command = ["git", "-c", "core.quotePath=false", "-C", str(root), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    return ask


def _names(listed: bytes) -> set[str]:
    return {name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name}
