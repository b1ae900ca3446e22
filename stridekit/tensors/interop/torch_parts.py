"""torch tensors that are stored in several others: sparse, nested, masked, wrapped."""

from typing import Any

import torch

from stridekit.layouts.layout import Ints, count
from stridekit.tensors.interop import ENDS_MOST, Composite, Part, Rows, Subject, rows_in_words
from stridekit.tensors.interop.torch import over_storage, subject_of_torch

# The most rows of a nested tensor that stand beside its buffer.
ROWS_MOST = 4
_COMPRESSED = {
    torch.sparse_csr: ("CSR", "row", "crow_indices", "col_indices", "column"),
    torch.sparse_bsr: ("BSR", "block row", "crow_indices", "col_indices", "block column"),
    torch.sparse_csc: ("CSC", "column", "ccol_indices", "row_indices", "row"),
    torch.sparse_bsc: ("BSC", "block column", "ccol_indices", "row_indices", "block row"),
}


def look_at_torch(call: str, x: Any) -> Subject | Composite:
    """What a tensor or a storage is: one header, or the tensors that hold a tensor's elements."""
    if not isinstance(x, torch.Tensor):
        x = over_storage(x)
    if type(x) is torch.Tensor and x.layout is torch.strided and not x.is_nested:
        return subject_of_torch(call, x)
    with torch._C.DisableTorchFunction(), torch.no_grad():  # noqa: SLF001
        layout = x.layout
        if layout is torch.sparse_coo:
            return _coordinates(x)
        if layout in _COMPRESSED:
            return _compressed(call, x)
        if x.is_nested:
            return _nested(call, x)
        return _wrapped(x) or subject_of_torch(call, x)


def _coordinates(x: Any) -> Composite:
    size, dims = tuple(x.size()), x.sparse_dim()
    how = (
        f"A sparse COO tensor of size {size}, with {count(x._nnz(), 'stored value')} of "  # noqa: SLF001
        f"{x.numel():,}: column k of indices is the index of values[k]. What is not there is "
        "0."
    )
    notes = [how]
    if x.dense_dim():
        first = "dim 0 is" if dims == 1 else f"the first {dims} dims are"
        notes.append(
            f"It is hybrid: {first} sparse, and values[k] is a whole piece of size {size[dims:]}."
        )
    if not x.is_coalesced():
        notes.append(
            "It is not coalesced: an index may come several times, and its values count together. "
            "x.coalesce() adds them up, in a copy."
        )
    indices, values = x._indices(), x._values()  # noqa: SLF001 - also of what is not coalesced
    stored = "stored value"
    parts = (
        Part(".indices()", indices, Rows(stored, 1)),
        Part(".values()", values, Rows(stored)),
    )
    return Composite(parts, tuple(notes))


def _compressed(call: str, x: Any) -> Composite:
    name, along, ends, places, across = _COMPRESSED[x.layout]
    size = tuple(x.size())
    values = x.values()
    batch = values.dim() - 1 - x.dense_dim() - (2 if name.startswith("BS") else 0)
    where = "[b]" if batch else ""
    how = rows_in_words(along, f"{ends}{where}", f"{places}{where}", across)
    notes = [f"A sparse {name} tensor of size {size}: {how} What is not there is 0."]
    if name.startswith("BS"):
        block = tuple(values.size()[batch + 1 : batch + 3])
        notes.append(f"values[k] is a whole block of size {block}, and i counts blocks.")
    if x.dense_dim():
        piece = size[len(size) - x.dense_dim() :]
        notes.append(f"It is hybrid: each value is a whole piece of size {piece}.")
    if batch:
        first = "Dim 0 is" if batch == 1 else f"The first {batch} dims are"
        notes.append(f"{first} a batch: b runs over size {size[:batch]}.")
    teller = getattr(x, ends)()
    told = _ends(call, teller)
    rows = Rows(along, batch, told, size[:batch]) if told else None
    parts = (
        Part(f".{ends}()", teller, rows and Rows(along, batch, last=teller.size(-1) - 2)),
        Part(f".{places}()", getattr(x, places)(), rows),
        Part(".values()", values, rows),
    )
    return Composite(parts, tuple(notes))


