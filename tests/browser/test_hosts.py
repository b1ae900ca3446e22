"""Explorers in pages that are not JupyterLab's: what hosts of anywidget do, made up.

Each host is a page that has the code of an explorer, and a model as anywidget gives it; behind the
model is the real explorer. One is a plain page, one keeps its widgets in a shadow root, as marimo
does, and one in a frame without an origin and under the policy of VS Code's, as Colab and VS Code
do. Nothing else brings the page any code.
"""

import pytest
from playwright.sync_api import expect

from stridekit import explorers
from stridekit.explorers import widgets
from tests.browser.typing import TEXTS, labels

POLICY = (
    "default-src 'none'; script-src blob: 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:"
)
FRAME = f"<meta http-equiv='Content-Security-Policy' content=&quot;{POLICY}&quot;>"
HOSTS = {
    "page": "<div id='host'></div>",
    "shadow": "<div id='host'></div>",
    "frame": f"<iframe sandbox='allow-scripts' width='1200' height='1500' srcdoc=\"{FRAME}"
    "<div id='host'></div>\"></iframe>",
}
# Shows the explorer. `asked` is what comes of a message; `gate` holds answers back.
SHOW = """async ({code, style, isShadow, what, first}) => {
    const host = document.querySelector('#host');
    window.closing?.();
    host.replaceChildren();
    const root = !isShadow ? host : host.shadowRoot ?? host.attachShadow({mode: 'open'});
    const sheet = document.createElement('style'), el = document.createElement('div');
    sheet.textContent = style;
    root.replaceChildren(sheet, el);
    const state = window.state = {what, ...first}, heard = {};
    window.gate = window.asked = Promise.resolve();
    const model = {
        get: name => state[name],
        on: (name, act) => (heard[name] ??= new Set()).add(act),
        off: (name, act) => heard[name]?.delete(act),
        send: content => {
            window.asked = Promise.all([window.asked, kernel(content)]).then(async ([_, told]) => {
                await window.gate;
                const news = Object.keys(told).filter(name => state[name] !== told[name]);
                Object.assign(state, told);
                news.forEach(name => heard[`change:${name}`].forEach(act => act()));
            });
        },
    };
    const source = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
    window.closing = (await import(source)).default.render({model, el});
    window.el = el;
}"""
# Types everything, presses and chooses everything; what then stands is compared with the same
# picture written anew. Gives how many pictures there were, how often one stayed, what is wrong.
DO_ALL = """async texts => {
    const wrong = [];
    let pictures = 0, kept = 0, last = null;
    // How large it is shown is the page's affair.
    const plain = html => html.replace(/>\\s+</g, '><').replace(/(<svg[^>]*) style="[^"]*"/, '$1');
    const looks = page => [...page.querySelectorAll('svg.stridekit, table, ul')]
        .map(each => plain(each.outerHTML));
    const places = page => [...page.querySelectorAll('[data-stridekit]')]
        .map(each => each.getAttribute('data-stridekit'));
    const settled = async what => {
        await window.asked;
        const anew = document.createElement('div'), page = el.querySelector('.sk-page');
        anew.innerHTML = window.state.page;
        if (looks(anew).join('\\n') !== looks(page).join('\\n')) wrong.push(`${what}: picture`);
        if (places(anew).join() !== places(page).join()) wrong.push(`${what}: places`);
        const hands = [...page.querySelectorAll('[data-stridekit]')]
            .map(each => JSON.stringify(each[Symbol.for('stridekit.touch')]?.picture));
        if (hands.join() !== places(page).map(each => JSON.stringify(JSON.parse(each))).join()) {
            wrong.push(`${what}: hands`);
        }
        if (page.querySelectorAll('.stridekit-keys').length !== hands.length) {
            wrong.push(`${what}: keys`);
        }
        const now = page.querySelector('svg.stridekit');
        pictures += 1;
        kept += now === last;
        last = now;
    };
    for (const [label, text] of Object.entries(texts)) {
        const input = [...el.querySelectorAll('.sk-field')]
            .find(each => each.querySelector('label').textContent === label).querySelector('input');
        for (const end of [...text].keys().toArray().slice(-2)) {
            input.value = text.slice(0, end + 1);
            input.dispatchEvent(new Event('input'));
            await settled(`${label} ${input.value}`);
        }
    }
    for (const select of el.querySelectorAll('select')) {
        for (const option of [...select.options].map(each => each.value)) {
            select.value = option;
            select.dispatchEvent(new Event('change'));
            await settled(option);
        }
    }
    for (const button of el.querySelectorAll('.sk-controls button')) {
        button.click();
        await settled(button.textContent);
    }
    return {pictures, kept, wrong};
}"""


