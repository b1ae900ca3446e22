"""Explorers as people meet them: by keyboard, by name, in the dark, magnified, without a kernel."""

import json
import re
from io import BytesIO

import nbformat
import pytest
from nbconvert import HTMLExporter
from PIL import Image, ImageChops
from playwright.sync_api import expect

from stridekit.explorers import EXPLORERS
from stridekit.explorers.controller import Controller
from stridekit.explorers.fields import Button, Choice, TextField
from tests.accessibility import violations
from tests.browser.conftest import choose, is_idle, save
from tests.browser.test_diagrams import choose_theme
from tests.browser.typing import answered, settled, trial

NAMES = [*EXPLORERS]
# The page's code is the same for all. These show what differs: cells, cells and a list, an image.
OF_EACH_KIND = ["strides", "sharing", "pixels"]
# A field of each, something valid to type there, and what the message then says.
TYPED = {
    "index": ("index", "2, 3", "[2, 3] lies at position 11"),
    "strides": ("stride", "1, 3", "stride (1, 3)"),
    "reshape": ("new size", "2, 6", "view(2, 6)"),
    "permute": ("dims", "2 1 0", "x.permute(2, 1, 0)"),
    "slicing": ("x[ ... ]", "1:", "x[1:]"),
    "broadcast": ("size of a", "2,3,1", "(2, 3, 4)"),
    "sharing": ("size of x", "2, 2", ""),
    "traversal": ("visit", "9", "Visit 9"),
    "pixels": ("stride", "291, 3, 1", "63 of 6,144 pixels lie outside the storage"),
}
# What has the focus: its accessible name, and the width of its outline.
FOCUSED = """() => {
    const it = document.activeElement, style = getComputedStyle(it);
    return {name: (it.labels?.[0] ?? it).textContent.trim(),
            diagram: it.matches('.sk-diagram, .stridekit-keys, .sk-chip, .sk-edge'),
            is: `${it.localName}.${it.className}`,
            outline: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)};
}"""
# Texts whose colour is too near to what is behind them, with the ratio.
FAINT = """explorer => {
    const parts = colour => {
        const found = colour.match(/[\\d.]+/g).map(Number);
        return [...found.slice(0, 3), found[3] ?? 1];
    };
    const over = (top, under) =>
        [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
    const behind = element => {
        if (!element) return [255, 255, 255, 1];
        const own = parts(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const light = colour => {
        const [r, g, b] = colour.map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...explorer.querySelectorAll('*')].filter(each => !each.closest('svg, style'))
        .filter(each => each.checkVisibility())
        .filter(each => each.matches('input, select') ||
            [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
        .map(each => {
            const back = behind(each), ink = over(parts(getComputedStyle(each).color), back);
            const [a, b] = [light(ink), light(back)].sort((x, y) => y - x);
            return [each.textContent.slice(0, 40), (a + 0.05) / (b + 0.05)];
        })
        .filter(([, ratio]) => ratio < 4.5);
}"""
# Back to the first state, showing all that waits till somebody asks for more.
FRESH = """it => {
    it.querySelectorAll('.sk-more').forEach(each => { each.open = true; });
    const reset = [...it.querySelectorAll('button')].find(each => each.textContent === 'Reset');
    reset.focus();
    reset.click();
}"""
# What is said, and what stands in each field, by its label.
STANDS = """it => ({
    said: it.querySelector('.sk-said').textContent,
    fields: Object.fromEntries([...it.querySelectorAll('.sk-field input')]
        .map(each => [each.labels[0].textContent, each.value])),
})"""
FOLD = "it => it.querySelectorAll('.sk-more').forEach(each => { each.open = false; })"
# What is wider than its place, or than the window.
WIDE = """explorer => [...explorer.querySelectorAll('*'), explorer]
    .filter(each => !each.closest('svg') && !each.matches('input, select, style'))
    .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth
        || each.getBoundingClientRect().right > innerWidth)
    .map(each => each.className)"""
# How far below an explorer's top its fields, its verdict and the lowest cell of its picture end.
# What is lined up below fields is the rule itself, and pictures only show what comes of it.
ENDS = """explorer => {
    const {top} = explorer.getBoundingClientRect();
    const end = each => each.getBoundingClientRect().bottom - top;
    const cells = [...explorer.querySelectorAll('[data-stridekit]')].flatMap(holder => {
        const drawn = holder.querySelector('svg').getBoundingClientRect();
        const {width, parts} = JSON.parse(holder.getAttribute('data-stridekit'));
        const scale = drawn.width / width;
        return parts.flatMap(({y, h}) => y.map(at => drawn.top - top + (at + h) * scale));
    });
    const rule = [...explorer.querySelectorAll('.sk-lead table')].map(end);
    const images = [...explorer.querySelectorAll('svg image')].map(end);
    return {
        fields: Math.max(...[...explorer.querySelectorAll('.sk-controls, .sk-hands')]
            .filter(each => !each.matches('.sk-copying')).map(end)),
        verdict: end(explorer.querySelector('.sk-message')),
        picture: Math.max(...(rule.length ? rule : [...images, ...cells])),
    };
}"""
# What Notebook 7 says at its start in any notebook.
NOTEBOOKS_OWN = r"reading 'schema'|'filebrowser:open-path' not registered"


def controls(name):
    """What one can set and press on the page."""
    return [each for each in EXPLORERS[name].controls if not getattr(each, "hidden", False)]


