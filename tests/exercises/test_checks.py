"""The checks: right work passes, wrong work fails with the sentence that teaches."""

import contextlib
import io
import logging
import sys

import pytest
import torch

import stridekit as sk
from stridekit import check
from stridekit.exercises import EXERCISES, CheckFailed, UnknownExerciseError, ps3
from stridekit.exercises.seam import TensorData, run

# Ways to be right, and ways to be wrong with the fragment of message that each must draw.


def right_loop(tensor):
    if tensor.numel() == 0:
        return True
    expected = 1
    for dim in reversed(range(tensor.dim())):
        if tensor.size(dim) == 1:
            continue
        if tensor.stride(dim) != expected:
            return False
        expected *= tensor.size(dim)
    return True


def right_recursive(tensor):
    def walk(size, stride, expected):
        if not size:
            return True
        if size[-1] == 1:
            return walk(size[:-1], stride[:-1], expected)
        return stride[-1] == expected and walk(size[:-1], stride[:-1], expected * size[-1])

    return 0 in tensor.shape or walk(tuple(tensor.shape), tuple(tensor.stride()), 1)


def right_copy(tensor):
    if right_loop(tensor):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


def right_elements(tensor):
    if right_loop(tensor):
        return tensor
    return torch.tensor(tensor.tolist(), dtype=tensor.dtype).view(tensor.size())


def no_answer(tensor):
    raise NotImplementedError


RIGHT = [
    ("isContiguous", right_loop),
    ("isContiguous", right_recursive),
    ("contiguous", right_copy),
    ("contiguous", right_elements),
]

WRONG = [
    ("isContiguous", no_answer, "is not written yet"),
    ("isContiguous", ps3._ones_not_skipped, "hint: this is what you get if dims of size 1"),
    ("isContiguous", ps3._descending, "hint: this is what you get if descending strides"),
    ("isContiguous", ps3._empty_not_exempt, "rule: a tensor without elements is contiguous"),
    ("isContiguous", lambda t: t.is_contiguous(), "called Tensor.is_contiguous"),
    ("isContiguous", lambda t: t.tolist() is None, "may read only the header"),
    ("isContiguous", lambda t: int(right_loop(t)), "returned 1, of type int"),
    ("isContiguous", lambda t: None, "returned None, of type NoneType"),
    ("isContiguous", lambda t: 1 / 0, "raised ZeroDivisionError: division by zero"),
    ("isContiguous", lambda t: no_answer, "of type function"),
    ("isContiguous", lambda: True, "raised TypeError"),
    ("isContiguous", lambda t: right_loop(t) or t.numel() > 500, "returned True; expected False"),
    ("contiguous", no_answer, "is not written yet"),
    ("contiguous", ps3._always_copies, "hint: this is what you get if a contiguous tensor is"),
    ("contiguous", ps3._never_copies, "hint: this is what you get if nothing is ever copied"),
    ("contiguous", lambda t: t.contiguous(), "called Tensor.contiguous"),
    ("contiguous", lambda t: t.clone(), "called Tensor.clone"),
    ("contiguous", lambda t: torch.reshape(t, t.size()), "called reshape"),
    ("contiguous", lambda t: right_copy(t).tolist(), "of type int. Return a torch tensor"),
    (
        "contiguous",
        lambda t: t if right_loop(t) else right_copy(t).float(),
        "returned dtype float32; expected int64",
    ),
    (
        "contiguous",
        lambda t: t if right_loop(t) else right_copy(t).view(-1),
        "expected (1, 2)",
    ),
    ("contiguous", lambda t: right_copy(t.t()) if t.dim() == 2 else right_copy(t), "returned"),
    (
        "contiguous",
        lambda t: t if right_loop(t) else torch.empty_like(t).copy_(t),
        "which is not contiguous; expected",
    ),
    (
        "contiguous",
        lambda t: t if right_loop(t) else torch.zeros(t.size(), dtype=t.dtype),
        "in reading order; expected",
    ),
    ("contiguous", lambda t: t.fill_(0), "changed t itself"),
]


@pytest.mark.parametrize(("name", "function"), RIGHT)
@pytest.mark.parametrize("hidden", [False, True])
def test_right_work_passes_with_one_line(name, function, hidden, capsys):
    """Whatever its style, and nothing goes to stderr."""
    check(name, function, hidden=hidden)
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{name}: right on all ")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


@pytest.mark.parametrize(("name", "function", "fragment"), WRONG)
def test_wrong_work_fails_with_its_sentence(name, function, fragment):
    """The message says what was returned and what was expected."""
    with pytest.raises(CheckFailed) as failure:
        check(name, function, hidden=True)
    assert fragment in str(failure.value)


def test_work_that_copies_in_storage_order_gets_the_hint():
    """A mistake counts as recognised when it gives the same on every case so far."""

    def storage_order(tensor):
        if right_loop(tensor):
            return tensor
        out = torch.empty(tensor.size(), dtype=tensor.dtype)
        out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
        return out

    with pytest.raises(CheckFailed, match="copied in storage order"):
        check.contiguous(storage_order)


def test_the_smallest_counterexample_comes_first():
    """Two elements are enough to show that strides were forgotten."""
    with pytest.raises(CheckFailed) as failure:
        check.isContiguous(lambda t: True)
    assert "with t of size (2,), stride (0,), returned True; expected False." in str(failure.value)
    assert "try it: t = torch.arange(1).as_strided((2,), (0,))" in str(failure.value)
    assert "storage · 1 element of 8 bytes" in str(failure.value)


