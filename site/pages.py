"""Lays out the pages that Sphinx reads: where everything comes from, and what is made of it."""

import base64
import importlib
import inspect
import re
import shutil
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import notebooks
from dressing import dressed
from finish import sized

ROOT = notebooks.ROOT
HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build" / "site"
PAGES, EXTRA = BUILD / "pages", BUILD / "extra"
# Pages that are in the repository already, with links between them that work there too.
TEXTS = ("CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "docs/gallery/*.md")

# The reference: pages, what each begins with, and the public names on it.
API: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "drawing": (
        "Drawing",
        "Pictures of tensors in memory. Each takes tensors of stridekit, PyTorch and NumPy, and "
        "whatever else offers its memory.",
        (
            "stridekit.draw", "stridekit.draw_change", "stridekit.draw_steps",
            "stridekit.draw_view", "stridekit.draw_resize", "stridekit.draw_as_strided",
            "stridekit.draw_pixels", "stridekit.draw_warp", "stridekit.warp_sectors",
            "stridekit.face", "stridekit.Diagram", "stridekit.diagrams.PixelDiagram",
            "stridekit.diagrams.WarpDiagram", "stridekit.diagrams.set_live",
        ),
    ),
    "explain": (
        "Explaining",
        "Why something is so, step by step, as data that prints itself.",
        tuple(
            f"stridekit.explain.{name}"
            for name in (
                "contiguity", "view", "broadcast", "position", "density", "channels_last",
                "Explanation", "WalkStep", "Chunk", "PlaceStep", "HopStep",
            )
        ),
    ),
    "explorers": (
        "Explorers",
        "Widgets to play with: change a size, a stride or an index, and see what memory does.",
        tuple(
            f"stridekit.explorers.{name}"
            for name in (
                "index", "strides", "reshape", "permute", "slicing", "broadcast", "sharing",
                "traversal", "pixels",
            )
        ),
    ),
    "questions": (
        "Questions",
        "Questions that answer back, and what you have done so far.",
        (
            "stridekit_course.ask", "stridekit_course.five", "stridekit_course.answer",
            "stridekit_course.my_progress",
        ),
    ),
    "checks": (
        "Checks",
        "What the test cells of the assignments call.",
        ("stridekit_course.check", "stridekit_course.CheckFailed"),
    ),
    "own-code": (
        "On your own code",
        "Where a program copies, and why an operation fails.",
        (
            "stridekit.watch", "stridekit.load_ipython_extension",
            "stridekit.unload_ipython_extension",
        ),
    ),
    "making": (
        "Making tensors",
        "stridekit's own tensors, with torch's words and torch's results.",
        tuple(
            f"stridekit.{name}"
            for name in (
                "tensor", "arange", "zeros", "ones", "as_tensor", "from_numpy", "from_torch",
                "from_dlpack",
            )
        ),
    ),
    "tensor": (
        "Tensor",
        "A header over a storage: its methods have torch's names.",
        ("stridekit.Tensor", "stridekit.Storage"),
    ),
    "layout": (
        "Layout, dtypes and memory formats",
        "A header without memory, and the words for what is in one. The dtypes are `bool`, "
        "`uint8` to `uint64`, `int8` to `int64`, `float16`, `bfloat16`, `float32`, `float64`, "
        "`complex64` and `complex128`; the memory formats `contiguous_format`, `channels_last`, "
        "`channels_last_3d` and `preserve_format`.",
        ("stridekit.Layout", "stridekit.DType", "stridekit.MemoryFormat"),
    ),
    "errors": (
        "Errors",
        "Each states the call, the facts, the reason and the way out, and is caught by the name "
        "that torch, NumPy or Python has for it.",
        (),
    ),
}  # fmt: skip


def lay_out(*, run: bool = True) -> list[Path]:
    """Write all pages, and give the files. Notebooks have outputs if they are run."""
    for folder in (PAGES, EXTRA):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for each in HERE.glob("*.md"):
        _write(PAGES / each.name, filled(each.read_text("utf-8"), landing if run else str))
    for pattern in TEXTS:
        for each in sorted(ROOT.glob(pattern)):
            _write(PAGES / each.relative_to(ROOT), each.read_text("utf-8"))
    for name, text in api_pages().items():
        _write(PAGES / "api" / f"{name}.rst", text)
    made = notebooks.executed(notebooks.NOTEBOOKS) if run else {
        path: nbformat.read(path, as_version=4) for path in notebooks.NOTEBOOKS
    }  # fmt: skip
    for path, notebook in made.items():
        _write(EXTRA / "notebooks" / path.name, path.read_text("utf-8"))
        _write(PAGES / "course" / path.name, nbformat.writes(dressed(notebook, path.stem)))
    if run:
        hang(PAGES)
    for svg in (ROOT / "docs" / "gallery").glob("dark/*.svg" if run else "**/*.svg"):
        _write(PAGES / svg.relative_to(ROOT), svg.read_text("utf-8"))
    return [each for each in PAGES.rglob("*") if each.is_file()]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def filled(text: str, picture: Callable[[], str]) -> str:
    """A page of the site's own, with its live picture where it says so."""
    return text.replace("<!-- live picture -->", picture())


def landing() -> str:
    """The landing page's picture, inline, so that it answers before anything else is loaded.

    On a phone one tensor has room beside nothing, so that a picture of it alone takes its place.
    """
    import stridekit as sk
    from stridekit.diagrams import live

    x = sk.arange(12).view(3, 4)
    shown = {
        "sk-wide": (
            sk.draw({"x": x, "x.t()": x.t()}),
            "Two tensors, one strip of memory. A transpose moves nothing: the same twelve slots in "
            "the same colours, read in another order.",
        ),
        "sk-narrow": (
            sk.draw(x.t(), title="x.t()"),
            "A transpose moves nothing: twelve slots as they lay in <code>x</code>, row after row, "
            "read in another order.",
        ),
    }
    held = []
    with _looked_on():
        for where, (picture, words) in shown.items():
            inside = live.inline_html(picture.svg("auto"), picture._touch_data())  # noqa: SLF001
            held.append(
                f'<div class="{where}"><div class="stridekit sk-landing">{inside}</div>'
                f"<p>{words}</p></div>"
            )
    return f"```{{raw}} html\n{''.join(held)}\n```"


class _looked_on:  # noqa: N801 - it is used as a function
    """Pictures come with their places, as if a page looked on."""

    def __enter__(self) -> None:
        from stridekit.diagrams import live

        self.was, live.is_live = live.is_live, lambda: True

    def __exit__(self, *_error: object) -> None:
        from stridekit.diagrams import live

        live.is_live = self.was


def hang(pages: Path) -> None:
    """In place of the gallery's images, pictures that answer and follow the theme."""
    pictures = gallery().PICTURES
    image = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\((?:\S*/)?([\w-]+)\.svg\)")
    for page in [*pages.glob("docs/*.md"), *pages.glob("docs/gallery/*.md")]:
        up = "../" * (len(page.relative_to(pages).parts) - 1)

        def picture(found: re.Match[str], up: str = up) -> str:
            name = found[1]
            if name not in pictures or "dark/" in found[0]:
                return found[0]
            with _looked_on():
                shown = sized(pictures[name]()._repr_mimebundle_()["text/html"])
            linked = shown
            for form, lazy in (("src", 'loading="lazy" '), ("srcset", "")):
                held = re.search(rf'\b{form}="data:image/svg\+xml;base64,([^"]+)"', shown)
                if held:
                    file = f"{name}.svg" if lazy else f"{name}-narrow.svg"
                    svg = base64.b64decode(held[1]).decode()
                    _write(EXTRA / "pictures" / file, svg)
                    # Its room is kept until it comes: a link into the page leads where it says.
                    room = re.search(r'width="([\d.]+)" height="[\d.]+"', svg)
                    assert room
                    linked = linked.replace(
                        held[0], f'{lazy}{room[0]} {form}="{up}pictures/{file}"'
                    )
                    if not lazy:
                        linked = linked.replace("; --width", f"; --narrow: {room[1]}px; --width")
            return f'`````{{raw}} html\n<div class="sk-picture">{linked}</div>\n`````'

        text = page.read_text("utf-8")
        page.write_text(image.sub(picture, text), encoding="utf-8")


def gallery() -> ModuleType:
    """docs/gallery/pictures.py, which is not a package."""
    spec = spec_from_file_location("pictures", ROOT / "docs" / "gallery" / "pictures.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def api_pages() -> dict[str, str]:
    """The reference's pages, by name: a table of what is on each, then all of it."""
    pages = {}
    for name, (title, words, names) in API.items():
        listed = names or tuple(f"stridekit.errors.{error.__name__}" for error in errors())
        table = "\n".join(f"   ~{each}" for each in listed)
        parts = [
            f"{title}\n{'=' * len(title)}",
            re.sub(r"`([^`]+)`", r"``\1``", words),
            f".. autosummary::\n   :nosignatures:\n\n{table}",
            *map(_entry, listed),
        ]
        pages[name] = "\n\n".join(parts) + "\n"
    tree = "\n".join(f"   {name}" for name in API)
    pages["index"] = (
        "API reference\n=============\n\n"
        "Everything that is public, from its docstrings. Examples are run by the tests. "
        "``import stridekit as sk`` loads nothing but the standard library.\n\n"
        f".. toctree::\n   :maxdepth: 2\n\n{tree}\n"
    )
    return pages


def errors() -> list[type[Exception]]:
    """All exceptions that stridekit raises, in the order of their module."""
    module = importlib.import_module("stridekit.errors")
    return [each for each in vars(module).values() if inspect.isclass(each)
            and each.__module__ == module.__name__]  # fmt: skip


def found(name: str) -> Any:
    """What a public name stands for."""
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def _entry(name: str) -> str:
    thing = found(name)
    if inspect.isclass(thing):
        options = "   :members:\n   :inherited-members: Exception, dict, tuple, int\n"
        if issubclass(thing, BaseException):
            options = "   :show-inheritance:\n"
        return f".. autoclass:: {name}\n{options}"
    return f".. autofunction:: {name}\n" if inspect.isroutine(thing) else f".. autodata:: {name}\n"
