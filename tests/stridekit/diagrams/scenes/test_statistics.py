"""What is told of all elements: NumPy and torch say the same."""

import re
from math import prod

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import stridekit as sk
from stridekit import draw
from stridekit.tensors.interop.measures import together
from stridekit.tensors.subjects import subject_of
from tests.stridekit.strategies import layouts, twins

NUMBER = r"(-?[\d,.]+(?:e[+-]\d+)?|nan)"


def told(x, **options):
    """The line about a tensor, and its numbers by their words."""
    (line,) = draw(x, stats=True, **options).scene.notes
    words = ("mean", "standard deviation", "smallest", "largest")
    found = {word: re.search(f"{word} {NUMBER}", line, re.IGNORECASE) for word in words}
    return line, [float(each[1].rstrip(",.").replace(",", "")) for each in found.values() if each]


@given(layouts, st.sampled_from(["int64", "float32", "uint8"]))
def test_all_libraries_say_what_torch_says(layout, dtype):
    """Of any header, repeated and overlapping elements included: each counts as often as torch."""
    ours, theirs = twins(layout)
    if not theirs.numel():
        assert told(ours)[0] == "Without elements there are no statistics."
        return
    theirs = theirs.to(getattr(torch, dtype)) % 97
    found = theirs.double()
    expected = [found.mean(), found.std(correction=0), found.min(), found.max()]
    _, numbers = told(theirs)
    assert numbers == pytest.approx([each.item() for each in expected], rel=1e-3, abs=1e-9)
    assert told(theirs.numpy())[1] == numbers
    assert told(sk.from_numpy(theirs.contiguous().numpy()))[1] == numbers


@given(st.lists(st.sampled_from([1.5, -2.0, 1e300, float("nan"), float("inf"), -float("inf")])))
def test_what_is_not_finite_is_counted_apart(values):
    """And in no mean."""
    x = torch.tensor([*values, 0.5], dtype=torch.float64)
    line, numbers = told(x)
    finite = x[x.isfinite()]
    assert numbers[2:] == pytest.approx([finite.min().item(), finite.max().item()], rel=1e-3)
    for what, n in (("NaN", x.isnan().sum()), ("infinite", x.isinf().sum())):
        assert (f"{n} {what}" in line) == bool(n)
    assert told(sk.tensor(x.tolist(), dtype=sk.float64))[1][2:] == numbers[2:]


@pytest.mark.parametrize(
    ("x", "line"),
    [
        (torch.tensor([True, False, True, True]), "True in 0.75 of all, 3 of 4."),
        (sk.tensor([True, False]), "True in 0.5 of all, 1 of 2."),
        (
            sk.tensor([True, False]).resize_(6),
            "True in 0.5 of all, 1 of 2. Not counted: 4 not initialised.",
        ),
        (torch.tensor([1 + 2j, 3 - 1j]), "Mean 2+0.5j, standard deviation 1.803."),
        (torch.zeros(0, 3), "Without elements there are no statistics."),
        (np.array(["a"]), "Elements of U1 are not numbers, so there are no statistics."),
        (torch.tensor([float("nan")]), "No element is finite. Not counted: 1 NaN."),
        (torch.tensor(2.5), "Mean 2.5, standard deviation 0, smallest 2.5, largest 2.5."),
        (torch.ones(1).expand(10**13), "Mean 1, standard deviation 0, smallest 1, largest 1."),
        (
            sk.arange(2).resize_(3),
            "Mean 0.5, standard deviation 0.5, smallest 0, largest 1. Not counted: 1 not "
            "initialised.",
        ),
    ],
)
def test_what_has_other_statistics_or_none(x, line):
    """Shares, complex numbers, nothing, words, repeats, memory that nobody has written."""
    diagram = draw(x, stats=True)
    assert diagram.scene.notes == (line,)
    assert line in diagram.text()
    assert line in diagram.alt
    assert draw(x).scene.notes == ()


def test_no_digits_are_told_that_were_not_measured():
    """Past 2 ** 53 floats have fewer than whole numbers: none is told that is not there."""
    most = 2**63 - 1
    for x in (torch.tensor([most, 5]), np.array([most, 5]), sk.tensor([most, 5])):
        assert told(x)[0].endswith("smallest 5, largest 9.223e+18.")
    exact = 2**53
    assert "largest 9,007,199,254,740,992." in told(torch.tensor([exact, -exact]))[0]


def test_without_memory_and_of_several():
    """A sentence; and a line for each, up to eight."""
    assert draw(torch.zeros(3, device="meta"), stats=True).scene.notes[-1] == (
        "Without memory there are no statistics."
    )
    notes = draw([torch.ones(2)] * 10, stats=True).scene.notes
    assert notes[0] == "a: mean 1, standard deviation 0, smallest 1, largest 1."
    assert notes[8:] == ("2 more tensors are not measured.",)


def maps_of(diagram):
    """The maps that stand beside grids."""
    grids = [grid for section in diagram.scene.sections for grid in section.grids]
    return [grid.heatmap for grid in grids if grid.heatmap]


@pytest.mark.parametrize("size", [(300, 17), (2, 40, 50), (16, 17), (999, 3)])
def test_the_map_has_the_means_of_blocks(size):
    """Each element of the last two dims lies in one block, whatever lies before them."""
    x = torch.arange(prod(size), dtype=torch.float64).view(size) ** 1.5
    (found,) = maps_of(draw(x, stats=True))
    (ours,) = maps_of(draw(sk.from_torch(x), stats=True))
    rows, columns = (np.array_split(range(n), min(n, 16)) for n in size[-2:])
    assert (len(found.means), len(found.means[0])) == (len(rows), len(columns))
    assert np.allclose(found.means, ours.means)
    blocks = subject_of("draw", x).blocks()
    whole = together(block for row in blocks for block in row)
    assert whole.known == x.numel()
    assert whole.mean.real == pytest.approx(x.mean().item())
    first = x[..., : size[-2] // len(rows), : size[-1] // len(columns)]
    assert found.means[0][0] == pytest.approx(first.mean().item())


def test_very_large_numbers_are_drawn():
    """Whose sum, or whose span, no float holds."""
    x = torch.full((40, 40), 1e308, dtype=torch.float64)
    x[:5], x[20:] = -1e308, 0.5
    (found,) = maps_of(draw(x, stats=True))
    assert None in found.means[5]
    assert "hatched" in found.words
    for tensor in (x, sk.from_torch(x), x.sign() * 1e305):
        assert "<image" in draw(tensor, stats=True).svg()


def test_a_map_is_seen_where_there_is_one():
    """In the SVG as images that keep their colours, in words, and not of what is shown whole."""
    x = torch.randn(40, 40)
    x[:3, :3] = float("nan")
    diagram = draw({"x": x, "small": torch.ones(3, 4), "flat": torch.ones(500)}, stats=True)
    (found,) = maps_of(diagram)
    assert found.name == "x"
    assert found.means[0][0] is None
    assert found.words in diagram.text()
    assert found.words in diagram.alt
    for theme in ("light", "dark"):
        assert diagram.svg(theme).count("<image") == 2
