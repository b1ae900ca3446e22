"""NumPy arrays of any dtype: headers read off them, and the same memory in and out.

NumPy counts strides in bytes and allows negative ones; here they are called byte_strides. Where
they are multiples of the itemsize, positions count elements here as everywhere; where not, bytes.
What else offers its memory by a protocol becomes an array on it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from sys import byteorder
from typing import Any, NamedTuple

import numpy as np

from stridekit.errors import ArgumentError, ConversionError, InteropError
from stridekit.layouts.layout import Layout, count
from stridekit.layouts.whole_numbers import a_type, spell_long
from stridekit.tensors.dtypes import BY_NAME, DType
from stridekit.tensors.interop import (
    Composite,
    Part,
    Subject,
    Value,
    each_element,
    hexadecimal,
    memory_at,
    near,
)
from stridekit.tensors.interop.measures import Measured, measured_by
from stridekit.tensors.storage import Storage

# The characters of an address that are shown: two that differ at all differ there.
ADDRESS = 6
# The most fields of a record that are shown; the others are counted.
FIELDS_MOST = 8


def shared_numpy(call: str, array: Any) -> tuple[Layout, Storage, DType]:
    """The layout of an array, over a storage that is the array's own memory.

    Raises what `from_numpy` raises.
    """
    if not isinstance(array, np.ndarray):
        raise ArgumentError(f"{call}: give a NumPy array, not {a_type(array)}.")
    dtype = BY_NAME.get(array.dtype.name)
    if dtype is None:
        names = [name for name in BY_NAME if name != "bfloat16"]
        raise InteropError(
            f"{call}: arrays of dtype {array.dtype} have no counterpart here. "
            f"Convert first, with array.astype(...), to one of {', '.join(names)}."
        )
    if not array.dtype.isnative:
        raise ConversionError(
            f"{call}: this array is in foreign byte order ({array.dtype.str}). Convert first: "
            "array.astype(array.dtype.newbyteorder('='))."
        )
    if min(array.strides, default=0) < 0:
        raise ConversionError(
            f"{call}: byte_strides {array.strides} has a negative entry, and torch has no "
            "negative strides. Copy the array first: array.copy()."
        )
    if any(step % array.itemsize for step in array.strides):
        raise ConversionError(
            f"{call}: byte_strides {array.strides} are not all multiples of the itemsize "
            f"{array.itemsize}, so no element stride says the same. Copy the array first: "
            "array.copy()."
        )
    owner = _owner_of(array)
    if owner is not array and not _holds(owner, array):
        raise InteropError(
            f"{call}: shape {array.shape}, byte_strides {array.strides} lead outside of the "
            "array's memory, and to read there would be to read other memory, or to crash. Make "
            "the array anew, with as_strided inside of it."
        )
    layout = _layout(array, array.itemsize, 0)
    flat = np.lib.stride_tricks.as_strided(
        array, (layout.needed,), (array.itemsize,), writeable=array.flags.writeable
    )
    return layout, Storage.wrap(flat.view(np.uint8).data), dtype


def to_numpy(x: Any) -> Any:
    """A NumPy array on the memory that an array interface tells of."""
    return np.asarray(x)


def as_array(call: str, x: Any, view: memoryview | None = None) -> Any:
    """A NumPy array on the memory that an object offers, or a torch tensor where NumPy takes none.

    By its buffer (bytes, `array.array`, ctypes), which is `view`; else by `__array_interface__`
    (PIL) or DLPack (JAX, CuPy). Raises InteropError where it cannot be taken.
    """
    try:
        if view is not None:
            return _of_buffer(view)
        if hasattr(x, "__array_interface__"):
            return np.asarray(x)
        try:
            return np.from_dlpack(x)
        except (BufferError, RuntimeError, TypeError):
            # bfloat16, say, or another device: torch takes both.
            if "torch" not in sys.modules:
                raise
            return sys.modules["torch"].from_dlpack(x)
    except Exception as error:  # what an exporter raises is its own affair
        other = " Or write import torch before: torch takes other devices, too."
        why = f"{error!s:.200}".rstrip(".")
        how = ", with numpy.asarray(x)" if hasattr(type(x), "__array__") else ""
        way_out = f"Make a NumPy array of it first{how}."
        if view is not None:
            way_out = "Its bytes are numpy.frombuffer(x, numpy.uint8)."
        with suppress(Exception):
            # dlpack.h: 1 is the CPU.
            if x.__dlpack_device__()[0] != 1:
                way_out = "Copy it to the CPU first: x.get() in CuPy, jax.device_get(x) in JAX."
        raise InteropError(
            f"{call}: this {type(x).__name__} offers its memory, and cannot hand it over: {why}. "
            f"{way_out}{'' if 'torch' in sys.modules else other}"
        ) from error


def _of_buffer(view: memoryview) -> Any:
    """An array on a buffer's memory. What it is a slice of is its base, if that is one run."""
    array = np.asarray(view)
    with suppress(TypeError, ValueError, BufferError):
        exporter: Any = view.obj
        whole = np.frombuffer(exporter, np.uint8)
        ahead = array.ctypes.data - whole.ctypes.data
        if array.size and 0 <= ahead < whole.size:
            return np.ndarray(array.shape, array.dtype, whole, ahead, array.strides)
    return array


