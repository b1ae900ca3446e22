"""The command line, `stridekit WORD`: its words are those of the packages that are installed.

A package adds a word by an entry point of the group `stridekit.commands`: its name is the word,
its value a function that is given what `argparse` calls subparsers, and adds itself to them.
"""

import argparse
import io
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

from stridekit import __version__
from stridekit.errors import CommandError, told

GROUP = "stridekit.commands"
# What brings the words that there are beside this package.
_BROUGHT_BY = {
    **dict.fromkeys(("lab", "update", "doctor"), "stridekit-course"),
    **dict.fromkeys(("grade", "collect", "feedback", "report"), "stridekit-grading"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives its exit status."""
    parser = argparse.ArgumentParser(
        prog="stridekit",
        description="How tensors lie in memory: the course, and the grader of its exercises.",
    )
    parser.add_argument("--version", action="version", version=f"stridekit {__version__}")
    arguments = sys.argv[1:] if arguments is None else arguments
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every terminal can spell every folder's name. Where it cannot be told so, let it be.
        with suppress(OSError):
            sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(parser, arguments)
    except CommandError as error:
        print(f"stridekit: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read it has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ModuleNotFoundError as error:
        print(
            f"stridekit: {error.name} is not installed, and this needs it. `stridekit doctor` says "
            "what is missing, and what to type.",
            file=sys.stderr,
        )
        return 1
    except OSError as error:
        print(f"stridekit: {told(error)}. Mend that, and try again.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stridekit: stopped. Run the same command again to go on.", file=sys.stderr)
        return 130


def _run(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    """Raises CommandError."""
    there = {each.name: each for each in entry_points(group=GROUP)}
    asked = arguments[:1]
    for word in asked:
        if word in _BROUGHT_BY and word not in there:
            raise CommandError(
                f"`stridekit {word}` comes with another package. Install it: "
                f"pip install {_BROUGHT_BY[word]}"
            )
    words: Mapping[str, argparse.ArgumentParser] = {}
    if there:
        commands = parser.add_subparsers(required=True, dest="command")
        words = commands.choices
        # Whoever names a command waits for no other to be imported.
        known = [*_BROUGHT_BY, *sorted(there.keys() - _BROUGHT_BY.keys())]
        for word in [each for each in asked if each in there] or known:
            if word in there:
                there[word].load()(commands)
    elif not asked:
        raise CommandError(
            "the library alone has no commands. The course brings `stridekit lab`: "
            "pip install stridekit-course"
        )
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        # By the parser of the command, whose usage says what it takes.
        words.get(arguments[0], parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        Path.cwd()
    except FileNotFoundError as error:
        raise CommandError(
            "the folder that you are in is no more. Go to another, with cd"
        ) from error
    status: int = given.run(given)
    return status
