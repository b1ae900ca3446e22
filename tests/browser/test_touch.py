"""Pictures that answer to the hand, and follow the theme: their code, and a real JupyterLab."""

import base64
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import torch
from playwright.sync_api import expect

import stridekit
from stridekit import draw, draw_as_strided, draw_change, draw_steps
from stridekit.diagrams import live as live_module
from stridekit.diagrams.live import touch_data
from stridekit.diagrams.pixel_diagram import PixelDiagram
from tests.browser.conftest import ROOT
from tests.browser.test_diagrams import assert_painted, choose_theme
from tests.browser.test_lab import run_all
from tests.stridekit.diagrams.golden import gallery

CODE = (Path(stridekit.__file__).parent / "diagrams" / "touch.js").read_text("utf-8")
PICTURES = gallery().PICTURES
x = torch.arange(12).view(3, 4)
DARK, LIGHT = [0x11, 0x11, 0x11], [255, 255, 255]
KEYS, LINE, HEARD = ".stridekit-keys", ".stridekit-line", ".stridekit-keys + [role=status]"


def told(diagram):
    """The data of a diagram; none of a picture of pixels, which has no cells."""
    if isinstance(diagram, PixelDiagram):
        return ""
    return touch_data(diagram.scene, diagram._page)


@cache
def of_cells():
    """What is told of each picture in the gallery that has cells."""
    texts = {name: told(make()) for name, make in PICTURES.items()}
    return {name: text for name, text in texts.items() if text}


def live(diagram):
    """A picture as a live notebook has it."""
    image = live_module.image_html(diagram.svg("auto"), diagram.alt, diagram.text(), told(diagram))
    return f"<div tabindex='-1' id='outside'>{image}</div>"


@pytest.fixture
def code(page):
    """A page with the code, and a way to call its functions."""
    page.goto("about:blank")
    source = base64.b64encode(CODE.encode()).decode()

    def call(script, *arguments):
        return page.evaluate(
            f"""async arguments => {{
                const code = await import('data:text/javascript;base64,{source}');
                return ({script})(code, ...arguments);
            }}""",
            [*arguments],
        )

    return call


# The code by itself


REACHED = """({read, spotsOf, neighbour}, text) => {
    const spots = spotsOf(read(text)), found = new Set([spots[0]]);
    for (const spot of found)
        for (const way of [[-1, 0], [1, 0], [0, -1], [0, 1]])
            found.add(neighbour(spots, spot, way));
    return [found.size, spots.length];
}"""
SAME = """({read, spotsOf, sameMemory}, text) => {
    const spots = spotsOf(read(text));
    return spots.map(spot => sameMemory(spots, spot).map(each => spots.indexOf(each)));
}"""
SAID = """({read, spotsOf, sameMemory, sentence}, text) => {
    const spots = spotsOf(read(text));
    return spots.map(spot => sentence(sameMemory(spots, spot), spot));
}"""


def test_arrow_keys_reach_every_cell(code):
    """Of every picture in the gallery."""
    for name, text in of_cells().items():
        reached, there = code(REACHED, text)
        assert reached == there > 0, name


def test_the_same_memory_lights_up_and_nothing_else(code):
    """By the bytes of each cell, or by its element, in each picture of the gallery."""
    for name, text in of_cells().items():
        spots = [
            (memory, range(start + int(a) * part["u"], start + (int(a) + 1) * part["u"]), origin)
            for part in json.loads(text)["parts"]
            for memory, start in [part["o"]]
            for a, origin in zip(part["a"], part.get("f", [None] * len(part["a"])), strict=True)
        ]
        expected = [
            [
                number
                for number, (memory, mine, origin) in enumerate(spots)
                if (memory == where and mine.start < theirs.stop and theirs.start < mine.stop)
                or (origin is not None and origin == whence)
            ]
            for where, theirs, whence in spots
        ]
        assert code(SAME, text) == expected, name


TIED = """({read, spotsOf, sameMemory, ties}, text) => {
    const spots = spotsOf(read(text));
    return spots.map(spot => ties(spots, sameMemory(spots, spot), spot));
}"""