# Headers.


def look_at_numpy(call: str, array: Any) -> Subject | Composite:
    """What an array is: one header, and beside it the fields of records, or the data and its mask.

    Raises InteropError for elements of no bytes.
    """
    whole = _subject(call, array)
    if isinstance(array, np.ma.MaskedArray):
        data = Part(".data", array.data)
        if array.mask is np.ma.nomask:
            return Composite((data,), ("A masked array without a mask.",), whole=whole)
        note = "A masked array: where the mask is True, the data does not count."
        return Composite((data, Part(".mask", array.mask)), (note,), whole=whole)
    if not array.dtype.names:
        return whole
    plain = np.asarray(array)
    fields = [*_fields(plain)]
    shown = fields[:FIELDS_MOST]
    found = [_subject(call, each.array) for each in shown]
    if len({(each.dtype, each.itemsize) for each in found}) > 1:
        # No slots fit them all, but for bytes.
        found = [_subject(call, each.array, asked_in_bytes=True) for each in shown]
    parts = tuple(Part(each.name, subject) for each, subject in zip(shown, found, strict=True))
    notes = tuple(_record_notes(plain.itemsize, fields))
    return Composite(parts, notes, _class(array), whole)


def _subject(call: str, array: Any, *, asked_in_bytes: bool = False) -> Subject:
    """The header of an array. Its storage is the memory of the array that owns it."""
    plain = np.asarray(array)
    dtype, width = plain.dtype, plain.itemsize
    if not width:
        raise InteropError(
            f"{call}: the elements of this array, of dtype {dtype!s:.40}, take 0 bytes, so none of "
            "them lies anywhere. Give an array whose dtype has a size."
        )
    owner = _owner_of(plain)
    address, end = _bounds(owner)
    ahead = plain.ctypes.data - address if plain.size else 0
    steps = plain.strides
    in_bytes = asked_in_bytes or bool(ahead % width) or any(step % width for step in steps)
    unit, span = (1, width) if in_bytes else (width, 1)
    layout = _layout(plain, unit, ahead)
    base = layout
    if owner is not plain and min(owner.strides, default=0) >= 0:
        fits = owner.itemsize % unit == 0 and all(step % unit == 0 for step in owner.strides)
        base = _layout(owner, unit, 0) if fits and (owner.dtype == dtype or in_bytes) else layout

    def memory(_: Any = owner) -> memoryview:
        # Whoever reads keeps the owner alive.
        return memory_at(address, end - address)

    return Subject(
        library="numpy",
        layout=layout,
        dtype=dtype_text(dtype),
        itemsize=unit,
        storage_length=(end - address) // unit,
        storage_address=address,
        base=base,
        bytes_at=near(memory),
        decode=_decoder(dtype),
        storage_id=id(owner),
        span=span,
        in_bytes=in_bytes,
        says=_objects(plain, layout) if dtype.kind in "OT" else None,
        facts=_class(array) if isinstance(array, np.ndarray) else ("scalar",),
        notes=tuple(_remarks(array, dtype, odd=in_bytes and not asked_in_bytes)),
        blocks=(lambda: _measured(plain, layout)) if dtype.kind in "biufc" else None,
    )


