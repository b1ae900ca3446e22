"""Mutants of the model solutions: every small change to right work has to be caught by `check`.

cosmic-ray makes the mutants, one change each, of the solution cells in source/. Each is put
through its check, as a learner's work would be, the visible one and then the hidden one. A
mutant that passes both is a hole in the check, or equivalent to the solution. The equivalent
ones stand in tests/bank/equivalent_mutants.toml, each with the argument why.

    python tools/mutants.py [--jobs 2] [FUNCTION ...]
"""

import argparse
import ast
import contextlib
import difflib
import io
import os
import sys
import tomllib
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "tests" / "bank" / "equivalent_mutants.toml"
# Identity of numbers is an accident of the interpreter; decorators there are none.
LEFT_OUT = ("_Is", "_IsNot", "RemoveDecorator", "VariableReplacer", "VariableInserter")


@dataclass(frozen=True)
class Mutant:
    """One changed line of one solution."""

    function: str
    was: str
    became: str
    code: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What the list of equivalent ones calls it."""
        return self.function, self.was, self.became


def solutions() -> dict[str, tuple[str, str]]:
    """For each function: what runs before it in its notebook, and its solution cell."""
    found = {}
    for path in sorted((ROOT / "source").glob("*/*.ipynb")):
        before = ""
        for cell in nbformat.read(path, as_version=4).cells:
            grading = cell.metadata.get("nbgrader")
            if cell.id == "setup" or (grading and grading.solution):
                if grading:
                    found[grading.grade_id] = before, cell.source
                before += cell.source + "\n\n"
    return found


def mutants(function: str, solution: str) -> Iterator[Mutant]:
    """Every mutant of the solution, each once."""
    from cosmic_ray import plugins
    from cosmic_ray.mutating import mutate_code

    made = [*with_other_parameters(solution)]
    for name in plugins.operator_names():
        if name.endswith(LEFT_OUT):
            continue
        operator = plugins.get_operator(name)()
        occurrence = 0
        while code := mutate_code(solution, operator, occurrence):
            occurrence += 1
            made.append(code)
    for code in dict.fromkeys(made):
        if code != solution:
            yield Mutant(function, *_changed(solution, code), code)


def with_other_parameters(solution: str) -> Iterator[str]:
    """The solution with one use of a parameter replaced by another parameter.

    The commonest slip in code on headers, and cosmic-ray has nothing for it. What a message
    says is not replaced: no exercise asks for its words.
    """
    (function,) = (node for node in ast.parse(solution).body if isinstance(node, ast.FunctionDef))
    parameters = [each.arg for each in function.args.args]
    lines = solution.split("\n")
    messages = {
        id(name)
        for text in ast.walk(function)
        if isinstance(text, ast.JoinedStr)
        for name in ast.walk(text)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in parameters and id(node) not in messages:
            before, at = lines[: node.lineno - 1], lines[node.lineno - 1].encode()
            for other in parameters:
                line = at[: node.col_offset] + other.encode() + at[node.end_col_offset :]
                yield "\n".join([*before, line.decode(), *lines[node.lineno :]])


def _changed(solution: str, code: str) -> tuple[str, str]:
    lines = [*difflib.ndiff(solution.splitlines(), code.splitlines())]
    was, became = (
        " / ".join(" ".join(line[2:].split()) for line in lines if line.startswith(sign))
        for sign in ("- ", "+ ")
    )
    return was, became


def survives(work: tuple[Mutant, str]) -> bool:
    """Whether the mutant passes its visible and its hidden check."""
    from stridekit_course.checks.calling import Local
    from stridekit_course.checks.engine import check
    from stridekit_course.checks.limits import Limits
    from stridekit_course.exercises import EXERCISES, CheckFailed

    mutant, before = work
    names: dict[str, object] = {"__name__": "mutant"}
    local = Local(lambda *arguments: names[mutant.function](*arguments), Limits(1.0, 5.0))
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            exec(f"{before}\n{mutant.code}", names)
            for hidden in (False, True):
                check(EXERCISES[mutant.function], local, hidden=hidden)
        except (CheckFailed, SyntaxError):
            return False
    return True


def limit_memory() -> None:
    """A mutant may ask for all there is."""
    with contextlib.suppress(ImportError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def equivalents() -> dict[tuple[str, str, str], str]:
    """Those that are known to be equivalent, with the argument for each."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8")) if EQUIVALENT.exists() else {}
    return {
        (function, was, became): each["because"]
        for function, entries in listed.items()
        for each in entries
        for was, became in each["changes"]
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("functions", nargs="*", metavar="FUNCTION")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    known = solutions()
    unknown = [name for name in given.functions if name not in known]
    if unknown:
        print(
            f"mutants: no solution of {unknown[0]} in source/. There are: {', '.join(known)}.",
            file=sys.stderr,
        )
        return 1
    listed = equivalents()
    holes: list[Mutant] = []
    stale: list[tuple[str, str, str]] = []
    made_in_all = equivalent_in_all = 0
    print(f"{'function':<22}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'holes':>7}")
    with ProcessPoolExecutor(given.jobs, initializer=limit_memory) as pool:
        for name in given.functions or known:
            before, solution = known[name]
            made = [*mutants(name, solution)]
            passed = pool.map(survives, [(mutant, before) for mutant in made], chunksize=4)
            survivors = [mutant for mutant, alive in zip(made, passed, strict=True) if alive]
            explained = [mutant for mutant in survivors if mutant.key in listed]
            unexplained = [mutant for mutant in survivors if mutant.key not in listed]
            alive_keys = {mutant.key for mutant in survivors}
            stale += [key for key in listed if key[0] == name and key not in alive_keys]
            holes += unexplained
            made_in_all += len(made)
            equivalent_in_all += len(explained)
            killed = len(made) - len(survivors)
            print(
                f"{name:<22}{len(made):>8}{killed:>8}{len(explained):>12}{len(unexplained):>7}",
                flush=True,
            )
    killed = made_in_all - equivalent_in_all - len(holes)
    print(
        f"\nMutation score: {killed} of {made_in_all - equivalent_in_all} killed. "
        f"{equivalent_in_all} more are equivalent: see {EQUIVALENT.relative_to(ROOT)}."
    )
    for mutant in holes:
        print(f"\nHOLE in {mutant.function}:\n  - {mutant.was}\n  + {mutant.became}")
    for function, was, became in stale:
        print(f"\nSTALE in {function}, no such survivor:\n  - {was}\n  + {became}")
    return 1 if holes or stale else 0


if __name__ == "__main__":
    sys.exit(main())