def test_a_line_leads_from_a_cell_to_its_slot(code):
    """Or to the gap where that is left out; and back, in each picture of the gallery."""
    left_out = 0
    for name, text in of_cells().items():
        parts = json.loads(text)["parts"]
        spots = [(part, n) for part in parts for n in range(len(part["a"]))]
        for (part, n), lines in zip(spots, code(TIED, text), strict=True):
            strips = [p for p in parts if p["s"] == part["s"] and "i" not in p]
            if "i" not in part:
                assert all(x1 == part["x"][n] + part["w"] / 2 for *_, x1, _ in lines), name
                continue
            ((x0, y0, x1, y1),) = lines
            assert x0 == part["x"][n] + part["w"] / 2, name
            assert y0 in (part["y"][n], part["y"][n] + part["h"]), name
            byte = int(part["a"][n]) * part["u"]
            ends = [
                (x + p["w"] / 2, address * p["u"] <= byte < (address + 1) * p["u"])
                for p in strips
                for x, y, address in zip(p["x"], p["y"], map(int, p["a"]), strict=True)
                if y1 in (y, y + p["h"])
            ]
            is_shown = any(
                address * p["u"] < byte + part["u"] and byte < (address + 1) * p["u"]
                for p in strips
                for address in map(int, p["a"])
            )
            left_out += not is_shown
            assert (x1 in [x for x, _ in ends]) == is_shown, name
            assert not is_shown or part["u"] != strips[0]["u"] or (x1, True) in ends, name
    assert left_out


def test_an_element_is_followed_through_a_chain(code):
    """Across copies: where it lies in each step, and under which index."""
    chain = draw_steps(x, "t()", "reshape(12)", "view(2, 6)")
    assert code(SAID, told(chain))[6] == (
        "before · [1, 2] · position 6 = offset 0 + 1×4 + 2×1 · bytes 48 to 55 · value 6 · "
        "1 · t(): [2, 1], value 6 · 2 · reshape(12): [7], position 7, value 6 · "
        "3 · view(2, 6): [1, 1], position 7, value 6"
    )
    often = code(SAID, told(draw_steps(torch.arange(2), "expand(3, 2)", "contiguous()")))
    assert often[1].endswith("2 · contiguous(): [0, 1], position 1 and 2 more, value 1")


