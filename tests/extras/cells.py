"""Cells that are run as a notebook's are, and the table of those that fail."""

import hashlib
import linecache
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch.utils.data import DataLoader

import stridekit as sk

mpl.use("agg")

_numbers = count()
_LIBRARIES = {
    "torch": torch, "nn": torch.nn, "F": torch.nn.functional, "DataLoader": DataLoader,
    "np": np, "plt": plt, "sk": sk, "hashlib": hashlib,
}  # fmt: skip


def run(cell, **names):
    """Run a cell; its source can be read, as a notebook's can."""
    file = f"<a test's cell {next(_numbers)}>"
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    code, namespace = compile(cell, file, "exec"), {"__name__": "__main__", **_LIBRARIES, **names}
    # In a thread of its own: a browser that an earlier test opened keeps this one's event loop.
    with warnings.catch_warnings(), ThreadPoolExecutor(1) as thread:
        warnings.simplefilter("ignore")
        thread.submit(exec, code, namespace).result()


def failure(cell, **names):
    """What a cell raises."""
    try:
        run(cell, **names)
    except Exception as error:  # noqa: BLE001 - whatever a cell raises
        return error
    raise AssertionError("this was to fail")


def failing_cells():
    """The rows of the table: a family, a cell, the facts that are said, and the ways out."""
    text = Path(__file__).with_name("failing_cells.txt").read_text("utf-8")
    for block in text.split("\n%% ")[1:]:
        family, rows = block.rstrip().split("\n", 1)
        cell = re.split(r"\n(?=says |paste |nothing$)", rows)
        facts = [row[5:] for row in cell[1:] if row.startswith("says ")]
        ways = [row[6:] for row in cell[1:] if row.startswith("paste ")]
        yield family, cell[0], facts, ["" if way == "nothing" else way for way in ways]