def role(control):
    """What a control is for a screen reader."""
    kinds = {Button: "button", Choice: "combobox"}
    return kinds.get(type(control), "textbox")


class Shown:
    """A notebook with an explorer in each cell, run, on a page; and what went wrong there."""

    def __init__(self, page):
        self.page = page
        self.errors = []
        page.on("pageerror", lambda error: self.errors.append(error))

    def run(self):
        """Run all cells."""
        choose(self.page, "Run", "Run All Cells")

    def __getitem__(self, name):
        """Return one explorer. By its role is slow on so full a page: one test does that.

        By XPath, for with a selector of CSS each element is asked for a shadow root.
        """
        return self.page.locator(f"//*[@data-name='{name}']")

    def fresh(self, name):
        """The same in its first state, after Reset, unfolded."""
        explorer, controller = self[name], Controller(EXPLORERS[name])
        explorer.evaluate(FRESH)
        answered(self.page)
        texts, told = controller.texts(), explorer.evaluate(STANDS)
        fields = [each for each in controls(name) if isinstance(each, TextField)]
        assert told["said"] == controller.shown.summary
        assert told["fields"] == {each.label: texts[each.name] for each in fields}
        return explorer


def write(lab, name, explorers=NAMES):
    """A notebook into the course: a cell for each explorer."""
    path = lab.course / "work" / name
    cells = [nbformat.v4.new_markdown_cell("# Explorers\n\n## All of them", id="title")]
    cells.append(nbformat.v4.new_code_cell("from stridekit.explorers import *", id="setup"))
    cells += [nbformat.v4.new_code_cell(f"{each}()", id=each) for each in explorers]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    path.write_text(json.dumps(notebook), "utf-8")
    return path


@pytest.fixture(scope="module")
def shown(lab, reader):
    """All nine in JupyterLab, run once for all tests, till another notebook is turned to."""
    write(lab, "explorers.ipynb")
    shown = Shown(reader)
    lab.turn_to(reader, "work/explorers.ipynb", "Explorers")
    shown.run()
    shown[NAMES[-1]].wait_for()
    # Till then JupyterLab moves the focus to the cell that runs.
    is_idle(reader)
    return shown


def message(explorer):
    """What is said of the state: a live region."""
    return explorer.get_by_role("status").and_(explorer.locator(".sk-said"))


def code(explorer):
    """The torch lines that make what is shown."""
    return explorer.locator(".sk-code")


def picture(explorer):
    """The first diagram."""
    return explorer.locator("svg").first


def focus(explorer, role, name):
    """A control, with the focus in it."""
    control = explorer.get_by_role(role, name=name, exact=True)
    control.focus()
    return control


def retype(page, text):
    """Replace what stands in the field that has the focus."""
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


@pytest.mark.parametrize("name", NAMES)
def test_it_appears_and_its_parts_have_roles_and_names(shown, name):
    """A heading, each control, a picture with a name, a table with headers, code."""
    explorer, title = shown[name], EXPLORERS[name].title
    folded = [each for each in controls(name) if getattr(each, "folded", False)]
    for control in folded:
        expect(explorer.get_by_role(role(control), name=control.label, exact=True)).to_be_hidden()
    if folded:
        explorer.locator("summary").get_by_text("More to set").press("Enter")
    named = shown.page.get_by_role("group", name=title, exact=True)
    expect(named.and_(explorer)).to_be_visible()
    expect(explorer.get_by_role("heading", level=3, name=title)).to_be_visible()
    for control in controls(name):
        found = explorer.get_by_role(role(control), name=control.label, exact=True)
        expect(found).to_be_visible()
    for kind, label in (
        ("button", "Reset"),
        ("checkbox", "Predict first"),
        ("button", "Copy code"),
    ):
        expect(explorer.get_by_role(kind, name=label, exact=True)).to_be_visible()
    expect(explorer.get_by_role("img", name=re.compile("size .* stride")).first).to_be_visible()
    for table in explorer.get_by_role("table").all():
        assert table.get_by_role("columnheader").count() >= 2
        assert table.get_by_role("rowheader").count() >= 2
    expect(code(explorer)).to_contain_text("import torch")
    expect(explorer.get_by_role("alert")).to_have_count(0)
    expect(explorer.get_by_role("button", name="Use what works")).to_be_hidden()