def test_what_is_said(code):
    """Index, position, bytes, value; other names of the same memory; where a copy went."""
    said = code(SAID, told(draw({"x": x, "x.t()": x.t()}, written=(1, 2))))
    assert said[6] == (
        "x[1, 2] · position 6 = offset 0 + 1×4 + 2×1 · bytes 48 to 55 · value 6 · changed · "
        "also x.t()[2, 1]"
    )
    assert said[24 + 6] == "position 6 · bytes 48 to 55 · value 6 · changed · x[1, 2], x.t()[2, 1]"
    assert code(SAID, told(draw(torch.tensor(7))))[0] == (
        "the only element · position 0 · bytes 0 to 7 · value 7"
    )
    (first, *_) = code(SAID, told(draw(torch.tensor([7], dtype=torch.uint8), values=False)))
    assert first == "[0] · position 0 = offset 0 + 0×1, byte 0"
    backwards = code(SAID, told(draw_as_strided(torch.arange(6), (2, 3), (3, -1), 2)))
    assert backwards[5].startswith("[1, 2] · position 3 = offset 2 + 1×3 + 2×(-1) · ")
    copy = code(SAID, told(draw_change({"t": x.t()}, lambda t: t.contiguous())))
    assert copy[1] == (
        "before · t[0, 1] · position 4 = offset 0 + 0×1 + 1×4 · bytes 32 to 39 · value 4 · "
        "after: result[0, 1], position 1, value 4"
    )
    came = " · before: t[0, 1], position 4, value 4"
    assert any(each.startswith("after · result[0, 1] ") and each.endswith(came) for each in copy)
    row = code(SAID, told(draw(torch.arange(2).expand(7, 2))))
    assert row[0].endswith(" · also [1, 0], [2, 0], [3, 0], [4, 0] and 2 more")
    slice_ = code(SAID, told(draw(x[1:, 1:])))
    assert slice_[6] == "position 0 · bytes 0 to 7 · value 0 · no index leads here"
    beyond = code(SAID, told(draw_as_strided(torch.arange(2), (2,), (2**60 + 1,))))
    assert beyond[1] == (
        f"[1] · position {2**60 + 1} = offset 0 + 1×{2**60 + 1} · "
        f"bytes {8 * (2**60 + 1)} to {8 * (2**60 + 1) + 7} · "
        "outside of the storage"
    )
    write = code(SAID, told(draw_change({"t": x.t().clone()}, lambda t: t.mul_(2))))
    assert write[3].startswith("before · t[1, 0] · position 1 = offset 0 + 1×1 + 0×4 · ")
    assert write[3].endswith(" · value 1 · after: t[1, 0], value 2")
    assert write[-1].endswith(" · value 22 · changed · t[3, 2] · before: t[3, 2], value 11")
    grown = code(SAID, told(draw_change(torch.arange(2), lambda t: t.resize_(1, 3))))
    assert grown[1].endswith(" · after: [0, 1], value 1")
    view = code(SAID, told(draw({"x": x[0, :1], "b": x[0, :1].view(torch.uint8)})))
    assert view[1].startswith("b[0] · position 0 = offset 0 + 0×1, byte 0 · value 0 · also x[0]")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"width": 9, "height": 9, "parts": 3}',
        '{"width": 9, "height": 9, "parts": [{"s": 0, "o": [0, 0], "n": "",'
        ' "l": "", "u": 8, "w": 9, "h": 9, "x": ["<b>"], "y": [0], "a": [0], "t": [""]}]}',
        '{"width": 9, "height": 9, "parts": [{"s": 0, "o": [0, 0], "n": "",'
        ' "l": "", "u": 8, "w": 9, "h": 9, "x": [0], "y": [0], "a": ["x"], "t": [""]}]}',
        '{"width": 9, "height": 9, "parts": [{"s": 0, "o": [0, 0], "n": "",'
        ' "l": "", "u": 8, "w": 9, "h": 9, "x": [0, 1], "y": [0], "a": [0], "t": [""]}]}',
    ],
)
def test_data_of_somebody_else_s_is_left_alone(code, text):
    """It is not a picture of ours, and nothing happens."""
    assert code("({read}, text) => read(text)", text) is None


def test_nothing_in_the_data_becomes_markup(page, code):
    """Names and values are text, whatever they hold."""
    nasty = "<img src=x onerror=document.title='caught'>"
    page.set_content(live(draw({nasty: x})))
    code("({start}) => { start(document) }")
    page.locator(KEYS).focus()
    page.keyboard.press("Home")
    expect(page.locator(LINE)).to_contain_text("<img src=x onerror=")
    assert page.title() == ""
    expect(page.locator("img")).to_have_count(1)


def test_nothing_moves_when_a_picture_begins_to_answer_or_is_pointed_at(page, code):
    """The line has its room beside "As text"."""
    page.set_content(f"<p>before</p>{live(draw(x))}<p id='after'>after</p>")
    image, after = page.locator("img"), page.locator("#after")
    before = image.bounding_box(), after.bounding_box()
    code("({start}) => { start(document); start(document) }")
    expect(page.locator(KEYS)).to_have_count(1)
    assert (image.bounding_box(), after.bounding_box()) == before
    image.hover(position={"x": 30, "y": 80})
    expect(page.locator(LINE)).to_contain_text("position 0")
    assert (image.bounding_box(), after.bounding_box()) == before
    line = page.locator(LINE).bounding_box()
    words = page.get_by_text("As text").bounding_box()
    assert abs(line["y"] - words["y"]) < 4
    assert line["x"] > words["x"] + 50
    page.mouse.move(0, 0, steps=3)
    expect(page.locator(LINE)).to_have_text("")


def test_rings_lie_on_their_cells(page, code):
    """Also where the picture is made smaller to fit its page."""
    for width in (1200, 260):
        page.set_content(f"<div style='width: {width}px'>{live(draw(x))}</div>")
        code("({start}) => { start(document) }")
        page.locator(KEYS).focus()
        page.keyboard.press("Home")
        ring = page.locator("svg path").first.bounding_box()
        image = page.locator("img").bounding_box()
        scale = image["width"] / draw(x)._page.width
        # One path rings the cell in the grid and the slot in the strip.
        parts = json.loads(told(draw(x)))["parts"]
        left, top = (min(part[way][0] for part in parts) - 4 for way in "xy")
        assert ring["x"] == pytest.approx(image["x"] + left * scale, abs=1.5)
        assert ring["y"] == pytest.approx(image["y"] + top * scale, abs=1.5)


