"""What is not a tensor: drawn by the tensors that it holds, or refused with the line to paste."""

import ctypes
import io
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch.nn.utils.rnn import pack_sequence

import stridekit as sk
from stridekit import draw, draw_pixels, draw_view, explain
from stridekit.errors import ArgumentError, InteropError
from stridekit.tensors.interop.objects import HELD_MOST
from stridekit.tensors.subjects import subject_of

x = torch.arange(6.0).view(2, 3)


class Split(NamedTuple):
    """Two tensors with names."""

    train: object
    test: object


@dataclass
class Output:
    """What a model gives back: not all of it was asked for."""

    logits: object
    past: object = None


def of(library, name, methods=(), bases=(), **attributes):
    """An object of a library that may not be installed: its class says whose it is."""
    kind = type(name, bases, attributes | dict.fromkeys(methods, lambda self: None))
    kind.__module__ = library
    # Somebody's own subclass is one of the library's, too.
    return type("Mine", (kind,), {})()


def batch_norm():
    return torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2))


def adam():
    model = torch.nn.Linear(2, 1)
    made = torch.optim.Adam(model.parameters())
    model(torch.ones(2)).sum().backward()
    made.step()
    return made


def csr():
    parts = {"indptr": np.array([0, 1, 1, 3]), "indices": np.arange(3), "data": np.ones(3)}
    return of("scipy.sparse._csr", "csr_array", format="csr", shape=(3, 3), **parts)


def coo(ndim):
    places = [np.array([dim, 0]) for dim in range(ndim)]
    parts = {"coords": tuple(places), "row": places[-2], "col": places[-1], "data": np.ones(2)}
    return of("scipy.sparse._coo", "coo_array", format="coo", shape=(3,) * ndim, **parts)


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (batch_norm, ["0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean",
                      "1.running_var", "1.num_batches_tracked"]),
        (lambda: torch.nn.ParameterList([x, x + 1]), ["0", "1"]),
        (lambda: batch_norm().state_dict(), ["0.weight", "0.bias", "1.weight", "1.bias",
                                             "1.running_mean", "1.running_var",
                                             "1.num_batches_tracked"]),
        (lambda: list(torch.nn.Linear(2, 3).named_parameters()), ["weight", "bias"]),
        (lambda: adam().state, [f"Parameter {number}['{name}']" for number in range(2)
                                for name in ("step", "exp_avg", "exp_avg_sq")]),
        (lambda: pack_sequence([x[0], x[1, :2]]), ["data", "batch_sizes"]),
        (lambda: x.max(dim=1), ["values", "indices"]),
        (lambda: Split(x, np.ones(2)), ["train", "test"]),
        (lambda: Output(x), ["logits"]),
        (lambda: ((x, x + 1), (x + 2, x + 3)), ["a[0]", "a[1]", "b[0]", "b[1]"]),
        (lambda: {"h": [x, {"c": x + 1}]}, ["h[0]", "h[1]['c']"]),
        (lambda: deque([x, x + 1]), ["[0]", "[1]"]),
        (lambda: {"w": x, "b": x + 1}.values(), ["[0]", "[1]"]),
        (csr, ["indptr", "indices", "data"]),
        (lambda: coo(2), ["row", "col", "data"]),
        (lambda: coo(3), ["coords[0]", "coords[1]", "coords[2]", "data"]),
    ],
)  # fmt: skip
def test_what_holds_tensors_shows_them_by_their_names(make, names):
    """Each on its memory; whoever asks for one header is told what to give."""
    held = make()
    sections = draw(held).scene.sections
    assert sorted(grid.name for s in sections for grid in s.grids) == sorted(names)
    if not isinstance(held, dict | list | tuple) or hasattr(held, "_fields"):
        for ask in (explain.contiguity, draw_pixels, lambda x: draw_view(x, -1)):
            with pytest.raises(InteropError, match=r"no stride of its own\..*such as x"):
                ask(held)


def test_names_follow_a_title_and_notes_say_how_parts_belong_together():
    """A large module is not drawn whole; a picture of it costs what it shows."""
    large = torch.nn.Sequential(*(torch.nn.Linear(1, 1) for _ in range(9)))
    scene = draw(large, title="net").scene
    assert sum(len(s.grids) for s in scene.sections) == HELD_MOST
    assert scene.sections[0].grids[0].name == "net.0.weight"
    assert scene.notes[0].startswith("This Sequential holds 18 tensors, of which the first 8 are")
    assert "dict(x.named_parameters())" in scene.notes[0]
    assert "in CSR format. Row i has the values from number indptr[i]" in draw(csr()).scene.notes[0]


def test_a_fill_for_each_row_of_a_whole():
    """The steps of a packed sequence, the rows of a compressed array: empty ones, too."""
    for held, groups in (
        (pack_sequence([x[0], x[1, :2]]), [[0, 0, 1, 1, 2], [0, 1, 2]]),
        (csr(), [[0, 1, 2, 2], [0, 2, 2], [0, 2, 2]]),
    ):
        sections = draw(held).scene.sections
        assert [[cell.group for cell in s.grids[0].cells] for s in sections] == groups
    assert sections[0].fill_words == "each colour: one row"


@pytest.mark.parametrize(
    "storage",
    [x.untyped_storage(), sk.tensor([0.0, 1, 2, 3, 4, 5], dtype="float32").untyped_storage()],
)
def test_a_storage_shows_its_bytes(storage):
    """On the very memory."""
    subject = subject_of("draw", storage)
    assert subject.layout == sk.Layout((24,), (1,))
    assert subject.storage_address == storage.data_ptr()
    assert subject.read(range(24)) == np.arange(6, dtype=np.float32).view(np.uint8).tolist()