@pytest.mark.parametrize("name", NAMES)
def test_tab_reaches_every_control_and_shows_where_it_is(shown, name):
    """In the order in which they stand, each with an outline; Shift+Tab leads back."""
    explorer, page = shown.fresh(name), shown.page
    fields = [each for each in controls(name) if not isinstance(each, Button)]
    buttons = [each.label for each in controls(name) if isinstance(each, Button)]
    folded = [each.label for each in fields if each.folded]
    expected = [*(each.label for each in fields if not each.folded), *buttons]
    expected += ["Undo", "Redo", "Reset", "Predict first"]
    expected += ["More to set", *folded] if folded else []
    expected += ["Copy code", "Copy this state"]
    first = next(each for each in fields if not each.folded)
    focus(explorer, role(first), first.label)
    page.keyboard.press("Shift+Tab")
    reached = []
    page.keyboard.press("Tab")
    # JupyterLab gives the active cell a toolbar in its own time: perhaps between the two keys.
    if page.evaluate(FOCUSED)["is"].startswith("jp-button"):
        page.keyboard.press("Tab")
    while True:
        here = page.evaluate(FOCUSED)
        assert here["outline"] >= 2, here
        # Handles and pictures can be reached too.
        if not here["diagram"]:
            reached.append(here["name"])
        if len(reached) == len(expected):
            break
        page.keyboard.press("Tab")
    assert reached == expected
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED)["name"] == "Copy code"


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_typing_changes_the_picture_and_keeps_the_focus(shown, name):
    """Every key is kept as typed, and said; Reset by keyboard leads back."""
    explorer, page = shown.fresh(name), shown.page
    label, text, said = TYPED[name]
    before, drawn = message(explorer).inner_text(), picture(explorer).text_content()
    field = focus(explorer, "textbox", label)
    value, region = field.input_value(), message(explorer).element_handle()
    retype(page, text)
    expect(message(explorer)).to_contain_text(said)
    expect(explorer.get_by_role("alert")).to_have_count(0)
    expect(picture(explorer)).not_to_have_text(drawn)
    assert region.evaluate("it => it.isConnected"), "what is announced is not there any more"
    expect(field).to_be_focused()
    expect(field).to_have_value(text)
    focus(explorer, "button", "Reset")
    page.keyboard.press("Space")
    expect(message(explorer)).to_have_text(before)
    expect(field).to_have_value(value)
    expect(explorer.get_by_role("button", name="Reset")).to_be_focused()


def test_fields_filled_without_a_pause_keep_what_was_typed(shown):
    """Keys of one field are on their way while the next is typed in: none is lost."""
    explorer, page = shown.fresh("strides"), shown.page
    wanted = {"size": "2,3,2", "storage_offset": "1", "storage length": "20"}
    for label, text in wanted.items():
        explorer.get_by_role("textbox", name=label, exact=True).focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
    expect(message(explorer)).to_contain_text("size (2, 3, 2)")
    expect(message(explorer)).to_contain_text("offset 1")
    for label, text in wanted.items():
        field = explorer.get_by_role("textbox", name=label, exact=True)
        expect(field).to_have_value(text)


@pytest.mark.parametrize(
    ("names", "round_trip", "gap", "backwards"),
    [(["permute", "strides"], 80, 30, False), (["reshape", *OF_EACH_KIND], 400, 0, True)],
    ids=["between two keys", "after all keys"],
)
def test_on_a_far_server_fields_and_picture_are_what_was_typed(
    shown, names, round_trip, gap, backwards
):
    """Answers come after later keys. `python -m bench.typing` tries many more distances."""
    explorers = {name: shown[name] for name in names}
    try:
        wrong = trial(shown.page, explorers, round_trip, gap, backwards=backwards)
    finally:
        shown.page.evaluate("window.addedRoundTrip = 0")
    assert wrong == {name: [] for name in names}


def test_what_follows_waits_where_the_focus_is(shown):
    """The stride of a new size is offered to who stands in the stride, and comes when they go."""
    explorer, page = shown.fresh("permute"), shown.page
    page.evaluate("window.addedRoundTrip = 300")
    try:
        focus(explorer, "textbox", "size")
        retype(page, "3, 5")
        stride = focus(explorer, "textbox", "stride")
        explorer.locator(".sk-offer", has_text="Enter: 5, 1").wait_for()
        expect(stride).to_have_value("6, 3, 1")
        page.keyboard.press("Tab")
        expect(stride).to_have_value("5, 1")
        settled(page, explorer)
        assert explorer.locator(".sk-offer").all_inner_texts() == ["", "", "", ""]
    finally:
        page.evaluate("window.addedRoundTrip = 0")


def test_a_key_shows_at_once_that_it_is_on_its_way(shown):
    """In the same frame as the key, long before the answer; afterwards the mark goes."""
    explorer, page = shown.fresh("strides"), shown.page
    page.evaluate("window.addedRoundTrip = 1000")
    try:
        marked = explorer.locator("h3").evaluate(
            """async heading => {
                const field = heading.closest('.sk-explorer').querySelector('input[type=text]');
                field.value = '2, 3';
                field.dispatchEvent(new Event('input', {bubbles: true}));
                await new Promise(requestAnimationFrame);
                return getComputedStyle(heading, '::after').visibility;
            }"""
        )
        assert marked == "visible"
        settled(page, explorer)
        mark = "it => getComputedStyle(it, '::after').visibility"
        assert explorer.locator("h3").evaluate(mark) == "hidden"
    finally:
        page.evaluate("window.addedRoundTrip = 0")


def test_hover_is_answered_before_the_next_frame(shown):
    """What is the same memory lights up and is told, and nobody is asked."""
    explorer, page = shown.fresh("index"), shown.page
    expect(explorer.locator(".stridekit-keys")).to_be_attached()
    sent = page.evaluate("window.sent")
    told = explorer.locator("svg.stridekit").evaluate(
        """async picture => {
            const {left, top} = picture.getBoundingClientRect();
            const at = {clientX: left + 20 + 18, clientY: top + 60 + 16, bubbles: true};
            picture.dispatchEvent(new PointerEvent('pointermove', at));
            await new Promise(requestAnimationFrame);
            const frame = picture.parentElement;
            return [frame.parentElement.querySelector('.stridekit-line').textContent,
                    frame.querySelector('svg[aria-hidden] path').getAttribute('d').match(/M/g)];
        }"""
    )
    assert told[0].startswith("x[0, 0]")
    assert told[1] == ["M", "M"], "the cell, and its slot in the strip"
    assert page.evaluate("window.sent") == sent


