"""What axe-core says of a page that is open in Chromium."""

from importlib.resources import files

from playwright.sync_api import Page

# Contrast is what takes axe-core long. It follows from a text's own style and from what lies
# behind it, so one of each kind is asked for: the first of the same name, class, colour, size and
# weight, within the same backgrounds and opacities. Of a single letter axe-core says nothing, so
# longer texts come first.
OF_EACH_KIND = """top => {
    const chains = new Map(), kinds = new Map();
    const behind = element => {
        if (!element) return '';
        if (!chains.has(element)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity].join();
            chains.set(element, (own === 'rgba(0, 0, 0, 0),none,1' ? '' : own + ';')
                + behind(element.parentElement));
        }
        return chains.get(element);
    };
    for (const each of [top, ...top.querySelectorAll('*')]) {
        const says = [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        if (!(says || each.matches('input, select, textarea')) || !each.checkVisibility()) continue;
        const {color, fontSize, fontWeight, textShadow} = getComputedStyle(each);
        const kind = [each.localName, each.getAttribute('class'), each.disabled, each.placeholder,
            color, fontSize, fontWeight, textShadow, behind(each)].join('|');
        const known = kinds.get(kind);
        if (!known || known.textContent.trim().length < 2) kinds.set(kind, each);
    }
    return [...kinds.values()];
}"""
# The rule looks at those that are marked. What has passed need not be told in full. Of an exported
# page's coloured code, which is most of it, the others have nothing but their colour, and go.
RUN = f"""async part => {{
    const texts = [...document.querySelectorAll(part)].flatMap({OF_EACH_KIND});
    axe.configure({{rules: [{{id: 'color-contrast', selector: '[data-of-its-kind]'}}]}});
    texts.forEach(each => each.setAttribute('data-of-its-kind', ''));
    document.querySelectorAll('.highlight pre span:not([data-of-its-kind])')
        .forEach(each => each.replaceWith(...each.childNodes));
    try {{
        return (await axe.run(part, {{resultTypes: ['violations']}})).violations;
    }} finally {{
        texts.forEach(each => each.removeAttribute('data-of-its-kind'));
    }}
}}"""


def violations(page: Page, part: str = "html") -> list[tuple[str, str]]:
    """The rules that a part of it breaks, each with the first place; folds are opened before."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    if not page.evaluate("'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate(RUN, part)
    return [(each["id"], each["nodes"][0]["html"]) for each in found]
