"""The words in a diagram: values, headers, and what a picture shows in a sentence."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from math import floor, inf, log10

from stridekit.layouts.layout import Ints, Layout, count
from stridekit.tensors.interop import Subject, Value

# Names, titles and what somebody has typed are cut to so many characters.
NAME_MOST, TITLE_MOST, TYPED_MOST = 48, 100, 30
# A value in words is cut to so many: a date and a time fit.
WORDS_MOST = 19
# A whole number is told in digits up to so many characters: eight digits and a sign fit.
WHOLE_MOST = 9
# The device that goes without saying.
HERE = "cpu"
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]+")


def value_text(value: Value) -> str:
    """A value in few characters: whole ones take 9 at most, a moment 19.

    Floats are told exactly: `notation` tells all of a section alike.

    >>> [value_text(v) for v in (12, -0.5, 3.0, 1234567890, True, 1 - 2j)]
    ['12', '-0.5', '3.0', '1.2e+09', 'True', '1-2j']
    """
    if type(value) is int:
        text = str(value)
        return text if len(text) <= WHOLE_MOST else f"{value:.1e}"
    if isinstance(value, str):
        return one_line(value, WORDS_MOST)
    if isinstance(value, complex):
        return f"{value.real:.2g}{value.imag:+.2g}j"
    return str(value)


def short_text(value: Value) -> str:
    """A complex number with both parts to one place, as NumPy has them; others as ever.

    >>> short_text(-0.0045 - 0.48j), short_text(12 + 0.3j), short_text(3e-11 - 4.7e-11j)
    ('-0.00-0.48j', '12+0j', '3e-11-5e-11j')
    """
    larger = max(abs(value.real), abs(value.imag)) if isinstance(value, complex) else 0
    if not isinstance(value, complex) or not 0 < larger < inf:
        return value_text(value)
    if 0.01 <= larger < 10_000:
        places = min(max(1 - floor(log10(larger)), 0), 2)
        return f"{value.real:.{places}f}{value.imag:+.{places}f}j"
    return f"{value.real:.0e}{value.imag:+.0e}j"


def value_texts(values: Sequence[Value], *, short: bool = False) -> tuple[list[str], bool]:
    """The text of each value, and whether some are floats: exact ones, until all are known.

    >>> value_texts([12, -0.5]), value_texts([3, 10**9])
    ((['12', '-0.5'], True), (['3', '1.0e+09'], False))
    """
    kinds = {*map(type, values)}
    if kinds == {int}:
        # Whole numbers are much the most frequent.
        texts = [*map(str, values)]
        if max(map(len, texts)) <= WHOLE_MOST:
            return texts, False
    return [*map(short_text if short else value_text, values)], float in kinds


def number_text(n: int) -> str:
    """A number as one may write it in Python, long ones in groups of three.

    >>> number_text(1000), number_text(10_000)
    ('1000', '10_000')
    """
    return f"{n:_}" if abs(n) >= 10_000 else str(n)


def tuple_text(numbers: Iterable[int]) -> str:
    """A tuple as one may write it in Python.

    >>> tuple_text((10_000, 3)), tuple_text((5,))
    ('(10_000, 3)', '(5,)')
    """
    words = [*map(number_text, numbers)]
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"


def one_line(text: str, most: int = NAME_MOST) -> str:
    """A name or title as one short line that every renderer can show.

    >>> one_line("two" + chr(10) + "lines")
    'two lines'
    """
    return cut(_UNPRINTABLE.sub(" ", text).strip(), most)


def cut(text: str, most: int = TYPED_MOST) -> str:
    """The text, or as much of it as so many characters hold.

    >>> cut("long", 4), cut("longer", 4), cut("longer", 1)
    ('long', 'lon…', '…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def joined(words: Iterable[str], link: str = "and") -> str:
    """Words as a list in a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    *rest, last = words
    return f"{', '.join(rest)} {link} {last}" if rest else last


def header_text(subject: Subject) -> str:
    """A tensor's header in one line."""
    device = [f"device {subject.device}"] if subject.device != HERE else []
    parts = header_parts(subject, subject.layout)
    return " · ".join([*parts, subject.dtype, *device, *subject.facts])


def header_parts(subject: Subject, layout: Layout) -> tuple[str, str, str]:
    """Size, stride and offset of a tensor's layout: in torch's words, or NumPy's, in bytes."""
    size, stride, offset = layout.size, layout.stride, layout.storage_offset
    unit = byte_unit(subject)
    if not unit:
        sized, stepped = f"size {tuple_text(size)}", f"stride {tuple_text(stride)}"
        return sized, stepped, f"offset {number_text(offset)}"
    stepped = f"byte_strides {tuple_text(step * unit for step in stride)}"
    return f"shape {tuple_text(size)}", stepped, f"byte offset {number_text(offset * unit)}"


def told_of(subjects: Iterable[Subject]) -> tuple[str, ...]:
    """What has to be told of tensors, each thing once."""
    return tuple(dict.fromkeys(note for subject in subjects for note in subject.notes))


def byte_unit(subject: Subject) -> int:
    """The bytes of what a stride counts, where strides are told in bytes: in NumPy. Else 0."""
    return subject.itemsize if subject.library == "numpy" else 0


def dim_parts(dim: int, name: str, n: int, step: int, itemsize: int) -> tuple[str, ...]:
    """What stands at a dim: its number and name, its size, its stride. With an itemsize in bytes.

    >>> dim_parts(1, "W", 4, 1, 0), dim_parts(0, "", 3, 4, 8)
    (('dim 1 W', 'size 4', 'stride 1'), ('axis 0', 'size 3', 'byte_stride 32'))
    """
    called = f"{'axis' if itemsize else 'dim'} {dim}"
    hop = f"byte_stride {number_text(step * itemsize)}"
    if not itemsize:
        hop = f"stride {number_text(step)}"
    return (
        f"{called} {name}" if name else called,
        f"size {number_text(n)}",
        f"{hop} (repeated)" if step == 0 and n > 1 else hop,
    )


def dim_name(subject: Subject, dim: int) -> str:
    """What somebody calls a dim, if anybody does."""
    return subject.names[dim] if dim < len(subject.names) else ""


def dim_words(subject: Subject, dim: int) -> str:
    """A dim in a sentence: its number, and its name if it has one."""
    name = dim_name(subject, dim)
    return f"dim {dim} ({name})" if name else f"dim {dim}"


def alt_text(name: str, subject: Subject, others: list[str], storage: str = "") -> str:
    """What a tensor is, and how reading goes through its storage, in a sentence.

    `storage` is the letter of its storage, where there are several.
    """
    layout = subject.layout
    stride = f"stride {tuple_text(layout.stride)}"
    if subject.in_bytes:
        stride = f"byte_strides {tuple_text(layout.stride)}"
    elif subject.library == "numpy":
        stride += f" (byte_strides {tuple_text(s * subject.itemsize for s in layout.stride)})"
    dims = ""
    if any(subject.names):
        dims = f"dims {', '.join(name or 'unnamed' for name in subject.names)}, "
    where = f"storage {storage}, which has" if storage else "a storage of"
    shares = f", shares storage with {joined(others)}" if others else ""
    device = (f"on device {subject.device}",) if subject.device != HERE else ()
    being = "".join(f", {word}" for word in (*device, *subject.facts))
    facts = (
        f"Tensor{f' {name}' if name else ''}, size {tuple_text(layout.size)}, {dims}{stride}, "
        f"{'byte ' if subject.in_bytes else ''}offset {layout.storage_offset}, "
        f"{'contiguous' if subject.is_contiguous else 'not contiguous'}{being}{shares}, "
        f"over {where} {count(subject.storage_length, 'byte' if subject.in_bytes else 'element')}"
    )
    visits = "it has no elements"
    if layout.numel:
        visits = f"reading order visits {places_text(layout.positions(), layout.numel)}"
    return f"{facts}; {visits}."


def places_text(positions: Iterable[int], n: int) -> str:
    """The first of so many positions.

    >>> places_text(range(0, 40, 4), 10), places_text([5], 1)
    ('positions 0, 4, 8, 12, 16, 20, 24, 28, …', 'position 5')
    """
    first = [*islice(positions, 8)]
    noun, more = "positions" if n > 1 else "position", ", …" if n > len(first) else ""
    return f"{noun} {', '.join(map(str, first))}{more}"


def hop_text(index: int, step: int) -> str:
    """How far an index leads along a dim.

    >>> hop_text(2, 4), hop_text(1, -8)
    ('2×4', '1×(-8)')
    """
    return f"{index}×{step}" if step >= 0 else f"{index}×({step})"


def sum_text(index: Ints, layout: Layout) -> str:
    """The sum that leads to an element.

    >>> sum_text((1, 2), Layout.of((3, 4)))
    'position 6 = offset 0 + 1×4 + 2×1'
    """
    hops = "".join(f" + {hop_text(*hop)}" for hop in zip(index, layout.stride, strict=True))
    position = number_text(layout.position(index))
    return f"position {position} = offset {number_text(layout.storage_offset)}{hops}"


def way_text(name: str, index: Ints, subject: Subject) -> str:
    """The sum that leads to an element: in elements, and in bytes."""
    layout, itemsize = subject.layout, subject.itemsize
    position = layout.position(index)
    in_bytes = f"{number_text(position)}×{itemsize} = {number_text(position * itemsize)}"
    if subject.library == "numpy":
        start = number_text(layout.storage_offset * itemsize)
        steps = (step * itemsize for step in layout.stride)
        moved = "".join(f" + {hop_text(*hop)}" for hop in zip(index, steps, strict=True))
        in_bytes = f"{start}{moved} = {number_text(position * itemsize)}"
    called = ", ".join(f"{dim_name(subject, dim)} {i}".lstrip() for dim, i in enumerate(index))
    return f"{name}[{called}] lies at {sum_text(index, layout)}. In bytes: {in_bytes}."
