"""What is not a tensor: the tensors that it holds, or what its owner can do.

Nothing is imported here to recognise an object of another library: its classes say of which it is.
"""

from collections import deque
from collections.abc import Iterable, Mapping, ValuesView
from itertools import accumulate
from typing import Any

from stridekit.tensors.interop import ENDS_MOST, Composite, Part, Rows, rows_in_words

# The most tensors of a module that are drawn; the others are counted.
HELD_MOST = 8
_SEQUENCES = (list, tuple, deque, ValuesView)
# The arrays that SciPy keeps a sparse one in, by its format; what a row of it is, and across.
_COMPRESSED = ("indptr", "indices", "data")
_SPARSE = {
    "csr": (_COMPRESSED, "row", "column"),
    "csc": (_COMPRESSED, "column", "row"),
    "bsr": (_COMPRESSED, "block row", "block column"),
    "coo": (("row", "col", "data"), "stored value", ""),
    "dia": (("offsets", "data"), "diagonal", ""),
}


def held_by(x: Any) -> Composite | None:
    """The tensors that a container, a module or the like holds; None for any other object.

    >>> [part.name for part in held_by({"keys": 1, "values": [2]}).parts]
    ["['keys']", "['values']"]
    """
    kinds = _kinds(x)
    if "torch.Module" in kinds:
        return _of_module(x)
    if "torch.PackedSequence" in kinds:
        return _of_packed(x)
    if "scipy" in kinds and (whole := _of_scipy(x)):
        return whole
    if (items := items_of(x)) is not None:
        return Composite(tuple(Part(f"[{key!r}]", value) for key, value in items))
    if "stridekit" not in kinds and (names := field_names(x)) and not is_numbers(x):
        return _of_fields(x, names)
    if isinstance(x, _SEQUENCES) and not is_numbers(x):
        return Composite(tuple(Part(f"[{i}]", each) for i, each in enumerate(x)))
    return None


def _of_scipy(x: Any) -> Composite | None:
    names, row, across = _SPARSE.get(getattr(x, "format", ""), ((), "", ""))
    if not names or not all(hasattr(x, name) for name in names):
        return None
    rows: Rows | None = Rows(row)
    how, ends = "", rows
    if across:
        few = len(x.indptr) <= ENDS_MOST
        rows = Rows(row, ends=tuple(x.indptr.tolist())) if few else None
        ends = Rows(row, last=len(x.indptr) - 2)
        told = rows_in_words(row, "indptr", "indices", across)
        how = f" {told[0].upper()}{told[1:]}"
    note = (
        f"A sparse array of SciPy's, of shape {tuple(x.shape)}, in {x.format.upper()} format.{how} "
        "What is not there is 0."
    )
    parts = [Part(f".{n}", getattr(x, n), ends if n == "indptr" else rows) for n in names]
    if x.format == "coo" and len(x.shape) != 2:
        places = (Part(f".coords[{dim}]", each, rows) for dim, each in enumerate(x.coords))
        parts = [*places, parts[-1]]
    return Composite(tuple(parts), (note,))


def _of_packed(x: Any) -> Composite:
    note = (
        "A packed sequence: data has the first step of each sequence, then the second ones, and so "
        "on; batch_sizes counts how many sequences have such a step."
    )
    ends = tuple(accumulate(x.batch_sizes.tolist(), initial=0))
    parts = [
        Part(".data", x.data, Rows("step", ends=ends) if len(ends) <= ENDS_MOST else None),
        Part(".batch_sizes", x.batch_sizes, Rows("step")),
    ]
    parts += _of_fields(x, ("sorted_indices", "unsorted_indices")).parts
    return Composite(tuple(parts), (note,))


def _of_fields(x: Any, names: Iterable[str]) -> Composite:
    """Those that are set: some are only asked for at times."""
    fields = ((name, getattr(x, name, None)) for name in names)
    return Composite(tuple(Part(f".{name}", each) for name, each in fields if each is not None))


def _of_module(x: Any) -> Composite:
    tensors = [*x.named_parameters(), *x.named_buffers()]
    notes = []
    if len(tensors) > HELD_MOST:
        notes.append(
            f"This {type(x).__name__} holds {len(tensors)} tensors, of which the first {HELD_MOST} "
            "are drawn: dict(x.named_parameters()) gives all its parameters."
        )
    return Composite(tuple(Part(f".{n}", each) for n, each in tensors[:HELD_MOST]), tuple(notes))


def field_names(x: object) -> tuple[str, ...]:
    """The names of the fields of a dataclass, a named tuple, or what torch returns several in.

    None where NumPy makes one array of it, such as zarr's, which are dataclasses.
    """
    if hasattr(type(x), "__array__"):
        return ()
    names: Iterable[str] = getattr(type(x), "__dataclass_fields__", ())
    return tuple(names) or getattr(type(x), "__match_args__" if isinstance(x, tuple) else "", ())


