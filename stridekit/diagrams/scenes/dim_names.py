"""The names of dims: what somebody calls them, and which dims of other tensors they are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stridekit.diagrams.scenes.captions import count, one_line
from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Subject

NAME_MOST = 16

Named = list[tuple[str, Subject]]
Names = tuple[str, ...]


def own_names(tensor: object, ndim: int) -> Names:
    """The names that a tensor's dims have by themselves: a `.names` with one for each, or None.

    >>> own_names(sk.zeros(2, 3), 2)
    ()
    """
    names = getattr(tensor, "names", None)
    if not isinstance(names, tuple | list) or len(names) != ndim:
        return ()
    if not all(name is None or isinstance(name, str) for name in names) or not any(names):
        return ()
    return tuple(one_line(name, NAME_MOST) if isinstance(name, str) else "" for name in names)


def with_names(call: str, dims: object, tensors: Sequence[object], named: Named) -> Named:
    """The tensors, with names of dims as `dims` gives them: of the first one, or by tensor.

    Without `dims` each has its own. The names go on to views of the same dims, and to tensors of
    the same size. Raises ArgumentError for what is no name for each dim.
    """
    given: dict[int, Names] = {}
    if isinstance(dims, Mapping):
        known = {name: number for number, (name, _) in enumerate(named)}
        for key, names in dims.items():
            if key not in known:
                raise ArgumentError(
                    f"{call}: dims names the dims of {key!r:.40}, and no tensor here is called so. "
                    f"They are called {', '.join(repr(name) for name in known)}."
                )
            number = known[key]
            given[number] = names_of(call, names, named[number][1].layout, named[number][0])
    elif dims is not None:
        given[0] = names_of(call, dims, named[0][1].layout, named[0][0])
    for number, tensor in enumerate(tensors):
        if number not in given and (own := own_names(tensor, named[number][1].layout.ndim)):
            given[number] = own
    if not given:
        return named
    told = [(named[number][1], names) for number, names in given.items()]
    found: Named = []
    for number, (name, subject) in enumerate(named):
        names = given.get(number) or next(filter(None, (same(*each, subject) for each in told)), ())
        found.append((name, replace(subject, names=names) if names else subject))
    return found


def names_of(call: str, dims: object, layout: Layout, tensor: str = "") -> Names:
    """The names of a layout's dims: a letter each, words, or a sequence. Raises ArgumentError.

    >>> names_of("draw", "NCHW", Layout.of((1, 3, 4, 4)))
    ('N', 'C', 'H', 'W')
    >>> names_of("draw", "batch heads", Layout.of((2, 8)))
    ('batch', 'heads')
    """
    words: list[object]
    if isinstance(dims, str):
        words = [*(dims.split() if " " in dims.strip() else dims.strip())]
    elif isinstance(dims, Sequence):
        words = [*dims]
    else:
        raise ArgumentError(
            f'{call}: dims is a text such as "NCHW", or a sequence of names, and not {dims!r:.40}.'
        )
    names = []
    for word in words:
        if word is not None and not isinstance(word, str):
            raise ArgumentError(
                f"{call}: {word!r:.40} in dims is no name. A name is a text, or None for a dim "
                "without one."
            )
        names.append(one_line(word or "", NAME_MOST))
    whose = f"{tensor} has" if tensor else "the tensor has"
    if len(names) != layout.ndim:
        raise ArgumentError(
            f"{call}: dims={dims!r:.60} gives {count(len(names), 'name')}, and {whose} "
            f"{count(layout.ndim, 'dim')}, size {layout.size}. Give a name for each."
        )
    twice = next((word for word in words if word and words.count(word) > 1), None)
    if twice:
        raise ArgumentError(
            f"{call}: dims={dims!r:.60} gives the name {twice!r:.40} to two dims, so it would "
            "not say which one is meant. Give each a name of its own."
        )
    return tuple(names)


def same(source: Subject, names: Names, other: Subject) -> Names:
    """The names of another tensor's dims, where they are the source's; empty where none is.

    On one memory, dims are the same if they have one stride, whichever place they have.
    """
    mine, theirs = source.layout, other.layout
    if mine == theirs or (source.storage_address != other.storage_address):
        return names if mine.size == theirs.size else ()
    steps = [*zip(mine.size, mine.stride, names, strict=True)]
    found: list[str] = []
    exact: list[bool] = []
    for n, stride in zip(theirs.size, theirs.stride, strict=True):
        equal = [each for each in steps if each[:2] == (n, stride)]
        alike = [each for each in steps if each[1] == stride and each[0] >= n > 0]
        chosen = next(iter(equal or alike), None)
        if chosen:
            steps.remove(chosen)
        found.append(chosen[2] if chosen else "")
        exact.append(bool(equal))
    if all(found):
        return tuple(found)
    # A dim that was split leaves parts with its stride: those are not it.
    sure = tuple(name if is_exact else "" for name, is_exact in zip(found, exact, strict=True))
    return sure if any(sure) else ()
