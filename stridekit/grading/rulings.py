"""What a referee tells of a notebook, as it is entered: outputs, losses, and what is undecided."""

from typing import Any

from stridekit.grading.plans import NotebookPlan
from stridekit.grading.results import NotebookResult
from stridekit.grading.submissions import Reading


def result_of(
    plan: NotebookPlan, reading: Reading, told: dict[str, Any], isolation: dict[str, Any]
) -> NotebookResult:
    """What a referee tells, as it is entered."""
    result = NotebookResult(plan.name, reading.cells, doubts=reading.doubts, notes=reading.notes)
    result.isolation, result.seconds, result.peak = isolation, told["seconds"], told["peak"]
    names = {
        number: cell["metadata"]["nbgrader"]["grade_id"]
        for number, cell in enumerate(reading.cells)
        if "nbgrader" in cell["metadata"]
    }
    count = 0
    for step in reading.steps:
        number = step["cell"]
        cell = reading.cells[number]
        outputs = told["cells"].get(str(number))
        if outputs is None:
            continue
        count += 1
        cell["execution_count"] = count
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
        cell["outputs"] = outputs
        failed = [each for each in outputs if each["output_type"] == "error"]
        if step["kind"] == "test" and failed:
            said = failed[0]["evalue"].split("\n")[0]
            result.failures[names[number]] = said or f"{failed[0]['ename']} in {names[number]}"
    deaths = dict(told["deaths"])
    for text, how in told["tests"].items():
        name = names[int(text)]
        problem = _odd_credit(reading.cells[int(text)]) if how == "decided" else ""
        if problem:
            result.undecided.append(name)
            result.doubts.append(f"the partial credit of {name} is {problem}")
        if how == "cannot":
            result.undecided.append(name)
            result.failures.pop(name, None)
        elif how == "died":
            result.losses[name] = told["reasons"][text]
    _blame(result, plan, reading, names, deaths)
    result.details = {names[int(text)]: said for text, said in told["details"].items()}
    result.findings = {names[int(text)]: found for text, found in told["findings"].items()}
    return result


def _odd_credit(cell: dict[str, Any]) -> str:
    """What is odd about the number that a test shows; nothing where it decides on points.

    nbgrader gives full marks for a nan and for less than 0, and stops at more than there is.
    """
    for output in cell["outputs"]:
        if output["output_type"] == "error":
            return ""
    most = cell["metadata"]["nbgrader"]["points"]
    for output in cell["outputs"]:
        if output["output_type"] != "execute_result":
            continue
        text = output["data"].get("text/plain")
        if not isinstance(text, str):
            return "no number"
        try:
            credit = float(text)
        except ValueError:
            continue
        if not 0 <= credit <= most:
            return f"{text}, and {most:g} points are the most"
    return ""


def _blame(
    result: NotebookResult,
    plan: NotebookPlan,
    reading: Reading,
    names: dict[int, str],
    deaths: dict[int, str],
) -> None:
    """Tests that fail because their solution is not there, or ended its process."""
    gone = dict(reading.missing)
    broken = {
        names[number]: f"its cell did not run: {error['ename']}: {error['evalue']}".split("\n")[0]
        for number, cell in enumerate(reading.cells)
        if number in names
        for error in cell.get("outputs", ())
        if error["output_type"] == "error"
    }
    for number, reason in deaths.items():
        if number in names and names[number] not in result.losses:
            gone[names[number]] = f"its cell was stopped, for {reason}"
    of_solution = ""
    for master in plan.cells:
        if master.kind == "solution":
            of_solution = master.name
        elif master.is_run_as_test and master.name in result.failures:
            if of_solution in gone:
                result.losses.setdefault(master.name, gone[of_solution])
            elif of_solution in broken and "is not defined" in result.failures[master.name]:
                # That there is no such name is what came of it.
                result.failures[master.name] = broken[of_solution]
    for number, reason in deaths.items():
        if number not in names:
            result.notes.append(f"cell {number + 1} was stopped: {reason}")