@pytest.mark.parametrize("name", NAMES)
def test_nothing_jumps(shown, name):
    """An error, its end, and predict first leave everything where it is; keys, the picture."""
    explorer, page = shown.fresh(name), shown.page
    label, text, _ = TYPED[name]

    def places():
        return explorer.evaluate(
            """it => ['told', 'picture', 'page', 'copying', 'line'].map(each => {
                const {top} = it.querySelector(`.sk-${each}`).getBoundingClientRect();
                return Math.round(top - it.getBoundingClientRect().top);
            })"""
        )

    calm = places()
    predict = focus(explorer, "checkbox", "Predict first")
    page.keyboard.press("Space")
    asked = explorer.get_by_role("textbox", name="Your prediction")
    asked.wait_for()
    assert places() == pytest.approx(calm, abs=1)
    predict.press("Space")
    expect(asked).to_be_hidden()
    focus(explorer, "textbox", label)
    retype(page, "?")
    explorer.get_by_role("alert").wait_for()
    assert places() == pytest.approx(calm, abs=1)
    focus(explorer, "button", "Use what works").press("Enter")
    expect(explorer.get_by_role("alert")).to_have_count(0)
    shown.fresh(name)
    assert places() == pytest.approx(calm, abs=1)
    focus(explorer, "textbox", label)
    retype(page, text)
    settled(page, explorer)
    assert places()[:3] == pytest.approx(calm[:3], abs=1)


def test_undo_and_redo_by_keyboard_and_by_button(shown):
    """Ctrl+Z takes back an edit, not a key, also where the focus is; Ctrl+Shift+Z brings it."""
    explorer, page = shown.fresh("strides"), shown.page
    field = focus(explorer, "textbox", "stride")
    retype(page, "50, 1")
    expect(message(explorer)).to_contain_text("stride (50, 1)")
    page.keyboard.press("ControlOrMeta+z")
    expect(field).to_have_value("4, 1")
    expect(message(explorer)).to_contain_text("stride (4, 1)")
    expect(field).to_be_focused()
    page.keyboard.press("ControlOrMeta+Shift+z")
    expect(field).to_have_value("50, 1")
    undo = focus(explorer, "button", "Undo")
    page.keyboard.press("Enter")
    expect(field).to_have_value("4, 1")
    expect(undo).to_be_focused()
    focus(explorer, "button", "Redo").press("Space")
    expect(message(explorer)).to_contain_text("stride (50, 1)")


def test_arrow_keys_and_the_wheel_turn_a_number(shown):
    """The one at the caret; sizes stop at 0."""
    explorer, page = shown.fresh("index"), shown.page
    field = focus(explorer, "textbox", "index")
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    expect(message(explorer)).to_contain_text("[1, 3] lies at position 7")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(field).to_have_value("1, 1")
    page.keyboard.press("Home")
    field.hover()
    page.mouse.wheel(0, -10)
    expect(field).to_have_value("2, 1")
    expect(message(explorer)).to_contain_text("[2, 1] lies at position 9")
    offset = focus(explorer, "textbox", "storage_offset")
    page.keyboard.press("ArrowDown")
    expect(offset).to_have_value("0")


def test_a_cell_is_chosen_by_mouse_and_by_keyboard(shown):
    """In the grid and in the strip; the focus stays in the picture, at that cell."""
    explorer, page = shown.fresh("index"), shown.page
    expect(explorer.locator(".stridekit-keys")).to_be_attached()
    explorer.scroll_into_view_if_needed()
    place = explorer.locator("svg.stridekit").bounding_box()
    page.mouse.click(place["x"] + 20 + 18, place["y"] + 60 + 16)
    expect(message(explorer)).to_contain_text("[0, 0] lies at position 0")
    expect(explorer.get_by_role("textbox", name="index", exact=True)).to_have_value("0, 0")
    expect(explorer.locator(".stridekit-keys")).to_be_focused()
    expect(explorer.locator(".stridekit-line")).to_contain_text("x[0, 0]")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(message(explorer)).to_contain_text("[1, 1] lies at position 5")
    expect(explorer.locator(".stridekit-line")).to_contain_text("x[1, 1]")
    page.keyboard.press("ControlOrMeta+z")
    expect(message(explorer)).to_contain_text("[0, 0] lies at position 0")


def test_a_pixel_is_chosen_by_mouse_and_by_keyboard(shown):
    """In the face and where it is read; what is outlined is said."""
    explorer, page = shown.fresh("pixels"), shown.page
    field = explorer.get_by_role("textbox", name="pixel", exact=True)
    explorer.locator("svg image").first.scroll_into_view_if_needed()
    place = explorer.locator("svg image").first.bounding_box()
    page.mouse.click(
        place["x"] + 40.5 / 96 * place["width"], place["y"] + 20.5 / 64 * place["height"]
    )
    expect(field).to_have_value("20, 40")
    expect(message(explorer)).to_contain_text("is read in 1 pixel, first in [20, 40]")
    focus(explorer, "textbox", "pixel")
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("20, 41")
    expect(message(explorer)).to_contain_text("first in [20, 41]")


