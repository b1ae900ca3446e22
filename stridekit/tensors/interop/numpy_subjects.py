"""Headers read off NumPy arrays of any dtype, wherever their elements lie, and their values.

NumPy counts strides in bytes. Where they are multiples of the itemsize, positions count elements
here as everywhere; where not, they count bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from sys import byteorder
from typing import Any, NamedTuple

import numpy as np

from stridekit.errors import InteropError
from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Composite, Part, Subject, Value, hexadecimal

# The characters of an address that are shown: two that differ at all differ there.
ADDRESS = 6


class _Memory:
    """Memory at an address, as NumPy is told of it. `owner` keeps it alive."""

    def __init__(self, owner: Any, address: int, nbytes: int) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (nbytes,),
            "data": (address, True),
        }


def memory_of(owner: Any) -> tuple[Any, int]:
    """The bytes of an array from its lowest to its highest address, and that address."""
    address = owner.ctypes.data
    if owner.size == 0:
        return np.empty(0, np.uint8), address
    low = high = address
    for n, step in zip(owner.shape, owner.strides, strict=True):
        low, high = (low + (n - 1) * step, high) if step < 0 else (low, high + (n - 1) * step)
    return np.asarray(_Memory(owner, low, high + owner.itemsize - low)), low


def reader(memory: Any, dtype: Any, unit: int) -> Callable[[Sequence[int]], list[Value]]:
    """What gives the values at some positions, which are `unit` bytes apart."""
    width = dtype.itemsize
    text = _texts(dtype)
    if unit == width and text is None:
        flat = memory[: memory.size // width * width].view(dtype)

        def read_numbers(positions: Sequence[int]) -> list[Value]:
            values: list[Value] = flat[np.asarray(positions, dtype=np.intp)].tolist()
            return values

        return read_numbers
    within = np.arange(width, dtype=np.intp)

    def read(positions: Sequence[int]) -> list[Value]:
        starts = np.asarray(positions, dtype=np.intp) * unit
        raw = memory[starts[:, None] + within]
        if text is None:
            values: list[Value] = raw.reshape(-1).view(dtype).tolist()
            return values
        return [text(each.tobytes()) for each in raw]

    return read


def _texts(dtype: Any) -> Callable[[bytes], Value] | None:
    """What makes a value of an element's bytes; None where NumPy's own numbers will do."""
    if dtype.kind in "biufc" and dtype.itemsize <= 8 * (1 + (dtype.kind == "c")):
        return None
    if dtype.kind == "O":
        return lambda raw: "…" + f"{int.from_bytes(raw, byteorder):x}"[-ADDRESS:]
    if dtype.names is None and (dtype.type is np.void or dtype.kind == "T"):
        return hexadecimal

    def text(raw: bytes) -> Value:
        try:
            (value,) = np.frombuffer(raw, dtype)
            return _value(dtype, value)
        except (ValueError, OverflowError, TypeError, SystemError):
            # Nothing in this dtype, such as memory that another one has written.
            return hexadecimal(raw)

    return text


def _value(dtype: Any, value: Any) -> Value:
    if dtype.kind in "Mm":
        return str(value)
    if dtype.kind in "SU":
        return repr(value.item())
    if dtype.kind == "f":
        number = float(value)
        if np.isfinite(number) or not np.isfinite(value):
            return number
        return np.format_float_scientific(value, precision=2)
    if dtype.kind == "c":
        return complex(value)
    # What NumPy does not know by itself is a number if it says so.
    return float(value) if dtype.kind == "V" and dtype.names is None else str(value)


# A record of so many fields is shown field by field; the others are named.
FIELDS_MOST = 8


def subject_of_numpy(call: str, array: Any, *, asked_in_bytes: bool = False) -> Subject:
    """The header of an array. Its storage is the memory of the array that owns it.

    With `asked_in_bytes` positions count bytes, whatever the strides. Raises InteropError for
    elements of no bytes.
    """
    plain = np.asarray(array)
    dtype, width = plain.dtype, plain.itemsize
    if not width:
        raise InteropError(
            f"{call}: the elements of this array, of dtype {dtype!s:.40}, take 0 bytes, so none of "
            "them lies anywhere. Give an array whose dtype has a size."
        )
    owner = _owner_of(plain)
    memory, address = memory_of(owner)
    ahead = plain.ctypes.data - address if plain.size else 0
    steps = plain.strides
    in_bytes = asked_in_bytes or bool(ahead % width) or any(step % width for step in steps)
    unit, span = (1, width) if in_bytes else (width, 1)
    layout = _layout(plain, unit, ahead)
    base = layout
    if owner is not plain and min(owner.strides, default=0) >= 0:
        fits = owner.itemsize % unit == 0 and all(step % unit == 0 for step in owner.strides)
        base = _layout(owner, unit, 0) if fits and (owner.dtype == dtype or in_bytes) else layout
    length = memory.size // unit
    read = reader(memory, dtype, unit)
    facts, notes = _remarks(array, dtype, odd=in_bytes and not asked_in_bytes)
    return Subject(
        library="numpy",
        layout=layout,
        dtype=dtype_text(dtype),
        itemsize=unit,
        storage_length=length,
        storage_address=address,
        base=base,
        read=read,
        read_bytes=partial(_bytes_at, memory),
        span=span,
        in_bytes=in_bytes,
        says=_objects(plain, layout) if dtype.kind in "OT" else None,
        facts=facts,
        notes=notes,
    )


def composite_of_numpy(call: str, array: Any) -> Composite | None:
    """The fields of records, or the data and the mask of a masked array; None for one array.

    Where not all fields have one dtype, positions count bytes.
    """
    if isinstance(array, np.ma.MaskedArray):
        data = Part(".data", array.data)
        if array.mask is np.ma.nomask:
            return Composite((data,), ("A masked array without a mask.",))
        note = "A masked array: where the mask is True, the data does not count."
        return Composite((data, Part(".mask", array.mask)), (note,))
    if array.dtype.names is None or not array.itemsize:
        return None
    plain = np.asarray(array)
    fields = [*_fields(plain)]
    shown = fields[:FIELDS_MOST]
    found = [subject_of_numpy(call, each.array) for each in shown]
    if len({(each.dtype, each.itemsize) for each in found}) > 1:
        found = [subject_of_numpy(call, each.array, asked_in_bytes=True) for each in shown]
    parts = tuple(Part(each.name, subject) for each, subject in zip(shown, found, strict=True))
    return Composite(parts, tuple(_record_notes(plain.itemsize, fields)), _class(array))


def dtype_text(dtype: Any) -> str:
    """A dtype's name: NumPy's own where it has one, with the byte order if it is foreign.

    >>> dtype_text(np.dtype("int32")), dtype_text(np.dtype(">i4")), dtype_text(np.dtype("U3"))
    ('int32', 'int32 big-endian', 'U3')
    """
    if dtype.names is not None:
        return f"record of {dtype.itemsize} bytes"
    if dtype.kind == "T":
        return "StringDType"
    flexible = dtype.kind in "SU" or dtype.type is np.void
    name = dtype.str[1:] if flexible else dtype.name
    if dtype.isnative:
        return str(name)
    return f"{name} {'big' if byteorder == 'little' else 'little'}-endian"


def _owner_of(array: Any) -> Any:
    """The array whose memory it is that an array looks at.

    What `as_strided` makes has a base between, and may leave its memory: then it is its own.
    """
    owner = array
    while True:
        base = owner.base
        if base is not None and not isinstance(base, np.ndarray):
            base = getattr(base, "base", None) if hasattr(base, "__array_interface__") else None
            if not isinstance(base, np.ndarray) or not _holds(base, array):
                return owner
        if base is None:
            return owner
        owner = base


def _holds(owner: Any, array: Any) -> bool:
    """Whether all memory that an array reaches is another's."""
    memory, low = memory_of(owner)
    inside, start = memory_of(array)
    return bool(low <= start and start + inside.size <= low + memory.size)


