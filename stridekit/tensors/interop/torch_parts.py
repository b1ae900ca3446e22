"""torch tensors that are stored in several others: sparse, nested, masked, wrapped."""

from typing import Any

import torch

from stridekit.tensors.interop import Parts, Rows

# So many rows of a nested tensor stand beside its buffer.
ROWS_MOST = 4
_COMPRESSED = {
    torch.sparse_csr: ("CSR", "row", "crow_indices", "col_indices", "column"),
    torch.sparse_bsr: ("BSR", "block row", "crow_indices", "col_indices", "block column"),
    torch.sparse_csc: ("CSC", "column", "ccol_indices", "row_indices", "row"),
    torch.sparse_bsc: ("BSC", "block column", "ccol_indices", "row_indices", "block row"),
}


def parts_of_torch(x: Any) -> Parts | None:
    """The tensors that hold a tensor's elements; None for one that lies in a storage itself."""
    if type(x) is torch.Tensor and x.layout is torch.strided and not x.is_nested:
        return None
    with torch._C.DisableTorchFunction(), torch.no_grad():  # noqa: SLF001
        layout = x.layout
        if layout is torch.sparse_coo:
            return _coordinates(x)
        if layout in _COMPRESSED:
            return _compressed(x)
        if x.is_nested:
            return _nested(x)
        return _wrapped(x)


def _coordinates(x: Any) -> Parts:
    size, dims = tuple(x.size()), x.sparse_dim()
    how = (
        f"A sparse COO tensor of size {size}, with {x._nnz():,} stored values of "  # noqa: SLF001
        f"{_product(size):,}: column k of indices is the index of values[k]. What is not there is "
        "0."
    )
    notes = [how]
    if x.dense_dim():
        notes.append(
            f"It is hybrid: the first {dims} dims are sparse, and values[k] is a whole piece of "
            f"size {size[dims:]}."
        )
    if not x.is_coalesced():
        notes.append(
            "It is not coalesced: an index may come several times, and its values count together. "
            "x.coalesce() adds them up, in a copy."
        )
    indices, values = x._indices(), x._values()  # noqa: SLF001 - also of what is not coalesced
    stored = "stored value"
    return Parts(
        ((".indices()", indices), (".values()", values)),
        tuple(notes),
        rows=((".indices()", Rows(1, stored)), (".values()", Rows(0, stored))),
    )


def _compressed(x: Any) -> Parts:
    name, along, ends, places, across = _COMPRESSED[x.layout]
    size = tuple(x.size())
    values = x.values()
    batch = values.dim() - 1 - x.dense_dim() - (2 if name.startswith("BS") else 0)
    where = "[b]" if batch else ""
    how = (
        f"A sparse {name} tensor of size {size}: {along} i has the values from number "
        f"{ends}{where}[i] to before number {ends}{where}[i + 1], and {places}{where} says the "
        f"{across} of each. What is not there is 0."
    )
    notes = [how]
    if name.startswith("BS"):
        block = tuple(values.size()[batch + 1 : batch + 3])
        notes.append(f"values[k] is a whole block of size {block}, and i counts blocks.")
    if x.dense_dim():
        piece = size[len(size) - x.dense_dim() :]
        notes.append(f"It is hybrid: each value is a whole piece of size {piece}.")
    if batch:
        first = "Dim 0 is" if batch == 1 else f"The first {batch} dims are"
        notes.append(f"{first} a batch: b runs over size {size[:batch]}.")
    named = ((f".{ends}()", getattr(x, ends)()), (f".{places}()", getattr(x, places)()))
    last = named[0][1].size(-1) - 2
    rows = (
        (named[0][0], Rows(batch, along, last=last)),
        (named[1][0], Rows(batch, along, batch=batch)),
        (".values()", Rows(batch, along, batch=batch)),
    )
    return Parts((*named, (".values()", values)), tuple(notes), rows=rows, ends=named[0][0])


def _nested(x: Any) -> Parts:
    if x.layout is torch.jagged:
        return _jagged(x)
    sizes, strides = x._nested_tensor_size(), x._nested_tensor_strides()  # noqa: SLF001
    starts = x._nested_tensor_storage_offsets()  # noqa: SLF001
    # Without rows there is not even a dim to count them along.
    rows = sizes.size(0) if sizes.dim() else 0
    buffer = torch.empty(0, dtype=x.dtype, device=x.device)
    length = x.untyped_storage().nbytes() // x.dtype.itemsize
    buffer = buffer.set_(x.untyped_storage(), 0, (length,), (1,))
    shown = [
        (
            f"[{row}]",
            buffer.as_strided(
                tuple(sizes[row].tolist()), tuple(strides[row].tolist()), int(starts[row])
            ),
        )
        for row in range(min(rows, ROWS_MOST))
    ]
    more = f", of which the first {ROWS_MOST} are shown" if rows > ROWS_MOST else ""
    note = (
        f"A nested tensor of {rows} tensors{more}, on one buffer. Each has its own header: row i "
        "of the nested sizes, strides and storage_offsets."
    )
    headers = (
        ("._nested_tensor_size()", sizes),
        ("._nested_tensor_strides()", strides),
        ("._nested_tensor_storage_offsets()", starts),
    )
    begins = tuple(starts[: ROWS_MOST + 1].tolist())
    on_buffer = Rows(0, "tensor", begins, flat=True)
    colours = [(name, on_buffer) for name, _ in shown]
    colours += [(name, Rows(0, "tensor")) for name, _ in headers]
    return Parts((*shown, *headers), (note,), rows=tuple(colours))


def _jagged(x: Any) -> Parts:
    inner, context = x.__tensor_flatten__()
    ragged = context["ragged_idx"]
    lengths = "_lengths" in inner and x._lengths is not None  # noqa: SLF001
    if lengths:
        row = "starts at offsets[i], and lengths[i] of them belong to it"
    else:
        row = "goes from offsets[i] to before offsets[i + 1]"
    note = f"A jagged tensor of {x.size(0)} rows: row i {row}, along dim {ragged - 1} of values."
    named = [(".values()", x._values), (".offsets()", x._offsets)]  # noqa: SLF001
    if lengths:
        named.append((".lengths()", x._lengths))  # noqa: SLF001
    rows = (
        (".values()", Rows(ragged - 1, "row")),
        (".offsets()", Rows(0, "row", last=x.size(0) - 1)),
        (".lengths()", Rows(0, "row")),
    )
    return Parts(tuple(named), (note,), rows=rows, ends=".offsets()")


def _wrapped(x: Any) -> Parts | None:
    """What a subclass is made of, if it tells by torch's own protocol."""
    if type(x).__module__.startswith("torch.masked"):
        note = "A masked tensor: where the mask says False, the data does not count."
        return Parts(((".get_data()", x._masked_data), (".get_mask()", x._masked_mask)), (note,))  # noqa: SLF001
    flatten = getattr(type(x), "__tensor_flatten__", None)
    if flatten is None:
        return None
    names, _ = flatten(x)
    inner = [(f".{name}", getattr(x, name)) for name in names]
    tensors = [(name, value) for name, value in inner if isinstance(value, torch.Tensor)]
    if not tensors:
        return None
    listed = ", ".join(name[1:] for name, _ in tensors)
    note = (
        f"A {type(x).__name__} of size {tuple(x.size())} holds no memory itself: it is made of "
        f"{listed}."
    )
    return Parts(tuple(tensors), (note,))


def _product(size: tuple[int, ...]) -> int:
    return torch.Size(size).numel()