def test_dims_are_dragged_and_moved_by_arrow_keys(shown):
    """A drag is one step for Undo."""
    explorer, page = shown.fresh("permute"), shown.page
    chips = explorer.locator(".sk-chip")
    chips.nth(0).focus()
    page.keyboard.press("ArrowRight")
    expect(message(explorer)).to_contain_text("x.permute(0, 2, 1)")
    expect(chips.nth(1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(message(explorer)).to_contain_text("x.permute(0, 1, 2)")
    first, last = chips.nth(0).bounding_box(), chips.nth(2).bounding_box()
    page.mouse.move(first["x"] + 10, first["y"] + 10)
    page.mouse.down()
    page.mouse.move(last["x"] + 10, last["y"] + 10, steps=8)
    page.mouse.up()
    expect(message(explorer)).to_contain_text("x.permute(1, 2, 0)")
    expect(explorer.get_by_role("textbox", name="dims", exact=True)).to_have_value("1, 2, 0")
    page.keyboard.press("ControlOrMeta+z")
    expect(message(explorer)).to_contain_text("x.permute(0, 1, 2)")


def test_the_edges_of_a_slice_are_moved(shown):
    """By keys and by mouse: on the grid of x, of whatever rank."""
    explorer, page = shown.fresh("slicing"), shown.page
    start = focus(explorer, "slider", "dim 0 start")
    for key, wanted, told in (
        ("ArrowDown", "x[1:, ::2]", "1: from 1 up to 3"),
        ("End", "x[3:, ::2]", "3: from 3 up to 3"),
        ("ArrowLeft", "x[2:, ::2]", "2: from 2 up to 3"),
        ("Home", "x[:, ::2]", "0: from 0 up to 3"),
    ):
        page.keyboard.press(key)
        expect(message(explorer)).to_contain_text(wanted)
        expect(start).to_be_focused()
        expect(start).to_have_attribute("aria-valuetext", told)
    stop = explorer.get_by_role("slider", name="dim 1 stop", exact=True)
    knob, cell = stop.locator(".sk-knob"), 36
    knob.scroll_into_view_if_needed()
    place = knob.bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    grid = explorer.locator("svg.stridekit").bounding_box()
    scale = grid["width"] / picture(explorer).evaluate("it => it.viewBox.baseVal.width")
    cell *= scale
    assert x == pytest.approx(grid["x"] + 26 * scale + 4 * cell, abs=6), (
        "where the last column ends"
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 2 * cell, y + 9, steps=6)
    expect(stop).to_have_attribute("aria-valuenow", "2")
    page.mouse.up()
    expect(message(explorer)).to_contain_text("x[:, :2:2]")
    assert knob.bounding_box()["x"] == pytest.approx(place["x"] - 2 * cell, abs=1)
    page.keyboard.press("ControlOrMeta+z")
    expect(message(explorer)).to_contain_text("x[:, ::2]")
    expect(stop).to_have_attribute("aria-valuenow", "4")

    focus(explorer, "textbox", "size")
    retype(page, "2, 3, 4")
    focus(explorer, "textbox", "x[ ... ]")
    retype(page, "0, 1:")
    expect(message(explorer)).to_contain_text("x[0, 1:]")
    # A dim that is taken away has no edges.
    handles = explorer.locator(".sk-edge")
    expect(handles).to_have_count(4)
    names = [each.get_attribute("aria-label") for each in handles.all()]
    assert sorted(names) == ["dim 1 start", "dim 1 stop", "dim 2 start", "dim 2 stop"]
    retype(page, "::-1")
    expect(message(explorer)).to_contain_text("torch refuses")
    expect(handles).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 640])
def test_the_edges_of_a_slice_cover_no_letter(shown, width):
    """On pictures of one dim to four, whole and magnified to 200 %, nor does where the focus is."""
    explorer, page = shown.fresh("slicing"), shown.page
    shows = """(it, [edges, texts]) => {
        it.querySelector('.sk-edges').style.visibility = edges;
        it.querySelectorAll('svg text').forEach(text => { text.style.visibility = texts; });
    }"""

    def seen(edges, texts):
        explorer.evaluate(shows, [edges, texts])
        png = explorer.locator(".sk-picture").first.screenshot()
        return Image.open(BytesIO(png)).convert("L")

    def differ(one, other):
        return ImageChops.difference(one, other).point(lambda by: 255 * (by > 96))

    page.set_viewport_size({"width": width, "height": 900})
    page.mouse.move(0, 0)
    try:
        for size, key in (
            ("6", "1:4"),
            ("3, 4", ":, ::2"),
            ("3, 4", "1:3, 1:3"),
            ("2, 3, 4", ":"),
            ("2, 2, 3, 4", "1:, :, 1:"),
        ):
            focus(explorer, "textbox", "size")
            retype(page, size)
            focus(explorer, "textbox", "x[ ... ]")
            retype(page, key)
            settled(page, explorer)
            bare, read = seen("hidden", "hidden"), seen("hidden", "visible")
            explorer.evaluate(shows, ["visible", "visible"])
            focus(explorer, "slider", "dim 0 start")
            held = seen("visible", "visible")
            ink = differ(bare, read)
            assert ink.getbbox()
            assert ImageChops.darker(ink, differ(read, held)).getbbox() is None, (size, key)
    finally:
        explorer.evaluate(shows, ["", ""])
        page.set_viewport_size({"width": 1280, "height": 900})