@pytest.fixture(scope="module")
def host(browser):
    """Shows an explorer in a host, and gives the page and the frame where it is."""
    context = browser.new_context(viewport={"width": 1280, "height": 1500})
    page = context.new_page()
    box = None
    said = []
    page.on("pageerror", lambda error: said.append(str(error)))

    def state():
        return {"answer": box.answer, "page": box.page}

    def kernel(content):
        box._said(None, content, None)
        return state()

    page.expose_function("kernel", kernel)
    shown = ""

    def show(where, name):
        nonlocal box, shown
        box = getattr(explorers, name)()
        if where != shown:
            page.set_content(HOSTS[where])
            shown = where
        frame = page.main_frame
        if where == "frame":
            frame = page.locator("iframe").element_handle().content_frame()
        first = {
            "code": widgets.PAGE_CODE,
            "style": widgets.PAGE_STYLE,
            "isShadow": where == "shadow",
            "what": box.what,
            "first": state(),
        }
        frame.evaluate(SHOW, first)
        return page, frame, box

    yield show
    context.close()
    assert not said


def test_a_picture_that_becomes_another_is_that_other(host):
    """After each key, choice and button, in each explorer; and most stay where they are."""
    for name, texts in TEXTS.items():
        _, frame, _ = host("page", name)
        named = labels(name)
        told = frame.evaluate(DO_ALL, {named[each]: text for each, text in texts.items()})
        assert not told["wrong"], (name, told["wrong"][:3])
        assert told["pictures"] > 10
        if name != "pixels":
            assert told["kept"] > told["pictures"] / 2, name


@pytest.mark.parametrize("where", HOSTS)
def test_the_hand_is_answered_in_every_host(host, where):
    """Hover, a click and the keys; the focus stays in the picture while it becomes another one."""
    page, frame, box = host(where, "index")
    picture = frame.locator("svg.stridekit")
    picture.hover(position={"x": 40, "y": 80})
    line = frame.locator(".stridekit-line")
    expect(line).to_contain_text("x[0, 0]")
    told, below = line.bounding_box(), frame.locator(".sk-page > ul").bounding_box()
    assert told["y"] + told["height"] <= below["y"], "it lies over nothing"
    picture.click(position={"x": 40, "y": 80})
    expect(frame.get_by_role("textbox", name="index", exact=True)).to_have_value("0, 0")
    keys = frame.locator(".stridekit-keys")
    expect(keys).to_be_focused()
    keys.evaluate("keys => { keys.isMine = true }")
    for key, index in {"ArrowRight": "0, 1", "ArrowDown": "1, 1"}.items():
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(frame.get_by_role("textbox", name="index", exact=True)).to_have_value(index)
        frame.evaluate("() => new Promise(done => setTimeout(done))")
        expect(keys).to_be_focused()
    assert keys.evaluate("keys => keys.isMine"), "it is the same picture still"
    assert box.state.index == (1, 1)


def test_who_walks_a_picture_stays_in_its_cell(host):
    """In the strip, too, when the slot that is chosen leads to an index of the grid."""
    page, frame, box = host("page", "index")
    keys, line = frame.locator(".stridekit-keys"), frame.locator(".stridekit-line")
    keys.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(frame.get_by_role("textbox", name="index", exact=True)).to_have_value("2, 3")
    page.keyboard.press("ArrowLeft")
    expect(line).to_contain_text("position 10")
    assert line.text_content().startswith("position 10")
    assert box.state.index == (2, 3)


@pytest.mark.parametrize("where", HOSTS)
def test_a_field_with_the_focus_is_its_owners_in_every_host(host, where):
    """What follows from another field is offered there, and not forced into it."""
    page, frame, _ = host(where, "strides")
    frame.evaluate("() => { window.gate = new Promise(open => { window.open_ = open; }); }")
    frame.get_by_role("textbox", name="size", exact=True).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("2, 3, 4")
    stride = frame.get_by_role("textbox", name="stride", exact=True)
    stride.focus()
    before = stride.input_value()
    frame.evaluate("async () => { window.open_(); await window.asked; }")
    expect(stride).to_have_value(before)
    expect(frame.locator(".sk-offer", has_text="12, 4, 1")).to_be_visible()
    page.keyboard.press("Enter")
    expect(stride).to_have_value("12, 4, 1")


