"""What cannot be drawn is refused with a sentence: what, why, what to do."""

import contextlib
import warnings

import numpy as np
import pytest
import torch

import stridekit as sk
from stridekit import draw, draw_as_strided, draw_change, draw_resize, draw_view
from stridekit.errors import (
    ArgumentError,
    IndexRangeError,
    InteropError,
    LayoutError,
    StorageError,
    StridekitError,
    WideIntError,
)

x = torch.arange(12).view(3, 4)


class Hiding(torch.Tensor):
    """A tensor whose memory lies in others, and nobody knows in which."""

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError(func)


def hiding():
    return torch.Tensor._make_wrapper_subclass(Hiding, (2,))


def elsewhere():
    class Array:
        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, **options):
            raise BufferError("the device keeps it")

    return Array()


def freed():
    tensor = torch.ones(3)
    tensor.untyped_storage().resize_(0)
    return tensor


def resized_too_far():
    """What torch 2.13 leaves where it refuses: the new size, over the old memory."""
    tensor = torch.from_numpy(np.arange(4))
    with contextlib.suppress(RuntimeError):
        tensor.resize_(8)
    return tensor


def released():
    tensor = sk.ones(3)
    tensor.untyped_storage().share().release()
    return tensor


NO_TENSORS = {
    "nothing": (lambda: None, ArgumentError, "an object of type NoneType has no size and stride"),
    "text": (lambda: "abc", ArgumentError, "an object of type str has no size"),
    "a number": (lambda: 5, ArgumentError, "type int has no size and stride. Make a tensor of it"),
    "numbers": (lambda: [[1, 2]], ArgumentError, r"type list has.*: stridekit\.tensor\(x\)\."),
    "an empty list": (list, ArgumentError, "there is nothing to draw"),
    "an empty dict": (dict, ArgumentError, "there is nothing to draw"),
    "a lazy weight": (lambda: torch.nn.LazyLinear(3).weight, InteropError, "has no size yet"),
    "an order of its own": (lambda: torch.ones(3).to_mkldnn(), InteropError, r"x\.to_dense\(\)"),
    "no bytes": (lambda: np.zeros(3, "V0"), InteropError, "take 0 bytes, so none of them lies any"),
    "a set": (
        lambda: {1, 2},
        ArgumentError,
        "type set has no size and stride. Its items have no order",
    ),
    "zeros without memory": (
        lambda: torch._efficientzerotensor(2),
        InteropError,
        r"keeps no memory for that\. Give x\.clone\(\)",
    ),
    "a wrapper that hides": (
        hiding,
        InteropError,
        "it wraps other tensors, and does not tell whic",
    ),
    "another device": (elsewhere, InteropError, "cannot hand it over.*Copy it to the CPU first"),
    "freed": (freed, StorageError, "reaches position 2, and its storage holds 0 elements"),
    "resized too far": (
        resized_too_far,
        StorageError,
        "reaches position 7, and its storage holds 4 elements: the rest is not there",
    ),
    "closed": (released, StorageError, "storage is closed: its memory has been released"),
}
FUNCTIONS = {
    "draw": draw,
    "draw_change": lambda t: draw_change(t, lambda t: t),
    "draw_resize": lambda t: draw_resize(t, 2),
    "draw_view": lambda t: draw_view(t, -1),
    "draw_as_strided": lambda t: draw_as_strided(t, (2,), (1,)),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@pytest.mark.parametrize(("make", "error", "match"), NO_TENSORS.values(), ids=NO_TENSORS)
def test_what_is_no_tensor(function, make, error, match):
    """In every function of the family."""
    tensor = make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(error, match=match) as refused:
            function(tensor)
    assert isinstance(refused.value, StridekitError)
    assert str(refused.value).endswith((".", ")"))


@pytest.mark.parametrize("name", ["values", "bytes", "all", "stats", "motion"])
def test_what_is_neither_true_nor_false(name):
    """An array of several has no truth, in whatever switch it stands."""
    call = "draw_change" if name == "motion" else "draw"
    change = [torch.clone] if name == "motion" else []
    match = rf"{call}: {name} is True or False, and array\(\[0, 1\]\) is neither\."
    with pytest.raises(ArgumentError, match=match):
        getattr(sk, call)(torch.arange(3), *change, **{name: np.array([0, 1])})


def test_inside_vmap():
    """Such tensors have no storage to look at."""

    def drawn(row):
        with pytest.raises(
            InteropError, match=r"stands inside torch\.vmap, for each row of a batch"
        ):
            draw(row)
        return row

    torch.vmap(drawn)(torch.ones(2, 3))


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"select": (1,)}, IndexRangeError, r"select=\(1,\) has 1 coordinate.*takes 2"),
        ({"select": (1, 2, 3)}, IndexRangeError, "has 3 coordinates"),
        ({"select": (3, 0)}, IndexRangeError, "leaves the tensor: 3 is outside dim 0"),
        ({"select": (0, -5)}, IndexRangeError, "-5 is outside dim 1, which has size 4"),
        ({"select": 10**30}, WideIntError, "a coordinate of select is a number of 100 bits"),
        ({"select": 10**15}, IndexRangeError, "has 1 coordinate"),
        ({"select": (0.5, 1)}, ArgumentError, r"a coordinate of select is an int, and 0\.5"),
        ({"select": (True, 1)}, ArgumentError, "is an int, and True is a bool"),
        ({"select": "01"}, ArgumentError, "select is an index of one element, such as"),
        ({"select": {0, 1}}, ArgumentError, "select is an index of one element"),
        ({"select": [0] * 10_000}, IndexRangeError, "has 10,000 coordinates"),
        ({"written": torch.ones(3, 4) > 0}, ArgumentError, r"a mask.* say torch\.nonzero\(mask\)"),
        ({"written": np.ones((3, 4)) > 0}, ArgumentError, r"or numpy\.argwhere\(mask\)"),
        ({"written": (7, 7)}, IndexRangeError, "written=.* leaves the tensor"),
        ({"written": [(0, 0), (0, 9)]}, IndexRangeError, "9 is outside dim 1"),
        ({"traverse": (0, 0)}, LayoutError, "does not name each of the 2 dims once"),
        ({"traverse": (0,)}, LayoutError, "does not name each of the 2 dims once"),
        ({"traverse": (0, 5)}, LayoutError, "does not name each of the 2 dims once"),
        ({"traverse": "columns"}, ArgumentError, "traverse is True, or the dims"),
        ({"traverse": (0, "1")}, ArgumentError, "a dim of traverse is an int"),
        ({"traverse": True, "line": 0}, ArgumentError, "line=0 is not a length for a cache line"),
        ({"traverse": True, "line": 12}, ArgumentError, "holds whole elements of 8: give 8, 16"),
        ({"traverse": True, "line": "64"}, ArgumentError, "line is an int"),
        ({"title": 5}, ArgumentError, "title is a text, and 5 is none"),
    ],
)
def test_what_is_asked_wrongly(options, error, match):
    """Before anything is drawn."""
    with pytest.raises(error, match=match):
        draw(x, **options)


