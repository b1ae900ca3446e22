"""What a GPU takes for copies of several strides, beside what `warp_sectors` counts.

    python -m bench.gpu             prints a table, and writes it to bench/gpu.json
    python -m bench.gpu other.json

Each case copies as many `float32`, from a source of another header to a contiguous target. The
count says how many bytes of sectors the reads and the writes touch, with threads in the order of
the target; the clock, what came of that. It needs a GPU that CUDA can use.
"""

import json
import platform
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from statistics import median

import torch

from stridekit import warp_sectors

HERE = Path(__file__).resolve().parent
# 64 MiB of numbers: more than the caches of most GPUs hold.
SIDE = 4096
RUNS, WARM = 50, 5


def sources(device: str, side: int = SIDE) -> Mapping[str, torch.Tensor]:
    """By name what is copied: each of side × side numbers."""
    count = side * side
    found = {
        f"a stride of {step}": torch.zeros(count * step, device=device)[::step]
        for step in (1, 2, 4, 8, 16, 32)
    }
    found["an offset of 1"] = torch.zeros(count + 1, device=device)[1:]
    found["a transpose"] = torch.zeros(side, side, device=device).t()
    found["one row, expanded"] = torch.zeros(1, side, device=device).expand(side, side)
    return found


def counted(source: torch.Tensor, target: torch.Tensor) -> int:
    """The bytes of all sectors that a copy touches."""
    return sum(
        warp_sectors(x.size(), x.stride(), x.element_size(), x.storage_offset()).fetched
        for x in (source, target)
    )


def by_cuda(work: Callable[[], object]) -> float:
    """The seconds of a run on the GPU: the median of some."""
    for _ in range(WARM):
        work()
    times = []
    for _ in range(RUNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / 1000)
    return median(times)


def rows(
    device: str, seconds: Callable[[Callable[[], object]], float], side: int = SIDE
) -> list[dict[str, object]]:
    """A row for each source: bytes that are wanted, bytes by the count, and gigabytes a second."""
    found = []
    for name, source in sources(device, side).items():
        target = torch.empty(source.size(), device=device)
        wanted, touched = 2 * target.nbytes, counted(source, target)
        taken = seconds(lambda target=target, source=source: target.copy_(source))
        found.append(
            {
                "copy": name,
                "stride": source.stride(),
                "wanted": wanted,
                "counted": touched,
                "microseconds": round(1e6 * taken, 1),
                "wanted_gb_per_s": round(wanted / taken / 1e9, 1),
                "counted_gb_per_s": round(touched / taken / 1e9, 1),
            }
        )
    return found


def main() -> None:
    if not torch.cuda.is_available():
        sys.exit(
            "bench.gpu needs a GPU that CUDA can use, and torch finds none here: run it on a "
            "machine where torch.cuda.is_available() is True."
        )
    table = {
        "device": torch.cuda.get_device_name(),
        "compute_capability": torch.cuda.get_device_capability(),
        "date": date.today().isoformat(),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
        },
        "numbers": SIDE * SIDE,
        "dtype": "float32",
        "rows": rows("cuda", by_cuda),
    }
    print(f"{table['device']}, torch {torch.__version__}, {SIDE * SIDE:,} float32 in each copy\n")
    print(f"{'copy':20} {'counted / wanted':>17} {'µs':>9} {'wanted GB/s':>12}")
    for row in table["rows"]:
        ratio = row["counted"] / row["wanted"]
        print(
            f"{row['copy']:20} {ratio:>17.2f} {row['microseconds']:>9} {row['wanted_gb_per_s']:>12}"
        )
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gpu.json"
    target.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"\nwritten to {target}")


if __name__ == "__main__":
    main()
