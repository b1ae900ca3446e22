"""Diagrams as browsers paint them: labels apart, dark pages, print."""

import warnings

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import expect

from stridekit import arange, draw
from tests.stridekit.diagrams.golden import GALLERY

SHEETS = sorted(GALLERY.glob("*.svg"))
# The ink of two texts: what the boxes of lines have above and below is air. The numbers of a line
# are one element, and digits side by side are one number. Rims lie below their own digits.
COLLISIONS = """() => {
    const words = element => {
        if (!element.getAttribute('x').includes(' '))
            return [{text: element.textContent, box: element.getBoundingClientRect()}];
        const place = element.getScreenCTM(), found = [];
        [...element.textContent].forEach((character, n) => {
            const box = element.getExtentOfChar(n);
            const left = place.a * box.x + place.e, right = left + place.a * box.width;
            const top = place.d * box.y + place.f, height = place.d * box.height;
            const bottom = top + height;
            const last = found.at(-1);
            if (last && Math.abs(left - last.box.right) < 1)
                Object.assign(last, {text: last.text + character, box: {...last.box, right}});
            else
                found.push({text: character, box: {left, right, top, height, bottom}});
        });
        return found;
    };
    const elements = [...document.querySelectorAll('svg g:not([stroke]) > text')];
    const boxes = elements.flatMap(words).map(({text, box}) => {
        const air = box.height * 0.22;
        return {text, left: box.left + 0.5, right: box.right - 0.5,
                top: box.top + air, bottom: box.bottom - air};
    });
    const found = [];
    boxes.forEach((a, i) => boxes.slice(0, i).forEach(b => {
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
            found.push([a.text, b.text]);
    }));
    return found;
}"""
OUTSIDE = """() => {
    const card = document.querySelector('svg').getBoundingClientRect();
    return [...document.querySelectorAll('svg text')].filter(text => {
        const box = text.getBoundingClientRect();
        if (!box.width) return false;  // not shown
        return box.left < card.left || box.right > card.right + 0.5 || box.bottom > card.bottom;
    }).map(text => text.textContent);
}"""


def test_no_labels_collide_in_the_browser(page):
    """In every picture of the gallery, in the fonts that there are, and in others."""
    # What travels passes over what lies.
    page.emulate_media(reduced_motion="reduce")
    for path in SHEETS:
        svg = path.read_text("utf-8")
        for fonts in ("", "Liberation Sans", "serif"):
            style = f"<style>.stridekit text {{font-family: {fonts} !important}}</style>"
            page.set_content(f"<body>{svg}{style if fonts else ''}</body>")
            if not fonts:
                assert page.evaluate(COLLISIONS) == [], path.stem
            assert page.evaluate(OUTSIDE) == [], (path.stem, fonts)


@pytest.fixture(scope="module")
def exported():
    """A notebook with one diagram, as nbconvert makes a page of it."""
    diagram = draw(arange(6).view(2, 3).t(), title="t")
    output = nbformat.v4.new_output(
        "execute_result",
        data=diagram._repr_mimebundle_(),
        execution_count=1,
    )
    cell = nbformat.v4.new_code_cell("draw(t)", outputs=[output], execution_count=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbconvert's own
        return {
            theme: HTMLExporter(theme=theme).from_notebook_node(
                nbformat.v4.new_notebook(cells=[cell])
            )[0]
            for theme in ("light", "dark")
        }


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exported_page_shows_the_picture_on_a_card_of_its_theme(page, exported, theme, system):
    """Whatever the system prefers. On paper it is white."""
    page.route("**/*", lambda route: route.abort())  # MathJax and RequireJS, from afar
    page.emulate_media(color_scheme=system)
    page.set_content(exported[theme], wait_until="domcontentloaded")
    image = page.locator("img[alt^='Tensor t, size (3, 2)']")
    for medium, card in (("screen", 17 if theme == "dark" else 255), ("print", 255)):
        page.emulate_media(media=medium)
        expect(image).to_be_visible()
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 200)")
        assert_painted(page, image, [card] * 3)
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("form", ["_repr_html_", "html"])
def test_html_by_itself(page, form, system):
    """What is asked for by name is light, or follows the page that holds it."""
    made = getattr(draw(arange(6).view(2, 3)), form)()
    page.emulate_media(color_scheme=system)
    page.set_content(f"<html style='color-scheme: light dark'><body>{made}</body></html>")
    is_dark = form == "html" and system == "dark"
    assert_painted(page, page.locator("img"), [17 if is_dark else 255] * 3)


def assert_painted(page, image, card):
    """Its card has this colour, at once or as soon as a busy machine has painted it."""
    for _ in range(100):
        if (found := colour_in(page, image, 8, 40)) == card:
            break
        page.wait_for_timeout(100)
    assert found == card


def colour_in(page, image, x, y):
    """The colour of one of an image's pixels, as it is painted on the page."""
    shot = image.screenshot()
    return page.evaluate(
        """async ([bytes, x, y]) => {
            const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
            const canvas = new OffscreenCanvas(picture.width, picture.height);
            const context = canvas.getContext('2d');
            context.drawImage(picture, 0, 0);
            return [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
        }""",
        [list(shot), x, y],
    )


def choose_theme(page, name):
    """Settings → Theme → that one; meanwhile JupyterLab shows nothing that could be focused."""
    if page.locator("body").get_attribute("data-jp-theme-name") == name:
        return
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    # Submenus have no accessible name of their own.
    page.locator(".lm-Menu-itemLabel").get_by_text("Theme", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).click()
    page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")
    expect(page.locator("#jupyterlab-splash")).to_have_count(0)
