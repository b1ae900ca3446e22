"""Colours are told apart: by eyes of all kinds, in grey, and what stands on them can be read."""

from itertools import combinations, pairwise

import pytest

from stridekit.diagrams.pages.colours import (
    CARD,
    FILLS,
    GROUNDS,
    HUES,
    INK,
    MUTED,
    contrast,
    fill_of,
    ink_on,
    look_of,
)
from stridekit.diagrams.renderers.themes import box_on_card

# Machado, Oliveira and Fernandes (2009), full deficiency, on linear RGB.
VISIONS = {
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def linear(colour):
    """The channels of a colour, as light."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def lab(light):
    """CIE Lab, of linear RGB."""
    r, g, b = (min(max(c, 0), 1) for c in light)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(a, b, vision=None):
    """How far two colours lie apart for some eyes."""
    lights = [linear(a), linear(b)]
    if vision:
        lights = [
            [sum(w * c for w, c in zip(row, light, strict=True)) for row in VISIONS[vision]]
            for light in lights
        ]
    return sum((p - q) ** 2 for p, q in zip(*map(lab, lights), strict=True)) ** 0.5


@pytest.mark.parametrize("vision", [None, *VISIONS])
def test_five_hues_stay_apart(vision):
    """For all eyes; and so do neighbours among the twelve, which eyes of three cones tell apart."""
    assert min(apart(a, b, vision) for a, b in combinations(HUES, 2)) > 20
    assert min(apart(a, b, vision) for a, b in pairwise((*FILLS, FILLS[0]))) > 9
    assert min(apart(a, b) for a, b in combinations(FILLS, 2)) > 25
    assert len(FILLS) == 12


def test_a_pale_fill_is_a_repeat_and_never_a_group():
    """On the white card and on the dark one, where it is deep."""
    for group in range(len(FILLS)):
        pale = look_of(group, ("ghost",))
        for look in (pale, box_on_card(pale)):
            assert min(apart(look.fill, fill) for fill in FILLS) > 18
            assert look.dash


def test_the_first_three_differ_in_grey():
    """By their lightness alone: L* at least 18 apart."""
    lightness = sorted(lab(linear(fill))[0] for fill in FILLS[:3])
    assert min(b - a for a, b in pairwise(lightness)) > 18


def test_neighbours_differ_in_grey():
    """All round, so that the first is told from the twelfth before it as well: L* 15 apart."""
    lightness = [lab(linear(fill))[0] for fill in (*FILLS, FILLS[0])]
    assert min(abs(a - b) for a, b in pairwise(lightness)) > 15


@pytest.mark.parametrize("group", range(16))
def test_what_stands_on_a_fill_can_be_read(group):
    """In every state."""
    for marks in ((), ("ghost",), ("unwritten",)):
        look = look_of(group, marks)
        assert contrast(ink_on(look), look.fill) >= 4.5


def test_a_hatch_means_not_readable_and_nothing_else():
    """However many groups there are."""
    for group in range(40):
        assert not look_of(group, ()).hatch
        assert not look_of(group, ("ghost",)).hatch
        assert not look_of(group, ("written", "selected")).hatch
        assert look_of(group, ("unwritten",)).hatch
    assert look_of(None, ()).hatch
    assert look_of(None, ("outside",)).hatch
    assert fill_of(12) == fill_of(0)


def test_words_can_be_read_on_every_ground():
    """And the grounds are told from the card."""
    assert GROUNDS[0] == CARD
    assert len(set(GROUNDS)) == len(GROUNDS)
    assert all(contrast(ink, ground) >= 4.5 for ground in GROUNDS for ink in (INK, MUTED))
