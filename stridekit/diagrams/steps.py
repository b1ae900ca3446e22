"""`draw_steps`: a chain of operations, each a row, with what is copied on the way and why."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from inspect import currentframe
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.scenes import arguments, changes, previews
from stridekit.diagrams.scenes.captions import header_text, one_line, told_of
from stridekit.diagrams.scenes.colouring import colour_by_of, sources
from stridekit.diagrams.scenes.compose import Options, compose, on_memories
from stridekit.diagrams.scenes.memory import SectionMember, fetched
from stridekit.diagrams.scenes.notation import in_one_notation
from stridekit.diagrams.scenes.scene import Scene, Section
from stridekit.errors import ArgumentError, InteropError, StridekitError
from stridekit.explain import contiguity
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.layouts.whole_numbers import sizes_of
from stridekit.tensors.interop import Subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CALL, STEPS_MOST = "draw_steps", 12
# Of a tensor so many elements are tried to find the one that is selected.
TRIED_MOST = 65_536
# From an address to where its element was in the first memory; None where that is not known.
Way = Callable[[int], int | None]


class Link(NamedTuple):
    """A tensor of a chain, kept so that no two ever lie at one place; its header, and its row."""

    tensor: Any
    subject: Subject
    way: Way
    row: Section


class Chain:
    """A tensor, and what is called on it, link by link."""

    def __init__(self, label: str, tensor: Any, subject: Subject, options: Options) -> None:
        self.links: list[Link] = []
        self.failed: Exception | None = None
        self._options, self._chosen = options, options.select
        start = subject.storage_address
        self._add(label, "", tensor, subject, lambda address: address - start)
        self._options = self._options._replace(colour_by=None)

    def _add(
        self, label: str, told: str, tensor: Any, subject: Subject, way: Way, *no_view: Any
    ) -> None:
        """Add a link; of a view that is impossible its size, too."""
        layout, start, unit = subject.layout, subject.storage_address, subject.itemsize
        if self.links and self._chosen is not None:
            first = self.links[0].subject
            chosen = first.layout.position(self._chosen) * first.itemsize
            those = islice(zip(layout.indices(), layout.positions(), strict=True), TRIED_MOST)
            index = next((i for i, at in those if way(start + at * unit) == chosen), None)
            self._options = self._options._replace(select=index)

        def drawn(named: list[tuple[str, Subject]]) -> Scene:
            ((_, near),) = named
            if no_view:
                return previews.view("", near, no_view, self._options)
            return compose(named, self._options)

        ((_, subject),) = named = fetched([("", subject)], drawn)
        scene = drawn(named)
        self._options = self._options._replace(palette=scene.palette)
        row, strip = scene.sections[0], scene.sections[0].strips[0]
        places = [each.address * strip.unit for each in strip.slots]
        origins = tuple((place, way(start + place)) for place in places)
        row = row._replace(label=label, told=told, origins=origins)
        self.links.append(Link(tensor, subject, way, row))

    def call(self, call: str, number: int, act: Callable[[], Any], *given: Any) -> Any:
        """Carry out a call on a tensor; gives a stand-in for the tensor that it gives.

        What it raises is drawn, and passes through. Raises ArgumentError for a step too many.
        """
        tensor, old, way, _ = self.links[number]
        label, result = f"{len(self.links)} · {call}", tensor

        def change(_: object) -> Any:
            nonlocal result
            try:
                result = act()
            except Exception as error:
                self.failed = error
                raise
            if result is None:
                # What works in place, and gives nothing back, goes on.
                result = tensor
            if not hasattr(result, "reshape"):
                # It gave no tensor, so it is no step.
                raise StopIteration
            if len(self.links) > STEPS_MOST:
                raise ArgumentError(
                    f"{CALL}: a picture holds {STEPS_MOST} steps, and {call} is one more. Draw the "
                    "chain in two."
                )
            return result

        try:
            scene = changes.change({"": tensor}, change, self._options._replace(select=None))
        except StopIteration:
            return result
        except Exception as error:
            if error is self.failed:
                size: tuple[int, ...] = ()
                told = f"Refused: {one_line(str(error), 300)}"
                with suppress(StridekitError):
                    found = plan_view(old.layout, sizes_of(CALL, given))
                    if isinstance(found, Obstacle) and call.startswith("view("):
                        size, told = found.new_size, f"Refused: {found.reason}."
                self._add(label, told, tensor, old, way, *size)
            raise
        self._options = self._options._replace(palette=scene.palette)
        new = arguments.one_subject(CALL, result)
        names = arguments.same(old, old.names, new) if old.names else ()
        told = "The very same tensor" if result is tensor else "The same memory"
        if scene.change == "write" and old.dtype == new.dtype:
            told += ", written in place."
        elif len(scene.sections) == 1 or scene.change in ("write", "resize"):
            told += ": nothing is copied."
        else:
            told, way = _told_of_new(old, new, scene), _way_back(old, new, way, scene)
        self._add(label, told, result, replace(new, names=names), way)
        return Followed(self, len(self.links) - 1)

    def scene(self, title: str) -> Scene:
        """The picture."""
        _, subjects, _, rows = zip(*self.links, strict=True)
        sections = on_memories(rows, [[SectionMember("", subject, 0)] for subject in subjects])
        notes, palette = told_of(subjects), self._options.palette
        alt = [
            f"{row.label}: {row.told} {header_text(subject)}."
            for row, subject in zip(rows, subjects, strict=True)
        ]
        assert palette is not None
        shows_values = self._options.values and subjects[0].readable
        return Scene(title, sections, (), notes, " ".join([*notes, *alt]), palette, shows_values)


def _way_back(old: Subject, new: Subject, way: Way, scene: Scene) -> Way:
    """From a copy's addresses through those of its source to the first memory."""
    source_of = sources(old.layout, new.layout) if scene.change == "copy" else (lambda _: None)

    def way_back(address: int) -> int | None:
        position = source_of((address - new.storage_address) // new.itemsize)
        return None if position is None else way(old.storage_address + position * old.itemsize)

    return way_back


def _told_of_new(old: Subject, new: Subject, scene: Scene) -> str:
    """That memory is a new one, how many bytes, and why."""
    nbytes = f"{new.layout.numel * new.element_size:,} bytes"
    if old.dtype != new.dtype:
        return f"New memory, {nbytes}: {old.dtype} becomes {new.dtype}."
    if changes.VALUE_NOTE in scene.notes:
        why = "its elements come in another order"
    elif scene.change != "copy":
        return f"New memory, {nbytes}: it holds other values."
    elif old.device != new.device:
        why = f"it goes from {old.device} to {new.device}"
    elif isinstance(plan := plan_view(old.layout, new.layout.size), Obstacle):
        why = plan.reason
    elif new.is_contiguous and not old.is_contiguous:
        why = contiguity(old.layout).answer.removeprefix("No: ").rstrip(".")
    else:
        why = "it copies, whatever the strides are"
    return f"Copied, {nbytes}: {why}."


class Followed:
    """Stands for a tensor of a chain: the tensor does what is asked of it, and that is a link."""

    def __init__(self, chain: Chain, number: int) -> None:
        self._chain, self._number = chain, number

    def __getattr__(self, name: str) -> Any:
        chain, number = self._chain, self._number
        tensor = chain.links[number].tensor
        try:
            found = getattr(tensor, name)
        except RuntimeError:
            return chain.call(name, number, lambda: getattr(tensor, name))
        if name.startswith("__") or not (callable(found) or hasattr(found, "reshape")):
            return found
        if hasattr(found, "reshape"):
            return chain.call(name, number, lambda: found)

        def method(*given: Any, **named: Any) -> Any:
            words = [*map(repr, given), *(f"{key}={value!r}" for key, value in named.items())]
            call = one_line(f"{name}({', '.join(words)})")
            return chain.call(call, number, lambda: found(*given, **named), *given)

        return method

    def __getitem__(self, key: Any) -> Any:
        tensor = self._chain.links[self._number].tensor
        # Slices as one writes them, as far as they have no step.
        words = re.sub(r"slice\(([^,]+), ([^,]+), None\)", r"\1:\2", f"{key!r}").replace(
            "Ellipsis", "..."
        )
        call = f"[{words.replace('None:', ':').replace(':None', ':').strip('()')}]"
        return self._chain.call(one_line(call), self._number, lambda: tensor[key])


def _take(chain: Chain, step: Any, names: dict[str, Any]) -> bool:
    """Carry a step out on the last tensor, and say whether there is one to go on with.

    A function that asks more of a stand-in than it can do is called anew with the tensor, as one
    step. Raises ArgumentError for what is no step.
    """
    before, name = len(chain.links), getattr(step, "__name__", "a function").strip("<>")
    tensor, run = chain.links[-1].tensor, step
    if is_text := isinstance(step, str):
        name = one_line(step.strip())
        code = f"it{'' if name.startswith('[') else '.'}{step.strip()}"
        run = lambda it: eval(code, {**names, "it": it})  # noqa: E731 - it is as short as that
    elif not callable(step):
        raise ArgumentError(
            f'{CALL}: a step is a text such as "t()", or a function, and {step!r:.40} is of type '
            f"{type(step).__name__}."
        )
    try:
        result = run(Followed(chain, before - 1))
    except Exception as error:
        if error is chain.failed:
            return False
        if isinstance(error, ArgumentError | InteropError):
            raise
        if is_text:
            raise ArgumentError(
                f'{CALL}: "{name}" names no method of a {type(tensor).__name__}: {error}. Write '
                'what stands behind the dot, such as "transpose(0, 1)".'
            ) from None
        del chain.links[before:]
        result = run(tensor)
    if hasattr(result, "reshape") and not isinstance(result, Followed):
        result = chain.call(name, len(chain.links) - 1, lambda: result)
    if len(chain.links) == before or not (result is None or isinstance(result, Followed)):
        raise ArgumentError(
            f"{CALL}: {name} gives {one_line(repr(result), 40)}, of type {type(result).__name__}, "
            "and a chain goes on with one tensor."
        )
    if is_text and len(chain.links) == before + 1:
        # As it was written, with the names that it speaks of.
        row = chain.links[-1].row._replace(label=f"{before} · {name}")
        chain.links[-1] = chain.links[-1]._replace(row=row)
    return True


def draw_steps(
    tensor: object,
    *steps: object,
    title: str | None = None,
    values: bool = True,
    bytes: bool = False,  # noqa: A002 - it is what is shown
    dims: object = None,
    color_by: object = None,
    select: object = None,
    ax: "Axes | None" = None,
) -> Diagram:
    """A chain of operations in one picture: a row for each, and whether memory stays or is copied.

    A step is a text, as it stands behind a dot, such as "transpose(1, 2)", with names that are
    known where `draw_steps` is called; or a function, of which each method that it calls is a row.
    The steps are carried out, on the very tensor. A copy says how many bytes and why, and its
    elements bring their fills along. A step that fails is drawn with its reason, and ends the
    chain. `select` outlines one element of the tensor in each row. The other words are those of
    `draw`. Raises ArgumentError for what is no tensor, no step, or more than twelve of them.

    >>> x = sk.arange(6).view(2, 3)
    >>> for row in sk.draw_steps(x, "t()", "reshape(6)").scene.sections[1:]:
    ...     print(f"{row.label}: {row.told}")
    1 · t(): The same memory: nothing is copied.
    2 · reshape(6): Copied, 48 bytes: dims 0 and 1 cannot merge, because stride[0] is 1 and \
merging needs size[1] × stride[1] = 2 × 3 = 6.
    """
    frame: Any = currentframe()
    names = {**frame.f_back.f_globals, **frame.f_back.f_locals}
    heading = arguments.heading(CALL, title)
    given = arguments.named_tensors(CALL, (tensor,))
    name, first = given[0] if len(given) == 1 else ("", tensor)
    found = [("", arguments.one_subject(CALL, first))]
    ((_, subject),) = arguments.with_names(CALL, dims, [("", first)], found)
    colour_by = colour_by_of(CALL, color_by, subject)
    options = Options(CALL, "", bool(values), bool(bytes), colour_by=colour_by)
    if select is not None:
        index = arguments.index_of(CALL, "select", select, subject.layout)
        options = options._replace(select=index)
    if not steps:
        raise ArgumentError(
            f'{CALL}: no step is given. Write one as text, such as {CALL}(x, "t()"), or give a '
            "function."
        )
    chain = Chain(name or "before", first, subject, options)
    for step in steps:
        if not _take(chain, step, names):
            break
    return Diagram(in_one_notation(chain.scene(heading)), ax)
