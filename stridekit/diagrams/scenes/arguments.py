"""What somebody asks of a drawing, checked: which tensors, which index, which names of dims.

Everything wrong is refused here with a sentence, before anything is read or drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count as count_from
from typing import Any, SupportsIndex, cast

from stridekit.diagrams.scenes.captions import NAME_MOST, TITLE_MOST, one_line
from stridekit.errors import ArgumentError, IndexRangeError, LayoutError, StorageError, quoted
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count
from stridekit.layouts.whole_numbers import as_int, as_ints
from stridekit.tensors.interop import Subject
from stridekit.tensors.interop.objects import field_names, is_numbers, items_of
from stridekit.tensors.subjects import named_subjects_of, subject_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def heading(call: str, title: object) -> str:
    """A title as one line; empty without one. Raises ArgumentError for what is not text."""
    if title is not None and not isinstance(title, str):
        raise ArgumentError(f"{call}: title is a text, and {quoted(title)} is none.")
    return one_line(title or "", TITLE_MOST)


def truth(call: str, name: str, value: object) -> bool:
    """Whether something is asked for. Raises ArgumentError for what is neither true nor false."""
    try:
        return bool(value)
    except (TypeError, ValueError, RuntimeError):
        raise ArgumentError(
            f"{call}: {name} is True or False, and {quoted(value)} is neither."
        ) from None


def named_tensors(
    call: str, tensors: Sequence[object], alone: str = ""
) -> list[tuple[str, object]]:
    """The tensors with their names: their own in a dict, a, b, c, ... in a list.

    One without company or name is called `alone`. Raises ArgumentError where there is none.
    """
    found: list[tuple[str | None, object]] = []
    for tensor in tensors:
        items: Iterable[tuple[object, object]] | None = items_of(tensor)
        if (
            items is None
            and isinstance(tensor, list | tuple)
            and not (is_numbers(tensor) or field_names(tensor))
        ):
            # Names with what they name, as `named_parameters()` gives them, or tensors.
            pairs = (isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], str) for x in tensor)
            items = tensor if all(pairs) else [(None, value) for value in tensor]
        elif items is None:
            items = [(None, tensor)]
        found += [
            (None if name is None else one_line(str(name)) or None, value) for name, value in items
        ]
    if not found:
        raise ArgumentError(f"{call}: there is nothing to draw. Give a tensor, or several.")
    if len(found) == 1:
        return [(alone if name is None else name, value) for name, value in found]
    taken = {name for name, _ in found}
    every = (f"{letter}{round_ or ''}" for round_ in count_from(0) for letter in LETTERS)
    letters = (letter for letter in every if letter not in taken)
    return [(next(letters) if name is None else name, value) for name, value in found]


def subjects_of(
    call: str, named: Sequence[tuple[str, object]], dims: object = None
) -> list[tuple[str, Subject]]:
    """The headers of named tensors, whose storages hold all that they reach, with names of dims.

    What is stored in several tensors gives one for each of them. A storage can be taken away:
    `untyped_storage().resize_(0)` does. Raises StorageError then, and ArgumentError or
    InteropError as `subject_of` does.
    """
    found: list[tuple[str, Subject]] = []
    for number, (name, tensor) in enumerate(named):
        item = f"item {number}" if len(named) > 1 else ""
        mine = named_subjects_of(call, name, tensor, item)
        if len(mine) > 1 and len(name) > NAME_MOST:
            # A whole title before each part would leave no room for the part's own name.
            mine = named_subjects_of(call, one_line(name), tensor, item)
        found += mine
    for _, subject in found:
        _inside(call, subject)
    return with_names(call, dims, found)


def one_tensor(
    call: str, tensor: object, alone: str = "", dims: object = None
) -> tuple[str, object, Subject]:
    """One tensor with its name, or `alone`, and its header, with names of dims.

    Raises ArgumentError for several.
    """
    named = named_tensors(call, (tensor,), alone)
    if len(named) != 1:
        raise ArgumentError(f"{call}: give one tensor, and not {len(named)}. draw takes several.")
    ((name, given),) = named
    ((_, subject),) = with_names(call, dims, [("", one_subject(call, given))])
    return name, given, subject


def one_subject(call: str, tensor: object) -> Subject:
    """The header of one tensor, as `subjects_of` gives it. Refuses what is stored in several."""
    return _inside(call, subject_of(call, tensor))


def _inside(call: str, subject: Subject) -> Subject:
    """The subject, if its storage holds all that its header reaches. Raises StorageError."""
    reach = subject.layout.reach
    if reach is None or 0 <= reach[0] <= reach[1] <= subject.storage_length - subject.span:
        return subject
    why = "the rest is not there. Make a new tensor."
    if subject.library == "numpy":
        # NumPy's as_strided checks no bounds.
        why = "what lies there is other memory. draw_as_strided, over the array that it was made "
        why += "of, shows such a header."
    furthest = reach[1] if reach[0] >= 0 else reach[0]
    raise StorageError(
        f"{call}: this tensor's header reaches position {furthest}, and its storage holds "
        f"{count(subject.storage_length, 'element')}: {why}"
    )


def index_of(call: str, what: str, index: object, layout: Layout, dims: str = "") -> Ints:
    """An index of one element, counted from 0. Raises ArgumentError, IndexRangeError.

    `dims` are letters for its dims, where they are not counted as the tensor's are.

    >>> index_of("draw", "select", (-1, 2), Layout.of((3, 4)))
    (2, 2)
    """
    # As argmax and nonzero give it.
    index = index.tolist() if hasattr(index, "tolist") else index
    items: tuple[Any, ...]
    if isinstance(index, Sequence) and not isinstance(index, str):
        items = tuple(index)
    elif hasattr(index, "__index__"):
        items = (index,)
    else:
        raise ArgumentError(
            f"{call}: {what} is an index of one element, such as (0, 1), and not {quoted(index)}."
        )
    given = tuple(as_int(call, f"a coordinate of {what}", i) for i in items)
    size = layout.size
    if len(given) != len(size):
        raise IndexRangeError(
            f"{call}: {what}={given!s:.60} has {count(len(given), 'coordinate')}, and size {size} "
            f"takes {len(size)}."
        )
    for dim, (i, n) in enumerate(zip(given, size, strict=True)):
        if not -n <= i < n:
            raise IndexRangeError(
                f"{call}: {what}={given} leaves the tensor: {i} is outside dim "
                f"{dims[dim] if dims else dim}, which has size {n}."
            )
    return tuple(i % n for i, n in zip(given, size, strict=True))


def indices_of(call: str, what: str, indices: object, layout: Layout) -> tuple[Ints, ...]:
    """One index, or a list of them, or a row for each. Raises ArgumentError, IndexRangeError."""
    if "bool" in str(getattr(indices, "dtype", "")):
        raise ArgumentError(
            f"{call}: {what} takes indices, and this is a mask. Where it is True say "
            "torch.nonzero(mask) or numpy.argwhere(mask)."
        )
    if isinstance(indices, list) or getattr(indices, "ndim", 0) == 2:
        return tuple(index_of(call, what, index, layout) for index in cast(list[object], indices))
    return (index_of(call, what, indices, layout),)


def loop_order(call: str, traverse: object, layout: Layout) -> Ints | None:
    """The dims from the outermost loop to the innermost; None for no traversal.

    True stands for reading order. Raises LayoutError, ArgumentError.

    >>> loop_order("draw", (-1, 0), Layout.of((3, 4)))
    (1, 0)
    """
    if traverse is False or traverse is None:
        return None
    if traverse is True:
        return tuple(range(layout.ndim))
    if not isinstance(traverse, Sequence) or isinstance(traverse, str):
        raise ArgumentError(
            f"{call}: traverse is True, or the dims from the outermost loop to the innermost, and "
            f"not {quoted(traverse)}."
        )
    order = tuple(as_int(call, "a dim of traverse", dim) for dim in traverse)
    wrapped = tuple(dim % layout.ndim if -layout.ndim <= dim < 0 else dim for dim in order)
    if sorted(wrapped) != list(range(layout.ndim)):
        raise LayoutError(
            f"{call}: traverse={order!s:.60} does not name each of the {layout.ndim} dims once."
        )
    return wrapped


def line_of(call: str, line: SupportsIndex, itemsize: int) -> int:
    """The bytes of a cache line, a whole number of elements. Raises ArgumentError."""
    nbytes = as_int(call, "line", line)
    if nbytes < 1 or nbytes % itemsize:
        raise ArgumentError(
            f"{call}: line={nbytes} is not a length for a cache line. It counts bytes, and holds "
            f"whole elements of {itemsize}: give {itemsize}, {2 * itemsize}, 64, or the like."
        )
    return nbytes


def header(
    call: str,
    layout: Layout,
    size: Iterable[SupportsIndex] | None,
    stride: Iterable[SupportsIndex] | None,
    storage_offset: SupportsIndex | None,
) -> Layout:
    """The layout with what is given in place of its own; a size without a stride is row-major.

    Raises ArgumentError, LayoutError.
    """
    new_size, new_stride, offset = layout.size, layout.stride, layout.storage_offset
    if size is not None:
        new_size = as_ints(call, "a size", size)
        new_stride = contiguous_stride(new_size)
    if stride is not None:
        new_stride = as_ints(call, "a stride", stride)
    if storage_offset is not None:
        offset = as_int(call, "storage_offset", storage_offset)
    return Layout(new_size, new_stride, offset)


DIM_NAME_MOST = 16

# The names of dims: what somebody calls them, and which dims of other tensors they are.


Named = list[tuple[str, Subject]]
Names = tuple[str, ...]


def with_names(call: str, dims: object, named: Named) -> Named:
    """The subjects with names of dims as `dims` gives them: of the first, or by tensor.

    The names go on to views of the same dims, and to tensors of the same size. Raises ArgumentError
    for what does not name each dim.
    """
    found, given = [*named], list[Subject]()
    wanted: dict[int, object] = {} if dims is None else {0: dims}
    if isinstance(dims, Mapping):
        known = {name: number for number, (name, _) in enumerate(named)}
        require_names(call, dims, known)
        wanted = {known[key]: names for key, names in dims.items()}
    for number, names in wanted.items():
        name, subject = named[number]
        given.append(replace(subject, names=names_of(call, names, subject.layout, name)))
        found[number] = name, given[-1]
    return [(name, named_as(given, subject)) for name, subject in found]


def require_names(call: str, dims: Mapping[str, object], known: Mapping[str, object]) -> None:
    """Refuse to name dims of tensors that there are not. Raises ArgumentError."""
    for name in dims:
        if name not in known:
            raise ArgumentError(
                f"{call}: dims names the dims of {quoted(name)}, and no tensor here is called so. "
                "Call one so in a dict of tensors, or give dims without a dict."
            )


def names_of(call: str, dims: object, layout: Layout, tensor: str = "") -> Names:
    """The names of a layout's dims: a letter each, words, or a sequence. Raises ArgumentError.

    >>> names_of("draw", "NCHW", Layout.of((1, 3, 4, 4)))
    ('N', 'C', 'H', 'W')
    >>> names_of("draw", "batch heads", Layout.of((2, 8)))
    ('batch', 'heads')
    """
    words: Sequence[object] = dims if isinstance(dims, Sequence) else ()
    if isinstance(dims, str):
        words = dims.split() if " " in dims.strip() else dims.strip()
    names = tuple(one_line(word, DIM_NAME_MOST) if isinstance(word, str) else "" for word in words)
    named = [name for name in names if name]
    no_names = [word for word in words if not (word is None or isinstance(word, str))]
    if len(names) != layout.ndim or no_names or len({*named}) != len(named):
        raise ArgumentError(
            f"{call}: dims={quoted(dims)} does not give each dim a name of its own: "
            f"{tensor or 'the tensor'} has {count(layout.ndim, 'dim')}, size {layout.size}. Give a "
            'text such as "NCHW" or "batch heads", or a sequence of names, None for none.'
        )
    return names


def named_as(sources: Iterable[Subject], subject: Subject) -> Subject:
    """The subject with the names that its dims have in one of some others, if it has none."""
    names = subject.names or next(filter(None, (_names_in(each, subject) for each in sources)), ())
    return replace(subject, names=names) if names else subject


def _names_in(source: Subject, other: Subject) -> Names:
    """The names of another tensor's dims, where they are the source's; empty where none is.

    On one memory, dims are the same if they have one stride, whichever place they have.
    """
    mine, theirs, names = source.layout, other.layout, source.names
    if not names:
        return ()
    if mine == theirs or (source.storage_address != other.storage_address):
        return names if mine.size == theirs.size else ()
    steps = [*zip(mine.size, mine.stride, names, strict=True)]
    found: list[tuple[str, bool]] = []
    for n, stride in theirs.dims:
        equal = [each for each in steps if each[:2] == (n, stride)]
        alike = [each for each in steps if each[1] == stride and each[0] >= n > 0]
        chosen = next(iter(equal or alike), None)
        if chosen:
            steps.remove(chosen)
        found.append((chosen[2] if chosen else "", bool(equal)))
    # A dim that was split leaves parts with its stride: those are not it.
    is_whole = all(name for name, _ in found)
    sure = tuple(name if is_exact or is_whole else "" for name, is_exact in found)
    return sure if any(sure) else ()