def test_select_on_a_tensor_without_elements():
    """There is nothing to select."""
    with pytest.raises(IndexRangeError, match="0 is outside dim 0, which has size 0"):
        draw(torch.ones(0), select=(0,))


def test_select_counts_from_the_end_and_takes_any_integer():
    """As indexing does."""
    chosen = draw(x, select=(np.int64(-1), torch.tensor(-1))).scene.sections[0].grids[0].cells
    assert [cell.index for cell in chosen if "selected" in cell.marks] == [(2, 3)]
    (cell,) = draw(torch.tensor(5), select=()).scene.sections[0].grids[0].cells
    assert cell.marks == ("selected",)
    draw(torch.arange(3), select=2)


@pytest.mark.parametrize("made", [np.array, torch.tensor, sk.tensor])
def test_indices_may_be_what_a_library_gives_for_some(made):
    """Such as numpy.argwhere and torch.nonzero do: an index, or one in each row."""
    x = torch.arange(12).view(3, 4)
    (grid,) = draw(x, select=made([1, -1]), written=made([[0, 1], [2, 3]])).scene.sections[0].grids
    marks = {cell.index: cell.marks for cell in grid.cells if cell.marks}
    assert marks == {(1, 3): ("selected",), (0, 1): ("written",), (2, 3): ("written",)}
    with pytest.raises(ArgumentError, match=r"a coordinate of select is an int, and 0\.5"):
        draw(x, select=made([0.5, 1]))


def test_tensors_that_require_grad_are_drawn_as_they_are():
    """Parameters, too. Looking changes nothing."""
    weight = torch.nn.Parameter(torch.arange(3.0))
    assert [cell.text for cell in draw(weight).scene.sections[0].grids[0].cells] == [
        "0.0",
        "1.0",
        "2.0",
    ]
    assert weight.requires_grad
    assert draw(weight * 2).alt


def test_every_dtype_is_drawn():
    """bfloat16 and the eight-bit floats of torch, too."""
    for name in ("bool", "uint8", "int16", "float16", "bfloat16", "complex64", "float8_e4m3fn"):
        diagram = draw(torch.ones(2).to(getattr(torch, name)), bytes=True)
        assert diagram.scene.sections[0].grids[0].header.endswith(name)
        diagram.svg()


def test_names():
    """Letters where none are given; a title names a tensor alone, and stands above several."""

    def names(*tensors, **options):
        scene = draw(*tensors, **options).scene
        return [grid.name for section in scene.sections for grid in section.grids], scene.title

    assert names(x) == ([""], "")
    assert names(x, title="x") == (["x"], "")
    assert names(x, x[1]) == (["a", "b"], "")
    assert names([x, x[1]], title="both") == (["a", "b"], "both")
    assert names({"a": x}, x[1]) == (["a", "b"], "")
    assert names({"x": x}, title="above") == (["x"], "above")
    assert names({1: x}) == (["1"], "")
    assert names([x[0]] * 8)[0] == list("abcdefgh")


def test_the_family_is_found_by_tab():
    """And its functions use the same words."""
    import inspect

    family = [name for name in dir(sk) if name.startswith("draw")]
    assert family == [
        "draw",
        "draw_as_strided",
        "draw_change",
        "draw_pixels",
        "draw_resize",
        "draw_steps",
        "draw_view",
        "draw_warp",
    ]
    for name in family:
        parameters = inspect.signature(getattr(sk, name)).parameters
        # Pixels and warps have neither values in cells nor bytes.
        words = (
            {"title", "ax"}
            if name in ("draw_pixels", "draw_warp")
            else {"title", "values", "bytes", "ax"}
        )
        assert words <= set(parameters), name