def _measured(plain: Any, layout: Layout) -> list[list[Measured]]:
    """The blocks of an array, measured by NumPy."""
    wide = np.complex128 if plain.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return measured_by(np, plain, layout, lambda part: part.astype(wide))


def _bounds(array: Any) -> tuple[int, int]:
    """The lowest address of an array's memory, and where that ends."""
    low = end = array.ctypes.data
    if array.size:
        spans = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
        low += sum(min(span, 0) for span in spans)
        end += sum(max(span, 0) for span in spans) + array.itemsize
    return low, end


def _owner_of(array: Any) -> Any:
    """The array whose memory it is that an array looks at. What `as_strided` makes may leave it."""
    owner = array
    while (base := _base_of(owner)) is not None:
        owner = base
    # Of memory that is nobody's array only a part may be known, which an array may rightly leave.
    return owner if owner.flags.owndata or _holds(owner, array) else array


def _base_of(array: Any) -> Any:
    """The array that another one is a view of, if it is: `as_strided` puts an object between."""
    base = array.base
    if not isinstance(base, np.ndarray) and hasattr(base, "__array_interface__"):
        base = getattr(base, "base", None)
    return base if isinstance(base, np.ndarray) else None


def _holds(owner: Any, array: Any) -> bool:
    """Whether all memory that an array reaches is another's."""
    (low, end), (start, stop) = _bounds(owner), _bounds(array)
    return bool(low <= start and stop <= end)