def test_in_both_themes_every_text_stands_out_and_axe_has_nothing_to_say(shown):
    """Messages, errors, tables, fields, code: at least 4.5 to 1; opened fresh, and on errors.

    axe-core looks at each theme and at each state once: colours are looked at in all of them.
    """
    page = shown.page

    def spoil(name):
        focus(shown[name], "textbox", TYPED[name][0])
        retype(page, "3, x?")
        shown[name].get_by_role("alert").wait_for()

    try:
        for theme, becomes, by_axe in (
            ("JupyterLab Light", shown.fresh, True),
            ("JupyterLab Light", spoil, False),
            ("JupyterLab Dark", lambda _: None, True),
            ("JupyterLab Dark", shown.fresh, False),
        ):
            choose_theme(page, theme)
            for name in NAMES:
                becomes(name)
            assert {name: shown[name].evaluate(FAINT) for name in NAMES} == {
                name: [] for name in NAMES
            }
            assert not by_axe or violations(page, ".sk-explorer") == [], theme
    finally:
        choose_theme(page, "JupyterLab Light")


def test_reduced_motion_is_respected(shown):
    """Nothing glides for who asks for that."""
    page = shown.page
    page.emulate_media(reduced_motion="reduce")
    try:
        for name in NAMES:
            gliding = shown[name].evaluate(
                """it => [it, ...it.querySelectorAll('*')].filter(each =>
                    ['', '::after'].some(part => {
                        const {transitionDuration, animationName} = getComputedStyle(each, part);
                        return parseFloat(transitionDuration) > 0 || animationName !== 'none';
                    })).map(each => each.className)"""
            )
            assert gliding == []
    finally:
        page.emulate_media(reduced_motion="no-preference")


def test_buttons_work_by_enter_and_by_space(shown):
    """And keep the focus, for the next time."""
    explorer, page = shown.fresh("index"), shown.page
    following = focus(explorer, "button", "Next element")
    page.keyboard.press("Enter")
    expect(message(explorer)).to_contain_text("[1, 3] lies at position 7")
    page.keyboard.press("Space")
    expect(message(explorer)).to_contain_text("[2, 0] lies at position 8")
    expect(following).to_be_focused()
    expect(explorer.get_by_role("textbox", name="index", exact=True)).to_have_value("2, 0")


def test_what_is_typed_at_a_button_is_no_command_to_jupyterlab(shown):
    """There x cuts the cell, d twice deletes it, m makes text of it, and b puts one below."""
    explorer, page = shown.fresh("index"), shown.page
    for role, name in (("button", "Next element"), ("checkbox", "Predict first")):
        there = focus(explorer, role, name)
        cells = page.locator(".jp-NotebookPanel .jp-Cell").count()
        for key in ("x", "d", "d", "m", "b", "M"):
            page.keyboard.press(key)
        expect(there).to_be_focused()
        expect(page.locator(".jp-NotebookPanel .jp-Cell")).to_have_count(cells)
        expect(explorer).to_be_visible()


def test_ctrl_s_saves_the_notebook_wherever_the_focus_is(shown):
    """What chooses by arrow keys keeps these from JupyterLab, and nothing else."""
    for name, role in (("strides", "combobox"), ("slicing", "slider"), ("index", "application")):
        explorer = shown.fresh(name)
        explorer.get_by_role(role).first.focus()
        save(shown.page)
    chip = shown.fresh("permute").locator(".sk-chip").first
    chip.focus()
    save(shown.page)


def test_dropdowns_work_by_arrow_keys(shown):
    """A preset fills the fields; a field that is typed in says that it is not a preset."""
    explorer, page = shown.fresh("strides"), shown.page
    preset = focus(explorer, "combobox", "preset")
    page.keyboard.press("ArrowDown")
    expect(message(explorer)).to_contain_text("stride (1, 3)")
    expect(explorer.get_by_role("textbox", name="stride", exact=True)).to_have_value("1, 3")
    expect(preset).to_be_focused()
    focus(explorer, "textbox", "stride")
    retype(page, "2, 3")
    expect(preset).to_have_value("your own")


def test_tensors_are_made_and_written_by_keyboard(shown):
    """The explorer of sharing: Write, and who sees it."""
    explorer, page = shown.fresh("sharing"), shown.page
    focus(explorer, "textbox", "value")
    retype(page, "7")
    focus(explorer, "button", "Write")
    page.keyboard.press("Enter")
    expect(explorer.get_by_role("list")).to_contain_text("Seen by x and y")
    expect(code(explorer)).to_contain_text("x[1, 2] = 7")
    focus(explorer, "button", "Undo")
    page.keyboard.press("Enter")
    expect(code(explorer)).not_to_contain_text("= 7")


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_an_error_is_announced_and_mended(shown, name):
    """The last valid picture stays and is marked; by typing on, or by Use what works, it goes."""
    explorer, page = shown.fresh(name), shown.page
    label, text, said = TYPED[name]
    title = picture(explorer).locator("title").text_content()
    field = focus(explorer, "textbox", label)
    retype(page, "what?")
    alert = explorer.get_by_role("alert")
    alert.wait_for()
    expect(alert).to_contain_text("Works:")
    stale = explorer.get_by_role("group", name="last valid")
    expect(stale.locator("title").first).to_have_text(title)
    expect(explorer.get_by_text("last valid", exact=True)).to_be_visible()
    assert stale.locator(".sk-diagram").first.evaluate("it => getComputedStyle(it).opacity") < "1"
    expect(field).to_be_focused()
    expect(field).to_have_value("what?")
    retype(page, text)
    expect(alert).to_have_count(0)
    expect(stale).to_have_count(0)
    expect(message(explorer)).to_contain_text(said)

    retype(page, "?")
    focus(explorer, "button", "Use what works")
    page.keyboard.press("Enter")
    expect(alert).to_have_count(0)
    expect(field).not_to_have_value("?")
    expect(field).to_be_focused()
    expect(explorer.get_by_role("button", name="Use what works")).to_be_hidden()