def test_the_form_for_a_phone_answers_and_so_does_the_other_one(page, code, monkeypatch):
    """A wide picture has two forms; a page that becomes wider shows the other one."""
    monkeypatch.setattr(live_module, "is_live", lambda: True)
    diagram = draw({"x": x, "x.t()": x.t()})
    page.set_viewport_size({"width": 390, "height": 900})
    page.set_content(diagram._repr_mimebundle_()["text/html"])
    code("({start}) => { start(document) }")
    for width, form in ((390, 358), (1000, 900)):
        page.set_viewport_size({"width": width, "height": 900})
        laid_out = diagram._page_in(form)
        is_laid_out = "width => Math.abs(document.querySelector('img').width - width) <= 1"
        page.wait_for_function(is_laid_out, arg=laid_out.width)
        box = page.locator("img").bounding_box()
        left, top, wide, high = laid_out.places[0].boxes[5]
        page.mouse.move(box["x"] + left + wide / 2, box["y"] + top + high / 2)
        expect(page.locator(LINE)).to_contain_text("x[1, 1] · position 5")
        page.mouse.move(0, 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1000


def test_inline_pictures_answer_too_and_so_do_those_that_come_later(page, code):
    """As in explorers, whose widgets set the value of a piece of HTML."""
    page.set_content("<div id='there'></div>")
    code("({start}) => { start(document) }")
    for title in ("x", "y"):
        diagram = draw(x, title=title)
        inline = live_module.inline_html(diagram.svg("auto"), told(diagram))
        page.evaluate("html => { document.querySelector('#there').innerHTML = html }", inline)
        expect(page.locator(KEYS)).to_have_count(1)
        tall = page.locator("#there").bounding_box()["height"]
        assert tall == pytest.approx(diagram._page.height + 20, abs=8)
        page.locator(KEYS).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator(LINE)).to_contain_text("[1, 0] · position 4")


def test_on_a_phone_the_line_is_read_to_its_end(page, code):
    """It takes two, for which room is kept: nothing moves."""
    page.set_viewport_size({"width": 320, "height": 700})
    diagram = draw(x.t(), title="x.t()")
    inline = live_module.inline_html(diagram.svg("auto"), told(diagram))
    page.set_content(f"{inline}<p id='after'>after</p>")
    after = page.locator("#after")
    before = after.bounding_box()
    code("({start}) => { start(document) }")
    page.locator(KEYS).focus()
    page.keyboard.press("End")
    line = page.locator(LINE)
    expect(line).to_contain_text("value 11")
    cut = line.evaluate("e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]")
    assert cut == [0, 0]
    assert after.bounding_box() == before
    assert line.bounding_box()["height"] > 30


def test_by_keyboard_and_by_ear(page, code):
    """Arrow keys walk, Home and End leap, Escape leaves; who listens hears each cell."""
    page.set_content(live(draw(x)))
    code("({start}) => { start(document) }")
    page.keyboard.press("Tab")
    expect(page.get_by_role("application", name=re.compile("arrow keys"))).to_be_focused()
    heard = page.locator(HEARD)
    for key, said in {
        "ArrowRight": "[0, 0]",
        "ArrowDown": "[1, 0]",
        "ArrowLeft": "[0, 3]",
        "End": "position 11",
        "ArrowUp": "[2, ",
        "Home": "[0, 0]",
    }.items():
        page.keyboard.press(key)
        expect(heard).to_contain_text(said)
    # The mouse is seen, and not heard.
    page.locator("img").hover(position={"x": 70, "y": 80})
    expect(page.locator(LINE)).to_contain_text("[0, 1]")
    expect(heard).to_contain_text("[0, 0]")
    page.keyboard.press("Escape")
    expect(page.locator("#outside")).to_be_focused()
    expect(heard).to_have_text("")
    expect(page.get_by_role("img", name=re.compile("^Tensor"))).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say(page, code, scheme):
    """While a cell is walked to."""
    page.set_content(
        f"<html lang='en'><title>x</title><body style='color-scheme: {scheme}'><main><h1>x</h1>"
        f"{live(draw(x))}</main></body></html>"
    )
    code("({start}) => { start(document) }")
    page.locator(KEYS).focus()
    page.keyboard.press("Home")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run().then(told => told.violations)")
    assert found == []