def test_the_recipe_makes_the_tensor_that_failed():
    """What the message offers to try can be run."""
    with pytest.raises(CheckFailed) as failure:
        check.contiguous(ps3._never_copies)
    recipe = next(line for line in str(failure.value).splitlines() if "try it:" in line)
    names = {"torch": torch}
    exec(recipe.split("try it: ")[1], names)
    assert not names["t"].is_contiguous()


def test_what_a_function_prints_and_warns_stays_off_the_page(capsys, recwarn):
    """A check calls it a thousand times."""

    def loud(tensor):
        print("hello")
        print("oh", file=sys.stderr)
        logging.getLogger("loud").warning("well")
        return right_loop(tensor)

    check.isContiguous(loud)
    printed = capsys.readouterr()
    assert printed.out.endswith("cases. (What it printed is not shown.)\n")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


def test_what_it_printed_on_the_case_that_failed_is_shown():
    """Somebody who debugs by printing looks for it; all other cases stay silent."""

    def wrong(tensor):
        print("stride is", tensor.stride())
        return True

    with pytest.raises(CheckFailed) as failure:
        check.isContiguous(wrong)
    assert str(failure.value).endswith("what it printed on this case:\nstride is (0,)")


def test_a_log_handler_with_a_stream_of_its_own_is_heard_too(monkeypatch):
    """A notebook's handlers keep the stream that they were made with."""

    class NotebookStream(io.StringIO):
        """Like the kernel's: its methods can be replaced."""

    stream = NotebookStream()
    monkeypatch.setattr(sys, "stderr", stream)
    handler = logging.StreamHandler(stream)
    log = logging.getLogger("chen")
    log.addHandler(handler)
    try:
        check.isContiguous(lambda t: log.warning("well") or right_loop(t))
    finally:
        log.removeHandler(handler)
    assert stream.getvalue() == ""
    stream.write("still works")
    assert stream.getvalue() == "still works"


@pytest.mark.parametrize("thing", [None, 3, "isContiguous"])
def test_what_is_no_function_is_named(thing):
    """Such as a name that a later cell has used for something else."""
    with pytest.raises(CheckFailed, match="and a function is asked for"):
        check.isContiguous(thing)


def test_an_unknown_exercise_is_named():
    """With those that there are."""
    with pytest.raises(UnknownExerciseError, match="there is no exercise 'isContigous'"):
        check.isContigous(right_loop)
    assert dir(check) == sorted(EXERCISES)
    assert repr(check.contiguous) == "check.contiguous(your_function)"


def test_both_libraries_are_asked_about_contiguity():
    """A function that only knows torch's tensors is told so."""
    with pytest.raises(CheckFailed, match="a stridekit tensor"):
        check.isContiguous(lambda t: right_loop(t) if isinstance(t, torch.Tensor) else None)


def test_cases_cover_what_trips_people():
    """Rank 0, no elements, size 1 with an odd stride, stride 0, offsets."""
    for exercise in EXERCISES.values():
        for hidden in (False, True):
            layouts = [case.layout for case in exercise.cases(hidden)]
            assert any(layout.ndim == 0 for layout in layouts)
            assert any(layout.numel == 0 for layout in layouts)
            assert any(layout.storage_offset for layout in layouts)
            assert any(0 in layout.stride and layout.numel > 1 for layout in layouts)
            assert any(
                layout.is_contiguous and n == 1 and step not in (0, 1)
                for layout in layouts
                for n, step in zip(layout.size, layout.stride, strict=True)
            )
            sizes = [layout.numel or 10**9 for layout in layouts]
            assert sizes == sorted(sizes)


def test_the_failure_shows_itself_without_a_traceback():
    """IPython prints these lines and nothing else."""
    assert CheckFailed("because")._render_traceback_() == ["CheckFailed: because"]


def test_outcomes_are_plain_data():
    """Nothing of the learner's comes through the seam."""
    data = TensorData("torch", "int64", (2,), (1,), 0, bytes(16))
    value, tensor, raised = (
        next(run(function, [data]))
        for function in (lambda t: t.numel(), lambda t: t, lambda t: t.missing)
    )
    assert (value.kind, value.type, value.value, value.calls) == (
        "value",
        "int",
        2,
        ("Tensor.numel",),
    )
    assert tensor.tensor == data
    assert tensor.is_argument
    assert tensor.shares_storage
    assert (raised.kind, raised.type) == ("raised", "AttributeError")


def test_in_a_notebook_the_diagram_is_shown(monkeypatch):
    """Instead of its text form."""
    shown = []

    class Shell:
        kernel = object()

    import IPython
    import IPython.display

    monkeypatch.setattr(IPython, "get_ipython", Shell)
    monkeypatch.setattr(IPython.display, "display", shown.append)
    with pytest.raises(CheckFailed) as failure:
        check.isContiguous(lambda t: True)
    assert [type(thing) for thing in shown] == [sk.Diagram]
    assert "storage ·" not in str(failure.value)


def test_checks_leave_the_streams_as_they_were():
    """Also after a failure."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(CheckFailed):
        check.isContiguous(lambda t: True)
    assert sys.stdout is not out