def test_what_is_typed_is_shown_as_text(shown):
    """Not as a part of the page."""
    explorer, page = shown.fresh("strides"), shown.page
    focus(explorer, "textbox", "size")
    retype(page, "<img src=x>")
    expect(explorer.get_by_role("alert")).to_contain_text("<img src=x>")
    expect(explorer.locator("img")).to_have_count(0)


def test_predict_first_hides_asks_and_tells(shown):
    """The code waits too, for it often tells the answer."""
    explorer, page = shown.fresh("reshape"), shown.page
    predict = focus(explorer, "checkbox", "Predict first")
    page.keyboard.press("Space")
    expect(predict).to_be_checked()
    expect(message(explorer)).to_contain_text("Yes or no?")
    expect(code(explorer)).to_be_hidden()
    expect(code(explorer)).to_have_text("")
    expect(explorer.get_by_role("button", name="Copy code")).to_be_hidden()
    expect(explorer.get_by_role("listitem")).to_have_count(0)
    expect(explorer).not_to_contain_text("impossible")
    page.keyboard.press("Tab")
    expect(explorer.get_by_role("textbox", name="Your prediction")).to_be_focused()
    page.keyboard.type("yes")
    page.keyboard.press("Enter")
    expect(message(explorer)).to_contain_text("You said yes; it is no.")
    expect(code(explorer)).to_be_visible()
    retype(page, "No!")
    page.keyboard.press("Enter")
    expect(message(explorer)).to_contain_text("Right: no.")
    predict.press("Space")
    expect(explorer.get_by_role("textbox", name="Your prediction")).to_be_hidden()


def test_copy_code_copies(shown):
    """Line by line, as it stands there; and says so."""
    explorer, page = shown.fresh("permute"), shown.page
    focus(explorer, "button", "Copy code")
    page.keyboard.press("Enter")
    expect(explorer.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("import torch\n\nx = torch.arange(12).view(2, 2, 3)")
    assert copied == code(explorer).inner_text()
    focus(explorer, "button", "Copy this state")
    page.keyboard.press("Enter")
    expect(explorer.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "permute()"


def test_play_steps_and_stops(shown):
    """One button: Play, and while it plays, Stop."""
    explorer, page = shown.fresh("traversal"), shown.page
    # To the end of these it would play for minutes.
    focus(explorer, "textbox", "size")
    retype(page, "20, 20")
    focus(explorer, "button", "Play")
    page.keyboard.press("Enter")
    stop = explorer.get_by_role("button", name="Stop")
    expect(stop).to_be_focused()
    expect(message(explorer)).to_contain_text(re.compile(r"Visit ([7-9]|\d\d+) "))
    page.keyboard.press("Enter")
    expect(explorer.get_by_role("button", name="Play")).to_be_focused()
    # A visit that was asked for before may still come.
    settled(page, explorer)
    visit = explorer.get_by_role("textbox", name="visit")
    stopped = int(visit.input_value())
    assert stopped >= 7
    focus(explorer, "button", "Back").press("Enter")
    expect(visit).to_have_value(str(stopped - 1))
    # Whatever else is done stops it.
    focus(explorer, "button", "Play").press("Enter")
    expect(stop).to_be_visible()
    focus(explorer, "button", "Undo").press("Enter")
    expect(stop).to_have_count(0)
    # At the end it stops by itself.
    explorer = shown.fresh("traversal")
    focus(explorer, "textbox", "visit")
    retype(page, "13")
    focus(explorer, "button", "Play").press("Enter")
    expect(message(explorer)).to_contain_text("Visit 15")
    expect(stop).to_have_count(0)


def test_fields_verdict_and_picture_are_seen_together(shown):
    """At the opening state; on a laptop, and at 125 % of 1280 x 720; file browser beside."""
    page = shown.page
    for name in NAMES:
        shown.fresh(name).evaluate(FOLD)
    settled(page, shown[NAMES[-1]])
    try:
        for width, height, room in ((1366, 768, 640), (1024, 576, 500)):
            page.set_viewport_size({"width": width, "height": height})
            # Pictures are made anew for another width.
            settled(page, shown[NAMES[-1]])
            for name in NAMES:
                ends = shown[name].evaluate(ENDS)
                late = {part: end for part, end in ends.items() if not 0 < end <= room}
                assert late == {}, (name, width)
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})


