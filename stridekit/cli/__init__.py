"""The command line, `stridekit COMMAND`: one module for each command."""

import argparse
import os
import sys
from importlib import import_module

from stridekit import __version__
from stridekit.errors import CommandError

COMMANDS = ("lab", "update", "doctor", "collect", "grade", "report", "feedback")


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives its exit status."""
    parser = argparse.ArgumentParser(
        prog="stridekit", description="How tensors lie in memory: the course and its tools."
    )
    parser.add_argument("--version", action="version", version=f"stridekit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    arguments = sys.argv[1:] if arguments is None else arguments
    # Whoever names a command waits for no other to be imported.
    named = [each for each in arguments[:1] if each in COMMANDS]
    for name in named or COMMANDS:
        import_module(f"stridekit.cli.{name}").add_to(commands)
    given = parser.parse_args(arguments)
    try:
        status: int = given.run(given)
    except CommandError as error:
        print(f"stridekit: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read it has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("stridekit: stopped. Run the same command again to go on.", file=sys.stderr)
        return 130
    return status
