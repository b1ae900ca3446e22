"""How quick diagrams are, as ratios measured side by side in one run.

    python -m bench.diagrams

- A new 3 x 4 figure as PNG, against one Rectangle and one Text for each cell.
- A scene and its SVG for 64 cells.
- The same in a notebook: what is kept, and how long it takes, for a picture that stands still, for
  one that follows the theme, and for one that answers to the hand.
- A tensor of 10,000,000,000,000 x 3 x 2 elements against a 3 x 4: time and memory, for scene and
  SVG and for PNG.

The rounds of what is compared take turns, so that a machine that slows down slows both. Absolute
medians stand beside, and the quickest of all rounds; they depend on the machine.
"""

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from statistics import median

import matplotlib as mpl
import torch
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import stridekit as sk
from stridekit import Diagram, draw
from stridekit.diagrams.live import image_html, touch_data
from stridekit.diagrams.pages.colours import FILLS
from stridekit.diagrams.pages.placement import lay_out

# Both are drawn as finely.
DPI = 96
Work = Callable[[], object]


def by_turns(works: dict[str, Work], rounds: int, number: int = 1) -> dict[str, list[float]]:
    """The times of one call of each, in seconds, round after round."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            for _ in range(number):
                work()
            times[name].append((time.perf_counter() - start) / number)
    return times


def png(diagram: Diagram) -> None:
    """A diagram's figure as PNG."""
    diagram.figure().savefig(BytesIO(), dpi=DPI, format="png")


def answering(diagram: Diagram) -> str:
    """What a live notebook keeps of a diagram."""
    data = touch_data(diagram.scene, lay_out(diagram.scene))
    return image_html(diagram.svg("auto"), diagram.alt, diagram.text(), data)


def artist_for_each_cell() -> None:
    """The same 3 x 4 picture, as one would write it down at first."""
    figure = Figure(figsize=(3.8, 2.7), dpi=DPI)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, 365)
    ax.set_ylim(259, 0)
    ax.set_axis_off()
    for i in range(3):
        for j in range(4):
            cell(ax, 14 + 36 * j, 62 + 32 * i, 36, 32, FILLS[i], 4 * i + j, 13)
    for position in range(12):
        x = 14 + 28 * position
        cell(ax, x, 200, 28, 28, FILLS[position // 4], position, 12)
        ax.text(x + 14, 237, str(position), fontsize=7.5, family="monospace", ha="center")
    for x, y, words in (
        (14, 22, "size (3, 4) · stride (4, 1) · offset 0 · int64"),
        (18, 45, "dim 1 · size 4 · stride 1"),
        (174, 110, "dim 0 · size 3 · stride 4"),
        (14, 188, "storage · 12 elements of 8 bytes"),
    ):
        ax.text(x, y, words, fontsize=9)
    ax.plot([14, 14, 158, 158], [58, 54, 54, 58], color="#333333", linewidth=0.8)
    ax.plot([162, 166, 166, 162], [62, 62, 158, 158], color="#333333", linewidth=0.8)
    figure.savefig(BytesIO(), dpi=DPI, format="png")


def cell(
    ax: object, x: int, y: int, width: int, height: int, fill: str, value: int, size: int
) -> None:
    """One Rectangle and one Text."""
    ax.add_patch(Rectangle((x, y), width, height, facecolor=fill, edgecolor="#333333"))
    ink = "#FFFFFF" if fill == FILLS[0] else "#1A1A1A"
    ax.text(x + width / 2, y + height / 2, str(value), color=ink, fontsize=size * 0.75,
            family="monospace", ha="center", va="center")  # fmt: skip


def in_a_notebook(tensor: torch.Tensor) -> dict[str, Work]:
    """What each form takes of a new diagram, for one keeps what it has written."""
    return {
        "plain": lambda: draw(tensor)._repr_html_(),  # what IPython calls
        "both themes": lambda: draw(tensor).html(),
        "and answering": lambda: answering(draw(tensor)),
    }


def peak(work: Work) -> int:
    """The most memory that a call takes at once, in bytes."""
    work()
    gc.collect()
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def line(what: str, seconds: list[float]) -> str:
    return f"  {what:46} median {median(seconds) * 1e3:8.3f} ms   best {min(seconds) * 1e3:8.3f} ms"


def ratio(ours: list[float], theirs: list[float]) -> float:
    """The median of the ratios round by round."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def main() -> None:
    print(
        f"Python {sys.version.split()[0]}, matplotlib {mpl.__version__}, "
        f"torch {torch.__version__}\n"
    )
    grid = torch.arange(12).view(3, 4)

    print("A new 3 x 4 figure as PNG")
    times = by_turns({"ours": lambda: png(draw(grid)), "each": artist_for_each_cell}, rounds=25)
    print(line("draw(x).figure() to PNG", times["ours"]))
    print(line("one Rectangle and one Text per cell", times["each"]))
    print(f"  {ratio(times['each'], times['ours']):.2f} times faster (wanted: 2.5)\n")

    print("A scene and its SVG")
    square = torch.arange(64).view(8, 8)
    own, array = sk.from_torch(square), square.numpy()
    works: dict[str, Work] = {
        "8 x 8, torch": lambda: draw(square).svg(),
        "8 x 8, NumPy": lambda: draw(array).svg(),
        "8 x 8, stridekit": lambda: draw(own).svg(),
        "3 x 4, torch": lambda: draw(grid).svg(),
    }
    for name, seconds in by_turns(works, rounds=60, number=20).items():
        print(line(name, seconds))
    print("  (wanted: 64 cells under 1 ms)\n")

    print("In a notebook, PNG aside: HTML of today's plain form, in both themes, with places")
    for name, tensor in (("3 x 4", grid), ("8 x 8", square)):
        works = in_a_notebook(tensor)
        for form, seconds in by_turns(works, rounds=60, number=10).items():
            print(line(f"{name}, {form}, {len(str(works[form]())):,} bytes", seconds))
    print()

    vast = torch.arange(6).view(1, 3, 2).expand(10_000_000_000_000, 3, 2)
    print("10,000,000,000,000 x 3 x 2 elements against 3 x 4 (wanted: within 2 times)")
    for what, show, rounds, number in (
        ("scene and SVG", lambda x: draw(x).svg(), 60, 20),
        ("figure to PNG", lambda x: png(draw(x)), 15, 1),
    ):
        works = {
            "vast": lambda show=show: show(vast),
            "small": lambda show=show: show(grid),
        }
        times = by_turns(works, rounds, number)
        print(line(f"{what}, vast", times["vast"]))
        print(line(f"{what}, 3 x 4", times["small"]))
        memory = peak(works["vast"]) / peak(works["small"])
        print(f"  time {ratio(times['vast'], times['small']):.2f}, memory {memory:.2f} times\n")


if __name__ == "__main__":
    main()
