"""How quick the tensor model is, as ratios measured side by side in one run.

    python -m bench.tensors

- `import stridekit` against importing the standard-library modules that it uses.
- A header operation on 10 elements against the same on 10,000,000,000,000.
- `contiguous()` of a million elements against torch's, on one thread.

Absolute times stand beside, and depend on the machine; ratios do so much less.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import torch

import stridekit as sk


def seconds(work: Callable[[], object], repeat: int = 7, number: int = 1) -> float:
    """The median time of one call."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            work()
        times.append((time.perf_counter() - start) / number)
    return median(times)


def import_times(rounds: int = 15) -> tuple[float, float]:
    """Seconds for `import stridekit`, and for the standard library alone, in fresh processes."""
    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; before = set(sys.modules); import stridekit; "
            "print(*sorted(n for n in set(sys.modules) - before if not n.startswith('stridekit')))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    library = ", ".join(found.stdout.split())
    # Compiled files are kept, as they are for everybody who has not switched that off.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", "import stridekit"], env=kept, check=True)
    timed = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        for names, times in (("stridekit", ours), (library, theirs)):
            done = subprocess.run(
                [sys.executable, "-c", timed.format(names)],
                env=kept,
                capture_output=True,
                text=True,
                check=True,
            )
            times.append(float(done.stdout))
    return median(ours), median(theirs)


def row(what: str, ours: float, baseline: str, theirs: float, unit: float, name: str) -> str:
    return (
        f"{what:44} {ours * unit:9.2f} {name}   {baseline:34} {theirs * unit:9.2f} {name}"
        f"   ratio {ours / theirs:6.2f}"
    )


def main() -> None:
    torch.set_num_threads(1)
    print(f"Python {sys.version.split()[0]}, torch {torch.__version__}, one thread\n")

    ours, library = import_times()
    print(row("import stridekit", ours, "the library modules it uses", library, 1e3, "ms"))
    print()

    small = sk.ones(5, 2)
    vast = sk.ones(1, 2).expand(5 * 10**12, 2)
    operations: dict[str, Callable[[sk.Tensor], object]] = {
        "t()": lambda x: x.t(),
        "permute(1, 0)": lambda x: x.permute(1, 0),
        "x[1:, 0]": lambda x: x[1:, 0],
        "unsqueeze(0)": lambda x: x.unsqueeze(0),
        "expand(3, -1, -1)": lambda x: x.expand(3, -1, -1),
        "as_strided((2,), (1,))": lambda x: x.as_strided((2,), (1,)),
        "is_contiguous()": lambda x: x.is_contiguous(),
        "diagonal()": lambda x: x.diagonal(),
    }
    for name, operation in operations.items():
        here = seconds(lambda op=operation: op(small), number=2000)
        there = seconds(lambda op=operation: op(vast), number=2000)
        print(row(f"{name} of 10**13 elements", there, "of 10 elements", here, 1e6, "us"))
    plain = sk.arange(10).view(2, 5)
    viewed = seconds(lambda: plain.view(5, 2), number=2000)
    print(row("view(5, 2) of 10 elements", viewed, "t() of 10 elements",
              seconds(lambda: plain.t(), number=2000), 1e6, "us"))  # fmt: skip
    print()

    for name, size, change in (
        ("transpose of 1000 x 1000", (1000, 1000), lambda x: x.t()),
        ("permute(2, 0, 1) of 100 x 100 x 100", (100, 100, 100), lambda x: x.permute(2, 0, 1)),
        ("every second column of 1000 x 2000", (1000, 2000), lambda x: x[:, ::2]),
        ("rows of a wider grid, 1000 x 1000", (1000, 1010), lambda x: x[:, :1000]),
        ("expand to 1000 x 1000", (1, 1000), lambda x: x.expand(1000, 1000)),
    ):
        for dtype in ("float32", "float64"):
            mine = change(sk.zeros(*size, dtype=dtype))
            torchs = change(torch.zeros(*size, dtype=getattr(torch, dtype)))
            here = seconds(mine.contiguous, repeat=9)
            there = seconds(torchs.contiguous, repeat=9)
            print(row(f"contiguous(), {name}, {dtype}"[:64], here, "torch", there, 1e3, "ms"))


if __name__ == "__main__":
    main()
