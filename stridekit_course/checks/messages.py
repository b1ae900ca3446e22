"""What is said of a function that fails: the call, what came back, the rule, a hint, a picture."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from stridekit.diagrams import Diagram
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.calling import Local
from stridekit_course.checks.exercise import Batch, Exercise
from stridekit_course.checks.returns import shown
from stridekit_course.checks.strategies import counting

# A memory of so many bytes is spelt out.
SPELT_MOST = 96
# How the kind of a failure begins that is a call which the exercise forbids.
FORBIDDEN_CALL = "a call that is forbidden"


class Failure(NamedTuple):
    """What is wrong, in a sentence; and the case with its outcome, where an answer is wrong.

    `kind` is what it is, in a few words that are the same for everybody who fails alike.
    `counted` says on how many cases it fails, and `where` how to have these again. `in_general` is
    the sentence without the case, where it names one.
    """

    kind: str
    sentence: str
    case: Case | None = None
    outcome: Outcome | None = None
    expected: Any = None
    hint: str | None = None
    counted: str = ""
    where: str = ""
    printed: str = ""
    in_general: str = ""
    picture: Diagram | None = None


def message(exercise: Exercise, failure: Failure) -> str:
    """All that is said, as lines: what happened, the hint, the rule, how to see it, the picture."""
    lines = [failure.sentence]
    if failure.case is not None:
        lines += (f"  {kind}: {said}" for kind, said in notes(exercise, failure))
        lines.append(f"  ({failure.counted}{failure.where})")
    if failure.picture is not None:
        lines += ["", failure.picture.text()]
    if failure.printed:
        # Somebody who debugs by printing looks for it.
        lines += ["", "what it printed on this case:", *failure.printed.rstrip().split("\n")]
    return "\n".join(lines)


def notes(exercise: Exercise, failure: Failure) -> list[tuple[str, str]]:
    """What is said of the case that is shown, each with what it is."""
    assert failure.case is not None
    return [
        *([("hint", failure.hint)] if failure.hint else ()),
        ("rule", exercise.rule(*failure.case.arguments)),
        *(("try it", recipe) for recipe in recipes(exercise, failure.case)),
    ]


def veiled(exercise: Exercise, failure: Failure) -> str:
    """What may be said of a hidden test: nothing of what it asks and expects.

    Who was asked knows it by now, and says which calls there were, and in which lines: so neither
    is said.
    """
    if failure.counted:
        hint = f" Hint: {failure.hint}" if failure.hint else ""
        return f"{exercise.name} is {failure.counted} of the hidden test.{hint}"
    if failure.kind.startswith(FORBIDDEN_CALL):
        return f"{exercise.name} makes a call that is forbidden. {exercise.rules.why}"
    return failure.in_general or failure.sentence


def finding_of(exercise: Exercise, failure: Failure) -> dict[str, str]:
    """What an instructor may count and look at, as texts; the picture as HTML."""
    return {
        "function": exercise.name,
        "kind": failure.kind,
        "sentence": failure.sentence,
        "hint": failure.hint or "",
        "rule": exercise.rule(*failure.case.arguments) if failure.case is not None else "",
        "counted": failure.counted,
        "picture": failure.picture.html() if failure.picture else "",
    }


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
    """How to make the tensors of a case oneself. Empty where that would be a long story."""
    made_by: list[str] = []
    shared: dict[int, str] = {}
    memories = [each.memory for each in case.tensors]
    for name, data in zip(_names(exercise, case), case.arguments, strict=True):
        if not isinstance(data, TensorData):
            continue
        if data.library == "numpy":
            made_by.append(_array_recipe(name, data))
            continue
        whole = _memory_recipe(data)
        if whole is None:
            return []
        if memories.count(data.memory) > 1 or data.apart:
            # as_strided would begin at another view's own offset, and keep its dtype.
            if data.memory not in shared:
                made_by.append(f"memory = {whole}")
            first = shared.setdefault(data.memory, f"{data.dtype} 0")
            whole = _seen_as(data, first)
        offset = f", {data.storage_offset}" if data.storage_offset else ""
        made_by.append(f"{name} = {whole}.as_strided({data.size}, {data.stride}{offset})")
    return made_by


def _array_recipe(name: str, data: TensorData) -> str:
    offset = f", offset={data.storage_offset}" if data.storage_offset else ""
    times = f" * {count}" if (count := -(-len(data.storage) // 256)) > 1 else ""
    return (
        f"{name} = np.ndarray({data.size}, np.{data.dtype}, bytearray(range(256)){times}"
        f"{offset}, strides={data.stride})"
    )


def _memory_recipe(data: TensorData) -> str | None:
    """What makes the whole memory of a tensor, as a tensor of one dim."""
    module = "stridekit" if data.library == "stridekit" else "torch"
    length = len(data.storage) // data.itemsize
    of = "" if data.dtype == "int64" else f", dtype={module}.{data.dtype}"
    # There is no arange of bools.
    if data.dtype != "bool" and data.storage == counting(data.dtype, length):
        if data.dtype.startswith("complex"):
            # There is no arange of complex numbers.
            return f"{module}.arange({length}).to({module}.{data.dtype})"
        return f"{module}.arange({length}{of})"
    if module == "torch" and len(data.storage) <= SPELT_MOST:
        whole = f"bytearray.fromhex('{data.storage.hex()}')"
        return f"torch.frombuffer({whole}, dtype=torch.{data.dtype})"
    return None


def _seen_as(data: TensorData, first: str) -> str:
    """The memory of several tensors, as one of them sees it."""
    if f"{data.dtype} {data.apart}" == first:
        return "memory"
    if not data.apart and first.endswith(" 0"):
        return f"memory.view(torch.{data.dtype})"
    count = (len(data.storage) - data.apart) // data.itemsize
    where = f"count={count}, offset={data.apart}"
    # NumPy has no bfloat16.
    return f"torch.frombuffer(memory.view(torch.uint8).numpy(), dtype=torch.{data.dtype}, {where})"


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


# Which case tells most, and which known mistake a function makes: the one that answers as it does.


# Of those that fail, so many of the simplest are looked at for the one that tells most, none of
# them with more elements than this, or half as many again as the simplest.
LOOKED_AT, ELEMENTS = 40, 6
# Where a function is right on so many more cases than it is wrong on, and a mistake is not, it is
# another one. Where all wrong answers are one value, or all answers are True or False, a mistake
# easily agrees: one that says True throughout does so with everybody. Then no wrong answer of it
# may be of another kind.
UNLIKE, UNLIKE_IN_ONE_VALUE = 4, 1


def most_telling(
    exercise: Exercise, batch: Batch, wrong: Sequence[int], order: Callable[[int], Any]
) -> int:
    """Of the cases that fail, a simple one in which the known mistakes give many answers."""
    ordered = sorted((order(number), number) for number in wrong)
    late, (least, *_) = ordered[0][0]
    most, looked_at = max(ELEMENTS, 3 * least // 2), ordered[: LOOKED_AT + 1]
    numbers = [n for (its, (size, *_)), n in looked_at if its == late and size <= most]
    answers: list[set[Any]] = [{repr(batch.expected[n])} for n in numbers]
    for place in range(len(exercise.mistakes)):
        theirs = _mistaken(exercise, place, batch, numbers)
        for told, outcome in zip(answers, theirs, strict=False):
            told.add(outcome.answer)
    return max(zip(answers, numbers, strict=True), key=lambda pair: len(pair[0]))[1]


def hint_for(
    exercise: Exercise,
    batch: Batch,
    outcomes: Sequence[Outcome],
    number: int,
    wrong: Sequence[int],
) -> str | None:
    """The hint of a known mistake that gives the same answers on all cases that fail.

    They are not few of those on which the mistake is wrong. `number` is that of the case that is
    shown. Where several mistakes answer alike, the one that does so most often is meant. If none
    does so throughout, the answers may be kept from earlier calls. None if it was stopped at once.
    """
    failing = [each for each in wrong if outcomes[each].kind != "stopped"]
    given = {outcomes[each].answer for each in failing}
    is_yes_or_no = type(batch.expected[number]) is bool
    in_one_value = is_yes_or_no or (len(given) == 1 and outcomes[number].kind == "value")
    most = len(failing) * (UNLIKE_IN_ONE_VALUE if in_one_value else UNLIKE)
    failed = {*wrong}
    fine = [each for each in range(len(outcomes)) if each not in failed]
    if not fine and len(failing) < len(wrong):
        return None
    best: tuple[int, str] | None = None
    for place, mistake in enumerate(exercise.mistakes):
        # Most differ on the very first.
        if all(
            _answers_alike(_mistaken(exercise, place, batch, those), outcomes, those)
            for those in ([number], failing)
        ):
            errs = _wrong_on(_mistaken(exercise, place, batch, fine), exercise, batch, fine)
            is_another = in_one_value and not {own.answer for own in errs} <= given
            if len(errs) <= most and not is_another and (best is None or len(errs) < best[0]):
                best = len(errs), mistake.hint
    if best is None or best[0] > 0:
        left_out = _left_out_of_a_key(exercise, batch, outcomes, failed)
        if left_out is not None:
            return (
                "this is what you get if answers are kept from call to call under a key without "
                f"{left_out}. Two calls may differ in it alone."
            )
    return best[1] if best else None


def _left_out_of_a_key(
    exercise: Exercise, batch: Batch, outcomes: Sequence[Outcome], failed: set[int]
) -> str | None:
    """The parameter without which each answer is that of the first call, and that one is right."""
    if len(exercise.parameters) < 2:
        # Whoever always says the same keeps nothing.
        return None
    for place, name in enumerate(exercise.parameters):
        kept: dict[Any, int] = {}
        for number, outcome in enumerate(outcomes):
            arguments = batch.cases[number].arguments
            if outcome.kind != "value":
                if number in failed:
                    break
                continue
            first = kept.setdefault((*arguments[:place], *arguments[place + 1 :]), number)
            if first in failed or outcomes[first].answer != outcome.answer:
                break
        else:
            return name
    return None


def _answers_alike(
    theirs: Sequence[Outcome], outcomes: Sequence[Outcome], numbers: Sequence[int]
) -> bool:
    return len(theirs) == len(numbers) and all(
        own.answer == outcomes[each].answer and own.changed == outcomes[each].changed
        for each, own in zip(numbers, theirs, strict=True)
    )


def _wrong_on(
    theirs: Sequence[Outcome], exercise: Exercise, batch: Batch, numbers: Sequence[int]
) -> list[Outcome]:
    """What a mistake gives on those cases, where it is wrong."""
    return [
        own
        for each, own in zip(numbers, theirs, strict=False)
        if exercise.wrong_with(batch.cases[each], batch.expected[each], own) is not None
    ]


def _mistaken(
    exercise: Exercise, place: int, batch: Batch, numbers: Sequence[int]
) -> Sequence[Outcome]:
    """What the known mistake of that place gives in those cases; fewer where it was stopped.

    Each is asked once for a batch.
    """
    known = batch.mistaken.setdefault(place, {})
    asked = [each for each in numbers if each not in known]
    if asked:
        function = exercise.mistakes[place].function
        given = Local(function).run([batch.cases[each] for each in asked], "nothing").outcomes
        pairs = zip(asked, given, strict=False)
        known.update((each, outcome) for each, outcome in pairs if outcome.kind != "stopped")
    return [known[each] for each in takewhile(known.__contains__, numbers)]
