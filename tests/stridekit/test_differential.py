"""Every operation against torch, twenty thousand times."""

import sys

from stridekit import Tensor
from tests.stridekit.differential import CALLS, METHODS, Case, Layout, compare, main, run, shrink

CASES = 20_000


def test_no_mismatch_in_random_cases():
    """The same cases every time; `python -m tests.stridekit.differential` looks for new ones."""
    assert run(CASES, seed=1000) == (CASES, [])


def test_every_operation_is_compared():
    """Whatever a tensor can do, but for what reads the header or leads out to other libraries."""
    plain = {name.removesuffix("_format").removeprefix("is_") for name in METHODS}
    here = plain | {"__getitem__", "__setitem__", "__len__", "__iter__", "size", "stride", "tolist"}
    read = {"dim", "numel", "element_size", "storage_offset", "untyped_storage", "data_ptr"}
    others = {"shares_storage_with", "numpy", "torch", "is_contiguous"}
    offered = {
        name
        for kind in Tensor.__mro__[:-1]
        for name, member in vars(kind).items()
        if callable(member) and (not name.startswith("_") or name in here)
    }
    assert offered - here - read - others == set()


def test_a_mismatch_is_found_and_made_small(monkeypatch):
    """So that the tests above can fail, and say little."""
    monkeypatch.setitem(
        CALLS,
        "transpose",
        lambda x, a, b: x.transpose(a, b) if isinstance(x, Tensor) or x.numel() < 4 else x,
    )
    case = Case(Layout((3, 4, 2), (8, 2, 1), 3), "int16", "transpose", (0, -1))
    assert compare(case)
    small = shrink(case)
    assert compare(small)
    assert small.layout.numel == 4
    assert small.layout.storage_offset == 0
    assert small.dtype == "int64"


def test_the_command_reports_what_it_did(capsys, monkeypatch):
    """Cases, operations, seed, time and mismatches; the exit status says whether there were any."""
    monkeypatch.setattr(sys, "argv", ["differential", "--cases", "200", "--seed", "7"])
    assert main() == 0
    said = capsys.readouterr().out
    assert said.startswith(f"200 cases over {len(METHODS)} operations, seed 7, in ")
    assert said.endswith(": 0 mismatches\n")
    monkeypatch.setitem(CALLS, "t", lambda x: x if isinstance(x, Tensor) else x.t())
    monkeypatch.setattr("tests.stridekit.differential._NAMES", ("t",))
    assert main() == 1
    said = capsys.readouterr().out
    assert "method='t'" in said
    assert said.endswith(": 10 mismatches\n")