def is_numbers(x: object) -> bool:
    """Whether it is a number, or a nest of lists that begins with one."""
    for _ in range(64):  # no tensor has more dims, and a list may hold itself
        x = x[0] if isinstance(x, list | tuple) and x else x
    # NumPy's numbers are tensors of one element.
    return isinstance(x, bool | int | float | complex) and not hasattr(x, "dtype")


def items_of(x: object) -> list[tuple[str | int, object]] | None:
    """The items of a mapping, by their keys, or by type and number where a key has no short name.

    None for what is not a mapping, and for SciPy's matrices and xarray's sets, which may be one.
    """
    if not isinstance(x, Mapping) or hasattr(x, "tocsr") or "xarray" in _kinds(x):
        return None
    return [
        (key if isinstance(key, str | int) else f"{type(key).__name__} {number}", value)
        for number, (key, value) in enumerate(x.items())
    ]


def _kinds(x: object) -> dict[str, None]:
    """What an object is, its own class first: the library of each class, and its name there."""
    kinds: dict[str, None] = {}
    for each in type(x).__mro__:
        # Classes that C makes need not say where.
        library = str(getattr(each, "__module__", "")).partition(".")[0]
        kinds |= dict.fromkeys((f"{library}.{each.__name__}", library))
    return kinds


_GIVE = "Give a stridekit tensor, a torch tensor or a NumPy array."
_PART = "It is one part of a header: give a tensor that has it, such as "
_APART = "Its columns may lie apart: give one as an array, x['name'].to_numpy(), or a copy of all, "
_IN_A_FILE = "Its elements lie in a file: give x[...], which reads them into an array."
# What to do with what is not a tensor, by its kind.
_ADVICE = {
    "builtins.NoneType": f"Perhaps a function gave nothing, or there is no gradient yet. {_GIVE}",
    "builtins.str": "To see its bytes, give text.encode(); for letters in boxes, "
    "numpy.array(list(text)).",
    "builtins.set": "Its items have no order: give list(x).",
    "builtins.frozenset": "Its items have no order: give list(x).",
    "builtins.dict_items": "Give dict(x).",
    "builtins.tuple": "Give stridekit.tensor(x), or stridekit.zeros(x) where it is a size.",
    "builtins.range": "Make a tensor of it: stridekit.tensor(list(x)).",
    "builtins.type": "It is a class: give something that it makes.",
    "_io.BytesIO": "Give x.getbuffer(), which is its memory.",
    "pathlib": "It names a file: give numpy.load(x).",
    "_ctypes._Pointer": "A pointer knows no size: give x.contents, or "
    "numpy.ctypeslib.as_array(x, (n,)) for n elements.",
    "stridekit.Layout": "It is a header without memory: draw_as_strided(tensor, x.size, x.stride) "
    "lays it over a tensor's.",
    "numpy.dtype": f"{_PART}numpy.zeros(3, x).",
    "stridekit.DType": f"{_PART}stridekit.zeros(3, dtype=x).",
    "torch.dtype": f"{_PART}torch.zeros(3, dtype=x).",
    "torch.Size": f"{_PART}torch.zeros(x).",
    "torch.Optimizer": "It keeps its tensors by parameter: give x.state.",
    "torch.DataLoader": "It makes its batches one by one: give next(iter(x)).",
    "torch.Dataset": "It gives its items one by one: give x[0].",
    "numpy.flatiter": "Give x.base, the array that it goes through.",
    "numpy.nditer": "Give x.operands[0], the array that it goes through.",
    "xarray.Dataset": "Each variable lies in an array of its own: give x['name'].values.",
    "xarray": "Its elements lie in an array: give x.values.",
    "pandas.DataFrame": f"{_APART}x.to_numpy().",
    "polars.DataFrame": f"{_APART}x.to_numpy().",
    "pyarrow.Table": f"{_APART}x.to_pandas().to_numpy().",
    "h5py": _IN_A_FILE,
    "zarr": _IN_A_FILE,
    "netCDF4": _IN_A_FILE,
    "dask": "It is a plan, and not worked out yet: give x.compute().",
    "jax.Tracer": "It stands for an array while jax traces a function: draw outside of jax.jit, "
    "jax.grad and jax.vmap.",
}  # fmt: skip
# How an object hands out an array, by the method that does.
_METHODS = {
    "tocsr": "Its values lie in lists or a dict of Python's: give x.tocsr(), a copy in arrays.",
    "to_numpy": "Its elements lie in an array: give x.to_numpy().",
    "numpy": "NumPy can read its memory: give x.numpy().",
    "__array__": "NumPy makes an array of it: give numpy.asarray(x).",
    "__next__": "It is used up when it is read: give list(x), or dict(x) where it gives names too.",
}


def advice_on(x: object) -> str:
    """What somebody can do who has something that is not a tensor, and holds none."""
    for kind in _kinds(x):
        if kind in _ADVICE:
            return _ADVICE[kind]
    if is_numbers(x):
        return "Make a tensor of it first: stridekit.tensor(x)."
    for method, advice in _METHODS.items():
        if hasattr(type(x), method):
            return advice
    is_function = callable(x) and hasattr(x, "__name__")
    return "It is a function: call it, and give what comes back." if is_function else _GIVE
