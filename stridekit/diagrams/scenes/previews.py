"""What would happen: a view, a resize_, any header over a storage. Nothing is carried out."""

from collections.abc import Sequence
from dataclasses import replace

from stridekit.diagrams.scenes.arguments import named_as
from stridekit.diagrams.scenes.captions import (
    alt_text,
    dim_words,
    number_text,
    told_of,
    tuple_text,
)
from stridekit.diagrams.scenes.cells import Options
from stridekit.diagrams.scenes.colouring import choose, palette_of
from stridekit.diagrams.scenes.compose import compose, compose_section
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.scene import Hop, Scene
from stridekit.errors import StorageError
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count, spell
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.tensors.interop import Subject


def view(name: str, subject: Subject, size: Ints, options: Options) -> Scene:
    """The scene of `view(size)`: both headers over the storage, or what makes it impossible.

    Raises SizeError for another number of elements.
    """
    layout = subject.layout
    plan = plan_view(layout, size)
    if isinstance(plan, Obstacle):
        return _impossible(name, subject, plan, options)
    viewed = named_as([subject], replace(subject, layout=plan, names=()))
    call = f"{name}.view({spell(size)})" if name else f"view({spell(size)})"
    scene = compose([(name or "before", subject), (call, viewed)], options)
    note = (
        f"Possible, with stride {tuple_text(plan.stride)}: another header, and nothing is copied."
    )
    return scene.noted(note)


def _impossible(name: str, subject: Subject, obstacle: Obstacle, options: Options) -> Scene:
    layout = subject.layout
    left, right = obstacle.left, obstacle.right
    n, step = layout.size[right], layout.stride[right]
    size = spell(obstacle.new_size)

    start = layout.storage_offset
    actual, expected = number_text(obstacle.actual), number_text(obstacle.expected)
    hops = (
        Hop(start, start + obstacle.actual, f"+{actual}"),
        Hop(start, start + obstacle.expected, f"needed: +{expected}", "needed"),
    )
    comparison = (
        f"stride[{left}] = {actual} ≠ size[{right}] × stride[{right}] = "
        f"{number_text(n)} × {number_text(step)} = {expected}"
    )
    outer, inner = dim_words(subject, left), dim_words(subject, right)
    reason = (
        f"In one dim, elements lie evenly spaced. D{inner[1:]} has {count(n, 'element')}, "
        f"{count(step, 'slot')} apart, so a step in {outer} would have to lead "
        f"{count(obstacle.expected, 'slot')} on. It leads {actual} on: the two dims cannot merge."
    )
    advice = f"view({size}) is impossible. reshape({size}) copies instead."
    scene = compose([(name, subject)], options._replace(seam=(left, right), hops=hops))
    return scene._replace(
        notes=(advice, comparison, reason, *scene.notes),
        alt=" ".join((advice, f"{comparison}.", reason, scene.alt)),
    )


def resize(name: str, subject: Subject, size: Ints, options: Options) -> Scene:
    """The scene of `resize_(size)`, worked out: the tensor stays as it is.

    Raises StorageError where the storage may not grow.
    """
    layout = subject.layout
    length = subject.storage_length
    if size != layout.size:
        layout = Layout(size, contiguous_stride(size), layout.storage_offset)
    needed = max(length, layout.needed)
    if needed > length and not subject.may_grow:
        raise StorageError(
            f"{options.call}({spell(size)}): the storage would have to grow from {length:,} to "
            f"{count(needed, 'element')}, and it may not: its memory is shared, or autograd "
            "watches it. Draw a clone() of it."
        )

    def unwritten(positions: Sequence[int]) -> frozenset[int]:
        old = subject.unwritten([p for p in positions if p < length])
        return old | {p for p in positions if p >= length}

    resized = replace(
        subject,
        layout=layout,
        storage_length=needed,
        unwritten=unwritten,
        names=subject.names if len(size) == subject.layout.ndim else (),
    )
    members = SectionMember(name, subject, 0), SectionMember(name, resized, 0)
    # Fills stay with their addresses, also where the grid around them changes.
    fills = choose(members[:1], options.colour_by, options.palette)
    sections = tuple(
        compose_section([member], options, fills, label=label)
        for member, label in zip(
            members, ("before", f"after resize_{tuple_text(size)}"), strict=True
        )
    )
    if needed > length:
        note = (
            f"The storage grows from {length:,} to {count(needed, 'element')}. "
            "What is new is not initialised."
        )
    else:
        note = f"The storage keeps its {count(length, 'element')}: resize_ never shrinks it."
    told = (note, *told_of([subject]))
    before, after = (alt_text(name, each, []) for each in (subject, resized))
    alts = (*told, f"Before: {before}", f"After: {after}")
    seen = palette_of([(members[:1], fills)], options.palette)
    return Scene(options.title, sections, (), told, " ".join(alts), seen, options.values)


def bounds_text(layout: Layout, length: int) -> str:
    """Whether every position lies inside the storage, and the index that goes furthest out.

    >>> bounds_text(Layout((3, 4), (4, 1)), 12)
    'In bounds: positions 0 to 11 of 12 elements.'
    >>> bounds_text(Layout((3, 4), (5, 1)), 12).split(", and ")[0]
    'Out of bounds: index (2, 3) lies at position 13'
    """
    reach = layout.reach
    if reach is None:
        return "In bounds: without elements, nothing is reached."
    low, high = reach
    if low >= 0 and high < length:
        span = f"{number_text(low)} to {number_text(high)}"
        return f"In bounds: positions {span} of {count(length, 'element')}."
    outside = low if low < 0 else high
    index = tuple(n - 1 if (step < 0) == (low < 0) and step else 0 for n, step in layout.dims)
    bounds = f"ends at {number_text(length - 1)}" if length else "is empty"
    if low < 0:
        bounds = "begins at 0"
    return (
        f"Out of bounds: index {tuple_text(index)} lies at position {number_text(outside)}, and "
        f"the storage {bounds}. torch refuses such a header."
    )