# JupyterLab


def notebook(lab, name, title, *sources, outputs=()):
    """A notebook in the lab's course."""
    content = json.loads((lab.course / "course" / "index.ipynb").read_text("utf-8"))
    content["cells"] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": f"# {title}"},
        *(
            {
                "cell_type": "code",
                "id": f"picture-{number}",
                "metadata": {},
                "source": source,
                "execution_count": None,
                "outputs": [*outputs],
            }
            for number, source in enumerate(sources)
        ),
    ]
    (lab.course / "work" / name).write_text(json.dumps(content), "utf-8")
    return f"work/{name}"


def test_in_a_live_notebook(lab, reader):
    """Pointing and keys, without a word to the kernel; a new page; then without a kernel."""
    page, frames = reader, []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda payload: frames.append(payload)),
    )
    source = "import stridekit as sk, torch\nx = torch.arange(12).view(3, 4)\n"
    path = notebook(
        lab,
        "hand.ipynb",
        "In the hand",
        source + "sk.draw({'x': x, 'x.t()': x.t()})",
        "sk.draw(x)",
        "import ipywidgets\nipywidgets.HTML(sk.draw(x, title='in a widget').live_html())",
    )
    lab.turn_to(page, path, "In the hand")
    run_all(page)
    image = page.locator("img[alt^='Tensor x, size (3, 4)']").first
    image.wait_for()
    expect(page.locator(KEYS)).to_have_count(3)
    page.locator(KEYS).last.focus()
    page.keyboard.press("End")
    expect(page.locator(LINE).last).to_contain_text("position 11")
    image.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    frames.clear()
    line = page.locator(LINE).first
    grid = json.loads(told(draw({"x": x, "x.t()": x.t()})))["parts"][0]
    image.hover(position={"x": grid["x"][6] + 18, "y": grid["y"][6] + 16})
    expect(line).to_have_text(
        "x[1, 2] · position 6 = offset 0 + 1×4 + 2×1 · bytes 48 to 55 · value 6 · also x.t()[2, 1]"
    )
    page.locator(KEYS).first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(line).to_contain_text("x[2, 0] · position 8")
    page.keyboard.press("Escape")
    expect(page.locator(".jp-Cell:focus")).to_have_count(1)
    assert frames == []
    # Another look at the same notebook and kernel.
    page.keyboard.press("Control+s")
    saved = lab.course / path
    for _ in range(600):
        if "data-stridekit" in saved.read_text("utf-8"):
            break
        page.wait_for_timeout(100)
    stored = saved.read_text("utf-8")
    assert "data-stridekit" in stored
    assert "<script" not in stored
    assert stored.count("widget-view") == 1  # the widget that the notebook itself shows
    assert "MutationObserver" not in stored
    lab.open(page, path, "In the hand")
    expect(page.locator(KEYS)).to_have_count(3)
    # And with a kernel that knows of no pictures: they stand still, in the colours of the theme.
    server, token = re.match(r"(http://[^/]+).*\?token=(\w+)", lab.url).groups()
    sessions = page.request.get(f"{server}/api/sessions?token={token}").json()
    (kernel,) = (each["kernel"]["id"] for each in sessions if each["path"] == path)
    page.request.post(
        f"{server}/api/kernels/{kernel}/restart", headers={"Authorization": f"token {token}"}
    )
    lab.open(page, path, "In the hand")
    image.wait_for()
    page.wait_for_timeout(2000)
    expect(page.locator(KEYS)).to_have_count(0)
    assert image.get_attribute("data-stridekit")
    assert_painted(page, image, LIGHT)
    choose_theme(page, "JupyterLab Dark")
    try:
        page.wait_for_timeout(1000)
        assert_painted(page, image, DARK)
    finally:
        choose_theme(page, "JupyterLab Light")


