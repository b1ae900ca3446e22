"""Dark pictures: what has to be read is read, what means something still means it."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from stridekit import draw
from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.page import text_width
from stridekit.diagrams.renderers.svg import to_svg
from stridekit.diagrams.renderers.themes import (
    DARK_CARD,
    LINE,
    OR,
    TEXT,
    box_on_card,
    contrast,
    fill_on_card,
    ink_on,
    on_card,
    themed,
)
from stridekit.errors import ArgumentError
from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from tests.stridekit.diagrams.golden import GALLERY, drawn, gallery
from tests.stridekit.diagrams.picture_files import SVG
from tests.stridekit.strategies import any_layouts, twins

PICTURES = gallery().PICTURES
grid = torch.arange(12).view(3, 4)
STATES = [(), ("ghost",), ("unwritten",), ("outside",)]
PAINTS = {
    *(colours.look_of(group, state) for group in (None, *range(40)) for state in STATES),
    colours.SELECTED,
    colours.NO_ELEMENTS,
    colours.PILL,
}


def ground_of(page, x, y, card=DARK_CARD):
    """The fill of the topmost box at a place; the card where there is none."""
    for boxes_by_look in (page.over, page.boxes):
        found = [
            look.fill
            for look, boxes in boxes_by_look.items()
            if look.fill != "none"
            for x0, y0, width, height in boxes
            if x0 <= x <= x0 + width and y0 <= y <= y0 + height
        ]
        if found:
            return found[-1]
    return card


def middles(page):
    """Each text with its font, its middle, and the fill that it is said to stand on."""
    for font, runs in page.texts.items():
        shift = {"start": 0.5, "middle": 0, "end": -0.5}[font.anchor]
        for x, y, text, fill in runs:
            width = text_width(text, font.size, mono=font.mono, bold=font.bold)
            yield font, text, (x + shift * width, y), fill


def unreadable(page):
    """The texts of a dark page whose contrast is too low, with what is wrong."""
    for font, text, middle, _ in middles(page):
        ground = font.halo or ground_of(page, *middle)
        if contrast(font.ink, ground) < TEXT:
            yield text, font.ink, ground


def faint(page):
    """The lines and outlines of a dark page that are not told from what is beside them."""
    for pen in (*page.lines, *page.curves):
        if contrast(pen.stroke, DARK_CARD) < LINE:
            yield pen
    for look in (*page.boxes, *page.over):
        if not outlined(look):
            yield look


def outlined(look):
    """Whether a box is told from the card, by its outline or by its fill.

    One that is the card's own colour all over is there to cover something.
    """
    if look.stroke == DARK_CARD and look.fill in (DARK_CARD, "none"):
        return True
    return any(
        colour != "none" and contrast(colour, DARK_CARD) >= LINE
        for colour in (look.stroke, look.fill)
    )


def test_every_box_is_told_from_the_card_and_its_text_is_read():
    """By the formula of WCAG: 3 to 1 for lines, 4.5 to 1 for text, in every state."""
    for look in PAINTS:
        dark = box_on_card(look)
        assert outlined(dark), look
        if dark.fill != "none":
            assert contrast(ink_on(colours.ink_on(look), dark.fill), dark.fill) >= TEXT, look
            # Neighbours of one colour are told apart by the line between them.
            assert contrast(dark.stroke, dark.fill) >= LINE, look


def test_any_ink_is_read_on_any_fill():
    """Also those that the palette may have some day."""
    levels = (0, 64, 117, 128, 200, 255)
    every = [f"#{r:02X}{g:02X}{b:02X}" for r in levels for g in levels for b in levels]
    for fill in every:
        for ink in (colours.INK, colours.MUTED, colours.CARD, colours.ALERT):
            if ink != colours.ALERT or contrast("#FFFFFF", fill) >= TEXT:
                assert contrast(ink_on(ink, fill), fill) >= TEXT, (ink, fill)
        assert contrast(on_card(fill, TEXT), DARK_CARD) >= TEXT
        assert contrast(on_card(fill, LINE), DARK_CARD) >= LINE


def test_fills_are_the_same_in_both_themes():
    """So they are told apart as they are on white: by hue, in grey, and by colour-blind eyes."""
    assert [fill_on_card(fill) for fill in colours.FILLS] == [*colours.FILLS]
    for group in range(40):
        look = colours.look_of(group)
        dark = box_on_card(look)
        assert (dark.fill, dark.hatch) == (look.fill, look.hatch)


@pytest.mark.parametrize("group", range(7))
def test_pale_states_stay_apart(group):
    """What is repeated, and what is not initialised, is nearer to the card than what is there."""
    plain, ghost, unwritten, _ = (
        box_on_card(colours.look_of(group, state)).fill for state in STATES
    )
    assert contrast(plain, DARK_CARD) > contrast(ghost, DARK_CARD) > 1.2
    assert contrast(unwritten, DARK_CARD) > 1.1
    assert contrast(plain, ghost) > 1.25


def test_every_picture_of_the_gallery_is_read_in_the_dark():
    """All its texts, lines and boxes."""
    for name in PICTURES:
        page = themed(drawn(name)._page, "dark")
        assert [*unreadable(page), *faint(page)] == [], name


@settings(max_examples=30)
@given(any_layouts)
def test_every_picture_is_read_in_the_dark(layout):
    """Of any layout."""
    page = themed(draw(twins(layout)[0], title="x")._page, "dark")
    assert [*unreadable(page)] == []
    assert [*faint(page)] == []


@pytest.mark.parametrize("theme", ["dark", "auto"])
def test_a_theme_changes_colours_and_nothing_else(theme):
    """The same boxes, lines and texts at the same places."""

    def kept(looks, *colours):
        return sorted(
            (look._replace(**dict.fromkeys(colours, "")), *thing)
            for look, things in looks.items()
            for thing in things
        )

    def all_of(page):
        yield page.width, page.height
        for looks in (page.boxes, page.over, page.lines, page.curves):
            yield kept(looks, "fill", "hatch", "stroke")
        yield kept(page.texts, "ink", "halo")
        yield sorted(shape for shapes in page.shapes.values() for shape in shapes)

    for name in PICTURES:
        page = drawn(name)._page
        assert [*all_of(themed(page, theme))] == [*all_of(page)], name


def misplaced(page):
    """The texts of a light page that stand on another fill than they say, but for grounds."""
    for _, text, middle, fill in middles(page):
        found = ground_of(page, *middle, card="")
        if fill != found and (fill or found not in colours.GROUNDS):
            yield text, fill, found


@pytest.mark.parametrize("name", EXPLORERS)
def test_what_a_text_stands_on_is_known_as_it_would_be_found(name):
    """In explorers, with marks, visits and several tensors."""
    assert [*misplaced(Controller(EXPLORERS[name]).shown.diagram._page)] == []


def test_so_it_is_in_the_gallery():
    """With everything that can be drawn."""
    for name in PICTURES:
        assert [*misplaced(drawn(name)._page)] == [], name


@settings(max_examples=30)
@given(any_layouts)
def test_so_it_is_of_any_layout(layout):
    """Also beside another on the same storage, and where it changes."""
    tensor = twins(layout)[0]
    for page in (
        draw(tensor)._page,
        draw({"x": tensor, "y": tensor[:1] if tensor.ndim else tensor})._page,
    ):
        assert [*misplaced(page)] == []


@pytest.mark.parametrize("ground", colours.GROUNDS)
def test_a_ground_is_near_enough_to_the_card(ground):
    """What is read on the dark card is read on a ground as well."""
    for ink in (colours.INK, colours.MUTED, colours.STROKE):
        assert contrast(on_card(ink, TEXT), fill_on_card(ground)) >= TEXT


def test_a_picture_that_is_both_has_the_colours_of_each():
    """The light ones as attributes, for who knows no better; both in the style."""
    for name in PICTURES:
        diagram = drawn(name)
        both = diagram.svg("auto")
        ET.fromstring(both)
        assert OR not in both.replace(diagram.alt, ""), name
        pairs = set(re.findall(r"light-dark\((#\w{6}),(#\w{6})\)", both))
        dark, light = diagram.svg("dark"), diagram.svg()
        for one, other in pairs:
            assert one in light, name
            assert other in dark, name
        used = set(re.findall(r'(?:fill|stroke)="(#\w{6})"', both))
        assert used == set(re.findall(r'(?:fill|stroke)="(#\w{6})"', light)), name


def test_the_dark_card():
    """Opaque, and as dark as JupyterLab's pages."""
    root = ET.fromstring(draw(grid).svg("dark"))
    card = root.find(f"{SVG}rect")
    assert card.get("fill") == DARK_CARD
    assert (card.get("width"), card.get("height")) == (root.get("width"), root.get("height"))


