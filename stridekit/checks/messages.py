"""What is said of a function that fails: the call, what came back, the rule, a hint, a picture."""

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from stridekit.checks.exercise import Exercise
from stridekit.checks.returns import shown
from stridekit.checks.seam import Case, Outcome, TensorData


class Failure(NamedTuple):
    """What is wrong, in a sentence; and the case with its outcome, where an answer is wrong."""

    sentence: str
    case: Case | None = None
    outcome: Outcome | None = None
    hint: str | None = None
    counted: str = ""
    printed: str = ""


def message(exercise: Exercise, failure: Failure, where: str) -> str:
    """All that is said, as lines. In a notebook the picture is shown, and is no part of them."""
    lines = [failure.sentence]
    picture = None
    if failure.case is not None and failure.outcome is not None:
        lines.append(f"  rule: {exercise.rule(*failure.case.arguments)}")
        if failure.hint:
            lines.append(f"  hint: {failure.hint}")
        lines += (f"  try it: {recipe}" for recipe in recipes(exercise, failure.case))
        lines.append(f"  ({failure.counted}{where})")
        picture = exercise.picture(failure.case, failure.outcome)
    if picture is not None and not _shown_in_notebook(picture):
        lines += ["", picture.text()]
    if failure.printed:
        # Somebody who debugs by printing looks for it.
        lines += ["", "what it printed on this case:", *failure.printed.rstrip().split("\n")]
    return "\n".join(lines)


def call_of(exercise: Exercise, case: Case) -> str:
    """The call as a learner would write it, and what its tensors are.

    With more than two arguments, each has its name.
    """
    named = len(case.arguments) > 2 and len(exercise.parameters) == len(case.arguments)
    written = [
        name if isinstance(each, TensorData) else f"{name}={shown(each)}" if named else shown(each)
        for name, each in zip(_names(exercise, case), case.arguments, strict=True)
    ]
    tensors = [
        f"{name} {_header(each)}"
        for name, each in zip(_names(exercise, case), case.arguments, strict=True)
        if isinstance(each, TensorData)
    ]
    call = f"{exercise.name}({', '.join(written)})"
    return f"{call}, with {' and '.join(tensors)}," if tensors else call


def recipes(exercise: Exercise, case: Case) -> list[str]:
    """How to make the tensors of a case oneself."""
    shared: dict[int, str] = {}
    made_by: list[str] = []
    memories = [each.memory for each in case.tensors]
    for name, data in zip(_names(exercise, case), case.arguments, strict=True):
        if not isinstance(data, TensorData):
            continue
        length = len(data.storage) // data.itemsize
        if data.library == "numpy":
            bytes_offset = f", offset={data.storage_offset}" if data.storage_offset else ""
            made_by.append(
                f"{name} = np.ndarray({data.size}, np.{data.dtype}, bytearray(range(256)) * "
                f"{-(-len(data.storage) // 256)}{bytes_offset}, strides={data.stride})"
            )
            continue
        module = "stridekit" if data.library == "stridekit" else "torch"
        offset = f", {data.storage_offset}" if data.storage_offset else ""
        of = "" if data.dtype == "int64" else f", dtype={module}.{data.dtype}"
        made = f"{module}.arange({length}{of})"
        if memories.count(data.memory) > 1:
            # as_strided would begin at another view's own offset, and keep its dtype.
            if data.memory not in shared:
                made_by.append(f"memory = {made}")
            first = shared.setdefault(data.memory, data.dtype)
            made = "memory" if data.dtype == first else f"memory.view({module}.{data.dtype})"
        made_by.append(f"{name} = {made}.as_strided({data.size}, {data.stride}{offset})")
    return made_by


def _names(exercise: Exercise, case: Case) -> Sequence[str]:
    if len(exercise.parameters) == len(case.arguments):
        return exercise.parameters
    # A function of any number of arguments, such as broadcast_sizes(*sizes).
    return [f"argument {number}" for number in range(len(case.arguments))]


def _header(data: TensorData) -> str:
    kind = {"torch": "", "stridekit": "a stridekit tensor ", "numpy": "an array "}[data.library]
    offset = f", storage_offset {data.storage_offset}" if data.storage_offset else ""
    words = ("shape", "element strides") if data.library == "numpy" else ("size", "stride")
    dtype = f", {data.dtype}" if data.dtype != "int64" else ""
    read_only = ", read-only" if data.read_only else ""
    return f"{kind}of {words[0]} {data.size}, {words[1]} {data.stride}{offset}{dtype}{read_only}"


def _shown_in_notebook(picture: Any) -> bool:
    """Show the picture if this is a notebook, and say whether it was."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return False
    from IPython.display import display

    display(picture)  # type: ignore[no-untyped-call]
    return True