def _layout(array: Any, unit: int, ahead: int) -> Layout:
    return Layout(array.shape, tuple(step // unit for step in array.strides), ahead // unit)


def dtype_text(dtype: Any) -> str:
    """A dtype's name: NumPy's own where it has one, with the byte order if it is foreign.

    >>> dtype_text(np.dtype("int32")), dtype_text(np.dtype(">i4")), dtype_text(np.dtype("U3"))
    ('int32', 'int32 big-endian', 'U3')
    """
    if dtype.names is not None:
        return f"record of {count(dtype.itemsize, 'byte')}"
    if dtype.kind == "T":
        return "StringDType"
    flexible = dtype.kind in "SU" or dtype.type is np.void
    name = dtype.str[1:] if flexible else dtype.name
    if dtype.isnative:
        return str(name)
    return f"{name} {'big' if byteorder == 'little' else 'little'}-endian"


# Values.


def _decoder(dtype: Any) -> Callable[[bytes], list[Value]]:
    """What makes values of bytes: numbers, words, or the bytes themselves."""
    kind, width = dtype.kind, dtype.itemsize
    if kind in "biufc" and width <= 8 * (1 + (kind == "c")):
        return lambda raw: np.frombuffer(raw, dtype).tolist()
    if kind == "O":
        return each_element(width, _address)
    if kind == "T" or (dtype.names is None and dtype.type is np.void):
        return each_element(width, hexadecimal)
    return each_element(width, lambda raw: _word_of(dtype, raw))


def _address(raw: bytes) -> str:
    return "…" + f"{int.from_bytes(raw, byteorder):x}"[-ADDRESS:]


def _word_of(dtype: Any, raw: bytes) -> Value:
    """One element in a word, or its bytes where they are nothing in its dtype."""
    try:
        (value,) = np.frombuffer(raw, dtype)
        if dtype.kind in "SU":
            return repr(value.item())
        if dtype.kind == "f" and np.isfinite(value) and not np.isfinite(float(value)):
            return np.format_float_scientific(value, precision=2)
        if dtype.kind == "c":
            return complex(value)
        # What NumPy does not know by itself is a number if it says so.
        is_number = dtype.kind == "f" or (dtype.kind == "V" and dtype.names is None)
        return float(value) if is_number else str(value)
    except (ValueError, OverflowError, TypeError, SystemError):
        # Memory that another dtype has written, say.
        return hexadecimal(raw)


def _objects(plain: Any, layout: Layout) -> Callable[..., list[Value]]:
    """Which object or text each element leads to, in a word.

    Nothing of an object's own code is run.
    """

    def says(positions: Sequence[int], addresses: Sequence[Value]) -> list[Value]:
        # Objects are asked of the array: an address that is read off memory might lead anywhere.
        indices = map(layout.index_at, positions)
        return [
            address if index is None else _word(plain[(*index, ...)].item())
            for index, address in zip(indices, addresses, strict=True)
        ]

    return says


def _word(thing: object) -> str:
    if type(thing) is int:
        return spell_long(thing)
    if thing is None or type(thing) in (bool, float, str, bytes):
        return repr(thing[:20] if isinstance(thing, str | bytes) else thing)  # a picture cuts it
    return type(thing).__name__


class _Field(NamedTuple):
    """A field of records: what to write after the array for it, and its place in a record."""

    name: str
    array: Any
    start: int
    nbytes: int


def _fields(array: Any, path: str = "", start: int = 0) -> Iterator[_Field]:
    """The fields of records, those of records within them too."""
    for name in array.dtype.names:
        kind, offset = array.dtype.fields[name][:2]
        field = array[name]
        within = f"{path}[{name!r}]"
        if field.dtype.names is not None:
            # A field may hold several records.
            yield from _fields(field, within, start + offset)
        elif kind.itemsize:
            yield _Field(within, field, start + offset, kind.itemsize)


def _record_notes(itemsize: int, fields: list[_Field]) -> Iterator[str]:
    listed = ", ".join(f"{each.name} from byte {each.start} on" for each in fields[:FIELDS_MOST])
    more = len(fields) - FIELDS_MOST
    others = f", and {more} more, which are not drawn" if more > 0 else ""
    yield f"A record takes {count(itemsize, 'byte')}: {listed}{others}."
    end = padding = 0
    for each in sorted(fields, key=lambda field: field.start):
        padding += max(each.start - end, 0)
        end = max(end, each.start + each.nbytes)
    padding += itemsize - end
    if padding:
        verb = "1 byte of each record belongs" if padding == 1 else ""
        yield f"{verb or f'{padding} bytes of each record belong'} to no field: padding."


def _class(array: Any) -> tuple[str, ...]:
    return () if type(array) is np.ndarray else (type(array).__name__,)


def _remarks(array: Any, dtype: Any, *, odd: bool) -> Iterator[str]:
    """What has to be told of an array beside its header."""
    if odd:
        yield (
            f"The elements lie at no multiple of their {dtype.itemsize} bytes, so positions count "
            "smaller units: the strip says which."
        )
    if not dtype.isnative and dtype.names is None:
        yield (
            "Foreign byte order: the bytes of each element stand in the opposite order to this "
            "machine's, as bytes=True shows."
        )
    if dtype.kind == "O":
        yield (
            "Memory holds addresses of Python objects, which lie elsewhere. The grid says which "
            "objects they are, the strip how their addresses end: equal ones are one object."
        )
    if dtype.kind == "T":
        yield (
            "Memory holds 16 bytes for each text: a short one itself, or where a longer one lies. "
            "The grid says the texts, the strip the bytes."
        )
    if isinstance(array, np.generic):
        yield "A NumPy scalar is one element, in memory of its own."
