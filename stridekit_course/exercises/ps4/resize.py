"""ps4, `resize`: what resize_ does to a header and its storage."""

import random
from itertools import product
from math import prod

from stridekit.diagrams import Diagram, draw_resize
from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.callee import Argument, Plain
from stridekit_course.checks.exercise import Exercise, Given, variants
from stridekit_course.checks.pictures import LONGEST, as_layout
from stridekit_course.checks.returns import INTS, WHOLE, named_parts
from stridekit_course.checks.strategies import SIZES, any_size, crossed_layouts, small_sizes
from stridekit_course.exercises.ps4 import DIMS_MOST, NEWS, counting_tensor, regrouped


def _cases(hidden: bool, chance: random.Random) -> Given:
    ranks = range(DIMS_MOST + 1)
    # Nothing changes, whatever the strides; and the same numbers the other way round.
    for size in (*small_sizes(2), *((2, 3, 1, 2, 2, 3, 1)[:n] for n in ranks)):
        stride, length = (2, 0, 1, 2, 1, 0, 1)[: len(size)], 2 * sum(size) + 2
        for was, steps in product((size, size[::-1]), (stride, stride[::-1])):
            yield was, steps, 1, length, (*size,)
    # Nothing but ones, of a stride of zeros.
    yield from (((1,) * n, (0,) * n, 1, 2, (1,) * new) for n in (1, 3, 5) for new in ranks[2:])
    # The same digits.
    yield from (((1, 12), (9, 2), 1, 24, new_size) for new_size in ((11, 2), (1, 1, 2)))
    # A 0 at every place, from an offset beyond the storage.
    yield from (((0, 2), (2, 1), 2, 1, new_size) for new_size in small_sizes(3) if 0 in new_size)
    yield from (((0,) * n, (1,) * n, 3, 1, (0,) * (8 - n)) for n in ranks[1:])
    # A storage that is just long enough, one longer, and one too short.
    for offset, new_size, more in product((0, 2), ((), (1,), (3, 4), (2, 1, 5)), (-1, 0, 1)):
        length = offset + prod(new_size) + more
        yield (0,), (1,), offset, length, new_size
        yield (2, 2), (1, 2), offset, max(length, offset + 4), new_size
    rows = crossed_layouts(
        chance,
        ranks,
        offsets=(0, 1, 3, 300, 40_000, 130_000),
        most=600,
        # More than the old size needs, or than the new one does.
        spare=(0, 20),
        more=(None, -1, 0, 1),
        new=(*NEWS, *SIZES),
        to=ranks,
    )
    for layout, row in [*rows][: None if hidden else 100]:
        if row.new in NEWS:
            new_size = regrouped(layout.size, chance, row.new, row.to)
        else:
            new_size = any_size(chance, row.to, row.new, 15_000)
        length = layout.needed + row.spare
        if row.more is not None:
            length = max(length, layout.storage_offset + prod(new_size) + row.more)
        yield layout, length, new_size


def _reference(
    size: Ints, stride: Ints, storage_offset: int, storage_length: int, new_size: Ints
) -> Plain:
    if new_size == size:
        return size, stride, storage_offset, storage_length
    numel = prod(new_size)
    needed = storage_offset + numel if numel else 0
    new_stride = contiguous_stride(new_size)
    return new_size, new_stride, storage_offset, max(storage_length, needed)


def _rule(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> str:
    if new_size == size:
        return f"the size stays {size}, so nothing changes: the stride stays {stride}."
    new_stride, numel = contiguous_stride(new_size), prod(new_size)
    row_major = f"another size gets the row-major stride, {new_stride}, and keeps the offset"
    if numel == 0:
        return f"{row_major}; it holds no elements, so the storage keeps its {length}."
    needed = offset + numel
    then = f"grows from {length}" if needed > length else f"keeps its {length}: it never shrinks"
    return (
        f"{row_major}; it needs offset + numel = {offset} + {numel} = {needed} elements of "
        f"storage, so the storage {then}."
    )


def _picture(_: object, __: object, *arguments: Argument) -> Diagram | None:
    *header, length, new_size = arguments
    layout = as_layout(tuple(header))
    if layout is None or max(length, layout.storage_offset + prod(new_size)) > LONGEST:
        return None
    return draw_resize(counting_tensor(layout, length), new_size, title="tensor")


_but = variants(_reference)
_LENGTH = "max(storage_length, needed)"


EXERCISE = Exercise(
    "resize",
    ("size", "stride", "storage_offset", "storage_length", "new_size"),
    place=6,
    returns=named_parts(size=INTS, stride=INTS, storage_offset=WHOLE, storage_length=WHOLE),
    reordered=("new_size",),
    cases=_cases,
    # From and to rank 0 there are no strides to be seen.
    late=lambda size, *_: not size or not _[-1],
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if the strides are written anew although the size is the same.": (
            _but("return size, stride,", "return size, contiguous_stride(size),"),
            _but("new_size == size", "False"),
        ),
        "if the storage shrinks with the tensor. resize_ never frees any.": (
            *(_but(_LENGTH, longest) for longest in ("storage_offset + numel", "needed")),
            _but(_LENGTH, "needed if numel else storage_length"),
        ),
        "if the storage never grows.": _but(_LENGTH, "storage_length"),
        "if the storage only grows where there are more elements than before. A storage can hold "
        "fewer than the old size says, and fewer than the new size needs.": _but(
            _LENGTH, f"storage_length if 0 not in size and numel <= prod(size) else {_LENGTH}"
        ),
        "if the storage ends at the last element's position. Positions count from 0, so the length"
        " is one more.": _but("+ numel if", "+ numel - 1 if"),
        "if the first dim runs fastest. In row-major order the last does.": _but(
            "contiguous_stride(new_size)", "contiguous_stride(new_size[::-1])[::-1]"
        ),
        "if the offset is forgotten: the first element lies at position storage_offset, and the "
        "others after it.": _but("storage_offset + numel", "numel"),
        "if the storage grows up to the offset for no elements at all.": _but(
            "numel if numel else 0", "numel"
        ),
        "if the offset is set to 0. It stays.": _but(
            "    numel", "    storage_offset = 0\n    numel"
        ),
        "if a size of 0 is multiplied as 0. In strides it counts as 1.": _but(
            "contiguous_stride(new_size)",
            "tuple(prod(new_size[dim + 1 :]) for dim in range(len(new_size)))",
        ),
    },
)