@pytest.mark.filterwarnings("ignore:TypedStorage")
def test_a_typed_storage_shows_its_elements():
    """It has a dtype."""
    assert subject_of("draw", x.storage()).read([5]) == [5.0]


REFUSED = {
    "of xarray": (of("xarray.core.dataarray", "DataArray", ["__array__"]), "give x.values."),
    "xarray's set": (of("xarray.core.dataset", "Dataset", bases=(dict,)), "give x['name'].values."),
    "a data frame": (of("pandas.core.frame", "DataFrame", ["__array__", "to_numpy"]),
                     "give one as an array, x['name'].to_numpy(), or a copy of all, x.to_numpy()."),
    "a series": (of("pandas.core.series", "Series", ["__array__", "to_numpy"]), "x.to_numpy()."),
    "polars": (of("polars.series.series", "Series", ["to_numpy"]), "give x.to_numpy()."),
    "TensorFlow": (of("tensorflow.python", "EagerTensor", ["numpy", "__array__"]), "x.numpy()."),
    "an array by method": (of("somewhere", "Quantity", ["__array__"]), "give numpy.asarray(x)."),
    "in a file": (of("h5py._hl.dataset", "Dataset", ["__array__"]), "give x[...], which reads"),
    "a dataclass in a file": (of("zarr.core.array", "Array", ["__array__"],
                                 __dataclass_fields__={"at": 0}), "give x[...], which reads"),
    "a plan": (of("dask.array.core", "Array", ["__array__"]), "give x.compute()."),
    "traced": (of("jax._src.core", "Tracer", ["__array__"]), "draw outside of jax.jit"),
    "sparse of a kind": (of("scipy.sparse", "lil_array", ["tocsr"]), "give x.tocsr()"),
    "sparse in a dict": (of("scipy.sparse", "dok_array", ["tocsr"], (dict,)), "give x.tocsr()"),
    "SciPy's, not sparse": (of("scipy.spatial", "KDTree"), "Give a stridekit tensor"),
    "an iterator": (iter([x]), "give list(x), or dict(x) where it gives names too."),
    "a set": ({1}, "give list(x)."),
    "items": ({"a": x}.items(), "Give dict(x)."),
    "numbers": ([[1, 2], [3, 4]], "stridekit.tensor(x)."),
    "a number": (2.5, "stridekit.tensor(x)."),
    "numbers or a size": ((3, 4), "stridekit.tensor(x), or stridekit.zeros(x) where it is a size."),
    "a size": (x.size(), "torch.zeros(x)."),
    "a dtype": (torch.float32, "torch.zeros(3, dtype=x)."),
    "NumPy's dtype": (np.dtype("f4"), "numpy.zeros(3, x)."),
    "our dtype": (sk.float32, "stridekit.zeros(3, dtype=x)."),
    "a method": (x.t, "call it, and give what comes back."),
    "a class": (torch.Tensor, "It is a class: give something that it makes."),
    "text": ("abc", "text.encode()"),
    "nothing": (None, "there is no gradient yet"),
    "a pointer": (ctypes.pointer(ctypes.c_int(4)), "give x.contents, or numpy.ctypeslib"),
    "a file in memory": (io.BytesIO(b"abc"), "Give x.getbuffer()"),
    "a path": (Path("x.npy"), "give numpy.load(x)."),
    # Given parameters, it would import torch._dynamo: a second for each worker that collects this.
    "an optimiser": (torch.optim.SGD.__new__(torch.optim.SGD), "give x.state."),
    "batches": (torch.utils.data.DataLoader([1]), "give next(iter(x))."),
    "a dataset": (torch.utils.data.TensorDataset(x), "give x[0]."),
    "a module without any": (torch.nn.ReLU(), "It holds no tensors."),
    "NumPy's iterator": (np.ones(3).flat, "Give x.base"),
    "of no module": (eval("type('Homeless', (), {})()", {}), "Give a stridekit tensor"),
    "anything else": (object(), "Give a stridekit tensor, a torch tensor or a NumPy array."),
}  # fmt: skip


@pytest.mark.parametrize(("thing", "way_out"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("ask", [draw, draw_pixels, explain.contiguity, explain.density])
def test_what_has_no_memory_to_look_at_says_what_to_give(ask, thing, way_out):
    """What it is, why not, and a line to paste: in each function alike."""
    with pytest.raises(ArgumentError, match=r"^\S+: an object of type \w+ has no size") as refused:
        ask(thing)
    assert way_out in str(refused.value)


def test_an_item_is_refused_by_its_place():
    """And how to do without it."""
    for given, place in (
        ([x, None], r"draw: item 1 \(b\), an object of type NoneType, has"),
        ({"x": x, "y": {"step": 3}}, r"draw: item 1 \(y\['step'\]\), an object of type int, has"),
    ):
        with pytest.raises(ArgumentError, match=rf"{place} .*Or leave it out\.$"):
            draw(given)


def test_what_holds_itself():
    """A sentence, and no loop without an end."""
    circle = [x]
    circle.append(circle)
    first: list[object] = []
    first.append([first])
    for held in (circle, first):
        with pytest.raises(InteropError, match="made of tensors that are made of tensors"):
            draw(held)


def test_a_result_of_scipy_s_is_a_dict_like_any():
    """OptimizeResult is one: only its sparse matrices are not looked into."""
    found = of("scipy.optimize", "OptimizeResult", bases=(dict,))
    found["jac"] = np.ones(2)
    assert "jac" in draw(found).text()


def test_one_stored_value_is_one():
    """And not one values."""
    with_one = torch.tensor([0.0, 5.0, 0.0]).to_sparse()
    assert "with 1 stored value of 3: column k" in draw(with_one).alt