@pytest.mark.parametrize("where", HOSTS)
def test_the_wheel_turns_a_number_in_every_host(host, where):
    """Of the field that has the focus, in a shadow root as elsewhere."""
    page, frame, box = host(where, "strides")
    field = frame.get_by_role("textbox", name="storage_offset", exact=True)
    field.click()
    page.mouse.wheel(0, -10)
    expect(field).to_have_value("1")
    assert box.state.storage_offset == 1


def test_a_button_that_is_clicked_has_the_focus_in_every_browser(host):
    """On a Mac, Safari and Firefox give it to none: so Ctrl+Z would go elsewhere."""
    page, frame, box = host("page", "index")
    frame.evaluate("() => el.addEventListener('mousedown', event => event.preventDefault())")
    for name in ("Next element", "Undo"):
        button = frame.get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_be_focused()
    assert box.state.index == (1, 2)
    page.keyboard.press("Control+y")
    field = frame.get_by_role("textbox", name="index", exact=True)
    expect(field).to_have_value("1, 3")
    field.focus()
    page.keyboard.press("Control+z")
    expect(field).to_have_value("1, 2")
    expect(field).to_be_focused()


def test_a_dark_host_makes_dark_pictures_in_a_shadow_root_too(host):
    """The page says outside what is read inside."""
    _, frame, _ = host("shadow", "index")
    scheme = "picture => getComputedStyle(picture).colorScheme"
    picture = frame.locator("svg.stridekit")
    assert picture.evaluate(scheme) == "light"
    for mark in ("data-jp-theme-light='false'", "data-theme='dark'"):
        name, value = mark.replace("'", "").split("=")
        frame.evaluate("([name, value]) => document.body.setAttribute(name, value)", [name, value])
        assert picture.evaluate(scheme) == "dark"
        frame.evaluate("name => document.body.removeAttribute(name)", name)


def test_on_a_phone_nothing_scrolls_sideways_and_each_picture_has_its_name(host):
    """Each of several tensors has a picture of its own, large enough to be read."""
    for name in TEXTS:
        page, frame, _ = host("page", name)
        page.set_viewport_size({"width": 390, "height": 844})
        told = frame.evaluate(
            """async () => {
                const frames = async n => {
                    while (n) { await new Promise(requestAnimationFrame); n -= 1; }
                };
                await frames(3);
                await window.asked;
                await frames(2);
                const drawn = [...el.querySelectorAll('svg.stridekit')];
                return {
                    wide: [...el.querySelectorAll('*')].filter(each => !each.closest('svg, select')
                        && each.getBoundingClientRect().right > innerWidth)
                        .map(each => each.className),
                    scrolls: document.documentElement.scrollWidth - innerWidth,
                    scales: drawn.map(each =>
                        each.getBoundingClientRect().width / each.viewBox.baseVal.width),
                    names: drawn.map(each => each.querySelector('title').textContent),
                    keys: [...el.querySelectorAll('.stridekit-keys')].map(each => each.ariaLabel),
                    rooms: [...el.querySelectorAll('.stridekit-line')].map(each =>
                        each.parentElement.clientHeight),
                };
            }"""
        )
        page.set_viewport_size({"width": 1280, "height": 1500})
        assert (told["wide"], told["scrolls"]) == ([], 0), name
        assert min(told["scales"]) > 0.55, name
        assert len({*told["names"]}) == len(told["names"]), name
        assert len({*told["keys"]}) == len(told["keys"]), name
        assert {*told["rooms"]} <= {40}, (name, "two lines of what is pointed at")


def test_room_is_kept_for_the_width_that_there_is(host):
    """A window that was narrow for a while leaves no gap behind."""
    page, frame, _ = host("page", "traversal")
    heights = """() => ['told', 'page', 'code', 'line'].map(each =>
        Math.round(el.querySelector(`.sk-${each}`).getBoundingClientRect().height))"""
    frame.get_by_text("More to set").click()
    size = frame.get_by_role("textbox", name="size", exact=True)

    def type_size(text):
        size.fill(text)
        frame.evaluate(
            "async () => { await window.asked; await new Promise(requestAnimationFrame) }"
        )

    type_size("4, 8")
    before = frame.evaluate(heights)
    page.set_viewport_size({"width": 400, "height": 900})
    type_size("4, 7")
    type_size("?")
    expect(frame.get_by_role("alert")).to_be_visible()
    type_size("4, 8")
    assert frame.evaluate(heights) != before
    page.set_viewport_size({"width": 1280, "height": 1500})
    type_size("4, 7")
    type_size("4, 8")
    assert frame.evaluate(heights) == before