def test_two_bad_fields_are_both_marked(shown):
    """And the complaint is about the one just typed."""
    explorer, page = shown.fresh("strides"), shown.page
    for label, text in (("size", "3, x"), ("stride", "y")):
        focus(explorer, "textbox", label)
        retype(page, text)
    expect(explorer.get_by_role("alert")).to_contain_text("The stride 'y' cannot be read.")
    for label in ("size", "stride"):
        field = explorer.get_by_role("textbox", name=label, exact=True)
        expect(field).to_have_attribute("aria-invalid", "true")
    shown.fresh("strides")
    expect(explorer.locator("[aria-invalid]")).to_have_count(0)


def test_magnified_to_200_percent(shown):
    """At half of 1280 pixels nothing scrolls sideways."""
    page = shown.page
    for name in NAMES:
        shown.fresh(name)
    focus(shown["reshape"], "textbox", "size")
    retype(page, "three, four and a very long word: " + "m" * 60)
    shown["reshape"].get_by_role("alert").wait_for()
    files = page.get_by_role("tab", name="File Browser")
    files.click()  # and it goes
    page.set_viewport_size({"width": 640, "height": 450})
    try:
        for name in NAMES:
            wide = shown[name].element_handle()
            page.wait_for_function("it => it.clientWidth > 400 && it.clientWidth < 640", arg=wide)
            assert shown[name].evaluate(WIDE) == [], name
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})
        files.click()


def test_without_a_kernel_the_last_pictures_are_there(lab, shown, page):
    """The notebook as it is saved, on a page that nbconvert makes of it: what was seen last."""
    path = lab.course / "work" / "explorers.ipynb"
    stills = shown.page.locator(".sk-still")
    assert stills.count() == len(NAMES)
    assert not any(each.is_visible() for each in stills.all())
    alts = {}
    for name in NAMES:
        label, text, _ = TYPED[name]
        explorer = shown.fresh(name)
        focus(explorer, "textbox", label)
        retype(shown.page, text)
        settled(shown.page, explorer)
        alts[name] = picture(explorer).locator("title").text_content()
    last = stills.nth(len(NAMES) - 1).locator("img").first
    expect(last).to_have_attribute("alt", alts[NAMES[-1]])
    with shown.page.expect_response(
        lambda answer: answer.request.method == "PUT" and path.name in answer.url
    ):
        shown.page.keyboard.press("ControlOrMeta+s")
    exported, _ = HTMLExporter().from_notebook_node(nbformat.read(path, as_version=4))
    page.route("**/*", lambda route: route.abort())
    page.set_content(exported, wait_until="domcontentloaded")
    cells = page.locator(".jp-CodeCell")
    for number, name in enumerate(NAMES, start=1):
        figure = cells.nth(number).get_by_role("img", name=re.compile("size .* stride")).first
        expect(figure).to_be_visible()
        assert figure.get_attribute("alt") == alts[name]
        assert figure.evaluate("image => image.tagName === 'IMG' && image.naturalWidth > 100"), name


def test_nothing_went_wrong_meanwhile(shown):
    """No JavaScript error on the page, no traceback, nothing on stderr."""
    assert shown.errors == []
    for kind in ("stderr", "error"):
        mime = f"[data-mime-type='application/vnd.jupyter.{kind}']"
        expect(shown.page.locator(mime)).to_have_count(0)


def test_when_the_kernel_goes_the_last_picture_stays(lab, reader):
    """And the page says that it waits, and keeps what is typed."""
    write(lab, "gone.ipynb", ["strides"])
    page, shown = reader, Shown(reader)
    lab.turn_to(page, "work/gone.ipynb", "Explorers")
    shown.run()
    explorer = shown["strides"]
    picture(explorer).wait_for()
    is_idle(page)
    choose(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("No Kernel").first.wait_for()
    field = focus(explorer, "textbox", "stride")
    retype(page, "1, 3")
    expect(explorer.get_by_text("The kernel has not answered yet")).to_be_visible()
    expect(field).to_have_value("1, 3")
    expect(picture(explorer)).to_be_visible()


def test_in_notebook_7(lab, page):
    """It appears, by its name, and follows the keys."""
    write(lab, "seven.ipynb", ["strides"])
    server, token = re.match(r"(http://[^/]+).*\?(token=\w+)", lab.url).groups()
    shown = Shown(page)
    page.goto(f"{server}/notebooks/work/seven.ipynb?{token}")
    page.get_by_role("heading", name="Explorers").wait_for()
    expect(page.get_by_role("button", name="Python 3 (ipykernel)")).to_be_visible()
    # Before that it runs nothing, and says nothing either.
    idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    idle.wait_for()
    shown.run()
    explorer = shown["strides"]
    expect(explorer.get_by_role("img").first).to_be_visible()
    # Till then the focus moves to the cell that runs, even between two keys; between two cells the
    # kernel is idle, too.
    expect(page.locator(".jp-CodeCell .jp-InputPrompt").last).to_have_text(re.compile(r"\[\d"))
    idle.wait_for()
    field = explorer.get_by_role("textbox", name="stride", exact=True)
    # On a slow machine it moves the focus even later, so each key is meant for the field.
    for key in ("ControlOrMeta+a", *"1, 3"):
        field.press(key)
    expect(field).to_have_value("1, 3")
    expect(message(explorer)).to_contain_text("stride (1, 3)")
    retype(page, "1")
    expect(explorer.get_by_role("alert")).to_contain_text("Each dim has one size and one stride")
    expect(field).to_be_focused()
    own = [each for each in map(str, shown.errors) if not re.search(NOTEBOOKS_OWN, each)]
    assert own == []
