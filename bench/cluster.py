"""A Dask cluster on this machine, for `python -m bench.grading --cluster`."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path

from stridekit_grading import runners
from stridekit_grading.runners import Cluster, Ran

ROOT = Path(__file__).resolve().parent.parent
# As long as a notebook and its steps are, more or less.
JOB = {"steps": [{"cell": 0, "kind": "cell", "source": "x" * 4000}], "files": {}}


def execute_nothing(_plan: str, _job: str) -> Ran:
    """In place of `runners.execute`."""
    return [{"isolation": ""}]


@contextmanager
def cluster(count: int) -> Iterator[str]:
    """A scheduler and so many workers, each with one thread; gives the address.

    Each worker has one processor, as if it were a machine of its own: where a worker's notebook,
    its referee and its guard may use all of them, one worker does the work of two.
    """
    processors = cycle(sorted(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        where = ["--scheduler-file", str(file), "--no-dashboard"]
        worker = [*where, "--nthreads", "1", "--local-directory", folder]
        commands = [["scheduler", *where, "--host", "127.0.0.1", "--port", "0"]]
        commands += [["worker", *worker]] * count
        processes = []
        try:
            for each in commands:
                process = subprocess.Popen(
                    [sys.executable, "-m", "dask", *each],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                )
                processes.append(process)
                if each[0] == "worker":
                    os.sched_setaffinity(process.pid, {next(processors)})
                # It is there before it is written.
                while not (file.exists() and file.read_text("utf-8").endswith("}")):
                    time.sleep(0.1)
            yield json.loads(file.read_text("utf-8"))["address"]
        finally:
            for each in reversed(processes):
                each.terminate()
                each.wait()


def empty(count: int) -> tuple[float, float]:
    """For each of so many submissions that nobody has to run, by two workers.

    Seconds on the wall, and of processor time: of this process, the scheduler and the workers.
    """
    runners.execute = execute_nothing
    with cluster(2) as address:
        runner = Cluster(address)
        try:
            runner.prepare({}, Path())
            began, spent = time.perf_counter(), _spent()
            begun, running = 0, set[Future[Ran]]()
            while begun < count or running:
                while begun < count and len(running) < runner.places:
                    running.add(runner.submit(JOB))
                    begun += 1
                over, running = wait(running, return_when=FIRST_COMPLETED)
                for each in over:
                    runner.result(each)
            return (time.perf_counter() - began) / count, (_spent() - spent) / count
        finally:
            runner.close()


def _spent() -> float:
    """Seconds of processor time, of this process and all below it."""
    import psutil

    me = psutil.Process()
    total = 0.0
    for each in [me, *me.children(recursive=True)]:
        with suppress(psutil.Error):
            total += sum(each.cpu_times()[:2])
    return total
