"""`draw_steps`: a chain of operations, each a row, with what is copied on the way and why."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from stridekit.diagrams.scenes import changes
from stridekit.diagrams.scenes.arguments import named_as, one_subject
from stridekit.diagrams.scenes.captions import header_text, one_line, told_of
from stridekit.diagrams.scenes.cells import Options
from stridekit.diagrams.scenes.colouring import Palette, SourceOf, sources
from stridekit.diagrams.scenes.compose import compose, on_memories
from stridekit.diagrams.scenes.elision import as_far_as_shown
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.scene import Scene, Section
from stridekit.errors import ArgumentError, InteropError, StridekitError, quoted
from stridekit.explain import contiguity
from stridekit.layouts.layout import count
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.layouts.whole_numbers import a_type, sizes_of
from stridekit.tensors.interop import Subject

CALL, STEPS_MOST = "draw_steps", 12
# Of a tensor so many elements are tried to find the one that is selected.
TRIED_MOST = 65_536
# What gives the same values and computes none, as a relu may by chance: always anew, or if it must.
_ASKED = ("astype(", "clone(", "copy(")
_COPYING = ("ascontiguousarray", "contiguous", "to(")
# From an address to where its element was in the first memory; None where that is not known.
Way = Callable[[int], int | None]
Draw = Callable[[list[tuple[str, Subject]], Options], Scene]


class Link(NamedTuple):
    """A tensor of a chain, kept so that no two ever lie at one place, and its header."""

    tensor: Any
    subject: Subject
    way: Way


class Chain:
    """A tensor, and what is called on it, link by link; a row of the picture for each."""

    def __init__(self, label: str, tensor: object, subject: Subject, options: Options) -> None:
        self.links: list[Link] = []
        self.rows: list[Section] = []
        self.failed: Exception | None = None
        self._writes = 0
        self._options, self._chosen = options, options.select
        start = subject.storage_address
        self._add(label, "", Link(tensor, subject, lambda address: address - start))
        self._options = self._options._replace(colour_by=None)

    def _add(self, label: str, told: str, link: Link, draw: Draw = compose) -> None:
        """Add a link and its row."""
        _, subject, way = link
        layout, start, unit = subject.layout, subject.storage_address, subject.itemsize
        if self.links and self._chosen is not None:
            first = self.links[0].subject
            chosen = first.layout.position(self._chosen) * first.itemsize
            those = islice(zip(layout.indices(), layout.positions(), strict=True), TRIED_MOST)
            index = next((i for i, at in those if way(start + at * unit) == chosen), None)
            self._options = self._options._replace(select=index)
        scene = draw([("", subject)], self._options)
        self._options = self._options._replace(palette=scene.palette)
        row, strip = scene.sections[0], scene.sections[0].strips[0]
        places = [each.address * strip.unit for each in strip.slots]
        origins = tuple((place, way(start + place)) for place in places)
        self.rows.append(row._replace(label=label, told=told, origins=origins))
        self.links.append(link)

    def call(self, call: str, link: Link, act: Callable[[], Any], *given: Any) -> Any:
        """Carry out a call on a tensor; gives a stand-in for the tensor that it gives.

        What it raises is drawn, and passes through. Raises ArgumentError for a step too many.
        """
        tensor, old, way = link
        label = f"{len(self.links)} · {call}"
        before = [("", one_subject(CALL, tensor))]
        look = self._options._replace(select=None, bytes=False)
        scene_of = changes.look_before({"": tensor}, before, look)
        try:
            result = act()
        except Exception as error:
            self.failed = error
            told, draw = f"Refused: {one_line(str(error), 300)}", compose
            with suppress(StridekitError):
                found = plan_view(old.layout, sizes_of(CALL, given))
                if isinstance(found, Obstacle) and call.startswith("view("):
                    told, size = f"Refused: {found.reason}.", found.new_size
                    draw = lambda named, options: changes.view(*named[0], size, options)  # noqa: E731
            self._add(label, told, link, draw)
            raise
        if result is None:
            # What works in place, and gives nothing back, goes on.
            result = tensor
        if not hasattr(result, "reshape"):
            # It gave no tensor, so it is not a step.
            return result
        if len(self.links) > STEPS_MOST:
            raise ArgumentError(
                f"{CALL}: a picture holds {STEPS_MOST} steps, and {call} is one more. Draw the "
                "chain in two."
            )
        scene = scene_of(result)
        self._options = self._options._replace(palette=scene.palette)
        new = named_as([old], one_subject(CALL, result))
        self._writes += scene.change in ("write", "resize")
        told = "The very same tensor" if result is tensor else "The same memory"
        if scene.change == "write" and old.dtype == new.dtype:
            told += ", written in place."
        elif scene.change == "resize":
            # Where it grows, what it held is copied to where there is more room.
            length = count(new.storage_length, "element")
            told += f": its storage goes from {old.storage_length:,} to {length}."
            way = _way_back(old, new, way, scene)
        elif len(scene.sections) == 1 or scene.change == "write":
            told += ": nothing is copied."
        else:
            told, way = _told_of_new(call, old, new, scene), _way_back(old, new, way, scene)
        self._add(label, told, Link(result, new, way))
        return Followed(self, self.links[-1])

    def take(self, step: Any, names: Mapping[str, Any]) -> None:
        """Carry a step out on the last tensor.

        A function that asks more of a stand-in than it can do is called anew with the tensor, as
        one step, unless it has written by then. Raises ArgumentError for what is not a step, or
        gives no tensor to go on with.
        """
        before, writes, tensor, run = len(self.links), self._writes, self.links[-1].tensor, step
        name = getattr(step, "__name__", "a function").strip("<>")
        if is_text := isinstance(step, str):
            # With the dot, or without.
            asked = step.strip().removeprefix(".")
            name, dot = one_line(asked), "" if asked.startswith("[") else "."
            code = f"it{dot}{asked}"
            run = lambda it: eval(code, {**names, "it": it})  # noqa: E731 - it is as short as that
        elif not callable(step):
            raise ArgumentError(
                f'{CALL}: a step is a text such as "t()", or a function, and {quoted(step)} is of '
                f"type {type(step).__name__}."
            )
        try:
            result = run(Followed(self, self.links[-1]))
        except Exception as error:
            if error is self.failed:
                return
            if isinstance(error, ArgumentError | InteropError):
                raise
            if is_text:
                # Python's own sentence says at which line of what text, too.
                why = f"{getattr(error, 'msg', error)!s:.200}".rstrip(".")
                raise ArgumentError(
                    f'{CALL}: "{name}" names no method of {a_type(tensor)}: {why}. Write what '
                    'stands behind the dot, such as "transpose(0, 1)".'
                ) from None
            if self._writes > writes:
                raise ArgumentError(
                    f"{CALL}: {name} asks for what a chain cannot follow, so it would be called "
                    "anew. By then it has written, and would do so twice. Give its steps as texts, "
                    f'such as {CALL}(x, "mul_(2)", "add(1)").'
                ) from error
            del self.links[before:], self.rows[before:]
            result = run(tensor)
        if hasattr(result, "reshape") and not isinstance(result, Followed):
            result = self.call(name, self.links[-1], lambda: result)
        if len(self.links) == before or not (result is None or isinstance(result, Followed)):
            raise ArgumentError(
                f"{CALL}: {name} gives {one_line(repr(result), 40)}, of type "
                f"{type(result).__name__}, and a chain goes on with one tensor."
            )
        if is_text and len(self.links) == before + 1:
            # As it was written, with the names that it speaks of.
            self.rows[-1] = self.rows[-1]._replace(label=f"{before} · {name}")

    def scene(self) -> Scene:
        """The picture."""
        subjects = [link.subject for link in self.links]
        sections = on_memories(self.rows, [[SectionMember("", subject, 0)] for subject in subjects])
        notes, options = told_of(subjects), self._options
        alt = [
            f"{row.label}: {f'{row.told} {header_text(subject)}'.lstrip()}."
            for row, subject in zip(self.rows, subjects, strict=True)
        ]
        palette = options.palette or Palette()
        return Scene(options.title, sections, (), notes, " ".join([*notes, *alt]), palette)


def _way_back(old: Subject, new: Subject, way: Way, scene: Scene) -> Way:
    """From a copy's addresses through those of its source to the first memory.

    A storage that has grown holds what it held, at the same positions.
    """
    source_of: SourceOf = lambda _: None  # noqa: E731
    if scene.change == "copy":
        source_of = sources(old.layout, new.layout)
    elif scene.change == "resize":
        source_of = lambda at: at if at < old.storage_length else None  # noqa: E731

    def way_back(address: int) -> int | None:
        position = source_of((address - new.storage_address) // new.itemsize)
        return None if position is None else way(old.storage_address + position * old.itemsize)

    return way_back


def _told_of_new(call: str, old: Subject, new: Subject, scene: Scene) -> str:
    """That memory is a new one, how many bytes, and why."""
    nbytes, why, what = f"{new.layout.numel * new.element_size:,} bytes", "", ""
    if old.dtype != new.dtype:
        what = f": {old.dtype} becomes {new.dtype}"
    elif changes.VALUE_NOTE in scene.notes:
        why = "its elements come in another order"
    elif scene.change != "copy":
        what = ": not the same values, element for element" if new.readable else ""
    elif old.device != new.device:
        why = f"it goes from {old.device} to {new.device}"
    elif call.startswith(_ASKED) or "copy=True" in call:
        why = f"{call.partition('(')[0]} was asked to copy"
    elif isinstance(plan := plan_view(old.layout, new.layout.size), Obstacle):
        why = plan.reason
    elif call.startswith(_COPYING) and new.is_contiguous and not old.is_contiguous:
        why = contiguity(old).answer.removeprefix("No: ").rstrip(".")
    else:
        what = f": the same values{as_far_as_shown(new.layout)}"
    return f"Copied, {nbytes}: {why}." if why else f"New memory, {nbytes}{what}."


def _item(item: Any) -> str:
    """One item of a key, as it is written."""
    if not isinstance(item, slice):
        return "..." if item is Ellipsis else repr(item)
    bounds = (item.start, item.stop, item.step)
    start, stop, step = ("" if each is None else repr(each) for each in bounds)
    return f"{start}:{stop}{f':{step}' if step else ''}"


class Followed:
    """Stands for a tensor of a chain: the tensor does what is asked of it, and that is a link."""

    def __init__(self, chain: Chain, link: Link) -> None:
        self._chain, self._link = chain, link

    def __getattr__(self, name: str) -> Any:
        look = partial(getattr, self._link.tensor, name)
        try:
            found = look()
        except RuntimeError:
            return self._chain.call(name, self._link, look)
        if hasattr(found, "reshape"):
            return self._chain.call(name, self._link, lambda: found)
        if name.startswith("__") or not callable(found):
            return found

        def method(*given: Any, **named: Any) -> Any:
            words = [*map(repr, given), *(f"{key}={value!r}" for key, value in named.items())]
            call = one_line(f"{name}({', '.join(words)})")
            return self._chain.call(call, self._link, partial(found, *given, **named), *given)

        return method

    def __getitem__(self, key: Any) -> Any:
        items = key if isinstance(key, tuple) else (key,)
        call = one_line(f"[{', '.join(map(_item, items))}]")
        return self._chain.call(call, self._link, lambda: self._link.tensor[key])