def _nested(call: str, x: Any) -> Composite:
    if x.layout is torch.jagged:
        return _jagged(call, x)
    sizes, strides = x._nested_tensor_size(), x._nested_tensor_strides()  # noqa: SLF001
    starts = x._nested_tensor_storage_offsets()  # noqa: SLF001
    # Without rows there is not even a dim to count them along.
    rows = sizes.size(0) if sizes.dim() else 0
    buffer = over_storage(x.untyped_storage()).view(x.dtype)
    begins = tuple(starts[: ROWS_MOST + 1].tolist())
    on_buffer = Rows("tensor", ends=begins, flat=True)
    shown = [
        Part(
            f"[{row}]",
            buffer.as_strided(
                tuple(sizes[row].tolist()), tuple(strides[row].tolist()), int(starts[row])
            ),
            on_buffer,
        )
        for row in range(min(rows, ROWS_MOST))
    ]
    more = f", of which the first {ROWS_MOST} are shown" if rows > ROWS_MOST else ""
    note = (
        f"A nested tensor of {count(rows, 'tensor')}{more}, on one buffer. Each has its own "
        "header: row i of the nested sizes, strides and storage_offsets."
    )
    each = Rows("tensor")
    headers = (
        Part(": sizes", sizes, each),
        Part(": strides", strides, each),
        Part(": storage_offsets", starts, each),
    )
    return Composite((*shown, *headers), (note,))


def _jagged(call: str, x: Any) -> Composite:
    inner, context = x.__tensor_flatten__()
    ragged = context["ragged_idx"]
    lengths = "_lengths" in inner and x._lengths is not None  # noqa: SLF001
    row = "goes from offsets[i] to before offsets[i + 1]"
    if lengths:
        row = "starts at offsets[i], and lengths[i] of them belong to it"
    note = f"A jagged tensor of {x.size(0)} rows: row i {row}, along dim {ragged - 1} of values."
    told = _ends(call, x._offsets)  # noqa: SLF001
    # Rows may leave some out: between them, and at both ends.
    is_whole = not lengths and (*told[:1], *told[-1:]) == (0, x._values.size(ragged - 1))  # noqa: SLF001
    what = "row" if is_whole else "row, with the gap beside it"
    rows = Rows(what, ragged - 1, told, last=x.size(0) - 1) if told else None
    each = rows and Rows(what, last=rows.last)
    parts = [Part(".values()", x._values, rows), Part(".offsets()", x._offsets, each)]  # noqa: SLF001
    if lengths:
        parts.append(Part(".lengths()", x._lengths, each))  # noqa: SLF001
    return Composite(tuple(parts), (note,))


def _ends(call: str, teller: Any) -> Ints:
    """Where rows end; nothing where that cannot be read, or is more than a picture shows."""
    subject = subject_of_torch(call, teller)
    if subject.layout.numel > ENDS_MOST or not subject.readable:
        return ()
    return tuple(int(end) for end in subject.read([*subject.layout.positions()]))  # type: ignore[arg-type]


def _wrapped(x: Any) -> Composite | None:
    """What a subclass is made of, if it tells by torch's own protocol."""
    if type(x).__module__.startswith("torch.masked"):
        note = "A masked tensor: where the mask says False, the data does not count."
        data, mask = x._masked_data, x._masked_mask  # noqa: SLF001
        return Composite((Part(".get_data()", data), Part(".get_mask()", mask)), (note,))
    flatten = getattr(type(x), "__tensor_flatten__", None)
    if flatten is None:
        return None
    names, _ = flatten(x)
    inner = [Part(f".{name}", getattr(x, name)) for name in names]
    parts = tuple(each for each in inner if isinstance(each.tensor, torch.Tensor))
    if not parts:
        return None
    listed = ", ".join(each.name[1:] for each in parts)
    note = (
        f"A {type(x).__name__} of size {tuple(x.size())} holds no memory itself: it is made of "
        f"{listed}."
    )
    return Composite(parts, (note,))
