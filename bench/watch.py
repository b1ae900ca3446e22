"""What `watch` costs, and what the extension costs while nothing fails: processor time.

    python -m bench.watch

What an operation costs inside of the block, and with the end of it, where what was recorded is
read: the median of differences, each between a run that is watched and a plain one just before it,
so that what slows both down falls out. How far off that may be is told by the same median of two
plain runs, which differ by what else the machine does alone. Kernels of milliseconds make it large,
and those of small tensors leave it small; so the same programs are run with both.
Large ones cost more each, because a recording is read every 60 ms, which has a price of its own,
and kernels leave nothing of ours in the processor's caches: there the ratio is what counts, and so
it is where a program is longer than what is watched of it. The same file runs with the version
before, in a worktree of its commit.
"""

import sys
import time
from collections.abc import Callable
from operator import sub
from statistics import median

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


def operations(work: Callable[[], object]) -> int:
    """How many operations torch's profiler counts in a program."""
    with torch.profiler.profile() as profile:
        work()
    return sum(event.key.startswith("aten::") * event.count for event in profile.key_averages())


def in_turns(works: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """The processor time of each, run in turns, once each round."""
    took: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for each, work in zip(took, works, strict=True):
            start = time.process_time()
            work()
            each.append(time.process_time() - start)
    return took


def compare(what: str, work: Callable[[], object], rounds: int = 40) -> None:
    """One line: plain, the ratio, and the cost of an operation, with how far off it may be."""
    inside = list[float]()

    def timed_inside() -> None:
        with sk.watch():
            start = time.process_time()
            work()
            inside.append(time.process_time() - start)

    # Before each that is timed runs a plain one that is not: all begin in the same state.
    works = [work, work, work, watched(work), work, work, work, timed_inside]
    in_turns(works, 3)
    inside.clear()
    _, plain, again, whole, _, _, last, _ = in_turns(works, rounds)
    count = operations(work)

    def each(took: list[float], than: list[float]) -> float:
        return median(map(sub, took, than)) / count * 1e6

    print(
        f"{what:36} {median(plain) * 1e3:7.2f} ms, ratio {median(whole) / median(plain):5.2f}, "
        f"{count:5} operations, µs each: {each(inside, last):5.1f}, with the end "
        f"{each(whole, again):5.1f}; plain ones differ by {each(again, plain):+5.1f}"
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


def main() -> None:
    """All of them."""
    torch.set_num_threads(1)
    print(f"Python {sys.version.split()[0]}, torch {torch.__version__}, one thread\n")
    small = torch.zeros(8, 8)
    compare("1000 views of (8, 8)", lambda: [small.t() for _ in range(1000)])
    compare("1000 copies of (8, 8)", lambda: [small.clone() for _ in range(1000)])
    compare("attention, 2 x 6 x 16", step(Attention(16), torch.randn(2, 6, 16)))
    compare("attention, 8 x 256 x 512", step(Attention(512), torch.randn(8, 256, 512)), 10)
    cnn = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU()
    ).to(memory_format=torch.channels_last)
    for n, side in ((1, 8), (8, 64)):
        images = torch.randn(n, 3, side, side).to(memory_format=torch.channels_last)
        compare(f"CNN, {n} x 3 x {side} x {side}", step(cnn, images), 20)

    train = training(12, 200)
    (plain,), (under,) = in_turns([train, watched(train)], 1)
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
    plain, under = map(min, in_turns([cells, loaded], 9))
    print(
        f"\na cell that does nothing: {plain * 1e4:.1f} µs without the extension, "
        f"{under * 1e4:.1f} µs with it"
    )


if __name__ == "__main__":
    main()
