"""How quick pictures of pixels are, beside the least that has to be done for them.

    python -m bench.pixels

A key press in a notebook draws a picture anew: a face of 64 x 96 in colour, from tensors of each
library, through headers of each kind, to SVG. All in processor time. Beside it stands packing the
same pixels as a PNG and nothing else, so that a slow machine is seen to be slow.
"""

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import torch

import stridekit as sk
from stridekit import draw_change, draw_pixels
from stridekit.diagrams.renderers.svg import to_png
from stridekit.layouts.layout import Layout

Work = Callable[[], object]
ROUNDS = 40


def by_turns(works: dict[str, Work]) -> dict[str, list[float]]:
    """Processor time of each, round after round, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    return times


def main() -> None:
    print(f"Python {sys.version.split()[0]}, torch {torch.__version__}, NumPy {np.__version__}\n")
    face = sk.face()
    x = torch.from_numpy(face.clone().numpy())
    array = x.numpy()
    pixels = bytes(face.untyped_storage().memory)
    large = torch.randint(256, (3000, 4000, 3), dtype=torch.uint8)
    grid = torch.arange(64).view(8, 8)
    works: dict[str, Work] = {
        "the least: its PNG alone": lambda: to_png(96, 64, 3, pixels),
        "stridekit": lambda: draw_pixels(face).svg(),
        "torch": lambda: draw_pixels(x).svg(),
        "NumPy": lambda: draw_pixels(array).svg(),
        "sheared": lambda: draw_pixels(face, stride=(291, 3, 1)).svg(),
        "transposed": lambda: draw_pixels(x.transpose(0, 1)).svg(),
        "stride 0": lambda: draw_pixels(face, stride=(0, 3, 1)).svg(),
        "in grey": lambda: draw_pixels(face, size=(64, 96)).svg(),
        "float32": lambda: draw_pixels(x / 255).svg(),
        "int64": lambda: draw_pixels(x.long()).svg(),
        "two, and a pixel outlined": lambda: draw_pixels(
            [face, Layout((64, 96, 3), (288, 3, -1), 2)], select=(8, 55)
        ).svg(),
        "as text": lambda: draw_pixels(face).text(),
        "as a notebook shows it": lambda: draw_pixels(face)._repr_html_(),
        "every 16th of 3000 x 4000": lambda: draw_pixels(large).svg(),
        "a change of 64, still": lambda: draw_change(grid, lambda t: t.t().contiguous()).svg(),
        "a change of 64, in motion": lambda: draw_change(
            grid, lambda t: t.t().contiguous(), motion=True
        ).svg(),
    }
    for name, seconds in by_turns(works).items():
        best, middle = min(seconds) * 1e3, median(seconds) * 1e3
        print(f"  {name:30} median {middle:7.2f} ms   best {best:7.2f} ms")
    print("  (wanted: a face of 64 x 96 in 5 ms)")


if __name__ == "__main__":
    main()
