"""`stridekit doctor`: what works on this machine, and what to do about the rest."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from stridekit.doctor.finding import Finding, as_data

Check = Callable[[], Finding]


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command to the others."""
    command = commands.add_parser(
        "doctor",
        help="say what works on this machine",
        description="Try what the course needs on this machine, and say a line about each thing. "
        "The exit status is 1 where the lessons do not run.",
    )
    command.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="the folder (as for stridekit lab)"
    )
    command.add_argument("--json", action="store_true", help="for programs")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Try all, and tell each as soon as it is known."""
    found = []
    for finding in examine(checks(given.folder, Path.cwd())):
        found.append(finding)
        if not given.json:
            print(finding.line(sys.stdout.encoding), flush=True)
    told = as_data(found)
    if given.json:
        print(json.dumps(told, indent=1))
    elif told["works"]:
        print("The lessons run here: stridekit lab")
    else:
        print("The lessons do not run here yet. Do what stands beside what fails.")
    return 0 if told["works"] else 1


def checks(folder: Path | None, here: Path) -> dict[str, Check]:
    """What is tried, in this order, by its name."""
    from stridekit.doctor import packages, places, sealing

    return {
        "Python": packages.python,
        "packages": packages.packages,
        "torch": packages.torch,
        "Jupyter": packages.jupyter,
        "folder": lambda: places.folder(folder, here),
        "exchange": lambda: places.exchange(folder, here),
        "browser": places.browser,
        "grading": sealing.sandbox,
    }


def examine(checks: dict[str, Check]) -> Iterator[Finding]:
    """What comes of each; one that breaks is found to fail, and the others go on."""
    for name, check in checks.items():
        try:
            yield check()
        except Exception as error:  # noqa: BLE001 - a machine may be broken in any way
            yield Finding(name, "fails", f"{type(error).__name__}: {error}")