def test_in_the_dark_theme(lab, reader):
    """Dark while the theme is, as dark as the page, on either system setting; print is light."""
    page = reader
    path = notebook(
        lab, "night.ipynb", "At night", "import stridekit as sk\nsk.draw(sk.arange(4), title='x')"
    )
    lab.turn_to(page, path, "At night")
    run_all(page)
    image = page.locator("img[alt^='Tensor x, size (4,)']")
    image.wait_for()
    try:
        for theme, card in (("JupyterLab Light", LIGHT), ("JupyterLab Dark", DARK)):
            choose_theme(page, theme)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.wait_for_timeout(500)
                assert_painted(page, image, card)
                page.emulate_media(media="print")
                assert_painted(page, image, LIGHT)
                page.emulate_media(media="screen")
        around = image.evaluate(
            "image => getComputedStyle(image.closest('.jp-Notebook')).backgroundColor"
        )
        assert around == "rgb(17, 17, 17)"
    finally:
        page.emulate_media(media="null", color_scheme="null")
        choose_theme(page, "JupyterLab Light")


def test_where_images_do_not_see_that_the_page_is_dark_their_address_says_so(code, page):
    """In Safari, whose vendor is put on here: in both forms, from the start and when it changes."""
    diagram = draw(x, title="x")
    narrow = diagram.svg("auto", width=300), told(diagram)
    html = live_module.image_html(diagram.svg("auto"), diagram.alt, "", told(diagram), narrow)
    # And what an explorer leaves, which answers to nobody.
    html += f"<div class='sk-still stridekit'>{diagram.html()}</div>"
    marks = code(
        """async ({start}, html) => {
            const {body} = document, marks = [];
            const seen = () => new Promise(done => setTimeout(done));
            const look = () => marks.push([...body.querySelectorAll('img, source')]
                .map(each => (each.src || each.srcset).split('#')[1] ?? ''));
            body.dataset.theme = 'dark';
            body.innerHTML = html;
            start(document);
            look();
            Object.defineProperty(navigator, 'vendor', {value: 'Apple Computer, Inc.'});
            for (const theme of ['light', 'dark']) {
                body.dataset.theme = theme;
                await seen();
                look();
            }
            body.innerHTML = html;
            await seen();
            look();
            body.querySelector('img').style.colorScheme = 'light';
            return marks;
        }""",
        html,
    )
    assert marks == [[""] * 3, [""] * 3, ["dark"] * 3, ["dark"] * 3]
    assert_painted(page, page.locator("img").first, DARK)


def test_in_a_notebook_that_is_not_trusted_it_stands_still(lab, reader):
    """Even beside one that answers: what says so is taken away."""
    stored = {
        "output_type": "execute_result",
        "execution_count": 1,
        "metadata": {},
        "data": {"text/html": live(draw(x, title="y")), "text/plain": "y"},
    }
    source = "import stridekit as sk\nsk.draw(sk.arange(4), title='mine')"
    path = notebook(lab, "strange.ipynb", "From afar", "draw(y)", outputs=[stored])
    content = json.loads((lab.course / path).read_text("utf-8"))
    content["cells"].append({**content["cells"][1], "id": "mine", "source": source, "outputs": []})
    (lab.course / path).write_text(json.dumps(content), "utf-8")
    page = reader
    lab.turn_to(page, path, "From afar")
    page.get_by_text("import stridekit as sk").click()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(KEYS)).to_have_count(1)
    theirs = page.locator("img[alt^='Tensor y, size (3, 4)']")
    theirs.wait_for()
    assert theirs.get_attribute("data-stridekit") is None
    theirs.hover(position={"x": 30, "y": 80})
    assert page.locator(LINE).all_inner_texts() == [""]
    assert_painted(page, theirs, LIGHT)


def test_the_code_is_typed():
    """By its comments: an editor, and `tsc --checkJs --strict`, know what goes where."""
    assert CODE.startswith("// @ts-check\n")
    assert ROOT.joinpath("stridekit/diagrams/touch.js").stat().st_size < 20_000
