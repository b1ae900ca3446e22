"""What `watch` costs, and what the extension costs while nothing fails: processor time.

    python -m bench.watch

Each program is run plain and watched, side by side, the best of several. What an operation
costs does not depend on its size, so small tensors show the worst. The first number is what it
costs inside of the block, the second with the end of it, where what was recorded is read. Where
a program is longer than what is watched of it, the ratio is what counts. The same file runs with
the version before, in a worktree of its commit.
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
        return x + self.out(y.transpose(1, 2).reshape(b, t, c))


def best(works: list[Callable[[], float]], rounds: int = 9) -> list[float]:
    """The least of what each gives, taken in turns."""
    least = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            least[i] = min(least[i], work())
    return least


def operations(work: Callable[[], object]) -> int:
    """How many operations torch's profiler counts in a program."""
    with torch.profiler.profile() as profile:
        work()
    return sum(event.key.startswith("aten::") * event.count for event in profile.key_averages())


def compare(what: str, work: Callable[[], object], rounds: int = 9) -> None:
    """One line: plain, watched, the ratio, and the cost of an operation."""

    def plain() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    def inside() -> float:
        with sk.watch():
            return plain()

    def whole() -> float:
        start = time.process_time()
        with sk.watch():
            work()
        return time.process_time() - start

    work()
    bare, within, all_of_it = best([plain, inside, whole], rounds)
    count = operations(work)
    print(
        f"{what:44} {bare * 1e3:9.2f} ms   watched {all_of_it * 1e3:9.2f} ms   "
        f"ratio {all_of_it / bare:6.2f}   {count:6} operations, "
        f"{(within - bare) / count * 1e6:5.1f} µs each, with the end "
        f"{(all_of_it - bare) / count * 1e6:5.1f}"
    )


def step(model: nn.Module, x: torch.Tensor) -> Callable[[], None]:
    """Forward and back."""

    def work() -> None:
        model(x).sum().backward()

    return work


def training(layers: int, steps: int) -> Callable[[], None]:
    """A loop over a small GPT."""
    blocks = [
        nn.Sequential(nn.LayerNorm(64), Attention(64), nn.Linear(64, 64)) for _ in range(layers)
    ]
    model = nn.Sequential(nn.Embedding(100, 64), *blocks, nn.Linear(64, 100))
    optimizer = torch.optim.AdamW(model.parameters())
    tokens = torch.randint(0, 100, (4, 64))

    def work() -> None:
        for _ in range(steps):
            nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
            optimizer.step()
            optimizer.zero_grad()

    return work


def watched(work: Callable[[], object]) -> Callable[[], None]:
    """The same under watch."""

    def run() -> None:
        with sk.watch():
            work()

    return run


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """How long it takes."""

    def run() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return run


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

    train = training(12, 200)
    plain, under = best([timed(train), timed(watched(train))], 1)
    print(
        f"GPT, 12 layers, 200 steps: {plain:.1f} s, watched {under:.1f}, {under / plain:.2f} times"
    )

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
    plain, under = best([timed(cells), timed(loaded)])
    print(
        f"\na cell that does nothing: {plain * 1e4:.1f} µs without the extension, "
        f"{under * 1e4:.1f} µs with it"
    )


if __name__ == "__main__":
    main()
