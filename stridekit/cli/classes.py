"""What the commands for a whole class have in common: what they take, and the bar they show."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def add_class_arguments(command: Any, *, jobs: str) -> None:
    """The assignment, whose work, and how much at the same time; `jobs` says what that counts."""
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as ps3")
    command.add_argument(
        "--learner", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    command.add_argument(
        "--jobs", type=_jobs, metavar="N", help=f"{jobs} at the same time (one for each core)"
    )


def _jobs(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


@contextmanager
def progress(count: int, doing: str, unit: str) -> Iterator[Callable[[], None]]:
    """A bar on stderr, with rate and time left; nothing where nobody looks, or without tqdm."""
    try:
        from tqdm import tqdm
    except ImportError:
        yield lambda: None
        return
    # Its watching thread must not be there when processes begin as copies of this one.
    tqdm.monitor_interval = 0
    with tqdm(total=count, desc=doing, unit=unit, file=sys.stderr, disable=None) as shown:

        def advance() -> None:
            shown.update()

        yield advance
