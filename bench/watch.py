"""What `watch` costs, and what the extension costs while nothing fails: processor time.

    python -m bench.watch

Each program is run plain and watched, side by side, the best of several. What an operation
costs under watch does not depend on its size, so small tensors show the worst.
"""

import sys
import time
from collections.abc import Callable

import torch
from torch import nn

import stridekit as sk


class Attention(nn.Module):
    """One block of so many channels, four heads."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.qkv = nn.Linear(channels, 3 * channels)
        self.out = nn.Linear(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The usual way, with the heads read apart and put together."""
        b, t, c = x.shape
        parts = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.view(b, t, 4, c // 4).transpose(1, 2) for part in parts)
        y = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, c))


def best(works: list[Callable[[], object]], rounds: int = 15) -> list[float]:
    """The least processor time of each, in seconds, taken in turns."""
    least = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            start = time.process_time()
            work()
            least[i] = min(least[i], time.process_time() - start)
    return least


def compare(what: str, work: Callable[[], object]) -> None:
    """One line: plain, watched, the ratio, and the cost of an operation."""

    def watched() -> object:
        with sk.watch():
            return work()

    with sk.watch() as seen:
        work()
    work()
    operations = sum(row.times for row in seen.rows)
    plain, under = best([work, watched])
    each = (under - plain) / operations * 1e6
    print(
        f"{what:44} {plain * 1e3:9.2f} ms   watched {under * 1e3:9.2f} ms   "
        f"ratio {under / plain:6.2f}   {operations:5} operations, {each:5.1f} µs each"
    )


def step(model: nn.Module, x: torch.Tensor) -> Callable[[], None]:
    """Forward and back."""

    def work() -> None:
        model(x).sum().backward()

    return work


def main() -> None:
    """All of them."""
    torch.set_num_threads(1)
    print(f"Python {sys.version.split()[0]}, torch {torch.__version__}, one thread\n")
    small = torch.zeros(8, 8)
    compare("1000 views of (8, 8)", lambda: [small.t() for _ in range(1000)])
    compare("1000 copies of (8, 8)", lambda: [small.clone() for _ in range(1000)])
    compare("attention, 2 x 6 x 16, forward and back", step(Attention(16), torch.randn(2, 6, 16)))
    wide = torch.randn(8, 256, 512)
    compare("attention, 8 x 256 x 512, forward and back", step(Attention(512), wide))
    cnn = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU()
    ).to(memory_format=torch.channels_last)
    images = torch.randn(8, 3, 64, 64).to(memory_format=torch.channels_last)
    compare("CNN, 8 x 3 x 64 x 64, forward and back", step(cnn, images))

    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()

    def cells() -> None:
        for _ in range(100):
            shell.run_cell("pass", store_history=False)

    def loaded() -> None:
        sk.load_ipython_extension(shell)
        cells()
        sk.unload_ipython_extension(shell)

    cells()
    plain, under = best([cells, loaded])
    print(
        f"\na cell that does nothing: {plain * 1e4:.1f} µs without the extension, "
        f"{under * 1e4:.1f} µs with it"
    )


if __name__ == "__main__":
    main()