def test_a_page_of_one_theme_is_painted_as_it_is():
    """Light costs nothing, and is what the gallery has."""
    page = draw(grid)._page
    assert themed(page, "light") is page
    assert to_svg(page, "x") == to_svg(page, "x", "light")


@pytest.mark.parametrize("name", gallery().DARK)
def test_dark_pictures_are_golden(name):
    """To be looked at when a colour changes."""
    golden = (GALLERY / "dark" / f"{name}.svg").read_text("utf-8")
    assert drawn(name).svg("dark") + "\n" == golden, "Look, then run: make gallery"


# Files and refusals


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda d, path: d.svg("Dark"), "svg: there is no theme 'Dark'. Choose light, dark or aut"),
        (lambda d, path: d.svg(None), "svg: there is no theme None"),
        (lambda d, path: d.svg(np.array(["dark", "light"])), "svg: there is no theme array"),
        (lambda d, path: d.svg(["dark"]), r"svg: there is no theme \['dark'\]"),
        (lambda d, path: d.figure(theme="auto"), "figure: .* 'auto'. Choose light or dark."),
        (lambda d, path: d.save(path / "a.png", theme="auto"), "save: .* Choose light or dark."),
        (lambda d, path: d.save(path / "a.svg", theme="x"), "save: .* Choose light, dark or auto."),
    ],
)
def test_a_theme_that_there_is_not(tmp_path, call, sentence):
    """Which ones there are is said, and nothing is written."""
    with pytest.raises(ArgumentError, match=sentence):
        call(draw(grid), tmp_path)
    assert list(tmp_path.iterdir()) == []