def _layout(array: Any, unit: int, ahead: int) -> Layout:
    return Layout(array.shape, tuple(step // unit for step in array.strides), ahead // unit)


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
    if thing is None or type(thing) in (bool, int, float, str, bytes):
        return repr(thing) if not isinstance(thing, str | bytes) else repr(thing[:16])
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
    yield f"A record takes {itemsize} bytes: {listed}{others}."
    end = padding = 0
    for each in sorted(fields, key=lambda field: field.start):
        padding += max(each.start - end, 0)
        end = max(end, each.start + each.nbytes)
    padding += itemsize - end
    if padding:
        what = (
            "1 byte of each record belongs"
            if padding == 1
            else (f"{padding} bytes of each record belong")
        )
        yield f"{what} to no field: padding."


def _class(array: Any) -> tuple[str, ...]:
    return () if type(array) is np.ndarray else (type(array).__name__,)


def _bytes_at(memory: Any, places: Sequence[int]) -> bytes:
    if isinstance(places, range) and places.step == 1:
        return bytes(memory[places.start : places.stop])
    return bytes(memory[np.asarray(places, dtype=np.intp)])


def _remarks(array: Any, dtype: Any, *, odd: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What has to be told of an array beside its header."""
    notes: list[str] = []
    if odd:
        notes.append(
            f"The elements lie at no multiple of their {dtype.itemsize} bytes, so positions count "
            "smaller units: the strip says which."
        )
    if not dtype.isnative and dtype.names is None:
        notes.append(
            "Foreign byte order: the bytes of each element stand the other way round than on this "
            "machine. bytes=True shows them."
        )
    if dtype.kind == "O":
        notes.append(
            "Memory holds addresses of Python objects, which lie elsewhere. The grid says which "
            "objects they are, the strip how their addresses end: equal ones are one object."
        )
    if dtype.kind == "T":
        notes.append(
            "Memory holds 16 bytes for each text: a short one itself, or where a longer one lies. "
            "The grid says the texts, the strip the bytes."
        )
    if isinstance(array, np.generic):
        notes.append("A NumPy scalar is one element, in memory of its own.")
    facts = _class(array) if isinstance(array, np.ndarray) else ("scalar",)
    return facts, tuple(notes)
